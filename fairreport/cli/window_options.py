"""The options that state a window of time, and the one place where the clock is asked."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairreport.audit.audit import Audit
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


def clock() -> datetime:
    """Return what time it is, in whole seconds: asked once a run, and told in what is written."""
    return datetime.now(UTC).replace(microsecond=0)
