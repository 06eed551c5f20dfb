"""Groups whose rows can be asked for order statistics: sorted in memory, or paged where there are too many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from fairreport.stats.quantiles import order_statistic_interval, pooled_quantile
from fairreport.stats.sample import SortedSample

Label = tuple[str, ...]


class OrderedGroups(Protocol):
    """What the tallies of medians and quantiles ask."""

    labels: tuple[Label, ...]

    def settle(self, wanted: Iterable[tuple[Sequence[Label], int]], *, at: Sequence[float] = ()) -> None:
        """Make sure that order statistics (groups together, 0-based rank) and counts below `at` can be answered."""

    def total(self, label: Label) -> int:
        """Return the rows of a group."""

    def order_statistic(self, labels: Sequence[Label], rank: int) -> float:
        """Return the value at a 0-based rank among the rows of some groups taken together."""

    def quantile(self, labels: Sequence[Label], q: float) -> float:
        """Return a quantile (type 7) of some groups taken together."""

    def count_above(self, label: Label, x: float) -> int:
        """Return how many rows of a group are strictly above a value."""

    def count_below(self, label: Label, x: float) -> int:
        """Return how many rows of a group are strictly below a value."""

    def histogram(self, label: Label, edges: Sequence[float]) -> tuple[int, ...]:
        """Return the rows of a group between edges, the last interval closed."""


class SortedGroups:
    """Groups whose rows are in memory, sorted."""

    def __init__(self, samples: Mapping[Label, SortedSample]) -> None:
        self.samples = samples
        self.labels = tuple(samples)

    def settle(self, wanted: Iterable[tuple[Sequence[Label], int]], *, at: Sequence[float] = ()) -> None:
        """Do nothing: every order statistic is at hand."""

    def total(self, label: Label) -> int:
        """Return the rows of a group."""
        return self.samples[label].n

    def order_statistic(self, labels: Sequence[Label], rank: int) -> float:
        """Return the value at a 0-based rank of one group.

        Raises
        ------
        ValueError
            If more than one group is named.
        """
        (label,) = labels
        return self.samples[label].order_statistic(rank)

    def quantile(self, labels: Sequence[Label], q: float) -> float:
        """Return a quantile (type 7) of some groups taken together."""
        return pooled_quantile([self.samples[label] for label in labels], q)

    def count_above(self, label: Label, x: float) -> int:
        """Return how many rows of a group are strictly above a value."""
        return self.samples[label].count_above(x)

    def count_below(self, label: Label, x: float) -> int:
        """Return how many rows of a group are strictly below a value."""
        return self.samples[label].count_below(x)

    def histogram(self, label: Label, edges: Sequence[float]) -> tuple[int, ...]:
        """Return the rows of a group between edges, the last interval closed."""
        sample = self.samples[label]
        below = [0, *(sample.count_below(edge) for edge in edges[1:-1]), sample.n]
        return tuple(np.diff(below).tolist())


def bounds(groups: OrderedGroups, label: Label, q: float, level: float) -> tuple[float | None, float | None]:
    """Return the order statistics that bound a quantile of a group; None where the sample has no such end."""
    low, high = order_statistic_interval(groups.total(label), q, level=level)
    return (
        None if low is None else groups.order_statistic((label,), low - 1),
        None if high is None else groups.order_statistic((label,), high - 1),
    )


def bound_ranks(n: int, q: float, level: float) -> tuple[int, ...]:
    """Return the 0-based ranks of those order statistics."""
    return tuple(rank - 1 for rank in order_statistic_interval(n, q, level=level) if rank is not None)
