"""How many persons with another outcome would change what is found: the fewest, exactly, by counts."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fairreport.analyses.comparison import RateVerdict
from fairreport.analyses.grouping import Label
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.robustness_counts import Case, Family, Pair
from fairreport.stats.significance import PValues

TOLD = 20
"""So many groups are told in full, the least stable first; of all it is counted how many one person changes."""
MOST_PERSONS = 100
"""Significance is tested anew for so many persons at most; where it takes more, that is said."""
_FEWEST_PERSONS = 10
_TABLES = 10_000
"""Tables that are tested anew where the p-values of all groups change with those of the reference."""
_BLOCK = 12


class Side(StrEnum):
    """Whose outcomes are other ones."""

    GROUP = "group"
    REFERENCE = "reference"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fewest:
    """The fewest persons that change something.

    Attributes
    ----------
    persons : int or None
        How many; None where no number does, or none was found.
    beyond : int or None
        Where none was found: more than so many persons; None where no number does.
    """

    persons: int | None = None
    beyond: int | None = None

    @property
    def order(self) -> float:
        """What numbers are sorted by."""
        return self.persons if self.persons is not None else math.inf if self.beyond is None else self.beyond + 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedGroup:
    """What persons with another outcome change in one group.

    Attributes
    ----------
    group : tuple of str
        Its label.
    rows : int
        Its evaluated rows.
    ratio : float or None
        Its ratio.
    verdict : RateVerdict
        What the test decides as stated.
    reaches : bool
        Whether the interval of its ratio reaches below the threshold.
    in_group, in_reference, swapped : Fewest
        Persons of the group with another outcome, persons of the reference, or one of the group in the place of one
        of the reference each time, that give another verdict.
    significance_in_group, significance_in_reference : Fewest or None
        Persons that make a significant difference none, or the other way round; None where nothing is tested.
    """

    group: Label
    rows: int
    ratio: float | None
    verdict: RateVerdict
    reaches: bool
    in_group: Fewest
    in_reference: Fewest
    swapped: Fewest
    significance_in_group: Fewest | None
    significance_in_reference: Fewest | None

    @property
    def fewest(self) -> Fewest:
        """The fewest persons that change its verdict, whosever they are."""
        return min((self.in_group, self.in_reference, self.swapped), key=lambda found: found.order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What persons with another outcome change in a test.

    Attributes
    ----------
    n_groups : int
        Judged groups.
    by_one : tuple of tuple of str
        Labels of the groups whose verdict one person changes: in the group, in the reference, or swapped.
    told : tuple of MovedGroup
        The least stable first, as many as were asked for.
    """

    n_groups: int
    by_one: tuple[Label, ...]
    told: tuple[MovedGroup, ...]


def persons_moved(family: Family, most: int = TOLD) -> Moved:
    """Return how many persons with another outcome would change what is found in each group.

    A group that fails is made better off: persons of it get the favorable outcome, or persons of the reference lose
    it, or both at once, one for one. A group that does not fail is made worse off in the same ways. The sizes of the
    groups, the reference and which groups are judged stay as they are; p-values are computed anew, adjusted ones of
    the whole family, wherever the verdict hangs on them.

    Parameters
    ----------
    family : Family
        The judged groups.
    most : int
        How many groups are told in full.

    References
    ----------
    Questions and Answers on the Uniform Guidelines, 44 FR 11996 (1979), question 21: no weight is put on a difference
    so small that another person chosen for one job would turn it into one the other way. `swapped` counts such
    persons, up to where the verdict of the test changes.
    """
    verdicts = family.as_stated()
    search = _Search(family)
    by_size = [_fewest_by_size(family, place, verdicts[place]) for place in range(len(family.groups))]
    ones = search.changed_by_one(verdicts)
    order = sorted(range(len(family.groups)), key=lambda place: (not ones[place], by_size[place], place))
    told = [_told(search, place, verdicts[place]) for place in order[:most]]
    return Moved(
        n_groups=len(family.groups),
        by_one=tuple(family.groups[place].label for place in order if ones[place]),
        told=tuple(sorted(told, key=lambda row: (row.fewest.order, order.index(_place_of(family, row.group))))),
    )


def _place_of(family: Family, label: Label) -> int:
    return next(i for i, group in enumerate(family.groups) if group.label == label)


def _fewest_by_size(family: Family, place: int, verdict: RateVerdict) -> float:
    """Return how many persons of a group bring it over the threshold, significance aside: what groups are sorted by."""
    pair = family.groups[place].pair
    moves = _Moves(family, pair, Side.GROUP, better=verdict.below)
    found = _first(lambda s: family.decide_by_size(moves.at(s)) != verdict.below, moves.most)
    return math.inf if found is None else found


def _told(search: _Search, place: int, verdict: RateVerdict) -> MovedGroup:
    group = search.family.groups[place]
    own, theirs, both = (search.verdict(place, verdict, side) for side in Side)
    tested = search.family.has_test
    return MovedGroup(
        group=group.label,
        rows=group.rows,
        ratio=search.family.rules.ratio(group.pair),
        verdict=verdict,
        reaches=search.family.reach([group.pair])[0],
        in_group=own,
        in_reference=theirs,
        swapped=both,
        significance_in_group=search.significance(place, verdict, Side.GROUP) if tested else None,
        significance_in_reference=search.significance(place, verdict, Side.REFERENCE) if tested else None,
    )


class _Moves:
    """Counts with the outcomes of so many persons changed, as far as there are such persons."""

    def __init__(self, family: Family, pair: Pair, side: Side, *, better: bool) -> None:
        up = 1 if better == family.rules.more_is_better else -1
        self._pair = pair
        self._own = up if side is not Side.REFERENCE else 0
        self._theirs = -up if side is not Side.GROUP else 0
        room = []
        if self._own:
            room.append(pair.n - pair.a if self._own > 0 else pair.a)
        if self._theirs:
            # The reference keeps one favorable outcome: without any there is nothing to divide by.
            room.append(pair.m - pair.b if self._theirs > 0 else pair.b - 1)
        self.most = max(0, min(room))

    def at(self, persons: int) -> Pair:
        """Return the counts."""
        pair = self._pair
        return Pair(a=pair.a + self._own * persons, n=pair.n, b=pair.b + self._theirs * persons, m=pair.m)

    @property
    def moves_reference(self) -> bool:
        """Whether the reference's counts change."""
        return bool(self._theirs)


class _Search:
    """Searches for the fewest persons, and keeps the p-values of all groups that they need again and again."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self._others: dict[int, PValues | None] = {}
        adjusts = family.has_test and family.rules.adjustment is not PValueAdjustment.NONE
        tables = _TABLES // len(family.groups)
        self._most = max(_FEWEST_PERSONS, min(MOST_PERSONS, tables)) if adjusts else MOST_PERSONS

    def changed_by_one(self, verdicts: Sequence[RateVerdict]) -> list[bool]:
        """Tell of each group whether one person changes its verdict, in the group, in the reference, or swapped."""
        cases = []
        for place, (group, verdict) in enumerate(zip(self.family.groups, verdicts, strict=True)):
            for side in Side:
                moves = _Moves(self.family, group.pair, side, better=verdict.failing)
                cases += [self._case(place, moves, 1)] if moves.most else []
        found = [False] * len(verdicts)
        for case, verdict in zip(cases, self._decided(cases), strict=True):
            found[case.place] |= verdict.failing != verdicts[case.place].failing
        return found

    def _decided(self, cases: Sequence[Case]) -> list[RateVerdict]:
        if self.family.needs_p:
            return self.family.judge(cases)
        return [self.family.rules.decide(case.pair, None) for case in cases]

    def verdict(self, place: int, verdict: RateVerdict, side: Side) -> Fewest:
        """Return the fewest persons that give a group another verdict."""
        family = self.family
        moves = _Moves(family, family.groups[place].pair, side, better=verdict.failing)
        legal = moves.most
        crossing = _first(lambda s: family.decide_by_size(moves.at(s)) != verdict.below, legal)
        if not family.needs_p:
            return Fewest(persons=crossing)
        if verdict.failing:  # it stops where the group is no longer below, or no longer significant
            return self._scan(place, moves, lambda it: not it.failing, 1, legal if crossing is None else crossing)
        start = 1 if verdict.below else crossing
        return Fewest() if start is None else self._scan(place, moves, lambda it: it.failing, start, legal)

    def significance(self, place: int, verdict: RateVerdict, side: Side) -> Fewest:
        """Return the fewest persons that make a significant difference of a group none, or the other way round."""
        moves = _Moves(self.family, self.family.groups[place].pair, side, better=verdict.significant)
        return self._scan(place, moves, lambda it: it.significant != verdict.significant, 1, moves.most)

    def _scan(self, place: int, moves: _Moves, wanted: Callable[[RateVerdict], bool], first: int, last: int) -> Fewest:
        """Return the first number of persons for which a verdict is as wanted.

        Two-sided exact p-values do not fall steadily with the distance of the rates, so that every number is tried.
        """
        end = min(last, first + self._most - 1)
        for block in _blocks(first, end):
            cases = [self._case(place, moves, s) for s in block]
            for s, verdict in zip(block, self.family.judge(cases), strict=True):
                if wanted(verdict):
                    return Fewest(persons=s)
        if end == last:
            return Fewest()
        # What is below stays so, or is reached at the last number: a group that is not below does not fail.
        return Fewest(beyond=end)

    def _case(self, place: int, moves: _Moves, persons: int) -> Case:
        pair = moves.at(persons)
        return Case(place=place, pair=pair, family=self._others_at(pair.b) if moves.moves_reference else None)

    def _others_at(self, b: int) -> PValues | None:
        """Return the p-values of all groups where the reference has other hits; None where they decide nothing."""
        if self.family.rules.adjustment is PValueAdjustment.NONE or not self.family.has_test:
            return None
        if b not in self._others:
            self._others[b] = self.family.others_at(b)
        return self._others[b]


def _blocks(first: int, last: int) -> Iterator[range]:
    start, size = first, _BLOCK
    while start <= last:
        yield range(start, min(last, start + size - 1) + 1)
        start, size = start + size, size * 2


def _first(holds: Callable[[int], bool], most: int) -> int | None:
    """Return the smallest number from 1 on for which a property holds that keeps holding; None where none does."""
    if most < 1 or not holds(most):
        return None
    return 1 + bisect_left(range(1, most), x=True, key=holds)
