"""Rate gaps as tests of an audit: the same rules, beside the other tests, from Python and from files."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.tables.duckdb_table import DuckdbTable

COLUMNS = {
    "id": list(range(800)),
    "sex": ["F", "M"] * 400,
    "age": ["young", "young", "old", "old"] * 200,
    "label": [1, 0, 0, 1] * 200,
    "prediction": [1] * 790 + [0] * 4 + [None] * 6,
    "p": [0.3, 0.7, 0.6, 0.9] * 200,
}
ATTRIBUTES = {"sex": ["F", "M"], "age": ["young", "old"]}
MISSED = {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.06}
SERVED = {"id": "served", "rate": "selection", "attribute": ["sex", "age"], "worst_group": 0.995}
STATED = {
    "attributes": ATTRIBUTES,
    "label": "label",
    "prediction": "prediction",
    "rules": [MISSED, SERVED],
    "intersections": [["sex", "age"]],
    "probability": "p",
}


def audit(data=COLUMNS, **changed):
    return fr.Audit(data).rate_gaps(**(STATED | changed))


def test_every_engine_gives_the_same_bytes(engine):
    assert audit(engine.make(COLUMNS)).run().to_json() == audit().run().to_json()


def test_audit_yaml_and_python_say_the_same(tmp_path, config_checker):
    stated = {"audit": {"data": "cases.jsonl"}, "tests": [{"rate_gaps": STATED}]}
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "audit.yaml").write_text(yaml.safe_dump(stated, sort_keys=False), encoding="utf-8")
    assert fr.Audit.from_config(tmp_path / "audit.yaml").run().to_json() == audit().run().to_json()
    config_checker.validate(stated)


def test_a_parsed_fairness_yaml_is_a_configuration():
    stated = {"fairness": {"name": "screen", "cases": "elsewhere.csv", **STATED}}
    run = fr.Audit.from_config(stated, data=COLUMNS).run()
    assert run.record.title == "screen"
    assert run.to_dict()["results"] == audit().run().to_dict()["results"]


def test_a_fault_has_its_place_in_audit_yaml():
    stated = {"tests": [{"rate_gaps": STATED | {"label": 3, "rules": [MISSED | {"rate": "misses"}], "min_cel": 3}}]}
    with pytest.raises(fr.ConfigError) as caught:
        fr.Audit.from_config(stated, data=COLUMNS)
    assert {(fault.code, fault.path) for fault in caught.value.errors} == {
        ("bad_type", "tests.0.rate_gaps.label"),
        ("bad_enum", "tests.0.rate_gaps.rules.0.rate"),
        ("unknown_parameter", "tests.0.rate_gaps.min_cel"),
    }


def test_a_misspelled_declared_group_finds_the_attributes_of_rate_gaps():
    stated = {"audit": {"groups": {"sexx": ["F"]}}, "tests": [{"rate_gaps": STATED}]}
    with pytest.raises(fr.ConfigError, match="Did you mean 'sex'"):
        fr.Audit.from_config(stated, data=COLUMNS)


def test_the_document_keeps_to_its_schema(result_checker):
    run = fr.Audit(COLUMNS).outcome_disparity("sex", "prediction", 1).rate_gaps(**STATED)
    run.rate_gaps(**(STATED | {"label": "age", "name": "refused"}))
    document = json.loads(run.run().to_json())
    result_checker.validate(document)
    assert [entry["analysis"] for entry in document["results"]] == ["outcome_disparity", "rate_gaps", "rate_gaps"]


def test_every_null_has_its_reason():
    def nulls(value, pointer=""):
        if value is None:
            yield pointer
        for key, item in (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        ):
            yield from nulls(item, f"{pointer}/{key}")

    columns = COLUMNS | {"sex": ["F", "X"] * 400, "p": [None] * 800}
    for run in (audit().run(), audit(columns).run(), audit(label="age").run(), audit(probability=None).run()):
        entry = run[0].to_dict()
        reasons = entry.pop("reasons")
        assert set(reasons) == set(nulls(entry))


@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        ({"label": "age"}, "label_not_binary", "column 'age' must be 0 or 1; found 'old'"),
        ({"prediction": "age"}, "prediction_not_binary", "must be 0, 1 or empty"),
        ({"label": "lable"}, "missing_column", "Did you mean 'label'?"),
        ({"unit": "age"}, "repeated_unit", "must name each person once"),
        ({"probability": "id"}, "probability_out_of_range", "must be from 0 to 1"),
    ],
)
def test_cases_that_cannot_be_judged_skip_the_test_and_no_other(changed, code, words):
    run = fr.Audit(COLUMNS).outcome_disparity("sex", "label", 1, thresholds=[("failingGroupCount", ">=", 0)])
    run = run.rate_gaps(**(STATED | changed)).run()
    entry = run[1].to_dict()
    assert (run[0].status, run[1].status, run.exit_code) == ("passing", "skipped", 3)
    assert (entry["status"], entry["skip_code"], entry["rules"], entry["evidence"]) == ("skipped", code, [], None)
    assert words in entry["skip_reason"]


def test_a_repeated_case_id_skips_the_test():
    run = audit(COLUMNS | {"id": [1] * 800}).run()
    assert run[0].to_dict()["skip_code"] == "duplicate_case"


def test_nested_cells_skip_the_test():
    run = audit(COLUMNS | {"sex": [["F"], ["M"]] * 400}).run()
    assert run[0].to_dict()["skip_code"] == "nested_column"


def test_states_become_statuses():
    def status(**rule):
        return audit(rules=[MISSED | rule]).run()

    assert (status().status, status().exit_code) == ("passing", 0)
    assert (status(max_group_gap=0.01).status, status(max_group_gap=0.01).exit_code) == ("insufficient_evidence", 3)
    assert (status(manual_review=True).status, status(manual_review=True).exit_code) == ("manual_review", 4)
    apart = COLUMNS | {"prediction": [0, 1] * 400}
    assert audit(apart, rules=[MISSED]).run().exit_code == 1


def test_counts_stand_for_rows():
    narrow = {name: values[:4] for name, values in COLUMNS.items() if name != "id"} | {"n": [200] * 4}
    wide = {name: list(values) * 200 for name, values in narrow.items() if name != "n"}
    counted = fr.Audit(narrow, counts="n").rate_gaps(**STATED).run()[0].to_dict()
    assert counted == fr.Audit(wide).rate_gaps(**STATED).run()[0].to_dict()


def test_words_for_a_missing_cell():
    told = COLUMNS | {"sex": ["F", "n/a"] * 400}
    found = fr.Audit(told, missing_values=["n/a"]).rate_gaps(**STATED).run()[0].to_dict()
    assert found["rules"][0]["left_out"]["missing_attribute"] == 400


def test_frames_of_a_result():
    result = audit().run()[0]
    entry = result.to_dict()
    assert result.groups.loc[("missed", "F"), "lower"] == entry["rules"][0]["groups"]["F"]["lower"]
    assert result.gaps.loc[("missed", "F", "M"), "gap_upper"] == entry["rules"][0]["gaps"][0]["gap_upper"]
    assert len(result.gaps) == 1 + 6
    assert result.calibration.loc["sex=F", "ece"] == entry["calibration"]["sex=F"]["ece"]
    assert dict(result.measurements) == {
        "ruleCount": 2,
        "failingRuleCount": 0,
        "manualReviewRuleCount": 0,
        "insufficientEvidenceRuleCount": 1,
    }
    without = audit(label="age").run()[0]
    assert without.groups.empty
    assert without.calibration.empty
    assert dict(without.measurements) == {}


def test_files_of_a_run(tmp_path):
    run = fr.Audit(COLUMNS).outcome_disparity("sex", "label", 1).rate_gaps(**STATED, name="gaps").run()
    written = run.to_csv(tmp_path)
    assert [place.name for place in written][-1] == "02-gaps.csv"
    lines = written[-1].read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("rule,rate_name,group,events,observed")
    assert len(lines) == 1 + 2 + 4
    assert "gaps,insufficient_evidence,ruleCount,2" in (tmp_path / "measurements.csv").read_text(encoding="utf-8")


def test_rows_of_a_group(engine):
    result = audit(engine.make(COLUMNS)).run()[0]

    def count(found):
        for method in ("collect", "to_pyarrow"):
            found = getattr(found, method)() if hasattr(found, method) else found
        return len(found.to_pandas() if hasattr(found, "to_pandas") else found)

    assert count(result.records({"sex": "F"})) == 400
    assert count(result.records({"sex": "F", "age": "old"})) == 200
    assert count(result.records()) == 800


def test_a_rule_is_about_its_own_attribute_whatever_the_others_hold():
    result = audit(COLUMNS | {"age": [None] * 400 + ["old"] * 400}).run()[0]
    assert len(result.records({"sex": "F"})) == 400
    found = result.records(include_left_out=True)
    assert found["left_out"].value_counts().to_dict() == {"": 400, "no age": 400}


def test_one_function_gives_one_result():
    result = fr.rate_gaps(COLUMNS, **STATED, title="Screen")
    assert isinstance(result, fr.RateGapsResult)
    assert result.run.record.title == "Screen"
    assert result.to_dict() == audit().run()[0].to_dict()


def test_a_record_and_a_single_rule_are_taken_too():
    record = fr.RateGaps(**(STATED | {"rules": [MISSED]}))
    by_method = audit(rules=MISSED).run().to_json()
    assert fr.Audit(COLUMNS, tests=[record]).run().to_json() == by_method
    assert audit(rules=fr.GapRule(**MISSED)).run().to_json() == by_method


def test_a_repeated_name_is_refused():
    with pytest.raises(fr.ConfigError, match="two tests are named 'gaps'"):
        fr.Audit(COLUMNS).rate_gaps(**STATED, name="gaps").rate_gaps(**STATED, name="gaps")


def test_what_is_taken_as_given_names_its_tests():
    run = fr.Audit(COLUMNS).outcome_disparity("sex", "label", 1, name="rates").rate_gaps(**STATED, name="gaps").run()
    touched = {item.code: item.tests for item in run.record.assumptions}
    assert touched["independence"] == ("rates", "gaps")
    assert touched["four_fifths_indicator"] == ("rates",)
    assert touched["error_budget"] == touched["calibration_never_decides"] == ("gaps",)
    assert [item.number for item in run.record.assumptions] == list(range(1, len(touched) + 1))


def test_rows_are_grouped_once_with_everything_else(tmp_path, monkeypatch):
    asked = []
    count = DuckdbTable.count

    def counted(self, sets, counts):
        asked.append(len(sets))
        yield from count(self, sets, counts)

    monkeypatch.setattr(DuckdbTable, "count", counted)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run = fr.Audit(tmp_path / "cases.jsonl").outcome_disparity("sex", "label", 1)
    run.outcome_disparity("age", "label", 1).rate_gaps(**(STATED | {"probability": None})).run()
    assert asked == [3]


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_order_of_rows_and_declarations_changes_nothing_but_the_order(data):
    order = data.draw(st.permutations(range(40)))
    short = {name: values[:40] for name, values in COLUMNS.items()}
    shuffled = {name: [values[i] for i in order] for name, values in short.items()}
    one, other = audit(short).run()[0].to_dict(), audit(shuffled).run()[0].to_dict()
    assert one == other


def test_a_policy_states_the_level_of_a_fairness_yaml(tmp_path):
    fairness = {"fairness": {"cases": "elsewhere.csv", **STATED}}
    (tmp_path / "policy.yaml").write_text("confidence_level: 0.9\nversion: 3\n", encoding="utf-8")
    run = fr.Audit.from_config(fairness, data=COLUMNS, policy=tmp_path / "policy.yaml").run()
    assert run[0].to_dict()["rules"] == audit(confidence_level=0.9).run()[0].to_dict()["rules"]
    assert run[0].to_dict()["ignored"] == ["policy.version"]


def test_a_policy_goes_with_no_other_configuration(tmp_path):
    (tmp_path / "policy.yaml").write_text("confidence_level: 0.9\n", encoding="utf-8")
    with pytest.raises(fr.ConfigError, match="policy: goes with a fairness"):
        fr.Audit.from_config({"tests": [{"rate_gaps": STATED}]}, data=COLUMNS, policy=tmp_path / "policy.yaml")
    (tmp_path / "policy.yaml").write_text("confidence_level: 2\n", encoding="utf-8")
    with pytest.raises(fr.ConfigError, match=r"in policy\.yaml: must be a number strictly between 0\.5 and 1"):
        fr.Audit.from_config({"fairness": {"cases": "c.csv", **STATED}}, data=COLUMNS, policy=tmp_path / "policy.yaml")


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"confidence_level": 0.9999999999999999}, "confidence_level"),
        ({"looks": 10**18}, "confidence_level"),
        ({"calibration_bins": 10**20}, "calibration_bins"),
        ({"calibration_bins": 10_001}, "calibration_bins"),
        ({"calibration_bins": 2.5}, "calibration_bins"),
    ],
)
def test_numbers_that_leave_nothing_to_judge_with_are_refused(changed, path):
    with pytest.raises(fr.ConfigError) as caught:
        audit(**changed)
    assert [(fault.code, fault.path) for fault in caught.value.errors] == [("out_of_range", path)]


@pytest.mark.parametrize(("word", "state"), [("no", "PASS"), ("Off", "PASS"), ("yes", "MANUAL_REVIEW")])
def test_a_review_is_switched_by_the_words_of_yaml(word, state):
    (rule,) = audit(rules=[MISSED | {"manual_review": word}]).run()[0].to_dict()["rules"]
    assert rule["state"] == state


def test_groups_that_would_bear_one_label_are_refused():
    attributes = {"a": ["x,b=y", "x"], "b": ["y", "q"]}
    crossed = {"attributes": attributes, "intersections": [["a", "b"]], "rules": [MISSED | {"attribute": "a"}]}
    with pytest.raises(fr.ConfigError, match="two groups would both be named 'a=x,b=y'"):
        audit(**crossed)
    audit(**crossed, probability=None)


def test_a_dictionary_of_a_result_keeps_to_its_schema(result_checker):
    result_checker.validate(audit().run().to_dict())


def test_cases_without_a_person_are_said():
    unit = [*range(798), None, None]
    run = audit(COLUMNS | {"who": unit}, unit="who").run()
    titles = [item.title for item in run.record.assumptions]
    assert "Column 'who' names each person once; 2 cases name none, and each is taken to be a different one" in titles
    assert run[0].to_dict()["evidence"]["unit_missing"] == 2
