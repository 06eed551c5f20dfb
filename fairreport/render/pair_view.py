"""The view of a test of named pairs: its tables, what stands beside each figure, and pairs pooled over segments."""

from __future__ import annotations

from dataclasses import dataclass, fields

from fairreport.audit.gate import Status
from fairreport.render.pair_words import GRAVEST
from fairreport.render.phrases import Line, Name, Sentence, Setting
from fairreport.render.table_view import Row, Table
from fairreport.render.threshold_line import ThresholdLine
from fairreport.render.words import State


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """How many comparisons of named pairs are what.

    Attributes
    ----------
    significant : int
        Practically significant.
    may_be_chance : int
        Beyond the threshold, not significant.
    small_gap : int
        Beyond the threshold and significant, the difference within its limit.
    reaches : int
        Within the threshold, the interval reaching beyond it.
    meets : int
        Others within it.
    undefined, not_judged : int
        Without a verdict: not defined, and without a threshold.
    """

    significant: int = 0
    may_be_chance: int = 0
    small_gap: int = 0
    reaches: int = 0
    meets: int = 0
    undefined: int = 0
    not_judged: int = 0

    @property
    def compared(self) -> int:
        """All comparisons."""
        return sum(getattr(self, field.name) for field in fields(self))

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(
            **{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTableView:
    """One table of a test: the only one, or that of a quantile, a category or a segment.

    Attributes
    ----------
    level : Sentence
        Which quantile, category or segment; empty for the only table.
    name : Name or None
        What that is called; None for the only table.
    quantile : float or None
        The quantile as a number, for drawings.
    table : Table
        Each reference with its groups under it, the worst first.
    beside : tuple of Table
        What stands beside each figure for information, none of which decides: what tests say, then counts. Their rows
        are the comparisons only, worst first, and have the finding of the comparison.
    """

    level: Sentence
    name: Name | None
    quantile: float | None
    table: Table
    beside: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledView:
    """Pairs pooled over the segments that both groups share.

    Attributes
    ----------
    table : Table
        A row a pair, worst first: the pooled ratio with its interval, test and heterogeneity.
    beside : Table
        The statistics behind it; Breslow-Day-Tarone is of odds ratios only.
    reversals : tuple of Sentence
        Pairs whose ratio over all rows and pooled ratio lie on different sides of 1.
    segments : tuple of Sentence
        A line for each pair some of whose segments are not used, or say nothing.
    """

    table: Table
    beside: Table
    reversals: tuple[Sentence, ...]
    segments: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTestView:
    """One test of named pairs; fields of the same name mean the same as those of `TestView`.

    Attributes
    ----------
    reference : Name or None
        The reference of all pairs, where it is the same one.
    rule : Sentence
        When a pair is practically significant.
    counts : PairCounts
        Over all tables, pooled pairs and segments alike.
    tables : tuple of PairTableView
        One; or one a quantile, category or segment, unless the view was asked for without. None where the columns do
        not hold what is wanted.
    overview : Table or None
        For quantiles and categories: levels beside pairs, the more numerous of them in rows, each cell a glyph of the
        finding and the ratio; the finding of a row is its worst.
    listed : Table or None
        For quantiles, categories and segments: the worst comparisons of all levels, at most `MOST_LISTED`.
    n_listed : int
        How many comparisons there are in all.
    pooled : PooledView or None
        For segments.
    undefined : tuple of Sentence
        What is not defined, for whom and why.
    weights : tuple of Sentence
        What weights and proportional memberships mean for the figures; empty without.
    """

    name: Name
    analysis: str
    state: State
    skip_code: str | None
    skip_reason: Name | None
    headline: Sentence
    counts_sentence: Sentence | None
    reference: Name | None
    rule: Sentence
    counts: PairCounts
    tables: tuple[PairTableView, ...]
    overview: Table | None
    listed: Table | None
    n_listed: int
    pooled: PooledView | None
    undefined: tuple[Sentence, ...]
    weights: tuple[Sentence, ...]
    thresholds: tuple[ThresholdLine, ...]
    thresholds_origin: str
    thresholds_stated: bool
    measurements: tuple[tuple[str, str], ...]
    flow: tuple[Line, ...]
    notes: tuple[Sentence, ...]
    insights: tuple[Sentence, ...]
    cautions: tuple[Sentence, ...]
    method: tuple[Line, ...]
    settings: tuple[Setting, ...]
    description: Name | None
    rationale: Name | None
    code: str

    @property
    def is_skipped(self) -> bool:
        """Whether there is no verdict."""
        return self.skip_reason is not None

    @property
    def table(self) -> Table | None:
        """The table that tells most at a glance: pooled pairs, the levels at once, or the only one."""
        if self.pooled is not None:
            return self.pooled.table
        return self.overview or (self.tables[0].table if self.tables else None)

    @property
    def reversals(self) -> tuple[Sentence, ...]:
        """Pairs whose direction reverses when they are pooled over segments."""
        return self.pooled.reversals if self.pooled else ()

    @property
    def deciding(self) -> tuple[ThresholdLine, ...]:
        """The thresholds that the status comes of and that no finding tells."""
        if self.state.key == Status.FAILING and self.thresholds_stated:
            return tuple(it for it in self.thresholds if it.state == ThresholdLine.MISSED)
        if self.state.key == Status.SKIPPED and not self.is_skipped:
            return tuple(it for it in self.thresholds if it.state == ThresholdLine.UNDEFINED)
        return ()

    @property
    def comparisons(self) -> tuple[Row, ...]:
        """The comparisons of the pooled pairs and of all tables, worst first; of levels those that are listed."""
        rows = list(self.pooled.table.rows) if self.pooled else []
        if self.listed is not None:
            rows += self.listed.rows
        elif self.tables:
            rows += self.tables[0].table.rows
        return tuple(sorted((row for row in rows if row.is_comparison), key=gravity))


def gravity(row: Row) -> tuple[int, float]:
    """Return what comparisons are sorted by."""
    return GRAVEST.index(row.finding.kind), row.severity
