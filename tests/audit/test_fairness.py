"""From a `fairness.yaml` and its cases to an answer: refusals, statements, and laws over the files."""

import itertools
import json
import random
import re

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairreport.analyses.rate_gaps import RuleState
from fairreport.audit.fairness import EXIT_CODES, answer_document, judge_fairness
from fairreport.errors import ConfigError, DataError, RefusedDataError

FEW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
RULE = {"id": "r", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.5}
STATED = {
    "name": "screen",
    "cases": "cases.csv",
    "label": "label",
    "prediction": "prediction",
    "attributes": {"sex": ["f", "m"], "age": ["young", "old"]},
    "intersections": [["sex", "age"]],
    "rules": [RULE],
}
KEYS = ("label", "prediction", "sex", "age", "score")
ROWS = [
    dict(zip(KEYS, cells, strict=True))
    for cells in itertools.product([0, 1], [0, 1], ["f", "m"], ["young", "old"], [0.25, 0.75])
    for _ in range(3)
]


def csv_of(rows):
    lines = [",".join(KEYS)] + [",".join("" if row[key] is None else str(row[key]) for key in KEYS) for row in rows]
    return "\n".join(lines) + "\n"


def jsonl_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def files(tmp_path):
    """Write a fairness.yaml with some keys changed (None takes one out), its cases and a policy; return paths."""

    def write(cases=None, /, policy=None, beside="cases.csv", **changed):
        stated = {key: value for key, value in (STATED | {"cases": beside} | changed).items() if value is not None}
        (tmp_path / "fairness.yaml").write_text(yaml.safe_dump({"fairness": stated}, sort_keys=False), encoding="utf-8")
        (tmp_path / beside).write_text(csv_of(ROWS) if cases is None else cases, encoding="utf-8")
        if policy is None:
            return (tmp_path / "fairness.yaml",)
        (tmp_path / "policy.yaml").write_text(policy, encoding="utf-8")
        return tmp_path / "fairness.yaml", tmp_path / "policy.yaml"

    return write


@pytest.fixture
def judge(files):
    return lambda *arguments, **changed: judge_fairness(*files(*arguments, **changed))


@pytest.fixture
def refusal(judge):
    """Return [(code, path, message, line)] of what is refused."""

    def run(*arguments, **changed):
        with pytest.raises((ConfigError, RefusedDataError)) as caught:
            judge(*arguments, **changed)
        return [(fault.code, fault.path, fault.message) for fault in caught.value.errors]

    return run


# --- the files


def test_the_answer(judge):
    answer = judge()
    assert (answer.name, answer.state, answer.exit_code) == ("screen", RuleState.INSUFFICIENT_EVIDENCE, 3)
    assert answer.tally.rows == len(ROWS)
    assert answer.finding.calibration is None
    assert answer.test.confidence_level == 0.95
    assert answer.test.min_cell == 30
    assert answer.test.rules[0].max_left_out == 0.1


def test_without_a_name_the_file_gives_it(judge):
    assert judge(name=None).name == "fairness"


def test_cases_lie_beside_the_file(files, tmp_path, monkeypatch):
    (path,) = files()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert judge_fairness(path).tally.rows == len(ROWS)


# --- the policy


def test_the_confidence_level_of_the_policy(judge):
    assert judge(policy="confidence_level: 0.8\n").rules[0].alpha_per_group == pytest.approx(0.2 / 2)


@pytest.mark.parametrize("policy", ["", "version: 1\n", "confidence_level:\n"])
def test_the_confidence_level_where_the_policy_states_none(judge, policy):
    assert judge(policy=policy).test.confidence_level == 0.95


def test_keys_of_the_policy_that_mean_nothing_here(judge):
    policy = "version: 1\nblock_on: [FAIL]\nconfidence_level: 0.9\nrules: [{id: x}]\nmore: {a: b}\n"
    answer = judge(policy=policy)
    assert answer.ignored == ("block_on", "more", "rules", "version")
    assert answer_document(answer)["ignored"] == ["block_on", "more", "rules", "version"]


@pytest.mark.parametrize("level", ["0.5", "1", "1.0", "0", "95", "-0.9", "'0.9'", "true", "[0.9]", "high"])
def test_a_confidence_level_that_is_none(judge, level):
    with pytest.raises(ConfigError) as caught:
        judge(policy=f"version: 1\nconfidence_level: {level}\n")
    (fault,) = caught.value.errors
    assert caught.value.source == "policy.yaml"
    assert (fault.code, fault.path, fault.line) == ("out_of_range", "confidence_level", 2)
    assert fault.message.startswith("must be a number strictly between 0.5 and 1, got ")


@pytest.mark.parametrize("policy", ["- a\n", "just text\n", "7\n"])
def test_a_policy_that_is_no_mapping(judge, policy):
    with pytest.raises(ConfigError, match=r"^policy.yaml: must be a mapping"):
        judge(policy=policy)


def test_faults_of_both_files_at_once(judge):
    with pytest.raises(ConfigError) as caught:
        judge(policy="confidence_level: 2\n", label=None)
    assert [(fault.code, fault.path, fault.line) for fault in caught.value.errors] == [
        ("missing_parameter", "fairness.label", 1),
        ("out_of_range", "confidence_level", 1),
    ]
    assert caught.value.errors[1].message == "in policy.yaml: must be a number strictly between 0.5 and 1, got 2"


# --- refusals of the configuration

CONFIGURATIONS = {
    "unknown key": ({"min_cel": 3}, "unknown_parameter", "fairness.min_cel", "Did you mean 'min_cell'?"),
    "unknown key near cases": ({"casess": "x"}, "unknown_parameter", "fairness.casess", "Did you mean 'cases'?"),
    "no label": ({"label": None}, "missing_parameter", "fairness.label", "is required"),
    "no prediction": ({"prediction": None}, "missing_parameter", "fairness.prediction", "is required"),
    "no rules": ({"rules": None}, "missing_parameter", "fairness.rules", "is required"),
    "an empty list of rules": ({"rules": []}, "missing_parameter", "fairness.rules", "at least one rule"),
    "one group": (
        {"attributes": {"sex": ["f"]}, "intersections": None},
        "too_few_groups",
        "fairness.attributes",
        "['f']",
    ),
    "a group twice": (
        {"attributes": {"sex": ["f", "m", "f"]}, "intersections": None},
        "duplicate_value",
        "fairness.attributes",
        "declare 'f' twice",
    ),
    "a group twice as number and text": (
        {"attributes": {"sex": [1, "1", 2]}, "intersections": None},
        "duplicate_value",
        "fairness.attributes",
        "declare '1' twice",
    ),
    "an empty group": (
        {"attributes": {"sex": ["f", " "]}, "intersections": None},
        "bad_type",
        "fairness.attributes",
        "hold an empty value",
    ),
    "a nested group": (
        {"attributes": {"sex": ["f", ["m"]]}, "intersections": None},
        "bad_type",
        "fairness.attributes",
        "must be plain values",
    ),
    "groups that are no list": (
        {"attributes": {"sex": "fm"}, "intersections": None},
        "bad_type",
        "fairness.attributes",
        "must be a list, got 'fm'",
    ),
    "a crossing of an undeclared attribute": (
        {"intersections": [["sex", "town"]]},
        "undeclared_attribute",
        "fairness.intersections.0",
        "'town' is no declared attribute",
    ),
    "a crossing of one": ({"intersections": [["sex"]]}, "bad_column_count", "fairness.intersections", "['sex']"),
    "a crossing of one with itself": (
        {"intersections": [["sex", "sex"]]},
        "duplicate_columns",
        "fairness.intersections",
        "names an attribute twice",
    ),
    "min_cell of 0": ({"min_cell": 0}, "out_of_range", "fairness.min_cell", "got 0"),
    "no bins": ({"calibration_bins": 0}, "out_of_range", "fairness.calibration_bins", "got 0"),
    "cases that are no file name": (
        {"cases": ["a.csv"]},
        "bad_type",
        "fairness.cases",
        "must be a file name, got ['a.csv']",
    ),
    "a name that is none": ({"name": [1]}, "bad_type", "fairness.name", "must be text, got [1]"),
}

RULES = {
    "unknown rate": ({"rate": "fnr"}, "bad_enum", ".rate", "error, false_positive, false_negative, selection"),
    "a rate misspelt": ({"rate": "false_negativ"}, "bad_enum", ".rate", "Did you mean 'false_negative'?"),
    "no rate": ({"rate": None}, "missing_parameter", ".rate", "is required"),
    "no id": ({"id": None}, "missing_parameter", ".id", "is required"),
    "a blank id": ({"id": " "}, "bad_type", ".id", "must be a name"),
    "no attribute": ({"attribute": None}, "missing_parameter", ".attribute", "is required"),
    "no bar": ({"max_group_gap": None}, "one_bar", "", "got none"),
    "both bars": ({"worst_group": 0.5}, "one_bar", "", "got both"),
    "a bar of 5": ({"max_group_gap": 5}, "out_of_range", ".max_group_gap", "from 0 to 1, got 5"),
    "a bar below 0": ({"max_group_gap": -0.01}, "out_of_range", ".max_group_gap", "got -0.01"),
    "a floor of 1.5": ({"max_group_gap": None, "worst_group": 1.5}, "out_of_range", ".worst_group", "got 1.5"),
    "a bar in words": ({"max_group_gap": "low"}, "bad_type", ".max_group_gap", "got 'low'"),
    "a limit above 1": ({"max_left_out": 2}, "out_of_range", ".max_left_out", "got 2"),
    "an undeclared attribute": ({"attribute": "sexx"}, "undeclared_attribute", ".attribute", "Did you mean 'sex'?"),
    "an undeclared crossing": (
        {"attribute": ["age", "town"]},
        "undeclared_crossing",
        ".attribute",
        "['age', 'town'] is not among the declared",
    ),
    "an unknown key": ({"max_gap": 1}, "unknown_parameter", ".max_gap", "Did you mean 'max_group_gap'?"),
    "a review that is none": ({"manual_review": 3}, "bad_type", ".manual_review", "true, false or a reason"),
    "a blank reason": ({"manual_review": "  "}, "bad_type", ".manual_review", "true, false or a reason"),
}


@pytest.mark.parametrize(("changed", "code", "path", "words"), CONFIGURATIONS.values(), ids=CONFIGURATIONS)
def test_a_configuration_that_is_refused(refusal, changed, code, path, words):
    found = refusal(**changed)
    assert (code, path) in [(item[0], item[1]) for item in found]
    assert any(
        words in message for found_code, found_path, message in found if (found_code, found_path) == (code, path)
    )


@pytest.mark.parametrize(("changed", "code", "path", "words"), RULES.values(), ids=RULES)
def test_a_rule_that_is_refused(refusal, changed, code, path, words):
    good = RULE | {"id": "good"}
    bad = {key: value for key, value in (RULE | changed).items() if value is not None}
    attributes = STATED["attributes"] | {"town": ["x", "z"]} if code == "undeclared_crossing" else STATED["attributes"]
    ((found, place, message),) = refusal(rules=[good, bad], attributes=attributes)
    assert (found, place) == (code, f"fairness.rules.1{path}")
    assert words in message


def test_two_rules_of_one_name(refusal):
    assert refusal(rules=[RULE, RULE | {"id": "s"}, RULE]) == [
        ("duplicate_name", "fairness.rules.2.id", "two rules are named 'r'")
    ]


def test_a_crossing_in_another_order_is_the_declared_one(judge):
    assert judge(rules=[RULE | {"attribute": ["age", "sex"]}]).rules[0].groups[1].label == "young|m"


def test_a_rule_that_is_no_mapping(refusal):
    ((code, path, message),) = refusal(rules=["fnr by sex", RULE])
    assert (code, path) == ("bad_type", "fairness.rules.0")
    assert message == "must be a mapping with id, rate, attribute and a bar, got 'fnr by sex'"


def test_every_fault_of_a_configuration_at_once_each_with_its_line(tmp_path):
    (tmp_path / "fairness.yaml").write_text(
        """\
fairness:
  cases: cases.csv
  label: label
  model: prediction
  attributes:
    sex: [f, m]
    age: [young]
  rules:
    - id: a
      rate: fnr
      attribute: sexx
      max_group_gap: 0.1
      worst_group: 0.1
    - id: a
      rate: error
      attribute: [sex, age]
      max_group_gap: 7
    - 3
other: 1
""",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as caught:
        judge_fairness(tmp_path / "fairness.yaml")
    assert caught.value.source == "fairness.yaml"
    assert sorted((fault.line, fault.code, fault.path) for fault in caught.value.errors) == [
        (1, "missing_parameter", "fairness.prediction"),
        (4, "unknown_parameter", "fairness.model"),
        (5, "too_few_groups", "fairness.attributes"),
        (9, "one_bar", "fairness.rules.0"),
        (10, "bad_enum", "fairness.rules.0.rate"),
        (11, "undeclared_attribute", "fairness.rules.0.attribute"),
        (14, "duplicate_name", "fairness.rules.1.id"),
        (16, "undeclared_crossing", "fairness.rules.1.attribute"),
        (17, "out_of_range", "fairness.rules.1.max_group_gap"),
        (18, "bad_type", "fairness.rules.2"),
        (19, "unknown_parameter", "other"),
    ]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("fairness: [\n", "bad_syntax", "is no YAML"),
        ("fairness:\n  a: 1\n  a: 2\n", "duplicate_key", "is stated twice"),
        ("fairness: !!python/object:os.system {}\n", "bad_syntax", "makes no plain value"),
        ("", "bad_type", "must be a mapping with the key fairness"),
        ("fairness: 3\n", "bad_type", "must be a mapping with the key fairness"),
        ("- a\n", "bad_type", "must be a mapping with the key fairness"),
        ("fairnes: {}\n", "bad_type", "must be a mapping with the key fairness"),
    ],
)
def test_a_file_that_is_no_fairness_yaml(tmp_path, text, code, words):
    (tmp_path / "fairness.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=words) as caught:
        judge_fairness(tmp_path / "fairness.yaml")
    assert caught.value.code == code


# --- refusals of the cases


def test_an_absent_file(files, tmp_path):
    (path,) = files()
    (tmp_path / "cases.csv").unlink()
    with pytest.raises(DataError, match=r"there is no file .*cases\.csv"):
        judge_fairness(path)


def test_an_empty_file(judge):
    with pytest.raises(DataError, match=r"'cases\.csv' is empty"):
        judge("")


def test_a_header_alone(refusal):
    assert refusal(",".join(KEYS) + "\n") == [("no_rows", "", "there are no rows to judge")]


def test_a_missing_column(refusal):
    (fault,) = refusal(csv_of(ROWS).replace("prediction", "predicted", 1))
    assert fault[:2] == ("missing_column", "prediction")


@pytest.mark.parametrize("line", ["[1, 2]", "3", '"text"', "null", "{", "label: 1"])
@pytest.mark.parametrize("before", [0, 2, 1500])
def test_a_line_that_is_no_object(judge, line, before):
    """Whether it stands where the columns are looked up or far behind."""
    text = jsonl_of((ROWS * 16)[:before] if before else []) + line + "\n" + jsonl_of(ROWS[:2])
    with pytest.raises(DataError, match=rf"'cases\.jsonl' line {before + 1} is no JSON"):
        judge(text, beside="cases.jsonl")


# --- what an answer states


def test_what_every_answer_states(judge):
    alone = judge().statements
    text = " ".join(alone)
    for words in (
        "independent",
        "declared before the file was read",
        "cases in which its attributes are recorded",
        "against the labels that were brought",
        "Neither a gap nor a floor",
        "left out is to be read before the verdict",
        "Each case is taken to be a different person",
        "the error may add up",
    ):
        assert words in text
    assert list(alone) == answer_document(judge())["assumptions"]


def test_the_person_where_the_file_names_one(judge):
    cases = "id,label,prediction,sex,age\n" + "".join(f"p{i},1,1,f,young\n" for i in range(5))
    assert "Column 'id' names each person once." in judge(cases, unit="id").statements


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({}, "holds for the rule at one look"),
        ({"looks": 4}, "holds for the rule at 4 looks"),
        ({"rules": [RULE, RULE | {"id": "s"}]}, "holds for one rule at one look; over 2 rules"),
        ({"rules": [RULE, RULE | {"id": "s"}], "joint": True}, "holds for all rules together at one look"),
    ],
)
def test_what_the_guarantee_is_about(judge, stated, words):
    (statement,) = [text for text in judge(**stated).statements if "guarantee" in text]
    assert words in statement


WORDS = re.compile(r"\b(un)?fair\b|bias|violat|certif|compliant|discriminat", re.IGNORECASE)


def test_calm_words(judge):
    texts = [*judge().statements, *answer_document(judge())["cannot_tell"]]
    assert [text for text in texts if WORDS.search(text)] == []


def test_the_gravest_state_is_the_answer(judge):
    """FAIL before MANUAL_REVIEW before INSUFFICIENT_EVIDENCE before PASS, whatever the order of the rules."""
    kinds = {
        "FAIL": RULE | {"id": "fail", "max_group_gap": None, "worst_group": 0.0, "rate": "error"},
        "MANUAL_REVIEW": RULE | {"id": "review", "max_group_gap": 1.0, "manual_review": True},
        "INSUFFICIENT_EVIDENCE": RULE | {"id": "unsure", "max_group_gap": 0.01},
        "PASS": RULE | {"id": "pass", "max_group_gap": 1.0},
    }
    codes = {"FAIL": 1, "MANUAL_REVIEW": 4, "INSUFFICIENT_EVIDENCE": 3, "PASS": 0}
    assert {state.value: code for state, code in EXIT_CODES.items()} == codes
    names = list(kinds)
    for size in range(1, 5):
        for chosen in itertools.permutations(names, size):
            answer = judge(
                rules=[{k: v for k, v in kinds[name].items() if v is not None} for name in chosen], min_cell=5
            )
            assert [rule.state.value for rule in answer.rules] == list(chosen)
            gravest = min(chosen, key=names.index)
            assert (answer.state.value, answer.exit_code) == (gravest, codes[gravest])


# --- laws

rows = st.lists(
    st.fixed_dictionaries(
        {
            "label": st.integers(0, 1),
            "prediction": st.sampled_from([0, 1, None]),
            "sex": st.sampled_from(["f", "m", "x", None]),
            "age": st.sampled_from(["young", "old", None]),
            "score": st.one_of(st.none(), st.sampled_from([0.0, 0.1, 0.3, 0.7, 0.123456789, 1.0])),
        }
    ),
    min_size=1,
    max_size=60,
)
CROSSED = {"probability": "score", "rules": [RULE, RULE | {"id": "x", "rate": "error", "attribute": ["sex", "age"]}]}


def document(files):
    return json.dumps(answer_document(judge_fairness(*files)), ensure_ascii=False, indent=1)


@given(rows, st.randoms(use_true_random=False))
@FEW
def test_csv_and_jsonl_in_any_order_give_the_same_bytes(files, cases, rng):
    shuffled = list(cases)
    rng.shuffle(shuffled)
    first = document(files(csv_of(cases), **CROSSED))
    assert document(files(csv_of(shuffled), **CROSSED)) == first
    # The first record names every column, as the header of the CSV does.
    assert document(files(jsonl_of(shuffled), beside="cases.jsonl", **CROSSED)) == first


@given(rows, st.integers(0, 60))
@FEW
def test_the_counts_of_two_halves_add_up(files, cases, cut):
    whole = judge_fairness(*files(csv_of(cases), **CROSSED))
    halves = [judge_fairness(*files(csv_of(half), **CROSSED)) for half in (cases[:cut], cases[cut:]) if half]
    for i, rule in enumerate(whole.rules):
        found = [half.rules[i] for half in halves]
        for j, group in enumerate(rule.groups):
            for name in ("events", "observed", "missing"):
                assert getattr(group, name) == sum(getattr(half.groups[j], name) for half in found)
        for name in ("missing_attribute", "undeclared_value", "total"):
            assert getattr(rule.left_out, name) == sum(getattr(half.left_out, name) for half in found)
    for j, item in enumerate(whole.finding.calibration):
        assert (item.n, item.missing) == tuple(
            sum(getattr(half.finding.calibration[j], name) for half in halves) for name in ("n", "missing")
        )


@given(rows)
@FEW
def test_renaming_groups_changes_names_only(files, cases):
    names = {"f": "woman", "m": "man"}
    renamed = [row | {"sex": names.get(row["sex"], row["sex"])} for row in cases]
    attributes = STATED["attributes"] | {"sex": ["woman", "man"]}
    one = judge_fairness(*files(csv_of(cases), **CROSSED))
    other = judge_fairness(*files(csv_of(renamed), attributes=attributes, **CROSSED))
    for mine, theirs in zip(one.rules, other.rules, strict=True):
        assert (mine.state, mine.more and mine.more.size) == (theirs.state, theirs.more and theirs.more.size)
        assert [(g.events, g.observed, g.missing, g.lower, g.upper) for g in mine.groups] == [
            (g.events, g.observed, g.missing, g.lower, g.upper) for g in theirs.groups
        ]
        assert [(g.gap_lower, g.gap_upper) for g in mine.gaps] == [(g.gap_lower, g.gap_upper) for g in theirs.gaps]
    assert [(item.n, item.ece) for item in one.finding.calibration] == [
        (item.n, item.ece) for item in other.finding.calibration
    ]


def test_the_fingerprint_is_of_the_content(files):
    def fingerprint(cases):
        return answer_document(judge_fairness(*files(csv_of(cases))))["fingerprint"]

    shuffled = list(ROWS)
    random.Random(1).shuffle(shuffled)
    assert fingerprint(shuffled) == fingerprint(ROWS) != fingerprint(ROWS[1:])
