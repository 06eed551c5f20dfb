"""A small drawing of a series: a line through its windows, its intervals, the threshold, and marks of other shapes.

Data of SVG paths on a box of `WIDTH` by `HEIGHT`; everything is said by shape, in the colour of the text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

WIDTH, HEIGHT = 210, 34
_LEFT, _TOP, _BOTTOM = 4.0, 6.0, 6.0
_DOTTED = 30
"""With more windows a point has no dot of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A value at a time from 0 to 1, with its interval; `mark` is ``""``, ``"failing"`` or ``"open"``."""

    at: float
    value: float | None
    low: float | None = None
    high: float | None = None
    mark: str = ""
    signal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The smallest and largest value of an axis."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return the height of a value in the box, from the top."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return _TOP + (1 - share) * (HEIGHT - _TOP - _BOTTOM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spark:
    """The drawing of a series.

    Attributes
    ----------
    band, line, dots, marks : str
        Path data: intervals to be filled faintly, the line, and marks to be filled; empty where there is none.
    dashed, dotted : str
        The threshold, and the baseline.
    label : str
        The series in words.
    """

    band: str
    line: str
    dots: str
    marks: str
    dashed: str
    dotted: str
    label: str


def range_of(points: Sequence[Point], *, further: Sequence[float | None] = ()) -> Range:
    """Return the range of all values and intervals, a little wider where they are all the same."""
    found = [v for point in points for v in (point.value, point.low, point.high) if v is not None]
    found += [value for value in further if value is not None]
    low, high = min(found, default=0.0), max(found, default=1.0)
    if high > low:
        return Range(low=low, high=high)
    more = max(0.5, math.ulp(low))  # half of one is nothing beside a very large number
    return Range(low=low - more, high=high + more)


def spark_of(
    segments: Sequence[Sequence[Point]],
    axis: Range,
    *,
    label: str,
    threshold: float | None = None,
    baseline: float | None = None,
) -> Spark:
    """Return the drawing of a series whose line breaks between its segments."""
    n = sum(map(len, segments))
    if n > _DOTTED:  # whole pixels are close enough, and half as long
        inside = WIDTH - 2 * _LEFT
        segments = [[replace(point, at=round(point.at * inside) / inside) for point in it] for it in segments]
    points = [point for segment in segments for point in segment]
    lines = [_line(segment, axis) for segment in segments]
    dots = [
        _dot(point, axis) for point in points if point.value is not None and (n <= _DOTTED or _alone(point, segments))
    ]
    return Spark(
        band="".join(_band(segment, axis) for segment in segments),
        line="".join(lines),
        dots="".join(dots),
        marks="".join(_marks(points, axis)),
        dashed="" if threshold is None else _across(axis.place(threshold)),
        dotted="" if baseline is None else _across(axis.place(baseline)),
        label=label,
    )


def _x(point: Point) -> float:
    return _LEFT + point.at * (WIDTH - 2 * _LEFT)


def _alone(point: Point, segments: Sequence[Sequence[Point]]) -> bool:
    return any(len(segment) == 1 and segment[0] is point for segment in segments)


def _line(segment: Sequence[Point], axis: Range) -> str:
    places = [f"{_text(_x(p))} {_text(axis.place(p.value))}" for p in segment if p.value is not None]
    return f"M{'L'.join(places)}" if len(places) > 1 else ""


def _band(segment: Sequence[Point], axis: Range) -> str:
    known = [(p, p.low, p.high) for p in segment if p.low is not None and p.high is not None]
    if len(known) == 1:
        point, low, high = known[0]
        x, top, bottom = _x(point), axis.place(high), axis.place(low)
        return f"M{_text(x - 1)} {_text(top)}h2V{_text(bottom)}h-2z"
    above = [f"{_text(_x(p))} {_text(axis.place(high))}" for p, _, high in known]
    below = [f"{_text(_x(p))} {_text(axis.place(low))}" for p, low, _ in reversed(known)]
    return f"M{'L'.join([*above, *below])}z" if known else ""


def _dot(point: Point, axis: Range) -> str:
    if point.mark == "failing":
        return ""
    x, y = _x(point), axis.place(point.value or 0.0)
    return f"M{_text(x - 1.6)} {_text(y)}a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0z"


def _marks(points: Sequence[Point], axis: Range) -> Iterator[str]:
    for point in points:
        x = _x(point)
        if point.mark == "failing" and point.value is not None:
            y = axis.place(point.value)
            half = 3.0 if len(points) <= _DOTTED else 1.8
            yield f"M{_text(x - half)} {_text(y - 0.8 * half)}h{_text(2 * half)}l-{_text(half)} {_text(1.7 * half)}z"
        if point.signal == "higher":
            yield f"M{_text(x)} 0l2.6 4.4h-5.2z"
        elif point.signal == "lower":
            yield f"M{_text(x)} {HEIGHT}l2.6-4.4h-5.2z"


def _across(y: float) -> str:
    return f"M0 {_text(y)}H{WIDTH}"


def _text(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
