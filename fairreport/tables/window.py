"""Rows by time: what a time column is, spans of time, and the wall clock of a zone.

Bounds are translated, rows are not: a window of instants is a range of wall-clock times of a zone, so that a column
without zones is filtered with two comparisons of its raw cells, in every engine alike.

Where a clock is set back, a wall-clock time that occurs twice is taken for its first occurrence; where it is set
forward, a time that was skipped is taken for the moment of the change. Both keep the order of the wall clock.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Protocol
from zoneinfo import ZoneInfo

from fairreport.errors import DataError, nearest
from fairreport.tables.counts import whole_number

if TYPE_CHECKING:
    from fairreport.tables.source import Table

BLANKS = " \t\r\n"
"""What may stand around a time that is text."""

WANTED = "wanted timestamps, dates, or ISO text such as 2026-03-02 or 2026-03-02T09:30:00+01:00"

TIME_PATTERN = (
    "([1-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    "([Tt ]([01][0-9]|2[0-3]):([0-5][0-9])(:([0-5][0-9])([.,]([0-9]{1,9}))?)?"
    "( ?([Zz]|UTC|[+-](0[0-9]|1[0-4])(:?([0-5][0-9]))?))?)?"
)
"""A date, or a date and a time with or without an offset, as RE2 and Python read it; years from 1000 to 9999."""

ZONE_PATTERN = "([Zz]|UTC|[+-](0[0-9]|1[0-4])(:?([0-5][0-9]))?)"
"""The end of a text that states an offset, where something stands behind the date."""

_DATE = "[1-9][0-9]{3}-[01][0-9]-[0-3][0-9]"
_CLOCK = "[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?"

PLAIN_WALL = f"{_DATE}({_CLOCK})?"
PLAIN_INSTANT = f"{_DATE}{_CLOCK}(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])"
"""The forms that most files hold, which DuckDB reads as they stand: without an offset, and with one."""

_TIME = re.compile(TIME_PATTERN, re.ASCII)
_LONGEST_JUMP = timedelta(hours=26)
_STEP = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeColumn:
    """A column of times.

    Attributes
    ----------
    name : str
        The column.
    zone : ZoneInfo
        Zone of times that state none.
    """

    name: str
    zone: ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The times from `start` on and before `end`; None is without limit. Both bear a zone."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCounts:
    """How many rows lie in each of some spans, how many have a usable time, and how many there are."""

    inside: tuple[int, ...]
    usable: int
    total: int


class Times(Protocol):
    """A time column of a table of any engine."""

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the rows of some spans, in one statement."""
        ...

    def within(self, span: Span) -> Table:
        """Return the table with the rows of a span only; nothing is copied that the engine need not copy."""
        ...

    def unreadable(self) -> str | None:
        """Return a cell that is no time, where there is one."""
        ...


def wall_clock(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return the first wall-clock time of a zone that is not before an instant.

    Parameters
    ----------
    instant : datetime
        With a zone.
    zone : ZoneInfo
        Where the clock hangs.

    Returns
    -------
    datetime
        Without a zone. A cell without a zone lies at the instant or later where it is not smaller.

    Examples
    --------
    The night of 29 March 2026 in Oslo, when 02:00 became 03:00:

    >>> oslo = ZoneInfo("Europe/Oslo")
    >>> wall_clock(datetime(2026, 3, 29, 1, tzinfo=UTC), oslo)
    datetime.datetime(2026, 3, 29, 2, 0)
    >>> wall_clock(datetime(2026, 3, 29, 1, 0, 1, tzinfo=UTC), oslo)
    datetime.datetime(2026, 3, 29, 3, 0, 1)
    """
    utc = instant.astimezone(UTC)
    there = utc.astimezone(zone).replace(tzinfo=None, fold=0)
    low, high = there - _LONGEST_JUMP, there + _LONGEST_JUMP
    if not _is_before(low, utc, zone) or _is_before(high, utc, zone):
        return there
    while high - low > _STEP:
        middle = low + (high - low) // 2
        low, high = (middle, high) if _is_before(middle, utc, zone) else (low, middle)
    return high


def instant_at(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, at which the clock of a zone shows a time.

    Parameters
    ----------
    wall : datetime
        Without a zone. One that occurs twice is the first of the two, unless its `fold` is 1; one that was skipped is
        the moment of the change.
    zone : ZoneInfo
        Where the clock hangs.

    Examples
    --------
    The night of 29 March 2026 in Oslo, when 02:00 became 03:00 at 01:00 UTC:

    >>> oslo = ZoneInfo("Europe/Oslo")
    >>> [instant_at(datetime(2026, 3, 29, *clock), oslo).strftime("%H:%M") for clock in ((1, 30), (2, 30), (3, 30))]
    ['00:30', '01:00', '01:30']
    """
    first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first <= second:
        return second if wall.fold else first
    before_change = wall.replace(tzinfo=zone, fold=0).utcoffset()
    low, high = second - _STEP, first  # the change lies after the one, and not after the other
    while high - low > _STEP:
        middle = low + (high - low) // 2
        is_before = middle.astimezone(zone).utcoffset() == before_change
        low, high = (middle, high) if is_before else (low, middle)
    return high


def clock_at(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return the time that the clock of a zone shows at an instant; where it is set past midnight, that midnight.

    Examples
    --------
    In Cairo midnight became 01:00 on 24 April 2026, at 22:00 UTC:

    >>> clock_at(datetime(2026, 4, 23, 22, tzinfo=UTC), ZoneInfo("Africa/Cairo"))
    datetime.datetime(2026, 4, 24, 0, 0)
    """
    shown = instant.astimezone(zone).replace(tzinfo=None)
    midnight = datetime.combine(shown.date(), datetime.min.time())
    return midnight if instant_at(midnight, zone) == instant else shown


def _is_before(wall: datetime, utc: datetime, zone: ZoneInfo) -> bool:
    """Tell whether a wall-clock time lies before an instant."""
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    second = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if first <= second:  # ordinary, or twice on the clock
        return first < utc
    if utc <= second or utc > first:  # skipped: it stands for the moment of the change, between the two
        return utc > first
    before_change = wall.replace(tzinfo=zone, fold=0).utcoffset()
    return (utc - _STEP).astimezone(zone).utcoffset() != before_change


def first_date(wall: datetime) -> date:
    """Return the first date whose midnight is not before a wall-clock time.

    Examples
    --------
    >>> first_date(datetime(2026, 3, 2)), first_date(datetime(2026, 3, 2, 0, 0, 1))
    (datetime.date(2026, 3, 2), datetime.date(2026, 3, 3))
    """
    return wall.date() if wall == datetime.combine(wall.date(), datetime.min.time()) else wall.date() + timedelta(1)


def first_tick(time: datetime, size: int) -> datetime:
    """Return the first time not before another that is a whole number of ticks, each of `size` microseconds.

    A column of such ticks lies at a bound or later where it lies at that time or later.

    Examples
    --------
    >>> first_tick(datetime(2026, 3, 2, 0, 0, 0, 500), 1000), first_tick(datetime(2026, 3, 2), 1000)
    (datetime.datetime(2026, 3, 2, 0, 0, 0, 1000), datetime.datetime(2026, 3, 2, 0, 0))
    """
    return time + timedelta(microseconds=-time.microsecond % size)


def read_time(cell: Any) -> datetime | None:
    """Return the time that a cell states, with a zone where it states one; None where it is no time.

    Examples
    --------
    >>> read_time("2026-03-02 09:30+01:00").utcoffset() == timedelta(hours=1)
    True
    >>> read_time(date(2026, 3, 2)), read_time("2 March"), read_time(1772409600)
    (datetime.datetime(2026, 3, 2, 0, 0), None, None)
    """
    if isinstance(cell, datetime):
        return cell if cell == cell else None  # noqa: PLR0124 - pandas' NaT
    if isinstance(cell, date):
        return datetime.combine(cell, datetime.min.time())
    return _read_text(cell) if isinstance(cell, str) else None


def _read_text(text: str) -> datetime | None:
    found = _TIME.fullmatch(text.strip(BLANKS))
    if found is None:
        return None
    hour, minute, second = (int(found[i] or 0) for i in (5, 6, 8))
    microsecond = int((found[10] or "").ljust(6, "0")[:6])
    try:
        wall = datetime(int(found[1]), int(found[2]), int(found[3]), hour, minute, second, microsecond)  # noqa: DTZ001
    except ValueError:  # 30 February
        return None
    if found[12] is None:
        return wall
    if found[13] is None:
        return wall.replace(tzinfo=UTC)
    offset = timedelta(hours=int(found[13]), minutes=int(found[15] or 0))
    return wall.replace(tzinfo=timezone(-offset if found[12][0] == "-" else offset))


def is_inside(time: datetime, span: Span, zone: ZoneInfo) -> bool:
    """Tell whether a time lies in a span; one without a zone is on the clock of `zone`.

    Examples
    --------
    >>> span = Span(start=datetime(2026, 3, 2, tzinfo=UTC), end=datetime(2026, 3, 3, tzinfo=UTC))
    >>> [is_inside(datetime(2026, 3, day), span, ZoneInfo("UTC")) for day in (1, 2, 3)]
    [False, True, False]
    """
    start, end = span.start, span.end
    if time.tzinfo is None:
        start, end = (None if bound is None else wall_clock(bound, zone) for bound in (start, end))
    return (start is None or time >= start) and (end is None or time < end)


def times_of(table: Table, time: TimeColumn) -> Times:
    """Return the times of a table.

    Raises
    ------
    DataError
        If it has no such column, or one that holds no times.
    """
    if not table.has(time.name):
        raise DataError(f"the table has no column {time.name!r}.{nearest(time.name, table.names)}")
    if time.name in table.nested:
        raise DataError(f"the time column {time.name!r} holds nested values; {WANTED}")
    return table.times(time)


def not_times(name: str, kind: str) -> DataError:
    """Return the error for a column of another type."""
    return DataError(f"the time column {name!r} holds {kind}; {WANTED}")


def count_rows(table: Table, counts: str | None) -> int | None:
    """Return the rows that the rows of a table stand for; None without a counts column."""
    if counts is None:
        return None
    return sum(whole_number(cell, counts) * n for _, (cell,), n in table.count([(counts,)], None))


def count_spans(table: Table, time: TimeColumn, spans: Sequence[Span], counts: str | None) -> TimeCounts:
    """Return how many rows lie in each span; with counts, the rows that they stand for.

    Without counts that is one statement. Spans may overlap.

    Raises
    ------
    DataError
        If the column holds no times: it is absent, of another type, or text of which no cell is a time.
    """
    times = times_of(table, time)
    found = times.count(spans)
    if found.total and not found.usable and (cell := times.unreadable()) is not None:
        raise DataError(f"no cell of the time column {time.name!r} is a time, such as {cell!r}; {WANTED}")
    total = count_rows(table, counts)
    if total is None:
        return found
    weighed = [count_rows(times.within(span), counts) or 0 for span in spans]
    return TimeCounts(inside=tuple(weighed), usable=count_rows(times.within(Span()), counts) or 0, total=total)
