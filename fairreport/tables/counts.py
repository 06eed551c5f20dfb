"""The column that says how many rows each row stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairreport.errors import DataError
from fairreport.stats.proportion import LARGEST_TOTAL
from fairreport.tables.text import canonical

LARGEST_COUNT = LARGEST_TOTAL
"""A group with more rows could not be judged."""


def whole_number(cell: Any, column: str) -> int:
    """Return a cell of the counts column as an int.

    Raises
    ------
    DataError
        If the cell is missing, negative, no whole number, or larger than a group can be.

    Examples
    --------
    >>> whole_number("12", "n"), whole_number(3.0, "n")
    (12, 3)
    """
    text = canonical(cell)
    if text is None:
        raise DataError(f"counts column {column!r} has a missing value; wanted whole numbers >= 0")
    if not (text.isascii() and text.isdigit()):
        raise DataError(f"counts column {column!r} has the value {text!r}; wanted whole numbers >= 0")
    if len(text) > len(str(LARGEST_COUNT)) or int(text) > LARGEST_COUNT:
        raise DataError(f"counts column {column!r} has the value {text[:30]!r}; wanted at most {LARGEST_COUNT:,}")
    return int(text)


def checked_total(tail: Sequence[Any], counts: str | None) -> int:
    """Return the rows of one combination, from a bare count or from a sum with its checks.

    Parameters
    ----------
    tail : sequence
        Rows; or rows without a count, the smallest count, and the sum of counts.
    counts : str or None
        The counts column.

    Raises
    ------
    DataError
        If a count is missing or below 0.
    """
    if len(tail) == 1:
        return int(tail[0])
    missing, lowest, total = tail
    if missing:
        whole_number(None, str(counts))
    if lowest is not None and lowest < 0:
        whole_number(lowest, str(counts))
    return int(total or 0)
