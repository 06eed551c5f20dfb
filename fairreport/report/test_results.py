"""The results of one test as the packet prints them: its table cut to size, its figure, its small groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_test
from fairreport.render.figures import figure_svg
from fairreport.render.views import Row, Sentence, Table, TestView
from fairreport.render.words import Side
from fairreport.report.figure_box import FigureBox, figure_box

PRINTED_ROWS = 40
"""Rows of a table in the packet; the rest stands in groups.csv."""
PORTRAIT_COLUMNS = 8
"""A table with more columns, its first and last included, is printed on a landscape page."""

SHRUNK_FROM, BESIDE_HEIGHT = 250.0, 178.0
"""Figures up to the first height, in points, are shrunk to the second."""
MAIN_ROWS = 8
"""Rows of the figure on the page of the result."""

_SHORTEST_GROUP, _LONGEST_GROUP = 8, 34
_PADDING = 2


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
    widths : tuple of str
        Width of each column in CSS, the group first and the finding last.
    """

    table: Table
    rows: tuple[Row, ...]
    more: str
    widths: tuple[str, ...]

    @property
    def is_wide(self) -> bool:
        """Whether it needs a landscape page."""
        return len(self.widths) > PORTRAIT_COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallGroup:
    """A group with too few rows: its row, and the reason."""

    row: Row
    n: str
    rate: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResults:
    """What the packet prints about one test.

    Attributes
    ----------
    number, anchor : str
        Such as ``"5.2"`` and ``"test-2"``.
    view : TestView
        The test.
    kind : str
        ``By attribute`` or ``Intersection``.
    table, adjusted : PrintedTable or None
        Its tables.
    figure : FigureBox or None
        Its figure.
    small : tuple of SmallGroup
        Groups with too few rows, at most as many as a table prints.
    more_small : str
        How many further ones stand in the attachment, in words.
    notes : tuple of Sentence
        What to know beside the numbers.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    number: str
    anchor: str
    view: TestView
    kind: str
    table: PrintedTable | None
    adjusted: PrintedTable | None
    figure: FigureBox | None
    small: tuple[SmallGroup, ...]
    more_small: str
    notes: tuple[Sentence, ...]


def results_of(record: TestRecord, view: TestView, *, number: int) -> TestResults:
    """Return what the packet prints about one test."""
    rows = view.table.rows if view.table else ()
    judged = [row for row in rows if row.finding.side is not Side.TOO_FEW]
    small = _small_groups(record, view, [row for row in rows if row.finding.side is Side.TOO_FEW])
    return TestResults(
        number=f"5.{number}",
        anchor=f"test-{number}",
        view=view,
        kind="By attribute" if len(record.test.protected_attribute_columns) == 1 else "Intersection",
        table=printed(view.table, judged) if view.table else None,
        adjusted=printed(view.adjusted, view.adjusted.rows) if view.adjusted else None,
        figure=_figure(record) if view.table else None,
        small=small[:PRINTED_ROWS],
        more_small=_more(len(small) - PRINTED_ROWS),
        notes=view.notes,
    )


def _figure(record: TestRecord) -> FigureBox:
    """Return the figure of a test, a little smaller where that keeps it on the page of its table."""
    natural = figure_box(figure_svg(record))
    if natural.height > SHRUNK_FROM:
        return natural
    return figure_box(natural.svg, highest=BESIDE_HEIGHT)


def lowest_svg(record: TestRecord) -> tuple[str, str]:
    """Return the figure of the lowest ratios and the reference, and how many groups it leaves out, in words."""
    finding = record.finding
    judged = [row for row in finding.groups if row.sufficient]
    if len(judged) <= MAIN_ROWS:
        return figure_svg(record), ""
    kept = [row for row in judged if not row.is_reference][: MAIN_ROWS - 1] + [
        row for row in judged if row.is_reference
    ]
    lowest = replace(record, finding=replace(finding, groups=tuple(kept)))  # type: ignore[arg-type]
    # What the figure says of itself would count its own rows only.
    counted = view_test(lowest).counts_sentence
    said = f"The {formats.plural(len(kept) - 1, 'lowest ratio', 'lowest ratios')} and the reference."
    svg = figure_svg(lowest)
    svg = svg.replace(escape(counted.text), said) if counted else svg
    return svg, formats.plural(len(judged) - len(kept), "further group", "further groups")


def printed(table: Table, rows: Sequence[Row]) -> PrintedTable:
    """Return a table cut to the rows that are printed, the reference always among them."""
    kept = list(rows[:PRINTED_ROWS])
    reference = next((row for row in rows if row.is_reference), None)
    if reference is not None and reference not in kept:
        kept[-1] = reference
    return PrintedTable(
        table=table, rows=tuple(kept), more=_more(len(rows) - len(kept)), widths=column_widths(table, kept)
    )


def _more(n: int) -> str:
    return f"{formats.plural(n, 'further group', 'further groups')} in the attachment groups.csv." if n > 0 else ""


def column_widths(table: Table, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the width of each column as a percentage, from the longest of what stands in it."""
    longest = max([_longest_word(_attribute_heading(table)), _SHORTEST_GROUP, *map(_group_length, rows)])
    widths: list[float] = [min(_LONGEST_GROUP, longest) + _PADDING]
    for position, column in enumerate(table.columns):
        cells = [len(row.cells[position]) for row in rows]
        widths.append(max([_longest_word(column.heading), *cells]) + _PADDING)
    widths.append(max([len("Finding"), *(min(20, len(row.finding.text)) for row in rows)]) + _PADDING)
    total = math.fsum(widths)
    return tuple(f"{100 * width / total:.2f}%" for width in widths)


def _attribute_heading(table: Table) -> str:
    return " / ".join(name.text for name in table.attributes)


def _group_length(row: Row) -> int:
    return len(row.label)


def _longest_word(text: str) -> int:
    return max((len(word) for word in text.split()), default=0)


def _small_groups(record: TestRecord, view: TestView, rows: Sequence[Row]) -> tuple[SmallGroup, ...]:
    if view.table is None:
        return ()
    test, table = record.test, view.table
    groups = [row for row in record.finding.groups if not row.sufficient]
    value = next(i for i, column in enumerate(table.columns) if column.key in {"rate", "value"})
    return tuple(
        SmallGroup(
            row=row,
            n=table.cell(row, "n"),
            rate=row.cells[value],
            reason=_reason(group.n, test.min_group_size, group.share, test.min_group_share),
        )
        for row, group in zip(rows, groups, strict=True)
    )


def _reason(n: int, smallest: int, share: float, smallest_share: float) -> str:
    reasons = []
    if n < smallest:
        reasons.append(f"fewer than {formats.plural(smallest, 'row', 'rows')}")
    else:
        wanted = formats.percent(smallest_share)
        reasons.append(f"{formats.percent(share, 3)} of the evaluated rows, fewer than {wanted}")
    return formats.listed(reasons)
