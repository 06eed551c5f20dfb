"""Rate gaps: intervals of groups and of gaps under one error budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fairreport.analyses.gap_pairs import GroupGaps, Places
from fairreport.analyses.gap_parameters import GapInterval, Rate, RateGaps
from fairreport.stats.contrast import newcombe_difference
from fairreport.stats.proportion import FloatArray, IntArray, clopper_pearson
from fairreport.tables.gap_tally import GapCell


@dataclass(frozen=True, slots=True, kw_only=True)
class GapGroup:
    """One declared group of a rule.

    Attributes
    ----------
    label : str
        Its level; the levels of a crossing joined by a bar.
    events, observed, missing : int
        Cases of the rate with an event, with a prediction, and without one.
    rate : float or None
        events / observed; None without a prediction.
    lower, upper : float
        Exact interval with missing predictions at their worst for either end.
    below_min_cell : bool
        Whether too few cases with a prediction stand behind the rate.
    """

    label: str
    events: int
    observed: int
    missing: int
    rate: float | None
    lower: float
    upper: float
    below_min_cell: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBounds:
    """Bounds of the rate of one group with every left-out case placed at its worst for either end."""

    label: str
    lower: float
    upper: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Cases of a rate in one group."""

    events: int = 0
    observed: int = 0
    missing: int = 0

    def plus(self, cell: GapCell, rate: Rate) -> Counts:
        """Return the counts with those of a cell added, as far as the rate is about it."""
        if not _is_about(cell, rate):
            return self
        if cell.prediction is None:
            return Counts(events=self.events, observed=self.observed, missing=self.missing + cell.n)
        event = cell.n if _is_event(cell, rate) else 0
        return Counts(events=self.events + event, observed=self.observed + cell.n, missing=self.missing)

    @property
    def total(self) -> int:
        """Cases with a prediction and without."""
        return self.observed + self.missing


def _is_about(cell: GapCell, rate: Rate) -> bool:
    if rate is Rate.FALSE_POSITIVE:
        return cell.label == 0
    return rate is not Rate.FALSE_NEGATIVE or cell.label == 1


def _is_event(cell: GapCell, rate: Rate) -> bool:
    if rate is Rate.SELECTION:
        return cell.prediction == 1
    return cell.prediction != cell.label


Listed = tuple[str, Counts]
"""A group and its cases."""


@lru_cache(maxsize=4)
def _pairs_of(groups: int) -> tuple[Places, Places]:
    """Return the positions of both groups of every pair."""
    a, b = np.triu_indices(groups, k=1)
    a.flags.writeable = b.flags.writeable = False
    return a, b


class Bounds:
    """Intervals of groups and gaps under one error budget.

    Parameters
    ----------
    test : RateGaps
        States the budget, and how gaps are bounded.
    groups : int
        Declared groups of the rule, empty ones included; at least two.
    """

    def __init__(self, test: RateGaps, groups: int) -> None:
        self.alpha = test.budget / groups
        self._pairwise = test.interval is GapInterval.PAIRWISE
        self._pair_level = 1 - test.budget / (groups * (groups - 1) // 2)
        self._a, self._b = _pairs_of(groups)

    def groups(self, listed: Sequence[Listed], min_cell: int) -> tuple[GapGroup, ...]:
        """Return the exact interval of every group."""
        ends = self._ends([(c.events, c.total, c.events + c.missing, c.total) for _, c in listed])
        return tuple(
            GapGroup(
                label=label,
                events=counts.events,
                observed=counts.observed,
                missing=counts.missing,
                rate=counts.events / counts.observed if counts.observed else None,
                lower=lower,
                upper=upper,
                below_min_cell=counts.observed < min_cell,
            )
            for (label, counts), (lower, upper) in zip(listed, ends, strict=True)
        )

    @property
    def is_pairwise(self) -> bool:
        """Whether gaps have intervals of their own, and do not come from those of the groups."""
        return self._pairwise

    def ends(self, counts: Sequence[Counts]) -> tuple[FloatArray, FloatArray]:
        """Return both ends of the interval of every group; see `groups`."""
        found = self._ends([(c.events, c.total, c.events + c.missing, c.total) for c in counts])
        return np.array([low for low, _ in found]), np.array([high for _, high in found])

    def _ends(self, tables: Sequence[tuple[int, int, int, int]]) -> list[tuple[float, float]]:
        """Return (lower of k in n, upper of k' in n') for each; 0 and 1 where there is no case."""
        level = 1 - self.alpha
        full = [(k, max(n, 1), up, max(top, 1)) for k, n, up, top in tables]
        below = clopper_pearson([t[0] for t in full], [t[1] for t in full], level=level)
        is_one = all(t[:2] == t[2:] for t in full)  # nothing is missing: both ends are of the same counts
        above = below if is_one else clopper_pearson([t[2] for t in full], [t[3] for t in full], level=level)
        lows, highs = below.low.tolist(), above.high.tolist()
        return [
            (low if n else 0.0, high if top else 1.0)
            for (_, n, _, top), low, high in zip(tables, lows, highs, strict=True)
        ]

    def differences(
        self, listed: Sequence[Listed], groups: Sequence[GapGroup | GroupBounds]
    ) -> tuple[FloatArray, FloatArray]:
        """Return both ends of every difference a - b, pairs in the order of the groups."""
        if not self._pairwise:
            return self._across(groups)
        events, total, most = (
            np.array(column)
            for column in zip(*((c.events, c.total, c.events + c.missing) for _, c in listed), strict=True)
        )
        return self._newcombe(events, total, most)

    def _across(self, groups: Sequence[GapGroup | GroupBounds]) -> tuple[FloatArray, FloatArray]:
        lower, upper = np.array([group.lower for group in groups]), np.array([group.upper for group in groups])
        return lower[self._a] - upper[self._b], upper[self._a] - lower[self._b]

    def _newcombe(self, events: IntArray, total: IntArray, most: IntArray) -> tuple[FloatArray, FloatArray]:
        a, b, level = self._a, self._b, self._pair_level
        low = newcombe_difference(events[a], total[a], most[b], total[b], level=level).low
        high = newcombe_difference(most[a], total[a], events[b], total[b], level=level).high
        empty = (total[a] == 0) | (total[b] == 0)
        return np.where(empty, -1.0, low), np.where(empty, 1.0, high)

    def gaps(self, labels: Sequence[str], ends: tuple[FloatArray, FloatArray]) -> GroupGaps:
        """Return every pair with the bounds of its gap."""
        return GroupGaps(labels, self._a, self._b, *ends)

    def with_left_out(
        self, listed: Sequence[Listed], outside: Counts, present: Sequence[GapGroup]
    ) -> tuple[GroupBounds, ...]:
        """Return the bounds of every group with the left-out cases placed anywhere."""
        if not outside.total:
            return tuple(GroupBounds(label=group.label, lower=group.lower, upper=group.upper) for group in present)
        quiet = outside.observed - outside.events
        ends = self._ends(
            [
                (
                    c.events,
                    c.total + quiet + outside.missing,
                    c.events + c.missing + outside.events + outside.missing,
                    c.total + outside.events + outside.missing,
                )
                for _, c in listed
            ]
        )
        return tuple(
            GroupBounds(label=label, lower=low, upper=high)
            for (label, _), (low, high) in zip(listed, ends, strict=True)
        )

    def differences_with_left_out(
        self, bounds: Sequence[GroupBounds], present: tuple[FloatArray, FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return both ends of every difference with the left-out cases placed anywhere.

        The present ends are taken in: those of a pair can be wider than those of its two groups, and more
        doubt must not narrow a bound.
        """
        low, high = self._across(bounds)
        return np.minimum(low, present[0]), np.maximum(high, present[1])
