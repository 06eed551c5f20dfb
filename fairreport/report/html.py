"""From the view of a packet to its HTML: the self-contained file, or the one that the PDF is drawn from."""

from __future__ import annotations

import re
from enum import StrEnum

from fairreport.render import formats
from fairreport.render.environment import render, style
from fairreport.report.branding import PLAIN, Branding
from fairreport.report.fonts import print_font_css, screen_font_css
from fairreport.report.packet_view import PacketView
from fairreport.report.sections import SECTIONS
from fairreport.report.self_contained import refuse_outside

_PLAIN_NAME = re.compile(r"<bdi>([ -;=?-~]*)</bdi>")
"""A name of ASCII alone, which reads from left to right wherever it stands: in the PDF it needs no element."""


class Medium(StrEnum):
    """What the HTML is for."""

    SCREEN = "screen"
    PDF = "pdf"


class Paper(StrEnum):
    """Sizes of paper, as CSS names them."""

    A4 = "A4"
    LETTER = "letter"


def packet_html(packet: PacketView, *, medium: Medium, paper: Paper, branding: Branding = PLAIN) -> str:
    """Return the HTML of a packet; both media have the same sections, numbers and words.

    Parameters
    ----------
    packet : PacketView
        Everything it prints.
    medium : Medium
        SCREEN carries its fonts and attachments inside; PDF leaves both to the PDF.
    paper : Paper
        What it prints on.
    branding : Branding
        How it looks.

    Raises
    ------
    ConfigError
        If a template of the user's own cannot be filled, or the page would fetch or run anything.
    """
    fill = render if branding.templates is None else branding.templates.render
    text = fill(
        "packet/document.html",
        packet=packet,
        sections=SECTIONS,
        medium=medium.value,
        paper=paper.value,
        styles=styles_of(medium, branding),
        branding=branding,
        counted=formats.count,
    )
    if branding.templates is not None:
        refuse_outside(text)
    # WeasyPrint passes over <wbr> where words may break anywhere; data strings never hold either mark unescaped.
    if medium is not Medium.PDF:
        return text
    return _PLAIN_NAME.sub(r"\1", text).replace("<wbr>", "\u200b")


def styles_of(medium: Medium, branding: Branding = PLAIN) -> str:
    """Return every style sheet of a medium, in the colours of the user's own."""
    fonts = screen_font_css() if medium is Medium.SCREEN else print_font_css()
    sheets = (f"{style(name)}" for name in ("packet.css", f"packet-{medium.value}.css", "packet-page.css"))
    return fonts + branding.tinted("".join(sheets))
