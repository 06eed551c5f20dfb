"""Curves of named pairs: the ratio against quantiles or ordered categories, a line a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from fairreport.render import formats
from fairreport.render.figure_layout import WIDTH, Box, fitted, kinds_of
from fairreport.render.figure_marks import draw_legend, lettered, marker
from fairreport.render.figure_style import FAINT, INK, shown_colour
from fairreport.render.pair_view import PairTestView, gravity
from fairreport.render.phrases import Name
from fairreport.render.table_view import Axis, Row

MOST_LINES = 6
"""At most so many pairs are drawn, the worst ones."""
_LINES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
_COLOURS = ("#1a1a1a", "#7b3294", "#00735c", "#8a6d00", "#c0448f", "#7a7a7a")
"""Colours of pairs; none is that of a finding, as a mark has the colour of its finding on whichever line it stands."""
_LEFT, _RIGHT, _ABOVE, _TALL = 0.78, 1.75, 0.24, 2.5
_LABEL, _TICK, _MOST_TICKS = 20, 16, 10
_SPREAD = 0.085
_ROOM = 1.48
"""Width right of the lines that a name has, in inches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A pair over all levels.

    Attributes
    ----------
    name : str
        The pair.
    rows : tuple of Row
        A row a level, in their order.
    """

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """What is drawn of a test.

    Attributes
    ----------
    curves : tuple of Curve
        The worst pairs.
    not_drawn : int
        How many pairs are not drawn.
    places : tuple of float
        Where each level stands.
    ticks : tuple of Name
        Names of the levels.
    is_quantile : bool
        Whether levels are quantiles.
    """

    curves: tuple[Curve, ...]
    not_drawn: int
    places: tuple[float, ...]
    ticks: tuple[Name, ...]
    is_quantile: bool

    @property
    def rows(self) -> list[Row]:
        """All rows that are drawn."""
        return [row for curve in self.curves for row in curve.rows]

    @property
    def label(self) -> str:
        """What the axis of levels says."""
        what = "Quantile of the scores that the cutoff stands at" if self.is_quantile else "Category or better"
        rest = formats.plural(self.not_drawn, "further pair", "further pairs")
        return f"{what}\nnot drawn: {rest}" if self.not_drawn else what


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePanel:
    """The size of a panel of curves; see `Panel`."""

    curves: Curves

    @property
    def below(self) -> float:
        """Height under the curves: the axis, what it says, and the legend."""
        return 0.5 + 0.16 * bool(self.curves.not_drawn) + 0.17 * -(-len(kinds_of(self.curves.rows)) // 2)

    @property
    def height(self) -> float:
        """Height of the panel."""
        return _ABOVE + self.below + _TALL

    @property
    def names(self) -> float:
        """Width left of the axes."""
        return _LEFT

    @property
    def place(self) -> Box:
        """Left, bottom, width and height of the axes."""
        return _LEFT / WIDTH, self.below / self.height, (WIDTH - _LEFT - _RIGHT) / WIDTH, _TALL / self.height


def curves_of(view: PairTestView) -> Curves:
    """Return what is drawn of a test by quantile or category."""
    tables = list(view.tables)
    is_quantile = all(table.quantile is not None for table in tables)
    if is_quantile:
        tables.sort(key=lambda table: table.quantile or 0.0)
    by_pair: dict[tuple[object, ...], list[Row]] = {}
    for table in tables:
        for row in table.table.rows:
            if not row.is_reference:
                by_pair.setdefault((*row.group, row.reference), []).append(row)
    found = [Curve(name=_name(rows[0]), rows=tuple(map(_plain, rows))) for rows in by_pair.values()]
    found.sort(key=lambda curve: min(map(gravity, curve.rows)))
    return Curves(
        curves=tuple(found[:MOST_LINES]),
        not_drawn=max(0, len(found) - MOST_LINES),
        places=tuple(float(t.quantile or 0.0) if is_quantile else float(i) for i, t in enumerate(tables)),
        ticks=tuple(table.name or Name("") for table in tables),
        is_quantile=is_quantile,
    )


def _name(row: Row) -> str:
    return f"{row.label} vs {row.reference.text}" if row.reference else row.label


def _plain(row: Row) -> Row:
    return replace(row, finding=row.finding.in_legend)


def draw_curves(axes: Axes, view: PairTestView, axis: Axis, *, outdent: float, placeholders: bool) -> dict[str, str]:
    """Draw the curves of a test and return what each placeholder stands for.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    view : PairTestView
        The test.
    axis : Axis
        The line of its ratios.
    outdent : float
        How far left of the axis the legend begins, in inches.
    placeholders : bool
        Write plain words in place of the names.
    """
    shown = curves_of(view)
    step = min((b - a for a, b in zip(shown.places, shown.places[1:], strict=False)), default=1.0)
    axes.set_xlim(shown.places[0] - 0.6 * step, shown.places[-1] + 0.6 * step)
    axes.set_ylim(axis.low, axis.high)
    axes.set_xlabel(shown.label, color=shown_colour(INK), parse_math=False)
    axes.set_ylabel(axis.label, color=shown_colour(INK), labelpad=12, parse_math=False)
    axes.locator_params(axis="y", nbins=6)
    if axis.reference is not None:
        axes.axhline(axis.reference, color=shown_colour(FAINT), linewidth=0.6, zorder=1)
    if axis.threshold is not None:
        axes.axhline(axis.threshold, color=shown_colour(INK), linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
        _write_threshold(axes, axis, axis.threshold)
    names: dict[str, str] = {}
    for number, curve in enumerate(shown.curves):
        dodge = (number - (len(shown.curves) - 1) / 2) * 0.06 * step
        _draw_curve(axes, [place + dodge for place in shown.places], curve, axis, number)
    names |= _letter_curves(axes, shown, axis, placeholders=placeholders)
    names |= _letter_ticks(axes, shown, placeholders=placeholders)
    draw_legend(axes, shown.rows, 1 + bool(shown.not_drawn), outdent=outdent)
    return names


def _write_threshold(axes: Axes, axis: Axis, threshold: float) -> None:
    """Write the threshold among the numbers of its axis, those that it would cover left out."""
    near = _SPREAD * (axis.high - axis.low)
    ticks = [tick for tick in axes.get_yticks() if axis.low <= tick <= axis.high and abs(tick - threshold) > near / 2]
    axes.set_yticks(ticks)
    left = blended_transform_factory(axes.transAxes, axes.transData)
    axes.text(
        -0.012, threshold, axis.threshold_text, transform=left, ha="right", va="center", weight="bold",
        parse_math=False,
    )  # fmt: skip


def _draw_curve(axes: Axes, places: Sequence[float], curve: Curve, axis: Axis, number: int) -> None:
    colour, line = _COLOURS[number], _LINES[number]
    values = [float("nan") if row.marks.value is None else min(row.marks.value, axis.high) for row in curve.rows]
    axes.plot(places, values, color=colour, linestyle=line, linewidth=1.2, zorder=2)
    for place, row in zip(places, curve.rows, strict=True):
        marks = row.marks
        if marks.low is not None or marks.high is not None:
            low = max(axis.low, axis.low if marks.low is None else marks.low)
            high = min(axis.high, axis.high if marks.high is None else marks.high)
            axes.plot([place, place], [low, high], color=colour, linewidth=0.8, alpha=0.55, zorder=2)
        if marks.value is not None:
            axes.plot([place], [min(marks.value, axis.high)], **marker(row.finding.kind), zorder=3, clip_on=False)


def _letter_curves(axes: Axes, shown: Curves, axis: Axis, *, placeholders: bool) -> dict[str, str]:
    """Write the name of each pair at the end of its line, names that would meet moved apart."""
    right = blended_transform_factory(axes.transAxes, axes.transAxes)
    height = axis.high - axis.low
    wanted = []
    for number, curve in enumerate(shown.curves):
        last = next((row.marks.value for row in reversed(curve.rows) if row.marks.value is not None), axis.low)
        wanted.append(((min(last, axis.high) - axis.low) / height, number))
    cut = formats.shortened_apart([curve.name for curve in shown.curves], _LABEL)
    texts = [formats.shortened(cut[curve.name], 2 * _LABEL) for curve in shown.curves]
    texts = [fitted(text, _ROOM) for text in texts]
    letters = lettered(texts)
    lines = [fitted(line, _ROOM) for line in letters.lines]
    names: dict[str, str] = {}
    for at, number in _moved_apart(sorted(wanted)):
        placeholder = f"fr-name-{number}-0"
        names[placeholder] = texts[number]
        axes.plot(
            [1.01, 1.05], [at, at], transform=right, color=_COLOURS[number], linestyle=_LINES[number], linewidth=1.2,
            clip_on=False,
        )  # fmt: skip
        axes.text(
            1.06, at, placeholder if placeholders else lines[number], transform=right, ha="left", va="center",
            parse_math=False, family=None if placeholders else letters.families,
        )  # fmt: skip
    return names if placeholders else {}


def _moved_apart(wanted: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return heights from the lowest up, each at least a line above the one before, all within the axes.

    Examples
    --------
    >>> _moved_apart([(0.0, 1), (0.0, 0)])
    [(0.0, 1), (0.085, 0)]
    """
    found: list[tuple[float, int]] = []
    for at, number in wanted:
        found.append((max(at, found[-1][0] + _SPREAD) if found else max(0.0, at), number))
    over = max(0.0, found[-1][0] - 1.0) if found else 0.0
    return [(at - over, number) for at, number in found]


def _apart(places: Sequence[float]) -> list[int]:
    """Return which places are named, the first and then each that is far enough from the one before.

    Examples
    --------
    >>> _apart([0.1, 0.5, 0.9, 0.93])
    [0, 1, 2]
    """
    least = (places[-1] - places[0]) / _MOST_TICKS * 0.99
    found = [0]
    for i, place in enumerate(places):
        if place - places[found[-1]] >= least > 0:
            found.append(i)
    return found


def _letter_ticks(axes: Axes, shown: Curves, *, placeholders: bool) -> dict[str, str]:
    chosen = _apart(shown.places)
    width = _TICK if len(chosen) <= 4 else 64 // max(len(chosen), 1)
    cut = formats.shortened_apart([name.text for name in shown.ticks], width)
    texts = [cut[shown.ticks[i].text][: 2 * width] for i in chosen]
    axes.set_xticks([shown.places[i] for i in chosen], labels=[""] * len(texts))
    letters = lettered(texts)
    if placeholders and not shown.is_quantile:
        below = blended_transform_factory(axes.transData, axes.transAxes)
        axes.xaxis.labelpad += 7  # where tick labels would take room
        names = {f"fr-tick-{i}": text for i, text in enumerate(texts)}
        for i, at in enumerate(chosen):
            axes.annotate(
                f"fr-tick-{i}", (shown.places[at], 0), (0, -5), xycoords=below, textcoords="offset points", ha="center",
                va="top",
            )  # fmt: skip
        return names
    axes.set_xticks([shown.places[i] for i in chosen], labels=letters.lines, family=letters.families, parse_math=False)
    return {}
