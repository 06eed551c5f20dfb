"""The options that state a window of time, and the one place where the clock is asked."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fairreport.errors import nearest

if TYPE_CHECKING:
    from fairreport.audit.audit import Audit
    from fairreport.audit.result import AuditRun
    from fairreport.audit.window import Window


def add_window_options(command: argparse.ArgumentParser) -> None:
    """Add the options."""
    end = "where the window ends, such as 2026-03-09 (default: now less the delay)"
    command.add_argument("--window-end", metavar="TIME", help=end)
    command.add_argument("--window", metavar="LENGTH", help="how long it is: 7d, 12h, 30m, or seconds")
    command.add_argument("--delay", metavar="LENGTH", help="how long rows may take to arrive: 1h")
    command.add_argument("--time-column", metavar="NAME", help="column of times, instead of audit.time.column")
    command.add_argument("--timezone", metavar="ZONE", help="zone of times that state none (default: UTC)")


def is_window_asked(arguments: argparse.Namespace) -> bool:
    """Tell whether the command line asks for a window."""
    return any(value is not None for value in (arguments.window_end, arguments.window, arguments.delay))


def asked_window(arguments: argparse.Namespace, stated: Mapping[str, Any], audit: Audit) -> Window:
    """Return the window that the command line and the configuration state.

    Parameters
    ----------
    arguments : Namespace
        The command line, which goes first.
    stated : mapping
        What the configuration states under ``audit.time``.
    audit : Audit
        Its tests may state windows of their own.

    Raises
    ------
    ConfigError
        If an option is no time or no length, or a length is lacking.
    """
    from fairreport.audit.window import Window, zone_of

    end = arguments.window_end
    window = Window(
        length=arguments.window if arguments.window is not None else stated.get("window"),
        end=end,
        delay=next((value for value in (arguments.delay, stated.get("delay")) if value is not None), 0),
        now=clock() if end is None else None,
        align=stated.get("align"),
    )
    zone = zone_of(arguments.timezone) if audit.time is None else audit.time.zone
    for name in audit.names:
        window.place(zone, audit.own_windows.get(name))
    return window


def remarks_before(audit: Audit, window: Window | None) -> Iterator[str]:
    """Yield what there is to say of the time that is judged, before it is."""
    from fairreport.report.schedule_notes import unfinished

    if window is not None and audit.time is not None:
        placed = [window.place(audit.time.zone, audit.own_windows.get(name)) for name in audit.names]
        yield from unfinished(placed, clock())
        return
    if audit.time is not None:
        yield "no window is asked for: rows of any time are judged (--window-end, --window)"
    if audit.own_windows:
        names = ", ".join(map(repr, audit.own_windows))
        how = "give --time-column and --window-end" if audit.time is None else "give --window-end"
        yield f"the windows of {names} (evaluationWindow) were not applied: rows of any time are judged; {how}"


def remarks_after(audit: Audit, result: AuditRun) -> Iterator[str]:
    """Yield what there is to say of the times that were read, or that could not be."""
    from fairreport.report.schedule_notes import windows_of, without_time

    windows = windows_of(result.record)
    yield from without_time(windows)
    if not windows and audit.time is not None and audit.time.name not in result.table.names:
        near = nearest(audit.time.name, result.table.names)
        yield f"the table has no column {audit.time.name!r}, the column of times: no window can be judged.{near}"


def clock() -> datetime:
    """Return what time it is, in whole seconds: asked once a run, and told in what is written."""
    return datetime.now(UTC).replace(microsecond=0)
