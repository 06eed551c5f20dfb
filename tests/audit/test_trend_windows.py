"""The windows of a history in time: how often they come, which are missing, which do not touch, in numbers and words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from fairreport.audit.trend import Trends, judge_trends
from fairreport.audit.trend_evidence import GroupPoint, GroupSeries, TestSeries, TrendEvidence, TrendWindow
from fairreport.audit.trend_windows import pace_of, timeline_of
from fairreport.audit.window import Window, stamp
from fairreport.render.trend_text import trend_sentences
from fairreport.render.trend_view import view_trends

DAY, WEEK = 86_400.0, 7 * 86_400.0
MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


def window(end, length=7, *, hours=0, rows=100, without=0):
    """Return a window that ends some days, and hours, after a Monday."""
    moment = MONDAY + timedelta(days=end, hours=hours)
    start = stamp(moment - timedelta(days=length))
    return TrendWindow(start=start, end=stamp(moment), rows=rows, rows_without_time=without)


def series(windows, name="t", *, run=None, n=100, verdict="not failing"):
    """Return a test that was run in some windows, skipped in those without rows."""
    run = range(len(windows)) if run is None else run

    def at(i):
        return (
            None
            if i not in run or not windows[i].rows
            else GroupPoint(n=n, hits=n // 2, cases=n, value=0.5, low=0.4, high=0.6, verdict=verdict)
        )

    statuses = tuple(None if i not in run else "passing" if w.rows else "skipped" for i, w in enumerate(windows))
    return TestSeries(
        name=name,
        analysis="outcome_disparity",
        alpha=0.05,
        statuses=statuses,
        counting=tuple(None if status is None else "c" for status in statuses),
        comparisons=tuple(1 if status == "passing" else None for status in statuses),
        groups=(GroupSeries(label="g", points=tuple(at(i) for i in range(len(windows)))),),
    )


def trends(windows, *tests) -> Trends:
    tests = tests or (series(windows),)
    return judge_trends(TrendEvidence(audit_id="a", title="A", windows=tuple(windows), tests=tests, baseline=3))


def words(found):
    view = view_trends(found)
    return " ".join(it.text for it in (view.lead, *view.remarks, *view.chances))


# How often


@pytest.mark.parametrize(
    ("ends", "length", "step", "assumed"),
    [
        ([7], 7, WEEK, True),
        ([7, 14], 7, WEEK, False),
        ([7, 14, 21, 28], 7, WEEK, False),
        ([7, 10], 7, WEEK, True),  # one out of turn
        ([7, 10, 14], 7, WEEK, True),
        ([7, 10.5, 14], 7, WEEK, True),
        ([7, 14, 21, 24, 28], 7, WEEK, True),
        ([7, 14, 21, 24, 28, 35, 42, 49], 7, WEEK, False),
        ([7, 8, 9, 10, 11, 12], 7, DAY, False),  # seven days, judged each day
        ([7, 14, 21, 28], 1, WEEK, False),  # a day of each week
        ([31, 59, 90, 120, 151], 30, 30.5 * DAY, False),  # months
    ],
)
def test_how_often_windows_come(ends, length, step, assumed):
    pace = pace_of([window(end, length) for end in ends])
    assert (pace.step, pace.is_assumed) == (step, assumed)


def test_dates_without_windows_come_as_often_as_they_do():
    assert pace_of([TrendWindow(start=None, end=f"2026-03-{day:02d}") for day in (2, 9, 16)]).step == WEEK
    assert pace_of([TrendWindow(start=None, end="2026-03-02")]) is None
    assert pace_of([]) is None


def test_a_window_out_of_turn_does_not_double_what_chance_finds():
    said = words(trends([window(end) for end in (7, 14, 17)]))
    assert "52 windows x 1 comparison x 0.05, if each window follows on the one before, every week." in said
    said = words(trends([window(end) for end in (7, 14, 21)]))
    assert "52 windows x 1 comparison x 0.05, if windows come every week as so far." in said


# Lengths


@pytest.mark.parametrize(
    ("windows", "said"),
    [
        ([window(7), window(14)], "2 windows of 1 week, from"),
        ([window(7), window(14), window(15, 1)], "2 windows of 1 week and 1 of 1 day, from"),
        (
            [window(e, length) for e, length in ((1, 1), (3, 2), (6, 3), (10, 4), (17, 7), (24, 7))],
            "2 windows of 1 week, 1 of 1 day, 1 of 2 days and 2 of other lengths, from",
        ),
    ],
)
def test_lengths_are_counted(windows, said):
    assert said in words(trends(windows))


def weeks_of(zone, n=12, length="7d"):
    """Return weeks that end at midnight in a zone, over the change of 29 March 2026."""
    found = []
    for week in range(n):
        end = (datetime(2026, 2, 9) + timedelta(weeks=week)).isoformat()  # noqa: DTZ001 - on the clock of the zone
        placed = Window(length=length, end=end).place(ZoneInfo(zone))
        found.append(TrendWindow(start=stamp(placed.start), end=stamp(placed.end), rows=100))
    return found


def test_weeks_of_a_calendar_touch_and_are_weeks():
    found = trends(weeks_of("Europe/Oslo"))
    assert found.tests[0].timeline.seams == ()
    assert found.tests[0].changes[0].chart is not None
    said = words(found)
    assert "12 windows of 1 week, 1 of them shorter or longer by a change of the clock, from" in said
    assert "touch" not in said


def test_weeks_of_seconds_do_not_touch_and_that_is_said():
    # Weeks of 168 hours that end at midnight in Oslo: the one of 29 March begins an hour early.
    found = trends(weeks_of("Europe/Oslo", length=604_800))
    assert [seam.seconds for seam in found.tests[0].timeline.seams] == [-3600.0]
    assert "begins 1 hour before the end of the window before it; rows of that time are counted in both." in words(
        found
    )
    autumn = [*weeks_of("Europe/Oslo", 2), *(window(14 + 7 * i, hours=1) for i in (1, 2, 3))]
    spring = trends([window(7), window(14), window(21, hours=1), window(28, hours=1)])
    assert len(autumn) == 5
    assert "begins 1 hour after the end of the window before it; rows between are in neither." in words(spring)


def test_gaps_and_overlaps_by_design_are_told_once():
    days = words(trends([window(7 * i, 1) for i in range(1, 6)]))
    assert "Between one window and the next lie 6 days that no window covers." in days
    sliding = words(trends([window(i) for i in range(1, 8)]))
    assert "Windows overlap by 6 days: rows are counted in more than one." in sliding
    assert "do not touch" not in days + sliding


# Tests with windows of their own


def test_windows_of_other_tests_are_not_missing():
    windows = sorted((w for i in range(1, 6) for w in (window(7 * i), window(7 * i, 1, hours=-1))), key=lambda w: w.end)
    weekly = [i for i, w in enumerate(windows) if w.end.endswith("T00:00:00Z")]
    daily = [i for i in range(len(windows)) if i not in weekly]
    found = trends(windows, series(windows, "weekly", run=weekly), series(windows, "daily", run=daily))
    assert found.missing == ()
    assert [test.timeline.positions for test in found.tests] == [tuple(weekly), tuple(daily)]
    view = view_trends(found)
    assert [test.strip.glyphs for test in view.tests] == ["●●●●●"] * 2
    assert all(test.groups[0].spark.line.count("M") == 1 for test in view.tests)
    assert all(", and in 5 of 5 windows" in test.headline.text for test in view.tests)
    assert "missing" not in words(found)
    assert "daily: Between one window and the next lie 6 days that no window covers." in words(found)


def test_a_window_in_which_only_others_were_run_is_still_one_of_a_test():
    windows = [window(7 * i) for i in range(1, 6)]
    found = trends(windows, series(windows, "all"), series(windows, "some", run=(0, 1, 3, 4)))
    assert found.tests[1].timeline.positions == (0, 1, 2, 3, 4)
    some = view_trends(found).tests[1]
    assert some.strip.glyphs == "●●·●●"
    assert some.groups[0].spark.line.count("M") == 2


def test_a_missing_window_is_missing_of_the_tests_that_lack_it():
    windows = [window(7 * i) for i in (1, 2, 4, 5)]
    assert timeline_of(windows, range(4)).missing == (2,)
    assert trends(windows).missing == (2,)


# Windows without rows, rows without a time


def test_after_an_empty_window_the_latest_is_that_one_and_figures_name_theirs():
    windows = [window(7), window(14), window(21, rows=0)]
    found = trends(windows)
    view = view_trends(found)
    (test,) = view.tests
    assert found.tests[0].turned == ()
    assert test.headline.text == (
        "The latest window, 2026-01-19 to 2026-01-26, held no row. Passing in the latest that has a verdict, "
        "2026-01-12 to 2026-01-19, and in 2 of 2 windows with a verdict; it never changed."
    )
    assert test.figures == "window 2026-01-12 to 2026-01-19; the latest, 2026-01-19 to 2026-01-26, held no row"
    assert test.are_older
    assert "1 window held no row: 2026-01-19 to 2026-01-26." in words(found)
    bundle = found._repr_mimebundle_()
    for shown in (bundle["text/html"], bundle["text/markdown"]):
        assert "2026-01-12 to 2026-01-19; the latest, 2026-01-19 to 2026-01-26, held no row" in shown.replace("\\", "")


def test_figures_of_the_latest_window_are_of_one_window_only():
    windows = [window(7), window(14)]
    both = series(windows)
    gone = GroupSeries(label="gone", points=(both.groups[0].points[0], None))
    found = trends(windows, replace(both, groups=(*both.groups, gone)))
    first, second = view_trends(found).tests[0].groups
    assert (first.latest, first.n) == ("0.500", "100")
    assert (second.latest, second.n) == ("—", "—")
    assert second.finding.startswith("no row in that window; ")


def test_rows_without_a_time_are_counted():
    assert "3 rows had no usable time when the window 2026-01-12 to 2026-01-19 was judged" in words(
        trends([window(7, without=9), window(14, without=3)])
    )
    assert "9 rows had no usable time at most, when earlier windows were" in words(
        trends([window(7, without=9), window(14)])
    )
    assert "usable" not in words(trends([window(7), window(14)]))


# Headlines


def test_a_group_with_too_few_rows_is_no_headline():
    windows = [window(7 * i) for i in range(1, 20)]

    def falling(verdict):
        made = series(windows, verdict=verdict)
        points = tuple(GroupPoint(n=60, hits=h, cases=60, value=h / 60, verdict=verdict) for h in [30] * 10 + [5] * 9)
        return trends(windows, replace(made, groups=(GroupSeries(label="g", points=points),)))

    (loud,) = view_trends(falling("failing")).tests
    (small,) = view_trends(falling("not enough data")).tests
    assert [row.n for row in loud.changed] == ["60"]
    assert small.changed == ()
    assert small.groups[0].finding.startswith("too few rows in that window for a verdict; ▼ lower")
    assert "n = 60" in repr(falling("failing"))


def test_what_was_tested_against_how_many_windows_stands_wherever_trends_do():
    # The difference is there from the first window on, so that nothing is signalled in the one that is tested.
    found = trends([window(7 * i) for i in range(1, 5)])
    told = (
        "Test of change: none is signalled in 1 group; 1 window was tested against a baseline of 3; a difference that "
        "the baseline holds already is no change."
    )
    (view,) = view_trends(found).tests
    assert [sentence.text for sentence in view.change] == [told]
    assert told in trend_sentences(found)
    assert told in " ".join(repr(found).split())
    assert told in found._repr_mimebundle_()["text/html"]
    few = trends([window(7), window(14)])
    assert not [sentence for sentence in trend_sentences(few) if "Test of change" in sentence]


def test_the_name_of_a_test_stands_apart_from_the_sentence_on_chance():
    windows = [window(7 * i) for i in range(1, 7)]
    (sentence,) = view_trends(trends(windows, replace(series(windows), name="by gender"))).chances
    assert sentence.text.startswith("By chance alone “by gender” would find about ")


def test_the_text_says_why_there_is_no_test_of_change():
    text = " ".join(repr(trends([window(7), window(14)])).split())
    assert "No test of change: the baseline is 3 windows, and there are 2." in text
    text = " ".join(repr(trends([window(7 * i) for i in range(1, 7)])).split())
    assert "Test of change: none is signalled in 1 group; 3 windows were tested against a baseline of 3" in text
    text = " ".join(repr(trends([window(end) for end in (7, 14, 17, 21)])).split())
    assert "overlap, so that their counts are not independent: first the one that ends 2026-01-22" in text
