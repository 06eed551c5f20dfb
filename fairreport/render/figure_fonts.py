"""Which fonts can letter the names of a figure; no box stands for a character that none of them has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

OTHER_SCRIPTS = (
    "DejaVu Sans",
    "Noto Sans",
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Nirmala UI",
    "Segoe UI",
    "Segoe UI Symbol",
)
"""Widespread fonts to turn to where the configured ones lack a character."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """Texts that can be drawn, and the font families to draw them with."""

    lines: list[str]
    families: list[str]


def letter(
    texts: Sequence[str],
    families: Sequence[str],
    others: Sequence[str],
    characters: Callable[[str], Collection[int]],
) -> Lettering:
    """Return texts with fonts for them; a character that no font has stands as its number.

    Parameters
    ----------
    texts : sequence of str
        What is to be drawn.
    families : sequence of str
        The configured fonts.
    others : sequence of str
        Installed fonts to turn to, in order.
    characters : callable
        Tells the code points that a font has.

    Examples
    --------
    >>> letter(["a日"], ["Latin"], [], lambda _: {97}).lines
    ['a[U+65E5]']
    """
    used = list(families)
    missing = {ord(character) for text in texts for character in text} - {ord("\n")}
    for family in used:
        missing -= set(characters(family))
    for family in others:
        if family not in used and missing and (had := missing & set(characters(family))):
            used.append(family)
            missing -= had
    return Lettering(lines=[_spelled(text, missing) for text in texts], families=used)


def _spelled(text: str, missing: Collection[int]) -> str:
    return "".join(f"[U+{ord(c):04X}]" if ord(c) in missing else c for c in text)
