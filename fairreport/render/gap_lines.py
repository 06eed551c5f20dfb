"""A test of rate gaps in plain text: a line a rule, gravest first, and what stands beside its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairreport.render import formats
from fairreport.render.gap_view import GapTestView, RuleView
from fairreport.render.phrases import Name, Sentence
from fairreport.render.text_layout import roomiest

_INDENT = "    "


def line_of_test(test: GapTestView) -> str:
    """Return a test with its worst rule in one line."""
    start = f"{test.state.text} · "
    if not test.rules:
        return roomiest(Sentence((test.name, ". ")) + test.headline, 1, start)[0]
    worst = test.worst_first[0]
    return roomiest(Sentence((test.name, ": ")) + _told(worst), 1, start)[0]


def further_lines(test: GapTestView) -> Iterator[str]:
    """Yield the rules that the line of the test does not tell, gravest first, a line each."""
    return (_rule_line(rule, _INDENT) for rule in test.worst_first[1:])


def remark_lines(test: GapTestView) -> Iterator[str]:
    """Yield what stands beside the verdicts, a line each."""
    several = len(test.rules) > 1
    return (
        roomiest(Sentence((rule.id, ": ")) + remark if several else remark, 1, _INDENT)[0]
        for rule in test.worst_first
        for remark in _remarks(rule)
    )


def only_test_lines(test: GapTestView, room: int) -> list[str]:
    """Return the only test of an audit: its rules, gravest first, under each as much as there is room for."""
    if not test.rules:
        return roomiest(Sentence((test.name, ". ")) + test.headline, room, f"{test.state.text} · ")
    rules = test.worst_first
    shown = rules if len(rules) <= room else rules[: room - 1]
    rest = len(rules) - len(shown)
    spare = room - len(shown) - bool(rest)
    lines = []
    for rule, remarks in zip(shown, _shared_out([_remarks(rule) for rule in shown], spare), strict=True):
        lines.append(_rule_line(rule, ""))
        lines += [roomiest(remark, 1, _INDENT)[0] for remark in remarks]
    return lines + ([f"and {formats.plural(rest, 'more rule', 'more rules')}"] if rest else [])


def _shared_out(wanted: Sequence[Sequence[Sentence]], room: int) -> list[Sequence[Sentence]]:
    """Return how much of each list there is room for: the first of each before the second of any."""
    given = [0] * len(wanted)
    while room > 0 and any(n < len(items) for n, items in zip(given, wanted, strict=True)):
        for position, items in enumerate(wanted):
            if room > 0 and given[position] < len(items):
                given[position] += 1
                room -= 1
    return [items[:n] for n, items in zip(given, wanted, strict=True)]


def _remarks(rule: RuleView) -> tuple[Sentence, ...]:
    """Return the remarks of a rule, all groups with too few cases in one where there are several."""
    if len(rule.too_few) <= 1:
        return rule.remarks
    few = f"too few cases in {formats.count(len(rule.too_few))} of {formats.count(rule.n_groups)} groups"
    return Sentence((few,)), *rule.remarks[len(rule.too_few) :]


def _rule_line(rule: RuleView, before: str) -> str:
    return roomiest(_told(rule), 1, f"{before}{rule.state.text} · ")[0]


def _told(rule: RuleView) -> Sentence:
    """Return a rule by its numbers first, so that long names cannot push them off the line."""
    what = "gap" if rule.is_gap else "rate"
    numbers = f" ({what} within {rule.bounds}, bar {rule.bar_text}): "
    by = (f", {rule.rate} by ", *_and(rule.attributes))
    return Sentence((rule.id, numbers, *_and(rule.worst.group), *by))


def _and(names: Sequence[Name]) -> list[str | Name]:
    """Return names with our own word between them."""
    return [piece for name in names for piece in (" and ", name)][1:]
