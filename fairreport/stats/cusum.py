"""Whether a rate stays where a baseline had it, over many windows: a two-sided CUSUM chart of binomial counts.

For a group with x events in n cases of a window, baseline rate p and design odds ratio R, the logarithm of the
likelihood ratio of "the odds are R times those of the baseline" against "they are as in the baseline" is

    w = x log R - n log(1 - p + R p) = log R (x - k),    k = n log(1 - p + R p) / log R.

One side takes R > 1 and one 1 / R. Each sums its w, starts again at 0 where it falls below, and signals where the sum
reaches its limit. The sums are kept in events, x - k; k is rounded to 32nds of an event, so that the chart stands on
whole steps and its average run length is computed exactly (`fairreport.stats.run_length`), also for windows of
different sizes. Rounding k moves the design odds ratio a little and nothing else.

References
----------
Page, E. S. (1954). Continuous inspection schemes. Biometrika 41(1/2), 100-115.
Gan, F. F. (1993). An optimal design of CUSUM control charts for binomial counts. Journal of Applied Statistics 20(4),
445-460: the reference value k of the likelihood ratio.
Steiner, S. H., Cook, R. J., Farewell, V. T., Treasure, T. (2000). Monitoring surgical performance using risk-adjusted
cumulative sum charts. Biostatistics 1(4), 441-452: odds ratios as the alternative.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from fairreport.stats.run_length import FloatArray, Steps, average_run_lengths, smallest_limit

GRAIN = 32
"""Steps of an event."""

_LARGEST_LIMIT = 40 * GRAIN
_NEVER = 1e9
"""Windows: what lies further apart practically never happens, and has no digit that is right."""


class Turn(StrEnum):
    """Where a rate went."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a chart.

    Attributes
    ----------
    turn : Turn
        What it looks for.
    odds_ratio : float
        Above 1 for higher, below 1 for lower.
    limit : int
        Where it signals, in steps.
    average_run_length : float
        Windows between its signals while the rate stays, on average; infinite where it practically never signals.
    delay : float
        Windows until its signal once the odds have changed by `odds_ratio`, on average, from a sum of 0.
    quiet : float
        The rate at which its sum neither grows nor falls on average; between those of both sides nothing builds up.
    """

    turn: Turn
    odds_ratio: float
    limit: int
    average_run_length: float
    delay: float
    quiet: float

    @property
    def decision_interval(self) -> float:
        """The limit as a logarithm of the likelihood ratio."""
        return self.evidence(self.limit)

    def evidence(self, steps: int) -> float:
        """Return a sum of steps as a logarithm of the likelihood ratio."""
        return steps / GRAIN * abs(math.log(self.odds_ratio))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart tuned on a baseline.

    Attributes
    ----------
    baseline_hits, baseline_cases : int
        Events and cases of the baseline.
    higher, lower : Side
        Its sides.
    """

    baseline_hits: int
    baseline_cases: int
    higher: Side
    lower: Side

    @property
    def rate(self) -> float:
        """The baseline rate."""
        return self.baseline_hits / self.baseline_cases

    @property
    def average_run_length(self) -> float:
        """Windows between false alarms of both sides, on average, at least.

        ``1 / (1/a + 1/b)``, which is exact where one side stands at 0 when the other signals (van Dobben de Bruyn
        1968, Cumulative sum tests) and too small otherwise, because a signal starts both sides anew.
        """
        rates = [1 / side.average_run_length for side in (self.higher, self.lower)]
        return 1 / sum(rates) if sum(rates) > 0 else math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A chart after one window.

    Attributes
    ----------
    higher, lower : float
        The sums, as logarithms of likelihood ratios; those that signalled stand here as they were, and start at 0
        in the next window.
    signal : Turn or None
        What it signals; of both at once, the one further beyond its limit.
    since : int or None
        Where there is a signal, the position of the first window after its sum was last 0: an estimate of the window
        in which the change began.
    """

    higher: float
    lower: float
    signal: Turn | None = None
    since: int | None = None


def tune_chart(hits: Sequence[int], cases: Sequence[int], *, odds_ratio: float, run_length: float) -> Chart | None:
    """Return a chart whose false alarms lie at least `run_length` windows apart on average.

    Parameters
    ----------
    hits, cases : sequence of int
        Events and cases of each window of the baseline, 0 <= hits <= cases.
    odds_ratio : float
        The change to look for, above 1; the other side takes its inverse.
    run_length : float
        Windows, at least 1. Each side is given twice as many.

    Returns
    -------
    Chart or None
        None where the baseline has no event, or nothing but events: no odds ratio changes such a rate.

    Raises
    ------
    ValueError
        If the odds ratio is not above 1, or the run length below 1.

    Notes
    -----
    The rate of the baseline is taken as the true one, and later windows as being of the sizes that those of the
    baseline have. ``benchmarks/cusum.py`` throws charts to see what that costs. With the true rate the stated run
    length is achieved within its error (107.1 +- 0.7 windows for 107.7 stated, 100 cases at a rate of 0.4). A baseline
    of finite size misses the true rate by chance: of the two years asked for, 0.40 are left on average between false
    alarms with a baseline of 6 such windows, 0.59 with 12, 0.75 with 26 (30 cases at 0.3: 0.27, 0.44, 0.64; 300 cases
    at 0.4: 0.59, 0.85, 0.93). Windows of half the size change run lengths by factors of 0.4 (300 cases) to 1.4 (100
    cases at 0.1), since the limit is that of the sizes of the baseline.

    Examples
    --------
    >>> chart = tune_chart([15, 14, 16], [50, 50, 50], odds_ratio=2.0, run_length=104)
    >>> round(chart.rate, 2), round(chart.higher.decision_interval, 2), round(chart.higher.average_run_length)
    (0.3, 3.57, 233)
    """
    if not odds_ratio > 1 or not run_length >= 1:
        raise ValueError(f"found odds ratio {odds_ratio} and run length {run_length}; wanted above 1, and at least 1")
    total, n = sum(hits), sum(cases)
    if not 0 < total < n:
        return None
    sizes = Counter(size for size in cases if size)
    sides = [
        _tuned_side(turn, ratio, total / n, sizes, 2 * run_length)
        for turn, ratio in ((Turn.HIGHER, odds_ratio), (Turn.LOWER, 1 / odds_ratio))
    ]
    return Chart(baseline_hits=total, baseline_cases=n, higher=sides[0], lower=sides[1])


def run_chart(chart: Chart, hits: Sequence[int], cases: Sequence[int]) -> tuple[Mark, ...]:
    """Return the chart after each window; a window without cases leaves it as it stands.

    Examples
    --------
    >>> chart = tune_chart([15, 14, 16], [50, 50, 50], odds_ratio=2.0, run_length=104)
    >>> [(round(mark.higher, 1), mark.signal) for mark in run_chart(chart, [15, 26, 27], [50, 50, 50])]
    [(0.0, None), (4.9, <Turn.HIGHER: 'higher'>), (5.6, <Turn.HIGHER: 'higher'>)]
    """
    marks = []
    sums, starts = {Turn.HIGHER: 0, Turn.LOWER: 0}, {Turn.HIGHER: 0, Turn.LOWER: 0}
    for position, (x, n) in enumerate(zip(hits, cases, strict=True)):
        for side in (chart.higher, chart.lower):
            if sums[side.turn] == 0:
                starts[side.turn] = position
            sums[side.turn] = max(0, sums[side.turn] + _move(side, chart.rate, x, n))
        beyond = {side.turn: sums[side.turn] - side.limit for side in (chart.higher, chart.lower)}
        furthest = max(beyond, key=lambda turn: beyond[turn])
        signal = furthest if beyond[furthest] >= 0 else None
        marks.append(
            Mark(
                higher=chart.higher.evidence(sums[Turn.HIGHER]),
                lower=chart.lower.evidence(sums[Turn.LOWER]),
                signal=signal,
                since=None if signal is None else starts[signal],
            )
        )
        if signal is not None:
            sums = dict.fromkeys(sums, 0)
    return tuple(marks)


def reference_steps(n: int, rate: float, odds_ratio: float) -> int:
    """Return k, the events of `n` cases at which a sum stays where it is, in steps."""
    return round(GRAIN * n * _quiet_rate(rate, odds_ratio))


def moves_of(turn: Turn, odds_ratio: float, sizes: Counter[int], *, planned: float, true: float, reach: int) -> Steps:
    """Return how a side moves in windows of some sizes.

    Parameters
    ----------
    turn : Turn
        The side.
    odds_ratio : float
        Its design.
    sizes : Counter
        Cases of a window, each as often as it occurs.
    planned, true : float
        The rate that it was designed for, and the one that holds.
    reach : int
        Moves of so many steps down and more are one, and of more steps up as well.
    """
    summed = np.zeros(2 * reach + 1)
    for n, times in sizes.items():
        k = reference_steps(n, planned, odds_ratio)
        first, last = -((reach - k) // GRAIN), (reach + k) // GRAIN
        events = np.arange(first, last + 1)
        chances = _at_most(events, n, true) - _at_most(events - 1, n, true)
        if turn is Turn.HIGHER:
            moves, rest = GRAIN * events - k, _at_most(np.array([first - 1]), n, true)[0]
        else:
            moves, rest = k - GRAIN * events, _more_than(np.array([last]), n, true)[0]
        np.add.at(summed, moves + reach, times * chances)
        summed[0] += times * rest
    return Steps(lowest=-reach, probabilities=summed / sizes.total())


def _tuned_side(turn: Turn, odds_ratio: float, rate: float, sizes: Counter[int], run_length: float) -> Side:
    moves = moves_of(turn, odds_ratio, sizes, planned=rate, true=rate, reach=_LARGEST_LIMIT)
    limit = smallest_limit(moves, run_length, largest=_LARGEST_LIMIT)
    if limit is None:
        raise ValueError(f"found no limit for a run length of {run_length}; wanted fewer windows between false alarms")
    changed = odds_ratio * rate / (1 - rate + odds_ratio * rate)
    later = moves_of(turn, odds_ratio, sizes, planned=rate, true=changed, reach=limit.steps)
    return Side(
        turn=turn,
        odds_ratio=odds_ratio,
        limit=limit.steps,
        average_run_length=limit.average_run_length if limit.average_run_length < _NEVER else math.inf,
        delay=float(average_run_lengths(later, limit.steps)[-1]),
        quiet=_quiet_rate(rate, odds_ratio),
    )


def _quiet_rate(rate: float, odds_ratio: float) -> float:
    return math.log1p(rate * (odds_ratio - 1)) / math.log(odds_ratio)


def _move(side: Side, rate: float, x: int, n: int) -> int:
    above = GRAIN * x - reference_steps(n, rate, side.odds_ratio)
    return above if side.turn is Turn.HIGHER else -above


def _at_most(events: npt.NDArray[np.int64], n: int, rate: float) -> FloatArray:
    """Return the binomial probability of so many events or fewer."""
    from scipy.special import bdtr  # noqa: PLC0415 - only who asks for a chart waits for it

    found: FloatArray = bdtr(np.clip(events, 0, n).astype(np.float64), n, rate)
    return np.where(events < 0, 0.0, found)


def _more_than(events: npt.NDArray[np.int64], n: int, rate: float) -> FloatArray:
    """Return the binomial probability of more events."""
    from scipy.special import bdtrc  # noqa: PLC0415 - only who asks for a chart waits for it

    found: FloatArray = bdtrc(np.clip(events, 0, n).astype(np.float64), n, rate)
    return np.where(events < 0, 1.0, found)
