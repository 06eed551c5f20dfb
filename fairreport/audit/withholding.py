"""An audit as a report shows it: judged from the groups that are not withheld, with the verdicts of all of them.

A record that went through here holds no figure that was made of a withheld group: its entries were judged again from
their evidence without such groups. Only whether a test, and each of its thresholds, passes is that of the whole run,
so that an audit comes to the same whatever a report shows of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairreport.analyses.pair_result import PairFinding
from fairreport.analyses.result import Finding, Note
from fairreport.audit.assumptions import Assumption
from fairreport.audit.gate import ThresholdCheck, exit_code, overall_status
from fairreport.audit.record import AuditRecord, Entry, GapRecord, TestRecord
from fairreport.audit.withheld import CODE, Withheld, WithheldTest

REREFERENCED = (
    "The reference of the audit is withheld: ratios here are to another group, "
    "and what they read is not what the audit found."
)
"""Stands wherever groups are compared with another reference than in the whole run."""


def with_withheld(record: AuditRecord, withheld: Withheld) -> AuditRecord:
    """Return the record of an audit, judged without withheld groups, with what is withheld.

    Parameters
    ----------
    record : AuditRecord
        Judged from evidence that holds no withheld group.
    withheld : Withheld
        What is withheld, and what the tests come to with all groups.
    """
    entries = tuple(_marked(entry, withheld.of(entry.name), withheld.below) for entry in record.entries)
    status = overall_status(entry.status for entry in entries)
    limitation = _limitation(withheld, len(record.assumptions) + 1)
    return replace(
        record,
        entries=entries,
        status=status,
        exit_code=exit_code(status),
        assumptions=(*record.assumptions, limitation),
        withheld=withheld,
    )


def _marked(entry: Entry, test: WithheldTest | None, below: int) -> Entry:
    """Return an entry with the verdicts of all of its groups, and a note on what is withheld."""
    if test is None:
        return entry
    if isinstance(entry, GapRecord):
        return replace(entry, status=test.status)
    thresholds = tuple(_held(entry.thresholds, test.passed))
    if isinstance(entry, TestRecord):
        note = Note(code=CODE, text=_sentence(test, below))
        finding: Finding = replace(entry.finding, notes=(*entry.finding.notes, note))
        return replace(entry, status=test.status, thresholds=thresholds, finding=finding)
    pairs: PairFinding | None = entry.finding
    return replace(entry, status=test.status, thresholds=thresholds, finding=pairs)


def _held(checks: tuple[ThresholdCheck, ...], passed: tuple[bool | None, ...]) -> Iterator[ThresholdCheck]:
    """Yield thresholds as they hold with all groups; a measurement that says otherwise is not stated."""
    for check, holds in zip(checks, passed, strict=True):
        yield check if check.passed is holds else replace(check, actual=None, passed=holds)


def _sentence(test: WithheldTest, below: int) -> str:
    parts = []
    if test.whole:
        parts.append(f"No figure is shown: it would show those of a group with fewer than {below:,} rows.")
    elif test.groups:
        few = f"{_groups(len(test.few))} with fewer than {below:,} rows" if test.few else ""
        more = f"{_groups(len(test.beside))} from which others could be computed" if test.beside else ""
        parts.append(f"Withheld: {' and '.join(part for part in (few, more) if part)}. Counts of rows include them.")
        parts.append("Groups are counted, compared and adjusted for among those shown.")
    if test.rereferenced and not test.whole:
        parts.append(REREFERENCED)
    if test.lacking and not test.whole:
        parts.append(
            f"Fewer than {below:,} rows lack {_listed(test.lacking)}; how many of them are favorable is withheld."
        )
    if test.adjusted and not test.whole:
        text = f"Figures within the control columns are withheld: some combinations have fewer than {below:,} rows"
        parts.append(f"{text}, or would show a group that is withheld.")
    if test.differs and not test.whole:
        parts.append("Figures that compare groups are therefore not all those of the whole run.")
    if test.whole or test.groups or test.adjusted:
        parts.append("The state, and whether a threshold holds, are those of the whole run.")
    return " ".join(parts)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + (" or " if names[1:] else "") + names[-1]


def _tests(n: int) -> str:
    return "1 test" if n == 1 else f"{n:,} tests"


def _groups(n: int) -> str:
    return "1 group" if n == 1 else f"{n:,} groups"


def _limitation(withheld: Withheld, number: int) -> Assumption:
    below = f"{withheld.below:,}"
    few, beside = (sum(len(getattr(test, name)) for test in withheld.tests) for name in ("few", "beside"))
    whole = sum(test.whole for test in withheld.tests)
    found = f"{few:,} for want of rows, {beside:,} so that these cannot be computed"
    found += f", and all figures of {_tests(whole)}" if whole else ""
    found = found if few or beside or whole else "none"
    lacking = sum(len(test.lacking) for test in withheld.tests)
    rows = f" Where fewer than {below} rows lack an attribute, how many of them are favorable is withheld."
    rows = rows if lacking else ""
    n_left = len(withheld.published)
    here = "are shown without their figures, here and in the attachments"
    left = ""
    if n_left:
        here += f", except in {_tests(n_left)} whose counts the preset has published"
        left = f" In {'that test' if n_left == 1 else 'those tests'} every group stands with its counts, however few."
    return Assumption(
        number=number,
        code=CODE,
        title="Small groups are withheld",
        text=f"Groups with fewer than {below} rows {here}; withheld: {found}. Each is counted once a test.{rows}{left}",
        consequence="What is withheld can be neither read nor recomputed here. Each state, and whether a threshold "
        "holds, is that of all groups; every other figure is of those shown.",
        tests=tuple(test.name for test in withheld.tests),
    )
