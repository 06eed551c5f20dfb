"""`fairness.yaml` and its policy file: rate gaps as the field already writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.audit.readers.text_file import read_text
from fairreport.audit.readers.yaml_text import ParsedYaml, parse_yaml
from fairreport.errors import ConfigError, Fault, nearest

_OWN = ("name", "cases")
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
    faults: list[Fault] = []
    level, ignored = _read_policy(policy, faults)
    parsed = _parsed(path, faults)
    stated = _fairness(parsed, faults)
    test = _test(stated, level, faults) if stated is not None else None
    if faults or test is None or stated is None:
        located = [
            Fault(code=f.code, message=f.message, path=f.path, line=f.line or (parsed.line(f.path) if parsed else None))
            for f in faults
        ]
        raise ConfigError(located, source=path.name)
    return StatedFairness(
        name=str(stated.get("name") or path.stem), cases=path.parent / stated["cases"], test=test, ignored=ignored
    )


def _parsed(path: Path, faults: list[Fault]) -> ParsedYaml | None:
    try:
        return parse_yaml(read_text(path))
    except ConfigError as error:
        faults.extend(error.errors)
        return None


def _fairness(parsed: ParsedYaml | None, faults: list[Fault]) -> Mapping[str, Any] | None:
    if parsed is None:
        return None
    content = parsed.content
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
    if level is not None:
        given["confidence_level"] = level
    try:
        return RateGaps(**given)
    except ConfigError as error:
        faults += [
            Fault(code=f.code, message=f.message, path=f"fairness.{f.path}" if f.path else "fairness")
            for f in error.errors
        ]
        return None


def _read_policy(path: Path | None, faults: list[Fault]) -> tuple[float | None, tuple[str, ...]]:
    """Return the confidence level of a policy file, and the keys that mean nothing here."""
    if path is None:
        return None, ()
    try:
        content = parse_yaml(read_text(path)).content
    except ConfigError as error:
        faults += [Fault(code=f.code, message=f"{path.name}: {f.message}", path=f.path) for f in error.errors]
        return None, ()
    if content is None:
        return None, ()
    if not isinstance(content, Mapping):
        faults.append(Fault(code="bad_type", message=f"{path.name} must be a mapping, got {content!r}"))
        return None, ()
    ignored = tuple(sorted(str(key) for key in content if key not in _POLICY))
    level = content.get("confidence_level")
    if level is not None and (isinstance(level, bool) or not isinstance(level, (int, float)) or not 0.5 < level < 1):
        message = f"{path.name} must state a number strictly between 0.5 and 1, got {level!r}"
        faults.append(Fault(code="out_of_range", message=message, path="confidence_level"))
        return None, ignored
    return level, ignored
