"""The plot of named pairs: a row a group against its threshold, or a pair pooled on top of its segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.transforms import blended_transform_factory

from fairreport.render import formats
from fairreport.render.dot_plot import draw_lines, draw_reason, draw_row
from fairreport.render.figure_layout import WIDTH, Frame, Panel, fitted, frame_of, width_of
from fairreport.render.figure_marks import (
    SIZE,
    clear,
    colour_of,
    draw_bands,
    draw_legend,
    draw_numbers,
    letter_rows,
    lettered,
    write_beside,
)
from fairreport.render.pair_curves import CurvePanel, curves_of, draw_curves
from fairreport.render.pair_view import PairTestView
from fairreport.render.phrases import Name
from fairreport.render.table_view import Axis, Row

MOST_ROWS = 60
"""At most so many rows are drawn."""
_FEWEST = 3
_NAME = 60
_WIDEST = WIDTH - 0.3
"""Width of a heading at most, in inches."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that names the pair of the rows under it; its own place at the left is empty."""

    text: str
    label: str = ""


Drawn = Row | Heading


def pair_panel(view: PairTestView) -> Panel:
    """Return the size of the plot of a test of named pairs."""
    if view.overview is not None:
        return CurvePanel(curves=curves_of(view))
    drawn = _drawn(view)
    rows = [row for row in drawn if isinstance(row, Row)]
    return frame_of(drawn, rows, 1 + bool(_missing(view, rows))) if drawn else Frame(rows=(), pitch=0.25, below=0.5)


def draw_pairs(axes: Axes, view: PairTestView, *, outdent: float = 0.0, placeholders: bool = False) -> dict[str, str]:
    """Draw a test of named pairs and return what each placeholder stands for; none where names are drawn themselves.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    view : PairTestView
        The test.
    outdent : float
        How far left of the axis headings and legend begin, in inches.
    placeholders : bool
        Write plain words in place of the names.
    """
    clear(axes)
    drawn, axis = _drawn(view), _axis(view)
    if not drawn or axis is None:
        return draw_reason(axes, view, placeholders=placeholders)
    if view.overview is not None:
        return draw_curves(axes, view, axis, outdent=outdent, placeholders=placeholders)
    rows = [row for row in drawn if isinstance(row, Row)]
    missing = _missing(view, rows)
    axes.set_ylim(len(drawn) - 0.5, -0.5)
    axes.set_xlim(axis.low, axis.high)
    draw_numbers(axes)
    axes.set_xlabel(f"{axis.label}\n{missing}" if missing else axis.label, parse_math=False)
    draw_lines(axes, axis, is_labelled=not any(row.is_reference for row in rows))
    _interrupt_lines(axes, drawn, axis, outdent)
    draw_bands(axes, len(drawn))
    pooled = {id(row) for row in rows if view.pooled and row.group and row.group[0].text.startswith(_POOLED)}
    names: dict[str, str] = {}
    number = 0
    for position, row in enumerate(drawn):
        if isinstance(row, Heading):
            names |= _write_heading(axes, row, position, number, outdent, placeholders=placeholders)
            number += 1
        elif id(row) in pooled:
            _draw_diamond(axes, position, row, axis)
        else:
            draw_row(axes, position, row, axis)
    draw_legend(axes, rows, 1 + bool(missing), outdent=outdent)
    return names | letter_rows(axes, drawn, placeholders=placeholders)


_POOLED = "Pooled, "


def _axis(view: PairTestView) -> Axis | None:
    return view.tables[0].table.axis if view.tables else None


def _drawn(view: PairTestView) -> list[Drawn]:
    """Return everything that takes a row."""
    if view.pooled is not None:
        return _forest(view)
    if not view.tables:
        return []
    rows = view.tables[0].table.rows
    if len(rows) > MOST_ROWS:
        references = sum(row.is_reference for row in rows)
        kept = view.comparisons[: max(_FEWEST, MOST_ROWS - references)]
        rows = tuple(row for row in rows if row.is_reference or row in kept)[:MOST_ROWS]
    return [_plain(row) for row in rows]


def _forest(view: PairTestView) -> list[Drawn]:
    """Return each pair pooled, its segments under it in their order; the worst pairs where not all have room."""
    pooled = view.pooled.table.rows if view.pooled else ()
    segments = [table for table in view.tables if table.name is not None]
    whole = 1 + len(segments) + 1
    pairs = pooled[: max(1, MOST_ROWS // min(whole, MOST_ROWS // 2))]
    drawn: list[Drawn] = []
    for pair in pairs:
        several = len(pooled) > 1
        if several:
            drawn.append(Heading(_name(replace(pair, reference=pair.reference or view.reference))))
        used = formats.plural(int(pair.cells[0].replace(",", "")), "segment", "segments")
        drawn.append(replace(_plain(pair), group=(Name(f"{_POOLED}{used}"),)))
        room = MOST_ROWS // len(pairs) - 1 - several
        rows = [
            replace(_plain(row), group=(table.name,))
            for table in segments
            for row in table.table.rows
            if table.name and not row.is_reference and (row.group, row.reference) == (pair.group, pair.reference)
        ]
        drawn += rows[: max(_FEWEST, room)]
    return drawn


def _name(row: Row) -> str:
    return f"{row.label} vs {row.reference.text}" if row.reference else row.label


def _plain(row: Row) -> Row:
    """Return a row in the words of the legend, with what it is held against in its name."""
    return replace(row, finding=row.finding.in_legend, group=(Name(_name(row)),) if row.reference else row.group)


def _missing(view: PairTestView, rows: Sequence[Row]) -> str:
    """Return what is not among the drawn rows, in words."""
    n = sum(not row.is_reference for row in rows)
    rest = view.counts.compared - n
    return f"not drawn: {formats.plural(rest, 'further comparison', 'further comparisons')}" if rest > 0 else ""


def _draw_diamond(axes: Axes, position: int, row: Row, axis: Axis) -> None:
    """Draw a pooled figure as a diamond from one end of its interval to the other."""
    marks, colour = row.marks, colour_of(row.finding.kind)
    write_beside(axes, position, row.figure.rpartition(" ")[2])
    if marks.value is None:
        return
    low, middle, high = (
        min(max(axis.low, end), axis.high) for end in (marks.low or marks.value, marks.value, marks.high or marks.value)
    )
    if low == high:
        low, high = middle - 0.01 * (axis.high - axis.low), middle + 0.01 * (axis.high - axis.low)
    corners = [(low, position), (middle, position - 0.3), (high, position), (middle, position + 0.3)]
    axes.add_patch(Polygon(corners, closed=True, facecolor=colour, edgecolor=colour, linewidth=1.0, zorder=3))


def _interrupt_lines(axes: Axes, drawn: Sequence[Drawn], axis: Axis, outdent: float) -> None:
    """Leave out of the lines from top to bottom the rows whose heading reaches over them."""
    width = axes.get_window_extent().width / axes.figure.figure.dpi
    scale = rcParams["font.size"] / SIZE
    ends = {
        position: scale * width_of(lettered([_heading(row)]).lines[0], bold=True) - outdent
        for position, row in enumerate(drawn)
        if isinstance(row, Heading)
    }
    for line in axes.lines:  # only those lines are drawn yet
        x = float(np.ravel(line.get_xdata())[0])
        place = (x - axis.low) / (axis.high - axis.low) * width
        crossed = [edge for row, end in ends.items() if end > place for edge in (row - 0.5, row + 0.5)]
        bounds = [-0.5, *crossed, len(drawn) - 0.5]
        if crossed:
            ys = [y for pair in zip(bounds[::2], bounds[1::2], strict=True) for y in (*pair, float("nan"))]
            line.set_transform(axes.transData)
            line.set_data([x] * len(ys), ys)


def _heading(row: Heading) -> str:
    return fitted(formats.shortened(row.text, _NAME), _WIDEST, bold=True)


def _write_heading(
    axes: Axes, row: Heading, position: int, number: int, outdent: float, *, placeholders: bool
) -> dict[str, str]:
    """Write which pair the rows under it are of."""
    text = _heading(row)
    placeholder = f"fr-head-{number}"
    letters = lettered([text])
    left = -outdent / (axes.get_window_extent().width / axes.figure.figure.dpi)
    axes.text(
        left, position, placeholder if placeholders else fitted(letters.lines[0], _WIDEST, bold=True),
        transform=blended_transform_factory(axes.transAxes, axes.transData),
        ha="left", va="center", weight="bold", parse_math=False, family=None if placeholders else letters.families,
    )  # fmt: skip
    return {placeholder: text} if placeholders else {}
