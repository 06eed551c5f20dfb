"""What a packet shows, held against its results: the pages are drawn again and compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from fairreport.audit.document import audit_document
from fairreport.audit.rebuild import with_stated_names
from fairreport.audit.record import AuditRecord
from fairreport.audit.trend import Trends
from fairreport.errors import PdfUnavailableError
from fairreport.render import formats
from fairreport.report.attachments import Attachment, build_attachments
from fairreport.report.branding import PLAIN, Branding
from fairreport.report.data_file import DataFile
from fairreport.report.data_strings import data_strings
from fairreport.report.differences import Difference
from fairreport.report.earlier import Earlier, compared_part, compared_strings
from fairreport.report.fonts import spell_out, unprintable
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.packet_files import PacketFiles, PacketKind, pages_of
from fairreport.report.packet_view import view_packet
from fairreport.report.pdf import pdf_engine, write_pdf
from fairreport.report.preset_choice import ChosenPreset, preset_strings
from fairreport.report.text_difference import first_difference
from fairreport.report.trend_part import trend_part, trend_strings

Compared = tuple[str, list[Difference], list[str]]
"""What was looked at, what differs, and remarks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """The pages of a packet, and what they were drawn from.

    Attributes
    ----------
    packet : PacketFiles
        The packet.
    packet_id : str
        As it follows from the results.
    manifest : mapping
        The section on data of the manifest.
    drawn_alike : bool
        Whether every version that the manifest states is the version here.
    chosen : ChosenPreset or None
        The preset in use.
    branding : Branding
        How the packet looks.
    earlier : Earlier or None
        The earlier audit that it is compared with.
    trends : Trends or None
        How the audit went over its windows.
    """

    packet: PacketFiles
    packet_id: str
    manifest: dict[str, Any]
    drawn_alike: bool
    chosen: ChosenPreset | None = None
    branding: Branding = PLAIN
    earlier: Earlier | None = None
    trends: Trends | None = None


def compare_pages(pages: Pages, record: AuditRecord | None) -> Compared:
    """Return how the pages of a packet differ from those drawn again from its recomputed results."""
    if record is None:
        return (
            "",
            list(_lacking_id(pages)),
            ["The pages were not drawn again, because the results cannot be recomputed."],
        )
    if pages.branding.drawn_by_others:
        remark = "Templates of the user's own drew the pages, which were not compared: nothing is known of them."
        return "", [], [remark]
    if not pages.drawn_alike:
        remark = (
            "The pages were not drawn again, because other versions drew them; they bear the packet id, and no more"
        )
        return "pages bear the packet id", list(_lacking_id(pages)), [f"{remark} is known of them."]
    draw = _html if pages.packet.kind is PacketKind.HTML else _pdf
    try:
        return draw(pages, record)
    except Exception as error:  # noqa: BLE001 - figures that no table gives can break a drawing
        message = f"cannot be drawn again ({type(error).__name__}: {error})"
        return "the pages, drawn again", [Difference(file=pages.packet.name, pointer="pages", message=message)], []


def _lacking_id(pages: Pages) -> Iterator[Difference]:
    packet = pages.packet
    if packet.kind is PacketKind.HTML:
        if packet.page.count(pages.packet_id) < 2:
            yield Difference(file=packet.name, pointer="page", message=f"does not bear the packet id {pages.packet_id}")
        return
    for number, text in enumerate(packet.pages, start=1):
        if pages.packet_id not in text:
            message = f"does not bear the packet id {pages.packet_id}"
            yield Difference(file=packet.name, pointer=f"page {number}", message=message)


def _drawn(pages: Pages, record: AuditRecord, missing: tuple[str, ...], medium: Medium) -> tuple[str, list[Attachment]]:
    """Return the HTML drawn again, and the attachments as they stand in the packet."""
    reason = pages.manifest.get("file_sha256_absent")
    data_file = DataFile(sha256=pages.manifest.get("file_sha256"), reason=str(reason or ""))
    made = build_attachments(
        record,
        audit_document(record),
        packet_id=pages.packet_id,
        data_file=data_file,
        chosen=pages.chosen,
        branding=pages.branding,
        earlier=pages.earlier,
        trends=pages.trends,
    )
    held = pages.packet.files
    attachments = [replace(file, content=held[file.name]) for file in made if file.name in held]
    view = view_packet(
        record,
        packet_id=pages.packet_id,
        attachments=tuple(attachments),
        data_file=data_file,
        unprintable=missing,
        chosen=pages.chosen,
        compared=None if pages.earlier is None else compared_part(pages.earlier, record),
        trends=trend_part(pages.trends, record),
    )
    paper = Paper(pages.packet.paper or Paper.A4)
    return packet_html(view, medium=medium, paper=paper, branding=pages.branding), attachments


def _html(pages: Pages, record: AuditRecord) -> Compared:
    differing: list[Difference] = []
    for variant in (record, with_stated_names(record)):
        drawn = _drawn(pages, variant, (), Medium.SCREEN)[0].encode("utf-8", "backslashreplace")
        if drawn == pages.packet.content:
            return "the page, drawn again: the same bytes", [], []
        differing = differing or [first_difference(pages.packet.name, pages.packet.content, drawn)]
    return "the page, drawn again: the same bytes", differing, []


def _pdf(pages: Pages, record: AuditRecord) -> Compared:
    try:
        pdf_engine()
    except PdfUnavailableError as error:
        remark = f"The pages were not drawn again: {error}"
        return "pages bear the packet id", list(_lacking_id(pages)), [remark]
    compared = None if pages.earlier is None else compared_part(pages.earlier, record)
    further = (*preset_strings(pages.chosen), *pages.branding.strings, *compared_strings(compared))
    further = (*further, *trend_strings(trend_part(pages.trends, record)))
    strings = "".join(formats.printable(text) for text in data_strings(record, further))
    drawn = _drawn_pdf(pages, record, unprintable(strings))
    if drawn == pages.packet.content:
        return "the pages, drawn again: the same bytes", [], []
    held = list(_lacking_id(pages))
    apart = list(_apart(pages.packet, pages_of(drawn)))
    if apart and not strings.isascii():
        remark = (
            f"The text of {len(apart):,} pages, drawn again, differs; names in scripts that the fonts of this machine "
            "print otherwise can do that."
        )
        return "pages bear the packet id", held, [remark]
    same_words = [] if apart else ["The text of every page agrees; how the pages are drawn differs in some bytes."]
    return "the text of the pages, drawn again", held + apart, same_words


def _drawn_pdf(pages: Pages, record: AuditRecord, missing: tuple[str, ...]) -> bytes:
    """Return the PDF drawn again; its identifier, which is made of its HTML, tells which tests the user named."""
    first, attachments = _drawn(pages, record, missing, Medium.PDF)
    second, _ = _drawn(pages, with_stated_names(record), missing, Medium.PDF)
    text = second if identifier_of(spell_out(second, missing)) == pages.packet.identifier else first
    return write_pdf(spell_out(text, missing), attachments, created=record.created)


def identifier_of(html: str) -> bytes:
    """Return the identifier that a PDF bears, from its HTML."""
    return sha256(html.encode()).digest()[:16]


def _apart(packet: PacketFiles, drawn: tuple[str, ...]) -> Iterator[Difference]:
    if len(packet.pages) != len(drawn):
        message = f"are {len(packet.pages):,} where {len(drawn):,} are drawn"
        yield Difference(file=packet.name, pointer="pages", message=message)
    for number, (stated, found) in enumerate(zip(packet.pages, drawn, strict=False), start=1):
        if stated != found:
            line = first_difference(packet.name, stated.encode(), found.encode())
            yield replace(line, pointer=f"page {number}, {line.pointer}")
