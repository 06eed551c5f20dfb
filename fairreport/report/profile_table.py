"""A table of a preset as it is printed: categories with their figures, and what to know beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.render.views import Name, Sentence
from fairreport.report.printed_table import PORTRAIT_COLUMNS, WHOLE_ROWS, shares

_LONGEST_NAME, _SHORTEST_NAME, _PADDING = 38, 8, 2
_LONGEST_READING = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    """A category.

    Attributes
    ----------
    names : tuple of Name
        One a column of names.
    cells : tuple of str
        Its figures.
    reading : str
        What they say; empty where the table has no such column.
    side : str
        How the row is set off: ``"reference"``, ``"below"`` or nothing.
    """

    names: tuple[Name, ...]
    cells: tuple[str, ...]
    reading: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTable:
    """A table of a preset.

    Attributes
    ----------
    number, anchor : str
        Such as ``"12.1"`` and ``"profile-1"``.
    title : Sentence
        What it shows.
    names : tuple of Name
        Headings of the columns of names.
    headings : tuple of str
        Headings of the figures.
    reading : str
        Heading of what they say; empty where that column is absent.
    widths : tuple of str
        Widths of all columns, in CSS.
    rows : tuple of ProfileRow
        What is printed.
    more : str
        How many further rows there are, in words; empty where none.
    notes : tuple of Sentence
        What to know beside it.
    """

    number: str
    anchor: str
    title: Sentence
    names: tuple[Name, ...]
    headings: tuple[str, ...]
    reading: str
    widths: tuple[str, ...]
    rows: tuple[ProfileRow, ...]
    more: str = ""
    notes: tuple[Sentence, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether it stands on one page."""
        return len(self.rows) <= WHOLE_ROWS

    @property
    def is_wide(self) -> bool:
        """Whether it needs a landscape page."""
        return len(self.widths) > PORTRAIT_COLUMNS


def widths_of(
    names: Sequence[Name], headings: Sequence[str], rows: Sequence[ProfileRow], reading: str
) -> tuple[str, ...]:
    """Return widths that no figure is wider than; names get the rest, up to a length."""
    found = []
    for position, heading in enumerate(names):
        texts = [heading.text, *(row.names[position].text for row in rows)]
        found.append(min(_LONGEST_NAME, max(_SHORTEST_NAME, *map(len, texts))) + _PADDING)
    for position, text in enumerate(headings):
        found.append(max(_longest_word(text), *(len(row.cells[position]) for row in rows), 0) + _PADDING)
    if reading:
        found.append(min(_LONGEST_READING, max(map(len, [reading, *(row.reading for row in rows)]))) + _PADDING)
    return shares(found)


def _longest_word(text: str) -> int:
    return max((len(word) for word in text.split()), default=0)
