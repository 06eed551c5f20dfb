"""What a source says of whole columns without being read: rows, missing cells, smallest and largest cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairreport.tables.view import NumericView


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Columns without missing cells, as the source states them; a statement to be checked.

    Attributes
    ----------
    rows : int
        Rows of the source.
    ranges : mapping of str to (float, float)
        Smallest and largest value of each number column; all values are finite.
    ends : mapping of str to (cell, cell)
        Smallest and largest raw cell of each label column.
    """

    rows: int
    ranges: Mapping[str, tuple[float, float]]
    ends: Mapping[str, tuple[Any, Any]]


def outline(view: NumericView, labels: Sequence[str]) -> Outline | None:
    """Return what the statistics of a Parquet file say; None where that is not that every cell is there and finite.

    Parameters
    ----------
    view : NumericView
        A source that may have statistics.
    labels : sequence of str
        The columns matched as text whose ends are wanted.
    """
    stored = [column.stored for column in view.numbers.values()]
    if not view.has_statistics or view.weight is not None or view.refused or None in stored:
        return None
    asked = [*stored, *(view.cells[name].expression for name in labels)]
    listed = ", ".join(f"count({column}), min({column}), max({column})" for column in asked)
    ((rows, *found),) = view.fetch_rows(f"SELECT count(*), {listed} FROM {view.source}")
    if not rows or any(filled != rows for filled in found[::3]):
        return None
    ends = list(zip(found[1::3], found[2::3], strict=True))
    ranges = {name: (float(low), float(high)) for name, (low, high) in zip(view.numbers, ends, strict=False)}
    if not all(math.isfinite(end) for pair in ranges.values() for end in pair):
        return None
    return Outline(
        rows=int(rows),
        ranges={name: (low + 0.0, high + 0.0) for name, (low, high) in ranges.items()},  # no negative zero
        ends=dict(zip(labels, ends[len(ranges) :], strict=True)),
    )
