"""What a packet shows, held against its results: the pages are drawn again and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from fairreport.report.fonts import packaged_code_points, spell_out, unprintable
from fairreport.report.html import Medium, Paper, packet_html
from fairreport.report.packet_files import PacketFiles, PacketKind, pages_of
from fairreport.report.packet_view import view_packet
from fairreport.report.pdf import pdf_engine, write_pdf
from fairreport.report.preset_choice import ChosenPreset, preset_strings
from fairreport.report.text_difference import first_difference
from fairreport.report.trend_part import trend_part, trend_strings
from fairreport.report.verify_otherwise import Shown, judge_page, judge_printed
from fairreport.report.verify_record import Looked, NotJudged
from fairreport.report.verify_versions import Alike

_BEARS = "pages bear the packet id and the hashes of the files inside"


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
    alike : Alike
        The versions that the manifest states: the pages are drawn again with these printed.
    unknown_preset : bool
        Whether the manifest states a preset that is not known here.
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
    manifest: Mapping[str, Any]
    alike: Alike
    unknown_preset: bool = False
    chosen: ChosenPreset | None = None
    branding: Branding = PLAIN
    earlier: Earlier | None = None
    trends: Trends | None = None

    @property
    def shown(self) -> Shown:
        """What two drawings of these pages may differ in."""
        return Shown(name=self.packet.name, alike=self.alike)


_OTHER_BYTES = (
    "their text was compared, but the file is not the one that is drawn here: text libraries and fonts of another "
    "machine draw otherwise, and so does a changed drawing; look at the pages, or at the HTML packet"
)


def compare_pages(pages: Pages, record: AuditRecord | None) -> Looked:
    """Return how the pages of a packet differ from those drawn again from its recomputed results."""
    if pages.branding.drawn_by_others:
        return Looked(not_judged=(_left("templates of the user's own drew them, and nothing is known of them"),))
    if record is None:
        return _not_drawn(pages, "they cannot be drawn again, because the results cannot be recomputed")
    if pages.unknown_preset:
        return _not_drawn(pages, "the preset whose tables they lay out is not known to this version")
    draw = _html if pages.packet.kind is PacketKind.HTML else _pdf
    try:
        return draw(pages, record)
    except Exception as error:  # noqa: BLE001 - figures that no table gives can break a drawing
        message = f"cannot be drawn again ({type(error).__name__}: {error})"
        held = Difference(file=pages.packet.name, pointer="pages", message=message)
        return Looked(text="the pages, drawn again", differences=(held,))


def _left(reason: str) -> NotJudged:
    return NotJudged(what="the pages", reason=reason)


def _not_drawn(pages: Pages, reason: str) -> Looked:
    return Looked(text=_BEARS, differences=tuple(_lacking(pages)), not_judged=(_left(reason),))


def _lacking(pages: Pages) -> Iterator[Difference]:
    """Yield where the packet id does not stand, and the files whose hash stands nowhere."""
    packet = pages.packet
    message = f"does not bear the packet id {pages.packet_id}"
    if packet.kind is PacketKind.HTML:
        if packet.page.count(pages.packet_id) < 2:
            yield Difference(file=packet.name, pointer="page", message=message)
    else:
        for number, text in enumerate(packet.pages, start=1):
            if pages.packet_id not in text:
                yield Difference(file=packet.name, pointer=f"page {number}", message=message)
    shown = packet.page or "".join("".join(packet.pages).split())  # a hash is broken over the lines of its cell
    for name, content in packet.files.items():
        found = sha256(content).hexdigest()
        if found not in shown:
            lacks = f"do not show the sha256 of this file, {found[:12]}..."
            yield Difference(file=packet.name, pointer=f"pages, {name}", message=lacks)


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
        versions=pages.alike.stated,
    )
    paper = Paper(pages.packet.paper or Paper.A4)
    return packet_html(view, medium=medium, paper=paper, branding=pages.branding), attachments


def _html(pages: Pages, record: AuditRecord) -> Looked:
    text = "the page, drawn again: the same bytes"
    drawn = []
    for variant in (record, with_stated_names(record)):
        drawn.append(_drawn(pages, variant, (), Medium.SCREEN)[0])
        if drawn[-1].encode("utf-8", "backslashreplace") == pages.packet.content:
            return Looked(text=text)
    if pages.alike.computed and pages.alike.same("matplotlib"):
        again = drawn[0].encode("utf-8", "backslashreplace")
        return Looked(text=text, differences=(first_difference(pages.packet.name, pages.packet.content, again),))
    found = [judge_page(pages.shown, pages.packet.page, page) for page in drawn]
    return min(found, key=lambda it: (len(it.differences), len(it.not_judged)))


def _pdf(pages: Pages, record: AuditRecord) -> Looked:
    try:
        pdf_engine()
    except PdfUnavailableError as error:
        return _not_drawn(pages, f"they were not drawn again: {error}")
    compared = None if pages.earlier is None else compared_part(pages.earlier, record)
    further = (*preset_strings(pages.chosen), *pages.branding.strings, *compared_strings(compared))
    further = (*further, *trend_strings(trend_part(pages.trends, record)))
    strings = "".join(formats.printable(text) for text in data_strings(record, further))
    drawn = _drawn_pdf(pages, record, unprintable(strings))
    if drawn == pages.packet.content:
        return Looked(text="the pages, drawn again: the same bytes")
    is_covered = {ord(character) for character in strings} <= packaged_code_points()
    return _of_text(pages, pages_of(drawn), is_covered=is_covered)


def _of_text(pages: Pages, drawn: tuple[str, ...], *, is_covered: bool) -> Looked:
    lacking = tuple(_lacking(pages))
    text = "the text of the pages, drawn again"
    apart = tuple(_apart(pages.packet, drawn))
    look = NotJudged(what="how the pages look", reason=_OTHER_BYTES)
    if not apart:
        return Looked(text=text, differences=lacking, not_judged=(look,))
    if is_covered and pages.alike.computed and pages.alike.same("matplotlib", "weasyprint"):
        return Looked(text=text, differences=lacking + apart)
    found = judge_printed(pages.shown, pages.packet.pages, drawn, is_covered=is_covered)
    return replace(found, text=text, differences=lacking + found.differences, not_judged=(*found.not_judged, look))


def _drawn_pdf(pages: Pages, record: AuditRecord, missing: tuple[str, ...]) -> bytes:
    """Return the PDF drawn again; its identifier, which is made of its HTML, tells which tests the user named."""
    first, attachments = _drawn(pages, record, missing, Medium.PDF)
    second, _ = _drawn(pages, with_stated_names(record), missing, Medium.PDF)
    text = second if identifier_of(spell_out(second, missing)) == pages.packet.identifier else first
    return write_pdf(spell_out(text, missing), attachments, created=record.created, is_well_formed=True)


def identifier_of(html: str) -> bytes:
    """Return the identifier that a PDF bears, from its HTML."""
    return sha256(html.encode()).digest()[:16]


def _apart(packet: PacketFiles, drawn: tuple[str, ...]) -> Iterator[Difference]:
    if len(packet.pages) != len(drawn):
        message = f"are {len(packet.pages):,} where {len(drawn):,} are drawn"
        yield Difference(file=packet.name, pointer="pages", message=message)
    for number, both in enumerate(zip(packet.pages, drawn, strict=False), start=1):
        stated, found = map(_with_single_blanks, both)
        if stated != found:
            line = first_difference(packet.name, stated.encode(), found.encode())
            yield replace(line, pointer=f"page {number}, {line.pointer}")


def _with_single_blanks(text: str) -> str:
    """Return the text of a page with one blank between words: how many a reader of PDF finds hangs on the drawing."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines())
