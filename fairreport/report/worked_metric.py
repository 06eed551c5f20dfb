"""The steps of a metric row, by what is gathered of each group: shares, averages, quantiles, ranks, residuals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from fairreport.analyses.result import Span
from fairreport.render import formats
from fairreport.report.metric_pair import MetricPair, held_steps
from fairreport.report.worked_rates import critical_step
from fairreport.report.worked_row import Step, adjustment_steps, ends, fisher_step, shown, wilson_step
from fairreport.stats import proportion
from fairreport.stats.moments import Moments, combine_others, welch
from fairreport.stats.quantiles import order_statistic_interval
from fairreport.stats.ranking import hanley_mcneil_se, hanley_mcneil_test
from fairreport.stats.student import student_critical_value
from fairreport.tables.needs import Measure
from fairreport.tables.tally import MomentGroup, QuantileGroup, RankGroup, ShareGroup

Letters = tuple[tuple[str, str], ...]


def metric_letters(pair: MetricPair) -> Letters:
    """Return the letters of the formulas of a metric with their numbers."""
    values = (("v", shown(pair.row.value)), ("w", shown(pair.point)))
    if isinstance(pair.mine, ShareGroup) and isinstance(pair.theirs, ShareGroup):
        counts = (*_hits(pair, pair.mine), *_hits(pair, pair.theirs))
        return (*zip("anbm", map(formats.count, counts), strict=True), *values)
    return (("n", formats.count(pair.row.n)), ("m", formats.count(pair.theirs.n)), *values)


def metric_steps(pair: MetricPair) -> Iterator[Step]:
    """Yield the row of a metric test step by step."""
    yield from _STEPS[pair.test.metric.measure](pair)
    yield from adjustment_steps(pair.test, pair.finding.groups, pair.row)


def _hits(pair: MetricPair, group: ShareGroup) -> tuple[int, int]:
    hits = group.support - group.hits if pair.test.metric.complement else group.hits
    return hits, group.support


def _share(pair: MetricPair) -> Iterator[Step]:
    if not isinstance(pair.mine, ShareGroup) or not isinstance(pair.theirs, ShareGroup):
        raise TypeError(type(pair.mine).__name__)
    (a, n), (b, m) = _hits(pair, pair.mine), _hits(pair, pair.theirs)
    row, metric = pair.row, pair.test.metric
    yield Step(
        term=f"{pair.label} of the group",
        formula=f"v = a / n: {metric.formula}",
        numbers=f"{formats.count(a)} / {formats.count(n)}",
        result=shown(row.value),
    )
    yield Step(
        term=f"The same of {pair.other}",
        formula="w = b / m",
        numbers=f"{formats.count(b)} / {formats.count(m)}",
        result=shown(pair.point),
    )
    first, second = ((a, n), (b, m)) if pair.test.better_is_higher else ((b, m), (a, n))
    exact = Fraction(first[0] * second[1], first[1] * second[0]) if b and second[0] else None
    yield from held_steps(pair, exact=exact)
    yield critical_step(pair.finding.method.level)
    z = proportion.critical_value(pair.finding.method.level)
    yield wilson_step("Wilson interval of the group", "a, n", (a, n), z, row.interval)
    if row.p_value is None:
        return
    if pair.is_overall:
        yield fisher_step("Fisher's exact test against the rest, b − a of m − n", (a, n, b - a, m - n), row.p_value)
    else:
        yield fisher_step("Fisher's exact test, two-sided", (a, n, b, m), row.p_value)


def _moments(group: MomentGroup) -> Moments:
    return Moments(n=group.n, mean=group.mean, variance=group.variance)


def _average(pair: MetricPair) -> Iterator[Step]:
    if not isinstance(pair.mine, MomentGroup) or not isinstance(pair.theirs, MomentGroup):
        raise TypeError(type(pair.mine).__name__)
    metric, mine = pair.test.metric, pair.mine
    root = "√" if metric.root else ""
    for term, letter, group, value in (
        (f"{pair.label} of the group", "v", mine, pair.row.value),
        (f"The same of {pair.other}", "w", pair.theirs, pair.point),
    ):
        total = f"{shown(group.mean * group.n)} / {formats.count(group.n)}"
        total = f"√({total})" if root else total
        formula = f"{letter} = √(sum / rows)" if root else f"{letter} = sum / rows"
        if letter == "v":
            formula += f": {metric.formula}"
        yield Step(term=term, formula=formula, numbers=total, result=shown(value))
    yield from held_steps(pair)
    if mine.variance is not None:
        level = pair.finding.method.level
        half = student_critical_value(mine.n - 1, level=level)
        yield Step(
            term="t interval of the group",
            formula=f"{root}(mean ± t √(s² / n)), t with n − 1 degrees of freedom",
            numbers=f"{root}({shown(mine.mean)} ± {shown(half)} × {shown(math.sqrt(mine.variance / mine.n))})",
            result=ends(pair.row.interval),
        )
    yield from _welch(pair, mine)


def _welch(pair: MetricPair, mine: MomentGroup) -> Iterator[Step]:
    if pair.row.p_value is None:
        return
    other, suffix = _compared_moments(pair), " against the rest" if pair.is_overall else ""
    if other is None:
        return
    found = welch(_moments(mine), other)
    if found is None:
        return
    numbers = "neither side varies"
    if found.statistic is not None and found.df is not None:
        numbers = (
            f"means {shown(mine.mean)} and {shown(other.mean)}, s² = {shown(mine.variance)}, "
            f"u² = {shown(other.variance)}, m = {formats.count(other.n)}: t = {shown(found.statistic)}, "
            f"{formats.fixed(found.df)} degrees of freedom"
        )
    yield Step(
        term=f"Welch's t test{suffix}, two-sided",
        formula="t = difference of means / √(s²/n + u²/m); degrees of freedom "
        "(s²/n + u²/m)² / ((s²/n)²/(n − 1) + (u²/m)²/(m − 1))",
        numbers=numbers,
        result=formats.p_value(pair.row.p_value),
    )


def _compared_moments(pair: MetricPair) -> Moments | None:
    """Return the moments that a group is tested against: of the reference, or of all other groups together."""
    if not pair.is_overall:
        return _moments(pair.theirs) if isinstance(pair.theirs, MomentGroup) else None
    groups = [group for group in pair.tally.groups if isinstance(group, MomentGroup)]
    rests = combine_others([_moments(group) for group in groups])
    return next((rest for group, rest in zip(groups, rests, strict=True) if group.group == pair.row.group), None)


def _quantile(pair: MetricPair) -> Iterator[Step]:
    if not isinstance(pair.mine, QuantileGroup) or not isinstance(pair.theirs, QuantileGroup):
        raise TypeError(type(pair.mine).__name__)
    q, row, level = pair.test.metric.quantile, pair.row, pair.finding.method.level
    for term, group, value in (
        (f"{pair.label} of the group", pair.mine, row.value),
        (f"The same of {pair.other}", pair.theirs, pair.point),
    ):
        yield Step(
            term=term,
            formula="the value at place 1 + (N − 1) q of the sorted values, between two places on a straight line",
            numbers=f"place {formats.fixed(1 + (group.n - 1) * q, 2)} of {formats.count(group.n)}",
            result=shown(value),
        )
    yield from held_steps(pair)
    low, high = order_statistic_interval(row.n, q, level=level)
    places = " to ".join("none" if place is None else formats.count(place) for place in (low, high))
    yield Step(
        term="Interval of the group",
        formula="values at the innermost places r with P(B < r), and P(B ≥ r), below (1 − level) / 2, "
        "B binomial (n, q)",
        numbers=f"places {places} of {formats.count(row.n)}",
        result=ends(row.interval),
    )
    if row.p_value is None:
        return
    if pair.is_overall:
        above, rest = pair.mine.above_overall, pair.theirs.above_overall - pair.mine.above_overall
        counts = (above, row.n, rest, pair.theirs.n - row.n)
        yield _pooled(pair, pair.theirs.value, counts)
        return
    for item in pair.tally.pairs:
        if {item.group, item.reference} == {row.group, pair.theirs.group}:
            pairs = (item.above, item.above_reference)
            above, theirs = pairs if item.group == row.group else pairs[::-1]
            yield _pooled(pair, item.pooled, (above, row.n, theirs, pair.theirs.n))


def _pooled(pair: MetricPair, value: float, counts: tuple[int, int, int, int]) -> Step:
    step = fisher_step("Fisher's exact test of the shares above the pooled quantile", counts, pair.row.p_value)
    other = "the rest of the rows" if pair.is_overall else "reference"
    formula = f"a of n and b of m values above the quantile of group and {other} together"
    return Step(term=step.term, formula=formula, numbers=f"quantile {shown(value)}; {step.numbers}", result=step.result)


def _ranks(pair: MetricPair) -> Iterator[Step]:
    if not isinstance(pair.mine, RankGroup) or not isinstance(pair.theirs, RankGroup):
        raise TypeError(type(pair.mine).__name__)
    row, level = pair.row, pair.finding.method.level
    errors = []
    for term, letter, group, value in (
        (f"{pair.label} of the group", "v", pair.mine, row.value),
        (f"The same of {pair.other}", "w", pair.theirs, pair.point),
    ):
        positives, negatives = group.positives, group.n - group.positives
        errors.append(hanley_mcneil_se(value or 0.0, positives, negatives))
        yield Step(
            term=term,
            formula=f"{letter} = (g + e / 2) / (P N): of P positive and N negative rows g pairs with the positive one "
            "higher, e equal",
            numbers=f"g = {formats.count(group.greater)}, e = {formats.count(group.equal)}, "
            f"P = {formats.count(positives)}, N = {formats.count(negatives)}",
            result=shown(value),
        )
    yield from held_steps(pair)
    for term, value, error in zip(("group", "reference"), (row.value, pair.point), errors, strict=True):
        yield Step(
            term=f"Hanley-McNeil standard error of the {term}",
            formula="√((A (1 − A) + (P − 1)(A / (2 − A) − A²) + (N − 1)(2 A² / (1 + A) − A²)) / (P N))",
            numbers=f"A = {shown(value)}",
            result=shown(error),
        )
    z = proportion.critical_value(level)
    yield Step(
        term="Interval of the group",
        formula="v ± z SE, cut to 0 and 1",
        numbers=f"{shown(row.value)} ± {shown(z)} × {shown(errors[0])}",
        result=ends(row.interval) if errors[0] else formats.NOT_ESTIMABLE,
    )
    if row.p_value is not None:
        found = hanley_mcneil_test(row.value or 0.0, errors[0], pair.point or 0.0, errors[1])
        yield Step(
            term="z test of two independent areas, two-sided",
            formula="z = (v − w) / √(SE₁² + SE₂²)",
            numbers="both standard errors are 0" if found.z is None else f"z = {shown(found.z)}",
            result=formats.p_value(row.p_value),
        )
    yield from _delong(pair.mine, row.delong_interval)


def _delong(group: RankGroup, interval: Span | None) -> Iterator[Step]:
    if group.delong_se is not None and interval is not None:
        yield Step(
            term="DeLong's interval of the group, informational",
            formula="v ± z SE, with DeLong’s standard error",
            numbers=f"SE = {shown(group.delong_se)}",
            result=ends(interval),
        )


def _residuals(pair: MetricPair) -> Iterator[Step]:
    for term, letter, value in (
        (f"{pair.label} of the group", "v", pair.row.value),
        (f"The same of {pair.other}", "w", pair.point),
    ):
        yield Step(
            term=term,
            formula=f"{letter} = 1 − SSR / SST, SSR the squared errors, SST the squares of the truth about its mean",
            numbers="kept as the quotient only, as results.json states it",
            result=shown(value),
        )
    yield from held_steps(pair)


_STEPS: dict[Measure, Callable[[MetricPair], Iterator[Step]]] = {
    Measure.SHARE: _share,
    Measure.MOMENTS: _average,
    Measure.QUANTILE: _quantile,
    Measure.RANKS: _ranks,
    Measure.RESIDUALS: _residuals,
}
