"""The answer of rate-gap rules as plain text: one line a rule, the worst pair against the bar, what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from fairreport.analyses.gap_bounds import GapGroup, GroupBounds, GroupGap
from fairreport.analyses.gap_parameters import Rate
from fairreport.analyses.rate_gaps import MoreCases, RuleFinding, RuleState
from fairreport.audit.fairness import FairnessAnswer
from fairreport.audit.gap_assumptions import NOT_TOLD
from fairreport.render import formats

GLYPHS = {
    RuleState.PASS: "●",
    RuleState.FAIL: "▼",
    RuleState.INSUFFICIENT_EVIDENCE: "◆",
    RuleState.MANUAL_REVIEW: "○",
}
_RATES = {
    Rate.ERROR: "error rate",
    Rate.FALSE_POSITIVE: "false positive rate",
    Rate.FALSE_NEGATIVE: "false negative rate",
    Rate.SELECTION: "selection rate",
}


def gap_text(answer: FairnessAnswer) -> str:
    """Return an answer as text, a line end at its end.

    Parameters
    ----------
    answer : FairnessAnswer
        What the rules read.
    """
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: FairnessAnswer) -> Iterator[str]:
    level = formats.level(answer.test.confidence_level)
    cases = formats.plural(answer.tally.rows, "case", "cases")
    yield f"{formats.printable(answer.name)}: {_state(answer.state)} ({cases}, {level} confidence)"
    yield ""
    for found in answer.rules:
        yield from _rule(found)
    for item in answer.finding.calibration or ():
        if item.ece is not None:
            noise = f"{formats.fixed(item.noise_mean)} on average, up to {formats.fixed(item.noise_p95)} in 95%"
            without = f", {formats.count(item.missing)} without a probability" if item.missing else ""
            yield (
                f"calibration error of {formats.printable(item.label)}: {formats.fixed(item.ece)} over "
                f"{formats.plural(item.n, 'case', 'cases')}{without}; a calibrated model would show {noise}"
            )
    if answer.finding.calibration:
        yield "Calibration never decides a rule."
    yield ""
    yield from (f"Taken as given: {text}" for text in answer.statements)
    yield f"Not told: {'; '.join(NOT_TOLD)}."


def _state(state: RuleState) -> str:
    return f"{GLYPHS[state]} {state.value}"


def _rule(found: RuleFinding) -> Iterator[str]:
    rule = found.rule
    by = " and ".join(formats.printable(name) for name in rule.attribute)
    yield f"{_state(found.state)}  {formats.printable(found.id)}: {_RATES[rule.rate]} by {by}, {_bar(found)}"
    yield f"    {formats.printable(found.reason)}; {_worst(found)}"
    for group in found.groups:
        if group.below_min_cell:
            label, n = formats.printable(group.label), formats.count(group.observed)
            yield f"    too few cases: {label} has {n}, {_span(group)}"
    if found.left_out.total:
        left = found.left_out
        yield (
            f"    left out: {formats.count(left.total)} cases ({formats.percent(left.share)}): "
            f"{formats.count(left.missing_attribute)} without the attribute, "
            f"{formats.count(left.undeclared_value)} with an undeclared value"
        )
        yield f"    placed anywhere, they could bring {_placed(found)}"
    if found.more is not None:
        yield f"    {_more(found.more)}"


def _bar(found: RuleFinding) -> str:
    rule = found.rule
    if rule.max_group_gap is not None:
        return f"no gap above {formats.threshold(rule.bar)}"
    side = "at least" if rule.rate is Rate.SELECTION else "at most"
    return f"every group {side} {formats.threshold(rule.bar)}"


def _worst(found: RuleFinding) -> str:
    rule = found.rule
    if rule.max_group_gap is not None:
        widest = _widest(found, found.gaps)
        return f"widest pair {_pair(widest)}, gap within {_bounds(widest, rule.bar)}"
    worst = _worst_of(found, found.groups)
    return f"worst group {formats.printable(worst.label)}, {_span(worst, rule.bar)}"


def _placed(found: RuleFinding) -> str:
    """Return where the left-out cases could bring what decides the rule."""
    bar = found.rule.bar
    if found.rule.max_group_gap is not None:
        widest = _widest(found, found.left_out.gaps)
        return f"the widest gap, of {_pair(widest)}, to {_bounds(widest, bar)}"
    worst = _worst_of(found, found.left_out.groups)
    ends = f"{formats.fixed(worst.lower, against=[bar])}–{formats.fixed(worst.upper, against=[bar])}"
    return f"the worst group, {formats.printable(worst.label)}, to {ends}"


_Bounded = TypeVar("_Bounded", GapGroup, GroupBounds)


def _worst_of(found: RuleFinding, groups: Sequence[_Bounded]) -> _Bounded:
    """Return the group that decides: the one most surely beyond the bar of a rule that fails, else the least sure."""
    fails = found.state is RuleState.FAIL
    if found.rule.rate is Rate.SELECTION:
        return min(groups, key=lambda group: (group.upper, group.lower) if fails else (group.lower, group.upper))
    return max(groups, key=lambda group: (group.lower, group.upper) if fails else (group.upper, group.lower))


def _widest(found: RuleFinding, gaps: Sequence[GroupGap]) -> GroupGap:
    """Return the pair that decides: the one most surely apart where the rule fails, else the one that may be widest."""
    fails = found.state is RuleState.FAIL
    return max(gaps, key=lambda gap: (gap.gap_lower, gap.gap_upper) if fails else (gap.gap_upper, gap.gap_lower))


def _pair(gap: GroupGap) -> str:
    return f"{formats.printable(gap.a)} and {formats.printable(gap.b)}"


def _bounds(gap: GroupGap, bar: float | None = None) -> str:
    against = [] if bar is None else [bar]
    return f"{formats.fixed(gap.gap_lower, against=against)}–{formats.fixed(gap.gap_upper, against=against)}"


def _span(group: GapGroup, bar: float | None = None) -> str:
    against = [] if bar is None else [bar]
    rate = "no rate" if group.rate is None else f"rate {formats.fixed(group.rate, against=against)}"
    ends = f"{formats.fixed(group.lower, against=against)}–{formats.fixed(group.upper, against=against)}"
    missing = f", {formats.count(group.missing)} without a prediction" if group.missing else ""
    return f"{rate}, interval {ends}{missing}"


def _more(more: MoreCases) -> str:
    if more.size is None or more.state is None:
        return "no number of further cases would decide at the present rates"
    wanted = [f"{formats.count(n)} more of {formats.printable(label)}" for label, n in more.further if n]
    return (
        f"at the present rates {formats.listed(wanted)} would read {more.state.value}; declare that size now, collect, "
        "and decide once"
    )
