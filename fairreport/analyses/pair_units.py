"""Finished rows of named pairs as they are told: in the weights of the table, and no zero with a sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from fairreport.analyses.pair_result import Beside, PairTable, PooledRow

_WEIGHTS = frozenset({"total", "total_label", "counted", "shortfall", "positive", "denominator", "numerator"})


def told_tables(tables: Sequence[PairTable], unit: float) -> tuple[PairTable, ...]:
    """Return tables whose sums of weights are multiplied by what a weight of 1 stood for.

    Parameters
    ----------
    tables : sequence of PairTable
        Finished rows.
    unit : float
        1, or a power of two.
    """
    return tuple(replace(table, rows=tuple(_told(row, unit) for row in table.rows)) for table in tables)


def told_rows(rows: Sequence[PooledRow]) -> tuple[PooledRow, ...]:
    """Return pooled rows, which hold no sums of weights."""
    return tuple(_told(row, 1.0) for row in rows)


def _told(row: Any, unit: float) -> Any:
    changes: dict[str, Any] = {}
    for item in fields(row):
        value = getattr(row, item.name)
        if isinstance(value, Beside):
            changes[item.name] = _told(value, unit)
        elif unit != 1 and item.name in _WEIGHTS and value is not None:
            changes[item.name] = value * unit
        elif isinstance(value, float) and value == 0:
            changes[item.name] = 0.0
    return replace(row, **changes) if changes else row
