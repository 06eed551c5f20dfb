"""What there is to know of the windows of a run: whether they are over, and how many rows have no usable time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from fairreport.audit.record import AuditRecord
from fairreport.audit.window import PlacedWindow, Window, WindowRecord, stamp
from fairreport.render import formats
from fairreport.render.window_lines import duration, moment


def unfinished(windows: Iterable[PlacedWindow], now: datetime | None) -> tuple[str, ...]:
    """Say which windows are not over: rows of them may still arrive.

    Parameters
    ----------
    windows : iterable of PlacedWindow
        The windows that are judged.
    now : datetime or None
        What time it is; nothing is said where that is not known.

    Examples
    --------
    >>> from datetime import UTC
    >>> start, end = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)
    >>> unfinished([PlacedWindow(start=start, end=end, delay=3600)], end - timedelta(days=1))[0][:59]
    'The window is not over: it ends 2026-03-09 00:00 UTC, later'
    >>> unfinished([PlacedWindow(start=start, end=end, delay=3600)], end + timedelta(hours=1))
    ()
    """
    return () if now is None else tuple(dict.fromkeys(_unfinished(windows, now)))


def _unfinished(windows: Iterable[PlacedWindow], now: datetime) -> Iterator[str]:
    for window in windows:
        end, here = f"{moment(stamp(window.end))} UTC", f"{moment(stamp(now))} UTC"
        again = "rows of it may still arrive, so judge it again"
        if now < window.end:
            yield f"The window is not over: it ends {end}, later than now ({here}); {again} once it is over."
        elif now < window.end + timedelta(seconds=window.delay):
            delay = duration(window.delay)
            yield f"The window ended {end}, and its delay of {delay} has not passed now ({here}); {again} then."


def untouching(window: Window) -> tuple[str, ...]:
    """Say that the windows of a schedule do not touch, where each ends when its run happens to begin.

    Examples
    --------
    >>> untouching(Window(length="7d", end="2026-03-09"))
    ()
    """
    if window.end is not None or window.align is not None:
        return ()
    return (
        "The window ends when this run began, so that it does not touch the one before; audit.time.align, such as 7d, "
        "or a stated end mends that.",
    )


def without_time(windows: Sequence[WindowRecord]) -> tuple[str, ...]:
    """Say how many rows are in no window, because their time is missing or cannot be read."""
    rows = max((window.rows_without_time for window in windows), default=0)
    if not rows:
        return ()
    columns = " and ".join(dict.fromkeys(repr(window.column) for window in windows))
    has, it = ("has", "is") if rows == 1 else ("have", "are")
    return (f"{formats.plural(rows, 'row', 'rows')} {has} no usable time in {columns} and {it} in no window.",)


def windows_of(record: AuditRecord) -> tuple[WindowRecord, ...]:
    """Return the windows of an audit, each once."""
    found = [record.window_of(entry.name) for entry in record.entries]
    return tuple(dict.fromkeys(window for window in found if window is not None))
