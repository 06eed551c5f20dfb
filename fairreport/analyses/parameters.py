"""Parameters that the tests share: each checked once, before any data is read.

A model is a test as the user states it. Every field carries one line of meaning (its description) and what
is wanted of it (for the error message); command line help, JSON Schema and the settings table derive from
there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from fairreport.analyses.stated import StatedTest
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.text import canonical


class ReferenceStrategy(StrEnum):
    """How the group that others are compared with is chosen."""

    HIGHEST = "highest"
    NAMED = "named"


class PValueAdjustment(StrEnum):
    """How p-values are adjusted for the number of comparisons."""

    NONE = "none"
    HOLM = "holm"
    BENJAMINI_HOCHBERG = "benjamini_hochberg"


class SignificanceTest(StrEnum):
    """The test of a group against the reference group."""

    NONE = "none"
    Z_TEST = "z_test"
    FISHER_EXACT = "fisher_exact"
    CHI_SQUARE = "chi_square"


class Operator(StrEnum):
    """How a measurement is held against the value of a threshold."""

    IS = "is"
    IS_NOT = "!="
    GREATER = ">"
    AT_LEAST = ">="
    LESS = "<"
    AT_MOST = "<="


def fault(code: str, message: str) -> PydanticCustomError:
    """Return a validation error whose type is one of the documented codes."""
    return PydanticCustomError(code, "{message}", {"message": message})


def _as_list(value: Any) -> Any:
    """Take a scalar where a list of one is meant (files are held to lists before)."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return [value]
    return list(value) if not isinstance(value, Mapping) else value


def _column_list(value: Any) -> tuple[str, ...]:
    names = _as_list(value)
    if isinstance(names, Mapping) or not all(isinstance(name, str) for name in names):
        raise fault("bad_type", "must be a list of column names")
    if len(set(names)) < len(names):
        raise fault("duplicate_columns", "names a column twice")
    return tuple(names)


def _attribute_list(value: Any) -> tuple[str, ...]:
    names = _column_list(value)
    if not 1 <= len(names) <= 3:
        raise fault("bad_column_count", f"takes 1 to 3 columns, got {len(names)}")
    return names


def _control_list(value: Any) -> tuple[str, ...]:
    names = _column_list(value)
    if not 1 <= len(names) <= 2:
        raise fault("bad_column_count", f"takes 1 to 2 columns, got {len(names)}")
    return names


def _value_list(value: Any) -> tuple[str, ...]:
    values = _as_list(value)
    if isinstance(values, Mapping):
        raise fault("bad_type", "must be a list of values")
    texts = tuple(dict.fromkeys(_one_value(item) for item in values))
    if not texts:
        raise fault("empty_values_list", "must not be empty")
    return texts


def _one_value(value: Any) -> str:
    """Fold a value given as text, number or boolean, as the cells of the data are folded."""
    if isinstance(value, (list, tuple, dict, set)):
        raise fault("bad_type", f"must be text, a number or a boolean, got {value!r}")
    text = canonical(value)
    if text is None:
        raise fault("bad_type", f"must be text, a number or a boolean, got {value!r}")
    return text


def _column(value: Any) -> str:
    if not isinstance(value, str):
        raise fault("bad_type", f"must be a column name, got {value!r}")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise fault("bad_type", f"must be true or false, got {value!r}")
    return value


def number(value: Any) -> float | int:
    """Return a finite number; a boolean or text is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        item = getattr(value, "item", None)  # a numpy number
        if item is None or isinstance(value, bool):
            raise fault("bad_type", f"must be a number, got {value!r}")
        return number(item())
    try:
        is_finite = math.isfinite(value)
    except OverflowError:  # a whole number beyond floating point
        raise fault("out_of_range", "must be a number that floating point can hold") from None
    if not is_finite:
        raise fault("out_of_range", f"must be a finite number, got {value!r}")
    return value


def _alpha(value: Any) -> float:
    if not 0 < number(value) < 1:
        raise fault("out_of_range", f"must be strictly between 0 and 1, got {value!r}")
    if 1 - float(value) == 1:
        raise fault("out_of_range", f"must be large enough that a level of 1 - alpha is below 1, got {value!r}")
    return float(value)


def _share(value: Any) -> float:
    if not 0 <= number(value) <= 1:
        raise fault("out_of_range", f"must be from 0 to 1, got {value!r}")
    return float(value)


def _positive_share(value: Any) -> float:
    if not 0 < number(value) <= 1:
        raise fault("out_of_range", f"must be above 0 and at most 1, got {value!r}")
    return float(value)


def _size(value: Any) -> int:
    size = number(value)
    if size < 1 or size != int(size):
        raise fault("out_of_range", f"must be a whole number of at least 1, got {value!r}")
    return int(size)


def choice(kind: type[StrEnum], aliases: Mapping[str, str] | None = None) -> BeforeValidator:
    """Return a validator that takes the values of an enumeration, and says which there are."""

    def check(value: Any) -> StrEnum:
        text = (aliases or {}).get(value, value) if isinstance(value, str) else value
        if text not in [member.value for member in kind]:
            wanted = ", ".join(member.value for member in kind)
            hint = nearest(value, [m.value for m in kind]) if isinstance(value, str) else ""
            raise fault("bad_enum", f"must be one of {wanted}; got {value!r}.{hint}")
        return kind(text)

    return BeforeValidator(check, json_schema_input_type=kind)


Attributes = Annotated[tuple[str, ...], BeforeValidator(_attribute_list, json_schema_input_type=list[str])]
Controls = Annotated[tuple[str, ...], BeforeValidator(_control_list, json_schema_input_type=list[str])]
Values = Annotated[tuple[str, ...], BeforeValidator(_value_list, json_schema_input_type=list[str | int | float | bool])]
Value = Annotated[str, BeforeValidator(_one_value, json_schema_input_type=str | int | float | bool)]
Column = Annotated[str, BeforeValidator(_column, json_schema_input_type=str)]
Flag = Annotated[bool, BeforeValidator(_flag, json_schema_input_type=bool)]
Alpha = Annotated[
    float,
    BeforeValidator(_alpha, json_schema_input_type=float),
    Field(json_schema_extra={"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
]
Share = Annotated[
    float,
    BeforeValidator(_share, json_schema_input_type=float),
    Field(json_schema_extra={"minimum": 0, "maximum": 1}),
]
PositiveShare = Annotated[
    float,
    BeforeValidator(_positive_share, json_schema_input_type=float),
    Field(json_schema_extra={"exclusiveMinimum": 0, "maximum": 1}),
]
Size = Annotated[int, BeforeValidator(_size, json_schema_input_type=int), Field(json_schema_extra={"minimum": 1})]
Number = Annotated[float | int, BeforeValidator(number, json_schema_input_type=float)]
Strategy = Annotated[ReferenceStrategy, choice(ReferenceStrategy, {"best": "highest"})]
Adjustment = Annotated[PValueAdjustment, choice(PValueAdjustment)]
PairwiseTest = Annotated[SignificanceTest, choice(SignificanceTest)]


class Threshold(BaseModel):
    """A measurement, an operator and a value: the test passes where the comparison holds."""

    model_config = ConfigDict(frozen=True, extra="forbid", title="Threshold")

    measurement: Column = Field(description="Name of a measurement of the test.")
    operator: Annotated[Operator, choice(Operator)] = Field(description="How the measurement is compared.")
    value: Number = Field(description="The number it is compared with.")

    @model_validator(mode="before")
    @classmethod
    def _from_sequence(cls, data: Any) -> Any:
        """Take ``("minImpactRatio", ">=", 0.8)`` for the mapping of the same."""
        if isinstance(data, (list, tuple)):
            if len(data) != 3:
                raise fault("bad_type", "must be a measurement, an operator and a value")
            return dict(zip(("measurement", "operator", "value"), data, strict=True))
        return data


class DisparityTest(StatedTest):
    """What the disparity tests have in common; a test states its own columns beside it.

    Raises
    ------
    ConfigError
        If a parameter is wrong; all faults at once.
    """

    known_measurements: ClassVar[tuple[str, ...]]

    thresholds: tuple[Threshold, ...] = Field(default=(), description="All must hold for the test to pass.")

    protected_attribute_columns: Attributes = Field(description="1 to 3 columns whose combinations are the groups.")
    reference_strategy: Strategy = Field(
        default=ReferenceStrategy.HIGHEST,
        description="Compare with the best sufficient group, or with a named one.",
    )
    reference_value: Value | None = Field(default=None, description="The named reference group.")
    alpha: Alpha = Field(default=0.05, description="Significance level; intervals have level 1 - alpha.")
    p_value_adjustment: Adjustment = Field(
        default=PValueAdjustment.NONE, description="Adjustment of the p-values for the number of comparisons."
    )
    require_significance: Flag = Field(
        default=False, description="A group fails only where its difference is significant too."
    )
    min_group_size: Size = Field(default=30, description="Rows that a group needs to be judged.")
    min_group_share: Share = Field(default=0.02, description="Share of the evaluated rows a group needs to be judged.")

    def __init__(self, /, **data: Any) -> None:
        given = {key: value for key, value in data.items() if value is not None}  # null = absent
        if _is_one_threshold(given.get("thresholds")):
            given["thresholds"] = [given["thresholds"]]
        found: list[Fault] = []
        try:
            super().__init__(**given)
        except ValidationError as error:
            found = faults(error, type(self).model_fields)
            rest = _without_faults(given, error)
            try:
                super().__init__(**rest)
            except ValidationError:  # a required parameter is among the wrong ones
                raise ConfigError([*found, *self._unknown_measurements(rest.get("thresholds", ()))]) from None
        found += self.clashes()
        if found:
            raise ConfigError(found)

    def clashes(self) -> Iterator[Fault]:
        """Yield what is wrong with parameters that are right each by itself."""
        if self.reference_strategy is ReferenceStrategy.NAMED:
            if self.reference_value is None:
                message = "reference_strategy named needs a reference_value"
                yield Fault(code="named_needs_reference_value", message=message, path="reference_value")
            if len(self.protected_attribute_columns) != 1:
                message = "named needs exactly one protected attribute column"
                yield Fault(code="named_needs_single_attribute", message=message, path="protected_attribute_columns")
        yield from self._unknown_measurements(self.thresholds)

    @classmethod
    def _unknown_measurements(cls, thresholds: Iterable[Any]) -> Iterator[Fault]:
        for position, threshold in enumerate(thresholds):
            name = Threshold.model_validate(threshold).measurement
            if name not in cls.known_measurements:
                yield Fault(
                    code="unknown_measurement",
                    message=f"unknown measurement {name!r}.{nearest(name, cls.known_measurements)}",
                    path=f"thresholds.{position}.measurement",
                )

    @property
    def title(self) -> str:
        """The name of the test, or one made from its columns."""
        return self.name or f"{self.measured} by {' and '.join(self.protected_attribute_columns)}"

    @property
    def measured(self) -> str:
        """The column that is measured."""
        raise NotImplementedError


def needs_test() -> Fault:
    """Return the fault of requiring significance where nothing is tested."""
    message = "require_significance needs a significance_test"
    return Fault(code="require_significance_needs_test", message=message, path="require_significance")


def _is_one_threshold(stated: Any) -> bool:
    """Tell whether one threshold is stated where several may be."""
    is_triple = isinstance(stated, (tuple, list)) and len(stated) == 3 and isinstance(stated[0], str)
    return is_triple or isinstance(stated, (Threshold, Mapping))


_CODES = {
    "missing": "missing_parameter",
    "extra_forbidden": "unknown_parameter",
    "model_type": "bad_type",
    "string_type": "bad_type",
    "tuple_type": "bad_type",
}
_WANTED = {
    "model_type": "must be a measurement, an operator and a value",
    "string_type": "must be text",
    "tuple_type": "must be a list, each a measurement, an operator and a value",
}


def _without_faults(given: Mapping[str, Any], error: ValidationError) -> dict[str, Any]:
    """Return the parameters less those that are wrong; of a list of thresholds only the wrong ones go."""
    places = [entry["loc"] for entry in error.errors()]
    items = {place[1] for place in places if place[0] == "thresholds" and len(place) > 1}
    wrong = {place[0] for place in places if place[0] != "thresholds" or len(place) == 1}
    rest = {name: value for name, value in given.items() if name not in wrong}
    if items and "thresholds" in rest:
        rest["thresholds"] = [item for i, item in enumerate(given["thresholds"]) if i not in items]
    return rest


def faults(error: ValidationError, known: Iterable[str]) -> list[Fault]:
    """Return the faults of a validation error, each in one line with the documented code."""
    names = list(known)
    found = []
    for entry in error.errors():
        path = ".".join(str(part) for part in entry["loc"])
        code = _CODES.get(entry["type"], entry["type"])
        if code == "missing_parameter":
            message = "is required"
        elif code == "unknown_parameter":
            message = f"is no known parameter.{nearest(path.rpartition('.')[2], names)}"
        elif entry["type"] in _CODES:
            message = f"{_WANTED[entry['type']]}, got {entry['input']!r}"
        else:
            message = str(entry.get("ctx", {}).get("message", entry["msg"]))
        found.append(Fault(code=code, message=message, path=path))
    meant = {
        name
        for item in found
        if item.code == "unknown_parameter"
        for name in get_close_matches(item.path.rpartition(".")[2], names, n=1)
    }
    return [item for item in found if not (item.code == "missing_parameter" and item.path in meant)]
