"""The sums that named pairs of groups are judged from; rows of one kind add up over chunks, engines and row order."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.tables.pair_needs import PairPlan, WeightKind

Amount = int | float
"""A count where rows are counted, a weight where they are weighed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCell:
    """Rows that share segment, outcome and label.

    Attributes
    ----------
    segment : str or None
        Segment, where there are segments.
    level : int
        Outcome, 0 for the worst: 0 or 1, or the number of cutoffs reached, or the place among the categories.
    label : int or None
        0 or 1, where there are labels.
    rows : int
        Rows with a weight; repeated rows count as often as they stand.
    missing : tuple of int
        Of these, for each category, rows without a membership in it.
    missing_weight : tuple of number
        Their weight, those aside that hold a value that is not among the declared groups.
    totals, squares : tuple of number
        For each group, sum of membership x weight, and of its square (of membership^2 x frequency).
    crossed : tuple of number
        For each pair, sum over rows of the product of both memberships x weight^2 (x frequency).
    """

    segment: str | None
    level: int
    label: int | None
    rows: int
    missing: tuple[int, ...]
    missing_weight: tuple[Amount, ...]
    totals: tuple[Amount, ...]
    squares: tuple[Amount, ...]
    crossed: tuple[Amount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FavorableFrom:
    """From which level on an outcome is favorable, and what that level is called.

    Attributes
    ----------
    level : int
        Smallest favorable level.
    quantile, cutoff : float or None
        For scores.
    category : str or None
        For categories.
    """

    level: int
    quantile: float | None = None
    cutoff: float | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRowCount:
    """How the rows of the table became evaluated rows.

    Attributes
    ----------
    total, missing_weight : int
        Rows of the table, and those left out for want of a weight.
    missing_segment : int or None
        Rows left out for want of a segment; repeated rows count as often as they stand.
    undeclared : tuple of (str, int)
        For columns of values, evaluated rows that hold a value that is not among the declared groups: they have
        no membership in that category.
    reference_only : tuple of str
        Columns of values that hold nothing but their reference.
    weight_unit : float
        What a weight of 1 stands for in every sum: 1, or a power of two where all weights are tiny.
    """

    total: int
    missing_weight: int
    missing_segment: int | None = None
    undeclared: tuple[tuple[str, int], ...] = ()
    reference_only: tuple[str, ...] = ()
    weight_unit: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTally:
    """The evidence of a comparison of favorable rates.

    Attributes
    ----------
    plan : PairPlan
        Groups, categories and pairs; cells follow their order.
    weights : WeightKind
        What the weights say.
    fractional : tuple of bool
        For each group, whether a membership other than 0 and 1 has weight.
    rows : PairRowCount
        Rows of the table.
    tables : tuple of FavorableFrom
        What counts as favorable, one a table of the result.
    segments : tuple of str
        Segments in text order; empty without.
    cells : tuple of PairCell
        All rows.
    """

    plan: PairPlan
    weights: WeightKind
    fractional: tuple[bool, ...]
    rows: PairRowCount
    tables: tuple[FavorableFrom, ...]
    segments: tuple[str, ...]
    cells: tuple[PairCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanSums:
    """Sums over rows of a number x, taken off from a common centre.

    Attributes
    ----------
    n : int
        Rows of positive weight; repeated rows count as often as they stand.
    total, first, second : number
        Sums of w, w x and w x^2.
    squares, squares_first, squares_second : number
        The same with w^2 in the place of w (with w x frequency under frequencies).
    low, high : float
        Smallest and largest x of positive weight; equal for constant values.
    """

    n: int
    total: Amount
    first: float
    second: float
    squares: Amount
    squares_first: float
    squares_second: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossSums:
    """Sums over rows of w_p w_r, of that times x, and times x^2."""

    weight: Amount
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanTally:
    """The evidence of a comparison of means.

    Attributes
    ----------
    plan, weights, fractional, rows
        As in `PairTally`.
    centre : float
        What was taken off every number.
    evaluated : int
        Rows with a weight; repeated rows count as often as they stand.
    missing : tuple of int
        Of these, for each category, rows without a membership in it.
    groups : tuple of MeanSums
        Each group.
    everyone : tuple of MeanSums
        For each category, all rows with a membership in it.
    pairs : tuple of CrossSums
        For each pair.
    """

    plan: PairPlan
    weights: WeightKind
    fractional: tuple[bool, ...]
    rows: PairRowCount
    centre: float
    evaluated: int
    missing: tuple[int, ...]
    groups: tuple[MeanSums, ...]
    everyone: tuple[MeanSums, ...]
    pairs: tuple[CrossSums, ...]
