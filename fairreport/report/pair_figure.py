"""The figure of a test of named pairs: its pairs with their intervals, and the threshold."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from fairreport.analyses.pair_result import PairFinding, PairTable
from fairreport.audit.record import PairRecord
from fairreport.render import formats
from fairreport.render.figures import pair_figure_svg
from fairreport.render.pair_builder import view_pairs
from fairreport.render.pair_tables import PairPrinter
from fairreport.render.pair_view import PairTestView
from fairreport.render.pair_words import GRAVEST, severity_of
from fairreport.report.figure_box import figure_box
from fairreport.report.test_results import BESIDE_HEIGHT, SHRUNK_FROM, Figure

TALLEST = 630.0
"""Height of a figure in points that stands on an upright page of either paper with its caption."""


def pair_figure(record: PairRecord, view: PairTestView) -> Figure | None:
    """Return the figure of a test, a little smaller where that keeps it on one page; None where nothing is drawn."""
    if not any(row.marks.value is not None for row in view.comparisons):
        return None
    svg = pair_figure_svg(record)
    box = figure_box(svg, highest=TALLEST)
    if box.height <= SHRUNK_FROM:
        box = figure_box(svg, highest=BESIDE_HEIGHT)
    return Figure(box=box, caption=_caption(view))


def small_pair_figure(
    record: PairRecord, view: PairTestView, *, rows: int, highest: float, prefix: str
) -> tuple[Figure, str]:
    """Return the figure of a test for a place with little room, and what it leaves out, in words.

    Parameters
    ----------
    record : PairRecord
        The test.
    view : PairTestView
        The same as it prints.
    rows : int
        At most so many pairs and references are drawn, the worst ones; of a pool the worst pair with its segments.
    highest, prefix
        See `figure_box`.
    """
    finding = record.finding
    kept = None if finding is None or view.overview is not None else _cut(record, finding, rows)
    if finding is None or kept is None:
        svg, cut = pair_figure_svg(record), ""
    else:
        fewer = replace(record, finding=kept)
        shown = view_pairs(fewer)
        rest = view.counts.compared - shown.counts.compared
        svg = pair_figure_svg(fewer)
        if shown.counts_sentence is not None:  # what the figure says of itself would count its own rows only
            svg = svg.replace(escape(shown.counts_sentence.text), "The worst pairs.")
        cut = formats.plural(rest, "further comparison", "further comparisons") if rest > 0 else ""
    return Figure(box=figure_box(svg, highest=highest, prefix=prefix), caption=_caption(view)), cut


def _caption(view: PairTestView) -> str:
    axis = view.tables[0].table.axis if view.tables else None
    if axis is None:
        return "No pair could be drawn."
    if view.overview is not None:
        what = ", a curve a pair over all levels"
    elif view.pooled is not None:
        what = ", each pair pooled, and each of its segments with its interval"
    else:
        what = ", each group against its reference"
        if any(row.marks.low is not None for it in view.tables for row in it.table.rows):
            what += ", with its interval"
    if axis.threshold is None:
        return f"{axis.label}{what}."
    return f"{axis.label}{what}; the dashed line marks the threshold {axis.threshold_text}."


def _cut(record: PairRecord, finding: PairFinding, most: int) -> PairFinding | None:
    """Return a finding of the worst pairs only; None where all have room."""
    printer = PairPrinter(record.test, finding)
    if finding.pooled:
        if len(finding.pooled) * (1 + len(finding.tables)) <= most:
            return None
        worst = min(
            finding.pooled,
            key=lambda row: (GRAVEST.index(printer.words(row).kind), severity_of(row.air, printer.bars)),
        )
        tables = [_of_pair(table, worst.group, worst.reference_group, worst.group_category) for table in finding.tables]
        shared = [table for table in tables if len(table.rows) > 1]
        return replace(finding, pooled=(worst,), tables=tuple(shared[: most - 1]))
    first = finding.tables[0]
    if len(first.rows) <= most:
        return None
    pairs = [row for row in first.rows if not row.is_reference]
    chosen: list[int] = []
    for row in sorted(
        pairs,
        key=lambda it: (
            GRAVEST.index(printer.words(it).kind),
            severity_of(printer.judged(it)[0], printer.bars),
        ),
    ):
        trial = [*chosen, id(row)]
        held = {(it.group_category, it.reference_group) for it in pairs if id(it) in trial}
        if len(trial) + len(held) <= most:
            chosen = trial
    held = {(it.group_category, it.reference_group) for it in pairs if id(it) in chosen}
    rows = [
        row for row in first.rows if id(row) in chosen or (row.is_reference and (row.group_category, row.group) in held)
    ]
    return replace(finding, tables=(replace(first, rows=tuple(rows)),))


def _of_pair(table: PairTable, group: str, reference: str, category: str) -> PairTable:
    rows = [
        row
        for row in table.rows
        if row.group_category == category
        and (row.group == reference if row.is_reference else (row.group, row.reference_group) == (group, reference))
    ]
    return replace(table, rows=tuple(rows))
