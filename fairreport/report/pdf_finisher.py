"""What is put right in a PDF before it is written, where PDF/A or PDF/UA ask for more than WeasyPrint does."""

from __future__ import annotations

import zlib
from typing import Any

from fairreport.report.pdf_painting import as_written

_LEVEL = 6
"""How hard streams are compressed; the last three hundredths that level 9 finds take four times as long."""


def finish_pdf(document: Any, pdf: Any) -> None:
    """Finish a PDF of WeasyPrint, as its ``finisher``; nothing of the document but what stands in the PDF is left."""
    document.pages.clear()  # the boxes of all pages; to write the PDF takes as much memory again, and none of them
    _scope_header_cells(pdf)
    _leave_images_sharp(pdf)
    _write_once(pdf)


def _scope_header_cells(pdf: Any) -> None:
    """Write on each header cell of the tag tree whether it heads a column or a row."""
    by_reference = {item.reference: item for item in pdf.objects if hasattr(item, "reference")}
    for item in pdf.objects:
        if isinstance(item, dict) and item.get("S") == "/TH" and isinstance(item.get("A"), dict):
            item["A"]["Scope"] = "/Column" if _is_in_table_head(item, by_reference) else "/Row"


def _is_in_table_head(item: Any, by_reference: dict[Any, Any]) -> bool:
    while item is not None and item.get("S") not in {"/Table", "/Document"}:
        if item.get("S") == "/THead":
            return True
        item = by_reference.get(item.get("P"))
    return False


def _leave_images_sharp(pdf: Any) -> None:
    """Let no image ask for smoothing, which PDF/A forbids.

    Emoji of a font of pictures are images, and in figures no style sheet of the packet reaches them.
    """
    for item in pdf.objects:
        extra = item.extra if hasattr(item, "extra") else None
        if isinstance(extra, dict) and extra.get("Subtype") == "/Image" and "Interpolate" in extra:
            extra["Interpolate"] = "false"


def _write_once(pdf: Any) -> None:
    """Turn the objects of a PDF into the bytes that stand in the file.

    The writer asks each object for its bytes twice, for the file and for the hash of it, and compresses twice.
    """
    import pydyf  # type: ignore[import-untyped] # noqa: PLC0415 - comes with WeasyPrint

    class Written(pydyf.Object):  # type: ignore[misc]
        def __init__(self, item: Any) -> None:
            super().__init__()
            self.number, self.generation = item.number, item.generation
            self._data = item.data

        @property
        def data(self) -> bytes:
            return bytes(self._data)

    for position, item in enumerate(pdf.objects):
        if isinstance(item, pydyf.Stream):
            _compress(item)
        elif item.free == "n":
            pdf.objects[position] = Written(item)
    add = pdf.add_object

    def add_compressed(item: Any) -> None:
        if isinstance(item, pydyf.Stream):
            _compress(item)
        add(item)

    pdf.add_object = add_compressed  # the writer adds two streams more, of the objects and of where they are


def _compress(stream: Any) -> None:
    pieces = [as_written(piece) for piece in stream.stream]
    whole = [piece for piece in pieces if piece is not None]
    if stream.compress and len(whole) == len(pieces):
        stream.stream = [zlib.compress(b"\n".join(whole), _LEVEL)]
        stream.extra["Filter"] = "/FlateDecode"
        stream.compress = False
