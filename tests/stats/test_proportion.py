"""Intervals of one proportion."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from fairreport.stats.proportion import clopper_pearson, count_pairs, critical_value, wilson

METHODS = [wilson, clopper_pearson]
counts = st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.floats(0.5, 0.999)


# Newcombe (1998), Statistics in Medicine 17, 857-872, Table I, method 3, 95 %.
@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_equals_newcombe_1998(k, n, low, high):
    ends = wilson(k, n, level=0.95)
    assert ends.low[0] == pytest.approx(low, abs=5e-5)
    assert ends.high[0] == pytest.approx(high, abs=5e-5)


def test_wilson_takes_a_level_not_a_quantile():
    # 90 right of 100 at 95 %: statsmodels proportion_confint(90, 100, method="wilson") 0.825634, 0.944771; with
    # the level in place of the quantile it would be 0.867825, 0.925019.
    ends = wilson(90, 100, level=0.95)
    assert ends.low[0] == pytest.approx(0.825634, abs=5e-7)
    assert ends.high[0] == pytest.approx(0.944771, abs=5e-7)


# NIST/SEMATECH e-Handbook 7.2.4.1 (4 of 20, 90 %); Newcombe (1998), Table I, method 5 (95 %); R ?binom.test
# (682 of 925: 0.7076683 0.7654066).
@pytest.mark.parametrize(
    ("k", "n", "level", "low", "high", "within"),
    [
        (4, 20, 0.90, 0.071354, 0.401029, 1e-6),
        (81, 263, 0.95, 0.2527, 0.3676, 6e-5),
        (15, 148, 0.95, 0.0578, 0.1617, 6e-5),
        (0, 20, 0.95, 0.0000, 0.1684, 6e-5),
        (1, 29, 0.95, 0.0009, 0.1776, 6e-5),
        (682, 925, 0.95, 0.7076683, 0.7654066, 1e-6),
    ],
)
def test_clopper_pearson_equals_published_intervals(k, n, level, low, high, within):
    ends = clopper_pearson(k, n, level=level)
    assert ends.low[0] == pytest.approx(low, abs=within)
    assert ends.high[0] == pytest.approx(high, abs=within)


@pytest.mark.parametrize(("function", "name"), [(wilson, "wilson"), (clopper_pearson, "beta")])
def test_intervals_equal_statsmodels(function, name):
    # statsmodels.stats.proportion.proportion_confint.
    k, n = np.array([1, 3, 50, 999, 12345]), np.array([7, 3000, 100, 1000, 10**6])
    for level in (0.8, 0.95, 0.99):
        low, high = proportion_confint(k, n, alpha=1 - level, method=name)
        ends = function(k, n, level=level)
        np.testing.assert_allclose(ends.low, low, rtol=1e-9)
        np.testing.assert_allclose(ends.high, high, rtol=1e-9)


@pytest.mark.parametrize(("k", "n"), [(300_000, 10**9), (5, 10**9), (40_000, 100_000)])
def test_clopper_pearson_ends_solve_their_equations(k, n):
    # P(X >= k | low) = P(X <= k | high) = 0.025, the binomial tails summed by mpmath with 30 digits.
    ends = clopper_pearson(k, n, level=0.95)
    with mpmath.workdps(30):
        for end, step in ((ends.low[0], 1), (ends.high[0], -1)):
            p, x = mpmath.mpf(float(end)), k
            log_choose = mpmath.loggamma(n + 1) - mpmath.loggamma(x + 1) - mpmath.loggamma(n - x + 1)
            term = total = mpmath.exp(log_choose + x * mpmath.log(p) + (n - x) * mpmath.log1p(-p))
            while term > total * mpmath.mpf("1e-20") and 0 <= x + step <= n:
                odds = p / (1 - p)
                term *= (n - x) * odds / (x + 1) if step > 0 else x / ((n - x + 1) * odds)
                total += term
                x += step
            assert float(total) == pytest.approx(0.025, rel=1e-7, abs=0)


@pytest.mark.parametrize("function", METHODS)
def test_ends_are_exact_without_successes_or_failures(function):
    ends = function([0, 5, 0, 1], [5, 5, 10**9, 1], level=0.95)
    assert ends.low[[0, 2]].tolist() == [0.0, 0.0]
    assert ends.high[[1, 3]].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("function", METHODS)
def test_no_rows_have_no_interval(function):
    ends = function([0, 1], [0, 2], level=0.95)
    assert math.isnan(ends.low[0])
    assert math.isnan(ends.high[0])
    assert not math.isnan(ends.low[1])


@pytest.mark.parametrize("function", METHODS)
@settings(deadline=None)
@given(pair=counts, level=levels)
def test_interval_holds_its_estimate_and_mirrors(function, pair, level):
    k, n = pair
    ends, mirrored = function(k, n, level=level), function(n - k, n, level=level)
    assert 0 <= ends.low[0] <= k / n <= ends.high[0] <= 1
    assert ends.low[0] == pytest.approx(1 - mirrored.high[0], abs=1e-12)


@pytest.mark.parametrize("function", METHODS)
def test_rounding_never_leaves_the_estimate_outside(function):
    # At a level of next to nothing the ends round to the estimate itself.
    k, n = (grid.ravel() for grid in np.meshgrid(np.arange(60), np.arange(60, 120)))
    ends = function(k, n, level=1e-15)
    assert np.all((ends.low <= k / n) & (k / n <= ends.high))


@pytest.mark.parametrize("function", METHODS)
@settings(deadline=None)
@given(pair=counts, level=levels)
def test_a_higher_level_is_wider(function, pair, level):
    k, n = pair
    narrow, wide = function(k, n, level=level), function(k, n, level=(1 + level) / 2)
    assert wide.high[0] - wide.low[0] > narrow.high[0] - narrow.low[0]


def test_critical_value_is_the_tabled_quantile():
    # Abramowitz and Stegun, Table 26.5: 1.95996 and 2.57583.
    assert critical_value(0.95) == pytest.approx(1.95996, abs=5e-6)
    assert critical_value(0.99) == pytest.approx(2.57583, abs=5e-6)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, math.nan])
def test_a_level_outside_0_and_1_is_refused(level):
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        wilson(1, 2, level=level)
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        clopper_pearson(1, 2, level=level)


def test_narrow_types_do_not_wrap_around():
    # In uint8, 200 + 100 is 44.
    k, n = count_pairs((np.array([200], dtype=np.uint8), np.array([250], dtype=np.uint8)))
    assert (k + n).tolist() == [450]
    assert count_pairs((np.array([True]), [1]))[0].tolist() == [1]


def test_wrong_counts_are_named():
    with pytest.raises(ValueError, match="found 3 favourable of 2"):
        count_pairs((3, 2))
    with pytest.raises(ValueError, match="found -1 favourable"):
        count_pairs((-1, 2))
    with pytest.raises(TypeError, match="float64"):
        count_pairs((0.5, 1))
    with pytest.raises(ValueError, match="at most 2000000000"):
        count_pairs((1, 2_000_000_001))
    with pytest.raises(ValueError, match="at most 2000000000"):
        count_pairs((np.uint64(2**63), np.uint64(2**63)))
