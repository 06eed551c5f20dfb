"""The times of a column of a pandas frame: a mask of rows, and the frame seen through it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pandas as pd

from fairreport.tables.pandas_table import PandasTable, encode
from fairreport.tables.source import Table
from fairreport.tables.text import canonical
from fairreport.tables.window import Span, TimeColumn, TimeCounts, is_inside, not_times, read_time, wall_clock
from fairreport.tables.window_duckdb import Mask, SqlMasks


class _Clock(Protocol):
    """The cells of a column, asked which of them lie in a span."""

    def usable(self) -> Mask: ...

    def inside(self, span: Span) -> Mask: ...


class _Stamps:
    """Cells that numpy holds as times, without a zone or in UTC."""

    def __init__(self, stamps: npt.NDArray[Any], zone: ZoneInfo | None) -> None:
        self._stamps = stamps
        self._zone = zone

    def usable(self) -> Mask:
        missing: Mask = np.isnat(self._stamps)
        return ~missing

    def inside(self, span: Span) -> Mask:
        mask = self.usable()
        if span.start is not None:
            mask &= self._stamps >= self._bound(span.start)
        if span.end is not None:
            mask &= self._stamps < self._bound(span.end)
        return mask

    def _bound(self, bound: datetime) -> np.datetime64:
        there = bound.astimezone(UTC).replace(tzinfo=None) if self._zone is None else wall_clock(bound, self._zone)
        return np.datetime64(there, "us")


class _Levels:
    """Cells of any kind, read one by one: each distinct one once."""

    def __init__(self, codes: npt.NDArray[Any], levels: Sequence[Any], zone: ZoneInfo) -> None:
        self._codes = codes
        self._times = [read_time(level) for level in levels]
        self._zone = zone

    def usable(self) -> Mask:
        return self._taken([time is not None for time in self._times])

    def inside(self, span: Span) -> Mask:
        return self._taken([time is not None and is_inside(time, span, self._zone) for time in self._times])

    def _taken(self, states: list[bool]) -> Mask:
        return np.array(states, dtype=np.bool_)[self._codes] if states else np.zeros(len(self._codes), dtype=np.bool_)


class PandasTimes:
    """The times of one column of a frame.

    Parameters
    ----------
    table : PandasTable
        The table.
    column : Series
        Its column of times.
    time : TimeColumn
        What it is called, and its zone.

    Raises
    ------
    DataError
        If the column is of a type that holds no times.
    """

    def __init__(self, table: PandasTable, column: pd.Series[Any], time: TimeColumn) -> None:
        self._table = table
        self._column = column
        self._clock = _clock(column, time)

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the rows of some spans."""
        inside = tuple(int(self._clock.inside(span).sum()) for span in spans)
        return TimeCounts(inside=inside, usable=int(self._clock.usable().sum()), total=len(self._column))

    def within(self, span: Span) -> Table:
        """Return the table with the rows of a span only; where they lie together, nothing is copied."""
        return self._table.at(np.flatnonzero(self._clock.inside(span)))

    def unreadable(self) -> str | None:
        """Return the first text that is no time, where there is one."""
        return self._first_unreadable

    @cached_property
    def _first_unreadable(self) -> str | None:
        _, levels = encode(self._column.loc[~self._clock.usable()])
        texts = [text for text in map(canonical, levels) if text is not None]
        return min(texts, default=None)


def _clock(column: pd.Series[Any], time: TimeColumn) -> _Clock:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _Levels(*encode(column), time.zone)
    if isinstance(dtype, pd.DatetimeTZDtype):
        return _Stamps(np.asarray(column.dt.tz_convert(None)), None)
    if isinstance(dtype, np.dtype) and dtype.kind == "M":
        return _Stamps(column.to_numpy(), time.zone)
    is_object = isinstance(dtype, np.dtype) and dtype.kind == "O"
    if is_object and pd.api.types.infer_dtype(column, skipna=True) != "string":
        return _Levels(*encode(column), time.zone)
    if is_object or isinstance(dtype, (pd.StringDtype, pd.ArrowDtype)):
        return SqlMasks(pd.DataFrame({"c0": column.array}, copy=False), time)
    if column.isna().all():
        return _Levels(*encode(column), time.zone)
    raise not_times(time.name, str(dtype))
