"""The numeric view of a table that DuckDB holds: expressions over its own columns, nothing copied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fairreport.tables.counts import whole_number
from fairreport.tables.numbers import NotNumericError, not_numeric, numeric_words, parse_number, single_words
from fairreport.tables.tally import NoTally
from fairreport.tables.view import Array, CellColumn, NumberColumn, NumericView, number_column, without_words

_NUMBERS = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT",
    "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
}  # fmt: skip
_STORED = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE",
}  # fmt: skip
"""Types whose cells every program turns into the same doubles."""

_TEXTS = {"VARCHAR", "JSON"}
_LISTED = 1000

FetchRows = Callable[[str], Iterator[tuple[Any, ...]]]


def duckdb_view(
    *,
    fetch_rows: FetchRows,
    fetch_arrays: Callable[[str], Mapping[str, Array]],
    source: str,
    types: Mapping[str, tuple[str, str]],
    cells: Mapping[str, CellColumn],
    numbers: Sequence[str],
    missing_values: Sequence[str],
    counts: str | None,
    has_statistics: bool = False,
) -> NumericView:
    """Return the view.

    Parameters
    ----------
    fetch_rows, fetch_arrays : callable
        Run a statement.
    source : str
        SQL after FROM.
    types : mapping of str to (str, str)
        Of each column, its SQL expression and its DuckDB type.
    cells : mapping of str to CellColumn
        Columns matched as text.
    numbers : sequence of str
        Columns read as numbers.
    missing_values : sequence of str
        Words that stand for a missing cell.
    counts : str or None
        Column that says how many rows each row stands for; those that stand for none are left out.
    has_statistics : bool
        Whether the source itself says where its cells lie.
    """
    weight = None if counts is None else _weight(counts, *types[counts], source, fetch_rows)
    if weight is not None:
        source = f"(SELECT * FROM {source} WHERE {weight} > 0)"
    expressions: dict[str, NumberColumn] = {}
    refused: dict[str, NoTally] = {}
    for name in numbers:
        column, kind = types[name]
        try:
            expressions[name] = _number(column, kind, source, fetch_rows, missing_values)
        except NotNumericError as error:
            refused[name] = not_numeric(name, error.text)
    return NumericView(
        fetch_rows=fetch_rows,
        fetch_arrays=fetch_arrays,
        source=source,
        cells=cells,
        numbers=expressions,
        refused=refused,
        weight=weight,
        has_statistics=has_statistics,
    )


def _number(column: str, kind: str, source: str, fetch: FetchRows, missing_values: Sequence[str]) -> NumberColumn:
    """Return how a column is read as numbers."""
    is_whole = kind in _NUMBERS or kind == "BOOLEAN" or kind.startswith("DECIMAL")
    words = numeric_words(missing_values)
    if kind == "FLOAT":  # a word is compared with the 32-bit number, whose shortest form it may be
        number = f"CAST({without_words(column, single_words(words), 'FLOAT')} AS DOUBLE)"
    elif kind == "DOUBLE" or is_whole:
        number = column if kind == "DOUBLE" else f"CAST({column} AS DOUBLE)"
    elif kind in _TEXTS or kind.startswith("ENUM"):
        number = _text_number(column, kind, source, fetch, missing_values)
    else:
        example = next(iter(fetch(f"SELECT min({column}) FROM {source}")), (None,))[0]
        if example is not None:
            raise NotNumericError(str(example))
        number = "CAST(NULL AS DOUBLE)"
    stored = column if kind in _STORED and not words else None
    number = without_words(number, words, "DOUBLE")
    return number_column(number, may_be_infinite=not is_whole, stored=stored, is_integer=kind in _NUMBERS)


def _text_number(column: str, kind: str, source: str, fetch: FetchRows, missing_values: Sequence[str]) -> str:
    """Let DuckDB read what is plainly a number; decide on the few other spellings by the common rule."""
    text = f"({column} ->> '$')" if kind == "JSON" else f"CAST({column} AS VARCHAR)"
    read = f"try_cast({text} AS DOUBLE)"
    strange = f"isnan({read}) OR contains({text}, '_') OR contains({text}, '+-')"
    odd = f"({column} IS NOT NULL AND ({read} IS NULL OR {strange}))"
    found: dict[str, float] = {}
    for offset in range(0, 10**9, _LISTED):
        statement = f"SELECT DISTINCT {text} AS t FROM {source} WHERE {odd} ORDER BY t LIMIT {_LISTED} OFFSET {offset}"
        listed = [row[0] for row in fetch(statement)]
        for spelling in listed:
            value = parse_number(spelling, missing_values)
            if value is not None:
                found[spelling] = value
        if len(listed) < _LISTED:
            break
    cases = "".join(
        f" WHEN {text} = {_quoted(spelling)} THEN CAST('{value!r}' AS DOUBLE)" for spelling, value in found.items()
    )
    return f"(CASE WHEN {column} IS NULL THEN NULL{cases} WHEN {odd} THEN NULL ELSE {read} END)"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _weight(counts: str, column: str, kind: str, source: str, fetch: FetchRows) -> str:
    """Return SQL of the counts column as whole numbers, after checking every cell."""
    if kind in _NUMBERS:
        wrong = f"{column} IS NULL OR {column} < 0"
    else:
        read = f"try_cast(CAST({column} AS VARCHAR) AS DOUBLE)"
        wrong = f"{read} IS NULL OR {read} < 0 OR {read} <> floor({read})"
    for (cell,) in fetch(f"SELECT {column} FROM {source} WHERE {wrong} ORDER BY 1 LIMIT 1"):
        whole_number(cell, counts)
    return f"CAST({column} AS BIGINT)" if kind in _NUMBERS else f"CAST(CAST({column} AS VARCHAR) AS DOUBLE)::BIGINT"
