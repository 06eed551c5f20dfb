"""A preset in a configuration gives values to parameters that nobody stated; what the user stated stays."""

import re
from html import unescape

import pytest
import yaml

import fairreport as fr
from fairreport.cli.main import main
from fairreport.report.verify import verify

TEST = {"protected_attribute_columns": ["sex"], "outcome_column": "hired", "favorable_values": [1]}


def run_of(rows, preset, **parameters):
    config = {"audit": {"report": {"preset": preset}}, "tests": [{"outcome_disparity": TEST | parameters}]}
    return fr.Audit.from_config(config, rows).run()


def stated(run):
    """Return value and origin of every parameter that is no default."""
    parameters = run.to_dict()["results"][0]["parameters"]
    return {name: (item["value"], item["origin"]) for name, item in parameters.items() if item["origin"] != "default"}


@pytest.fixture(scope="module")
def rows():
    groups = [("F", 12, 40), ("M", 48, 80)]
    return {
        "sex": [name for name, _, n in groups for _ in range(n)],
        "hired": [1 if i < favorable else 0 for _, favorable, n in groups for i in range(n)],
    }


def test_the_values_of_the_preset_are_used_and_have_it_as_their_origin(rows):
    run = run_of(rows, "two_standard_deviations")
    found = stated(run)
    assert found["significance_test"] == ("z_test", "preset")
    assert found["alpha"] == (0.0455, "preset")
    # scipy 1.17: chi2_contingency([[12, 28], [48, 32]], correction=False).pvalue = 0.0019457736937391532
    p_value = run[0].groups.loc["F", "p_value"]
    assert p_value == pytest.approx(0.0019457736937391532, rel=1e-12)


def test_what_the_user_stated_stays(rows):
    found = stated(run_of(rows, "two_standard_deviations", alpha=0.01, significance_test="chi_square"))
    assert found["alpha"] == (0.01, "user")
    assert found["significance_test"] == ("chi_square", "user")


def test_a_stated_value_that_is_the_presets_own_is_its_value(rows):
    assert stated(run_of(rows, "two_standard_deviations", alpha=0.0455))["alpha"] == (0.0455, "preset")


def test_without_a_preset_nothing_changes(rows):
    config = {"tests": [{"outcome_disparity": TEST}]}
    run = fr.Audit.from_config(config, rows).run()
    assert {origin for _, origin in stated(run).values()} == {"user"}
    # A preset of the report alone reads the run, and judges nothing.
    report = fr.Report(run, preset="two_standard_deviations")
    assert report.record == run.record
    assert "fisher_exact (default) in 5.1" in unescape(report.html()).replace("<wbr>", "")


@pytest.mark.parametrize("name", ["four_fifths", "nyc_ll144", "ecoa_air"])
def test_other_presets_leave_every_verdict_as_it_is(rows, name):
    plain = fr.Audit.from_config({"tests": [{"outcome_disparity": TEST}]}, rows).run().to_dict()["results"][0]
    found = run_of(rows, name).to_dict()["results"][0]
    del plain["parameters"], found["parameters"]
    assert found == plain


def test_a_required_parameter_is_the_users_to_state(rows):
    pair = {"reference_values": {"sex": "M"}, "outcome": "hired", "percent_difference_threshold": 0}
    config = {"audit": {"report": {"preset": "four_fifths"}}, "tests": [{"adverse_impact_ratio": pair}]}
    with pytest.raises(fr.ConfigError, match="air_threshold: is required"):
        fr.Audit.from_config(config, rows)
    config["tests"][0]["adverse_impact_ratio"]["air_threshold"] = 0.8
    run = fr.Audit.from_config(config, rows).run()
    assert run.to_dict()["results"][0]["parameters"]["air_threshold"] == {"value": 0.8, "origin": "preset"}


def test_the_packet_prints_the_origin_and_verifies(rows, tmp_path):
    run = run_of(rows, "two_standard_deviations")
    report = fr.Report(run, preset="two_standard_deviations")
    html = report.html()
    table = html[html.index("<h3>Parameters</h3>") :]
    row = next(row for row in re.findall(r"<tr[^>]*>.*?</tr>", table, flags=re.DOTALL) if "z_test" in row)
    assert "<td>preset</td>" in row
    found = verify(report.save(tmp_path / "packet.html"))
    assert found.agrees, found.differences
    # What was not stated by the user, and is no default, stands in the code that repeats the audit.
    assert "significance_test=&#39;z_test&#39;" in html


def test_the_attached_configuration_repeats_the_audit_to_the_id(rows, tmp_path):
    run = run_of(rows, "two_standard_deviations", alpha=0.01)
    report = fr.Report(run, preset="two_standard_deviations")
    attached = next(file for file in report.attachments if file.name == "audit.yaml")
    content = yaml.safe_load(attached.content)
    assert content["audit"]["report"] == {"preset": "two_standard_deviations"}
    again = fr.Audit.from_config(content, rows).run()
    assert fr.Report(again, preset="two_standard_deviations").packet_id == report.packet_id


def test_the_profile_stands_in_the_attached_configuration(rows):
    run = fr.Audit.from_config({"tests": [{"outcome_disparity": TEST}]}, rows).run()
    profile = {"audit_date": "2026-11-01", "labels": {"sex": {"F": "Female"}}, "leave_out_below": 0.01, "sex": "sex"}
    report = fr.Report(run, preset="nyc_ll144", profile=profile)
    attached = next(file for file in report.attachments if file.name == "audit.yaml")
    content = yaml.safe_load(attached.content)
    assert content["audit"]["report"] == {"preset": "nyc_ll144", "profile": profile}
    again = fr.Audit.from_config(content, rows).run()
    assert fr.Report(again, preset="nyc_ll144", profile=profile).html() != ""


def test_counts_that_a_preset_publishes_are_not_withheld(rows):
    groups = [("F", 100, 500), ("M", 240, 480), ("X", 3, 8)]
    columns = {
        "sex": [name for name, _, n in groups for _ in range(n)],
        "hired": [1 if i < favorable else 0 for _, favorable, n in groups for i in range(n)],
    }
    run = fr.Audit(columns).outcome_disparity("sex", "hired", 1).run()
    published = fr.Report(run, preset="nyc_ll144", suppress_below=10).html()
    # X: 3 of 8, 37.5 %, 0.75 of the 50 % of M
    assert re.search(
        r">X</bdi></th><td class=\"num\">8</td><td class=\"num\">3</td><td class=\"num\">37\.5%", published
    )
    withheld = fr.Report(run, preset="four_fifths", suppress_below=10).html()
    section = withheld[withheld.index('<section id="profile"') :]
    assert "37.5" not in withheld
    assert "<bdi>X</bdi>" not in section[: section.index("</section>")]


REPORT = {
    "preset": "nyc_ll144",
    "profile": {"sex": "sex", "labels": {"sex": {"F": "Female"}}, "audit_date": "2026-11-01"},
    "paper": "letter",
    "suppress_below": 5,
    "colors": {"accent": "#6a0d2b"},
    "footer": "Office A",
    "logo": "looks/logo.svg",
    "templates": "looks/own",
}


@pytest.fixture
def written(rows, tmp_path):
    """An audit.yaml whose every key of the report is stated, with the files that it names beside it."""
    (tmp_path / "looks" / "own" / "packet").mkdir(parents=True)
    (tmp_path / "looks" / "own" / "packet" / "cover.html").write_text("<p>Our cover</p>")
    (tmp_path / "looks" / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"/>')
    lines = [f"{sex},{hired}" for sex, hired in zip(rows["sex"], rows["hired"], strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["sex,hired", *lines]) + "\n")

    def write(**report):
        config = {"audit": {"data": "rows.csv", "report": report}, "tests": [{"outcome_disparity": TEST}]}
        (tmp_path / "audit.yaml").write_text(yaml.safe_dump(config))
        return tmp_path / "audit.yaml"

    return write


def of_command(config, *more):
    """The page that the command line makes of a configuration."""
    page = config.parent / "page.html"
    assert main(["run", str(config), "--html", str(page), "--no-checksum", *more]) in {0, 1}
    return page.read_text("utf-8")


@pytest.mark.parametrize("key", [None, "suppress_below", "logo"])
def test_python_makes_the_packet_that_the_command_line_makes(written, key):
    stated = REPORT if key is None else {key: REPORT[key], "preset": "nyc_ll144"}
    config = written(**stated)
    report = fr.Report(fr.Audit.from_config(config).run())
    assert report.html() == of_command(config)
    assert f"Packet {report.packet_id}" in report.html()
    assert "No preset is used" not in report.html()


@pytest.mark.parametrize("name", ["four_fifths", "nyc_ll144", "two_standard_deviations", "ecoa_air"])
def test_a_preset_has_one_packet_id_however_it_is_named(written, name):
    ids = {
        fr.Report(fr.Audit.from_config(written(preset=name)).run()).packet_id,
        fr.Report(fr.Audit.from_config(written(preset=name)).run(), preset=name).packet_id,
        fr.Report(fr.Audit.from_config(written(), preset=name).run()).packet_id,
        fr.Report(fr.Audit.from_config(written(preset="ecoa_air"), preset=name).run()).packet_id,
    }
    pages = (of_command(written(preset=name)), of_command(written(), "--preset", name))
    assert {re.search(r"Audit packet (\w{12})", page)[1] for page in pages} == ids
    assert len(ids) == 1


def test_what_is_asked_of_a_report_goes_before_the_configuration(written):
    run = fr.Audit.from_config(written(**REPORT)).run()
    report = fr.Report(run, paper="A4", suppress_below=0, footer="Office B", colors={"accent": "#123456"})
    assert report.record.withheld is None
    assert "size: A4 portrait" in report.html()
    assert "Office B" in report.html()
    assert "#123456" in report.html()
    assert "letter" not in report.html()[report.html().index("@page { size") :][:40]


def test_one_test_of_an_audit_takes_what_the_configuration_states_for_it(rows):
    tests = [{"outcome_disparity": TEST}, {"outcome_disparity": TEST | {"protected_attribute_columns": ["race"]}}]
    profile = {"sex": "sex", "race_ethnicity": "race"}
    config = {"audit": {"report": {"preset": "nyc_ll144", "profile": profile}}, "tests": tests}
    run = fr.Audit.from_config(config, rows | {"race": rows["sex"]}).run()
    for result in run:
        assert "No preset is used" not in fr.Report(result).html()


def test_tables_of_another_preset_than_the_tests_were_judged_with_are_refused(rows):
    run = run_of(rows, "two_standard_deviations")
    with pytest.raises(fr.ConfigError, match=r"preset: .* judged with the preset 'two_standard_deviations'"):
        fr.Report(run, preset="four_fifths")
