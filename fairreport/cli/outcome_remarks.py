"""What there is to say of outcomes that may be favorable ones, spelt otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairreport.audit.readers.spellings import plain
from fairreport.tables.tally import OutcomeTally

if TYPE_CHECKING:
    from fairreport.audit.result import AuditRun


def spelling_remarks(result: AuditRun) -> Iterator[str]:
    """Yield a line for each outcome column with values that only case or blanks tell from a favorable one.

    They count as unfavorable, as stated; a value that a test lists as unfavorable is meant so. The packet lists all
    values that match no favorable one beside the test.
    """
    told: dict[str, dict[str, int]] = {}
    favorable: dict[str, set[str]] = {}
    for entry in result.record.tests:
        tally = entry.finding.evidence
        if not isinstance(tally, OutcomeTally):
            continue
        stated = {plain(value): value for value in tally.favorable_values}
        meant = getattr(entry.test, "unfavorable_values", None) or ()
        for item in tally.unmatched:
            if plain(item.value) in stated and item.value not in meant:
                kept = told.setdefault(tally.outcome, {})
                kept[item.value] = max(item.n, kept.get(item.value, 0))
                favorable.setdefault(tally.outcome, set()).add(stated[plain(item.value)])
    for column, values in told.items():
        listed = ", ".join(f"{value!r} ({n:,})" for value, n in values.items())
        wanted = ", ".join(map(repr, sorted(favorable[column])))
        yield (
            f"outcomes of {column!r} count as unfavorable though only letter case or blanks tell them from {wanted}: "
            f"{listed}; list them under favorable_values if they mean the same"
        )
