"""One row worked by hand: each formula with its numbers, computed by the functions that made the row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, SignificanceTest
from fairreport.analyses.result import OutcomeFinding, OutcomeGroup, PValue, Span
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.views import Name
from fairreport.stats import contrast, proportion, significance

DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step.

    Attributes
    ----------
    term : str
        What is computed.
    formula : str
        In letters.
    numbers : str
        The same with the numbers of the row.
    result : str
        What comes out.
    """

    term: str
    formula: str
    numbers: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedRow:
    """A row worked by hand.

    Attributes
    ----------
    test, group, reference : Name
        Which row it is.
    a, n, b, m : str
        Favourable outcomes and rows, of the group and of the reference.
    level : str
        The confidence level.
    steps : tuple of Step
        In the order in which one would compute.
    """

    test: Name
    group: Name
    reference: Name
    a: str
    n: str
    b: str
    m: str
    level: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A group and the reference it is compared with."""

    name: str
    test: OutcomeDisparity
    finding: OutcomeFinding
    row: OutcomeGroup
    reference: OutcomeGroup

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.row.favorable, self.row.n, self.reference.favorable, self.reference.n

    @property
    def level(self) -> float:
        return self.finding.method.level


def work_one_row(record: AuditRecord) -> WorkedRow | None:
    """Return the judged row with the lowest ratio, worked by hand; None without an outcome test."""
    pairs = [pair for test in record.tests for pair in _pairs(test)]
    if not pairs:
        return None
    pair = min(pairs, key=lambda pair: (_ratio(pair.row), pair.name, pair.row.group))
    a, n, b, m = (formats.count(count) for count in pair.counts)
    return WorkedRow(
        test=Name.of(pair.name),
        group=Name.of(" / ".join(pair.row.group)),
        reference=Name.of(" / ".join(pair.reference.group)),
        a=a,
        n=n,
        b=b,
        m=m,
        level=formats.level(pair.level),
        steps=tuple(_steps(pair)),
    )


def _pairs(test: TestRecord) -> list[_Pair]:
    finding = test.finding
    if not isinstance(finding, OutcomeFinding) or not isinstance(test.test, OutcomeDisparity):
        return []
    reference = next((row for row in finding.groups if row.is_reference), None)
    if reference is None:
        return []
    return [
        _Pair(name=test.name, test=test.test, finding=finding, row=row, reference=reference) for row in finding.judged
    ]


def _ratio(row: OutcomeGroup) -> float:
    return math.inf if row.ratio is None else row.ratio


def _steps(pair: _Pair) -> Iterator[Step]:
    yield from _rates(pair)
    yield _decision(pair)
    yield from _rate_intervals(pair)
    yield _difference_interval(pair)
    yield from _ratio_intervals(pair)
    yield from _significance(pair)
    yield from _adjustment(pair)


def _shown(value: float | None) -> str:
    return formats.fixed(value, DIGITS)


def _ends(span: Span | None) -> str:
    return formats.span(span, DIGITS, signed=True)


def _rates(pair: _Pair) -> Iterator[Step]:
    a, n, b, m = (formats.count(count) for count in pair.counts)
    row, reference = pair.row, pair.reference
    yield Step(term="Rate of the group", formula="p = a / n", numbers=f"{a} / {n}", result=_shown(row.rate))
    yield Step(term="Rate of the reference", formula="q = b / m", numbers=f"{b} / {m}", result=_shown(reference.rate))
    yield Step(
        term="Impact ratio",
        formula="(a m) / (n b)",
        numbers=f"({a} × {m}) / ({n} × {b})",
        result=_shown(row.ratio),
    )
    yield Step(
        term="Difference",
        formula="(a m − b n) / (n m)",
        numbers=f"({a} × {m} − {b} × {n}) / ({n} × {m})",
        result=_shown(row.difference),
    )


def _decision(pair: _Pair) -> Step:
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


def _rate_intervals(pair: _Pair) -> Iterator[Step]:
    z = proportion.critical_value(pair.level)
    tail = proportion.tail_probability(pair.level)
    yield Step(
        term="Critical value",
        formula="z with Φ(−z) = (1 − level) / 2",
        numbers=f"Φ(−z) = {formats.fixed(tail, DIGITS)}",
        result=_shown(z),
    )
    for term, letters, row in (
        ("Wilson interval of the group", "a, n", pair.row),
        ("Wilson interval of the reference", "b, m", pair.reference),
    ):
        k, size = row.favorable, row.n
        root = z * math.sqrt(z * z + 4 * k * (size - k) / size)
        yield Step(
            term=term,
            formula=f"(2k + z² ± z √(z² + 4k (N − k) / N)) / (2 (N + z²)), k, N = {letters}",
            numbers=f"({_shown(2 * k + z * z)} ± {_shown(root)}) / {_shown(2 * (size + z * z))}",
            result=_ends(row.rate_interval),
        )


def _difference_interval(pair: _Pair) -> Step:
    row, reference = pair.row, pair.reference
    mine, theirs = row.rate_interval, reference.rate_interval
    below = math.hypot(row.rate - (mine.low or 0.0), (theirs.high or 0.0) - reference.rate)
    above = math.hypot((mine.high or 0.0) - row.rate, reference.rate - (theirs.low or 0.0))
    return Step(
        term="Newcombe interval of the difference",
        formula="d − √((p − l₁)² + (u₂ − q)²) to d + √((u₁ − p)² + (q − l₂)²)",
        numbers=f"{_shown(row.difference)} − {_shown(below)} to {_shown(row.difference)} + {_shown(above)}",
        result=_ends(row.difference_interval),
    )


def _ratio_intervals(pair: _Pair) -> Iterator[Step]:
    a, n, b, m = pair.counts
    z = proportion.critical_value(pair.level)
    yield Step(
        term="Koopman interval of the ratio",
        formula="all θ with |S(θ)| ≤ z",
        numbers=f"S(low) = {_shown(z)}, S(high) = {_shown(-z)}",
        result=formats.span(pair.row.ratio_interval, DIGITS),
    )
    katz = contrast.katz_ratio(a, n, b, m, level=pair.level)
    low, high = float(katz.low[0]), float(katz.high[0])
    if math.isfinite(low) and pair.row.ratio:
        error = math.sqrt((n - a) / n / a + (m - b) / m / b)
        numbers = f"{_shown(pair.row.ratio)} × exp(± {_shown(z)} × {_shown(error)})"
        result = formats.span(Span(low=low, high=high), DIGITS)
    else:
        numbers, result = "no logarithm of a rate of 0, or no width where both rates are 1", formats.UNDEFINED
    yield Step(
        term="Katz interval, for comparison",
        formula="ratio × exp(± z √(1/a − 1/n + 1/b − 1/m))",
        numbers=numbers,
        result=result,
    )


def _significance(pair: _Pair) -> Iterator[Step]:
    a, n, b, m = pair.counts
    kind = pair.test.significance_test
    p = formats.p_value(pair.row.p_value)
    if kind is SignificanceTest.FISHER_EXACT:
        yield Step(
            term="Fisher's exact test, two-sided",
            formula="Σ P(x) over all x with P(x) ≤ P(a), margins fixed",
            numbers=f"n = {formats.count(n)}, m = {formats.count(m)}, a + b = {formats.count(a + b)}, "
            f"a = {formats.count(a)}",
            result=p,
        )
    elif kind is SignificanceTest.Z_TEST:
        z = float(significance.pooled_z(a, n, b, m).z[0])
        yield Step(
            term="Pooled z test, two-sided",
            formula="z = (p − q) / √(r (1 − r) (1/n + 1/m)), r = (a + b) / (n + m)",
            numbers=f"r = {_shown(contrast.rate(a + b, n + m))}, z = {_shown(z)}",
            result=p,
        )
    elif kind is SignificanceTest.CHI_SQUARE:
        statistic = float(significance.chi_square(a, n, b, m, yates=True).statistic[0])
        yield Step(
            term="Chi-square test with Yates's correction",
            formula="χ² = N (max(|a m − b n| − N / 2, 0))² / (n m (a + b) (N − a − b)), N = n + m",
            numbers=f"χ² = {_shown(statistic)}, 1 degree of freedom",
            result=p,
        )


def _adjustment(pair: _Pair) -> Iterator[Step]:
    adjustment = pair.test.p_value_adjustment
    if adjustment is PValueAdjustment.NONE or pair.row.p_value is None:
        return
    tested = sorted(
        (row for row in pair.finding.groups if row.p_value is not None),
        key=lambda row: _size(row.p_value),
    )
    size, rank = len(tested), tested.index(pair.row) + 1
    p = formats.p_value(pair.row.p_value)
    if adjustment is PValueAdjustment.HOLM:
        yield Step(
            term=f"Holm, rank {formats.count(rank)} of {formats.count(size)}",
            formula="(K − r + 1) p, at most 1 and at least that of rank r − 1",
            numbers=f"({formats.count(size)} − {formats.count(rank)} + 1) × {p}",
            result=formats.p_value(pair.row.adjusted_p),
        )
    else:
        yield Step(
            term=f"Benjamini-Hochberg, rank {formats.count(rank)} of {formats.count(size)}",
            formula="(K / r) p, at most 1 and at most that of rank r + 1",
            numbers=f"({formats.count(size)} / {formats.count(rank)}) × {p}",
            result=formats.p_value(pair.row.adjusted_p),
        )


def _size(value: PValue | None) -> tuple[float, float]:
    if value is None or value.log10 is None:
        return (-math.inf, 0.0)
    return (value.log10, value.p or 0.0)
