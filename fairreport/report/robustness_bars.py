"""The robustness of rate gaps and of named pairs under other bars, as the packet prints it."""

from __future__ import annotations

from collections.abc import Sequence

from fairreport.analyses.rate_gaps import RuleState
from fairreport.analyses.robustness_named import NamedPair, NamedVariant
from fairreport.analyses.robustness_rules import RuleBars
from fairreport.audit.gate import Status
from fairreport.audit.judging import DEFAULT_PAIR_THRESHOLD
from fairreport.render import formats, words
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.report.robustness_table import Heading, SmallRow, cell, small_table
from fairreport.report.robustness_variants import AS_STATED, HOLDS, Part, bars_brief, bars_text, status_of

PRINTED_RULES = 40
"""Rules of a table in the packet."""
OTHER_PAIRS = "holds, other pairs significant"
"""What an overview says where the state of a test is the same, with other pairs practically significant."""
NAMED_PAIRS = 3
"""So many pairs of a cell are named; of more, how many they are."""
_GRAVITY = tuple(RuleState)


def rules_part(rules: Sequence[RuleBars]) -> Part:
    """Return what other bars do to rules on rate gaps."""
    headings = [
        Heading("Rule"),
        Heading("Bar", is_number=True),
        Heading("Reads"),
        Heading("Under other bars"),
        Heading("All bounds within it", is_number=True),
        Heading("Some interval beyond it", is_number=True),
    ]
    order = sorted(rules, key=lambda rule: (not rule.changing, _GRAVITY.index(_stated(rule))))
    rows = [_rule_row(rule) for rule in order[:PRINTED_RULES]]
    rest = len(rules) - len(rows)
    changing = sum(bool(rule.changing) for rule in rules)
    tried = formats.plural(len(rules), "rule", "rules")
    return Part(
        changes=bool(changing),
        text=said(
            f"bars moved (another reading of {formats.count(changing)} of {tried})"
            if changing
            else f"bars moved, of {tried}"
        ),
        brief=f"changes {formats.count(changing)} of {tried}" if changing else HOLDS,
        table=small_table(
            "Bars of the rules",
            headings,
            rows,
            more=f"{formats.plural(rest, 'further rule', 'further rules')}, none of which reads more gravely."
            if rest
            else "",
        ),
    )


def _stated(rule: RuleBars) -> RuleState:
    return next(it.state for it in rule.tried if it.is_stated)


def _rule_row(rule: RuleBars) -> SmallRow:
    stated = next(it for it in rule.tried if it.is_stated)
    by_state: dict[RuleState, list[str]] = {}
    for it in rule.changing:
        by_state.setdefault(it.state, []).append(formats.threshold(it.bar))
    other = "; ".join(f"{words.rule_state(found).text} at {formats.listed(bars)}" for found, bars in by_state.items())
    tried = [formats.threshold(it.bar) for it in rule.tried if not it.is_stated]
    bars = [it.bar for it in rule.tried]
    within, beyond = (formats.fixed(value, against=bars) for value in (rule.within, rule.beyond))
    low, high = ("or less", "above") if rule.is_floor else ("or more", "below")
    is_possible = rule.beyond < 1 if rule.is_floor else rule.beyond > 0
    return SmallRow(
        cells=(
            said(Name.of(rule.id)),
            cell(formats.threshold(stated.bar)),
            cell(words.rule_state(stated.state).text),
            cell(other or f"the same at {formats.listed(tried)}"),
            cell(f"{within} {low}"),
            cell(f"{high} {beyond}" if is_possible else "never"),
        ),
        mark="below" if rule.changing else "",
    )


def named_part(tried: Sequence[NamedVariant], *, what: str) -> Part:
    """Return what other thresholds do to a test of named pairs; `what` says on which side of one a pair is beyond."""
    headings = [
        Heading(what),
        Heading("State"),
        Heading("Practically significant", is_number=True),
        Heading("In addition"),
        Heading("No longer"),
    ]
    stated = next(it for it in tried if it.is_stated)
    rows = [
        SmallRow(
            cells=(
                cell(formats.threshold(it.bar) + (AS_STATED if it.is_stated else "")),
                cell(words.state(_status(it)).text),
                cell(formats.ABSENT if it.is_skipped else formats.count(len(it.beyond))),
                _pairs([pair for pair in it.beyond if pair not in stated.beyond]),
                _pairs([pair for pair in stated.beyond if pair not in it.beyond]),
            ),
            mark="reference" if it.is_stated else "",
        )
        for it in tried
    ]
    states = [(it.bar, _status(it)) for it in tried]
    text, changes = bars_text(states, _status(stated), of_gap=False)
    moves = any(set(it.beyond) != set(stated.beyond) for it in tried)
    brief = bars_brief(states, _status(stated)) or (OTHER_PAIRS if moves else HOLDS)
    if not changes:
        text += said(f" ({_beyond_text([len(it.beyond) for it in tried], same=not moves)})")
    table = small_table("Thresholds", headings, rows) if changes or moves else None
    return Part(changes=changes, text=text, brief=brief, table=table)


def _beyond_text(counts: Sequence[int], *, same: bool) -> str:
    high = formats.plural(max(counts), "pair", "pairs")
    if not same:
        return f"{formats.count(min(counts))} to {high} practically significant"
    if max(counts) < 2:
        return f"{'the same' if max(counts) else 'no'} pair practically significant"
    return f"the same {high} practically significant"


def _status(found: NamedVariant) -> Status:
    return status_of(found.thresholds, found.measurements, own=DEFAULT_PAIR_THRESHOLD, is_skipped=found.is_skipped)


def _pairs(several: Sequence[NamedPair]) -> Sentence:
    """Return pairs one after the other, of many how many more they are; a dash for none."""
    pieces: list[str | Name] = []
    for pair in several[:NAMED_PAIRS]:
        pieces += ["; "] if pieces else []
        pieces += [Name.of(pair.group), " to ", Name.of(pair.reference)]
        if pair.quantile is not None:
            pieces.append(f" at quantile {formats.measured(pair.quantile)}")
        elif pair.table:
            pieces += [" in ", Name.of(pair.table)]
    if len(several) > NAMED_PAIRS:
        pieces.append(f" and {formats.count(len(several) - NAMED_PAIRS)} more")
    return said(*pieces) if pieces else said(formats.ABSENT)
