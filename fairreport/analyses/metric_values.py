"""What a metric is worth in each group: value, interval, and the test of one group against another.

One class per kind of tally; the judgement in `metric.py` asks them all the same questions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from fairreport.analyses.comparison import defined, p_value, spans
from fairreport.analyses.grouping import Label
from fairreport.analyses.metrics import Metric
from fairreport.analyses.remembering import remembered
from fairreport.analyses.result import PValue, Span
from fairreport.stats import contrast, proportion
from fairreport.stats.fisher import fisher_exact
from fairreport.stats.moments import Moments, combine_others, t_interval, welch
from fairreport.stats.ranking import Dominance, auc, hanley_mcneil_se, hanley_mcneil_test
from fairreport.tables.needs import Measure
from fairreport.tables.tally import (
    MetricTally,
    MomentGroup,
    QuantileGroup,
    RankGroup,
    ResidualGroup,
    ShareGroup,
)

Value = Fraction | float
NO_SPAN = Span(low=None, high=None)


class MetricValues(Protocol):
    """What the judgement asks of a metric; positions are those of the tally's groups."""

    @property
    def values(self) -> tuple[Value | None, ...]:
        """The metric in every group; None where it is not defined."""

    @property
    def overall(self) -> Value | None:
        """The metric over all evaluated rows."""

    @property
    def support(self) -> tuple[int, ...]:
        """The rows that it is computed on, in every group."""

    def intervals(self, level: float) -> list[Span]:
        """Return the interval of every group."""

    def against_group(self, tested: Sequence[int], reference: int) -> list[PValue | None]:
        """Return the p-value of each tested group against the reference."""

    def against_rest(self, tested: Sequence[int]) -> list[PValue | None]:
        """Return the p-value of each tested group against all other evaluated rows."""


def metric_values(metric: Metric, tally: MetricTally) -> MetricValues:
    """Return the values of a metric in every group of its tally."""
    match metric.measure:
        case Measure.SHARE:
            return _Shares(metric, tally)
        case Measure.MOMENTS:
            return _Averages(metric, tally)
        case Measure.QUANTILE:
            return _Quantiles(metric, tally)
        case Measure.RANKS:
            return _Ranks(tally)
        case _:
            return _Residuals(tally)


class _Shares:
    """Shares of rows: exact fractions, Wilson intervals, Fisher's test."""

    def __init__(self, metric: Metric, tally: MetricTally) -> None:
        self._groups = [g for g in tally.groups if isinstance(g, ShareGroup)]
        self._complement = metric.complement
        self.values = tuple(self._value(g) for g in self._groups)
        self.support = tuple(g.support for g in self._groups)
        self._all = tally.overall if isinstance(tally.overall, ShareGroup) else self._groups[0]
        self.overall = self._value(self._all)

    def _hits(self, group: ShareGroup) -> int:
        return group.support - group.hits if self._complement else group.hits

    def _value(self, group: ShareGroup) -> Fraction | None:
        return Fraction(self._hits(group), group.support) if group.support else None

    def pair(self, position: int) -> tuple[int, int]:
        """Return hits and support of a group."""
        return self._hits(self._groups[position]), self._groups[position].support

    def intervals(self, level: float) -> list[Span]:
        hits = [self._hits(g) for g in self._groups]
        return spans(proportion.wilson(hits, list(self.support), level=level))

    def against_group(self, tested: Sequence[int], reference: int) -> list[PValue | None]:
        b, m = self.pair(reference)
        return _fisher([(*self.pair(i), b, m) for i in tested])

    def against_rest(self, tested: Sequence[int]) -> list[PValue | None]:
        hits, support = self._hits(self._all), self._all.support
        return _fisher([(a, n, hits - a, support - n) for a, n in map(self.pair, tested)])


def _fisher(tables: Sequence[tuple[int, int, int, int]]) -> list[PValue | None]:
    """Return Fisher's two-sided p-values; None where a side has no rows."""
    return list(_fisher_of(tuple(tables)))


@remembered
def _fisher_of(tables: tuple[tuple[int, int, int, int], ...]) -> Sequence[PValue | None]:
    full = [table for table in tables if table[1] and table[3]]
    if not full:
        return [None] * len(tables)
    a, n, b, m = (list(column) for column in zip(*full, strict=True))
    found = fisher_exact(a, n, b, m)
    values = iter([p_value(p, log) for p, log in zip(found.p.tolist(), found.log10_p.tolist(), strict=True)])
    return [next(values) if table[1] and table[3] else None for table in tables]


class _Averages:
    """Averages per row: t intervals, Welch's test on the per-row values."""

    def __init__(self, metric: Metric, tally: MetricTally) -> None:
        groups = [g for g in tally.groups if isinstance(g, MomentGroup)]
        self._root = metric.root
        self._moments = [Moments(n=g.n, mean=g.mean, variance=g.variance) for g in groups]
        self.values = tuple(self._value(g.mean) for g in groups)
        self.support = tuple(g.n for g in groups)
        self.overall = self._value(tally.overall.mean) if isinstance(tally.overall, MomentGroup) else None

    def _value(self, mean: float) -> float:
        return math.sqrt(max(mean, 0.0)) if self._root else mean

    def intervals(self, level: float) -> list[Span]:
        return [self._interval(moments, level) for moments in self._moments]

    def _interval(self, moments: Moments, level: float) -> Span:
        ends = t_interval(moments, level=level)
        if ends is None:
            return NO_SPAN
        low, high = (self._value(end) for end in ends)
        return Span(low=low, high=high)

    def against_group(self, tested: Sequence[int], reference: int) -> list[PValue | None]:
        return [_welch(self._moments[i], self._moments[reference]) for i in tested]

    def against_rest(self, tested: Sequence[int]) -> list[PValue | None]:
        rests = combine_others(self._moments)
        return [_welch(self._moments[i], rest) if (rest := rests[i]) is not None else None for i in tested]


def _welch(group: Moments, other: Moments) -> PValue | None:
    found = welch(group, other)
    if found is None:
        return None
    return _degenerate_or(found.p, found.log10_p)


def _degenerate_or(p: float, log10: float | None) -> PValue:
    """Return a p-value; without any variation it is exactly 1 or 0 and has no tail to take the logarithm of."""
    if log10 is None:
        return PValue(p=p, log10=0.0 if p else None)
    return p_value(p, log10)


class _Quantiles:
    """Quantiles: order-statistic intervals, Fisher's test on the counts above the pooled quantile."""

    def __init__(self, metric: Metric, tally: MetricTally) -> None:
        del metric
        self._groups = [g for g in tally.groups if isinstance(g, QuantileGroup)]
        self._all = tally.overall if isinstance(tally.overall, QuantileGroup) else self._groups[0]
        self._ends = {ends.group: ends for ends in tally.ends}
        self._pairs: dict[tuple[Label, Label], tuple[int, int]] = {}
        for pair in tally.pairs:
            self._pairs[pair.group, pair.reference] = pair.above, pair.above_reference
            self._pairs[pair.reference, pair.group] = pair.above_reference, pair.above
        self.values = tuple(g.value for g in self._groups)
        self.support = tuple(g.n for g in self._groups)
        self.overall = self._all.value

    def intervals(self, level: float) -> list[Span]:
        return [self._interval(g.group, level) for g in self._groups]

    def _interval(self, label: Label, level: float) -> Span:
        ends = self._ends.get(label)
        if ends is None or ends.level != level:
            return NO_SPAN
        return Span(low=ends.low, high=ends.high)

    def against_group(self, tested: Sequence[int], reference: int) -> list[PValue | None]:
        theirs = self._groups[reference]
        tables = []
        for i in tested:
            counts = self._pairs.get((self._groups[i].group, theirs.group))
            tables.append((counts[0], self._groups[i].n, counts[1], theirs.n) if counts else (0, 0, 0, 0))
        return _fisher(tables)

    def against_rest(self, tested: Sequence[int]) -> list[PValue | None]:
        groups = [self._groups[i] for i in tested]
        return _fisher(
            [(g.above_overall, g.n, self._all.above_overall - g.above_overall, self._all.n - g.n) for g in groups]
        )


class _Ranks:
    """AUC: Hanley and McNeil's standard error and z test."""

    def __init__(self, tally: MetricTally) -> None:
        self._groups = [g for g in tally.groups if isinstance(g, RankGroup)]
        self.values = tuple(_auc(g) for g in self._groups)
        self.support = tuple(g.n for g in self._groups)
        self.overall = _auc(tally.overall) if isinstance(tally.overall, RankGroup) else None

    def intervals(self, level: float) -> list[Span]:
        z = proportion.critical_value(level)
        return [_around(_auc(g), _standard_error(g), z) for g in self._groups]

    def delong_intervals(self, level: float) -> list[Span]:
        """Return DeLong's interval of every group, for information."""
        z = proportion.critical_value(level)
        return [_around(_auc(g), g.delong_se, z) for g in self._groups]

    def against_group(self, tested: Sequence[int], reference: int) -> list[PValue | None]:
        return [_hanley_mcneil(self._groups[i], self._groups[reference]) for i in tested]

    def against_rest(self, tested: Sequence[int]) -> list[PValue | None]:
        return [None for _ in tested]


def _auc(group: RankGroup) -> float | None:
    negatives = group.n - group.positives
    pairs = group.positives * negatives
    return auc(Dominance(greater=group.greater, equal=group.equal, less=pairs - group.greater - group.equal))


def _standard_error(group: RankGroup) -> float | None:
    value = _auc(group)
    return None if value is None else hanley_mcneil_se(value, group.positives, group.n - group.positives)


def _around(value: float | None, error: float | None, z: float) -> Span:
    if value is None or error is None:
        return NO_SPAN
    return Span(low=max(0.0, value - z * error), high=min(1.0, value + z * error))


def _hanley_mcneil(group: RankGroup, reference: RankGroup) -> PValue | None:
    a, b = _auc(group), _auc(reference)
    error_a, error_b = _standard_error(group), _standard_error(reference)
    if a is None or b is None or error_a is None or error_b is None:
        return None
    found = hanley_mcneil_test(a, error_a, b, error_b)
    return _degenerate_or(found.p, found.log10_p)


class _Residuals:
    """R squared: neither interval nor test."""

    def __init__(self, tally: MetricTally) -> None:
        groups = [g for g in tally.groups if isinstance(g, ResidualGroup)]
        self.values = tuple(None if g.explained is None else defined(g.explained) for g in groups)
        self.support = tuple(g.n for g in groups)
        self.overall = tally.overall.explained if isinstance(tally.overall, ResidualGroup) else None

    def intervals(self, level: float) -> list[Span]:
        del level
        return [NO_SPAN for _ in self.values]

    def against_group(self, tested: Sequence[int], reference: int) -> list[PValue | None]:
        del reference
        return [None for _ in tested]

    def against_rest(self, tested: Sequence[int]) -> list[PValue | None]:
        return [None for _ in tested]


def rate_spans(values: MetricValues, reference: int, level: float, *, higher: bool) -> list[tuple[Span, Span]] | None:
    """Return ratio and difference intervals against a reference group, for shares only.

    The ratio is direction-aware: where lower is better it is reference over group.
    """
    if not isinstance(values, _Shares):
        return None
    return list(_contrasts(tuple(values.pair(i) for i in range(len(values.values))), reference, level, higher))


@remembered
def _contrasts(
    pairs: tuple[tuple[int, int], ...],
    reference: int,
    level: float,
    higher: bool,  # noqa: FBT001 - remembered functions take their arguments by position
) -> Sequence[tuple[Span, Span]]:
    a, n = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    b, m = np.full_like(a, pairs[reference][0]), np.full_like(n, pairs[reference][1])
    ratio = (
        contrast.koopman_ratio(a, n, b, m, level=level) if higher else contrast.koopman_ratio(b, m, a, n, level=level)
    )
    difference = contrast.newcombe_difference(a, n, b, m, level=level)
    return list(zip(spans(ratio), spans(difference), strict=True))


def share_counts(metric: Metric, tally: MetricTally) -> tuple[tuple[int, int], ...] | None:
    """Return hits and support of every group, so that the metric is hits / support; None where it is no share."""
    values = metric_values(metric, tally)
    return tuple(map(values.pair, range(len(tally.groups)))) if isinstance(values, _Shares) else None


def delong_spans(values: MetricValues, level: float) -> list[Span] | None:
    """Return DeLong's intervals, for AUC only."""
    return values.delong_intervals(level) if isinstance(values, _Ranks) else None
