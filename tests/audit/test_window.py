"""Windows of time in an audit: how they are stated, and what a run says of them."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport import Audit, ConfigError, DataError, Report, Window, verify
from fairreport.audit.late import late_rows
from fairreport.audit.rebuild import rebuild
from fairreport.audit.window import OwnWindow, WindowRecord, instant_of, seconds_of, stamp, zone_of
from fairreport.render.window_lines import window_code

OSLO = ZoneInfo("Europe/Oslo")
UTC_ZONE = ZoneInfo("UTC")


def decisions(days=28, *, first=date(2026, 3, 1)):
    """Return a row for each sex and hour of some days; every second man and every fourth woman is hired."""
    hours = range(24 * days)
    start = datetime.combine(first, datetime.min.time())
    rows = [(start + timedelta(hours=h), sex, int(h % (4 if sex == "F" else 2) == 0)) for h in hours for sex in "FM"]
    return pd.DataFrame(rows, columns=["t", "sex", "hired"])


def audit(data=None, **stated):
    made = Audit(decisions() if data is None else data, time_column="t", **stated)
    return made.outcome_disparity("sex", "hired", 1, name="hired")


# Lengths and ends


@pytest.mark.parametrize(
    ("stated", "seconds"),
    [
        ("7d", 604_800),
        (" 12h ", 43_200),
        ("30m", 1_800),
        ("45s", 45),
        ("2w", 1_209_600),
        ("1d 12h", 129_600),
        ("1d12h", 129_600),
        ("604800", 604_800),
        (604_800, 604_800),
        (604_800.0, 604_800),
        (timedelta(days=7), 604_800),
        (str(timedelta(days=7)), 604_800),
        (str(timedelta(hours=36)), 129_600),
        (str(pd.Timedelta(days=7)), 604_800),
    ],
)
def test_lengths(stated, seconds):
    assert seconds_of(stated, "window") == seconds


@pytest.mark.parametrize(
    "stated", ["", "d", "7 days ago", "-7d", "7x", "week", 1.5, True, None, [7], "1e3", "٧d", float("nan"), "7d;"]
)
def test_what_is_no_length(stated):
    with pytest.raises(ConfigError) as caught:
        seconds_of(stated, "window")
    assert caught.value.errors[0].path == "window"
    assert "7d, 12h or 30m" in str(caught.value)


def test_a_unit_in_capitals_is_hinted_at():
    with pytest.raises(ConfigError, match="Did you mean '7d'"):
        seconds_of("7D", "window")


@pytest.mark.parametrize("stated", [0, -1, "0d", 10**12, "999999w"])
def test_lengths_that_nobody_means(stated):
    with pytest.raises(ConfigError) as caught:
        seconds_of(stated, "window")
    assert caught.value.code == "out_of_range"


@pytest.mark.parametrize(
    ("stated", "utc"),
    [
        ("2026-03-02", "2026-03-01T23:00:00Z"),
        ("2026-07-02T12:30", "2026-07-02T10:30:00Z"),
        ("2026-03-02T00:00:00Z", "2026-03-02T00:00:00Z"),
        (date(2026, 3, 2), "2026-03-01T23:00:00Z"),
        (datetime(2026, 3, 2, tzinfo=UTC), "2026-03-02T00:00:00Z"),
        (pd.Timestamp("2026-03-02", tz="Asia/Tokyo"), "2026-03-01T15:00:00Z"),
        ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),  # twice on the clock: the first
        ("2026-03-29T02:30", "2026-03-29T01:00:00Z"),  # never on the clock: the moment of the change
        ("2026-03-02 00:00:00.250", "2026-03-01T23:00:00.250000Z"),
    ],
)
def test_ends(stated, utc):
    assert stamp(instant_of(stated, OSLO, "window_end")) == utc


@pytest.mark.parametrize(
    "stated", ["yesterday", 2026, 20260302, None, "2026-3-2", True, pd.NaT, "1512-01-01", "9999-12-31"]
)
def test_what_is_no_end(stated):
    with pytest.raises(ConfigError) as caught:
        instant_of(stated, UTC_ZONE, "window_end")
    assert caught.value.errors[0].path == "window_end"


def test_an_unknown_zone_names_the_nearest():
    with pytest.raises(ConfigError, match="Did you mean 'Europe/Oslo'"):
        zone_of("Europe/Olso")
    with pytest.raises(ConfigError, match="Did you mean 'Europe/Oslo'"):
        Audit(decisions(), time_column="t", timezone="Europe/Olso")
    with pytest.raises(ConfigError, match="goes with a time_column"):
        Audit(decisions(), timezone="Europe/Oslo")


@pytest.mark.parametrize(
    ("align", "zone", "end"),
    [
        (None, "UTC", "2026-03-11T05:30:07Z"),
        ("1h", "UTC", "2026-03-11T05:00:00Z"),
        ("1d", "UTC", "2026-03-11T00:00:00Z"),
        ("1d", "Europe/Oslo", "2026-03-10T23:00:00Z"),
        ("7d", "UTC", "2026-03-09T00:00:00Z"),
        ("7d", "Pacific/Auckland", "2026-03-08T11:00:00Z"),
    ],
)
def test_an_end_that_follows_from_now(align, zone, end):
    window = Window(length="7d", now="2026-03-11T06:30:07Z", delay="1h", align=align)
    placed = window.place(ZoneInfo(zone))
    assert stamp(placed.end) == end
    assert placed.end - placed.start == timedelta(days=7)
    assert placed.delay == 3600


@pytest.mark.parametrize(
    ("length", "hours"),
    [("7d", 167), ("1w", 167), ("168h", 168), (604_800, 168), (timedelta(days=7), 168), ("6d 24h", 167)],
)
def test_days_are_those_of_the_calendar_and_hours_are_hours(length, hours):
    # 29 March 2026, Oslo: the clock was set forward, so that this week has 167 hours.
    placed = Window(length=length, end="2026-03-30").place(OSLO)
    assert placed.end - placed.start == timedelta(hours=hours)
    assert Window(length=length, end="2026-03-30").place(UTC_ZONE).start == datetime(2026, 3, 23, tzinfo=UTC)


ZONES = [
    "UTC",
    "Europe/Oslo",
    "America/New_York",
    "Africa/Cairo",
    "America/Havana",
    "Australia/Lord_Howe",
    "Asia/Beirut",
]


@given(
    st.sampled_from([*ZONES, "Pacific/Apia", "America/Santiago"]),
    st.datetimes(min_value=datetime(2009, 1, 1), max_value=datetime(2037, 1, 1)),  # noqa: DTZ001 - a wall clock
    st.sampled_from(["1d", "7d", "14d"]),
)
@settings(max_examples=300)
def test_aligned_windows_of_days_touch_in_every_zone(name, now, length):
    zone = ZoneInfo(name)
    later = Window(length=length, now=now.replace(tzinfo=UTC), align="1d").place(zone)
    assert later.start < later.end <= now.replace(tzinfo=UTC)
    again = Window(length=length, end=stamp(later.end)).place(zone)
    assert (again.start, again.end) == (later.start, later.end)  # what judges a window again finds the same one
    before = Window(length=length, end=stamp(later.start)).place(zone)
    assert before.end == later.start
    if name != "Pacific/Apia":  # which had no 30 December 2011
        assert Window(length=length, now=later.start, align="1d").place(zone).end == later.start


@cache
def changes():
    """Return every zone and moment at which its clock was or will be set, 2020 to 2030."""
    found = []
    for name in sorted(name for name in available_timezones() if "/" in name):
        zone = ZoneInfo(name)
        low = datetime(2020, 1, 1, tzinfo=UTC)
        while low.year <= 2030:
            high = low + timedelta(days=10)
            before = low.astimezone(zone).utcoffset()
            if high.astimezone(zone).utcoffset() != before:
                first, last = low, high
                while last - first > timedelta(seconds=1):
                    middle = first + (last - first) // 2
                    is_before = middle.astimezone(zone).utcoffset() == before
                    first, last = (middle, last) if is_before else (first, middle)
                found.append((name, last.replace(microsecond=0)))
            low = high
    return found


@given(st.data(), st.integers(-1, 1), st.times(), st.sampled_from([1, 7]))
@settings(max_examples=400, deadline=None)
def test_windows_of_days_touch_at_every_change_of_a_clock(data, about, clock, days):
    name, moment = data.draw(st.sampled_from(changes()))
    zone = ZoneInfo(name)
    clocks = [datetime.min.time(), moment.astimezone(zone).time(), (moment - timedelta(1)).astimezone(zone).time()]
    clock = data.draw(st.sampled_from([*clocks, clock]))
    day = moment.astimezone(zone).date() + timedelta(days=about)
    ends = [datetime.combine(day + timedelta(days=days * i), clock) for i in (-1, 0, 1)]
    placed = [Window(length=f"{days}d", end=end).place(zone) for end in ends]
    assert [it.start for it in placed[1:]] == [it.end for it in placed[:-1]]
    # At midnight, what judges a window again by the instant of its end finds the same one, and so does an alignment.
    (window,) = [Window(length=f"{days}d", end=ends[1].date()).place(zone)]
    assert Window(length=f"{days}d", end=stamp(window.end)).place(zone) == window
    later = window.end + timedelta(hours=5)
    assert Window(length=f"{days}d", now=later, align="1d").place(zone) == window


@pytest.mark.parametrize(
    ("name", "end", "start", "instant"),
    [
        # The clocks of these were set from 00:00 to 01:00 in that night, that of Oslo from 02:00 to 03:00 at 01:00 UTC,
        # that of New York from 02:00 to 03:00 at 07:00 UTC (the tz database).
        ("Africa/Cairo", "2026-04-24", "2026-04-22T22:00:00Z", "2026-04-23T22:00:00Z"),
        ("Asia/Beirut", "2026-03-29", "2026-03-27T22:00:00Z", "2026-03-28T22:00:00Z"),
        ("America/Havana", "2026-03-08", "2026-03-07T05:00:00Z", "2026-03-08T05:00:00Z"),
        ("America/Santiago", "2026-09-06", "2026-09-05T04:00:00Z", "2026-09-06T04:00:00Z"),
        ("Europe/Oslo", "2026-03-29T02:30", "2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z"),
        ("America/New_York", "2026-03-08T02:30", "2026-03-07T07:30:00Z", "2026-03-08T07:00:00Z"),
    ],
)
def test_a_window_that_ends_at_a_time_that_the_clock_skipped(name, end, start, instant):
    placed = Window(length="1d", end=end).place(ZoneInfo(name))
    assert (stamp(placed.start), stamp(placed.end)) == (start, instant)


def aligned(length, align, zone, first, hours):
    """Return the different windows that a run each hour judges."""
    moments = [first + timedelta(hours=hour, minutes=10) for hour in range(hours)]
    return list(dict.fromkeys(Window(length=length, now=now, align=align).place(zone) for now in moments))


@pytest.mark.parametrize("first", [datetime(2026, 3, 20, tzinfo=UTC), datetime(2026, 10, 15, tzinfo=UTC)])
@pytest.mark.parametrize(
    ("length", "align"),
    [("12h", "12h"), ("6h", "6h"), ("1h", "1h"), ("24h", "12h"), ("168h", "7d"), (604_800, "7d"), ("5h", "5h")],
)
@pytest.mark.parametrize("name", ["Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"])
def test_aligned_windows_of_hours_touch_over_a_change_of_the_clock(name, length, align, first):
    found = aligned(length, align, ZoneInfo(name), first, 24 * 35)
    by_end = {it.end: it for it in found}
    step = timedelta(seconds=seconds_of(length, "window"))
    assert len(found) > 3
    assert all(it.end - it.start == step for it in found)
    assert all(it.start in by_end for it in found if it.start >= found[0].end)


def test_aligned_windows_of_hours_end_with_the_clock_in_winter():
    placed = Window(length="12h", now="2026-01-15T13:10:00+01:00", align="12h").place(OSLO)
    assert (stamp(placed.start), stamp(placed.end)) == ("2026-01-14T23:00:00Z", "2026-01-15T11:00:00Z")
    # Windows of half a day that come once a day cannot touch; they end at midnight.
    placed = Window(length="12h", now="2026-07-15T13:10:00+02:00", align="1d").place(OSLO)
    assert stamp(placed.end) == "2026-07-14T22:00:00Z"


def test_an_hour_that_comes_twice_has_two_windows():
    # 25 October 2026, Oslo: 03:00 became 02:00 at 01:00 UTC.
    ends = []
    for minutes in range(-90, 151, 30):
        now = datetime(2026, 10, 25, 1, 10, tzinfo=UTC) + timedelta(minutes=minutes)
        placed = Window(length="1h", now=now, align="1h").place(OSLO)
        if not ends or placed.end != ends[-1]:
            assert not ends or placed.start == ends[-1]
            ends.append(placed.end)
    assert len(ends) == 5


@pytest.mark.parametrize(
    ("length", "stated"), [("7d", "7d"), (604_800, "168h"), ("36h", "36h"), ("90m", "90m"), (77, "77s")]
)
def test_the_printed_length_makes_the_same_window(length, stated):
    frame = decisions(40)
    record = audit(frame, timezone="Europe/Oslo").run(Window(length=length, end="2026-03-30")).record
    _, code = window_code(record)
    assert f"length={stated!r}" in code
    window = record.data.window
    placed = Window(length=stated, end=window.end).place(OSLO)
    assert (stamp(placed.start), stamp(placed.end)) == (window.start, window.end)


def test_weeks_over_a_change_of_the_clock_lose_and_double_no_row():
    # Decisions each hour on the clock of Oslo, from before 29 March to after 25 October 2026.
    frame = decisions(240, first=date(2026, 3, 1))
    made = audit(frame, timezone="Europe/Oslo")
    ends = [date(2026, 3, 9) + timedelta(weeks=week) for week in range(34)]
    rows = [made.run(Window(length="7d", end=end.isoformat())).record.data.window.rows_within for end in ends]
    whole = Window(length=f"{7 * len(ends)}d", end=ends[-1].isoformat())
    assert sum(rows) == made.run(whole).record.data.window.rows_within == 2 * 24 * 7 * len(ends)


def test_a_stated_end_is_taken_as_it_stands():
    placed = Window(length="7d", end="2026-03-11T06:30", delay="1h", align="1d").place(UTC_ZONE)
    assert stamp(placed.end) == "2026-03-11T06:30:00Z"


def test_a_window_without_an_end_or_a_length_is_refused():
    with pytest.raises(ConfigError, match="when does the window end"):
        Window(length="7d")
    with pytest.raises(ConfigError, match="how long is the window"):
        audit().run(Window(end="2026-03-09"))
    with pytest.raises(ConfigError, match="must be a length of time"):
        Window(length="7 ds", end="2026-03-09")


# Runs


def test_a_run_judges_its_window_and_says_what_lies_outside():
    frame = decisions()
    frame.loc[5, "t"] = pd.NaT
    record = audit(frame).run(Window(length="7d", end="2026-03-09", delay="1h")).record
    assert record.data.window == WindowRecord(
        start="2026-03-02T00:00:00Z",
        end="2026-03-09T00:00:00Z",
        length_seconds=604_800,
        delay_seconds=3600,
        column="t",
        timezone="UTC",
        rows_within=336,  # 7 days of 24 hours and 2 rows
        rows_before=47,
        rows_after=20 * 48,
        rows_without_time=1,
    )
    assert record.entries[0].finding.rows.total == 336
    assert record.window_of("hired") == record.data.window


def test_a_run_without_a_window_judges_rows_of_any_time():
    record = audit().run().record
    assert record.data.window is None
    assert record.window_of("hired") is None
    assert record.entries[0].finding.rows.total == len(decisions())


def test_windows_that_touch_make_the_whole():
    whole = audit().run(Window(length="28d", end="2026-03-29"))
    parts = [audit().run(Window(length="7d", end=f"2026-03-{day:02d}")) for day in (8, 15, 22, 29)]
    totals = [sum(part.record.entries[0].finding.evidence.groups[i].n for part in parts) for i in (0, 1)]
    assert totals == [group.n for group in whole.record.entries[0].finding.evidence.groups]


def test_a_window_needs_a_time_column():
    with pytest.raises(ConfigError, match="the audit has no time column"):
        Audit(decisions()).outcome_disparity("sex", "hired", 1).run(Window(length="7d", end="2026-03-09"))
    with pytest.raises(ConfigError, match="must be a Window such as"):
        audit().run("7d")
    with pytest.raises(DataError, match=r"no column 'tt'\. Did you mean 't'"):
        Audit(decisions(), time_column="tt").outcome_disparity("sex", "hired", 1).run(
            Window(length="7d", end="2026-03-09")
        )


def test_an_empty_window_is_skipped_and_says_so():
    run = audit().run(Window(length="7d", end="2020-03-09"))
    assert (run.status.value, run.exit_code) == ("skipped", 3)
    assert run.record.data.window.rows_within == 0
    assert run[0].to_dict()["skip_code"] == "empty_column"


def test_counts_weigh_the_rows_of_a_window():
    frame = decisions().assign(n=3)
    run = audit(frame, counts="n").run(Window(length="7d", end="2026-03-09"))
    assert run.record.data.window.rows_within == 3 * 336
    assert run.record.entries[0].finding.rows.total == 3 * 336


def test_every_kind_of_test_sees_the_window_only():
    frame = decisions().assign(score=lambda it: it.index % 7, label=1)
    made = audit(frame).score_disparity("sex", "score", name="score")
    rule = {"id": "r", "rate": "selection", "attribute": "sex", "max_group_gap": 0.5}
    made.rate_gaps(attributes={"sex": ["F", "M"]}, label="label", prediction="hired", rules=[rule], name="gaps")
    made.adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0, name="pairs"
    )
    run = made.run(Window(length="7d", end="2026-03-09"))
    totals = {entry.name: entry.finding.rows.total for entry in run.record.tests}
    assert totals == {"hired": 336, "score": 336}
    (gaps,) = run.record.rate_gaps
    assert gaps.finding.evidence.rows == 336
    (pairs,) = run.record.pairs
    assert pairs.finding.evidence.rows.total == 336


# The document, and what comes back from it


def test_the_document_holds_the_window_and_is_valid(result_checker):
    run = audit().run(Window(length="7d", end="2026-03-09"))
    document = json.loads(run.to_json())
    result_checker.validate(document)
    assert document["data"]["window"]["rows_within"] == 336
    assert rebuild(document).record.data.window == run.record.data.window
    without = json.loads(audit().run().to_json())
    result_checker.validate(without)
    assert (without["data"]["window"], without["data"]["test_windows"]) == (None, {})


@pytest.mark.parametrize(
    ("key", "value", "pointer"),
    [
        ("rows_within", 335, "/data/window/rows_within"),
        ("length_seconds", 1, "/data/window/length_seconds"),
        ("end", "2026-03-08T00:00:00Z", "/data/window/length_seconds"),
        ("start", "soon", "/data/window"),
        ("rows_before", -1, "/data/window"),
        ("rows_after", "many", "/data/window/rows_after"),
    ],
)
def test_a_window_that_contradicts_itself_or_the_counts(key, value, pointer):
    document = audit().run(Window(length="7d", end="2026-03-09")).to_dict()
    document["data"]["window"][key] = value
    found = rebuild(document)
    assert found.record is None
    assert found.misfits[0].pointer == pointer


def test_a_packet_with_a_window_is_verified_and_prints_it(tmp_path):
    frame = decisions()
    path = tmp_path / "decisions.csv"
    frame.to_csv(path, index=False, date_format="%Y-%m-%dT%H:%M:%S")
    run = audit(path, timezone="Europe/Oslo").run(Window(length="7d", end="2026-03-09"))
    packet = Report(run).save(tmp_path / "packet.html")
    page = packet.read_text(encoding="utf-8")
    assert "from 2026-03-01 23:00 to before 2026-03-08 23:00 UTC (7 days)" in page
    assert "336 in the window" in page
    assert verify(packet).agrees
    assert verify(packet, data=path).agrees
    other = frame.assign(hired=lambda it: it["hired"].where(it["t"] != pd.Timestamp("2026-03-05"), 1 - it["hired"]))
    other.to_csv(path, index=False, date_format="%Y-%m-%dT%H:%M:%S")
    assert not verify(packet, data=path).agrees


def test_rows_outside_the_window_do_not_matter_to_verify(tmp_path):
    path = tmp_path / "decisions.csv"
    decisions().to_csv(path, index=False, date_format="%Y-%m-%dT%H:%M:%S")
    run = audit(path).run(Window(length="7d", end="2026-03-09"))
    packet = Report(run).save(tmp_path / "packet.html")
    decisions(60).to_csv(path, index=False, date_format="%Y-%m-%dT%H:%M:%S")
    assert verify(packet, data=path).agrees


def test_the_printed_code_makes_the_same_run():
    frame = decisions()
    run = audit(frame, timezone="Europe/Oslo").run(Window(length="36h", end="2026-03-09"))
    page = run._repr_mimebundle_()["text/html"]
    assert "timezone=&#39;Europe/Oslo&#39;" in page
    assert "run(window=fr.Window(length=&#39;36h&#39;, end=&#39;2026-03-08T23:00:00Z&#39;))" in page


# Configurations

STATED = {
    "audit": {
        "title": "weekly",
        "as_of": "2026-03-09",
        "time": {"column": "t", "timezone": "Europe/Oslo", "window": "7d", "delay": 3600, "align": "1d"},
    },
    "tests": [
        {
            "outcome_disparity": {
                "name": "hired",
                "protected_attribute_columns": ["sex"],
                "outcome_column": "hired",
                "favorable_values": [1],
            }
        }
    ],
}


def test_a_configuration_states_the_time_column(config_checker):
    made = Audit.from_config(STATED, decisions())
    assert (made.time.name, made.time.zone.key) == ("t", "Europe/Oslo")
    run = made.run(Window(length="7d", end="2026-03-09"))
    assert run.record.created == "2026-03-09"
    assert run.record.data.window.end == "2026-03-08T23:00:00Z"
    config_checker.validate(STATED)


def test_a_column_beside_the_configuration_goes_first():
    frame = decisions().rename(columns={"t": "when"})
    made = Audit.from_config(STATED, frame, time_column="when", timezone="UTC")
    assert (made.time.name, made.time.zone.key) == ("when", "UTC")


@pytest.mark.parametrize(
    ("time", "path"),
    [
        ({"column": "t", "window": "7 ds"}, "audit.time.window"),
        ({"column": "t", "delay": -1}, "audit.time.delay"),
        ({"column": "t", "align": 0}, "audit.time.align"),
        ({"column": "t", "windows": "7d"}, "audit.time.windows"),
        ({"column": "t", "timezone": "Europe/Olso"}, "audit.time.timezone"),
        ({"timezone": "UTC"}, "audit.time.column"),
    ],
)
def test_wrong_settings_of_time(time, path):
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(STATED | {"audit": {"time": time}}, decisions())
    assert [fault.path for fault in caught.value.errors] == [path]


@pytest.mark.parametrize("as_of", ["soon", 5, ["2026-03-09"]])
def test_a_wrong_date(as_of):
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(STATED | {"audit": {"as_of": as_of}}, decisions())
    assert caught.value.errors[0].path == "audit.as_of"


# Tests with windows of their own


def monitored(name, **stated):
    parameters = {"protected_attribute_columns": ["sex"], "outcome_column": "hired", "favorable_values": ["1"]}
    listed = [{"name": key, "value": value} for key, value in parameters.items()]
    threshold = {"measurement": "failingGroupCount", "operator": "<=", "value": 0, "insightParameters": listed}
    return {"name": name, "subtype": "groupOutcomeDisparity", "thresholds": [threshold], "mode": "monitoring", **stated}


TESTS = [
    monitored("week", evaluationWindow=604_800, delayWindow=0),
    monitored("day", evaluationWindow=86_400, delayWindow=3600),
    monitored("plain"),
]


def test_each_test_is_judged_in_its_own_window(result_checker):
    made = Audit.from_config(TESTS, decisions(), time_column="t")
    assert made.own_windows == {"week": OwnWindow(length=604_800), "day": OwnWindow(length=86_400, delay=3600)}
    run = made.run(Window(length="14d", end="2026-03-15"))
    rows = {entry.name: entry.finding.rows.total for entry in run.record.tests}
    assert rows == {"week": 336, "day": 48, "plain": 672}
    for name, n in rows.items():
        assert run.record.window_of(name).rows_within == n
        assert len(run[name].records()) == n
    assert all(entry.ignored == ("mode",) for entry in run.record.tests)
    document = json.loads(run.to_json())
    result_checker.validate(document)
    assert rebuild(document).record.data.test_windows == run.record.data.test_windows
    with pytest.raises(ConfigError, match="different windows of time"):
        run.explore()


def test_each_delay_counts_back_from_now():
    made = Audit.from_config(TESTS[:2], decisions(), time_column="t")
    record = made.run(Window(now="2026-03-15T00:00")).record
    assert record.window_of("week").end == "2026-03-15T00:00:00Z"
    assert record.window_of("day").end == "2026-03-14T23:00:00Z"
    assert record.window_of("day").delay_seconds == 3600


def test_without_a_time_column_all_rows_are_judged_with_a_note():
    run = Audit.from_config(TESTS, decisions()).run()
    week, _, plain = run.record.tests
    assert week.finding.rows.total == len(decisions())
    assert week.ignored == ("delayWindow", "evaluationWindow", "mode")
    assert "window_not_applied" in [note.code for note in week.finding.notes]
    assert "window_not_applied" not in [note.code for note in plain.finding.notes]
    document = json.loads(run.to_json())
    assert rebuild(document).record.tests[0].finding.notes == week.finding.notes


def test_the_windows_of_development_tests_are_passed_over():
    run = Audit.from_config([monitored("t", evaluationWindow=86_400) | {"mode": "development"}], decisions()).run()
    assert run.record.tests[0].ignored == ("mode",)


@pytest.mark.parametrize("wrong", ["7d", 1.5, True, 0, -5, [1]])
def test_wrong_windows_in_a_file(wrong):
    with pytest.raises(ConfigError) as caught:
        Audit.from_config([monitored("t", evaluationWindow=wrong)], decisions())
    assert caught.value.errors[0].path == "0.evaluationWindow"


def test_a_packet_with_several_windows_is_verified(tmp_path):
    path = tmp_path / "decisions.csv"
    decisions().to_csv(path, index=False, date_format="%Y-%m-%dT%H:%M:%S")
    run = Audit.from_config(TESTS, path, time_column="t").run(Window(length="14d", end="2026-03-15"))
    packet = Report(run).save(tmp_path / "packet.html")
    assert "Window of one test" in packet.read_text(encoding="utf-8")
    assert verify(packet, data=path).agrees


# Late rows


def test_rows_that_came_late_are_counted():
    windows = [audit().run(Window(length="7d", end=f"2026-03-{day:02d}")).record.data.window for day in (8, 15)]
    late = pd.DataFrame({"t": [pd.Timestamp("2026-03-07"), pd.Timestamp("2026-03-20")], "sex": "F", "hired": 1})
    assert late_rows(audit(), windows) == ()
    (found,) = late_rows(audit(pd.concat([decisions(), late])), windows)
    assert (found.window.end, found.rows, found.more) == ("2026-03-08T00:00:00Z", 337, 1)
    gone = [(it.window.end, it.more) for it in late_rows(audit(decisions(7)), windows)]
    assert gone == [("2026-03-15T00:00:00Z", -336)]


def test_windows_of_another_column_are_not_counted():
    windows = [audit().run(Window(length="7d", end="2026-03-08")).record.data.window]
    assert late_rows(Audit(decisions(3), time_column="other"), windows) == ()
    assert late_rows(Audit(decisions(3)), windows) == ()
