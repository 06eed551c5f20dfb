"""What all figures have in common: the marks of the findings, the legend, and names in fonts that have them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.lines import Line2D
from matplotlib.transforms import blended_transform_factory

from fairreport.render.figure_fonts import OTHER_SCRIPTS, Lettering, letter
from fairreport.render.figure_layout import Labelled, kinds_of, labels_of, legend_drop, shortened_lines
from fairreport.render.figure_style import BELOW, FAINT, INK, MEETS, OPEN, hollow_colour, shown_colour
from fairreport.render.views import Row
from fairreport.render.words import Kind

SIZE = 8.0
"""Size of text in points."""

MARKERS: dict[Kind, tuple[str, str, bool]] = {
    Kind.BELOW_SIGNIFICANT: ("v", BELOW, True),
    Kind.BELOW_UNTESTED: ("v", BELOW, True),
    Kind.BELOW_CHANCE: ("v", BELOW, False),
    Kind.SMALL_GAP: ("D", BELOW, False),
    Kind.REACHES_BELOW: ("D", OPEN, True),
    Kind.AT_OR_ABOVE: ("o", MEETS, True),
    Kind.REFERENCE: ("o", INK, False),
    Kind.NOT_ENOUGH_DATA: ("o", FAINT, False),
    Kind.NOT_DEFINED: ("o", FAINT, False),
    Kind.NO_RATIO: ("o", FAINT, False),
}
"""Shape, colour of our sheet and filling of each finding's mark: no two findings differ by colour alone."""

_SIZES = {"v": 6.5, "D": 4.8, "o": 5.5}


def marker(kind: Kind) -> dict[str, Any]:
    """Return how matplotlib draws the mark of a finding."""
    shape, _, filled = MARKERS[kind]
    colour = colour_of(kind)
    return {
        "marker": shape,
        "markersize": _SIZES[shape],
        "markerfacecolor": colour if filled else hollow_colour(),
        "markeredgecolor": colour,
        "markeredgewidth": 1.1,
        "linestyle": "none",
    }


def colour_of(kind: Kind) -> str:
    """Return the colour of a finding, in the style that applies."""
    return shown_colour(MARKERS[kind][1])


def clear(axes: Axes) -> None:
    """Take away the sides of a plot that carry nothing."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)


def draw_numbers(axes: Axes) -> None:
    """Write the numbers of the axis whole, in full, with separators and a true minus sign."""
    axes.locator_params(axis="x", nbins=6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}".replace("-", "−"))


def draw_bands(axes: Axes, n: int, first: int = 1) -> None:
    """Tint every second row."""
    for position in range(first, n, 2):
        axes.axhspan(position - 0.5, position + 0.5, color=shown_colour(FAINT), alpha=0.1, linewidth=0, zorder=0)


def write_beside(axes: Axes, position: float, text: str) -> None:
    """Write a number at the right of a row."""
    right = blended_transform_factory(axes.transAxes, axes.transData)
    axes.text(1.015, position, text, transform=right, ha="left", va="center", fontsize="medium", parse_math=False)


def draw_legend(axes: Axes, rows: Sequence[Row], lines: int, *, outdent: float = 0.0) -> None:
    """Explain the marks that occur, under an axis with so many lines of text.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where the marks are.
    rows : sequence of Row
        The rows they stand in.
    lines : int
        Lines of text under the axis.
    outdent : float
        How far left of the axis the legend begins, in inches.
    """
    handles = [Line2D([], [], label=words.key, **marker(words.kind)) for words in kinds_of(rows)]
    extent, dpi = axes.get_window_extent(), axes.figure.figure.dpi
    down = -legend_drop(lines) * rcParams["font.size"] / SIZE / (extent.height / dpi)
    left = -outdent / (extent.width / dpi)
    axes.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(left, down), ncols=2, frameon=False, borderpad=0,
        borderaxespad=0, handletextpad=0.2, columnspacing=1.5, labelspacing=0.35, fontsize="medium",
    )  # fmt: skip


def letter_rows(axes: Axes, rows: Sequence[Labelled], *, placeholders: bool) -> dict[str, str]:
    """Write the names of rows at the left, and return what each placeholder stands for; none for names."""
    if placeholders:
        axes.yaxis.set_visible(False)
        return _letter_by_placeholder(axes, rows)
    axes.set_yticks(range(len(rows)), labels=[""] * len(rows))
    labels = ["\n".join(lines) for lines in labels_of(rows)]
    letters = lettered(labels)
    texts = [shortened_lines(text) for text in letters.lines]
    axes.set_yticks(range(len(rows)), labels=texts, family=letters.families, parse_math=False)
    return {}


def _letter_by_placeholder(axes: Axes, rows: Sequence[Labelled]) -> dict[str, str]:
    """Write plain words where the names will stand, so that no font here need have their characters."""
    names: dict[str, str] = {}
    left = blended_transform_factory(axes.transAxes, axes.transData)
    for position, lines in enumerate(labels_of(rows)):
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


def lettered(texts: Sequence[str]) -> Lettering:
    """Return texts with the installed fonts that have their characters."""
    installed = set(fontManager.get_font_names())
    return letter(texts, list(rcParams["font.family"]), [it for it in OTHER_SCRIPTS if it in installed], _characters)


@cache
def _characters(family: str) -> frozenset[int]:
    return frozenset(get_font(findfont(FontProperties(family=[family]))).get_charmap())
