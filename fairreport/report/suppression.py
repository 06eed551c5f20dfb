"""The one door between what was found and what a report shows of it: groups with few rows are withheld.

What comes out is made of evidence without these groups, judged again by the code that verifies documents; every page,
figure and attachment is drawn from it. So nothing that a report prints can hold a figure of a withheld group.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from fairreport.analyses.grouping import Label
from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.parameters import ReferenceStrategy
from fairreport.analyses.refusal import Refusal
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.document import entry_document
from fairreport.audit.from_json import MisfitError
from fairreport.audit.gate import Status
from fairreport.audit.provenance import fingerprint
from fairreport.audit.rebuild import OpaqueError, fingerprint_of, rebuild_entry
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.audit.withheld import CODE, Withheld, WithheldTest, why_whole
from fairreport.audit.withholding import with_withheld
from fairreport.report.countings import CONTROLS, Counting, countings_of
from fairreport.report.subtraction import Counted, Hidden, Key, what_to_hide
from fairreport.tables.tally import MetricTally

Json = dict[str, Any]


def suppress(record: AuditRecord, below: int, *, published: Collection[str] = ()) -> AuditRecord:
    """Return an audit as a report shows it, where groups with few rows are shown without their figures.

    Parameters
    ----------
    record : AuditRecord
        What was found.
    below : int
        Groups with fewer rows are withheld, and others from which they could be computed.
    published : collection of str
        Names of tests whose counts have to be published; none of their groups is withheld.

    Returns
    -------
    AuditRecord
        Without any figure that was made of a withheld group; states, and whether thresholds hold, are as they were.
    """
    countings = [_public(counting, published) for counting in countings_of(record)]
    hidden = what_to_hide([counting.counted for counting in countings], below, last=references_of(record))
    shown: list[Entry] = []
    tests: list[WithheldTest] = []
    for entry in record.entries:
        unshown = _unshown(entry, countings, hidden, below)
        if unshown is None:
            shown.append(entry)
            continue
        found = _judged_again(record, entry, unshown, below)
        if _is_skipped(found) and not _is_skipped(entry):  # too few groups are left to compare
            unshown = replace(unshown, whole=True, lacking=())
            found = _judged_again(record, entry, unshown, below)
        shown.append(_with_test(found, entry))
        differs = not unshown.whole and _differs(entry, found, unshown.groups)
        tests.append(replace(unshown, differs=differs, rereferenced=not unshown.whole and unshown.rereferenced))
    left = tuple(entry.name for entry in record.entries if entry.name in published)
    return _put_together(record, tuple(shown), Withheld(below=below, tests=tuple(tests), published=left))


def references_of(record: AuditRecord) -> frozenset[Key]:
    """Return the groups that others are compared with, by their name across tests."""
    return frozenset(
        (entry.finding.evidence.attributes, entry.finding.reference)
        for entry in record.tests
        if entry.finding.evidence is not None and entry.finding.reference is not None
    )


def _public(counting: Counting, published: Collection[str]) -> Counting:
    """Return a table of groups; of a test whose counts have to be published its groups are, its controls are not."""
    if counting.of or counting.name not in published:
        return counting
    return replace(counting, counted=replace(counting.counted, is_public=True))


def _unshown(entry: Entry, countings: Sequence[Counting], hidden: Hidden, below: int) -> WithheldTest | None:
    """Return what is withheld of a test; None where all of it is shown."""
    dropped = {countings[i].part for i in hidden.tables}
    if hidden.cells or dropped:  # which rows have a membership, no other test tells
        dropped |= {counting.part for counting in countings if not counting.is_linked}
    mine = [counting.counted for counting in countings if counting.name == entry.name]
    single = next((counted for counted in mine if counted.can_withhold), None)
    cells = {} if single is None else single.cells
    gone = [label for label in cells if single is not None and single.key(label) in hidden.cells]
    whole = (entry.name, "") in dropped or _names_reference(entry, gone) or bool(gone and len(gone) == len(cells))
    whole = whole or _tells_lacking(entry, mine, countings, below)
    adjusted = (entry.name, CONTROLS) in dropped
    lacking = () if whole else _lacking(entry, below)
    if not (gone or whole or adjusted or lacking):
        return None
    return WithheldTest(
        name=entry.name,
        few=tuple(label for label in gone if cells[label].n < below),
        beside=tuple(label for label in gone if cells[label].n >= below),
        whole=whole,
        adjusted=adjusted,
        rereferenced=isinstance(entry, TestRecord) and entry.finding.reference in gone,
        lacking=lacking,
        status=entry.status,
        passed=() if isinstance(entry, GapRecord) else tuple(check.passed for check in entry.thresholds),
    )


def _lacking(entry: Entry, below: int) -> tuple[str, ...]:
    """Return the attributes that few rows of a test lack, where it is counted how many of these are favorable."""
    if not isinstance(entry, TestRecord) or entry.finding.evidence is None:
        return ()
    missing = entry.finding.evidence.missing
    return tuple(item.attribute for item in missing if item.favorable is not None and 0 < item.n < below)


def _tells_lacking(entry: Entry, mine: Sequence[Counted], countings: Sequence[Counting], below: int) -> bool:
    """Tell whether what a metric is over all of its rows gives, beside another test of the same, those left out."""
    if not isinstance(entry, TestRecord) or not isinstance(entry.finding.evidence, MetricTally):
        return False
    sizes = [it.counted.n for it in countings if it.counted.measured in {counted.measured for counted in mine}]
    return 0 < max(sizes) - max(counted.n for counted in mine) < below


def _names_reference(entry: Entry, gone: Collection[Label]) -> bool:
    """Tell whether a test compares with a group that the user named and that is withheld, or would if it could."""
    if not isinstance(entry, TestRecord) or entry.test.reference_strategy is not ReferenceStrategy.NAMED:
        return False
    overall = isinstance(entry.test, MetricParity) and entry.test.comparison is ComparedWith.OVERALL
    return not overall and (str(entry.test.reference_value),) in gone


def _is_skipped(entry: Entry) -> bool:
    return (entry.skip if isinstance(entry, PairRecord) else entry.finding.skip) is not None


def _judged_again(record: AuditRecord, entry: Entry, unshown: WithheldTest, below: int) -> Entry:
    """Return a test judged from its evidence without what is withheld."""
    document = entry_document(entry)
    if unshown.whole:
        document |= {"evidence": None, "skip_code": CODE, "skip_reason": why_whole(below)}
    else:
        document |= {"evidence": _reduced(document["evidence"], unshown, is_skipped=_is_skipped(entry))}
    declared = {name: tuple(values) for name, values in record.data.declared_groups.items()}
    found = rebuild_entry(document, declared, "", withheld=Withheld(below=below, tests=(unshown,)))
    if isinstance(found, OpaqueError):
        return _without_figures(entry, below)
    if isinstance(found, MisfitError):
        raise found
    return found


def _without_figures(entry: Entry, below: int) -> Entry:
    """Return a test by a function of the user's own, which no document holds, without any figure."""
    if not isinstance(entry, PairRecord):
        raise TypeError(f"{type(entry).__name__} has evidence")
    refused = Refusal(code=CODE, reason=why_whole(below))
    unheld = tuple(replace(check, actual=None, passed=None) for check in entry.thresholds)
    return replace(entry, finding=None, skip=refused, thresholds=unheld, status=Status.SKIPPED)


def _reduced(evidence: Json, unshown: WithheldTest, *, is_skipped: bool) -> Json:
    """Return the evidence of a disparity test without what is withheld."""
    gone = set(unshown.groups)
    reduced = dict(evidence)
    for name in ("groups", "strata", "comparisons", "pairs", "ends"):
        if name in evidence:
            reduced[name] = [item for item in evidence[name] if not _mentions(item, gone)]
    if unshown.adjusted:
        reduced["strata"] = []
    if unshown.lacking:
        if not is_skipped:  # all outcomes of the rows evaluated tell of the others; a reason for a skip needs them
            reduced["unmatched"] = []
        reduced["missing"] = [
            item | {"favorable": None} if item["attribute"] in unshown.lacking else item for item in evidence["missing"]
        ]
    return reduced


def _mentions(item: Json, gone: Collection[Label]) -> bool:
    return any(tuple(item.get(name, ())) in gone for name in ("group", "reference"))


def _with_test(found: Entry, entry: Entry) -> Entry:
    """Return a test judged again as it was stated: which names are the user's, no document tells."""
    match found, entry:
        case TestRecord(), TestRecord():
            return replace(found, test=entry.test)
        case GapRecord(), GapRecord():
            return replace(found, test=entry.test)
        case PairRecord(), PairRecord():
            return replace(found, test=entry.test)
    raise TypeError(f"{type(found).__name__} is judged again from {type(entry).__name__}")


def _differs(before: Entry, after: Entry, gone: Collection[Label]) -> bool:
    """Tell whether a figure of a group that is shown is another than in the whole run."""
    if not isinstance(before, TestRecord) or not isinstance(after, TestRecord):
        return False
    rows = {row.group: row for row in after.finding.groups}
    return any(rows.get(row.group) != row for row in before.finding.groups if row.group not in gone)


def _put_together(record: AuditRecord, entries: tuple[Entry, ...], withheld: Withheld) -> AuditRecord:
    found = fingerprint_of(entries, record.data.fingerprint)
    # The statements asked of an engine hold numbers made of single groups, and how many rows each gave.
    data = replace(record.data, fingerprint=fingerprint([]) if found is None else found, asked=())
    unmarked = replace(
        record,
        entries=entries,
        data=data,
        assumptions=build_assumptions([(entry.name, entry.test, entry.finding) for entry in entries]),
    )
    return with_withheld(unmarked, withheld)
