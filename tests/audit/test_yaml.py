"""`audit.yaml`: words that are words, faults with their lines, and files that mean harm."""

import textwrap

import pytest

from fairreport import Audit, ConfigError
from fairreport.audit.readers.yaml_text import parse_yaml

DATA = {"g": ["F", "M"] * 40, "o": [1, 1, 0, 1] * 20}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("NO", "NO"),
        ("no", "no"),
        ("yes", "yes"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("01", "01"),
        ("007.0", "007.0"),
        ("0", 0),
        ("-3", -3),
        ("0.8", 0.8),
        ("1e-3", 0.001),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("0o17", "0o17"),
        ("12:30:00", "12:30:00"),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        (".5", ".5"),
        ("+1", "+1"),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("null", None),
        ("~", None),
        ("", None),
        ("nil", "nil"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("=", "="),
        ("<<", "<<"),
        ("!!str 01", "01"),
        ("!!str 1", "1"),
        ("!!int '3'", 3),
    ],
)
def test_words(word, value):
    found = parse_yaml(f"a: {word}").content["a"]
    assert (found, type(found)) == (value, type(value))


def test_keys_are_text():
    assert parse_yaml("1: a\ntrue: b\n01: c\nnull: d").content == {
        "1": "a",
        "true": "b",
        "01": "c",
        "null": "d",
    }


def test_anchors_are_plain_repetitions():
    text = "one: &x {a: [1, 2]}\ntwo: *x\n"
    assert parse_yaml(text).content == {"one": {"a": [1, 2]}, "two": {"a": [1, 2]}}


def test_lines():
    parsed = parse_yaml("audit:\n  title: x\ntests:\n  - outcome_disparity:\n      alpha: 2\n")
    assert parsed.line("audit.title") == 2
    assert parsed.line("tests.0.outcome_disparity.alpha") == 5
    assert parsed.line("tests.0.outcome_disparity.missing") == 4
    assert parsed.line("nowhere") == 1


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (BOMB, "too_large", None),
        ("a: &a [*a]", "too_large", None),
        ("a: &a {b: *a}", "too_large", None),
        ("[" * 20_000 + "]" * 20_000, "too_large", None),
        ("{a: " * 5_000 + "1" + "}" * 5_000, "too_large", None),
        ("a: " + "x" * 1_000_001, "too_large", None),
        ("a: 1\nb: 2\na: 3", "duplicate_key", 3),
        ("a:\n  b: 1\n  'b': 2", "duplicate_key", 3),
        ("x: 1\na: !!python/object/apply:os.system ['true']", "bad_syntax", 2),
        ("x: 1\na: !!python/object/new:os.system [echo]", "bad_syntax", 2),
        ("!!python/object:os.x {a: 1}", "bad_syntax", 1),
        ("a: !!python/name:os.system", "bad_syntax", 1),
        ("a: !!binary aGk=", "bad_syntax", 1),
        ("a: !!set {b, c}", "bad_syntax", 1),
        ("a: !!timestamp 2024-01-01", "bad_syntax", 1),
        ("a: !own word", "bad_syntax", 1),
        ("a: !!int abc", "bad_syntax", 1),
        ("x: 1\na: 1" + "0" * 400, "out_of_range", 2),
        ("x: 1\na: 1" + "0" * 5_000, "bad_syntax", 2),
        ("a: !!bool maybe", "bad_syntax", 1),
        ("? [a, b]\n: 1", "bad_syntax", 1),
        ("a: [", "bad_syntax", 1),
        ("a: 1\n\tb: 2", "bad_syntax", 2),
        ("--- 1\n--- 2", "bad_syntax", 2),
        ("a: *nothing", "bad_syntax", 1),
        ("a: \x00", "bad_syntax", None),
        ("a: \ud800", "bad_syntax", None),
    ],
)
def test_texts_that_are_refused(text, code, line):
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text)
    assert (caught.value.code, caught.value.errors[0].line) == (code, line)
    assert "\n" not in str(caught.value)


def written(tmp_path, text):
    path = tmp_path / "audit.yaml"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def test_a_whole_file(tmp_path):
    (tmp_path / "people.csv").write_text("sex,hired,n\nNO,yes,40\nNO,no,40\n01,yes,60\n01,no,20\nNA,yes,5\n")
    path = written(
        tmp_path,
        """\
        # a comment
        audit:
          title: Third quarter
          data: people.csv
          counts: n
          missing_values: [NA]
          groups: {sex: [NO, 01]}
          about: {system: screen 3.1, origin: test, period: 2024-01-01, notes: [one, two]}
          report: {preset: null, paper: A4}
        tests:
          - outcome_disparity:
              name: By sex
              protected_attribute_columns: [sex]
              outcome_column: hired
              favorable_values: [yes]
              thresholds: [{measurement: minImpactRatio, operator: ">=", value: 0.6}]
              threshold_source: company policy 4.2
              rationale: selection is the decision people feel
        """,
    )
    document = Audit.from_config(path).run().to_dict()
    assert (document["title"], document["status"], document["data"]["counts"]) == (
        "Third quarter",
        "passing",
        "n",
    )
    assert document["about"]["period"] == "2024-01-01"
    assert document["about"]["origin"] == "TEST"
    entry = document["results"][0]
    assert [(group["group"], group["n"], group["favorable"]) for group in entry["evidence"]["groups"]] == [
        (["01"], 80, 60),
        (["NO"], 80, 40),
    ]
    assert (entry["threshold_source"], entry["rationale"]) == (
        "company policy 4.2",
        "selection is the decision people feel",
    )
    instead = Audit.from_config(path, data={"sex": ["NO", "01"] * 40, "hired": ["yes", "no"] * 40, "n": [1] * 80}).run()
    assert instead.to_dict()["results"][0]["rows_total"] == 80


def test_faults_carry_their_lines(tmp_path):
    path = written(
        tmp_path,
        """\
        audit:
          titel: x
          about:
            origin: guessed
        tests:
          - outcome_disparity:
              protected_attribute_columns: sex
              outcome_column: hired
              favorable_values: [yes]
              alpha: 5
              alfa: 0.05
          - outcome_disparity:
              protected_attribute_columns: [sex]
              favorable_values: [yes]
        """,
    )
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(path, data=DATA)
    assert sorted((fault.line, fault.code, fault.path.rpartition(".")[2]) for fault in caught.value.errors) == [
        (2, "unknown_parameter", "titel"),
        (4, "bad_enum", "origin"),
        (7, "bad_type", "protected_attribute_columns"),
        (10, "out_of_range", "alpha"),
        (11, "unknown_parameter", "alfa"),
        (12, "missing_parameter", "outcome_column"),
    ]
    assert str(caught.value).startswith("audit.yaml: ")
    assert "audit.titel: is no known key. Did you mean 'title'? (line 2)" in str(caught.value)


def test_settings_carry_their_lines(tmp_path):
    path = written(
        tmp_path,
        """\
        audit:
          time:
            column: decided_at
            timezone: Mars/Oslo
          groups:
            gendr: [F, M]
            age: []
          report:
            preset: nyc_ll145
            paper: A3
        tests:
          - outcome_disparity:
              protected_attribute_columns: [gender]
              outcome_column: hired
              favorable_values: [yes]
              alpha: 5
        """,
    )
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(path, data=DATA)
    assert sorted((fault.line, fault.path.rpartition(".")[2]) for fault in caught.value.errors) == [
        (4, "timezone"),
        (6, "gendr"),
        (7, "age"),
        (9, "preset"),
        (10, "paper"),
        (16, "alpha"),
    ]
    assert "audit.report.preset: unknown preset 'nyc_ll145'; known: " in str(caught.value)
    assert "Did you mean 'nyc_ll144'? (line 9)" in str(caught.value)


def test_yaml_files_that_are_refused_name_the_file(tmp_path):
    for text, code in (
        ("a: [", "bad_syntax"),
        ("a: 1\na: 2", "duplicate_key"),
        ("", "bad_type"),
        ("- 1", "bad_type"),
    ):
        with pytest.raises(ConfigError, match=r"^audit\.yaml: ") as caught:
            Audit.from_config(written(tmp_path, text), data=DATA)
        assert caught.value.code == code


def test_a_list_of_tests_in_yaml(tmp_path):
    path = written(
        tmp_path,
        """\
        - name: t
          subtype: groupOutcomeDisparity
          thresholds:
            - measurement: failingGroupCount
              operator: <=
              value: 0
              insightParameters:
                - {name: protected_attribute_columns, value: [g]}
                - {name: outcome_column, value: o}
                - {name: favorable_values, value: [1]}
        """,
    )
    assert Audit.from_config(path, data=DATA).run().status == "failing"
