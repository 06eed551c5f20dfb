"""Metric parity: the judgement, from a tally and the parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from fairreport.analyses.comparison import CORRECTIONS, NOT_COMPARED, RateVerdict, adjust, each
from fairreport.analyses.grouping import Label
from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.metric_values import MetricValues, Value, delong_spans, metric_values, rate_spans
from fairreport.analyses.notes import metric_notes
from fairreport.analyses.reference import choose_reference, sufficient_groups, too_few_sufficient
from fairreport.analyses.result import Method, MetricFinding, MetricRow, Number, PValue, Skip, SkipCode
from fairreport.stats.significance import PValues
from fairreport.tables.needs import Labels, MeasureNeeds
from fairreport.tables.tally import MetricTally, NoTally, Scan

TOLERANCE = 1e-12
"""Averages closer than this, absolutely or relatively, are equal."""


def needs(test: MetricParity) -> MeasureNeeds:
    """Return what the test needs of the table."""
    metric = test.metric
    positive = test.positive_values or ()

    def choose(tally: MetricTally) -> Label | None:
        plan = _plan(test, tally, metric_values(metric, tally))
        return None if isinstance(plan, Skip) or plan.reference is None else tally.groups[plan.reference].group

    return MeasureNeeds(
        attributes=test.protected_attribute_columns,
        measure=metric.measure,
        numbers=tuple(getattr(test, parameter) for parameter in metric.numbers),
        labels=tuple(Labels(column=getattr(test, parameter), positive=positive) for parameter in metric.labels),
        loss=metric.loss,
        quantile=metric.quantile,
        level=1 - test.alpha,
        probability=test.probability_column if "probability_column" in metric.numbers else None,
        needs_positive=metric.needs_positive,
        choose=choose,
    )


def judge(test: MetricParity, scan: Scan, *, reference: Label | None = None) -> MetricFinding:
    """Return what the test finds in the tally of a scan.

    Parameters
    ----------
    test : MetricParity
        The test with its parameters.
    scan : Scan
        Its tally, or the reason why there is none.
    reference : tuple of str, optional
        Label of the group that is taken for the reference, whatever the test states.
    """
    tally = scan.tally
    if isinstance(tally, NoTally):
        skip = Skip.without(tally)
        attributes = tuple(sorted(test.protected_attribute_columns))
        return MetricFinding(attributes=attributes, skip=skip, measurements=MappingProxyType({}), method=_method(test))
    if not isinstance(tally, MetricTally):
        raise TypeError(type(tally).__name__)
    values = metric_values(test.metric, tally)
    plan = _plan(test, tally, values, reference)
    rows = () if isinstance(plan, Skip) else _rows(test, tally, values, plan)
    skip_or_none = plan if isinstance(plan, Skip) else _undefined_ratio(test, rows)
    if skip_or_none is not None:
        return MetricFinding(
            attributes=tally.attributes,
            skip=skip_or_none,
            measurements=MappingProxyType({}),
            rows=tally.rows,
            evidence=tally,
            method=_method(test),
            overall_value=_number(values.overall),
            notes=metric_notes(test, scan, tally, ()),
            spellings=scan.spellings,
        )
    position = None if isinstance(plan, Skip) else plan.reference
    return MetricFinding(
        attributes=tally.attributes,
        measurements=MappingProxyType(_measure(test, tally, rows)),
        groups=rows,
        reference=None if position is None else tally.groups[position].group,
        rows=tally.rows,
        evidence=tally,
        method=_method(test),
        overall_value=_number(values.overall),
        comparison_value=_number(values.overall if position is None else values.values[position]),
        notes=metric_notes(test, scan, tally, rows),
        spellings=scan.spellings,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Which groups are judged; `reference` is None where all rows are the comparison."""

    sufficient: tuple[bool, ...]
    reference: int | None


def _plan(test: MetricParity, tally: MetricTally, values: MetricValues, held: Label | None = None) -> _Plan | Skip:
    sufficient = sufficient_groups(test, tally.groups, tally.rows.evaluated)
    if test.comparison is ComparedWith.REFERENCE:
        sign = 1 if test.better_is_higher else -1
        ranked = [None if value is None else sign * value for value in values.values]
        reference = choose_reference(test, tally.groups, sufficient, ranked, held)
        return reference if isinstance(reference, Skip) else _Plan(sufficient=sufficient, reference=reference)
    skip = too_few_sufficient(tally.groups, sufficient)
    if skip is not None:
        return skip
    if all(value is None for value, yes in zip(values.values, sufficient, strict=True) if yes):
        text = f"{test.metric.label} is not defined in any group with enough rows"
        return Skip(code=SkipCode.METRIC_UNDEFINED, reason=text)
    return _Plan(sufficient=sufficient, reference=None)


def _rows(test: MetricParity, tally: MetricTally, values: MetricValues, plan: _Plan) -> tuple[MetricRow, ...]:
    reference = plan.reference
    point = values.overall if reference is None else values.values[reference]
    level = 1 - test.alpha
    tested = [
        i
        for i, yes in enumerate(plan.sufficient)
        if yes and i != reference and values.values[i] is not None and test.has_test
    ]
    found = values.against_rest(tested) if reference is None else values.against_group(tested, reference)
    raw = {i: p for i, p in zip(tested, found, strict=True) if p is not None}
    adjusted = _adjusted(test, raw)
    intervals = values.intervals(level)
    contrasts = None if reference is None else rate_spans(values, reference, level, higher=test.better_is_higher)
    delong = delong_spans(values, level)
    rows = []
    for i in _worst_first(test, tally, values, plan.sufficient):
        group, value = tally.groups[i], values.values[i]
        held = _hold(value, point, higher=test.better_is_higher)
        compared = plan.sufficient[i] and i != reference
        decided = _verdict(test, held, adjusted.get(i)) if compared else NOT_COMPARED
        rows.append(
            MetricRow(
                group=group.group,
                n=group.n,
                support=values.support[i],
                share=group.n / tally.rows.evaluated,
                value=_number(value),
                interval=intervals[i],
                ratio=held.ratio,
                difference=held.difference,
                gap=held.gap,
                worse=held.worse,
                ratio_interval=None if contrasts is None or i == reference else contrasts[i][0],
                difference_interval=None if contrasts is None or i == reference else contrasts[i][1],
                p_value=raw.get(i),
                adjusted_p=adjusted.get(i),
                significant=decided.significant,
                failing=decided.failing,
                sufficient=plan.sufficient[i],
                is_reference=i == reference,
                delong_interval=None if delong is None else delong[i],
            )
        )
    return tuple(rows)


def _adjusted(test: MetricParity, raw: dict[int, PValue]) -> dict[int, PValue]:
    if not raw:
        return {}
    p_values = PValues(
        p=np.array([p.number for p in raw.values()]),
        log10_p=np.array([-math.inf if p.log10 is None else p.log10 for p in raw.values()]),
    )
    return dict(zip(raw, each(adjust(test.p_value_adjustment, p_values)), strict=True))


def _worst_first(test: MetricParity, tally: MetricTally, values: MetricValues, sufficient: Sequence[bool]) -> list[int]:
    sign = 1 if test.better_is_higher else -1

    def rank(i: int) -> tuple[bool, bool, float, Value, int, Label]:
        value = values.values[i]
        group = tally.groups[i]
        placed = 0.0 if value is None else sign * value
        return (
            not sufficient[i],
            value is None,
            float(placed),  # rounding keeps the order: slow exact values are compared only where these are equal
            placed,
            -group.n,
            group.group,
        )

    return sorted(range(len(tally.groups)), key=rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A value held against the comparison point."""

    worse: bool
    ratio: float | None
    exact_ratio: Value | None
    difference: float | None
    gap: float | None


_UNDEFINED = _Held(worse=False, ratio=None, exact_ratio=None, difference=None, gap=None)


def _hold(value: Value | None, point: Value | None, *, higher: bool) -> _Held:
    if value is None or point is None:
        return _UNDEFINED
    difference = value - point
    behind = -difference if higher else difference
    worse = behind > 0 and not _is_close(value, point)
    ratio: Value | None = None
    if point > 0 and (higher or value > 0):
        ratio = value / point if higher else point / value
        if not math.isfinite(ratio):  # against a value next to 0
            ratio = None
    return _Held(
        worse=worse,
        ratio=_number(ratio),
        exact_ratio=ratio,
        difference=float(difference),
        gap=abs(float(difference)) if worse else 0.0,
    )


def _verdict(test: MetricParity, held: _Held, adjusted: PValue | None) -> RateVerdict:
    """Return what is decided about a group that is compared."""
    significant = held.worse and adjusted is not None and adjusted.is_below(test.alpha)
    below = held.worse and _misses(test, held)
    return RateVerdict(
        below=below, significant=significant, failing=below and (significant or not test.require_significance)
    )


def judge_share(test: MetricParity, value: Fraction, point: Fraction, adjusted: PValue | None) -> RateVerdict:
    """Return what is decided about a share that is compared with another one.

    Parameters
    ----------
    test : MetricParity
        The test with its parameters.
    value, point : Fraction
        The metric in the group, and what it is compared with.
    adjusted : PValue or None
        The adjusted p-value; None where nothing was tested.
    """
    return _verdict(test, _hold(value, point, higher=test.better_is_higher), adjusted)


def _is_close(value: Value, other: Value) -> bool:
    """Tell whether averages are equal but for rounding; exact shares are compared exactly."""
    if isinstance(value, Fraction) and isinstance(other, Fraction):
        return value == other
    return math.isclose(value, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _misses(test: MetricParity, held: _Held) -> bool:
    ratio = held.exact_ratio
    if isinstance(ratio, Fraction):
        below = ratio < Fraction(str(test.min_ratio))
    else:
        below = ratio is not None and ratio < test.min_ratio and not _is_close(ratio, test.min_ratio)
    if test.max_difference is None or held.gap is None:
        return below
    return below or (held.gap > test.max_difference and not _is_close(held.gap, test.max_difference))


def _undefined_ratio(test: MetricParity, rows: Sequence[MetricRow]) -> Skip | None:
    if test.max_difference is not None:
        return None
    if not any(row.worse and row.ratio is None for row in rows if row.sufficient):
        return None
    text = (
        "a group is worse but has no ratio, because the comparison value is not positive; set max_difference to judge "
        "it by its gap"
    )
    return Skip(code=SkipCode.RATIO_UNDEFINED_SET_MAX_DIFFERENCE, reason=text)


def _number(value: Value | None) -> float | None:
    return None if value is None else float(value)


def _measure(test: MetricParity, tally: MetricTally, rows: Sequence[MetricRow]) -> dict[str, Number | None]:
    sufficient = [row for row in rows if row.sufficient]
    others = [row for row in sufficient if not row.is_reference]
    failing = sum(row.failing for row in rows)
    ratios = [row.ratio for row in others if row.ratio is not None]
    lacking = any(row.worse and row.ratio is None for row in others)
    defined = [row.value for row in sufficient if row.value is not None]
    worst = min if test.better_is_higher else max
    return {
        "failingGroupCount": failing,
        "failingGroupPercentage": failing / len(sufficient),
        "minMetricRatio": None if lacking else min(ratios, default=None),
        "maxMetricDifference": max((row.gap for row in others if row.gap is not None), default=0.0),
        "worstGroupValue": worst(defined, default=None),
        "significantDisparityCount": sum(row.significant for row in rows) if test.has_test else None,
        "insufficientGroupCount": len(rows) - len(sufficient),
        "missingAttributeRate": tally.rows.missing_attribute / tally.rows.with_inputs,
        "minGroupShare": min(row.n for row in rows) / tally.rows.evaluated,
    }


def _method(test: MetricParity) -> Method:
    metric = test.metric
    shares = metric.is_rate and test.comparison is ComparedWith.REFERENCE
    against = "the reference group" if test.comparison is ComparedWith.REFERENCE else "the rest of the evaluated rows"
    return Method(
        test=metric.test.value if test.has_test else "none",
        sidedness=f"two-sided against {against}, direction checked separately",
        correction=CORRECTIONS[test.p_value_adjustment],
        level=1 - test.alpha,
        rate_interval=metric.interval,
        ratio_interval="Koopman score" if shares else "none",
        difference_interval="Newcombe hybrid score" if shares else "none",
        omnibus="none",
    )
