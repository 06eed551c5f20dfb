"""The record of an audit made again from its JSON document: stated parameters and counts in, verdicts out.

Only what a user states and the evidence are taken from the document. Every figure, verdict, note and reason is
judged again by the code that judged it first, so that the document can be held against it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

import numpy as np

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest, needs_of
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_tests import PAIR_TESTS, CustomDisparityMetric, MeanDifferenceTest
from fairreport.analyses.result import Note
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.about import About
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.contradictions import contradictions
from fairreport.audit.from_json import MisfitError, below, from_json, item_at, list_at, object_at
from fairreport.audit.gate import exit_code, overall_status
from fairreport.audit.judging import judged_entry
from fairreport.audit.provenance import AnyTally, created, fingerprint
from fairreport.audit.record import AuditRecord, DataRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.audit.window_document import stated_windows
from fairreport.audit.withheld import Withheld
from fairreport.audit.withholding import with_withheld
from fairreport.errors import ConfigError, Fault
from fairreport.tables.asked import Held
from fairreport.tables.build import AnyScan
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.gaps import GapScan
from fairreport.tables.pair_scan import PairScan
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.sinks import LISTED_VALUES
from fairreport.tables.tally import MetricTally, NoTally, OutcomeTally, Scan, ScoreTally, Tally, Unavailable

Json = dict[str, Any]

CELL_NOTES = ("integers_rounded", "spellings_folded", "undeclared_values")
"""Notes about cells of the table, which no count tells, in their order; they are taken as stated."""

_AFTER_CELL_NOTES = frozenset(
    {
        "declared_groups_absent",
        "rows_without_controls",
        "function_of_outcome",
        "no_positive_values",
        "undefined_groups",
        "needs_scan",
        "window_not_applied",
    }
)
_MOST_COLUMNS_TRIED = 4096


class OpaqueError(MisfitError):
    """A test that no document can hold the evidence of; it has to be taken as stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What could be made again from a document.

    Attributes
    ----------
    entries : tuple of TestRecord, GapRecord or MisfitError
        One a test, in their order; what hinders where a test cannot be judged again.
    record : AuditRecord or None
        The whole audit; None where something hinders.
    misfits : tuple of MisfitError
        Everything that hinders.
    fingerprint_stated : bool
        Whether the fingerprint of the data was taken as stated, because no test has evidence.
    """

    entries: tuple[Entry | MisfitError, ...]
    record: AuditRecord | None
    misfits: tuple[MisfitError, ...] = ()
    fingerprint_stated: bool = False


def rebuild(document: Json, held: Held | None = None) -> Rebuilt:
    """Return the record of a document, judged again from its evidence.

    Parameters
    ----------
    document : dict
        What `AuditRun.to_dict` returns, read back from JSON.
    held : Held
        Where the rows were; the document does not say.

    Examples
    --------
    >>> from fairreport.audit.audit import Audit
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> document = Audit(rows).outcome_disparity("sex", "hired", 1).run().to_dict()
    >>> rebuild(document).record.entries[0].measurements["minImpactRatio"]
    0.8
    """
    try:
        declared = _declared(document)
        stated = list_at(item_at(document, "results"), "/results")
        withheld = _withheld(document)
    except MisfitError as error:
        return Rebuilt(entries=(), record=None, misfits=(error,))
    entries = tuple(
        rebuild_entry(entry, declared, f"/results/{i}", withheld=withheld) for i, entry in enumerate(stated)
    )
    misfits = [entry for entry in entries if isinstance(entry, MisfitError)]
    whole = tuple(entry for entry in entries if not isinstance(entry, MisfitError))
    if misfits or not whole:
        nothing = [] if whole or misfits else [MisfitError("/results", "holds no test")]
        return Rebuilt(entries=entries, record=None, misfits=(*misfits, *nothing))
    try:
        record, is_stated = _record(document, whole, declared, held or Held())
        record = record if withheld is None else _as_shown(record, withheld)
    except MisfitError as error:
        return Rebuilt(entries=entries, record=None, misfits=(error,))
    return Rebuilt(entries=entries, record=record, fingerprint_stated=is_stated)


def _withheld(document: Json) -> Withheld | None:
    stated = document.get("withheld")
    found: Withheld | None = None if stated is None else from_json(Withheld, stated, "/withheld")
    return found


def _as_shown(record: AuditRecord, withheld: Withheld) -> AuditRecord:
    try:
        return with_withheld(record, withheld)
    except ValueError as error:
        raise MisfitError("/withheld", f"does not fit the tests: {error}") from None


Declared = dict[str, tuple[str, ...]]


def _declared(document: Json) -> Declared:
    data = object_at(item_at(document, "data"), "/data")
    groups = object_at(item_at(data, "declared_groups", "/data"), "/data/declared_groups")
    return {
        name: from_json(tuple[str, ...], values, below("/data/declared_groups", name))
        for name, values in groups.items()
    }


def _record(document: Json, entries: tuple[Entry, ...], declared: Declared, held: Held) -> tuple[AuditRecord, bool]:
    data = object_at(item_at(document, "data"), "/data")
    stated = from_json(str, item_at(data, "fingerprint", "/data"), "/data/fingerprint")
    status = overall_status(entry.status for entry in entries)
    found = fingerprint_of(entries, stated)
    windows = stated_windows(data, entries)
    record = AuditRecord(
        title=from_json(str, item_at(document, "title"), "/title"),
        created=_created(item_at(document, "created")),
        about=_about(object_at(item_at(document, "about"), "/about")),
        data=DataRecord(
            fingerprint=stated if found is None else found,
            columns=tuple(sorted({name for entry in entries for name in needs_of(entry.test).columns})),
            counts=from_json(str | None, item_at(data, "counts", "/data"), "/data/counts"),
            missing_values=from_json(tuple[str, ...], item_at(data, "missing_values", "/data"), "/data/missing_values"),
            declared_groups=declared,
            origin=held.origin,
            engine=held.engine,
            asked=held.asked,
            window=windows.shared,
            test_windows=windows.of_tests,
        ),
        assumptions=build_assumptions([(entry.name, entry.test, entry.finding) for entry in entries]),
        entries=entries,
        status=status,
        exit_code=exit_code(status),
    )
    return record, found is None


def with_stated_names(record: AuditRecord) -> AuditRecord:
    """Return a record in which the user named every test, those too whose name is the one that they would get.

    A document does not tell the two apart; a line of code that is printed does.
    """
    return replace(record, entries=tuple(_with_stated_name(entry) for entry in record.entries))


def _with_stated_name(entry: Entry) -> Entry:
    match entry:
        case GapRecord():
            return replace(entry, test=entry.test.model_copy(update={"name": entry.name}))
        case PairRecord():
            return replace(entry, test=entry.test.model_copy(update={"name": entry.name}))
        case _:
            return replace(entry, test=entry.test.model_copy(update={"name": entry.name}))


def _created(stated: Any) -> str | None:
    text: str | None = from_json(str | None, stated, "/created")
    try:
        return None if text is None else created(text)
    except ConfigError:
        raise MisfitError("/created", f"is no date: {text!r}") from None


def _about(stated: Json) -> About:
    try:
        return About(**stated)
    except (ConfigError, TypeError) as error:
        raise MisfitError("/about", str(error)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """How a kind of test is read: its parameters, its tally, and the scan that holds one."""

    test: type[AnyTest]
    tally: Any
    scan: Callable[[Any, Json, Declared, str], AnyScan]


def _disparity_scan(tally: Tally | None, entry: Json, declared: Declared, pointer: str) -> Scan:
    if tally is None:
        return Scan(tally=_no_tally(entry, pointer))
    absent = []
    for position, name in enumerate(tally.attributes):
        lacking = set(declared.get(name, ())) - {group.group[position] for group in tally.groups}
        if lacking:
            absent.append((name, tuple(sorted(lacking)[:LISTED_VALUES])))
    return Scan(tally=tally, absent=tuple(absent))


def _no_tally(entry: Json, pointer: str) -> NoTally:
    code = from_json(str, item_at(entry, "skip_code", pointer), below(pointer, "skip_code"))
    if code not in list(Unavailable):
        raise MisfitError(below(pointer, "skip_code"), f"{code!r} needs evidence, and there is none")
    reason = from_json(str, item_at(entry, "skip_reason", pointer), below(pointer, "skip_reason"))
    return NoTally(code=Unavailable(code), detail=reason)


def _gap_scan(tally: GapTally | None, entry: Json, _declared: Declared, pointer: str) -> GapScan:
    return GapScan(tally=tally, faults=() if tally is not None else _faults(entry, pointer))


def _pair_scan(tally: PairTally | MeanTally | None, entry: Json, _declared: Declared, pointer: str) -> PairScan:
    return PairScan(tally=tally, faults=() if tally is not None else _faults(entry, pointer))


def _faults(entry: Json, pointer: str) -> tuple[Fault]:
    """Return what a test without a tally states as the reason; several faults are one sentence there."""
    code = from_json(str, item_at(entry, "skip_code", pointer), below(pointer, "skip_code"))
    reason = from_json(str, item_at(entry, "skip_reason", pointer), below(pointer, "skip_reason"))
    return (Fault(code=code, message=reason),)


_KINDS: dict[str, _Kind] = {
    kind.test.analysis: kind
    for kind in (
        _Kind(test=OutcomeDisparity, tally=OutcomeTally, scan=_disparity_scan),
        _Kind(test=ScoreDisparity, tally=ScoreTally, scan=_disparity_scan),
        _Kind(test=MetricParity, tally=MetricTally, scan=_disparity_scan),
        _Kind(test=RateGaps, tally=GapTally, scan=_gap_scan),
        *(
            _Kind(test=test, tally=MeanTally if issubclass(test, MeanDifferenceTest) else PairTally, scan=_pair_scan)
            for test in PAIR_TESTS
            if test is not CustomDisparityMetric
        ),
    )
}
"""A further kind of test is one more row."""


def rebuild_entry(
    value: Any, declared: Declared, pointer: str, *, withheld: Withheld | None = None
) -> Entry | MisfitError:
    """Return one test judged again from its entry in a document, or what hinders that.

    Parameters
    ----------
    value : object
        The entry.
    declared : mapping of str to tuple of str
        Declared groups of each attribute.
    pointer : str
        Where the entry stands.
    withheld : Withheld, optional
        Groups that the evidence does not hold, though they have rows.
    """
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return _entry(object_at(value, pointer), declared, pointer, withheld)
    except MisfitError as error:
        return error
    except Exception as error:  # noqa: BLE001 - counts that no table gives can break any formula
        return MisfitError(pointer, f"cannot be judged from its evidence ({type(error).__name__}: {error})")


def _entry(entry: Json, declared: Declared, pointer: str, withheld: Withheld | None) -> Entry:
    analysis = from_json(str, item_at(entry, "analysis", pointer), below(pointer, "analysis"))
    kind = _KINDS.get(analysis)
    if analysis == CustomDisparityMetric.analysis:
        raise OpaqueError(pointer, "was computed by a function of the user's own, from rows that do not travel")
    if kind is None:
        raise MisfitError(below(pointer, "analysis"), f"{analysis!r} is no kind of test that this version knows")
    test = _test(kind.test, entry, pointer)
    evidence = item_at(entry, "evidence", pointer)
    place = below(pointer, "evidence")
    tally = None if evidence is None else from_json(kind.tally, evidence, place)
    name = from_json(str, item_at(entry, "name", pointer), below(pointer, "name"))
    unshown = None if withheld is None else withheld.of(name)
    if tally is not None:
        for where, message in contradictions(test, tally, is_partial=unshown is not None):
            raise MisfitError(f"{place}{where}", message)
    if unshown is not None and isinstance(tally, Tally):
        present = dict(zip(tally.attributes, zip(*unshown.groups, strict=True), strict=False))
        declared = {key: tuple(set(values) - set(present.get(key, ()))) for key, values in declared.items()}
    if not re.fullmatch(rf"{re.escape(test.title)}( \(\d+\))?", name):
        test = test.model_copy(update={"name": name})
    ignored = from_json(tuple[str, ...], item_at(entry, "ignored", pointer), below(pointer, "ignored"))
    record = judged_entry(name, test, ignored, kind.scan(tally, entry, declared, pointer))
    return _with_cell_notes(record, entry, pointer) if isinstance(record, TestRecord) else record


def _test(kind: type[AnyTest], entry: Json, pointer: str) -> AnyTest:
    place = below(pointer, "parameters")
    stated = object_at(item_at(entry, "parameters", pointer), place)
    given = {
        name: item_at(object_at(parameter, below(place, name)), "value", below(place, name))
        for name, parameter in stated.items()
    }
    for name in ("description", "threshold_source", "rationale"):
        given[name] = from_json(str | None, item_at(entry, name, pointer), below(pointer, name))
    if "thresholds" in entry and item_at(entry, "default_threshold", pointer) is not True:
        given["thresholds"] = [
            {key: object_at(check).get(key) for key in ("measurement", "operator", "value")}
            for check in list_at(entry["thresholds"], below(pointer, "thresholds"))
        ]
    of_preset = [name for name, parameter in stated.items() if parameter.get("origin") == "preset"]
    try:
        return kind(**given).attributed(of_preset)
    except ConfigError as error:
        fault = error.errors[0]
        inside = "" if fault.path.startswith("thresholds") else "/parameters"
        own = "; a metric of the user's own is to be registered before" if fault.path == "parity_metric" else ""
        raise MisfitError(f"{pointer}{inside}/{fault.path.replace('.', '/')}", f"{fault.message}{own}") from None


def _with_cell_notes(record: TestRecord, entry: Json, pointer: str) -> TestRecord:
    """Return a record with the notes about cells that its document states, where such notes stand."""
    place = below(pointer, "notes")
    stated = from_json(tuple[Note, ...], item_at(entry, "notes", pointer), place)
    taken = [note for note in stated if note.code in CELL_NOTES]
    if not taken or record.finding.evidence is None:
        return record
    notes = list(record.finding.notes)
    at = next((i for i, note in enumerate(notes) if note.code in _AFTER_CELL_NOTES), len(notes))
    notes[at:at] = sorted(taken, key=lambda note: CELL_NOTES.index(note.code))
    return replace(record, finding=replace(record.finding, notes=tuple(notes)))


def fingerprint_of(entries: Sequence[Entry], stated: str) -> str | None:
    """Return the fingerprint of the evidence; None where no test has any.

    What stands for a test without a tally names the column at fault, which its entry does not: of the columns that
    it can be, those are taken that agree with what is stated.
    """
    if all(evidence_of(entry) is None for entry in entries):
        return None
    choices = list(islice(product(*(list(_tallies(entry)) for entry in entries)), _MOST_COLUMNS_TRIED))
    found = (fingerprint(choice) for choice in choices)
    return next((text for text in found if text == stated), None) or fingerprint(choices[0])


def evidence_of(entry: Entry) -> AnyTally | None:
    """Return the counts that a test was judged from; None without."""
    return None if entry.finding is None else entry.finding.evidence


def _tallies(entry: Entry) -> Iterator[AnyTally | None]:
    """Yield the tally of a test, or every record that can stand for the one it lacks."""
    found = evidence_of(entry)
    if found is not None or not isinstance(entry, TestRecord) or entry.finding.skip is None:
        yield found
        return
    skip = entry.finding.skip
    columns: list[str | None] = sorted(needs_of(entry.test).columns, key=lambda name: repr(name) not in skip.reason)
    for column in [*columns, None]:
        yield NoTally(code=Unavailable(skip.code.value), column=column, detail=skip.reason)
