"""`tests.json`: an array of tests with thresholds and insightParameters, as the field already writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairreport.analyses.kinds import KINDS, AnyTest, Test
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.audit.readers.strict import parse_test
from fairreport.audit.window import WINDOW_KEYS, OwnWindow, seconds_of
from fairreport.errors import ConfigError, Fault, nearest

SUBTYPES: dict[str, type[Test]] = {kind.subtype: kind for kind in KINDS}

_THRESHOLD_KEYS = {"insightName", "insightParameters", "measurement", "operator", "value"}
_TASK_KEYS = ("taskType", "task_type")
_KNOWN_KEYS = {
    *("name", "description", "type", "subtype", "thresholds", "subpopulationFilters", "evaluationWindow"),
    *_TASK_KEYS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTest:
    """A test of a file, with the keys that mean nothing here."""

    test: AnyTest
    ignored: tuple[str, ...]
    window: OwnWindow | None = None


def read_tests_json(entries: list[Any]) -> list[StatedTest]:
    """Return the tests of a parsed `tests.json`.

    Raises
    ------
    ConfigError
        With all faults of all tests, each with its dotted path.
    """
    found: list[StatedTest] = []
    faults: list[Fault] = []
    if not entries:
        faults.append(Fault(code="no_tests", message="the file holds no test"))
    for position, entry in enumerate(entries):
        try:
            found.append(_read_entry(entry, str(position)))
        except ConfigError as error:
            faults.extend(error.errors)
    named = [(str(i), entry.get("name")) for i, entry in enumerate(entries) if isinstance(entry, Mapping)]
    faults += repeated_names(named)
    if faults:
        raise ConfigError(faults)
    return found


def repeated_names(named: list[tuple[str, Any]]) -> list[Fault]:
    """Return a fault for each test, given by its path and its name, whose name another one before it bears."""
    seen: set[str] = set()
    found = []
    for path, name in named:
        if not isinstance(name, str):
            continue
        if name in seen:
            message = f"two tests are named {name!r}"
            found.append(Fault(code="duplicate_name", message=message, path=f"{path}.name"))
        seen.add(name)
    return found


def _read_entry(entry: Any, path: str) -> StatedTest:
    if not isinstance(entry, Mapping):
        raise ConfigError(Fault(code="bad_type", message=f"must be a test, got {entry!r}", path=path))
    subtype = entry.get("subtype")
    if not isinstance(subtype, str) or subtype not in SUBTYPES:
        raise ConfigError(_unknown_subtype(subtype, path))
    if entry.get("subpopulationFilters") is not None:
        message = "subpopulationFilters are not supported here; filter the data before the audit and set null"
        raise ConfigError(Fault(code="unknown_parameter", message=message, path=f"{path}.subpopulationFilters"))
    thresholds = entry.get("thresholds")
    if thresholds is None:
        thresholds = []
    if not isinstance(thresholds, list) or not all(isinstance(item, Mapping) for item in thresholds):
        raise ConfigError(Fault(code="bad_type", message="must be a list of thresholds", path=f"{path}.thresholds"))
    parameters = _parameters(thresholds, subtype, path)
    stated = {
        "name": entry.get("name"),
        "description": entry.get("description"),
        "thresholds": [
            {key: item[key] for key in ("measurement", "operator", "value") if key in item}
            for item in thresholds
            if item.get("measurement") is not None
        ],
        **parameters,
    }
    task = next((entry[key] for key in _TASK_KEYS if entry.get(key) is not None), None)
    if task is not None and SUBTYPES[subtype] is MetricParity:
        stated.setdefault("task_type", task)
    window = _own_window(entry, path)
    known = _KNOWN_KEYS if window is None else _KNOWN_KEYS | set(WINDOW_KEYS)
    ignored = [key for key in entry if key not in known]
    ignored += [
        f"thresholds.{key}"
        for key in dict.fromkeys(k for item in thresholds for k in item)
        if key not in _THRESHOLD_KEYS
    ]
    test = parse_test(SUBTYPES[subtype], stated, path)
    return StatedTest(test=test, ignored=tuple(sorted(ignored)), window=window)


def _own_window(entry: Mapping[str, Any], path: str) -> OwnWindow | None:
    """Return the window that a test in monitoring mode states, in seconds."""
    if entry.get("evaluationWindow") is None or entry.get("mode") == "development":
        return None
    length = _seconds(entry["evaluationWindow"], f"{path}.evaluationWindow", least=1)
    delay = entry.get("delayWindow")
    return OwnWindow(length=length, delay=0 if delay is None else _seconds(delay, f"{path}.delayWindow", least=0))


def _seconds(value: Any, path: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value % 1 != 0:
        message = f"must be a whole number of seconds, got {value!r}"
        raise ConfigError(Fault(code="bad_type", message=message, path=path))
    return seconds_of(int(value), path, least=least)


def _unknown_subtype(subtype: Any, path: str) -> Fault:
    wanted = ", ".join(SUBTYPES)
    if subtype is None:
        return Fault(code="missing_parameter", message=f"is required; wanted one of {wanted}", path=f"{path}.subtype")
    hint = nearest(subtype, SUBTYPES) if isinstance(subtype, str) else ""
    message = f"must be one of {wanted}; got {subtype!r}.{hint}"
    return Fault(code="bad_enum", message=message, path=f"{path}.subtype")


def _parameters(thresholds: list[Any], subtype: str, path: str) -> dict[str, Any]:
    """Return the one set of insightParameters that all thresholds of a test state."""
    sets = [_parameter_set(item, subtype, f"{path}.thresholds.{i}") for i, item in enumerate(thresholds)]
    for position, other in enumerate(sets[1:], start=1):
        if other != sets[0]:
            place = f"{path}.thresholds.{position}.insightParameters"
            message = "differ from those of the first threshold; one test has one set of parameters"
            raise ConfigError(Fault(code="conflicting_parameters", message=message, path=place))
    return sets[0] if sets else {}


def _parameter_set(threshold: Mapping[str, Any], subtype: str, path: str) -> dict[str, Any]:
    insight = threshold.get("insightName")
    if insight is not None and insight != subtype:
        message = f"must be {subtype!r}, the subtype of the test; got {insight!r}"
        raise ConfigError(Fault(code="bad_enum", message=message, path=f"{path}.insightName"))
    listed = threshold.get("insightParameters")
    if listed is None:
        return {}
    if not isinstance(listed, list) or not all(
        isinstance(p, Mapping) and isinstance(p.get("name"), str) for p in listed
    ):
        message = "must be a list of objects with a name and a value"
        raise ConfigError(Fault(code="bad_type", message=message, path=f"{path}.insightParameters"))
    stated: dict[str, Any] = {}
    for parameter in listed:
        name = parameter["name"]
        if name in stated:
            message = f"states {name!r} twice"
            raise ConfigError(Fault(code="duplicate_parameter", message=message, path=f"{path}.insightParameters"))
        stated[name] = parameter.get("value")
    return stated
