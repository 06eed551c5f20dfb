"""Adjacent windows as one: spans, gaps, overlaps and changes are said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

import fairreport as fr
from fairreport.audit.window import WindowRecord
from fairreport.errors import ConfigError
from fairreport.report.history import History

MONDAY = datetime(2025, 1, 6, tzinfo=UTC)


def run_of(week, women=45, *, hours=0, score=False, **reading):
    start = MONDAY + timedelta(days=7 * week, hours=hours)
    ends = [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (start, start + timedelta(days=7))]
    rows = {"sex": ["F"] * 100 + ["M"] * 100, "hired": [1] * women + [0] * (100 - women) + [1, 0] * 50}
    audit = fr.Audit(rows | {"score": [i % 11 for i in range(200)]}).outcome_disparity("sex", "hired", 1, name="by sex")
    run = (audit.score_disparity("sex", "score", name="scores") if score else audit).run()
    window = WindowRecord(
        start=ends[0],
        end=ends[1],
        length_seconds=604_800,
        delay_seconds=0,
        column="at",
        timezone="UTC",
        rows_within=200,
        rows_before=0,
        rows_after=0,
        rows_without_time=0,
    )
    run.record = replace(run.record, data=replace(run.record.data, window=window, **reading))
    return run


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / "audits.duckdb")


def test_spans_are_counted_back_from_the_latest(history):
    for week in range(6):
        history.append(run_of(week, 40 + week), "hiring")
    first, second = history.merged("hiring", length="4w")
    assert (first.start, first.end, first.windows) == ("2025-01-06T00:00:00Z", "2025-01-20T00:00:00Z", 2)
    assert first.remarks == ("the history holds 2 weeks of these 4 weeks",)
    assert (second.windows, second.remarks) == (4, ())
    assert second.entry.measurements["minImpactRatio"] == (42 + 43 + 44 + 45) / 200
    assert second.document()["entry"]["evidence"]["rows"]["total"] == 800


def test_a_missing_window_is_said(history):
    for week in (0, 1, 3):
        history.append(run_of(week), "hiring")
    (merged,) = history.merged("hiring", length="4w")
    assert merged.windows == 3
    assert merged.remarks == ("no window covers 2025-01-20 to 2025-01-27",)


def empty(week):
    """Return a run of a week without rows."""
    run = run_of(week)
    window = replace(run.record.data.window, rows_within=0)
    audit = fr.Audit({"sex": [], "hired": []}).outcome_disparity("sex", "hired", 1, name="by sex").run()
    audit.record = replace(audit.record, data=replace(audit.record.data, window=window))
    return audit


def test_a_window_without_a_row_adds_nothing_and_is_no_gap(history):
    for week in range(6):
        history.append(empty(week) if week in {1, 3, 4, 5} else run_of(week, 40), "hiring")
    first, second, third = history.merged("hiring", length="2w")
    assert (first.windows, first.end, first.remarks) == (
        1,
        "2025-01-20T00:00:00Z",
        ("1 window without a row: 2025-01-13 to 2025-01-20",),
    )
    assert second.entry.measurements["minImpactRatio"] == 0.8
    assert (third.entry, third.reason, third.remarks) == (None, "each of them held no row", ())


def test_weeks_of_a_calendar_fall_into_spans_as_their_dates_do(history):
    # Oslo, 30 March 2025: the clock was set forward, so that the span before has an hour less.
    zone = ZoneInfo("Europe/Oslo")
    for week in range(26):
        run = run_of(week, 40)
        ends = [
            (datetime(2025, 1, 6) + timedelta(days=7 * at)).replace(tzinfo=zone).astimezone(UTC)  # noqa: DTZ001
            for at in (week, week + 1)
        ]
        stamps = [end.strftime("%Y-%m-%dT%H:%M:%SZ") for end in ends]
        held = run.record.data.window
        seconds = round((ends[1] - ends[0]).total_seconds())
        window = replace(held, start=stamps[0], end=stamps[1], length_seconds=seconds, timezone=zone.key)
        run.record = replace(run.record, data=replace(run.record.data, window=window))
        history.append(run, "hiring")
    merged = history.merged("hiring", length="13w")
    assert [(it.windows, it.remarks) for it in merged] == [(13, ()), (13, ())]


def test_overlapping_windows_are_not_added(history):
    history.append(run_of(0), "hiring")
    history.append(run_of(1, hours=-24), "hiring")
    (merged,) = history.merged("hiring", length="4w")
    assert merged.entry is None
    assert "overlap; their rows would count twice" in merged.reason


def test_what_is_counted_otherwise_is_not_added(history):
    history.append(run_of(0), "hiring")
    history.append(run_of(1, missing_values=("NA",)), "hiring")
    (merged,) = history.merged("hiring", length="4w")
    assert merged.entry is None
    assert merged.reason == "what is counted changed with the window 2025-01-13 to 2025-01-20"


def test_medians_are_left_out_and_counts_are_not(history):
    for week in range(2):
        history.append(run_of(week, score=True), "hiring")
    by_sex, scores = history.merged("hiring", length="2w")
    assert by_sex.entry is not None
    assert scores.entry is None
    assert "medians and ranks do not add" in scores.reason


def test_runs_without_a_window_are_not_added(history):
    history.append(run_of(0).record, "hiring")
    undated = fr.Audit({"sex": ["F", "M"] * 60, "hired": [0, 1, 1] * 40}).outcome_disparity("sex", "hired", 1).run()
    history.append(undated, "pay")
    (merged,) = history.merged("pay", length="13w")
    assert "its runs have no window" in merged.reason


@pytest.mark.parametrize("length", ["13x", "", 0, -5])
def test_a_length_that_is_none_is_refused(history, length):
    history.append(run_of(0), "hiring")
    with pytest.raises(ConfigError, match="merge: must be"):
        history.merged("hiring", length=length)
