"""An error says what was found, what is wanted, and the nearest name, on one line a fault."""

from __future__ import annotations

import pytest

from fairreport.audit.audit import Audit


def wrong(command, *arguments):
    done = command(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert all(line.startswith("fairreport: ") for line in done.err.splitlines())
    return done.faults


def test_a_configuration_that_is_not_there(command, folder):
    folder.audit()
    assert wrong(command, "run", "adit.yaml") == ["there is no file 'adit.yaml'. Did you mean 'audit.yaml'?"]


def test_data_that_is_not_there(command, folder):
    config = folder.audit()
    assert wrong(command, "run", config, "--data", "row.csv") == [
        "there is no file 'row.csv'. Did you mean 'rows.csv'?"
    ]


def test_data_that_the_configuration_names_and_is_not_there(command, folder):
    config = folder.write("audit.yaml", folder.audit().read_text().replace("rows.csv", "absent.csv"))
    (fault,) = wrong(command, "run", config)
    assert "absent.csv" in fault


@pytest.mark.parametrize("name", ["x" * 5_000 + ".csv", "a\\0b.csv"])
def test_data_of_a_name_that_no_file_can_have(command, folder, name):
    text = folder.audit().read_text().replace("rows.csv", f'"{name}"')
    (fault,) = wrong(command, "run", folder.write("audit.yaml", text))
    assert fault.startswith(("cannot read '", "there is no file '"))
    assert len(fault) < 300


def test_no_data_at_all(command, tests_json):
    assert wrong(command, "run", tests_json) == [
        "tests.json: names no data; state it under audit.data, or give --data FILE"
    ]


def test_broken_yaml_names_the_line(command, folder):
    config = folder.write("audit.yaml", "audit:\n  title: [a\ntests: b\n")
    (fault,) = wrong(command, "run", config)
    assert fault.startswith("audit.yaml: is no YAML: ")
    assert fault.endswith("(line 3)")


def test_a_key_stated_twice_names_the_line(command, folder):
    config = folder.write("audit.yaml", folder.audit().read_text() + "tests: []\n")
    assert wrong(command, "run", config) == ["audit.yaml: tests: is stated twice (line 11)"]


def test_all_faults_of_a_configuration_each_on_its_line(command, folder):
    text = folder.audit().read_text()
    text = text.replace("title:", "titel:").replace("favorable_values", "favourable_values").replace("0.8", "1.5")
    assert wrong(command, "run", folder.write("audit.yaml", text)) == [
        "audit.yaml: audit.titel: is no known key. Did you mean 'title'? (line 2)",
        "audit.yaml: tests.0.outcome_disparity.impact_ratio_threshold: must be above 0 and at most 1, got 1.5 (line 10)",
        "audit.yaml: tests.0.outcome_disparity.favourable_values: is no known parameter. Did you mean 'favorable_values'? (line 9)",
    ]


def test_an_unknown_measurement_has_a_nearest_name(command, folder):
    text = (
        folder.audit().read_text() + '      thresholds: [{measurement: minImpactRation, operator: ">=", value: 0.8}]\n'
    )
    (fault,) = wrong(command, "run", folder.write("audit.yaml", text))
    assert "unknown measurement 'minImpactRation'. Did you mean 'minImpactRatio'?" in fault
    assert fault.endswith(")")


def test_a_scalar_where_a_file_must_have_a_list(command, folder):
    config = folder.write("audit.yaml", folder.audit().read_text().replace("[gender]", "gender"))
    assert wrong(command, "run", config) == [
        "audit.yaml: tests.0.outcome_disparity.protected_attribute_columns: must be a list, got 'gender' (line 7)"
    ]


def test_a_configuration_that_is_none(command, folder):
    (fault,) = wrong(command, "run", folder.write("audit.yaml", "just a text\n"))
    assert "wanted a mapping with audit and tests, one with fairness, or a list of tests" in fault


def test_json_that_is_none_names_the_line(command, folder):
    (fault,) = wrong(command, "run", folder.write("tests.json", '[\n{"name": }]'), "--data", "rows.csv")
    assert fault.startswith("tests.json: is no JSON")
    assert fault.endswith("(line 2)")


def test_two_columns_of_one_name(command, folder):
    folder.write("twice.csv", "gender,hired,gender\nF,1,F\n")
    (fault,) = wrong(command, "run", folder.audit(), "--data", "twice.csv")
    assert fault == "the table has two columns named 'gender'; rename or drop one"


def test_data_that_is_not_utf_8(command, folder):
    folder.write("latin.csv", "gender,hired\nFräulein,1\n".encode("latin-1") * 2)
    (fault,) = wrong(command, "run", folder.audit(), "--data", "latin.csv")
    assert "latin.csv" in fault
    assert "UTF-8" in fault or "utf-8" in fault


def test_data_of_an_unknown_kind(command, folder):
    folder.write("rows.xlsx", "PK")
    (fault,) = wrong(command, "run", folder.audit(), "--data", "rows.xlsx")
    assert "cannot tell the format of 'rows.xlsx'; wanted an ending among .csv" in fault


@pytest.mark.parametrize(("cell", "found"), [("-1", "'-1'"), ("1.5", "'1.5'"), ("many", "'many'"), ("", "missing")])
def test_counts_that_are_none(command, folder, cell, found):
    folder.write("counted.csv", f"gender,hired,n\nF,1,{cell}\nM,0,4\n")
    text = folder.audit().read_text().replace("data: rows.csv", "data: counted.csv\n  counts: n")
    (fault,) = wrong(command, "run", folder.write("audit.yaml", text))
    assert found in fault
    assert "wanted whole numbers >= 0" in fault


def test_a_counts_column_that_is_not_there(command, folder):
    text = folder.audit().read_text().replace("data: rows.csv", "data: counted.csv\n  counts: m")
    (fault,) = wrong(command, "run", folder.write("audit.yaml", text))
    assert fault.startswith("the table has no counts column 'm'.")


def test_a_preset_and_a_paper_that_there_are_not(command, folder):
    for setting in ("preset: nyc_ll145", "paper: A3000"):
        text = folder.audit().read_text().replace("  data:", f"  report: {{{setting}}}\n  data:")
        (fault,) = wrong(command, "run", folder.write("audit.yaml", text), "--html", "p.html")
        assert setting.partition(": ")[2] in fault
        assert not (folder.path / "p.html").exists()


def test_a_list_where_one_word_is_wanted_is_no_internal_error(command, folder):
    text = "tests:\n  - metric_parity:\n      protected_attribute_columns: [gender]\n      parity_metric: [auc]\n"
    assert wrong(command, "run", folder.write("audit.yaml", text), "--data", "rows.csv") == [
        "audit.yaml: tests.0.metric_parity.parity_metric: takes one metric, got ['auc'] (line 4)"
    ]
    (fault,) = wrong(command, "run", folder.write("tests.json", '[{"subtype":["a"],"thresholds":[]}]'))
    assert fault.startswith("tests.json: 0.subtype: must be one of ")


def test_a_report_setting_is_checked_without_a_packet(command, folder):
    text = folder.audit().read_text().replace("  data:", "  report: {preset: x, paper: leter}\n  data:")
    assert wrong(command, "run", folder.write("audit.yaml", text), "--json", "-") == [
        "audit.yaml: audit.report.preset: unknown preset 'x'; known: ecoa_air, four_fifths, nyc_ll144, "
        "two_standard_deviations. (line 3)",
        "audit.yaml: audit.report.paper: must be A4 or letter, got 'leter'. Did you mean 'letter'? (line 3)",
    ]


def test_a_time_column_without_a_window_is_said_to_leave_every_row_in(command, folder):
    text = folder.audit().read_text().replace("  data:", "  time: {column: t, timezone: Europe/Oslo}\n  data:")
    done = command("run", folder.write("audit.yaml", text), "--json", "-")
    assert done.code == 1
    assert done.faults[0] == "no window is asked for: rows of any time are judged (--window-end, --window)"
    assert "no window" not in command("run", folder.audit(), "--json", "-").err


def test_where_an_output_cannot_go_is_said_before_the_data_is_read(command, folder, monkeypatch):
    def refuse(_):
        raise AssertionError

    monkeypatch.setattr(Audit, "run", refuse)
    config = folder.audit()
    assert wrong(command, "run", config, "--json", "no/such.json") == ["--json: there is no folder 'no'"]
    assert wrong(command, "run", config, "--html", ".") == ["--html: '.' is a folder; wants the name of a file"]
    assert wrong(command, "run", config, "--pdf", "packet") == ["--pdf: wants a name that ends in .pdf, got 'packet'"]
    assert wrong(command, "run", config, "--csv", "rows.csv") == ["--csv: wants a folder; 'rows.csv' is a file"]
    assert wrong(command, "run", config, "--html", "rows.csv") == [
        "--html: 'rows.csv' is what is read already; give another name"
    ]
    assert wrong(command, "run", config, "--json", "a.x", "--html", "a.x", "--pdf", "b.pdf") == [
        "--html: 'a.x' is --json already; give another name"
    ]


@pytest.mark.parametrize("option", ["--json", "--html", "--csv"])
def test_an_output_of_a_name_that_no_file_can_have(command, folder, option):
    (fault,) = wrong(command, "run", folder.audit(), option, "x" * 5_000)
    assert fault.startswith(f"{option}: cannot write 'xxx")
    assert len(fault) < 200
    (fault,) = wrong(command, "init", "rows.csv", "--out", "x" * 5_000)
    assert fault.startswith("cannot write 'xxx")


@pytest.mark.parametrize("name", ["description", "rationale", "threshold_source"])
def test_a_text_of_fairness_that_is_none(command, folder, name):
    faults = wrong(command, "fairness", folder.write("f.yaml", f"fairness:\n  cases: c.csv\n  {name}: [a]\n"))
    assert f"f.yaml: fairness.{name}: must be text, got ['a'] (line 3)" in faults
    assert not any("nput should" in fault for fault in faults)


def test_an_existing_file_is_not_overwritten_by_init(command, folder):
    config = folder.audit()
    before = config.read_bytes()
    (fault,) = wrong(command, "init", "rows.csv")
    assert fault == "'audit.yaml' exists already; give --out another name, or --force to overwrite it"
    assert config.read_bytes() == before
