"""Quantiles of samples and of several put together, counts, and order-statistic intervals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fairreport.stats import sample as sample_module
from fairreport.stats.quantiles import (
    SortedSample,
    order_statistic_bounds,
    order_statistic_interval,
    pooled_quantile,
)
from fairreport.stats.sample import interpolate

# NIST/SEMATECH e-Handbook 7.2.6.2, gauge readings.
GAUGE = [95.1772, 95.1567, 95.1937, 95.1959, 95.1442, 95.061, 95.1591, 95.1195, 95.1065, 95.0925, 95.199, 95.1682]

numbers = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e300, 1e300), st.floats(0, 1e-300))
values = st.lists(numbers, min_size=1, max_size=40)
shares = st.one_of(st.sampled_from([0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0]), st.floats(0, 1))
weighted = st.lists(st.tuples(numbers, st.integers(0, 6)), min_size=1, max_size=20).filter(
    lambda pairs: any(weight for _, weight in pairs)
)


def from_pairs(pairs):
    x, w = zip(*pairs, strict=True)
    return SortedSample(x, w)


def repeated(pairs):
    x, w = zip(*pairs, strict=True)
    return np.repeat(x, w)


def test_quantiles_equal_r_on_nist_data():
    # R quantile(type = 7): 90 % 95.19568, 95 % 95.197295, median 95.1579 (NIST prints the type 6 value 95.1981).
    sample = SortedSample(GAUGE)
    found = [sample.quantile(q) for q in (0.9, 0.95, 0.5)]
    assert found == pytest.approx([95.19568, 95.197295, 95.1579], abs=1e-10)


@settings(deadline=None)
@given(x=values, q=shares)
def test_quantile_equals_numpy(x, q):
    # numpy.quantile computes low + (high - low) * fraction for fractions below one half, and the same from the
    # upper end above: there the last digit may differ.
    found, expected = SortedSample(x).quantile(q), float(np.quantile(x, q))
    if math.modf((len(x) - 1) * q)[0] < 0.5:
        assert found == expected
    else:
        assert found == pytest.approx(expected, rel=1e-14, abs=4e-16 * max(map(abs, x)))


@settings(deadline=None)
@given(x=values, q=shares)
def test_quantile_is_the_exact_one_to_rounding_and_lies_within_its_neighbours(x, q):
    ordered = sorted(x)
    rank = (len(x) - 1) * q
    low, high = ordered[math.floor(rank)], ordered[math.ceil(rank)]
    exact = Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(rank - math.floor(rank))
    found = SortedSample(x).quantile(q)
    assert low <= found <= high
    assert found == pytest.approx(float(exact), rel=1e-14, abs=4e-16 * max(abs(low), abs(high)))


@settings(deadline=None)
@given(x=values, a=shares, b=shares)
def test_quantile_never_falls(x, a, b):
    sample = SortedSample(x)
    assert sample.quantile(min(a, b)) <= sample.quantile(max(a, b))
    assert (sample.quantile(0), sample.quantile(1)) == (sample.minimum, sample.maximum) == (min(x), max(x))


@settings(deadline=None)
@given(low=numbers, gap=st.floats(0, 1e300), a=st.floats(0, 1, exclude_max=True), b=st.floats(0, 1, exclude_max=True))
def test_interpolation_is_monotone_and_bounded(low, gap, a, b):
    high = low + gap
    assert low <= interpolate(low, high, min(a, b)) <= interpolate(low, high, max(a, b)) <= high


def test_interpolation_at_its_ends_and_where_the_span_overflows():
    assert interpolate(-1e16, 1.1, 1 - 2.0**-53) <= 1.1
    assert interpolate(0.1, 0.1, 0.3) == 0.1
    assert interpolate(-1.7e308, 1.7e308, 0.0) == -1.7e308
    assert interpolate(-1.7e308, 1.7e308, 0.5) == 0.0
    assert interpolate(-1.7e308, 1.7e308, 0.25) == pytest.approx(-0.85e308)


@settings(deadline=None)
@given(pairs=weighted, q=shares, x=numbers)
def test_weights_are_repetitions(pairs, q, x):
    compact, plain = from_pairs(pairs), SortedSample(repeated(pairs))
    assert (compact.n, compact.minimum, compact.maximum) == (plain.n, plain.minimum, plain.maximum)
    assert compact.quantile(q) == plain.quantile(q)
    for at in (x, plain.quantile(q), plain.maximum):
        assert compact.count_above(at) == plain.count_above(at) == int((repeated(pairs) > at).sum())
        assert compact.count_below(at) == plain.count_below(at) == int((repeated(pairs) < at).sum())
    ranks = range(plain.n)
    assert [compact.order_statistic(k) for k in ranks] == [plain.order_statistic(k) for k in ranks]
    assert order_statistic_bounds(compact, 0.5, level=0.9) == order_statistic_bounds(plain, 0.5, level=0.9)


@settings(deadline=None)
@given(samples=st.lists(weighted, min_size=1, max_size=5), q=shares)
def test_pooled_quantile_is_that_of_all_values(samples, q):
    together = SortedSample(np.concatenate([repeated(pairs) for pairs in samples]))
    assert pooled_quantile([from_pairs(pairs) for pairs in samples], q) == together.quantile(q)
    plain = [SortedSample(repeated(pairs)) for pairs in samples]
    assert pooled_quantile([*plain[::-1], SortedSample([])], q) == together.quantile(q)


@pytest.mark.parametrize("q", [0.5, 0.95, 0.3])
def test_pooled_quantile_equals_numpy_on_many_values(q):
    # numpy.quantile of the concatenation: 0.95 * 99999 and the others have fractions of at most 0.05 here.
    rng = np.random.default_rng(5)
    parts = [rng.lognormal(i, 1, n) for i, n in enumerate([60_001, 30_000, 9_999, 1])]
    found = pooled_quantile([SortedSample(part) for part in parts], q)
    assert found == float(np.quantile(np.concatenate(parts), q))


def test_neither_order_nor_blocks_nor_negative_zeros_change_a_digit(monkeypatch):
    rng = np.random.default_rng(1)
    x = np.where(rng.random(1000) < 0.2, -0.0, rng.integers(-3, 4, 1000) * 0.5)
    for seed in range(5):
        median = SortedSample(np.random.default_rng(seed).permutation(x)).quantile(0.5)
        assert math.copysign(1, median) == 1
    monkeypatch.setattr(sample_module, "BLOCK", 7)
    runs = [(float(v), int(c)) for block, counts in SortedSample(x).runs() for v, c in zip(block, counts, strict=True)]
    assert sum(c for _, c in runs) == 1000
    assert {v: sum(c for u, c in runs if u == v) for v, _ in runs} == {
        float(v): int((x == v).sum()) for v in np.unique(x)
    }


def test_sorted_values_are_taken_as_they_are():
    x = np.arange(5.0)
    sample = SortedSample(x, is_sorted=True)
    assert np.shares_memory(sample.values, x)
    assert not np.shares_memory(SortedSample(x).values, x)
    with pytest.raises(ValueError, match="read-only"):
        sample.values[0] = 9.0
    x[0] = -1.0
    assert repr(sample) == "<SortedSample of 5 values, from -1.0 to 4.0>"
    assert repr(SortedSample([])) == "<SortedSample of 0 values>"
    assert SortedSample([1, 2, 2], weights=[2, 0, 3], is_sorted=True).quantile(1 / 4) == 1.0


@pytest.mark.parametrize(
    ("arguments", "is_sorted", "error", "message"),
    [
        (([2.0, 1.0],), True, ValueError, "out of order"),
        (([1.0, math.nan, 2.0],), True, ValueError, "out of order"),
        (([1.0, math.nan],), False, ValueError, "missing or infinite"),
        (([-math.inf, 1.0],), True, ValueError, "missing or infinite"),
        (([[1.0]],), False, ValueError, "one-dimensional"),
        (([1.0], [1, 2]), False, ValueError, "as many weights"),
        (([1.0], [-1]), False, ValueError, "counts >= 0"),
        (([1.0, 2.0], [2**59, 2**60]), False, ValueError, "at most 2\\^60"),
        (([1.0], [0.5]), False, TypeError, "whole numbers"),
    ],
)
def test_samples_that_cannot_be_are_refused(arguments, is_sorted, error, message):
    with pytest.raises(error, match=message):
        SortedSample(*arguments, is_sorted=is_sorted)


@pytest.mark.parametrize("q", [-0.1, 1.1, math.nan])
def test_quantiles_out_of_range_are_refused(q):
    with pytest.raises(ValueError, match="from 0 to 1"):
        SortedSample([1.0]).quantile(q)
    with pytest.raises(ValueError, match="strictly between"):
        order_statistic_interval(10, q, level=0.95)


def test_nothing_has_no_quantile_and_no_interval():
    with pytest.raises(ValueError, match="no values"):
        pooled_quantile([SortedSample([]), SortedSample([1.0], weights=[0])], 0.5)
    with pytest.raises(IndexError, match="rank 1"):
        SortedSample([1.0]).order_statistic(1)
    assert order_statistic_bounds(SortedSample([]), 0.5, level=0.95) == (None, None)


# A table of intervals of a median by rank, printed in a textbook as "Table A.7": n, ranks, confidence in percent.
@pytest.mark.parametrize(
    ("n", "low", "high", "percent"),
    [(6, 1, 6, 96.9), (9, 2, 8, 96.1), (10, 2, 9, 97.9), (12, 3, 10, 96.1), (15, 4, 12, 96.5), (17, 5, 13, 95.1), (20, 6, 15, 95.9)],
)  # fmt: skip
def test_median_ranks_equal_a_published_table(n, low, high, percent):
    assert order_statistic_interval(n, 0.5, level=0.95) == (low, high)
    assert order_statistic_interval(n, 0.5, level=percent / 100 - 0.001) == (low, high)


def test_median_bounds_equal_statpsych():
    # R statpsych, example of ci.median(.05, y): estimate 20.7, LL 10.8, UL 30.9; and 38, 29, 44.
    y = [30.2, 20.4, 15.1, 10.2, 10.5, 60.8, 20.8, 25.0, 20.7, 30.9, 10.8, 5.1, 50.9, 40.0, 20.9, 10.8, 0, 20.5, 50.8]
    assert SortedSample(y).quantile(0.5) == 20.7
    assert order_statistic_bounds(SortedSample(y), 0.5, level=0.95) == (10.8, 30.9)
    y = [25, 29, 35, 36, 36, 40, 41, 43, 44, 54]
    assert SortedSample(y).quantile(0.5) == 38
    assert order_statistic_bounds(SortedSample(y), 0.5, level=0.95) == (29, 44)


@pytest.mark.parametrize("q", [0.05, 0.5, 0.75, 0.95])
@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_ranks_equal_scipy(q, level):
    # scipy.stats.quantile_test(...).confidence_interval, which follows Conover (1999). From two values on: with one
    # the tail is met exactly at 0.05 and 90 %, and scipy counts that at the upper end and not at the lower.
    for n in [*range(2, 40), 147, 155, 2000]:
        ends = stats.quantile_test(np.arange(1.0, n + 1), q=0, p=q).confidence_interval(level)
        expected = tuple(None if math.isnan(end) else int(end) for end in ends)
        assert order_statistic_interval(n, q, level=level) == expected


def test_a_tail_that_equals_the_wanted_one_does_not_count():
    # One value, 95th percentile, level 90 %: P(B < 1) is 0.05 exactly, the whole tail. Five values, median: 1/32.
    assert order_statistic_interval(1, 0.95, level=0.9) == (None, None)
    assert order_statistic_interval(5, 0.5, level=1 - 2 / 32) == (None, None)
    assert order_statistic_interval(5, 0.5, level=1 - 2 / 31) == (1, 5)


@settings(deadline=None)
@given(n=st.integers(1, 60), q=st.sampled_from([0.05, 0.5, 0.9, 0.95]), level=st.sampled_from([0.5, 0.9, 0.99]))
def test_ranks_are_the_innermost_that_keep_each_tail(n, q, level):
    # Binomial probabilities in exact fractions.
    share, tail = Fraction(str(q)), (1 - Fraction(str(level))) / 2
    pmf = [math.comb(n, b) * share**b * (1 - share) ** (n - b) for b in range(n + 1)]
    low = max((r for r in range(1, n + 1) if sum(pmf[:r]) < tail), default=None)
    high = min((r for r in range(1, n + 1) if sum(pmf[r:]) < tail), default=None)
    assert order_statistic_interval(n, q, level=level) == (low, high)


@settings(deadline=None)
@given(n=st.integers(1, 10**9), q=st.floats(0.01, 0.99), level=st.floats(0.5, 0.99))
def test_ranks_mirror_and_widen(n, q, level):
    low, high = order_statistic_interval(n, q, level=level)
    wide_low, wide_high = order_statistic_interval(n, q, level=level + 0.005)
    assert (wide_low or 0) <= (low or 0) <= n * q + 1
    assert n * q <= (high or n + 1) <= (wide_high or n + 1)
    # Exactly half: 1 - q of another q is not what was written.
    left, right = order_statistic_interval(n, 0.5, level=level)
    assert (left is None and right is None) or left + right == n + 1
