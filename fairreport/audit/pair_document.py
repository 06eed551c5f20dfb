"""A test of named pairs as the entry of an audit's JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairreport.audit.entry_parts import evidence_document, parameters_document, thresholds_document
from fairreport.audit.pair_rows import document
from fairreport.audit.reasons import nulls
from fairreport.audit.record import PairRecord

Json = dict[str, Any]

TABLE_KEYS = ("quantile", "cutoff", "category", "segment")
"""What tells one table of a result from another; they stand in front of its rows in flat tables."""

_NOT_STATED = {"description", "threshold_source", "rationale", "parameters"}


def pair_entry_document(record: PairRecord) -> Json:
    """Return the entry of one test of named pairs."""
    test, finding, skip = record.test, record.finding, record.skip
    found: Json = {} if finding is None else document(finding)
    found.pop("status", None)
    found.pop("skip_code", None)
    notes = found.pop("notes", [])
    entry: Json = {
        "name": record.name,
        "analysis": test.analysis,
        "subtype": test.subtype,
        "description": test.description,
        "status": "skipped" if skip else "ok",
        "skip_code": skip.code if skip else None,
        "skip_reason": skip.reason if skip else None,
        "test_status": record.status.value,
        "measurements": dict(record.measurements),
        "thresholds": thresholds_document(record.thresholds),
        "default_threshold": record.default_threshold,
        "threshold_source": test.threshold_source,
        "rationale": test.rationale,
        **{key: value for key, value in found.items() if key != "measurements"},
        "parameters": parameters_document(test),
        "notes": notes,
        "evidence": evidence_document(None if finding is None else finding.evidence),
        "ignored": list(record.ignored),
    }
    return entry | {"reasons": {pointer: _reason(pointer, entry) for pointer in nulls(entry, "")}}


def _reason(pointer: str, entry: Json) -> str:
    """Return why a value is null; rows say it themselves, and what is absent of a reference has no comparison."""
    _, section, *rest = pointer.split("/")
    if section in _NOT_STATED:
        return "not_stated"
    if section in {"skip_code", "skip_reason"}:
        return "not_skipped"
    if section == "thresholds":
        return "test_skipped" if entry["skip_code"] else "measurement_undefined"
    if section == "measurements":
        return "no_such_ratio" if rest[0] == "minImpactRatio" else "no_such_difference"
    if section == "evidence":
        return "not_counted" if rest else "test_skipped" if entry["skip_code"] else "rows_are_not_kept"
    row, field = _row_at(entry, [section, *rest])
    return str(row.get("reasons", {}).get(field) or ("reference_group" if row.get("is_reference") else "not_stated"))


def _row_at(entry: Json, path: list[str]) -> tuple[Json, str]:
    """Return the row that a pointer leads into, and the field it leads to."""
    row: Json = {}
    at: Any = entry
    for step in path[:-1]:
        at = at[int(step)] if isinstance(at, list) else at[step]
        if isinstance(at, dict) and "reasons" in at:
            row = at
    return row, path[-1]


def pair_tables(entry: Json) -> Iterator[tuple[Json, list[Json]]]:
    """Yield what tells each table of an entry from the others, and its rows."""
    for name in ("quantiles", "categories", "segments"):
        for table in entry.get(name, ()):
            yield {key: table[key] for key in TABLE_KEYS if key in table}, table["groups"]
    if "groups" in entry:
        yield {}, entry["groups"]


def pair_rows(record: PairRecord) -> Iterator[Json]:
    """Yield every row of every table as a flat mapping, for tables of other programs."""
    if record.finding is None:
        return
    found = document(record.finding)
    for key, rows in pair_tables(found):
        for row in rows:
            yield key | flat_row(row)


def pooled_rows(record: PairRecord) -> Iterator[Json]:
    """Yield every pair pooled over its segments as a flat mapping."""
    if record.finding is not None:
        for row in document(record.finding).get("pooled", ()):
            yield flat_row(row)


def flat_row(row: Json) -> Json:
    """Return a row without what does not fit a cell: what stands beside it moves up, reasons are left out."""
    plain = {key: value for key, value in row.items() if key not in {"beside", "reasons"}}
    beside: Json = row.get("beside", {})
    return plain | beside
