"""The JSON Schemas say what is read and what is written."""

from __future__ import annotations

import copy
import json

import jsonschema
import pytest
import yaml

from fairreport.analyses.metrics import CATALOGUE
from fairreport.audit.audit import Audit
from fairreport.audit.readers.result_schema import result_schema
from fairreport.audit.readers.starter import starter
from fairreport.resources import resource_dir

DATA = resource_dir("assets") / "data"


@pytest.mark.parametrize("which", ["config", "result"])
def test_the_command_prints_a_schema(command, folder, which):
    done = command("schema", which)
    assert (done.code, done.err) == (0, "")
    jsonschema.Draft202012Validator.check_schema(json.loads(done.out))


def test_the_demo_and_a_starter_are_valid_configurations(config_checker, folder):
    config_checker.validate(yaml.safe_load((DATA / "demo.yaml").read_text(encoding="utf-8")))
    for name in ("rows.csv", "counted.csv"):
        config_checker.validate(yaml.safe_load(starter(folder.path / name, folder.path).text))


def test_null_stands_for_absent(config_checker):
    parameters = {
        "protected_attribute_columns": ["a"],
        "outcome_column": "b",
        "favorable_values": [1, "x", True],
    }
    parameters |= dict.fromkeys(("alpha", "control_columns", "name", "thresholds", "reference_strategy"))
    config_checker.validate(
        {"audit": {"about": None, "groups": {"a": [1, "b"]}}, "tests": [{"outcome_disparity": parameters}]}
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tests",), []),
        (("audits",), {}),
        (("audit", "titel"), "x"),
        (("audit", "about", "sytem"), "x"),
        (("audit", "time"), {}),
        (("audit", "time"), {"colum": "x"}),
        (("audit", "groups"), {"gender": []}),
        (("audit", "groups"), {"gender": ["F", "F"]}),
        (("audit", "report"), {"paper": "A3"}),
        (("audit", "report"), {"preset": "x"}),
        (("audit", "report"), {"suppress_below": -1}),
        (("tests", 0, "outcome_disparity", "alfa"), 0.05),
        (("tests", 0, "outcome_disparity", "alpha"), 0),
        (("tests", 0, "outcome_disparity", "alpha"), "0.05"),
        (("tests", 0, "outcome_disparity", "min_group_size"), 0),
        (("tests", 0, "outcome_disparity", "impact_ratio_threshold"), 1.5),
        (("tests", 0, "outcome_disparity", "protected_attribute_columns"), "race"),
        (("tests", 0, "outcome_disparity", "protected_attribute_columns"), ["a", "b", "c", "d"]),
        (("tests", 0, "outcome_disparity", "favorable_values"), []),
        (("tests", 0, "outcome_disparity", "p_value_adjustment"), "bonferroni"),
        (
            ("tests", 0, "outcome_disparity", "thresholds"),
            [{"measurement": "minImpactRatio", "operator": "=", "value": 1}],
        ),
        (("tests", 0, "other"), {}),
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(config_checker, path, value):
    content = yaml.safe_load((DATA / "demo.yaml").read_text(encoding="utf-8"))
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not config_checker.is_valid(content)
    with pytest.raises(ValueError):
        Audit.from_config(copy.deepcopy(content))


def many_groups() -> dict[str, list[object]]:
    return {
        "team": [f"t{i:03}" for i in range(150) for _ in range(40)],
        "hired": [i % 3 % 2 for i in range(6000)],
    }


AUDITS = {
    "plain": Audit({"sex": ["F"] * 50 + ["M"] * 50, "hired": [1, 0] * 50}).outcome_disparity("sex", "hired", 1),
    "skipped": Audit({"sex": ["F"], "hired": [1]})
    .outcome_disparity("sex", "hired", 1)
    .outcome_disparity("x", "hired", 1),
    "no favorable": Audit({"sex": ["F", "M"] * 50, "hired": [0] * 100}).outcome_disparity("sex", "hired", 1),
    "untested": Audit({"sex": ["F", "M", "M"] * 50, "hired": [1, 0, 1] * 50}).outcome_disparity(
        "sex", "hired", 1, significance_test="none"
    ),
    "tiny p": Audit({"sex": ["F", "M"], "hired": [1, 0], "n": [9000, 9000]}, counts="n").outcome_disparity(
        "sex", "hired", 1
    ),
    "tiny p, adjusted": Audit(
        {"sex": ["F", "M"] * 2, "hired": [1, 1, 0, 0], "n": [9000, 10, 10, 9000]}, counts="n"
    ).outcome_disparity("sex", "hired", 1, p_value_adjustment="holm", significance_test="z_test"),
    "many groups": Audit(many_groups()).outcome_disparity("team", "hired", 1, min_group_share=0.0),
    "missing and undeclared": Audit(
        {"sex": ["F", "M", None, "X"] * 50, "hired": [1, 0, 1, None] * 50},
        groups={"sex": ["F", "M"]},
        as_of="2026-11-01",
    ).outcome_disparity("sex", "hired", 1, thresholds=[("adjustedMinImpactRatio", ">=", 0.8)], control_columns="sex_2"),
}


def of_a_model() -> Audit:
    rows = range(400)
    table = {
        "sex": ["FMX"[i % 3] for i in rows],
        "p": [(i * 37 % 101) / 101 for i in rows],
        "y": [str(i * 7 % 5 % 2) for i in rows],
        "z": [str(i * 11 % 7 % 2) for i in rows],
        "real": [float(i * 13 % 17) for i in rows],
        "said": [float(i * 13 % 17 + i % 4) for i in rows],
    }
    audit = Audit(table).score_disparity("sex", "p").score_disparity("sex", "absent")
    for name, metric in CATALOGUE.items():
        columns = {"score_column": "p", "probability_column": "p", "prediction_column": "z", "ground_truth_column": "y"}
        if not metric.labels:
            columns |= {"prediction_column": "said", "ground_truth_column": "real"}
        columns["value_column"] = "p" if name != "rate" else "y"
        needed = {key: columns[key] for key in metric.columns} | ({"positive_values": ["1"]} if metric.labels else {})
        if metric.higher_is_better is None:
            needed["higher_is_better"] = True
        audit.metric_parity("sex", name, **needed, name=name)
    return audit


def test_the_document_of_every_metric_is_valid(result_checker):
    document = json.loads(of_a_model().run().to_json())
    assert [entry["status"] for entry in document["results"]] == ["ok", "skipped"] + ["ok"] * len(CATALOGUE)
    result_checker.validate(document)


@pytest.mark.parametrize("name", AUDITS)
def test_every_document_is_valid(result_checker, name):
    result_checker.validate(json.loads(AUDITS[name].run().to_json()))


def test_the_document_of_the_demo_is_valid(result_checker):
    result_checker.validate(Audit.from_config(str(DATA / "demo.yaml")).run().to_dict())


def test_every_key_of_a_document_is_in_the_schema():
    schema = result_schema()
    document = Audit.from_config(str(DATA / "demo.yaml")).run().to_dict()
    assert set(document) == set(schema["properties"]) - {"withheld"} == set(schema["required"])
    entry = schema["$defs"]["outcome_entry"]
    assert set(document["results"][0]) == set(entry["required"])
    assert schema["additionalProperties"] is False
    assert entry["additionalProperties"] is False
