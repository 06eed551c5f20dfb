"""A packet opened again: which kind of file it is, what travels inside, and what it shows."""

from __future__ import annotations

import base64
import binascii
import io
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from fairreport.errors import DataError, PdfUnavailableError, nearest
from fairreport.report.strict_json import LARGEST

if TYPE_CHECKING:
    from pypdf import PdfReader

RESULTS, MANIFEST, GROUPS, CONFIGURATION = "results.json", "manifest.json", "groups.csv", "audit.yaml"
NAMES = (CONFIGURATION, GROUPS, MANIFEST, RESULTS)
"""The files that travel inside every packet."""
PRESENTATION, EARLIER, TRENDS = "presentation.json", "earlier.json", "trends.json"
OPTIONAL = (EARLIER, PRESENTATION, TRENDS)
"""Those that travel inside where the packet has looks of its own, is compared with an earlier one, or has windows."""

_LINK = re.compile(r'href="data:[a-z/+.-]+;base64,([A-Za-z0-9+/=]*)" download="([^"<>]*)"')
_PAPER = re.compile(r"@page \{ size: (A4|letter) portrait \}")
_HEIGHTS = {"A4": 841.89, "letter": 792.0}
_NO_READER = (
    'PDF packets are read with pypdf: pip install "fairreport[pdf]". The HTML packet and results.json do without.'
)


class PacketKind(StrEnum):
    """What kind of file a packet is."""

    PDF = "PDF packet"
    HTML = "HTML packet"
    RESULTS = "results.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketFiles:
    """A packet opened again.

    Attributes
    ----------
    name : str
        Name of the file.
    kind : PacketKind
        What kind of file it is.
    files : mapping of str to bytes
        What travels inside, by name; of a results.json itself only.
    page : str
        The HTML of an HTML packet; empty for the others.
    pages : tuple of str
        The text of each page of a PDF; empty for the others.
    paper : str
        What it prints on, as CSS names it; empty where that is not known.
    identifier : bytes
        What the trailer of a PDF calls it; empty for the others.
    content : bytes
        The whole file.
    """

    name: str
    kind: PacketKind
    files: Mapping[str, bytes]
    page: str = field(default="", repr=False)
    pages: tuple[str, ...] = field(default=(), repr=False)
    paper: str = ""
    identifier: bytes = b""
    content: bytes = field(default=b"", repr=False)


def open_packet(path: str | Path) -> PacketFiles:
    """Return what a packet holds; the kind is told by the content, whatever the file is called.

    Raises
    ------
    DataError
        If there is no such file, it is damaged or too large, or it is no packet.
    PdfUnavailableError
        If it is a PDF and no reader is installed.
    """
    content = read_whole(path)
    name = Path(path).name
    start = content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"%PDF-"):
        return _from_pdf(content, name)
    if start.startswith(b"{"):
        return PacketFiles(name=name, kind=PacketKind.RESULTS, files={RESULTS: content}, content=content)
    if start[:15].lower().startswith((b"<!doctype html", b"<html")):
        return _from_html(content, name)
    raise DataError(f"{name!r} is no packet; wanted a PDF or an HTML packet, or a results.json")


def read_whole(path: str | Path) -> bytes:
    """Return the bytes of a file.

    Raises
    ------
    DataError
        If there is none, or it is larger than 200 MB.
    """
    place = Path(path)
    try:
        size = place.stat().st_size
        if place.is_dir():
            raise DataError(f"{str(path)!r} is a folder; wanted a file")
        if size > LARGEST:
            raise DataError(f"{str(path)!r} has {size:,} bytes; at most {LARGEST:,} are read")
        return place.read_bytes()
    except FileNotFoundError:
        folder = place.parent
        names = [item.name for item in folder.iterdir()] if folder.is_dir() else []
        raise DataError(f"there is no file {str(path)!r}.{nearest(place.name, names)}") from None
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None


def _from_html(content: bytes, name: str) -> PacketFiles:
    try:
        page = content.decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{name!r} is no text in UTF-8") from None
    files: dict[str, bytes] = {}
    for encoded, inside in _LINK.findall(page):
        if inside in files:
            raise DataError(f"{name!r} carries two files named {inside!r}")
        try:
            files[inside] = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            raise DataError(f"the file {inside!r} inside {name!r} is damaged") from None
    _want_results(files, name)
    paper = _PAPER.search(page)
    return PacketFiles(
        name=name, kind=PacketKind.HTML, files=files, page=page, paper=paper[1] if paper else "", content=content
    )


def _want_results(files: Mapping[str, bytes], name: str) -> None:
    if RESULTS not in files:
        found = f"; it carries {', '.join(map(repr, sorted(files)))}" if files else ""
        raise DataError(f"{name!r} carries no {RESULTS}, so it is no packet of fairreport or was cut{found}")


def _from_pdf(content: bytes, name: str) -> PacketFiles:
    try:
        from pypdf import PdfReader  # noqa: PLC0415 - comes with the pdf extra
    except ImportError:
        raise PdfUnavailableError(_NO_READER) from None
    with _quiet():
        try:
            reader = PdfReader(io.BytesIO(content))
            files = dict(_embedded(reader, name))
            pages = tuple(page.extract_text() for page in reader.pages)
            identifier = _identifier(reader)
            paper = _paper_of(float(reader.pages[0].mediabox.height))
        except DataError:
            raise
        except RecursionError:
            raise DataError(f"{name!r} is a damaged PDF: it refers to itself") from None
        except Exception as error:  # noqa: BLE001 - a damaged file breaks a reader in many ways
            reason = " ".join(str(error).split())[:120]
            raise DataError(f"{name!r} is a damaged PDF: {reason or type(error).__name__}") from None
    _want_results(files, name)
    return PacketFiles(
        name=name,
        kind=PacketKind.PDF,
        files=files,
        pages=pages,
        paper=paper,
        identifier=identifier,
        content=content,
    )


def _identifier(reader: PdfReader) -> bytes:
    """Return the first identifier in the trailer of a PDF; empty where there is none."""
    held = reader.trailer.get("/ID")
    first = held[0] if held else b""
    return bytes(getattr(first, "original_bytes", first))


def pages_of(content: bytes) -> tuple[str, ...]:
    """Return the text of each page of a PDF that was made here."""
    from pypdf import PdfReader  # noqa: PLC0415 - comes with the pdf extra

    return tuple(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def _paper_of(points: float) -> str:
    return next((name for name, height in _HEIGHTS.items() if abs(points - height) < 1), "")


def _embedded(reader: PdfReader, name: str) -> Iterator[tuple[str, bytes]]:
    for inside, contents in reader.attachments.items():
        if len(contents) > 1:
            raise DataError(f"{name!r} carries two files named {inside!r}")
        yield inside, contents[0]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the reader's remarks on a damaged file out of the user's log; the error says what matters."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
