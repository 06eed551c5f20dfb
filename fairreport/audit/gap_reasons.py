"""Why a number of a test of rate gaps is null: one code for every null of its entry."""

from __future__ import annotations

from typing import Any

from fairreport.audit.reasons import nulls

Json = dict[str, Any]

_OF_FIELD = {
    "skip_code": "not_skipped",
    "skip_reason": "not_skipped",
    "max_group_gap": "other_bar_stated",
    "worst_group": "other_bar_stated",
    "beyond_bar": "other_bar_stated",
    "rate": "no_prediction",
    "more_cases": "decided",
    "size": "no_number_decides",
    "prediction": "no_prediction",
    "ece": "no_probability",
    "noise_mean": "no_probability",
    "noise_p95": "no_probability",
}


def gap_reasons(entry: Json) -> dict[str, str]:
    """Return a code for every null of an entry, by JSON pointer (RFC 6901)."""
    return {pointer: _reason(pointer, entry) for pointer in nulls(entry, "")}


def _reason(pointer: str, entry: Json) -> str:
    _, section, *rest = pointer.split("/")
    if section in {"description", "threshold_source", "rationale", "parameters"}:
        return "not_stated"
    if section in {"state", "rows_total", "evidence"} and not rest:
        return "test_skipped"
    if section == "calibration" and not rest:
        return "test_skipped" if entry["skip_code"] else "no_probability_column"
    if section == "evidence" and "levels" in rest:
        return "no_declared_level"
    field = rest[-1] if rest else section
    if field == "state" and rest:
        return "no_number_decides"
    return _OF_FIELD[field]
