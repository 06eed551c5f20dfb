"""One rule of rate gaps worked by hand: from the error budget over the exact intervals to the state it reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.gap_bounds import GapGroup
from fairreport.analyses.gap_pairs import GroupGap
from fairreport.analyses.gap_parameters import GapInterval, RateGaps
from fairreport.analyses.rate_gaps import TOLERANCE, RuleFinding
from fairreport.analyses.result import Span
from fairreport.audit.record import AuditRecord, GapRecord
from fairreport.render import formats
from fairreport.render.gap_sentences import asked, is_floor, is_gap, widest, worst_of
from fairreport.render.views import Name, Sentence
from fairreport.report.gap_deciding import gravity
from fairreport.report.worked_row import DIGITS, Step, shown, taken, wilson_step
from fairreport.stats.contrast import newcombe_difference
from fairreport.stats.proportion import clopper_pearson, critical_value, wilson

Counted = tuple[int, int]
"""So many events among so many cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedGap:
    """A rule worked by hand.

    Attributes
    ----------
    test, rule : Name
        Which rule it is.
    asked : Sentence
        What it asks.
    groups : tuple of (str, Name)
        The groups that decide it, each with its letter.
    steps : tuple of Step
        In the order in which one would compute.
    """

    test: Name
    rule: Name
    asked: Sentence
    groups: tuple[tuple[str, Name], ...]
    steps: tuple[Step, ...]


def work_gap(record: AuditRecord) -> WorkedGap | None:
    """Return the rule that reads worst, worked by hand; None where no test of rate gaps was computed."""
    rules = [(entry, found) for entry in record.rate_gaps for found in entry.finding.rules]
    if not rules:
        return None
    entry, found = min(rules, key=lambda pair: gravity(pair[1]))
    letters, steps = _worked(entry, found)
    return WorkedGap(
        test=Name.of(entry.name),
        rule=Name.of(found.id),
        asked=asked(found),
        groups=tuple((letter, Name.of(group.label)) for letter, group in letters),
        steps=(*steps, _state_step(found)),
    )


def _worked(entry: GapRecord, found: RuleFinding) -> tuple[list[tuple[str, GapGroup]], list[Step]]:
    test = entry.test
    if not is_gap(found.rule):
        group = worst_of(found, found.groups)
        exact = [_budget_step(test), _group_budget_step(test, found), *_exact_steps("A", group, found)]
        return [("A", group)], [*exact, _group_bar_step(group, found)]
    gap = widest(found, found.gaps)
    by_label = {group.label: group for group in found.groups}
    a, b = by_label[gap.a], by_label[gap.b]
    if test.interval is GapInterval.PAIRWISE:
        steps = [_budget_step(test), *_pairwise_steps(test, found, a, b)]
    else:
        steps = [_budget_step(test), _group_budget_step(test, found)]
        steps += [*_exact_steps("A", a, found), *_exact_steps("B", b, found), _difference_step(a, b, gap)]
    return [("A", a), ("B", b)], [*steps, _gap_step(gap), _gap_bar_step(gap, found)]


def _budget_step(test: RateGaps) -> Step:
    rules = len(test.rules) if test.joint else 1
    return Step(
        term="Error budget of the rule",
        formula="(1 − confidence) / (looks × rules that share it)",
        numbers=f"(1 − {formats.threshold(test.confidence_level)}) / ({test.looks} × {rules})",
        result=shown(test.budget),
    )


def _group_budget_step(test: RateGaps, found: RuleFinding) -> Step:
    return Step(
        term="Budget of one group",
        formula="α = budget / G, the declared groups of the rule",
        numbers=f"{shown(test.budget)} / {formats.count(len(found.groups))}",
        result=shown(found.alpha_per_group),
    )


def _exact_steps(letter: str, group: GapGroup, found: RuleFinding) -> Iterator[Step]:
    """Yield both ends of the exact interval of a group, by the function that made them."""
    k, n, m = group.events, group.observed, group.missing
    total, level = n + m, 1 - found.alpha_per_group
    counts = f"k = {formats.count(k)}, n = {formats.count(n)}, m = {formats.count(m)}"
    if not total:
        yield Step(
            term=f"Ends for {letter}",
            formula="0 and 1 where there is no case",
            numbers=counts,
            result=_two(0.0, 1.0),
        )
        return
    tail = shown(found.alpha_per_group / 2)
    low = float(clopper_pearson(k, total, level=level).low[0])
    yield Step(
        term=f"Lower end of {letter}",
        formula="quantile α/2 of Beta(k, n + m − k + 1); 0 where k = 0",
        numbers=f"{counts}; " + (f"Beta({k:d}, {total - k + 1:d}) at {tail}" if k else "k = 0"),
        result=shown(low),
    )
    high = float(clopper_pearson(k + m, total, level=level).high[0])
    yield Step(
        term=f"Upper end of {letter}",
        formula="quantile 1 − α/2 of Beta(k + m + 1, n − k); 1 where n = k",
        numbers=f"{counts}; " + (f"Beta({k + m + 1:d}, {n - k:d}) at 1 − {tail}" if n > k else "n = k"),
        result=shown(high),
    )


def _difference_step(a: GapGroup, b: GapGroup, gap: GroupGap) -> Step:
    return Step(
        term="Difference of A and B",
        formula="lower of A − upper of B, to upper of A − lower of B",
        numbers=f"{shown(a.lower)} − {taken(b.upper)}, {shown(a.upper)} − {taken(b.lower)}",
        result=_two(gap.diff_lower, gap.diff_upper),
    )


def _pairwise_steps(test: RateGaps, found: RuleFinding, a: GapGroup, b: GapGroup) -> Iterator[Step]:
    """Yield Newcombe's interval at both ends, missing predictions at their worst for each."""
    groups = len(found.groups)
    pairs = groups * (groups - 1) // 2
    level = 1 - test.budget / pairs
    yield Step(
        term="Budget of one pair",
        formula="budget / (G (G − 1) / 2), G the declared groups of the rule",
        numbers=f"{shown(test.budget)} / {formats.count(pairs)}",
        result=shown(test.budget / pairs),
    )
    total_a, total_b = a.observed + a.missing, b.observed + b.missing
    if not total_a or not total_b:
        yield Step(
            term="Difference of A and B",
            formula="−1 to 1 where a group has no case",
            numbers=f"N = {formats.count(total_a)}, {formats.count(total_b)}",
            result=_two(-1.0, 1.0),
        )
        return
    z = critical_value(level)
    yield Step(term="z", formula="two-sided normal quantile", numbers=f"level {shown(level)}", result=shown(z))
    least = ((a.events, total_a), (b.events + b.missing, total_b))
    most = ((a.events + a.missing, total_a), (b.events, total_b))
    for term, (first, second), is_low in (("lower", least, True), ("upper", most, False)):
        yield _wilson(f"Wilson interval of A, for the {term} end", first, z, level)
        yield _wilson(f"Wilson interval of B, for the {term} end", second, z, level)
        yield _newcombe_step(first, second, level, is_low=is_low)


def _wilson(term: str, counted: Counted, z: float, level: float) -> Step:
    ends = wilson(*counted, level=level)
    span = Span(low=float(ends.low[0]), high=float(ends.high[0]))
    return wilson_step(term, f"{formats.count(counted[0])}, {formats.count(counted[1])}", counted, z, span)


def _newcombe_step(first: Counted, second: Counted, level: float, *, is_low: bool) -> Step:
    (k, n), (j, m) = first, second
    ends = newcombe_difference(k, n, j, m, level=level)
    p, q = k / n, j / m
    mine, theirs = wilson(k, n, level=level), wilson(j, m, level=level)
    if is_low:
        one, other = p - float(mine.low[0]), float(theirs.high[0]) - q
        formula, sign = "d − √((p − l₁)² + (u₂ − q)²)", "−"
    else:
        one, other = float(mine.high[0]) - p, q - float(theirs.low[0])
        formula, sign = "d + √((u₁ − p)² + (q − l₂)²)", "+"
    return Step(
        term=f"Difference, {'lower' if is_low else 'upper'} end",
        formula=f"{formula}, d = p − q",
        numbers=f"{shown(p)} − {shown(q)} {sign} √({shown(one)}² + {shown(other)}²)",
        result=shown(float((ends.low if is_low else ends.high)[0])),
    )


def _gap_step(gap: GroupGap) -> Step:
    low, high = shown(gap.diff_lower), shown(gap.diff_upper)
    return Step(
        term="Gap",
        formula="max(0, d₁, −d₂) to max(d₂, −d₁) of the difference d₁ to d₂",
        numbers=f"d₁ = {low}, d₂ = {high}",
        result=_two(gap.gap_lower, gap.gap_upper),
    )


def _gap_bar_step(gap: GroupGap, found: RuleFinding) -> Step:
    return _bar_step("no gap above the bar", gap.gap_lower, gap.gap_upper, found)


def _group_bar_step(group: GapGroup, found: RuleFinding) -> Step:
    asked = "every rate at least the bar" if is_floor(found.rule) else "every rate at most the bar"
    return _bar_step(asked, group.lower, group.upper, found)


def _bar_step(asked: str, low: float, high: float, found: RuleFinding) -> Step:
    bar = found.rule.bar
    if is_floor(found.rule):
        within, beyond = low >= bar - TOLERANCE, high < bar - TOLERANCE
    else:
        within, beyond = high <= bar + TOLERANCE, low > bar + TOLERANCE
    read = "within the bar" if within else "wholly beyond the bar" if beyond else "reaches over the bar"
    ends = f"{formats.fixed(low, DIGITS, against=[bar])}–{formats.fixed(high, DIGITS, against=[bar])}"
    return Step(term="Against the bar", formula=asked, numbers=f"{ends}, bar {formats.threshold(bar)}", result=read)


def _state_step(found: RuleFinding) -> Step:
    """Return the state: the first that holds, over all groups of the rule and not the deciding ones alone."""
    left, limit = found.left_out, found.rule.max_left_out
    small = sum(group.below_min_cell for group in found.groups)
    numbers = [
        f"left out {formats.percent(left.share, against=[limit])}, at most {formats.level(limit)}",
        f"{formats.plural(small, 'group', 'groups')} with too few cases",
    ]
    if found.rule.manual_review is not False:
        numbers.append("the rule asks for a person")
    return Step(
        term="State of the rule",
        formula="the first that holds: too much left out; an interval wholly beyond the bar; too few cases; an "
        "interval that reaches over it; else within",
        numbers="; ".join(numbers),
        result=found.state.value,
    )


def _two(low: float, high: float) -> str:
    return f"{shown(low)} to {shown(high)}"
