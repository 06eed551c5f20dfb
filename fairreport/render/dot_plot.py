"""The dot plot of a test: a group a row, with its interval, the threshold line and the comparison line."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from fairreport.render.figure_layout import drawn_rows, label_of_axis, left_out
from fairreport.render.figure_marks import (
    clear,
    colour_of,
    draw_bands,
    draw_legend,
    draw_numbers,
    letter_rows,
    lettered,
    marker,
    write_beside,
)
from fairreport.render.figure_style import FAINT, INK, shown_colour
from fairreport.render.views import Axis, EntryView, Row, TestView
from fairreport.render.words import Side


def draw_dots(
    axes: Axes,
    view: TestView,
    *,
    rows: Sequence[Row] | None = None,
    outdent: float = 0.0,
    placeholders: bool = False,
) -> dict[str, str]:
    """Draw a test and return what each placeholder stands for; none where names are drawn themselves.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    view : TestView
        The test.
    rows : sequence of Row, optional
        The groups to draw; the judged ones where absent.
    outdent : float
        How far left of the axis the legend begins, in inches.
    placeholders : bool
        Write plain words in place of the names.
    """
    clear(axes)
    axis = view.table.axis if view.table else None
    if axis is None:
        return draw_reason(axes, view, placeholders=placeholders)
    drawn = drawn_rows(view) if rows is None else rows
    axes.set_ylim(len(drawn) - 0.5, -0.5)
    axes.set_xlim(axis.low, axis.high)
    draw_numbers(axes)
    axes.set_xlabel(label_of_axis(view, axis, drawn), color=shown_colour(INK), parse_math=False)
    draw_lines(axes, axis, is_labelled=not any(row.is_reference for row in drawn))
    draw_bands(axes, len(drawn))
    for position, row in enumerate(drawn):
        draw_row(axes, position, row, axis)
    draw_legend(axes, drawn, 1 + bool(left_out(view, drawn)), outdent=outdent)
    return letter_rows(axes, drawn, placeholders=placeholders)


def draw_reason(axes: Axes, view: EntryView, *, placeholders: bool) -> dict[str, str]:
    """Write why nothing is drawn, and return what a placeholder stands for."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    reason = f"{view.state.word}: {view.headline.text}"
    shown = "fr-reason-0" if placeholders else lettered([reason]).lines[0]
    axes.text(
        0,
        0.5,
        shown,
        transform=axes.transAxes,
        ha="left",
        va="center",
        parse_math=False,
        wrap=not placeholders,
    )
    return {"fr-reason-0": reason}


def draw_lines(axes: Axes, axis: Axis, *, is_labelled: bool) -> None:
    """Draw the comparison line, named where no row stands on it, and the threshold line."""
    point, mark = axis.reference, axis.threshold
    above = blended_transform_factory(axes.transData, axes.transAxes)
    side = "center"
    if point is not None:
        axes.axvline(point, color=shown_colour(FAINT), linewidth=0.6, zorder=1)
    if point is not None and is_labelled:
        side, other = ("right", "left") if mark is None or mark < point else ("left", "right")
        axes.text(point, 1, axis.reference_text, transform=above, ha=other, va="bottom", fontsize="medium")
    if mark is not None:
        axes.axvline(mark, color=shown_colour(INK), linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
        axes.text(mark, 1, axis.threshold_text, transform=above, ha=side, va="bottom", fontsize="medium")


def draw_row(axes: Axes, position: int, row: Row, axis: Axis) -> None:
    """Draw one group: its interval, its mark, and its number at the right."""
    marks, kind = row.marks, row.finding.kind
    if row.finding.side is Side.TOO_FEW:
        left = blended_transform_factory(axes.transAxes, axes.transData)
        axes.text(0.015, position, row.finding.word, transform=left, ha="left", va="center", fontsize="medium")
        return
    write_beside(axes, position, row.figure.rpartition(" ")[2])
    draw_interval(axes, position, row, axis.low, axis.high)
    if marks.value is not None:
        shown = min(max(marks.value, axis.low), axis.high)
        axes.plot([shown], [position], **marker(kind), zorder=3)


def draw_interval(axes: Axes, position: int, row: Row, start: float, end: float) -> None:
    """Draw the interval of a row from one end of the axis to the other at most, an arrow where it goes on."""
    marks, colour = row.marks, colour_of(row.finding.kind)
    if marks.low is None and marks.high is None:
        return
    low = start if marks.low is None else min(max(marks.low, start), end)
    high = end if marks.high is None else max(min(marks.high, end), start)
    axes.plot([low, high], [position, position], color=colour, linewidth=1.4, solid_capstyle="butt", zorder=2)
    if marks.high is None or marks.high > end:
        axes.plot([end], [position], marker=">", markersize=4, color=colour, clip_on=False, zorder=2)
    if marks.low is None or marks.low < start:
        axes.plot([start], [position], marker="<", markersize=4, color=colour, clip_on=False, zorder=2)
