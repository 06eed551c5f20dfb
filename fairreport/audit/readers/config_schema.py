"""The JSON Schema of `audit.yaml`, made from the models that read it."""

from __future__ import annotations

import json
from copy import deepcopy

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from fairreport.audit.about import About
from fairreport.audit.readers.appearance import LANGUAGES, LONGEST_FOOTER, PACKAGED
from fairreport.audit.readers.audit_yaml import KINDS
from fairreport.audit.readers.preset import ProfileKey, ProfileKeyKind, find_preset, preset_names
from fairreport.audit.readers.schema_parts import DIALECT, Schema
from fairreport.audit.readers.settings import PAPERS

_ITEMS = {"protected_attribute_columns": (1, 3), "control_columns": (1, 2)} | dict.fromkeys(
    ("favorable_values", "unfavorable_values", "positive_values"), (1, None)
)
_VALUE: Schema = {"type": ["string", "number", "boolean"]}
_TEXT: Schema = {"type": ["string", "null"]}
_COLOR: Schema = {"type": ["string", "null"], "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"}


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
            "id": _TEXT | {"description": "Under what its results are kept in a history; else its title."},
            "title": _TEXT | {"description": "What the audit is called."},
            "data": _data(),
            "counts": _TEXT | {"description": "Column that says how many rows each row stands for."},
            "missing_values": listed | {"description": "Words for a missing cell, besides the empty one."},
            "time": _time(),
            "as_of": _TEXT | {"description": "The date the audit bears, such as 2026-11-01."},
            "groups": {
                "type": ["object", "null"],
                "description": "Declared groups of an attribute; rows with another value are left out.",
                "additionalProperties": listed | {"minItems": 1, "uniqueItems": True},
            },
            "about": {"anyOf": [about, {"type": "null"}]},
            "report": _mapping(
                {
                    "language": {"enum": [*LANGUAGES, None], "description": "Packets are written in English."},
                    "templates": _TEXT | {"description": "Folder of templates of your own, relative to this file."},
                    "logo": _TEXT | {"description": "PNG, JPEG or SVG of at most 1 MB, relative to this file."},
                    "colors": _mapping(dict.fromkeys(PACKAGED, _COLOR))
                    | {"description": "Colours that can be read on white, at a contrast of 4.5 or more."},
                    "footer": _TEXT | {"maxLength": LONGEST_FOOTER, "description": "A line at the foot of each page."},
                    "checksum": {
                        "type": ["boolean", "null"],
                        "description": "Whether the sha256 of a packet is written beside it; true where absent.",
                    },
                    "preset": {
                        "enum": [*preset_names(), None],
                        "description": "Lays out the tables of a regulation or practice; see fairreport presets.",
                    },
                    "profile": _profile(),
                    "paper": {"enum": [*PAPERS, None], "description": "What the PDF prints on."},
                    "suppress_below": {
                        "type": ["integer", "null"],
                        "minimum": 0,
                        "description": "Groups with fewer rows are shown in reports without their figures.",
                    },
                }
            ),
        }
    )


def _data() -> Schema:
    told = {
        "url": "URL of a database, without a password, or of its file; or $NAME of the environment variable with it.",
        "table": "Which table or view, such as decisions or hr.decisions.",
        "schema": "Its schema; the table is then taken as it stands.",
        "spark": "A table of Spark instead, such as catalog.schema.table.",
    }
    place = {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: _TEXT | {"description": text} for key, text in told.items()},
        "anyOf": [{"required": ["url"]}, {"required": ["spark"]}],
    }
    text = {"type": "string", "description": "Path of the data, relative to this file, or URL of Parquet in a store."}
    return {"description": "What is audited; --data overrides it.", "anyOf": [text, place, {"type": "null"}]}


def _profile() -> Schema:
    """Return the schema of what the tables of a preset take of the user, over all presets."""
    found: Schema = {}
    for name in preset_names():
        for item in find_preset(name).profile:
            found.setdefault(item.key, _profile_key(item) | {"description": f"{item.says} ({name})."})
    return _mapping(found) | {"description": "What the tables of the preset take of the user."}


def _profile_key(item: ProfileKey) -> Schema:
    if item.kind is ProfileKeyKind.SHARE:
        return {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1 if item.most is None else item.most}
    if item.kind is ProfileKeyKind.LABELS:
        return {"type": ["object", "null"], "additionalProperties": {"type": "object"}}
    return {"type": ["string", "null"]}


def _time() -> Schema:
    length: Schema = {"type": ["string", "integer", "null"]}
    told = {
        "column": {"type": "string", "description": "Column of timestamps, dates or ISO text."},
        "timezone": _TEXT | {"description": "Zone of times that state none; UTC where absent."},
        "window": length | {"description": "How long a window is: 7d (days of the calendar), 12h, 30m, or seconds."},
        "delay": length | {"description": "How long rows may take to arrive; a window ends so long before now."},
        "align": length | {"description": "Set the end back to a whole multiple on the clock: 1d is midnight."},
    }
    return _mapping(told) | {"required": ["column"]}


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
