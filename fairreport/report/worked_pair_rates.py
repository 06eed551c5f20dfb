"""The steps of a pair of rates worked by hand: ratio, difference, intervals, test and verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from fairreport.analyses.pair_parameters import RateTest
from fairreport.analyses.pair_result import ConfusionRow, RatioRow, RowTest
from fairreport.analyses.pair_sides import Duel, is_beyond
from fairreport.analyses.pair_tests import ConfusionRateTest, RelativeRate
from fairreport.render import formats
from fairreport.render.pair_beside import TESTS
from fairreport.report.worked_duel import Judged, amount, sides_of
from fairreport.report.worked_pair_beside import beside_steps
from fairreport.report.worked_rates import critical_step
from fairreport.report.worked_row import (
    DIGITS,
    Step,
    WithPValue,
    adjusted_steps,
    ends,
    fisher_step,
    shown,
    wilson_step,
)
from fairreport.stats import significance
from fairreport.stats.proportion import critical_value


def ratio_steps(judged: Judged, row: RatioRow) -> Iterator[Step]:
    """Yield the steps of an impact ratio or a relative rate."""
    duel, test = judged.duel(), judged.test
    above = isinstance(test, RelativeRate)
    p, q = ("p", "q") if not above else ("q", "p")
    yield from rate_steps(duel)
    yield from _compared(duel, row.ratio, row.rate_difference, f"{q} − {p}")
    yield _beyond(judged, duel, above=above)
    yield gap_step(judged, row.rate_difference, exceeds=exceeds(judged, duel, turned=above))
    yield critical_step(test.confidence_level)
    if duel.linearised is None:
        z = critical_value(test.confidence_level)
        a, n, b, m = duel.counts
        reference = judged.reference
        yield wilson_step("Wilson interval of the group", "a, n", (a, n), z, row.rate_interval)
        if isinstance(reference, RatioRow):
            yield wilson_step("Wilson interval of the reference", "b, m", (b, m), z, reference.rate_interval)
        yield _koopman(row, z)
    else:
        yield from variance_steps(duel)
        yield from _delta(duel, row, critical_value(test.confidence_level))
    yield from significance_steps(judged, duel)
    yield from adjusted_and_verdict(judged)
    if row.shortfall is not None:
        yield _shortfall(judged, duel, row.shortfall)
    if row.beside is not None:
        yield from beside_steps(judged, row, row.beside)


def confusion_steps(judged: Judged, row: ConfusionRow) -> Iterator[Step]:
    """Yield the steps of a rate of right or wrong predictions."""
    duel, test = judged.duel(), judged.test
    turned = isinstance(test, ConfusionRateTest) and test.lower_is_better
    yield from rate_steps(duel)
    top, bottom = ("q", "p") if turned else ("p", "q")
    mine, theirs = duel.protected.rate, duel.reference.rate
    first, second = (theirs, mine) if turned else (mine, theirs)
    yield Step(
        term="Ratio, below 1 is worse",
        formula=f"{top} / {bottom}",
        numbers=f"{shown(first)} / {shown(second)}",
        result=shown(row.ratio),
    )
    yield Step(
        term="Difference, above 0 is worse",
        formula=f"{bottom} − {top}",
        numbers=f"{shown(second)} − {shown(first)}",
        result=shown(row.rate_difference),
    )
    yield held_step(judged, row.ratio)
    sides = replace(duel, protected=duel.reference, reference=duel.protected) if turned else duel
    yield gap_step(judged, row.rate_difference, exceeds=exceeds(judged, sides, turned=False))
    if duel.linearised is not None:
        yield from variance_steps(duel)
    yield from significance_steps(judged, duel)
    yield from adjusted_and_verdict(judged)


def rate_steps(duel: Duel) -> Iterator[Step]:
    """Yield both rates."""
    a, n, b, m = (amount(x) for x in sides_of(duel))
    yield Step(term="Rate of the group", formula="p = a / n", numbers=f"{a} / {n}", result=shown(duel.protected.rate))
    yield Step(
        term="Rate of the reference", formula="q = b / m", numbers=f"{b} / {m}", result=shown(duel.reference.rate)
    )


def _compared(duel: Duel, ratio: float | None, difference: float | None, formula: str) -> Iterator[Step]:
    a, n, b, m = (amount(x) for x in sides_of(duel))
    yield Step(term="Ratio", formula="(a m) / (n b)", numbers=f"({a} × {m}) / ({n} × {b})", result=shown(ratio))
    rates = {"p": shown(duel.protected.rate), "q": shown(duel.reference.rate)}
    first, second = formula.split(" − ")
    yield Step(
        term="Difference",
        formula=formula,
        numbers=f"{rates[first]} − {rates[second]}",
        result=shown(difference),
    )


def _beyond(judged: Judged, duel: Duel, *, above: bool) -> Step:
    bars = judged.printer.bars
    if duel.linearised is not None or bars.bar is None:
        return held_step(judged, duel.ratio())
    a, n, b, m = duel.counts
    share = Fraction(str(bars.bar))
    left, right = a * m * share.denominator, share.numerator * b * n
    sign = "<" if left < right else "=" if left == right else ">"
    beyond = left > right if above else left < right
    return Step(
        term=f"Ratio {bars.beyond}?",
        formula=f"a m d {'>' if above else '<'} c b n, threshold c / d",
        numbers=f"c / d = {share.numerator} / {share.denominator}: {formats.count(left)} {sign} {formats.count(right)}",
        result="yes" if beyond else "no",
    )


def held_step(judged: Judged, value: float | None) -> Step:
    """Return a figure against its threshold, both as they are decided."""
    bars = judged.printer.bars
    bar = 0.0 if bars.bar is None else bars.bar
    beyond = value is not None and is_beyond(value, bar, above=bars.above)
    return Step(
        term=f"{judged.printer.kind.heading} {bars.beyond}?",
        formula=f"strictly {'above' if bars.above else 'below'}; equal within 1e-9, relatively, is equal",
        numbers=f"{formats.fixed(value, DIGITS, against=[bar])}, threshold {bars.bar_text}",
        result="not defined" if value is None else "yes" if beyond else "no",
    )


def exceeds(judged: Judged, duel: Duel, *, turned: bool) -> bool:
    """Tell whether reference less group, or turned the reverse, is above its threshold."""
    test = judged.test
    return isinstance(test, RateTest) and duel.is_gap_above(test.percent_difference_threshold, turned=turned)


def gap_step(judged: Judged, difference: float | None, *, exceeds: bool) -> Step:
    """Return a difference against its threshold."""
    bar = judged.printer.bars.gap or 0.0
    return Step(
        term="Difference above its threshold?",
        formula="strictly above",
        numbers=f"{formats.fixed(difference, DIGITS, against=[bar])}, threshold {formats.threshold(bar)}",
        result="yes" if exceeds else "no",
    )


def _koopman(row: RatioRow, z: float) -> Step:
    return Step(
        term="Koopman interval of the ratio",
        formula="all θ with |S(θ)| ≤ z",
        numbers=f"S(low) = {shown(z)}, S(high) = {shown(-z)}",
        result=formats.span(row.ratio_interval, DIGITS),
    )


def variance_steps(duel: Duel) -> Iterator[Step]:
    """Yield the linearised variances of both rates, and their covariance."""
    _, _, linear = duel.linear()
    for term, side, own, letters in (
        ("Variance of the rate of the group", duel.protected, linear.group, ("p", "v")),
        ("Variance of the rate of the reference", duel.reference, linear.reference, ("q", "v′")),
    ):
        rate, name = letters
        hits, rest = amount(side.hit_squares), amount(side.squares - side.hit_squares)
        yield Step(
            term=term,
            formula=f"{name} = (Σ w² of favorable (1 − {rate})² + Σ w² of the others {rate}²) / (Σ w)²",
            numbers=f"({hits} × {shown(1 - (side.rate or 0))}² + {rest} × {shown(side.rate)}²) / {amount(side.total)}²",
            result=shown(own),
        )
    yield Step(
        term="Covariance of both rates",
        formula="c = Σ w u (y − p)(y − q) / (Σ w Σ u)",
        numbers=f"Σ w u = {amount(duel.crossed)}, of favorable {amount(duel.hits_crossed)}",
        result=shown(linear.covariance),
    )


def _delta(duel: Duel, row: RatioRow, z: float) -> Iterator[Step]:
    if row.ratio_interval.low is None or not duel.protected.hits or not duel.reference.hits:
        return
    p, q, linear = duel.linear()
    variance = linear.of_log_ratio(p, q)
    yield Step(
        term="Interval of the ratio",
        formula="ratio × exp(± z √(v / p² + v′ / q² − 2 c / (p q)))",
        numbers=f"{shown(row.ratio)} × exp(± {shown(z)} × {shown(variance**0.5)})",
        result=ends(row.ratio_interval),
    )


def significance_steps(judged: Judged, duel: Duel) -> Iterator[Step]:
    """Yield which test was made, and its p-value."""
    row, test = judged.row, judged.test
    if row.test is RowTest.LINEARISED:
        p, q, linear = duel.linear()
        variance = linear.of_difference
        z = (p - q) / variance**0.5 if variance > 0 else None
        yield Step(
            term="Linearised z test, two-sided",
            formula="z = (p − q) / √(v + v′ − 2 c)",
            numbers=f"({shown(p)} − {shown(q)}) / √{shown(variance)}, z = {shown(z)}",
            result=formats.p_value(row.p_value),
        )
        return
    a, n, b, m = duel.counts
    if isinstance(test, RateTest) and not isinstance(test, ConfusionRateTest):
        k, everyone = a + b, n + m
        observed = min(a, n - a, b, m - b)
        expected = min(n, m) * min(k, everyone - k) / everyone
        yield Step(
            term="Which test",
            formula="Fisher where the smallest observed or expected cell ≤ max_for_fishers",
            numbers=f"{formats.count(observed)} and {shown(expected)}, limit {formats.amount(test.max_for_fishers)}",
            result="not tested" if row.test is None else TESTS[row.test],
        )
    if row.test is RowTest.FISHER:
        yield fisher_step("Fisher’s exact test, two-sided", (a, n, b, m), row.p_value)
    elif row.test is RowTest.CHI_SQUARE:
        statistic = float(significance.chi_square(a, n, b, m, yates=True).statistic[0])
        yield Step(
            term="Chi-square test with Yates’s correction",
            formula="χ² = N (max(|a m − b n| − N / 2, 0))² / (n m (a + b) (N − a − b)), N = n + m",
            numbers=f"χ² = {shown(statistic)}, 1 degree of freedom",
            result=formats.p_value(row.p_value),
        )


def adjusted_and_verdict(judged: Judged) -> Iterator[Step]:
    """Yield the adjustment of the p-value, and the verdict."""
    row, bars = judged.row, judged.printer.bars
    method, rows = judged.family
    family: list[WithPValue] = list(rows)
    yield from adjusted_steps(method, family, row)
    verdict = {True: "yes", False: "no", None: "not defined"}[row.practically_significant]
    p = "adjusted p" if bars.is_adjusted else "p"
    yield Step(
        term="Practically significant?",
        formula=f"all of: {bars.rule}",
        numbers=f"{p} {formats.p_value(row.adjusted_p, alpha=bars.alpha)}",
        result=verdict,
    )


def _shortfall(judged: Judged, duel: Duel, found: float) -> Step:
    a, n, b, m = sides_of(duel)
    method = getattr(judged.test, "shortfall_method", "")
    rate = shown(duel.reference.rate)
    formula = "(q − p) n"
    if method == "to_combined_mean":
        formula, rate = "((a + b) / (n + m) − p) n", shown((a + b) / (n + m))
    return Step(
        term="Shortfall",
        formula=formula,
        numbers=f"({rate} − {shown(duel.protected.rate)}) × {amount(n)}",
        result=shown(found),
    )
