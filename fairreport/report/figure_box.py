"""A figure with its size on paper, and the names in it that the PDF must letter itself."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from html import unescape

from fairreport.report.figure_lines import without_bare_groups

_SIZE = re.compile(r'\b(width|height)="([\d.]+)(pt|px)?"')
_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_IDENTIFIER = re.compile(r"\b(fr[0-9a-f]{8}-)")

_ASCENT = 0.855
"""Where the baseline of the packet's face lies in a line as high as its letters."""
UPRIGHT_HEIGHT = 400.0
"""A figure higher than this, in points, does not fit a landscape page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettered:
    """A name in a figure as HTML beside it: already escaped, with its place in points from the top left."""

    html: str
    left: float
    top: float
    size: float
    is_end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureBox:
    """A figure.

    Attributes
    ----------
    svg : str
        As it is; browsers letter every script.
    plain : str
        For the PDF: without groups that state nothing, and without the names in `lettered`. Text inside SVG is laid
        out letter by letter in the PDF, from left to right, which is wrong for scripts that join letters or run from
        right to left.
    lettered : tuple of Lettered
        Those names.
    width, height : float
        Size in points.
    """

    svg: str
    plain: str
    lettered: tuple[Lettered, ...]
    width: float
    height: float

    @property
    def is_tall(self) -> bool:
        """Whether it needs an upright page."""
        return self.height > UPRIGHT_HEIGHT


def figure_box(svg: str, *, highest: float | None = None, widest: float | None = None, prefix: str = "") -> FigureBox:
    """Return a figure in a box that is at most so high and so wide.

    Parameters
    ----------
    svg : str
        An SVG element with its size in points.
    highest, widest : float, optional
        Height and width in points that the box does not exceed; the figure is scaled to fit.
    prefix : str
        Put into its identifiers, where the same figure stands twice in one document.
    """
    own = _IDENTIFIER.sub(rf"\g<1>{prefix}", svg) if prefix else svg
    size = {name: float(value) for name, value, _ in _SIZE.findall(own[: own.index(">")])}
    width, height = size["width"], size["height"]
    scale = min(1.0, (highest or height) / height, (widest or width) / width)
    lettered: list[Lettered] = []

    def take_out(found: re.Match[str]) -> str:
        if not _needs_shaping(unescape(found[2])):
            return found[0]
        lettered.append(_lettered(found, scale))
        return ""

    plain = without_bare_groups(_TEXT.sub(take_out, own))
    return FigureBox(
        svg=own,
        plain=plain,
        lettered=tuple(lettered),
        width=round(width * scale, 2),
        height=round(height * scale, 2),
    )


def _lettered(found: re.Match[str], scale: float) -> Lettered:
    attributes = dict(_ATTRIBUTE.findall(found[1]))
    size = float(attributes.get("font-size", "8")) * scale
    return Lettered(
        html=found[2],
        left=round(float(attributes["x"]) * scale, 2),
        top=round(float(attributes["y"]) * scale - _ASCENT * size, 2),
        size=round(size, 2),
        is_end=attributes.get("text-anchor") == "end",
    )


def _needs_shaping(text: str) -> bool:
    """Tell whether a text cannot be drawn letter by letter from left to right."""
    return any(
        unicodedata.bidirectional(character) in {"R", "AL", "AN"}
        or unicodedata.category(character) in {"Mn", "Mc", "Cf"}
        for character in text
    )
