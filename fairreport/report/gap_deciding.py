"""Which of several rate-gap rules reads worst: the one that the packet begins with, and works by hand."""

from __future__ import annotations

from fairreport.analyses.rate_gaps import RuleFinding, RuleState
from fairreport.render.gap_tables import severity_of


def gravity(found: RuleFinding) -> tuple[int, float]:
    """Return what rules are sorted by, worst first: the state, then what is held against the bar."""
    return list(RuleState).index(found.state), severity_of(found)
