"""The times of a column as DuckDB sees it: conditions on raw cells, so that a Parquet file is read where it must be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from fairreport.tables.duckdb_engine import connect
from fairreport.tables.duckdb_sql import text_literal
from fairreport.tables.source import Table
from fairreport.tables.window import (
    BLANKS,
    PLAIN_INSTANT,
    PLAIN_WALL,
    TIME_PATTERN,
    ZONE_PATTERN,
    Span,
    TimeColumn,
    TimeCounts,
    first_date,
    not_times,
    wall_clock,
)

Mask = npt.NDArray[np.bool_]

_NAIVE = {"TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"}
_TEXTS = {"VARCHAR", "JSON"}
_EMPTY = {'"NULL"', "NULL"}


class TimeSql:
    """SQL conditions on the raw cells of a time column.

    Parameters
    ----------
    column : str
        SQL of the raw cell.
    kind : str
        Its DuckDB type.
    time : TimeColumn
        The column.

    Raises
    ------
    DataError
        If the type is neither a timestamp, a date nor text.
    """

    def __init__(self, column: str, kind: str, time: TimeColumn) -> None:
        self._column = column
        self._kind = kind
        self._zone = time.zone
        self.is_text = kind in _TEXTS or kind.startswith("ENUM")
        if not (self.is_text or kind in _NAIVE or kind == "DATE" or kind in _EMPTY or _is_aware(kind)):
            raise not_times(time.name, kind)

    @property
    def text(self) -> str:
        """SQL of the cell as text."""
        return f"({self._column} ->> '$')" if self._kind == "JSON" else f"CAST({self._column} AS VARCHAR)"

    @property
    def columns(self) -> str:
        """SQL of a list of columns, which `usable` and `inside` of `parts` take: each cell is read once."""
        if not self.is_text:
            return f"{self._column} AS c"
        wall = self._tiers("try_cast({text} AS TIMESTAMP)", "NULL", "CASE WHEN NOT {zoned} THEN {wall} END")
        instant = self._tiers("NULL", "try_cast({text} AS TIMESTAMPTZ)", "CASE WHEN {zoned} THEN {instant} END")
        return f"{wall} AS wall, {instant} AS instant"

    @property
    def parts(self) -> TimeParts:
        """Conditions on `columns`."""
        names = ("wall", "instant") if self.is_text else ("c",)
        kinds = ("TIMESTAMP", "TIMESTAMPTZ") if self.is_text else (self._kind,)
        return TimeParts(names=names, kinds=kinds, zone=self._zone)

    def inside(self, span: Span) -> str:
        """Return SQL that holds where the raw cell lies in a span."""
        if not self.is_text:
            return TimeParts(names=(self._column,), kinds=(self._kind,), zone=self._zone).inside(span)
        walls = _compared("try_cast({text} AS TIMESTAMP)", "TIMESTAMP", span, self._zone)
        instants = _compared("try_cast({text} AS TIMESTAMPTZ)", "TIMESTAMPTZ", span, self._zone)
        odd_walls = _compared("{wall}", "TIMESTAMP", span, self._zone)
        odd_instants = _compared("{instant}", "TIMESTAMPTZ", span, self._zone)
        condition = self._tiers(walls, instants, f"CASE WHEN {{zoned}} THEN {odd_instants} ELSE {odd_walls} END")
        return f"coalesce({condition}, FALSE)"

    @property
    def strangest(self) -> str:
        """SQL of the first text that is no time, null where there is none."""
        blanks = text_literal(BLANKS)
        wall, instant = ("try_cast({text} AS TIMESTAMP)", "try_cast({text} AS TIMESTAMPTZ)")
        read = self._tiers(wall, instant, "coalesce({wall}, {instant})")
        return f"min(trim({self.text}, {blanks})) FILTER (trim({self.text}, {blanks}) <> '' AND {read} IS NULL)"

    def _tiers(self, wall: str, instant: str, odd: str) -> str:
        """Return SQL by how a text is written: plainly without a zone, plainly with one, or in another of the forms.

        Most files hold one plain form, and every further look at a text costs as much as to read it.
        """
        trimmed = f"trim(upper({self.text}), {text_literal(BLANKS)})"
        fixed = f"replace(replace({trimmed}, ',', '.'), 'UTC', 'Z')"
        for spaced in ("Z", "+", "-"):
            fixed = f"replace({fixed}, ' {spaced}', '{spaced}')"
        is_time = f"regexp_full_match({trimmed}, {text_literal(TIME_PATTERN)})"
        parts = {
            "text": self.text,
            "zoned": f"(length({trimmed}) > 10 AND regexp_matches({trimmed}, {text_literal(ZONE_PATTERN + '$')}))",
            "wall": f"try_cast({fixed} AS TIMESTAMP)",
            "instant": f"try_cast({fixed} AS TIMESTAMPTZ)",
        }
        return (
            f"CASE WHEN regexp_full_match({self.text}, {text_literal(PLAIN_WALL)}) THEN {wall.format(**parts)} "
            f"WHEN regexp_full_match({self.text}, {text_literal(PLAIN_INSTANT)}) "
            f"THEN {instant.format(**parts)} WHEN {is_time} THEN {odd.format(**parts)} END"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeParts:
    """Conditions on columns of times, of which at most one is not null.

    Attributes
    ----------
    names, kinds : tuple of str
        The columns and their DuckDB types.
    zone : ZoneInfo
        Of those without a zone.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    zone: ZoneInfo

    @property
    def usable(self) -> str:
        """SQL that holds where there is a time."""
        return " OR ".join(f"{name} IS NOT NULL" for name in self.names)

    def inside(self, span: Span) -> str:
        """Return SQL that holds where the time lies in a span."""
        pairs = zip(self.names, self.kinds, strict=True)
        return " OR ".join(f"({_compared(name, kind, span, self.zone)})" for name, kind in pairs)


def _compared(time: str, kind: str, span: Span, zone: ZoneInfo) -> str:
    """Return SQL that holds where a time is there and lies in a span."""
    found = []
    if span.start is not None:
        found.append(f"{time} >= {_literal(span.start, kind, zone)}")
    if span.end is not None:
        found.append(f"{time} < {_literal(span.end, kind, zone)}")
    return " AND ".join(found) or f"{time} IS NOT NULL"


def _is_aware(kind: str) -> bool:
    return kind.startswith("TIMESTAMPTZ") or (kind.startswith("TIMESTAMP") and kind.endswith("WITH TIME ZONE"))


def _literal(bound: datetime, kind: str, zone: ZoneInfo) -> str:
    if _is_aware(kind):
        return f"TIMESTAMPTZ '{bound.astimezone(UTC).isoformat(sep=' ')}'"
    wall = wall_clock(bound, zone)
    if kind == "DATE":
        return f"DATE '{first_date(wall).isoformat()}'"
    return f"{'TIMESTAMP_NS' if kind == 'TIMESTAMP_NS' else 'TIMESTAMP'} '{wall.isoformat(sep=' ')}'"


Restrict = Callable[[str], Table]
"""From an SQL condition to the table of the rows for which it holds."""


class DuckdbTimes:
    """The times of a table that DuckDB reads.

    Parameters
    ----------
    sql : TimeSql
        The conditions.
    source : str
        SQL after FROM.
    fetch : callable
        Runs a statement.
    restrict : callable
        Makes the table of some rows.
    """

    def __init__(
        self, sql: TimeSql, *, source: str, fetch: Callable[[str], Iterator[tuple[Any, ...]]], restrict: Restrict
    ) -> None:
        self._sql = sql
        self._source = source
        self._fetch = fetch
        self._restrict = restrict

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the rows of some spans, in one statement."""
        parts = self._sql.parts
        listed = ", ".join(f"count(*) FILTER ({it})" for it in (parts.usable, *map(parts.inside, spans)))
        source = f"(SELECT {self._sql.columns} FROM {self._source})"
        ((total, usable, *inside),) = self._fetch(f"SELECT count(*), {listed} FROM {source}")
        return TimeCounts(inside=tuple(map(int, inside)), usable=int(usable), total=int(total))

    def within(self, span: Span) -> Table:
        """Return the table with the rows of a span only."""
        return self._restrict(self._sql.inside(span))

    def unreadable(self) -> str | None:
        """Return the first text that is no time, where there is one."""
        if not self._sql.is_text:
            return None
        ((found,),) = self._fetch(f"SELECT {self._sql.strangest} FROM {self._source}")
        return None if found is None else str(found)


class SqlMasks:
    """Which rows of a column in memory lie in a span, as an array.

    Parameters
    ----------
    held : Arrow table or pandas frame
        With one column, ``c0``.
    time : TimeColumn
        What it is called elsewhere, and its zone.
    """

    def __init__(self, held: Any, time: TimeColumn) -> None:
        self._held = held  # the engine keeps no reference of its own
        self._connection = connect()
        self._connection.register("fr_times", held)
        kind = self._connection.execute("DESCRIBE fr_times").fetchall()[0][1]
        self._sql = TimeSql("c0", str(kind), time)

    def usable(self) -> Mask:
        """Return whether each cell is a time."""
        return self._asked(self._sql.inside(Span()))

    def inside(self, span: Span) -> Mask:
        """Return whether each cell lies in a span."""
        return self._asked(self._sql.inside(span))

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the cells of some spans."""
        usable = self.usable()
        inside = tuple(int(self.inside(span).sum()) for span in spans)
        return TimeCounts(inside=inside, usable=int(usable.sum()), total=len(usable))

    def unreadable(self) -> str | None:
        """Return the first text that is no time, where there is one."""
        if not self._sql.is_text:
            return None
        ((found,),) = self._connection.execute(f"SELECT {self._sql.strangest} FROM fr_times").fetchall()
        return None if found is None else str(found)

    def _asked(self, condition: str) -> Mask:
        found = self._connection.sql(f"SELECT {condition} AS yes FROM fr_times").fetchnumpy()
        return np.ma.filled(found["yes"], fill_value=False).astype(np.bool_)
