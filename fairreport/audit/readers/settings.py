"""What `audit.yaml` states beside its tests under `time`, `groups` and `report`, each checked as it is read."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairreport.audit.readers.appearance import color_faults, footer_faults, language_faults
from fairreport.audit.readers.preset import find_preset, unknown_preset
from fairreport.audit.readers.profile import read_profile
from fairreport.audit.window import seconds_of
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.text import canonical

TIME = ("column", "timezone", "window", "delay", "align")
REPORT = (
    "preset",
    "profile",
    "paper",
    "language",
    "templates",
    "logo",
    "colors",
    "footer",
    "suppress_below",
    "checksum",
)
_LENGTHS = (("window", 1), ("delay", 0), ("align", 1))
PAPERS = ("A4", "letter")


def unknown_keys(content: Mapping[str, Any], known: tuple[str, ...], path: str) -> list[Fault]:
    """Return a fault for each key that is not known, with the nearest one."""
    return [
        Fault(
            code="unknown_parameter",
            message=f"is no known key.{nearest(str(key), known)}",
            path=f"{path}.{key}" if path else str(key),
        )
        for key in content
        if key not in known
    ]


def time_faults(stated: Mapping[str, Any]) -> list[Fault]:
    """Return what is wrong with a stated `audit.time`; its column is required."""
    faults = unknown_keys(stated, TIME, "audit.time")
    column = stated.get("column")
    misspelled = any("'column'" in fault.message for fault in faults)
    if column is None and not misspelled:
        faults.append(Fault(code="missing_parameter", message="is required", path="audit.time.column"))
    elif column is not None and (not isinstance(column, str) or not column.strip()):
        faults.append(_wrong("audit.time.column", "must be a column name", column))
    zone = stated.get("timezone")
    if zone is not None:
        faults += _zone_faults(zone, "audit.time.timezone")
    return faults + [fault for key, least in _LENGTHS for fault in _length_faults(stated.get(key), key, least)]


def _length_faults(value: Any, key: str, least: int) -> tuple[Fault, ...]:
    try:
        if value is not None:
            seconds_of(value, f"audit.time.{key}", least=least)
    except ConfigError as error:
        return error.errors
    return ()


def _zone_faults(zone: Any, path: str) -> list[Fault]:
    if not isinstance(zone, str):
        return [_wrong(path, "must be the name of a time zone such as Europe/Oslo", zone)]
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        known = zoneinfo.available_timezones()
        if not known:  # a machine without a list of zones cannot tell
            return []
        message = f"is no time zone, got {zone!r}; wanted a name such as Europe/Oslo.{nearest(zone, sorted(known))}"
        return [Fault(code="bad_enum", message=message, path=path)]
    return []


def group_faults(groups: Mapping[str, tuple[Any, ...]]) -> list[Fault]:
    """Return a fault for each declaration that is empty or states a value twice."""
    faults = []
    for name, values in groups.items():
        path = f"audit.groups.{name}"
        texts = [canonical(value) for value in values]
        if not texts:
            message = "must not be empty; take it out to keep every group"
            faults.append(Fault(code="empty_values_list", message=message, path=path))
        repeated = [text for text in dict.fromkeys(texts) if texts.count(text) > 1]
        if None in texts:
            message = "names a missing value; a missing cell belongs to no group"
            faults.append(Fault(code="bad_type", message=message, path=path))
        elif repeated:
            message = f"states {', '.join(map(repr, repeated))} twice"
            faults.append(Fault(code="duplicate_value", message=message, path=path))
    return faults


def unused_groups(groups: Iterable[str], used: Iterable[str]) -> list[Fault]:
    """Return a fault for each column with declared groups that no test uses and that is nearly one that a test uses.

    Others are declared for tests to come.
    """
    known = sorted(set(used))
    hints = {str(name): nearest(str(name), known) for name in groups if name not in known}
    return [
        Fault(code="unknown_parameter", message=f"no test uses {name!r}.{hint}", path=f"audit.groups.{name}")
        for name, hint in hints.items()
        if hint
    ]


def report_faults(stated: Mapping[str, Any]) -> list[Fault]:
    """Return what is wrong with a stated `audit.report`."""
    faults = unknown_keys(stated, REPORT, "audit.report")
    faults += _preset_faults(stated.get("preset"), stated.get("profile"))
    for name, check in _REPORT_CHECKS.items():
        value = stated.get(name)
        if value is not None:
            faults += check(value, f"audit.report.{name}")
    return faults


def profile_column_faults(report: Mapping[str, Any], attributes: Iterable[str]) -> list[Fault]:
    """Return a fault for each column of a profile that is no attribute of a test, with the nearest one."""
    name, stated = report.get("preset"), report.get("profile")
    if name is None or unknown_preset(name, "preset"):
        return []
    profile, _ = read_profile(find_preset(name), stated, "audit.report.profile")
    known = sorted(attributes)
    return [
        Fault(
            code="missing_column",
            message=f"no test is by {column!r}.{nearest(column, known)}",
            path=f"audit.report.profile.{key}",
        )
        for key, column in profile.columns.items()
        if column not in known
    ]


def _preset_faults(name: Any, profile: Any) -> list[Fault]:
    """Return what is wrong with a preset, or with what is stated for its tables."""
    if name is not None and (found := unknown_preset(name, "audit.report.preset")):
        return found
    try:
        preset = None if name is None else find_preset(name)
    except ConfigError as error:
        return list(error.errors)
    return read_profile(preset, profile, "audit.report.profile")[1]


def _paper(value: Any, path: str) -> list[Fault]:
    if isinstance(value, str) and value.lower() in [paper.lower() for paper in PAPERS]:
        return []
    hint = nearest(value, PAPERS, fold=True) if isinstance(value, str) else ""
    return [Fault(code="bad_enum", message=f"must be A4 or letter, got {value!r}.{hint}", path=path)]


def _text(value: Any, path: str) -> list[Fault]:
    return [] if isinstance(value, str) and value.strip() else [_wrong(path, "must be text", value)]


def _flag(value: Any, path: str) -> list[Fault]:
    return [] if isinstance(value, bool) else [_wrong(path, "must be true or false", value)]


def size_faults(value: Any, path: str) -> list[Fault]:
    """Return what is wrong with a stated number of rows."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return [_wrong(path, "must be a whole number of at least 0", value)]
    if value < 0 or value % 1 != 0:  # infinity and no number have no remainder of 0
        message = f"must be a whole number of at least 0, got {value!r}"
        return [Fault(code="out_of_range", message=message, path=path)]
    return []


def _wrong(path: str, wanted: str, value: Any) -> Fault:
    return Fault(code="bad_type", message=f"{wanted}, got {value!r}", path=path)


_REPORT_CHECKS: dict[str, Callable[[Any, str], list[Fault]]] = {
    "paper": _paper,
    "language": language_faults,
    "templates": _text,
    "logo": _text,
    "colors": color_faults,
    "footer": footer_faults,
    "suppress_below": size_faults,
    "checksum": _flag,
}
