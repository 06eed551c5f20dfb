"""The options that name what is audited: a file, or a table of a database."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

_INSTEAD = "audit this CSV, JSONL or Parquet file instead"


def add_data_options(command: argparse.ArgumentParser, files: str = _INSTEAD) -> None:
    """Add the options; `files` says what is done with a file."""
    command.add_argument(
        "--data", metavar="FILE", type=data_place, help=f"{files}, or a table of the database at this URL"
    )
    command.add_argument("--table", metavar="NAME", help="which table of the database, such as hr.decisions")


def data_place(text: str) -> Path | str:
    """Return what names the data, as typed: a path, or a URL.

    Examples
    --------
    >>> data_place("postgresql://auditor@db.example/hiring")
    'postgresql://auditor@db.example/hiring'
    """
    from fairreport.tables.places import is_url

    return text if is_url(text) else Path(text)


def files_of(data: Any) -> list[Path]:
    """Return the file that is read for what an audit was given; none where it is elsewhere."""
    from fairreport.tables.places import DatabaseFile

    if isinstance(data, DatabaseFile):
        return [data.path]
    return [Path(data)] if isinstance(data, (str, Path)) else []
