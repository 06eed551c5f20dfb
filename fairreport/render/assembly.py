"""The view of a test, put together from what every kind of test has and what only its own builder knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.analyses.result import Number
from fairreport.audit.record import TestRecord
from fairreport.render import formats, record_lines
from fairreport.render.record_lines import said
from fairreport.render.views import Counts, Line, Name, Row, Sentence, Table, TestView
from fairreport.render.words import Side, state


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
        counts_sentence=count_groups(counts, own.threshold_text) if table else None,
        counts=counts,
        table=table,
        adjusted=own.adjusted,
        reversals=own.reversals,
        thresholds=record_lines.threshold_lines(record, against=[own.threshold]),
        thresholds_origin=record_lines.thresholds_origin(record),
        measurements=measurements,
        flow=record_lines.flow_lines(found.rows),
        notes=(*own.remarks, *record_lines.note_lines(found.notes)),
        insights=own.insights,
        method=own.method,
        settings=record_lines.setting_lines(record),
        description=None if test.description is None else Name.prose(test.description),
        rationale=None if test.rationale is None else Name.prose(test.rationale),
        code=record_lines.call(record, own.positional),
    )


def count(rows: Sequence[Row]) -> Counts:
    """Return how many groups are what."""
    sides = [row.finding.side for row in rows]
    return Counts(
        below=sides.count(Side.BELOW),
        inconclusive=sides.count(Side.INCONCLUSIVE),
        meets=sides.count(Side.MEETS),
        too_few=sides.count(Side.TOO_FEW),
        reference=sides.count(Side.REFERENCE),
        not_tested=sides.count(Side.NOT_TESTED),
    )


def count_groups(counts: Counts, threshold: str) -> Sentence:
    """Return how many groups are what, as a sentence."""
    parts = [
        f"{formats.count(counts.below)} below {threshold}",
        f"{formats.count(counts.inconclusive)} inconclusive",
        f"{formats.count(counts.meets)} at or above {threshold}",
    ]
    if counts.not_tested:
        parts.append(f"{formats.count(counts.not_tested)} without a ratio")
    compared = formats.plural(counts.compared, "comparison", "comparisons")
    small = formats.plural(counts.too_few, "group", "groups")
    return said(f"Of {compared}: {formats.listed(parts)}; not enough data: {small}.")


def _headline(table: Table | None) -> Sentence:
    rows = [row for row in table.rows if row.is_comparison] if table else []
    return min(rows, key=lambda row: row.severity).sentence if rows else said("No group was compared.")
