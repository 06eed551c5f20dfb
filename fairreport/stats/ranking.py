"""How the values of two samples rank: pairs won, the area under the curve, its errors and its test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fairreport.stats.distance import ks_distance
from fairreport.stats.moments import SAME
from fairreport.stats.proportion import IntArray
from fairreport.stats.sample import SortedSample
from fairreport.stats.significance import normal_two_sided

__all__ = [
    "AucTest",
    "Dominance",
    "auc",
    "cliffs_delta",
    "delong_se",
    "dominance",
    "dominance_with_error",
    "hanley_mcneil_se",
    "hanley_mcneil_test",
    "ks_distance",
    "probability_of_superiority",
]

# Pairs below this many can be counted in 64-bit integers, twice over.
MOST_PAIRS = 1 << 61


@dataclass(frozen=True, slots=True, kw_only=True)
class Dominance:
    """Pairs of one value of a first and one of a second sample, counted exactly.

    Attributes
    ----------
    greater, equal, less : int
        Pairs in which the first value is above, equal to, below the second.
    """

    greater: int
    equal: int
    less: int


class AucTest(NamedTuple):
    """A z test that two areas under the curve are equal, two-sided.

    Attributes
    ----------
    z : float or None
        Statistic, positive where the first area is larger; None where both standard errors are 0.
    p, log10_p : float
        Two-sided p-value and its decimal logarithm; the logarithm is None where both standard errors are 0.
    """

    z: float | None
    p: float
    log10_p: float | None


def dominance(first: SortedSample, second: SortedSample) -> Dominance:
    """Return how many pairs of a first and a second value are greater, equal and less.

    Parameters
    ----------
    first, second : SortedSample
        The two samples.

    Returns
    -------
    Dominance
        Exact at any size; the three counts add up to ``first.n * second.n``.

    References
    ----------
    Mann and Whitney (1947), Annals of Mathematical Statistics 18, 50-60.

    Examples
    --------
    >>> dominance(SortedSample([1.0, 2.0, 3.0]), SortedSample([2.0, 2.0]))
    Dominance(greater=2, equal=2, less=2)
    """
    if first.values.size > second.values.size:
        mirrored = dominance(second, first)
        return Dominance(greater=mirrored.less, equal=mirrored.equal, less=mirrored.greater)
    pairs, greater, equal = first.n * second.n, 0, 0
    for counts, below, ties in _placements(first, second):
        greater += _dot(counts, below, pairs)
        equal += _dot(counts, ties, pairs)
    return Dominance(greater=greater, equal=equal, less=pairs - greater - equal)


def _placements(sample: SortedSample, other: SortedSample) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Yield blocks of: how often a value of the sample occurs, how many others are below, how many equal."""
    for values, counts in sample.runs():
        yield counts, *other.below_and_equal(values)


def _dot(a: IntArray, b: IntArray, bound: int) -> int:
    """Return the sum of products, which is at most `bound`, exactly."""
    return int(a @ b if bound < MOST_PAIRS else a.astype(object) @ b.astype(object))


def auc(d: Dominance) -> float | None:
    """Return the area under the receiver operating characteristic: the share of pairs won, ties one half.

    Parameters
    ----------
    d : Dominance
        Of the scores of positives against those of negatives.

    Returns
    -------
    float or None
        Between 0 and 1, from whole numbers in one division; None where a class is missing.

    References
    ----------
    Hanley and McNeil (1982), Radiology 143, 29-36.

    Examples
    --------
    >>> auc(dominance(SortedSample([0.35, 0.8]), SortedSample([0.1, 0.4])))
    0.75
    """
    pairs = d.greater + d.equal + d.less
    return (2 * d.greater + d.equal) / (2 * pairs) if pairs else None


def probability_of_superiority(d: Dominance) -> float | None:
    """Return the chance that a value of the first sample is above one of the second, ties one half.

    Parameters
    ----------
    d : Dominance
        Of the two samples.

    Returns
    -------
    float or None
        Between 0 and 1; None where a sample is empty.

    References
    ----------
    Vargha and Delaney (2000), Journal of Educational and Behavioral Statistics 25, 101-132 (their A).

    Examples
    --------
    >>> probability_of_superiority(Dominance(greater=5, equal=2, less=3))
    0.6
    """
    return auc(d)


def cliffs_delta(d: Dominance) -> float | None:
    """Return Cliff's delta: the share of pairs that are greater minus the share that are less.

    Parameters
    ----------
    d : Dominance
        Of the two samples.

    Returns
    -------
    float or None
        Between -1 and 1; None where a sample is empty.

    References
    ----------
    Cliff (1993), Psychological Bulletin 114, 494-509.

    Examples
    --------
    >>> cliffs_delta(Dominance(greater=5, equal=2, less=3))
    0.2
    """
    pairs = d.greater + d.equal + d.less
    return (d.greater - d.less) / pairs if pairs else None


def hanley_mcneil_se(auc: float, positives: int, negatives: int) -> float:
    """Return Hanley and McNeil's standard error of an area under the curve.

    Variance [A (1 - A) + (n+ - 1) (A / (2 - A) - A^2) + (n- - 1) (2 A^2 / (1 + A) - A^2)] / (n+ n-).

    Parameters
    ----------
    auc : float
        Area, 0 <= auc <= 1.
    positives, negatives : int
        Rows of the two classes, >= 1.

    Returns
    -------
    float
        At least 0, and 0 at an area of 0 or 1.

    Raises
    ------
    ValueError
        If the area is out of range or a class is missing.

    References
    ----------
    Hanley and McNeil (1982), Radiology 143, 29-36, equations 1 and 2.

    Examples
    --------
    >>> round(hanley_mcneil_se(0.8931710615280597, 51, 58), 4)
    0.0325
    """
    if not 0 <= auc <= 1 or positives < 1 or negatives < 1:
        found = f"found area {auc} of {positives} positives and {negatives} negatives"
        raise ValueError(found + "; wanted an area from 0 to 1 and both classes")
    # A (1 - A) taken out of each term: nothing cancels near 0 and 1.
    inner = 1 + (positives - 1) * (1 - auc) / (2 - auc) + (negatives - 1) * auc / (1 + auc)
    return math.sqrt(auc * (1 - auc) * inner / positives / negatives)


def hanley_mcneil_test(auc1: float, se1: float, auc2: float, se2: float) -> AucTest:
    """Return the z test that the areas of two independent groups are equal, two-sided.

    Parameters
    ----------
    auc1, se1, auc2, se2 : float
        Area and standard error of the first group, and of the second.

    Returns
    -------
    AucTest
        z = (A1 - A2) / sqrt(se1^2 + se2^2). Where both standard errors are 0 nothing is estimated: p is 1 for
        areas equal within 1e-12 and 0 for others.

    References
    ----------
    Hanley and McNeil (1983), Radiology 148, 839-843, with a correlation of 0: other rows, other group.

    Examples
    --------
    >>> z, p, log10_p = hanley_mcneil_test(0.9, 0.03, 0.8, 0.04)
    >>> round(z, 6), round(p, 6), round(log10_p, 4)
    (2.0, 0.0455, -1.342)
    """
    error = math.hypot(se1, se2)
    if not error:
        return AucTest(z=None, p=float(math.isclose(auc1, auc2, abs_tol=SAME)), log10_p=None)
    z = (auc1 - auc2) / error
    p, log10_p = normal_two_sided(np.array([z]))
    return AucTest(z=z, p=float(p[0]), log10_p=float(log10_p[0]))


def delong_se(positive: SortedSample, negative: SortedSample) -> float | None:
    """Return DeLong's standard error of the area under the curve, which assumes no distribution.

    Parameters
    ----------
    positive, negative : SortedSample
        Scores of the two classes.

    Returns
    -------
    float or None
        At least 0; None where a class has fewer than two rows.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845.

    Examples
    --------
    >>> round(delong_se(SortedSample([0.35, 0.8]), SortedSample([0.1, 0.4])), 6)
    0.353553
    """
    return dominance_with_error(positive, negative)[1]


def dominance_with_error(positive: SortedSample, negative: SortedSample) -> tuple[Dominance, float | None]:
    """Return the pairs of two classes and DeLong's standard error, for which both are looked up once.

    Parameters
    ----------
    positive, negative : SortedSample
        Scores of the two classes.

    Returns
    -------
    tuple of Dominance and (float or None)
        As of `dominance` and `delong_se`.
    """
    pairs, greater, equal = positive.n * negative.n, 0, 0
    placed: list[tuple[IntArray, IntArray]] = []
    for counts, below, ties in _placements(positive, negative):
        greater += _dot(counts, below, pairs)
        equal += _dot(counts, ties, pairs)
        placed.append((counts, 2 * below + ties))
    d = Dominance(greater=greater, equal=equal, less=pairs - greater - equal)
    if positive.n < 2 or negative.n < 2:
        return d, None
    mirrored = ((counts, 2 * below + ties) for counts, below, ties in _placements(negative, positive))
    variance_positive = _placement_variance(placed, positive.n, negative.n, 2 * d.greater + d.equal)
    variance_negative = _placement_variance(mirrored, negative.n, positive.n, 2 * d.less + d.equal)
    return d, math.sqrt(variance_positive / positive.n + variance_negative / negative.n)


def _placement_variance(placed: Iterable[tuple[IntArray, IntArray]], n: int, others: int, won: int) -> float:
    """Return the variance over a sample of the share of the others that is below; half pairs are counted."""
    pairs = n * others
    fits = pairs < MOST_PAIRS
    squares = []
    for counts, twice in placed:
        # Deviations from the mean, exact as long as they fit: near an area of 1 all digits would cancel.
        deviation = (twice * n - won) / (2 * pairs) if fits else twice / (2 * others) - won / (2 * pairs)
        squares.append(float(np.sum(counts * (deviation * deviation))))
    return math.fsum(squares) / (n - 1)
