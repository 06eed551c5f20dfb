"""The groups and pairs of a rule on rate gaps as tables, worst first, each with what is drawn of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nsmallest

from fairreport.analyses.gap_bounds import GapGroup, GroupBounds
from fairreport.analyses.gap_pairs import GroupGap
from fairreport.analyses.gap_parameters import SEPARATOR, GapRule, Rate
from fairreport.analyses.rate_gaps import TOLERANCE, RuleFinding, RuleState
from fairreport.render import formats
from fairreport.render.gap_sentences import RATES, ends, gap_bounds, is_floor, is_gap, worst_of
from fairreport.render.phrases import Name, Names, Sentence
from fairreport.render.table_view import Axis, Column, Marks, Row, Table
from fairreport.render.words import FindingWords, Kind, Side

MOST_ROWS = 60
"""A table holds so many rows at most, the worst ones; the record holds all."""

_CASES = {Rate.FALSE_POSITIVE: "Labelled 0", Rate.FALSE_NEGATIVE: "Labelled 1"}
_EVENTS = {Rate.ERROR: "Wrong", Rate.FALSE_NEGATIVE: "Predicted 0"}
_STEP = 0.05
_PAIR_COLUMNS = (
    Column(key="observed", heading="Observed gap"),
    Column(key="difference", heading="Bounds of the difference", brief=False),
    Column(key="bounds", heading="Bounds of the gap"),
    Column(key="placed", heading="With cases left out anywhere", brief=False),
)


@dataclass(frozen=True)
class CommonAxes:
    """The lines that what decides the rules of a test is drawn on, one for gaps and one for rates, made when asked for.

    Attributes
    ----------
    rules : tuple of RuleFinding
        All rules of the test.
    """

    rules: tuple[RuleFinding, ...] = field(repr=False)

    def of(self, rule: GapRule) -> Axis:
        """Return the line of a rule, its bar on it."""
        axis = self._gaps if is_gap(rule) else self._rates
        return replace(axis, threshold=rule.bar, threshold_text=formats.threshold(rule.bar))

    @cached_property
    def _gaps(self) -> Axis:
        rules = [found for found in self.rules if is_gap(found.rule)]
        return gap_axis(rules, bar=rules[0].rule.bar)

    @cached_property
    def _rates(self) -> Axis:
        return rate_axis([found for found in self.rules if not is_gap(found.rule)], bar=None)


@dataclass(frozen=True)
class RuleTables:
    """The tables and the line of a rule, made when asked for: of many rules, few are shown.

    Attributes
    ----------
    found : RuleFinding
        What the rule reads.
    level : str
        The confidence level as it prints.
    axes : CommonAxes
        The lines of its test.
    names : Names or None
        The groups that stay apart from one another where they are shortened.
    most : int
        What decides the rule has so many rows at most.
    """

    found: RuleFinding = field(repr=False)
    level: str
    axes: CommonAxes = field(repr=False)
    names: Names | None = field(repr=False)
    most: int = MOST_ROWS

    @cached_property
    def groups(self) -> Table:
        """The groups, worst first."""
        table = group_table(self.found, self.level)
        return self._apart(table if is_gap(self.found.rule) else self._cut(table))

    @cached_property
    def pairs(self) -> Table | None:
        """The pairs, widest first; None where the rule is about the worst group."""
        return self._apart(self._cut(pair_table(self.found, self.level))) if is_gap(self.found.rule) else None

    @cached_property
    def axis(self) -> Axis:
        """The line that the worst pair or group is drawn on."""
        return self.axes.of(self.found.rule)

    def cut(self, rows: int) -> RuleTables:
        """Return the tables with at most so many rows of what decides the rule."""
        return replace(self, most=min(rows, self.most))

    def _cut(self, table: Table) -> Table:
        return replace(table, rows=table.rows[: self.most])

    def _apart(self, table: Table) -> Table:
        return table.apart(self.names) if self.names else table


def worst_row(found: RuleFinding) -> Row:
    """Return the pair or the group that decides a rule, the first row of its table."""
    if not is_gap(found.rule):
        worst = worst_of(found, found.groups)
        return _group_row(found, worst, next(it for it in found.left_out.groups if it.label == worst.label))
    place = found.gaps.widest(1, surely=found.state is RuleState.FAIL)[0]
    gap = found.gaps[place]
    rates = {group.label: group for group in found.groups if group.label in {gap.a, gap.b}}
    return _pair_row(found, gap, rates, found.left_out.gaps[place])


def deciding_cells(found: RuleFinding, worst: Row) -> tuple[str, str]:
    """Return what the row that decides a rule comes to, and the bounds that are held against the bar."""
    if is_gap(found.rule):
        keys, wanted = [column.key for column in _PAIR_COLUMNS], ("observed", "bounds")
    else:
        keys, wanted = [column.key for column in _group_columns(found.rule)], ("rate", "interval")
    observed, bounds = (worst.cells[keys.index(key)] for key in wanted)
    return observed, bounds


def group_table(found: RuleFinding, level: str) -> Table:
    """Return the groups of a rule, worst first."""
    rule = found.rule
    placed = {group.label: group for group in found.left_out.groups}
    chosen = nsmallest(MOST_ROWS, found.groups, key=lambda group: _group_gravity(found, group))
    rows = tuple(_group_row(found, group, placed[group.label]) for group in chosen)
    return Table(
        caption=Sentence((f"{_capital(RATES[rule.rate])} of every group, {level} intervals that hold at once",)),
        attributes=(_crossed(rule),),
        columns=_group_columns(rule),
        rows=rows,
        axis=rate_axis([found], bar=None if is_gap(rule) else rule.bar),
        finding_heading="Cases" if is_gap(rule) else "Against the bar",
    )


def _group_columns(rule: GapRule) -> tuple[Column, ...]:
    return (
        Column(key="observed", heading=_CASES.get(rule.rate, "Cases")),
        Column(key="events", heading=_EVENTS.get(rule.rate, "Predicted 1")),
        Column(key="missing", heading="No prediction"),
        Column(key="rate", heading="Rate"),
        Column(key="interval", heading="Interval"),
        Column(key="placed", heading="With cases left out anywhere", brief=False),
    )


def pair_table(found: RuleFinding, level: str) -> Table:
    """Return the pairs of a rule about gaps, widest first."""
    rule = found.rule
    rates = {group.label: group for group in found.groups}
    chosen = found.gaps.widest(MOST_ROWS, surely=found.state is RuleState.FAIL)
    rows = tuple(_pair_row(found, found.gaps[i], rates, found.left_out.gaps[i]) for i in chosen)
    return Table(
        caption=Sentence((f"Gap in {RATES[rule.rate]} of every pair of groups, bounds that hold at once at {level}",)),
        attributes=(Name("Pair"),),
        columns=_PAIR_COLUMNS,
        rows=rows,
        axis=gap_axis([found], bar=rule.bar),
        finding_heading="Against the bar",
    )


def severity_of(found: RuleFinding) -> float:
    """Return how bad a rule is among those of its state: the bar in parts of what is held against it."""
    bar, fails = found.rule.bar, found.state is RuleState.FAIL
    if is_gap(found.rule):
        top = float((found.gaps.gap_lower if fails else found.gaps.gap_upper).max())
        return bar / top if top else math.inf
    if is_floor(found.rule):
        return min(group.upper if fails else group.lower for group in found.groups) / bar if bar else math.inf
    top = max(group.lower if fails else group.upper for group in found.groups)
    return bar / top if top else math.inf


def gap_axis(several: Sequence[RuleFinding], *, bar: float) -> Axis:
    """Return the line of gaps: from 0 to what the bounds reach, at most a few times the largest bar."""
    bars = max(found.rule.bar for found in several)
    reach = max(float(found.gaps.gap_upper.max()) for found in several)
    rates = {found.rule.rate for found in several}
    what = f"Gap in {RATES[next(iter(rates))]}" if len(rates) == 1 else "Gap"
    high = min(1.0, _up(max(1.3 * bars, min(reach, max(6 * bars, 0.25)))))
    return Axis(
        label=what,
        low=0.0,
        high=high,
        threshold=bar,
        threshold_text=formats.threshold(bar),
        reference=None,
    )


def rate_axis(several: Sequence[RuleFinding], *, bar: float | None) -> Axis:
    """Return the line of rates: what the intervals and the bars of rules about the worst group take."""
    bars = [found.rule.bar for found in several if not is_gap(found.rule)]
    lows = [group.lower for found in several for group in found.groups]
    highs = [group.upper for found in several for group in found.groups]
    low, high = min(lows + bars), max(highs + bars)
    room = 0.08 * (high - low)
    rates = {found.rule.rate for found in several}
    start, end = max(0.0, _down(low - room)), min(1.0, _up(high + room))
    return Axis(
        label=_capital(RATES[next(iter(rates))]) if len(rates) == 1 else "Rate",
        low=start,
        high=max(end, start + _STEP),
        threshold=bar,
        threshold_text="" if bar is None else formats.threshold(bar),
        reference=None,
    )


def _up(value: float) -> float:
    return math.ceil(round(value / _STEP, 9)) * _STEP


def _down(value: float) -> float:
    return math.floor(round(value / _STEP, 9)) * _STEP


def _crossed(rule: GapRule) -> Name:
    return Name.of(SEPARATOR.join(rule.attribute))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _group_gravity(found: RuleFinding, group: GapGroup) -> tuple[float, float]:
    """Return what groups are sorted by, the same as decides the rule."""
    fails = found.state is RuleState.FAIL
    if found.rule.rate is Rate.SELECTION:
        return (group.upper, group.lower) if fails else (group.lower, group.upper)
    return (-group.lower, -group.upper) if fails else (-group.upper, -group.lower)


def _pair_gravity(found: RuleFinding, gap: GroupGap) -> tuple[float, float]:
    if found.state is RuleState.FAIL:
        return -gap.gap_lower, -gap.gap_upper
    return -gap.gap_upper, -gap.gap_lower


def _group_row(found: RuleFinding, group: GapGroup, placed: GroupBounds) -> Row:
    rule = found.rule
    bars = () if is_gap(rule) else (rule.bar,)
    bar = "" if is_gap(rule) else _bar(rule)
    rate, interval = formats.fixed(group.rate, against=bars), ends(group, *bars)
    words = _cases_words(group) if is_gap(rule) else _held_words(rule, group.lower, group.upper, [group])
    name = Name.of(group.label)
    return Row(
        group=(name,),
        cells=(
            formats.count(group.observed),
            formats.count(group.events),
            formats.count(group.missing),
            rate,
            interval,
            ends(placed, *bars),
        ),
        finding=words,
        figure=f"rate {rate}",
        judged=f"interval {interval}",
        marks=Marks(
            value=group.rate, low=group.lower, high=group.upper, label=f"rate {rate}, interval {interval}{bar}"
        ),
        severity=_group_gravity(found, group)[0],
        sentence=Sentence((name, f": rate {rate}, interval {interval}, {words.word}")),
    )


def _pair_row(found: RuleFinding, gap: GroupGap, rates: dict[str, GapGroup], placed: GroupGap) -> Row:
    rule = found.rule
    a, b = rates[gap.a], rates[gap.b]
    value = None if a.rate is None or b.rate is None else abs(a.rate - b.rate)
    observed, bounds = formats.fixed(value, against=[rule.bar]), gap_bounds(gap, rule.bar)
    both = [rule.bar, -rule.bar]
    difference = (
        f"{formats.fixed(gap.diff_lower, against=both)} to {formats.fixed(gap.diff_upper, against=both)}"  # signed ends
    )
    words = _held_words(rule, gap.gap_lower, gap.gap_upper, [a, b])
    names = (Name.of(gap.a), Name.of(gap.b))
    return Row(
        group=names,
        cells=(observed, difference, bounds, gap_bounds(placed, rule.bar)),
        finding=words,
        figure=f"gap {observed}",
        judged=f"gap within {bounds}",
        marks=Marks(
            value=value, low=gap.gap_lower, high=gap.gap_upper, label=f"gap {observed}, within {bounds}{_bar(rule)}"
        ),
        severity=_pair_gravity(found, gap)[0],
        sentence=Sentence((names[0], " and ", names[1], f": gap {observed}, within {bounds}, {words.word}")),
    )


def _bar(rule: GapRule) -> str:
    return f", bar {formats.threshold(rule.bar)}"


def _cases_words(group: GapGroup) -> FindingWords:
    """Return whether a group of a rule about gaps rests on enough cases."""
    if group.below_min_cell:
        return FindingWords(kind=Kind.NOT_ENOUGH_DATA, side=Side.TOO_FEW, word="too few cases", glyph="○")
    return FindingWords(kind=Kind.AT_OR_ABOVE, side=Side.MEETS, word="enough cases", glyph="●")


def _held_words(rule: GapRule, low: float, high: float, groups: Sequence[GapGroup]) -> FindingWords:
    """Return how bounds lie to the bar, and whether they rest on too few cases."""
    bar = formats.threshold(rule.bar)
    if is_floor(rule):
        beyond, within = high < rule.bar - TOLERANCE, low >= rule.bar - TOLERANCE
        words = (f"below {bar}", f"at or above {bar}", f"reaches below {bar}")
    else:
        beyond, within = low > rule.bar + TOLERANCE, high <= rule.bar + TOLERANCE
        words = (f"above {bar}", f"at most {bar}", f"reaches above {bar}")
    few = ", too few cases" if any(group.below_min_cell for group in groups) else ""
    if beyond:
        return FindingWords(kind=Kind.BELOW_SIGNIFICANT, side=Side.BELOW, word=words[0] + few, glyph="▼")
    word = words[1] if within else words[2]
    if few:
        return FindingWords(kind=Kind.NOT_ENOUGH_DATA, side=Side.TOO_FEW, word=word + few, glyph="○")
    if within:
        return FindingWords(kind=Kind.AT_OR_ABOVE, side=Side.MEETS, word=word, glyph="●")
    return FindingWords(kind=Kind.REACHES_BELOW, side=Side.INCONCLUSIVE, word=word, glyph="◆")
