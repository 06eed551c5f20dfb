"""Rate gaps on the page of the result: how many rules read what, and those that read worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.analyses.rate_gaps import RuleState
from fairreport.audit.record import AuditRecord
from fairreport.render import formats
from fairreport.render.gap_view import GRAVITY, RuleView
from fairreport.render.views import GapTestView, Name, RunView, Sentence

SHOWN = 3
"""Rules on the page of the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFront:
    """What the page of the result says of rate gaps.

    Attributes
    ----------
    headline : Sentence or None
        The rule that reads worst, with its numbers; None where no rule was computed.
    leads : bool
        Whether the state of the audit comes of a rule, and the headline of the run is about it.
    counts : tuple of (str, str)
        Heading and number, of each state and of groups with too few cases; none where no rule was computed.
    worst : tuple of (Name, RuleView)
        The rules that read worst, each with its test.
    more : str
        How many further rules stand in which section, in words.
    """

    headline: Sentence | None
    leads: bool
    counts: tuple[tuple[str, str], ...]
    worst: tuple[tuple[Name, RuleView], ...]
    more: str


def gap_front(record: AuditRecord, run: RunView) -> GapFront:
    """Return what the page of the result says of rate gaps."""
    rules = worst_rules(run.gaps)
    more = len(rules) - SHOWN
    return GapFront(
        headline=run.gaps[rules[0][0]].headline if rules else None,
        leads=_leads(run),
        counts=tuple(_counts(record)) if rules else (),
        worst=tuple((run.gaps[position].name, rule) for position, rule in rules[:SHOWN]),
        more=f"{formats.plural(more, 'further rule', 'further rules')} in section 7." if more > 0 else "",
    )


def worst_rules(tests: Sequence[GapTestView]) -> list[tuple[int, RuleView]]:
    """Return the rules of all tests, those that read worst first, each with the position of its test."""
    rules = [(position, rule) for position, test in enumerate(tests) for rule in test.rules]
    return sorted(rules, key=lambda pair: (GRAVITY[pair[1].state.key], pair[1].severity))


def _leads(run: RunView) -> bool:
    gravest = next((test for test in run.worst_first if test.state.key == run.state.key), None)
    return isinstance(gravest, GapTestView)


def _counts(record: AuditRecord) -> list[tuple[str, str]]:
    rules = [found for entry in record.rate_gaps for found in entry.finding.rules]
    counts = [(kind.value, sum(found.state is kind for found in rules)) for kind in RuleState]
    counts.append(("groups with too few cases", sum(group.below_min_cell for it in rules for group in it.groups)))
    return [(heading, formats.count(n)) for heading, n in counts]
