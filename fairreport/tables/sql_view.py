"""The numeric view of a table in an engine: the statements of the local view, asked there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from fairreport.tables.counts import whole_number
from fairreport.tables.numbers import numeric_words, single_words
from fairreport.tables.sql_cells import FLOATS, INTEGERS, cell_column
from fairreport.tables.view import Array, Guess, NumberColumn, NumericView, number_column, without_words


def sql_view(
    *,
    fetch_rows: Callable[[str], Iterator[tuple[Any, ...]]],
    fetch_arrays: Callable[[str], Mapping[str, Array]],
    source: str,
    columns: Mapping[str, tuple[str, Any]],
    cells: Sequence[str],
    numbers: Sequence[str],
    missing_values: Sequence[str],
    counts: str | None,
    sums_wholes: bool = False,
    guess: Guess = Guess.NOTHING,
    is_small: bool = False,
) -> NumericView:
    """Return the view; all of `numbers`, and the counts column, must be numbers by their type.

    Parameters
    ----------
    fetch_rows, fetch_arrays : callable
        Ask a statement.
    source : str
        SQL after FROM.
    columns : mapping of str to (str, dtype)
        Of each column, its name in the SQL and its type.
    cells, numbers : sequence of str
        Columns matched as text, and read as numbers.
    missing_values : sequence of str
        Words that stand for a missing cell.
    counts : str or None
        Column that says how many rows each row stands for.
    sums_wholes : bool
        Whether sums of whole numbers cannot overflow.
    guess : Guess
        How it is guessed where numbers lie.
    is_small : bool
        Whether there are likely fewer than 2**25 rows.
    """
    return NumericView(
        fetch_rows=fetch_rows,
        fetch_arrays=fetch_arrays,
        source=source,
        cells={name: cell_column(*columns[name]) for name in cells},
        numbers={name: _number(*columns[name], missing_values) for name in numbers},
        weight=None if counts is None else _weight(counts, *columns[counts], source, fetch_rows),
        is_remote=True,
        sums_wholes=sums_wholes,
        guess=guess,
        is_small=is_small,
    )


def _number(column: str, kind: Any, missing_values: Sequence[str]) -> NumberColumn:
    """Return how a column is read as numbers."""
    words = numeric_words(missing_values)
    is_whole = not isinstance(kind, (*FLOATS, nw.Decimal))
    if isinstance(kind, nw.Boolean):
        number = f"CAST(CASE WHEN {column} THEN 1 WHEN NOT {column} THEN 0 END AS DOUBLE)"
    elif isinstance(kind, nw.Float32):  # a word is compared with the 32-bit number, whose shortest form it may be
        number = f"CAST({without_words(column, single_words(words), 'FLOAT')} AS DOUBLE)"
    else:
        number = column if isinstance(kind, nw.Float64) else f"CAST({column} AS DOUBLE)"
    return number_column(
        without_words(number, words, "DOUBLE"), may_be_infinite=not is_whole, is_integer=isinstance(kind, INTEGERS)
    )


def _weight(counts: str, column: str, kind: Any, source: str, fetch: Callable[[str], Iterator[tuple[Any, ...]]]) -> str:
    """Return SQL of the counts column as whole numbers, after checking every cell."""
    wrong = f"{column} IS NULL OR {column} < 0"
    if not isinstance(kind, INTEGERS):
        wrong += f" OR NOT isfinite(CAST({column} AS DOUBLE)) OR {column} <> floor({column})"
    for (cell,) in fetch(f"SELECT {column} AS w FROM {source} WHERE {wrong} ORDER BY 1 LIMIT 1"):
        whole_number(cell, counts)
    return column if isinstance(kind, INTEGERS) else f"CAST({column} AS BIGINT)"
