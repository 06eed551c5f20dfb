"""The odds ratio of a 2 x 2 table given its margins: maximum likelihood, and the exact interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairreport.stats.proportion import FloatArray, count_pairs, critical_value, tail_probability

# Supports up to this length are summed whole; of longer ones the part that can matter.
WHOLE_SUPPORT = 200_000
# Standard deviations on each side of the observed table beyond which no probability is left to see.
FAR = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalOddsRatio:
    """An odds ratio given the margins.

    Attributes
    ----------
    estimate : float
        Conditional maximum likelihood; 0 or infinite where the table is the last one on its side; nan where
        the margins allow one table only.
    low, high : float
        Ends of the exact interval with equal tails; 0 and infinite in the same cases, nan with the estimate.
    """

    estimate: float
    low: float
    high: float


def conditional_odds_ratio(a: int, n: int, b: int, m: int, *, level: float) -> ConditionalOddsRatio:
    """Return the conditional estimate of the odds ratio and its exact interval.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total of the group.
    b, m : int
        Favourable outcomes and total of the reference.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    ConditionalOddsRatio
        Each end is where the tail that holds the observed table has probability (1 - level) / 2.

    References
    ----------
    Cornfield (1956), Proceedings of the Third Berkeley Symposium 4, 135-148; R ``fisher.test``, conf.int.

    Examples
    --------
    >>> found = conditional_odds_ratio(3, 4, 1, 4, level=0.95)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 2)
    (6.4083, 0.2117, 626.24)
    """
    count_pairs((a, n), (b, m))
    k = a + b
    smallest, largest = max(0, k - m), min(k, n)
    if smallest == largest:
        return ConditionalOddsRatio(estimate=math.nan, low=math.nan, high=math.nan)
    tail = tail_probability(level)
    table = _Support((a, n, b, m), smallest, largest, reach=critical_value(level) + FAR)
    low = 0.0 if a == smallest else _solve(lambda x: table.at_least(x) - tail, table.guess)
    high = math.inf if a == largest else _solve(lambda x: tail - table.at_most(x), table.guess)
    estimate = 0.0 if a == smallest else math.inf
    if smallest < a < largest:
        estimate = _solve(table.mean_offset, table.guess)
    return ConditionalOddsRatio(estimate=estimate, low=low, high=high)


class _Support:
    """The tables that the margins allow (or those near enough), weighed against the observed one."""

    def __init__(self, table: tuple[int, int, int, int], smallest: int, largest: int, *, reach: float) -> None:
        a, n, b, m = table
        cells = (a + 0.5, n - a + 0.5, b + 0.5, m - b + 0.5)
        self.guess = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
        if largest - smallest > WHOLE_SUPPORT:
            spread = 2 * reach / math.sqrt(sum(1 / cell for cell in cells)) + 100
            smallest, largest = max(smallest, math.floor(a - spread)), min(largest, math.ceil(a + spread))
        k = a + b
        self._offset = np.arange(smallest - a, largest - a + 1, dtype=np.float64)
        up = np.arange(a, largest, dtype=np.float64)
        down = np.arange(a, smallest, -1, dtype=np.float64)
        # Logarithms of the ratios of neighbouring probabilities at odds ratio 1, summed outwards.
        rising = np.log((n - up) * (k - up)) - np.log((up + 1) * (m - k + up + 1))
        falling = np.log(down * (m - k + down)) - np.log((n - down + 1) * (k - down + 1))
        self._log_weight = np.concatenate([np.cumsum(falling)[::-1], [0.0], np.cumsum(rising)])

    def _probabilities(self, log_odds: float) -> FloatArray:
        logs = self._log_weight + self._offset * log_odds
        weights: FloatArray = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    def at_least(self, log_odds: float) -> float:
        """Return the probability of the observed table and all with more favourable outcomes in the group."""
        return float(self._probabilities(log_odds)[self._offset >= 0].sum())

    def at_most(self, log_odds: float) -> float:
        """Return the probability of the observed table and all with fewer."""
        return float(self._probabilities(log_odds)[self._offset <= 0].sum())

    def mean_offset(self, log_odds: float) -> float:
        """Return the expected favourable outcomes of the group, less those observed."""
        return float((self._probabilities(log_odds) * self._offset).sum())


def _solve(rising: Callable[[float], float], guess: float) -> float:
    """Return exp of the root of a rising function of the log odds ratio."""
    step = 1.0
    low = high = guess
    while rising(low) > 0:
        low -= step
        step *= 2
    step = 1.0
    while rising(high) < 0:
        high += step
        step *= 2
    from scipy.optimize import brentq  # noqa: PLC0415 - only where odds ratios are asked for

    root = low if low == high else float(brentq(rising, low, high, xtol=1e-13, rtol=1e-14))
    return math.exp(root)
