"""How much of a test a figure shows, how large it is, and where things stand; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence

from fairreport.render import formats
from fairreport.render.views import Axis, Row, TestView
from fairreport.render.words import FindingWords, Kind, Side

DRAWN_ROWS = 40
"""At most so many groups are drawn, worst first, the reference among them."""
WIDTH = 6.7
"""Width of a figure in inches: the text width of an A4 page."""
TITLE = 0.3
"""Height of the name above a panel in inches."""
RIGHT, LINE_HEIGHT = 0.62, 0.15

_ABOVE = 0.24
_CROWDED = 16
_LINE = 34


def drawn_rows(view: TestView) -> list[Row]:
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


def _below(view: TestView) -> float:
    """Return the height under the rows in inches: the axis, its label and the legend."""
    return 0.5 + 0.17 * -(-len(kinds_of(drawn_rows(view))) // 2) + (0.15 if left_out(view) else 0.0)


def height_of(view: TestView) -> float:
    """Return the height of a figure in inches."""
    rows = drawn_rows(view)
    return _ABOVE + _below(view) + max(len(rows), 1) * _pitch(rows)


def place_of(view: TestView) -> tuple[float, float, float, float]:
    """Return the box of the axes as fractions of the figure: left, bottom, width, height."""
    height, rows = height_of(view), drawn_rows(view)
    longest = max((min(len(row.label), _LINE) for row in rows), default=0)
    left = (0.3 + 0.064 * longest) / WIDTH
    return left, _below(view) / height, 1 - left - 0.62 / WIDTH, 1 - (_below(view) + _ABOVE) / height


def kinds_of(rows: Sequence[Row]) -> list[FindingWords]:
    """Return each finding that occurs, once, in the order of gravity."""
    found = {row.finding.kind: row.finding for row in rows}
    return [found[kind] for kind in Kind if kind in found]


def left_out(view: TestView) -> str:
    """Return what is not drawn, in words."""
    small = view.counts.too_few
    rest = len(view.table.rows) - small - len(drawn_rows(view)) if view.table else 0
    parts = []
    if rest:
        parts.append(f"{formats.plural(rest, 'further group', 'further groups')}")
    if small:
        parts.append(f"{formats.plural(small, 'group', 'groups')} with not enough data")
    return f"not drawn: {formats.listed(parts)}" if parts else ""


def label_of_axis(view: TestView, axis: Axis) -> str:
    """Return what the axis says: what is drawn, and what is not."""
    missing = left_out(view)
    return f"{axis.label}\n{missing}" if missing else axis.label


def title_of(view: TestView) -> str:
    """Return what a figure shows, in words."""
    if view.table is None:
        return f"{view.name.short}: {view.headline.text}"
    by = formats.listed(name.short for name in view.table.attributes)
    return f"{view.table.axis.label if view.table.axis else 'Values'} by {by}, with intervals."


def label_lines(row: Row, *, most: int) -> list[str]:
    """Return the label of a row in at most so many lines."""
    label = formats.shortened(row.label, most * _LINE)
    if len(label) <= _LINE:
        return [label]
    if most == 1:
        return [formats.shortened(label, _LINE)]
    space = label.rfind(" ", len(label) - _LINE, _LINE + 1)
    cut = space if space > 0 else _LINE
    return [label[:cut].rstrip(), label[cut:].strip()]


def most_lines(rows: Sequence[Row]) -> int:
    """Return how many lines a label may take."""
    return 1 if len(rows) > _CROWDED else 2
