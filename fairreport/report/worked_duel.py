"""A row of named pairs with the sums it was judged from: what is worked by hand, and how that is found again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.pair_confusion import confusion_table
from fairreport.analyses.pair_parameters import PairTest, RateTest
from fairreport.analyses.pair_result import PairTable, Row
from fairreport.analyses.pair_sides import Duel, TableSums
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    ConfusionRateTest,
    OddsRatio,
    RelativeRate,
    SegmentedAdverseImpactRatio,
)
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.audit.record import PairRecord
from fairreport.render import formats
from fairreport.render.pair_tables import PairPrinter, level_of
from fairreport.render.pair_words import GRAVEST, severity_of
from fairreport.render.views import Name, Sentence
from fairreport.report.worked_row import shown
from fairreport.tables.pair_tally import MeanTally, PairTally


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A compared row.

    Attributes
    ----------
    record : PairRecord
        Its test.
    printer : PairPrinter
        How its numbers print.
    table : int
        Position of its table.
    pair : int
        Position of its pair.
    row, reference : Row
        The row and that of its reference.
    """

    record: PairRecord
    printer: PairPrinter
    table: int
    pair: int
    row: Row
    reference: Row

    @property
    def test(self) -> PairTest:
        """The test."""
        return self.record.test

    @property
    def gravity(self) -> tuple[int, float]:
        """What rows are chosen by, the gravest first."""
        value, _ = self.printer.judged(self.row)
        return GRAVEST.index(self.printer.words(self.row).kind), severity_of(value, self.printer.bars)

    @property
    def where(self) -> Sentence:
        """Of which quantile, category or segment it is; empty where there is one table only."""
        level = level_of(self._tables[self.table])
        return Sentence(()) if level is None else level.title

    @property
    def group(self) -> Name:
        """Its name."""
        return Name.of(self.row.group)

    @property
    def family(self) -> tuple[PValueAdjustment, list[Row]]:
        """How its p-value is adjusted, and the rows that are adjusted together."""
        test, method = self.test, self.test.p_value_adjustment
        if isinstance(test, SegmentedAdverseImpactRatio):
            at = self._tables[self.table].rows.index(self.row)
            return PValueAdjustment.BENJAMINI_HOCHBERG, [table.rows[at] for table in self._tables]
        if isinstance(test, AdverseImpactRatioByQuantile) and test.adjust_over_quantiles:
            together = PValueAdjustment.HOLM if method is PValueAdjustment.NONE else method
            return together, [row for table in self._tables for row in table.rows]
        return method, list(self._tables[self.table].rows)

    @property
    def _tables(self) -> tuple[PairTable, ...]:
        finding = self.record.finding
        return () if finding is None else finding.tables

    def sums(self) -> TableSums:
        """Return the sums of its table.

        Raises
        ------
        TypeError
            If its test compares no rates.
        """
        tally = self.record.finding.evidence if self.record.finding else None
        if not isinstance(tally, PairTally):
            raise TypeError(type(tally).__name__)
        return sums_of(self.test, tally, self.table)

    def duel(self) -> Duel:
        """Return the sums of both sides."""
        return self.sums().duel(self.pair)


def sums_of(test: PairTest, tally: PairTally, table: int) -> TableSums:
    """Return the sums of one table of a test of rates, as it was judged."""
    match test:
        case ConfusionRateTest():
            return confusion_table(tally, test)
        case RelativeRate():
            return TableSums.of(tally, hits=lambda cell: not cell.level)
        case OddsRatio():
            return TableSums.of(tally, hits=lambda cell: cell.level >= 1)
        case SegmentedAdverseImpactRatio():
            inside = [cell for cell in tally.cells if cell.segment == tally.segments[table]]
            return TableSums.of(tally, hits=lambda cell: cell.level >= 1, cells=inside)
    if not isinstance(test, RateTest):
        raise TypeError(type(test).__name__)
    lowest = tally.tables[table].level
    return TableSums.of(tally, hits=lambda cell: cell.level >= lowest)


def judged_rows(record: PairRecord) -> Iterator[Judged]:
    """Yield the compared rows of all tables of a test that was judged from sums."""
    finding = record.finding
    tally = None if finding is None else finding.evidence
    if finding is None or tally is None:
        return
    printer = PairPrinter(record.test, finding)
    order = _positions(tally)
    for number, table in enumerate(finding.tables):
        reference: Row | None = None
        compared = iter(order)
        for row in table.rows:
            if row.is_reference:
                reference = row
            elif reference is not None:
                yield Judged(
                    record=record, printer=printer, table=number, pair=next(compared), row=row, reference=reference
                )


def _positions(tally: PairTally | MeanTally) -> list[int]:
    """Return the positions of the pairs in the order of the rows."""
    found: dict[tuple[int, int], list[int]] = {}
    for position, pair in enumerate(tally.plan.pairs):
        found.setdefault((pair.category, pair.reference), []).append(position)
    return [position for positions in found.values() for position in positions]


def amount(value: float) -> str:
    """Return a sum of weights with the decimals of a worked row, a whole one as a count."""
    return formats.count(int(value)) if value == int(value) else shown(value)


def sides_of(duel: Duel) -> tuple[float | int, float | int, float | int, float | int]:
    """Return counted and total of the group, then of the reference."""
    return duel.protected.hits, duel.protected.total, duel.reference.hits, duel.reference.total
