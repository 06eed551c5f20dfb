"""How an audit went over its windows: where verdicts changed, which rates left their baseline, what chance would do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any, ClassVar

from fairreport.audit.gate import Status
from fairreport.audit.trend_evidence import (
    GroupPoint,
    GroupSeries,
    TestSeries,
    TrendEvidence,
    TrendWindow,
    ValuePoint,
)
from fairreport.audit.trend_windows import YEAR, Timeline, overlap_of, timeline_of
from fairreport.display import Displayable
from fairreport.stats.cusum import Chart, Mark, Side, Turn, run_chart, tune_chart

RUN_LENGTH_YEARS = 2
FEWEST_WINDOWS = 8
"""In two years: with fewer, a false alarm in two years is one in every few windows."""
MOST_CHARTS = 40
"""So many groups of a test at most have a chart, those with the most cases."""
_OVERLAP = 0.01
"""Windows may share so much of their length, as weeks of a clock that was set back do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTest:
    """The test of change of one group.

    Attributes
    ----------
    label : str
        The group.
    baseline : tuple of int
        Positions of the windows of the baseline.
    chart : Chart or None
        None where there is none.
    reason : str
        Why there is none; empty elsewhere.
    marks : tuple of (int, Mark)
        The chart after each later window, with its position.
    """

    label: str
    baseline: tuple[int, ...] = ()
    chart: Chart | None = None
    reason: str = ""
    marks: tuple[tuple[int, Mark], ...] = ()

    @property
    def signals(self) -> tuple[tuple[int, Mark], ...]:
        """The windows in which the chart signals a change."""
        return tuple((position, mark) for position, mark in self.marks if mark.signal is not None)

    @property
    def present(self) -> tuple[tuple[int, Mark], ...]:
        """The latest signals where a change is signalled still: of one direction, none long after the one before.

        After a signal the chart starts anew, and takes some windows to signal a change that lasts: its delay. What
        comes within twice that and a window is the same change.
        """
        if self.chart is None or not self.signals:
            return ()
        found: list[tuple[int, Mark]] = []
        places = {at: i for i, (at, _) in enumerate(self.marks)}
        until = len(self.marks) - 1
        for at, mark in reversed(self.signals):
            side = self.chart.higher if mark.signal is Turn.HIGHER else self.chart.lower
            same = not found or found[-1][1].signal is mark.signal
            if not same or until - places[at] > 2 * side.delay + 1:
                break
            found.append((at, mark))
            until = places[at]
        return tuple(reversed(found))

    def began(self, mark: Mark) -> int:
        """Return the position of the window in which the change of a signal began, as far as the chart tells."""
        return self.marks[mark.since or 0][0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestTrend:
    """A test over its windows, judged.

    Attributes
    ----------
    series : TestSeries
        What was found.
    changes : tuple of ChangeTest
        One a group that has a test of change, in their order.
    without_chart : int
        Groups that have none because there are too many.
    reason : str
        Why no group has one; empty where some may.
    turned : tuple of int
        Positions of the windows whose verdict is not the one before; where the test was skipped there is none.
    recounted : tuple of int
        Positions of the windows that count otherwise than the one before.
    timeline : Timeline
        Its windows: which those are, how often they come, where one is missing.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    series: TestSeries
    changes: tuple[ChangeTest, ...] = ()
    without_chart: int = 0
    reason: str = ""
    turned: tuple[int, ...] = ()
    recounted: tuple[int, ...] = ()
    timeline: Timeline

    @property
    def windows_a_year(self) -> float | None:
        """Windows in 365.25 days, as often as they come."""
        return None if self.timeline.pace is None else YEAR / self.timeline.pace.step

    @property
    def has_latest_figures(self) -> bool:
        """Whether it measured anything in the latest of its windows."""
        return self.latest_figures == self.timeline.positions[-1]

    @property
    def latest_figures(self) -> int | None:
        """The position of the latest window in which the test measured anything; None where there is none."""
        values: list[tuple[ValuePoint | GroupPoint | None, ...]] = [it.points for it in self.series.values]
        values += [it.points for it in self.series.groups]
        for i in reversed(self.timeline.positions):
            if any((point := held[i]) is not None and point.value is not None for held in values):
                return i
        return None

    @property
    def false_alarms_a_year(self) -> float:
        """Signals of all of its charts together that a year brings while no rate changes, at most."""
        charts = [change.chart for change in self.changes if change.chart is not None]
        return sum((self.windows_a_year or 0.0) / chart.average_run_length for chart in charts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """What chance alone would find in a year.

    Attributes
    ----------
    test : str
        The test.
    windows : float
        Windows a year.
    step : float
        Seconds from one to the next.
    is_assumed : bool
        Whether that is their length, because they are too few or too irregular to tell how often they come.
    comparisons : int
        Comparisons a window, as in the latest; 1 where a correction holds for all of them.
    alpha : float
        Level of each.
    is_bound : bool
        Whether it is at most so many, because of a correction.
    """

    test: str
    windows: float
    step: float
    is_assumed: bool
    comparisons: int
    alpha: float
    is_bound: bool

    @property
    def expected(self) -> float:
        """Findings a year where nothing differs: windows x comparisons x alpha."""
        return self.windows * self.comparisons * self.alpha


@dataclass(frozen=True, kw_only=True, repr=False)
class Trends(Displayable):
    """How an audit went over its windows; as the last line of a cell it shows itself.

    Attributes
    ----------
    evidence : TrendEvidence
        What was found in each window.
    tests : tuple of TestTrend
        The same, judged.
    """

    display_kind: ClassVar[str] = "trends"

    evidence: TrendEvidence
    tests: tuple[TestTrend, ...]

    @property
    def windows(self) -> tuple[TrendWindow, ...]:
        """The windows, oldest first."""
        return self.evidence.windows

    @cached_property
    def missing(self) -> tuple[int, ...]:
        """Positions of the windows before which at least one of some test is missing."""
        return tuple(sorted({i for test in self.tests for i in test.timeline.missing}))

    @cached_property
    def chances(self) -> tuple[Chance, ...]:
        """What chance alone would find in a year, test by test."""
        return tuple(_chances(self.tests))

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence and what was judged, as JSON values; a run length without end is null."""
        return {
            "evidence": asdict(self.evidence),
            "tests": [_test_document(test) for test in self.tests],
            "chance": [asdict(chance) | {"expected": chance.expected} for chance in self.chances],
        }

    def plot(self, test: str | int = 0) -> Any:
        """Draw one test over the windows with matplotlib and return the Figure."""
        return import_module("fairreport.render.trend_plot").plot_trend(self, test)


def judge_trends(evidence: TrendEvidence) -> Trends:
    """Return how an audit went over its windows.

    Parameters
    ----------
    evidence : TrendEvidence
        What was found in each window.
    """
    return Trends(evidence=evidence, tests=tuple(_judge(series, evidence) for series in evidence.tests))


def _judge(series: TestSeries, evidence: TrendEvidence) -> TestTrend:
    run = [i for i, status in enumerate(series.statuses) if status is not None]
    judged = [i for i in run if series.statuses[i] != Status.SKIPPED]
    timeline = timeline_of(evidence.windows, run)
    step = None if timeline.pace is None else timeline.pace.step
    pairs = list(pairwise(run))
    recounted = tuple(b for a, b in pairs if series.counting[a] != series.counting[b])
    positions = [i for i in run if i >= (recounted[-1] if recounted else 0)]
    why = series.no_change_test or _why_none(evidence.windows, positions, step, evidence.baseline)
    charted = _charted(series.groups)
    return TestTrend(
        series=series,
        changes=tuple(_change(group, positions, evidence, step, why) for group in charted),
        without_chart=len(series.groups) - len(charted),
        reason=why or "",
        turned=tuple(b for a, b in pairwise(judged) if series.statuses[a] != series.statuses[b]),
        recounted=recounted,
        timeline=timeline,
    )


def _charted(groups: Sequence[GroupSeries]) -> list[GroupSeries]:
    """Return the groups that may have a chart: those with the most cases."""
    cases = {group.label: sum((point.cases or 0) for point in group.points if point) for group in groups}
    kept = set(sorted(cases, key=lambda label: (-cases[label], label))[:MOST_CHARTS])
    return [group for group in groups if group.label in kept]


def _why_none(
    windows: Sequence[TrendWindow], positions: Sequence[int], step: float | None, baseline: int
) -> str | None:
    """Return why no group of a test has a test of change."""
    if any(windows[i].end is None for i in positions):
        return "its runs have no window and no date"
    if step is not None and RUN_LENGTH_YEARS * YEAR / step < FEWEST_WINDOWS:
        return f"windows this long come fewer than {FEWEST_WINDOWS} times in two years"
    shared = next((b for a, b in pairwise(positions) if overlap_of(windows[a], windows[b]) > _OVERLAP), None)
    if shared is not None:
        first = f"first the one that ends {str(windows[shared].end)[:10]} and the one before"
        return f"windows overlap, so that their counts are not independent: {first}"
    if len(positions) <= baseline:
        return (
            f"the baseline is {baseline} windows, and there {'is' if len(positions) == 1 else 'are'} {len(positions)}"
        )
    return None


def _change(
    group: GroupSeries, positions: Sequence[int], evidence: TrendEvidence, step: float | None, why: str | None
) -> ChangeTest:
    if why is not None or step is None:
        return ChangeTest(label=group.label, reason=why or "the time between its windows is not known")
    points = [group.points[i] for i in positions]
    if any(point is not None and (point.hits is None or point.cases is None) for point in points):
        return ChangeTest(label=group.label, reason="its figures are not counts of rows")
    hits = [0 if point is None else point.hits or 0 for point in points]
    cases = [0 if point is None else point.cases or 0 for point in points]
    n = evidence.baseline
    chart = tune_chart(hits[:n], cases[:n], odds_ratio=evidence.odds_ratio, run_length=RUN_LENGTH_YEARS * YEAR / step)
    if chart is None:
        reason = "its baseline has no case" if not sum(cases[:n]) else "its baseline rate is 0 or 1"
        return ChangeTest(label=group.label, baseline=tuple(positions[:n]), reason=reason)
    marks = run_chart(chart, hits[n:], cases[n:])
    return ChangeTest(
        label=group.label,
        baseline=tuple(positions[:n]),
        chart=chart,
        marks=tuple(zip(positions[n:], marks, strict=True)),
    )


def _chances(tests: Sequence[TestTrend]) -> Iterator[Chance]:
    for trend in tests:
        test, pace = trend.series, trend.timeline.pace
        counted = [n for n in test.comparisons if n is not None]
        if pace is None or not counted or not counted[-1] or test.alpha is None:
            continue
        is_bound = test.adjustment != "none"
        single = is_bound and test.adjustment != "simultaneous"
        yield Chance(
            test=test.name,
            windows=YEAR / pace.step,
            step=pace.step,
            is_assumed=pace.is_assumed,
            comparisons=1 if single else counted[-1],
            alpha=test.alpha,
            is_bound=is_bound,
        )


def _test_document(test: TestTrend) -> dict[str, Any]:
    return {
        "name": test.series.name,
        "windows": list(test.timeline.positions),
        "windows_a_year": test.windows_a_year,
        "missing": list(test.timeline.missing),
        "not_touching": [asdict(seam) for seam in test.timeline.seams],
        "turned": list(test.turned),
        "recounted": list(test.recounted),
        "without_chart": test.without_chart,
        "changes": [_change_document(change) for change in test.changes],
    }


def _change_document(change: ChangeTest) -> dict[str, Any]:
    chart = change.chart
    found: dict[str, Any] = {"group": change.label, "reason": change.reason or None, "baseline": list(change.baseline)}
    if chart is not None:
        found |= {
            "baseline_hits": chart.baseline_hits,
            "baseline_cases": chart.baseline_cases,
            "average_run_length": _finite(chart.average_run_length),
            "sides": [_side_document(side) for side in (chart.higher, chart.lower)],
        }
    marks = [
        {"window": at, "began": None if m.since is None else change.began(m), **asdict(m)} for at, m in change.marks
    ]
    for mark in marks:
        mark.pop("since")
    return found | {"marks": marks}


def _side_document(side: Side) -> dict[str, Any]:
    return {
        "turn": side.turn.value,
        "odds_ratio": side.odds_ratio,
        "decision_interval": side.decision_interval,
        "average_run_length": _finite(side.average_run_length),
        "delay": _finite(side.delay),
        "quiet_rate": side.quiet,
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
