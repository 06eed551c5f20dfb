"""Plain text in columns: sentences broken into lines, and names as long as the lines leave room for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from fairreport.render import formats
from fairreport.render.phrases import Sentence

COLUMNS = 100
NAME = 24
"""Names are never cut below so many characters."""


def roomiest(sentence: Sentence, lines: int, before: str = "") -> list[str]:
    """Return a sentence in at most so many lines, its names as long as these leave room for."""
    for longest in (COLUMNS, formats.SHORT_NAME, 2 * NAME, 3 * NAME // 2):
        found = _broken(before + sentence.plain(longest))
        if len(found) <= lines and max(map(columns_of, found)) <= COLUMNS:
            return found
    return wrap(before + sentence.plain(NAME), lines)


def columns_of(text: str) -> int:
    """Return how many columns a text takes where wide characters take two.

    Examples
    --------
    >>> columns_of("abc"), columns_of("日本")
    (3, 4)
    """
    return sum(map(_width, text))


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def fit(text: str, columns: int) -> str:
    """Return a text that takes at most so many columns, an ellipsis where it was cut.

    Examples
    --------
    >>> fit("日本語です", 6)
    '日本…'
    """
    if columns_of(text) <= columns:
        return text
    taken, room = [], columns - 1
    for character in text:
        room -= _width(character)
        if room < 0:
            break
        taken.append(character)
    return f"{''.join(taken).rstrip()}…"


def wrap(text: str, lines: int, columns: int = COLUMNS) -> list[str]:
    """Return a text in at most so many lines of 100 columns, or of fewer, broken at spaces where there are any."""
    found = _broken(text, columns)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [fit(line, columns) for line in found]


def _broken(text: str, columns: int = COLUMNS) -> list[str]:
    found: list[str] = []
    for word in text.split(" "):
        if found and columns_of(found[-1]) + 1 + columns_of(word) <= columns:
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def fit_apart(names: Sequence[str], columns: int) -> list[str]:
    """Return names that take at most so many columns each, different ones cut to where they differ."""
    cut = {name: fit(name, columns) for name in names}
    if len(set(cut.values())) < len(cut):
        apart = formats.shortened_apart(names, columns)
        cut = {name: fit(apart[name], columns) for name in names}
    return [cut[name] for name in names]


def padded(text: str, columns: int) -> str:
    """Return a text that takes exactly so many columns."""
    cut = fit(text, columns)
    return cut + " " * (columns - columns_of(cut))
