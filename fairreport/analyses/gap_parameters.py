"""Rate gaps as a user states them: groups declared beforehand, and rules with a bar each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from math import prod
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from fairreport.analyses.parameters import Column, Flag, Share, Size, choice, fault, faults, number
from fairreport.analyses.stated import StatedTest
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.text import NestedValueError, canonical

_Read = TypeVar("_Read")

SEPARATOR = "|"
"""Joins the levels of a crossing in the label of a group."""

_SWITCHES = {"no": False, "off": False, "false": False, "yes": True, "on": True, "true": True}

MOST_BINS = 10_000
"""Bins that calibration may have."""

MOST_GROUPS = 1000
"""Groups that a crossing may have: every pair of them is bounded."""


class Rate(StrEnum):
    """The error rate that a rule is about."""

    ERROR = "error"
    FALSE_POSITIVE = "false_positive"
    FALSE_NEGATIVE = "false_negative"
    SELECTION = "selection"


class GapInterval(StrEnum):
    """How the bounds of a gap are made."""

    SIMULTANEOUS = "simultaneous"
    PAIRWISE = "pairwise"


def _names(value: Any) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(name, str) for name in listed) or not listed:
        raise fault("bad_type", f"must be an attribute or a list of attributes, got {value!r}")
    if len(set(listed)) < len(listed):
        raise fault("duplicate_columns", f"names an attribute twice: {list(listed)!r}")
    return tuple(listed)


def _groups(value: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, Mapping) or not value:
        raise fault("bad_type", f"must map each attribute to its groups, got {value!r}")
    found = {}
    for name, levels in value.items():
        if isinstance(levels, (str, bytes)) or not isinstance(levels, Sequence):
            raise fault("bad_type", f"the groups of {name!r} must be a list, got {levels!r}")
        texts = [_level(name, level) for level in levels]
        if None in texts:
            raise fault("bad_type", f"the groups of {name!r} hold an empty value")
        declared = tuple(text for text in texts if text is not None)
        if len(set(declared)) < len(declared):
            twice = next(text for text in declared if declared.count(text) > 1)
            raise fault("duplicate_value", f"the groups of {name!r} declare {twice!r} twice")
        if len(declared) < 2:
            raise fault("too_few_groups", f"the groups of {name!r} must be two or more, got {list(declared)!r}")
        if len(declared) > MOST_GROUPS:
            found_many = f"the groups of {name!r} are {len(declared):,}; at most {MOST_GROUPS:,} can be compared"
            raise fault("too_many_groups", found_many)
        found[str(name)] = declared
    return found


def _level(name: Any, level: Any) -> str | None:
    try:
        return canonical(level)
    except NestedValueError:
        raise fault("bad_type", f"the groups of {name!r} must be plain values, got {level!r}") from None


def _crossings(value: Any) -> tuple[tuple[str, ...], ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise fault("bad_type", f"must be a list of lists of attributes, got {value!r}")
    crossings = tuple(_names(item) for item in value)
    for crossing in crossings:
        if len(crossing) < 2:
            raise fault("bad_column_count", f"a crossing has two attributes or more, got {list(crossing)!r}")
    return crossings


def _confidence(value: Any) -> float:
    if not 0.5 < number(value) < 1:
        raise fault("out_of_range", f"must be strictly between 0.5 and 1, got {value!r}")
    return float(value)


def _bins(value: Any) -> int:
    bins = number(value)
    if not 1 <= bins <= MOST_BINS or bins != int(bins):
        raise fault("out_of_range", f"must be a whole number from 1 to {MOST_BINS:,}, got {value!r}")
    return int(bins)


def _review(value: Any) -> bool | str:
    if isinstance(value, str) and value.strip().lower() in _SWITCHES:  # as YAML 1.1 reads no, yes, off and on
        return _SWITCHES[value.strip().lower()]
    if not isinstance(value, (bool, str)) or (isinstance(value, str) and not value.strip()):
        raise fault("bad_type", f"must be true, false or a reason, got {value!r}")
    return value


def _name(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not str(value).strip():
        raise fault("bad_type", f"must be a name, got {value!r}")
    return str(value)


def _bars(*bars: Any) -> str:
    stated = sum(bar is not None for bar in bars)
    if stated == 1:
        return ""
    return f"needs exactly one of max_group_gap and worst_group, got {'both' if stated else 'none'}"


class GapRule(BaseModel):
    """One rule: a rate, an attribute or a declared crossing, and exactly one of two bars."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[str, BeforeValidator(_name, json_schema_input_type=str)] = Field(description="Name of the rule.")
    rate: Annotated[Rate, choice(Rate)] = Field(description="The rate that is compared.")
    attribute: Annotated[tuple[str, ...], BeforeValidator(_names, json_schema_input_type=str | list[str])] = Field(
        description="An attribute, or a declared crossing."
    )
    max_group_gap: Share | None = Field(default=None, description="Largest gap between any two groups.")
    worst_group: Share | None = Field(
        default=None, description="Floor of a selection rate, ceiling of an error rate, for every group."
    )
    max_left_out: Share = Field(default=0.1, description="Share of left-out cases above which nothing is concluded.")
    manual_review: Annotated[bool | str, BeforeValidator(_review)] = Field(
        default=False, description="Whether a person must look even where the figures pass, and why."
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            return {key: value for key, value in data.items() if value is not None}
        if not isinstance(data, cls):
            raise fault("bad_type", f"must be a mapping with id, rate, attribute and a bar, got {data!r}")
        return data

    @model_validator(mode="after")
    def _one_bar(self) -> Self:
        message = _bars(self.max_group_gap, self.worst_group)
        if message:
            raise fault("one_bar", message)
        return self

    @property
    def bar(self) -> float:
        """The bar that was stated."""
        return self.max_group_gap if self.max_group_gap is not None else float(self.worst_group or 0.0)


class RateGaps(StatedTest):
    """Ask how far apart the groups are on an error rate, with an answer that noise cannot flip cheaply.

    Raises
    ------
    ConfigError
        If a parameter is wrong; all faults at once.

    Examples
    --------
    >>> rule = {"id": "fnr", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05}
    >>> RateGaps(label="y", prediction="p", attributes={"sex": ["f", "m"]}, rules=[rule]).budget
    0.050000000000000044
    """

    analysis: ClassVar[str] = "rate_gaps"
    subtype: ClassVar[str] = "rateGaps"

    label: Column = Field(description="Column of what really happened: 0 or 1.")
    prediction: Column = Field(description="Column of the decision: 0 or 1, empty where there was none.")
    probability: Column | None = Field(default=None, description="Column of probabilities from 0 to 1.")
    unit: Column | None = Field(default=None, description="Column that identifies the person.")
    attributes: Annotated[dict[str, tuple[str, ...]], BeforeValidator(_groups)] = Field(
        description="Declared groups of each attribute."
    )
    intersections: Annotated[tuple[tuple[str, ...], ...], BeforeValidator(_crossings)] = Field(
        default=(), description="Declared crossings of attributes."
    )
    min_cell: Size = Field(default=30, description="Cases with a prediction that a rate must rest on.")
    calibration_bins: Annotated[
        int,
        BeforeValidator(_bins, json_schema_input_type=int),
        Field(json_schema_extra={"minimum": 1, "maximum": MOST_BINS}),
    ] = Field(default=10, description="Bins of equal width for the calibration error.")
    rules: tuple[GapRule, ...] = Field(description="The rules.")
    confidence_level: Annotated[float, BeforeValidator(_confidence, json_schema_input_type=float)] = Field(
        default=0.95, description="Confidence that all intervals of a rule hold at once."
    )
    interval: Annotated[GapInterval, choice(GapInterval)] = Field(
        default=GapInterval.SIMULTANEOUS, description="Bounds of gaps from group intervals, or pair by pair."
    )
    looks: Size = Field(default=1, description="How often the data is looked at; the error budget is divided by it.")
    joint: Flag = Field(default=False, description="Divide the error budget by the number of rules as well.")

    def __init__(self, /, **data: Any) -> None:
        given = {key: value for key, value in data.items() if value is not None}
        found: list[Fault] = []
        try:
            super().__init__(**given)
        except ValidationError as error:
            found = faults(error, [*type(self).model_fields, *GapRule.model_fields])
        known = {(item.code, item.path) for item in found}
        found += [item for item in _clashes(given) if (item.code, item.path) not in known]
        found += [] if found else self._exhausted()
        if found:
            raise ConfigError(found)

    def _exhausted(self) -> Iterator[Fault]:
        """Yield a fault where the error budget of a group is too small for floating point."""
        groups = max(prod(len(self.attributes[name]) for name in rule.attribute) for rule in self.rules)
        if 1 - self.budget / groups**2 == 1:
            message = "leaves no error budget for each group and pair; state a lower level, or fewer looks"
            yield Fault(code="out_of_range", message=message, path="confidence_level")

    @property
    def budget(self) -> float:
        """The error budget of one rule at one look."""
        return (1 - self.confidence_level) / (self.looks * (len(self.rules) if self.joint else 1))

    @property
    def title(self) -> str:
        """The name of the test, or one made from its columns."""
        return self.name or f"rate gaps of {self.prediction} by {' and '.join(self.attributes)}"


def _clashes(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what does not go together, as far as the parameters can be read; wrong ones have faults of their own."""
    stated_groups = given.get("attributes")
    attributes = [str(name) for name in stated_groups] if isinstance(stated_groups, Mapping) else None
    crossings = [(i, _read(_names, item) or ()) for i, item in _each(given.get("intersections"))]
    for i, names in crossings:
        place = f"intersections.{i}"
        yield from _unknown(place, names, attributes)
        yield from _of_crossing(place, names, _read(_groups, stated_groups) or {})
    if given.get("probability") is not None:
        yield from _shared_labels(_read(_groups, stated_groups) or {}, [names for _, names in crossings])
    declared = [frozenset(names) for _, names in crossings]
    seen: set[str] = set()
    rules = given.get("rules")
    if isinstance(rules, Sequence) and not rules:
        yield Fault(code="missing_parameter", message="must hold at least one rule", path="rules")
    for i, rule in _each(rules):
        stated = rule.model_dump() if isinstance(rule, GapRule) else rule
        if not isinstance(stated, Mapping):
            continue
        names = _read(_names, stated.get("attribute")) or ()
        yield from _unknown(f"rules.{i}.attribute", names, attributes)
        if len(names) > 1 and frozenset(names) not in declared:
            message = f"the crossing {list(names)!r} is not among the declared intersections"
            yield Fault(code="undeclared_crossing", message=message, path=f"rules.{i}.attribute")
        message = _bars(stated.get("max_group_gap"), stated.get("worst_group"))
        if message:
            yield Fault(code="one_bar", message=message, path=f"rules.{i}")
        name = _read(_name, stated.get("id"))
        if name in seen:
            yield Fault(code="duplicate_name", message=f"two rules are named {name!r}", path=f"rules.{i}.id")
        seen |= {name} if name is not None else set()


def _of_crossing(place: str, names: Sequence[str], attributes: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    if not attributes.keys() >= set(names):
        return
    groups = prod(len(attributes[name]) for name in names)
    if groups > MOST_GROUPS:
        message = f"the crossing {list(names)!r} has {groups:,} groups; at most {MOST_GROUPS:,} can be compared"
        yield Fault(code="too_many_groups", message=message, path=place)
        return
    labels = [SEPARATOR.join(levels) for levels in product(*(attributes[name] for name in names))]
    twice = next((label for label in labels if labels.count(label) > 1), None) if len(set(labels)) < groups else None
    if twice is not None:
        message = f"two groups of the crossing {list(names)!r} would both be named {twice!r}; rename a group"
        yield Fault(code="duplicate_value", message=message, path=place)


def _shared_labels(groups: Mapping[str, tuple[str, ...]], crossings: Sequence[Sequence[str]]) -> Iterator[Fault]:
    """Yield a fault where two groups, or a group and a crossing, would bear one label in the calibration."""
    labels = [f"{name}={level}" for name, levels in groups.items() for level in levels]
    for names in crossings:
        if set(names) <= groups.keys() and prod(len(groups[name]) for name in names) <= MOST_GROUPS:
            labels += [
                ",".join(f"{name}={level}" for name, level in zip(names, levels, strict=True))
                for levels in product(*(groups[name] for name in names))
            ]
    twice = sorted(label for label, times in Counter(labels).items() if times > 1)
    if twice:
        message = f"two groups would both be named {twice[0]!r}; rename a group"
        yield Fault(code="duplicate_value", message=message, path="attributes")


def _unknown(place: str, names: Sequence[str], attributes: Sequence[str] | None) -> Iterator[Fault]:
    for name in names:
        if attributes is not None and name not in attributes:
            message = f"{name!r} is no declared attribute.{nearest(name, attributes)}"
            yield Fault(code="undeclared_attribute", message=message, path=place)


def _read(reader: Callable[[Any], _Read], value: Any) -> _Read | None:
    """Return what a reader makes of a value; None where the value has a fault of its own."""
    try:
        return reader(value)
    except (PydanticCustomError, NestedValueError):
        return None


def _each(value: Any) -> Iterator[tuple[int, Any]]:
    return enumerate(value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else ())
