"""From the rows of the table to those that were evaluated, and what was missing."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.views import Name
from fairreport.tables.tally import MissingCount

_UNKNOWN = "level_may_mean_missing"
_WITHHELD = "withheld"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRow:
    """The rows of one test: in, left out for each reason, evaluated; dashes where nothing was counted."""

    test: Name
    rows_in: str
    without_outcome: str
    missing_attribute: str
    undeclared: str
    evaluated: str
    share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRow:
    """Rows with an outcome that lack one attribute, in one test."""

    test: Name
    attribute: Name
    n: str
    share: str
    favorable: str
    rate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlow:
    """All of it.

    Attributes
    ----------
    rows : tuple of FlowRow
        One per test.
    missing : tuple of MissingRow
        One per test and attribute, in the order of the tests.
    unknown : tuple of Name
        Remarks on levels that may mean missing and were kept as groups.
    without_controls : tuple of Name
        Remarks on evaluated rows that lack a control column.
    """

    rows: tuple[FlowRow, ...]
    missing: tuple[MissingRow, ...]
    unknown: tuple[Name, ...]
    without_controls: tuple[Name, ...]


def data_flow(record: AuditRecord) -> DataFlow:
    """Return the tables of the data section."""
    return DataFlow(
        rows=tuple(_flow(test) for test in record.tests),
        missing=tuple(row for test in record.tests for row in _missing(record, test)),
        unknown=_remarks(record, _UNKNOWN),
        without_controls=_remarks(record, "rows_without_controls"),
    )


def _flow(test: TestRecord) -> FlowRow:
    rows = test.finding.rows
    name = Name.of(test.name)
    if rows is None:
        none = formats.ABSENT
        return FlowRow(
            test=name,
            rows_in=none,
            without_outcome=none,
            missing_attribute=none,
            undeclared=none,
            evaluated=none,
            share=none,
        )
    return FlowRow(
        test=name,
        rows_in=formats.count(rows.total),
        without_outcome=formats.count(rows.total - rows.with_inputs),
        missing_attribute=formats.count(rows.missing_attribute),
        undeclared=formats.count(rows.undeclared),
        evaluated=formats.count(rows.evaluated),
        share=formats.percent(rows.evaluated / rows.total if rows.total else None),
    )


def _missing(record: AuditRecord, test: TestRecord) -> list[MissingRow]:
    evidence = test.finding.evidence
    if evidence is None:
        return []
    unshown = None if record.withheld is None else record.withheld.of(test.name)
    hidden = () if unshown is None else unshown.lacking
    with_inputs = evidence.rows.with_inputs
    return [
        MissingRow(
            test=Name.of(test.name),
            attribute=Name.of(item.attribute),
            n=formats.count(item.n),
            share=formats.percent(item.n / with_inputs if with_inputs else None),
            favorable=_WITHHELD if item.attribute in hidden else _favorable(item),
            rate=_WITHHELD if item.attribute in hidden else _rate(item),
        )
        for item in evidence.missing
    ]


def _favorable(item: MissingCount) -> str:
    return formats.ABSENT if item.favorable is None else formats.count(item.favorable)


def _rate(item: MissingCount) -> str:
    return formats.ABSENT if item.favorable is None or not item.n else formats.fixed(item.favorable / item.n)


def _remarks(record: AuditRecord, code: str) -> tuple[Name, ...]:
    texts = [note.text for test in record.tests for note in test.finding.notes if note.code == code]
    return tuple(Name.of(text) for text in dict.fromkeys(texts))
