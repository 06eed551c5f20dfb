"""Metric parity: direction, ratios, gaps, verdicts, skips."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from fairreport import Audit, ConfigError
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.metrics import CATALOGUE, Metric, MetricTest, RowMetric, register_metric, unregister_metric
from fairreport.tables.needs import Measure

EVERY = {"min_group_size": 1, "min_group_share": 0}
VALUE = {"value_column": "x"}
LABELS = {"ground_truth_column": "y", "positive_values": [1]}
ERRORS = {"prediction_column": "p", "ground_truth_column": "x"}


def entry_of(data, metric="mean", **parameters):
    stated = EVERY | (VALUE if metric in {"mean", "median", "p95"} else {}) | parameters
    audit = Audit(data, counts="n" if "n" in data else None).metric_parity("g", metric, **stated)
    run = audit.run()
    assert run.to_json()
    return run.to_dict()["results"][0]


def means(higher, values, **parameters):
    """Return the entry of means: {label: values}."""
    rows = [(label, x) for label, xs in values.items() for x in (xs if isinstance(xs, list) else [xs])]
    data = {"g": [label for label, _ in rows], "x": [x for _, x in rows]}
    return entry_of(data, higher_is_better=higher, **parameters)


def by_label(entry):
    return {group["group"]["g"]: group for group in entry["groups"]}


def column(entry, name):
    return {label: row[name] for label, row in by_label(entry).items()}


def test_ratios_below_1_mean_worse_in_both_directions():
    higher = means(True, {"A": 3.0, "B": 2.0, "C": 1.0})
    assert column(higher, "ratio") == {"A": 1.0, "B": 2 / 3, "C": 1 / 3}
    assert column(higher, "gap") == {"A": 0.0, "B": 1.0, "C": 2.0}
    assert column(higher, "difference") == {"A": 0.0, "B": -1.0, "C": -2.0}
    lower = means(False, {"A": 3.0, "B": 2.0, "C": 1.0})
    assert column(lower, "ratio") == {"A": 1 / 3, "B": 1 / 2, "C": 1.0}
    assert column(lower, "gap") == {"A": 2.0, "B": 1.0, "C": 0.0}
    assert column(lower, "worse") == {"A": True, "B": True, "C": False}
    assert (higher["reference"]["g"], lower["reference"]["g"]) == ("A", "C")
    assert (higher["measurements"]["worstGroupValue"], lower["measurements"]["worstGroupValue"]) == (1.0, 3.0)
    assert lower["measurements"]["minMetricRatio"] == 1 / 3
    assert lower["measurements"]["maxMetricDifference"] == 2.0


def test_a_group_ahead_of_a_named_reference_is_not_worse():
    entry = means(True, {"A": 3.0, "B": 2.0, "C": 1.0}, reference_strategy="named", reference_value="B")
    assert column(entry, "ratio") == {"A": 1.5, "B": 1.0, "C": 0.5}
    assert column(entry, "failing") == {"A": False, "B": False, "C": True}
    assert entry["measurements"]["maxMetricDifference"] == 1.0


def test_the_best_group_is_the_reference():
    entry = means(False, {"A": [2.0, 2.0], "B": [2.0, 2.0, 2.0], "C": 5.0})
    assert entry["reference"]["g"] == "B"  # tied with A, more rows
    assert [group["group"]["g"] for group in entry["groups"]] == ["C", "B", "A"]


@pytest.mark.parametrize(
    ("values", "min_ratio", "fails"),
    [
        ({"A": [3.0], "B": [2.4]}, 0.8, False),  # 2.4 / 3.0 is 0.7999999999999999 in floats
        ({"A": [3.0], "B": [2.4 - 1e-9]}, 0.8, True),
        ({"A": [0.1, 0.2], "B": [0.15]}, 1.0, False),  # the same mean in other digits
        ({"A": [1.0], "B": [1 - 1e-9]}, 1.0, True),
    ],
)
def test_the_ratio_on_its_boundary(values, min_ratio, fails):
    assert by_label(means(True, values, min_ratio=min_ratio))["B"]["failing"] is fails


def test_exact_shares_have_no_tolerance():
    """4 of 12 against 5 of 12 is exactly four fifths."""
    data = {"g": ["A", "A", "B", "B"], "x": [1, 0, 1, 0], "n": [5, 7, 4, 8]}
    rate = {"value_column": "x", "positive_values": [1], "higher_is_better": True}
    assert by_label(entry_of(data, "rate", **rate))["B"]["failing"] is False
    larger = data | {"n": [5 * 10**7, 7 * 10**7, 4 * 10**7 - 1, 8 * 10**7 + 1]}
    assert by_label(entry_of(larger, "rate", significance_test="none", **rate))["B"]["failing"] is True


@pytest.mark.parametrize(("allowed", "fails"), [(0.05, False), (0.0499, True), (None, False), (0, True)])
def test_max_difference(allowed, fails):
    entry = means(True, {"A": 0.65, "B": 0.60}, max_difference=allowed)  # 0.65 - 0.60 is 0.050000000000000044
    assert by_label(entry)["B"]["failing"] is fails
    assert entry["measurements"]["failingGroupCount"] == int(fails)
    assert entry["measurements"]["failingGroupPercentage"] == int(fails) / 2


def test_significance_may_be_required():
    few = {"A": [5.0, 6.0], "B": [1.0, 6.0]}
    many = {"A": [5.0, 6.0] * 40, "B": [1.0, 6.0] * 40}
    for values, significant in ((few, False), (many, True)):
        free, held = means(True, values), means(True, values, require_significance=True)
        assert by_label(free)["B"]["failing"] is True
        assert by_label(held)["B"]["failing"] is significant
        assert held["measurements"]["significantDisparityCount"] == int(significant)
    ahead = means(True, many, reference_strategy="named", reference_value="B")
    assert by_label(ahead)["A"]["p_value"] < 0.05
    assert by_label(ahead)["A"]["significant"] is False


def test_a20_a_comparison_point_that_is_not_positive():
    skipped = means(True, {"A": 0.0, "B": -1.0})
    assert skipped["skip_code"] == "ratio_undefined_set_max_difference"
    assert "set max_difference" in skipped["skip_reason"]
    judged = means(True, {"A": 0.0, "B": -1.0}, max_difference=0.5)
    assert column(judged, "ratio") == {"A": None, "B": None}
    assert column(judged, "failing") == {"A": False, "B": True}
    assert judged["measurements"]["minMetricRatio"] is None
    assert judged["reasons"]["/measurements/minMetricRatio"] == "comparison_value_not_positive"
    equal = means(True, {"A": 0.0, "B": 0.0})
    assert (equal["skip_code"], equal["measurements"]["minMetricRatio"]) == (None, None)


def test_a20_signs_of_the_group():
    negative = means(True, {"A": 2.0, "B": -1.0})
    assert by_label(negative)["B"]["ratio"] == -0.5
    assert by_label(negative)["B"]["failing"] is True
    better = means(False, {"A": 2.0, "B": 0.0, "C": 4.0}, reference_strategy="named", reference_value="A")
    assert column(better, "ratio") == {"A": 1.0, "B": None, "C": 0.5}
    assert column(better, "worse") == {"A": False, "B": False, "C": True}
    assert better["measurements"]["minMetricRatio"] == 0.5


def test_a_ratio_out_of_range_is_undefined():
    entry = means(True, {"A": 1.0, "B": 1e-310}, reference_strategy="named", reference_value="B")
    assert by_label(entry)["A"]["ratio"] is None
    assert entry["skip_code"] is None


AUC = {"score_column": "x"} | LABELS
ONE_CLASS = {
    "g": ["A"] * 4 + ["B"] * 4 + ["C"] * 4,
    "x": [1, 2, 3, 4, 2, 1, 4, 3, 1, 2, 3, 4],
    "y": [0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1],
}


def test_a21_an_undefined_group_is_listed_and_not_compared():
    entry = entry_of(ONE_CLASS, "auc", **AUC)
    row = by_label(entry)["C"]
    assert [row[name] for name in ("value", "ratio", "gap", "p_value")] == [None] * 4
    assert (row["failing"], row["worse"], row["sufficient"]) == (False, False, True)
    assert [group["group"]["g"] for group in entry["groups"]] == ["B", "A", "C"]
    assert entry["measurements"]["failingGroupPercentage"] == 1 / 3
    assert [note["text"] for note in entry["notes"] if note["code"] == "undefined_groups"] == [
        "AUC is not defined in 'C'; not compared."
    ]


def test_a22_too_few_defined_groups():
    table = {name: cells[4:] for name, cells in ONE_CLASS.items()}
    assert entry_of(table, "auc", **AUC)["skip_code"] == "too_few_defined_groups"
    named = {"reference_strategy": "named", "reference_value": "C"}
    assert entry_of(ONE_CLASS, "auc", **AUC, **named)["skip_code"] == "named_reference_undefined"
    undefined = {"g": ["A", "A", "B", "B"], "x": [1, 2, 3, 4], "y": [1, 1, 0, 0]}
    assert entry_of(undefined, "auc", **AUC)["skip_code"] == "metric_undefined"


def test_groups_without_predicted_negatives_against_all_rows():
    table = {"g": ["A"] * 4 + ["B"] * 4 + ["C"] * 4, "p": [0] * 8 + [1] * 4, "y": [0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0]}
    for comparison in ("reference", "overall"):
        entry = entry_of(table, "npv", prediction_column="p", comparison=comparison, **LABELS)
        assert column(entry, "value") == {"A": 0.75, "B": 0.75, "C": None}
        assert column(entry, "support") == {"A": 4, "B": 4, "C": 0}
    assert entry["overall_value"] == 0.75
    alone = {name: [*cells[:4], *cells[8:]] for name, cells in table.items()}
    vacuous = entry_of(alone, "npv", prediction_column="p", comparison="overall", **LABELS)
    assert (vacuous["skip_code"], vacuous["measurements"]["failingGroupCount"]) == (None, 0)
    assert by_label(vacuous)["A"]["p_value"] is None  # the rest has no predicted negatives
    nobody = table | {"p": [1] * 12}
    for comparison in ("reference", "overall"):
        found = entry_of(nobody, "npv", prediction_column="p", comparison=comparison, **LABELS)
        assert found["skip_code"] == "metric_undefined"


def test_r2_of_a_constant_target_is_undefined():
    table = {
        "g": ["A"] * 3 + ["B"] * 3 + ["C"] * 3 + ["D"],
        "x": [1, 2, 3, 4, 4, 4, 1, 5, 9, 2],
        "p": [1, 2, 4, 4, 4, 4, 2, 5, 8, 2],
    }
    entry = entry_of(table, "r2", **ERRORS)
    assert column(entry, "value") == {"A": 0.5, "B": None, "C": 1 - 2 / 32, "D": None}
    assert entry["measurements"]["significantDisparityCount"] is None
    assert entry["reasons"]["/measurements/significantDisparityCount"] == "no_significance_test"
    assert entry["method"]["test"] == "none"


def test_a_class_that_is_absent():
    table = {"g": ["A", "B"] * 4, "x": [0.1, 0.2] * 4, "y": [0] * 8, "p": [0, 0] * 4}
    for metric, more in (
        ("auc", {"score_column": "x"}),
        ("log_loss", {"probability_column": "x"}),
        ("brier", {"probability_column": "x"}),
        ("npv", {"prediction_column": "p"}),
        ("false_omission_rate", {"prediction_column": "p"}),
    ):
        entry = entry_of(table, metric, **more, **LABELS)
        assert entry["skip_code"] == "positive_class_absent"
        assert entry["skip_reason"] == "no evaluated row of column 'y' has a positive value ('1')"


def test_a_rate_without_positive_values_is_a_quiet_week():
    table = {"g": ["A", "B"] * 4, "x": ["no"] * 8}
    entry = entry_of(table, "rate", value_column="x", positive_values="refused", higher_is_better=False)
    assert entry["skip_code"] is None
    assert column(entry, "value") == {"A": 0.0, "B": 0.0}
    assert entry["measurements"]["minMetricRatio"] is None
    assert "no_positive_values" in [note["code"] for note in entry["notes"]]


@pytest.mark.parametrize(("p", "named"), [([0.5, 1.5], "1.5"), ([-0.25, 0.5], "-0.25"), ([0.0, 1.0], None)])
def test_probabilities_out_of_range(p, named):
    table = {"g": ["A", "B"] * 4, "p": p * 4, "y": [0, 1, 1, 0] * 2}
    for metric in ("log_loss", "brier"):
        entry = entry_of(table, metric, probability_column="p", **LABELS)
        assert entry["skip_code"] == ("probability_out_of_range" if named else None)
        if named:
            assert f"column 'p' holds {named}, which is no probability from 0 to 1" in entry["skip_reason"]


NEIGHBOURS = [
    ("missing_column", {"g": ["A", "B"], "x": ["a", "b"]}, {"value_column": "absent"}),
    ("empty_column", {"g": ["A", "B"], "x": [None, None]}, {}),
    ("empty_column", {"g": [None, " "], "x": ["a", "b"]}, {}),
    ("not_numeric", {"g": ["A", None, "B"], "x": [None, "a", None]}, {}),
    ("no_finite_values", {"g": ["A", None], "x": [None, math.inf]}, {}),
    ("no_complete_rows", {"g": ["A", None], "x": [None, 1.0]}, {}),
    ("too_many_groups", {"g": [f"g{i}" for i in range(1001)], "x": [1.0] * 1001}, {"reference_value": "z"}),
    ("named_reference_missing", {"g": ["A", "B"], "x": [1.0, 2.0]}, {"reference_value": "Z", "min_group_size": 9}),
    ("named_reference_insufficient", {"g": ["A", "B"], "x": [1.0, 2.0]}, {"reference_value": "A", "min_group_size": 9}),
    ("too_few_sufficient_groups", {"g": ["A", "B"], "x": [1.0, 2.0]}, {"min_group_size": 9}),
    ("ratio_undefined_set_max_difference", {"g": ["A", "B"], "x": [-1.0, -2.0]}, {}),
]


@pytest.mark.parametrize(("code", "data", "parameters"), NEIGHBOURS)
def test_skips_come_in_their_order(code, data, parameters):
    """Each case has the fault of a later one too, and the earlier is named."""
    if "reference_value" in parameters:
        parameters = parameters | {"reference_strategy": "named"}
    entry = entry_of(data, **({"higher_is_better": True} | parameters))
    assert (entry["status"], entry["skip_code"], entry["measurements"]) == ("skipped", code, {})
    assert entry["test_status"] == "skipped"


def test_p_values_below_the_smallest_number():
    entry = means(True, {"A": [0.0, 1.0] * 400, "B": [1e4, 1e4 + 1] * 400})
    row = by_label(entry)["A"]
    assert row["p_value"] is row["adjusted_p"] is None
    assert row["log10_p"] == row["adjusted_log10_p"] < -300
    assert row["significant"] is True
    place = next(i for i, group in enumerate(entry["groups"]) if group is row)
    assert entry["reasons"][f"/groups/{place}/p_value"] == "below_1e-300"


def test_no_variation_on_either_side():
    entry = means(True, {"A": [2.0] * 3, "B": [1.0] * 3, "C": [2.0] * 2})
    assert column(entry, "p_value") == {"A": None, "B": 0.0, "C": 1.0}
    assert column(entry, "significant") == {"A": False, "B": True, "C": False}


def test_a_group_of_one_row_is_not_tested():
    entry = means(True, {"A": [2.0, 3.0], "B": [1.0], "C": [2.0, 2.5]}, p_value_adjustment="holm")
    row = by_label(entry)["B"]
    assert (row["p_value"], row["ci_low"], row["failing"]) == (None, None, True)
    assert by_label(entry)["C"]["adjusted_p"] == by_label(entry)["C"]["p_value"]  # a family of one
    place = next(i for i, group in enumerate(entry["groups"]) if group is row)
    assert entry["reasons"][f"/groups/{place}/p_value"] == "not_testable"
    assert entry["reasons"][f"/groups/{place}/ci_low"] == "one_row"


def test_the_rest_includes_insufficient_groups():
    values = {"A": [1.0, 2.0, 3.0], "B": [2.0, 4.0, 5.0], "small": [100.0]}
    entry = means(True, values, comparison="overall", min_group_size=2)
    # Welch's test of scipy: ttest_ind with unequal variances
    wanted = stats.ttest_ind(values["A"], [*values["B"], 100.0], equal_var=False).pvalue
    assert by_label(entry)["A"]["p_value"] == pytest.approx(wanted, rel=1e-12)
    assert by_label(entry)["small"]["p_value"] is None
    assert entry["comparison_value"] == entry["overall_value"] == pytest.approx(117 / 7)


def test_two_groups_against_the_rest_are_one_hypothesis():
    entry = means(True, {"A": [1.0, 2.0, 4.0], "B": [3.0, 5.0, 4.0]}, comparison="overall", p_value_adjustment="holm")
    p, q = column(entry, "p_value").values()
    assert p == q
    assert column(entry, "adjusted_p")["A"] == min(1.0, 2 * p)
    assert "one_hypothesis_twice" in [note["code"] for note in entry["notes"]]


def test_no_test_leaves_the_count_undefined():
    entry = means(True, {"A": 2.0, "B": 1.0}, significance_test="none")
    assert entry["measurements"]["significantDisparityCount"] is None
    assert set(column(entry, "p_value").values()) == {None}


def test_more_than_twenty_groups_keep_the_pairs_with_the_reference():
    data = {"g": [f"g{i % 30:02}" for i in range(900)], "x": [(i * 37 % 101) / 7 for i in range(900)]}
    entry = entry_of(data, "median", higher_is_better=True)
    assert len(entry["evidence"]["pairs"]) == 29
    assert {tuple(pair["reference"]) for pair in entry["evidence"]["pairs"]} == {(entry["reference"]["g"],)}
    assert sum(row["p_value"] is not None for row in entry["groups"]) == 29


# -- parameters


def codes(**parameters):
    with pytest.raises(ConfigError) as caught:
        MetricParity(protected_attribute_columns="g", **parameters)
    return [fault.code for fault in caught.value.errors]


@pytest.mark.parametrize("task", ["llm", "classification", "regression", "tabular-classification", "text_regression"])
@pytest.mark.parametrize("metric", CATALOGUE)
def test_task_types(metric, task):
    columns = dict.fromkeys(CATALOGUE[metric].columns, "c")
    stated = columns | {"positive_values": [1], "higher_is_better": True, "parity_metric": metric, "task_type": task}
    kind = task.rpartition("-")[2].rpartition("_")[2]
    of_numbers = {"mae", "rmse", "r2"}
    of_values = {"mean", "median", "p95", "rate"}
    allowed = {
        "llm": set(CATALOGUE),
        "classification": set(CATALOGUE) - of_numbers,
        "regression": of_numbers | of_values,
    }[kind]
    if metric in allowed:
        assert MetricParity(protected_attribute_columns="g", **stated).task_type == kind
    else:
        assert codes(**stated) == ["metric_not_for_task"]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"parity_metric": "acu", "score_column": "x"}, ["bad_enum"]),
        ({"parity_metric": "auc"}, ["missing_parameter"] * 3),
        ({"parity_metric": "mean", "value_column": "x"}, ["higher_is_better_required"]),
        ({"parity_metric": "auc", "score_column": "x", "comparison": "overall", **LABELS}, ["overall_not_supported"]),
        ({"parity_metric": "r2", "comparison": "overall", **ERRORS}, ["overall_not_supported"]),
        ({"parity_metric": "r2", "require_significance": True, **ERRORS}, ["r2_require_significance"]),
        (
            {"parity_metric": "mae", "require_significance": True, "significance_test": "none", **ERRORS},
            ["require_significance_needs_test"],
        ),
        ({"parity_metric": "npv", "prediction_column": "p", "max_difference": 1.5, **LABELS}, ["out_of_range"]),
        ({"parity_metric": "mae", "max_difference": -0.5, **ERRORS}, ["out_of_range"]),
        ({"parity_metric": "mae", "min_ratio": 0, **ERRORS}, ["out_of_range"]),
        ({"parity_metric": "mae", "alpha": 1e-20, **ERRORS}, ["out_of_range"]),
    ],
)
def test_wrong_parameters(parameters, expected):
    assert codes(**parameters) == expected


def test_parameters_that_do_not_apply_are_ignored():
    test = MetricParity(
        protected_attribute_columns="g", parity_metric="mean", value_column="x", higher_is_better=True, score_column="s"
    )
    assert test.metric.columns == ("value_column",)
    data = {"g": ["A", "B"], "x": [1.0, 2.0]}  # without the column s
    assert entry_of(data, higher_is_better=True, score_column="s")["skip_code"] is None


# -- metrics of the user's own


@pytest.fixture
def p10():
    metric = Metric(
        name="p10",
        label="10th percentile",
        formula="0.1 quantile",
        reference="Hyndman and Fan (1996)",
        measure=Measure.QUANTILE,
        test=MetricTest.POOLED_QUANTILE,
        interval="order statistics",
        numbers=("value_column",),
        quantile=0.1,
    )
    yield register_metric(metric)
    unregister_metric("p10")


def test_a_registered_metric_is_like_those_that_come_with_the_package(p10):
    data = {"g": ["A", "B"] * 50, "x": [float(i % 17) + i % 2 for i in range(100)]}
    for given in ("p10", p10):
        entry = entry_of(data, given, **VALUE, higher_is_better=True)
        for label in "AB":
            values = [x for g, x in zip(data["g"], data["x"], strict=True) if g == label]
            assert by_label(entry)[label]["value"] == np.quantile(values, 0.1)  # numpy 2
    with pytest.raises(ConfigError) as caught:
        register_metric(p10)
    assert caught.value.code == "duplicate_name"
    assert codes(parity_metric="p01", value_column="x", higher_is_better=True) == ["bad_enum"]


def test_a_row_metric_is_averaged():
    frame = pd.DataFrame({"g": ["A", "B"] * 20, "income": np.arange(40.0), "cost": np.arange(40.0) % 7})
    profit = RowMetric(name="profit", function=lambda df: df["income"] - df["cost"], higher_is_better=True)
    entry = Audit(frame).metric_parity("g", profit, **EVERY).run().to_dict()["results"][0]
    wanted = (frame["income"] - frame["cost"]).groupby(frame["g"]).mean()  # pandas
    assert column(entry, "value") == pytest.approx(wanted.to_dict(), rel=1e-14)
    assert "profit" not in frame.columns


def test_a_row_metric_needs_a_frame(write_csv):
    profit = RowMetric(name="profit", function=lambda df: df["x"], higher_is_better=True)
    for data in (write_csv({"g": ["A"], "x": [1]}), {"g": ["A"], "x": [1]}):
        with pytest.raises(
            ValueError, match="the row metric 'profit' is a Python function and needs a pandas DataFrame"
        ):
            Audit(data).metric_parity("g", profit)


def test_a_row_metric_gives_one_number_a_row():
    frame = pd.DataFrame({"g": ["A", "B"], "x": [1.0, 2.0]})
    short = RowMetric(name="short", function=lambda _: np.ones(3), higher_is_better=True)
    with pytest.raises(ValueError, match=r"the row metric 'short' returned \(3,\); wanted one number a row, \(2,\)"):
        Audit(frame).metric_parity("g", short)
