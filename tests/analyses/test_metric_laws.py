"""Laws of scores and metrics that hold for every table."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport import Audit

FEW = settings(max_examples=12, deadline=None)
EVERY = {"min_group_size": 1, "min_group_share": 0}

eighths = st.integers(-80, 80).map(lambda k: k / 8)
cells = st.tuples(eighths, st.integers(0, 1), st.integers(0, 1))
tables = st.dictionaries(st.sampled_from("ABCD"), st.lists(cells, min_size=2, max_size=9), min_size=2)


def data_of(groups):
    rows = [(label, *cell) for label, cells in groups.items() for cell in cells]
    return dict(zip(("g", "x", "y", "d"), map(list, zip(*rows, strict=True)), strict=True))


METRICS = {
    "rate": {"value_column": "y", "positive_values": 1, "higher_is_better": True},
    "npv": {"prediction_column": "d", "ground_truth_column": "y", "positive_values": 1},
    "auc": {"score_column": "x", "ground_truth_column": "y", "positive_values": 1},
    "mean": {"value_column": "x", "higher_is_better": True},
    "median": {"value_column": "x", "higher_is_better": True},
    "p95": {"value_column": "x", "higher_is_better": True},
    "mae": {"prediction_column": "x", "ground_truth_column": "y"},
    "r2": {"prediction_column": "x", "ground_truth_column": "y"},
}


def entries(data, *metrics, **parameters):
    """Return {metric: {label: row}} of tests that were not skipped."""
    audit = Audit(data)
    for metric in metrics:
        audit.metric_parity("g", metric, name=metric, **(METRICS[metric] | {"max_difference": 1} | EVERY | parameters))
    found = audit.run().to_dict()["results"]
    return {e["name"]: {row["group"]["g"]: row for row in e["groups"]} for e in found if not e["skip_code"]}


@given(tables.filter(lambda groups: set(groups) >= {"A", "B"}))
@FEW
def test_swapping_two_groups_inverts_rate_ratios(groups):
    data = data_of({label: groups[label] for label in "AB"})
    named = [
        entries(data, "rate", "npv", reference_strategy="named", reference_value=label) for label in "AB"
    ]  # of B against A, of A against B
    for metric in set(named[0]) & set(named[1]):
        one, other = named[0][metric]["B"], named[1][metric]["A"]
        assert one["difference"] == -other["difference"]
        assert one["p_value"] == pytest.approx(other["p_value"], rel=1e-9)
        if one["ratio"] and other["ratio"]:
            assert one["ratio"] * other["ratio"] == pytest.approx(1, rel=1e-12)
        assert not (one["worse"] and other["worse"])


@given(tables)
@FEW
def test_doubling_every_row_leaves_values(groups):
    twice = {label: [*cells, *cells] for label, cells in groups.items()}
    of_sets = ("rate", "npv", "auc", "mean", "median", "mae", "r2")  # p95 interpolates between ranks
    once, doubled = entries(data_of(groups), *of_sets), entries(data_of(twice), *of_sets)
    assert set(once) == set(doubled)
    for metric, rows in once.items():
        for label, row in rows.items():
            other = doubled[metric][label]
            assert other["n"] == 2 * row["n"]
            for name in ("value", "difference", "gap", "share"):
                wanted = row[name]
                assert other[name] == (None if wanted is None else pytest.approx(wanted, rel=1e-12, abs=1e-13))


@given(tables, st.integers(-800, 800).map(lambda k: k / 8))
@FEW
def test_shifting_values_leaves_differences(groups, shift):
    moved = {label: [(x + shift, y, d) for x, y, d in cells] for label, cells in groups.items()}
    stated = {"comparison": "overall"}
    before = entries(data_of(groups), "mean", "median", "p95", **stated)
    after = entries(data_of(moved), "mean", "median", "p95", **stated)
    assert set(before) == set(after) == {"mean", "median", "p95"}
    for metric, rows in before.items():
        for label, row in rows.items():
            other = after[metric][label]
            assert other["difference"] == pytest.approx(row["difference"], rel=1e-9, abs=1e-11)
            assert other["value"] == pytest.approx(row["value"] + shift, rel=1e-12, abs=1e-12)
            if metric == "mean":
                assert (other["p_value"] is None) == (row["p_value"] is None)
                assert other["p_value"] == (row["p_value"] and pytest.approx(row["p_value"], rel=1e-7, abs=1e-12))


@given(tables)
@FEW
def test_auc_of_negated_scores_is_the_complement(groups):
    negated = {label: [(-x, y, d) for x, y, d in cells] for label, cells in groups.items()}
    relabelled = {label: [(x, 1 - y, d) for x, y, d in cells] for label, cells in groups.items()}
    found = entries(data_of(groups), "auc").get("auc", {})
    for other in (negated, relabelled):
        opposite = entries(data_of(other), "auc").get("auc", {})
        assert set(found) == set(opposite)
        for label, row in found.items():
            if row["value"] is None:
                assert opposite[label]["value"] is None
            else:
                assert opposite[label]["value"] == pytest.approx(1 - row["value"], rel=1e-14, abs=1e-15)


@given(tables)
@FEW
def test_relabelling_groups_changes_labels_only(groups):
    def run(data):
        audit = Audit(data).score_disparity("g", "x", **EVERY)
        for metric, stated in METRICS.items():
            audit.metric_parity("g", metric, **stated, **EVERY, max_difference=1)
        return audit.run().to_dict()["results"]

    renamed = run(data_of({f"the group {label}": cells for label, cells in groups.items()}))
    assert json.loads(json.dumps(renamed).replace("the group ", "")) == run(data_of(groups))


@given(tables)
@FEW
def test_scores_that_are_turned_round_score_on_the_other_side(groups):
    negated = {label: [(-x, y, d) for x, y, d in cells] for label, cells in groups.items()}
    one = Audit(data_of(groups)).score_disparity("g", "x", **EVERY).run().to_dict()["results"][0]
    stated = {"higher_is_favorable": False} | EVERY
    other = Audit(data_of(negated)).score_disparity("g", "x", **stated).run().to_dict()["results"][0]
    assert one["skip_code"] == other["skip_code"]
    assert one["measurements"] == pytest.approx(other["measurements"])
    kept = ("group", "scoring", "scoring_rate", "ratio", "p_value", "failing", "is_reference", "four_fifths_flag")
    assert [[row[name] for name in kept] for row in one["groups"]] == [
        [row[name] for name in kept] for row in other["groups"]
    ]
    for row, turned in zip(one["groups"], other["groups"], strict=True):
        assert row["mean_difference"] == pytest.approx(-turned["mean_difference"], abs=1e-12)
        assert row["median"] == -turned["median"] + 0.0


@given(tables, st.floats(0.01, 1, exclude_min=True), st.floats(0, 1))
@settings(max_examples=6, deadline=None)
def test_stricter_settings_never_fail_fewer_groups(groups, ratio, difference):
    def failing(**parameters):
        rows = entries(data_of(groups), "rate", "mean", **parameters)
        return {
            (metric, label) for metric, by_label in rows.items() for label, row in by_label.items() if row["failing"]
        }

    loose = failing(min_ratio=ratio / 2, max_difference=difference)
    assert loose <= failing(min_ratio=ratio, max_difference=difference)
    assert loose <= failing(min_ratio=ratio / 2, max_difference=difference / 2)
    assert failing(min_ratio=ratio, max_difference=difference, require_significance=True) <= failing(
        min_ratio=ratio, max_difference=difference
    )
