"""The column that says how many rows each row stands for."""

from __future__ import annotations

from typing import Any

from fairreport.errors import DataError
from fairreport.tables.text import canonical

LARGEST_COUNT = 2**62


def whole_number(cell: Any, column: str) -> int:
    """Return a cell of the counts column as an int.

    Raises
    ------
    DataError
        If the cell is missing, negative or no whole number.

    Examples
    --------
    >>> whole_number("12", "n"), whole_number(3.0, "n")
    (12, 3)
    """
    text = canonical(cell)
    if text is None:
        raise DataError(f"counts column {column!r} has a missing value; wanted whole numbers >= 0")
    if not (text.isascii() and text.isdigit()) or int(text) > LARGEST_COUNT:
        raise DataError(f"counts column {column!r} has the value {text!r}; wanted whole numbers >= 0")
    return int(text)
