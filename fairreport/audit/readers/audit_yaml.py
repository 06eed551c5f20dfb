"""`audit.yaml`: data, what the user states about the audit, and its tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest
from fairreport.analyses.pair_tests import PAIR_TESTS, CustomDisparityMetric
from fairreport.audit.about import About
from fairreport.audit.audit_id import id_faults
from fairreport.audit.provenance import created
from fairreport.audit.readers.data import StatedTable, read_data
from fairreport.audit.readers.settings import (
    group_faults,
    profile_column_faults,
    report_faults,
    time_faults,
    unknown_keys,
    unused_groups,
)
from fairreport.audit.readers.strict import parse_test
from fairreport.audit.readers.tests_json import SUBTYPES, StatedTest, repeated_names
from fairreport.errors import ConfigError, Fault, nearest

KINDS: dict[str, type[AnyTest]] = {
    kind.analysis: kind
    for kind in (*SUBTYPES.values(), RateGaps, *PAIR_TESTS)
    if kind is not CustomDisparityMetric  # a function has no place in a file
}

_TOP = ("audit", "tests")
_AUDIT = ("id", "title", "data", "counts", "missing_values", "time", "as_of", "groups", "about", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedAudit:
    """What an `audit.yaml` states."""

    id: str | None = None
    title: str | None = None
    data: str | StatedTable | None = None
    counts: str | None = None
    missing_values: tuple[Any, ...] = ()
    time: Mapping[str, Any] = field(default_factory=dict)
    as_of: str | date | None = None
    groups: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    about: About = field(default_factory=About)
    report: Mapping[str, Any] = field(default_factory=dict)
    tests: tuple[StatedTest, ...] = ()


def read_audit_yaml(content: Mapping[str, Any], preset: str | None = None) -> StatedAudit:
    """Return what a parsed `audit.yaml` states.

    Parameters
    ----------
    content : mapping
        What the file holds.
    preset : str, optional
        The preset to use instead of the one that it names.

    Raises
    ------
    ConfigError
        With all faults, each with its dotted path.
    """
    faults = unknown_keys(content, _TOP, "")
    audit = _mapping(content, "audit", "", faults)
    faults += unknown_keys(audit, _AUDIT, "audit")
    report = dict(_mapping(audit, "report", "audit", faults)) | ({} if preset is None else {"preset": preset})
    faults += report_faults(report)
    about = _about(_mapping(audit, "about", "audit", faults), faults)
    time = _mapping(audit, "time", "audit", faults)
    if isinstance(audit.get("time"), Mapping):
        faults += time_faults(time)
    groups = _groups(_mapping(audit, "groups", "audit", faults), faults)
    attributes = _attributes(content.get("tests"))
    faults += unused_groups(groups, attributes)
    faults += profile_column_faults(report, attributes)
    stated = StatedAudit(
        id=_text(audit, "id", faults),
        title=_text(audit, "title", faults),
        data=read_data(audit.get("data"), faults),
        counts=_text(audit, "counts", faults),
        missing_values=_values(audit.get("missing_values"), "audit.missing_values", faults),
        time=time,
        as_of=_date(audit.get("as_of"), faults),
        groups=groups,
        about=about,
        report=report,
        tests=tuple(_tests(content.get("tests"), faults)),
    )
    faults += id_faults(stated.id)
    if faults:
        raise ConfigError(faults)
    return stated


def _mapping(content: Mapping[str, Any], key: str, path: str, faults: list[Fault]) -> Mapping[str, Any]:
    value = content.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        place = f"{path}.{key}" if path else key
        faults.append(Fault(code="bad_type", message=f"must be a mapping, got {value!r}", path=place))
        return {}
    return value


def _text(content: Mapping[str, Any], key: str, faults: list[Fault]) -> str | None:
    value = content.get(key)
    if value is None or isinstance(value, str):
        return value
    faults.append(Fault(code="bad_type", message=f"must be text, got {value!r}", path=f"audit.{key}"))
    return None


def _date(value: Any, faults: list[Fault]) -> str | date | None:
    if value is None:
        return None
    try:
        created(value if isinstance(value, date) else str(value))
    except ConfigError as error:
        faults += [Fault(code=fault.code, message=fault.message, path="audit.as_of") for fault in error.errors]
        return None
    return value if isinstance(value, date) else str(value)


def _values(value: Any, path: str, faults: list[Fault]) -> tuple[Any, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or any(isinstance(item, (list, tuple, set, Mapping)) for item in value):
        faults.append(Fault(code="bad_type", message=f"must be a list of values, got {value!r}", path=path))
        return ()
    return tuple(value)


def _groups(stated: Mapping[str, Any], faults: list[Fault]) -> dict[str, tuple[Any, ...]]:
    known = len(faults)
    groups = {
        str(name): _values(values, f"audit.groups.{name}", faults)
        for name, values in stated.items()
        if values is not None
    }
    misshapen = {fault.path for fault in faults[known:]}
    faults += group_faults({name: v for name, v in groups.items() if f"audit.groups.{name}" not in misshapen})
    return groups


def _attributes(tests: Any) -> set[str]:
    """Return the protected attributes of all tests, also of those that are wrong elsewhere."""
    kinds = [item.values() for item in tests if isinstance(item, Mapping)] if isinstance(tests, list) else []
    parameters = [stated for values in kinds for stated in values if isinstance(stated, Mapping)]
    listed = [stated.get("protected_attribute_columns") for stated in parameters]
    listed += [
        list(stated[key])
        for stated in parameters
        for key in ("attributes", "reference_values")
        if isinstance(stated.get(key), Mapping)
    ]
    return {name for names in listed if isinstance(names, list) for name in names if isinstance(name, str)}


def _about(content: Mapping[str, Any], faults: list[Fault]) -> About:
    try:
        return About(**{str(key): value for key, value in content.items()})
    except ConfigError as error:
        faults += [Fault(code=f.code, message=f.message, path=f"audit.about.{f.path}") for f in error.errors]
        return About()


def _tests(listed: Any, faults: list[Fault]) -> list[StatedTest]:
    if not isinstance(listed, list) or not listed:
        faults.append(Fault(code="no_tests", message="must be a list with at least one test", path="tests"))
        return []
    found: list[StatedTest] = []
    named: list[tuple[str, Any]] = []
    for position, item in enumerate(listed):
        path = f"tests.{position}"
        if not isinstance(item, Mapping) or len(item) != 1:
            wanted = ", ".join(KINDS)
            message = f"must be a mapping with one key, the kind of test ({wanted}), got {item!r}"
            faults.append(Fault(code="bad_type", message=message, path=path))
            continue
        kind, stated = next(iter(item.items()))
        if kind not in KINDS:
            message = f"is no known kind of test.{nearest(str(kind), KINDS)}"
            faults.append(Fault(code="bad_enum", message=message, path=f"{path}.{kind}"))
        elif not isinstance(stated, Mapping):
            message = f"must be a mapping of parameters, got {stated!r}"
            faults.append(Fault(code="bad_type", message=message, path=f"{path}.{kind}"))
        else:
            named.append((f"{path}.{kind}", stated.get("name")))
            try:
                found.append(StatedTest(test=parse_test(KINDS[kind], stated, f"{path}.{kind}"), ignored=()))
            except ConfigError as error:
                faults.extend(error.errors)
    faults += repeated_names(named)
    return found
