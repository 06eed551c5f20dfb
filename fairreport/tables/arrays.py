"""Columns of a table as arrays, for what needs every row in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.errors import DataError
from fairreport.tables.tally import NoTally
from fairreport.tables.view import NumericView

Array = npt.NDArray[Any]

MOST_LEVELS = 10_000
"""A column with more distinct values than this makes no segments or groups."""

_FIRST_ROWS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedColumns:
    """Some columns of a table, row by row.

    Attributes
    ----------
    n : int
        Rows.
    numbers : mapping of str to ndarray
        Columns read as numbers; nan where missing, infinite cells as they stand.
    cells : mapping of str to (ndarray of int, list)
        Columns matched as text: a code a row, and the raw cell of each code.
    refused : mapping of str to NoTally
        Number columns that are not numeric.
    times : ndarray of int64 or None
        How often each row stands, where the audit counts rows so.
    """

    n: int
    numbers: Mapping[str, Array]
    cells: Mapping[str, tuple[Array, list[Any]]] = field(default_factory=dict)
    refused: Mapping[str, NoTally] = field(default_factory=dict)
    times: Array | None = None


def arrays_of_view(
    view: NumericView, cells: Sequence[str], numbers: Sequence[str], *, alike: Sequence[str] = ()
) -> FetchedColumns:
    """Return the columns of a view, fetched in one statement.

    Parameters
    ----------
    view : NumericView
        The view.
    cells, numbers : sequence of str
        Columns matched as text, and read as numbers.
    alike : sequence of str
        Number columns; where they hold nothing but 0 and 1, rows that are alike in every column are put together
        by the engine, and `times` says how often each stands.

    Raises
    ------
    DataError
        If a column that is matched as text holds too many distinct values.
    """
    listed: dict[str, list[Any]] = {}
    fields = ["1 AS one"]
    for i, name in enumerate(cells):
        cell = view.cells[name]
        sql = f"SELECT DISTINCT {cell.expression} AS c FROM {view.source} ORDER BY 1 LIMIT {MOST_LEVELS + 1}"
        raw = [row[0] for row in view.fetch_rows(sql)]
        if len(raw) > MOST_LEVELS:
            raise DataError(f"column {name!r} has more than {MOST_LEVELS:,} distinct values; wanted groups or segments")
        listed[name] = raw
        cases = "".join(
            f" WHEN {cell.expression} = {cell.literal(value)} THEN {code}"
            for code, value in enumerate(raw)
            if value is not None
        )
        missing = next((code for code, value in enumerate(raw) if value is None), -1)
        fields.append(f"(CASE WHEN {cell.expression} IS NULL THEN {missing}{cases} END)::INTEGER AS k{i}")
    readable = [name for name in numbers if name not in view.refused]
    fields += [f"coalesce({view.numbers[name].plain}, 'nan'::DOUBLE) AS v{i}" for i, name in enumerate(readable)]
    if view.weight is not None:
        fields.append(f"{view.weight} AS w")
    grouped = None
    if alike and not view.refused and _holds_only_0_and_1(view, alike):
        names = [f"k{i}" for i in range(len(cells))] + [f"v{i}" for i in range(len(readable))]
        total = "count(*)" if view.weight is None else "sum(w)"
        grouped = view.fetch_arrays(
            f"SELECT 1 AS one, {', '.join(names)}, CAST({total} AS BIGINT) AS w "
            f"FROM (SELECT {', '.join(fields)} FROM {view.source}) GROUP BY ALL"
        )
        found = [grouped[f"v{readable.index(name)}"] for name in alike]
        if not all(np.all((share == 0) | (share == 1) | np.isnan(share)) for share in found):
            grouped = None  # the first rows promised what the others do not keep
    fetched = grouped or view.fetch_arrays(f"SELECT {', '.join(fields)} FROM {view.source}")
    return FetchedColumns(
        n=len(fetched["one"]),
        numbers={name: fetched[f"v{i}"] for i, name in enumerate(readable)},
        cells={
            name: (
                np.asarray(fetched[f"k{i}"], dtype=np.int64),
                [None if value is None else view.cells[name].restore(value) for value in listed[name]],
            )
            for i, name in enumerate(cells)
        },
        refused={name: view.refused[name] for name in numbers if name in view.refused},
        times=np.asarray(fetched["w"], dtype=np.int64) if grouped is not None or view.weight is not None else None,
    )


def _holds_only_0_and_1(view: NumericView, names: Sequence[str]) -> bool:
    """Tell whether the first rows of some columns hold nothing but 0, 1 and missing cells."""
    fields = ", ".join(f"{view.numbers[name].plain} AS v{i}" for i, name in enumerate(names))
    other = " OR ".join(f"v{i} NOT IN (0, 1)" for i in range(len(names)))
    sql = f"SELECT count(*) FROM (SELECT {fields} FROM {view.source} LIMIT {_FIRST_ROWS}) WHERE {other}"
    ((n,),) = view.fetch_rows(sql)
    return not n
