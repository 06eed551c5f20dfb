"""``fairreport presets``, and a preset of ``run``."""

from __future__ import annotations

import json

import jsonschema
import pytest

NAMES = ["ecoa_air", "four_fifths", "nyc_ll144", "two_standard_deviations"]


def test_the_presets_are_listed_with_source_and_day(command):
    done = command("presets")
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line for line in lines if line in NAMES] == NAMES
    assert lines.count("  looked up 2026-11-29") == len(NAMES)
    assert "  Four-fifths rule of thumb" in lines
    assert any("29 CFR 1607.4(D)" in line for line in lines)
    assert lines[-1] == "Using a preset does not by itself make an audit."
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_says_its_facts(command, name):
    done = command("presets", name)
    assert done.code == 0
    assert done.out.startswith(f"{name}: ")
    assert " ".join(done.out.split()).count("; looked up 2026-11-") >= 4
    assert done.out.endswith("Using a preset does not by itself make an audit.\n")
    assert max(map(len, done.out.splitlines())) <= 100


@pytest.mark.parametrize("arguments", [("presets", "nyc_ll145"), ("run", "audit.yaml", "--preset", "nyc_ll145")])
def test_the_nearest_preset_is_named(command, folder, arguments):
    folder.audit()
    done = command(*arguments)
    assert done.code == 2
    assert done.out == ""
    (fault,) = done.faults
    assert fault.endswith("known: ecoa_air, four_fifths, nyc_ll144, two_standard_deviations. Did you mean 'nyc_ll144'?")


def test_a_preset_of_the_command_line_is_used(command, folder):
    done = command("run", folder.audit(), "--preset", "two_standard_deviations", "--json", "-", "--html", "p.html")
    assert done.code == 1
    parameters = json.loads(done.out)["results"][0]["parameters"]
    assert parameters["significance_test"] == {"value": "z_test", "origin": "preset"}
    assert parameters["alpha"] == {"value": 0.0455, "origin": "preset"}
    page = (folder.path / "p.html").read_text(encoding="utf-8")
    assert "What the practice says" in page
    assert command("verify", "p.html").code == 0


def test_a_preset_of_the_command_line_comes_before_that_of_the_file(command, folder):
    text = folder.audit().read_text().replace("  data:", "  report: {preset: two_standard_deviations}\n  data:")
    config = folder.write("audit.yaml", text)
    done = command("run", config, "--preset", "four_fifths", "--json", "-")
    parameters = json.loads(done.out)["results"][0]["parameters"]
    assert parameters["significance_test"] == {"value": "fisher_exact", "origin": "default"}
    assert parameters["impact_ratio_threshold"] == {"value": 0.8, "origin": "preset"}


@pytest.fixture
def local_law(folder):
    """A configuration with a preset and its profile."""
    report = "{preset: nyc_ll144, profile: {sex: gender, labels: {sex: {F: Female}}, audit_date: 2026-11-01}}"
    return folder.write("audit.yaml", folder.audit().read_text().replace("  data:", f"  report: {report}\n  data:"))


def test_a_preset_of_a_file_and_its_profile(command, folder, local_law):
    assert command("run", local_law, "--html", "p.html").code == 1
    page = (folder.path / "p.html").read_text(encoding="utf-8")
    # 24 of 50 and 30 of 40: 48.0 %, 75.0 %, 0.640; three rows without a gender
    assert (
        '<bdi>Female</bdi></th><td class="num">50</td><td class="num">24</td><td class="num">48.0%</td>'
        '<td class="num">0.640</td>'
    ) in page
    assert "stand in none of these figures: 3." in page
    assert command("verify", "p.html").code == 0


@pytest.mark.heavy
def test_a_preset_of_a_file_is_printed(command, local_law):
    assert command("run", local_law, "--pdf", "p.pdf").code == 1
    assert command("verify", "p.pdf").code == 0


def test_a_profile_that_is_wrong_stops_before_the_data(command, folder):
    report = "{preset: nyc_ll144, profile: {sex: gendr, audit_date: soon}}"
    config = folder.write("audit.yaml", folder.audit().read_text().replace("  data:", f"  report: {report}\n  data:"))
    done = command("run", config, "--data", "counted.csv", "--html", "p.html")
    assert done.code == 2
    assert sorted(done.faults) == [
        "audit.yaml: audit.report.profile.audit_date: must be a day such as 2026-11-29, got 'soon' (line 3)",
        "audit.yaml: audit.report.profile.sex: no test is by 'gendr'. Did you mean 'gender'? (line 3)",
    ]
    assert not (folder.path / "p.html").exists()


def test_a_preset_of_a_tests_json(command, tests_json):
    done = command("run", tests_json, "--data", "rows.csv", "--preset", "two_standard_deviations", "--json", "-")
    assert json.loads(done.out)["results"][0]["parameters"]["alpha"] == {"value": 0.0455, "origin": "preset"}


def test_the_schema_of_the_configuration_knows_presets_and_their_profiles(command):
    schema = json.loads(command("schema", "config").out)
    report = schema["properties"]["audit"]["properties"]["report"]["properties"]
    assert report["preset"]["enum"] == [*NAMES, None]
    profile = report["profile"]
    assert profile["additionalProperties"] is False
    assert profile["properties"]["sex"]["description"] == "Column of the sex categories (nyc_ll144)."
    validator = jsonschema.Draft202012Validator(profile)
    assert validator.is_valid({"sex": "gender", "leave_out_below": 0.02, "labels": {"sex": {"F": "Female"}}})
    assert not validator.is_valid({"leave_out_below": 0.5})
    assert not validator.is_valid({"sx": "gender"})
