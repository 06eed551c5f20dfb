"""The SVG of a figure with fewer elements, for the PDF: each costs time and memory there, and these draw nothing."""

from __future__ import annotations

import re

_GROUP = re.compile(r"\s*<(/?)g\b([^>]*?)(/?)>")
_UNTURNED = re.compile(r' transform="rotate\(-?0 [^)"]*\)"')


def without_bare_groups(svg: str) -> str:
    """Return an SVG without groups that state nothing of what is in them, and without turns by no angle.

    Examples
    --------
    >>> without_bare_groups('<svg><g><g/><g clip-path="url(#a)"><g><path d="M0 0"/></g></g></g></svg>')
    '<svg><g clip-path="url(#a)"><path d="M0 0"/></g></svg>'
    """
    is_kept: list[bool] = []

    def passed(found: re.Match[str]) -> str:
        closes, stated, is_empty = found[1], found[2], found[3]
        if closes:
            return found[0] if is_kept.pop() else ""
        if is_empty:
            return ""
        is_kept.append(bool(stated.strip()))
        return found[0] if is_kept[-1] else ""

    return _UNTURNED.sub("", _GROUP.sub(passed, svg))
