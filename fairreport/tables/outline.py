"""What is known of whole columns before rows are grouped: their number, missing cells, smallest and largest cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairreport.tables.view import Guess, NumericView

FIRST_ROWS = 10_000
"""So many are looked at for a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Columns without missing cells, as a file states them or as they are guessed, to be checked; or as found.

    Attributes
    ----------
    rows : int or None
        Rows of the source; None in a guess.
    ranges : mapping of str to (float, float)
        Smallest and largest value of each number column; all values are finite.
    ends : mapping of str to (cell, cell)
        Smallest and largest raw cell of each label column.
    """

    rows: int | None
    ranges: Mapping[str, tuple[float, float]]
    ends: Mapping[str, tuple[Any, Any]]


def outline(view: NumericView, labels: Sequence[str]) -> Outline | None:
    """Return what the statistics of a Parquet file say, or an engine elsewhere finds without grouping a row.

    None where that is not that every cell is there and finite.

    Parameters
    ----------
    view : NumericView
        A source that may have statistics, or is elsewhere.
    labels : sequence of str
        The columns matched as text whose ends are wanted.
    """
    asked = _asked(view, labels)
    if view.weight is not None or view.refused or not asked or any(None in pair for pair in asked):
        return None
    return found_outline(view, labels, *_look(view, asked, view.source))


def guess(view: NumericView, labels: Sequence[str]) -> Outline | None:
    """Return where numbers and labels are likely to lie, or for certain in a small table; the outline without a guess.

    None where cells are missing or not finite.

    Parameters
    ----------
    view : NumericView
        A source that has statistics, or a way to guess, or is asked.
    labels : sequence of str
        The columns matched as text whose ends are wanted.
    """
    asked = _asked(view, labels)
    if view.guess is Guess.NOTHING or view.weight is not None or any(None in pair for pair in asked):
        return outline(view, labels)
    if view.guess is Guess.SHARES:
        if any(column.is_integer for column in view.numbers.values()):
            return outline(view, labels)
        return Outline(rows=None, ranges=dict.fromkeys(view.numbers, (0.0, 1.0)), ends=dict.fromkeys(labels, (0, 1)))
    first = f"(SELECT * FROM {view.source} LIMIT {FIRST_ROWS + 1}) AS r"
    rows, found = _look(view, asked, first)
    stated = found_outline(view, labels, rows, found)
    return stated if stated is None or rows <= FIRST_ROWS else replace(stated, rows=None)


def _look(view: NumericView, asked: Sequence[tuple[str | None, str | None]], source: str) -> tuple[int, Sequence[Any]]:
    listed = ", ".join(f"count({filled}), min({cell}), max({cell})" for filled, cell in asked)
    ((rows, *found),) = view.fetch_rows(f"SELECT count(*), {listed} FROM {source}")
    return int(rows), found


def found_outline(view: NumericView, labels: Sequence[str], rows: int, found: Sequence[Any]) -> Outline | None:
    """Return the outline of what was found; None where cells are missing or not finite, or labels not two in a row.

    Parameters
    ----------
    view : NumericView
        The source.
    labels : sequence of str
        The columns matched as text.
    rows : int
        Its rows.
    found : sequence
        Of each number column, then of each label column: how many cells there are, the smallest, the largest.
    """
    if not rows or any(filled != rows for filled in found[::3]):
        return None
    ends = list(zip(found[1::3], found[2::3], strict=True))
    ranges = {name: (float(low), float(high)) for name, (low, high) in zip(view.numbers, ends, strict=False)}
    if not all(math.isfinite(end) for pair in ranges.values() for end in pair):
        return None
    if view.is_remote and any(high - low != 1 for low, high in ends[len(ranges) :]):
        return None  # there may be a third label, which costs nothing in a file, and a pass elsewhere
    return Outline(
        rows=rows,
        ranges={name: (low + 0.0, high + 0.0) for name, (low, high) in ranges.items()},  # no negative zero
        ends=dict(zip(labels, ends[len(ranges) :], strict=True)),
    )


def _asked(view: NumericView, labels: Sequence[str]) -> list[tuple[str | None, str | None]]:
    """Return, of each column, SQL of what is null where the cell is none or not finite, and SQL of the cell."""
    numbers, cells = view.numbers.values(), [view.cells[name] for name in labels]
    if view.is_remote:
        return [*((column.value, column.plain) for column in numbers), *((cell.whole, cell.whole) for cell in cells)]
    if not view.has_statistics:
        return []
    return [*((column.stored, column.stored) for column in numbers), *((c.expression, c.expression) for c in cells)]
