"""What an audit is given beside its data, checked one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairreport.audit.window import zone_of
from fairreport.errors import ConfigError, Fault
from fairreport.tables.text import canonical
from fairreport.tables.window import TimeColumn


def time_column_of(name: str | None, timezone: str | None) -> TimeColumn | None:
    """Return the column of times with its zone; None where none is stated."""
    zone = zone_of(timezone)
    if name is None and timezone is not None:
        message = "goes with a time_column, which is not stated"
        raise ConfigError(Fault(code="missing_parameter", message=message, path="timezone"))
    return None if name is None else TimeColumn(name=name, zone=zone)


def text_or_none(name: str, value: Any) -> str | None:
    """Return a text; None where absent."""
    if value is not None and not isinstance(value, str):
        raise ConfigError(Fault(code="bad_type", message=f"must be text, got {value!r}", path=name))
    return value


def mapping_of(name: str, value: Any) -> Mapping[str, Any]:
    """Return a mapping, an empty one where absent."""
    if value is not None and not isinstance(value, Mapping):
        raise ConfigError(Fault(code="bad_type", message=f"must be a mapping, got {value!r}", path=name))
    return value or {}


def declared_groups(name: str, value: Any) -> dict[str, tuple[str, ...]]:
    """Return declared groups by their column; none where absent, and never none of a column."""
    declared: dict[str, tuple[str, ...]] = {}
    for column, values in mapping_of(name, value).items():
        path = f"{name}.{column}"
        declared[str(column)] = texts_of(path, values)
        if not declared[str(column)]:
            raise ConfigError(Fault(code="empty_values_list", message="must not be empty", path=path))
    return declared


def texts_of(name: str, values: Any) -> tuple[str, ...]:
    """Return values as the texts of cells, each once; those that stand for a missing cell are left out."""
    listed = [values] if isinstance(values, (str, int, float, bool)) else values
    if not isinstance(listed, Iterable) or isinstance(listed, Mapping):
        raise ConfigError(Fault(code="bad_type", message=f"must be a list of values, got {values!r}", path=name))
    texts = [canonical(value) for value in listed]
    return tuple(dict.fromkeys(text for text in texts if text is not None))
