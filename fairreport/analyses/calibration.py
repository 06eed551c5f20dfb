"""Calibration by group: the expected calibration error, beside what a perfectly calibrated model would show."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.tables.gap_tally import CalibrationBin, GapTally

DRAWS = 1000

Bin = tuple[int, int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationError:
    """The expected calibration error of one group; it never gates.

    Attributes
    ----------
    label : str
        The group, such as ``sex=female`` or ``sex=female,age_band=over_60``.
    n, missing : int
        Cases with a probability, and without one.
    ece : float or None
        Sum over bins of (bin n / n) times the distance of mean label and mean probability; None without cases.
    noise_mean, noise_p95 : float or None
        Mean and 95th percentile of the same when labels are drawn from the stated probabilities (the mean
        probability of each bin), 1,000 times with a seed made from the content.
    """

    label: str
    n: int
    missing: int
    ece: float | None
    noise_mean: float | None
    noise_p95: float | None


def calibration_errors(test: RateGaps, tally: GapTally) -> tuple[CalibrationError, ...] | None:
    """Return the calibration error of every declared group and crossing; None without a probability column.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), AAAI Conference on Artificial Intelligence, 2901-2907.
    """
    if test.probability is None:
        return None
    found = []
    for names in [*((name,) for name in tally.attributes), *test.intersections]:
        places = [tally.attributes.index(name) for name in names]
        for levels in product(*(tally.declared[place] for place in places)):
            label = ",".join(f"{name}={level}" for name, level in zip(names, levels, strict=True))
            mine = [b for b in tally.bins if all(b.levels[p] == level for p, level in zip(places, levels, strict=True))]
            cases = sum(c.n for c in tally.cells if all(c.levels[p] == v for p, v in zip(places, levels, strict=True)))
            found.append(_error(label, _merged(mine), cases))
    return tuple(found)


def _merged(bins: Sequence[CalibrationBin]) -> list[Bin]:
    by_place: dict[int, list[CalibrationBin]] = {}
    for item in bins:
        by_place.setdefault(item.bin, []).append(item)
    return [
        (sum(b.n for b in same), sum(b.positives for b in same), math.fsum(b.probability_sum for b in same))
        for _, same in sorted(by_place.items())
    ]


def _error(label: str, bins: Sequence[Bin], cases: int) -> CalibrationError:
    n = sum(count for count, _, _ in bins)
    if not n:
        return CalibrationError(label=label, n=0, missing=cases, ece=None, noise_mean=None, noise_p95=None)
    ece = math.fsum(abs(positives - total) for _, positives, total in bins) / n
    seed = int.from_bytes(hashlib.sha256(repr((label, bins)).encode()).digest()[:8], "big")
    counts = np.array([count for count, _, _ in bins])
    sums = np.array([total for _, _, total in bins])
    drawn = np.random.default_rng(seed).binomial(counts, np.clip(sums / counts, 0, 1), size=(DRAWS, len(bins)))
    noise = np.sort(np.abs(drawn - sums).sum(axis=1) / n)
    return CalibrationError(
        label=label,
        n=n,
        missing=cases - n,
        ece=ece,
        noise_mean=float(noise.mean()),
        noise_p95=float(np.quantile(noise, 0.95)),
    )
