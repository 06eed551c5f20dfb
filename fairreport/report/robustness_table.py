"""Small tables of the robustness section: cells are sentences, columns as wide as what stands in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairreport.analyses.grouping import Label
from fairreport.render import formats
from fairreport.render.phrases import Name, Names, Sentence
from fairreport.render.record_lines import joined, said
from fairreport.report.printed_table import WHOLE_ROWS, shares

NAMED = 3
"""So many groups of a cell are named; of more, how many they are."""
SHOWN_NAME = 48
"""Characters to which a name in a list is shortened."""
_LONGEST = 30
_PADDING = 2


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading, and whether numbers stand below it."""

    text: str
    is_number: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallRow:
    """A row: its cells, the first of which heads it, and how it is marked: ``below``, ``reference`` or not at all."""

    cells: tuple[Sentence, ...]
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTable:
    """A table.

    Attributes
    ----------
    caption : str
        What it shows.
    headings : tuple of Heading
        One a column.
    rows : tuple of SmallRow
        The rows that are printed.
    widths : tuple of str
        Width of each column in CSS.
    more : str
        What is said of rows that are not printed; empty where all are.
    """

    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[SmallRow, ...]
    widths: tuple[str, ...]
    more: str = ""

    @property
    def is_short(self) -> bool:
        """Whether it stands on one page."""
        return len(self.rows) <= WHOLE_ROWS


def small_table(caption: str, headings: Sequence[Heading], rows: Sequence[SmallRow], *, more: str = "") -> SmallTable:
    """Return a table, its columns as wide as their longest cell up to a limit."""
    columns = zip(*(row.cells for row in rows), strict=True)
    widths = [_width(heading, cells) for heading, cells in zip(headings, columns, strict=True)]
    return SmallTable(caption=caption, headings=tuple(headings), rows=tuple(rows), widths=shares(widths), more=more)


def _width(heading: Heading, cells: Sequence[Sentence]) -> int:
    longest = max(len(cell.plain(SHOWN_NAME)) for cell in cells)
    word = max(len(word) for word in heading.text.split())
    return max(word, min(longest, _LONGEST)) + _PADDING


def cell(text: str) -> Sentence:
    """Return a cell of our own words or numbers."""
    return said(text)


class Labels:
    """Labels of groups as they are printed, shortened so that different ones never look alike.

    Parameters
    ----------
    labels : sequence of tuple of str
        All labels of a test.
    """

    def __init__(self, labels: Sequence[Label]) -> None:
        self._names = Names(Name.of(level).text for label in labels for level in label)

    def whole(self, label: Label) -> Sentence:
        """Return a label as it heads a row."""
        return self._apart(joined(label))

    def listed(self, labels: Sequence[Label], most: int = NAMED) -> Sentence:
        """Return labels one after the other, of many how many more they are; a dash for none."""
        pieces: list[str | Name] = []
        for label in labels[:most]:
            pieces += ["; ", *joined(label)] if pieces else joined(label)
        if len(labels) > most:
            pieces.append(f" and {formats.count(len(labels) - most)} more")
        return self._apart(tuple(pieces)) if pieces else said(formats.ABSENT)

    def counted(self, labels: Sequence[Label]) -> Sentence:
        """Return labels one after the other where they are short, else how many they are; a dash for none."""
        sentence = self.listed(labels, len(labels))
        if len(sentence.text) <= _LONGEST:
            return sentence
        return said(formats.plural(len(labels), "group", "groups"))

    def _apart(self, pieces: tuple[str | Name, ...]) -> Sentence:
        return said(*pieces).apart(self._names)
