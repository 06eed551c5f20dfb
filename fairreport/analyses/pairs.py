"""Named pairs of groups: what a test needs of the table, and the judgement from its tally. No row is seen here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fairreport.analyses.pair_confusion import confusion_drafts, confusion_table
from fairreport.analyses.pair_draft import Draft, settle
from fairreport.analyses.pair_mean import mean_drafts
from fairreport.analyses.pair_notes import pair_notes, row_notes
from fairreport.analyses.pair_odds import odds_drafts
from fairreport.analyses.pair_parameters import ImpactRatioTest, PairTest, RateTest
from fairreport.analyses.pair_pooled import pooled_drafts
from fairreport.analyses.pair_ratio import RatioRules, ratio_drafts
from fairreport.analyses.pair_result import ConfusionRow, PairFinding, PairTable, PooledRow, RatioRow, Row
from fairreport.analyses.pair_sides import TableSums
from fairreport.analyses.pair_tests import (
    AdverseImpactRatio,
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    ConfusionRateTest,
    MeanDifferenceTest,
    OddsRatio,
    RelativeRate,
    ResidualStandardizedMeanDifference,
    SegmentedAdverseImpactRatio,
    StandardizedMeanDifference,
)
from fairreport.analyses.pair_units import told_rows, told_tables
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.tables.needs import Reading
from fairreport.tables.pair_means import gather_means
from fairreport.tables.pair_needs import OutcomeKind, PairNeeds
from fairreport.tables.pair_tally import FavorableFrom, MeanTally, PairCell, PairTally
from fairreport.tables.pairs import gather_pairs
from fairreport.tables.source import Table

SKIPPED = "all_groups_undefined"

Measurements = Mapping[str, float | int | None]


def needs(test: PairTest) -> PairNeeds:
    """Return what a test of named pairs needs of the table."""
    own: dict[str, Any] = {}
    if isinstance(test, ResidualStandardizedMeanDifference):
        own = {"outcome": test.label, "subtracted": test.prediction, "kind": OutcomeKind.NUMBER}
    elif isinstance(test, StandardizedMeanDifference):
        own = {"outcome": test.outcome, "kind": OutcomeKind.NUMBER}
    elif isinstance(test, RateTest):
        own = {"outcome": test.outcome}
        if isinstance(test, (ImpactRatioTest, RelativeRate, ConfusionRateTest)):
            own["label"] = test.label
    else:
        raise TypeError(type(test).__name__)
    if isinstance(test, AdverseImpactRatioByQuantile):
        own |= {
            "kind": OutcomeKind.SCORE,
            "quantiles": test.quantiles,
            "lower_is_favorable": test.lower_is_favorable,
        }
    elif isinstance(test, CategoricalAdverseImpactRatio):
        own |= {"kind": OutcomeKind.CATEGORY, "category_order": test.category_order}
    elif isinstance(test, SegmentedAdverseImpactRatio):
        own["segment"] = test.segment
    return PairNeeds(
        protected=test.protected_groups or (),
        references=test.reference_groups or (),
        categories=test.group_categories or (),
        reference_values=test.reference_values or {},
        weight=test.sample_weight,
        weight_kind=test.weights,
        **own,
    )


def gather(table: Table, test: PairTest, reading: Reading) -> PairTally | MeanTally:
    """Return the tally of a test.

    Raises
    ------
    ConfigError
        If the columns do not hold what is wanted; everything at once.
    """
    if isinstance(test, MeanDifferenceTest):
        return gather_means(table, needs(test), reading)
    return gather_pairs(table, needs(test), reading)


def judge_pairs(test: PairTest, tally: PairTally | MeanTally) -> PairFinding:
    """Return what a test of named pairs finds in its tally.

    A changed threshold, level, adjustment or method needs no new scan: call this again.

    Parameters
    ----------
    test : PairTest
        The test with its parameters.
    tally : PairTally or MeanTally
        Its evidence.
    """
    if isinstance(test, MeanDifferenceTest):
        if not isinstance(tally, MeanTally):
            raise TypeError(type(tally).__name__)
        drafts, labels = [mean_drafts(tally, test)], [FavorableFrom(level=0)]
        pooled: list[Draft] = []
    elif isinstance(tally, PairTally) and isinstance(test, RateTest):
        drafts, pooled, labels = _rate_drafts(test, tally)
    else:
        raise TypeError(type(tally).__name__)
    segments = tally.segments if isinstance(tally, PairTally) else ()
    tables, pooled_rows = _settled(test, drafts, pooled, labels, segments)
    rows = [row for table in tables for row in table.rows if not row.is_reference]
    judged: list[Row | PooledRow] = [*rows, *pooled_rows]
    skipped = all(row.practically_significant is None for row in judged)
    return PairFinding(
        analysis=test.analysis,
        tables=told_tables(tables, tally.rows.weight_unit),
        pooled=told_rows(pooled_rows),
        rows=tally.rows,
        weights=tally.weights,
        measurements=MappingProxyType({} if skipped else _measure(judged, test)),
        skip_code=SKIPPED if skipped else None,
        has_label=getattr(test, "label", None) is not None and isinstance(test, (ImpactRatioTest, RelativeRate)),
        has_shortfall=isinstance(test, ImpactRatioTest) and test.shortfall_method is not None,
        evidence=tally,
        notes=(*pair_notes(test, tally), *row_notes(judged)),
    )


def _rate_drafts(test: RateTest, tally: PairTally) -> tuple[list[list[Draft]], list[Draft], list[FavorableFrom]]:
    """Return the drafts of every table, those of pooled rows, and what the tables are called."""
    if isinstance(test, ConfusionRateTest):
        return [confusion_drafts(confusion_table(tally, test), test)], [], list(tally.tables)
    if isinstance(test, OddsRatio):
        return [odds_drafts(TableSums.of(tally, hits=_at_least(1)), test)], [], list(tally.tables)
    if isinstance(test, RelativeRate):
        table = TableSums.of(tally, hits=lambda cell: not cell.level)
        return ratio_drafts([table], _relative_rules(test)), [], list(tally.tables)
    if not isinstance(test, ImpactRatioTest):
        raise TypeError(type(test).__name__)
    rules = _impact_rules(test)
    if isinstance(test, SegmentedAdverseImpactRatio):
        inside: dict[str | None, list[PairCell]] = {name: [] for name in tally.segments}
        for cell in tally.cells:
            inside[cell.segment].append(cell)
        segments = [TableSums.of(tally, hits=_at_least(1), cells=cells) for cells in inside.values()]
        pooled = pooled_drafts(TableSums.of(tally, hits=_at_least(1)), segments, test)
        return ratio_drafts(segments, rules), pooled, [FavorableFrom(level=1)] * len(segments)
    tables = [TableSums.of(tally, hits=_at_least(table.level)) for table in tally.tables]
    return ratio_drafts(tables, rules), [], list(tally.tables)


def _at_least(level: int) -> Any:
    return lambda cell: cell.level >= level


def _impact_rules(test: ImpactRatioTest) -> RatioRules:
    return RatioRules(
        threshold=test.air_threshold,
        difference_threshold=test.percent_difference_threshold,
        above=False,
        max_for_fishers=test.max_for_fishers,
        confidence_level=test.confidence_level,
        shortfall=test.shortfall_method,
        has_label=test.label is not None,
        has_beside=isinstance(test, AdverseImpactRatio),
    )


def _relative_rules(test: RelativeRate) -> RatioRules:
    return RatioRules(
        threshold=test.relative_rate_threshold,
        difference_threshold=test.percent_difference_threshold,
        above=True,
        max_for_fishers=test.max_for_fishers,
        confidence_level=test.confidence_level,
        shortfall=None,
        has_label=test.label is not None,
        counted="unfavorable",
        ratio="relative_rate",
    )


def _settled(
    test: PairTest,
    drafts: Sequence[Sequence[Draft]],
    pooled: Sequence[Draft],
    labels: Sequence[FavorableFrom],
    segments: Sequence[str],
) -> tuple[tuple[PairTable, ...], list[PooledRow]]:
    """Adjust every family and return the finished tables, and the pooled rows."""
    method = test.p_value_adjustment
    together = isinstance(test, AdverseImpactRatioByQuantile) and test.adjust_over_quantiles
    if together and method is PValueAdjustment.NONE:
        method = PValueAdjustment.HOLM
    if isinstance(test, SegmentedAdverseImpactRatio):
        method = PValueAdjustment.BENJAMINI_HOCHBERG
    families: dict[tuple[Any, ...], PValueAdjustment] = {("pooled",): test.p_value_adjustment}
    flat: list[Draft] = []
    for i, table in enumerate(drafts):
        for j, draft in enumerate(table):
            # Segments: the family is one pair over the segments; its place is the same in every table.
            family = ("pair", j) if segments else ("all",) if together else ("table", i)
            families[family] = method
            flat.append(_in(family, draft))
    rows = settle(flat, families, test.alpha)
    pooled_rows = settle([_in(("pooled",), draft) for draft in pooled], families, test.alpha)
    tables = []
    start = 0
    for i, (table, label) in enumerate(zip(drafts, labels, strict=True)):
        tables.append(
            PairTable(
                rows=tuple(rows[start : start + len(table)]),
                quantile=label.quantile,
                cutoff=label.cutoff,
                category=label.category,
                segment=segments[i] if segments else None,
            )
        )
        start += len(table)
    return tuple(tables), pooled_rows


def _in(family: tuple[Any, ...], draft: Draft) -> Draft:
    return Draft(
        row=draft.row,
        beyond=draft.beyond,
        undefined=draft.undefined,
        shortfall=draft.shortfall,
        family=family,
    )


def _measure(rows: Sequence[Row | PooledRow], test: PairTest) -> dict[str, float | int | None]:
    """Return the measurements over all compared rows of a result; a ratio of unfavorable rates is no impact ratio."""
    has_ratios = isinstance(test, (ImpactRatioTest, ConfusionRateTest))
    ratios = [ratio for row in rows if has_ratios and (ratio := _impact_ratio(row)) is not None]
    gaps = [gap for row in rows if (gap := getattr(row, "rate_difference", None)) is not None]
    return {
        "minImpactRatio": min(ratios, default=None),
        "maxRateDifference": max([0.0, *gaps]) if isinstance(test, RateTest) else None,
        "practicallySignificantCount": sum(row.practically_significant is True for row in rows),
        "undefinedGroupCount": sum(row.practically_significant is None for row in rows),
    }


def _impact_ratio(row: Row | PooledRow) -> float | None:
    if isinstance(row, PooledRow):
        return row.air
    if isinstance(row, ConfusionRow):
        return row.ratio
    return row.ratio if isinstance(row, RatioRow) else None
