"""What the tests of named pairs of groups have in common, as a user states it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, ValidationError

from fairreport.analyses.parameters import (
    Adjustment,
    Alpha,
    Column,
    PositiveShare,
    PValueAdjustment,
    Share,
    Threshold,
    choice,
    fault,
    faults,
    number,
)
from fairreport.analyses.stated import StatedTest
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.pair_needs import WeightKind
from fairreport.tables.text import NestedValueError, canonical

PAIR_MEASUREMENTS = ("minImpactRatio", "maxRateDifference", "practicallySignificantCount", "undefinedGroupCount")

_LISTS = ("protected_groups", "reference_groups", "group_categories")


class StatedWeights(StrEnum):
    """What a weight says."""

    SAMPLING = "sampling"
    FREQUENCY = "frequency"


class ShortfallMethod(StrEnum):
    """What the shortfall of a group is counted up to."""

    TO_REFERENCE_MEAN = "to_reference_mean"
    TO_COMBINED_MEAN = "to_combined_mean"


def _listed(value: Any, what: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (Mapping, bytes)) or not hasattr(value, "__iter__"):
        raise fault("bad_type", f"must be a list of {what}, got {value!r}")
    items = tuple(value)
    if not all(isinstance(item, str) for item in items):
        raise fault("bad_type", f"must be a list of {what}, got {list(items)!r}")
    return items


def _group_list(value: Any) -> tuple[str, ...]:
    names = _listed(value, "column names")
    if not names:
        raise fault("empty_values_list", "must not be empty")
    return names


def _protected_list(value: Any) -> tuple[str, ...]:
    names = _group_list(value)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise fault("duplicate_columns", f"names {twice!r} twice")
    return names


def _reference_values(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise fault("bad_type", f"must map each column to its reference value, got {value!r}")
    if not value:
        raise fault("empty_values_list", "must not be empty")
    found = {}
    for name, reference in value.items():
        try:
            text = canonical(reference)
        except NestedValueError:
            text = None
        if not isinstance(name, str) or text is None:
            raise fault("bad_type", f"must map column names to plain values, got {name!r}: {reference!r}")
        found[name] = text
    return found


def _fisher_limit(value: Any) -> float:
    if number(value) < 0:
        raise fault("out_of_range", f"must be 0 or more, got {value!r}")
    return float(value)


GroupList = Annotated[tuple[str, ...], BeforeValidator(_group_list, json_schema_input_type=list[str])]
ProtectedList = Annotated[tuple[str, ...], BeforeValidator(_protected_list, json_schema_input_type=list[str])]
ReferenceValues = Annotated[dict[str, str], BeforeValidator(_reference_values, json_schema_input_type=dict[str, str])]
FisherLimit = Annotated[
    float, BeforeValidator(_fisher_limit, json_schema_input_type=float), Field(json_schema_extra={"minimum": 0})
]


class PairTest(StatedTest):
    """What the tests of named pairs have in common; each states its own outcome and thresholds beside it.

    Raises
    ------
    ConfigError
        If a parameter is wrong; all faults at once.
    """

    known_measurements: ClassVar[tuple[str, ...]] = PAIR_MEASUREMENTS
    null_says_something: ClassVar[frozenset[str]] = frozenset()

    thresholds: tuple[Threshold, ...] = Field(default=(), description="All must hold for the test to pass.")

    protected_groups: ProtectedList | None = Field(
        default=None, description="Columns of membership (0, 1 or a proportion) of the protected groups."
    )
    reference_groups: GroupList | None = Field(
        default=None, description="For each protected group, the column of its reference group."
    )
    group_categories: GroupList | None = Field(default=None, description="For each protected group, its category.")
    reference_values: ReferenceValues | None = Field(
        default=None,
        description="In the place of these lists: columns that hold the group as a value, each with its reference.",
    )
    sample_weight: Column | None = Field(default=None, description="Column of weights, 0 or more.")
    weight_kind: Annotated[StatedWeights, choice(StatedWeights)] = Field(
        default=StatedWeights.SAMPLING, description="Whether a weight is of a sample, or says how often a row stands."
    )
    alpha: Alpha = Field(default=0.05, description="Significance level.")
    confidence_level: Alpha = Field(default=0.95, description="Level of the confidence intervals.")
    p_value_adjustment: Adjustment = Field(
        default=PValueAdjustment.NONE, description="Adjustment of the p-values for the number of comparisons."
    )

    def __init__(self, /, **data: Any) -> None:
        stays = type(self).null_says_something
        given = {key: value for key, value in data.items() if value is not None or key in stays}  # null = absent
        stated = given.get("thresholds")
        if isinstance(stated, (Threshold, Mapping)) or _is_triple(stated):
            given["thresholds"] = [stated]
        found: list[Fault] = []
        try:
            super().__init__(**given)
        except ValidationError as error:
            found = faults(error, type(self).model_fields)
        found += _list_faults(given)
        if not found:
            found += self.clashes()
        if found:
            raise ConfigError(found)

    def clashes(self) -> Iterator[Fault]:
        """Yield what is wrong with parameters that are right each by itself."""
        for position, threshold in enumerate(self.thresholds):
            name = threshold.measurement
            if name not in self.known_measurements:
                yield Fault(
                    code="unknown_measurement",
                    message=f"unknown measurement {name!r}.{nearest(name, self.known_measurements)}",
                    path=f"thresholds.{position}.measurement",
                )

    @property
    def measured(self) -> str:
        """What is measured, in a word or a column."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """The name of the test, or one made from its columns."""
        categories = self.group_categories or tuple(self.reference_values or ())
        what = self.analysis.replace("_", " ")
        return self.name or f"{what} of {self.measured} by {' and '.join(dict.fromkeys(categories))}"

    @property
    def memberships(self) -> tuple[str, ...]:
        """The columns that say who belongs where, each once."""
        stated = (self.protected_groups, self.reference_groups, self.reference_values)
        return tuple(dict.fromkeys(name for names in stated for name in names or ()))

    @property
    def weights(self) -> WeightKind:
        """How rows are weighed; a kind of weight without weights says nothing."""
        return WeightKind.NONE if self.sample_weight is None else WeightKind(self.weight_kind.value)


def _is_triple(stated: Any) -> bool:
    return isinstance(stated, (tuple, list)) and len(stated) == 3 and isinstance(stated[0], str)


def _list_faults(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the lists of groups taken together."""
    lists = {name: _sequence(given.get(name)) for name in _LISTS}
    if "reference_values" in given:
        both = [name for name in _LISTS if name in given]
        if both:
            message = "stands in the place of the lists of groups; give the one or the other"
            yield Fault(code="duplicate_columns", message=message, path="reference_values")
        return
    for name in _LISTS:
        if name not in given:
            yield Fault(code="missing_parameter", message="is required", path=name)
    sizes = {name: len(items) for name, items in lists.items() if items}
    if len(sizes) == len(_LISTS) and len(set(sizes.values())) > 1:
        shown = ", ".join(f"{name} {size}" for name, size in sizes.items())
        yield Fault(code="unequal_list_lengths", message=f"the lists have different lengths: {shown}")
    protected, references = lists["protected_groups"], lists["reference_groups"]
    both = [name for name in protected if isinstance(name, str) and name in references]
    if both:
        message = f"column {both[0]!r} is named as protected and as reference"
        yield Fault(code="protected_and_reference", message=message, path="reference_groups")


def _sequence(value: Any) -> Sequence[Any]:
    if value is None or isinstance(value, Mapping) or not hasattr(value, "__iter__"):
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


class RateTest(PairTest):
    """A test of named pairs that compares rates of an outcome of 0 and 1."""

    outcome: Column = Field(description="Column of the outcome: 0 or 1, 1 favorable.")
    percent_difference_threshold: Share = Field(
        description="Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points)."
    )
    max_for_fishers: FisherLimit = Field(
        default=100.0, description="Smallest observed or expected cell up to which Fisher's exact test is made."
    )

    @property
    def measured(self) -> str:
        """The column that is measured."""
        return self.outcome


class ImpactRatioTest(RateTest):
    """A test whose ratio of favorable rates is held against a threshold."""

    null_says_something: ClassVar[frozenset[str]] = frozenset({"shortfall_method"})

    air_threshold: PositiveShare = Field(description="Adverse impact ratio below which a group is below the threshold.")
    shortfall_method: Annotated[ShortfallMethod, choice(ShortfallMethod)] | None = Field(
        default=ShortfallMethod.TO_REFERENCE_MEAN,
        description="Up to which rate favorable outcomes that lack are counted; null leaves them out.",
    )
    label: Column | None = Field(default=None, description="Column of labels, 0 or 1, shown as total and average.")
