"""The JSON Schema of a test of rate gaps in a result."""

from __future__ import annotations

from fairreport.analyses.gap_parameters import Rate, RateGaps
from fairreport.analyses.rate_gaps import RuleState
from fairreport.audit.gap_document import MOST_GAPS
from fairreport.audit.readers.schema_parts import (
    COUNT,
    COUNT_OR_NULL,
    FLAG,
    NUMBER,
    NUMBER_OR_NULL,
    SHARE,
    SHARE_OR_NULL,
    STATED,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    Schema,
    array,
    evidence,
    object_of,
    or_null,
    told,
)
from fairreport.tables.gap_tally import GapTally

_MEASUREMENTS = ("ruleCount", "failingRuleCount", "manualReviewRuleCount", "insufficientEvidenceRuleCount")
_STATES = [state.value for state in RuleState]
_ENDS = {"lower": SHARE, "upper": SHARE}


def gap_entry() -> Schema:
    """Return the schema of the entry of a test of rate gaps."""
    return object_of(
        {
            "name": TEXT,
            "analysis": {"const": RateGaps.analysis},
            "subtype": {"const": RateGaps.subtype},
            "description": TEXT_OR_NULL,
            "status": {"enum": ["ok", "skipped"]},
            "skip_code": TEXT_OR_NULL,
            "skip_reason": TEXT_OR_NULL,
            "test_status": {"$ref": "#/$defs/status"},
            "measurements": {
                "type": "object",
                "description": "By name; empty where the test was skipped.",
                "additionalProperties": False,
                "properties": dict.fromkeys(_MEASUREMENTS, COUNT),
            },
            "threshold_source": TEXT_OR_NULL,
            "rationale": TEXT_OR_NULL,
            "state": told({"enum": [*_STATES, None]}, "The gravest of the rules' states."),
            "rows_total": COUNT_OR_NULL,
            "rules": array(_rule()),
            "calibration": or_null(_by_label(_calibration())),
            **STATED,
            "evidence": or_null(evidence(GapTally)),
        }
    )


def _by_label(item: Schema) -> Schema:
    return {"type": "object", "additionalProperties": item}


def _rule() -> Schema:
    group = {
        "events": told(COUNT, "Cases of the rate with an event."),
        "observed": told(COUNT, "Cases of the rate with a prediction."),
        "missing": told(COUNT, "Cases of the rate without one."),
        "rate": SHARE_OR_NULL,
        **_ENDS,
        "below_min_cell": FLAG,
    }
    left_out = {
        **dict.fromkeys(("missing_attribute", "undeclared_value", "total"), COUNT),
        "share": SHARE,
        "exceeds": FLAG,
    }
    bounds = dict.fromkeys(("diff_lower", "diff_upper", "gap_lower", "gap_upper"), NUMBER)
    gap = {"a": TEXT, "b": TEXT, **bounds, "with_left_out_anywhere": object_of(bounds)}
    unlisted = {
        "count": told(COUNT, "Pairs that are not listed."),
        "beyond_bar": told(COUNT_OR_NULL, "Of these, pairs whose whole interval is beyond the bar."),
        "reason": TEXT,
    }
    more = {
        "size": COUNT_OR_NULL,
        "further": _by_label(COUNT),
        "state": {"enum": [*_STATES, None]},
    }
    return object_of(
        {
            "id": TEXT,
            "rate": {"enum": [rate.value for rate in Rate]},
            "attribute": TEXTS,
            "max_group_gap": SHARE_OR_NULL,
            "worst_group": SHARE_OR_NULL,
            "state": {"enum": _STATES},
            "reason": TEXT,
            "alpha_per_group": NUMBER,
            "groups": _by_label(object_of(group)),
            "gaps": told(array(object_of(gap)), f"Pairs of groups; of more than {MOST_GAPS:,} the widest."),
            "left_out": object_of(left_out),
            "groups_with_left_out_anywhere": _by_label(object_of(_ENDS)),
            "more_cases": told(or_null(object_of(more)), "Group size at which the present rates decide."),
        },
        {"gaps_left_out": told(object_of(unlisted), f"Where a rule has more than {MOST_GAPS:,} pairs.")},
    )


def _calibration() -> Schema:
    return object_of(
        {"n": COUNT, "missing": COUNT, **dict.fromkeys(("ece", "noise_mean", "noise_p95"), NUMBER_OR_NULL)}
    )
