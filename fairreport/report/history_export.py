"""All records of a history as a file: CSV for spreadsheets, JSON with everything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fairreport.audit.export import csv_text
from fairreport.report.history_record import HistoryEntry
from fairreport.tables.history_schema import SCHEMA_VERSION
from fairreport.writing import write_whole


def write_csv(entries: Sequence[HistoryEntry], path: str | Path) -> Path:
    """Write a line for each measurement of each record, and one for a record without any.

    Raises
    ------
    DataError
        If it cannot be written.
    """
    return write_whole(path, history_csv(entries))


def history_csv(entries: Sequence[HistoryEntry]) -> str:
    """Return the text of that file."""
    return csv_text([line for entry in entries for line in _lines(entry)])


def write_json(entries: Sequence[HistoryEntry], path: str | Path) -> Path:
    """Write every record, evidence included.

    Raises
    ------
    DataError
        If it cannot be written.
    """
    return write_whole(path, history_json(entries))


def history_json(entries: Sequence[HistoryEntry]) -> str:
    """Return the text of that file."""
    document = {"history_schema": SCHEMA_VERSION, "records": [entry.document() for entry in entries]}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _lines(entry: HistoryEntry) -> Iterator[dict[str, Any]]:
    rows = None if entry.window is None else entry.window.rows_within
    for name, value in entry.measurements.items() or [(None, None)]:
        yield {
            "audit_id": entry.audit_id,
            "window_start": entry.window_start,
            "window_end": entry.window_end,
            "test": entry.test_name,
            "revision": entry.revision,
            "superseded": entry.superseded,
            "created": entry.created,
            "status": entry.status,
            "measurement": name,
            "value": value,
            "rows_within": rows,
            "data_fingerprint": entry.data_fingerprint,
            "packet_id": entry.packet_id,
        }
