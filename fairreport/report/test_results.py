"""The results of one test as the packet prints them: its table cut to size, its figure, its small groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_test
from fairreport.render.figures import distribution_svg, figure_svg
from fairreport.render.views import Name, Row, Sentence, TestView
from fairreport.render.words import Side
from fairreport.report.figure_box import FigureBox, figure_box
from fairreport.report.printed_table import PRINTED_ROWS, PrintedTable, further_groups, printed
from fairreport.report.used import holds_against_labels

SHRUNK_FROM, BESIDE_HEIGHT = 250.0, 166.0
"""Figures up to the first height, in points, are shrunk to the second."""
HALF_WIDTH = 333.0
"""Width of each of two figures side by side, in points: what a Letter page has for them, and an A4 page as well."""
MAIN_ROWS = 8
"""Rows of the figure on the page of the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallGroup:
    """A group with too few rows: its row, and the reason."""

    row: Row
    n: str
    rate: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with what it shows."""

    box: FigureBox
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResults:
    """What the packet prints about one test.

    Attributes
    ----------
    number, anchor : str
        Such as ``"5.2"`` and ``"test-2"``; tests of section 7 hold something against what really happened.
    view : TestView
        The test.
    kind : str
        ``By attribute`` or ``Intersection``.
    table, adjusted : PrintedTable or None
        Its tables.
    figures : tuple of Figure
        Its figure, and the distributions of a score test.
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
    figures: tuple[Figure, ...]
    small: tuple[SmallGroup, ...]
    more_small: str
    notes: tuple[Sentence, ...]
    is_labelled: bool

    @property
    def is_tall(self) -> bool:
        """Whether its figures need an upright page."""
        return any(figure.box.is_tall for figure in self.figures)

    @property
    def first_svg(self) -> str:
        """Its first figure; empty where there is none."""
        return self.figures[0].box.svg if self.figures else ""


def results_of(record: TestRecord, view: TestView, *, number: str, anchor: str) -> TestResults:
    """Return what the packet prints about one test."""
    rows = view.table.rows if view.table else ()
    judged = [row for row in rows if row.finding.side is not Side.TOO_FEW]
    small = _small_groups(record, view, [row for row in rows if row.finding.side is Side.TOO_FEW])
    return TestResults(
        number=number,
        anchor=anchor,
        view=view,
        kind="By attribute" if len(record.test.protected_attribute_columns) == 1 else "Intersection",
        table=printed(view.table, judged) if view.table else None,
        adjusted=printed(view.adjusted, view.adjusted.rows) if view.adjusted else None,
        figures=tuple(_figures(record, view)) if view.table else (),
        small=small[:PRINTED_ROWS],
        more_small=further_groups(len(small) - PRINTED_ROWS),
        notes=view.notes,
        is_labelled=holds_against_labels(record),
    )


def _figures(record: TestRecord, view: TestView) -> Iterator[Figure]:
    """Yield the figures of a test, a little smaller where that keeps them on the page of its table.

    Two figures stand side by side, each on half of a landscape page.
    """
    drawn = replace(view, name=Name.of(record.name))  # a figure names its test as if it stood alone
    svgs = [(figure_svg(record, drawn), figure_caption(view))]
    if view.analysis == "score_disparity":
        svgs.append((distribution_svg(record, drawn), distribution_caption(record)))
    widest = HALF_WIDTH if len(svgs) > 1 else None
    boxes = [figure_box(svg) for svg, _ in svgs]
    if any(box.is_tall for box in boxes):
        widest = None
    for box, (_, caption) in zip(boxes, svgs, strict=True):
        highest = BESIDE_HEIGHT if widest is None and box.height <= SHRUNK_FROM else None
        yield Figure(box=figure_box(box.svg, highest=highest, widest=widest), caption=caption)


def figure_caption(view: TestView) -> str:
    """Return what the figure of a test shows, as the end of a caption."""
    axis = view.table.axis if view.table else None
    if axis is None:
        return ""
    shown = f"{axis.label}, each judged group with its interval"
    if axis.threshold is None:
        return f"{shown}."
    mark = "" if axis.threshold_text[:1].isdigit() else f", {axis.threshold_text}"
    return f"{shown}; the dashed line marks the threshold{mark}."


def distribution_caption(record: TestRecord) -> str:
    """Return what the figure of the distributions of a score test shows."""
    test = record.test
    side = "above" if isinstance(test, ScoreDisparity) and test.higher_is_favorable else "below"
    return (
        f"Scores of each group, their shares on one scale; the dashed line marks the overall median, intervals wholly "
        f"{side} it, on the favorable side, are dark."
    )


def lowest_svg(record: TestRecord, drawn: str | None = None) -> tuple[str, str]:
    """Return the figure of the lowest ratios and the reference, and how many groups it leaves out, in words.

    Parameters
    ----------
    record : TestRecord
        The test.
    drawn : str, optional
        Its whole figure, where it is drawn already.
    """
    finding = record.finding
    judged = [row for row in finding.groups if row.sufficient]
    if len(judged) <= MAIN_ROWS:
        return drawn or figure_svg(record), ""
    kept = [row for row in judged if not row.is_reference][: MAIN_ROWS - 1] + [
        row for row in judged if row.is_reference
    ]
    lowest = replace(record, finding=replace(finding, groups=tuple(kept)))  # type: ignore[arg-type]
    # What the figure says of itself would count its own rows only.
    view = view_test(lowest)
    counted = view.counts_sentence
    others = sum(not row.is_reference for row in kept)
    said = f"The {formats.plural(others, 'lowest ratio', 'lowest ratios')}"
    said += " and the reference." if others < len(kept) else "."
    svg = figure_svg(lowest, view)
    svg = svg.replace(escape(counted.text), said) if counted else svg
    return svg, formats.plural(len(judged) - len(kept), "further group", "further groups")


def _small_groups(record: TestRecord, view: TestView, rows: Sequence[Row]) -> tuple[SmallGroup, ...]:
    if view.table is None:
        return ()
    test, table = record.test, view.table
    groups = [row for row in record.finding.groups if not row.sufficient]
    values = [i for i, column in enumerate(table.columns) if column.key in {"rate", "value"}]
    return tuple(
        SmallGroup(
            row=row,
            n=table.cell(row, "n"),
            rate=row.cells[values[0]] if values else formats.ABSENT,
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
