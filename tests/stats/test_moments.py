"""Moments of groups put together, compared, and with their interval."""

import math
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fairreport.stats.moments import (
    Moments,
    combine,
    combine_others,
    pooled_sd,
    standardized_mean_difference,
    t_interval,
    welch,
)
from fairreport.stats.student import student_critical_value, student_two_sided

# R datasets::sleep, extra hours of sleep by drug.
SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)

values = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8)
parts = st.lists(values, min_size=1, max_size=6)
spread = st.lists(st.integers(-1000, 1000), min_size=2, max_size=12)


def of(numbers):
    """Return the moments of some values, each correctly rounded."""
    exact = [Fraction(x) for x in numbers]
    mean = sum(exact) / len(exact)
    variance = None
    if len(exact) > 1:
        variance = float(sum((x - mean) ** 2 for x in exact) / (len(exact) - 1))
    return Moments(n=len(exact), mean=float(mean), variance=variance)


def test_welch_equals_r():
    # R t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776, p-value = 0.07939.
    test = welch(of(SLEEP[0]), of(SLEEP[1]))
    assert test.statistic == pytest.approx(-1.8608, abs=5e-5)
    assert test.df == pytest.approx(17.776, abs=5e-4)
    assert test.p == pytest.approx(0.07939, abs=5e-6)
    assert test.log10_p == pytest.approx(math.log10(test.p), abs=1e-15)


@pytest.mark.parametrize(("n", "m", "scale"), [(2, 3, 1.0), (30, 500, 7.0), (4000, 31, 0.01)])
def test_welch_equals_scipy(n, m, scale):
    # scipy.stats.ttest_ind(equal_var=False).
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.2, 1, n), rng.normal(0, scale, m)
    test, expected = welch(of(a), of(b)), stats.ttest_ind(a, b, equal_var=False)
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert test.df == pytest.approx(expected.df, rel=1e-12)
    assert test.p == pytest.approx(expected.pvalue, rel=1e-11, abs=0)


@settings(deadline=None)
@given(first=spread, second=spread)
def test_welch_of_swapped_groups_changes_the_sign_only(first, second):
    test, swapped = welch(of(first), of(second)), welch(of(second), of(first))
    assert (test.df, test.p, test.log10_p) == (swapped.df, swapped.p, swapped.log10_p)
    assert test.statistic is None or test.statistic == -swapped.statistic
    assert 0 <= test.p <= 1
    assert test.df is None or min(len(first), len(second)) - 1 <= test.df * (1 + 1e-12)
    assert test.df is None or test.df <= (len(first) + len(second) - 2) * (1 + 1e-12)


@pytest.mark.parametrize(("mean", "p"), [(3.0, 1.0), (3.0 + 2e-12, 1.0), (3.0 + 4e-12, 0.0), (4.0, 0.0)])
def test_welch_without_variation_estimates_nothing(mean, p):
    test = welch(Moments(n=5, mean=3.0, variance=0.0), Moments(n=2, mean=mean, variance=0.0))
    assert (test.statistic, test.df, test.p, test.log10_p) == (None, None, p, None)


def test_welch_with_one_constant_group_is_the_one_sample_test():
    # scipy.stats.ttest_1samp(SLEEP[0], 2.0).
    test, expected = welch(of(SLEEP[0]), of([2.0] * 40)), stats.ttest_1samp(SLEEP[0], 2.0)
    assert (test.statistic, test.df) == (pytest.approx(expected.statistic, rel=1e-12), 9)
    assert test.p == pytest.approx(expected.pvalue, rel=1e-12)


def test_welch_needs_two_values_on_each_side():
    one, two = Moments(n=1, mean=0.0, variance=None), Moments(n=2, mean=0.0, variance=1.0)
    assert welch(one, two) is None
    assert welch(two, one) is None


def test_welch_of_variances_whose_squares_underflow():
    # Scaling all values scales nothing of the test: that of 1e-100 times the values, variances near 1e-200.
    small = [Moments(n=10, mean=x.mean * 1e-100, variance=x.variance * 1e-200) for x in map(of, SLEEP)]
    test, expected = welch(*small), welch(*map(of, SLEEP))
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert test.df == pytest.approx(expected.df, rel=1e-12)


def exact_two_sided(t, df):
    t, df = mpmath.mpf(t), mpmath.mpf(df)
    return mpmath.betainc(df / 2, mpmath.mpf(1) / 2, 0, df / (df + t * t), regularized=True)


@pytest.mark.parametrize("df", [1, 1.3, 2, 17.776, 1e4, 1e6 + 0.5])
@pytest.mark.parametrize("t", [1e-8, 0.1, -2.0, 5.0, 25.0])
def test_tails_equal_mpmath(df, t):
    # mpmath.betainc with 40 digits.
    p, log10_p = student_two_sided(t, df)
    with mpmath.workdps(40):
        exact = exact_two_sided(t, df)
        assert p == pytest.approx(float(exact), rel=5e-11, abs=0)
        assert log10_p == pytest.approx(float(mpmath.log10(exact)), rel=1e-10, abs=1e-11)


@pytest.mark.parametrize(("t", "df"), [(45.0, 1e4), (40.0, 1e7), (1e9, 50), (1e20, 20), (1e200, 3), (1e306, 1)])
def test_tails_too_small_for_a_float_equal_mpmath(t, df):
    # mpmath.betainc with 40 digits.
    p, log10_p = student_two_sided(t, df)
    with mpmath.workdps(40):
        expected = float(mpmath.log10(exact_two_sided(t, df)))
    assert p < 1e-290
    assert log10_p == pytest.approx(expected, rel=1e-12)


def test_tails_join_where_one_way_to_compute_them_ends():
    # Either side of p = 1e-290: log10 p falls evenly.
    logs = [student_two_sided(t, 300.0)[1] for t in np.linspace(150.0, 164.0, 57)]
    steps = np.diff(logs)
    assert logs[0] > -290 > logs[-1]
    assert np.all(steps < 0)
    np.testing.assert_allclose(np.diff(steps), np.diff(steps).mean(), rtol=0.1)


def test_quantiles_equal_published_ones():
    # NIST/SEMATECH e-Handbook 1.3.6.7.2, critical values of Student's t, 0.975: 12.706, 2.228, 1.984 at 1, 10, 100.
    found = [student_critical_value(df, level=0.95) for df in (1, 10, 100)]
    assert found == pytest.approx([12.706, 2.228, 1.984], abs=5e-4)


def test_interval_equals_nist():
    # NIST/SEMATECH e-Handbook 1.3.5.2, ZARR13.DAT: n 195, mean 9.261460, standard deviation 0.022789; 95 % limits
    # 9.258242 and 9.264679.
    ends = t_interval(Moments(n=195, mean=9.261460, variance=0.022789**2), level=0.95)
    assert ends == pytest.approx((9.258242, 9.264679), abs=2e-6)


def test_interval_of_one_value_and_of_constant_values():
    assert t_interval(Moments(n=1, mean=2.0, variance=None), level=0.9) is None
    assert t_interval(Moments(n=3, mean=2.0, variance=0.0), level=0.9) == (2.0, 2.0)


@settings(deadline=None)
@given(numbers=spread, level=st.floats(0.01, 0.98))
def test_interval_holds_its_mean_and_grows_with_the_level(numbers, level):
    m = of(numbers)
    low, high = t_interval(m, level=level)
    wider_low, wider_high = t_interval(m, level=level + 0.01)
    assert wider_low <= low <= m.mean <= high <= wider_high


def test_standardized_difference_equals_r():
    # R t.test(extra ~ group, data = sleep, var.equal = TRUE): t = -1.8608, df = 18, and t = d / sqrt(1/10 + 1/10).
    difference = standardized_mean_difference(of(SLEEP[0]), of(SLEEP[1]))
    assert difference / math.sqrt(1 / 10 + 1 / 10) == pytest.approx(-1.8608, abs=5e-5)
    assert difference * pooled_sd(of(SLEEP[0]), of(SLEEP[1])) == pytest.approx(0.75 - 2.33, rel=1e-14)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (1, 9), (40, 3)])
def test_standardized_difference_equals_scipy(n, m):
    # scipy.stats.ttest_ind(equal_var=True): t = d / sqrt(1/n + 1/m).
    rng = np.random.default_rng(n)
    a, b = rng.normal(1, 2, n), rng.normal(0, 1, m)
    expected = stats.ttest_ind(a, b).statistic * math.sqrt(1 / n + 1 / m)
    assert standardized_mean_difference(of(a), of(b)) == pytest.approx(expected, rel=1e-12)


def test_standardized_difference_where_nothing_varies():
    here, there = Moments(n=4, mean=0.3, variance=0.0), Moments(n=4, mean=0.4, variance=0.0)
    again, single = Moments(n=2, mean=0.1 + 0.2, variance=0.0), Moments(n=1, mean=0.3, variance=None)
    assert standardized_mean_difference(here, there) is None
    assert standardized_mean_difference(here, again) == 0.0
    assert standardized_mean_difference(here, single) == 0.0
    assert standardized_mean_difference(single, single) is None
    assert pooled_sd(single, single) is None
    assert pooled_sd(here, there) == 0.0


@settings(deadline=None)
@given(parts=parts, seed=st.integers(0, 1000))
def test_parts_put_together_are_the_moments_of_all_values(parts, seed):
    together, expected = combine([of(part) for part in parts]), of([x for part in parts for x in part])
    size = max(abs(x) for part in parts for x in part)
    assert together.n == expected.n
    assert together.mean == pytest.approx(expected.mean, abs=1e-15 * size)
    if expected.variance is not None:
        assert together.variance == pytest.approx(expected.variance, rel=1e-13, abs=1e-15 * size * size)
    shuffled = random.Random(seed).sample(parts, len(parts))
    assert combine([of(part) for part in shuffled]) == together


@settings(deadline=None)
@given(value=st.floats(-1e9, 1e9), sizes=st.lists(st.integers(1, 10**9), min_size=2, max_size=9))
def test_constant_parts_put_together_do_not_vary(value, sizes):
    constant = [Moments(n=n, mean=value, variance=0.0 if n > 1 else None) for n in sizes]
    assert combine(constant) == Moments(n=sum(sizes), mean=value, variance=0.0)


def test_far_from_zero_no_digit_is_lost():
    # The values 1e9 + 4, 7, 13, 16: mean 1e9 + 10, variance 30, which a naive sum of squares gives as 29.333 or worse.
    halves = [Moments(n=2, mean=1e9 + 5.5, variance=4.5), Moments(n=2, mean=1e9 + 14.5, variance=4.5)]
    assert combine(halves) == Moments(n=4, mean=1e9 + 10, variance=30.0)


@settings(deadline=None)
@given(parts=st.lists(values, min_size=2, max_size=6))
def test_others_are_all_parts_but_one(parts):
    moments = [of(part) for part in parts]
    expected = tuple(combine(moments[:i] + moments[i + 1 :]) for i in range(len(moments)))
    assert combine_others(moments) == expected


def test_nothing_is_left_beside_a_single_part():
    assert combine_others([Moments(n=3, mean=1.0, variance=1.0)]) == (None,)
    assert combine_others([]) == ()
    with pytest.raises(ValueError, match="no parts"):
        combine([])


@pytest.mark.parametrize(
    ("n", "mean", "variance", "message"),
    [
        (0, 0.0, None, "at least one"),
        (1, 0.0, 0.0, "wanted None"),
        (2, 0.0, None, "wanted None"),
        (2, math.nan, 0.0, "finite"),
        (2, 0.0, math.inf, "finite"),
        (2, 0.0, -1e-9, "finite"),
    ],
)
def test_moments_that_cannot_be_are_refused(n, mean, variance, message):
    with pytest.raises(ValueError, match=message):
        Moments(n=n, mean=mean, variance=variance)
