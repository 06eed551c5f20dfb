"""Which groups are judged, which one the others are compared with, and in which order they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

Label = tuple[str, ...]


class Sized(Protocol):
    """A tally of one group: its label and its rows."""

    @property
    def group(self) -> Label:
        """One text per attribute."""

    @property
    def n(self) -> int:
        """Rows."""


def is_sufficient(n: int, evaluated: int, *, min_size: int, min_share: float) -> bool:
    """Tell whether a group has the rows to be judged; the share is decided on whole numbers.

    Examples
    --------
    >>> is_sufficient(7, 200, min_size=1, min_share=0.035)
    True
    """
    return n >= min_size and n >= _rows_of_share(evaluated, min_share)


@lru_cache(maxsize=64)
def _rows_of_share(evaluated: int, min_share: float) -> int:
    """Return the least whole number of rows that is at least a share of the evaluated ones."""
    return math.ceil(Fraction(str(min_share)) * evaluated)


def best_group(groups: Sequence[Sized], rates: Sequence[Fraction | float]) -> int:
    """Return the position of the reference: highest rate, then most rows, then first label."""
    return min(range(len(groups)), key=lambda i: (-float(rates[i]), -rates[i], -groups[i].n, groups[i].group))


def worst_first(groups: Sequence[Sized], values: Sequence[Fraction], sufficient: Sequence[bool]) -> list[int]:
    """Return positions: sufficient groups from worst to best value, ties by most rows, then label; then the others."""

    def place(i: int) -> tuple[bool, float, Fraction, int, Label]:
        # Rounding keeps the order, so that the slow exact values are compared only where the rounded ones are equal.
        return not sufficient[i], float(values[i]), values[i], -groups[i].n, groups[i].group

    return sorted(range(len(groups)), key=place)
