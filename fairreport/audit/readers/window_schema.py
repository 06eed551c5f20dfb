"""The windows of a run in the JSON Schema of a result."""

from __future__ import annotations

from fairreport.audit.readers.schema_parts import COUNT, TEXT, Schema, object_of, or_null, told

_STAMP: Schema = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$"}


def windows() -> dict[str, Schema]:
    """Return the schemas of the entries on windows."""
    window = object_of(
        {
            "start": _STAMP | {"description": "UTC; a row at the start is inside."},
            "end": _STAMP | {"description": "UTC; a row at the end is outside."},
            "length_seconds": {"type": "integer", "minimum": 1},
            "delay_seconds": told(COUNT, "How long rows may take to arrive, as stated."),
            "column": told(TEXT, "Column of the times."),
            "timezone": told(TEXT, "Zone of times that state none."),
            "rows_within": told(COUNT, "Rows in the window; with counts, the rows that they stand for."),
            "rows_before": told(COUNT, "Rows before its start."),
            "rows_after": told(COUNT, "Rows at its end or later."),
            "rows_without_time": told(COUNT, "Rows whose time is missing or cannot be read."),
        }
    )
    own = {
        "type": "object",
        "description": "By name, the windows of tests that have one of their own.",
        "additionalProperties": window,
    }
    return {
        "window": told(or_null(window), "The window that was judged; null where rows of any time were."),
        "test_windows": own,
    }
