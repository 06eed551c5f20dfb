"""Holm, Benjamini-Hochberg and Bonferroni against R and published p-values."""

import math
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from fairreport.stats.multiplicity import benjamini_hochberg, bonferroni, holm

METHODS = [holm, benjamini_hochberg, bonferroni]
NAMES = {holm: "holm", benjamini_hochberg: "fdr_bh", bonferroni: "bonferroni"}
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)

# Benjamini and Hochberg (1995), JRSS B 57, 289-300, section 4.1.
PUBLISHED = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
]  # fmt: skip
# R p.adjust(p, "holm") and p.adjust(p, "BH").
R_HOLM = [
    0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213, 1, 1, 1, 1, 1, 1,
]  # fmt: skip
R_BH = [
    0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714285714286, 0.06385714285714286, 0.0645, 0.0765, 0.486,
    0.5811818181818182, 0.714875, 0.7532307692307694, 0.8132142857142857, 1,
]  # fmt: skip


def test_equals_r_in_the_order_of_the_input():
    order = np.random.default_rng(1).permutation(15)
    shuffled = np.array(PUBLISHED)[order]
    np.testing.assert_allclose(holm(shuffled).p, np.array(R_HOLM)[order], rtol=1e-12)
    np.testing.assert_allclose(benjamini_hochberg(shuffled).p, np.array(R_BH)[order], rtol=1e-12)


def test_rejections_equal_benjamini_and_hochberg_1995():
    # "the Bonferroni approach ... rejects the three", "the FDR controlling procedure ... the four".
    assert np.sum(bonferroni(PUBLISHED).p <= 0.05) == 3
    assert np.sum(holm(PUBLISHED).p <= 0.05) == 3
    assert np.sum(benjamini_hochberg(PUBLISHED).p <= 0.05) == 4


@pytest.mark.parametrize("method", METHODS)
@given(p=p_values)
@settings(deadline=None)
def test_equals_statsmodels(method, p):
    # statsmodels.stats.multitest.multipletests; for Holm it takes up to a second to collect garbage first.
    with patch("gc.collect"):
        wanted = multipletests(p, method=NAMES[method])[1]
    np.testing.assert_allclose(method(p).p, wanted, rtol=1e-12, atol=1e-299)


@pytest.mark.parametrize("method", METHODS)
@given(p=p_values, data=st.data())
@settings(deadline=None)
def test_laws(method, p, data):
    found = method(p)
    assert np.all(found.p >= p)
    assert np.all(found.p <= 1)
    assert np.all(found.log10_p <= 0)
    order = data.draw(st.permutations(range(len(p))))
    shuffled = method([p[i] for i in order])
    np.testing.assert_array_equal(shuffled.p, found.p[order])
    np.testing.assert_array_equal(shuffled.log10_p, found.log10_p[order])
    normal = found.p > 1e-290
    np.testing.assert_allclose(10 ** found.log10_p[normal], found.p[normal], rtol=1e-9)
    # A smaller p-value never has the larger adjusted one.
    ranked = np.argsort(p)
    assert np.all(np.diff(found.p[ranked]) >= 0)


@pytest.mark.parametrize("method", METHODS)
def test_undefined_tests_are_outside_the_family(method):
    with_gaps, without = method([0.01, math.nan, 0.04, math.nan, 0.03]), method([0.01, 0.04, 0.03])
    np.testing.assert_array_equal(with_gaps.p[[0, 2, 4]], without.p)
    assert np.isnan(with_gaps.p[[1, 3]]).all()
    assert np.isnan(with_gaps.log10_p[[1, 3]]).all()


@pytest.mark.parametrize("method", METHODS)
def test_empty_and_undefined_families(method):
    assert method([]).p.size == 0
    assert np.isnan(method([math.nan]).p).all()
    assert method([0.2]).p.tolist() == [0.2]


def test_logarithms_below_the_smallest_float():
    # Holm: 3 p1, 2 p2, 1 p3 with p = 1e-900, 1e-400, 1e-3; BH: 3/1, 3/2, 3/3.
    p, log10_p = [0.0, 1e-3, 0.0], [-400.0, -3.0, -900.0]
    step_down, step_up = holm(p, log10_p), benjamini_hochberg(p, log10_p)
    wanted = [-400 + math.log10(2), -3, -900 + math.log10(3)]
    np.testing.assert_allclose(step_down.log10_p, wanted, rtol=1e-15)
    np.testing.assert_allclose(step_up.log10_p, [-400 + math.log10(1.5), -3, -900 + math.log10(3)], rtol=1e-15)
    np.testing.assert_allclose(bonferroni(p, log10_p).log10_p, np.array(log10_p) + math.log10(3), rtol=1e-15)
    assert step_down.p.tolist() == [0.0, 1e-3, 0.0]


def test_a_subnormal_p_is_taken_from_its_logarithm():
    # 2e-323 is held as 1.98e-323; a thousand times the true value is 2e-320.
    p = np.full(1000, 0.5)
    p[0] = 2e-323
    logs = np.log10(p)
    logs[0] = math.log10(2) - 323
    found = bonferroni(p, logs)
    assert found.log10_p[0] == pytest.approx(math.log10(2) - 320, rel=1e-14, abs=0)
    assert found.p[0] == pytest.approx(2e-320, rel=1e-3, abs=0)


def test_zero_without_a_logarithm_stays_zero():
    found = holm([0.0, 0.5])
    assert found.p.tolist() == [0.0, 0.5]
    assert found.log10_p[0] == -math.inf


@pytest.mark.parametrize("p", [[1.5], [-0.1], [0.2, 2.0]])
def test_what_is_no_p_value_is_refused(p):
    with pytest.raises(ValueError, match=r"outside 0\.\.1"):
        holm(p)


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="one row each"):
        holm([0.1, 0.2], [-1.0])
    with pytest.raises(ValueError, match="one row each"):
        holm(0.1)
