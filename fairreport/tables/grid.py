"""Numbers as whole numbers: scaled by a power of two, rounded, and cut into pieces whose sums are exact.

Sums of doubles depend on their order unless every one of them is a whole number below 2**53. So a number is brought
to a grid, and cut into pieces of so few bits that no sum over the rows passes 2**53. Sums of pieces are cheap in
every engine, and the same digits in any order. An engine whose sums of whole numbers cannot overflow takes each
number in one piece, to the same digits.

A grid is coarse in its parameters, the powers of two that its numbers and their distances from a centre stay within:
ends that are nearly right mostly name the very grid that the true ends name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_DOUBLE_BITS = 53
_MODERATE_SHIFT = 400
_SMALLEST_EXPONENT = -900

FEW_ROWS = 2**13
"""Below so many rows the grid is finer."""

MORE_ROWS = 2**25
"""From so many rows on two pieces are too few."""

_MOST_ROWS = 2**31
"""A group has no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """How whole numbers are cut.

    Attributes
    ----------
    bits : int
        Bits of the first piece, the most significant one; an even number.
    count : int
        Pieces of a number. A single one is a whole number by its type, not a double.
    below : int
        Bits behind the first piece.
    most : int
        Rows whose sums lose no digit.
    """

    bits: int
    count: int
    below: int
    most: int

    @property
    def is_whole(self) -> bool:
        """Whether numbers are not cut."""
        return self.count == 1

    def behind(self, place: int) -> int:
        """Return how many bits lie between the last bit of the first piece and that of another one."""
        return min(place * self.bits, self.below)

    def whole(self, sums: Sequence[float], shift: int) -> int:
        """Return the sum of whole numbers from the sums of the pieces of numbers that lie `shift` bits below them."""
        if self.is_whole:
            return int(sums[0])
        return sum(int(math.ldexp(part, shift + self.below)) for part in sums)


_FINE = Pieces(bits=40, count=2, below=40, most=FEW_ROWS - 1)
_TWO = Pieces(bits=28, count=2, below=28, most=MORE_ROWS - 1)
_THREE = Pieces(bits=22, count=3, below=34, most=_MOST_ROWS)
_WHOLE = Pieces(bits=56, count=1, below=0, most=_MOST_ROWS)


def pieces_for(rows: int | None, *, whole: bool = False) -> Pieces:
    """Return how numbers are cut so that no sum over some rows loses a digit.

    Parameters
    ----------
    rows : int or None
        At most so many; None for at least `FEW_ROWS`.
    whole : bool
        Whether the sums of whole numbers of 64 bits cannot overflow. They come to the same.
    """
    if rows is not None and rows < FEW_ROWS:
        return _FINE
    if whole:
        return _WHOLE
    return _TWO if rows is not None and rows < MORE_ROWS else _THREE


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """How numbers become whole numbers.

    Attributes
    ----------
    centre : float
        What is taken off before squaring.
    top : int
        The power of two that no value exceeds.
    spread : int
        The power of two that no distance of a value from the centre exceeds.
    """

    centre: float
    top: int
    spread: int

    def shift(self, pieces: Pieces) -> int:
        """Return the power of two that brings the values themselves into the bits of one piece."""
        return pieces.bits - self.top

    def half_shift(self, pieces: Pieces) -> int:
        """Return the power of two that brings the differences from the centre to where their squares are."""
        return pieces.bits // 2 - self.spread

    def is_moderate(self, pieces: Pieces) -> bool:
        """Tell whether values and squares can be cut as they are, and need no scaling that keeps them within floats."""
        return max(abs(self.shift(pieces)), 2 * abs(self.half_shift(pieces))) <= _MODERATE_SHIFT


def grid_between(low: float, high: float) -> Grid:
    """Return the grid of values between two ends, about a centre that is next to the middle, or the only value."""
    half = high / 2 - low / 2
    if not half:
        return Grid(centre=low, top=_power_above(abs(low)), spread=0)
    step = _power_above(half)
    centre = math.ldexp(round(math.ldexp(low / 2 + high / 2, -step)), step)
    reach = max(high - centre, centre - low)
    return Grid(centre=centre, top=_power_above(max(abs(low), abs(high))), spread=_power_above(reach))


def grid_within(reach: float) -> Grid:
    """Return the grid of values up to a size, about 0."""
    return Grid(centre=0.0, top=_power_above(reach), spread=_power_above(reach))


def _power_above(size: float) -> int:
    """Return the power of two that a size does not exceed."""
    mantissa, exponent = math.frexp(size)
    return max(exponent - (mantissa == 0.5), _SMALLEST_EXPONENT) if size else 0


def cut_sql(number: str, pieces: Pieces, shift: int = 0) -> list[str]:
    """Return SQL of the pieces of a number that lies `shift` bits below whole ones.

    To add 1.5 * 2**52 and to take it off again rounds a smaller number to a whole one, halves to even, in any engine;
    so does the cast to a whole number in an engine that is asked for one piece.
    """
    if pieces.is_whole:
        scaled = f"({number} * {double_sql(2.0**shift)})" if shift else number
        return [f"CAST({scaled} AS BIGINT)"]
    found: list[str] = []
    for place in range(pieces.count):
        large = double_sql(1.5 * 2.0 ** (_DOUBLE_BITS - 1 - pieces.behind(place) - shift))
        found.append(f"(({number} + {large}) - {large})")
        number = f"({number} - {found[-1]})"
    return found


def double_sql(value: float) -> str:
    """Return SQL of a finite double: with an exponent, since a number with a mere point is a decimal."""
    digits = repr(value)
    return f"({digits})" if "e" in digits else f"({digits}e0)"
