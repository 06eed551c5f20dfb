"""Trends: what is read from the records, where verdicts change, which groups leave their baseline, what chance does."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import fairreport as fr
from fairreport.audit.trend import judge_trends
from fairreport.audit.window import WindowRecord
from fairreport.errors import ConfigError
from fairreport.report.history import History
from fairreport.report.trend_file import trends_from, trends_text
from fairreport.report.withheld_trends import shown_trends
from fairreport.stats.cusum import Turn, run_chart, tune_chart

MONDAY = datetime(2025, 1, 6, tzinfo=UTC)


def window(week, days=7, length=7):
    start = MONDAY + timedelta(days=days * week)
    ends = [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (start, start + timedelta(days=length))]
    return WindowRecord(
        start=ends[0],
        end=ends[1],
        length_seconds=length * 86_400,
        delay_seconds=0,
        column="at",
        timezone="UTC",
        rows_within=200,
        rows_before=0,
        rows_after=0,
        rows_without_time=0,
    )


def run_of(week, women, men=50, *, days=7, length=7, n=100, title="Hiring", **stated):
    rows = {"sex": ["F"] * n + ["M"] * n, "hired": [1] * women + [0] * (n - women) + [1] * men + [0] * (n - men)}
    audit = fr.Audit(rows, title=title).outcome_disparity("sex", "hired", 1, name="by sex", **stated)
    rule = {"id": "gap", "rate": "selection", "attribute": "sex", "max_group_gap": 0.3}
    run = audit.rate_gaps({"sex": ["F", "M"]}, "hired", "hired", [rule], name="rules").run()
    run.record = replace(run.record, data=replace(run.record.data, window=window(week, days, length)))
    return run


WOMEN = [45, 47, 44, 46, 48, 43, 45, 46, 44, 47, 45, 46, 45, 44, 46, 30, 29, 31, 30, 28]


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Twenty weeks; women are hired less often from the sixteenth on."""
    made = History(tmp_path_factory.mktemp("history") / "audits.duckdb")
    for week, women in enumerate(WOMEN):
        made.append(run_of(week, women), "hiring")
    return made


@pytest.fixture(scope="module")
def trends(history):
    return history.trends("hiring")


def series(trends, test, label):
    return next(group for group in trends.tests[test].series.groups if group.label == label)


def test_points_are_the_numbers_of_each_run(trends):
    women = series(trends, 0, "sex = F")
    for week, point in enumerate(women.points):
        run = run_of(week, WOMEN[week])
        row = next(it for it in run["by sex"].record.finding.groups if it.group == ("F",))
        assert (point.n, point.hits, point.cases) == (100, WOMEN[week], 100)
        assert (point.value, point.low, point.high) == (row.rate, row.rate_interval.low, row.rate_interval.high)
        assert (point.ratio, point.ratio_low) == (row.ratio, row.ratio_interval.low)


def test_a_measurement_has_the_interval_of_its_group_and_its_bar(trends):
    values = {it.name: it for it in trends.tests[0].series.values}
    assert next(iter(values)) == "minImpactRatio"
    ratio = values["minImpactRatio"]
    assert (ratio.operator, ratio.threshold) == (">=", 0.8)
    row = next(it for it in run_of(0, 45)["by sex"].record.finding.groups if it.group == ("F",))
    assert (ratio.points[0].value, ratio.points[0].low) == (0.9, row.ratio_interval.low)
    assert (values["failingGroupCount"].operator, values["failingGroupCount"].threshold) == ("<=", 0.0)


def test_a_shortfall_has_the_interval_of_its_difference_turned(trends):
    point = next(it for it in trends.tests[0].series.values if it.name == "maxRateDifference").points[0]
    row = next(it for it in run_of(0, 45)["by sex"].record.finding.groups if it.group == ("F",))
    assert point.value == pytest.approx(-row.difference)
    assert (point.low, point.high) == (-row.difference_interval.high, -row.difference_interval.low)


def test_a_rule_is_a_measurement_against_its_bar(trends):
    rule = trends.tests[1].series.values[0]
    assert (rule.name, rule.operator, rule.threshold) == ("gap", "<=", 0.3)
    assert rule.points[0].value == pytest.approx(0.05)
    assert series(trends, 1, "gap: F").points[0].hits == 45


def test_the_first_change_of_a_verdict(trends):
    assert [str(status) for status in trends.tests[0].series.statuses[13:17]] == ["passing"] * 2 + ["failing"] * 2
    assert trends.tests[0].turned == (15,)


def test_the_chart_is_that_of_the_baseline(trends):
    change = next(it for it in trends.tests[0].changes if it.label == "sex = F")
    chart = tune_chart(WOMEN[:12], [100] * 12, odds_ratio=1.5, run_length=2 * 365.25 / 7)
    marks = run_chart(chart, WOMEN[12:], [100] * 8)
    assert change.baseline == tuple(range(12))
    assert change.chart == chart
    assert [mark for _, mark in change.marks] == list(marks)
    assert [at for at, _ in change.marks] == list(range(12, 20))
    assert change.signals[0][1].signal is Turn.LOWER
    assert change.began(change.signals[0][1]) == 15
    assert change.present == change.signals
    assert next(it for it in trends.tests[0].changes if it.label == "sex = M").signals == ()


def test_chance_findings_are_windows_times_comparisons_times_alpha(trends):
    by_sex, rules = trends.chances
    assert (by_sex.comparisons, by_sex.alpha, by_sex.is_bound) == (1, 0.05, False)
    assert by_sex.expected == pytest.approx(365.25 / 7 * 1 * 0.05)
    assert (rules.comparisons, rules.is_bound) == (1, True)
    assert rules.alpha == pytest.approx(0.05)


def test_a_correction_counts_as_one_comparison(tmp_path):
    made = History(tmp_path / "a.duckdb")
    made.append(run_of(0, 45, p_value_adjustment="holm"), "hiring")
    chance = made.trends().chances[0]
    assert (chance.comparisons, chance.is_bound) == (1, True)


def test_one_window_has_its_chance_and_no_chart(tmp_path):
    made = History(tmp_path / "a.duckdb")
    made.append(run_of(0, 45), "hiring")
    trends = made.trends()
    assert trends.tests[0].windows_a_year == pytest.approx(365.25 / 7)
    assert trends.tests[0].changes[0].reason == "the baseline is 12 windows, and there is 1"


def test_a_later_baseline_of_what_is_counted_otherwise(tmp_path):
    made = History(tmp_path / "a.duckdb")
    for week in range(6):
        made.append(run_of(week, 45), "hiring")
    for week in range(6, 14):
        run = run_of(week, 45)
        run.record = replace(run.record, data=replace(run.record.data, missing_values=("NA",)))
        made.append(run, "hiring")
    test = made.trends(baseline=4).tests[0]
    assert test.recounted == (6,)
    assert test.changes[0].baseline == (6, 7, 8, 9)


def test_thresholds_do_not_move_the_baseline(tmp_path):
    made = History(tmp_path / "a.duckdb")
    for week in range(8):
        made.append(run_of(week, 45, impact_ratio_threshold=0.8 if week < 4 else 0.7), "hiring")
    test = made.trends(baseline=4).tests[0]
    assert test.recounted == ()
    assert test.changes[0].baseline == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("days", "length", "reason"),
    [
        (1, 7, "windows overlap"),
        (120, 120, "come fewer than 8 times in two years"),
    ],
)
def test_windows_that_no_chart_fits(tmp_path, days, length, reason):
    made = History(tmp_path / "a.duckdb")
    for step in range(5):
        made.append(run_of(step, 45, days=days, length=length), "hiring")
    assert reason in made.trends(baseline=2).tests[0].changes[0].reason


def test_weeks_over_a_clock_that_was_set_back_still_have_a_chart(tmp_path):
    made = History(tmp_path / "a.duckdb")
    for week in range(5):
        run = run_of(week, 45)
        if week == 3:  # begins an hour before the week before ended
            held = run.record.data.window
            early = replace(held, start="2025-01-26T23:00:00Z", length_seconds=held.length_seconds + 3600)
            run.record = replace(run.record, data=replace(run.record.data, window=early))
        made.append(run, "hiring")
    assert made.trends(baseline=3).tests[0].changes[0].chart is not None


def test_missing_windows_are_told(tmp_path):
    made = History(tmp_path / "a.duckdb")
    for week in (0, 1, 2, 4, 5):
        made.append(run_of(week, 45), "hiring")
    trends = made.trends(baseline=2)
    assert trends.missing == (3,)
    assert "Windows are missing in 1 place: before 2025-02-03 to 2025-02-10." in repr(trends)


@pytest.mark.parametrize(
    ("add", "reason"),
    [
        (lambda a: a.score_disparity("sex", "score"), "its rates are held against the median of their own window"),
        (
            lambda a: a.metric_parity("sex", "mean", value_column="score", higher_is_better=True),
            "its metric is no share of counted rows",
        ),
        (
            lambda a: a.standardized_mean_difference(outcome="score", reference_values={"sex": "M"}, smd_threshold=0.3),
            "its figures are means, not shares of counted rows",
        ),
        (
            lambda a: a.adverse_impact_ratio(
                outcome="hired",
                reference_values={"sex": "M"},
                air_threshold=0.8,
                percent_difference_threshold=0.01,
                sample_weight="weight",
            ),
            "its figures are sums of weights, not counts",
        ),
    ],
)
def test_what_has_no_counts_has_no_test_of_change(tmp_path, add, reason):
    rng = np.random.default_rng(1)
    made = History(tmp_path / "a.duckdb")
    for week in range(4):
        rows = {"sex": ["F"] * 60 + ["M"] * 60, "hired": [0, 1] * 60, "weight": [1.5, 1.0] * 60}
        run = add(fr.Audit(rows | {"score": rng.normal(5, 1, 120).tolist()})).run()
        run.record = replace(run.record, data=replace(run.record.data, window=window(week)))
        made.append(run, "hiring")
    trends = made.trends(baseline=2)
    assert {change.reason for change in trends.tests[0].changes} == {reason}
    assert all(change.chart is None for change in trends.tests[0].changes)


def test_named_pairs_have_ratios_and_charts(tmp_path):
    made = History(tmp_path / "a.duckdb")
    for week in range(6):
        rows = {"sex": ["F"] * 60 + ["M"] * 60, "hired": ([0, 1, 0] * 20) + [0, 1] * 30}
        run = fr.Audit(rows).adverse_impact_ratio(
            outcome="hired", reference_values={"sex": "M"}, air_threshold=0.8, percent_difference_threshold=0.01
        )
        run = run.run()
        run.record = replace(run.record, data=replace(run.record.data, window=window(week)))
        made.append(run, "hiring")
    test = made.trends(baseline=3).tests[0]
    women = next(group for group in test.series.groups if group.label == "sex = F").points[0]
    assert (women.hits, women.cases, women.ratio) == (20, 60, pytest.approx(2 / 3))
    assert women.low < women.value < women.high
    assert women.ratio_low < women.ratio < women.ratio_high
    ratio = next(it for it in test.series.values if it.name == "minImpactRatio")
    assert (ratio.threshold, ratio.points[0].low) == (0.8, women.ratio_low)
    assert all(change.chart is not None for change in test.changes)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"baseline": 1}, "baseline: must be a whole number of windows from 2 to 1,000, got 1"),
        ({"baseline": 2.5}, "baseline: must be a whole number"),
        ({"odds_ratio": 1}, "odds_ratio: must be from 1.05 to 20, got 1"),
        ({"odds_ratio": float("nan")}, "odds_ratio: must be from 1.05"),
    ],
)
def test_settings_out_of_range_are_refused(history, settings, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        history.trends("hiring", **settings)


def test_the_file_that_travels_gives_the_same_trends(trends):
    text = trends_text(trends)
    again = trends_from(json.loads(text))
    assert again == trends
    assert trends_text(again) == text
    assert again.to_dict() == trends.to_dict()


def test_the_same_history_gives_the_same_json(history, trends):
    assert json.dumps(history.trends("hiring").to_dict(), allow_nan=False) == json.dumps(
        trends.to_dict(), allow_nan=False
    )


def test_the_packet_shows_trends_and_verifies(tmp_path, trends):
    report = fr.Report(run_of(19, WOMEN[19]), trends=trends)
    path = report.save(tmp_path / "packet.html")
    page = path.read_text(encoding="utf-8")
    assert "Over time" in page
    assert "20 windows of 1 week, from 2025-01-06 to 2025-05-26." in page
    assert "▼ lower than the baseline since about 2025-04-21" in page
    assert "52 windows x 1 comparison x 0.05" in page
    assert "trends.json" in [file.name for file in report.attachments]
    found = fr.verify(path)
    assert found.exit_code == 0, found


def test_a_packet_with_other_trends_inside_does_not_verify(tmp_path, trends):
    report = fr.Report(run_of(19, WOMEN[19]), trends=trends)
    path = report.save(tmp_path / "packet.html")
    page = path.read_text(encoding="utf-8").replace("lower than the baseline since about 2025-04-21", "as before")
    path.write_text(page, encoding="utf-8")
    assert fr.verify(path).exit_code == 1


def test_a_windowed_packet_without_history_says_what_chance_would_find():
    page = fr.Report(run_of(3, 45)).html()
    assert "Chance findings to expect in a year" in page
    assert "would find about 2.6 differences a year: 52 windows x 1 comparison x 0.05" in page


def test_a_packet_without_a_window_has_no_section_on_time(make_rows):
    run = fr.Audit(make_rows([("F", 20, 50), ("M", 30, 50)])).outcome_disparity("sex", "hired", 1).run()
    assert "Over time" not in fr.Report(run).html()


def small_history(path):
    made = History(path)
    for week in range(4):
        x = 6 if week == 1 else 60
        rows = {
            "sex": ["F"] * 100 + ["M"] * 100 + ["X"] * x,
            "hired": [1] * 45 + [0] * 55 + [1] * 50 + [0] * 50 + [1] * 3 + [0] * (x - 3),
        }
        run = (
            fr.Audit(rows)
            .outcome_disparity("sex", "hired", 1, name="by sex", min_group_size=2, min_group_share=0)
            .run()
        )
        held = replace(window(week), rows_within=200 + x)
        run.record = replace(run.record, data=replace(run.record.data, window=held))
        made.append(run, "hiring")
    return made, run


def test_a_group_that_was_small_once_is_withheld_from_trends(tmp_path):
    made, run = small_history(tmp_path / "a.duckdb")
    report = fr.Report(run, trends=made.trends(), suppress_below=10)
    shown = shown_trends(made.trends(), report.record)
    assert [group.label for group in shown.evidence.tests[0].groups] == ["sex = M"]  # X would be the rest of all rows
    assert shown.evidence.tests[0].values == ()
    assert all(window.rows is None for window in shown.windows)
    text = trends_text(shown)
    assert "sex = X" not in text
    assert "2 groups with few rows in some window or beside such, and every measurement, are withheld" in report.html()
    path = report.save(tmp_path / "packet.html")
    assert fr.verify(path).exit_code == 0


def test_without_suppression_trends_stay_as_they_are(tmp_path):
    made, run = small_history(tmp_path / "a.duckdb")
    trends = made.trends()
    assert shown_trends(trends, run.record) is trends


def test_hostile_names_stay_text(tmp_path):
    name = "<script>alert(1)</script>"
    made = History(tmp_path / "a.duckdb")
    for week in range(3):
        rows = {"sex": [name] * 60 + ["M"] * 60, "hired": [0, 1] * 60}
        run = fr.Audit(rows, title=name).outcome_disparity("sex", "hired", 1, name=name).run()
        run.record = replace(run.record, data=replace(run.record.data, window=window(week)))
        made.append(run, "hiring")
    trends = made.trends()
    shown = trends._repr_mimebundle_()
    for page in (shown["text/html"], shown["text/markdown"], fr.Report(run, trends=trends).html()):
        assert "<script>alert" not in page
    assert judge_trends(trends.evidence) == trends
