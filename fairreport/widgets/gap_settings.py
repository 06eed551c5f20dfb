"""What a reader may change about a test of rate gaps, and the test that it makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairreport.analyses.gap_parameters import GapRule, RateGaps


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSettings:
    """The parameters of one rule that an explorer changes.

    Attributes
    ----------
    rate : str
        The rate that is compared.
    attribute : tuple of str
        An attribute, or a crossing of attributes.
    is_gap : bool
        Whether the bar is the largest gap; else it is one for the worst group.
    bar, max_left_out : float
        From 0 to 1.
    needs_review : bool
        Whether a person must look even where the figures pass.
    """

    rate: str
    attribute: tuple[str, ...]
    is_gap: bool
    bar: float
    max_left_out: float
    needs_review: bool

    @classmethod
    def of(cls, rule: GapRule) -> RuleSettings:
        """Return the settings that a rule states."""
        return cls(
            rate=rule.rate.value,
            attribute=rule.attribute,
            is_gap=rule.max_group_gap is not None,
            bar=rule.bar,
            max_left_out=rule.max_left_out,
            needs_review=rule.manual_review is not False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GapSettings:
    """The parameters of a test of rate gaps that an explorer changes.

    Attributes
    ----------
    rules : tuple of RuleSettings
        In the order of the test.
    confidence_level : float
        Strictly between 0.5 and 1.
    interval : str
        ``"simultaneous"`` or ``"pairwise"``.
    min_cell, looks, calibration_bins : int
        As the test names them; bins are counted by a scan of the table.
    joint : bool
        Whether the rules share one error budget.
    """

    rules: tuple[RuleSettings, ...]
    confidence_level: float
    interval: str
    min_cell: int
    looks: int
    joint: bool
    calibration_bins: int

    @classmethod
    def of(cls, test: RateGaps) -> GapSettings:
        """Return the settings that a test states."""
        return cls(
            rules=tuple(map(RuleSettings.of, test.rules)),
            confidence_level=test.confidence_level,
            interval=test.interval.value,
            min_cell=test.min_cell,
            looks=test.looks,
            joint=test.joint,
            calibration_bins=test.calibration_bins,
        )


def restate_gaps(test: RateGaps, settings: GapSettings) -> RateGaps:
    """Return the test under other settings; a crossing that a rule comes to ask for is declared with it.

    Raises
    ------
    ConfigError
        If the settings do not stand together.
    """
    if settings == GapSettings.of(test):
        return test
    stated: dict[str, Any] = {name: getattr(test, name) for name in type(test).model_fields}
    crossings = {frozenset(names): names for names in test.intersections}
    for rule in settings.rules:
        if len(rule.attribute) > 1:
            crossings.setdefault(frozenset(rule.attribute), rule.attribute)
    changed = {
        "rules": [_rule(rule, asked) for rule, asked in zip(test.rules, settings.rules, strict=True)],
        "intersections": tuple(crossings.values()),
        "confidence_level": settings.confidence_level,
        "interval": settings.interval,
        "min_cell": settings.min_cell,
        "looks": settings.looks,
        "joint": settings.joint,
        "calibration_bins": settings.calibration_bins,
    }
    return type(test)(**stated | changed)


def _rule(rule: GapRule, asked: RuleSettings) -> GapRule | dict[str, Any]:
    stated = RuleSettings.of(rule)
    if asked == stated:
        return rule
    same = set(asked.attribute) == set(rule.attribute)
    return {
        "id": rule.id,
        "rate": asked.rate,
        "attribute": rule.attribute if same else asked.attribute,
        "max_group_gap": asked.bar if asked.is_gap else None,
        "worst_group": None if asked.is_gap else asked.bar,
        "max_left_out": asked.max_left_out,
        "manual_review": rule.manual_review if asked.needs_review is stated.needs_review else asked.needs_review,
    }
