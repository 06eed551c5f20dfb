"""The JSON Schema of a result: what `fairreport run --json` writes and other programs read."""

from __future__ import annotations

from collections.abc import Mapping

from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import Operator
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.about import DocumentStatus, Origin
from fairreport.audit.document import SCHEMA_VERSION, STORED_GROUPS
from fairreport.audit.gate import Status, exit_code
from fairreport.audit.readers.gap_schema import gap_entry
from fairreport.audit.readers.pair_schema import pair_entries, pair_rows
from fairreport.audit.readers.schema_parts import (
    COUNT,
    COUNT_OR_NULL,
    DIALECT,
    FLAG,
    NUMBER,
    NUMBER_OR_NULL,
    RATIO_OR_NULL,
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
from fairreport.audit.readers.window_schema import windows
from fairreport.tables.tally import MetricTally, OutcomeTally, ScoreTally

LABEL: Schema = {"$ref": "#/$defs/label"}


def result_schema() -> Schema:
    """Return the JSON Schema of what `fairreport run --json` and `AuditRun.to_dict` give.

    Examples
    --------
    >>> result_schema()["additionalProperties"]
    False
    """
    entries = {
        "outcome_entry": _entry(OutcomeDisparity, _outcome_group(), OutcomeTally, {"omnibus_log10_p": NUMBER}, {}),
        "score_entry": _entry(ScoreDisparity, _score_group(), ScoreTally, {}, {"overall_median": NUMBER_OR_NULL}),
        "metric_entry": _entry(
            MetricParity,
            _metric_group(),
            MetricTally,
            {},
            {"overall_value": NUMBER_OR_NULL, "comparison_value": NUMBER_OR_NULL},
        ),
        "rate_gaps_entry": gap_entry(),
        **pair_entries(),
    }
    note = "Fractions are from 0 to 1; an undefined number is null, with its reason."
    return {"$schema": DIALECT, "title": "Result of fairreport", "description": note} | object_of(
        {
            "schema_version": {"const": SCHEMA_VERSION},
            "title": TEXT,
            "created": told(TEXT_OR_NULL, "A stated date (as_of, SOURCE_DATE_EPOCH), or null."),
            "about": {"$ref": "#/$defs/about"},
            "data": {"$ref": "#/$defs/data"},
            "assumptions": array({"$ref": "#/$defs/assumption"}),
            "results": array({"oneOf": [{"$ref": f"#/$defs/{name}"} for name in entries]}, minItems=1),
            "status": {"$ref": "#/$defs/status"},
            "exit_code": {"enum": sorted({exit_code(status) for status in Status})},
        },
        {"withheld": _withheld()},
        **{"$defs": _shared() | pair_rows() | entries},
    )


def _withheld() -> Schema:
    """Return the schema of what the packet that holds a result withholds; a run withholds nothing."""
    labels = array(TEXTS)
    test = object_of(
        {
            "name": TEXT,
            "few": told(labels, "Groups with fewer rows."),
            "beside": told(labels, "Groups from which those could be computed."),
            "whole": told(FLAG, "Whether no figure of the test is shown."),
            "adjusted": told(FLAG, "Whether figures within the control columns are withheld."),
            "differs": told(FLAG, "Whether figures of the groups shown are not those of the whole run."),
            "rereferenced": told(FLAG, "Whether the reference is withheld, and another stands in its place."),
            "lacking": told(TEXTS, "Attributes that few rows lack, whose favorable ones are not shown."),
            "status": {"$ref": "#/$defs/status"},
            "passed": array({"type": ["boolean", "null"]}),
        }
    )
    return told(object_of({"below": COUNT, "tests": array(test), "published": TEXTS}), "What a packet does not show.")


def _values(kind: type[Status | Origin | DocumentStatus | Operator]) -> Schema:
    return {"enum": [member.value for member in kind]}


def _shared() -> dict[str, Schema]:
    lines = ("system", "decision", "period", "prepared_by", "prepared_for", "issued", "valid_until")
    about = {
        **dict.fromkeys(lines, TEXT_OR_NULL),
        "status": _values(DocumentStatus),
        "origin": _values(Origin),
        "notes": TEXTS,
    }
    fingerprint = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "sha256 of the counts."}
    columns = {"columns": TEXTS, "counts": TEXT_OR_NULL, "missing_values": TEXTS}
    declared = {"type": "object", "additionalProperties": TEXTS}
    return {
        "status": _values(Status),
        "label": {"type": "object", "description": "Column and text of one group.", "additionalProperties": TEXT},
        "about": object_of(about),
        "data": object_of({"fingerprint": fingerprint, **columns, "declared_groups": declared, **windows()}),
        "assumption": object_of(
            {
                "number": {"type": "integer", "minimum": 1},
                **dict.fromkeys(("code", "title", "text", "consequence"), TEXT),
                "tests": TEXTS,
            }
        ),
        "threshold": object_of(
            {
                "measurement": TEXT,
                "operator": _values(Operator),
                "value": NUMBER,
                "actual": NUMBER_OR_NULL,
                "passed": {"type": ["boolean", "null"]},
            }
        ),
    }


def _entry(
    kind: type[OutcomeDisparity | ScoreDisparity | MetricParity],
    group: Schema,
    tally: type[OutcomeTally | ScoreTally | MetricTally],
    optional: Mapping[str, Schema],
    beside: Mapping[str, Schema],
) -> Schema:
    """Return the schema of one test's entry."""
    numbers = {"type": "object", "additionalProperties": NUMBER_OR_NULL}
    named = ("test", "sidedness", "correction", "rate_interval", "ratio_interval", "difference_interval", "omnibus")
    return object_of(
        {
            "name": TEXT,
            "analysis": {"const": kind.analysis},
            "subtype": {"const": kind.subtype},
            "description": TEXT_OR_NULL,
            "status": {"enum": ["ok", "skipped"]},
            "skip_code": TEXT_OR_NULL,
            "skip_reason": TEXT_OR_NULL,
            "test_status": {"$ref": "#/$defs/status"},
            "measurements": {
                "type": "object",
                "description": "By name; empty where the test was skipped.",
                "additionalProperties": False,
                "properties": dict.fromkeys(kind.known_measurements, NUMBER_OR_NULL),
            },
            "thresholds": array({"$ref": "#/$defs/threshold"}),
            "default_threshold": told(FLAG, "Whether none was stated, so that the test's own applies."),
            "threshold_source": TEXT_OR_NULL,
            "rationale": TEXT_OR_NULL,
            "reference": or_null(LABEL),
            **dict.fromkeys(("rows_total", "rows_with_inputs", "rows_missing_attribute"), COUNT_OR_NULL),
            **dict.fromkeys(("rows_undeclared", "rows_evaluated"), COUNT_OR_NULL),
            "total_groups": COUNT,
            "truncated": told(FLAG, f"Whether groups holds the first {STORED_GROUPS} only; evidence holds all."),
            "groups": array(group, maxItems=STORED_GROUPS),
            **beside,
            **STATED,
            "method": object_of({**dict.fromkeys(named, TEXT), "level": NUMBER}),
            "notes": array(object_of({"code": TEXT, "text": TEXT})),
            "insights": array(object_of({"kind": TEXT, "group": LABEL, "numbers": numbers}), maxItems=5),
            "evidence": or_null(evidence(tally)),
        },
        optional,
    )


def _ends(name: str, kind: Schema) -> dict[str, Schema]:
    return {f"{name}_low": kind, f"{name}_high": kind}


_LOGARITHMS = {
    "log10_p": told(NUMBER, "Decimal logarithm of a p-value below 1e-300, where p_value is null."),
    "adjusted_log10_p": told(NUMBER, "The same of adjusted_p."),
}
_SIZE = {"group": LABEL, "n": told(COUNT, "Evaluated rows."), "share": SHARE}
_P_VALUES = {"p_value": SHARE_OR_NULL, "adjusted_p": SHARE_OR_NULL}
_VERDICTS = dict.fromkeys(("significant", "sufficient", "failing", "is_reference"), FLAG)
_COMPARED_RATE = {
    **_ends("ci", SHARE),
    "ratio": told(RATIO_OR_NULL, "Rate over the reference rate."),
    **_ends("ratio_ci", RATIO_OR_NULL),
    "difference": told(NUMBER_OR_NULL, "Rate minus the reference rate."),
    **_ends("difference_ci", NUMBER_OR_NULL),
    **_P_VALUES,
    "p_all_pairs": SHARE_OR_NULL,
    "four_fifths_flag": FLAG,
    **_VERDICTS,
}


def _outcome_group() -> Schema:
    adjusted = {
        "adjusted_impact_ratio": RATIO_OR_NULL,
        **_ends("adjusted_impact_ratio_ci", RATIO_OR_NULL),
        "adjusted_odds_ratio": RATIO_OR_NULL,
        **_ends("adjusted_odds_ratio_ci", RATIO_OR_NULL),
        "strata_used": COUNT,
    }
    rate = told(SHARE, "favorable / n.")
    return object_of({**_SIZE, "favorable": COUNT, "rate": rate, **_COMPARED_RATE, **adjusted}, _LOGARITHMS)


def _score_group() -> Schema:
    moments = {
        **dict.fromkeys(("mean", "median"), NUMBER),
        **dict.fromkeys(("mean_difference", "median_difference", "standardized_mean_difference"), NUMBER_OR_NULL),
        "probability_of_superiority": SHARE_OR_NULL,
        "cliffs_delta": NUMBER_OR_NULL,
        "ks_distance": SHARE_OR_NULL,
    }
    rate = told(SHARE, "scoring / n.")
    return object_of({**_SIZE, "scoring": COUNT, "scoring_rate": rate, **_COMPARED_RATE, **moments}, _LOGARITHMS)


def _metric_group() -> Schema:
    compared = {
        "support": COUNT,
        "value": NUMBER_OR_NULL,
        **_ends("ci", NUMBER_OR_NULL),
        "ratio": NUMBER_OR_NULL,
        **_ends("ratio_ci", NUMBER_OR_NULL),
        "difference": NUMBER_OR_NULL,
        **_ends("difference_ci", NUMBER_OR_NULL),
        "gap": NUMBER_OR_NULL,
        "worse": FLAG,
    }
    return object_of(
        {**_SIZE, **compared, **_P_VALUES, **_VERDICTS}, {**_LOGARITHMS, **_ends("delong_ci", NUMBER_OR_NULL)}
    )
