"""Ratios and differences of two rates."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.proportion import confint_proportions_2indep

from fairreport.stats.contrast import (
    difference,
    is_ratio_below,
    katz_ratio,
    koopman_ratio,
    newcombe_difference,
    odds_ratio,
    rate,
    ratio,
    woolf_odds_ratio,
)

side = st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
varying_side = st.integers(2, 10**9).flatmap(lambda n: st.tuples(st.integers(1, n - 1), st.just(n)))
levels = st.floats(0.5, 0.999)


def test_exactly_four_fifths_is_never_below():
    # 29 CFR 1607.4 D: "less than four-fifths"; every pair of rates with totals below 60 in the ratio 4 to 5.
    seen = naive = 0
    for m in range(1, 60):
        for b in range(1, m + 1):
            for n in range(1, 60):
                if (4 * b * n) % (5 * m):
                    continue
                a = 4 * b * n // (5 * m)
                seen += 1
                naive += (a / n) / (b / m) < 0.8
                assert ratio(a, n, b, m) == 0.8
                assert not is_ratio_below(a, n, b, m, 0.8)
                assert is_ratio_below(a - 1, n, b, m, 0.8)
    assert seen > 2_000
    # What is guarded against: dividing the two rates flags over a thousand of them.
    assert naive > 1_000


def test_a_threshold_is_read_as_it_is_written():
    # 0.7 and 0.9 are not binary numbers; 7/10 of 1/1 is not below 0.7.
    assert not is_ratio_below(7, 10, 1, 1, 0.7)
    assert not is_ratio_below(9, 10, 10, 10, np.float64(0.9))
    assert not is_ratio_below(2, 3, 1, 1, Fraction(2, 3))
    assert is_ratio_below(666_666_666, 10**9, 1, 1, Fraction(2, 3))


def test_nothing_is_below_a_rate_of_zero_or_of_no_rows():
    assert not is_ratio_below(0, 10, 0, 10, 0.8)
    assert not is_ratio_below(0, 0, 1, 10, 0.8)
    assert not is_ratio_below(0, 10, 0, 0, 0.8)


def test_one_rounding_where_three_go_wrong():
    # 30/50 against 30/40 and 4/12 against 5/12: (a/n)/(b/m) gives 0.7999999999999999.
    assert ratio(30, 50, 30, 40) == 0.8
    assert ratio(4, 12, 5, 12) == 0.8
    # 0.65 - 0.60 gives 0.050000000000000044.
    assert difference(65, 100, 60, 100) == 0.05


def test_products_past_64_bits_stay_exact():
    n = 3 * 10**18
    assert ratio(4 * n // 5, n, n, n) == 0.8
    assert ratio(np.int64(4 * n // 5), np.int64(n), np.int64(n), np.int64(n)) == 0.8
    assert not is_ratio_below(4 * n // 5, n, n, n, 0.8)
    assert is_ratio_below(4 * n // 5 - 1, n, n, n, 0.8)


def test_undefined_contrasts_are_none():
    assert ratio(5, 20, 0, 20) is None
    assert ratio(0, 0, 1, 2) is None
    assert ratio(1, 2, 0, 0) is None
    assert ratio(0, 20, 5, 20) == 0.0
    assert difference(5, 20, 0, 20) == 0.25
    assert difference(0, 0, 1, 2) is None
    assert difference(1, 2, 0, 0) is None
    assert odds_ratio(5, 5, 1, 2) is None
    assert odds_ratio(1, 2, 0, 2) is None
    assert rate(0, 0) is None


def test_published_contrasts():
    # SAS PROC FREQ, fat diet: odds ratio 8.2500, relative risk 2.9333.
    assert odds_ratio(11, 15, 2, 8) == 8.25
    assert ratio(11, 15, 2, 8) == pytest.approx(2.9333, abs=5e-5)
    # NYC DCWP final rule on Local Law 144, worked example: female against male, impact ratio 0.979.
    assert round(ratio(555, 1181, 667, 1390), 3) == 0.979


# Newcombe (1998), Statistics in Medicine 17, 873-890, Table II, method 10, 95 %.
@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0000),
        ((10, 10, 0, 10), 0.6075, 1.0000),
    ],
)
def test_newcombe_equals_newcombe_1998(table, low, high):
    ends = newcombe_difference(*table, level=0.95)
    assert ends.low[0] == pytest.approx(low, abs=5e-5)
    assert ends.high[0] == pytest.approx(high, abs=5e-5)


def test_koopman_equals_koopman_1984():
    # Koopman (1984), Biometrics 40, 513-517: 36 of 40 against 16 of 80, 95 %: (2.94, 7.15).
    ends = koopman_ratio(36, 40, 16, 80, level=0.95)
    assert ends.low[0] == pytest.approx(2.94, abs=5e-3)
    assert ends.high[0] == pytest.approx(7.15, abs=5e-3)


@pytest.mark.parametrize("table", [(36, 40, 16, 80), (7, 34, 1, 34), (557, 1835, 1198, 2691), (3, 50, 40, 60)])
def test_score_intervals_equal_statsmodels(table):
    # statsmodels.stats.proportion.confint_proportions_2indep, compare="ratio", method="score", no N/(N-1).
    low, high = confint_proportions_2indep(*table, compare="ratio", method="score", correction=False, alpha=0.05)
    ends = koopman_ratio(*table, level=0.95)
    assert ends.low[0] == pytest.approx(low, rel=1e-6, abs=0)
    assert ends.high[0] == pytest.approx(high, rel=1e-6, abs=0)
    # statsmodels: compare="diff", method="newcomb".
    low, high = confint_proportions_2indep(*table, compare="diff", method="newcomb", alpha=0.05)
    ends = newcombe_difference(*table, level=0.95)
    assert ends.low[0] == pytest.approx(low, rel=1e-9, abs=0)
    assert ends.high[0] == pytest.approx(high, rel=1e-9, abs=0)


def score_by_mpmath(log_ratio, a, n, b, m):
    """Koopman's statistic as he wrote it, with 50 digits."""
    with mpmath.workdps(50):
        f = mpmath.exp(mpmath.mpf(log_ratio))
        quadratic, linear, constant = (n + m) * f, f * n + a + m + f * b, a + b
        q = 2 * constant / (linear + mpmath.sqrt(linear**2 - 4 * quadratic * constant))
        p = f * q
        error = mpmath.sqrt(p * (1 - p) / n + f**2 * q * (1 - q) / m)
        return (mpmath.mpf(a) / n - f * mpmath.mpf(b) / m) / error


@settings(deadline=None)
@given(group=side, reference=side, level=levels)
def test_koopman_ends_solve_the_score_equation(group, reference, level):
    (a, n), (b, m) = group, reference
    ends = koopman_ratio(a, n, b, m, level=level)
    # An error of 1e-10 in an end may move the statistic by at most 1e-10 times its slope.
    for end, sign, defined in ((ends.low[0], 1, a > 0), (ends.high[0], -1, b > 0)):
        if defined and a + b > 0:
            log_end = mpmath.log(mpmath.mpf(float(end)))
            from_below = sign * score_by_mpmath(log_end - sign * mpmath.mpf("1e-10"), a, n, b, m)
            from_above = sign * score_by_mpmath(log_end + sign * mpmath.mpf("1e-10"), a, n, b, m)
            z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(level))
            assert from_above <= z <= from_below


# SAS PROC FREQ, fat diet: relative risk (0.8502, 10.1204), odds ratio (1.1535, 59.0029).
def test_log_intervals_equal_sas():
    ends = katz_ratio(11, 15, 2, 8, level=0.95)
    assert [ends.low[0], ends.high[0]] == pytest.approx([0.8502, 10.1204], abs=5e-5)
    ends = woolf_odds_ratio(11, 15, 2, 8, level=0.95)
    assert [ends.low[0], ends.high[0]] == pytest.approx([1.1535, 59.0029], abs=5e-5)


def test_log_intervals_equal_statsmodels():
    # statsmodels.stats.contingency_tables.Table2x2 on Berkeley's 557 of 1835 against 1198 of 2691.
    table = Table2x2(np.array([[557, 1835 - 557], [1198, 2691 - 1198]]))
    ends = katz_ratio(557, 1835, 1198, 2691, level=0.9)
    assert [ends.low[0], ends.high[0]] == pytest.approx(table.riskratio_confint(alpha=0.1), rel=1e-12, abs=0)
    ends = woolf_odds_ratio(557, 1835, 1198, 2691, level=0.9)
    assert [ends.low[0], ends.high[0]] == pytest.approx(table.oddsratio_confint(alpha=0.1), rel=1e-12, abs=0)


def test_zero_cells_follow_the_stated_conventions():
    a, n, b, m = np.array([(0, 9, 3, 7), (3, 9, 0, 7), (0, 9, 0, 7), (0, 0, 3, 7), (9, 9, 7, 7)]).T
    koopman, katz = koopman_ratio(a, n, b, m, level=0.95), katz_ratio(a, n, b, m, level=0.95)
    woolf, newcombe = woolf_odds_ratio(a, n, b, m, level=0.95), newcombe_difference(a, n, b, m, level=0.95)
    assert koopman.low[0] == 0.0
    assert koopman.high[0] > 0
    assert koopman.low[1] > 0
    assert math.isnan(koopman.high[1])
    assert np.isnan([koopman.low[2:4], koopman.high[2:4]]).all()
    assert koopman.low[4] < 1 < koopman.high[4]
    assert np.isnan([katz.low, katz.high, woolf.low, woolf.high]).all()
    assert np.isnan(newcombe.low).tolist() == [False, False, False, True, False]


@settings(deadline=None)
@given(group=side, reference=side, level=levels)
def test_intervals_hold_their_estimate_and_widen_with_the_level(group, reference, level):
    table = (*group, *reference)
    estimates = {
        koopman_ratio: ratio(*table),
        katz_ratio: ratio(*table),
        woolf_odds_ratio: odds_ratio(*table),
        newcombe_difference: difference(*table),
    }
    for function, estimate in estimates.items():
        narrow, wide = function(*table, level=level), function(*table, level=(1 + level) / 2)
        if not math.isnan(narrow.low[0]) and estimate is not None:
            assert narrow.low[0] <= estimate + 1e-15 * abs(estimate)
            assert wide.low[0] <= narrow.low[0]
        if not math.isnan(narrow.high[0]):
            assert narrow.high[0] >= estimate - 1e-15 * abs(estimate)
            assert wide.high[0] >= narrow.high[0]


def test_rounding_never_leaves_the_ratio_outside():
    # At a level of next to nothing the ends of the score interval round to the ratio itself.
    a, n = (grid.ravel() for grid in np.meshgrid(np.arange(1, 30), np.arange(30, 60)))
    ends = koopman_ratio(a, n, 17, 41, level=1e-15)
    estimates = np.array([ratio(x, size, 17, 41) for x, size in zip(a, n, strict=True)])
    assert np.all((ends.low <= estimates) & (estimates <= ends.high))


@settings(deadline=None)
@given(group=varying_side, reference=varying_side, level=levels)
def test_swapping_the_groups_inverts_ratios_and_negates_differences(group, reference, level):
    there, back = (*group, *reference), (*reference, *group)
    assert ratio(*there) == pytest.approx(1 / ratio(*back), rel=1e-15, abs=0)
    assert odds_ratio(*there) == pytest.approx(1 / odds_ratio(*back), rel=1e-15, abs=0)
    assert difference(*there) == -difference(*back)
    for function in (koopman_ratio, katz_ratio, woolf_odds_ratio):
        ends, inverse = function(*there, level=level), function(*back, level=level)
        assert ends.low[0] == pytest.approx(1 / inverse.high[0], rel=1e-11, abs=0)
    ends, negated = newcombe_difference(*there, level=level), newcombe_difference(*back, level=level)
    assert ends.low[0] == pytest.approx(-negated.high[0], abs=1e-12)


def test_a_group_has_the_same_digits_alone_and_among_others():
    generator = np.random.default_rng(11)
    n = generator.integers(1, 10**6, 200)
    a = generator.binomial(n, generator.uniform(0, 1, 200))
    together = koopman_ratio(a, n, 400, 1000, level=0.95)
    for i in range(0, 200, 7):
        alone = koopman_ratio(int(a[i]), int(n[i]), 400, 1000, level=0.95)
        assert (alone.low[0], alone.high[0]) == (together.low[i], together.high[i])
