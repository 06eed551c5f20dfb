"""Tallies of disjoint rows put together: what one pass over all of these rows would have counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fairreport.tables.adding_pairs import NotAdditiveError, add_means, add_pairs
from fairreport.tables.gap_tally import CalibrationBin, GapCell, GapTally
from fairreport.tables.gaps import LISTED
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.sinks import GROUP_CAP, LISTED_VALUES, STRATUM_CAP
from fairreport.tables.tally import (
    GroupCount,
    MetricTally,
    MissingCount,
    MomentGroup,
    OutcomeTally,
    RowCount,
    ScoreTally,
    ShareGroup,
    StratumCount,
    Tally,
    ValueCount,
)

AnyTally = Tally | GapTally | PairTally | MeanTally
Label = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """A tally of several, and what could not be kept.

    Attributes
    ----------
    tally : tally
        Of the kind of those that were added.
    left_out : tuple of str
        What no sum tells, in words; nothing of it is a figure that a test is judged by.
    """

    tally: AnyTally
    left_out: tuple[str, ...] = ()


def add_tallies(tallies: Sequence[AnyTally], *, unfavorable: Iterable[str] = ()) -> Sum:
    """Return the tally of all rows of some tallies.

    Counts add up exactly. Means, variances and sums of probabilities, which each tally has rounded, are put together in
    fractions, so that they differ from those of one pass in their last digits at most.

    Parameters
    ----------
    tallies : sequence of tallies
        At least one, of tests that count the same; no row stands in two of them.
    unfavorable : iterable of str
        Outcome values that are declared unfavorable; others are listed before them.

    Raises
    ------
    NotAdditiveError
        If they hold medians, quantiles, ranks or R2, which no sum tells, or do not count the same.

    Examples
    --------
    >>> from fairreport.tables.tally import GroupCount, RowCount
    >>> rows = RowCount(total=50, with_inputs=50, missing_attribute=0, undeclared=0, evaluated=50)
    >>> week = OutcomeTally(
    ...     attributes=("sex",), outcome="hired", controls=(), favorable_values=("1",), rows=rows,
    ...     groups=(GroupCount(group=("F",), n=50, favorable=30),),
    ... )
    >>> add_tallies([week, week]).tally.groups
    (GroupCount(group=('F',), n=100, favorable=60),)
    """
    first = tallies[0]
    kinds = {type(tally) for tally in tallies}
    if len(kinds) > 1:
        raise NotAdditiveError("the windows hold counts of different kinds")
    if isinstance(first, ScoreTally):
        raise NotAdditiveError("scores are held against the median of their own window; medians and ranks do not add")
    if isinstance(first, OutcomeTally):
        return _outcomes(_only(OutcomeTally, tallies), frozenset(unfavorable))
    return Sum(tally=_OTHERS[type(first)](tallies))


def _only(kind: type[Any], tallies: Sequence[AnyTally]) -> list[Any]:
    return [tally for tally in tallies if isinstance(tally, kind)]


def _same(tallies: Sequence[Any], *names: str) -> None:
    for name in names:
        if any(getattr(tally, name) != getattr(tallies[0], name) for tally in tallies):
            raise NotAdditiveError(f"the windows do not count the same: their {name.replace('_', ' ')} differ")


# --- outcomes --------------------------------------------------------------------------------------------


def _outcomes(tallies: Sequence[OutcomeTally], unfavorable: frozenset[str]) -> Sum:
    _same(tallies, "attributes", "outcome", "controls", "favorable_values")
    first = tallies[0]
    counts: dict[Label, list[int]] = {}
    for group in (group for tally in tallies for group in tally.groups):
        _add(counts, group.group, (group.n, group.favorable))
    _refuse_many(counts)
    strata, n_strata = _strata(tallies)
    unmatched, n_unmatched = _unmatched(tallies, unfavorable)
    return Sum(
        tally=OutcomeTally(
            attributes=first.attributes,
            outcome=first.outcome,
            controls=first.controls,
            favorable_values=first.favorable_values,
            rows=_rows([tally.rows for tally in tallies]),
            groups=tuple(GroupCount(group=label, n=n, favorable=x) for label, (n, x) in sorted(counts.items())),
            strata=strata,
            n_strata=n_strata,
            rows_without_controls=sum(tally.rows_without_controls for tally in tallies),
            missing=_missing([tally.missing for tally in tallies]),
            unmatched=unmatched,
            n_unmatched_values=n_unmatched,
        ),
        left_out=() if _all_listed(tallies) else ("which values count as unfavorable: a window keeps ten of them",),
    )


def _strata(tallies: Sequence[OutcomeTally]) -> tuple[tuple[StratumCount, ...], int | None]:
    if not tallies[0].controls:
        return (), None
    counts: dict[tuple[Label, Label], list[int]] = {}
    for cell in (cell for tally in tallies for cell in tally.strata):
        _add(counts, (cell.stratum, cell.group), (cell.n, cell.favorable))
    found = len({stratum for stratum, _ in counts})
    if found >= STRATUM_CAP or any((tally.n_strata or 0) >= STRATUM_CAP for tally in tallies):
        return (), STRATUM_CAP
    cells = (
        StratumCount(group=group, stratum=stratum, n=n, favorable=x)
        for (stratum, group), (n, x) in sorted(counts.items())
    )
    return tuple(cells), found


def _all_listed(tallies: Sequence[OutcomeTally]) -> bool:
    return all(len(tally.unmatched) == tally.n_unmatched_values for tally in tallies)


def _unmatched(tallies: Sequence[OutcomeTally], unfavorable: frozenset[str]) -> tuple[tuple[ValueCount, ...], int]:
    if not _all_listed(tallies):
        return (), 0
    counts: Counter[str] = Counter()
    for value in (value for tally in tallies for value in tally.unmatched):
        counts[value.value] += value.n
    ranked = sorted(counts.items(), key=lambda item: (item[0] in unfavorable, -item[1], item[0]))
    return tuple(ValueCount(value=value, n=n) for value, n in ranked[:LISTED_VALUES]), len(counts)


# --- metrics ---------------------------------------------------------------------------------------------


def _metrics(tallies: Sequence[MetricTally]) -> MetricTally:
    _same(tallies, "attributes", "columns", "positive_values")
    first = tallies[0]
    found: dict[Label, list[Any]] = {}
    for group in (group for tally in tallies for group in tally.groups):
        found.setdefault(group.group, []).append(group)
    _refuse_many(found)
    overall = [tally.overall for tally in tallies if tally.overall is not None]
    return MetricTally(
        attributes=first.attributes,
        columns=first.columns,
        positive_values=first.positive_values,
        rows=_rows([tally.rows for tally in tallies]),
        groups=tuple(_group(parts) for _, parts in sorted(found.items())),
        overall=_group(overall) if overall else None,
        missing=_missing([tally.missing for tally in tallies]),
    )


def _group(parts: Sequence[Any]) -> ShareGroup | MomentGroup:
    if all(isinstance(part, ShareGroup) for part in parts):
        n, support, hits = (sum(getattr(part, name) for part in parts) for name in ("n", "support", "hits"))
        return ShareGroup(group=parts[0].group, n=n, support=support, hits=hits)
    if not all(isinstance(part, MomentGroup) for part in parts):
        raise NotAdditiveError("the metric is of ranks, quantiles or residuals, which do not add")
    n = sum(part.n for part in parts)
    mean = sum((part.n * Fraction(part.mean) for part in parts), Fraction()) / n
    spread = sum(
        ((part.n - 1) * Fraction(part.variance or 0) + part.n * (Fraction(part.mean) - mean) ** 2 for part in parts),
        Fraction(),
    )
    return MomentGroup(group=parts[0].group, n=n, mean=float(mean), variance=float(spread / (n - 1)) if n > 1 else None)


# --- rate gaps -------------------------------------------------------------------------------------------


def _gaps(tallies: Sequence[GapTally]) -> GapTally:
    _same(tallies, "attributes", "declared", "label", "prediction")
    first = tallies[0]
    cells: dict[tuple[Any, ...], int] = {}
    bins: dict[tuple[Any, ...], list[Any]] = {}
    undeclared: dict[str, dict[str, None]] = {}
    for tally in tallies:
        for cell in tally.cells:
            key = (cell.levels, cell.undeclared, cell.label, cell.prediction)
            cells[key] = cells.get(key, 0) + cell.n
        for item in tally.bins:
            _add(bins, (item.levels, item.bin), (item.n, item.positives, Fraction(item.probability_sum)))
        for name, values in tally.undeclared:
            undeclared.setdefault(name, {}).update(dict.fromkeys(values))
    added = [
        GapCell(levels=levels, undeclared=strange, label=label, prediction=prediction, n=n)
        for (levels, strange, label, prediction), n in cells.items()
    ]
    order = sorted(bins, key=lambda key: (tuple(level or "" for level in key[0]), key[1]))
    return GapTally(
        attributes=first.attributes,
        declared=first.declared,
        label=first.label,
        prediction=first.prediction,
        rows=sum(tally.rows for tally in tallies),
        cells=tuple(sorted(added, key=lambda cell: cell.order)),
        bins=tuple(
            CalibrationBin(levels=levels, bin=place, n=n, positives=positives, probability_sum=float(total))
            for levels, place in order
            for n, positives, total in [bins[levels, place]]
        ),
        undeclared=tuple((name, tuple(undeclared[name])[:LISTED]) for name in first.attributes if name in undeclared),
        unit_missing=sum(tally.unit_missing for tally in tallies),
    )


# --- what they share -------------------------------------------------------------------------------------


def _rows(counts: Sequence[RowCount]) -> RowCount:
    return RowCount(
        total=sum(count.total for count in counts),
        with_inputs=sum(count.with_inputs for count in counts),
        missing_attribute=sum(count.missing_attribute for count in counts),
        undeclared=sum(count.undeclared for count in counts),
        evaluated=sum(count.evaluated for count in counts),
    )


def _missing(listed: Sequence[Sequence[MissingCount]]) -> tuple[MissingCount, ...]:
    found: dict[str, list[MissingCount]] = {}
    for item in (item for items in listed for item in items):
        found.setdefault(item.attribute, []).append(item)
    return tuple(
        MissingCount(
            attribute=name,
            n=sum(item.n for item in items),
            favorable=None
            if any(item.favorable is None for item in items)
            else sum(item.favorable or 0 for item in items),
        )
        for name, items in found.items()
    )


def _add(counts: dict[Any, list[Any]], key: Any, values: Sequence[Any]) -> None:
    held = counts.get(key)
    counts[key] = list(values) if held is None else [a + b for a, b in zip(held, values, strict=True)]


def _refuse_many(groups: dict[Label, Any]) -> None:
    if len(groups) > GROUP_CAP:
        raise NotAdditiveError(f"the windows hold more than {GROUP_CAP:,} groups together")


_OTHERS: dict[type, Callable[[Sequence[Any]], AnyTally]] = {
    MetricTally: _metrics,
    GapTally: _gaps,
    PairTally: add_pairs,
    MeanTally: add_means,
}
