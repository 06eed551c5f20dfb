"""DuckDB's SQL, letter by letter: names, literals, types, and its reading errors in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import duckdb
import numpy as np

from fairreport.errors import DataError
from fairreport.tables.credentials import without_credentials
from fairreport.tables.text import JsonText

_LONGEST_LINE = 200
_NESTED = ("STRUCT", "MAP", "UNION", "VARIANT")

Decoder = Callable[[Any], Any]


@contextmanager
def readable(origin: str) -> Iterator[None]:
    """Turn DuckDB's reading errors into one line that names the table."""
    try:
        yield
    except (duckdb.IOException, duckdb.InvalidInputException, duckdb.ConversionException) as error:
        raise DataError(f"{origin!r} cannot be read: {_first_lines(str(error))}") from None


def _first_lines(text: str) -> str:
    kept: list[str] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("Possible"):
            break
        kept.append(without_credentials(line.strip())[:_LONGEST_LINE])
    return "; ".join(kept)


def raw_cell(column: str, kind: str) -> str:
    """Return SQL of a cell as it is grouped: JSON by its text."""
    return f"CAST({column} AS VARCHAR)" if kind == "JSON" else column


def quoted(name: str) -> str:
    """Return an SQL identifier for any text."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """Return an SQL literal for any text."""
    return "'" + text.replace("'", "''") + "'"


def cell_literal(value: Any, kind: str) -> str:
    """Return an SQL literal for a cell of a column of some type."""
    if isinstance(value, bytes):
        return f"unhex('{value.hex()}')"
    if isinstance(value, timedelta):
        return f"to_microseconds({value // timedelta(microseconds=1)})"
    if kind == "JSON":
        return text_literal(value)
    if isinstance(value, (datetime, str)) or not isinstance(value, (bool, int, float)):
        return f"CAST({text_literal(str(value))} AS {kind})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"CAST({text_literal(repr(value))} AS {kind})"


def is_nested(kind: str) -> bool:
    """Tell whether a type holds containers."""
    return kind.startswith(_NESTED) or kind.endswith("]")


def is_float(kind: str) -> bool:
    """Tell whether a type is a floating-point number, which may be nan."""
    return kind in {"FLOAT", "DOUBLE"}


def is_nan(number: str) -> str:
    """Return SQL that holds for nan.

    A bare ``isnan`` as a filter passes over nan in Parquet files: DuckDB 2.0 skips rows by the file's smallest and
    largest numbers, among which nan is not counted.
    """
    return f"(NOT isfinite({number}) AND NOT isinf({number}))"


def decoder_of(kind: str) -> Decoder | None:
    """Return how to restore a cell that DuckDB hands over in another type than it holds."""
    if kind == "FLOAT":
        return np.float32
    if kind == "JSON":
        return JsonText
    return None


def decode(decoder: Decoder | None, cell: Any) -> Any:
    """Restore a cell."""
    return cell if decoder is None or cell is None else decoder(cell)
