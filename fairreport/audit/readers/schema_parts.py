"""The pieces that the JSON Schema of a result is put together from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

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


def object_of(properties: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, **more: Any) -> Schema:
    """Return the schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": {**properties, **(optional or {})},
        **more,
    }


def array(items: Schema, **more: Any) -> Schema:
    """Return the schema of a list of such items."""
    return {"type": "array", "items": items, **more}


def told(schema: Schema, description: str) -> Schema:
    """Return a schema with what it is about."""
    return schema | {"description": description}


def or_null(schema: Schema) -> Schema:
    """Return the schema of the same or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def evidence(tally: type[Any]) -> Schema:
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
        return object_of(fields)
    return {key: _closed(value, records) for key, value in schema.items() if key != "title"}


STATED: dict[str, Schema] = {
    "parameters": {
        "type": "object",
        "additionalProperties": object_of(
            {"value": True, "origin": {"enum": ["default", "preset", "user"]}}  # type: ignore[dict-item]
        ),
    },
    "ignored": told(TEXTS, "Keys of the configuration that mean nothing here."),
    "reasons": {
        "type": "object",
        "description": "JSON pointer of each null of this entry, and why it is null.",
        "additionalProperties": TEXT,
    },
}
"""What the entry of every kind of test states of itself."""
