"""Figures: a dot plot of each test with its intervals and the threshold line. The only user of matplotlib.

Nothing here touches pyplot or leaves a setting changed. A figure that is made here shows itself in a notebook,
and so do its axes: ``run.results[0].plot()`` as the last line of a cell is enough.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import blended_transform_factory

from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_test
from fairreport.render.figure_fonts import Lettering, lettering
from fairreport.render.figure_svg import finish_svg
from fairreport.render.views import Axis, Row, TestView
from fairreport.render.words import FindingWords, Kind, Side

DRAWN_ROWS = 40
"""At most so many groups are drawn, worst first, the reference among them."""
FONTS = "Fairreport Sans, DejaVu Sans, Noto Sans, Arial, sans-serif"
"""Fonts that the text of an SVG figure asks for; whoever shows it adds its own for other scripts."""

_WIDTH = 6.7
_CROWDED = 16
_LINE = 34
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
_STYLE = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8,
    "svg.fonttype": "none",
    "svg.hashsalt": "fairreport",
    "svg.id": None,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}


class ShownFigure(Figure):
    """A matplotlib Figure that shows itself in a notebook although pyplot knows nothing of it."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=110, facecolor="white", bbox_inches="tight", metadata={"Software": None})
        return buffer.getvalue()


class ShownAxes(Axes):
    """Axes that show their figure in a notebook."""

    def _repr_png_(self) -> bytes | None:
        figure = self.get_figure(root=True)
        return figure._repr_png_() if isinstance(figure, ShownFigure) else None  # noqa: SLF001 - our own class


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
    axes = _new_axes(view) if ax is None else ax
    _draw(axes, view)
    return axes


def plot_run(record: AuditRecord) -> Figure:
    """Return a figure with one panel a test, in the order of the audit."""
    views = [view_test(test) for test in record.tests]
    heights = [_height(view) for view in views]
    figure = ShownFigure(figsize=(_WIDTH, sum(heights)), layout="constrained")
    panels = figure.subplots(len(views), 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    for axes, view in zip(panels[:, 0], views, strict=True):
        _draw(axes, view)
        axes.set_title(lettering([formats.shortened(view.name.text)]).lines[0], loc="left", parse_math=False)
    return figure


def figure_svg(record: TestRecord) -> str:
    """Return the figure of a test as an SVG element, the same text for the same test on any machine.

    Text stays text: whoever shows the figure chooses fonts that have the characters of the group names.
    No style sheet, no identifier that another figure could have, a title as its first child.
    """
    view = view_test(record)
    rows = _drawn(view)
    with style.context(["default", _STYLE]):
        figure = Figure(figsize=(_WIDTH, _height(view)))
        axes = figure.add_axes(_place(view))
        names = _draw(axes, view, placeholders=True)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    title = f"{_title(view)} {view.counts_sentence.text}" if view.counts_sentence else _title(view)
    return finish_svg(buffer.getvalue(), title=title, names=names if rows else {}, fonts=FONTS, salt=view.name.text)


def _title(view: TestView) -> str:
    if view.table is None:
        return f"{view.name.short}: {view.headline.text}"
    by = formats.listed(name.short for name in view.table.attributes)
    return f"{view.table.axis.label if view.table.axis else 'Values'} by {by}, with intervals."


def _new_axes(view: TestView) -> Axes:
    figure = ShownFigure(figsize=(_WIDTH, _height(view)), layout="constrained")
    return figure.add_subplot(axes_class=ShownAxes)


def _drawn(view: TestView) -> list[Row]:
    """Return the judged groups and the reference, worst first; the rest is said in words."""
    if view.table is None:
        return []
    rows = [row for row in view.table.rows if row.finding.side is not Side.TOO_FEW]
    if len(rows) <= DRAWN_ROWS:
        return rows
    others = [row for row in rows if not row.is_reference]
    return [*others[: DRAWN_ROWS - 1], *(row for row in rows if row.is_reference)]


def _pitch(rows: Sequence[Row]) -> float:
    """Return the height of a row in inches."""
    if len(rows) > _CROWDED:
        return 0.19
    return 0.34 if any(len(row.label) > _LINE for row in rows) else 0.25


_ABOVE = 0.24


def _below(view: TestView) -> float:
    """Return the height under the rows in inches: the axis, its label and the legend."""
    return 0.5 + 0.17 * -(-len(_kinds(_drawn(view))) // 2) + (0.15 if _left_out(view) else 0.0)


def _height(view: TestView) -> float:
    rows = _drawn(view)
    return _ABOVE + _below(view) + max(len(rows), 1) * _pitch(rows)


def _place(view: TestView) -> tuple[float, float, float, float]:
    """Return the box of the axes as fractions of the figure: left, bottom, width, height."""
    height, rows = _height(view), _drawn(view)
    longest = max((min(len(row.label), _LINE) for row in rows), default=0)
    left = (0.3 + 0.064 * longest) / _WIDTH
    return left, _below(view) / height, 1 - left - 0.62 / _WIDTH, 1 - (_below(view) + _ABOVE) / height


def _draw(axes: Axes, view: TestView, *, placeholders: bool = False) -> dict[str, str]:
    """Draw a test and return what each placeholder stands for; there is none where names are drawn themselves."""
    rows = _drawn(view)
    axis = view.table.axis if view.table else None
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    if axis is None:
        return _draw_reason(axes, view, placeholders=placeholders)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(axis.low, axis.high)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(_xlabel(view, axis), color=_INK, parse_math=False)
    if axis.reference is not None:
        axes.axvline(axis.reference, color=_FAINT, linewidth=0.6, zorder=1)
    if axis.threshold is not None:
        axes.axvline(axis.threshold, color=_INK, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
        above = blended_transform_factory(axes.transData, axes.transAxes)
        axes.text(axis.threshold, 1, axis.threshold_text, transform=above, ha="center", va="bottom", fontsize="medium")
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
    return {"marker": marker, "markersize": size, "markerfacecolor": inside, "markeredgecolor": colour, "markeredgewidth": 1.1}


def _kinds(rows: Sequence[Row]) -> list[FindingWords]:
    """Return each finding that occurs, once, in the order of gravity."""
    found = {row.finding.kind: row.finding for row in rows}
    return [found[kind] for kind in Kind if kind in found]


def _draw_legend(axes: Axes, rows: Sequence[Row], view: TestView) -> None:
    handles = [
        Line2D([], [], linestyle="none", label=words.word, **_marker(*_MARKERS[words.kind][:2], filled=_MARKERS[words.kind][2]))
        for words in _kinds(rows)
    ]
    down = -(0.42 + (0.15 if _left_out(view) else 0.0)) / (len(rows) * _pitch(rows))
    axes.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0, down), ncols=2, frameon=False, borderpad=0,
        borderaxespad=0, handletextpad=0.2, columnspacing=1.5, labelspacing=0.35, fontsize="medium",
    )  # fmt: skip


def _left_out(view: TestView) -> str:
    """Return what is not drawn, in words."""
    small = view.counts.too_few
    rest = len(view.table.rows) - small - len(_drawn(view)) if view.table else 0
    parts = []
    if rest:
        parts.append(f"{formats.plural(rest, 'further group', 'further groups')}")
    if small:
        parts.append(f"{formats.plural(small, 'group', 'groups')} with not enough data")
    return f"not drawn: {formats.listed(parts)}" if parts else ""


def _xlabel(view: TestView, axis: Axis) -> str:
    left_out = _left_out(view)
    return f"{axis.label}\n{left_out}" if left_out else axis.label


def _draw_reason(axes: Axes, view: TestView, *, placeholders: bool) -> dict[str, str]:
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines["bottom"].set_visible(False)
    reason = f"{view.state.word}: {view.headline.text}"
    shown = "fr-reason-0" if placeholders else lettering([reason]).lines[0]
    axes.text(0, 0.5, shown, transform=axes.transAxes, ha="left", va="center", parse_math=False, wrap=not placeholders)
    return {"fr-reason-0": reason}


def _lines(row: Row, *, most: int) -> list[str]:
    """Return the label of a row in at most so many lines."""
    label = formats.shortened(row.label, most * _LINE)
    if len(label) <= _LINE:
        return [label]
    if most == 1:
        return [formats.shortened(label, _LINE)]
    space = label.rfind(" ", len(label) - _LINE, _LINE + 1)
    cut = space if space > 0 else _LINE
    return [label[:cut].rstrip(), label[cut:].strip()]


def _most_lines(rows: Sequence[Row]) -> int:
    return 1 if len(rows) > _CROWDED else 2


def _letter(axes: Axes, rows: Sequence[Row]) -> None:
    """Write the names at the ticks, in fonts that have their characters."""
    labels = ["\n".join(_lines(row, most=_most_lines(rows))) for row in rows]
    letters: Lettering = lettering(labels)
    axes.set_yticks(range(len(rows)), labels=letters.lines, family=letters.families, parse_math=False)


def _letter_by_placeholder(axes: Axes, rows: Sequence[Row]) -> dict[str, str]:
    """Write plain words where the names will stand, so that no font here need have their characters."""
    names: dict[str, str] = {}
    left = blended_transform_factory(axes.transAxes, axes.transData)
    for position, row in enumerate(rows):
        lines = _lines(row, most=_most_lines(rows))
        for line, text in enumerate(lines):
            placeholder = f"fr-name-{position}-{line}"
            names[placeholder] = text
            up = (len(lines) - 1) * 4.8 - line * 9.6
            axes.annotate(
                placeholder, (-0.015, position), (0, up), xycoords=left, textcoords="offset points", ha="right", va="center"
            )
    return names
