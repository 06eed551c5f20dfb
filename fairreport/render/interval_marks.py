"""The small interval drawing of a table row, as the data of one SVG path.

One path that is filled only, so that it looks the same where a host strips styles. The mark has the shape of
the finding's glyph; an end past the axis is drawn as an arrow.
"""

from __future__ import annotations

from fairreport.render.views import Axis, Marks, Row
from fairreport.render.words import Kind

WIDTH = 140
HEIGHT = 18
_EDGE = 6.0
_RADIUS = 4.0


def mark_path(row: Row, axis: Axis) -> str:
    """Return the path data of one row on a box of `WIDTH` by `HEIGHT`, to be filled in one colour."""
    marks = row.marks
    parts = []
    if axis.reference is not None and not row.is_reference:
        parts.append(f"M{_text(_place(axis.reference, axis) - 0.25)} 0h.5v18h-.5z")
    if axis.threshold is not None:
        left = _text(_place(axis.threshold, axis) - 0.5)
        parts.append(f"M{left} 0h1v3h-1z" + "m0 5h1v3h-1z" * 3)
    if marks.low is not None or marks.high is not None:
        parts.append(_interval(marks, axis, row.finding.kind in _HOLLOW))
    if marks.value is not None and axis.low <= marks.value <= axis.high:
        parts.append(_SHAPES[row.finding.kind](_place(marks.value, axis)))
    return "".join(parts)


def _bar(left: float, right: float) -> str:
    return f"M{_text(left)} 8.25h{_text(right - left)}v1.5h{_text(left - right)}z" if right > left else ""


def _place(value: float, axis: Axis) -> float:
    share = (min(max(value, axis.low), axis.high) - axis.low) / (axis.high - axis.low)
    return _EDGE + share * (WIDTH - 2 * _EDGE)


def _interval(marks: Marks, axis: Axis, hollow: bool) -> str:  # noqa: FBT001 - private
    low, high = marks.low, marks.high
    left = _EDGE if low is None else _place(low, axis)
    right = WIDTH - _EDGE if high is None else _place(high, axis)
    line = _bar(left, right)
    if hollow and marks.value is not None:  # the line stops at the rim of a mark that is drawn hollow
        middle = _place(marks.value, axis)
        line = _bar(left, middle - _RADIUS) + _bar(middle + _RADIUS, right)
    if low is None or low < axis.low:
        line += f"M{_text(left)} 5l-5 4 5 4z"
    if high is None or high > axis.high:
        line += f"M{_text(right)} 5l5 4-5 4z"
    return line


def _text(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _disc(x: float) -> str:
    return f"M{_text(x - 4)} 9a4 4 0 1 1 8 0a4 4 0 1 1-8 0z"


def _ring(x: float) -> str:
    return f"{_disc(x)}m1.2 0a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z"


def _triangle(x: float) -> str:
    return f"M{_text(x - 5)} 5h10l-5 8.5z"


def _open_triangle(x: float) -> str:
    return f"{_triangle(x)}m2.1 1.2l2.9 5 2.9-5z"


def _diamond(x: float) -> str:
    return f"M{_text(x - 5)} 9l5-5 5 5-5 5z"


def _open_diamond(x: float) -> str:
    return f"{_diamond(x)}m2 0l3 3 3-3-3-3z"


_SHAPES = {
    Kind.BELOW_SIGNIFICANT: _triangle,
    Kind.BELOW_UNTESTED: _triangle,
    Kind.BELOW_CHANCE: _open_triangle,
    Kind.SMALL_GAP: _open_diamond,
    Kind.REACHES_BELOW: _diamond,
    Kind.AT_OR_ABOVE: _disc,
    Kind.REFERENCE: _ring,
    Kind.NOT_ENOUGH_DATA: _ring,
    Kind.NOT_DEFINED: _ring,
    Kind.NO_RATIO: _ring,
}

_HOLLOW = {Kind.BELOW_CHANCE, Kind.SMALL_GAP, Kind.REFERENCE, Kind.NOT_ENOUGH_DATA, Kind.NOT_DEFINED, Kind.NO_RATIO}
