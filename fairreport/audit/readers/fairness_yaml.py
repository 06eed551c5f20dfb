"""`fairness.yaml` and its policy file: rate gaps as the field already writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.audit.readers.text_file import read_text
from fairreport.audit.readers.yaml_text import ParsedYaml, parse_yaml
from fairreport.errors import ConfigError, Fault, nearest

_OWN = ("name", "cases")
_TEXTS = ("description", "rationale", "threshold_source")
_POLICY = ("confidence_level",)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFairness:
    """What a `fairness.yaml` and a policy state.

    Attributes
    ----------
    name : str
        What the audit is called.
    cases : Path
        The file of cases, beside the `fairness.yaml`.
    test : RateGaps
        Groups, columns and rules.
    ignored : tuple of str
        Keys of the policy that mean nothing here.
    """

    name: str
    cases: Path
    test: RateGaps
    ignored: tuple[str, ...]


def read_fairness(path: Path, policy: Path | None = None) -> StatedFairness:
    """Return what the files state.

    Raises
    ------
    ConfigError
        With all faults of both files, each with its dotted path and line.
    """
    level, ignored, of_policy = _read_policy(policy)
    faults: list[Fault] = []
    parsed = _parsed(path, faults)
    found = None
    if parsed is not None:
        try:
            found = fairness_of(parsed.content, confidence_level=level, name=path.stem)
        except ConfigError as error:
            faults.extend(error.errors)
    if policy is not None and of_policy and not faults:
        raise ConfigError(of_policy, source=policy.name)
    if found is None:
        located = [_located(fault, parsed) for fault in faults]
        if policy is not None:
            located += [
                Fault(code=f.code, message=f"in {policy.name}: {f.message}", path=f.path, line=f.line)
                for f in of_policy
            ]
        raise ConfigError(located, source=path.name)
    return replace(found, cases=path.parent / found.cases, ignored=ignored)


def read_policy(path: Path) -> tuple[float | None, tuple[str, ...]]:
    """Return the confidence level of a policy file, and its keys that mean nothing here.

    Raises
    ------
    ConfigError
        With all faults of the file.
    """
    level, ignored, faults = _read_policy(path)
    if faults:
        raise ConfigError([Fault(code=f.code, message=f"in {path.name}: {f.message}", path=f.path) for f in faults])
    return level, ignored


def fairness_of(content: Any, *, confidence_level: float | None = None, name: str | None = None) -> StatedFairness:
    """Return what a parsed `fairness.yaml` states; its cases are as written.

    Parameters
    ----------
    content : mapping
        With the one key ``fairness``.
    confidence_level : float, optional
        What a policy states.
    name : str, optional
        What the audit is called where the file names none.

    Raises
    ------
    ConfigError
        With all faults, each with its dotted path.
    """
    faults: list[Fault] = []
    stated = _fairness(content, faults)
    test = _test(stated, confidence_level, faults) if stated is not None else None
    if faults or test is None or stated is None:
        raise ConfigError(faults)
    return StatedFairness(
        name=str(stated.get("name") or name or "fairness"), cases=Path(stated["cases"]), test=test, ignored=()
    )


def _located(fault: Fault, parsed: ParsedYaml | None) -> Fault:
    line = fault.line or (None if parsed is None else parsed.line(fault.path))
    return Fault(code=fault.code, message=fault.message, path=fault.path, line=line)


def _parsed(path: Path, faults: list[Fault]) -> ParsedYaml | None:
    try:
        return parse_yaml(read_text(path))
    except ConfigError as error:
        faults.extend(error.errors)
        return None


def _fairness(content: Any, faults: list[Fault]) -> Mapping[str, Any] | None:
    if not isinstance(content, Mapping) or not isinstance(content.get("fairness"), Mapping):
        message = "must be a mapping with the key fairness, which holds the columns, groups and rules"
        faults.append(Fault(code="bad_type", message=message, path="fairness" if isinstance(content, Mapping) else ""))
        return None
    faults += [
        Fault(code="unknown_parameter", message=f"is no known key.{nearest(str(key), ['fairness'])}", path=str(key))
        for key in content
        if key != "fairness"
    ]
    stated: Mapping[str, Any] = content["fairness"]
    cases = stated.get("cases")
    if cases is None:
        faults.append(Fault(code="missing_parameter", message="is required", path="fairness.cases"))
    elif not isinstance(cases, str):
        faults.append(Fault(code="bad_type", message=f"must be a file name, got {cases!r}", path="fairness.cases"))
    name = stated.get("name")
    if name is not None and not isinstance(name, str):
        faults.append(Fault(code="bad_type", message=f"must be text, got {name!r}", path="fairness.name"))
    return stated


def _test(stated: Mapping[str, Any], level: float | None, faults: list[Fault]) -> RateGaps | None:
    given = {str(key): value for key, value in stated.items() if key not in _OWN}
    for name in _TEXTS:
        if given.get(name) is not None and not isinstance(given[name], str):
            message = f"must be text, got {given.pop(name)!r}"
            faults.append(Fault(code="bad_type", message=message, path=f"fairness.{name}"))
    if level is not None:
        given["confidence_level"] = level
    try:
        return RateGaps(**given)
    except ConfigError as error:
        for f in error.errors:
            hint = nearest(f.path, _OWN) if f.code == "unknown_parameter" and not f.message.endswith("?") else ""
            place = f"fairness.{f.path}" if f.path else "fairness"
            faults.append(Fault(code=f.code, message=f"{f.message}{hint}", path=place))
        return None


def _read_policy(path: Path | None) -> tuple[float | None, tuple[str, ...], tuple[Fault, ...]]:
    """Return the confidence level of a policy file, the keys that mean nothing here, and what is wrong."""
    if path is None:
        return None, (), ()
    try:
        parsed = parse_yaml(read_text(path))
    except ConfigError as error:
        return None, (), error.errors
    content = parsed.content
    if content is None:
        return None, (), ()
    if not isinstance(content, Mapping):
        return None, (), (Fault(code="bad_type", message=f"must be a mapping, got {content!r}", line=parsed.line("")),)
    ignored = tuple(sorted(str(key) for key in content if key not in _POLICY))
    level = content.get("confidence_level")
    if level is not None and (isinstance(level, bool) or not isinstance(level, (int, float)) or not 0.5 < level < 1):
        message = f"must be a number strictly between 0.5 and 1, got {level!r}"
        place = "confidence_level"
        return None, ignored, (Fault(code="out_of_range", message=message, path=place, line=parsed.line(place)),)
    return level, ignored, ()
