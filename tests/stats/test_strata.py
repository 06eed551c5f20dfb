"""Mantel-Haenszel estimates and tests over strata."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.meta_analysis import combine_effects, effectsize_2proportions

from fairreport.stats.significance import pooled_z
from fairreport.stats.strata import (
    breslow_day,
    cochran_mantel_haenszel,
    mantel_haenszel_difference,
    mantel_haenszel_odds_ratio,
    mantel_haenszel_ratio,
    ratio_heterogeneity,
)

# UCBAdmissions (R datasets), departments A to F: women (a of n) against men (b of m).
WOMEN = ([89, 17, 202, 131, 94, 24], [108, 25, 593, 375, 393, 341])
MEN = ([512, 353, 120, 138, 53, 22], [825, 560, 325, 417, 191, 373])
BERKELEY = (*WOMEN, *MEN)
# Titanic (R datasets), classes 1st, 2nd, 3rd, Crew: men against women.
TITANIC = ([62, 25, 88, 192], [180, 179, 510, 862], [141, 93, 90, 20], [145, 106, 196, 23])

side = st.integers(0, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
strata = st.lists(st.tuples(side, side), min_size=1, max_size=12)
inner = st.integers(2, 500).flatmap(lambda n: st.tuples(st.integers(1, n - 1), st.just(n)))
inner_strata = st.lists(st.tuples(inner, inner), min_size=2, max_size=8)


def columns(tables):
    return np.array([(*group, *reference) for group, reference in tables]).T


def test_odds_ratio_equals_r():
    # R mantelhaen.test(UCBAdmissions): common odds ratio, men over women, 0.9046968 (0.7719074, 1.0603298).
    pooled = mantel_haenszel_odds_ratio(*MEN, *WOMEN, level=0.95)
    assert [pooled.value, pooled.low, pooled.high] == pytest.approx([0.9046968, 0.7719074, 1.0603298], abs=5e-8)
    assert (pooled.n_strata, pooled.n_dropped) == (6, 0)


def test_ratio_equals_epir():
    # epiR 2.0.57 epi.2by2(UCBAdmissions), Mantel-Haenszel RR 1.058307424 (0.9704391533, 1.154131714); metafor agrees.
    pooled = mantel_haenszel_ratio(*BERKELEY, level=0.95)
    assert [pooled.value, pooled.low, pooled.high] == pytest.approx([1.058307424, 0.9704391533, 1.154131714], abs=5e-10)


def test_cochran_mantel_haenszel_equals_r():
    # R mantelhaen.test(UCBAdmissions): 1.4269 with, 1.5246 without correction, p 0.2323 and 0.2169.
    corrected = cochran_mantel_haenszel(*BERKELEY, continuity=True)
    plain = cochran_mantel_haenszel(*BERKELEY, continuity=False)
    assert [corrected.statistic, corrected.p] == pytest.approx([1.4269, 0.2323], abs=5e-5)
    assert [plain.statistic, plain.p] == pytest.approx([1.5246, 0.2169], abs=5e-5)
    assert plain.df == 1


@pytest.mark.parametrize("tables", [BERKELEY, TITANIC])
def test_equals_statsmodels(tables):
    # statsmodels.stats.contingency_tables.StratifiedTable; its p-values are 1 - cdf, good to about 1e-15.
    a, n, b, m = (np.array(column) for column in tables)
    other = StratifiedTable(np.array([[a, n - a], [b, m - b]]))
    ratio = mantel_haenszel_ratio(*tables, level=0.95)
    odds = mantel_haenszel_odds_ratio(*tables, level=0.9)
    assert ratio.value == pytest.approx(other.riskratio_pooled, rel=1e-12, abs=0)
    assert odds.value == pytest.approx(other.oddsratio_pooled, rel=1e-12, abs=0)
    assert [odds.low, odds.high] == pytest.approx(other.oddsratio_pooled_confint(alpha=0.1), rel=1e-12, abs=0)
    for continuity in (False, True):
        wanted = other.test_null_odds(correction=continuity)
        found = cochran_mantel_haenszel(*tables, continuity=continuity)
        assert [found.statistic, found.p] == pytest.approx([wanted.statistic, wanted.pvalue], rel=1e-9, abs=1e-14)
    for tarone in (False, True):
        wanted = other.test_equal_odds(adjust=tarone)
        found = breslow_day(*tables, tarone=tarone)
        assert [found.statistic, found.p] == pytest.approx([wanted.statistic, wanted.pvalue], rel=1e-9, abs=1e-14)
    # statsmodels.stats.meta_analysis.combine_effects on log risk ratios.
    effects, variances = effectsize_2proportions(a, n, b, m, statistic="risk-ratio")
    found = ratio_heterogeneity(*tables)
    assert found.statistic == pytest.approx(combine_effects(effects, variances).q, rel=1e-9, abs=0)
    assert found.df == len(a) - 1


def test_titanic_ratio_adjusted_for_class():
    # Own oracle in exact fractions, sum(a m / N) / sum(b n / N): men's survival is 0.30 of women's within class.
    top = sum(Fraction(a * m, n + m) for a, n, b, m in zip(*TITANIC, strict=True))
    bottom = sum(Fraction(b * n, n + m) for a, n, b, m in zip(*TITANIC, strict=True))
    found = mantel_haenszel_ratio(*TITANIC, level=0.95).value
    assert found == pytest.approx(float(top / bottom), rel=1e-15, abs=0)
    assert found == pytest.approx(0.3003667113663063, rel=1e-14, abs=0)


@given(tables=strata)
@settings(deadline=None)
def test_point_values_equal_exact_fractions(tables):
    a, n, b, m = columns(tables)
    rows = [tuple(map(int, row)) for row in np.stack([a, n, b, m]).T if row[1] and row[3]]
    pairs = {
        "ratio": [(Fraction(x * v, y + v), Fraction(u * y, y + v)) for x, y, u, v in rows],
        "odds": [(Fraction(x * (v - u), y + v), Fraction(u * (y - x), y + v)) for x, y, u, v in rows],
        "difference": [(Fraction(x * v - u * y, y + v), Fraction(y * v, y + v)) for x, y, u, v in rows],
    }
    found = {
        "ratio": mantel_haenszel_ratio(a, n, b, m, level=0.95).value,
        "odds": mantel_haenszel_odds_ratio(a, n, b, m, level=0.95).value,
        "difference": mantel_haenszel_difference(a, n, b, m),
    }
    for name, terms in pairs.items():
        top, bottom = (sum(side) for side in zip(*terms, strict=True)) if terms else (0, 0)
        if bottom:
            assert found[name] == pytest.approx(float(top / bottom), rel=1e-14, abs=1e-15)
        else:
            assert math.isnan(found[name])


def results(a, n, b, m):
    return [
        mantel_haenszel_ratio(a, n, b, m, level=0.95),
        mantel_haenszel_odds_ratio(a, n, b, m, level=0.95),
        cochran_mantel_haenszel(a, n, b, m, continuity=True),
        ratio_heterogeneity(a, n, b, m),
        breslow_day(a, n, b, m, tarone=True),
    ]


@given(tables=strata, data=st.data())
@settings(deadline=None)
def test_the_order_of_strata_changes_no_digit(tables, data):
    shuffled = data.draw(st.permutations(tables))
    for one, other in zip(results(*columns(tables)), results(*columns(shuffled)), strict=True):
        np.testing.assert_array_equal(dataclasses.astuple(one), dataclasses.astuple(other))
    np.testing.assert_array_equal(
        mantel_haenszel_difference(*columns(tables)), mantel_haenszel_difference(*columns(shuffled))
    )


@given(tables=inner_strata)
@settings(deadline=None)
def test_swapping_the_sides_inverts_estimates_and_keeps_tests(tables):
    a, n, b, m = columns(tables)
    for estimate in (mantel_haenszel_ratio, mantel_haenszel_odds_ratio):
        there, back = estimate(a, n, b, m, level=0.95), estimate(b, m, a, n, level=0.95)
        assert there.low < there.value < there.high
        assert there.value == pytest.approx(1 / back.value, rel=1e-12, abs=0)
        assert there.low == pytest.approx(1 / back.high, rel=1e-12, abs=0)
        wider = estimate(a, n, b, m, level=0.99)
        assert wider.low < there.low < there.high < wider.high
    assert mantel_haenszel_difference(a, n, b, m) == -mantel_haenszel_difference(b, m, a, n)
    for one, other in zip(results(a, n, b, m)[2:], results(b, m, a, n)[2:], strict=True):
        assert one.statistic == pytest.approx(other.statistic, rel=1e-7, abs=1e-7)
        assert 0 <= one.p <= 1


@given(group=inner, reference=inner)
@settings(deadline=None)
def test_one_stratum_is_the_pair_itself(group, reference):
    (a, n), (b, m) = group, reference
    pair = ([a], [n], [b], [m])
    assert mantel_haenszel_ratio(*pair, level=0.9).value == pytest.approx(a * m / (n * b), rel=1e-14, abs=0)
    assert mantel_haenszel_difference(*pair) == pytest.approx((a * m - b * n) / (n * m), rel=1e-14, abs=0)
    # The hypergeometric variance has N - 1 where the pooled z has N.
    z = pooled_z(a, n, b, m).z[0]
    found = cochran_mantel_haenszel(*pair, continuity=False).statistic
    assert found == pytest.approx(z * z * (n + m - 1) / (n + m), rel=1e-12, abs=1e-15)


def test_strata_with_an_empty_side_are_dropped_and_counted():
    with_empty = [[*column, value] for column, value in zip(BERKELEY, (0, 0, 5, 9), strict=True)]
    with_empty = [[*column, value] for column, value in zip(with_empty, (4, 8, 0, 0), strict=True)]
    for one, other in zip(results(*BERKELEY), results(*with_empty), strict=True):
        assert (other.n_strata, other.n_dropped) == (6, 2)
        assert dataclasses.replace(other, n_dropped=0) == one


def test_undefined_values_are_nan():
    nothing_shared = ([0, 3], [0, 5], [2, 0], [4, 0])
    for found in results(*nothing_shared):
        assert (found.n_strata, found.n_dropped) == (0, 2)
        assert math.isnan(dataclasses.astuple(found)[0])
    assert math.isnan(mantel_haenszel_difference(*nothing_shared))
    # The reference without a favourable outcome: no ratio; the group without: ratio 0, no interval.
    assert math.isnan(mantel_haenszel_ratio([3], [5], [0], [5], level=0.95).value)
    zero = mantel_haenszel_ratio([0], [5], [3], [5], level=0.95)
    assert zero.value == 0.0
    assert math.isnan(zero.low)
    # All favourable everywhere: ratio 1 without variance, so no interval; the test has nothing to reject.
    full = mantel_haenszel_ratio([5, 4], [5, 4], [3, 2], [3, 2], level=0.95)
    assert full.value == 1.0
    assert math.isnan(full.high)
    test = cochran_mantel_haenszel([5, 4], [5, 4], [3, 2], [3, 2], continuity=False)
    assert (test.statistic, test.p) == (0.0, 1.0)


def test_heterogeneity_skips_and_counts_strata_without_a_logarithm():
    found = ratio_heterogeneity([89, 17, 0, 5], [108, 25, 9, 5], [512, 353, 3, 4], [825, 560, 7, 4])
    assert (found.n_strata, found.n_dropped, found.df) == (2, 2, 1)
    assert found.statistic == ratio_heterogeneity([89, 17], [108, 25], [512, 353], [825, 560]).statistic


def test_breslow_day_needs_two_strata_with_variation_and_an_odds_ratio():
    assert math.isnan(breslow_day([3], [5], [2], [5], tarone=False).p)
    assert math.isnan(breslow_day([5, 4], [5, 4], [3, 2], [3, 2], tarone=False).p)
    assert math.isnan(breslow_day([0, 0], [5, 5], [2, 3], [5, 5], tarone=False).p)


def test_breslow_day_survives_a_fitted_cell_that_rounds_to_nothing():
    # The pooled odds ratio is 1e18: the third stratum's fitted table has a cell of 1e-17 in 5.
    n = 10**9
    found = breslow_day([n - 1, n - 1, 5], [n, n, 10], [1, 1, 0], [n, n, 10], tarone=True)
    assert 0 <= found.p <= 1
    assert found.df == 2


def test_the_correction_never_turns_the_deviation_around():
    # As in R mantelhaen.test: deviation 1/2 is corrected to 0, deviation 1/5 is left as it is.
    half = ([5, 5], [10, 10], [5, 6], [10, 10])
    assert cochran_mantel_haenszel(*half, continuity=True).statistic == 0.0
    fifth = ([1], [2], [1], [3])
    plain = cochran_mantel_haenszel(*fifth, continuity=False)
    assert plain.statistic > 0
    assert cochran_mantel_haenszel(*fifth, continuity=True) == plain


def test_a_tail_below_the_smallest_float_keeps_its_logarithm():
    found = cochran_mantel_haenszel([10**8], [10**9], [9 * 10**8], [10**9], continuity=False)
    assert found.p == 0.0
    # The statistic is 1.28e9: the normal tail's leading term, -x / 2 / ln 10, within its logarithmic correction.
    assert found.statistic == pytest.approx(1.28e9, rel=1e-8, abs=0)
    assert found.log10_p == pytest.approx(-1.28e9 / 2 / math.log(10), rel=1e-7, abs=0)
