"""How a packet is to look and in which language, as stated: whether colours can be read, and lines fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fairreport.errors import Fault, nearest

LEAST_CONTRAST = 4.5
"""Of text on its background, WCAG 2.2, success criterion 1.4.3."""

PACKAGED = {"accent": "#12303c", "link": "#12506b", "muted": "#4c5763"}
"""Headings and rules; links; small print and heads of rows. The style sheets state no others of their kind."""

LANGUAGES = ("en",)
LONGEST_FOOTER = 80
"""Characters that stand in one line between the packet id and the page number."""

_BACKGROUNDS = {"white": "#ffffff", "the shade of a table row": "#f3f5f6"}
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21.

    Parameters
    ----------
    one, other : str
        As ``#rrggbb``.

    References
    ----------
    W3C, Web Content Accessibility Guidelines 2.2, definitions of contrast ratio and relative luminance.

    Examples
    --------
    >>> contrast("#000000", "#ffffff")
    21.0
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def color_faults(stated: Any, path: str) -> list[Fault]:
    """Return what is wrong with stated colours: their names, their form, or that they cannot be read.

    Examples
    --------
    >>> color_faults({"accent": "#ffcc00"}, "colors")[0].message
    "'#ffcc00' has a contrast of 1.38 on the shade of a table row; wanted at least 4.5"
    """
    if not isinstance(stated, Mapping):
        message = f"must be a mapping of {', '.join(PACKAGED)} to colours such as '#12303c', got {stated!r}"
        return [Fault(code="bad_type", message=message, path=path)]
    return [fault for name, value in stated.items() for fault in _faults_of(str(name), value, f"{path}.{name}")]


def _faults_of(name: str, value: Any, path: str) -> list[Fault]:
    if name not in PACKAGED:
        message = f"is no colour of a packet; known: {', '.join(PACKAGED)}.{nearest(name, PACKAGED)}"
        return [Fault(code="unknown_parameter", message=message, path=path)]
    if value is None:
        return []
    if not isinstance(value, str) or not _HEX.fullmatch(value.strip()):
        message = f"must be a colour such as '#12303c', quoted in YAML, got {value!r}"
        return [Fault(code="bad_type", message=message, path=path)]
    where, found = min(
        ((where, contrast(whole_form(value), shade)) for where, shade in _BACKGROUNDS.items()), key=lambda it: it[1]
    )
    if found >= LEAST_CONTRAST:
        return []
    # Cut and not rounded: 4.496 must not read as the 4.5 that it misses.
    message = f"{value!r} has a contrast of {int(found * 100) / 100} on {where}; wanted at least {LEAST_CONTRAST}"
    return [Fault(code="low_contrast", message=message, path=path)]


def whole_form(color: str) -> str:
    """Return a colour as ``#rrggbb``.

    Examples
    --------
    >>> whole_form("#ABC")
    '#aabbcc'
    """
    digits = color.strip().lower().removeprefix("#")
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))


def footer_faults(footer: Any, path: str) -> list[Fault]:
    """Return what is wrong with a stated line at the foot of the pages."""
    if footer is None:
        return []
    if not isinstance(footer, str):
        return [Fault(code="bad_type", message=f"must be text, got {footer!r}", path=path)]
    n = len(" ".join(footer.split()))
    if n <= LONGEST_FOOTER:
        return []
    message = f"has {n:,} characters; at most {LONGEST_FOOTER} stand at the foot of a page"
    return [Fault(code="too_long", message=message, path=path)]


def language_faults(language: Any, path: str) -> list[Fault]:
    """Return what is wrong with a stated language: packets are written in English."""
    if language is None or language in LANGUAGES:
        return []
    hint = nearest(language, LANGUAGES, fold=True) if isinstance(language, str) else ""
    message = f"packets are written in English only; wanted en, got {language!r}.{hint}"
    return [Fault(code="not_offered", message=message, path=path)]
