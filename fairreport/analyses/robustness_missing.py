"""What rows without an attribute could change, placed in one group at a time as well and as badly as they can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from fairreport.analyses.comparison import RateVerdict
from fairreport.analyses.grouping import Label
from fairreport.analyses.result import Finding
from fairreport.analyses.robustness_counts import Case, Family, Pair
from fairreport.tables.tally import OutcomeTally

TOLD = 20
"""So many groups are told in full, those first whose verdict changes; of all it is counted how many change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A group with all rows that lack an attribute in it.

    Attributes
    ----------
    ratio : float or None
        Its ratio then, below 1 being worse.
    verdict : RateVerdict
        What the test decides then.
    reaches : bool
        Whether the interval of the ratio then reaches below the threshold; told only of groups that are told in full.
    """

    ratio: float | None
    verdict: RateVerdict
    reaches: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingBound:
    """One group with the rows that lack an attribute placed at their worst, the reference as it is.

    Attributes
    ----------
    group : tuple of str
        Its label.
    rows : int
        Its evaluated rows.
    stated : Placed
        As it is.
    worse, better : Placed
        With all those rows in it, none of them counted as well for it, and all of them.
    recorded : Placed or None
        With all those rows in it, each with its own outcome; None where that is not counted.
    """

    group: Label
    rows: int
    stated: Placed
    worse: Placed
    better: Placed
    recorded: Placed | None

    @property
    def changes(self) -> bool:
        """Whether an end of the bound has another verdict than the group has."""
        return any(end.verdict.failing != self.stated.verdict.failing for end in (self.worse, self.better))


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingAtWorst:
    """What rows that lack an attribute could change in a test.

    Attributes
    ----------
    rows : int
        How many lack one attribute or more.
    favorable : int or None
        How many of them are favorable, where that is counted.
    n_groups : int
        Judged groups.
    told : tuple of MissingBound
        Those first whose verdict changes, then those whose bound is widest; as many as were asked for.
    changing : tuple of tuple of str
        Labels of all groups whose verdict changes.
    """

    rows: int
    favorable: int | None
    n_groups: int
    told: tuple[MissingBound, ...]
    changing: tuple[Label, ...]


def missing_at_worst(family: Family, found: Finding, most: int = TOLD) -> MissingAtWorst | None:
    """Return what rows that lack an attribute could change; None where every row has them all.

    All of them join one group, as hits or as none, and its verdict is taken anew, with the reference, the other groups
    and which groups are judged as they are: one group at a time, so that this is no joint bound. With several
    attributes a row that lacks one of them could belong to some of the groups only; it is placed in each all the same,
    so that the bound is wider than need be.

    Parameters
    ----------
    family : Family
        The judged groups.
    found : Finding
        The finding that they come of.
    most : int
        How many groups are told in full.
    """
    rows = found.rows.missing_attribute if found.rows else 0
    if not rows:
        return None
    favorable = _favorable(found)
    places = range(len(family.groups))
    bounds = _bounds(family, places, rows, favorable, tested=family.needs_p)
    order = sorted(places, key=lambda place: (not bounds[place].changes, -_width(bounds[place]), place))
    return MissingAtWorst(
        rows=rows,
        favorable=favorable,
        n_groups=len(bounds),
        told=tuple(_bounds(family, order[:most], rows, favorable, tested=True)),
        changing=tuple(bounds[place].group for place in order if bounds[place].changes),
    )


def _favorable(found: Finding) -> int | None:
    """Return how many rows without the attribute are favorable; of several attributes that is not counted."""
    tally = found.evidence
    return tally.missing[0].favorable if isinstance(tally, OutcomeTally) and len(tally.missing) == 1 else None


def _ends(family: Family, pair: Pair, rows: int, favorable: int | None) -> list[Pair]:
    """Return the counts as they are, at the worse end, at the better end, and with the outcomes that are recorded."""
    well = rows if family.rules.more_is_better else 0
    hits = [rows - well, well, *([] if favorable is None else [favorable])]
    return [pair, *(Pair(a=pair.a + more, n=pair.n + rows, b=pair.b, m=pair.m) for more in hits)]


def _bounds(
    family: Family, places: Sequence[int], rows: int, favorable: int | None, *, tested: bool
) -> list[MissingBound]:
    """Return the bounds of some groups, with their significance and intervals or without."""
    pairs = [_ends(family, family.groups[place].pair, rows, favorable) for place in places]
    if not tested:
        return [
            _bound(family, place, ends, [family.rules.decide(pair, None) for pair in ends], [False] * len(ends))
            for place, ends in zip(places, pairs, strict=True)
        ]
    cases = [Case(place=place, pair=pair) for place, ends in zip(places, pairs, strict=True) for pair in ends]
    verdicts, reach = iter(family.judge(cases)), iter(family.reach([case.pair for case in cases]))
    return [
        _bound(family, place, ends, list(islice(verdicts, len(ends))), list(islice(reach, len(ends))))
        for place, ends in zip(places, pairs, strict=True)
    ]


def _bound(
    family: Family, place: int, pairs: Sequence[Pair], verdicts: Sequence[RateVerdict], reach: Sequence[bool]
) -> MissingBound:
    ends = [
        Placed(ratio=family.rules.ratio(pair), verdict=verdict, reaches=reaches)
        for pair, verdict, reaches in zip(pairs, verdicts, reach, strict=True)
    ]
    group = family.groups[place]
    return MissingBound(
        group=group.label,
        rows=group.rows,
        stated=ends[0],
        worse=ends[1],
        better=ends[2],
        recorded=ends[3] if len(ends) > 3 else None,
    )


def _width(bound: MissingBound) -> float:
    low, high = bound.worse.ratio, bound.better.ratio
    return 0.0 if low is None or high is None else high - low
