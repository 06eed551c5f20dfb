"""Order statistics of more rows than should be in memory: counted in narrow pages, few pages fetched.

The range of the values is cut into pages of equal width. One grouping counts the rows of each group in each
page; the counts tell in which page a wanted order statistic lies. Pages that hold too many rows are cut again,
the others are fetched and sorted. The answers are exact, the same as those of a sorted array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairreport.stats.sample import interpolate, type_7_rank

Label = tuple[str, ...]
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How finely a range is cut.

    Attributes
    ----------
    pages : int
        Pages of a range.
    fetched : int
        Rows that are fetched at once; pages that hold more are cut into narrower ones first.
    """

    pages: int
    fetched: int


MANY_ROWS = Paging(pages=1 << 16, fetched=2_000_000)
"""For rows that lie near."""

FEW_ROWS = Paging(pages=1 << 10, fetched=200_000)
"""For rows that another machine holds: fewer come back, and it is asked more often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCounts:
    """Rows of each group in the pages of a range that hold any, by ascending value.

    Attributes
    ----------
    lows, highs : ndarray of float64, shape (pages,)
        Smallest and largest value in each page.
    counts : ndarray of int64, shape (pages, groups)
        Rows of each group in each page.
    """

    lows: FloatArray
    highs: FloatArray
    counts: IntArray


CountPages = Callable[[float, float, int], PageCounts]
"""From the ends of a range and a number of pages to the rows of each group in each page."""

FetchRanges = Callable[[Sequence[tuple[float, float]]], Sequence[FloatArray]]
"""From ranges of values to the values of each group that lie in any of them."""


class PagedGroups:
    """Groups of which only some order statistics are wanted.

    Parameters
    ----------
    labels : sequence of label
        The groups.
    ends : (float, float)
        Smallest and largest value.
    count : callable
        Counts rows by page.
    fetch : callable
        Fetches the values of some ranges.
    paging : Paging
        How finely the range is cut.
    """

    def __init__(
        self,
        labels: Sequence[Label],
        ends: tuple[float, float],
        count: CountPages,
        fetch: FetchRanges,
        *,
        paging: Paging = MANY_ROWS,
    ) -> None:
        self._paging = paging
        self.labels = tuple(labels)
        self._position = {label: i for i, label in enumerate(labels)}
        self._count = count
        self._fetch = fetch
        self._fetched: dict[int, list[FloatArray]] = {}
        self._turn_to(count(*ends, paging.pages))

    def _turn_to(self, pages: PageCounts) -> None:
        self._pages = pages
        zero = np.zeros((1, len(self.labels)), dtype=np.int64)
        self._before = np.concatenate([zero, np.cumsum(pages.counts, axis=0)])

    def settle(self, wanted: Iterable[tuple[Sequence[Label], int]], *, at: Sequence[float] = ()) -> None:
        """Make sure that order statistics, and counts, can be answered.

        Parameters
        ----------
        wanted : iterable of (labels, rank)
            Groups that are taken together, and a 0-based rank among their rows.
        at : sequence of float
            Values below which rows are counted.
        """
        targets = [(self._columns(labels), rank) for labels, rank in wanted]
        while True:
            needed = {self._page_of(columns, rank) for columns, rank in targets}
            needed |= {self._page_at(x) for x in at if x > self._pages.lows[0]}
            spread = sorted(page for page in needed if self._pages.lows[page] < self._pages.highs[page])
            rows = {page: int(self._pages.counts[page].sum()) for page in spread}
            if sum(rows.values()) <= self._paging.fetched or not self._cut(max(rows, key=lambda page: rows[page])):
                break
        ranges = [(float(self._pages.lows[page]), float(self._pages.highs[page])) for page in spread]
        fetched = [np.sort(values) for values in self._fetch(ranges)] if ranges else []
        self._fetched = {
            page: [values[values.searchsorted(low, "left") : values.searchsorted(high, "right")] for values in fetched]
            for page, (low, high) in zip(spread, ranges, strict=True)
        }

    def _cut(self, page: int) -> bool:
        """Put narrower pages in the place of one; tell whether that made any difference."""
        old = self._pages
        finer = self._count(float(old.lows[page]), float(old.highs[page]), self._paging.pages)
        if len(finer.lows) < 2:
            return False
        parts = [(getattr(old, f)[:page], getattr(finer, f), getattr(old, f)[page + 1 :]) for f in _FIELDS]
        lows, highs, counts = (np.concatenate(part) for part in parts)
        self._turn_to(PageCounts(lows=lows, highs=highs, counts=counts))
        return True

    def _columns(self, labels: Sequence[Label]) -> list[int]:
        return [self._position[label] for label in labels]

    def _page_of(self, columns: Sequence[int], rank: int) -> int:
        return int(np.searchsorted(self._before[:, columns].sum(axis=1), rank, "right")) - 1

    def _page_at(self, x: float) -> int:
        """Return the last page that starts at or before a value; -1 where there is none."""
        return int(np.searchsorted(self._pages.lows, x, "right")) - 1

    def total(self, label: Label) -> int:
        """Return the rows of a group."""
        return int(self._before[-1, self._position[label]])

    def order_statistic(self, labels: Sequence[Label], rank: int) -> float:
        """Return the value at a 0-based rank among the rows of some groups taken together."""
        columns = self._columns(labels)
        page = self._page_of(columns, rank)
        if self._pages.lows[page] == self._pages.highs[page]:
            return float(self._pages.lows[page]) + 0.0
        inside = np.sort(np.concatenate([self._fetched[page][column] for column in columns]))
        return float(inside[rank - int(self._before[page, columns].sum())]) + 0.0

    def quantile(self, labels: Sequence[Label], q: float) -> float:
        """Return a quantile (type 7) of some groups taken together."""
        rank = type_7_rank(sum(self.total(label) for label in labels), q)
        k = math.floor(rank)
        low = self.order_statistic(labels, k)
        return low if rank == k else interpolate(low, self.order_statistic(labels, k + 1), rank - k)

    def count_above(self, label: Label, x: float) -> int:
        """Return how many rows of a group are strictly above a value that was settled, or lies between two such."""
        return self.total(label) - self._count_until(label, x, "right")

    def count_below(self, label: Label, x: float) -> int:
        """Return how many rows of a group are strictly below such a value."""
        return self._count_until(label, x, "left")

    def _count_until(self, label: Label, x: float, side: str) -> int:
        column = self._position[label]
        page = self._page_at(x)
        if page < 0:
            return 0
        before = int(self._before[page, column])
        low, high = self._pages.lows[page], self._pages.highs[page]
        if high < x or (high == x and side == "right"):
            return int(self._before[page + 1, column])
        if (low == x and side == "left") or not self._pages.counts[page, column]:
            return before
        inside = self._fetched[page][column]
        return before + int(np.searchsorted(inside, x, "left" if side == "left" else "right"))

    def histogram(self, label: Label, edges: Sequence[float]) -> tuple[int, ...]:
        """Return the rows of a group between edges that were settled, the last interval closed."""
        below = [0, *(self.count_below(label, edge) for edge in edges[1:-1]), self.total(label)]
        return tuple(np.diff(below).tolist())


_FIELDS = ("lows", "highs", "counts")


def quantile_ranks(n: int, q: float) -> tuple[int, ...]:
    """Return the 0-based ranks that a quantile of n values is made of.

    Examples
    --------
    >>> quantile_ranks(4, 0.5), quantile_ranks(5, 0.5)
    ((1, 2), (2,))
    """
    rank = type_7_rank(n, q)
    k = math.floor(rank)
    return (k,) if rank == k else (k, k + 1)
