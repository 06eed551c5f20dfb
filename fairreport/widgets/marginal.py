"""The tally of fewer attributes, added up from that of more: where no row was left out, it is that of a scan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from fairreport.tables.needs import Labels, Measure, MeasureNeeds, Needs, OutcomeNeeds
from fairreport.tables.tally import GroupCount, MetricTally, OutcomeTally, RowCount, Scan, ShareGroup, StratumCount

Label = tuple[str, ...]
Narrow = Callable[[Label], Label]


def marginal_scan(scan: Scan, of: Needs, need: Needs) -> Scan | None:
    """Return what a scan of the table would give for fewer attributes and controls; None where that is not known.

    A row that lacks an attribute, or whose group is not declared, counts for every test that does not use that
    attribute. A tally does not tell which group such rows are of, so it must have left out none.

    Parameters
    ----------
    scan : Scan
        What is at hand.
    of : OutcomeNeeds or MeasureNeeds
        What it was made for.
    need : OutcomeNeeds or MeasureNeeds
        What is asked.
    """
    if not set(need.attributes) <= set(of.attributes):
        return None
    tally = scan.tally
    if isinstance(tally, OutcomeTally) and isinstance(need, OutcomeNeeds) and isinstance(of, OutcomeNeeds):
        same = _outcome_of(need) == _outcome_of(of)
        if not same or _has_left_out(tally.rows):
            return None
        found = _outcome(tally, need)
        return None if found is None else _fitted(scan, found, need)
    if isinstance(tally, MetricTally) and isinstance(need, MeasureNeeds) and isinstance(of, MeasureNeeds):
        shares = [group for group in tally.groups if isinstance(group, ShareGroup)]
        same = need.measure is Measure.SHARE and _share_of(need) == _share_of(of)
        if not same or len(shares) < len(tally.groups) or _has_left_out(tally.rows):
            return None
        return _fitted(scan, _shares(tally, shares, need), need)
    return None


def _outcome_of(need: OutcomeNeeds) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    return need.outcome, need.favorable_values, need.unfavorable_values


def _share_of(need: MeasureNeeds) -> tuple[Measure, tuple[Labels, ...], bool]:
    return need.measure, need.labels, need.needs_positive


def _has_left_out(rows: RowCount) -> bool:
    return bool(rows.missing_attribute or rows.undeclared)


def _fitted(scan: Scan, tally: OutcomeTally | MetricTally, need: Needs) -> Scan:
    kept = set(need.attributes)
    return replace(
        scan,
        tally=tally,
        spellings=tuple(item for item in scan.spellings if item.column in kept),
        absent=tuple(item for item in scan.absent if item[0] in kept),
    )


def _narrowing(names: Sequence[str], kept: Iterable[str]) -> tuple[tuple[str, ...], Narrow]:
    """Return the kept names in their order, and the function that takes the same places out of a label."""
    chosen = set(kept)
    places = [i for i, name in enumerate(names) if name in chosen]
    return tuple(names[i] for i in places), lambda label: tuple(label[i] for i in places)


def _outcome(tally: OutcomeTally, need: OutcomeNeeds) -> OutcomeTally | None:
    attributes, group = _narrowing(tally.attributes, need.attributes)
    controls, stratum = _narrowing(tally.controls, need.controls)
    if len(controls) < len(set(need.controls)):
        return None
    not_kept = bool(tally.n_strata) and not tally.strata
    if controls and (not_kept or (controls != tally.controls and tally.rows_without_controls)):
        return None
    counts: defaultdict[Label, list[int]] = defaultdict(lambda: [0, 0])
    for row in tally.groups:
        _add(counts[group(row.group)], row.n, row.favorable)
    cells: defaultdict[tuple[Label, Label], list[int]] = defaultdict(lambda: [0, 0])
    for cell in tally.strata if controls else ():
        _add(cells[stratum(cell.stratum), group(cell.group)], cell.n, cell.favorable)
    return replace(
        tally,
        attributes=attributes,
        controls=controls,
        groups=tuple(GroupCount(group=label, n=n, favorable=k) for label, (n, k) in sorted(counts.items())),
        strata=tuple(
            StratumCount(group=label, stratum=place, n=n, favorable=k)
            for (place, label), (n, k) in sorted(cells.items())
        ),
        n_strata=len({place for place, _ in cells}) if controls else None,
        rows_without_controls=tally.rows_without_controls if controls else 0,
        missing=tuple(item for item in tally.missing if item.attribute in attributes),
    )


def _shares(tally: MetricTally, groups: Iterable[ShareGroup], need: MeasureNeeds) -> MetricTally:
    attributes, narrow = _narrowing(tally.attributes, need.attributes)
    counts: defaultdict[Label, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in groups:
        _add(counts[narrow(row.group)], row.n, row.support, row.hits)
    return replace(
        tally,
        attributes=attributes,
        groups=tuple(
            ShareGroup(group=label, n=n, support=support, hits=hits)
            for label, (n, support, hits) in sorted(counts.items())
        ),
        missing=tuple(item for item in tally.missing if item.attribute in attributes),
    )


def _add(sums: list[int], *more: int) -> None:
    for i, n in enumerate(more):
        sums[i] += n
