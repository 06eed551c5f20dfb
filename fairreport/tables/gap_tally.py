"""The counts that rate gaps are judged from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GapCell:
    """Cases that share declared levels, label and prediction.

    Attributes
    ----------
    levels : tuple of str or None
        The declared level of each attribute; None where the case has none.
    undeclared : tuple of bool
        Whether it has another value instead.
    label : int
        0 or 1.
    prediction : int or None
        0 or 1; None where there was none.
    n : int
        Cases.
    """

    levels: tuple[str | None, ...]
    undeclared: tuple[bool, ...]
    label: int
    prediction: int | None
    n: int

    @property
    def order(self) -> tuple[tuple[str, ...], tuple[bool, ...], int, int]:
        """What cells are sorted by."""
        known = tuple("" if level is None else level for level in self.levels)
        return known, self.undeclared, self.label, -1 if self.prediction is None else self.prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Cases of one combination of levels whose probability lies in one bin."""

    levels: tuple[str | None, ...]
    bin: int
    n: int
    positives: int
    probability_sum: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GapTally:
    """The evidence of rate gaps.

    Attributes
    ----------
    attributes : tuple of str
        Attribute columns, as declared; levels of cells follow this order.
    declared : tuple of tuple of str
        Declared levels of each.
    label, prediction : str
        Columns.
    rows : int
        Rows of the table.
    cells : tuple of GapCell
        All cases.
    bins : tuple of CalibrationBin
        Cases with a probability; empty without such a column.
    undeclared : tuple of (str, tuple of str)
        Up to ten undeclared values of each attribute, most frequent first.
    unit_missing : int
        Cases without a person's name; 0 without a unit column.
    """

    attributes: tuple[str, ...]
    declared: tuple[tuple[str, ...], ...]
    label: str
    prediction: str
    rows: int
    cells: tuple[GapCell, ...]
    bins: tuple[CalibrationBin, ...] = ()
    undeclared: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unit_missing: int = 0
