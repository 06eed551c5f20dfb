"""What is put right in a PDF before it is written, where PDF/A or PDF/UA ask for more than WeasyPrint does."""

from __future__ import annotations

from typing import Any


def finish_pdf(document: Any, pdf: Any) -> None:
    """Finish a PDF of WeasyPrint, as its ``finisher``; nothing of the document but what stands in the PDF is left."""
    document.pages.clear()  # the boxes of all pages; to write the PDF takes as much memory again, and none of them
    _scope_header_cells(pdf)
    _leave_images_sharp(pdf)


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
