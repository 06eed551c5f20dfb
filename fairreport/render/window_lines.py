"""The window of time that was judged, as lines and as code."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from fairreport.audit.record import AuditRecord, DataRecord
from fairreport.audit.window import DAY, WindowRecord, days_before, zone_of
from fairreport.render import formats
from fairreport.render.record_lines import said
from fairreport.render.views import Line, Name

WINDOW = "Window"
_UNITS = ((DAY, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def window_lines(data: DataRecord) -> tuple[Line, ...]:
    """Return the lines on the windows of a run; none where rows of any time were judged."""
    return tuple(_lines(data))


def _lines(data: DataRecord) -> Iterator[Line]:
    if data.window is not None:
        yield Line(term=WINDOW, text=said(*_pieces(data.window)))
        yield Line(term="Rows by time", text=said(_rows(data.window)))
    for name, window in data.test_windows.items():
        yield Line(term="Window of one test", text=said(Name.of(name), ": ", *_pieces(window), "; ", _rows(window)))


def _pieces(window: WindowRecord) -> tuple[str | Name, ...]:
    zone = () if window.timezone == "UTC" else (", times without a zone in ", Name.of(window.timezone))
    return (f"{period(window)} ({duration(window.length_seconds)}), by ", Name.of(window.column), *zone)


def _rows(window: WindowRecord) -> str:
    return (
        f"{formats.count(window.rows_within)} in the window, {formats.count(window.rows_before)} before it, "
        f"{formats.count(window.rows_after)} at its end or later, {formats.count(window.rows_without_time)} "
        "without a usable time"
    )


def period(window: WindowRecord) -> str:
    """Return the ends of a window in words, in UTC."""
    return f"from {moment(window.start)} to before {moment(window.end)} UTC"


def moment(stamp: str) -> str:
    """Return an ISO 8601 time in UTC as it reads best, as exact as it is.

    Examples
    --------
    >>> moment("2026-03-02T00:00:00Z"), moment("2026-03-02T09:30:05Z")
    ('2026-03-02 00:00', '2026-03-02 09:30:05')
    """
    return stamp.removesuffix("Z").removesuffix(":00").replace("T", " ")


def duration(seconds: int) -> str:
    """Return a length of time in the largest unit of which it is a whole multiple.

    Examples
    --------
    >>> duration(604800), duration(3600), duration(5400), duration(0)
    ('7 days', '1 hour', '90 minutes', '0 seconds')
    """
    size, name = next(((size, name) for size, name in _UNITS if seconds and seconds % size == 0), (1, "second"))
    n = seconds // size
    return f"{n:,} {name}{'s' * (n != 1)}"


def window_code(record: AuditRecord) -> tuple[list[str], str]:
    """Return the arguments of the audit, and of its run, that make the same windows."""
    window = record.data.window
    if window is None:
        return [], ""
    arguments = [f"time_column={window.column!r}"]
    if window.timezone != "UTC":
        arguments.append(f"timezone={window.timezone!r}")
    return arguments, f"window=fr.Window(length={_stated(window)!r}, end={window.end!r})"


def _stated(window: WindowRecord) -> str:
    """Return the length of a window as its zone counts it: days only where those of its calendar come to the same."""
    start, end = datetime.fromisoformat(window.start), datetime.fromisoformat(window.end)
    days = round(window.length_seconds / DAY)
    if days and days_before(end, days, zone_of(window.timezone)) == start:
        return f"{days}d"
    for size, name in _UNITS[1:3]:
        if window.length_seconds % size == 0:
            return f"{window.length_seconds // size}{name[0]}"
    return f"{window.length_seconds}s"
