"""Named pairs in sentences: how many are what, when one is practically significant, and the key insights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairreport.analyses.pair_result import OddsRow, PooledRow, RatioRow, Row
from fairreport.render import formats
from fairreport.render.pair_kinds import FOUR_FIFTHS, number
from fairreport.render.pair_tables import PairPrinter, level_of
from fairreport.render.pair_view import PairCounts
from fairreport.render.pair_words import GRAVEST, Bars, severity_of
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.render.words import Kind

_FIELD_OF = {
    Kind.BELOW_SIGNIFICANT: "significant",
    Kind.BELOW_CHANCE: "may_be_chance",
    Kind.SMALL_GAP: "small_gap",
    Kind.REACHES_BELOW: "reaches",
    Kind.AT_OR_ABOVE: "meets",
    Kind.NOT_DEFINED: "undefined",
    Kind.NO_RATIO: "not_judged",
}


def counts_of(kinds: Iterable[Kind]) -> PairCounts:
    """Return how many comparisons are what; references count nowhere."""
    found: dict[str, int] = {}
    for kind in kinds:
        if kind in _FIELD_OF:
            found[_FIELD_OF[kind]] = found.get(_FIELD_OF[kind], 0) + 1
    return PairCounts(**found)


def counted(counts: PairCounts, *, beyond: str, within: str) -> str:
    """Return how many comparisons are what, in the words of the finding column.

    Parameters
    ----------
    counts : PairCounts
        The numbers.
    beyond, within : str
        The two sides of the threshold in words.

    Examples
    --------
    >>> counted(PairCounts(significant=1, meets=2), beyond="below 0.80", within="at or above 0.80")
    '1 practically significant, 2 at or above 0.80'
    """
    if counts.not_judged and counts.not_judged == counts.compared:
        return "no threshold stated"
    parts = [f"{formats.count(counts.significant)} practically significant"]
    if counts.may_be_chance:
        parts.append(f"{formats.count(counts.may_be_chance)} {beyond}, may be chance")
    if counts.small_gap:
        parts.append(f"{formats.count(counts.small_gap)} {beyond} with a difference within its limit")
    if counts.reaches:
        parts.append(f"{formats.count(counts.reaches)} {within} with the interval reaching beyond")
    if counts.meets or not counts.reaches:
        parts.append(f"{formats.count(counts.meets)} {within}")
    if counts.undefined:
        parts.append(f"{formats.count(counts.undefined)} not defined")
    if counts.not_judged:
        parts.append(f"{formats.count(counts.not_judged)} without a threshold")
    return ", ".join(parts)


def counts_sentence(counts: PairCounts, bars: Bars) -> Sentence:
    """Return how many comparisons of a test are what, as a sentence."""
    compared = formats.plural(counts.compared, "comparison", "comparisons")
    return said(f"Of {compared}: {counted(counts, beyond=bars.beyond, within=bars.within)}.")


def rule_sentence(printer: PairPrinter) -> Sentence:
    """Return when a pair is practically significant."""
    if printer.bars.bar is None:
        return said("No threshold is stated, so no pair is judged.")
    rule = printer.pooled_bars.rule if printer.finding.pooled else printer.bars.rule
    segments = "; segments by their own ratio and adjusted p" if printer.finding.pooled else ""
    return said(f"Practically significant: {printer.kind.noun} {rule}, all at once{segments}.")


def insights_of(printer: PairPrinter) -> tuple[Sentence, ...]:
    """Return facts of a test with their numbers, most important first."""
    return tuple(_insights(printer))


def _insights(printer: PairPrinter) -> Iterator[Sentence]:
    rows = [(table, row) for table in printer.finding.tables for row in table.rows if not row.is_reference]
    judged = [(table, row) for table, row in rows if printer.judged(row)[0] is not None]
    if judged:
        table, row = min(judged, key=lambda item: _gravity(printer, item[1]))
        level = level_of(table)
        yield said("Gravest: ") + printer.sentence(row, level.where if level else ())
    for pooled in printer.finding.pooled:
        if pooled.direction_reverses:
            yield _reversal(printer, pooled)
    yield from _shortfall(printer, [row for _, row in rows])
    yield from _flips(printer, [row for _, row in rows])
    yield from _missing(printer, [row for _, row in rows])
    yield from _disagreement(printer, [row for _, row in rows])


def _gravity(printer: PairPrinter, row: Row) -> tuple[int, float]:
    return GRAVEST.index(printer.words(row).kind), severity_of(printer.judged(row)[0], printer.bars)


def _reversal(printer: PairPrinter, row: PooledRow) -> Sentence:
    crude, pooled = number(row.crude_air, against=[1.0]), number(row.air, against=[1.0])
    return said(*printer.said_name(row), f": AIR {crude} over all rows, {pooled} pooled; the direction reverses.")


def _shortfall(printer: PairPrinter, rows: list[Row]) -> Iterator[Sentence]:
    lacking = [(row.shortfall, row) for row in rows if isinstance(row, RatioRow) and row.shortfall is not None]
    if lacking and not printer.has_levels:
        most, row = max(lacking, key=lambda item: item[0])
        told = f": {formats.fixed(most, 1)} favorable outcomes fewer than at the rate it is held against."
        yield said("Largest shortfall, ", *printer.said_name(row), told)


def _flips(printer: PairPrinter, rows: list[Row]) -> Iterator[Sentence]:
    found = [row for row in rows if isinstance(row, RatioRow) and row.beside and row.beside.one_person_flip]
    if found:
        names: list[str | Name] = []
        for row in found[:3]:
            names += [", ", *printer.said_name(row)] if names else printer.said_name(row)
        more = f" and {formats.count(len(found) - 3)} more" if len(found) > 3 else ""
        yield said("One favorable outcome moved changes the side of four-fifths: ", *names, f"{more}.")


def _missing(printer: PairPrinter, rows: list[Row]) -> Iterator[Sentence]:
    """Yield the group whose missing memberships, at their worst, move its ratio across four-fifths."""
    for row in rows:
        beside = row.beside if isinstance(row, RatioRow) else None
        if beside is None or beside.air_missing_low is None or beside.air_missing_high is None:
            continue
        if beside.air_missing_low < FOUR_FIFTHS <= beside.air_missing_high and row.percent_missing:
            low = number(beside.air_missing_low, against=[FOUR_FIFTHS])
            high = number(beside.air_missing_high, against=[FOUR_FIFTHS])
            told = f": AIR from {low} to {high} with missing memberships at their worst, across four-fifths."
            yield said(*printer.said_name(row), told)
            return


def _disagreement(printer: PairPrinter, rows: list[Row]) -> Iterator[Sentence]:
    for row in rows:
        if isinstance(row, OddsRow) and row.interval_test_disagree:
            interval, p = printer.interval(row.odds_interval), formats.p_value(row.p_value)
            yield said(*printer.said_name(row), f": interval {interval} and test (p {p}) disagree.")
            return
