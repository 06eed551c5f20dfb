"""Every pair of groups of a rule on rate gaps: kept as two arrays, a record each where one is asked for.

A thousand groups are half a million pairs, of which twenty are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupGap:
    """Two groups: bounds of the difference a - b, and of its size."""

    a: str
    b: str
    diff_lower: float
    diff_upper: float
    gap_lower: float
    gap_upper: float


class GroupGaps(Sequence[GroupGap]):
    """The gaps of all pairs of groups, in the order of the groups.

    Parameters
    ----------
    labels : sequence of str
        The groups.
    a, b : ndarray of int, shape (pairs,)
        Positions of the two groups of each pair.
    low, high : ndarray of float, shape (pairs,)
        Bounds of each difference a - b.
    """

    __slots__ = ("_a", "_b", "_high", "_labels", "_low", "gap_lower", "gap_upper")

    def __init__(self, labels: Sequence[str], a: Places, b: Places, low: FloatArray, high: FloatArray) -> None:
        self._labels, self._a, self._b, self._low, self._high = tuple(labels), a, b, low, high
        self.gap_lower: FloatArray = np.maximum(0.0, np.maximum(low, -high))
        self.gap_upper: FloatArray = np.maximum(high, -low)

    def __len__(self) -> int:
        return len(self._a)

    @overload
    def __getitem__(self, place: int) -> GroupGap: ...
    @overload
    def __getitem__(self, place: slice) -> list[GroupGap]: ...
    def __getitem__(self, place: int | slice) -> GroupGap | list[GroupGap]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        return self._record(int(self._a[place]), int(self._b[place]), float(self._low[place]), float(self._high[place]))

    def __iter__(self) -> Iterator[GroupGap]:
        rows = zip(self._a.tolist(), self._b.tolist(), self._low.tolist(), self._high.tolist(), strict=True)
        return (self._record(*row) for row in rows)

    def _record(self, a: int, b: int, low: float, high: float) -> GroupGap:
        return GroupGap(
            a=self._labels[a],
            b=self._labels[b],
            diff_lower=low,
            diff_upper=high,
            gap_lower=max(0.0, low, -high),
            gap_upper=max(high, -low),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupGaps):
            return NotImplemented
        return self._labels == other._labels and all(
            np.array_equal(mine, theirs)
            for mine, theirs in ((self._low, other._low), (self._high, other._high), (self._a, other._a))
        )

    def __hash__(self) -> int:
        return hash((self._labels, self._low.tobytes(), self._high.tobytes()))

    def __repr__(self) -> str:
        return f"<GroupGaps of {len(self._labels)} groups, {len(self)} pairs>"

    @property
    def differences(self) -> tuple[FloatArray, FloatArray]:
        """Both ends of every difference a - b."""
        return self._low, self._high

    def widest(self, n: int, *, surely: bool) -> list[int]:
        """Return the places of the widest gaps, the widest first; of equal ones in the order of the groups.

        Parameters
        ----------
        n : int
            So many at most.
        surely : bool
            Whether the lower end goes first, and not the upper one.
        """
        first, second = (self.gap_lower, self.gap_upper) if surely else (self.gap_upper, self.gap_lower)
        n = min(n, len(self))
        least = np.partition(first, len(self) - n)[len(self) - n]
        among = np.flatnonzero(first >= least)
        if len(among) > n:
            tied = first[among] == least
            over = n - int(np.count_nonzero(~tied))
            rest = second[among[tied]]
            bar = np.partition(rest, len(rest) - over)[len(rest) - over]
            among = among[~tied | (second[among] >= bar)]
        order = np.lexsort((among, -second[among], -first[among]))
        return [int(place) for place in among[order][:n]]
