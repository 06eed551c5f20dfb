"""Figures: a test with its intervals and the threshold line, and the scores behind a score test.

Nothing here touches pyplot or leaves a setting changed. A figure that is made here shows itself in a
notebook, and so do its axes: ``run.results[0].plot()`` as the last line of a cell is enough.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from matplotlib import style as styles
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_entry, view_test
from fairreport.render.distribution import Distribution, distribution_of
from fairreport.render.dot_plot import draw_dots, draw_reason
from fairreport.render.figure_layout import (
    TITLE,
    WIDE,
    WIDTH,
    Frame,
    Panel,
    dot_frame,
    ridge_frame,
    title_of,
)
from fairreport.render.figure_marks import clear, lettered
from fairreport.render.figure_style import sheet, styled, styled_as_given
from fairreport.render.figure_svg import BARE, NO_METADATA, finish_svg
from fairreport.render.gap_builder import view_gaps, view_rule
from fairreport.render.gap_plot import draw_gaps, gap_frame
from fairreport.render.gap_tables import MOST_ROWS
from fairreport.render.pair_builder import view_pairs
from fairreport.render.pair_plot import draw_pairs, pair_panel
from fairreport.render.ridge_plot import draw_ridges
from fairreport.render.views import EntryView, GapTestView, PairTestView, TestView

FONTS = "Fairreport Sans, DejaVu Sans, Noto Sans, Arial, sans-serif"
"""Fonts that the text of an SVG figure asks for; whoever shows it adds its own for other scripts."""


class ShownFigure(Figure):
    """A matplotlib Figure that shows itself in a notebook although pyplot knows nothing of it."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=130, facecolor="auto", bbox_inches="tight", metadata={"Software": None})
        return buffer.getvalue()


class ShownAxes(Axes):
    """Axes that show their figure in a notebook."""

    def _repr_png_(self) -> bytes | None:
        figure = self.figure.figure  # the outermost one, where these axes stand in a part of a figure
        return figure._repr_png_() if isinstance(figure, ShownFigure) else None


def plot_test(record: Entry, ax: Any = None, style: Any = None) -> Axes:
    """Return axes with the groups of a test, worst on top, their intervals and the threshold line.

    Of a test of rate gaps stands, rule by rule, each pair with the bounds of its gap, or each group with its
    interval where the rule is about the worst group, against the bar of the rule; at most 60 rows. Of a test of named
    pairs stands each group against the threshold; of quantiles and categories a curve a pair, at most 6; of segments
    each pair pooled, its segments under it.

    Parameters
    ----------
    record : TestRecord, GapRecord or PairRecord
        The test.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure of the fitting size where absent. Its figure is ``ax.figure``, with
        ``ax.figure.savefig(...)`` to keep it. In a notebook the returned axes show themselves.
    style : str, path, mapping or list of these, optional
        A style of your own, as `matplotlib.style.use` takes it. It lies over what you have set in `rcParams`, and that
        over the style sheet of the package; on given axes the sizes of the sheet do not apply.

    Returns
    -------
    axes
        With a group per tick; a skipped test has the reason in words and no group. The new figure of a score test
        has the distributions of the scores beside them, as the second of ``ax.figure.axes``.
    """
    if isinstance(record, GapRecord):
        return _plot_gaps(view_gaps(record), ax, style)
    if isinstance(record, PairRecord):
        return _plot_pairs(view_pairs(record), ax, style)
    view = view_test(record)
    if ax is not None:
        given: Axes = ax
        with styled_as_given(style):
            draw_dots(given, view)
        return given
    shown = distribution_of(record, view)
    with styled(style):
        if shown is not None:
            return _draw_both(view, shown)
        frame = dot_frame(view)
        figure = ShownFigure(figsize=(WIDTH, frame.height))
        axes: Axes = figure.add_axes(frame.place, axes_class=ShownAxes)
        draw_dots(axes, view)
    return axes


def plot_distribution(record: TestRecord, ax: Any = None, style: Any = None) -> Axes:
    """Return axes with the distribution of the scores of every group of a score test, worst on top.

    The outlines are histograms of the evidence, on one axis and one scale; dashed stands the overall median, and
    each group's own median is marked. Intervals wholly on the favorable side of the overall median are dark.

    Parameters
    ----------
    record : TestRecord
        The test.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure of the fitting size where absent.
    style : str, path, mapping or list of these, optional
        A style of your own; see `plot_test`.

    Raises
    ------
    ValueError
        If the test is no score test.
    """
    view = _score_view(record)
    shown = distribution_of(record, view)
    if ax is not None:
        given: Axes = ax
        with styled_as_given(style):
            _draw_distribution(given, view, shown)
        return given
    frame = _distribution_frame(view, shown)
    with styled(style):
        figure = ShownFigure(figsize=(WIDTH, frame.height))
        axes: Axes = figure.add_axes(frame.place, axes_class=ShownAxes)
        _draw_distribution(axes, view, shown)
    return axes


def _plot_gaps(view: GapTestView, ax: Any, style: Any) -> Axes:
    if ax is not None:
        given: Axes = ax
        with styled_as_given(style):
            draw_gaps(given, view, view.worst_first)
        return given
    frame = gap_frame(view.worst_first)
    with styled(style):
        figure = ShownFigure(figsize=(WIDTH, frame.height))
        axes: Axes = figure.add_axes(frame.place, axes_class=ShownAxes)
        draw_gaps(axes, view, view.worst_first, outdent=frame.names - 0.1)
    return axes


def _plot_pairs(view: PairTestView, ax: Any, style: Any) -> Axes:
    if ax is not None:
        given: Axes = ax
        with styled_as_given(style):
            draw_pairs(given, view)
        return given
    panel = pair_panel(view)
    with styled(style):
        figure = ShownFigure(figsize=(WIDTH, panel.height))
        axes: Axes = figure.add_axes(panel.place, axes_class=ShownAxes)
        draw_pairs(axes, view, outdent=panel.names - 0.1)
    return axes


def _panel(view: EntryView) -> Panel:
    if isinstance(view, GapTestView):
        return gap_frame(view.worst_first)
    return pair_panel(view) if isinstance(view, PairTestView) else dot_frame(view)


def _draw_panel(axes: Axes, view: EntryView, panel: Panel) -> None:
    if isinstance(view, GapTestView):
        draw_gaps(axes, view, view.worst_first, outdent=panel.names - 0.1)
    elif isinstance(view, PairTestView):
        draw_pairs(axes, view, outdent=panel.names - 0.1)
    else:
        draw_dots(axes, view)


def plot_run(record: AuditRecord, style: Any = None) -> Figure:
    """Return a figure with one panel a test, in the order of the audit.

    Parameters
    ----------
    record : AuditRecord
        The audit.
    style : str, path, mapping or list of these, optional
        A style of your own; see `plot_test`.
    """
    views = [view_entry(entry) for entry in record.entries]
    frames = [_panel(view) for view in views]
    heights = [TITLE + frame.height for frame in frames]
    with styled(style):
        figure = ShownFigure(figsize=(WIDTH, sum(heights)))
        for position, (view, frame) in enumerate(zip(views, frames, strict=True)):
            top = sum(heights[:position])
            left, bottom, width, height = frame.place
            share = frame.height / sum(heights)
            floor = 1 - (top + heights[position]) / sum(heights)
            axes = figure.add_axes((left, floor + bottom * share, width, height * share))
            _draw_panel(axes, view, frame)
            name = lettered([formats.shortened(view.name.text)])
            above = 1 - top / sum(heights) - 0.5 * TITLE / sum(heights)
            figure.text(0.02, above, name.lines[0], family=name.families, size=10, va="center", parse_math=False)
    return figure


def figure_svg(record: TestRecord, view: TestView | None = None) -> str:
    """Return the figure of a test as an SVG element, the same text for the same test on any machine.

    Text stays text: whoever shows the figure chooses fonts that have the characters of the group names.
    No style sheet, no identifier that another figure could have, a title as its first child.

    Parameters
    ----------
    record : TestRecord
        The test.
    view : TestView, optional
        Its view, where there is one already: of many groups it takes as long as the figure.
    """
    view = view or view_test(record)
    title = f"{title_of(view)} {view.counts_sentence.text}" if view.counts_sentence else title_of(view)
    return _svg(
        dot_frame(view), lambda axes: draw_dots(axes, view, placeholders=True), title=title, salt=view.name.text
    )


def gap_figure_svg(record: GapRecord, rule: RuleFinding | int, *, rows: int = MOST_ROWS) -> str:
    """Return the figure of one rule of a test of rate gaps as an SVG element; see `figure_svg`.

    Parameters
    ----------
    record : GapRecord
        The test.
    rule : RuleFinding or int
        One of its rules, or the position of one.
    rows : int
        At most so many pairs or groups are drawn, the worst ones; the axis says how many are not.
    """
    found = record.finding.rules[rule] if isinstance(rule, int) else rule
    shown = view_rule(record, found).cut(rows)
    view = view_gaps(replace(record, finding=replace(record.finding, rules=(found,))))  # not of all rules, for each
    frame = gap_frame([shown])
    return _svg(
        frame,
        lambda axes: draw_gaps(axes, view, [shown], placeholders=True),
        title=f"{shown.deciding.caption.text}: {shown.sentence.text}",
        salt=f"{record.name}\nrule\n{found.id}",
    )


def pair_figure_svg(record: PairRecord) -> str:
    """Return the figure of a test of named pairs as an SVG element; see `figure_svg`.

    Parameters
    ----------
    record : PairRecord
        The test.
    """
    view = view_pairs(record)
    shown = view.table.caption.text if view.table else f"{view.name.short}: {view.headline.text}"
    counts = f". {view.counts_sentence.text}" if view.counts_sentence else ""
    panel = pair_panel(view)
    return _svg(
        panel,
        lambda axes: draw_pairs(axes, view, outdent=panel.names - 0.1, placeholders=True),
        title=f"{shown}{counts}",
        salt=f"{record.name}\npairs",
    )


def distribution_svg(record: TestRecord, view: TestView | None = None) -> str:
    """Return the distributions of the scores of a score test as an SVG element; see `figure_svg`.

    Raises
    ------
    ValueError
        If the test is no score test.
    """
    view = _score_view(record, view)
    shown = distribution_of(record, view)
    return _svg(
        _distribution_frame(view, shown),
        lambda axes: _draw_distribution(axes, view, shown, placeholders=True),
        title=title_of(view) if shown is None else shown.title,
        salt=f"{view.name.text}\ndistribution",
    )


def _svg(frame: Panel, draw: Callable[[Axes], dict[str, str]], *, title: str, salt: str) -> str:
    with styles.context(["default", sheet(), BARE]):
        figure = Figure(figsize=(WIDTH, frame.height))
        names = draw(figure.add_axes(frame.place))
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata=NO_METADATA)
    return finish_svg(buffer.getvalue(), title=title, names=names, fonts=FONTS, salt=salt)


def _draw_both(view: TestView, shown: Distribution) -> Axes:
    """Return the axes of the dot plot in a new figure, the distributions beside it, row by row."""
    frame = ridge_frame(shown.rows, 1 + len(shown.lines))
    figure = ShownFigure(figsize=(WIDE, frame.height))
    left, right = frame.places
    axes: Axes = figure.add_axes(left, axes_class=ShownAxes)
    draw_dots(axes, view, rows=shown.rows, outdent=frame.names - 0.1)
    draw_ridges(figure.add_axes(right, axes_class=ShownAxes), shown, names=False, legend=False)
    return axes


def _draw_distribution(
    axes: Axes, view: TestView, shown: Distribution | None, *, placeholders: bool = False
) -> dict[str, str]:
    if shown is not None:
        return draw_ridges(axes, shown, placeholders=placeholders)
    clear(axes)
    return draw_reason(axes, view, placeholders=placeholders)


def _distribution_frame(view: TestView, shown: Distribution | None) -> Frame:
    return dot_frame(view) if shown is None else ridge_frame(shown.rows, 1 + len(shown.lines))


def _score_view(record: TestRecord, view: TestView | None = None) -> TestView:
    view = view or view_test(record)
    if view.analysis != "score_disparity":
        raise ValueError(f"{record.name!r} is a test of {record.test.analysis}; only score tests have distributions")
    return view
