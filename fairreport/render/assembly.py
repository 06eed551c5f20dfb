"""The view of a test, put together from what every kind of test has and what only its own builder knows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fairreport.analyses.result import Number
from fairreport.audit.record import TestRecord
from fairreport.render import formats, record_lines
from fairreport.render.counts import Counts, count, counted
from fairreport.render.phrases import Names
from fairreport.render.record_lines import said
from fairreport.render.views import Line, Name, Sentence, Table, TestView
from fairreport.render.words import state

_NEVER_SHORTENED, _SEVERAL = 16, 2
"""Names up to so many characters are whole everywhere; of longer ones, so many could look alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Particulars:
    """What the builder of one analysis adds.

    Attributes
    ----------
    table, adjusted : Table or None
        All groups, and their figures within the control columns.
    reversals, insights : tuple of Sentence
        See `TestView`.
    remarks : tuple of Sentence
        How to read the table; they stand before the notes of the finding.
    method : tuple of Line
        How the numbers were made.
    threshold : float
        Numbers are never rounded across it.
    threshold_text : str
        How it prints.
    limit_text : str
        How the limit of a gap prints, where there is one.
    judged_by : str
        What is judged, where a reader could take it for another number.
    positional : tuple of str
        Parameters that go by position in the call that makes the test.
    measurements : tuple of (str, str) or None
        Instead of those that every kind of test has.
    """

    table: Table | None
    adjusted: Table | None = None
    reversals: tuple[Sentence, ...] = ()
    remarks: tuple[Sentence, ...] = ()
    insights: tuple[Sentence, ...]
    method: tuple[Line, ...]
    threshold: Number
    threshold_text: str
    limit_text: str = ""
    judged_by: str = ""
    positional: tuple[str, ...]
    measurements: tuple[tuple[str, str], ...] | None = None


def assemble(record: TestRecord, own: Particulars) -> TestView:
    """Return the view of a test."""
    own = _apart(own)
    test, found, table = record.test, record.finding, own.table
    counts = count(table.rows) if table else Counts()
    code = None if found.skip is None else found.skip.code.value
    reason = None if found.skip is None else Name.prose(found.skip.reason)
    measurements = own.measurements
    if measurements is None:
        measurements = record_lines.measurement_lines(record, against=[own.threshold])
    return TestView(
        name=Name.of(record.name),
        analysis=test.analysis,
        state=state(record.status),
        skip_code=code,
        skip_reason=reason,
        headline=said(record_lines.not_computed(code), reason) if reason else _headline(table),
        counts_sentence=_counts_sentence(counts, own) if table else None,
        counts=counts,
        table=table,
        adjusted=own.adjusted,
        reversals=own.reversals,
        thresholds=record_lines.threshold_lines(record, against=[own.threshold]),
        thresholds_origin=record_lines.thresholds_origin(record),
        thresholds_stated=not record.default_threshold,
        measurements=measurements,
        flow=record_lines.flow_lines(found.rows),
        notes=(*own.remarks, *record_lines.note_lines(found.notes)),
        insights=own.insights,
        cautions=record_lines.caution_lines(found.notes),
        method=(*own.method, *_source(record)),
        settings=record_lines.setting_lines(record),
        description=None if test.description is None else Name.prose(test.description),
        rationale=None if test.rationale is None else Name.prose(test.rationale),
        code=record_lines.call(record, own.positional),
    )


def _apart(own: Particulars) -> Particulars:
    """Return what a builder adds, long names of groups kept apart from one another wherever they are shortened."""
    texts = {name.text for row in own.table.rows for name in row.group} if own.table else set()
    if sum(len(text) > _NEVER_SHORTENED for text in texts) < _SEVERAL:
        return own
    names = Names(sorted(texts))
    return replace(
        own,
        table=own.table and own.table.apart(names),
        adjusted=own.adjusted and own.adjusted.apart(names),
        reversals=tuple(it.apart(names) for it in own.reversals),
        remarks=tuple(it.apart(names) for it in own.remarks),
        insights=tuple(it.apart(names) for it in own.insights),
    )


def _source(record: TestRecord) -> tuple[Line, ...]:
    """Return where the threshold comes from, where the user stated it."""
    if not record.test.threshold_source:
        return ()
    return (Line(term="Source of the threshold", text=said(Name.prose(record_lines.thresholds_origin(record)))),)


def _counts_sentence(counts: Counts, own: Particulars) -> Sentence:
    """Return how many groups are what, as a sentence."""
    mark = own.threshold_text
    parts = counted(counts, threshold=mark, again=mark, limit=own.limit_text)
    compared = formats.plural(counts.compared, "comparison", "comparisons")
    by = f" by {own.judged_by}" if own.judged_by else ""
    small = f"; not enough data: {formats.plural(counts.too_few, 'group', 'groups')}" if counts.too_few else ""
    return said(f"Of {compared}{by}: {parts}{small}.")


def _headline(table: Table | None) -> Sentence:
    rows = [row for row in table.rows if row.is_comparison] if table else []
    return min(rows, key=lambda row: row.severity).sentence if rows else said("No group was compared.")
