"""The distributions of the scores of a test: a group a row, on one axis, with the medians."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from fairreport.render import formats
from fairreport.render.distribution import Distribution, Ridge
from fairreport.render.figure_marks import (
    SIZE,
    clear,
    draw_bands,
    draw_legend,
    draw_numbers,
    letter_rows,
    lettered,
    marker,
    write_beside,
)
from fairreport.render.figure_style import FAINT, INK, shown_colour

_BASE, _HEIGHT = 0.3, 0.74
_LIGHT, _DARK, _SMALL = "#c9d3dc", "#5b7f9f", "#e8e8e8"
_FIRST_LINE, _LINE = 17.0, 11.5


def draw_ridges(
    axes: Axes, shown: Distribution, *, names: bool = True, legend: bool = True, placeholders: bool = False
) -> dict[str, str]:
    """Draw distributions and return what each placeholder stands for; none where names are drawn themselves.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    shown : Distribution
        What to draw.
    names, legend : bool
        Whether the rows are named, and the marks explained.
    placeholders : bool
        Write plain words in place of data strings.
    """
    clear(axes)
    axes.set_ylim(len(shown.ridges) - 0.5, -0.5)
    room = 0.02 * (shown.edges[-1] - shown.edges[0])
    axes.set_xlim(shown.edges[0] - room, shown.edges[-1] + room)
    draw_numbers(axes)
    draw_bands(axes, len(shown.ridges))
    above = blended_transform_factory(axes.transData, axes.transAxes)
    axes.axvline(shown.overall_median, color=shown_colour(INK), linewidth=0.9, linestyle=(0, (4, 2)), zorder=3)
    overall = f"overall median {shown.number(shown.overall_median)}"
    middle = (shown.edges[0] + shown.edges[-1]) / 2
    side = "left" if shown.overall_median < middle else "right"
    axes.text(shown.overall_median, 1, overall, transform=above, ha=side, va="bottom", fontsize="medium")
    axes.text(1.015, 1, "median", transform=axes.transAxes, ha="left", va="bottom", fontsize="medium")
    for position, ridge in enumerate(shown.ridges):
        _draw_ridge(axes, position, ridge, shown)
    written = _write_below(axes, shown, placeholders=placeholders)
    if legend:
        draw_legend(axes, shown.rows, 1 + len(shown.lines))
    if names:
        return written | letter_rows(axes, shown.rows, placeholders=placeholders)
    axes.set_yticks([])
    return written


def _draw_ridge(axes: Axes, position: int, ridge: Ridge, shown: Distribution) -> None:
    base = position + _BASE
    tops = [base - _HEIGHT * height for height in ridge.heights]
    if ridge.is_small:
        axes.stairs(tops, shown.edges, baseline=base, fill=True, facecolor=_SMALL, linewidth=0, zorder=1)
    else:
        axes.stairs(tops, shown.edges, baseline=base, fill=True, facecolor=_LIGHT, linewidth=0, zorder=1)
        dark = [top if shown.is_scoring(i) else base for i, top in enumerate(tops)]
        axes.stairs(dark, shown.edges, baseline=base, fill=True, facecolor=_DARK, linewidth=0, zorder=1)
    line = shown_colour(FAINT if ridge.is_small else INK)
    axes.stairs(tops, shown.edges, baseline=base, color=line, linewidth=0.4 if ridge.is_small else 0.6, zorder=2)
    axes.plot([ridge.median] * 2, [base, base - _HEIGHT], color=line, linewidth=1.1, solid_capstyle="butt", zorder=4)
    axes.plot([ridge.median], [base], **marker(ridge.row.finding.kind), zorder=5)
    write_beside(axes, position, shown.number(ridge.median))


def _write_below(axes: Axes, shown: Distribution, *, placeholders: bool) -> dict[str, str]:
    """Write the name of the score and what the drawing means, line by line."""
    name = formats.shortened(shown.score.text, 48)
    letters = lettered([name])
    for line, text in enumerate(("fr-score-0" if placeholders else letters.lines[0], *shown.lines)):
        written = axes.annotate(
            text,
            (0, 0),
            (0, -_FIRST_LINE - line * _LINE),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="left",
            va="top",
            fontsize=SIZE,
            color=shown_colour(INK),
            parse_math=False,
        )
        if not placeholders:
            written.set_fontfamily(letters.families)
    return {"fr-score-0": name} if placeholders else {}
