"""How far apart the distributions of two samples are."""

from __future__ import annotations

import numpy as np

from fairreport.stats.sample import SortedSample


def ks_distance(a: SortedSample, b: SortedSample) -> float:
    """Return the largest distance between the distribution functions of two samples (Kolmogorov-Smirnov).

    Parameters
    ----------
    a, b : SortedSample
        The two samples, not empty.

    Returns
    -------
    float
        Between 0 and 1, from whole numbers in one division.

    Raises
    ------
    ValueError
        If a sample is empty.

    References
    ----------
    Smirnov (1939), Bulletin Mathématique de l'Université de Moscou 2(2), 3-16.

    Examples
    --------
    >>> ks_distance(SortedSample([1.0, 2.0, 3.0, 4.0]), SortedSample([3.0, 4.0, 5.0, 6.0]))
    0.5
    """
    if not a.n or not b.n:
        msg = f"found samples of {a.n} and {b.n} values; wanted at least one each"
        raise ValueError(msg)
    return max(_largest_lead(a, b), _largest_lead(b, a)) / (a.n * b.n)


def _largest_lead(sample: SortedSample, other: SortedSample) -> int:
    """Return the largest F(sample) - F(other) times the number of pairs, reached at a value of the sample."""
    lead = 0
    for values, _ in sample.runs():
        own, theirs = (np.add(*side.below_and_equal(values)) for side in (sample, other))
        at = int(np.argmax(own / sample.n - theirs / other.n))
        lead = max(lead, int(own[at]) * other.n - int(theirs[at]) * sample.n)
    return lead
