"""The times of a column of a lazy frame: conditions that its engine answers itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import narwhals.stable.v2 as nw
import pandas as pd

from fairreport.errors import DataError
from fairreport.tables.source import Table
from fairreport.tables.window import (
    Span,
    TimeColumn,
    TimeCounts,
    Times,
    first_date,
    first_tick,
    not_times,
    wall_clock,
)
from fairreport.tables.window_duckdb import SqlMasks

Frame = nw.LazyFrame[Any]
Reopen = Callable[[Frame], Table]
"""From a frame of some of the rows to its table."""

_TICKS = {"s": 1_000_000, "ms": 1_000}
"""Microseconds from one time of a column to the next, where that is more than one."""


class NarwhalsTimes:
    """The times of a frame whose engine holds them as times."""

    def __init__(self, frame: Frame, dtype: Any, time: TimeColumn, reopen: Reopen) -> None:
        self._frame = frame
        self._dtype = dtype
        self._column = nw.col(time.name)
        self._zone = time.zone
        self._reopen = reopen

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the rows of some spans, in one statement."""
        named = {f"in{i}": self._inside(span) for i, span in enumerate(spans)}
        counted = self._frame.select(
            nw.len().alias("total"),
            self._usable().cast(nw.Int64).sum().alias("usable"),
            *(condition.fill_null(value=False).cast(nw.Int64).sum().alias(name) for name, condition in named.items()),
        ).collect()
        found = {name: int(counted[name].to_list()[0] or 0) for name in counted.columns}
        inside = tuple(found[name] for name in named)
        return TimeCounts(inside=inside, usable=found["usable"], total=found["total"])

    def within(self, span: Span) -> Table:
        """Return the table with the rows of a span only."""
        return self._reopen(self._frame.filter(self._inside(span)))

    def unreadable(self) -> str | None:
        """Return None: a cell that is no time is null."""
        return None

    def _usable(self) -> nw.Expr:
        return ~self._column.is_null()

    def _inside(self, span: Span) -> nw.Expr:
        condition = self._usable()
        if span.start is not None:
            condition = condition & (self._column >= self._bound(span.start))
        if span.end is not None:
            condition = condition & (self._column < self._bound(span.end))
        return condition

    def _bound(self, bound: datetime) -> Any:
        if isinstance(self._dtype, nw.Datetime) and self._dtype.time_zone is not None:
            there = self._on_ticks(bound.astimezone(UTC))
            return there.astimezone(ZoneInfo(self._dtype.time_zone))  # an engine may refuse to compare two zones
        wall = wall_clock(bound, self._zone)
        return first_date(wall) if isinstance(self._dtype, nw.Date) else self._on_ticks(wall)

    def _on_ticks(self, bound: datetime) -> datetime:
        """Return the first time not before a bound that the column can hold: an engine may cut off what is finer."""
        return first_tick(bound, _TICKS.get(getattr(self._dtype, "time_unit", ""), 1))


class _PolarsTexts:
    """The times of a polars frame that are text: read by the rule of text files, then a mask of rows."""

    def __init__(self, frame: Frame, time: TimeColumn, reopen: Reopen) -> None:
        self._frame = frame
        self._reopen = reopen
        column = frame.select(nw.col(time.name).alias("c0")).collect()
        try:
            held: Any = column.to_arrow()
        except ImportError:
            held = pd.DataFrame({"c0": column["c0"].to_list()}, dtype=object)
        self._masks = SqlMasks(held, time)

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the rows of some spans."""
        return self._masks.count(spans)

    def within(self, span: Span) -> Table:
        """Return the table with the rows of a span only."""
        import polars as pl  # noqa: PLC0415 - who brings a polars frame has it

        kept = self._frame.to_native().filter(pl.Series(self._masks.inside(span)))
        return self._reopen(nw.from_native(kept).lazy())

    def unreadable(self) -> str | None:
        """Return the first text that is no time, where there is one."""
        return self._masks.unreadable()


def narwhals_times(frame: Frame, dtype: Any, time: TimeColumn, *, engine: str, reopen: Reopen) -> Times:
    """Return the times of a column.

    Raises
    ------
    DataError
        If its type holds no times, or it is text that only a remote engine could read.
    """
    if isinstance(dtype, (nw.Datetime, nw.Date)):
        return NarwhalsTimes(frame, dtype, time, reopen)
    if not isinstance(dtype, (nw.String, nw.Categorical, nw.Enum)):
        raise not_times(time.name, str(dtype))
    if engine != "polars":
        raise DataError(
            f"the time column {time.name!r} holds text, which {engine} does not read as fairreport does; "
            "turn it into timestamps there first"
        )
    return _PolarsTexts(frame, time, reopen)
