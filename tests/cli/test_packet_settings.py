"""What audit.yaml and the command line say of the packet."""

import json
import re

import jsonschema
import pytest
import yaml

from fairreport.audit.readers.config_schema import config_schema

AUDIT = """\
audit:
  title: Shortlist
  data: rows.csv
  report:
{report}
tests:
  - outcome_disparity:
      name: by sex
      protected_attribute_columns: [sex]
      outcome_column: hired
      favorable_values: ["1"]
"""


@pytest.fixture
def configured(folder):
    cells = [
        (group, int(i < hits))
        for group, hits, n in (("F", 20, 60), ("M", 40, 60), ("X", 12, 25), ("Q", 2, 6))
        for i in range(n)
    ]
    folder.write("rows.csv", "sex,hired\n" + "".join(f"{group},{hired}\n" for group, hired in cells))

    def write(**report):
        stated = "".join(f"    {line}\n" for line in yaml.safe_dump(report, sort_keys=False).splitlines())
        return folder.write("audit.yaml", AUDIT.format(report=stated or "    paper: A4"))

    return write


def test_everything_that_may_be_set_reaches_the_packet(configured, folder, command, tmp_path):
    folder.write(
        "logo.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><rect width="4" height="1"/></svg>'
    )
    config = configured(
        suppress_below=10,
        logo="logo.svg",
        colors={"accent": "#6a0d2b"},
        footer="Office A",
        paper="letter",
        language="en",
    )
    page = tmp_path / "out.html"
    done = command("run", config, "--html", page)
    assert done.code == 1
    text = page.read_text("utf-8")
    assert "withheld (fewer than 10)" in text
    assert "data:image/svg+xml;base64" in text
    assert "#6a0d2b" in text
    assert "Office A" in text
    assert "size: letter portrait" in text
    assert (tmp_path / "out.html.sha256").is_file()


def test_the_command_line_goes_first(configured, command, tmp_path):
    config = configured(suppress_below=10)
    page = tmp_path / "out.html"
    command("run", config, "--html", page, "--suppress-below", "0", "--no-checksum")
    assert "withheld (fewer than 10)" not in page.read_text("utf-8")
    assert [item.name for item in tmp_path.glob("out*")] == ["out.html"]
    command("run", config, "--html", tmp_path / "new.html", "--previous", page)
    assert "Since the earlier packet" in (tmp_path / "new.html").read_text("utf-8")


def test_json_and_csv_are_no_reports_and_withhold_nothing(configured, command, tmp_path):
    config = configured(suppress_below=10)
    command("run", config, "--json", tmp_path / "out.json", "--csv", tmp_path / "tables")
    document = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert {group["n"] for group in document["results"][0]["groups"]} == {60, 25, 6}
    assert "withheld" not in document


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ({"supress_below": 10}, "audit.report.supress_below: is no known key. Did you mean 'suppress_below'?"),
        ({"suppress_below": "ten"}, "audit.report.suppress_below: must be a whole number of at least 0"),
        ({"logo": "none.png"}, "audit.report.logo: there is no file"),
        ({"templates": "none"}, "audit.report.templates: "),
        ({"colors": {"accnt": "#000000"}}, "audit.report.colors.accnt: is no colour of a packet"),
        ({"colors": {"accent": "#ffcc00"}}, "audit.report.colors.accent: '#ffcc00' has a contrast of 1.38"),
        ({"colors": "#000000"}, "audit.report.colors: must be a mapping"),
        ({"footer": "x" * 81}, "audit.report.footer: has 81 characters"),
        ({"footer": ["a"]}, "audit.report.footer: must be text"),
        (
            {"language": "EN"},
            "audit.report.language: packets are written in English only; wanted en, got 'EN'. Did you mean 'en'?",
        ),
        ({"checksum": "yes please"}, "audit.report.checksum: must be true or false"),
    ],
)
def test_a_wrong_setting_is_one_line_with_its_place(configured, command, tmp_path, report, message):
    done = command("run", configured(**report), "--html", tmp_path / "out.html")
    assert done.code == 2
    assert len(done.faults) == 1
    assert message in done.faults[0]
    assert re.search(r"\(line [0-9]+\)$", done.faults[0])
    assert not (tmp_path / "out.html").exists()


def test_files_are_found_beside_the_configuration_and_not_beside_the_user(
    configured, folder, command, tmp_path, monkeypatch
):
    config = configured(templates="looks")
    (config.parent / "looks" / "packet").mkdir(parents=True)
    (config.parent / "looks" / "packet" / "cover.html").write_text("<p>mine</p>", "utf-8")
    monkeypatch.chdir(tmp_path)
    command("run", config, "--html", tmp_path / "out.html")
    assert "<p>mine</p>" in (tmp_path / "out.html").read_text("utf-8")


def test_an_earlier_packet_that_is_none_is_told_before_any_row_is_read(configured, command, tmp_path):
    config = configured()
    (config.parent / "rows.csv").unlink()
    (config.parent / "rows.csv").write_text("", "utf-8")
    done = command("run", config, "--html", tmp_path / "out.html", "--previous", tmp_path / "none.html")
    assert (done.code, len(done.faults)) == (2, 1)
    assert "there is no file" in done.faults[0]


@pytest.mark.parametrize("typed", ["ten", "-1", "1.5"])
def test_a_number_of_rows_that_is_none_is_refused(configured, command, typed):
    assert command("run", configured(), f"--suppress-below={typed}").code == 2


@pytest.mark.parametrize(
    ("report", "fits"),
    [
        ({"suppress_below": 10, "logo": "a.png", "colors": {"accent": "#123"}, "footer": "a", "checksum": False}, True),
        ({"colors": {"accnt": "#123"}}, False),
        ({"colors": {"accent": "red"}}, False),
        ({"suppress_below": -1}, False),
        ({"language": "no"}, False),
        ({"footer": "x" * 81}, False),
    ],
)
def test_the_schema_says_the_same(report, fits):
    test = {
        "outcome_disparity": {"protected_attribute_columns": ["a"], "outcome_column": "b", "favorable_values": ["1"]}
    }
    checker = jsonschema.Draft202012Validator(config_schema())
    assert checker.is_valid({"audit": {"report": report}, "tests": [test]}) is fits


def test_a_preset_that_publishes_counts_says_that_small_groups_are_shown(configured, command, tmp_path):
    told = (
        "groups with fewer than 10 rows stand with their counts in 1 test, because the preset has its counts published"
    )
    page = tmp_path / "out.html"
    done = command("run", configured(), "--html", page, "--suppress-below", "10", "--preset", "nyc_ll144")
    assert f"suppress_below: {told}\n" in done.err
    assert told in page.read_text("utf-8")
    assert told not in command("run", configured(), "--html", page, "--suppress-below", "10").err
