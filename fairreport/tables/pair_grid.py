"""Sums that do not depend on the order of what is added: numbers are brought to whole multiples of a fine unit.

Each number is split into two whole numbers, coarse and fine, so small that all sums of either stay below 2**53:
floating point adds them without rounding, in any order, in any block, even inside a matrix product.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_MANTISSA = 52
_SMALLEST_EXPONENT = -900


@dataclass(frozen=True, slots=True, kw_only=True)
class GridScale:
    """How numbers of a range become whole numbers.

    Attributes
    ----------
    scale : float
        A power of two: coarse whole numbers are number x scale, rounded.
    fine : float
        A power of two: what the rounding left is multiplied by it, and rounded.
    """

    scale: float
    fine: float

    @classmethod
    def of(cls, reach: float, n: int) -> GridScale:
        """Return the scale for n numbers of at most `reach` in size.

        Examples
        --------
        >>> grid = GridScale.of(2.5, 3)
        >>> coarse, fine = grid.split(np.array([0.1, 0.2, 2.5]))
        >>> grid.join(float(coarse.sum()), float(fine.sum()))
        2.8
        """
        bits = _MANTISSA - max(int(n), 1).bit_length()
        exponent = max(math.frexp(reach)[1], _SMALLEST_EXPONENT) if reach > 0 else 0
        return cls(scale=math.ldexp(1.0, bits - exponent), fine=math.ldexp(1.0, bits))

    def split(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return coarse and fine whole numbers, as floats."""
        return self.cut(values * self.scale)

    def cut(self, rest: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the same of numbers that have been multiplied by the scale; they are overwritten."""
        coarse = np.rint(rest)
        rest -= coarse
        rest *= self.fine
        return coarse, np.rint(rest, out=rest)

    def join(self, coarse: float, fine: float) -> float:
        """Return the number that sums of coarse and fine whole numbers stand for, rounded once."""
        return (coarse + fine / self.fine) / self.scale
