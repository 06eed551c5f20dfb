"""Sums of named pairs put together: of windows that hold the same groups, or some of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fairreport.tables.pair_needs import PairPlan
from fairreport.tables.pair_tally import (
    Amount,
    CrossSums,
    MeanSums,
    MeanTally,
    PairCell,
    PairRowCount,
    PairTally,
)

_SAME = 1e-12
"""Numbers closer than this, absolutely or relatively, are equal."""


class NotAdditiveError(ValueError):
    """Tallies whose sum tells nothing, or that do not count the same; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """Where the groups and pairs of a joint plan stand in one of its plans; None where they do not."""

    groups: tuple[int | None, ...]
    pairs: tuple[int | None, ...]


def add_pairs(tallies: Sequence[PairTally]) -> PairTally:
    """Return the tally of all rows of some tallies of favorable outcomes.

    Raises
    ------
    NotAdditiveError
        If favorable means beyond a quantile, or they do not count the same.
    """
    first = tallies[0]
    if any(table.quantile is not None for tally in tallies for table in tally.tables):
        raise NotAdditiveError("cutoffs are quantiles of the scores of their own window; quantiles do not add")
    _alike(tallies)
    if any(tally.tables != first.tables for tally in tallies):
        raise NotAdditiveError("the windows do not count the same outcomes as favorable")
    plan, places = _joint(tallies)
    fractional = _any((tally.fractional for tally in tallies), places, len(plan.groups))
    held: dict[tuple[str | None, int, int | None], list[tuple[PairCell, _Places]]] = {}
    for tally, place in zip(tallies, places, strict=True):
        for cell in tally.cells:
            held.setdefault((cell.segment, cell.level, cell.label), []).append((cell, place))
    order = sorted(held, key=lambda key: (key[0] or "", -1 if key[2] is None else key[2], key[1]))
    return PairTally(
        plan=plan,
        weights=first.weights,
        fractional=fractional,
        rows=_rows([tally.rows for tally in tallies]),
        tables=first.tables,
        segments=tuple(sorted({name for tally in tallies for name in tally.segments})),
        cells=tuple(_cell(key, held[key], plan) for key in order),
    )


def add_means(tallies: Sequence[MeanTally]) -> MeanTally:
    """Return the tally of all rows of some tallies of means; their sums are brought to one centre first.

    Raises
    ------
    NotAdditiveError
        If they do not count the same.
    """
    first = tallies[0]
    _alike(tallies)
    plan, places = _joint(tallies)
    evaluated = sum(tally.evaluated for tally in tallies)
    centre = float(sum((tally.evaluated * Fraction(tally.centre) for tally in tallies), Fraction()) / max(evaluated, 1))
    shifts = [Fraction(tally.centre) - Fraction(centre) for tally in tallies]

    def group(at: int) -> MeanSums:
        return _together(
            [
                _shifted(tally.groups[position], shift)
                for tally, where, shift in zip(tallies, places, shifts, strict=True)
                if (position := where.groups[at]) is not None
            ]
        )

    def everyone(at: int) -> MeanSums:
        return _together([_shifted(it.everyone[at], shift) for it, shift in zip(tallies, shifts, strict=True)])

    def cross(at: int) -> CrossSums:
        found = [
            _shifted_cross(tally.pairs[position], shift)
            for tally, where, shift in zip(tallies, places, shifts, strict=True)
            if (position := where.pairs[at]) is not None
        ]
        weight, first_sum, second = (sum(column) for column in zip(*found, strict=True))
        return CrossSums(weight=_amount(weight), first=float(first_sum), second=float(second))

    return MeanTally(
        plan=plan,
        weights=first.weights,
        fractional=_any((tally.fractional for tally in tallies), places, len(plan.groups)),
        rows=_rows([tally.rows for tally in tallies]),
        centre=centre,
        evaluated=evaluated,
        missing=tuple(sum(tally.missing[c] for tally in tallies) for c in range(len(plan.categories))),
        groups=tuple(group(i) for i in range(len(plan.groups))),
        everyone=tuple(everyone(c) for c in range(len(plan.categories))),
        pairs=tuple(cross(i) for i in range(len(plan.pairs))),
    )


def _alike(tallies: Sequence[PairTally] | Sequence[MeanTally]) -> None:
    first = tallies[0]
    if any(tally.weights != first.weights for tally in tallies):
        raise NotAdditiveError("the windows do not weigh their rows alike")
    if any(tally.rows.weight_unit != first.rows.weight_unit for tally in tallies):
        raise NotAdditiveError("the windows measure their weights in different units")


def _joint(tallies: Sequence[PairTally] | Sequence[MeanTally]) -> tuple[PairPlan, list[_Places]]:
    """Return the plan of all groups that occur, and where they stand in each plan."""
    plans = [tally.plan for tally in tallies]
    if any(plan.categories != plans[0].categories for plan in plans):
        raise NotAdditiveError("a column holds nothing but its reference in some of the windows")
    keyed = [_keys(plan) for plan in plans]
    joint, keys = (plans[0], keyed[0]) if all(plan == plans[0] for plan in plans) else _union(plans)
    places = []
    for plan, own in zip(plans, keyed, strict=True):
        pairs = [(own[p.protected], own[p.reference]) for p in plan.pairs]
        places.append(
            _Places(
                groups=tuple(_find(own, key) for key in keys),
                pairs=tuple(_find(pairs, (keys[p.protected], keys[p.reference])) for p in joint.pairs),
            )
        )
    return joint, places


Key = tuple[str, str]


def _keys(plan: PairPlan) -> list[Key]:
    """Return each group of a plan with its category, since a name may stand in two; both where it is in both."""
    found: list[Key] = [("", name) for name in plan.groups]
    for pair in plan.pairs:
        for at in (pair.protected, pair.reference):
            found[at] = (plan.categories[pair.category], plan.groups[at])
    return found


def _union(plans: Sequence[PairPlan]) -> tuple[PairPlan, list[Key]]:
    """Return the plan of columns that hold other groups in other windows, in the order that one pass gives."""
    categories = plans[0].categories
    pairs: dict[tuple[str, str, str], None] = {}
    for plan in plans:
        for pair in plan.pairs:
            pairs[plan.categories[pair.category], plan.groups[pair.protected], plan.groups[pair.reference]] = None
    ordered = sorted(pairs, key=lambda it: (categories.index(it[0]), it[1]))
    joint = PairPlan.of(
        tuple(f"{category}\0{group}" for category, group, _ in ordered),
        tuple(f"{category}\0{reference}" for category, _, reference in ordered),
        tuple(category for category, _, _ in ordered),
    )
    keys = [(category, name) for category, _, name in (key.partition("\0") for key in joint.groups)]
    bare = PairPlan(groups=tuple(name for _, name in keys), categories=joint.categories, pairs=joint.pairs)
    return bare, keys


def _find(listed: Sequence[Any], wanted: Any) -> int | None:
    return listed.index(wanted) if wanted in listed else None


def _any(flags: Iterable[tuple[bool, ...]], places: Sequence[_Places], n: int) -> tuple[bool, ...]:
    held = list(zip(flags, places, strict=True))
    return tuple(any(at is not None and own[at] for own, where in held for at in [where.groups[i]]) for i in range(n))


def _cell(
    key: tuple[str | None, int, int | None], held: Sequence[tuple[PairCell, _Places]], plan: PairPlan
) -> PairCell:
    cells = [cell for cell, _ in held]
    groups, pairs = range(len(plan.groups)), range(len(plan.pairs))
    return PairCell(
        segment=key[0],
        level=key[1],
        label=key[2],
        rows=sum(cell.rows for cell in cells),
        missing=tuple(sum(cell.missing[c] for cell in cells) for c in range(len(plan.categories))),
        missing_weight=tuple(_total(cell.missing_weight[c] for cell in cells) for c in range(len(plan.categories))),
        totals=tuple(_total(_at(cell.totals, where.groups[i]) for cell, where in held) for i in groups),
        squares=tuple(_total(_at(cell.squares, where.groups[i]) for cell, where in held) for i in groups),
        crossed=tuple(_total(_at(cell.crossed, where.pairs[i]) for cell, where in held) for i in pairs),
    )


def _at(amounts: Sequence[Amount], position: int | None) -> Amount:
    """Return one of some amounts; 0 of a group that a window does not hold."""
    return 0 if position is None else amounts[position]


def _total(values: Iterable[Amount]) -> Amount:
    """Return the sum of amounts: a whole number of whole numbers, else rounded once."""
    listed = list(values)
    if all(isinstance(value, int) for value in listed):
        return sum(listed)
    return math.fsum(listed)


def _rows(counts: Sequence[PairRowCount]) -> PairRowCount:
    undeclared: dict[str, int] = {}
    for name, n in (item for count in counts for item in count.undeclared):
        undeclared[name] = undeclared.get(name, 0) + n
    segment = [count.missing_segment for count in counts]
    return PairRowCount(
        total=sum(count.total for count in counts),
        missing_weight=sum(count.missing_weight for count in counts),
        missing_segment=None if None in segment else sum(n or 0 for n in segment),
        undeclared=tuple(undeclared.items()),
        reference_only=tuple(
            name for name in counts[0].reference_only if all(name in count.reference_only for count in counts)
        ),
        weight_unit=counts[0].weight_unit,
    )


# --- means -----------------------------------------------------------------------------------------------

Exact = tuple[int, tuple[Amount | Fraction, ...], Fraction, Fraction]
"""Rows; sums of w, w x, w x^2 and the same with squares, exact; smallest and largest x."""


def _shifted(held: MeanSums, by: Fraction) -> Exact:
    """Return the sums of x + `by`, exact."""
    sums: list[Amount | Fraction] = []
    for total, first, second in (
        (held.total, held.first, held.second),
        (held.squares, held.squares_first, held.squares_second),
    ):
        weight = Fraction(total)
        sums += [total, Fraction(first) + by * weight, Fraction(second) + 2 * by * Fraction(first) + by * by * weight]
    return held.n, tuple(sums), Fraction(held.low) + by, Fraction(held.high) + by


def _shifted_cross(held: CrossSums, by: Fraction) -> tuple[Amount | Fraction, Fraction, Fraction]:
    weight, first, second = Fraction(held.weight), Fraction(held.first), Fraction(held.second)
    moved: Amount | Fraction = held.weight if isinstance(held.weight, int) else weight
    return moved, first + by * weight, second + 2 * by * first + by * by * weight


def _together(parts: Sequence[Exact]) -> MeanSums:
    filled = [part for part in parts if part[0]] or list(parts)
    columns = [sum(column) for column in zip(*(sums for _, sums, _, _ in filled), strict=True)]
    low: Fraction = min(part[2] for part in filled)
    high: Fraction = max(part[3] for part in filled)
    low_end, high_end = float(low), float(high)
    if abs(high_end - low_end) <= _SAME * max(1.0, abs(low_end), abs(high_end)):
        high_end = low_end  # equal numbers about different centres
    return MeanSums(
        n=sum(part[0] for part in filled),
        total=_amount(columns[0]),
        first=float(columns[1]),
        second=float(columns[2]),
        squares=_amount(columns[3]),
        squares_first=float(columns[4]),
        squares_second=float(columns[5]),
        low=low_end,
        high=high_end,
    )


def _amount(value: Any) -> Amount:
    return value if isinstance(value, int) else float(value)
