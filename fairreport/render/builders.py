"""From records to views: one builder an analysis, and the view of a whole audit on top of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, zip_longest

from fairreport.audit.about import About
from fairreport.audit.audit import DEFAULT_TITLE
from fairreport.audit.gate import Status
from fairreport.audit.record import AuditRecord, DataRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.render import formats, record_lines
from fairreport.render.counts import Counts, counted
from fairreport.render.gap_builder import counted as counted_rules
from fairreport.render.gap_builder import view_gaps
from fairreport.render.metric_view import view_metric
from fairreport.render.outcome_view import view_outcome
from fairreport.render.pair_builder import view_pairs
from fairreport.render.pair_sentences import counted as counted_pairs
from fairreport.render.phrases import Names
from fairreport.render.record_lines import joined, said
from fairreport.render.score_view import view_score
from fairreport.render.views import EntryView, GapTestView, Line, Name, RunView, Sentence, TestView
from fairreport.render.window_lines import window_code, window_lines
from fairreport.render.words import state

BUILDERS: dict[str, Callable[[TestRecord], TestView]] = {
    "outcome_disparity": view_outcome,
    "score_disparity": view_score,
    "metric_parity": view_metric,
}
"""The builder of each analysis, by the name of the analysis."""

LARGEST_NUMBER_OF_INSIGHTS = 5
NOT_STATED = "not stated"

_ABOUT = (
    ("System", "system"),
    ("Decision", "decision"),
    ("Period", "period"),
    ("Prepared by", "prepared_by"),
    ("Prepared for", "prepared_for"),
    ("Issued", "issued"),
    ("Valid until", "valid_until"),
    ("Status", "status"),
    ("Origin of the data", "origin"),
)


def view_entry(record: Entry, *, levels: bool = True) -> EntryView:
    """Return the view of one test of any kind; see `view_pairs` for `levels`."""
    if isinstance(record, GapRecord):
        return view_gaps(record)
    return view_pairs(record, levels=levels) if isinstance(record, PairRecord) else view_test(record)


def view_test(record: TestRecord) -> TestView:
    """Return the view of one disparity test."""
    return BUILDERS[record.test.analysis](record)


def view_single(audit: AuditRecord, record: Entry, *, levels: bool = True) -> RunView:
    """Return the view of an audit as far as one of its tests goes; see `view_pairs` for `levels`."""
    touched = tuple(item for item in audit.assumptions if record.name in item.tests)
    return view_run(replace(audit, entries=(record,), status=record.status, assumptions=touched), levels=levels)


def view_run(record: AuditRecord, *, levels: bool = True) -> RunView:
    """Return the view of a whole audit; see `view_pairs` for `levels`."""
    names = Names(formats.printable(entry.name) for entry in record.entries)
    entries: tuple[EntryView, ...] = tuple(
        replace(view, name=view.name.apart(names))
        for view in (view_entry(entry, levels=levels) for entry in record.entries)
    )
    counts = sum((entry.counts for entry in entries if isinstance(entry, TestView)), Counts())
    view = RunView(
        title=Name.of(record.title),
        audited=_audited(record),
        created=record.created,
        about=about_lines(record.about),
        fingerprint=record.data.fingerprint,
        data_said=_data_said(record),
        state=state(record.status),
        headline=said(""),
        counts_sentence=said(""),
        counts=counts,
        entries=entries,
        insights=(),
        assumptions=record_lines.assumption_lines(record.assumptions),
        data=_data_lines(record.data),
        code=_code(record, entries),
    )
    return _completed(view)


def about_lines(about: About) -> tuple[Line, ...]:
    """Return what the user stated about an audit, "not stated" for the rest."""
    stated = about.model_dump(mode="json")
    lines = [Line(term=term, text=_stated(stated[field])) for term, field in _ABOUT]
    return (*lines, *(Line(term="Note", text=said(Name.prose(note))) for note in about.notes))


def _stated(value: str | None) -> Sentence:
    return said(NOT_STATED) if value is None else said(Name.of(value))


def _audited(record: AuditRecord) -> Sentence:
    about = record.about
    if about.system:
        return said(Name.of(about.system), *((", ", Name.of(about.decision)) if about.decision else ()))
    columns = record.data.columns
    return said("column " if len(columns) == 1 else "columns ", *joined(columns, ", "))


def _data_said(record: AuditRecord) -> str:
    """Return the beginning of the fingerprint; where no test counted a row, it would be the hash of nothing."""
    if not is_counted(record):
        return "no data counted"
    return f"data sha256 {formats.fingerprint(record.data.fingerprint)}"


def is_counted(record: AuditRecord) -> bool:
    """Tell whether a test of an audit came to count rows, so that its fingerprint is that of data."""
    return any(
        entry.status is not Status.SKIPPED or (entry.finding is not None and entry.finding.evidence is not None)
        for entry in record.entries
    )


def _data_lines(data: DataRecord) -> tuple[Line, ...]:
    lines = [("Columns read", joined(data.columns, ", ")), ("Fingerprint, sha256", (data.fingerprint,))]
    if data.counts is not None:
        lines.append(("Each row counts", (Name.of(data.counts), " times")))
    if data.missing_values:
        lines.append(("Taken for missing", joined(data.missing_values, ", ")))
    for name, values in data.declared_groups.items():
        lines.append(("Declared groups", (Name.of(name), ": ", *joined(values, ", "))))
    return (*(Line(term=term, text=said(*pieces)) for term, pieces in lines), *window_lines(data))


def _code(record: AuditRecord, tests: tuple[EntryView, ...]) -> str:
    data = record.data
    arguments = ["data"]
    if record.title != DEFAULT_TITLE:
        arguments.append(f"title={record.title!r}")
    if data.counts is not None:
        arguments.append(f"counts={data.counts!r}")
    if data.missing_values:
        arguments.append(f"missing_values={list(data.missing_values)!r}")
    if data.declared_groups:
        groups = {name: list(values) for name, values in data.declared_groups.items()}
        arguments.append(f"groups={groups!r}")
    times, window = window_code(record)
    start = formats.printable(f"fr.Audit({', '.join([*arguments, *times])})")
    run = formats.printable(f".run({window})")
    if len(tests) == 1:
        return f"{start}{tests[0].code}{run}"
    return "\n".join([f"({start}", *(f"    {test.code}" for test in tests), f"    {run})"])


def _completed(view: RunView) -> RunView:
    """Return the view with the sentences that speak of all its tests."""
    headline = _gravest(view) if view.gaps or view.pairs else _worst(view)
    return replace(view, headline=headline, counts_sentence=_counts(view), insights=_insights(view))


def _worst(view: RunView) -> Sentence:
    """Return the worst comparison of all disparity tests."""
    worst = next(view.worst_comparisons(), None)
    if worst is None:
        return said("No test could be computed.")
    test, row = worst
    return said(test.name, ": ") + row.sentence if len(view.entries) > 1 else row.sentence


def _gravest(view: RunView) -> Sentence:
    """Return what the test says from which the audit has its status, the worst one of several."""
    test = next(entry for entry in view.worst_first if entry.state.key == view.state.key)
    if len(view.entries) == 1:
        return test.headline
    told = test.worst_first[0].sentence if isinstance(test, GapTestView) and test.rules else test.headline
    return said(test.name, ": ") + told


def _counts(view: RunView) -> Sentence:
    only = view.entries[0].counts_sentence if len(view.entries) == 1 else None
    if only:
        return only
    skipped = len(view.skipped)
    if skipped == len(view.entries):
        return said(f"{formats.plural(skipped, 'test was', 'tests were')} skipped.")
    parts = [*_compared(view), *_paired(view), *([counted_rules(view.rule_counts)] if view.rule_counts else [])]
    tests = formats.plural(len(view.entries), "test", "tests")
    left = f"; {formats.plural(skipped, 'test was', 'tests were')} skipped" if skipped else ""
    return said(f"{tests}, {'; '.join(parts)}{left}.")


def _compared(view: RunView) -> list[str]:
    """Return how many comparisons of disparity tests are what; nothing where none was computed."""
    if all(test.is_skipped for test in view.tests):
        return []
    counts = view.counts
    found = counted(counts, threshold="the threshold", again="it", limit="its limit")
    small = f"; not enough data: {formats.plural(counts.too_few, 'group', 'groups')}" if counts.too_few else ""
    return [f"{formats.plural(counts.compared, 'comparison', 'comparisons')}: {found}{small}"]


def _paired(view: RunView) -> list[str]:
    """Return how many comparisons of named pairs are what; nothing where none was computed."""
    counts = view.pair_counts
    if not counts.compared:
        return []
    found = counted_pairs(counts, beyond="beyond the threshold", within="within it")
    return [f"{formats.plural(counts.compared, 'comparison', 'comparisons')} of named pairs: {found}"]


def _insights(view: RunView) -> tuple[Sentence, ...]:
    """Return up to five facts: the first of each test, worst test first, then the second of each."""
    return tuple(islice(_each_insight(view), LARGEST_NUMBER_OF_INSIGHTS))


def _each_insight(view: RunView) -> Iterator[Sentence]:
    several = len(view.entries) > 1
    for facts in zip_longest(*(test.insights for test in view.worst_first)):
        for test, fact in zip(view.worst_first, facts, strict=True):
            if fact is not None:
                yield said(test.name, ": ") + fact if several else fact
