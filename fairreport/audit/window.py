"""The window of time that an audit judges: as it is stated, as it is resolved, and how many rows lie where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from numbers import Integral
from typing import Any
from zoneinfo import ZoneInfo

from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.window import Span, clock_at, instant_at, read_time

DAY = 86_400
_UNITS = {"w": 7 * DAY, "d": DAY, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:[0-9]+[wdhms] ?)+", re.ASCII)
_PYTHON_LENGTH = re.compile(r"([0-9]+) days?(?:,? ([0-9]{1,2}):([0-9]{2}):([0-9]{2}))?", re.ASCII)
"""What a timedelta says of itself, which is all that is left of it after papermill."""

_WRITTEN = re.compile(r"([0-9]{1,9})[ _-]*([A-Za-z]+)\.?", re.ASCII)
_WORDS = tuple(
    f"{unit}{s}" for unit in ("week", "wk", "day", "hour", "hr", "minute", "min", "second", "sec") for s in ("", "s")
)

_MONDAY = datetime(2024, 1, 1)  # noqa: DTZ001 - any Monday, on the clock of whatever zone
_YEARS = range(1700, 2200)
_LONGEST = 100 * 366 * DAY

WINDOW_KEYS = ("delayWindow", "evaluationWindow")
"""How a `tests.json` states the window of one test."""

Duration = int | str | timedelta
"""Whole seconds, or text such as ``7d``, ``12h`` or ``1d 12h``."""

Moment = str | date | datetime
"""A time; one without a zone is on the clock of the audit's zone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRecord:
    """One window [start, end): a row at its start is inside, a row at its end is not.

    Attributes
    ----------
    start, end : str
        ISO 8601 in UTC, such as ``2026-03-02T00:00:00Z``; with microseconds only where there are any.
    length_seconds : int
        end - start.
    delay_seconds : int
        How long rows may take to arrive: the delay that was stated, 0 where none was.
    column : str
        Column of the times.
    timezone : str
        Zone of times that state none.
    rows_within, rows_before, rows_after : int
        Rows inside the window, before its start, and at its end or later. With counts, the rows that they stand for.
    rows_without_time : int
        Rows whose time is missing or cannot be read; they are in no window.
    """

    start: str
    end: str
    length_seconds: int
    delay_seconds: int
    column: str
    timezone: str
    rows_within: int
    rows_before: int
    rows_after: int
    rows_without_time: int

    @property
    def span(self) -> Span:
        """The span of time, for counting its rows again."""
        return Span(start=datetime.fromisoformat(self.start), end=datetime.fromisoformat(self.end))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedWindows:
    """The windows of a run: of all tests but those that have one of their own, by name."""

    shared: WindowRecord | None = None
    of_tests: Mapping[str, WindowRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWindow:
    """The window that one test states for itself, in seconds."""

    length: int
    delay: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedWindow:
    """A window with its ends."""

    start: datetime
    end: datetime
    delay: int

    @property
    def span(self) -> Span:
        """The span of time."""
        return Span(start=self.start, end=self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The window of time that a run judges: [end - length, end).

    Attributes
    ----------
    length : int, str or timedelta, optional
        Whole seconds, or text such as ``"7d"``, ``"12h"`` or ``"30m"``. Weeks and days that are stated as such are
        those of the calendar of the zone, so that windows touch: 23 or 25 hours where its clock is set. Hours and
        seconds are as long as they are. A test that states a window of its own, in seconds, keeps it.
    end : str, date or datetime, optional
        The end, which is outside. Without a zone it is on the clock of the audit's zone.
    delay : int, str or timedelta
        How long rows may take to arrive; where no end is stated, the window ends so long before `now`.
    now : str, date or datetime, optional
        What time it is, where no end is stated. The clock is never asked.
    align : int, str or timedelta, optional
        Without an end: set it back to the last whole multiple on the wall clock, such as ``"1d"`` for midnight or
        ``"7d"`` for the midnight before Monday, so that the windows of a schedule touch. A length of hours or seconds
        that is a multiple of it ends at multiples of elapsed time since a Monday midnight in January, since such
        windows would not touch on a clock that is set: where it is set forward in summer, they end an hour later then.

    Raises
    ------
    ConfigError
        If a length is no length, a time no time, or neither an end nor a now is stated.

    Examples
    --------
    >>> window = Window(length="7d", now="2026-03-09T06:30", delay="1h", align="1d")
    >>> window.place(ZoneInfo("UTC")).end.isoformat()
    '2026-03-09T00:00:00+00:00'
    """

    length: Duration | None = None
    end: Moment | None = None
    delay: Duration = 0
    now: Moment | None = None
    align: Duration | None = None

    def __post_init__(self) -> None:
        self.place(ZoneInfo("UTC"), OwnWindow(length=1) if self.length is None else None)

    def place(self, zone: ZoneInfo, own: OwnWindow | None = None) -> PlacedWindow:
        """Return the window with its ends.

        Parameters
        ----------
        zone : ZoneInfo
            Of times without one.
        own : OwnWindow, optional
            Length and delay that a test states for itself; they go first.

        Raises
        ------
        ConfigError
            If no length is stated.
        """
        delay = seconds_of(self.delay, "delay", least=0) if own is None else own.delay
        if own is not None:
            days, length = 0, own.length
        elif self.length is not None:
            days, length = days_of(self.length), seconds_of(self.length, "window")
        else:
            message = "how long is the window? State its length, such as 7d"
            raise ConfigError(Fault(code="missing_parameter", message=message, path="window"))
        end, clock = self._end(zone, delay, 0 if days else length)
        rest = timedelta(seconds=length - days * DAY)
        return PlacedWindow(start=days_before(end, days, zone, clock) - rest, end=end, delay=delay)

    def _end(self, zone: ZoneInfo, delay: int, elapsed: int) -> tuple[datetime, datetime | None]:
        """Return the end and the time that the clock shows then, None where it is the one that it shows.

        A length of `elapsed` seconds is of no calendar.
        """
        if self.end is not None:
            stated = _moment_of(self.end, "window_end")
            return instant_of(self.end, zone, "window_end"), None if stated.tzinfo else stated
        if self.now is None:
            message = "when does the window end? State window_end, or now, from which the delay counts back"
            raise ConfigError(Fault(code="missing_parameter", message=message, path="window_end"))
        end = instant_of(self.now, zone, "now") - timedelta(seconds=delay)
        if self.align is None:
            return end, None
        step = seconds_of(self.align, "align")
        if elapsed and elapsed % step == 0:
            return end - (end - instant_at(_MONDAY, zone)) % timedelta(seconds=step), None
        wall = end.astimezone(zone).replace(tzinfo=None)
        there = wall - (wall - _MONDAY) % timedelta(seconds=step)
        first, second = (instant_at(there.replace(fold=fold), zone) for fold in (0, 1))
        if step < DAY and first < second <= end:  # an hour that comes twice has two ends, a day has one
            return second, there
        return min(end, first), there


def days_of(length: Duration) -> int:
    """Return how many days a length states as weeks and days; 0 where it states hours or seconds alone.

    Examples
    --------
    >>> days_of("1w 1d 12h"), days_of("168h"), days_of(604800)
    (8, 0, 0)
    """
    text = length.strip() if isinstance(length, str) else ""
    if _DURATION.fullmatch(text) is None:
        return 0
    return sum(int(part[:-1]) * _UNITS[part[-1]] // DAY for part in re.findall(r"[0-9]+[wd]", text))


def days_before(end: datetime, days: int, zone: ZoneInfo, clock: datetime | None = None) -> datetime:
    """Return the instant at which the clock of a zone showed the same time some days earlier.

    One that it showed twice is the first of the two; one that it skipped is the moment of the change.

    Parameters
    ----------
    end : datetime
        The instant.
    days : int
        How many days earlier; 0 is the instant itself.
    zone : ZoneInfo
        Where the clock hangs.
    clock : datetime, optional
        The time that was stated for `end`, where the clock skipped it. Without it, a moment at which the clock was
        set past midnight is that midnight.

    Examples
    --------
    The clock of Oslo was set forward on 29 March 2026, so that this week has 167 hours:

    >>> end = datetime(2026, 3, 29, 22, tzinfo=ZoneInfo("UTC"))
    >>> end - days_before(end, 7, ZoneInfo("Europe/Oslo"))
    datetime.timedelta(days=6, seconds=82800)
    """
    if not days:
        return end
    wall = clock_at(end, zone) if clock is None else clock
    start = instant_at(wall - timedelta(days=days), zone)
    return start if start < end else end - timedelta(days=days)  # Apia had no 30 December 2011


def seconds_of(value: Any, path: str, *, least: int = 1) -> int:
    """Return a length of time in whole seconds; a day is 24 hours.

    Parameters
    ----------
    value : int, str or timedelta
        Whole seconds, or text of numbers with units (w, d, h, m, s).
    path : str
        What is stated, for the error.
    least : int
        The shortest length that is meant.

    Raises
    ------
    ConfigError
        If it is no length of time.

    Examples
    --------
    >>> seconds_of("7d", "window"), seconds_of("1d 12h", "window"), seconds_of(604800, "window")
    (604800, 129600, 604800)
    """
    seconds = _seconds(value)
    if seconds is None:
        message = f"must be a length of time such as 7d, 12h or 30m, or whole seconds, got {value!r}.{_meant(value)}"
        raise ConfigError(Fault(code="bad_type", message=message, path=path))
    if not least <= seconds <= _LONGEST:
        message = f"must be from {least} second{'s' * (least != 1)} to 100 years, got {value!r}"
        raise ConfigError(Fault(code="out_of_range", message=message, path=path))
    return seconds


def _meant(value: Any) -> str:
    """Return a hint where text is a number with a unit that is written otherwise: 7d for ``7 dayz``."""
    found = _WRITTEN.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        return ""
    word = found[2].lower()
    if found[2] == "M" or word.startswith("mo"):  # a month, and no unit
        return ""
    near = [word] if word in _UNITS else get_close_matches(word, _WORDS, n=1) if len(word) > 1 else []
    return f" Did you mean '{found[1]}{near[0][0]}'?" if near else ""


def _seconds(value: Any) -> int | None:
    if isinstance(value, timedelta):
        return value // timedelta(seconds=1) if not value.microseconds else None
    if isinstance(value, bool):
        return None
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text)
    if len(text) > 40:
        return None
    days = _PYTHON_LENGTH.fullmatch(text)
    if days is not None:
        return sum(int(days[i] or 0) * size for i, size in ((1, DAY), (2, 3600), (3, 60), (4, 1)))
    if _DURATION.fullmatch(text) is None:
        return None
    return sum(int(part[:-1]) * _UNITS[part[-1]] for part in re.findall(r"[0-9]+[wdhms]", text))


def instant_of(value: Any, zone: ZoneInfo, path: str) -> datetime:
    """Return a stated time as an instant in UTC.

    Parameters
    ----------
    value : str, date or datetime
        ISO 8601 where it is text.
    zone : ZoneInfo
        Of a time without one; one that occurs twice on its clock is the first of the two, and one that it skipped the
        moment of the change.
    path : str
        What is stated, for the error.

    Raises
    ------
    ConfigError
        If it is no time.

    Examples
    --------
    >>> instant_of("2026-03-02", ZoneInfo("Europe/Oslo"), "window_end").isoformat()
    '2026-03-01T23:00:00+00:00'
    """
    moment = _moment_of(value, path)
    return instant_at(moment.replace(fold=0), zone) if moment.tzinfo is None else moment.astimezone(UTC)


def _moment_of(value: Any, path: str) -> datetime:
    """Return a stated time, without a zone where it states none."""
    found = read_time(value)
    if found is None:
        message = f"must be a time such as 2026-03-02 or 2026-03-02T09:30:00+01:00, got {value!r}"
        raise ConfigError(Fault(code="bad_type", message=message, path=path))
    if found.year not in _YEARS:
        message = f"must lie between {_YEARS[0]} and {_YEARS[-1]}, got {value!r}"
        raise ConfigError(Fault(code="out_of_range", message=message, path=path))
    return datetime.combine(found.date(), found.time(), found.tzinfo)  # a plain one of pandas' own kind


def zone_of(name: str | None, path: str = "timezone") -> ZoneInfo:
    """Return a time zone by its name, UTC where none is stated.

    Raises
    ------
    ConfigError
        If there is no zone of that name.
    """
    try:
        return ZoneInfo("UTC" if name is None else name)
    except (LookupError, ValueError, OSError, TypeError):
        import zoneinfo  # noqa: PLC0415 - only a wrong name asks for all of them

        hint = nearest(str(name), sorted(zoneinfo.available_timezones()))
        message = f"is no time zone, got {name!r}; wanted a name such as Europe/Oslo.{hint}"
        raise ConfigError(Fault(code="bad_enum", message=message, path=path)) from None


def stamp(instant: datetime) -> str:
    """Return an instant as ISO 8601 text in UTC.

    Examples
    --------
    >>> stamp(datetime(2026, 3, 2, 1, tzinfo=ZoneInfo("Europe/Oslo")))
    '2026-03-02T00:00:00Z'
    """
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def distinct(windows: Sequence[PlacedWindow]) -> Iterator[tuple[PlacedWindow, list[int]]]:
    """Yield each window once, with the places at which it stands."""
    found: dict[PlacedWindow, list[int]] = {}
    for i, window in enumerate(windows):
        found.setdefault(window, []).append(i)
    yield from found.items()
