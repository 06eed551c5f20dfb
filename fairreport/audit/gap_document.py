"""A test of rate gaps as JSON: every rule with its groups, gaps and left-out cases, and calibration by group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fairreport.analyses.gap_finding import GapFinding
from fairreport.analyses.gap_pairs import GroupGap, GroupGaps
from fairreport.analyses.rate_gaps import TOLERANCE, RuleFinding, RuleState
from fairreport.audit.entry_parts import evidence_document, parameters_document
from fairreport.audit.record import GapRecord

Json = dict[str, Any]

MOST_GAPS = 2_000
"""At most so many pairs of a rule are listed: all of 63 groups. A thousand groups are half a million pairs."""
_ENDS = ("diff_lower", "diff_upper", "gap_lower", "gap_upper")


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
        "gaps": [_pair_document(found, place) for place in listed_places(found)],
        **({"gaps_left_out": gaps_left_out(found)} if unlisted_gaps(found) else {}),
        "left_out": {
            "missing_attribute": left.missing_attribute,
            "undeclared_value": left.undeclared_value,
            "total": left.total,
            "share": left.share,
            "exceeds": left.exceeds,
        },
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


def listed_places(found: RuleFinding) -> list[int]:
    """Return the places of the pairs that a document lists, in the order of the groups.

    Of more than `MOST_GAPS` these are the widest; where the rule fails, those that are the most surely wide. So a pair
    beyond the bar of a failing rule is left out only behind so many that are further beyond it, and is counted.
    """
    if len(found.gaps) <= MOST_GAPS:
        return list(range(len(found.gaps)))
    return sorted(found.gaps.widest(MOST_GAPS, surely=_goes_by_lower_end(found)))


def _goes_by_lower_end(found: RuleFinding) -> bool:
    return found.state is RuleState.FAIL


def unlisted_gaps(found: RuleFinding) -> int:
    """Return how many pairs of a rule a document does not list."""
    return max(0, len(found.gaps) - MOST_GAPS)


def gaps_left_out(found: RuleFinding) -> Json:
    """Return how many pairs a document does not list, how many of them lie wholly beyond the bar, and why."""
    end = "lower" if _goes_by_lower_end(found) else "upper"
    return {
        "count": unlisted_gaps(found),
        "beyond_bar": unlisted_beyond_bar(found),
        "reason": f"the {MOST_GAPS:,} pairs with the highest {end} ends of their gaps are listed; all others follow "
        "from the counts in the evidence",
    }


def unlisted_beyond_bar(found: RuleFinding) -> int | None:
    """Return how many pairs that are not listed lie wholly beyond the bar; None where the bar is on each group."""
    bar = found.rule.max_group_gap
    if bar is None:
        return None
    beyond = found.gaps.gap_lower > bar + TOLERANCE
    return int(beyond.sum() - beyond[listed_places(found)].sum())


def _pair_document(found: RuleFinding, place: int) -> Json:
    """Return a pair with the bounds of its gap, as they are and with every left-out case placed anywhere."""
    return {**asdict(found.gaps[place]), "with_left_out_anywhere": _bounds_of(found.left_out.gaps, place)}


def _bounds_of(gaps: GroupGaps, place: int) -> Json:
    gap: GroupGap = gaps[place]
    return {name: getattr(gap, name) for name in _ENDS}


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


def listed_gap_rows(finding: GapFinding) -> Iterator[Json]:
    """Yield the pairs of every rule that a document lists as flat mappings."""
    for found in finding.rules:
        for place in listed_places(found):
            yield {"rule": found.id, **asdict(found.gaps[place])}


def left_out_rows(finding: GapFinding) -> Iterator[Json]:
    """Yield the rules of which a document does not list every pair, with how many it leaves out."""
    for found in finding.rules:
        if unlisted_gaps(found):
            yield {"rule": found.id, **gaps_left_out(found)}
