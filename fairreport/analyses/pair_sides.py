"""A table of named pairs: the sums of each side, which pairs are linearised, and comparisons on the very bar."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fairreport.analyses.pair_reason import Reason
from fairreport.stats.contrast import is_ratio_below
from fairreport.stats.linearised import Linearised, Products, effective_size
from fairreport.tables.pair_needs import Pair, WeightKind
from fairreport.tables.pair_tally import Amount, PairCell, PairTally

TOLERANCE = 1e-9
"""Weighted figures this close, relative, are equal."""

Choose = Callable[[PairCell], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A group within one table.

    Attributes
    ----------
    total, hits : number
        Weight, and weight of what is counted.
    squares, hit_squares : number
        Sums of squared weights of both.
    label : number
        Weight of the positive labels.
    linearised : Reason or None
        Why its exact figures are not given.
    """

    total: Amount
    hits: Amount
    squares: Amount
    hit_squares: Amount
    label: Amount
    linearised: Reason | None

    @property
    def rate(self) -> float | None:
        """The rate, rounded once."""
        return self.hits / self.total if self.total else None

    @property
    def n_eff(self) -> float:
        """The effective sample size."""
        return effective_size(float(self.total), float(self.squares))

    @property
    def is_full(self) -> bool:
        """Whether all of a group that is not empty are counted: exact on whole numbers, else within the tolerance."""
        if isinstance(self.hits, int) and isinstance(self.total, int):
            return 0 < self.total == self.hits
        return bool(self.total) and _same(float(self.hits), float(self.total))


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A group and its reference within one table."""

    protected: Side
    reference: Side
    crossed: Amount
    hits_crossed: Amount
    linearised: Reason | None

    @property
    def is_empty(self) -> bool:
        """Whether a side has no weight."""
        return not (self.protected.total and self.reference.total)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Whole numbers: hits and total of the group, then of the reference."""
        return (
            int(self.protected.hits),
            int(self.protected.total),
            int(self.reference.hits),
            int(self.reference.total),
        )

    def linear(self) -> tuple[float, float, Linearised]:
        """Return both rates, and their variances and covariance."""
        p, r = self.protected.rate, self.reference.rate
        if p is None or r is None:
            raise ValueError("found a side without weight; wanted two rates")
        mine, theirs = float(self.protected.total), float(self.reference.total)
        both = Products(weight=float(self.crossed), first=float(self.hits_crossed), second=0.0)
        return (
            p,
            r,
            Linearised(
                group=_own(self.protected, p) / (mine * mine),
                reference=_own(self.reference, r) / (theirs * theirs),
                covariance=both.about_rates(p, r) / (mine * theirs),
            ),
        )

    def ratio(self) -> float | None:
        """Return the rate of the group over that of the reference."""
        bottom = self.protected.total * self.reference.hits
        return self.protected.hits * self.reference.total / bottom if bottom else None

    def difference(self) -> float:
        """Return the rate of the reference less that of the group."""
        if self.linearised is None:
            a, n, b, m = self.counts
            return (b * n - a * m) / (n * m)
        p, r = self.protected.rate, self.reference.rate
        return (r or 0.0) - (p or 0.0)

    def is_ratio_beyond(self, threshold: float, *, above: bool) -> bool:
        """Tell whether the ratio is strictly below (or above) a threshold, meant as it is written."""
        if self.linearised is None:
            a, n, b, m = self.counts
            share = Fraction(str(threshold))
            return a * m > share * b * n if above else is_ratio_below(a, n, b, m, share)
        return is_beyond(self.ratio() or 0.0, threshold, above=above)

    def is_gap_above(self, threshold: float, *, turned: bool) -> bool:
        """Tell whether reference minus group (or, turned, group minus reference) is strictly above a threshold."""
        high, low = (self.protected, self.reference) if turned else (self.reference, self.protected)
        if self.linearised is None:
            a, n, b, m = (int(x) for x in (low.hits, low.total, high.hits, high.total))
            return Fraction(b, m) - Fraction(a, n) > Fraction(str(threshold))
        return is_beyond(high.rate or 0.0, (low.rate or 0.0) + threshold, above=True)


def _own(side: Side, rate: float) -> float:
    if side.is_full:
        return 0.0
    products = Products(weight=float(side.squares), first=float(side.hit_squares), second=0.0)
    return products.about_rates(rate, rate)


def is_beyond(value: float, bar: float, *, above: bool) -> bool:
    """Tell whether a value is strictly above (or below) a bar, values equal within the tolerance being equal."""
    return not _same(value, bar) and (value > bar if above else value < bar)


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=TOLERANCE)


def linearised_for(tally_weights: WeightKind, fractional: Sequence[bool], *groups: int) -> Reason | None:
    """Return why exact tests of some groups are not made; None where they are."""
    if tally_weights is WeightKind.SAMPLING:
        return Reason.WEIGHTED
    return Reason.FRACTIONAL_MEMBERSHIP if any(fractional[group] for group in groups) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSums:
    """The sums of one table: which cells are in it, and which of them are counted.

    Attributes
    ----------
    tally : PairTally
        The evidence.
    cells : tuple of PairCell
        All rows of the table, whatever the rate is of.
    basis : tuple of PairCell
        The rows that the rate is of.
    hits : tuple of PairCell
        Of these, what is counted.
    """

    tally: PairTally
    cells: tuple[PairCell, ...]
    basis: tuple[PairCell, ...]
    hits: tuple[PairCell, ...]

    @classmethod
    def of(
        cls, tally: PairTally, *, hits: Choose, basis: Choose | None = None, cells: Sequence[PairCell] | None = None
    ) -> TableSums:
        """Return the sums of a table."""
        inside = tuple(tally.cells if cells is None else cells)
        of_rate = inside if basis is None else tuple(cell for cell in inside if basis(cell))
        counted = tuple(cell for cell in of_rate if hits(cell))
        return cls(tally=tally, cells=inside, basis=of_rate, hits=counted)

    def side(self, group: int) -> Side:
        """Return a group's sums."""
        return Side(
            total=total(cell.totals[group] for cell in self.basis),
            hits=total(cell.totals[group] for cell in self.hits),
            squares=total(cell.squares[group] for cell in self.basis),
            hit_squares=total(cell.squares[group] for cell in self.hits),
            label=total(cell.totals[group] for cell in self.basis if cell.label == 1),
            linearised=linearised_for(self.tally.weights, self.tally.fractional, group),
        )

    def duel(self, position: int, sides: Mapping[int, Side] | None = None) -> Duel:
        """Return the sums of a pair by its position; `sides` holds those of all groups where they are known already."""
        pair: Pair = self.tally.plan.pairs[position]
        return Duel(
            protected=sides[pair.protected] if sides else self.side(pair.protected),
            reference=sides[pair.reference] if sides else self.side(pair.reference),
            crossed=total(cell.crossed[position] for cell in self.basis),
            hits_crossed=total(cell.crossed[position] for cell in self.hits),
            linearised=linearised_for(self.tally.weights, self.tally.fractional, pair.protected, pair.reference),
        )

    def observations(self, category: int) -> int:
        """Return the rows with a membership in a category."""
        return sum(cell.rows - cell.missing[category] for cell in self.cells)

    def percent_missing(self, category: int) -> float:
        """Return the share of rows without one."""
        rows = sum(cell.rows for cell in self.cells)
        return sum(cell.missing[category] for cell in self.cells) / rows if rows else 0.0

    def row_counts(self, category: int) -> dict[str, Any]:
        """Return the fields of a row that are those of its whole category."""
        return {"observations": self.observations(category), "percent_missing": self.percent_missing(category)}

    def missing_weight(self, category: int) -> Amount:
        """Return the weight of rows without one."""
        return total(cell.missing_weight[category] for cell in self.cells)


def total(amounts: Iterable[Amount]) -> Amount:
    """Return a sum: whole where all amounts are, else rounded once."""
    listed = list(amounts)
    if all(isinstance(x, int) for x in listed):
        return sum(listed)
    return math.fsum(listed)
