"""Several windows of one test as one: their counts added up, and the sum judged by the code that judges any counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.audit.judging import judged_entry
from fairreport.audit.provenance import AnyTally
from fairreport.audit.rebuild import CELL_NOTES, evidence_of
from fairreport.audit.record import Entry, TestRecord
from fairreport.tables.adding_pairs import NotAdditiveError
from fairreport.tables.adding_up import add_tallies
from fairreport.tables.build import AnyScan
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.gaps import GapScan
from fairreport.tables.pair_scan import PairScan
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.tally import NoTally, Scan

__all__ = ["JudgedSum", "NotAdditiveError", "judge_sum"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSum:
    """A test judged from the counts of several windows.

    Attributes
    ----------
    entry : Entry
        What the test finds in the sum.
    remarks : tuple of str
        What a reader should know of the sum.
    """

    entry: Entry
    remarks: tuple[str, ...] = ()


def judge_sum(entries: Sequence[Entry], declared: Mapping[str, tuple[str, ...]]) -> JudgedSum:
    """Return what a test finds in the rows of several windows together.

    Parameters
    ----------
    entries : sequence of TestRecord, GapRecord or PairRecord
        One test in windows that do not overlap, the latest last; each has evidence. The latest's parameters judge.
    declared : mapping of str to tuple of str
        Declared groups of an attribute, whether they have rows or not.

    Raises
    ------
    NotAdditiveError
        If the evidence does not add up; the message says why.
    """
    test = entries[-1].test
    tallies = [tally for tally in map(evidence_of, entries) if tally is not None and not isinstance(tally, NoTally)]
    if len(tallies) < len(entries):
        raise NotAdditiveError("a window holds no counts")
    unfavorable = (test.unfavorable_values or ()) if isinstance(test, OutcomeDisparity) else ()
    found = add_tallies(tallies, unfavorable=unfavorable)
    judged = judged_entry(entries[-1].name, test, entries[-1].ignored, _scan(found.tally, declared))
    entry = _with_cell_notes(judged, entries) if isinstance(judged, TestRecord) else judged
    remarks = [f"not kept: {what}" for what in found.left_out]
    if any(other.test.parameters() != test.parameters() for other in entries):
        remarks.append("parameters of judgement changed between these windows; those of the latest judge the sum")
    if _unit(test) is not None:
        remarks.append("a person who stands in several of these windows counts once in each")
    return JudgedSum(entry=entry, remarks=tuple(remarks))


def _with_cell_notes(record: TestRecord, entries: Sequence[Entry]) -> TestRecord:
    """Return a record with the notes about cells of its windows, which no count tells."""
    held = [note for entry in entries if isinstance(entry, TestRecord) for note in entry.finding.notes]
    notes = dict.fromkeys(note for note in held if note.code in CELL_NOTES)
    return replace(record, finding=replace(record.finding, notes=(*record.finding.notes, *notes)))


def _unit(test: AnyTest) -> str | None:
    return test.unit if isinstance(test, RateGaps) else None


def _scan(tally: AnyTally, declared: Mapping[str, tuple[str, ...]]) -> AnyScan:
    if isinstance(tally, GapTally):
        return GapScan(tally=tally)
    if isinstance(tally, (PairTally, MeanTally)):
        return PairScan(tally=tally)
    absent = []
    for position, name in enumerate(() if isinstance(tally, NoTally) else tally.attributes):
        held = () if isinstance(tally, NoTally) else tally.groups
        lacking = set(declared.get(name, ())) - {group.group[position] for group in held}
        if lacking:
            absent.append((name, tuple(sorted(lacking))))
    return Scan(tally=tally, absent=tuple(absent))
