"""Figures: a dot plot of each test with its intervals and the threshold line. The only user of matplotlib.

Nothing here touches pyplot or leaves a setting changed. A figure that is made here shows itself in a
notebook, and so do its axes: ``run.results[0].plot()`` as the last line of a cell is enough.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import Any

from matplotlib import rc_context, rcParams, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.lines import Line2D
from matplotlib.transforms import blended_transform_factory

from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_test
from fairreport.render.figure_fonts import OTHER_SCRIPTS, Lettering, letter
from fairreport.render.figure_layout import (
    TITLE,
    WIDTH,
    drawn_rows,
    height_of,
    kinds_of,
    label_lines,
    label_of_axis,
    left_out,
    most_lines,
    place_of,
    title_of,
)
from fairreport.render.figure_svg import finish_svg
from fairreport.render.views import Axis, Row, TestView
from fairreport.render.words import Kind

FONTS = "Fairreport Sans, DejaVu Sans, Noto Sans, Arial, sans-serif"
"""Fonts that the text of an SVG figure asks for; whoever shows it adds its own for other scripts."""

_INK, _FAINT = "#1a1a1a", "#8a8a8a"
_BELOW, _MEETS, _OPEN = "#9c2a00", "#00508c", "#4d4d4d"
_MARKERS: dict[Kind, tuple[str, str, bool]] = {
    Kind.BELOW_SIGNIFICANT: ("v", _BELOW, True),
    Kind.BELOW_UNTESTED: ("v", _BELOW, True),
    Kind.BELOW_CHANCE: ("v", _BELOW, False),
    Kind.REACHES_BELOW: ("D", _OPEN, True),
    Kind.AT_OR_ABOVE: ("o", _MEETS, True),
    Kind.REFERENCE: ("o", _INK, False),
    Kind.NOT_ENOUGH_DATA: ("o", _FAINT, False),
    Kind.NOT_TESTED: ("o", _FAINT, False),
}
_SIZES: dict[Any, Any] = {"font.size": 8.0}
_STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    **_SIZES,
    "svg.fonttype": "none",
    "svg.hashsalt": "fairreport",
    "svg.id": None,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_NO_METADATA: dict[str, Any] = {"Creator": None, "Date": None, "Format": None, "Type": None}


class ShownFigure(Figure):
    """A matplotlib Figure that shows itself in a notebook although pyplot knows nothing of it."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=130, facecolor="white", bbox_inches="tight", metadata={"Software": None})
        return buffer.getvalue()


class ShownAxes(Axes):
    """Axes that show their figure in a notebook."""

    def _repr_png_(self) -> bytes | None:
        figure = self.figure.figure  # the outermost one, where these axes stand in a part of a figure
        return figure._repr_png_() if isinstance(figure, ShownFigure) else None


def plot_test(record: TestRecord, ax: Any = None) -> Axes:
    """Return axes with the groups of a test, worst on top, their intervals and the threshold line.

    Parameters
    ----------
    record : TestRecord
        The test.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure of the fitting size where absent. Its figure is ``ax.figure``, with
        ``ax.figure.savefig(...)`` to keep it. In a notebook the returned axes show themselves.

    Returns
    -------
    axes
        With a group per tick; a skipped test has the reason in words and no group.
    """
    view = view_test(record)
    if ax is not None:
        given: Axes = ax
        _draw(given, view)
        return given
    with rc_context(_SIZES):
        figure = ShownFigure(figsize=(WIDTH, height_of(view)))
        axes: Axes = figure.add_axes(place_of(view), axes_class=ShownAxes)
        _draw(axes, view)
    return axes


def plot_run(record: AuditRecord) -> Figure:
    """Return a figure with one panel a test, in the order of the audit."""
    views = [view_test(test) for test in record.tests]
    heights = [TITLE + height_of(view) for view in views]
    with rc_context(_SIZES):
        figure = ShownFigure(figsize=(WIDTH, sum(heights)))
        for position, view in enumerate(views):
            top = sum(heights[:position])
            left, bottom, width, height = place_of(view)
            share = height_of(view) / sum(heights)
            floor = 1 - (top + heights[position]) / sum(heights)
            axes = figure.add_axes((left, floor + bottom * share, width, height * share))
            _draw(axes, view)
            name = _lettered([formats.shortened(view.name.text)])
            above = 1 - top / sum(heights) - 0.5 * TITLE / sum(heights)
            figure.text(0.02, above, name.lines[0], family=name.families, size=10, va="center", parse_math=False)
    return figure


def figure_svg(record: TestRecord) -> str:
    """Return the figure of a test as an SVG element, the same text for the same test on any machine.

    Text stays text: whoever shows the figure chooses fonts that have the characters of the group names.
    No style sheet, no identifier that another figure could have, a title as its first child.
    """
    view = view_test(record)
    with style.context(["default", _STYLE]):
        figure = Figure(figsize=(WIDTH, height_of(view)))
        axes = figure.add_axes(place_of(view))
        names = _draw(axes, view, placeholders=True)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    title = f"{title_of(view)} {view.counts_sentence.text}" if view.counts_sentence else title_of(view)
    return finish_svg(buffer.getvalue(), title=title, names=names, fonts=FONTS, salt=view.name.text)


def _draw(axes: Axes, view: TestView, *, placeholders: bool = False) -> dict[str, str]:
    """Draw a test and return what each placeholder stands for; none where names are drawn themselves."""
    rows = drawn_rows(view)
    axis = view.table.axis if view.table else None
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    if axis is None:
        return _draw_reason(axes, view, placeholders=placeholders)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(axis.low, axis.high)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(label_of_axis(view, axis), color=_INK, parse_math=False)
    if axis.reference is not None:
        axes.axvline(axis.reference, color=_FAINT, linewidth=0.6, zorder=1)
    if axis.threshold is not None:
        axes.axvline(axis.threshold, color=_INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
        above = blended_transform_factory(axes.transData, axes.transAxes)
        axes.text(
            axis.threshold,
            1,
            axis.threshold_text,
            transform=above,
            ha="center",
            va="bottom",
            fontsize="medium",
        )
    for position, row in enumerate(rows):
        _draw_row(axes, position, row, axis)
    _draw_legend(axes, rows, view)
    axes.set_yticks(range(len(rows)), labels=[""] * len(rows))
    if placeholders:
        return _letter_by_placeholder(axes, rows)
    _letter(axes, rows)
    return {}


def _draw_row(axes: Axes, position: int, row: Row, axis: Axis) -> None:
    marker, colour, filled = _MARKERS[row.finding.kind]
    marks = row.marks
    right = blended_transform_factory(axes.transAxes, axes.transData)
    if position % 2:
        axes.axhspan(position - 0.5, position + 0.5, color=_FAINT, alpha=0.1, linewidth=0, zorder=0)
    value = formats.UNDEFINED if marks.value is None else row.figure.rpartition(" ")[2]
    axes.text(1.015, position, value, transform=right, ha="left", va="center", fontsize="medium", parse_math=False)
    if marks.low is not None or marks.high is not None:
        low = axis.low if marks.low is None else max(marks.low, axis.low)
        high = axis.high if marks.high is None else min(marks.high, axis.high)
        axes.plot([low, high], [position, position], color=colour, linewidth=1.4, solid_capstyle="butt", zorder=2)
        if marks.high is None or marks.high > axis.high:
            axes.plot([axis.high], [position], marker=">", markersize=4, color=colour, clip_on=False, zorder=2)
        if marks.low is None or marks.low < axis.low:
            axes.plot([axis.low], [position], marker="<", markersize=4, color=colour, clip_on=False, zorder=2)
    if marks.value is not None:
        shown = min(max(marks.value, axis.low), axis.high)
        axes.plot([shown], [position], **_marker(marker, colour, filled=filled), linestyle="none", zorder=3)


def _marker(marker: str, colour: str, *, filled: bool) -> dict[str, Any]:
    size = {"v": 6.5, "D": 4.8, "o": 5.5}[marker]
    inside = colour if filled else "white"
    return {
        "marker": marker,
        "markersize": size,
        "markerfacecolor": inside,
        "markeredgecolor": colour,
        "markeredgewidth": 1.1,
    }


def _draw_legend(axes: Axes, rows: Sequence[Row], view: TestView) -> None:
    handles = [
        Line2D(
            [],
            [],
            linestyle="none",
            label=words.word,
            **_marker(*_MARKERS[words.kind][:2], filled=_MARKERS[words.kind][2]),
        )
        for words in kinds_of(rows)
    ]
    figure = axes.figure.figure
    inches = axes.get_window_extent().height / figure.dpi
    down = -(0.42 + (0.15 if left_out(view) else 0.0)) * rcParams["font.size"] / _SIZES["font.size"] / inches
    axes.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0, down), ncols=2, frameon=False, borderpad=0,
        borderaxespad=0, handletextpad=0.2, columnspacing=1.5, labelspacing=0.35, fontsize="medium",
    )  # fmt: skip


def _draw_reason(axes: Axes, view: TestView, *, placeholders: bool) -> dict[str, str]:
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    reason = f"{view.state.word}: {view.headline.text}"
    shown = "fr-reason-0" if placeholders else _lettered([reason]).lines[0]
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


def _letter(axes: Axes, rows: Sequence[Row]) -> None:
    """Write the names at the ticks, in fonts that have their characters."""
    labels = ["\n".join(label_lines(row, most=most_lines(rows))) for row in rows]
    letters: Lettering = _lettered(labels)
    axes.set_yticks(range(len(rows)), labels=letters.lines, family=letters.families, parse_math=False)


def _letter_by_placeholder(axes: Axes, rows: Sequence[Row]) -> dict[str, str]:
    """Write plain words where the names will stand, so that no font here need have their characters."""
    names: dict[str, str] = {}
    left = blended_transform_factory(axes.transAxes, axes.transData)
    for position, row in enumerate(rows):
        lines = label_lines(row, most=most_lines(rows))
        for line, text in enumerate(lines):
            placeholder = f"fr-name-{position}-{line}"
            names[placeholder] = text
            up = (len(lines) - 1) * 4.8 - line * 9.6
            axes.annotate(
                placeholder,
                (-0.015, position),
                (0, up),
                xycoords=left,
                textcoords="offset points",
                ha="right",
                va="center",
            )
    return names


def _lettered(texts: Sequence[str]) -> Lettering:
    """Return texts with the installed fonts that have their characters."""
    installed = set(fontManager.get_font_names())
    return letter(texts, list(rcParams["font.family"]), [it for it in OTHER_SCRIPTS if it in installed], _characters)


@cache
def _characters(family: str) -> frozenset[int]:
    return frozenset(get_font(findfont(FontProperties(family=[family]))).get_charmap())
