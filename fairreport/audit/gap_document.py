"""A test of rate gaps as JSON: every rule with its groups, gaps and left-out cases, and calibration by group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fairreport.analyses.gap_finding import GapFinding
from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.entry_parts import evidence_document, parameters_document
from fairreport.audit.record import GapRecord

Json = dict[str, Any]


def gap_entry_document(record: GapRecord) -> Json:
    """Return the entry of one test of rate gaps, less the reasons of its nulls."""
    finding, test, skip = record.finding, record.test, record.finding.skip
    return {
        "name": record.name,
        "analysis": test.analysis,
        "subtype": test.subtype,
        "description": test.description,
        "status": "skipped" if skip else "ok",
        "skip_code": skip.code if skip else None,
        "skip_reason": skip.reason if skip else None,
        "test_status": record.status.value,
        "measurements": dict(finding.measurements),
        "threshold_source": test.threshold_source,
        "rationale": test.rationale,
        "state": None if finding.state is None else finding.state.value,
        "rows_total": None if finding.evidence is None else finding.evidence.rows,
        "rules": [rule_document(rule) for rule in finding.rules],
        "calibration": calibration_document(finding),
        "parameters": parameters_document(test),
        "evidence": evidence_document(finding.evidence),
        "ignored": list(record.ignored),
    }


def rule_document(found: RuleFinding) -> Json:
    """Return what one rule reads."""
    groups = {group.label: {k: v for k, v in asdict(group).items() if k != "label"} for group in found.groups}
    left, more = found.left_out, found.more
    return {
        "id": found.id,
        "rate": found.rule.rate.value,
        "attribute": list(found.rule.attribute),
        "max_group_gap": found.rule.max_group_gap,
        "worst_group": found.rule.worst_group,
        "state": found.state.value,
        "reason": found.reason,
        "alpha_per_group": found.alpha_per_group,
        "groups": groups,
        "gaps": [asdict(gap) for gap in found.gaps],
        "left_out": {
            "missing_attribute": left.missing_attribute,
            "undeclared_value": left.undeclared_value,
            "total": left.total,
            "share": left.share,
            "exceeds": left.exceeds,
        },
        "gaps_with_left_out_anywhere": [asdict(gap) for gap in left.gaps],
        "groups_with_left_out_anywhere": {
            group.label: {"lower": group.lower, "upper": group.upper} for group in left.groups
        },
        "more_cases": None
        if more is None
        else {
            "size": more.size,
            "further": dict(more.further),
            "state": None if more.state is None else more.state.value,
        },
    }


def calibration_document(finding: GapFinding) -> Json | None:
    """Return the calibration of every group; None without a probability column."""
    if finding.calibration is None:
        return None
    return {item.label: {k: v for k, v in asdict(item).items() if k != "label"} for item in finding.calibration}


def calibration_rows(finding: GapFinding) -> Iterator[Json]:
    """Yield the calibration of every group as a flat mapping."""
    for item in finding.calibration or ():
        fields = asdict(item)
        yield {"group": fields.pop("label"), **fields}


def rule_rows(finding: GapFinding) -> Iterator[Json]:
    """Yield every group of every rule as a flat mapping, for tables of other programs."""
    for found in finding.rules:
        for group in found.groups:
            yield {
                "rule": found.id,
                "rate_name": found.rule.rate.value,
                "group": group.label,
                "events": group.events,
                "observed": group.observed,
                "missing_predictions": group.missing,
                "rate": group.rate,
                "lower": group.lower,
                "upper": group.upper,
                "below_min_cell": group.below_min_cell,
                "state": found.state.value,
            }


def gap_rows(finding: GapFinding) -> Iterator[Json]:
    """Yield every pair of groups of every rule as a flat mapping."""
    for found in finding.rules:
        for gap in found.gaps:
            yield {"rule": found.id, **asdict(gap)}
