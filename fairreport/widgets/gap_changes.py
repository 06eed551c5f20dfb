"""What a changed setting changed in what the rules on rate gaps read, as pieces of a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.record import GapRecord
from fairreport.render import formats
from fairreport.render.gap_sentences import asked, deciding
from fairreport.render.phrases import Name
from fairreport.widgets.disparity_changes import LISTED, Pieces


def gap_changes(before: GapRecord, after: GapRecord) -> Iterator[Pieces]:
    """Yield what changed besides the status, most important first."""
    if after.finding.skip is not None:
        yield (Name.prose(after.finding.skip.reason),)
        return
    was = {rule.id: rule for rule in before.finding.rules}
    now = after.finding.rules
    changed = [rule for rule in now if rule.id in was and rule.state is not was[rule.id].state]
    for rule in changed[:LISTED]:
        states = f" {was[rule.id].state.value} → {rule.state.value} ("
        yield ("rule ", Name.of(rule.id), states, *deciding(rule).pieces, ")")
    if len(changed) > LISTED:
        yield (f"and {formats.plural(len(changed) - LISTED, 'further rule', 'further rules')} changed",)
    others = [rule for rule in now if rule.id in was and rule not in changed and _is_another(rule, was[rule.id])]
    for rule in others[:LISTED]:
        still = f" still reads {rule.state.value} and asks for the "
        yield ("rule ", Name.of(rule.id), still, *asked(rule).pieces, " (", *deciding(rule).pieces, ")")


def _is_another(rule: RuleFinding, was: RuleFinding) -> bool:
    """Tell whether a rule is about other groups, another rate or another bar."""
    return (rule.rule.rate, rule.rule.attribute, rule.rule.bar) != (was.rule.rate, was.rule.attribute, was.rule.bar)
