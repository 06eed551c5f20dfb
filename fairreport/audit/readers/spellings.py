"""Values of a column that may be one value, spelt otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_SHORTEST = 5
"""Words of fewer letters are not compared letter by letter: most of them are another word."""
_ALIKE = 0.88


def plain(text: str) -> str:
    """Return a value without what case and blanks make of it.

    Examples
    --------
    >>> plain(" Yes "), plain("not  STATED")
    ('yes', 'not stated')
    """
    return " ".join(text.casefold().split())


def alike(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the values that may be one value each, in their order; most columns have none.

    Values are alike where only case, blanks and signs tell them apart; where one letter is the first of one word
    only; or where two long words differ in a letter or so. Values with digits are alike in the first way only.

    Parameters
    ----------
    texts : sequence of str
        The values of a column.

    Examples
    --------
    >>> alike(["F", "male", "female", "M", "f"]), alike(["under_30", "under_40", "A", "B"])
    ([('F', 'female', 'f'), ('male', 'M')], [])
    >>> alike(["Norwegian", "Norwegien", "Swedish", "swedish "])
    [('Norwegian', 'Norwegien'), ('Swedish', 'swedish ')]
    """
    sets: list[list[str]] = []
    for key in dict.fromkeys(map(_key, texts)):
        found = next((keys for keys in sets if any(_is_near(key, other, texts) for other in keys)), None)
        if found is None:
            sets.append([key])
        else:
            found.append(key)
    grouped = [tuple(text for text in texts if _key(text) in keys) for keys in sets]
    return [group for group in grouped if len(group) > 1]


def _key(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold()) or text


def _is_near(one: str, other: str, texts: Sequence[str]) -> bool:
    short, long = sorted((one, other), key=len)
    if not (short.isalpha() and long.isalpha()):
        return False
    if len(short) == 1 and len(long) > 1:
        return {key for key in map(_key, texts) if len(key) > 1 and key.startswith(short)} == {long}
    return len(short) >= _SHORTEST and SequenceMatcher(None, short, long, autojunk=False).ratio() >= _ALIKE
