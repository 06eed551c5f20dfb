"""The JSON Schema of a result: what `fairreport run --json` writes and other programs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import Operator
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.about import DocumentStatus, Origin
from fairreport.audit.document import SCHEMA_VERSION, STORED_GROUPS
from fairreport.audit.gate import Status, exit_code
from fairreport.tables.tally import MetricTally, OutcomeTally, ScoreTally

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
COUNT_OR_NULL: Schema = {"type": ["integer", "null"], "minimum": 0}
NUMBER: Schema = {"type": "number"}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
RATIO_OR_NULL: Schema = {"type": ["number", "null"], "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
SHARE_OR_NULL: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
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
    }
    told = "Fractions are from 0 to 1; an undefined number is null, with its reason."
    return {"$schema": DIALECT, "title": "Result of fairreport", "description": told} | _object(
        {
            "schema_version": {"const": SCHEMA_VERSION},
            "title": TEXT,
            "created": _told(TEXT_OR_NULL, "A stated date (as_of, SOURCE_DATE_EPOCH), or null."),
            "about": {"$ref": "#/$defs/about"},
            "data": {"$ref": "#/$defs/data"},
            "assumptions": _array({"$ref": "#/$defs/assumption"}),
            "results": _array({"oneOf": [{"$ref": f"#/$defs/{name}"} for name in entries]}, minItems=1),
            "status": {"$ref": "#/$defs/status"},
            "exit_code": {"enum": sorted({exit_code(status) for status in Status})},
        },
        **{"$defs": _shared() | entries},
    )


def _object(properties: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, **more: Any) -> Schema:
    """Return the schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": {**properties, **(optional or {})},
        **more,
    }


def _array(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _told(schema: Schema, description: str) -> Schema:
    return schema | {"description": description}


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
        "about": _object(about),
        "data": _object({"fingerprint": fingerprint, **columns, "declared_groups": declared}),
        "assumption": _object(
            {
                "number": {"type": "integer", "minimum": 1},
                **dict.fromkeys(("code", "title", "text", "consequence"), TEXT),
                "tests": TEXTS,
            }
        ),
        "threshold": _object(
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
    parameter = _object({"value": True, "origin": {"enum": ["default", "user"]}})  # type: ignore[dict-item]
    return _object(
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
            "thresholds": _array({"$ref": "#/$defs/threshold"}),
            "default_threshold": _told(FLAG, "Whether none was stated, so that the test's own applies."),
            "threshold_source": TEXT_OR_NULL,
            "rationale": TEXT_OR_NULL,
            "reference": {"anyOf": [LABEL, {"type": "null"}]},
            **dict.fromkeys(("rows_total", "rows_with_inputs", "rows_missing_attribute"), COUNT_OR_NULL),
            **dict.fromkeys(("rows_undeclared", "rows_evaluated"), COUNT_OR_NULL),
            "total_groups": COUNT,
            "truncated": _told(FLAG, f"Whether groups holds the first {STORED_GROUPS} only; evidence holds all."),
            "groups": _array(group, maxItems=STORED_GROUPS),
            **beside,
            "parameters": {"type": "object", "additionalProperties": parameter},
            "method": _object({**dict.fromkeys(named, TEXT), "level": NUMBER}),
            "notes": _array(_object({"code": TEXT, "text": TEXT})),
            "insights": _array(_object({"kind": TEXT, "group": LABEL, "numbers": numbers}), maxItems=5),
            "evidence": {"anyOf": [_evidence(tally), {"type": "null"}]},
            "ignored": _told(TEXTS, "Keys of the configuration that mean nothing here."),
            "reasons": {
                "type": "object",
                "description": "JSON pointer of each null of this entry, and why it is null.",
                "additionalProperties": TEXT,
            },
        },
        optional,
    )


def _ends(name: str, kind: Schema) -> dict[str, Schema]:
    return {f"{name}_low": kind, f"{name}_high": kind}


_LOGARITHMS = {
    "log10_p": _told(NUMBER, "Decimal logarithm of a p-value below 1e-300, where p_value is null."),
    "adjusted_log10_p": _told(NUMBER, "The same of adjusted_p."),
}
_SIZE = {"group": LABEL, "n": _told(COUNT, "Evaluated rows."), "share": SHARE}
_P_VALUES = {"p_value": SHARE_OR_NULL, "adjusted_p": SHARE_OR_NULL}
_VERDICTS = dict.fromkeys(("significant", "sufficient", "failing", "is_reference"), FLAG)
_COMPARED_RATE = {
    **_ends("ci", SHARE),
    "ratio": _told(RATIO_OR_NULL, "Rate over the reference rate."),
    **_ends("ratio_ci", RATIO_OR_NULL),
    "difference": _told(NUMBER_OR_NULL, "Rate minus the reference rate."),
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
    rate = _told(SHARE, "favorable / n.")
    return _object({**_SIZE, "favorable": COUNT, "rate": rate, **_COMPARED_RATE, **adjusted}, _LOGARITHMS)


def _score_group() -> Schema:
    moments = {
        **dict.fromkeys(("mean", "median"), NUMBER),
        **dict.fromkeys(("mean_difference", "median_difference", "standardized_mean_difference"), NUMBER_OR_NULL),
        "probability_of_superiority": SHARE_OR_NULL,
        "cliffs_delta": NUMBER_OR_NULL,
        "ks_distance": SHARE_OR_NULL,
    }
    rate = _told(SHARE, "scoring / n.")
    return _object({**_SIZE, "scoring": COUNT, "scoring_rate": rate, **_COMPARED_RATE, **moments}, _LOGARITHMS)


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
    return _object(
        {**_SIZE, **compared, **_P_VALUES, **_VERDICTS}, {**_LOGARITHMS, **_ends("delong_ci", NUMBER_OR_NULL)}
    )


def _evidence(tally: type[OutcomeTally | ScoreTally | MetricTally]) -> Schema:
    """Return the schema of a tally, made from its record."""
    found = TypeAdapter(tally).json_schema(mode="serialization")
    records = found.pop("$defs", {})
    schema: Schema = _closed(found, records)
    return schema


def _closed(schema: Any, records: Mapping[str, Any]) -> Any:
    """Put records in where they are referred to, without titles; nothing but their fields is allowed."""
    if isinstance(schema, list):
        return [_closed(item, records) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _closed(records[schema["$ref"].rpartition("/")[2]], records)
    if "properties" in schema:
        fields = {name: _closed(field, records) for name, field in schema["properties"].items()}
        return _object(fields)
    return {key: _closed(value, records) for key, value in schema.items() if key != "title"}
