"""What the columns of an unknown table may be, as far as their names and values tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fairreport.audit.readers.spellings import plain
from fairreport.tables.text import NestedValueError, canonical
from fairreport.tables.window import read_time

MOST_LEVELS = 20


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ATTRIBUTES = _words("""
    age birthplace caste citizenship disability disabled ethnic ethnicity gender hispanic latino marital
    minority nationality native orientation pregnancy pregnant race racial religion sex veteran
""")
_OUTCOMES = _words("""
    accept accepted admission admit admitted approval approved callback class decided decision default denied
    granted hire hired income interview label loan offer offered outcome pass passed predicted prediction
    promoted promotion rejected result risk selected selection shortlist shortlisted target top y
""")
_UNWANTED = _words("arrest default denial denied dismissed fired fraud recid recidivism reject rejected risk")
_COUNTS = _words("n count counts freq frequency cases total number")
_TIMES = _words("at date day datetime time timestamp when created decided applied month")
_BIRTHS = _words("birth birthday birthdate born dob")
_FAVORABLE = _words("""
    1 true yes y approved approve accepted accept admitted admit hired hire selected granted offered offer
    promoted promote passed pass positive good invited invite shortlisted qualified
""")
_FAVORABLE_WHERE_UNWANTED = _words("0 false no n good low none negative")
_MISSING = (*_words("na n/a #n/a nan none null unknown missing ? - undisclosed other/unknown"), "not stated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a sample.

    Attributes
    ----------
    name : str
        Its name.
    levels : tuple of (str, int)
        Up to 20 values with their rows, most frequent first; words for missing are left out.
    n_levels : int
        How many there are in all.
    n_missing : int
        Empty cells.
    missing_words : tuple of str
        Values that may stand for a missing cell.
    """

    name: str
    levels: tuple[tuple[str, int], ...]
    n_levels: int
    n_missing: int
    missing_words: tuple[str, ...]

    def is_called(self, words: tuple[str, ...]) -> bool:
        """Tell whether a word of the name is among `words`."""
        return any(word in words for word in words_of(self.name))

    @property
    def is_category(self) -> bool:
        """Whether it has from 2 to 20 values."""
        return 2 <= self.n_levels <= MOST_LEVELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What the columns may be.

    Attributes
    ----------
    columns : tuple of Column
        All of them.
    attributes, controls, too_fine : tuple of Column
        Those that look like protected attributes, like control columns, and like attributes with too
        many values.
    outcome, counts, time : Column or None
        The outcome, the column of whole-number counts, and that of times.
    favorable : tuple of str
        The favorable values, in all spellings that occur; `favorable_is_sure` tells whether their words say so.
    missing_words : tuple of (str, str)
        Word for a missing cell, and the column that has it.
    """

    columns: tuple[Column, ...]
    attributes: tuple[Column, ...]
    controls: tuple[Column, ...]
    too_fine: tuple[Column, ...]
    outcome: Column | None
    counts: Column | None
    time: Column | None
    favorable: tuple[str, ...]
    favorable_is_sure: bool
    missing_words: tuple[tuple[str, str], ...]


def words_of(name: str) -> list[str]:
    """Return the words of a column name.

    Examples
    --------
    >>> words_of("ageBand_2026"), words_of("Native-Country")
    (['age', 'band'], ['native', 'country'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def guess(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Guess:
    """Return what the columns of a sample may be."""
    cells = [[row[i] for row in rows] for i in range(len(names))]
    columns = tuple(_column(name, column) for name, column in zip(names, cells, strict=True))
    counts = _counts(columns, rows)
    rest = [column for column in columns if column is not counts]
    attributes = [column for column in rest if column.is_called(_ATTRIBUTES) and column.is_category]
    outcome = _outcome([column for column in rest if column not in attributes])
    favorable, sure = _favorable(outcome)
    named = [*attributes, *([outcome] if outcome else [])]
    return Guess(
        columns=columns,
        attributes=tuple(attributes),
        controls=tuple(c for c in rest if c.is_category and c not in named and not _is_numeric(c)),
        too_fine=tuple(c for c in rest if c.is_called(_ATTRIBUTES) and c.n_levels > MOST_LEVELS),
        outcome=outcome,
        counts=counts,
        time=_time([column for column in rest if column is not outcome]),
        favorable=favorable,
        favorable_is_sure=sure,
        missing_words=tuple((word, column.name) for column in named for word in column.missing_words),
    )


def _column(name: str, cells: Iterable[Any]) -> Column:
    counted: Counter[str | None] = Counter()
    for cell, n in Counter(map(_text, cells)).items():
        counted[cell] += n
    missing = counted.pop(None, 0)
    texts = {text: n for text, n in counted.items() if text is not None}
    words = tuple(sorted(text for text in texts if text.lower() in _MISSING))
    levels = sorted(((t, n) for t, n in texts.items() if t not in words), key=lambda item: (-item[1], item[0]))
    return Column(
        name=name,
        levels=tuple(levels[:MOST_LEVELS]),
        n_levels=len(levels),
        n_missing=missing,
        missing_words=words,
    )


def _text(cell: Any) -> str | None:
    try:
        return canonical(cell)
    except NestedValueError:
        return "(nested)"


def _counts(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> Column | None:
    """Return the column of counts: called so, whole numbers, and the other cells never repeat."""
    for i, column in enumerate(columns):
        if not column.is_called(_COUNTS) or column.n_missing:
            continue
        whole = all(text.isdigit() for text, _ in column.levels)
        others = {tuple(map(_text, (*row[:i], *row[i + 1 :]))) for row in rows}
        if whole and len(others) == len(rows):
            return column
    return None


def _time(candidates: Sequence[Column]) -> Column | None:
    """Return the column of times, the first whose name says so where there are several; births are none."""
    found = [
        column
        for column in candidates
        if column.n_levels > 1
        and not column.is_called(_BIRTHS)
        and all(read_time(text) is not None for text, _ in column.levels)
    ]
    return next((column for column in found if column.is_called(_TIMES)), found[0] if found else None)


def _outcome(candidates: Sequence[Column]) -> Column | None:
    """Return the column that looks most like an outcome, the last of several."""
    scored = [(_score(column), i) for i, column in enumerate(candidates)]
    best = max(scored, default=(0, 0))
    return candidates[best[1]] if best[0] >= 2 else None


def _score(column: Column) -> int:
    if not column.is_category:
        return 0
    spoken = any(text.lower() in _FAVORABLE for text, _ in column.levels)
    return 2 * column.is_called(_OUTCOMES) + 2 * (column.n_levels == 2 and spoken) + (column.n_levels == 2)


def _favorable(outcome: Column | None) -> tuple[tuple[str, ...], bool]:
    """Return the favorable values, most frequent first: one word in several spellings, and words that mean the same."""
    if outcome is None:
        return ("1",), False
    unwanted = outcome.is_called(_UNWANTED)
    words = _FAVORABLE_WHERE_UNWANTED if unwanted else _FAVORABLE
    found = tuple(text for text, _ in outcome.levels if plain(text) in words)
    return (found, not unwanted) if found else ((outcome.levels[-1][0],), False)


def _is_numeric(column: Column) -> bool:
    return all(re.fullmatch(r"-?[0-9.]+", text) for text, _ in column.levels)
