"""Score disparity: scoring rates around the overall median, effects, verdicts, skips."""

import math

import numpy as np
import pytest
from scipy import stats

from fairreport import Audit

EVERY = {"min_group_size": 1, "min_group_share": 0}


def entry_of(data, attributes="g", **parameters):
    counts = "n" if "n" in data else None
    run = Audit(data, counts=counts).score_disparity(attributes, "x", **(EVERY | parameters)).run()
    assert run.to_json()
    return run.to_dict()["results"][0]


def scores(values, **parameters):
    """Return the entry of {label: scores}."""
    rows = [(label, x) for label, xs in values.items() for x in xs]
    return entry_of({"g": [label for label, _ in rows], "x": [x for _, x in rows]}, **parameters)


def by_label(entry):
    return {group["group"]["g"]: group for group in entry["groups"]}


def column(entry, name):
    return {label: row[name] for label, row in by_label(entry).items()}


PEOPLE = {"A": [1, 2, 3, 8, 9, 9], "B": [2, 5, 5, 6], "C": [5, 7, 8]}


def test_rows_at_the_median_stay_in_the_denominator():
    higher = scores(PEOPLE)
    assert higher["overall_median"] == 5
    assert column(higher, "scoring") == {"A": 3, "B": 1, "C": 2}
    assert column(higher, "scoring_rate") == {"A": 1 / 2, "B": 1 / 4, "C": 2 / 3}
    assert column(higher, "ratio") == {"A": 3 / 4, "B": 3 / 8, "C": 1.0}
    lower = scores(PEOPLE, higher_is_favorable=False)
    assert column(lower, "scoring") == {"A": 3, "B": 1, "C": 0}
    assert (higher["reference"]["g"], lower["reference"]["g"]) == ("C", "A")
    assert [group["group"]["g"] for group in higher["groups"]] == ["B", "A", "C"]


def test_effects_are_those_of_numpy_and_scipy():
    # Cohen's d from numpy's variances; pairs from scipy.stats.mannwhitneyu, distance from ks_2samp.
    entry = scores(PEOPLE)
    theirs = np.array(PEOPLE["C"])
    for label, row in by_label(entry).items():
        mine = np.array(PEOPLE[label])
        assert (row["mean"], row["median"]) == (pytest.approx(mine.mean()), np.median(mine))
        assert row["mean_difference"] == pytest.approx(mine.mean() - theirs.mean(), abs=1e-15)
        assert row["median_difference"] == np.median(mine) - np.median(theirs)
        if label == "C":
            assert row["standardized_mean_difference"] == 0
            continue
        n, m = len(mine), len(theirs)
        pooled = math.sqrt(((n - 1) * mine.var(ddof=1) + (m - 1) * theirs.var(ddof=1)) / (n + m - 2))
        assert row["standardized_mean_difference"] == pytest.approx((mine.mean() - theirs.mean()) / pooled)
        assert row["probability_of_superiority"] == stats.mannwhitneyu(mine, theirs).statistic / (n * m)
        assert row["cliffs_delta"] == pytest.approx(2 * row["probability_of_superiority"] - 1)
        assert row["ks_distance"] == pytest.approx(stats.ks_2samp(mine, theirs).statistic)
        a, b = row["scoring"], by_label(entry)["C"]["scoring"]
        assert row["p_value"] == pytest.approx(stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue)


def test_small_groups_count_for_the_median_and_nothing_else():
    values = {"A": [1.0, 2.0, 3.0], "B": [2.0, 3.0, 5.0], "small": [9.0, 9.5]}
    entry = scores(values, min_group_size=3)
    assert entry["overall_median"] == 3.0
    row = by_label(entry)["small"]
    assert (row["sufficient"], row["failing"], row["p_value"], row["scoring_rate"]) == (False, False, None, 1.0)
    assert entry["reference"]["g"] == "B"
    assert entry["measurements"]["insufficientGroupCount"] == 1
    assert entry["measurements"]["minGroupShare"] == 1 / 4


def test_measurements_count_shortfalls_only():
    values = {"A": [1, 2, 8], "B": [4, 6, 9], "C": [7, 8, 10]}
    entry = scores(values, reference_strategy="named", reference_value="B")
    signed = column(entry, "mean_difference")
    assert signed == pytest.approx({"A": -8 / 3, "B": 0.0, "C": 2.0})
    found = entry["measurements"]
    assert (found["maxMeanDifference"], found["maxMedianDifference"]) == (pytest.approx(8 / 3), 4.0)
    assert found["maxStandardizedMeanDifference"] == pytest.approx(-column(entry, "standardized_mean_difference")["A"])
    ahead = scores({"B": [4, 5, 6], "C": [7, 8, 10]}, higher_is_favorable=False)["measurements"]
    assert (ahead["maxMeanDifference"], ahead["minScoringRateImpactRatio"]) == (pytest.approx(10 / 3), 0.0)


def test_measurements_are_0_where_nobody_trails():
    entry = scores({"A": [1, 2, 5], "B": [4, 5, 6]}, reference_strategy="named", reference_value="A")
    found = entry["measurements"]
    assert [found[f"max{name}Difference"] for name in ("Mean", "Median", "StandardizedMean")] == [0.0] * 3
    assert found["failingGroupCount"] == 0


def test_a17_an_effect_without_spread_is_undefined():
    entry = scores({"A": [1.0, 1.0], "B": [2.0, 2.0]})
    assert column(entry, "standardized_mean_difference") == {"A": None, "B": 0.0}
    assert entry["measurements"]["maxStandardizedMeanDifference"] is None
    assert entry["reasons"]["/measurements/maxStandardizedMeanDifference"] == "no_pooled_deviation"
    singles = scores({"A": [1.0], "B": [2.0]})
    assert column(singles, "standardized_mean_difference") == {"A": None, "B": 0.0}
    leading = scores({"A": [3.0, 3.0], "B": [1.0, 2.0, 4.0]}, reference_strategy="named", reference_value="B")
    assert leading["measurements"]["maxStandardizedMeanDifference"] == 0.0


def test_a17_a_leading_group_without_an_effect_hides_nothing():
    values = {"A": [9.0], "B": [5.0, 1.0], "C": [1.0], "D": [8.0]}
    entry = scores(values, reference_strategy="named", reference_value="D")
    assert column(entry, "standardized_mean_difference")["A"] is None  # ahead of D, one row each
    assert entry["measurements"]["maxStandardizedMeanDifference"] is None  # C trails, one row each
    without = scores({label: values[label] for label in "ABD"}, reference_strategy="named", reference_value="D")
    assert without["measurements"]["maxStandardizedMeanDifference"] == pytest.approx(5 / math.sqrt(8))


@pytest.mark.parametrize(
    ("values", "higher", "side"),
    [
        ({"A": [1] * 9 + [0], "B": [1] * 8 + [0] * 2}, True, "above"),
        ({"A": [0] * 9 + [1], "B": [0] * 8 + [1]}, False, "below"),
    ],
)
def test_heavy_ties_point_to_the_outcome_test(values, higher, side):
    entry = scores(values, higher_is_favorable=higher)
    assert entry["skip_code"] == "reference_rate_zero"
    assert f"has no score {side} the overall median" in entry["skip_reason"]
    assert "an outcome test with favorable values fits better" in entry["skip_reason"]
    assert entry["test_status"] == "skipped"
    assert entry["overall_median"] == float(higher)
    other = scores(values, higher_is_favorable=not higher)
    assert other["skip_code"] is None


NEIGHBOURS = [
    ("missing_column", {"g": [None], "y": [1]}, {}),
    ("empty_column", {"g": ["A", "B"], "x": [None, " "]}, {}),
    ("empty_column", {"g": [None, " "], "x": ["a", "b"]}, {}),
    ("not_numeric", {"g": ["A", None], "x": [None, "n/a"]}, {}),
    ("no_finite_values", {"g": ["A", None], "x": [None, math.inf]}, {}),
    ("no_complete_rows", {"g": ["A", None], "x": [None, 1.0]}, {}),
    ("too_many_groups", {"g": [f"g{i}" for i in range(1001)], "x": [1.0] * 1001}, {"reference_value": "z"}),
    ("named_reference_missing", {"g": ["A", "B"], "x": [1.0, 1.0]}, {"reference_value": "Z", "min_group_size": 9}),
    ("named_reference_insufficient", {"g": ["A", "B"], "x": [1.0, 1.0]}, {"reference_value": "A", "min_group_size": 9}),
    ("named_reference_insufficient", {"g": ["A"] * 9 + ["B"], "x": [1.0] * 10}, {"reference_value": "B", "min_group_share": 0.2}),
    ("too_few_sufficient_groups", {"g": ["A", "B"], "x": [1.0, 1.0]}, {"min_group_size": 9}),
    ("reference_rate_zero", {"g": ["A", "B"], "x": [1.0, 1.0]}, {}),
    ("reference_rate_zero", {"g": ["A", "B"], "x": [1.0, 2.0]}, {"reference_value": "A"}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "data", "parameters"), NEIGHBOURS)
def test_skips_come_in_their_order(code, data, parameters):
    """Each case has the fault of a later one too, and the earlier is named."""
    if "reference_value" in parameters:
        parameters = parameters | {"reference_strategy": "named"}
    entry = entry_of(data, **parameters)
    assert (entry["status"], entry["skip_code"], entry["measurements"]) == ("skipped", code, {})
    assert entry["groups"] == []


@pytest.mark.parametrize(("threshold", "failing"), [(0.8, False), (0.8000001, True)])
def test_exactly_four_fifths(threshold, failing):
    """A scores 4 of 12 above the median, B 5 of 12: exactly four fifths."""
    values = {"A": [9] * 4 + [0] * 8, "B": [9] * 5 + [0] * 7}
    row = by_label(scores(values, impact_ratio_threshold=threshold))["A"]
    assert (row["scoring_rate"], row["failing"], row["four_fifths_flag"]) == (4 / 12, failing, False)


def test_significance_and_its_adjustment():
    values = {"A": [1] * 40 + [9] * 10, "B": [1] * 20 + [9] * 30, "C": [1] * 24 + [9] * 26}
    entry = scores(values, p_value_adjustment="holm", require_significance=True)
    p = column(entry, "p_value")
    assert column(entry, "adjusted_p")["A"] == pytest.approx(2 * p["A"])
    assert column(entry, "p_all_pairs")["A"] == pytest.approx(3 * p["A"])
    assert column(entry, "failing") == {"A": True, "B": False, "C": False}
    untested = scores(values, significance_test="none")
    assert untested["measurements"]["significantDisparityCount"] is None
    assert set(column(untested, "p_value").values()) == {None}


@pytest.mark.parametrize("test", ["fisher_exact", "z_test", "chi_square"])
def test_p_values_below_the_smallest_number(test):
    data = {"g": ["A", "A", "B", "B"], "x": [1, 9, 1, 9], "n": [9000, 10, 10, 9000]}
    row = by_label(entry_of(data, significance_test=test, p_value_adjustment="benjamini_hochberg"))["A"]
    assert row["p_value"] is row["adjusted_p"] is None
    assert row["log10_p"] < -300
    assert row["significant"] is True


def test_the_literal_settings_of_a_local_law():
    """Categories under 2 % of the data are listed and not judged, whatever their size."""
    values = {"A": list(range(100)), "B": list(range(50, 150)), "tiny": [1, 2, 3]}
    entry = scores(values, min_group_size=1, min_group_share=0.02)
    assert column(entry, "sufficient") == {"A": True, "B": True, "tiny": False}


def test_two_attributes():
    data = {"g": ["A", "A", "B", "B"] * 3, "h": ["x", "y"] * 6, "x": list(range(12))}
    one, other = entry_of(data, ["g", "h"]), entry_of(data, ["h", "g"])
    assert one["groups"] == other["groups"]
    assert one["groups"][0]["group"] == {"g": "A", "h": "x"}
