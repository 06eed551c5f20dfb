"""The rows of a window are the same rows whoever holds them."""

# ruff: noqa: DTZ001 - times without a zone are what this is about

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport import Audit, DataError, Window
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table
from fairreport.tables.window import (
    Span,
    TimeColumn,
    count_spans,
    first_date,
    is_inside,
    read_time,
    times_of,
    wall_clock,
)

OSLO = ZoneInfo("Europe/Oslo")
TIME = TimeColumn(name="t", zone=OSLO)
DAY_OF_CHANGE = Span(  # 29 March 2026 in Oslo: 23 hours
    start=datetime(2026, 3, 28, 23, tzinfo=UTC), end=datetime(2026, 3, 29, 22, tzinfo=UTC)
)
WALL = [
    datetime(2026, 3, 28, 23, 59, 59),
    datetime(2026, 3, 29),
    datetime(2026, 3, 29, 2, 30),  # no clock in Oslo showed it
    None,
    datetime(2026, 3, 29, 23, 59, 59, 999999),
    datetime(2026, 3, 30),
]
"""Times without a zone; rows 1, 2 and 4 lie in the day."""


def chosen(data, span=DAY_OF_CHANGE, time=TIME):
    """Return (rows in the span, rows with a time, all rows) and the numbers of the rows in the span."""
    table = open_table(data)
    counts = count_spans(table, time, [span], None)
    within = times_of(table, time).within(span)
    numbers = sorted(int(key[0]) for _, key, n in within.count([("x",)], None) for _ in range(n))
    return (counts.inside[0], counts.usable, counts.total), numbers


def in_words(times):
    return [None if time is None else time.isoformat() for time in times]


def made(engine, times):
    cells = in_words(times) if engine.name.startswith("jsonl") else times
    return engine.make({"t": cells, "x": list(range(len(times)))})


def test_times_without_a_zone_are_on_the_clock_of_the_zone(engine):
    assert chosen(made(engine, WALL)) == ((3, 5, 6), [1, 2, 4])


def test_times_with_a_zone_are_instants(engine):
    aware = [None if time is None else time.replace(tzinfo=UTC) for time in WALL]
    assert chosen(made(engine, aware)) == ((3, 5, 6), [0, 1, 2])


def test_a_date_is_its_midnight(engine):
    dates = [None if time is None else time.date() for time in WALL]
    assert chosen(made(engine, dates)) == ((3, 5, 6), [1, 2, 4])


def test_the_last_microsecond_is_inside_and_the_end_is_not(engine):
    end = datetime(2026, 3, 2, tzinfo=UTC)
    span = Span(start=end - timedelta(days=1), end=end)
    times = [datetime(2026, 3, 1), datetime(2026, 3, 1, 23, 59, 59, 999999), datetime(2026, 3, 2)]
    time = TimeColumn(name="t", zone=ZoneInfo("UTC"))
    assert chosen(made(engine, times), span, time) == ((2, 3, 3), [0, 1])


TEXTS = [
    "2026-03-29",
    " 2026-03-29 00:00 ",
    "2026-03-28T23:00Z",
    "2026-03-29T23:59:59.999999999",
    "2026-03-29 23:59 +0200",
    "2026-03-29t23:59:59,5+02",
    "2026-03-29 21:59:59 UTC",
    "2026-03-29T22:00:00Z",
    "2026-03-28T22:59:59.999Z",
    "29 March 2026",
    "2026-02-30",
    "03/29/2026",
    "20260329",
    "1774735200",
    "",
    None,
    "2026-03-29T24:00",
    "2026-03-29T12",
    "2026-03-29+01:00",
    "2026-13-29",
    "0000-03-29",
]
"""The first seven lie in the day; the next two do not; the others are no time."""


def test_texts(every_engine):
    for engine in every_engine:
        if engine.name == "ibis":
            continue  # see below
        data = engine.make({"t": TEXTS, "x": list(range(len(TEXTS)))})
        assert chosen(data) == ((7, 9, len(TEXTS)), [0, 1, 2, 3, 4, 5, 6]), engine.name


def test_text_in_a_database_is_refused(every_engine):
    (ibis,) = [engine for engine in every_engine if engine.name == "ibis"]
    with pytest.raises(DataError, match="'t' holds text, which duckdb does not read as fairreport does"):
        chosen(ibis.make({"t": ["2026-03-29"], "x": [1]}))


def test_categories_of_text_and_mixed_cells():
    mixed = pd.DataFrame(
        {"t": ["2026-03-29", date(2026, 3, 29), pd.Timestamp("2026-03-28T23:00Z"), 5, pd.NaT, True], "x": range(6)}
    )
    assert chosen(mixed) == ((3, 3, 6), [0, 1, 2])
    categories = pd.DataFrame({"t": pd.Categorical(TEXTS), "x": range(len(TEXTS))})
    assert chosen(categories) == ((7, 9, len(TEXTS)), [0, 1, 2, 3, 4, 5, 6])
    frame = pl.DataFrame({"t": pl.Series(TEXTS, dtype=pl.Categorical), "x": range(len(TEXTS))})
    assert chosen(frame) == ((7, 9, len(TEXTS)), [0, 1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_units_of_numpy_and_arrow(unit):
    end = datetime(2026, 3, 2, 0, 0, 0, 500_000, tzinfo=UTC)
    span = Span(start=datetime(2026, 3, 1, tzinfo=UTC), end=end)
    time = TimeColumn(name="t", zone=ZoneInfo("UTC"))
    stamps = np.array(["2026-02-28T23:59:59", "2026-03-01", "2026-03-02", "2026-03-02T00:00:01"], dtype=f"M8[{unit}]")
    expected = ((2, 4, 4), [1, 2])  # a bound between two seconds cuts between them
    assert chosen(pd.DataFrame({"t": stamps, "x": range(4)}), span, time) == expected
    table = pa.table({"t": pa.array(stamps), "x": range(4)})
    assert chosen(table, span, time) == expected
    assert chosen(table.to_pandas(types_mapper=pd.ArrowDtype), span, time) == expected
    aware = table.set_column(0, "t", table["t"].cast(pa.timestamp(unit, "Asia/Tokyo")))
    assert chosen(aware, span, time) == expected
    assert chosen(pl.from_arrow(aware), span, time) == expected
    assert chosen(aware.to_pandas(), span, time) == expected


TICKS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1_000, "ns": 1}


def nanoseconds(time):
    past = time - datetime(1970, 1, 1)
    return (past.days * 86_400 + past.seconds) * 1_000_000_000 + past.microseconds * 1_000


@given(
    st.sampled_from(sorted(TICKS)),
    st.sampled_from([None, "UTC", "Asia/Tokyo"]),
    st.sampled_from(["UTC", "Europe/Oslo", "Australia/Lord_Howe"]),
    st.sampled_from([datetime(1965, 7, 1), datetime(1970, 1, 1), datetime(2026, 3, 29, 1), datetime(2026, 10, 25, 1)]),
    st.integers(-3_000_000, 3_000_000),
    st.integers(1, 3_000_000),
)
@settings(max_examples=60, deadline=None)
def test_a_bound_finer_than_the_unit_of_a_column_cuts_alike(unit, stored, zone, near, begin, length):
    start = near.replace(tzinfo=UTC) + timedelta(microseconds=begin)
    span = Span(start=start, end=start + timedelta(microseconds=length))
    time = TimeColumn(name="t", zone=ZoneInfo(zone))
    low, high = (
        nanoseconds(bound.replace(tzinfo=None) if stored else wall_clock(bound, time.zone))
        for bound in (span.start, span.end)
    )
    tick = TICKS[unit]
    ticks = sorted({bound // tick + i for bound in (low, high) for i in (-1, 0, 1)})
    inside = [i for i, it in enumerate(ticks) if low <= it * tick < high]
    table = pa.table({"t": pa.array(ticks, pa.int64()).cast(pa.timestamp(unit, stored)), "x": range(len(ticks))})
    frame = pl.from_arrow(table)
    datas = [table, table.to_pandas(), table.to_pandas(types_mapper=pd.ArrowDtype), frame, frame.lazy()]
    for data in datas:
        assert chosen(data, span, time) == ((len(inside), len(ticks), len(ticks)), inside), type(data)
        around = [Span(end=span.start), span, Span(start=span.end)]
        assert sum(count_spans(open_table(data), time, around, None).inside) == len(ticks), type(data)


@pytest.mark.parametrize("cells", [[1772409600, 1772409601], [1.5, 2.5], [True, False]])
def test_numbers_are_no_times(engine, cells):
    with pytest.raises(DataError, match=r"the time column 't'|no cell of the time column 't'") as caught:
        chosen(engine.make({"t": cells, "x": [0, 1]}))
    assert "wanted timestamps, dates, or ISO text" in str(caught.value)


def test_a_text_column_without_any_time_is_refused_by_a_cell_of_it():
    frame = pd.DataFrame({"t": ["03/29/2026", "03/30/2026"], "x": [0, 1]})
    with pytest.raises(DataError, match=r"no cell of the time column 't' is a time, such as '03/29/2026'"):
        chosen(frame)


def test_an_empty_column_has_no_times(engine):
    data = engine.make({"t": ["", "  ", None], "x": [0, 1, 2]})
    if engine.name == "ibis":
        return
    assert chosen(data) == ((0, 0, 3), [])


def test_a_column_that_is_absent_is_named(engine):
    data = engine.make({"decided_at": ["2026-03-29"], "x": [1]})
    with pytest.raises(DataError, match=r"no column 'decided_on'. Did you mean 'decided_at'"):
        count_spans(open_table(data), TimeColumn(name="decided_on", zone=OSLO), [Span()], None)


def test_spans_may_overlap_and_counts_weigh(engine):
    end = datetime(2026, 3, 2, tzinfo=UTC)
    spans = [Span(end=end), Span(start=end), Span(start=end - timedelta(days=1), end=end + timedelta(days=1)), Span()]
    times = [datetime(2026, 2, 1), datetime(2026, 3, 1), datetime(2026, 3, 2), None]
    data = engine.make({"t": in_words(times) if engine.name.startswith("jsonl") else times, "n": [1, 20, 300, 4000]})
    time = TimeColumn(name="t", zone=ZoneInfo("UTC"))
    plain = count_spans(open_table(data), time, spans, None)
    assert (plain.inside, plain.usable, plain.total) == ((2, 1, 2, 3), 3, 4)
    weighed = count_spans(open_table(data), time, spans, "n")
    assert (weighed.inside, weighed.usable, weighed.total) == ((21, 300, 320, 321), 321, 4321)


def test_numeric_tests_see_the_window_only(engine):
    days = [date(2026, 3, 1 + i) for i in range(6)]
    columns = {
        "t": [day.isoformat() for day in days] if engine.name.startswith("jsonl") else days,
        "g": ["a", "b"] * 3,
        "v": [1.0, 2.0, 3.0, 4.0, 500.0, 600.0],
    }
    audit = Audit(engine.make(columns), time_column="t").score_disparity("g", "v", min_group_size=1)
    run = audit.run(Window(length="3d", end="2026-03-05"))
    means = {row["group"]["g"]: row["mean"] for row in run[0].to_dict()["groups"]}
    assert means == {"a": 3.0, "b": 3.0}  # days 2, 3, 4: b 2, a 3, b 4
    assert run.record.data.window.rows_within == 3


def test_records_are_those_of_the_window(engine):
    days = [datetime(2026, 3, 1 + i) for i in range(6)]
    columns = {"t": in_words(days) if engine.name.startswith("jsonl") else days, "g": ["a", "b"] * 3, "o": [1, 0] * 3}
    audit = Audit(engine.make(columns), time_column="t").outcome_disparity("g", "o", 1, min_group_size=1)
    run = audit.run(Window(length="3d", end="2026-03-05"))
    found = run[0].records("b")
    rows = found.to_pyarrow() if engine.name == "ibis" else found
    assert len(rows) == 2
    assert len(run[0].records(include_left_out=True)) == 3


def test_a_key_that_a_later_record_brings_keeps_to_the_window(tmp_path):
    # The first 1,000 records tell the columns of a JSONL file; the last one brings the outcome.
    lines = [f'{{"t": "2026-03-{1 + i % 28:02d}", "g": "{"ab"[i % 2]}"}}' for i in range(1100)]
    lines += ['{"t": "2026-03-03", "g": "a", "o": 1}', '{"t": "2026-03-20", "g": "a", "o": 1}']
    path = tmp_path / "late.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    audit = Audit(path, time_column="t").outcome_disparity("g", "o", 1, min_group_size=1, min_group_share=0)
    run = audit.run(Window(length="7d", end="2026-03-08"))
    assert run[0].to_dict()["rows_total"] == run.record.data.window.rows_within
    assert run[0].record.finding.rows.with_inputs == 1


def test_a_frame_in_order_of_time_is_not_copied():
    frame = pd.DataFrame({"t": pd.date_range("2026-03-01", periods=100, freq="h"), "x": np.arange(100)})
    span = Span(start=datetime(2026, 3, 2, tzinfo=UTC), end=datetime(2026, 3, 3, tzinfo=UTC))
    table = times_of(open_table(frame), TimeColumn(name="t", zone=ZoneInfo("UTC"))).within(span)
    inside = table.arrays((), ("x",), Reading())
    assert np.shares_memory(inside.numbers["x"], frame["x"].to_numpy())
    assert inside.n == 24


def test_row_groups_of_a_parquet_file_outside_the_window_are_not_read(tmp_path):
    path = tmp_path / "big.parquet"
    stamps = pd.date_range("2026-01-01", periods=200_000, freq="min")
    table = pa.table({"t": pa.array(stamps).cast(pa.timestamp("us")), "x": np.arange(200_000)})
    pq.write_table(table, path, row_group_size=10_000)
    span = Span(start=datetime(2026, 1, 2, tzinfo=UTC), end=datetime(2026, 1, 3, tzinfo=UTC))
    table = times_of(open_table(path), TimeColumn(name="t", zone=ZoneInfo("UTC"))).within(span)
    ((plan,),) = [row[1:] for row in table._query(f"EXPLAIN SELECT sum(c1) FROM {table._source}").fetchall()]
    scan = plan[plan.index("PARQUET") :]
    assert "2026-01-02 00:00:00" in scan, "the condition is not handed down to the file"
    assert "2026-01-03 00:00:00" in scan


def test_a_relation_of_the_users_own():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE d AS SELECT TIMESTAMPTZ '2026-03-29 12:00:00+02' AS t, 7 AS x")
    assert chosen(connection.table("d")) == ((1, 1, 1), [7])


# The wall clock

ZONES = ["UTC", "Europe/Oslo", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]
MOMENTS = st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2037, 1, 1))


def instant(wall, zone):
    """Return the first instant at which a clock shows a time, as the standard library has it; None where it never does."""
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    return first if first.astimezone(zone).replace(tzinfo=None, fold=0) == wall else None


@given(st.sampled_from(ZONES), MOMENTS, st.integers(-200_000, 200_000))
@settings(max_examples=300)
def test_a_bound_cuts_the_wall_clock_where_it_cuts_time(name, moment, seconds):
    zone = ZoneInfo(name)
    bound = moment.replace(tzinfo=UTC)
    wall = (bound + timedelta(seconds=seconds)).astimezone(zone).replace(tzinfo=None, fold=0)
    shown = instant(wall, zone)
    if shown is not None:
        assert (wall >= wall_clock(bound, zone)) == (shown >= bound)


@pytest.mark.parametrize(
    ("utc", "wall"),
    [
        # 25 October 2026: 03:00 summer time became 02:00. A time between is taken for its first occurrence.
        (datetime(2026, 10, 25, 0, 30), datetime(2026, 10, 25, 2, 30)),
        (datetime(2026, 10, 25, 1, 0), datetime(2026, 10, 25, 3, 0)),
        (datetime(2026, 10, 25, 1, 30), datetime(2026, 10, 25, 3, 0)),
        (datetime(2026, 10, 25, 2, 0), datetime(2026, 10, 25, 3, 0)),
        (datetime(2026, 10, 25, 2, 0, 1), datetime(2026, 10, 25, 3, 0, 1)),
        # 29 March 2026: 02:00 became 03:00. A time between is taken for the moment of the change, 01:00 UTC.
        (datetime(2026, 3, 29, 0, 59), datetime(2026, 3, 29, 1, 59)),
        (datetime(2026, 3, 29, 1, 0), datetime(2026, 3, 29, 2, 0)),
        (datetime(2026, 3, 29, 1, 0, 0, 1), datetime(2026, 3, 29, 3, 0, 0, 1)),
    ],
)
def test_the_nights_on_which_clocks_are_set(utc, wall):
    assert wall_clock(utc.replace(tzinfo=UTC), OSLO) == wall


@given(st.sampled_from(ZONES), MOMENTS, MOMENTS)
def test_the_wall_clock_keeps_the_order_of_bounds(name, a, b):
    zone = ZoneInfo(name)
    low, high = sorted((a.replace(tzinfo=UTC), b.replace(tzinfo=UTC)))
    assert wall_clock(low, zone) <= wall_clock(high, zone)


@given(st.datetimes(), st.sampled_from(["", "Z", "+02:00", "-0930", "+05"]), st.sampled_from(["T", " "]))
def test_python_and_duckdb_read_the_same_texts(moment, offset, between):
    text = moment.isoformat(sep=between) + offset
    span = Span(start=datetime(1900, 1, 1, tzinfo=UTC), end=datetime(2100, 1, 1, tzinfo=UTC))
    table = open_table(pa.table({"t": [text], "x": [0]}))
    counts = count_spans(table, TIME, [span], None) if moment.year >= 1000 else None
    read = read_time(text)
    if counts is None:
        assert read is None
    else:
        assert read is not None
        assert counts.usable == 1
        if 1000 < moment.year < 9999:
            assert counts.inside[0] == is_inside(read, span, OSLO)


def test_the_first_date_after_a_time():
    assert first_date(datetime(2026, 12, 31, 0, 0, 0, 1)) == date(2027, 1, 1)
