"""The JSON document of an audit: every number as computed, every null with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fairreport.analyses.insights import outcome_insights
from fairreport.analyses.parameters import SignificanceTest
from fairreport.analyses.result import OutcomeFinding, OutcomeGroup, PValue, Span
from fairreport.audit.record import AuditRecord, TestRecord

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
        },
        "assumptions": [asdict(item) | {"tests": list(item.tests)} for item in record.assumptions],
        "results": [entry_document(test) for test in record.tests],
        "status": record.status.value,
        "exit_code": record.exit_code,
    }


def to_text(document: Json) -> str:
    """Return a document as JSON text, the same bytes for the same document."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def entry_document(test: TestRecord) -> Json:
    """Return the entry of one test."""
    finding = test.finding
    rows = finding.rows
    entry: Json = {
        "name": test.name,
        "analysis": test.test.analysis,
        "subtype": test.test.subtype,
        "description": test.test.description,
        "status": "skipped" if finding.skip else "ok",
        "skip_code": finding.skip.code.value if finding.skip else None,
        "skip_reason": finding.skip.reason if finding.skip else None,
        "test_status": test.status.value,
        "measurements": dict(finding.measurements),
        "thresholds": [asdict(item) | {"operator": item.operator.value} for item in test.thresholds],
        "default_threshold": test.default_threshold,
        "threshold_source": test.test.threshold_source,
        "rationale": test.test.rationale,
        "reference": _label(finding, finding.reference) if finding.reference else None,
        "rows_total": rows.total if rows else None,
        "rows_with_inputs": rows.with_inputs if rows else None,
        "rows_missing_attribute": rows.missing_attribute if rows else None,
        "rows_undeclared": rows.undeclared if rows else None,
        "rows_evaluated": rows.evaluated if rows else None,
        "total_groups": len(finding.groups),
        "truncated": len(finding.groups) > STORED_GROUPS,
        "groups": [group_document(finding, row) for row in finding.groups[:STORED_GROUPS]],
        "parameters": _parameters(test),
        "method": asdict(finding.method),
        "notes": [asdict(note) for note in finding.notes],
        "insights": [insight.document() for insight in outcome_insights(finding)],
        "evidence": evidence_document(finding),
        "ignored": list(test.ignored),
    }
    if finding.omnibus_log10_p is not None and finding.measurements.get("chiSquarePValue") is None:
        entry["omnibus_log10_p"] = finding.omnibus_log10_p
    entry["reasons"] = {pointer: _reason(test, pointer, entry) for pointer in _nulls(entry, "")}
    return entry


def _label(finding: OutcomeFinding, group: tuple[str, ...]) -> Json:
    return dict(zip(finding.attributes, group, strict=True))


def group_document(finding: OutcomeFinding, row: OutcomeGroup) -> Json:
    """Return one group of an outcome test."""
    document: Json = {
        "group": _label(finding, row.group),
        "n": row.n,
        "share": row.share,
        "favorable": row.favorable,
        "rate": row.rate,
        **_ends("ci", row.rate_interval),
        "ratio": row.ratio,
        **_ends("ratio_ci", row.ratio_interval),
        "difference": row.difference,
        **_ends("difference_ci", row.difference_interval),
        "p_value": row.p_value.p if row.p_value else None,
        "adjusted_p": row.adjusted_p.p if row.adjusted_p else None,
        "p_all_pairs": row.p_all_pairs,
        "significant": row.significant,
        "four_fifths_flag": row.four_fifths_flag,
        "sufficient": row.sufficient,
        "failing": row.failing,
        "is_reference": row.is_reference,
        "adjusted_impact_ratio": row.adjusted_impact_ratio,
        **_ends("adjusted_impact_ratio_ci", row.adjusted_ratio_interval),
        "adjusted_odds_ratio": row.adjusted_odds_ratio,
        **_ends("adjusted_odds_ratio_ci", row.adjusted_odds_interval),
        "strata_used": row.strata_used,
    }
    return document | _logarithms(row.p_value, row.adjusted_p)


def _ends(name: str, span: Span | None) -> Json:
    return {f"{name}_low": span.low if span else None, f"{name}_high": span.high if span else None}


def _logarithms(p_value: PValue | None, adjusted: PValue | None) -> Json:
    """Return the decimal logarithms where a p-value is too small for a number."""
    found = {}
    if p_value and p_value.p is None:
        found["log10_p"] = p_value.log10
    if adjusted and adjusted.p is None:
        found["adjusted_log10_p"] = adjusted.log10
    return found


def evidence_document(finding: OutcomeFinding) -> Json | None:
    """Return the tally of a test as JSON: all groups, whatever the table shows."""
    tally = finding.evidence
    return None if tally is None else json.loads(json.dumps(asdict(tally)))


def _parameters(test: TestRecord) -> Json:
    return {
        name: {"value": value, "origin": test.test.origin(name)} for name, value in test.test.parameters().items()
    }


def _nulls(value: Any, pointer: str) -> Iterator[str]:
    if value is None:
        yield pointer
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _nulls(item, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _nulls(item, f"{pointer}/{position}")


def _reason(test: TestRecord, pointer: str, entry: Json) -> str:
    _, section, *rest = pointer.split("/")
    if section == "groups":
        return _group_reason(test, entry["groups"][int(rest[0])], rest[1])
    if section == "measurements":
        return _measurement_reason(test, rest[0])
    if section == "thresholds":
        return "measurement_undefined"
    if section in {"parameters", "threshold_source", "rationale", "description"}:
        return "not_stated"
    if section in {"skip_code", "skip_reason"}:
        return "not_skipped"
    if section == "evidence" and test.finding.skip is None:
        return "no_control_columns"
    return "test_skipped"


def _group_reason(test: TestRecord, row: Json, field: str) -> str:
    if field in {"p_value", "adjusted_p"} and f"{'adjusted_' if field == 'adjusted_p' else ''}log10_p" in row:
        return "below_1e-300"
    if field.startswith(("ratio_ci", "difference_ci")) and not row["is_reference"]:
        return "no_upper_end" if row["ratio"] is not None else "reference_rate_zero"
    if field.startswith("adjusted_") and field != "adjusted_p" and not test.test.control_columns:
        return "no_control_columns"
    if row["is_reference"]:
        return "reference_group"
    if not row["sufficient"]:
        return "not_enough_data"
    if field.startswith("adjusted_") and field != "adjusted_p":
        return "no_shared_stratum" if not row["strata_used"] else "zero_denominator"
    return "no_significance_test"


def _measurement_reason(test: TestRecord, name: str) -> str:
    if name == "significantDisparityCount":
        return "no_significance_test"
    if name == "chiSquarePValue":
        return "below_1e-300"
    if not test.test.control_columns:
        return "no_control_columns"
    return "zero_denominator" if test.test.significance_test is not SignificanceTest.NONE else "no_shared_stratum"
