"""The methods that add score and metric tests, their thresholds, and the same tests from a file."""

import pandas as pd
import pytest

import fairreport as fr
from fairreport import Audit, ConfigError

DATA = {
    "g": ["A", "B"] * 40,
    "x": [float(i % 10) + i % 2 for i in range(80)],
    "p": [(i % 7) / 7 for i in range(80)],
    "y": [i // 2 % 2 for i in range(80)],
}
LABELS = {"ground_truth_column": "y", "positive_values": 1}


def test_a_list_of_metrics_makes_one_test_each():
    audit = Audit(DATA).metric_parity("g", ["auc", "brier"], score_column="p", probability_column="p", **LABELS)
    audit.metric_parity("g", ("mean", "p95"), value_column="x", higher_is_better=True, name="value")
    audit.metric_parity("g", ["median"], value_column="x", higher_is_better=True, name="alone")
    run = audit.run()
    assert [result.name for result in run] == [
        "auc of p and y by g",
        "brier of p and y by g",
        "value: mean",
        "value: p95",
        "alone",
    ]
    assert [test.parity_metric for test in audit.tests] == ["auc", "brier", "mean", "p95", "median"]
    assert {result.status for result in run} <= {"passing", "failing"}


def test_a_wrong_metric_in_a_list_adds_no_test():
    audit = Audit(DATA)
    with pytest.raises(ConfigError) as caught:
        audit.metric_parity("g", ["mean", "auc"], value_column="x", higher_is_better=True)
    assert caught.value.code == "missing_parameter"
    assert len(audit.tests) == 0


def test_a_list_of_names_and_functions():
    frame = pd.DataFrame(DATA)
    double = fr.RowMetric(name="double", function=lambda df: 2 * df["x"], higher_is_better=True)
    audit = Audit(frame).metric_parity("g", ["mean", double], value_column="x", higher_is_better=True, name="both")
    mean, doubled = audit.run()
    assert [mean.name, doubled.name] == ["both: mean", "both: double"]
    assert doubled.groups["value"].tolist() == [2 * value for value in mean.groups["value"]]


def test_methods_return_the_audit_and_repeated_names_are_refused():
    audit = Audit(DATA)
    assert audit.score_disparity("g", "x") is audit
    assert audit.metric_parity("g", "mean", value_column="x", higher_is_better=True) is audit
    with pytest.raises(ConfigError) as caught:
        audit.score_disparity("g", "p", name="x by g")
    assert caught.value.code == "duplicate_name"


def test_a_series_stands_for_its_column():
    frame = pd.DataFrame(DATA)
    by_name = Audit(frame).score_disparity("g", "x").run().to_dict()["results"]
    by_series = Audit(frame[["p"]]).score_disparity(frame["g"], frame["x"]).run().to_dict()["results"]
    assert by_name == by_series


def test_control_columns_are_no_parameter():
    for method in (Audit(DATA).score_disparity, Audit(DATA).metric_parity):
        with pytest.raises(TypeError, match="control_columns"):
            method("g", "x", control_columns="p")


SCORE_MEASUREMENTS = fr.ScoreDisparity.known_measurements
METRIC_MEASUREMENTS = fr.MetricParity.known_measurements


@pytest.mark.parametrize("measurement", SCORE_MEASUREMENTS)
def test_thresholds_on_each_measurement_of_scores(measurement):
    audit = Audit(DATA)
    for name, operator in (("holds", "<="), ("fails", ">")):
        audit.score_disparity("g", "x", name=name, thresholds=[(measurement, operator, 99)])
    holds, fails = audit.run()
    assert (holds.status, fails.status) == ("passing", "failing")
    assert holds.measurements.keys() == set(SCORE_MEASUREMENTS)


@pytest.mark.parametrize("measurement", METRIC_MEASUREMENTS)
def test_thresholds_on_each_measurement_of_metrics(measurement):
    stated = {"value_column": "x", "higher_is_better": True}
    audit = Audit(DATA)
    for name, operator in (("holds", "<="), ("fails", ">")):
        audit.metric_parity("g", "mean", name=name, thresholds=[(measurement, operator, 99)], **stated)
    holds, fails = audit.run()
    assert (holds.status, fails.status) == ("passing", "failing")
    assert holds.measurements.keys() == set(METRIC_MEASUREMENTS)


def test_thresholds_on_a_measurement_that_is_null_or_unknown():
    stated = {"value_column": "x", "higher_is_better": True, "significance_test": "none"}
    null = [("significantDisparityCount", "<=", 0)]
    audit = Audit(DATA).metric_parity("g", "mean", thresholds=null, **stated)
    assert audit.run()[0].status == "skipped"
    assert audit.run().exit_code == 3
    for method, rest, other in (
        ("score_disparity", ["x"], "minMetricRatio"),
        ("metric_parity", ["mean"], "minImpactRatio"),
    ):
        with pytest.raises(ConfigError) as caught:
            getattr(Audit(DATA), method)(
                "g", *rest, thresholds=[(other, ">", 0)], **(stated if rest == ["mean"] else {})
            )
        assert caught.value.code == "unknown_measurement"


def test_without_thresholds_no_group_may_fail():
    run = Audit({"g": ["A", "B"] * 40, "x": [1.0, 2.0] * 40}).metric_parity(
        "g", "mean", value_column="x", higher_is_better=True
    ).run()  # fmt: skip
    entry = run.to_dict()["results"][0]
    assert entry["default_threshold"] is True
    assert [(t["measurement"], t["operator"], t["value"], t["passed"]) for t in entry["thresholds"]] == [
        ("failingGroupCount", "<=", 0, False)
    ]


def stated(subtype, measurement, **parameters):
    listed = [{"name": name, "value": value} for name, value in parameters.items()]
    threshold = {
        "insightName": subtype,
        "insightParameters": listed,
        "measurement": measurement,
        "operator": "<=",
        "value": 5,
    }
    return {"name": f"{subtype} {measurement}", "type": "fairness", "subtype": subtype, "thresholds": [threshold]}


def test_the_same_tests_from_a_file():
    config = [
        stated("groupScoreDisparity", "maxMeanDifference", protected_attribute_columns=["g"], score_column="x"),
        stated(
            "groupMetricParity",
            "maxMetricDifference",
            protected_attribute_columns=["g"],
            parity_metric="auc",
            score_column="p",
            ground_truth_column="y",
            positive_values=["1"],
        ),
    ]
    entries = Audit.from_config(config, data=DATA).run().to_dict()["results"]
    audit = Audit(DATA).score_disparity("g", "x").metric_parity("g", "auc", score_column="p", **LABELS)
    for entry, other in zip(entries, audit.run().to_dict()["results"], strict=True):
        for part in ("groups", "measurements", "evidence", "reference"):
            assert entry[part] == other[part]
        assert entry["test_status"] == "passing"


@pytest.mark.parametrize(
    ("task", "metric", "is_allowed"),
    [
        ("tabular-classification", "auc", True),
        ("text-classification", "mae", False),
        ("tabular-regression", "mae", True),
        ("tabular-regression", "auc", False),
        ("llm-base", "mae", True),
    ],
)
def test_the_task_of_a_file(task, metric, is_allowed):
    columns = {"score_column": "p", "ground_truth_column": "y", "positive_values": ["1"], "prediction_column": "x"}
    entry = stated(
        "groupMetricParity", "failingGroupCount", protected_attribute_columns=["g"], parity_metric=metric, **columns
    ) | {"taskType": task}  # fmt: skip
    if is_allowed:
        assert len(Audit.from_config([entry], data=DATA).tests) == 1
        return
    with pytest.raises(ConfigError) as caught:
        Audit.from_config([entry], data=DATA)
    assert caught.value.code == "metric_not_for_task"


def test_one_liners_are_audits_of_one_test():
    score = fr.score_disparity(DATA, "g", "x", higher_is_favorable=False, title="One")
    assert score.to_dict() == Audit(DATA).score_disparity("g", "x", higher_is_favorable=False).run()[0].to_dict()
    metric = fr.metric_parity(DATA | {"n": [2] * 80}, "g", "auc", score_column="p", counts="n", **LABELS)
    assert metric.groups["n"].tolist() == [80, 80]
    lower = fr.metric_parity(DATA, "g", "median", value_column="x", higher_is_better=False)
    assert (lower.status, lower.exit_code) == ("failing", 1)
    left = fr.score_disparity(DATA, "g", "x", missing_values=[0], groups={"g": ["A", "B"]}).to_dict()
    assert left["rows_evaluated"] == sum(x != 0 for x in DATA["x"])
