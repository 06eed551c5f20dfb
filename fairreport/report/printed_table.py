"""A table of groups cut to what a page holds: its rows to a number, its columns into parts side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairreport.render import formats
from fairreport.render.views import Row, Table

PRINTED_ROWS = 40
"""Rows of a table in the packet; the rest stands in groups.csv."""
WHOLE_ROWS = 14
"""Up to so many rows, a table is never cut by the end of a page."""
PORTRAIT_COLUMNS = 8
"""A table with more columns, its first and last included, is printed on a landscape page."""
FEW_COLUMNS = 4
"""A table without findings and with no more columns between the names and the end is narrow."""
PORTRAIT_CHARACTERS, LANDSCAPE_CHARACTERS = 112, 190
"""What stands side by side on a page; a table wider than a landscape page is printed in parts."""

_SHORTEST_GROUP, _LONGEST_GROUP = 8, 34
_LONGEST_FINDING = 20
_PADDING = 2
_REFERENCE = "Reference"
_BESIDE = {
    "mean",
    "median",
    "mean_difference",
    "median_difference",
    "standardized_mean_difference",
    "probability_of_superiority",
    "cliffs_delta",
    "ks_distance",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePart:
    """Columns that stand side by side.

    Attributes
    ----------
    columns : tuple of int
        Positions of the columns between the group and the finding.
    widths : tuple of str
        Width of each column in CSS, that of the group first.
    has_finding : bool
        Whether the finding stands last.
    has_reference : bool
        Whether what each row is held against stands beside its name.
    """

    columns: tuple[int, ...]
    widths: tuple[str, ...]
    has_finding: bool
    has_reference: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """A table as it is printed.

    Attributes
    ----------
    table : Table
        All of it.
    rows : tuple of Row
        The rows that are printed.
    more : str
        How many further rows stand in the attachment, in words; empty where none do.
    parts : tuple of TablePart
        One after the other, each with the group; the finding stands in the first.
    """

    table: Table
    rows: tuple[Row, ...]
    more: str
    parts: tuple[TablePart, ...]

    @property
    def is_short(self) -> bool:
        """Whether it stands on one page."""
        return len(self.rows) <= WHOLE_ROWS

    @property
    def is_narrow(self) -> bool:
        """Whether it says so little of each row that it need not fill the page."""
        return all(len(part.columns) <= FEW_COLUMNS and not part.has_finding for part in self.parts)

    @property
    def is_wide(self) -> bool:
        """Whether it needs a landscape page."""
        return any(len(part.widths) > PORTRAIT_COLUMNS for part in self.parts)


def printed(
    table: Table,
    rows: Sequence[Row],
    *,
    more: str | None = None,
    longest_finding: int = _LONGEST_FINDING,
    has_finding: bool = True,
) -> PrintedTable:
    """Return a table cut to the rows that are printed, the reference always among them.

    Parameters
    ----------
    table : Table
        All of it.
    rows : sequence of Row
        The rows to print, as far as there is room.
    more : str, optional
        What is said of further rows; groups in groups.csv where absent.
    longest_finding : int
        Characters of a finding that are given room on one line.
    has_finding : bool
        Whether findings are printed.
    """
    kept = list(rows[:PRINTED_ROWS])
    reference = next((row for row in rows if row.is_reference), None)
    if reference is not None and reference not in kept:
        kept[-1] = reference
    return PrintedTable(
        table=table,
        rows=tuple(kept),
        more=further_groups(len(rows) - len(kept)) if more is None else more,
        parts=_parts(table, kept, longest_finding, has_finding=has_finding),
    )


def further_groups(n: int) -> str:
    """Return how many groups stand in the attachment only; nothing where none does."""
    return f"{formats.plural(n, 'further group', 'further groups')} in the attachment groups.csv." if n > 0 else ""


def _parts(table: Table, rows: Sequence[Row], longest_finding: int, *, has_finding: bool) -> tuple[TablePart, ...]:
    """Return the parts of a table, each as wide as a page allows."""
    names = _name_widths(table, rows)
    texts = [_longest_word(table.finding_heading), *(min(longest_finding, len(row.finding.text)) for row in rows)]
    finding = max(texts) + _PADDING if has_finding else 0
    widths = [_width(table, rows, position) for position in range(len(table.columns))]
    chunks: list[list[int]] = []
    room = -1
    fits = sum(names) + sum(widths) + finding <= LANDSCAPE_CHARACTERS
    for position, begins in _in_order(table, whole=fits):
        if not chunks or begins or widths[position] > room:
            room = LANDSCAPE_CHARACTERS - sum(names) - (0 if chunks else finding)
            chunks.append([])
        chunks[-1].append(position)
        room -= widths[position]
    return tuple(
        TablePart(
            columns=tuple(chunk),
            widths=shares([*names, *(widths[i] for i in chunk), *([finding] if has_finding and number == 0 else [])]),
            has_finding=has_finding and number == 0,
            has_reference=_has_references(rows),
        )
        for number, chunk in enumerate(chunks)
    )


def _has_references(rows: Sequence[Row]) -> bool:
    """Tell whether a column says what each row is held against."""
    return any(row.reference for row in rows)


def _name_widths(table: Table, rows: Sequence[Row]) -> list[int]:
    """Return the width of the names of rows, and of what they are held against where a column says that."""
    heading = " / ".join(name.text for name in table.attributes)
    longest = max([_longest_word(heading), _SHORTEST_GROUP, *(len(row.label) for row in rows)])
    found = [min(_LONGEST_GROUP, longest) + _PADDING]
    if _has_references(rows):
        longest = max(len(_REFERENCE), *(len(row.reference.text) for row in rows if row.reference))
        found.append(min(_LONGEST_GROUP, longest) + _PADDING)
    return found


def _in_order(table: Table, *, whole: bool) -> Iterator[tuple[int, bool]]:
    """Yield the columns as they are printed, and whether one begins a part of its own.

    Where a table needs several parts, what the finding hangs on stands in the first: the means of a score test,
    and what is informational, stand in the next.
    """
    apart = [i for i, column in enumerate(table.columns) if column.key in _BESIDE]
    if whole or not apart:
        yield from ((i, False) for i in range(len(table.columns)))
        return
    yield from ((i, False) for i in range(len(table.columns)) if i not in apart)
    yield from ((i, i == apart[0]) for i in apart)


def _width(table: Table, rows: Sequence[Row], position: int) -> int:
    cells = [len(row.cells[position]) for row in rows]
    return max([_longest_word(table.columns[position].heading), *cells]) + _PADDING


def shares(widths: Sequence[int]) -> tuple[str, ...]:
    """Return widths in characters as shares of a table, in CSS."""
    total = math.fsum(widths)
    return tuple(f"{100 * width / total:.2f}%" for width in widths)


def _longest_word(text: str) -> int:
    return max((len(word) for word in text.split()), default=0)
