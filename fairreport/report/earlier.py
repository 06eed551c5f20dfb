"""The results of an earlier packet inside a later one, and what changed since, as the packet prints it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from fairreport.audit.document import audit_document, to_text
from fairreport.audit.rebuild import rebuild
from fairreport.audit.record import AuditRecord
from fairreport.errors import ConfigError, Fault
from fairreport.report.compare import Compared, compare_documents, document_of
from fairreport.report.compare_drawing import change_line, head_line, lead, remark, test_lines
from fairreport.report.compare_record import Comparison
from fairreport.report.packet_id import packet_id_of
from fairreport.report.suppression import suppress

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier audit.

    Attributes
    ----------
    document : dict
        Its results, as a packet may show them.
    record : AuditRecord or None
        The same, where groups are withheld.
    """

    document: Json
    record: AuditRecord | None = None

    @property
    def text(self) -> str:
        """The results as JSON text."""
        return to_text(self.document)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestLines:
    """A test that changed: what became of it, and every change."""

    __test__ = False  # a name that test collectors must not take for theirs

    head: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed between two audits, in lines to print.

    Attributes
    ----------
    lead : str
        What changed, in two sentences.
    tests : tuple of TestLines
        The tests that changed, worst first.
    audit : tuple of str
        What is said of the audit as a whole and is another now.
    remark : str
        What a reader should know of the intervals; empty where there are none.
    """

    lead: str
    tests: tuple[TestLines, ...]
    audit: tuple[str, ...]
    remark: str

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that comes from data."""
        return (*(text for test in self.tests for text in (test.head, *test.lines)), *self.audit)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPart:
    """What changed since an earlier packet; title, id and date are those of the earlier one."""

    title: str
    packet_id: str
    created: str
    changes: Changes

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that comes from data."""
        return (self.title, *self.changes.texts)


def earlier_of(it: Compared, record: AuditRecord) -> Earlier:
    """Return an earlier audit as the packet of a later one may show it.

    Parameters
    ----------
    it : path, AuditRun, result or Report
        The earlier audit.
    record : AuditRecord
        The later one; what it withholds is withheld of the earlier one as well.

    Raises
    ------
    ConfigError
        If groups are to be withheld of an earlier audit that cannot be judged again.
    DataError
        If a file cannot be read or is no packet.
    """
    document = document_of(it)
    if record.withheld is None:
        return Earlier(document=document)
    found = rebuild(document)
    if found.record is None:
        why = found.misfits[0].message if found.misfits else "it holds no evidence"
        message = f"groups are to be withheld, and the earlier results cannot be judged again without them: {why}"
        raise ConfigError(Fault(code="not_rebuilt", message=message, path="previous"))
    plain = found.record if found.record.withheld is None else replace(found.record, withheld=None)
    below = max(record.withheld.below, 0 if found.record.withheld is None else found.record.withheld.below)
    if found.record.withheld is not None and found.record.withheld.below >= record.withheld.below:
        return Earlier(document=document, record=found.record)
    shown = suppress(plain, below)
    return Earlier(document=audit_document(shown), record=shown)


def compared_part(earlier: Earlier, record: AuditRecord) -> ComparedPart:
    """Return what changed since an earlier audit.

    Raises
    ------
    DataError
        If its results cannot be compared.
    """
    found = compare_documents(earlier.document, audit_document(record))
    return ComparedPart(
        title=str(earlier.document["title"]),
        packet_id=packet_id_of(earlier.document),
        created=str(earlier.document.get("created") or "not stated"),
        changes=changes_of(found),
    )


def changes_of(found: Comparison) -> Changes:
    """Return what changed between two audits, in lines to print."""
    return Changes(
        lead=lead(found),
        tests=tuple(TestLines(head=head_line(test), lines=tuple(test_lines(test))) for test in found.changed),
        audit=tuple(change_line(item) for item in found.audit),
        remark=remark(found),
    )


def compared_strings(part: ComparedPart | None) -> tuple[str, ...]:
    """Return everything of it that comes from data."""
    return () if part is None else part.texts
