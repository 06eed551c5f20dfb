"""Cells of an engine's table: their types, their literals, and what a driver makes of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from fairreport.tables.duckdb_sql import text_literal
from fairreport.tables.view import CellColumn

INTEGERS = (
    nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.Int128, nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64, nw.UInt128,
)  # fmt: skip
FLOATS = (nw.Float32, nw.Float64)
TEXTS = (nw.String, nw.Categorical, nw.Enum)
NESTED = (nw.List, nw.Struct, nw.Array)
NUMBERS = (*INTEGERS, *FLOATS, nw.Decimal, nw.Boolean)

_KINDS = {nw.Date: "DATE", nw.Time: "TIME", nw.Duration: "INTERVAL"}


def restorer(kind: Any) -> Callable[[Any], Any] | None:
    """Return how to restore a cell that a driver hands over in another type than its column has."""
    if isinstance(kind, nw.Float32):
        return np.float32
    if isinstance(kind, nw.Boolean):
        return bool
    if isinstance(kind, INTEGERS):
        return partial(_unless_it_changes, int)
    if isinstance(kind, nw.Float64):
        return partial(_unless_it_changes, float)
    if isinstance(kind, nw.Datetime):
        return lambda cell: datetime.fromisoformat(cell) if isinstance(cell, str) else cell
    if isinstance(kind, nw.Date):
        return lambda cell: date.fromisoformat(cell) if isinstance(cell, str) else cell
    return None


def _unless_it_changes(number: type[int | float], cell: Any) -> Any:
    """Return a number as one of a type; text, and a number that would be another one, as they are."""
    found = number(cell)
    return cell if isinstance(cell, (str, bytes, int, float)) and found != cell and cell == cell else found  # noqa: PLR0124


def restored(restore: Callable[[Any], Any] | None, cell: Any) -> Any:
    """Restore a cell; one that does not fit its column's type stays as it is, as SQLite allows."""
    if restore is None or cell is None:
        return cell
    try:
        return restore(cell)
    except (ValueError, TypeError, OverflowError):
        return cell


def literal(cell: Any, kind: Any) -> str:
    """Return an SQL literal, in DuckDB's words, of a cell that a driver handed over."""
    if cell is None:
        return "NULL"
    if isinstance(cell, (bool, np.bool_)):
        return "TRUE" if cell else "FALSE"
    if isinstance(kind, nw.Boolean) and isinstance(cell, int):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int):
        return str(int(cell))
    if isinstance(cell, (float, np.floating)):
        return f"CAST('{float(cell)!r}' AS {'FLOAT' if isinstance(kind, nw.Float32) else 'DOUBLE'})"
    if isinstance(cell, Decimal):
        return _decimal(cell)
    if isinstance(cell, datetime):
        zoned = cell.tzinfo is not None
        return f"CAST({text_literal(cell.isoformat(sep=' '))} AS {'TIMESTAMPTZ' if zoned else 'TIMESTAMP'})"
    if isinstance(cell, date):
        return f"CAST('{cell.isoformat()}' AS DATE)"
    if isinstance(cell, time):
        return f"CAST('{cell.isoformat()}' AS TIME)"
    if isinstance(cell, (bytes, bytearray, memoryview)):
        return f"unhex('{bytes(cell).hex()}')"
    text = text_literal(str(cell))
    named = next((name for type_, name in _KINDS.items() if isinstance(kind, type_)), None)
    return text if named is None else f"CAST({text} AS {named})"


def _decimal(cell: Decimal) -> str:
    return f"{cell:f}" if cell.is_finite() else f"CAST('{float(cell)!r}' AS DOUBLE)"


def cell_column(column: str, kind: Any) -> CellColumn:
    """Return a column that is matched as text."""
    restore = restorer(kind)
    whole = column if isinstance(kind, INTEGERS) else None
    return CellColumn(
        expression=column,
        restore=lambda cell: restored(restore, cell),
        literal=lambda cell: literal(cell, kind),
        whole=f"CAST({column} AS INTEGER)" if isinstance(kind, nw.Boolean) else whole,
    )
