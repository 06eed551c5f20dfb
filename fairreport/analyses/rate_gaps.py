"""Rate gaps: the judgement, from a tally and the rules. No case is seen here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product

from fairreport.analyses.gap_parameters import SEPARATOR, GapInterval, GapRule, Rate, RateGaps
from fairreport.stats.contrast import newcombe_difference
from fairreport.stats.proportion import clopper_pearson
from fairreport.tables.gap_tally import GapCell, GapTally
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
class GapGroup:
    """One declared group of a rule.

    Attributes
    ----------
    label : str
        Its level; the levels of a crossing joined by a bar.
    events, observed, missing : int
        Cases of the rate with an event, with a prediction, and without one.
    rate : float or None
        events / observed; None without a prediction.
    lower, upper : float
        Exact interval with missing predictions at their worst for either end.
    below_min_cell : bool
        Whether too few cases with a prediction stand behind the rate.
    """

    label: str
    events: int
    observed: int
    missing: int
    rate: float | None
    lower: float
    upper: float
    below_min_cell: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupGap:
    """Two groups: bounds of the difference a - b, and of its size."""

    a: str
    b: str
    diff_lower: float
    diff_upper: float
    gap_lower: float
    gap_upper: float


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
    gaps : tuple of GroupGap
        Bounds with every left-out case placed anywhere.
    """

    missing_attribute: int
    undeclared_value: int
    total: int
    share: float
    exceeds: bool
    gaps: tuple[GroupGap, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreCases:
    """How many more cases would decide at the present rates.

    Attributes
    ----------
    size : int or None
        Cases of the rate that every group would need; None where none would decide.
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
    gaps: tuple[GroupGap, ...]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """Cases of a rate in one group."""

    events: int = 0
    observed: int = 0
    missing: int = 0

    def plus(self, cell: GapCell, rate: Rate) -> _Counts:
        if not _is_about(cell, rate):
            return self
        if cell.prediction is None:
            return _Counts(events=self.events, observed=self.observed, missing=self.missing + cell.n)
        event = cell.n if _is_event(cell, rate) else 0
        return _Counts(events=self.events + event, observed=self.observed + cell.n, missing=self.missing)

    @property
    def total(self) -> int:
        return self.observed + self.missing


def _is_about(cell: GapCell, rate: Rate) -> bool:
    if rate is Rate.FALSE_POSITIVE:
        return cell.label == 0
    return rate is not Rate.FALSE_NEGATIVE or cell.label == 1


def _is_event(cell: GapCell, rate: Rate) -> bool:
    if rate is Rate.SELECTION:
        return cell.prediction == 1
    return cell.prediction != cell.label


def _judge(test: RateGaps, rule: GapRule, tally: GapTally) -> RuleFinding:
    places = [tally.attributes.index(name) for name in rule.attribute]
    groups = list(product(*(tally.declared[place] for place in places)))
    counts: dict[Levels, _Counts] = dict.fromkeys(groups, _Counts())
    outside = _Counts()
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
    bounds = _Bounds(test, len(groups))
    listed = [(SEPARATOR.join(levels), counts[levels]) for levels in groups]
    found = bounds.groups(listed, test.min_cell)
    gaps = bounds.gaps(listed, found)
    share = (missing + undeclared) / tally.rows
    exceeds = share > rule.max_left_out
    state, reason = _state(rule, found, gaps, exceeds=exceeds)
    return RuleFinding(
        id=rule.id,
        rule=rule,
        state=state,
        alpha_per_group=bounds.alpha,
        groups=found,
        gaps=gaps,
        left_out=LeftOut(
            missing_attribute=missing,
            undeclared_value=undeclared,
            total=missing + undeclared,
            share=share,
            exceeds=exceeds,
            gaps=bounds.with_left_out(listed, outside),
        ),
        reason=reason,
        more=_more_cases(test, rule, listed, exceeds=exceeds) if state is RuleState.INSUFFICIENT_EVIDENCE else None,
    )


class _Bounds:
    """Intervals of groups and gaps under one error budget."""

    def __init__(self, test: RateGaps, groups: int) -> None:
        self.alpha = test.budget / groups
        self._pairwise = test.interval is GapInterval.PAIRWISE
        self._pair_level = 1 - test.budget / max(groups * (groups - 1) // 2, 1)

    def groups(self, listed: Sequence[tuple[str, _Counts]], min_cell: int) -> tuple[GapGroup, ...]:
        """Return the exact interval of every group."""
        ends = self._ends([(c.events, c.total, c.events + c.missing, c.total) for _, c in listed])
        return tuple(
            GapGroup(
                label=label,
                events=counts.events,
                observed=counts.observed,
                missing=counts.missing,
                rate=counts.events / counts.observed if counts.observed else None,
                lower=lower,
                upper=upper,
                below_min_cell=counts.observed < min_cell,
            )
            for (label, counts), (lower, upper) in zip(listed, ends, strict=True)
        )

    def _ends(self, tables: Sequence[tuple[int, int, int, int]]) -> list[tuple[float, float]]:
        """Return (lower of k in n, upper of k' in n') for each; 0 and 1 where there is no case."""
        level = 1 - self.alpha
        full = [(k, max(n, 1), up, max(top, 1)) for k, n, up, top in tables]
        lows = clopper_pearson([t[0] for t in full], [t[1] for t in full], level=level).low.tolist()
        highs = clopper_pearson([t[2] for t in full], [t[3] for t in full], level=level).high.tolist()
        return [
            (low if n else 0.0, high if top else 1.0)
            for (_, n, _, top), low, high in zip(tables, lows, highs, strict=True)
        ]

    def gaps(self, listed: Sequence[tuple[str, _Counts]], groups: Sequence[GapGroup]) -> tuple[GroupGap, ...]:
        """Return the bounds of every gap."""
        if not self._pairwise:
            return tuple(
                _gap(a.label, b.label, a.lower - b.upper, a.upper - b.lower) for a, b in combinations(groups, 2)
            )
        return tuple(self._pair(a, b) for a, b in combinations(listed, 2))

    def _pair(self, first: tuple[str, _Counts], second: tuple[str, _Counts]) -> GroupGap:
        (label, a), (other, b) = first, second
        if not a.total or not b.total:
            return _gap(label, other, -1.0, 1.0)
        level = self._pair_level
        low = newcombe_difference([a.events], [a.total], [b.events + b.missing], [b.total], level=level).low[0]
        high = newcombe_difference([a.events + a.missing], [a.total], [b.events], [b.total], level=level).high[0]
        return _gap(label, other, float(low), float(high))

    def with_left_out(self, listed: Sequence[tuple[str, _Counts]], outside: _Counts) -> tuple[GroupGap, ...]:
        """Return the bounds of every gap with the left-out cases placed anywhere."""
        quiet = outside.observed - outside.events
        ends = self._ends(
            [
                (
                    c.events,
                    c.total + quiet + outside.missing,
                    c.events + c.missing + outside.events + outside.missing,
                    c.total + outside.events + outside.missing,
                )
                for _, c in listed
            ]
        )
        both = [(label, low, high) for (label, _), (low, high) in zip(listed, ends, strict=True)]
        return tuple(_gap(a[0], b[0], a[1] - b[2], a[2] - b[1]) for a, b in combinations(both, 2))


def _gap(a: str, b: str, low: float, high: float) -> GroupGap:
    return GroupGap(
        a=a, b=b, diff_lower=low, diff_upper=high, gap_lower=max(0.0, low, -high), gap_upper=max(high, -low)
    )


def _state(
    rule: GapRule, groups: Sequence[GapGroup], gaps: Sequence[GroupGap], *, exceeds: bool
) -> tuple[RuleState, str]:
    """Return what a rule reads, and why in a few words."""
    passes, fails = _held(rule, groups, gaps)
    small = [group.label for group in groups if group.below_min_cell]
    if exceeds:
        return RuleState.INSUFFICIENT_EVIDENCE, "more cases are left out than the rule allows"
    if fails:
        return RuleState.FAIL, "a whole interval is beyond the bar"
    if small:
        return RuleState.INSUFFICIENT_EVIDENCE, f"too few cases in {', '.join(small)}"
    if not passes:
        return RuleState.INSUFFICIENT_EVIDENCE, "the bounds reach over the bar"
    if rule.manual_review:
        reason = rule.manual_review if isinstance(rule.manual_review, str) else "the rule asks for a person"
        return RuleState.MANUAL_REVIEW, reason
    return RuleState.PASS, "every interval is within the bar"


def _held(rule: GapRule, groups: Sequence[GapGroup], gaps: Sequence[GroupGap]) -> tuple[bool, bool]:
    """Tell whether all bounds are within the bar, and whether some whole interval is beyond it."""
    bar = rule.bar
    if rule.max_group_gap is not None:
        return (
            all(gap.gap_upper <= bar + TOLERANCE for gap in gaps),
            any(gap.gap_lower > bar + TOLERANCE for gap in gaps),
        )
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


def _more_cases(test: RateGaps, rule: GapRule, listed: Sequence[tuple[str, _Counts]], *, exceeds: bool) -> MoreCases:
    """Find the smallest group size at which the present rates decide.

    Missing predictions stay as many as they are. Where too many cases are left out, no number decides.
    """
    if exceeds or any(not counts.observed for _, counts in listed):
        return MoreCases(size=None, further=(), state=None)
    bounds = _Bounds(test, len(listed))

    def reads(size: int) -> RuleState | None:
        grown = [(label, _grown(counts, size)) for label, counts in listed]
        groups = bounds.groups(grown, test.min_cell)
        passes, fails = _held(rule, groups, bounds.gaps(grown, groups))
        if fails:
            return RuleState.FAIL
        return RuleState.PASS if passes and not any(g.below_min_cell for g in groups) else None

    if reads(_LARGEST_SIZE) is None:
        return MoreCases(size=None, further=(), state=None)
    size = _first(lambda n: reads(n) is not None, min(counts.observed for _, counts in listed), _LARGEST_SIZE)
    further = tuple((label, max(0, size - counts.observed)) for label, counts in listed)
    return MoreCases(size=size, further=further, state=reads(size))


def _grown(counts: _Counts, size: int) -> _Counts:
    """Return a group brought up to a size at its present rate."""
    if counts.observed >= size:
        return counts
    return _Counts(events=round(counts.events * size / counts.observed), observed=size, missing=counts.missing)


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the smallest whole number for which a property holds that, once it holds, keeps holding."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
