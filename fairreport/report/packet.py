"""The packet of an audit: one HTML file, one PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from fairreport.analyses.kinds import needs_of
from fairreport.audit.about import About
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.document import audit_document
from fairreport.audit.entry_result import PairResult, RateGapsResult, TestResult
from fairreport.audit.gate import exit_code
from fairreport.audit.provenance import fingerprint
from fairreport.audit.readers.appearance import language_faults
from fairreport.audit.readers.settings import size_faults
from fairreport.audit.record import AuditRecord, Entry
from fairreport.audit.result import AuditRun
from fairreport.display import Displayable
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.render import formats
from fairreport.report.asked import Asked, refuse_other_types
from fairreport.report.attachments import Attachment, build_attachments
from fairreport.report.branding import branding_of
from fairreport.report.checksum import write_packet
from fairreport.report.data_file import DataFile, hash_data_file
from fairreport.report.data_strings import data_strings
from fairreport.report.fonts import spell_out, unprintable
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.packet_id import packet_id_of
from fairreport.report.packet_view import PacketView, view_packet
from fairreport.report.pdf import pdf_engine, write_pdf
from fairreport.report.preset_choice import ChosenPreset, choose_preset, preset_strings
from fairreport.tables.source import Table

if TYPE_CHECKING:
    from fairreport.audit.trend import Trends
    from fairreport.report.compare import Compared
    from fairreport.report.earlier import ComparedPart, Earlier
    from fairreport.report.trend_part import TrendPart

_PAPERS = {"a4": Paper.A4, "letter": Paper.LETTER}


class Report(Displayable):
    """The packet of an audit run, or of one of its tests.

    A run of `Audit.from_config` carries what its configuration states under ``audit.report``: preset, profile, paper,
    small groups and looks. An argument here goes before it; a preset that the configuration does not name lays out
    tables and reads the run, whose tests were judged without it.

    Parameters
    ----------
    run : AuditRun, TestResult, RateGapsResult or PairResult
        What to report; of a single test, that test only.
    about : About or mapping, optional
        What to state about the audit, instead of what the run carries.
    preset : str, optional
        Lays out what a regulation or practice asks, and says whether the run is so; ``fairreport presets`` lists
        them. The run is read, never judged again.
    paper : {"A4", "letter"}, optional
        What the PDF prints on; A4 where nobody says.
    profile : mapping, optional
        What the tables of the preset take of the user: columns, names of categories, dates, words.
    suppress_below : int, optional
        Groups with fewer rows are shown without their figures, in the pages and in what travels inside them; others
        are withheld where these could be computed from totals, margins or other tests. Groups that stand in
        tables whose counts a preset has published are left as they are. Displays in a notebook, `AuditRun.to_json`
        and its like, and a history are no reports and show everything.
    previous : path, AuditRun, result or Report, optional
        An earlier audit: what changed since stands at the end of section 8, and its results travel inside.
    trends : Trends, optional
        What `History.trends` returns: how the audit went over its windows stands at the end of section 8, and travels
        inside.
    logo : path, optional
        A PNG, JPEG or SVG of at most 1 MB for the cover.
    colors : mapping of str to str, optional
        ``accent``, ``link`` and ``muted``, each such as ``"#12303c"``, with a contrast of at least 4.5.
    footer : str, optional
        A line of at most 80 characters at the foot of every page.
    templates : path, optional
        A folder of templates of your own; one such as ``packet/cover.html`` takes the place of ours of that name.
        They are filled in a sandbox, read nothing and may refer to nothing outside the page.
    language : {"en"}
        Packets are written in English.

    Attributes
    ----------
    record : AuditRecord
        What is reported.
    trends : Trends or None
        How the audit went over its windows, as it is shown.

    Raises
    ------
    ConfigError
        If `run` is neither, the preset or the paper is unknown, or the profile is wrong.

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
        paper: str | None = None,
        *,
        profile: Mapping[str, Any] | None = None,
        suppress_below: int | None = None,
        previous: Compared | None = None,
        trends: Trends | None = None,
        logo: str | Path | None = None,
        colors: Mapping[str, str] | None = None,
        footer: str | None = None,
        templates: str | Path | None = None,
        language: str = "en",
    ) -> None:
        refuse_other_types(
            about=about,
            profile=profile,
            trends=trends,
            logo=logo,
            colors=colors,
            footer=footer,
            templates=templates,
        )
        record, self._table, stated = _reported(run)
        asked = Asked(
            preset=preset,
            profile=profile,
            paper=paper,
            suppress_below=suppress_below,
            logo=logo,
            colors=colors,
            footer=footer,
            templates=templates,
        ).beside(stated, record)
        if about is not None:
            record = replace(record, about=about if isinstance(about, About) else About(**about))
        self._paper = _paper("A4" if asked.paper is None else asked.paper)
        _refuse(language_faults(language, "language"))
        self._branding = branding_of(
            about=record.about,
            logo=asked.logo,
            colors=asked.colors,
            footer=asked.footer,
            templates=asked.templates,
        )
        self._chosen = choose_preset(asked.preset, asked.profile, record)
        below = _suppress_below(asked.suppress_below)
        self.record: AuditRecord = _suppressed(record, below, self._chosen) if below else record
        self._earlier = None if previous is None else _earlier(previous, self.record)
        beside = None if self._earlier is None else self._earlier.record
        self.trends: Trends | None = None if trends is None else _shown(trends, self.record, beside)

    @cached_property
    def packet_id(self) -> str:
        """The first 12 hexadecimal digits of the sha256 of the results, the date of the run left out."""
        return packet_id_of(self._document)

    @cached_property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that travel inside the packet."""
        made = build_attachments(
            self.record,
            self._document,
            packet_id=self.packet_id,
            data_file=self._data_file,
            chosen=self._chosen,
            branding=self._branding,
            earlier=self._earlier,
            trends=self.trends,
        )
        self.__dict__.pop("_document", None)  # the files hold it, and a PDF wants the room
        return made

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
        further = (
            *preset_strings(self._chosen),
            *self._branding.strings,
            *(() if self._compared is None else self._compared.texts),
            *self._over_time_strings,
        )
        return unprintable("".join(formats.printable(text) for text in data_strings(self.record, further)))

    def html(self) -> str:
        """Return the packet as one self-contained HTML file."""
        return packet_html(self._view(()), medium=Medium.SCREEN, paper=self._paper, branding=self._branding)

    def pdf(self) -> bytes:
        """Return the packet as PDF, conforming to PDF/A-3a and PDF/UA-1.

        Raises
        ------
        PdfUnavailableError
            If this machine cannot write PDF; the message says what to install.
        """
        ours = self._branding.templates is None
        return write_pdf(self._printed(), self.attachments, created=self.record.created, is_well_formed=ours)

    def save(self, path: str | Path, *, checksum: bool = True) -> Path:
        """Write the packet whole or not at all, and return its path.

        Parameters
        ----------
        path : path
            Ends in ``.pdf`` or ``.html``.
        checksum : bool
            Whether its sha256 and the packet id are written beside it, as ``NAME.sha256``: ``sha256sum -c`` holds the
            packet against it, and so does `verify`.

        Raises
        ------
        ConfigError
            If it ends in anything else.
        DataError
            If it cannot be written; a file that was there is left as it was.
        PdfUnavailableError
            If this machine cannot write PDF.
        """
        refuse_other_types(path=path)
        suffix = Path(path).suffix.lower()
        if suffix in {".pdf", ".html", ".htm"}:
            content = self.pdf() if suffix == ".pdf" else self.html().encode("utf-8", "backslashreplace")
            return write_packet(path, content, packet_id=self.packet_id if checksum else None)
        message = f"a packet is a .pdf or an .html file, got {str(path)!r}"
        raise ConfigError(Fault(code="bad_enum", message=message, path="path"))

    def _printed(self) -> str:
        """Return the HTML that the PDF is drawn from; its view is gone when drawing begins."""
        view = self._view(self.unprintable)
        text = packet_html(view, medium=Medium.PDF, paper=self._paper, branding=self._branding)
        return spell_out(text, self.unprintable)

    def _view(self, missing: tuple[str, ...]) -> PacketView:
        return view_packet(
            self.record,
            packet_id=self.packet_id,
            attachments=self.attachments,
            data_file=self._data_file,
            unprintable=missing,
            chosen=self._chosen,
            compared=self._compared,
            trends=self._over_time,
        )

    @cached_property
    def _document(self) -> dict[str, Any]:
        return audit_document(self.record)

    @cached_property
    def _compared(self) -> ComparedPart | None:
        if self._earlier is None:
            return None
        from fairreport.report.earlier import compared_part  # noqa: PLC0415 - only where an earlier audit is given

        return compared_part(self._earlier, self.record)

    @cached_property
    def _over_time(self) -> TrendPart | None:
        if self.trends is None and self.record.data.window is None:
            return None
        from fairreport.report.trend_part import trend_part  # noqa: PLC0415 - only for an audit of windows

        return trend_part(self.trends, self.record)

    @property
    def _over_time_strings(self) -> tuple[str, ...]:
        part = self._over_time
        if part is None:
            return ()
        from fairreport.report.trend_part import trend_strings  # noqa: PLC0415 - only for an audit of windows

        return tuple(trend_strings(part))

    @cached_property
    def _data_file(self) -> DataFile:
        """The hash of the audited file as it stands now, taken when it is first asked for."""
        if self.record.withheld is not None and self.record.withheld.tests:
            return DataFile(
                sha256=None, reason="withheld with small groups, since a hash of few counts can be tried out"
            )
        return hash_data_file(self._table.path)


def _reported(run: object) -> tuple[AuditRecord, Table, Mapping[str, Any]]:
    if isinstance(run, AuditRun):
        return run.record, run.table, run.report
    if isinstance(run, (TestResult, RateGapsResult, PairResult)):
        return _single_test(run.run.record, run.record), run.run.table, run.run.report
    message = f"must be what Audit.run() returns, or one of its results; got a {type(run).__name__}"
    raise ConfigError(Fault(code="bad_type", message=message, path="run"))


def _suppressed(record: AuditRecord, below: int, chosen: ChosenPreset | None) -> AuditRecord:
    from fairreport.report.profile_categories import published_by  # noqa: PLC0415 - few reports suppress
    from fairreport.report.suppression import suppress  # noqa: PLC0415

    return suppress(record, below, published=published_by(chosen, record))


def _shown(trends: Trends, record: AuditRecord, beside: AuditRecord | None) -> Trends:
    from fairreport.report.withheld_trends import shown_trends  # noqa: PLC0415 - only where trends are given

    return shown_trends(trends, record, beside)


def _earlier(previous: Compared, record: AuditRecord) -> Earlier:
    from fairreport.report.earlier import earlier_of  # noqa: PLC0415 - only where an earlier audit is given

    try:
        return earlier_of(previous, record)
    except ConfigError as error:
        faults = [it if it.path else replace(it, path="previous") for it in error.errors]
        raise ConfigError(faults, source=error.source) from None


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        raise ConfigError(faults)


def _suppress_below(below: Any) -> int:
    """Return below which size groups are withheld; 0 where none are, as at 1: no group has fewer rows."""
    _refuse([] if below is None else size_faults(below, "suppress_below"))
    return 0 if below is None or below <= 1 else int(below)


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
