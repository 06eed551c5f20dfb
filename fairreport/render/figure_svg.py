"""From what matplotlib writes to an SVG element that can stand in a page among others."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from html import escape
from typing import Any

BARE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "svg.fonttype": "none",
    "svg.hashsalt": "fairreport",
    "svg.id": None,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
"""Settings of matplotlib for every SVG: text as text, the same identifiers every time, no background."""
NO_METADATA: dict[str, Any] = {"Creator": None, "Date": None, "Format": None, "Type": None}
_IDENTIFIER = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(?:href="#|url\(#)([^")]*)')
_TEXT_STYLE = re.compile(r'style="([^"]*font[^"]*)"')
_SIZE = re.compile(r"([\d.]+)px")
_ANCHOR = re.compile(r"text-anchor: (\w+)")


def finish_svg(text: str, *, title: str, names: Mapping[str, str], fonts: str, salt: str) -> str:
    """Return an SVG element with a title, without a prolog, style sheet or shared identifier.

    Parameters
    ----------
    text : str
        An SVG document as matplotlib writes it, with text as text.
    title : str
        The figure in words.
    names : mapping of str to str
        What stands in the place of each placeholder.
    fonts : str
        Font families of all text.
    salt : str
        Makes the identifiers of this figure its own.
    """
    svg = text[text.index("<svg") :]
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = _own_identifiers(svg, f"fr{hashlib.sha256(salt.encode('utf-8', 'replace')).hexdigest()[:8]}-")
    svg = _TEXT_STYLE.sub(_text_attributes, svg)
    svg = re.sub(r">(fr-\w+-[\d-]+)</text>", lambda found: f">{escape(names[found[1]])}</text>", svg)
    opening = f'<svg role="img" aria-label="{escape(title)}" font-family="{escape(fonts)}"'
    opening += ' stroke-linejoin="round"'
    head, rest = svg.split(">", 1)
    return f"{opening}{head.removeprefix('<svg')}><title>{escape(title)}</title>{rest.strip()}"


def _own_identifiers(svg: str, prefix: str) -> str:
    """Return the SVG with the identifiers that something refers to under its own prefix, and no other."""
    used = set(_REFERENCE.findall(svg))
    svg = _IDENTIFIER.sub(lambda found: f' id="{prefix}{found[1]}"' if found[1] in used else "", svg)
    svg = re.sub(r'href="#', f'href="#{prefix}', svg)
    return re.sub(r"url\(#", f"url(#{prefix}", svg)


def _text_attributes(found: re.Match[str]) -> str:
    """Return the size and anchor of a text as attributes; the family is stated once, for the whole figure."""
    size, anchor = _SIZE.search(found[1]), _ANCHOR.search(found[1])
    attributes = [f'font-size="{size[1]}"'] if size else []
    attributes += [f'text-anchor="{anchor[1]}"'] if anchor else []
    return " ".join(attributes)
