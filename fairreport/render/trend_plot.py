"""The figure of a test over its windows: small multiples of lines with their intervals, on one axis of time.

Measurements that are held against something stand first, each on its own scale with its bar dashed; then the groups,
all on one scale, with the windows of the baseline tinted and its rate dotted. A line breaks where a window has no rows
or is missing.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from matplotlib import rc_context, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fairreport.audit.trend import TestTrend, Trends
from fairreport.errors import nearest
from fairreport.render import formats
from fairreport.render.figure_layout import WIDTH, fitted
from fairreport.render.figure_marks import SIZE, clear, lettered
from fairreport.render.figure_style import BELOW, FAINT, INK, MEETS, OPEN
from fairreport.render.figure_svg import BARE, NO_METADATA, finish_svg
from fairreport.render.figures import FONTS, ShownFigure
from fairreport.render.spark import Point, range_of
from fairreport.render.trend_view import group_points, places_of, segments_of, value_points
from fairreport.render.trend_words import state_of
from fairreport.render.words import State

VALUES, GROUPS = 3, 21
"""At most so many measurements and groups are drawn, the worst of the latest window first."""

_COLUMNS = 3
_PANEL, _STRIP, _FOOT, _NAME, _SIDE = 1.02, 0.5, 0.42, 0.26, 0.34
_DOTTED = 30
_TINT, _BAND = "#e9edf0", "#c9d0d6"
_STATES = {
    "passing": ("o", MEETS, True),
    "failing": ("v", BELOW, True),
    "skipped": ("o", FAINT, False),
    "insufficient_evidence": ("D", OPEN, True),
    "manual_review": ("s", OPEN, False),
}
_STYLE: dict[Any, Any] = BARE | {"font.size": SIZE - 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One series of a figure: its name, its points, and the lines across."""

    name: str
    points: tuple[Point, ...]
    threshold: float | None = None
    baseline: float | None = None
    tinted: tuple[float, float] | None = None
    is_count: bool = False
    low: float
    high: float


def plot_trend(trends: Trends, test: str | int = 0) -> Figure:
    """Return a figure of one test, by name or position; in a notebook it shows itself.

    Raises
    ------
    KeyError
        If there is no test of that name.
    """
    found = _test(trends, test)
    with rc_context({"font.size": SIZE - 1}):
        panels = _panels(trends, found, GROUPS)
        figure = ShownFigure(figsize=(WIDTH, _height(panels)))
        _draw(figure, trends, found, panels, placeholders=False)
    return figure


def trend_svg(trends: Trends, test: TestTrend, *, groups: int = GROUPS) -> str:
    """Return the figure of a test as an SVG element, the same text for the same trends on any machine.

    Parameters
    ----------
    trends : Trends
        What the test is one of.
    test : TestTrend
        The test.
    groups : int
        At most so many groups are drawn.
    """
    panels = _panels(trends, test, groups)
    with style.context(["default", _STYLE]):
        figure = Figure(figsize=(WIDTH, _height(panels)))
        names = _draw(figure, trends, test, panels, placeholders=True)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata=NO_METADATA)
    title = (
        f"{formats.printable(test.series.name)} over {len(trends.windows):,} windows: statuses, measurements, groups"
    )
    return finish_svg(buffer.getvalue(), title=title, names=names, fonts=FONTS, salt=f"{test.series.name}\ntrend")


def _height(panels: Sequence[Panel]) -> float:
    """Return the height of a figure in inches."""
    rows = -(-len(panels) // _COLUMNS)
    return _STRIP + rows * (_PANEL + _NAME) + _FOOT


def _test(trends: Trends, test: str | int) -> TestTrend:
    if isinstance(test, int):
        return trends.tests[test]
    names = [trend.series.name for trend in trends.tests]
    if test not in names:
        raise KeyError(f"no test is named {test!r}.{nearest(test, names)}")
    return trends.tests[names.index(test)]


def _panels(trends: Trends, test: TestTrend, most: int) -> list[Panel]:
    places = places_of(trends)
    found = []
    for series in [it for it in test.series.values if it.threshold is not None][:VALUES]:
        points = value_points(series, places)
        if any(point.value is not None for point in points):
            axis = range_of(points, further=(series.threshold,))
            found.append(
                Panel(
                    name=series.name,
                    points=tuple(points),
                    threshold=series.threshold,
                    is_count=series.name.endswith("Count"),
                    low=axis.low,
                    high=axis.high,
                )
            )
    changes = {change.label: change for change in test.changes}
    groups = [
        (group, changes.get(group.label), group_points(group, places, changes.get(group.label)))
        for group in test.series.groups[:most]
    ]
    axis = range_of([point for _, _, points in groups for point in points])
    for group, change, points in groups:
        chart = None if change is None else change.chart
        tinted = None
        if change is not None and chart is not None:
            tinted = (places[change.baseline[0]], places[change.baseline[-1]])
        baseline = None if chart is None else chart.rate
        found.append(
            Panel(
                name=group.label, points=tuple(points), baseline=baseline, tinted=tinted, low=axis.low, high=axis.high
            )
        )
    return found


def _draw(
    figure: Figure, trends: Trends, test: TestTrend, panels: Sequence[Panel], *, placeholders: bool
) -> dict[str, str]:
    height = _height(panels)
    rows = -(-len(panels) // _COLUMNS)
    names: dict[str, str] = {}
    _draw_strip(figure, trends, test, height)
    wide = (WIDTH - _SIDE * (_COLUMNS + 0.3)) / _COLUMNS
    for position, panel in enumerate(panels):
        row, column = divmod(position, _COLUMNS)
        left = _SIDE + column * (wide + _SIDE)
        top = _STRIP + row * (_PANEL + _NAME) + _NAME
        axes: Axes = figure.add_axes((left / WIDTH, 1 - (top + _PANEL) / height, wide / WIDTH, _PANEL / height))
        _draw_panel(axes, panel, test)
        is_last = row == rows - 1 or position + _COLUMNS >= len(panels)
        _draw_dates(axes, trends, labels=is_last)
        text = fitted(formats.printable(panel.name), wide)
        shown = lettered([text])
        if placeholders:
            names[f"fr-trend-{position}"] = text
        figure.text(
            left / WIDTH,
            1 - (top - 0.06) / height,
            f"fr-trend-{position}" if placeholders else shown.lines[0],
            family=None if placeholders else shown.families,
            va="bottom",
            parse_math=False,
        )
    return names


def _draw_strip(figure: Figure, trends: Trends, test: TestTrend, height: float) -> None:
    """Draw what the test came to in each window, by shape, with a legend of the shapes that occur."""
    axes: Axes = figure.add_axes((_SIDE / WIDTH, 1 - 0.2 / height, 1 - 1.3 * _SIDE / WIDTH, 0.12 / height))
    axes.set_axis_off()
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-1, 1)
    places = places_of(trends)
    size = 5.0 if len(places) <= _DOTTED else 2.6
    statuses = list(test.series.statuses)
    seen: dict[str, State] = {}
    for key, (shape, colour, filled) in _STATES.items():
        at = [place for place, status in zip(places, statuses, strict=True) if status == key]
        if at:
            axes.plot(
                at,
                [0.0] * len(at),
                shape,
                markersize=size,
                markerfacecolor=colour if filled else "white",
                markeredgecolor=colour,
                linestyle="none",
                clip_on=False,
            )
            state = state_of(key)
            if state is not None:
                seen[key] = state
    left = _SIDE / WIDTH
    for key, state in seen.items():
        shape, colour, filled = _STATES[key]
        y = 1 - 0.36 / height
        mark: Axes = figure.add_axes((left, y - 0.05 / height, 0.12 / WIDTH, 0.1 / height))
        mark.set_axis_off()
        face = colour if filled else "white"
        mark.plot([0], [0], shape, markersize=5, markerfacecolor=face, markeredgecolor=colour)
        figure.text(left + 0.16 / WIDTH, y, state.word, va="center")
        left += (0.16 + 0.075 * len(state.word) + 0.22) / WIDTH


def _draw_panel(axes: Axes, panel: Panel, test: TestTrend) -> None:
    clear(axes)
    axes.set_xlim(-0.02, 1.02)
    room = 0.16 * (panel.high - panel.low)
    axes.set_ylim(panel.low - room, panel.high + room)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=3, integer=panel.is_count))
    axes.tick_params(axis="y", labelsize=SIZE - 2, pad=1)
    axes.grid(axis="y", color=_TINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if panel.tinted is not None:
        axes.axvspan(*panel.tinted, color=_TINT, linewidth=0, zorder=0)
    if panel.baseline is not None:
        axes.axhline(panel.baseline, color=INK, linewidth=0.7, linestyle=(0, (1, 2.5)))
    if panel.threshold is not None:
        axes.axhline(panel.threshold, color=INK, linewidth=0.8, linestyle=(0, (5, 3)))
    few = len(panel.points) <= _DOTTED
    for segment in segments_of(panel.points, test):
        at, values = _drawn(segment)
        _draw_intervals(axes, segment)
        axes.plot(at, values, color=INK, linewidth=1.0, marker="o" if few or len(at) == 1 else None, markersize=2.6)
    axes.plot(
        *_drawn([point for point in panel.points if point.mark]),
        "v",
        color=BELOW,
        markersize=4.4 if few else 2.4,
        linestyle="none",
    )
    for turn, shape, y in (("higher", "^", 0.94), ("lower", "v", 0.06)):
        at = [point.at for point in panel.points if point.signal == turn]
        axes.plot(
            at,
            [y] * len(at),
            shape,
            markersize=4.6 if few else 3.4,
            markerfacecolor="white",
            markeredgecolor=MEETS,
            linestyle="none",
            transform=axes.get_xaxis_transform(),
            clip_on=False,
        )


def _drawn(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    """Return times and values of the points that have one."""
    known = [(point.at, point.value) for point in points if point.value is not None]
    return [at for at, _ in known], [value for _, value in known]


def _draw_intervals(axes: Axes, segment: Sequence[Point]) -> None:
    known = [(p.at, p.low, p.high) for p in segment if p.low is not None and p.high is not None]
    if len(known) == 1:
        at, low, high = known[0]
        axes.vlines([at], [low], [high], color=FAINT, linewidth=2.0, alpha=0.5)
    elif known:
        axes.fill_between([k[0] for k in known], [k[1] for k in known], [k[2] for k in known], color=_BAND, linewidth=0)


def _draw_dates(axes: Axes, trends: Trends, *, labels: bool) -> None:
    """Write the end of the first and of the latest window under a panel."""
    dated = [window.end for window in trends.windows if window.end is not None]
    axes.set_xticks([0.0, 1.0] if len(set(dated)) > 1 else [0.5])
    if not labels or not dated:
        axes.set_xticklabels([])
        return
    ends = [dated[0], dated[-1]] if len(set(dated)) > 1 else [dated[0]]
    axes.set_xticklabels([_date(end) for end in ends], fontsize=SIZE - 2)
    if len(ends) > 1:
        first, last = axes.get_xticklabels()
        first.set_horizontalalignment("left")
        last.set_horizontalalignment("right")


def _date(text: str) -> str:
    found = datetime.fromisoformat(text)
    return (found.replace(tzinfo=UTC) if found.tzinfo is None else found).strftime("%Y-%m-%d")
