"""What a reader may change about a test of named pairs, and the test that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fairreport.analyses.pair_parameters import PairTest
from fairreport.widgets.settings import Bar, bars_of

BARS = (
    "air_threshold",
    "relative_rate_threshold",
    "odds_ratio_threshold",
    "smd_threshold",
    "ratio_threshold",
)
"""The parameter that the figure of each test is held against; every test has one of them."""

_EXPLORED = (
    *BARS,
    "percent_difference_threshold",
    "difference_threshold",
    "lower_is_favorable",
    "alpha",
    "confidence_level",
    "p_value_adjustment",
    "adjust_over_quantiles",
    "max_for_fishers",
    "shortfall_method",
    "sd",
    "welch",
)

Setting = float | int | bool | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSettings:
    """The parameters of a test of named pairs that an explorer changes.

    Attributes
    ----------
    values : mapping of str to value
        Parameters by name, those that the test has; choices as text.
    references : mapping of str to str
        The reference of each column of groups, or of each protected group where these are columns themselves.
    thresholds : tuple of (str, str, float)
        Measurement, operator and value of each threshold; empty for the test's own.
    """

    values: Mapping[str, Setting]
    references: Mapping[str, str]
    thresholds: tuple[Bar, ...] = ()

    @classmethod
    def of(cls, test: PairTest) -> PairSettings:
        """Return the settings that a test states."""
        return cls(
            values={name: _plain(getattr(test, name)) for name in explored(test)},
            references=references_of(test),
            thresholds=bars_of(test.thresholds),
        )


def explored(test: PairTest) -> tuple[str, ...]:
    """Return the parameters of a test that an explorer changes, in the order of its controls."""
    return tuple(name for name in _EXPLORED if name in type(test).model_fields)


def bar_of(test: PairTest) -> str:
    """Return the parameter that the figure of a test is held against."""
    return next(name for name in BARS if name in type(test).model_fields)


def references_of(test: PairTest) -> dict[str, str]:
    """Return the reference of each column of groups, or of each protected group."""
    if test.reference_values is not None:
        return dict(test.reference_values)
    return dict(zip(test.protected_groups or (), test.reference_groups or (), strict=True))


def restate_pairs(test: PairTest, settings: PairSettings) -> PairTest:
    """Return the test under other settings.

    Raises
    ------
    ConfigError
        If the settings do not stand together.
    """
    if settings == PairSettings.of(test):
        return test
    stated: dict[str, Any] = {name: getattr(test, name) for name in type(test).model_fields}
    changed: dict[str, Any] = {**settings.values, "thresholds": settings.thresholds}
    if test.reference_values is not None:
        changed["reference_values"] = {name: settings.references[name] for name in test.reference_values}
    else:
        changed["reference_groups"] = tuple(settings.references[name] for name in test.protected_groups or ())
    return type(test)(**stated | changed)


def _plain(value: Any) -> Setting:
    plain: Setting = value.value if isinstance(value, StrEnum) else value
    return plain
