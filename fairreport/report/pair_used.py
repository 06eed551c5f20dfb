"""What the computed tests of named pairs use: the methods section explains that and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.pair_parameters import ImpactRatioTest, PairTest, ShortfallMethod
from fairreport.analyses.pair_result import PairFinding, PooledRow, RatioRow, Row, RowTest
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    RelativeRate,
    ResidualStandardizedMeanDifference,
    SegmentedAdverseImpactRatio,
    SpreadKind,
)
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.audit.record import AuditRecord, PairRecord
from fairreport.tables.pair_needs import WeightKind


@dataclass(frozen=True, slots=True, kw_only=True)
class PairUsed:
    """The computed tests of named pairs with their findings, asked for what they use."""

    entries: tuple[tuple[PairTest, PairFinding], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    def has(self, *kinds: type[PairTest]) -> bool:
        """Tell whether a test of one of these kinds was computed."""
        return any(isinstance(test, kinds) for test, _ in self.entries)

    @property
    def confusion(self) -> tuple[ConfusionRateTest, ...]:
        """The tests of right and wrong predictions."""
        return tuple(test for test, _ in self.entries if isinstance(test, ConfusionRateTest))

    @property
    def has_ratios(self) -> bool:
        """Whether impact ratios or relative rates are compared."""
        return self.has(ImpactRatioTest, RelativeRate)

    @property
    def tests(self) -> frozenset[RowTest]:
        """The tests that were made of rows."""
        return frozenset(row.test for row in self.rows() if row.test is not None)

    @property
    def is_linearised(self) -> bool:
        """Whether some pair is tested by linearisation."""
        return RowTest.LINEARISED in self.tests

    @property
    def has_exact_ratios(self) -> bool:
        """Whether some ratio has an interval made from whole numbers."""
        return any(isinstance(row, RatioRow) and self._is_exact(row) for row in self.rows())

    @property
    def has_beside(self) -> bool:
        """Whether figures for information stand beside some ratio."""
        return any(isinstance(row, RatioRow) and row.beside is not None for row in self.rows())

    @property
    def has_exact_beside(self) -> bool:
        """Whether exact ones do."""
        return any(isinstance(row, RatioRow) and row.beside is not None and self._is_exact(row) for row in self.rows())

    @property
    def has_missing(self) -> bool:
        """Whether rows lack a membership in some category."""
        return any(row.percent_missing for row in self.rows() if not isinstance(row, PooledRow))

    @property
    def has_exact_pools(self) -> bool:
        """Whether some pair is pooled by Cochran, Mantel and Haenszel."""
        return RowTest.CMH in self.tests

    @property
    def has_linearised_pools(self) -> bool:
        """Whether some pair is pooled from linearised segments."""
        return any(isinstance(row, PooledRow) and row.test is RowTest.LINEARISED for row in self.rows())

    @property
    def is_weighed(self) -> bool:
        """Whether rows are weighed."""
        return any(found.weights is not WeightKind.NONE for _, found in self.entries)

    def weighs(self, kind: WeightKind) -> bool:
        """Tell whether weights of a kind are used."""
        return any(found.weights is kind for _, found in self.entries)

    def spreads(self, kind: SpreadKind) -> bool:
        """Tell whether differences of means are divided by this standard deviation."""
        return any(isinstance(test, MeanDifferenceTest) and test.sd is kind for test, _ in self.entries)

    def counts_up_to(self, method: ShortfallMethod) -> bool:
        """Tell whether shortfalls are counted this way."""
        return any(isinstance(test, ImpactRatioTest) and test.shortfall_method is method for test, _ in self.entries)

    def adjusts(self, method: PValueAdjustment) -> bool:
        """Tell whether p-values are adjusted this way."""
        return any(method in _adjustments(test) for test, _ in self.entries)

    @property
    def has_p_values(self) -> bool:
        """Whether anything is tested."""
        return bool(self.tests)

    @property
    def is_held_against_labels(self) -> bool:
        """Whether anything is held against what really happened."""
        return any(pairs_hold_against_labels(test) for test, _ in self.entries)

    def rows(self) -> Iterator[Row | PooledRow]:
        """Yield all rows, those of references too."""
        for _, found in self.entries:
            for table in found.tables:
                yield from table.rows
            yield from found.pooled

    @staticmethod
    def _is_exact(row: RatioRow) -> bool:
        return row.test in {RowTest.FISHER, RowTest.CHI_SQUARE}


def pairs_used(record: AuditRecord) -> PairUsed:
    """Return what the computed tests of named pairs of an audit use."""
    return PairUsed(entries=tuple((it.test, it.finding) for it in record.pairs if is_computed(it) and it.finding))


def is_computed(record: PairRecord) -> bool:
    """Tell whether a test has figures; one without any verdict has some, and each null with its reason."""
    return record.finding is not None


def pairs_hold_against_labels(test: PairTest) -> bool:
    """Tell whether a test of named pairs holds predictions against what really happened."""
    return isinstance(test, (ConfusionRateTest, CustomDisparityMetric, ResidualStandardizedMeanDifference))


def is_segmented(test: PairTest) -> bool:
    """Tell whether a test of named pairs pools over segments."""
    return isinstance(test, SegmentedAdverseImpactRatio)


def _adjustments(test: PairTest) -> set[PValueAdjustment]:
    stated = test.p_value_adjustment
    found = {stated} - {PValueAdjustment.NONE}
    if isinstance(test, CustomDisparityMetric):
        return set()
    if isinstance(test, SegmentedAdverseImpactRatio):
        found.add(PValueAdjustment.BENJAMINI_HOCHBERG)
    if isinstance(test, AdverseImpactRatioByQuantile) and test.adjust_over_quantiles and not found:
        found.add(PValueAdjustment.HOLM)
    return found
