"""Weighted strata pooled, and heterogeneity about a pooled ratio."""

import math

import numpy as np
import pytest
from scipy.stats import chi2
from statsmodels.stats.contingency_tables import StratifiedTable
from statsmodels.stats.meta_analysis import combine_effects

from fairreport.stats.linearised import Linearised
from fairreport.stats.strata import cochran_mantel_haenszel, mantel_haenszel_ratio
from fairreport.stats.weighted_strata import WeightedStratum, heterogeneity_about, pool_weighted

# UCBAdmissions (R datasets), departments A to F: women (a of n) against men (b of m).
BERKELEY = (
    [89, 17, 202, 131, 94, 24],
    [108, 25, 593, 375, 393, 341],
    [512, 353, 120, 138, 53, 22],
    [825, 560, 325, 417, 191, 373],
)


def stratum(a, n, b, m):
    p, r = a / n, b / m
    variances = Linearised(group=p * (1 - p) / n, reference=r * (1 - r) / m, covariance=0.0)
    return WeightedStratum(group=n, reference=m, p=p, r=r, variances=variances)


STRATA = [stratum(*counts) for counts in zip(*BERKELEY, strict=True)]


def test_point_estimates_of_counts_equal_statsmodels_and_epir():
    # epiR 2.0.57 epi.2by2(UCBAdmissions), Mantel-Haenszel RR 1.058307424.
    found = pool_weighted(STRATA, level=0.95)
    assert found.ratio == pytest.approx(1.058307424, abs=5e-10)
    assert found.ratio == pytest.approx(mantel_haenszel_ratio(*BERKELEY, level=0.95).value, rel=1e-12)
    tables = [np.array([[a, n - a], [b, m - b]]) for a, n, b, m in zip(*BERKELEY, strict=True)]
    assert found.odds_ratio == pytest.approx(StratifiedTable(tables).oddsratio_pooled, rel=1e-12)


def test_interval_and_test_by_the_formula():
    found = pool_weighted(STRATA, level=0.95)
    c = np.array([s.share for s in STRATA])
    top, bottom = (c * [s.p for s in STRATA]).sum(), (c * [s.r for s in STRATA]).sum()
    group, reference = (np.array([getattr(s.variances, side) for s in STRATA]) for side in ("group", "reference"))
    z = (top - bottom) / math.sqrt((c**2 * (group + reference)).sum())
    assert found.test.z == pytest.approx(z, rel=1e-12)
    error = math.sqrt((c**2 * (group / top**2 + reference / bottom**2)).sum())
    assert math.log(found.high / found.ratio) == pytest.approx(1.959963984540054 * error, rel=1e-9)


def test_a_rate_of_zero_leaves_no_interval():
    found = pool_weighted([stratum(0, 10, 4, 10)], level=0.95)
    assert (found.ratio, found.low, found.high, found.odds_ratio) == (0.0, None, None, 0.0)
    none = pool_weighted([stratum(4, 10, 0, 10)], level=0.95)
    assert (none.ratio, none.low, none.odds_ratio) == (None, None, None)
    assert pool_weighted([stratum(0, 10, 0, 10)], level=0.95).test is None


def test_heterogeneity_about_the_inverse_variance_mean_equals_statsmodels():
    # statsmodels.stats.meta_analysis.combine_effects(...).q, whose centre is the inverse-variance mean.
    logs, variances = [0.3, -0.1, 0.2, 0.5], [0.04, 0.09, 0.01, 0.25]
    theirs = combine_effects(np.array(logs), np.array(variances))
    found = heterogeneity_about(float(theirs.mean_effect_fe), logs, variances)
    assert found.statistic == pytest.approx(float(theirs.q), rel=1e-12)
    assert found.df == 3
    assert found.p == pytest.approx(chi2.sf(found.statistic, 3), rel=1e-10)


def test_one_stratum_has_nothing_to_differ_from():
    assert heterogeneity_about(0.0, [0.1], [0.2]) is None


def test_a_floored_correction_never_grows_the_deviation():
    # One stratum with a deviation of 0.25: the correction takes it to 0, where R leaves it uncorrected.
    table = ([2], [4], [5], [12])
    assert cochran_mantel_haenszel(*table, continuity=True, floored=True).statistic == 0.0
    assert cochran_mantel_haenszel(*table, continuity=True).statistic > 0
    both = [cochran_mantel_haenszel(*BERKELEY, continuity=True, floored=floored) for floored in (True, False)]
    assert both[0] == both[1]
