"""What stands beside an adverse impact ratio, worked by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fairreport.analyses.pair_result import Beside, RatioRow
from fairreport.analyses.pair_sides import Duel
from fairreport.analyses.result import PValue
from fairreport.render import formats
from fairreport.report.worked_duel import Judged, amount, sides_of
from fairreport.report.worked_row import Step, ends, p_inside, shown
from fairreport.stats.fisher import log_table_probability


def beside_steps(judged: Judged, row: RatioRow, beside: Beside) -> Iterator[Step]:
    """Yield the figures that stand beside a ratio for information."""
    sums = judged.sums()
    duel = sums.duel(judged.pair)
    a, n, b, m = sides_of(duel)
    yield Step(
        term="Below four-fifths, beside",
        formula="5 a m < 4 b n",
        numbers=f"{amount(5 * a * m)} against {amount(4 * b * n)}",
        result="yes" if beside.four_fifths_flag else "no",
    )
    if duel.linearised is None:
        yield from _exact_steps(judged, duel, row, beside)
    low, high = beside.air_missing_low, beside.air_missing_high
    if low is not None and high is not None:
        category = sums.tally.plan.pairs[judged.pair].category
        yield Step(
            term="Missing memberships at their worst",
            formula="a m / ((n + u) b) to (a + u) m / ((n + u) b)",
            numbers=f"u = {amount(sums.missing_weight(category))}",
            result=f"{shown(low)} to {shown(high)}",
        )


def _exact_steps(judged: Judged, duel: Duel, row: RatioRow, beside: Beside) -> Iterator[Step]:
    a, n, b, m = duel.counts
    yield Step(
        term="z, standard deviations",
        formula="(p − q) / √(r (1 − r) (1/n + 1/m)), r = (a + b) / (n + m)",
        numbers=f"r = {shown((a + b) / (n + m))}",
        result=shown(beside.z),
    )
    logarithm = log_table_probability(a, n, b, m).item()
    observed = PValue(p=math.exp(logarithm), log10=logarithm / math.log(10))
    for term, whole, half in (
        ("two-sided", beside.fisher_two_sided, beside.mid_p_two_sided),
        ("directional", beside.fisher_directional, beside.mid_p_directional),
    ):
        yield Step(
            term=f"Mid-p, {term}",
            formula="Fisher’s p − P(a) / 2",
            numbers=f"{p_inside(whole)} − {p_inside(observed)} / 2",
            result=formats.p_value(half),
        )
    yield _newcombe(judged, row, beside)
    persons = (beside.shortfall_to_four_fifths, beside.shortfall_to_parity)
    yield Step(
        term="Persons to four-fifths, to parity",
        formula="smallest s ≥ 0 with 5 (a + s) m ≥ 4 b n; with (a + s) m ≥ b n",
        numbers=f"a = {formats.count(a)}, m = {formats.count(m)}, b n = {formats.count(b * n)}",
        result=" and ".join(formats.ABSENT if it is None else formats.count(it) for it in persons),
    )
    yield Step(
        term="One person changes the side of four-fifths?",
        formula="a + 1 with b − 1, or a − 1 with b + 1",
        numbers=f"a = {formats.count(a)}, b = {formats.count(b)}",
        result="yes" if beside.one_person_flip else "no",
    )


def _newcombe(judged: Judged, row: RatioRow, beside: Beside) -> Step:
    reference = judged.reference
    theirs = reference.rate_interval if isinstance(reference, RatioRow) else row.rate_interval
    p, q = row.rate or 0.0, getattr(reference, "rate", None) or 0.0
    mine, d = row.rate_interval, shown(row.rate_difference)
    below = math.hypot(q - (theirs.low or 0.0), (mine.high or 0.0) - p)
    above = math.hypot((theirs.high or 0.0) - q, p - (mine.low or 0.0))
    return Step(
        term="Newcombe interval of the difference",
        formula="d − √((q − l₂)² + (u₁ − p)²) to d + √((u₂ − q)² + (p − l₁)²), d = q − p",
        numbers=f"{d} − {shown(below)} to {d} + {shown(above)}",
        result=ends(beside.difference_interval),
    )
