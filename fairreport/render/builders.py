"""From records to views: one builder an analysis, and the view of a whole audit on top of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, zip_longest

from fairreport.audit.about import About
from fairreport.audit.audit import DEFAULT_TITLE
from fairreport.audit.record import AuditRecord, DataRecord, Entry, TestRecord
from fairreport.render import formats, record_lines
from fairreport.render.counts import Counts, counted
from fairreport.render.metric_view import view_metric
from fairreport.render.outcome_view import view_outcome
from fairreport.render.phrases import Names
from fairreport.render.record_lines import joined, said
from fairreport.render.score_view import view_score
from fairreport.render.views import Line, Name, RunView, Sentence, TestView
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


def view_test(record: TestRecord) -> TestView:
    """Return the view of one test."""
    return BUILDERS[record.test.analysis](record)


def view_single(audit: AuditRecord, record: Entry) -> RunView:
    """Return the view of an audit as far as one of its tests goes."""
    touched = tuple(item for item in audit.assumptions if record.name in item.tests)
    return view_run(replace(audit, entries=(record,), status=record.status, assumptions=touched))


def view_run(record: AuditRecord) -> RunView:
    """Return the view of a whole audit."""
    names = Names(formats.printable(test.name) for test in record.tests)
    tests = tuple(replace(test, name=test.name.apart(names)) for test in map(view_test, record.tests))
    counts = sum((test.counts for test in tests), Counts())
    view = RunView(
        title=Name.of(record.title),
        audited=_audited(record),
        created=record.created,
        about=about_lines(record.about),
        fingerprint=record.data.fingerprint,
        fingerprint_short=formats.fingerprint(record.data.fingerprint),
        state=state(record.status),
        headline=said(""),
        counts_sentence=said(""),
        counts=counts,
        tests=tests,
        insights=(),
        assumptions=record_lines.assumption_lines(record.assumptions),
        data=_data_lines(record.data),
        code=_code(record, tests),
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


def _data_lines(data: DataRecord) -> tuple[Line, ...]:
    lines = [("Columns read", joined(data.columns, ", ")), ("Fingerprint, sha256", (data.fingerprint,))]
    if data.counts is not None:
        lines.append(("Each row counts", (Name.of(data.counts), " times")))
    if data.missing_values:
        lines.append(("Taken for missing", joined(data.missing_values, ", ")))
    for name, values in data.declared_groups.items():
        lines.append(("Declared groups", (Name.of(name), ": ", *joined(values, ", "))))
    return tuple(Line(term=term, text=said(*pieces)) for term, pieces in lines)


def _code(record: AuditRecord, tests: tuple[TestView, ...]) -> str:
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
    start = formats.printable(f"fr.Audit({', '.join(arguments)})")
    if len(tests) == 1:
        return f"{start}{tests[0].code}.run()"
    return "\n".join([f"({start}", *(f"    {test.code}" for test in tests), "    .run())"])


def _completed(view: RunView) -> RunView:
    """Return the view with the sentences that speak of all its tests."""
    worst = next(view.worst_comparisons(), None)
    if worst is None:
        headline = said("No test could be computed.")
    else:
        test, row = worst
        headline = said(test.name, ": ") + row.sentence if len(view.tests) > 1 else row.sentence
    return replace(view, headline=headline, counts_sentence=_counts(view), insights=_insights(view))


def _counts(view: RunView) -> Sentence:
    if len(view.tests) == 1 and view.tests[0].counts_sentence:
        return view.tests[0].counts_sentence
    counts = view.counts
    skipped = len(view.skipped)
    if skipped == len(view.tests):
        return said(f"{formats.plural(skipped, 'test was', 'tests were')} skipped.")
    parts = counted(counts, threshold="the threshold", again="it", limit="its limit")
    tests = formats.plural(len(view.tests), "test", "tests")
    compared = formats.plural(counts.compared, "comparison", "comparisons")
    small = f"; not enough data: {formats.plural(counts.too_few, 'group', 'groups')}" if counts.too_few else ""
    left = f"; {formats.plural(skipped, 'test was', 'tests were')} skipped" if skipped else ""
    return said(f"{tests}, {compared}: {parts}{small}{left}.")


def _insights(view: RunView) -> tuple[Sentence, ...]:
    """Return up to five facts: the first of each test, worst test first, then the second of each."""
    return tuple(islice(_each_insight(view), LARGEST_NUMBER_OF_INSIGHTS))


def _each_insight(view: RunView) -> Iterator[Sentence]:
    several = len(view.tests) > 1
    for facts in zip_longest(*(test.insights for test in view.worst_first)):
        for test, fact in zip(view.worst_first, facts, strict=True):
            if fact is not None:
                yield said(test.name, ": ") + fact if several else fact
