"""Presets: data files, one a regulation or practice, each fact with its source and the day it was looked up.

No other module knows what a regulation says. What can be asked of an audit is a fixed list of checks; a preset
says which of them it asks, in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from fairreport.analyses.kinds import KINDS
from fairreport.analyses.pair_tests import PAIR_TESTS
from fairreport.analyses.parameters import choice, fault, faults
from fairreport.audit.readers.yaml_text import parse_yaml
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.resources import preset_dir

_ANALYSES = {kind.analysis: kind for kind in (*KINDS, *PAIR_TESTS)}


class PresetKind(StrEnum):
    """What a preset states."""

    REGULATION = "regulation"
    PRACTICE = "practice"


class ProfileTables(StrEnum):
    """Which tables a preset asks for."""

    CATEGORIES = "categories"
    BEST_RATIOS = "best_ratios"
    DEVIATIONS = "deviations"
    PAIRS = "pairs"


class Check(StrEnum):
    """What a preset can ask of an audit, beside values of parameters."""

    TABLES_MADE = "tables_made"
    REFERENCE_IS_HIGHEST = "reference_is_highest"
    REFERENCE_IS_NAMED = "reference_is_named"
    UNKNOWN_COUNTED = "unknown_counted"
    MEDIAN_OF_ALL = "median_of_all"
    SMALL_CATEGORIES_LISTED = "small_categories_listed"
    SIGNIFICANCE_SHOWN = "significance_shown"
    RATIOS_MADE = "ratios_made"
    MEANS_MADE = "means_made"
    STATED = "stated"
    NOT_IN_DATA = "not_in_data"


class ProfileKeyKind(StrEnum):
    """What a user states under a key of a profile."""

    COLUMN = "column"
    LABELS = "labels"
    SHARE = "share"
    DATE = "date"
    TEXT = "text"


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise fault("bad_type", f"must be text, got {value!r}")
    return value.strip()


def day(value: Any) -> str:
    """Return a day as it was given, such as 2026-11-29; raise where it is none."""
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value.strip(), flags=re.ASCII):
        try:
            return date.fromisoformat(value.strip()).isoformat()
        except ValueError:
            pass
    raise fault("bad_type", f"must be a day such as 2026-11-29, got {value!r}")


def _key(value: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", value, flags=re.ASCII):
        raise fault("bad_type", f"must be a word of a to z, 0 to 9 and _, got {value!r}")
    return value


def _single(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise fault("bad_type", f"must be text or a number, got {value!r}")
    return value


Text = Annotated[str, BeforeValidator(_text)]
Key = Annotated[str, BeforeValidator(_text), AfterValidator(_key)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fact(_Part):
    """One thing that a source says, in our words."""

    key: Key
    says: Text
    source: Text
    as_of: Annotated[str, BeforeValidator(day)]


class PresetParameter(_Part):
    """A value that a preset asks of a parameter, and gives it where nobody states one."""

    name: Key
    value: Annotated[str | int | float, BeforeValidator(_single)]
    analyses: tuple[Key, ...] = Field(min_length=1)
    fact: Key


class Requirement(_Part):
    """Something that a preset asks of an audit; `key` is the key of the profile that it hangs on."""

    check: Annotated[Check, choice(Check)]
    says: Text
    fact: Key
    key: Key | None = None


class Limit(_Part):
    """Something that a preset takes as given, and what follows where it does not hold."""

    title: Text
    text: Text
    consequence: Text
    fact: Key


class ProfileKey(_Part):
    """Something that a user states for the tables of a preset.

    Attributes
    ----------
    called : str or None
        Of a column: what its table is called.
    names : tuple of str
        Of a column: names by which it is guessed where the user states none.
    most : float or None
        Of a share: the largest.
    """

    key: Key
    kind: Annotated[ProfileKeyKind, choice(ProfileKeyKind)]
    says: Text
    called: Text | None = None
    names: tuple[Key, ...] = ()
    most: float | None = Field(default=None, gt=0, le=1)


class Preset(_Part):
    """A preset as its file states it.

    Attributes
    ----------
    name, title : str
        What it is called: in code, and in a heading.
    kind : PresetKind
        Whether it states a regulation or a practice.
    source, summary : str
        Where it comes from and what it is, in one sentence each.
    tables : ProfileTables
        Which tables it asks for.
    together : str or None
        What the table by all of its columns together is called.
    publishes_counts : bool
        Whether its tables must hold every count, small ones too.
    facts, parameters, requirements, limits, profile
        What it says, asks, takes as given, and takes of the user.
    """

    name: Key
    title: Text
    kind: Annotated[PresetKind, choice(PresetKind)]
    source: Text
    summary: Text
    tables: Annotated[ProfileTables, choice(ProfileTables)]
    together: Text | None = None
    publishes_counts: bool = False
    facts: tuple[Fact, ...] = Field(min_length=1)
    parameters: tuple[PresetParameter, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    limits: tuple[Limit, ...] = ()
    profile: tuple[ProfileKey, ...] = ()

    @property
    def as_of(self) -> str:
        """The day on which the first of its facts was looked up: none of them is older."""
        return min(fact.as_of for fact in self.facts)

    def fact(self, key: str) -> Fact:
        """Return one of its facts."""
        return next(fact for fact in self.facts if fact.key == key)

    def keys_of(self, kind: ProfileKeyKind) -> tuple[ProfileKey, ...]:
        """Return the keys of its profile of one kind."""
        return tuple(item for item in self.profile if item.kind is kind)


def preset_names() -> tuple[str, ...]:
    """Return the names of all presets, sorted; no file is read.

    Examples
    --------
    >>> "four_fifths" in preset_names()
    True
    """
    names = (item.name for item in preset_dir().iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def unknown_preset(name: Any, path: str) -> list[Fault]:
    """Return the fault of a name that no preset has, with the nearest one; none where one has it."""
    known = preset_names()
    if isinstance(name, str) and name in known:
        return []
    hint = nearest(name, known) if isinstance(name, str) else ""
    return [Fault(code="bad_enum", message=f"unknown preset {name!r}; known: {', '.join(known)}.{hint}", path=path)]


@cache
def find_preset(name: str) -> Preset:
    """Return a preset by its name.

    Raises
    ------
    ConfigError
        If there is none of that name, naming the nearest, or its file is broken.

    Examples
    --------
    >>> find_preset("four_fifths").kind.value
    'regulation'
    """
    missing = unknown_preset(name, "preset")
    if missing:
        raise ConfigError(missing)
    return parse_preset(preset_text(name), name)


def preset_text(name: str) -> str:
    """Return the file of a preset."""
    return (preset_dir() / f"{name}.yaml").read_text(encoding="utf-8")


def parse_preset(text: str, name: str) -> Preset:
    """Return what the file of a preset states.

    Raises
    ------
    ConfigError
        With all faults: it is no safe YAML, a fact has no source or no day, something refers to no fact, a
        parameter is none that a test has.
    """
    source = f"{name}.yaml"
    try:
        parsed = parse_yaml(text)
    except ConfigError as error:
        raise ConfigError(error.errors, source=source) from None
    if not isinstance(parsed.content, dict):
        raise ConfigError(Fault(code="bad_type", message="is no preset; wanted a mapping"), source=source)
    try:
        preset = Preset.model_validate(parsed.content)
    except ValidationError as error:
        found = faults(error, Preset.model_fields)
    else:
        found = list(_contradictions(preset, name))
        if not found:
            return preset
    located = [Fault(code=f.code, message=f.message, path=f.path, line=parsed.line(f.path)) for f in found]
    raise ConfigError(located, source=source)


def _contradictions(preset: Preset, name: str) -> Iterator[Fault]:
    """Yield what is wrong with parts that are right each by itself."""
    if preset.name != name:
        yield Fault(code="bad_enum", message=f"must be the name of the file, {name!r}", path="name")
    yield from _repeated("facts", (fact.key for fact in preset.facts))
    yield from _repeated("profile", (item.key for item in preset.profile))
    facts = [fact.key for fact in preset.facts]
    referring = {
        **{f"parameters.{i}": part.fact for i, part in enumerate(preset.parameters)},
        **{f"requirements.{i}": part.fact for i, part in enumerate(preset.requirements)},
        **{f"limits.{i}": part.fact for i, part in enumerate(preset.limits)},
    }
    for place, key in referring.items():
        if key not in facts:
            message = f"refers to no fact, got {key!r}.{nearest(key, facts)}"
            yield Fault(code="bad_enum", message=message, path=f"{place}.fact")
    for position, parameter in enumerate(preset.parameters):
        yield from _unknown_parameter(parameter, f"parameters.{position}")
    keys = [item.key for item in preset.profile]
    for position, requirement in enumerate(preset.requirements):
        wanted = requirement.check is Check.STATED
        if (wanted and requirement.key is None) or (requirement.key is not None and requirement.key not in keys):
            message = f"must be a key of the profile, got {requirement.key!r}"
            yield Fault(code="bad_enum", message=message, path=f"requirements.{position}.key")


def _repeated(place: str, keys: Iterable[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for position, key in enumerate(keys):
        if key in seen:
            yield Fault(code="duplicate_key", message=f"states {key!r} twice", path=f"{place}.{position}.key")
        seen.add(key)


def _unknown_parameter(parameter: PresetParameter, path: str) -> Iterator[Fault]:
    for analysis in parameter.analyses:
        kind = _ANALYSES.get(analysis)
        if kind is None:
            message = f"is no kind of test: {analysis!r}.{nearest(analysis, _ANALYSES)}"
            yield Fault(code="bad_enum", message=message, path=f"{path}.analyses")
        elif parameter.name not in kind.model_fields:
            message = f"{analysis} has no parameter {parameter.name!r}.{nearest(parameter.name, kind.model_fields)}"
            yield Fault(code="unknown_parameter", message=message, path=f"{path}.name")
