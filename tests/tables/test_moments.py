"""Means and variances against exact fractions of the same values."""

import math
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairreport import Audit
from fairreport.tables import moments
from fairreport.tables.grid import FEW_ROWS, cut_sql, grid_between, grid_within, pieces_for
from fairreport.tables.moments import grid_bits

FEW = settings(max_examples=20, deadline=None)


def groups_of(data, metric="mean", counts=None, **parameters):
    """Return {label: (n, mean, variance)} of the evidence, or the skip."""
    stated = {"min_group_size": 1, "min_group_share": 0} | parameters
    if metric == "mean":
        stated |= {"value_column": "x", "higher_is_better": True, "max_difference": 1}
    entry = Audit(data, counts=counts).metric_parity("g", metric, comparison="overall", **stated).run().to_dict()
    entry = entry["results"][0]
    if entry["skip_code"]:
        return entry["skip_code"], entry["skip_reason"]
    everyone = entry["evidence"]["overall"]
    found = {tuple(group["group"]): group for group in [*entry["evidence"]["groups"], everyone]}
    return {"".join(label): (g["n"], g["mean"], g["variance"]) for label, g in found.items()}


def exact(values):
    """Return n, mean and variance in fractions, rounded once."""
    values = [Fraction(x) for x in values]
    mean = sum(values, Fraction()) / len(values)
    if len(values) < 2:
        return 1, float(mean), None
    return len(values), float(mean), float(sum((x - mean) ** 2 for x in values) / (len(values) - 1))


def assert_exact(data, by_label, digits=1e-10):
    found = groups_of(data)
    everyone = [x for values in by_label.values() for x in values]
    for label, values in (by_label | {"": everyone}).items():
        n, mean, variance = exact(values)
        size = max(map(abs, values))
        assert found[label][0] == n
        assert found[label][1] == pytest.approx(mean, rel=1e-12, abs=1e-15 * size)
        if not variance:
            assert found[label][2] == variance
        else:
            assert found[label][2] == pytest.approx(variance, rel=digits, abs=0)


def table_of(by_label):
    rows = [(label, x) for label, values in by_label.items() for x in values]
    return {"g": [label for label, _ in rows], "x": [x for _, x in rows]}


NEAR = st.floats(-1e3, 1e3).map(lambda x: x + 0.0)
magnitudes = st.sampled_from([1e-60, 1e-12, 1.0, 1e9, 1e12, 1e16, 1e60])
values = st.lists(st.one_of(NEAR, st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 1e-3])), min_size=1, max_size=12)


@given(st.dictionaries(st.sampled_from("ABC"), values, min_size=2), magnitudes, magnitudes, magnitudes)
@example({"A": [0.1, 0.2, 0.3], "B": [1.0, 2.0, 3.0]}, 1.0, 1e16, 1.0)
@example({"A": [1.0, 2.0, 4.0], "B": [1.0, 1.0]}, 1e-60, 1e60, 1.0)
@example({"A": [0.0], "B": [2.3e-260]}, 1e-60, 1e-60, 1.0)
@FEW
def test_groups_of_any_magnitude_beside_each_other(by_label, first, second, third):
    sizes = {"A": first, "B": second, "C": third}
    scaled = {label: [x * sizes[label] for x in xs] for label, xs in by_label.items()}
    assert_exact(table_of(scaled), scaled)
    assert_exact(pa.table(table_of(scaled)), scaled)


@given(values, values, st.sampled_from([1e9, -1e9, 1e12, 123456789.125]))
@example([0.0, 0.0, 0.0, 1 / 3], [-363.0], 1e9)  # squares all rounded the same way
@FEW
def test_cancellation(first, second, shift):
    by_label = {"A": [x + shift for x in first], "B": [x + shift for x in second]}
    assert_exact(table_of(by_label), by_label)


def test_mean_of_a_thousand_million_with_deviation_one():
    rng = np.random.default_rng(8)
    by_label = {label: (1e9 + rng.normal(size=4000)).tolist() for label in "AB"}
    assert_exact(table_of(by_label), by_label, digits=1e-13)


def test_an_outlier_in_another_group_costs_no_digits():
    rng = np.random.default_rng(9)
    by_label = {"A": rng.normal(size=3000).tolist(), "B": [1e15, 2.0, 1e15 + 2], "C": [1e-9, 2e-9]}
    assert_exact(table_of(by_label), by_label)
    table = pd.DataFrame(table_of(by_label)).assign(h="x'y")
    entry = Audit(table).metric_parity(
        ["g", "h"], "mean", value_column="x", higher_is_better=True, min_group_size=1, min_group_share=0
    )
    found = {g["group"][0]: g for g in entry.run().to_dict()["results"][0]["evidence"]["groups"]}
    assert found["A"]["variance"] == pytest.approx(np.var(by_label["A"], ddof=1), rel=1e-12)


def test_only_coarse_groups_are_summed_again(monkeypatch):
    again = []
    original = moments._gather_again

    def spy(known, sink, stream, labels, groups):
        again.append(list(labels))
        return original(known, sink, stream, labels, groups)

    monkeypatch.setattr(moments, "_gather_again", spy)
    groups_of({"g": ["A", "B"] * 50, "x": np.random.default_rng(1).normal(size=100).tolist()})
    groups_of({"g": ["A", "A", "B", "B"], "x": [1.0, 2.0, 1e15, -1e15]})
    assert again == [[], [("A",)]]


@given(st.floats(-1e100, 1e100), st.integers(1, 50))
@FEW
def test_constants_have_no_variance(x, n):
    found = groups_of({"g": ["A"] * n + ["B"], "x": [x] * n + [0.0]})
    assert found["A"] == (n, x + 0.0, 0.0 if n > 1 else None)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_a_constant_of_any_size(size):
    found = groups_of({"g": ["A", "A", "B"], "x": [size] * 3})
    assert found == {"A": (2, size, 0.0), "B": (1, size, None), "": (3, size, 0.0)}


def test_negative_zero_leaves_no_trace():
    first = Audit({"g": ["A", "A", "B", "B"], "x": [0.0, -0.0, -0.0, 0.0]})
    second = Audit({"g": ["A", "A", "B", "B"], "x": [-0.0, 0.0, -0.0, -0.0]})
    texts = []
    for audit in (first, second):
        audit.metric_parity("g", "mean", value_column="x", higher_is_better=True, min_group_size=1)
        audit.metric_parity("g", "median", value_column="x", higher_is_better=True, min_group_size=1)
        audit.score_disparity("g", "x", min_group_size=1)
        texts.append(audit.run().to_json())
    assert texts[0] == texts[1]
    assert "-0.0" not in texts[0]


def test_tiny_values():
    by_label = {"A": [1e-100, 3e-100], "B": [2e-100, 5e-100, 7e-100]}
    assert_exact(table_of(by_label), by_label)


ERRORS = {"prediction_column": "p", "ground_truth_column": "x", "max_difference": 1}


@pytest.mark.parametrize(
    ("metric", "size", "is_too_large"),
    [
        ("mean", 1e139, False),
        ("mean", 1e200, True),
        ("mae", 1e139, False),
        ("mae", 1e200, True),
        ("rmse", 1e69, False),
        ("rmse", 1e100, True),
        ("rmse", 1e200, True),
        ("rmse", 1.7e308, True),
        ("r2", 1e69, False),
        ("r2", 1e100, True),
    ],
)
def test_squares_that_are_no_numbers_are_a_skip(metric, size, is_too_large):
    table = {"g": ["A", "A", "A", "B", "B", "B"], "x": [0, 1, 3, 5, 4, 4.5], "p": [size, -size, 1, 2, 3, 4]}
    if metric == "mean":
        audit = Audit(table | {"x": table["p"]})
        audit.metric_parity("g", metric, value_column="x", higher_is_better=True, min_group_size=1, max_difference=1)
    else:
        audit = Audit(table).metric_parity("g", metric, min_group_size=1, **ERRORS)
    entry = audit.run().to_dict()["results"][0]
    assert audit.run().to_json()
    if is_too_large:
        assert entry["skip_code"] == "no_finite_values"
        assert "their squares leave the range of floating-point numbers" in entry["skip_reason"]
    else:
        assert entry["skip_code"] is None


def test_scores_too_far_apart_are_a_skip_and_their_quantiles_are_not():
    table = {"g": ["A", "B"] * 3, "x": [1e200, -1e200, 1e201, 1.0, 2.0, 3.0]}
    audit = Audit(table).score_disparity("g", "x", min_group_size=1)
    audit.metric_parity("g", "median", value_column="x", higher_is_better=True, min_group_size=1, max_difference=1)
    score, median = audit.run().to_dict()["results"]
    assert score["skip_code"] == "no_finite_values"
    assert {g["group"]["g"]: g["value"] for g in median["groups"]} == {"A": 1e200, "B": 1.0}


def test_rows_that_stand_for_none_do_not_count_whatever_they_hold():
    for wild in (math.nan, math.inf, 1e300, None):
        for make in (pd.DataFrame, pa.table):
            data = make({"g": ["A", "A", "B", "A"], "x": [1.0, 2.0, 5.0, wild], "n": [1, 2, 1, 0]})
            found = groups_of(data, counts="n")
            assert found == {"A": (3, 5 / 3, pytest.approx(1 / 3, rel=1e-14)), "B": (1, 5.0, None), "": (4, 2.5, 3.0)}


def test_a_target_next_to_constant_has_no_r2():
    table = {"g": ["A", "B"] * 3, "p": [1.0] * 6, "x": [1e-160, 2e-160, 0.0, 1e-160, 0.0, 3e-160]}
    audit = Audit(table).metric_parity("g", "r2", min_group_size=1, **ERRORS)
    assert audit.run().to_dict()["results"][0]["skip_code"] == "metric_undefined"
    assert audit.run().to_json()


def test_sums_of_whole_numbers_fit_128_bits():
    for rows in (1, 1000, 2**30, 2**40, 2**53):
        bits = grid_bits(rows)
        assert bits % 2 == 0
        assert rows * 2**bits < 2**127
    assert grid_bits(10**9) == 96


SIZES = [(1, False), (FEW_ROWS - 1, False), (2**25 - 1, False), (2**31, False), (None, False), (2**31, True)]
ENDS = [(0.0, 1.0), (-3.0, 1e9), (1e9, 1e9 + 1), (-1e-200, 1e-200), (1e300, 1e301), (-1e308, 1e308), (0.0, 5e-324)]


@pytest.mark.parametrize(("rows", "whole"), SIZES)
def test_sums_of_pieces_fit(rows, whole):
    pieces = pieces_for(rows, whole=whole)
    assert (2**31 if rows is None else rows) * 2**pieces.bits <= (2**127 if whole else 2**53)
    assert pieces.bits + pieces.below >= 56
    assert pieces.bits % 2 == 0
    for place in range(1, pieces.count):  # what is left of a number is half a step at most
        step = 2 ** (pieces.behind(place) - pieces.behind(place - 1) - 1)
        assert (2**31 if rows is None else rows) * step <= 2**53
    for low, high in ENDS:
        grid = grid_between(low, high)
        assert max(abs(low), abs(high)) * 2.0 ** grid.shift(pieces) <= 2.0**pieces.bits
        for end in (low, high):
            assert ((end - grid.centre) * 2.0 ** grid.half_shift(pieces)) ** 2 <= 2.0**pieces.bits


@given(st.floats(-1e140, 1e140), st.floats(-1e140, 1e140))
@FEW
def test_the_centre_lies_between_the_ends_or_next_to_them(a, b):
    low, high = min(a, b), max(a, b)
    grid = grid_between(low, high)
    assert max(high - grid.centre, grid.centre - low) <= 1.5 * (high - low) + 0.0
    size = max(abs(a), 1e-280)
    assert grid_within(size) == grid_between(-size, size)


@pytest.mark.parametrize("other", [(1e-6, 0.9999), (0.02, 0.97), (0.0, 0.75)])
def test_ends_that_are_nearly_right_name_the_same_grid(other):
    assert grid_between(*other) == grid_between(0.0, 1.0)


@given(st.floats(-1, 1), st.sampled_from(SIZES), st.integers(-300, 300))
@example(2.5 * 2.0**-56, (2**31, True), 0)
@example(2.5 * 2.0**-56, (2**31, False), 0)
@FEW
def test_pieces_add_up_to_the_rounded_number(x, size, exponent):
    (rows, whole), number = size, math.ldexp(x, exponent)
    pieces = pieces_for(rows, whole=whole)
    shift = pieces.bits - exponent
    sql = ", ".join(cut_sql(f"CAST('{number!r}' AS DOUBLE)", pieces, shift))
    cut = duckdb.connect().execute(f"SELECT {sql}").fetchone()
    scaled = Fraction(number) * Fraction(2) ** (shift + pieces.below)
    assert pieces.whole(cut, shift) == round(scaled)
    for place, part in enumerate(cut):
        assert (Fraction(part) * Fraction(2) ** (0 if whole else shift + pieces.behind(place))).denominator == 1


@pytest.mark.parametrize("rows", [FEW_ROWS, 2**25])
def test_more_rows_lose_no_digit(monkeypatch, rows):
    rng = np.random.default_rng(3)
    table = {"g": rng.choice(["A", "B"], 5000).tolist(), "x": (rng.random(5000) - 0.3).tolist()}
    few = groups_of(pa.table(table))
    monkeypatch.setattr(moments, "pieces_for", lambda _rows, **_: pieces_for(rows))
    many = groups_of(pa.table(table))
    for label, (n, mean, variance) in many.items():
        assert few[label] == (n, pytest.approx(mean, rel=1e-15), pytest.approx(variance, rel=1e-14))


@pytest.mark.parametrize("other", [(2**25, False), (None, False), (2**25, True)])
def test_however_numbers_are_cut_the_digits_are_the_same(monkeypatch, other):
    rng = np.random.default_rng(4)
    x = (rng.lognormal(size=FEW_ROWS) * rng.choice([1e-3, 1.0, 50.0], FEW_ROWS)).tolist()
    table = pa.table({"g": rng.choice(["A", "B"], FEW_ROWS).tolist(), "x": x})
    rows, whole_numbers = other
    two = groups_of(table)
    monkeypatch.setattr(moments, "pieces_for", lambda _rows, **_: pieces_for(rows, whole=whole_numbers))
    assert groups_of(table) == two
