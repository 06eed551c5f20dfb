"""The view of a test, put together from what every kind of test has and what only its own builder knows."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.analyses.result import Number
from fairreport.audit.record import TestRecord
from fairreport.render import formats, record_lines
from fairreport.render.counts import Counts, count, counted
from fairreport.render.record_lines import said
from fairreport.render.views import Line, Name, Sentence, Table, TestView
from fairreport.render.words import state


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
    test, found, table = record.test, record.finding, own.table
    counts = count(table.rows) if table else Counts()
    reason = None if found.skip is None else Name.prose(found.skip.reason)
    measurements = own.measurements
    if measurements is None:
        measurements = record_lines.measurement_lines(record, against=[own.threshold])
    return TestView(
        name=Name.of(record.name),
        analysis=test.analysis,
        state=state(record.status),
        skip_code=None if found.skip is None else found.skip.code.value,
        skip_reason=reason,
        headline=said("Not computed: ", reason) if reason else _headline(table),
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
        method=own.method,
        settings=record_lines.setting_lines(record),
        description=None if test.description is None else Name.prose(test.description),
        rationale=None if test.rationale is None else Name.prose(test.rationale),
        code=record_lines.call(record, own.positional),
    )


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
