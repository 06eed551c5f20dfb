"""The value axis of a metric: where the comparison value stands, and from where on a group fails."""

from __future__ import annotations

from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.result import MetricFinding, MetricRow, Span
from fairreport.render import formats
from fairreport.render.views import Axis
from fairreport.tables.needs import Measure

_NO_SPAN = Span(low=None, high=None)


def heading_of(test: MetricParity) -> str:
    """Return the name of the metric as it begins a sentence or heads a column."""
    return f"{test.metric.label[:1].upper()}{test.metric.label[1:]}"


def direction_of(test: MetricParity) -> str:
    """Return which values are better, in words."""
    return "higher is better" if test.better_is_higher else "lower is better"


def digits_of(found: MetricFinding) -> int:
    """Return how many decimals the values of a metric print with."""
    return formats.digits_for([found.comparison_value, *(row.value for row in found.groups)])


def drawn_span(row: MetricRow) -> Span:
    """Return the interval of a group as it is drawn: none where it has no width."""
    return _NO_SPAN if row.interval.low == row.interval.high else row.interval


def span_text(test: MetricParity, span: Span, digits: int) -> str:
    """Return an interval of the metric in words, with the reason where it cannot be estimated.

    Parameters
    ----------
    test : MetricParity
        The test.
    span : Span
        The interval of a group.
    digits : int
        Decimals.
    """
    if span.low is not None and span.low == span.high:
        if test.metric.measure is Measure.RANKS:
            return formats.NOT_ESTIMABLE
        if test.metric.measure is Measure.MOMENTS:
            return formats.NO_VARIATION
    return formats.span(span, digits, signed=(span.low or 0) < 0)


def ratio_mark(test: MetricParity, found: MetricFinding) -> float | None:
    """Return the value at which the ratio is at its threshold; None where there is no ratio."""
    point = found.comparison_value
    if point is None or point <= 0:
        return None
    return point * test.min_ratio if test.better_is_higher else point / test.min_ratio


def _failing_mark(test: MetricParity, found: MetricFinding) -> tuple[float | None, str]:
    """Return the value past which a group fails, and by what: its ratio or its gap, whichever comes first."""
    mark, point = ratio_mark(test, found), found.comparison_value
    by_ratio = mark, f"ratio {formats.threshold(test.min_ratio)}"
    if test.max_difference is None or point is None:
        return by_ratio
    sign = -1 if test.better_is_higher else 1
    by_gap = point + sign * test.max_difference, f"gap {formats.threshold(test.max_difference)}"
    if mark is None or abs(by_gap[0] - point) < abs(mark - point):
        return by_gap
    return by_ratio


def metric_axis(test: MetricParity, found: MetricFinding) -> Axis:
    """Return an axis of values, with the comparison value and the value past which a group fails."""
    point = found.comparison_value
    mark, text = _failing_mark(test, found)
    ends = [end for end in (point, mark) if end is not None]
    for row in found.groups:
        if row.sufficient:
            ends += [end for end in (row.interval.low, row.value, row.interval.high) if end is not None]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = max(0.06 * (high - low), 1e-3 * max(abs(low), abs(high)), 1e-9)
    return Axis(
        label=f"{heading_of(test)} ({direction_of(test)})",
        low=low - room,
        high=high + room,
        threshold=mark,
        threshold_text=text,
        reference=point,
        reference_text="all rows" if test.comparison is ComparedWith.OVERALL else "reference",
    )
