"""From the records of a history to the evidence of trends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairreport.audit.trend import Trends, judge_trends
from fairreport.audit.trend_evidence import (
    BASELINE,
    ODDS_RATIO,
    TOO_FEW,
    GroupPoint,
    GroupSeries,
    TestSeries,
    TrendEvidence,
    TrendWindow,
    ValueSeries,
)
from fairreport.errors import ConfigError, DataError, Fault
from fairreport.report.history_record import HistoryEntry, moments
from fairreport.report.history_series import Held, groups_of, level_of, no_change_test, rank_of, values_of

_MOST_BASELINE = 1_000
Span = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSettings:
    """What the test of change is tuned to.

    Attributes
    ----------
    baseline : int
        So many of the first windows are the baseline, 2 to 1,000.
    odds_ratio : float
        The change of the odds to look for, above 1 and at most 20; the other way its inverse.

    Raises
    ------
    ConfigError
        If one is out of its range.
    """

    baseline: int = BASELINE
    odds_ratio: float = ODDS_RATIO

    def __post_init__(self) -> None:
        faults = []
        if (
            isinstance(self.baseline, bool)
            or not isinstance(self.baseline, int)
            or not (2 <= self.baseline <= _MOST_BASELINE)
        ):
            message = f"must be a whole number of windows from 2 to {_MOST_BASELINE:,}, got {self.baseline!r}"
            faults.append(Fault(code="out_of_range", message=message, path="baseline"))
        if not isinstance(self.odds_ratio, (int, float)) or not 1.05 <= self.odds_ratio <= 20:
            message = f"must be from 1.05 to 20, got {self.odds_ratio!r}"
            faults.append(Fault(code="out_of_range", message=message, path="odds_ratio"))
        if faults:
            raise ConfigError(faults)


def trends_of(entries: Sequence[HistoryEntry], *, audit_id: str, settings: ChangeSettings) -> Trends:
    """Return how an audit went over its windows.

    Parameters
    ----------
    entries : sequence of HistoryEntry
        All records of the audit; those that are superseded are only counted.
    audit_id : str
        The audit.
    settings : ChangeSettings
        What the test of change is tuned to.

    Raises
    ------
    DataError
        If a record does not hold what a result holds.
    """
    present = [entry for entry in entries if not entry.superseded]
    spans = sorted({(entry.window_start, entry.window_end) for entry in present}, key=lambda span: moments(*span))
    by_test: dict[str, dict[Span, HistoryEntry]] = {}
    for entry in present:
        by_test.setdefault(entry.test_name, {})[entry.window_start, entry.window_end] = entry
    latest = max(present, key=lambda entry: moments(entry.window_start, entry.window_end))
    ordered = sorted(by_test, key=lambda name: (max(entry.test_order for entry in by_test[name].values()), name))
    try:
        tests = tuple(_series(name, spans, by_test[name]) for name in ordered)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        message = f"the history holds a record of {audit_id!r} that is no result ({type(error).__name__}: {error})"
        raise DataError(message) from None
    return judge_trends(
        TrendEvidence(
            audit_id=audit_id,
            title=str(latest.head.get("title", "")),
            windows=tuple(_window(span, present) for span in spans),
            tests=tests,
            superseded=len(entries) - len(present),
            baseline=settings.baseline,
            odds_ratio=float(settings.odds_ratio),
        )
    )


def _window(span: Span, entries: Sequence[HistoryEntry]) -> TrendWindow:
    held = (it.window for it in entries if it.window is not None and (it.window_start, it.window_end) == span)
    window = next(held, None)
    if window is None:
        return TrendWindow(start=span[0], end=span[1])
    rows, without = window.rows_within, window.rows_without_time
    return TrendWindow(start=span[0], end=span[1], rows=rows, rows_without_time=without)


def _series(name: str, spans: Sequence[Span], held: Mapping[Span, HistoryEntry]) -> TestSeries:
    found = [held.get(span) for span in spans]
    run = [entry for entry in found if entry is not None]
    latest = run[-1].entry
    values = [None if it is None or not it.measurements else values_of(it.entry) for it in found]
    groups = [{} if it is None or it.entry["status"] == "skipped" else groups_of(it.entry) for it in found]
    thresholds = {key: it for window in values if window for key, it in window.items()}
    labels = _in_order(groups)
    levels = [None if it is None else level_of(it.entry) for it in found]
    last = next((level for level in reversed(levels) if level and level[2] is not None), levels[-1])
    return TestSeries(
        name=name,
        analysis=str(latest["analysis"]),
        no_change_test=no_change_test(latest),
        alpha=last[0] if last else None,
        adjustment=last[1] if last else "none",
        statuses=tuple(None if it is None else it.status for it in found),
        counting=tuple(None if it is None else it.counting for it in found),
        comparisons=tuple(None if level is None else level[2] for level in levels),
        values=tuple(
            ValueSeries(
                name=key,
                operator=it.operator,
                threshold=it.threshold,
                points=tuple(None if w is None or key not in w else w[key].point for w in values),
            )
            for key, it in sorted(thresholds.items(), key=_rank)
        ),
        groups=tuple(
            GroupSeries(label=label, points=tuple(window.get(label) for window in groups)) for label in labels
        ),
    )


def _in_order(groups: Sequence[Mapping[str, GroupPoint]]) -> list[str]:
    """Return the groups, worst of the latest window first; those with too few rows in it come last."""
    latest = {label: window[label] for window in groups for label in window}
    labels = dict.fromkeys(label for window in reversed(groups) for label in window)
    return sorted(labels, key=lambda label: latest[label].verdict == TOO_FEW)


def _rank(item: tuple[str, Held]) -> int:
    name, held = item
    return rank_of(name, has_threshold=held.threshold is not None)
