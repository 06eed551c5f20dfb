"""``fairreport init``: a first audit.yaml, every line a guess that runs."""

from __future__ import annotations

import json

import duckdb
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fairreport.audit.audit import Audit
from fairreport.audit.readers.columns import guess
from fairreport.audit.readers.configuration import load_configuration
from fairreport.audit.readers.spellings import alike
from fairreport.audit.readers.starter import quoted, starter
from fairreport.errors import DataError
from fairreport.resources import resource_dir
from fairreport.tables.sample import sample_file


def stated(path):
    return load_configuration(path).stated


def test_what_it_writes_runs(command, folder):
    done = command("init", "rows.csv")
    assert (done.code, done.out) == (0, "audit.yaml\n")
    assert done.faults == ["every line of it is a guess: read it, correct it, then run  fairreport run audit.yaml"]
    found = command("run", "audit.yaml", "--json", "-")
    assert json.loads(found.out)["results"][0]["name"] == "hired by gender"
    assert found.code == 1


def test_aggregated_data_gets_its_counts_column(command, folder):
    data = resource_dir("assets") / "data" / "berkeley_1973.csv"
    command("init", data, "--out", "b.yaml")
    test = stated(folder.path / "b.yaml").tests[0].test
    assert stated(folder.path / "b.yaml").counts == "Freq"
    assert test.protected_attribute_columns == ("Gender",)
    assert (test.outcome_column, test.favorable_values) == ("Admit", ("Admitted",))
    assert "# control_columns: [Dept]" in (folder.path / "b.yaml").read_text()
    run = Audit.from_config(folder.path / "b.yaml").run()
    assert run.results[0].record.finding.rows.total == 4526  # Bickel, Hammel and O'Connell: six departments


def test_the_bundled_rankings(folder):
    data = resource_dir("assets") / "data" / "gpt_resume_ranking.csv.gz"
    path = folder.write("g.yaml", starter(data, folder.path).text)
    tests = [item.test for item in stated(path).tests]
    assert [test.protected_attribute_columns for test in tests] == [("race",), ("gender",)]
    assert {(test.outcome_column, test.favorable_values) for test in tests} == {("top", ("1",))}


def test_words_for_missing_that_stand_in_the_data_are_suggested(command, folder):
    folder.write("rows.csv", "race,approved\n" + "A,yes\nB,no\nNA,yes\nUnknown,no\n" * 50)
    command("init", "rows.csv")
    assert stated(folder.path / "audit.yaml").missing_values == ("NA", "Unknown")
    assert "seen: NA in race, Unknown in race; take out a word" in (folder.path / "audit.yaml").read_text()


def test_what_cannot_be_guessed_is_said(command, folder):
    folder.write("rows.csv", "a,b\n1.5,2\n3.5,4\n2.5,7\n")
    done = command("init", "rows.csv")
    assert done.code == 0
    assert done.faults[:2] == [
        "no column looks like a protected attribute; name one under protected_attribute_columns",
        "no column looks like an outcome; name one under outcome_column",
    ]
    assert "outcome_column: OUTCOME_COLUMN" in (folder.path / "audit.yaml").read_text()
    done = command("run", "audit.yaml")
    assert done.code == 2
    assert "favorable_values: must not be empty" in done.faults[0]


def test_an_attribute_with_too_many_values_is_named(command, folder):
    folder.write("rows.csv", "age,sex,hired\n" + "".join(f"{i},{'FM'[i % 2]},{i % 3 % 2}\n" for i in range(60)))
    faults = command("init", "rows.csv").faults
    assert "column 'age' may be an attribute, but has 60 values; put them in bands first" in faults


def test_an_unwanted_outcome_is_not_taken_for_a_favorable_one(command, folder):
    folder.write("rows.csv", "sex,loan_denied\n" + "F,1\nM,0\n" * 30)
    faults = command("init", "rows.csv").faults
    assert "cannot tell which value of 'loan_denied' is favorable; check favorable_values" in faults
    assert "favorable_values: []  # CHECK" in (folder.path / "audit.yaml").read_text()  # nothing runs on a guess


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_other_formats(command, folder, ending):
    if ending == "parquet":
        duckdb.read_csv("rows.csv").write_parquet("rows.parquet")
    else:
        folder.write("rows.jsonl", '{"gender": "F", "hired": true}\n{"gender": "M", "hired": false}\n' * 40)
    assert command("init", f"rows.{ending}").code == 0
    test = stated(folder.path / "audit.yaml").tests[0].test
    assert (test.protected_attribute_columns, test.outcome_column) == (("gender",), "hired")


def test_the_data_is_named_from_where_the_file_will_lie(command, folder):
    (folder.path / "audits").mkdir()
    command("init", "rows.csv", "--out", "audits/first.yaml")
    assert stated(folder.path / "audits" / "first.yaml").data == "../rows.csv"
    assert command("run", "audits/first.yaml").code == 1


def test_force_overwrites(command, folder):
    folder.audit()
    assert command("init", "rows.csv", "--force").code == 0
    assert "Guessed by" in (folder.path / "audit.yaml").read_text()


HOSTILE = [
    "a: [b",
    '"',
    "x\ny",
    "no",
    "#",
    "\u2028",
    "\x85",
    "é",
    "- a",
    "%",
    "&a",
    "*a",
    "{",
    "'",
    "\\",
    " ",
    "1",
    "",
    "😀",
    "\u202e",
]


def test_hostile_names_and_values_stay_what_they_are(folder):
    for text in HOSTILE:
        assert yaml.safe_load(f"[{quoted(text)}]  # {quoted(text)}") == [text]
    name = 'hired"\n- evil: [\u2028#'
    folder.write(
        "rows.jsonl",
        "".join(json.dumps({"sex": text, name: ["yes", "no"][i % 2]}) + "\n" for i, text in enumerate(HOSTILE)),
    )
    path = folder.write("audit.yaml", starter(folder.path / "rows.jsonl", folder.path).text)
    assert stated(path).tests[0].test.protected_attribute_columns == ("sex",)


def test_files_that_cannot_be_read(folder):
    folder.write("latin.csv", "gender\nFräulein\n".encode("latin-1"))
    folder.write("twice.csv", "a,a\n1,2\n")
    folder.write("bad.jsonl", '{"a": 1}\n[2]\n')
    folder.write("no.parquet", "no parquet")
    wanted = {
        "latin.csv": "is not UTF-8 text",
        "twice.csv": "two columns named 'a'",
        "bad.jsonl": "line 2 is no JSON object",
        "no.parquet": "cannot be read",
    }
    for name, message in wanted.items():
        with pytest.raises(DataError, match=message):
            sample_file(folder.path / name)


def test_a_sample_is_the_first_rows(folder):
    folder.write("many.csv", "x\n" + "".join(f"{i}\n" for i in range(10)))
    sample = sample_file(folder.path / "many.csv", limit=4)
    assert sample.rows == [("0",), ("1",), ("2",), ("3",)]
    assert not sample.complete
    assert sample_file(folder.path / "many.csv", limit=10).complete


def test_a_column_called_count_that_repeats_is_no_counts_column():
    rows = [("F", "1", "2"), ("F", "1", "3")]
    assert guess(["sex", "hired", "count"], rows).counts is None
    assert guess(["sex", "hired", "count"], [("F", "1", "2"), ("F", "0", "2")]).counts is not None


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("decided_at", "2026-03-{0:02d}T09:30:00+01:00"),
        ("day", "2026-03-{0:02d}"),
        ("x", "2026-03-{0:02d} 09:30"),
        ('when "asked": ', "2026-03-{0:02d}"),
    ],
)
def test_a_column_of_times_is_named(command, folder, column, cell):
    lines = [{"gender": "FM"[i % 2], column: cell.format(1 + i % 9), "hired": str(i % 3 % 2)} for i in range(90)]
    folder.write("rows.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert command("init", "rows.jsonl").code == 0
    assert stated(folder.path / "audit.yaml").time == {"column": column}
    assert command("run", "audit.yaml", "--window", "7d", "--window-end", "2026-03-09").code in {0, 1, 3}


@pytest.mark.parametrize("column", ["date_of_birth", "dob", "bornOn"])
def test_a_day_of_birth_and_other_numbers_are_no_times(command, folder, column):
    rows = [f"{'FM'[i % 2]},1990-03-{1 + i % 9:02d},{2000 + i % 20},{i % 3 % 2}" for i in range(90)]
    folder.write("rows.csv", "\n".join([f"gender,{column},year,hired", *rows]) + "\n")
    command("init", "rows.csv")
    assert "time:" not in (folder.path / "audit.yaml").read_text()


def test_spellings_that_may_be_one_group_are_flagged(command, folder):
    values = ["F", "f", "female", "M", "Male ", "male", "x"]
    rows = [f"{values[i % 7]},{'AB'[i % 2]}{i % 3},{i % 3 % 2}" for i in range(140)]
    folder.write("rows.csv", "\n".join(["gender,race,hired", *rows]) + "\n")
    faults = command("init", "rows.csv").faults
    told = [it for it in faults if "spelt otherwise" in it]
    assert len(told) == 2
    assert "values of 'gender' may be one group, spelt otherwise: 'F', 'f', 'female'" in told
    text = (folder.path / "audit.yaml").read_text()
    assert "# CHECK: F, f, female may be one group; spelt otherwise, each is judged by itself" in text
    assert text.count("# CHECK: ") == 2
    assert command("run", "audit.yaml").code in {0, 1, 3}


SPELT = {"No": 1851, "Yes": 882, "no": 119, "yes": 77, "Y": 32}


def spelt(folder, values, name="rows.csv"):
    cells = [text for text, n in values.items() for _ in range(n)]
    lines = [f"{'FM'[i % 2]},{text}" for i, text in enumerate(cells)]
    return folder.write(name, "\n".join(["gender,hired", *lines]) + "\n")


def test_every_spelling_of_a_favorable_value_is_listed_and_to_be_checked(command, folder):
    spelt(folder, SPELT)
    faults = command("init", "rows.csv").faults
    told = "several values of 'hired' read as favorable, and all are listed: 'Yes' (882), 'yes' (77), 'Y' (32)"
    assert f"{told}; check favorable_values" in faults
    assert stated(folder.path / "audit.yaml").tests[0].test.favorable_values == ("Yes", "yes", "Y")
    assert 'favorable_values: ["Yes", "yes", "Y"]  # CHECK: each' in (folder.path / "audit.yaml").read_text()
    done = command("run", "audit.yaml", "--json", "-")
    groups = json.loads(done.out)["results"][0]["evidence"]["groups"]
    assert sum(group["favorable"] for group in groups) == 882 + 77 + 32
    assert "favorable" not in done.err


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"hired": 40, "rejected": 60}, ["hired"]),
        ({"0": 60, "1": 40, "TRUE": 3, " true": 2}, ["1", "true"]),
        ({"qualified": 40, "unqualified": 60}, ["qualified"]),
        ({"1": 40, "-1": 60}, ["1"]),
    ],
)
def test_values_that_mean_the_same_are_listed_and_others_are_not(folder, values, wanted):
    made = starter(spelt(folder, values), folder.path)
    test = yaml.safe_load(made.text)["tests"][0]["outcome_disparity"]
    assert [str(value).lower() for value in test["favorable_values"]] == wanted
    assert any("favorable" in doubt for doubt in made.doubts) == (len(wanted) > 1)
    assert ("# CHECK" in made.text) == (len(wanted) > 1)


def test_a_slip_of_a_favorable_value_is_to_be_checked(folder):
    made = starter(spelt(folder, {"approved": 40, "aproved": 3, "declined": 50}), folder.path)
    assert "values of 'hired' may be favorable, spelt otherwise, and are not listed: 'aproved'" in made.doubts
    assert "# CHECK: aproved may be favorable too, spelt otherwise; list it if so" in made.text


def test_a_run_tells_outcomes_that_only_case_tells_from_a_favorable_one(command, folder):
    spelt(folder, SPELT)
    path = folder.audit()
    path.write_text(path.read_text().replace('["1"]', '["yes"]'))
    done = command("run", "audit.yaml", "--json", "result.json")
    told = [line for line in done.faults if "letter case" in line]
    assert len(told) == 1
    assert "outcomes of 'hired' count as unfavorable" in told[0]
    assert "tell them from 'yes': 'Yes' (882); list them" in told[0]
    notes = json.loads((folder.path / "result.json").read_text())["results"][0]["notes"]
    assert any("'Yes' (882)" in note["text"] for note in notes)
    meant = '["yes"]\n      unfavorable_values: ["Yes", "No", "no", "Y"]'
    path.write_text(path.read_text().replace('["yes"]', meant))
    assert "letter case" not in command("run", "audit.yaml").err


@given(st.lists(st.text(max_size=8), unique=True, max_size=12))
def test_a_value_is_flagged_once_at_most_and_case_always(texts):
    found = alike(texts)
    flagged = [text for group in found for text in group]
    assert len(flagged) == len(set(flagged))
    assert set(flagged) <= set(texts)
    assert alike(["abc", "ABC", *(text for text in texts if text.casefold().strip() != "abc")])
