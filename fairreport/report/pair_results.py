"""What the packet prints about a test of named pairs: its tables, what stands beside them, and its figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fairreport.audit.record import PairRecord
from fairreport.render import formats
from fairreport.render.pair_view import PairTableView, PairTestView
from fairreport.render.record_lines import said
from fairreport.render.views import Sentence, Table
from fairreport.report.gap_results import finished, further_in_results
from fairreport.report.pair_figure import pair_figure
from fairreport.report.pair_table import one_table, printed_pairs
from fairreport.report.printed_table import PRINTED_ROWS, PrintedTable
from fairreport.report.test_results import Figure

LEVELS_PRINTED = 20
"""Quantiles, categories or segments with tables of their own; the rest stands in groups.csv."""

KINDS = {
    "adverse_impact_ratio": "Adverse impact ratio",
    "relative_rate": "Relative rate",
    "odds_ratio": "Odds ratio",
    "standardized_mean_difference": "Standardized mean difference",
    "residual_standardized_mean_difference": "Standardized mean difference of residuals",
    "adverse_impact_ratio_by_quantile": "Adverse impact ratio by quantile",
    "categorical_adverse_impact_ratio": "Adverse impact ratio by category",
    "segmented_adverse_impact_ratio": "Adverse impact ratio by segment",
    "true_positive_rate": "True positive rate",
    "true_negative_rate": "True negative rate",
    "false_positive_rate": "False positive rate",
    "false_negative_rate": "False negative rate",
    "precision": "Precision",
    "false_discovery_rate": "False discovery rate",
    "custom_disparity_metric": "Metric of the user’s own",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTables:
    """The tables of one quantile, category or segment, or the only ones.

    Attributes
    ----------
    number : str
        Such as ``"5.2c"``.
    table : PrintedTable
        Each reference with its groups.
    beside : tuple of PrintedTable
        What stands beside for information: what tests say, then counts.
    """

    number: str
    table: PrintedTable
    beside: tuple[PrintedTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResults:
    """What the packet prints about one test of named pairs.

    Attributes
    ----------
    number, anchor : str
        Such as ``"5.2"`` and ``"pairs-2"``.
    kind : str
        What it compares.
    view : PairTestView
        The test.
    overview : PrintedTable or None
        All quantiles or categories side by side.
    pooled, pooled_beside : PrintedTable or None
        Pairs pooled over segments, and the statistics behind that.
    levels : tuple of LevelTables
        Its tables.
    more_levels : str
        How many further quantiles, categories or segments stand in the attachment, in words.
    figure : Figure or None
        All pairs against the threshold.
    notes : tuple of Sentence
        What to know beside the numbers, and what is not defined.
    """

    number: str
    anchor: str
    kind: str
    view: PairTestView
    overview: PrintedTable | None
    pooled: PrintedTable | None
    pooled_beside: PrintedTable | None
    levels: tuple[LevelTables, ...]
    more_levels: str
    figure: Figure | None
    notes: tuple[Sentence, ...]

    @property
    def is_wide(self) -> bool:
        """Whether some table needs a landscape page."""
        found = [self.overview, self.pooled, self.pooled_beside]
        found += [table for level in self.levels for table in (level.table, *level.beside)]
        return any(table is not None and table.is_wide for table in found)

    @property
    def is_tall(self) -> bool:
        """Whether its figure needs an upright page."""
        return self.figure is not None and self.figure.box.is_tall


def pair_results(record: PairRecord, view: PairTestView, *, number: str, anchor: str) -> PairResults:
    """Return what the packet prints about one test of named pairs."""
    pooled = view.pooled
    rest = 0 if pooled is None else len(pooled.table.rows) - PRINTED_ROWS
    more = further_in_results("pair", "pairs", rest, "pooled")
    return PairResults(
        number=number,
        anchor=anchor,
        kind=KINDS.get(view.analysis, view.analysis.replace("_", " ")),
        view=view,
        overview=None if view.overview is None else _overview(view.overview),
        pooled=None if pooled is None else printed_pairs(pooled.table, more=more),
        pooled_beside=None if pooled is None else printed_pairs(pooled.beside, more=more, has_finding=False),
        levels=tuple(
            _tables(level, number, position if len(view.tables) > 1 else 0)
            for position, level in enumerate(view.tables[:LEVELS_PRINTED], start=1)
        ),
        more_levels=_more(len(view.tables) - LEVELS_PRINTED),
        figure=pair_figure(record, view),
        notes=tuple(finished(it) for it in (*view.weights, *view.notes, *view.undefined)),
    )


def _overview(table: Table) -> PrintedTable:
    """Return all levels at once; a row is a pair or a level, whichever there are more of."""
    rest = len(table.rows) - PRINTED_ROWS
    more = f"{formats.plural(rest, 'further row', 'further rows')} in the attachment groups.csv." if rest > 0 else ""
    return printed_pairs(table, more=more)


def _tables(level: PairTableView, number: str, position: int) -> LevelTables:
    start = level.level + Sentence((": ",)) if position else Sentence(())
    return LevelTables(
        number=f"{number}.{position}" if position else number,
        table=printed_pairs(level.table),
        beside=tuple(
            printed_pairs(replace(table, caption=start + table.caption), has_finding=False)
            for table in _beside(level.beside)
        ),
    )


def _beside(tables: Sequence[Table]) -> Sequence[Table]:
    """Return what stands beside in one table where that fits a page."""
    whole = one_table(tables)
    if whole is None or len(printed_pairs(whole, has_finding=False).parts) > 1:
        return tables
    return (replace(whole, caption=said("Beside each comparison, for information: none of it decides")),)


def _more(n: int) -> str:
    return f"{formats.plural(n, 'further table', 'further tables')} in the attachment groups.csv." if n > 0 else ""
