"""The JSON Schema of `audit.yaml`, made from the models that read it."""

from __future__ import annotations

import json
from copy import deepcopy

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from fairreport.audit.about import About
from fairreport.audit.readers.audit_yaml import KINDS
from fairreport.audit.readers.schema_parts import DIALECT, Schema
from fairreport.audit.readers.settings import PAPERS

_ITEMS = {"protected_attribute_columns": (1, 3), "control_columns": (1, 2)} | dict.fromkeys(
    ("favorable_values", "unfavorable_values", "positive_values"), (1, None)
)
_VALUE: Schema = {"type": ["string", "number", "boolean"]}
_TEXT: Schema = {"type": ["string", "null"]}


def config_schema() -> Schema:
    """Return the JSON Schema of an `audit.yaml`.

    Examples
    --------
    >>> sorted(config_schema()["properties"])
    ['audit', 'tests']
    """
    models: list[type[BaseModel]] = [About, *KINDS.values()]
    refs, definitions = models_json_schema([(model, "validation") for model in models], ref_template="#/$defs/{model}")
    tests = [_single(kind, refs[(model, "validation")]) for kind, model in KINDS.items()]
    return {
        "$schema": DIALECT,
        "title": "audit.yaml of fairreport",
        "type": "object",
        "additionalProperties": False,
        "required": ["tests"],
        "properties": {
            "audit": _audit(refs[(About, "validation")]),
            "tests": {"type": "array", "minItems": 1, "items": {"oneOf": tests}},
        },
        "$defs": {name: _as_in_files(model) for name, model in definitions["$defs"].items()},
    }


def _single(kind: str, model: Schema) -> Schema:
    """Return the schema of a mapping with one key, the kind of a test."""
    return {"type": "object", "additionalProperties": False, "required": [kind], "properties": {kind: model}}


def _audit(about: Schema) -> Schema:
    listed = {"type": ["array", "null"], "items": _VALUE}
    return _mapping(
        {
            "title": _TEXT | {"description": "What the audit is called."},
            "data": _TEXT | {"description": "Path of the data, relative to this file; --data overrides it."},
            "counts": _TEXT | {"description": "Column that says how many rows each row stands for."},
            "missing_values": listed | {"description": "Words for a missing cell, besides the empty one."},
            "time": _mapping({"column": {"type": "string"}, "timezone": _TEXT}) | {"required": ["column"]},
            "groups": {
                "type": ["object", "null"],
                "description": "Declared groups of an attribute; rows with another value are left out.",
                "additionalProperties": listed | {"minItems": 1, "uniqueItems": True},
            },
            "about": {"anyOf": [about, {"type": "null"}]},
            "report": _mapping(
                {
                    **dict.fromkeys(("language", "templates", "logo"), _TEXT),
                    "preset": {"type": "null", "description": "No preset is offered yet."},
                    "paper": {"enum": [*PAPERS, None], "description": "What the PDF prints on."},
                    "suppress_below": {"type": ["integer", "null"], "minimum": 0},
                }
            ),
        }
    )


def _mapping(properties: Schema) -> Schema:
    return {"type": ["object", "null"], "additionalProperties": False, "properties": properties}


def _as_in_files(model: Schema) -> Schema:
    """Return a model's schema as files are read: null stands for absent, and lists have their lengths."""
    found = deepcopy(model)
    required = found.get("required", [])
    for name, field in found.get("properties", {}).items():
        least, most = _ITEMS.get(name, (None, None))
        for option in (field, *field.get("anyOf", [])):
            if option.get("type") == "array":
                option |= {key: n for key, n in (("minItems", least), ("maxItems", most)) if n is not None}
        if name not in required and "null" not in json.dumps(field):
            found["properties"][name] = _or_null(field)
    return found


def _or_null(field: Schema) -> Schema:
    told = {key: field[key] for key in ("title", "description", "default") if key in field}
    return told | {"anyOf": [{k: v for k, v in field.items() if k not in told}, {"type": "null"}]}
