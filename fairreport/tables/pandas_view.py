"""The numeric view of a pandas frame: integer codes and doubles, registered with DuckDB where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd

from fairreport.tables.arrays import FetchedColumns
from fairreport.tables.duckdb_engine import connect
from fairreport.tables.numbers import NotNumericError, not_numeric, numeric_words, parse_number
from fairreport.tables.pandas_table import Codes, encode
from fairreport.tables.source import NestedColumnError
from fairreport.tables.tally import NoTally
from fairreport.tables.text import NestedValueError
from fairreport.tables.view import Array, CellColumn, NumberColumn, NumericView, number_column, plain_arrays

_BATCH = 50_000
_SINGLE = {"float32", "float[pyarrow]"}


def pandas_view(
    coded: Mapping[str, tuple[Codes, list[Any]]],
    numbers: Mapping[str, pd.Series[Any]],
    weights: Codes | None,
    missing_values: Sequence[str],
) -> NumericView:
    """Return the view.

    Parameters
    ----------
    coded : mapping of str to (codes, distinct cells)
        Columns matched as text.
    numbers : mapping of str to Series
        Columns read as numbers.
    weights : array of int64 or None
        Rows that each row stands for.
    missing_values : sequence of str
        Words that stand for a missing cell.
    """
    columns: dict[str, npt.NDArray[Any]] = {}
    cells: dict[str, CellColumn] = {}
    for i, (name, (codes, levels)) in enumerate(coded.items()):
        columns[f"k{i}"] = codes
        cells[name] = CellColumn(expression=f"k{i}", restore=levels.__getitem__, literal=str, is_code=True)
    expressions: dict[str, NumberColumn] = {}
    refused: dict[str, NoTally] = {}
    for i, (name, series) in enumerate(numbers.items()):
        try:
            columns[f"v{i}"] = to_doubles(series, missing_values)
            expressions[name] = number_column(f"v{i}", is_integer=_is_integer(series))
        except NotNumericError as error:
            refused[name] = not_numeric(name, error.text)
        except NestedValueError:
            raise NestedColumnError(name) from None
    if weights is not None:
        columns["w"] = weights
    frame = pd.DataFrame(columns, copy=False)
    connection = connect()
    connection.register("fr_frame", frame)
    return NumericView(
        fetch_rows=lambda sql: _rows(connection, sql),
        fetch_arrays=lambda sql: _arrays(connection, sql),
        source="fr_frame" if columns else "(SELECT 1 AS none WHERE FALSE)",
        cells=cells,
        numbers=expressions,
        refused=refused,
        weight=None if weights is None else "w",
        keep=frame,
    )


def pandas_arrays(
    coded: Mapping[str, tuple[Codes, list[Any]]],
    numbers: Mapping[str, pd.Series[Any]],
    times: Codes | None,
    n: int,
    missing_values: Sequence[str],
) -> FetchedColumns:
    """Return columns row by row; plain numbers and booleans are handed over as they lie in memory."""
    found: dict[str, npt.NDArray[Any]] = {}
    refused: dict[str, NoTally] = {}
    for name, series in numbers.items():
        is_plain = isinstance(series.dtype, np.dtype) and series.dtype.kind in "biuf"
        try:
            bare = is_plain and not numeric_words(missing_values)
            found[name] = series.to_numpy() if bare else to_doubles(series, missing_values)
        except NotNumericError as error:
            refused[name] = not_numeric(name, error.text)
        except NestedValueError:
            raise NestedColumnError(name) from None
    return FetchedColumns(n=n, numbers=found, cells=coded, refused=refused, times=times)


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> Iterator[tuple[Any, ...]]:
    answer = connection.execute(sql)
    while batch := answer.fetchmany(_BATCH):
        yield from batch


def _arrays(connection: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Array]:
    return plain_arrays(connection.sql(sql).fetchnumpy())  # whole columns at once, not as a stream


def to_doubles(series: pd.Series[Any], missing_values: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return a column as doubles, nan where missing.

    Raises
    ------
    NotNumericError
        If a cell is no number.
    NestedValueError
        If a cell is a container.
    """
    if pd.api.types.is_numeric_dtype(series.dtype) or pd.api.types.is_bool_dtype(series.dtype):
        if isinstance(series.dtype, pd.CategoricalDtype) or series.dtype.kind == "c":
            return _parsed(series, missing_values)
        numbers = series.to_numpy(dtype=np.float64, na_value=np.nan)
        words = numeric_words(missing_values)
        if words and str(series.dtype).lower() in _SINGLE:  # a word may be its own shortest form
            words = np.array(words, dtype=np.float32).astype(np.float64).tolist()
        return np.where(np.isin(numbers, words), np.nan, numbers) if words else numbers
    return _parsed(series, missing_values)


def _is_integer(series: pd.Series[Any]) -> bool:
    """Tell whether the cells are whole numbers by their type."""
    return series.dtype.kind in {"i", "u"} or (
        series.dtype.kind == "O" and pd.api.types.infer_dtype(series, skipna=True) == "integer"
    )


def _parsed(series: pd.Series[Any], missing_values: Sequence[str]) -> npt.NDArray[np.float64]:
    codes, levels = encode(series)
    wrong: list[tuple[str, str]] = []
    parsed: list[float] = []
    for level in levels:
        try:
            value = parse_number(level, missing_values)
        except NotNumericError as error:
            wrong.append((level if isinstance(level, str) else error.text, error.text))
            continue
        parsed.append(np.nan if value is None else value)
    if wrong:
        raise NotNumericError(min(wrong)[1])  # the first as it stands, as an engine that sorts text finds it
    return np.array(parsed, dtype=np.float64)[codes] if parsed else np.full(len(series), np.nan)
