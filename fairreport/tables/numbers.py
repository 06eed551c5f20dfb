"""Cells read as numbers: one rule for every engine."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from fairreport.tables.tally import NoTally, Unavailable
from fairreport.tables.text import NestedValueError, canonical

_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?:inf|infinity)", re.ASCII | re.IGNORECASE
)

_SMALLEST_SINGLE = 2.0**-149
_LARGEST_SINGLE = (2 - 2.0**-23) * 2.0**127


class NotNumericError(ValueError):
    """A cell that is no number; `text` shows it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def parse_number(cell: Any, missing_values: Iterable[str] = ()) -> float | None:
    """Return a cell as a float, None where it is missing; booleans are 1 and 0.

    Parameters
    ----------
    cell : object
        A number, a boolean, text, or a missing value of any library.
    missing_values : iterable of str
        Words that stand for a missing cell; one that is a number stands for every cell of that value.

    Raises
    ------
    NotNumericError
        If it is none of these.

    Examples
    --------
    >>> [parse_number(cell) for cell in (True, " 1.50 ", "TRUE", "", "-inf")]
    [1.0, 1.5, 1.0, None, -inf]
    """
    try:
        text = canonical(cell)
    except NestedValueError:
        raise NotNumericError(str(cell)) from None
    if text is None or text in missing_values:
        return None
    if isinstance(cell, (bool, int, float)) or _is_number(cell):
        number = float(cell)
    elif text.lower() in {"true", "false"}:
        number = float(text.lower() == "true")
    elif _NUMBER.fullmatch(text) and isinstance(cell, str):
        number = float(text)
    else:
        raise NotNumericError(text)
    return None if number in numeric_words(missing_values) else number


def _is_number(cell: Any) -> bool:
    kind = getattr(getattr(cell, "dtype", None), "kind", "")
    return (bool(kind) and kind in "biuf") or type(cell).__name__ == "Decimal"


def numeric_words(missing_values: Iterable[str]) -> list[float]:
    """Return the missing words that are numbers themselves, such as -999."""
    return [float(word) for word in missing_values if _NUMBER.fullmatch(word) and math.isfinite(float(word))]


def single_words(words: Iterable[float]) -> list[float]:
    """Return those that a 32-bit number may be: none is larger than its largest, nor that near to 0 and not 0.

    Examples
    --------
    >>> single_words([0.0, -999.0, 1e300, 1e-300])
    [0.0, -999.0]
    """
    return [word for word in words if word == 0 or _SMALLEST_SINGLE <= abs(word) <= _LARGEST_SINGLE]


def not_numeric(column: str, text: str) -> NoTally:
    """Return the refusal of a column that holds something else than numbers."""
    detail = f"column {column!r} is not numeric: it holds {text!r}"
    return NoTally(code=Unavailable.NOT_NUMERIC, column=column, detail=detail)
