"""One pair pooled over its segments worked by hand, segment by segment."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.pair_result import PooledRow as PooledPair
from fairreport.analyses.pair_result import RowTest
from fairreport.analyses.pair_tests import SegmentedAdverseImpactRatio
from fairreport.audit.record import AuditRecord, PairRecord
from fairreport.render import formats
from fairreport.render.pair_tables import PairPrinter
from fairreport.render.pair_words import GRAVEST, severity_of
from fairreport.render.views import Name
from fairreport.report.pooling import DIGITS, PooledRow, Stratum
from fairreport.report.worked_duel import sums_of
from fairreport.report.worked_row import Step, ends, shown
from fairreport.stats import strata
from fairreport.stats.proportion import critical_value
from fairreport.tables.pair_tally import PairTally

_SHOWN = 12

Counts = tuple[int, int, int, int]
"""Favorable and total of the group, then of the reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedPool:
    """A pooled pair worked by hand: its ratio from the segments, then the steps from there to the verdict."""

    ratio: PooledRow
    steps: tuple[Step, ...]


def work_pool(record: AuditRecord) -> WorkedPool | None:
    """Return the gravest pooled pair of whole numbers, worked by hand; None where there is none."""
    found = [
        (_gravity(entry, row), position, at, entry, row)
        for position, entry in enumerate(record.pairs)
        if entry.finding is not None
        for at, row in enumerate(entry.finding.pooled)
        if row.test is RowTest.CMH and row.air is not None
    ]
    if not found:
        return None
    _, _, at, entry, row = min(found, key=lambda item: item[:3])
    return _worked(entry, at, row)


def _gravity(entry: PairRecord, row: PooledPair) -> tuple[int, float]:
    if entry.finding is None:
        raise TypeError("no finding")
    printer = PairPrinter(entry.test, entry.finding)
    return GRAVEST.index(printer.words(row).kind), severity_of(row.air, printer.bars)


def _worked(entry: PairRecord, at: int, row: PooledPair) -> WorkedPool:
    test, tally = entry.test, entry.finding.evidence if entry.finding else None
    if not isinstance(test, SegmentedAdverseImpactRatio) or not isinstance(tally, PairTally):
        raise TypeError(type(tally).__name__)
    duels = {name: sums_of(test, tally, i).duel(at) for i, name in enumerate(tally.segments)}
    shared = {name: duel.counts for name, duel in duels.items() if not duel.is_empty}
    terms = [(a * m / (n + m), b * n / (n + m)) for a, n, b, m in shared.values()]
    own, other = (math.fsum(term[side] for term in terms) for side in (0, 1))
    more = len(shared) - _SHOWN
    ratio = PooledRow(
        test=Name.of(entry.name),
        group=Name.of(row.group),
        reference=Name.of(row.reference_group),
        controls=Name.of(test.segment),
        strata=tuple(
            Stratum(
                name=Name.of(name),
                counts=tuple(map(formats.count, counts)),
                group_term=formats.fixed(mine, DIGITS),
                reference_term=formats.fixed(theirs, DIGITS),
            )
            for (name, counts), (mine, theirs) in list(zip(shared.items(), terms, strict=True))[:_SHOWN]
        ),
        more=f"{formats.plural(more, 'further segment', 'further segments')} in results.json, under evidence."
        if more > 0
        else "",
        group_sum=formats.fixed(own, DIGITS),
        reference_sum=formats.fixed(other, DIGITS),
        ratio=formats.fixed(row.air, DIGITS),
    )
    return WorkedPool(ratio=ratio, steps=tuple(_steps(test, list(shared.values()), row)))


def _steps(test: SegmentedAdverseImpactRatio, counts: list[Counts], row: PooledPair) -> Iterator[Step]:
    columns = [list(column) for column in zip(*counts, strict=True)]
    own = math.fsum(a * m / (n + m) for a, n, b, m in counts)
    other = math.fsum(b * n / (n + m) for a, n, b, m in counts)
    spread = math.fsum((n * m * (a + b) - a * b * (n + m)) / (n + m) ** 2 for a, n, b, m in counts)
    z = critical_value(test.confidence_level)
    if row.air:
        yield Step(
            term="Greenland-Robins interval",
            formula="ratio × exp(± z √v), v = Σ (n m (a + b) − a b N) / N² / (Σ a m / N × Σ b n / N)",
            numbers=f"v = {shown(spread)} / ({shown(own)} × {shown(other)}), z = {shown(z)}",
            result=ends(row.air_interval),
        )
    yield Step(
        term="Pooled difference",
        formula="(Σ b n / N − Σ a m / N) / Σ n m / N",
        numbers=f"({shown(other)} − {shown(own)}) / {shown(math.fsum(n * m / (n + m) for _, n, _, m in counts))}",
        result=shown(row.rate_difference),
    )
    excess = math.fsum(a - n * (a + b) / (n + m) for a, n, b, m in counts)
    yield Step(
        term="Cochran-Mantel-Haenszel test",
        formula="χ² = (Σ (a − n k / N))² / Σ V, k = a + b",
        numbers=f"Σ (a − n k / N) = {shown(excess)}, χ² = {shown(row.cmh.statistic)}, 1 degree of freedom",
        result=formats.p_value(row.p_value),
    )
    if row.ratio_q.statistic is not None:
        yield Step(
            term="Q, of ratios of rates",
            formula="Σ (ln ratio − ln pooled ratio)² / v",
            numbers=f"Q = {shown(row.ratio_q.statistic)}, {_degrees(row.ratio_q.df)}",
            result=formats.p_value(row.ratio_q.p_value),
        )
    odds = strata.mantel_haenszel_odds_ratio(*columns, level=test.confidence_level)
    if row.odds_ratio is not None:
        yield Step(
            term="Pooled odds ratio",
            formula="Σ (a (m − b) / N) / Σ (b (n − a) / N)",
            numbers=f"{_segments(odds.n_strata)}, interval of Robins, Breslow and Greenland {ends(row.odds_interval)}",
            result=shown(row.odds_ratio),
        )
    if row.breslow_day_tarone.statistic is not None:
        found = row.breslow_day_tarone
        yield Step(
            term="Breslow-Day-Tarone, of odds ratios",
            formula="Σ (a − A)² / V − (Σ (a − A))² / Σ V",
            numbers=f"χ² = {shown(found.statistic)}, {_degrees(found.df)}",
            result=formats.p_value(found.p_value),
        )


def _degrees(df: int | None) -> str:
    return formats.plural(df or 0, "degree of freedom", "degrees of freedom")


def _segments(n: int) -> str:
    return formats.plural(n, "segment", "segments")
