"""From the HTML of a packet to one PDF that is PDF/A-3a and PDF/UA-1 at once, the same bytes each time."""

from __future__ import annotations

import contextlib
import gc
import io
import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from hashlib import sha256
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

from fairreport.errors import PdfUnavailableError
from fairreport.report.attachments import Attachment
from fairreport.report.pdf_finisher import finish_pdf
from fairreport.report.pdf_libraries import direct_names
from fairreport.report.pdf_painting import fold_painted_pages
from fairreport.report.pdf_styles import lean_document
from fairreport.report.pdf_tree import tree_of
from fairreport.report.sealed import sealed_fetcher

VARIANT = "pdf/a-3a"
UNDATED = datetime(1980, 1, 1, tzinfo=UTC)
"""Date of the attachments of an audit that bears none."""
_LARGE = 400_000
"""Characters of a page from which on its PDF takes so much memory that to collect garbage is worth the time."""

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_PDFUA = "http://www.aiim.org/pdfua/ns/id/"
_EXTENSION = "http://www.aiim.org/pdfa/ns/extension/"
_SCHEMA = "http://www.aiim.org/pdfa/ns/schema#"
_PROPERTY = "http://www.aiim.org/pdfa/ns/property#"

_NO_PANGO = (
    "PDF packets need the Pango text libraries, which this machine lacks{detail}. On Debian and Ubuntu: "
    "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0. The HTML packet does without."
)
_NO_WEASYPRINT = 'PDF packets need WeasyPrint: pip install "fairreport[pdf]". The HTML packet does without.'


def pdf_engine() -> ModuleType:
    """Return WeasyPrint.

    Raises
    ------
    PdfUnavailableError
        If WeasyPrint is not installed, or the machine lacks the libraries it draws with.
    """
    try:
        # WeasyPrint prints a banner of its own where a library is missing; the error below says what it says.
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), direct_names():
            import weasyprint  # noqa: PLC0415 - half a second and system libraries, for who asks for a PDF
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        raise PdfUnavailableError(
            _NO_WEASYPRINT if missing == "weasyprint" else f"{_NO_WEASYPRINT} ({error})"
        ) from None
    except OSError as error:
        quoted = str(error).split("'")
        detail = f" ({quoted[1]} was not found)" if len(quoted) > 2 else ""
        raise PdfUnavailableError(_NO_PANGO.format(detail=detail)) from None
    module: ModuleType = weasyprint
    return module


def write_pdf(
    html: str, attachments: Sequence[Attachment], *, created: str | None, is_well_formed: bool = False
) -> bytes:
    """Return the PDF of a print HTML.

    Parameters
    ----------
    html : str
        The document, its styles inside; it may refer to ``data:`` addresses and packaged fonts only.
    attachments : sequence of Attachment
        Files to embed.
    created : str or None
        The date the document bears, in ISO form; no clock is asked.
    is_well_formed : bool
        Whether every element is closed where HTML would end it, as in pages of our own templates.

    Raises
    ------
    PdfUnavailableError
        If this machine cannot write PDF.
    """
    engine = pdf_engine()
    when = document_date(created)
    is_large = len(html) > _LARGE
    with _quiet(), _uncollected(before=is_large):
        tree = tree_of(html) if is_well_formed else None
        page = lean_document(engine, html, tree=tree, url_fetcher=sealed_fetcher(), base_url=None)
        document = page.render(pdf_variant=VARIANT)
        document.metadata.created = document.metadata.modified = when and when.strftime("%Y-%m-%dT%H:%M:%SZ")
        document.metadata.attachments = [_embedded(engine, file, when or UNDATED) for file in attachments]
        _declare_both_standards(document.metadata)
        fold_painted_pages(document)
        if is_large:
            gc.collect()  # what laying out leaves behind, once, before the tag tree asks for room
        pdf: bytes = document.write_pdf(
            finisher=finish_pdf,
            pdf_variant=VARIANT,
            pdf_identifier=sha256(html.encode()).digest()[:16],
            pdf_tags=True,
        )
    return pdf


def document_date(created: str | None) -> datetime | None:
    """Return the date an audit bears as a moment in UTC; a date alone is its midnight.

    Examples
    --------
    >>> document_date("2026-11-01T12:00:00+02:00").isoformat()
    '2026-11-01T10:00:00+00:00'
    """
    if created is None:
        return None
    moment = datetime.fromisoformat(created)
    if len(created) == len("2026-11-01"):
        moment = datetime.combine(date.fromisoformat(created), time())
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _embedded(engine: ModuleType, file: Attachment, when: datetime) -> Any:
    return engine.Attachment(
        string=file.content,
        name=file.name,
        description=file.description,
        created=when,
        modified=when,
        relationship="Data",
        url_fetcher=sealed_fetcher(),
    )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep WeasyPrint's remarks on single declarations out of the user's log."""
    logger = logging.getLogger("weasyprint")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextlib.contextmanager
def _uncollected(*, before: bool) -> Iterator[None]:
    """Keep the garbage collector from passing over the boxes of all pages again and again while they are made.

    They live until the PDF is written, and next to none of them is garbage before: the passes find nothing, and take
    a seventh of the time. What garbage there is of a large packet's making goes before, so that its room is used again.
    """
    was_on = gc.isenabled()
    if before:
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _declare_both_standards(metadata: Any) -> None:
    """Make the metadata state PDF/UA-1 beside PDF/A-3a, which WeasyPrint states one at a time."""
    generate = metadata.generate_rdf_metadata

    def generate_both(variant: str, version: int, conformance: str) -> bytes:
        rdf = ET.fromstring(generate(variant, version, conformance))  # noqa: S314 - made by WeasyPrint just now
        ET.SubElement(_description(rdf), f"{{{_PDFUA}}}part").text = "1"
        _describe_extension(_description(rdf))
        both: bytes = ET.tostring(rdf, encoding="utf-8")
        return both

    metadata.generate_rdf_metadata = generate_both


def _description(rdf: ET.Element) -> ET.Element:
    return ET.SubElement(rdf, f"{{{_RDF}}}Description", {f"{{{_RDF}}}about": ""})


def _describe_extension(parent: ET.Element) -> None:
    """Describe the PDF/UA identifier, as PDF/A asks of every schema it does not know itself."""
    for prefix, address in (
        ("pdfuaid", _PDFUA),
        ("pdfaExtension", _EXTENSION),
        ("pdfaSchema", _SCHEMA),
        ("pdfaProperty", _PROPERTY),
    ):
        ET.register_namespace(prefix, address)
    resource = {f"{{{_RDF}}}parseType": "Resource"}
    bag = ET.SubElement(ET.SubElement(parent, f"{{{_EXTENSION}}}schemas"), f"{{{_RDF}}}Bag")
    schema = ET.SubElement(bag, f"{{{_RDF}}}li", resource)
    for name, text in (
        ("schema", "PDF/UA identification schema"),
        ("namespaceURI", _PDFUA),
        ("prefix", "pdfuaid"),
    ):
        ET.SubElement(schema, f"{{{_SCHEMA}}}{name}").text = text
    sequence = ET.SubElement(ET.SubElement(schema, f"{{{_SCHEMA}}}property"), f"{{{_RDF}}}Seq")
    entry = ET.SubElement(sequence, f"{{{_RDF}}}li", resource)
    for name, text in (
        ("name", "part"),
        ("valueType", "Integer"),
        ("category", "internal"),
        ("description", "Part of ISO 14289"),
    ):
        ET.SubElement(entry, f"{{{_PROPERTY}}}{name}").text = text
