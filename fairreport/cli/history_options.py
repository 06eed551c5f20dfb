"""What can be typed after ``fairreport history``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

SHOW_CODES = """\
exit codes of history:
  0   it was read, whatever it holds
  2   it cannot be read, or holds no such audit or test

PLACE is a DuckDB file, or the URL of a database that SQLAlchemy reaches.
"""


def add_history(add_parser: Callable[..., argparse.ArgumentParser], shared: argparse.ArgumentParser) -> None:
    """Add the command to the command line."""
    text = "what earlier runs of an audit found, window by window"
    command = add_parser("history", help=text, description=f"{text.capitalize()}.", allow_abbrev=False)
    jobs = command.add_subparsers(dest="job", required=True, metavar="JOB")
    show = jobs.add_parser(
        "show",
        help="print how each test went over the windows, and which rates left their baseline",
        description="Print how each test went over the windows: where its status changed, and which groups left the "
        "rates of their baseline. With --merge, adjacent windows are added up and judged as one.",
        epilog=SHOW_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    show.add_argument("place", metavar="PLACE", help="the history")
    show.add_argument("--audit", metavar="ID", help="the audit; needed where the history holds several")
    show.add_argument("--test", metavar="NAME", help="this test only")
    show.add_argument("--merge", metavar="LENGTH", help="add up windows over spans such as 13w, back from the latest")
    show.add_argument("--baseline", metavar="N", type=int, help="windows of the baseline (default: 12)")
    show.add_argument("--odds-ratio", metavar="R", type=float, help="change of the odds to look for (default: 1.5)")
    show.add_argument("--json", action="store_true", help="one JSON object on standard output")
    export = jobs.add_parser(
        "export",
        help="write all records as CSV or JSON",
        description="Write all records, those that a re-run replaced too: CSV has a line for each measurement, JSON "
        "has everything, the counts included.",
        epilog=SHOW_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
        allow_abbrev=False,
    )
    export.add_argument("place", metavar="PLACE", help="the history")
    export.add_argument("--csv", metavar="FILE", type=Path, help="write the measurements as CSV; - is standard output")
    export.add_argument("--json", metavar="FILE", type=Path, help="write everything as JSON; - is standard output")
