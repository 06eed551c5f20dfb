"""Trends as words, numbers and small drawings ready to print; whoever prints them escapes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fairreport.analyses.result import Span
from fairreport.audit.trend import ChangeTest, TestTrend, Trends
from fairreport.audit.trend_evidence import TOO_FEW, GroupPoint, GroupSeries, ValuePoint, ValueSeries
from fairreport.render import formats
from fairreport.render.phrases import Name, Sentence
from fairreport.render.spark import Point, Range, Spark, range_of, spark_of
from fairreport.render.trend_seams import seams_of
from fairreport.render.trend_words import (
    chance_sentence,
    change_words,
    figures_words,
    headline_of,
    lead_of,
    method_lines,
    no_change_words,
    recounted_sentence,
    remarks_of,
    state_of,
    tested_words,
)
from fairreport.render.words import State

NOT_RUN = "·"
"""What stands in the place of a status where the test was not run."""

_FAILING = "failing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRow:
    """A measurement or a group over the windows.

    Attributes
    ----------
    name : Name
        What it is called.
    about : Name or None
        The group that a measurement is about, where that is a single one.
    latest, interval, n : str
        Its value in the latest window in which the test measured anything, the interval, and the rows behind it.
    threshold : str
        What a measurement is held against; empty without.
    finding : str
        What the test of change says of a group; empty for a measurement.
    is_changed : bool
        Whether that is a change that is signalled still, of a group with enough rows in that window.
    spark : Spark
        The drawing.
    """

    name: Name
    about: Name | None = None
    latest: str
    interval: str
    n: str
    threshold: str
    finding: str
    is_changed: bool
    spark: Spark


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The statuses of a test, a glyph a window, oldest first, and the same in words."""

    glyphs: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendView:
    """One test over the windows.

    Attributes
    ----------
    name : Name
        The test.
    state : State or None
        What it came to when it was last run.
    strip : Strip
        What it came to in each window.
    headline : Sentence
        The same in words, and where it first changed.
    figures : str
        Of which window the figures are, and why not of the latest; empty where there are none.
    are_older : bool
        Whether the figures are not of the latest window.
    tested : tuple of Sentence
        What the test of change comes to, and against how many windows; empty where there is none.
    change : tuple of Sentence
        The same, and why there is none.
    values, groups : tuple of SeriesRow
        Its measurements, those with a threshold first, and its groups.
    notes : tuple of Sentence
        What to know of the counts and of the test of change.
    """

    name: Name
    state: State | None
    strip: Strip
    headline: Sentence
    figures: str
    are_older: bool
    tested: tuple[Sentence, ...]
    change: tuple[Sentence, ...]
    values: tuple[SeriesRow, ...]
    groups: tuple[SeriesRow, ...]
    notes: tuple[Sentence, ...]

    @property
    def changed(self) -> tuple[SeriesRow, ...]:
        """The groups whose chart signals a change still."""
        return tuple(row for row in self.groups if row.is_changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendsView:
    """How an audit went over its windows.

    Attributes
    ----------
    title : Name
        The audit.
    lead : Sentence
        How many windows, from when to when.
    tests : tuple of TrendView
        In the order of the audit.
    chances : tuple of Sentence
        What chance would find in a year.
    seams : tuple of Sentence
        Windows that are missing, hold no row, or do not touch.
    remarks : tuple of Sentence
        Those, and rows of no window, replaced records, withheld groups.
    """

    title: Name
    lead: Sentence
    tests: tuple[TrendView, ...]
    chances: tuple[Sentence, ...]
    seams: tuple[Sentence, ...]
    remarks: tuple[Sentence, ...]


def view_trends(trends: Trends) -> TrendsView:
    """Return how an audit went over its windows, ready to print."""
    places, seams = places_of(trends), seams_of(trends)
    return TrendsView(
        title=Name.of(trends.evidence.title or trends.evidence.audit_id),
        lead=lead_of(trends),
        tests=tuple(_test(test, trends, places) for test in trends.tests),
        chances=tuple(chance_sentence(chance) for chance in trends.chances),
        seams=seams,
        remarks=(*seams, *remarks_of(trends)),
    )


def places_of(trends: Trends) -> tuple[float, ...]:
    """Return where each window stands between the first, 0, and the latest, 1, by its end."""
    ends = [None if window.end is None else _seconds(window.end) for window in trends.windows]
    known = [end for end in ends if end is not None]
    first, last = min(known, default=0.0), max(known, default=0.0)
    if last == first:
        return tuple(0.5 for _ in ends)
    return tuple(0.0 if end is None else (end - first) / (last - first) for end in ends)


def _seconds(text: str) -> float:
    found = datetime.fromisoformat(text)
    return (found.replace(tzinfo=UTC) if found.tzinfo is None else found).timestamp()


def _test(test: TestTrend, trends: Trends, places: Sequence[float]) -> TrendView:
    series = test.series
    axis = range_of([point for group in series.groups for point in group_points(group, places, None)])
    recounted = recounted_sentence(test, trends)
    more = _without_chart(test)
    tested = tested_words(test)
    return TrendView(
        name=Name.of(series.name),
        state=state_of(next((status for status in reversed(series.statuses) if status is not None), None)),
        strip=_strip([series.statuses[i] for i in test.timeline.positions]),
        headline=headline_of(test, trends),
        figures=figures_words(test, trends),
        are_older=test.latest_figures is not None and not test.has_latest_figures,
        tested=tested,
        change=(*tested, *no_change_words(test)),
        values=tuple(_value_row(it, test, places) for it in series.values if _has_value(it)),
        groups=tuple(_group_row(it, test, trends, places, axis) for it in series.groups),
        notes=(*([recounted] if recounted else []), *more, *method_lines(test, trends)),
    )


def _without_chart(test: TestTrend) -> tuple[Sentence, ...]:
    n = test.without_chart
    groups = formats.plural(n, "further group has", "further groups have")
    return (Sentence((f"{groups} no test of change: only those with the most cases have one.",)),) if n else ()


def _strip(statuses: Sequence[str | None]) -> Strip:
    states = [state_of(status) for status in statuses]
    counts: dict[str, int] = {}
    for state in states:
        word = "not run" if state is None else state.word
        counts[word] = counts.get(word, 0) + 1
    told = ", ".join(f"{n:,} {word}" for word, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return Strip(
        glyphs="".join(NOT_RUN if state is None else state.glyph for state in states),
        label=f"{formats.plural(len(statuses), 'window', 'windows')}, oldest first: {told}",
    )


def _has_value(series: ValueSeries) -> bool:
    return any(point is not None and point.value is not None for point in series.points)


def _value_row(series: ValueSeries, test: TestTrend, places: Sequence[float]) -> SeriesRow:
    points = value_points(series, places)
    at = test.latest_figures
    latest = None if at is None else series.points[at]
    against = () if series.threshold is None else (series.threshold,)
    value, interval = formats.UNDEFINED, formats.ABSENT
    if latest is not None and latest.value is not None:
        value = formats.measurement(series.name, latest.value, against=against)
        interval = _interval(latest.low, latest.high, against)
    threshold = "" if series.threshold is None else _wanted(series.name, series.operator, series.threshold)
    axis = range_of(points, further=against)
    return SeriesRow(
        name=Name.of(series.name),
        about=Name.of(latest.group) if latest is not None and latest.group else None,
        latest=value,
        interval=interval,
        n="" if latest is None or latest.n is None else formats.count(latest.n),
        threshold=threshold,
        finding="",
        is_changed=False,
        spark=spark_of(
            segments_of(points, test),
            axis,
            label=_told(series.name, value, points, axis),
            threshold=series.threshold,
        ),
    )


def _wanted(name: str, operator: str | None, threshold: float) -> str:
    is_count = name.endswith("Count") and threshold == round(threshold)
    shown = formats.count(round(threshold)) if is_count else formats.threshold(threshold)
    return f"{_OPERATORS.get(operator or '', operator)} {shown}"


_OPERATORS = {">=": "at least", "<=": "at most", ">": "above", "<": "below", "is": "exactly", "!=": "other than"}


def value_points(series: ValueSeries, places: Sequence[float]) -> list[Point]:
    """Return the points of a measurement, marked where it is beyond what it is held against."""
    return [_value_point(point, at, series) for point, at in zip(series.points, places, strict=True)]


def _value_point(point: ValuePoint | None, at: float, series: ValueSeries) -> Point:
    if point is None or point.value is None:
        return Point(at=at, value=None)
    missed = series.threshold is not None and is_missed(point.value, series.operator, series.threshold)
    return Point(at=at, value=point.value, low=point.low, high=point.high, mark=_FAILING if missed else "")


def is_missed(value: float, operator: str | None, threshold: float) -> bool:
    """Tell whether a value does not hold what a threshold asks, beyond the tolerance of the gate."""
    near = abs(value - threshold) <= 1e-12 * max(1.0, abs(value), abs(threshold))
    held = {
        ">=": value > threshold or near,
        ">": value > threshold and not near,
        "<=": value < threshold or near,
        "<": value < threshold and not near,
        "is": near,
        "!=": not near,
    }
    return not held.get(operator or "", True)


def _group_row(
    series: GroupSeries,
    test: TestTrend,
    trends: Trends,
    places: Sequence[float],
    axis: Range,
) -> SeriesRow:
    change = next((change for change in test.changes if change.label == series.label), None)
    points = group_points(series, places, change)
    at = test.latest_figures
    latest = None if at is None else series.points[at]
    is_small = latest is None or latest.verdict == TOO_FEW
    value = formats.ABSENT if latest is None else formats.UNDEFINED
    if latest is not None and latest.value is not None:
        value = formats.fixed(latest.value)
    chart = None if change is None else change.chart
    finding = "no test of change" if change is None or test.reason else change_words(change, trends)
    few = "no row in that window" if latest is None else "too few rows in that window for a verdict"
    return SeriesRow(
        name=Name.of(series.label),
        latest=value,
        interval=_interval(latest.low, latest.high, ()) if latest is not None else formats.ABSENT,
        n=formats.ABSENT if latest is None or latest.n is None else formats.count(latest.n),
        threshold="",
        finding=f"{few}; {finding}" if is_small else finding,
        is_changed=change is not None and bool(change.present) and not is_small,
        spark=spark_of(
            segments_of(points, test),
            axis,
            label=_told(series.label, value, points, axis),
            baseline=None if chart is None else chart.rate,
        ),
    )


def group_points(series: GroupSeries, places: Sequence[float], change: ChangeTest | None) -> list[Point]:
    """Return the points of a group, marked where it fails and where its chart signals."""
    signals = {at: mark.signal for at, mark in change.signals} if change is not None else {}
    return [
        _group_point(point, at, "" if (turn := signals.get(i)) is None else turn.value)
        for i, (point, at) in enumerate(zip(series.points, places, strict=True))
    ]


def _group_point(point: GroupPoint | None, at: float, signal: str) -> Point:
    if point is None or point.value is None:
        return Point(at=at, value=None)
    mark = _FAILING if point.verdict == _FAILING else ""
    return Point(at=at, value=point.value, low=point.low, high=point.high, mark=mark, signal=signal)


def segments_of(points: Sequence[Point], test: TestTrend) -> list[list[Point]]:
    """Return the points that a line may join: it breaks where a window of the test has no value or is missing."""
    segments: list[list[Point]] = [[]]
    for i in test.timeline.positions:
        if i in test.timeline.missing or points[i].value is None:
            segments.append([])
        if points[i].value is not None:
            segments[-1].append(points[i])
    return [segment for segment in segments if segment]


def _interval(low: float | None, high: float | None, against: Sequence[float]) -> str:
    if low is None and high is None:
        return formats.ABSENT
    return formats.span(Span(low=low, high=high), against=against)


def _told(name: str, value: str, points: Sequence[Point], axis: Range) -> str:
    known = [point.value for point in points if point.value is not None]
    if not known:
        return f"{formats.printable(name)}: no value in any window"
    ends = f"from {formats.measured(min(known))} to {formats.measured(max(known))}"
    n = formats.plural(len(known), "window", "windows")
    failing = sum(point.mark == _FAILING for point in points)
    beyond = f", {failing:,} failing" if failing else ""
    axis_told = f"axis {formats.measured(axis.low)} to {formats.measured(axis.high)}"
    return f"{formats.printable(name)}: {value} in the latest window with figures, {ends} in {n}{beyond}; {axis_told}"
