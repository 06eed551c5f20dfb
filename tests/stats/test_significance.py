"""Pooled z, chi-square and their tails."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from statsmodels.stats.proportion import proportions_ztest

from fairreport.stats.significance import (
    chi_square,
    chi_square_tail,
    normal_two_sided,
    omnibus_chi_square,
    pooled_z,
)

side = st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
small_side = st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))

DEGENERATE = [(0, 9, 0, 7), (9, 9, 7, 7), (0, 0, 3, 7), (3, 7, 0, 0), (0, 0, 0, 0)]


def test_pooled_z_equals_published_standard_deviations():
    # Waisome v. Port Authority, 948 F.2d 1370 (2d Cir. 1991): 50 of 64 against 455 of 508, 2.68 standard deviations.
    assert pooled_z(50, 64, 455, 508).z[0] == pytest.approx(-2.68, abs=5e-3)
    # Titanic (R datasets), statsmodels proportions_ztest: men 367 of 1731, women 344 of 470.
    test = pooled_z(367, 1731, 344, 470)
    assert test.z[0] == pytest.approx(-21.37461476285455, rel=1e-12, abs=0)
    assert test.p[0] == pytest.approx(2.3021511783552113e-101, rel=1e-12, abs=0)


def test_pooled_z_equals_statsmodels():
    # statsmodels.stats.proportion.proportions_ztest pools without correction.
    for a, n, b, m in [
        (12, 40, 48, 80),
        (14, 24, 21, 24),
        (26, 48, 206, 259),
        (4 * 10**8, 10**9, 399_990_000, 10**9),
    ]:
        z, p = proportions_ztest([a, b], [n, m])
        test = pooled_z(a, n, b, m)
        assert test.z[0] == pytest.approx(z, rel=1e-9, abs=0)
        assert test.p[0] == pytest.approx(p, rel=1e-8, abs=0)


def test_chi_square_equals_sas():
    # SAS PROC FREQ, fat diet: chi-square 4.9597 (p 0.0259), continuity adjusted 3.1879.
    plain, corrected = chi_square(11, 15, 2, 8, yates=False), chi_square(11, 15, 2, 8, yates=True)
    assert plain.statistic[0] == pytest.approx(4.9597, abs=5e-5)
    assert plain.p[0] == pytest.approx(0.0259, abs=5e-5)
    assert corrected.statistic[0] == pytest.approx(3.1879, abs=5e-5)


def test_chi_square_with_yates_equals_bickel_1975():
    # Bickel, Hammel and O'Connell (1975), Science 187, 398-404: chi-square 110.8, which is the corrected one.
    assert chi_square(1494, 4321, 3738, 8442, yates=True).statistic[0] == pytest.approx(110.8, abs=0.05)


@given(group=small_side, reference=small_side, yates=st.booleans())
@settings(deadline=None)
def test_chi_square_equals_scipy(group, reference, yates):
    (a, n), (b, m) = group, reference
    found = chi_square(a, n, b, m, yates=yates)
    if 0 < a + b < n + m and n and m:
        # scipy.stats.chi2_contingency caps Yates's correction at |O - E|.
        other = chi2_contingency([[a, n - a], [b, m - b]], correction=yates)
        assert found.statistic[0] == pytest.approx(other.statistic, rel=1e-11, abs=1e-11)
        assert found.p[0] == pytest.approx(other.pvalue, rel=1e-9, abs=1e-300)
    else:
        assert (found.statistic[0], found.p[0], found.log10_p[0]) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("table", DEGENERATE)
def test_without_variation_p_is_one(table):
    z = pooled_z(*table)
    assert (z.z[0], z.p[0], z.log10_p[0]) == (0.0, 1.0, 0.0)


@given(group=side, reference=side)
@settings(deadline=None)
def test_laws_of_pairs(group, reference):
    there, back = pooled_z(*group, *reference), pooled_z(*reference, *group)
    assert there.z[0] == -back.z[0]
    assert there.p[0] == back.p[0]
    assert 0 <= there.p[0] <= 1
    plain, corrected = (chi_square(*group, *reference, yates=yates) for yates in (False, True))
    assert plain.statistic[0] == pytest.approx(there.z[0] ** 2, rel=1e-12, abs=0)
    assert plain.p[0] == there.p[0]
    assert corrected.p[0] >= plain.p[0]
    assert corrected.p[0] == chi_square(*reference, *group, yates=True).p[0]


def test_omnibus_equals_dawson_1995():
    # Dawson (1995), J. Statistics Education 3(3), Titanic survival by class: chi-square 190.4 on 3 df.
    found = omnibus_chi_square([203, 118, 178, 212], [325, 285, 706, 885])
    assert found.statistic == pytest.approx(190.4, abs=0.05)
    assert found.df == 3


@given(groups=st.lists(small_side, min_size=3, max_size=8))
@settings(deadline=None)
def test_omnibus_equals_scipy(groups):
    a, n = np.array(groups).T
    found = omnibus_chi_square(a, n)
    kept = n > 0
    if kept.sum() < 2:
        assert found is None
    elif 0 < a.sum() < n.sum():
        # scipy.stats.chi2_contingency: Yates with one degree of freedom only.
        other = chi2_contingency(np.array([a, n - a])[:, kept])
        assert found.df == other.dof
        assert found.statistic == pytest.approx(other.statistic, rel=1e-11, abs=1e-11)
        assert found.p == pytest.approx(other.pvalue, rel=1e-9, abs=0)
    else:
        assert (found.statistic, found.p, found.log10_p) == (0.0, 1.0, 0.0)


@given(groups=st.lists(side, min_size=2, max_size=8), data=st.data())
@settings(deadline=None)
def test_the_order_of_groups_changes_no_digit(groups, data):
    shuffled = data.draw(st.permutations(groups))
    assert omnibus_chi_square(*np.array(groups).T) == omnibus_chi_square(*np.array(shuffled).T)


def test_with_two_groups_the_omnibus_is_the_pair():
    both, pair = omnibus_chi_square([11, 2], [15, 8]), chi_square(11, 15, 2, 8, yates=True)
    assert (both.statistic, both.p, both.log10_p) == (pair.statistic[0], pair.p[0], pair.log10_p[0])
    assert omnibus_chi_square([11, 2, 0], [15, 8, 0]) == both


def test_fewer_than_two_groups_have_no_omnibus():
    assert omnibus_chi_square([], []) is None
    assert omnibus_chi_square([3], [4]) is None
    assert omnibus_chi_square([3, 0], [4, 0]) is None


@pytest.mark.parametrize("z", [0.5, 6.0, 37.0, 39.0, 1234.5, 31622.0])
def test_normal_logs_equal_mpmath(z):
    # mpmath.erfc with 40 digits.
    with mpmath.workdps(40):
        wanted = mpmath.log10(mpmath.erfc(mpmath.mpf(z) / mpmath.sqrt(2)))
    p, log10_p = normal_two_sided(np.array([z, -z]))
    assert log10_p == pytest.approx([float(wanted)] * 2, rel=1e-13, abs=1e-14)
    assert p == pytest.approx([float(mpmath.mpf(10) ** wanted)] * 2, rel=1e-11, abs=1e-308)


@pytest.mark.parametrize("df", [1, 2, 3, 10, 999])
@pytest.mark.parametrize("statistic", [0.5, 30.0, 1300.0, 1400.0, 1480.0, 5000.0, 1e6, 1e9])
def test_chi_square_logs_equal_mpmath(statistic, df):
    # The regularised upper incomplete gamma function by mpmath with 40 digits.
    with mpmath.workdps(40):
        tail = mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(statistic) / 2, regularized=True)
        wanted = float(mpmath.log10(tail))
    p, log10_p = chi_square_tail(statistic, df)
    assert log10_p == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert p == pytest.approx(float(tail), rel=1e-10, abs=1e-290)
    assert math.isfinite(log10_p)


def test_a_tail_below_the_smallest_float_keeps_its_logarithm():
    test = pooled_z(4 * 10**8, 10**9, 6 * 10**8, 10**9)
    assert test.p[0] == 0.0
    # z is 0.2 / sqrt(0.5 * 0.5 * 2 / 1e9); log10 of twice its tail by mpmath.
    with mpmath.workdps(40):
        z = mpmath.mpf("0.2") / mpmath.sqrt(mpmath.mpf("0.5e-9"))
        wanted = float(mpmath.log10(mpmath.erfc(z / mpmath.sqrt(2))))
    assert test.log10_p[0] == pytest.approx(wanted, rel=1e-13, abs=0)
