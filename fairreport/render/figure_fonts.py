"""Which installed fonts can letter the names of a figure; no box stands for a character that none has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib import rcParams
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

_FOR_OTHER_SCRIPTS = (
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


@dataclass(frozen=True, slots=True)
class Lettering:
    """Texts that can be drawn, and the font families to draw them with."""

    lines: list[str]
    families: list[str]


def lettering(texts: Sequence[str]) -> Lettering:
    """Return texts with the fonts that have their characters; a character that no font has stands as its number."""
    families = list(rcParams["font.family"])
    wanted = {ord(character) for text in texts for character in text} - {ord("\n")}
    missing = wanted - _characters(families)
    installed = set(fontManager.get_font_names())
    for family in _FOR_OTHER_SCRIPTS:
        if missing and family in installed and family not in families and (had := missing & _characters([family])):
            families.append(family)
            missing -= had
    return Lettering(lines=[_spelled(text, missing) for text in texts], families=families)


def _characters(families: Iterable[str]) -> set[int]:
    found: set[int] = set()
    for family in families:
        found |= set(get_font(findfont(FontProperties(family=[family]))).get_charmap())
    return found


def _spelled(text: str, missing: set[int]) -> str:
    return "".join(f"[U+{ord(c):04X}]" if ord(c) in missing else c for c in text)
