"""The tally of named pairs with other references, where the groups are the values of a column: nothing is added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from fairreport.tables.needs import Reading
from fairreport.tables.pair_needs import PairNeeds, PairPlan
from fairreport.tables.pair_scan import PairScan
from fairreport.tables.pair_tally import MeanTally, PairTally

_ItemT = TypeVar("_ItemT")


def referenced_scan(scan: PairScan, of: PairNeeds, need: PairNeeds, reading: Reading) -> PairScan | None:
    """Return what a scan of the table would give for other references; None where that is not known.

    A row is of one group of its column at most, so that no pair shares a row, whichever group is the reference.

    Parameters
    ----------
    scan : PairScan
        What is at hand.
    of, need : PairNeeds
        What it was made for, and what is asked.
    reading : Reading
        Which groups are declared.
    """
    tally = scan.tally
    if tally is None or not of.reference_values or replace(need, reference_values=of.reference_values) != of:
        return None
    if list(of.reference_values) != list(need.reference_values):
        return None
    found = _plan(tally, of.reference_values, need.reference_values, reading.declared)
    if found is None:
        return None
    plan, order = found
    ordered = _pair_tally(tally, plan, order) if isinstance(tally, PairTally) else _mean_tally(tally, plan, order)
    return replace(scan, tally=ordered)


def _plan(
    tally: PairTally | MeanTally,
    was: Mapping[str, str],
    wanted: Mapping[str, str],
    declared: Mapping[str, tuple[str, ...]],
) -> tuple[PairPlan, tuple[int, ...]] | None:
    """Return the plan with other references, and at which place each of its groups was."""
    if set(tally.plan.categories) != set(wanted):
        return None  # a column that holds nothing but its reference has no group to be another one
    places: dict[str, int] = {}
    pairs: list[tuple[str, str, str]] = []
    for name, reference in wanted.items():
        category = tally.plan.categories.index(name)
        members = {tally.plan.groups[at]: at for at in tally.plan.members(category)}
        if reference not in members or not _has_rows(tally, members[reference]):
            return None
        order = declared.get(name) or tuple(sorted(members))
        if reference != was[name] and not set(members) <= set(order):
            return None  # the reference so far is not declared, and would be left out
        places |= {f"{name}\0{group}": at for group, at in members.items()}
        pairs += [(name, group, reference) for group in order if group != reference]
    made = PairPlan.of(
        tuple(f"{name}\0{group}" for name, group, _ in pairs),
        tuple(f"{name}\0{reference}" for name, _, reference in pairs),
        tuple(name for name, _, _ in pairs),
    )
    groups = tuple(key.partition("\0")[2] for key in made.groups)
    return replace(made, groups=groups), tuple(places[key] for key in made.groups)


def _has_rows(tally: PairTally | MeanTally, group: int) -> bool:
    if isinstance(tally, MeanTally):
        return tally.groups[group].n > 0
    return any(cell.totals[group] for cell in tally.cells)


def _ordered(items: Sequence[_ItemT], order: Sequence[int]) -> tuple[_ItemT, ...]:
    return tuple(items[at] for at in order)


def _pair_tally(tally: PairTally, plan: PairPlan, order: Sequence[int]) -> PairTally:
    return replace(
        tally,
        plan=plan,
        fractional=_ordered(tally.fractional, order),
        cells=tuple(
            replace(cell, totals=_ordered(cell.totals, order), squares=_ordered(cell.squares, order))
            for cell in tally.cells
        ),
    )


def _mean_tally(tally: MeanTally, plan: PairPlan, order: Sequence[int]) -> MeanTally:
    return replace(
        tally,
        plan=plan,
        fractional=_ordered(tally.fractional, order),
        groups=_ordered(tally.groups, order),
    )
