"""The steps of a pair of odds and of a pair of means worked by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fairreport.analyses.pair_result import MeanRow, OddsRow, RowTest
from fairreport.analyses.pair_sides import Duel
from fairreport.analyses.pair_tests import MeanDifferenceTest, OddsRatio, SpreadKind
from fairreport.render import formats
from fairreport.report.worked_duel import Judged, amount, sides_of
from fairreport.report.worked_pair_rates import (
    adjusted_and_verdict,
    exceeds,
    gap_step,
    held_step,
    rate_steps,
    significance_steps,
    variance_steps,
)
from fairreport.report.worked_row import Step, shown, taken
from fairreport.report.worked_row import ends as span_of
from fairreport.stats.linearised import Linearised, Products
from fairreport.stats.proportion import critical_value
from fairreport.tables.pair_tally import MeanSums, MeanTally


def odds_steps(judged: Judged, row: OddsRow) -> Iterator[Step]:
    """Yield the steps of an odds ratio."""
    duel, test = judged.duel(), judged.test
    a, n, b, m = sides_of(duel)
    yield from rate_steps(duel)
    yield Step(
        term="Odds ratio",
        formula="a (m − b) / (b (n − a))",
        numbers=f"{amount(a)} × {amount(m - b)} / ({amount(b)} × {amount(n - a)})",
        result=shown(row.odds_ratio),
    )
    turned = isinstance(test, OddsRatio) and test.lower_is_favorable
    first, second = (row.positive_rate, duel.reference.rate)
    if not turned:
        first, second = second, first
    yield Step(
        term="Difference",
        formula="p − q" if turned else "q − p",
        numbers=f"{shown(first)} − {shown(second)}",
        result=shown(row.rate_difference),
    )
    yield held_step(judged, row.odds_ratio)
    yield gap_step(judged, row.rate_difference, exceeds=exceeds(judged, duel, turned=turned))
    if duel.linearised is None:
        yield Step(
            term="Conditional odds ratio",
            formula="ψ at which a is the expected count, margins fixed",
            numbers=f"a = {amount(a)}, n = {amount(n)}, m = {amount(m)}, a + b = {amount(a + b)}",
            result=shown(row.odds_ratio_conditional),
        )
        formula = "all ψ with both tails ≥ (1 − level) / 2"
        numbers = f"level {formats.level(test.confidence_level)}"
    else:
        yield from variance_steps(duel)
        formula = "odds ratio × exp(± z √(v / (p (1 − p))² + v′ / (q (1 − q))² − 2 c / (p (1 − p) q (1 − q))))"
        numbers = "not defined" if row.odds_interval.low is None else _log_odds(duel, row, test.confidence_level)
    yield Step(term="Interval of the odds ratio", formula=formula, numbers=numbers, result=span_of(row.odds_interval))
    yield from significance_steps(judged, duel)
    yield from adjusted_and_verdict(judged)


def _log_odds(duel: Duel, row: OddsRow, level: float) -> str:
    p, q, linear = duel.linear()
    error = math.sqrt(linear.of_log_odds(p, q))
    return f"{shown(row.odds_ratio)} × exp(± {shown(critical_value(level))} × {shown(error)})"


def mean_steps(judged: Judged, row: MeanRow) -> Iterator[Step]:
    """Yield the steps of a standardized difference of means."""
    test, reference = judged.test, judged.reference
    other = reference.mean if isinstance(reference, MeanRow) else None
    yield Step(
        term="Difference of means",
        formula="mean of the group − mean of the reference",
        numbers=f"{shown(row.mean)} − {taken(other)}",
        result=shown(row.mean_difference),
    )
    yield from _spread(judged, row)
    yield Step(
        term="Standardized difference",
        formula="difference of means / s",
        numbers=f"{shown(row.mean_difference)} / {shown(row.sd)}",
        result=shown(row.smd),
    )
    yield held_step(judged, row.smd)
    yield from _mean_test(judged, row)
    if isinstance(test, MeanDifferenceTest):
        yield from adjusted_and_verdict(judged)


def _tally(judged: Judged) -> MeanTally:
    tally = judged.record.finding.evidence if judged.record.finding else None
    if not isinstance(tally, MeanTally):
        raise TypeError(type(tally).__name__)
    return tally


def _squares(sums: MeanSums) -> float:
    if sums.low == sums.high:
        return 0.0
    return max(sums.second - sums.first * sums.first / float(sums.total), 0.0)


def _spread(judged: Judged, row: MeanRow) -> Iterator[Step]:
    tally, test = _tally(judged), judged.test
    pair = tally.plan.pairs[judged.pair]
    if isinstance(test, MeanDifferenceTest) and test.sd is SpreadKind.POPULATION:
        sums = tally.everyone[pair.category]
        yield Step(
            term="Standard deviation, population",
            formula="s = √(Σ w (x − mean)² / Σ w)",
            numbers=f"√({shown(_squares(sums))} / {amount(sums.total)})",
            result=shown(row.sd),
        )
        return
    mine, theirs = tally.groups[pair.protected], tally.groups[pair.reference]
    n = mine.n + theirs.n
    yield Step(
        term="Standard deviation, pooled",
        formula="s = √((Q + R) / (W + V) × N / (N − 2)), Q and R the sums of w (x − own mean)²",
        numbers=f"Q = {shown(_squares(mine))}, R = {shown(_squares(theirs))}, W + V = "
        f"{amount(mine.total + theirs.total)}, N = {formats.count(n)}",
        result=shown(row.sd),
    )


def _mean_test(judged: Judged, row: MeanRow) -> Iterator[Step]:
    tally = _tally(judged)
    pair = tally.plan.pairs[judged.pair]
    mine, theirs = tally.groups[pair.protected], tally.groups[pair.reference]
    p = formats.p_value(row.p_value)
    n, m = mine.n, theirs.n
    difference = shown(row.mean_difference)
    if row.test is RowTest.POOLED_T and n + m > 2:
        s = math.sqrt((_squares(mine) + _squares(theirs)) / (n + m - 2))
        error = s * math.sqrt(1 / n + 1 / m)
        yield Step(
            term="Pooled t test, two-sided",
            formula="t = difference / (s √(1/n + 1/m)), n + m − 2 degrees of freedom",
            numbers=f"{difference} / {shown(error)}, {formats.count(n + m - 2)} degrees of freedom",
            result=p,
        )
    elif row.test is RowTest.WELCH_T and n > 1 and m > 1:
        error = math.sqrt(_squares(mine) / (n - 1) / n + _squares(theirs) / (m - 1) / m)
        yield Step(
            term="Welch’s t test, two-sided",
            formula="t = difference / √(s²/n + u²/m)",
            numbers=f"{difference} / {shown(error)}",
            result=p,
        )
    elif row.test is RowTest.LINEARISED:
        yield from _linearised(judged, row)


def _linearised(judged: Judged, row: MeanRow) -> Iterator[Step]:
    tally = _tally(judged)
    pair = tally.plan.pairs[judged.pair]
    mine, theirs, both = tally.groups[pair.protected], tally.groups[pair.reference], tally.pairs[judged.pair]
    own, other = _centred(mine), _centred(theirs)
    crossed = Products(weight=float(both.weight), first=both.first, second=both.second).about(own, other)
    linear = Linearised(
        group=_variance(mine),
        reference=_variance(theirs),
        covariance=crossed / (float(mine.total) * float(theirs.total))
        if _variance(mine) and _variance(theirs)
        else 0.0,
    )
    yield Step(
        term="Variances of both means, and covariance",
        formula="v = Σ w² (x − mean)² / (Σ w)²; c = Σ w u (x − mean)(x − mean′) / (Σ w Σ u)",
        numbers=f"Σ w = {amount(mine.total)}, Σ u = {amount(theirs.total)}",
        result=f"{shown(linear.group)}, {shown(linear.reference)}; {shown(linear.covariance)}",
    )
    yield Step(
        term="Linearised z test, two-sided",
        formula="z = difference / √(v + v′ − 2 c)",
        numbers=f"{shown(row.mean_difference)} / √{shown(linear.of_difference)}",
        result=formats.p_value(row.p_value),
    )


def _centred(sums: MeanSums) -> float:
    """Return the mean, off the common centre."""
    return sums.low if sums.low == sums.high else sums.first / float(sums.total)


def _variance(sums: MeanSums) -> float:
    if sums.low == sums.high:
        return 0.0
    products = Products(weight=float(sums.squares), first=sums.squares_first, second=sums.squares_second)
    at = _centred(sums)
    return max(products.about(at, at), 0.0) / float(sums.total) ** 2
