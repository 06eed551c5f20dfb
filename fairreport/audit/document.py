"""The JSON document of an audit: every number as computed, every null with its reason."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from fairreport.analyses.insights import key_insights
from fairreport.analyses.result import Finding, MetricFinding, ScoreFinding
from fairreport.audit.entry_parts import evidence_document, parameters_document, thresholds_document
from fairreport.audit.gap_document import gap_entry_document
from fairreport.audit.gap_reasons import gap_reasons
from fairreport.audit.pair_document import pair_entry_document
from fairreport.audit.reasons import reasons
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord
from fairreport.audit.rows import group_document
from fairreport.audit.window_document import windows_document
from fairreport.audit.withheld import withheld_document

SCHEMA_VERSION = "1.0"
STORED_GROUPS = 100
"""At most so many groups are stored in a result, worst first; the evidence holds all of them."""

Json = dict[str, Any]


def audit_document(record: AuditRecord) -> Json:
    """Return the document of a whole audit."""
    return {
        "schema_version": SCHEMA_VERSION,
        "title": record.title,
        "created": record.created,
        "about": record.about.model_dump(mode="json"),
        "data": {
            "fingerprint": record.data.fingerprint,
            "columns": list(record.data.columns),
            "counts": record.data.counts,
            "missing_values": list(record.data.missing_values),
            "declared_groups": {name: list(values) for name, values in record.data.declared_groups.items()},
            **windows_document(record.data),
        },
        "assumptions": [asdict(item) | {"tests": list(item.tests)} for item in record.assumptions],
        "results": [entry_document(entry) for entry in record.entries],
        "status": record.status.value,
        "exit_code": record.exit_code,
        **({} if record.withheld is None else {"withheld": withheld_document(record.withheld)}),
    }


def to_text(document: Json) -> str:
    """Return a document as JSON text, the same bytes for the same document."""
    text = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair as JSON escapes it


def entry_document(record: Entry) -> Json:
    """Return the entry of one test."""
    if isinstance(record, GapRecord):
        gaps = gap_entry_document(record)
        return gaps | {"reasons": gap_reasons(gaps)}
    if isinstance(record, PairRecord):
        return pair_entry_document(record)
    finding, test = record.finding, record.test
    rows = finding.rows
    entry: Json = {
        "name": record.name,
        "analysis": test.analysis,
        "subtype": test.subtype,
        "description": test.description,
        "status": "skipped" if finding.skip else "ok",
        "skip_code": finding.skip.code.value if finding.skip else None,
        "skip_reason": finding.skip.reason if finding.skip else None,
        "test_status": record.status.value,
        "measurements": dict(finding.measurements),
        "thresholds": thresholds_document(record.thresholds),
        "default_threshold": record.default_threshold,
        "threshold_source": test.threshold_source,
        "rationale": test.rationale,
        "reference": dict(zip(finding.attributes, finding.reference, strict=True)) if finding.reference else None,
        "rows_total": rows.total if rows else None,
        "rows_with_inputs": rows.with_inputs if rows else None,
        "rows_missing_attribute": rows.missing_attribute if rows else None,
        "rows_undeclared": rows.undeclared if rows else None,
        "rows_evaluated": rows.evaluated if rows else None,
        "total_groups": len(finding.groups),
        "truncated": len(finding.groups) > STORED_GROUPS,
        "groups": [group_document(finding, row) for row in finding.groups[:STORED_GROUPS]],
        **_beside_groups(finding),
        "parameters": parameters_document(test),
        "method": asdict(finding.method),
        "notes": [asdict(note) for note in finding.notes],
        "insights": [insight.document() for insight in key_insights(finding)],
        "evidence": evidence_document(finding.evidence),
        "ignored": list(record.ignored),
    }
    return entry | {"reasons": reasons(test, entry)}


def _beside_groups(finding: Finding) -> Json:
    """Return what a kind of test states beside its groups."""
    if isinstance(finding, ScoreFinding):
        return {"overall_median": finding.overall_median}
    if isinstance(finding, MetricFinding):
        return {"overall_value": finding.overall_value, "comparison_value": finding.comparison_value}
    if finding.omnibus_log10_p is not None and finding.measurements.get("chiSquarePValue") is None:
        return {"omnibus_log10_p": finding.omnibus_log10_p}
    return {}
