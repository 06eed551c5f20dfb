"""One record of a history: a test in a window, as it was found then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any

from fairreport.audit.counting import counting_of
from fairreport.audit.document import audit_document
from fairreport.audit.from_json import MisfitError, from_json
from fairreport.audit.provenance import canonical_json
from fairreport.audit.record import AuditRecord
from fairreport.audit.window import WindowRecord
from fairreport.errors import DataError
from fairreport.report.attachments import software_versions
from fairreport.report.history_key import record_id_of
from fairreport.report.packet_id import packet_id_of
from fairreport.tables.history_schema import COLUMNS, Row, Value

Json = dict[str, Any]

_COMPUTED_BY = ("fairreport", "python", "numpy", "scipy", "duckdb")
_HEAD = ("schema_version", "title", "about")
_NOT_COMPARED = frozenset({"revision", "superseded", "created"})
"""What does not make a re-run another one."""

NAMES = tuple(name for name, _ in COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One test of one window of an audit.

    Attributes
    ----------
    audit_id : str
        Which audit.
    window_start, window_end : str or None
        The window [start, end), ISO 8601 in UTC; None without. A run without a window that bears a date has it as end.
    test_name : str
        The test.
    test_order : int
        Its place in the audit, from 0.
    revision : int
        1, and one more with each re-run of the window that found anything else.
    superseded : bool
        Whether a later revision stands for it.
    created : str or None
        The date that the run bears.
    status : str
        What the test came to.
    entry : dict
        The entry of the JSON result, evidence included.
    head : dict
        Title, about, and how the data was read.
    window : WindowRecord or None
        The window with its counts of rows.
    counting : str
        Hash of what is counted: equal where counts may be added up.
    data_fingerprint, packet_id : str
        Of the whole run.
    versions : dict
        Software that computed it.
    """

    audit_id: str
    window_start: str | None
    window_end: str | None
    test_name: str
    test_order: int
    revision: int
    superseded: bool
    created: str | None
    status: str
    entry: Json
    head: Json
    window: WindowRecord | None
    counting: str
    data_fingerprint: str
    packet_id: str
    versions: Json

    @property
    def measurements(self) -> Json:
        """The measurements by their documented names."""
        found: Json = self.entry.get("measurements", {})
        return found

    def document(self) -> Json:
        """Return the record as JSON values."""
        found = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in {"window", "entry"}}
        window = None if self.window is None else asdict(self.window)
        return found | {"measurements": self.measurements, "window": window, "entry": self.entry}


def rows_of(
    record: AuditRecord, audit_id: str, window: WindowRecord | None, packet_id: str | None
) -> list[dict[str, Value]]:
    """Return what is kept of a run: one row a test, of revision 1.

    Parameters
    ----------
    record : AuditRecord
        The run.
    audit_id : str
        What the audit is called.
    window : WindowRecord, optional
        Instead of the windows that the record states.
    packet_id : str, optional
        Instead of the id that follows from the record.
    """
    document = audit_document(record)
    head = {name: document[name] for name in _HEAD} | {"data": document["data"]}
    versions = {name: version for name, version in software_versions().items() if name in _COMPUTED_BY}
    packet = packet_id_of(document) if packet_id is None else packet_id
    rows: list[dict[str, Value]] = []
    for order, (test, entry) in enumerate(zip(record.entries, document["results"], strict=True)):
        own = window if window is not None else record.window_of(test.name)
        start, end = (own.start, own.end) if own is not None else (None, record.created)
        kept = dict(entry)
        evidence = kept.pop("evidence")
        rows.append(
            {
                "record_id": record_id_of(audit_id, start, end, test.name),
                "revision": 1,
                "superseded": 0,
                "audit_id": audit_id,
                "window_start": start,
                "window_end": end,
                "test_name": test.name,
                "test_order": order,
                "created": record.created,
                "status": test.status.value,
                "measurements": _text(entry["measurements"]),
                "entry": _text(kept),
                "evidence": None if evidence is None else _text(evidence),
                "head": _text(head),
                "window_details": None if own is None else _text(asdict(own)),
                "counting": counting_of(test.test, record.data),
                "data_fingerprint": record.data.fingerprint,
                "packet_id": packet,
                "versions": _text(versions),
            }
        )
    return rows


def is_same(held: Row, new: dict[str, Value]) -> bool:
    """Tell whether a re-run found what is held already."""
    return all(value == new[name] for name, value in zip(NAMES, held, strict=True) if name not in _NOT_COMPARED)


def entry_of(row: Row, place: str) -> HistoryEntry:
    """Return the record of a row.

    Raises
    ------
    DataError
        If it does not hold what a history holds.
    """
    held = dict(zip(NAMES, row, strict=True))
    try:
        entry = _json(held["entry"]) | {"evidence": None if held["evidence"] is None else _json(held["evidence"])}
        details = held["window_details"]
        window = None if details is None else from_json(WindowRecord, _json(details), "/window")
        return HistoryEntry(
            audit_id=str(held["audit_id"]),
            window_start=_maybe(held["window_start"]),
            window_end=_maybe(held["window_end"]),
            test_name=str(held["test_name"]),
            test_order=int(held["test_order"] or 0),
            revision=int(held["revision"] or 0),
            superseded=bool(held["superseded"]),
            created=_maybe(held["created"]),
            status=str(held["status"]),
            entry=entry,
            head=_json(held["head"]),
            window=window,
            counting=str(held["counting"]),
            data_fingerprint=str(held["data_fingerprint"]),
            packet_id=str(held["packet_id"]),
            versions=_json(held["versions"]),
        )
    except (ValueError, TypeError, MisfitError) as error:
        name = str(held["test_name"])[:80]
        raise DataError(f"the history {place!r} holds a record of {name!r} that cannot be read ({error})") from None


def in_time(entries: Sequence[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """Return records in the order of time, those of no window first."""
    return tuple(sorted(entries, key=lambda it: (*moments(it.window_start, it.window_end), it.test_order, it.revision)))


def moments(start: str | None, end: str | None) -> tuple[datetime, datetime]:
    """Return where a window ends and starts, for sorting; what is absent is long ago."""
    return moment(end), moment(start)


def moment(text: str | None) -> datetime:
    """Return a time of a history as an instant; long ago where there is none."""
    if text is None:
        return datetime.min.replace(tzinfo=UTC)
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


def _text(value: Any) -> str:
    return canonical_json(value)


def _json(text: Value) -> Json:
    found = json.loads(str(text))
    if not isinstance(found, dict):
        raise TypeError("no JSON object where one belongs")
    return found


def _maybe(value: Value) -> str | None:
    return None if value is None else str(value)
