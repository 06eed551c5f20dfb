"""The one DuckDB engine of a process, which holds no rows of its own, and connections to it."""

from __future__ import annotations

import ctypes
import os
import tempfile
from pathlib import Path
from threading import Lock

import duckdb

_ENGINE: list[duckdb.DuckDBPyConnection] = []
_STARTING = Lock()


def connect() -> duckdb.DuckDBPyConnection:
    """Return a connection to the engine, which is started by the first one.

    To start an engine takes as long as to group a million rows. What is registered with one connection is not seen
    by another.
    """
    with _STARTING:
        if not _ENGINE:
            _ENGINE.append(_start())
        return _ENGINE[0].cursor()


def _start() -> duckdb.DuckDBPyConnection:
    """Return an engine that installs nothing, and takes no variable of the caller for a table."""
    return duckdb.connect(
        ":memory:",
        config={
            "allocator_background_threads": "true",  # memory of a query that is over goes back to the system
            "autoinstall_known_extensions": "false",
            "python_enable_replacements": "false",
            "temp_directory": str(Path(tempfile.gettempdir()) / "fairreport-duckdb"),
        },
    )


def _abandon() -> None:
    """Leave the engine to the parent process: its threads are not in a forked child, which would wait to end them."""
    for engine in _ENGINE:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
    _ENGINE.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon)
