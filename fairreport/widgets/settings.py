"""What a reader may change about a disparity test, as one record, and the test that it makes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fairreport.analyses.kinds import Test
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import ReferenceStrategy, Threshold

Bar = tuple[str, str, float]
"""Measurement, operator and value of a threshold on a measurement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The parameters of one test that an explorer changes.

    Attributes
    ----------
    attributes : tuple of str
        1 to 3 columns whose combinations are the groups.
    reference : str or None
        The named reference group; None for the best one.
    threshold : float
        Above 0, at most 1: the impact ratio, or the ratio of metrics, below which a group is below the threshold.
    significance_test, p_value_adjustment : str
        As the test names them.
    alpha : float
        Strictly between 0 and 1.
    require_significance : bool
        Whether only significant differences fail.
    min_group_size : int
        Rows that a group needs to be judged.
    min_group_share : float
        Share of the evaluated rows that it needs, 0 to 1.
    controls : tuple of str
        Up to 2 control columns; of outcome tests only.
    comparison : str or None
        ``"reference"`` or ``"overall"``; of metric tests only.
    max_difference : float, str or None
        Gap above which a worse group fails; None for no such limit; text that is no number as it was typed. Of metric
        tests only.
    thresholds : tuple of (str, str, float)
        Measurement, operator and value of each threshold; empty for the test's own.
    """

    attributes: tuple[str, ...]
    reference: str | None = None
    threshold: float
    significance_test: str
    alpha: float
    p_value_adjustment: str
    require_significance: bool
    min_group_size: int
    min_group_share: float
    controls: tuple[str, ...] = ()
    comparison: str | None = None
    max_difference: float | str | None = None
    thresholds: tuple[Bar, ...] = ()

    @classmethod
    def of(cls, test: Test) -> Settings:
        """Return the settings that a test states."""
        named = test.reference_strategy is ReferenceStrategy.NAMED
        return cls(
            attributes=test.protected_attribute_columns,
            reference=test.reference_value if named else None,
            threshold=threshold_of(test),
            significance_test=test.significance_test.value,
            alpha=test.alpha,
            p_value_adjustment=test.p_value_adjustment.value,
            require_significance=test.require_significance,
            min_group_size=test.min_group_size,
            min_group_share=test.min_group_share,
            controls=(test.control_columns or ()) if isinstance(test, OutcomeDisparity) else (),
            comparison=test.comparison.value if isinstance(test, MetricParity) else None,
            max_difference=test.max_difference if isinstance(test, MetricParity) else None,
            thresholds=bars_of(test.thresholds),
        )


def bars_of(thresholds: Iterable[Threshold]) -> tuple[Bar, ...]:
    """Return thresholds as plain values."""
    return tuple((item.measurement, item.operator.value, item.value) for item in thresholds)


def threshold_of(test: Test) -> float:
    """Return the ratio below which a group of the test is below the threshold."""
    return test.min_ratio if isinstance(test, MetricParity) else test.impact_ratio_threshold


def restate(test: Test, settings: Settings) -> Test:
    """Return the test under other settings; what they do not touch stays as the user stated it.

    Raises
    ------
    ConfigError
        If the settings do not stand together.
    """
    if settings == Settings.of(test):
        return test
    stated: dict[str, Any] = {name: getattr(test, name) for name in type(test).model_fields}
    changed: dict[str, Any] = {
        "protected_attribute_columns": _in_order(test.protected_attribute_columns, settings.attributes),
        "reference_strategy": "highest" if settings.reference is None else "named",
        "reference_value": settings.reference or _unused_reference(test),
        "significance_test": settings.significance_test,
        "alpha": settings.alpha,
        "p_value_adjustment": settings.p_value_adjustment,
        "require_significance": settings.require_significance,
        "min_group_size": settings.min_group_size,
        "min_group_share": settings.min_group_share,
        "thresholds": settings.thresholds,
    }
    if isinstance(test, MetricParity):
        changed |= {
            "min_ratio": settings.threshold,
            "comparison": settings.comparison,
            "max_difference": settings.max_difference,
        }
    else:
        changed["impact_ratio_threshold"] = settings.threshold
    if isinstance(test, OutcomeDisparity):
        changed["control_columns"] = _in_order(test.control_columns or (), settings.controls) or None
    return type(test)(**stated | changed)


def _in_order(stated: tuple[str, ...], chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the chosen columns, in the user's own order where they are the same ones."""
    return stated if set(stated) == set(chosen) else chosen


def _unused_reference(test: Test) -> str | None:
    """Return a reference that the user stated beside the strategy that does not use it."""
    return test.reference_value if test.reference_strategy is ReferenceStrategy.HIGHEST else None
