"""Numbers as whole numbers: scaled by a power of two, rounded, and cut into pieces whose sums are exact.

Sums of doubles depend on their order unless every one of them is a whole number below 2**53. So a number is brought
to a grid that has its range and the number of rows for parameters and nothing else, and cut into pieces of so few
bits that no sum over the rows passes 2**53. Sums of pieces are cheap in every engine, and the same digits in any
order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_DOUBLE_BITS = 53
_LARGEST_PIECE = 50
_SMALLEST_PIECE = 22
"""A group has at most 2**31 rows."""

_WANTED_BITS = 56
_MODERATE_SHIFT = 400
_SMALLEST_EXPONENT = -900


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """How whole numbers are cut.

    Attributes
    ----------
    bits : int
        Bits of a piece.
    count : int
        Pieces of a number, the first one the most significant.
    """

    bits: int
    count: int

    @property
    def below(self) -> int:
        """Bits behind the first piece."""
        return self.bits * (self.count - 1)

    def whole(self, sums: Sequence[float], shift: int) -> int:
        """Return the sum of whole numbers from the sums of the pieces of numbers that lie `shift` bits below them."""
        return sum(int(math.ldexp(part, shift + self.below)) for part in sums)


def pieces_for(rows: int) -> Pieces:
    """Return how numbers are cut so that no sum over `rows` rows loses a digit."""
    bits = max(_SMALLEST_PIECE, min(_LARGEST_PIECE, _DOUBLE_BITS - max(rows, 1).bit_length()))
    return Pieces(bits=bits, count=max(2, math.ceil(_WANTED_BITS / bits)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """How numbers become whole numbers.

    Attributes
    ----------
    centre : float
        What is taken off before squaring.
    reach : float
        Largest distance of a value from the centre.
    """

    centre: float
    reach: float

    def shift(self, pieces: Pieces) -> int:
        """Return the power of two that brings the values themselves below the bits of one piece."""
        return pieces.bits - _exponent(abs(self.centre) + self.reach)

    def half_shift(self, pieces: Pieces) -> int:
        """Return the power of two that brings the differences from the centre to where their squares are."""
        return pieces.bits // 2 - _exponent(self.reach)

    def is_moderate(self, pieces: Pieces) -> bool:
        """Tell whether values and squares can be cut as they are, and need no scaling that keeps them within floats."""
        return max(abs(self.shift(pieces)), 2 * abs(self.half_shift(pieces))) <= _MODERATE_SHIFT


def grid_between(low: float, high: float) -> Grid:
    """Return the grid of values between two ends."""
    centre = low / 2 + high / 2
    return Grid(centre=centre, reach=max(high - centre, centre - low))


def _exponent(size: float) -> int:
    """Return the power of two that a size stays below."""
    return max(math.frexp(size)[1], _SMALLEST_EXPONENT) if size else 0


def cut_sql(number: str, pieces: Pieces, shift: int = 0) -> list[str]:
    """Return SQL of the pieces of a number that lies `shift` bits below whole ones.

    To add 1.5 * 2**52 and to take it off again rounds a smaller number to a whole one, halves to even, in any engine.
    """
    found: list[str] = []
    for place in range(pieces.count):
        large = double_sql(1.5 * 2.0 ** (_DOUBLE_BITS - 1 - place * pieces.bits - shift))
        found.append(f"(({number} + {large}) - {large})")
        number = f"({number} - {found[-1]})"
    return found


def double_sql(value: float) -> str:
    """Return SQL of a finite double: with an exponent, since a number with a mere point is a decimal."""
    digits = repr(value)
    return f"({digits})" if "e" in digits else f"({digits}e0)"
