"""Cells that tell cases or persons apart: two are the same where their canonical texts are equal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairreport.tables.source import NestedColumnError
from fairreport.tables.text import NestedValueError, canonical


def rows_by_text(name: str, cells: Iterable[tuple[Any, int]], missing_values: Iterable[str]) -> dict[str | None, int]:
    """Return the rows of each canonical text of a column, missing cells under None.

    Parameters
    ----------
    name : str
        The column.
    cells : iterable of (object, int)
        Raw cells and their rows; a cell may come more than once.
    missing_values : iterable of str
        Words that stand for a missing cell, compared after folding.

    Raises
    ------
    NestedColumnError
        If a cell is a container.
    """
    missing = frozenset(missing_values)
    found: dict[str | None, int] = {}
    for cell, n in cells:
        if not n:
            continue
        try:
            text = canonical(cell)
        except NestedValueError:
            raise NestedColumnError(name) from None
        if text in missing:
            text = None
        found[text] = found.get(text, 0) + n
    return found


def first_repeated(rows: dict[str | None, int]) -> str | None:
    """Return the first text, in their order, that stands in several rows."""
    return min((text for text, n in rows.items() if text is not None and n > 1), default=None)
