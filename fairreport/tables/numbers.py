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


def not_numeric(column: str, text: str) -> NoTally:
    """Return the refusal of a column that holds something else than numbers."""
    detail = f"column {column!r} is not numeric: it holds {text!r}"
    return NoTally(code=Unavailable.NOT_NUMERIC, column=column, detail=detail)
