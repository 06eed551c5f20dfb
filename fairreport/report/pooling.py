"""One Mantel-Haenszel ratio worked by hand, stratum by stratum."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.result import OutcomeFinding, OutcomeGroup
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.views import Name

DIGITS = 4
_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """One combination of the control columns: counts of both sides, and their two terms."""

    name: Name
    counts: tuple[str, ...]
    group_term: str
    reference_term: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledRow:
    """A Mantel-Haenszel ratio from its strata.

    Attributes
    ----------
    test, group, reference, controls : Name
        Which ratio it is.
    strata : tuple of Stratum
        The first strata.
    more : str
        How many strata are not shown, in words.
    group_sum, reference_sum, ratio : str
        The sums over all strata, and their quotient.
    """

    test: Name
    group: Name
    reference: Name
    controls: Name
    strata: tuple[Stratum, ...]
    more: str
    group_sum: str
    reference_sum: str
    ratio: str


def pool_one_row(record: AuditRecord) -> PooledRow | None:
    """Return the adjusted row with the lowest ratio, worked by hand; None without control columns."""
    rows = [
        (row.adjusted_impact_ratio, test.name, row.group, finding, row)
        for test, finding in outcome_findings(record)
        for row in finding.judged
        if row.adjusted_impact_ratio is not None
    ]
    if not rows:
        return None
    _, name, _, finding, row = min(rows, key=lambda item: item[:3])
    return _pool(name, finding, row)


def outcome_findings(record: AuditRecord) -> Iterator[tuple[TestRecord, OutcomeFinding]]:
    """Yield the outcome tests of an audit, each with what it found."""
    for test in record.tests:
        if isinstance(test.finding, OutcomeFinding):
            yield test, test.finding


def _pool(name: str, finding: OutcomeFinding, row: OutcomeGroup) -> PooledRow:
    tally, reference = finding.evidence, finding.reference or ()
    cells = tally.strata if tally else ()
    mine = {cell.stratum: cell for cell in cells if cell.group == row.group}
    theirs = {cell.stratum: cell for cell in cells if cell.group == reference}
    terms = []
    for key in sorted(mine.keys() & theirs.keys()):
        a, n, b, m = mine[key].favorable, mine[key].n, theirs[key].favorable, theirs[key].n
        terms.append((key, (a, n, b, m), a * m / (n + m), b * n / (n + m)))
    strata = tuple(
        Stratum(
            name=Name.of(" / ".join(key)),
            counts=tuple(formats.count(count) for count in counts),
            group_term=formats.fixed(group, DIGITS),
            reference_term=formats.fixed(other, DIGITS),
        )
        for key, counts, group, other in terms[:_SHOWN]
    )
    more = len(terms) - _SHOWN
    return PooledRow(
        test=Name.of(name),
        group=Name.of(" / ".join(row.group)),
        reference=Name.of(" / ".join(reference)),
        controls=Name.of(" and ".join(tally.controls if tally else ())),
        strata=strata,
        more=f"{formats.plural(more, 'further stratum', 'further strata')} in results.json, under evidence."
        if more > 0
        else "",
        group_sum=formats.fixed(math.fsum(term[2] for term in terms), DIGITS),
        reference_sum=formats.fixed(math.fsum(term[3] for term in terms), DIGITS),
        ratio=formats.fixed(row.adjusted_impact_ratio, DIGITS),
    )
