"""The steps of a row that is judged by its rate: outcome and score tests alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import SignificanceTest
from fairreport.analyses.result import OutcomeFinding, ScoreFinding, Span
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.render.rate_sentences import RateFinding, RateRow, RateTest, hits_of
from fairreport.report.worked_row import DIGITS, Step, adjustment_steps, ends, fisher_step, shown, wilson_step
from fairreport.stats import contrast, proportion, significance


@dataclass(frozen=True, slots=True, kw_only=True)
class RatePair:
    """A group and the reference it is compared with."""

    name: str
    test: RateTest
    finding: RateFinding
    row: RateRow
    reference: RateRow

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Hits and rows of the group, and of the reference."""
        return hits_of(self.row), self.row.n, hits_of(self.reference), self.reference.n

    @property
    def level(self) -> float:
        """The confidence level."""
        return self.finding.method.level

    @property
    def letters(self) -> tuple[tuple[str, str], ...]:
        """The letters of the formulas with their numbers."""
        return tuple(zip("anbm", map(formats.count, self.counts), strict=True))


def rate_pairs(record: TestRecord) -> list[RatePair]:
    """Return the judged rows of an outcome or score test, each with the reference; none for other tests."""
    test, finding = record.test, record.finding
    if not isinstance(test, OutcomeDisparity | ScoreDisparity):
        return []
    if not isinstance(finding, OutcomeFinding | ScoreFinding):
        return []
    reference = next((row for row in finding.groups if row.is_reference), None)
    if reference is None:
        return []
    return [
        RatePair(name=record.name, test=test, finding=finding, row=row, reference=reference) for row in finding.judged
    ]


def rate_steps(pair: RatePair) -> Iterator[Step]:
    """Yield the rates, their ratio and difference, and the decision."""
    a, n, b, m = (formats.count(count) for count in pair.counts)
    rate = "Rate" if isinstance(pair.test, OutcomeDisparity) else "Scoring rate"
    row, reference = pair.row, pair.reference
    yield Step(term=f"{rate} of the group", formula="p = a / n", numbers=f"{a} / {n}", result=shown(row.rate))
    yield Step(term=f"{rate} of the reference", formula="q = b / m", numbers=f"{b} / {m}", result=shown(reference.rate))
    yield Step(
        term="Impact ratio",
        formula="(a m) / (n b)",
        numbers=f"({a} × {m}) / ({n} × {b})",
        result=shown(row.ratio),
    )
    yield Step(
        term="Difference",
        formula="(a m − b n) / (n m)",
        numbers=f"({a} × {m} − {b} × {n}) / ({n} × {m})",
        result=shown(row.difference),
    )
    yield _decision(pair)


def inference_steps(pair: RatePair) -> Iterator[Step]:
    """Yield the intervals, the significance test and its adjustment."""
    yield from _rate_intervals(pair)
    yield _difference_interval(pair)
    yield from _ratio_intervals(pair)
    yield from _significance(pair)
    yield from adjustment_steps(pair.test, pair.finding.groups, pair.row)


def _decision(pair: RatePair) -> Step:
    a, n, b, m = pair.counts
    threshold = Fraction(str(pair.test.impact_ratio_threshold))
    left, right = a * m * threshold.denominator, threshold.numerator * b * n
    compared = "<" if left < right else "=" if left == right else ">"
    return Step(
        term="Below the threshold?",
        formula="a m d < c b n, threshold c / d",
        numbers=f"c / d = {threshold.numerator} / {threshold.denominator}: "
        f"{formats.count(left)} {compared} {formats.count(right)}",
        result="below" if left < right else "not below",
    )


def critical_step(level: float) -> Step:
    """Return the quantile of the normal distribution that belongs to a level."""
    return Step(
        term="Critical value",
        formula="z with Φ(−z) = (1 − level) / 2",
        numbers=f"Φ(−z) = {shown(proportion.tail_probability(level))}",
        result=shown(proportion.critical_value(level)),
    )


def _rate_intervals(pair: RatePair) -> Iterator[Step]:
    z = proportion.critical_value(pair.level)
    a, n, b, m = pair.counts
    yield critical_step(pair.level)
    yield wilson_step("Wilson interval of the group", "a, n", (a, n), z, pair.row.rate_interval)
    yield wilson_step("Wilson interval of the reference", "b, m", (b, m), z, pair.reference.rate_interval)


def _difference_interval(pair: RatePair) -> Step:
    row, reference = pair.row, pair.reference
    mine, theirs = row.rate_interval, reference.rate_interval
    below = math.hypot(row.rate - (mine.low or 0.0), (theirs.high or 0.0) - reference.rate)
    above = math.hypot((mine.high or 0.0) - row.rate, reference.rate - (theirs.low or 0.0))
    return Step(
        term="Newcombe interval of the difference",
        formula="d − √((p − l₁)² + (u₂ − q)²) to d + √((u₁ − p)² + (q − l₂)²)",
        numbers=f"{shown(row.difference)} − {shown(below)} to {shown(row.difference)} + {shown(above)}",
        result=ends(row.difference_interval),
    )


def _ratio_intervals(pair: RatePair) -> Iterator[Step]:
    a, n, b, m = pair.counts
    z = proportion.critical_value(pair.level)
    yield Step(
        term="Koopman interval of the ratio",
        formula="all θ with |S(θ)| ≤ z",
        numbers=f"S(low) = {shown(z)}, S(high) = {shown(-z)}",
        result=formats.span(pair.row.ratio_interval, DIGITS),
    )
    katz = contrast.katz_ratio(a, n, b, m, level=pair.level)
    low, high = float(katz.low[0]), float(katz.high[0])
    if math.isfinite(low) and pair.row.ratio:
        error = math.sqrt((n - a) / n / a + (m - b) / m / b)
        numbers = f"{shown(pair.row.ratio)} × exp(± {shown(z)} × {shown(error)})"
        result = formats.span(Span(low=low, high=high), DIGITS)
    else:
        numbers, result = "no logarithm of a rate of 0, or no width where both rates are 1", formats.UNDEFINED
    yield Step(
        term="Katz interval, for comparison",
        formula="ratio × exp(± z √(1/a − 1/n + 1/b − 1/m))",
        numbers=numbers,
        result=result,
    )


def _significance(pair: RatePair) -> Iterator[Step]:
    a, n, b, m = pair.counts
    kind = pair.test.significance_test
    p = formats.p_value(pair.row.p_value)
    if kind is SignificanceTest.FISHER_EXACT:
        yield fisher_step("Fisher's exact test, two-sided", pair.counts, pair.row.p_value)
    elif kind is SignificanceTest.Z_TEST:
        z = float(significance.pooled_z(a, n, b, m).z[0])
        yield Step(
            term="Pooled z test, two-sided",
            formula="z = (p − q) / √(r (1 − r) (1/n + 1/m)), r = (a + b) / (n + m)",
            numbers=f"r = {shown(contrast.rate(a + b, n + m))}, z = {shown(z)}",
            result=p,
        )
    elif kind is SignificanceTest.CHI_SQUARE:
        statistic = float(significance.chi_square(a, n, b, m, yates=True).statistic[0])
        yield Step(
            term="Chi-square test with Yates's correction",
            formula="χ² = N (max(|a m − b n| − N / 2, 0))² / (n m (a + b) (N − a − b)), N = n + m",
            numbers=f"χ² = {shown(statistic)}, 1 degree of freedom",
            result=p,
        )
