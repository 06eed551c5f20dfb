"""How far a disparity test hangs on its threshold and on its reference: judged again with others, from its tally."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairreport.analyses.grouping import Label
from fairreport.analyses.kinds import Test, judge
from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.parameters import Threshold
from fairreport.analyses.result import Finding, Number, Skip
from fairreport.tables.needs import Measure
from fairreport.tables.tally import MetricTally, Scan

RATIO_BARS = (0.70, 0.75, 0.80, 0.85, 0.90)
"""Ratios below which a group is below, as they are tried."""
LIMIT_FACTORS = (0.5, 1.0, 2.0)
"""What the largest gap that a test allows is multiplied by."""
MOST_REFERENCES = 20
"""So many groups at most are tried as the reference, those with the most rows."""
_FEWEST_REFERENCES = 5
_ROWS_JUDGED = 8_000
"""Groups times references that are judged for one test."""

RATIO_MEASUREMENTS = frozenset({"minImpactRatio", "minScoringRateImpactRatio", "minMetricRatio"})
"""Measurements that are the smallest ratio of a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What a test finds with one thing changed.

    Attributes
    ----------
    skip : Skip or None
        Why nothing can be computed.
    thresholds : tuple of Threshold
        What its status hangs on; empty where that is the test's own.
    measurements : mapping of str to number or None
        By their documented names; empty where nothing can be computed.
    tiny : tuple of str
        Measurements that are null only because they are below 1e-300.
    failing : tuple of tuple of str
        Labels of the failing groups, worst first.
    reference : tuple of str or None
        Label of the reference; None where there is none.
    smallest : float or None
        The smallest ratio of a judged group.
    """

    skip: Skip | None
    thresholds: tuple[Threshold, ...]
    measurements: Mapping[str, Number | None]
    tiny: tuple[str, ...]
    failing: tuple[Label, ...]
    reference: Label | None
    smallest: float | None

    @classmethod
    def of(cls, test: Test, found: Finding) -> Variant:
        """Return the variant that a finding is."""
        ratios = [row.ratio for row in found.judged if row.ratio is not None]
        return cls(
            skip=found.skip,
            thresholds=test.thresholds,
            measurements=found.measurements,
            tiny=found.tiny,
            failing=tuple(row.group for row in found.groups if row.failing),
            reference=found.reference,
            smallest=min(ratios, default=None),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BarVariant:
    """A test with its bar moved: the ratio below which a group fails, or the gap above which it does."""

    bar: float
    is_stated: bool
    found: Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceVariant:
    """A test with another group for the reference; `n` are its rows."""

    reference: Label
    n: int
    is_stated: bool
    found: Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """A test with each possible reference, those with the most rows first; `further` ones were not tried."""

    tried: tuple[ReferenceVariant, ...]
    further: int


def ratio_bar(test: Test) -> float:
    """Return the ratio below which a group of the test fails."""
    return test.min_ratio if isinstance(test, MetricParity) else test.impact_ratio_threshold


def bars_around(stated: float, bars: Iterable[float] = RATIO_BARS) -> tuple[float, ...]:
    """Return the bars that are tried, the stated one among them, in order.

    Examples
    --------
    >>> bars_around(0.8), bars_around(2 / 3)
    ((0.7, 0.75, 0.8, 0.85, 0.9), (0.6666666666666666, 0.7, 0.75, 0.8, 0.85, 0.9))
    """
    return tuple(sorted({stated, *bars}))


def under_ratios(test: Test, scan: Scan) -> tuple[BarVariant, ...]:
    """Return what a test finds with other ratios for its threshold.

    A threshold of the test on its smallest ratio that has the same value moves along: it is the same bar, said twice.

    Parameters
    ----------
    test : OutcomeDisparity, ScoreDisparity or MetricParity
        The test as stated.
    scan : Scan
        Its tally.
    """
    name = "min_ratio" if isinstance(test, MetricParity) else "impact_ratio_threshold"
    stated = ratio_bar(test)
    return tuple(
        BarVariant(
            bar=bar,
            is_stated=bar == stated,
            found=_judged(_with(test, {name: bar, "thresholds": moved(test.thresholds, stated, bar)}), scan),
        )
        for bar in bars_around(stated)
    )


def moved(thresholds: Sequence[Threshold], stated: float, bar: float) -> tuple[Threshold, ...]:
    """Return thresholds of which those on the smallest ratio that have the stated value have another."""
    return tuple(
        item.model_copy(update={"value": bar})
        if item.measurement in RATIO_MEASUREMENTS and item.value == stated
        else item
        for item in thresholds
    )


def under_limits(test: Test, scan: Scan) -> tuple[BarVariant, ...]:
    """Return what a test finds with half and twice the gap that it allows; nothing where it allows any gap."""
    if not isinstance(test, MetricParity) or not test.max_difference:
        return ()
    stated = test.max_difference
    return tuple(
        BarVariant(
            bar=stated * factor,
            is_stated=factor == 1.0,
            found=_judged(_with(test, {"max_difference": stated * factor}), scan),
        )
        for factor in LIMIT_FACTORS
    )


def under_references(test: Test, scan: Scan, stated: Finding) -> References | None:
    """Return what a test finds with each possible reference.

    Groups with enough rows are possible; of very many, those with the most rows are tried.

    Parameters
    ----------
    test : OutcomeDisparity, ScoreDisparity or MetricParity
        The test as stated.
    scan : Scan
        Its tally.
    stated : Finding
        What it finds as stated.

    Returns
    -------
    References or None
        None where the groups are compared with all rows, or the tally holds what one reference needs only.
    """
    if stated.reference is None or needs_new_scan(test, stated):
        return None
    sizes = {row.group: row.n for row in stated.groups if row.sufficient}
    order = sorted(sizes, key=lambda group: (group != stated.reference, -sizes[group], group))
    most = max(_FEWEST_REFERENCES, min(MOST_REFERENCES, _ROWS_JUDGED // len(stated.groups)))
    return References(
        tried=tuple(
            ReferenceVariant(
                reference=group,
                n=sizes[group],
                is_stated=group == stated.reference,
                found=Variant.of(test, stated if group == stated.reference else judge(test, scan, reference=group)),
            )
            for group in order[:most]
        ),
        further=max(0, len(order) - most),
    )


def needs_new_scan(test: Test, stated: Finding) -> bool:
    """Tell whether another reference needs counts that are not in the tally: quantiles of many groups."""
    if not isinstance(test, MetricParity) or test.metric.measure is not Measure.QUANTILE or not test.has_test:
        return False
    groups = len(stated.groups)
    pairs = stated.evidence.pairs if isinstance(stated.evidence, MetricTally) else ()
    return len(pairs) < groups * (groups - 1) // 2


def compares_with_all(test: Test) -> bool:
    """Tell whether groups are compared with all evaluated rows, so that there is no reference."""
    return isinstance(test, MetricParity) and test.comparison is ComparedWith.OVERALL


def _judged(test: Test, scan: Scan) -> Variant:
    return Variant.of(test, judge(test, scan))


def _with(test: Test, changes: dict[str, Any]) -> Test:
    """Return a test with other parameters; they are right by how they were made, and not checked again."""
    return test.model_copy(update=changes)
