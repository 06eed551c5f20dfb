"""Pairs won, the area under the curve with its errors and its test, and the distance of two samples."""

import math
import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from fairreport.stats import sample as sample_module
from fairreport.stats.quantiles import SortedSample
from fairreport.stats.ranking import (
    Dominance,
    auc,
    cliffs_delta,
    delong_se,
    dominance,
    hanley_mcneil_se,
    hanley_mcneil_test,
    ks_distance,
    probability_of_superiority,
)

# Hanley and McNeil (1982), Table I: ratings 1 to 5 of 51 abnormal and 58 normal CT images.
ABNORMAL = SortedSample([1, 2, 3, 4, 5], weights=[3, 2, 2, 11, 33])
NORMAL = SortedSample([1, 2, 3, 4, 5], weights=[33, 6, 6, 11, 2])

scores = st.one_of(st.integers(-4, 4).map(float), st.floats(-1e9, 1e9))
samples = st.lists(scores, min_size=1, max_size=25)
pairs = st.lists(st.tuples(scores, st.integers(1, 5)), min_size=1, max_size=12)


def from_pairs(weighted):
    return SortedSample(*zip(*weighted, strict=True))


def repeated(weighted):
    return SortedSample(np.repeat(*zip(*weighted, strict=True)))


def test_ct_images_equal_hanley_mcneil_1982():
    # Hanley and McNeil (1982), Table II: area 0.893, standard error 0.032. R pROC 1.18.0: var() 0.03072440838 squared,
    # 95 % interval 0.8330 to 0.9534.
    area = auc(dominance(ABNORMAL, NORMAL))
    assert area == pytest.approx(0.8931710615280597, rel=1e-15)
    assert hanley_mcneil_se(area, 51, 58) == pytest.approx(0.032, abs=5e-4)
    assert hanley_mcneil_se(area, 51, 58) == pytest.approx(0.03248657960734211, rel=1e-12)
    error = delong_se(ABNORMAL, NORMAL)
    assert error == pytest.approx(0.03072440838, abs=5e-12)
    assert area - 1.959964 * error == pytest.approx(0.8330, abs=5e-5)
    assert area + 1.959964 * error == pytest.approx(0.9534, abs=5e-5)


@settings(deadline=None)
@given(positive=samples, negative=samples)
def test_area_equals_scikit_learn(positive, negative):
    # sklearn.metrics.roc_auc_score.
    labels = [1] * len(positive) + [0] * len(negative)
    expected = roc_auc_score(labels, positive + negative)
    assert auc(dominance(SortedSample(positive), SortedSample(negative))) == pytest.approx(expected, abs=1e-14)


def test_pairs_equal_scipy_over_several_blocks(monkeypatch):
    # scipy.stats.mannwhitneyu, whose U is the pairs that are greater plus half of the equal ones.
    rng = np.random.default_rng(0)
    for first, second in [
        (rng.normal(size=3000), rng.normal(0.2, size=2500)),
        (rng.integers(0, 30, 2000), rng.integers(5, 50, 4000)),
        (np.full(900, 2.0), rng.integers(0, 4, 1000)),
    ]:
        expected = stats.mannwhitneyu(first, second).statistic
        for block in (64, 1 << 14):
            monkeypatch.setattr(sample_module, "BLOCK", block)
            d = dominance(SortedSample(first), SortedSample(second))
            assert d.greater + d.equal / 2 == expected
            assert d.equal == sum(int((second == x).sum()) for x in first)


@settings(deadline=None)
@given(first=pairs, second=pairs)
def test_weights_are_repetitions(first, second):
    a, b, plain_a, plain_b = from_pairs(first), from_pairs(second), repeated(first), repeated(second)
    assert dominance(a, b) == dominance(plain_a, plain_b) == dominance(a, plain_b)
    assert ks_distance(a, b) == ks_distance(plain_a, plain_b)
    if min(a.n, b.n) > 1:
        assert delong_se(a, b) == pytest.approx(delong_se(plain_a, plain_b), rel=1e-12, abs=0)


@settings(deadline=None)
@given(first=samples, second=samples)
def test_swapped_samples_mirror(first, second):
    a, b = SortedSample(first), SortedSample(second)
    d, swapped = dominance(a, b), dominance(b, a)
    assert (d.greater, d.equal, d.less) == (swapped.less, swapped.equal, swapped.greater)
    assert d.greater + d.equal + d.less == len(first) * len(second)
    assert auc(d) == pytest.approx(1 - auc(swapped), abs=1e-15)
    assert cliffs_delta(d) == -cliffs_delta(swapped)
    assert cliffs_delta(d) == pytest.approx(2 * probability_of_superiority(d) - 1, abs=1e-15)
    assert ks_distance(a, b) == ks_distance(b, a)
    # The distribution functions differ by at most the distance, at each value and just below it.
    assert abs(cliffs_delta(d)) <= 2 * ks_distance(a, b) + 1e-12
    if min(len(first), len(second)) > 1:
        assert delong_se(a, b) == pytest.approx(delong_se(b, a), rel=1e-12)


def test_counts_past_64_bits_are_exact():
    # The same by Python's whole numbers.
    weights_a, weights_b = [2**57 + 1, 5, 2**56 + 3], [7, 2**58 + 9]
    d = dominance(SortedSample([1, 2, 3], weights_a), SortedSample([2, 3], weights_b))
    greater, equal = weights_a[2] * 7, weights_a[1] * 7 + weights_a[2] * weights_b[1]
    assert (d.greater, d.equal) == (greater, equal)
    assert d.less == sum(weights_a) * sum(weights_b) - greater - equal
    assert auc(d) == float(Fraction(2 * greater + equal, 2 * sum(weights_a) * sum(weights_b)))


def test_one_rounding_where_products_pass_2_to_the_53():
    # 2^53 + 1 is no float: rounding before dividing would give 0.75.
    d = Dominance(greater=2**53 + 1, equal=0, less=(2**53 + 1) // 3)
    assert auc(d) == float(Fraction(d.greater, d.greater + d.less))


def test_no_pairs_no_answer():
    d = dominance(SortedSample([]), SortedSample([1.0]))
    assert d == Dominance(greater=0, equal=0, less=0)
    assert (auc(d), probability_of_superiority(d), cliffs_delta(d)) == (None, None, None)
    with pytest.raises(ValueError, match="at least one each"):
        ks_distance(SortedSample([]), SortedSample([1.0]))


def test_cliffs_delta_equals_effsize():
    # R effsize, example of cliff.delta: delta estimate -0.25 (small); and VD.A = (delta + 1) / 2.
    treatment = SortedSample([10, 10, 20, 20, 20, 30, 30, 30, 40, 50])
    control = SortedSample([10, 20, 30, 40, 40, 50])
    d = dominance(treatment, control)
    assert cliffs_delta(d) == -0.25
    assert probability_of_superiority(d) == 0.375


@settings(deadline=None)
@given(first=samples, second=samples)
def test_distance_equals_scipy(first, second):
    # scipy.stats.ks_2samp.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # scipy warns of its p-value, which is not looked at
        expected = stats.ks_2samp(first, second).statistic
    assert ks_distance(SortedSample(first), SortedSample(second)) == pytest.approx(expected, abs=1e-15)


def test_distance_over_several_blocks_equals_scipy(monkeypatch):
    # scipy.stats.ks_2samp.
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=900), rng.normal(0.3, 1.2, size=1100)
    monkeypatch.setattr(sample_module, "BLOCK", 32)
    expected = stats.ks_2samp(first, second, method="asymp").statistic
    assert ks_distance(SortedSample(first), SortedSample(second)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("area", ["0.5", "0.893", "0.0001", "0.999999999", "1e-12"])
@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (51, 58), (10**7, 3), (10**6, 10**9)])
def test_hanley_mcneil_equals_its_formula(area, positives, negatives):
    # The published formula by mpmath with 50 digits.
    with mpmath.workdps(50):
        a = mpmath.mpf(float(area))
        q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
        variance = a * (1 - a) + (positives - 1) * (q1 - a**2) + (negatives - 1) * (q2 - a**2)
        expected = float(mpmath.sqrt(variance / (positives * negatives)))
    assert hanley_mcneil_se(float(area), positives, negatives) == pytest.approx(expected, rel=1e-14)


def test_hanley_mcneil_of_perfect_areas_and_of_none():
    assert hanley_mcneil_se(1.0, 5, 6) == hanley_mcneil_se(0.0, 5, 6) == 0.0
    for arguments in [(1.1, 5, 6), (-0.1, 5, 6), (math.nan, 5, 6), (0.5, 0, 6), (0.5, 5, 0)]:
        with pytest.raises(ValueError, match="both classes"):
            hanley_mcneil_se(*arguments)


def test_z_equals_normal_tables():
    # Standard normal tables: 1.96 two-sided 0.0500, 2.576 two-sided 0.0100.
    z, p, log10_p = hanley_mcneil_test(0.696, 0.06, 0.5, 0.08)
    assert (z, p) == (pytest.approx(1.96), pytest.approx(0.05, abs=5e-6))
    assert log10_p == pytest.approx(math.log10(p))
    assert hanley_mcneil_test(0.5, 0.03, 0.5 + 0.2576 / 2, 0.04).p == pytest.approx(0.01, abs=5e-6)
    assert hanley_mcneil_test(0.5, 0.03, 0.6, 0.0).z == pytest.approx(-10 / 3)
    # mpmath: log10(erfc(40 / sqrt(2))) = -349.135746...
    assert hanley_mcneil_test(0.9, 0.01, 0.5, 0.0).log10_p == pytest.approx(
        float(mpmath.log10(mpmath.erfc(40 / mpmath.sqrt(2)))), rel=1e-12
    )


@pytest.mark.parametrize(("first", "second", "p"), [(1.0, 1.0, 1.0), (0.0, 1.0, 0.0), (1.0, 1.0 - 1e-15, 1.0)])
def test_z_without_errors_estimates_nothing(first, second, p):
    assert hanley_mcneil_test(first, 0.0, second, 0.0) == (None, p, None)


def delong_by_definition(positive, negative):
    """Return DeLong's variance, each placement by its definition, in exact fractions."""

    def placements(sample, other):
        return [Fraction(sum((x > y) * 2 + (x == y) for y in other), 2 * len(other)) for x in sample]

    def variance(shares):
        mean = sum(shares) / len(shares)
        return sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)

    return variance(placements(positive, negative)) / len(positive) + variance(placements(negative, positive)) / len(
        negative
    )


@settings(deadline=None)
@given(positive=st.lists(scores, min_size=2, max_size=15), negative=st.lists(scores, min_size=2, max_size=15))
def test_delong_equals_its_definition(positive, negative):
    expected = math.sqrt(delong_by_definition(positive, negative))
    assert delong_se(SortedSample(positive), SortedSample(negative)) == pytest.approx(expected, rel=1e-13)


def test_delong_keeps_its_digits_near_an_area_of_one_and_past_64_bits():
    # One of n positives ties with one of n negatives, all other pairs are won. By hand, with n rows a class: the
    # placements of a class are 1 but for one of 1 - 1/(2n), their variance 1/(4 n^3), the sum over both 1/(2 n^4).
    for n in (10**3, 10**9, 10**10):
        positive, negative = SortedSample([1, 2], weights=[1, n - 1]), SortedSample([0, 1], weights=[n - 1, 1])
        assert delong_se(positive, negative) == pytest.approx(math.sqrt(0.5) / n / n, rel=1e-6 if n > 10**9 else 1e-13)


def test_delong_of_perfect_areas_and_of_single_rows():
    assert delong_se(SortedSample([3.0, 4.0]), SortedSample([1.0, 2.0])) == 0.0
    assert delong_se(SortedSample([3.0]), SortedSample([1.0, 2.0])) is None
    assert delong_se(SortedSample([3.0, 4.0]), SortedSample([1.0])) is None
