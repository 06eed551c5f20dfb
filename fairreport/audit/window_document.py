"""The windows of a run in its JSON document, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from fairreport.audit.from_json import MisfitError, below, from_json, item_at, object_at
from fairreport.audit.record import DataRecord, Entry, TestRecord
from fairreport.audit.window import JudgedWindows, WindowRecord, stamp

Json = dict[str, Any]

_WINDOW = "/data/window"
_OWN = "/data/test_windows"


def windows_document(data: DataRecord) -> Json:
    """Return the entries on windows of the section on data."""
    own = {name: asdict(window) for name, window in sorted(data.test_windows.items())}
    return {"window": None if data.window is None else asdict(data.window), "test_windows": own}


def stated_windows(data: Json, entries: Iterable[Entry]) -> JudgedWindows:
    """Return the windows as a document states them; rows outside of them stand in no count.

    Parameters
    ----------
    data : dict
        The section on data.
    entries : iterable of TestRecord, GapRecord or PairRecord
        The tests, judged again; the rows that they counted are those of their windows.

    Raises
    ------
    MisfitError
        If a window contradicts itself, or a test counted other rows.
    """
    shared = from_json(WindowRecord | None, item_at(data, "window", "/data"), _WINDOW)
    own = {
        name: from_json(WindowRecord, value, below(_OWN, name))
        for name, value in object_at(item_at(data, "test_windows", "/data"), _OWN).items()
    }
    if shared is not None:
        _check(shared, _WINDOW)
    for name, window in own.items():
        _check(window, below(_OWN, name))
    for entry in entries:
        window, place = (own[entry.name], below(_OWN, entry.name)) if entry.name in own else (shared, _WINDOW)
        rows = entry.finding.rows if isinstance(entry, TestRecord) else None
        if window is not None and rows is not None and rows.total != window.rows_within:
            message = f"is {window.rows_within}, but the test {entry.name!r} counted {rows.total} rows"
            raise MisfitError(f"{place}/rows_within", message)
    return JudgedWindows(shared=shared, of_tests=own)


def _check(window: WindowRecord, place: str) -> None:
    try:
        ends = [datetime.fromisoformat(text) for text in (window.start, window.end)]
        is_written_so = [stamp(end) for end in ends] == [window.start, window.end]
        seconds = (ends[1] - ends[0]).total_seconds()
    except (ValueError, TypeError, OverflowError):
        raise MisfitError(place, f"has no such ends: {window.start!r}, {window.end!r}") from None
    if not is_written_so or seconds != window.length_seconds or seconds <= 0:
        raise MisfitError(
            f"{place}/length_seconds", f"is {window.length_seconds}, but the ends are {seconds:g} s apart"
        )
    counts = (window.delay_seconds, window.rows_within, window.rows_before, window.rows_after, window.rows_without_time)
    if min(counts) < 0:
        raise MisfitError(place, "holds a number below 0")
