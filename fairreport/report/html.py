"""From the view of a packet to its HTML: the self-contained file, or the one that the PDF is drawn from."""

from __future__ import annotations

from enum import StrEnum

from fairreport.render import formats
from fairreport.render.environment import render
from fairreport.report.fonts import print_font_css, screen_font_css
from fairreport.report.packet_view import PacketView
from fairreport.report.sections import SECTIONS


class Medium(StrEnum):
    """What the HTML is for."""

    SCREEN = "screen"
    PDF = "pdf"


class Paper(StrEnum):
    """Sizes of paper, as CSS names them."""

    A4 = "A4"
    LETTER = "letter"


def packet_html(packet: PacketView, *, medium: Medium, paper: Paper) -> str:
    """Return the HTML of a packet; both media have the same sections, numbers and words.

    Parameters
    ----------
    packet : PacketView
        Everything it prints.
    medium : Medium
        SCREEN carries its fonts and attachments inside; PDF leaves both to the PDF.
    paper : Paper
        What it prints on.
    """
    text = render(
        "packet/document.html",
        packet=packet,
        sections=SECTIONS,
        medium=medium.value,
        paper=paper.value,
        fonts=screen_font_css() if medium is Medium.SCREEN else print_font_css(),
        counted=formats.count,
    )
    # WeasyPrint passes over <wbr> where words may break anywhere; data strings never hold either mark unescaped.
    return text.replace("<wbr>", "\u200b") if medium is Medium.PDF else text
