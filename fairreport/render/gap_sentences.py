"""Rules on rate gaps in words: what is asked, what decides, what was left out. Every display speaks through these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from fairreport.analyses.gap_bounds import GapGroup, GroupBounds
from fairreport.analyses.gap_pairs import GroupGap, GroupGaps
from fairreport.analyses.gap_parameters import GapRule, Rate
from fairreport.analyses.rate_gaps import MoreCases, RuleFinding, RuleState
from fairreport.audit.gap_document import unlisted_beyond_bar, unlisted_gaps
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence

RATES = {
    Rate.ERROR: "error rate",
    Rate.FALSE_POSITIVE: "false positive rate",
    Rate.FALSE_NEGATIVE: "false negative rate",
    Rate.SELECTION: "selection rate",
}
"""What each rate is called."""

_MOST_NAMED = 3
"""So many groups are named in a sentence; of more, the number is said."""


def is_gap(rule: GapRule) -> bool:
    """Tell whether a rule is about gaps between groups; else it is about the worst group."""
    return rule.max_group_gap is not None


def is_floor(rule: GapRule) -> bool:
    """Tell whether a rule on the worst group is a floor; a ceiling for rates that count harm."""
    return not is_gap(rule) and rule.rate is Rate.SELECTION


def asked(found: RuleFinding) -> Sentence:
    """Return what a rule asks: the rate, of which attributes, and the bar."""
    return Sentence((f"{RATES[found.rule.rate]} by ", *listed(found.rule.attribute), f", {_bar(found.rule)}"))


def _bar(rule: GapRule) -> str:
    if is_gap(rule):
        return f"no gap above {formats.threshold(rule.bar)}"
    return f"every group {'at least' if is_floor(rule) else 'at most'} {formats.threshold(rule.bar)}"


def bar_cell(rule: GapRule) -> str:
    """Return the bar in few characters."""
    return f"{'gap' if is_gap(rule) else 'rate'} {'≥' if is_floor(rule) else '≤'} {formats.threshold(rule.bar)}"


def listed(names: Iterable[str]) -> tuple[str | Name, ...]:
    """Return data strings as an enumeration."""
    texts = list(names)
    pieces: list[str | Name] = []
    for position, text in enumerate(texts):
        if position:
            pieces.append(" and " if position == len(texts) - 1 else ", ")
        pieces.append(Name.of(text))
    return tuple(pieces)


def reason(found: RuleFinding) -> Sentence:
    """Return why a rule reads what it reads."""
    small = [group.label for group in found.groups if group.below_min_cell]
    if found.state is not RuleState.INSUFFICIENT_EVIDENCE or found.left_out.exceeds or not small:
        stated = isinstance(found.rule.manual_review, str) and found.state is RuleState.MANUAL_REVIEW
        return Sentence((Name.of(found.reason) if stated else found.reason,))
    if len(small) > _MOST_NAMED:
        return Sentence((f"too few cases in {formats.count(len(small))} of {formats.count(len(found.groups))} groups",))
    return Sentence(("too few cases in ", *listed(small)))


def finding_sentence(found: RuleFinding, level: str) -> Sentence:
    """Return what a rule reads and by which numbers, as one sentence.

    Parameters
    ----------
    found : RuleFinding
        What it reads.
    level : str
        The confidence level as it prints.
    """
    rule = found.rule
    why: tuple[str | Name, ...] = ()
    if found.state in {RuleState.INSUFFICIENT_EVIDENCE, RuleState.MANUAL_REVIEW}:
        why = (" (", *reason(found).pieces, ")")
    start = ("rule ", Name.of(found.id), f" reads {found.state.value}", *why, ": ")
    if is_gap(rule):
        gap = widest(found, found.gaps)
        what: tuple[str | Name, ...] = (f"the gap in {RATES[rule.rate]} between ", *pair(gap))
        bounds, allowed = gap_bounds(gap, rule.bar), "allows at most"
    else:
        worst = worst_of(found, found.groups)
        what = (f"the {RATES[rule.rate]} of ", Name.of(worst.label))
        bounds, allowed = ends(worst, rule.bar), "asks for at least" if is_floor(rule) else "allows at most"
    bar = formats.threshold(rule.bar)
    return Sentence((*start, *what, f" is within {bounds} at {level}; the rule {allowed} {bar}."))


def deciding(found: RuleFinding) -> Sentence:
    """Return the pair or group that decides, with its numbers."""
    rule = found.rule
    if is_gap(rule):
        gap = widest(found, found.gaps)
        return Sentence(("widest pair ", *pair(gap), f", gap within {gap_bounds(gap, rule.bar)}"))
    worst = worst_of(found, found.groups)
    return Sentence(("worst group ", Name.of(worst.label), f", {span(worst, rule.bar)}"))


def too_few(found: RuleFinding) -> Iterator[Sentence]:
    """Yield a sentence for each group that rests on too few cases."""
    for group in found.groups:
        if group.below_min_cell:
            numbers = f" has {formats.count(group.observed)}, {span(group, *_bars_of_rate(found.rule))}"
            yield Sentence(("too few cases: ", Name.of(group.label), numbers))


def _bars_of_rate(rule: GapRule) -> tuple[float, ...]:
    return () if is_gap(rule) else (rule.bar,)


def left_out(found: RuleFinding) -> Sentence | None:
    """Return how many cases were left out, by reason, and how many may be; None where none were."""
    left = found.left_out
    if not left.total:
        return None
    share, allowed = formats.percent(left.share, against=[found.rule.max_left_out]), found.rule.max_left_out
    return Sentence(
        (
            f"left out: {formats.plural(left.total, 'case', 'cases')} ({share}): "
            f"{formats.count(left.missing_attribute)} without the attribute, "
            f"{formats.count(left.undeclared_value)} with an undeclared value; "
            f"{'more than the' if left.exceeds else 'up to'} {formats.level(allowed)} "
            f"{'that may be left out' if left.exceeds else 'may be left out'}",
        )
    )


def placed(found: RuleFinding) -> Sentence | None:
    """Return where the left-out cases could bring what decides the rule; None where none were left out."""
    if not found.left_out.total:
        return None
    bar = found.rule.bar
    start = "placed anywhere, they could bring "
    if is_gap(found.rule):
        gap = widest(found, found.left_out.gaps)
        return Sentence((f"{start}the widest gap, of ", *pair(gap), f", to {gap_bounds(gap, bar)}"))
    worst = worst_of(found, found.left_out.groups)
    return Sentence((f"{start}the worst group, ", Name.of(worst.label), f", to {ends(worst, bar)}"))


def more_cases(more: MoreCases | None) -> Sentence | None:
    """Return how many more cases would decide; None where the rule is decided."""
    if more is None:
        return None
    if more.size is None or more.state is None:
        return Sentence(("no number of further cases would decide at the present rates",))
    wanted = [(label, n) for label, n in more.further if n]
    numbers = {n for _, n in more.further}
    would = f" would read {more.state.value} at the present rates; declare that size now, collect, and decide once"
    if len(wanted) > _MOST_NAMED and len(numbers) == 1:
        return Sentence((f"{formats.count(numbers.pop())} more of every group{would}",))
    if len(wanted) > _MOST_NAMED:
        most, groups = formats.count(max(n for _, n in wanted)), formats.count(len(wanted))
        return Sentence(
            (f"{formats.count(more.size)} cases in every group (up to {most} more, in {groups} groups){would}",)
        )
    pieces: list[str | Name] = []
    for position, (label, n) in enumerate(wanted):
        between = " and " if position == len(wanted) - 1 else ", "
        pieces += [f"{between if position else ''}{formats.count(n)} more of ", Name.of(label)]
    return Sentence((*pieces, would))


def review(found: RuleFinding) -> Sentence | None:
    """Return that a person is asked for where the figures pass, of a rule that has not come to it."""
    asks = found.rule.manual_review
    if asks is False or found.state is RuleState.MANUAL_REVIEW:
        return None
    why = (": ", Name.prose(asks)) if isinstance(asks, str) else ()
    return Sentence(("asks for a person where its figures pass", *why))


def unlisted(found: RuleFinding) -> Sentence | None:
    """Return how many pairs of a rule on gaps its document leaves out; None where it lists them all."""
    if not is_gap(found.rule) or not unlisted_gaps(found):
        return None
    beyond = unlisted_beyond_bar(found)
    more = f", of which {formats.count(beyond)} lie wholly beyond the bar" if beyond else ""
    every, shown = formats.count(len(found.gaps)), formats.count(len(found.gaps) - unlisted_gaps(found))
    return Sentence((f"results.json lists {shown} of {every} pairs, the widest, and leaves out the rest{more}",))


_Bounded = TypeVar("_Bounded", GapGroup, GroupBounds)


def worst_of(found: RuleFinding, groups: Sequence[_Bounded]) -> _Bounded:
    """Return the group that decides: the one most surely beyond the bar of a rule that fails, else the least sure."""
    fails = found.state is RuleState.FAIL
    if found.rule.rate is Rate.SELECTION:
        return min(groups, key=lambda group: (group.upper, group.lower) if fails else (group.lower, group.upper))
    return max(groups, key=lambda group: (group.lower, group.upper) if fails else (group.upper, group.lower))


def widest(found: RuleFinding, gaps: GroupGaps) -> GroupGap:
    """Return the pair that decides: the one most surely apart where the rule fails, else the one that may be widest."""
    return gaps[gaps.widest(1, surely=found.state is RuleState.FAIL)[0]]


def pair(gap: GroupGap) -> tuple[str | Name, ...]:
    """Return the two groups of a gap."""
    return listed((gap.a, gap.b))


def gap_bounds(gap: GroupGap, bar: float) -> str:
    """Return the bounds of a gap, never rounded across the bar."""
    return f"{formats.fixed(gap.gap_lower, against=[bar])}–{formats.fixed(gap.gap_upper, against=[bar])}"


def ends(group: GapGroup | GroupBounds, *bars: float) -> str:
    """Return the ends of the interval of a group, never rounded across a bar."""
    return f"{formats.fixed(group.lower, against=bars)}–{formats.fixed(group.upper, against=bars)}"


def span(group: GapGroup, *bars: float) -> str:
    """Return the rate of a group, its interval, and how many cases have no prediction."""
    rate = "no rate" if group.rate is None else f"rate {formats.fixed(group.rate, against=bars)}"
    missing = f", {formats.count(group.missing)} without a prediction" if group.missing else ""
    return f"{rate}, interval {ends(group, *bars)}{missing}"
