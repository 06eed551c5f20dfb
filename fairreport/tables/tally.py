"""Tallies: the counts an outcome test is judged from, and how the rows came to be counted or left out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

COMPARED_ROWS = 5_000_000
"""Above so many rows what is for information only (whole distributions, DeLong's error) is left out."""


class Unavailable(StrEnum):
    """Why a tally could not be made; the values are the skip codes of a result."""

    MISSING_COLUMN = "missing_column"
    NESTED_COLUMN = "nested_column"
    EMPTY_COLUMN = "empty_column"
    NOT_NUMERIC = "not_numeric"
    NO_FINITE_VALUES = "no_finite_values"
    PROBABILITY_OUT_OF_RANGE = "probability_out_of_range"
    NO_COMPLETE_ROWS = "no_complete_rows"
    TOO_MANY_GROUPS = "too_many_groups"
    POSITIVE_CLASS_ABSENT = "positive_class_absent"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTally:
    """A tally that could not be made.

    Attributes
    ----------
    code : Unavailable
        Why.
    column : str or None
        The column at fault.
    detail : str
        The reason in words.
    """

    code: Unavailable
    column: str | None = None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount:
    """How the rows of a table became evaluated rows.

    Attributes
    ----------
    total : int
        Rows of the table.
    with_inputs : int
        Rows that have the measured column.
    missing_attribute : int
        Of those, rows that lack one or more of the attributes.
    undeclared : int
        Of the rest, rows with a value that is not among the declared groups.
    evaluated : int
        What is left.
    """

    total: int
    with_inputs: int
    missing_attribute: int
    undeclared: int
    evaluated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """Rows and favorable outcomes of one group; `group` has one text per attribute."""

    group: tuple[str, ...]
    n: int
    favorable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumCount:
    """Rows and favorable outcomes of one group inside one combination of the control columns."""

    group: tuple[str, ...]
    stratum: tuple[str, ...]
    n: int
    favorable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCount:
    """Rows with the measured column that lack one attribute; how many are favorable, where that is counted."""

    attribute: str
    n: int
    favorable: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCount:
    """How often one value of the outcome column stands in the evaluated rows."""

    value: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """Spellings of one column that were folded into one value."""

    column: str
    value: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeTally:
    """The evidence of an outcome test.

    Attributes
    ----------
    attributes, controls : tuple of str
        Column names, sorted; groups and strata follow this order.
    outcome : str
        The outcome column.
    favorable_values : tuple of str
        Canonical texts that count as favorable, sorted.
    rows : RowCount
        How the rows became evaluated rows.
    groups : tuple of GroupCount
        All groups that occur, sorted by label.
    strata : tuple of StratumCount
        Groups by stratum, over the evaluated rows that have every control; empty without controls.
    n_strata : int or None
        Number of distinct strata; None without controls. At the cap the strata are not kept.
    rows_without_controls : int
        Evaluated rows that lack a control and leave the adjusted figures only.
    missing : tuple of MissingCount
        One entry per attribute.
    unmatched : tuple of ValueCount
        Up to ten outcome values that match no favorable value, most frequent first.
    n_unmatched_values : int
        How many such values there are in all.
    """

    attributes: tuple[str, ...]
    outcome: str
    controls: tuple[str, ...]
    favorable_values: tuple[str, ...]
    rows: RowCount
    groups: tuple[GroupCount, ...]
    strata: tuple[StratumCount, ...] = ()
    n_strata: int | None = None
    rows_without_controls: int = 0
    missing: tuple[MissingCount, ...] = ()
    unmatched: tuple[ValueCount, ...] = ()
    n_unmatched_values: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreGroup:
    """One group of a score test.

    Attributes
    ----------
    group : tuple of str
        One text per attribute.
    n, above, below : int
        Evaluated rows; those strictly above, and strictly below, the overall median.
    mean, variance : float, float or None
        Of the scores; the variance has ddof 1 and is None for one row.
    median : float
        Of the scores.
    histogram : tuple of int
        Rows between the edges of the tally; for more than 20 million rows to the nearest 65,536th of the range.
    """

    group: tuple[str, ...]
    n: int
    above: int
    below: int
    mean: float
    variance: float | None
    median: float
    histogram: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Every score of a group held against every score of a reference, and the largest gap of their distributions."""

    group: tuple[str, ...]
    reference: tuple[str, ...]
    greater: int
    equal: int
    less: int
    ks_distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTally:
    """The evidence of a score test; `edges` bound the intervals of the groups' histograms."""

    attributes: tuple[str, ...]
    score: str
    rows: RowCount
    overall_median: float
    edges: tuple[float, ...]
    groups: tuple[ScoreGroup, ...]
    comparisons: tuple[Comparison, ...] = ()
    missing: tuple[MissingCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareGroup:
    """One group of a metric that is a share: `hits` of `support`, among `n` rows."""

    group: tuple[str, ...]
    n: int
    support: int
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentGroup:
    """One group of a metric that is an average per row: mean and variance (ddof 1, None for one row)."""

    group: tuple[str, ...]
    n: int
    mean: float
    variance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResidualGroup:
    """One group of R2: `explained` is 1 - SSR / SST, None where the target is constant or there is one row."""

    group: tuple[str, ...]
    n: int
    explained: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankGroup:
    """One group of AUC.

    Attributes
    ----------
    group : tuple of str
        One text per attribute.
    n, positives : int
        Evaluated rows, and those of the positive class.
    greater, equal : int
        Pairs of a positive and a negative row where the positive one scores higher, and equally.
    delong_se : float or None
        DeLong's standard error; None where a class is absent or there are more than 5 million rows.
    """

    group: tuple[str, ...]
    n: int
    positives: int
    greater: int
    equal: int
    delong_se: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileGroup:
    """One group of a quantile metric: its value, and the order statistics around it by 1-based rank."""

    group: tuple[str, ...]
    n: int
    value: float
    above_overall: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantilePair:
    """Two groups split at the quantile of both together: how many of each lie strictly above."""

    group: tuple[str, ...]
    reference: tuple[str, ...]
    pooled: float
    above: int
    above_reference: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileEnds:
    """Order statistics of one group for an interval at one level; None where the sample has no such end."""

    group: tuple[str, ...]
    level: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTally:
    """The evidence of a metric test; which of the parts are filled depends on the metric.

    Attributes
    ----------
    attributes : tuple of str
        Attribute columns, sorted; groups follow this order.
    columns : tuple of str
        Measured columns, in the order of the metric.
    positive_values : tuple of str
        Canonical texts of the positive class, sorted; empty where there is none.
    rows : RowCount
        How the rows became evaluated rows.
    groups : tuple
        One record a group, sorted by label; all of one kind.
    overall : same kind or None
        The same of all evaluated rows together, with an empty label.
    pairs, ends : tuple
        For quantiles.
    missing : tuple of MissingCount
        One entry per attribute.
    """

    attributes: tuple[str, ...]
    columns: tuple[str, ...]
    positive_values: tuple[str, ...]
    rows: RowCount
    groups: tuple[ShareGroup | MomentGroup | ResidualGroup | RankGroup | QuantileGroup, ...]
    overall: ShareGroup | MomentGroup | ResidualGroup | RankGroup | QuantileGroup | None
    pairs: tuple[QuantilePair, ...] = ()
    ends: tuple[QuantileEnds, ...] = ()
    missing: tuple[MissingCount, ...] = ()


Tally = OutcomeTally | ScoreTally | MetricTally


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """A tally with what was met on the way and is no evidence.

    Attributes
    ----------
    tally : OutcomeTally, ScoreTally, MetricTally or NoTally
        The evidence.
    spellings : tuple of Spelling
        Spellings that were taken as one value.
    undeclared, absent : tuple of (str, tuple of str)
        Of each column, values left out since they are not declared, and declared values without rows.
    rounded : tuple of str
        Columns of whole numbers with some that no double holds exactly.
    """

    tally: Tally | NoTally
    spellings: tuple[Spelling, ...] = ()
    undeclared: tuple[tuple[str, tuple[str, ...]], ...] = ()
    absent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rounded: tuple[str, ...] = ()
