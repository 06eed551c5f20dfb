"""The packet of an audit: one HTML file, one PDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from fairreport.analyses.kinds import needs_of
from fairreport.audit.about import About
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.document import audit_document
from fairreport.audit.entry_result import PairResult, RateGapsResult, TestResult
from fairreport.audit.gate import exit_code
from fairreport.audit.provenance import fingerprint
from fairreport.audit.record import AuditRecord, Entry
from fairreport.audit.result import AuditRun
from fairreport.display import Displayable
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.render import formats
from fairreport.report.attachments import Attachment, build_attachments
from fairreport.report.data_file import DataFile, hash_data_file
from fairreport.report.data_strings import data_strings
from fairreport.report.fonts import spell_out, unprintable
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.packet_id import packet_id_of
from fairreport.report.packet_view import PacketView, view_packet
from fairreport.report.pdf import pdf_engine, write_pdf
from fairreport.tables.source import Table
from fairreport.writing import write_whole

_KNOWN_PRESETS: tuple[str, ...] = ()
_PAPERS = {"a4": Paper.A4, "letter": Paper.LETTER}


class Report(Displayable):
    """The packet of an audit run, or of one of its tests.

    Parameters
    ----------
    run : AuditRun, TestResult, RateGapsResult or PairResult
        What to report; of a single test, that test only.
    about : About or mapping, optional
        What to state about the audit, instead of what the run carries.
    preset : str, optional
        Name of a profile; this version has none.
    paper : {"A4", "letter"}
        What the PDF prints on.

    Attributes
    ----------
    record : AuditRecord
        What is reported.

    Raises
    ------
    ConfigError
        If `run` is neither, or the preset or the paper is unknown.

    Examples
    --------
    >>> import fairreport as fr
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> run = fr.Audit(rows).outcome_disparity("sex", "hired", 1).run()
    >>> "not stated" in Report(run).html()
    True
    """

    display_kind: ClassVar[str] = "report"

    def __init__(
        self,
        run: AuditRun | TestResult | RateGapsResult | PairResult,
        about: About | Mapping[str, Any] | None = None,
        preset: str | None = None,
        paper: str = "A4",
    ) -> None:
        record, self._table = _reported(run)
        if about is not None:
            stated = about if isinstance(about, About) else About(**about)
            record = replace(record, about=stated)
        self.record: AuditRecord = record
        self._paper = _paper(paper)
        _check_preset(preset)

    @cached_property
    def packet_id(self) -> str:
        """The first 12 hexadecimal digits of the sha256 of the results, the date of the run left out."""
        return packet_id_of(audit_document(self.record))

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that travel inside the packet."""
        return build_attachments(self.record, packet_id=self.packet_id, data_file=self._data_file)

    @cached_property
    def unprintable(self) -> tuple[str, ...]:
        """Characters of the data that no font prints, of the packet's and of this machine's, by code point.

        The PDF writes them as ``[U+65E5]`` and names them in its section on provenance; HTML leaves fonts to
        whoever reads it.

        Raises
        ------
        PdfUnavailableError
            If this machine cannot write PDF.
        """
        pdf_engine()
        return unprintable("".join(formats.printable(text) for text in data_strings(self.record)))

    def html(self) -> str:
        """Return the packet as one self-contained HTML file."""
        return packet_html(self._view(()), medium=Medium.SCREEN, paper=self._paper)

    def pdf(self) -> bytes:
        """Return the packet as PDF, conforming to PDF/A-3a and PDF/UA-1.

        Raises
        ------
        PdfUnavailableError
            If this machine cannot write PDF; the message says what to install.
        """
        text = packet_html(self._view(self.unprintable), medium=Medium.PDF, paper=self._paper)
        return write_pdf(spell_out(text, self.unprintable), self.attachments, created=self.record.created)

    def save(self, path: str | Path) -> Path:
        """Write the packet whole or not at all, and return its path.

        Parameters
        ----------
        path : path
            Ends in ``.pdf`` or ``.html``.

        Raises
        ------
        ConfigError
            If it ends in anything else.
        DataError
            If it cannot be written; a file that was there is left as it was.
        PdfUnavailableError
            If this machine cannot write PDF.
        """
        suffix = Path(path).suffix.lower()
        if suffix == ".pdf":
            return write_whole(path, self.pdf())
        if suffix in {".html", ".htm"}:
            return write_whole(path, self.html())
        message = f"a packet is a .pdf or an .html file, got {str(path)!r}"
        raise ConfigError(Fault(code="bad_enum", message=message, path="path"))

    def _view(self, missing: tuple[str, ...]) -> PacketView:
        return view_packet(
            self.record,
            packet_id=self.packet_id,
            attachments=self.attachments,
            data_file=self._data_file,
            unprintable=missing,
        )

    @cached_property
    def _data_file(self) -> DataFile:
        """The hash of the audited file as it stands now, taken when it is first asked for."""
        return hash_data_file(self._table.path)


def _reported(run: object) -> tuple[AuditRecord, Table]:
    if isinstance(run, AuditRun):
        return run.record, run.table
    if isinstance(run, (TestResult, RateGapsResult, PairResult)):
        return _single_test(run.run.record, run.record), run.run.table
    message = f"must be what Audit.run() returns, or one of its results; got a {type(run).__name__}"
    raise ConfigError(Fault(code="bad_type", message=message, path="run"))


def _single_test(record: AuditRecord, test: Entry) -> AuditRecord:
    """Return the record of an audit that had one test only; its fingerprint is that of its own counts."""
    if len(record.entries) == 1:
        return record
    evidence = None if test.finding is None else test.finding.evidence
    columns = set(needs_of(test.test).columns)
    data = replace(
        record.data,
        columns=tuple(name for name in record.data.columns if name in columns),
        fingerprint=record.data.fingerprint if evidence is None else fingerprint([evidence]),
    )
    return replace(
        record,
        data=data,
        assumptions=build_assumptions([(test.name, test.test, test.finding)]),
        entries=(test,),
        status=test.status,
        exit_code=exit_code(test.status),
    )


def _paper(paper: str) -> Paper:
    found = _PAPERS.get(str(paper).lower())
    if found is None:
        message = f"must be A4 or letter, got {paper!r}.{nearest(str(paper), ['A4', 'letter'])}"
        raise ConfigError(Fault(code="bad_enum", message=message, path="paper"))
    return found


def _check_preset(preset: str | None) -> None:
    if preset is None or preset in _KNOWN_PRESETS:
        return
    known = ", ".join(_KNOWN_PRESETS) or "none yet"
    message = f"unknown preset {preset!r}; known: {known}.{nearest(str(preset), _KNOWN_PRESETS)}"
    raise ConfigError(Fault(code="bad_enum", message=message, path="preset"))
