"""Rate gaps: the judgement, from a tally and the rules. No case is seen here."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, product

import numpy as np

from fairreport.analyses.gap_bounds import Bounds, Counts, GapGroup, GroupBounds, Listed
from fairreport.analyses.gap_pairs import GroupGaps
from fairreport.analyses.gap_parameters import SEPARATOR, GapRule, Rate, RateGaps
from fairreport.stats.proportion import FloatArray
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.gaps import GapNeeds

TOLERANCE = 1e-12
"""A bound this close to a bar is on the bar."""

Levels = tuple[str, ...]


class RuleState(StrEnum):
    """What a rule reads, gravest first."""

    FAIL = "FAIL"
    MANUAL_REVIEW = "MANUAL_REVIEW"
    INSUFFICIENT_EVIDENCE = "INSUFFICIENT_EVIDENCE"
    PASS = "PASS"  # noqa: S105 - the word of the contract


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Cases whose attributes are missing or undeclared.

    Attributes
    ----------
    missing_attribute, undeclared_value, total : int
        Cases by reason (missing first), and all of them.
    share : float
        Of all rows.
    exceeds : bool
        Whether the share is above the rule's limit.
    groups, gaps : tuple of GroupBounds, GroupGaps
        Bounds with every left-out case placed anywhere.
    """

    missing_attribute: int
    undeclared_value: int
    total: int
    share: float
    exceeds: bool
    groups: tuple[GroupBounds, ...]
    gaps: GroupGaps


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreCases:
    """How many more cases would decide at the present rates.

    Attributes
    ----------
    size : int or None
        Cases of the rate that every group would need; None where none would decide. Events are whole, so a size a
        little below can decide as well; this one does.
    further : tuple of (str, int)
        How many each group lacks.
    state : RuleState or None
        What the rule would read then.
    """

    size: int | None
    further: tuple[tuple[str, int], ...]
    state: RuleState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFinding:
    """What one rule reads."""

    id: str
    rule: GapRule
    state: RuleState
    alpha_per_group: float
    groups: tuple[GapGroup, ...]
    gaps: GroupGaps
    left_out: LeftOut
    reason: str
    more: MoreCases | None = None


def needs(test: RateGaps) -> GapNeeds:
    """Return what the rules need of the table."""
    return GapNeeds(
        attributes=test.attributes,
        label=test.label,
        prediction=test.prediction,
        probability=test.probability,
        unit=test.unit,
        case_id="id",
        bins=test.calibration_bins,
    )


def judge_rules(test: RateGaps, tally: GapTally) -> tuple[RuleFinding, ...]:
    """Return what every rule reads in a tally."""
    return tuple(_judge(test, rule, tally) for rule in test.rules)


def _judge(test: RateGaps, rule: GapRule, tally: GapTally) -> RuleFinding:
    places = [tally.attributes.index(name) for name in rule.attribute]
    groups = list(product(*(tally.declared[place] for place in places)))
    counts: dict[Levels, Counts] = dict.fromkeys(groups, Counts())
    outside = Counts()
    missing = undeclared = 0
    for cell in tally.cells:
        levels = tuple(level for place in places if (level := cell.levels[place]) is not None)
        if len(levels) == len(places):
            counts[levels] = counts[levels].plus(cell, rule.rate)
            continue
        outside = outside.plus(cell, rule.rate)
        if any(cell.levels[place] is None and not cell.undeclared[place] for place in places):
            missing += cell.n
        else:
            undeclared += cell.n
    bounds = Bounds(test, len(groups))
    listed = [(SEPARATOR.join(levels), counts[levels]) for levels in groups]
    labels = [label for label, _ in listed]
    found = bounds.groups(listed, test.min_cell)
    ends = bounds.differences(listed, found)
    worst = bounds.with_left_out(listed, outside, found)
    placed = ends if not outside.total and not bounds.is_pairwise else bounds.differences_with_left_out(worst, ends)
    share = (missing + undeclared) / tally.rows
    exceeds = share > rule.max_left_out
    state, reason = _state(rule, found, ends, exceeds=exceeds)
    return RuleFinding(
        id=rule.id,
        rule=rule,
        state=state,
        alpha_per_group=bounds.alpha,
        groups=found,
        gaps=bounds.gaps(labels, ends),
        left_out=LeftOut(
            missing_attribute=missing,
            undeclared_value=undeclared,
            total=missing + undeclared,
            share=share,
            exceeds=exceeds,
            groups=worst,
            gaps=bounds.gaps(labels, placed),
        ),
        reason=reason,
        more=_more_cases(test, rule, listed, exceeds=exceeds) if state is RuleState.INSUFFICIENT_EVIDENCE else None,
    )


Ends = tuple[FloatArray, FloatArray]


def _state(rule: GapRule, groups: Sequence[GapGroup], ends: Ends, *, exceeds: bool) -> tuple[RuleState, str]:
    """Return what a rule reads, and why in a few words."""
    passes, fails = _held(rule, groups, ends)
    small = [group.label for group in groups if group.below_min_cell]
    if exceeds:
        return RuleState.INSUFFICIENT_EVIDENCE, "more cases are left out than the rule allows"
    if fails:
        return RuleState.FAIL, "a whole interval is beyond the bar"
    if small:
        return RuleState.INSUFFICIENT_EVIDENCE, f"too few cases in {', '.join(small)}"
    if not passes:
        return RuleState.INSUFFICIENT_EVIDENCE, "the bounds reach over the bar"
    return _passing(rule), _passing_reason(rule)


def read_again(found: RuleFinding, rules: Sequence[GapRule]) -> list[RuleState]:
    """Return what a rule reads in the same cases under other bars; the bounds of groups and gaps hang on none."""
    ends = found.gaps.differences
    exceeds = found.left_out.exceeds
    return [_state(rule, found.groups, ends, exceeds=exceeds)[0] for rule in rules]


def _passing(rule: GapRule) -> RuleState:
    """Return what a rule reads whose figures pass."""
    return RuleState.PASS if rule.manual_review is False else RuleState.MANUAL_REVIEW


def _passing_reason(rule: GapRule) -> str:
    if rule.manual_review is False:
        return "every interval is within the bar"
    return rule.manual_review if isinstance(rule.manual_review, str) else "the rule asks for a person"


def _held(rule: GapRule, groups: Sequence[GapGroup], ends: Ends) -> tuple[bool, bool]:
    """Tell whether all bounds are within the bar, and whether some whole interval is beyond it."""
    bar = rule.bar
    if rule.max_group_gap is not None:
        return _within(ends, bar)
    if rule.rate is Rate.SELECTION:
        return (
            all(group.lower >= bar - TOLERANCE for group in groups),
            any(group.upper < bar - TOLERANCE for group in groups),
        )
    return (
        all(group.upper <= bar + TOLERANCE for group in groups),
        any(group.lower > bar + TOLERANCE for group in groups),
    )


_LARGEST_SIZE = 10**8


def _more_cases(test: RateGaps, rule: GapRule, listed: Sequence[Listed], *, exceeds: bool) -> MoreCases:
    """Find a group size at which the present rates decide: the smallest, but for the rounding of events.

    Missing predictions stay as many as they are. Where too many cases are left out, no number decides.
    """
    if exceeds or any(not counts.observed for _, counts in listed):
        return MoreCases(size=None, further=(), state=None)
    bounds = Bounds(test, len(listed))

    growth = _Growth([counts for _, counts in listed])

    def reads(size: int) -> RuleState | None:
        passes, fails = _held_at(bounds, rule, growth, size)
        if fails:
            return RuleState.FAIL
        is_small = any(max(size, counts.observed) < test.min_cell for _, counts in listed)
        return _passing(rule) if passes and not is_small else None

    if reads(_LARGEST_SIZE) is None:
        return MoreCases(size=None, further=(), state=None)
    smallest = min(counts.observed for _, counts in listed)
    size = smallest + bisect_left(range(smallest, _LARGEST_SIZE), x=True, key=lambda n: reads(n) is not None)
    further = tuple((label, max(0, size - counts.observed)) for label, counts in listed)
    return MoreCases(size=size, further=further, state=reads(size))


def _held_at(bounds: Bounds, rule: GapRule, growth: _Growth, size: int) -> tuple[bool, bool]:
    """Tell for groups of a size whether all bounds are within the bar, and whether some whole interval is beyond it."""
    if rule.max_group_gap is not None and bounds.is_pairwise:
        return _within(bounds.differences([("", cases) for cases in growth.all_at(size)], ()), rule.bar)
    low, high = bounds.ends(growth.ends_at(size))
    if rule.max_group_gap is not None:
        return _spread(low, high, rule.bar)
    if rule.rate is Rate.SELECTION:
        return bool(low.min() >= rule.bar - TOLERANCE), bool(high.min() < rule.bar - TOLERANCE)
    return bool(high.max() <= rule.bar + TOLERANCE), bool(low.max() > rule.bar + TOLERANCE)


class _Growth:
    """Groups that are brought up to a size at their present rates.

    Parameters
    ----------
    counts : sequence of Counts
        The groups as they are, each with a prediction.
    """

    def __init__(self, counts: Sequence[Counts]) -> None:
        self._counts = counts
        # Rates of so many cases differ by more than 1 / scale, so that whole numbers sort them exactly.
        scale = 2 * max(cases.observed for cases in counts) ** 2
        self._by_rate: dict[int, list[Counts]] = {}
        for cases in sorted(counts, key=lambda it: it.events * scale // it.observed):
            self._by_rate.setdefault(cases.missing, []).append(cases)

    def all_at(self, size: int) -> list[Counts]:
        """Return every group at a size."""
        return [_grown(cases, size) for cases in self._counts]

    def ends_at(self, size: int) -> list[Counts]:
        """Return the groups of a size among which the two largest and the two smallest ends of all are.

        Of groups of as many cases, that with the higher rate has the higher ends, so that those in between have none.
        """
        found = [cases for cases in self._counts if cases.observed >= size]
        for ordered in self._by_rate.values():
            for one_way in (ordered, reversed(ordered)):
                small = (cases for cases in one_way if cases.observed < size)
                found += [_grown(cases, size) for cases in islice(small, 2)]
        return found


def _spread(low: FloatArray, high: FloatArray, bar: float) -> tuple[bool, bool]:
    """Tell the same of all gaps between groups whose intervals have these ends, without going through the pairs."""
    top, bottom = int(high.argmax()), int(low.argmin())
    widest = high[top] - low[bottom]
    if top == bottom:
        others = np.arange(len(low)) != top
        widest = max(high[others].max() - low[bottom], high[top] - low[others].min())
    return bool(widest <= bar + TOLERANCE), bool(low.max() - high.min() > bar + TOLERANCE)


def _within(ends: Ends, bar: float) -> tuple[bool, bool]:
    """Tell the same of all gaps from the bounds of their differences."""
    low, high = ends
    return (
        bool(np.all(np.maximum(high, -low) <= bar + TOLERANCE)),
        bool(np.any(np.maximum(low, -high) > bar + TOLERANCE)),
    )


def _grown(counts: Counts, size: int) -> Counts:
    """Return a group brought up to a size at its present rate."""
    if counts.observed >= size:
        return counts
    return Counts(events=round(counts.events * size / counts.observed), observed=size, missing=counts.missing)
