"""Pages painted one after the other, each folded to one piece of bytes when it is done."""

from __future__ import annotations

from functools import partial
from typing import Any


def fold_painted_pages(document: Any) -> None:
    """Make each page of a document fold what was painted; the PDF is the same to the byte.

    WeasyPrint keeps a record of its own for each of some thousand strokes and letters a page, from when the page is
    painted until all pages are written.
    """
    for page in document.pages:
        page.paint = partial(_paint, page.paint)


def _paint(paint: Any, stream: Any, *arguments: Any, **named: Any) -> None:
    paint(stream, *arguments, **named)
    pieces = [as_written(item) for item in stream.stream]
    whole = [piece for piece in pieces if piece is not None]
    if len(whole) == len(pieces):
        stream.stream[:] = [b"\n".join(whole)]


def as_written(item: Any) -> bytes | None:
    """Return what a piece of a stream is in the PDF; None where only the writer of the PDF knows."""
    if isinstance(item, bytes):
        return item
    if isinstance(item, str):
        return item.encode("ascii")
    return bytes(item.data) if hasattr(item, "data") else None
