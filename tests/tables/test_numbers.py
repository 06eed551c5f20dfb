"""One rule for cells read as numbers, whatever the engine."""

import datetime as dt
import math
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairreport import Audit
from fairreport.tables.numbers import NotNumericError, parse_number
from fairreport.tables.pandas_view import to_doubles

FEW = settings(max_examples=15, deadline=None)


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        (1, 1.0),
        (-2.5, -2.5),
        (True, 1.0),
        (False, 0.0),
        (np.float32(0.5), 0.5),
        (np.int8(-3), -3.0),
        (np.bool_(True), 1.0),
        (Decimal("0.10"), 0.1),
        ("1", 1.0),
        (" 1.50 ", 1.5),
        ("+1", 1.0),
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        ("1.", 1.0),
        (".5", 0.5),
        ("-0", 0.0),
        ("001", 1.0),
        ("\u00a01\u2003", 1.0),
        ("TRUE", 1.0),
        ("fAlSe", 0.0),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        (float("inf"), math.inf),
        ("1e400", math.inf),
        ("", None),
        (" \t\u3000", None),
        (None, None),
        (math.nan, None),
        (pd.NA, None),
        (pd.NaT, None),
    ],
)
def test_what_a_cell_is(cell, number):
    assert parse_number(cell) == number


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("1_000", "1_000"),
        ("1,5", "1,5"),
        ("1 000", "1 000"),
        ("nan", "nan"),
        ("0x10", "0x10"),
        ("+-6", "+-6"),
        ("--1", "--1"),
        ("e3", "e3"),
        ("1e", "1e"),
        (".", "."),
        ("yes", "yes"),
        (" n/a ", "n/a"),
        ("１", "１"),
        (dt.date(2026, 1, 2), "2026-01-02"),
        (b"1", "1"),
        ([1], "[1]"),
    ],
)
def test_what_is_no_number(cell, shown):
    with pytest.raises(NotNumericError) as caught:
        parse_number(cell)
    assert caught.value.text == shown


def test_a_missing_word_that_is_a_number_stands_for_its_value():
    words = ("-999", "1e3", "n/a", "inf")
    assert [parse_number(cell, words) for cell in (-999, "-999.0", "-999.00", 1000, "1000", "1e3", "n/a", "inf")] == [
        None
    ] * 8
    assert [parse_number(cell, words) for cell in (-998, "999", "1e4", math.inf)] == [-998.0, 999.0, 1e4, None]


plain = st.text(alphabet="0123456789+-.eE_ infatrue\u00a0\t", max_size=7)


def skip_or_values(data, **audit):
    """Return the refusal, or the overall mean and the rows, of a mean of column x."""
    stated = {"value_column": "x", "higher_is_better": True, "max_difference": 1, "min_group_size": 1}
    made = Audit(data, **audit).metric_parity("g", "mean", comparison="overall", min_group_share=0, **stated)
    entry = made.run().to_dict()["results"][0]
    return entry["skip_reason"] or (entry["rows_evaluated"], entry["overall_value"])


@given(st.lists(st.one_of(plain, st.sampled_from(["1", "2.5", "", "true", " 3 "])), min_size=1, max_size=6))
@example(["+-6", "1"])
@example([" b", "a"])
@example(["b", " a"])
@example(["1_0"])
@example(["1e400", "1"])
@FEW
def test_duckdb_and_pandas_read_text_alike(cells):
    columns = {"g": ["A", "B"] * 4, "x": [*cells, *["1"] * (8 - len(cells))]}
    by_duckdb = skip_or_values(pa.table(columns))
    assert skip_or_values(columns) == by_duckdb
    assert skip_or_values(pd.DataFrame(columns, dtype="category")) == by_duckdb
    try:
        parsed = [parse_number(cell) for cell in columns["x"]]
    except NotNumericError:
        assert "is not numeric: it holds" in by_duckdb
    else:
        finite = [x for x in parsed if x is not None and math.isfinite(x)]
        assert by_duckdb[0] == len(finite)
        assert by_duckdb[1] == pytest.approx(math.fsum(finite) / len(finite), rel=1e-14, abs=1e-300)


NUMBERS = [3.0, -999.0, 1.0, 2.0, -999.0, 4.0]


@pytest.mark.parametrize("word", ["-999", "-999.0", "-9.99e2"])
@pytest.mark.parametrize(
    "make",
    [
        lambda cells: {"g": ["A", "B"] * 3, "x": cells},
        lambda cells: pa.table({"g": ["A", "B"] * 3, "x": cells}),
        lambda cells: pa.table({"g": ["A", "B"] * 3, "x": pa.array(cells).cast("float32")}),
        lambda cells: pa.table({"g": ["A", "B"] * 3, "x": pa.array(cells).cast("int16")}),
        lambda cells: pa.table({"g": ["A", "B"] * 3, "x": [str(cell) for cell in cells]}),
        lambda cells: pl.DataFrame({"g": ["A", "B"] * 3, "x": cells}),
        lambda cells: pd.DataFrame({"g": ["A", "B"] * 3, "x": cells}),
        lambda cells: pd.DataFrame({"g": ["A", "B"] * 3, "x": np.array(cells, dtype="float32")}),
        lambda cells: pd.DataFrame({"g": ["A", "B"] * 3, "x": np.array(cells, dtype="int64")}),
        lambda cells: pd.DataFrame({"g": ["A", "B"] * 3, "x": pd.array(cells, dtype="Int64")}),
        lambda cells: pd.DataFrame({"g": ["A", "B"] * 3, "x": pd.Categorical(cells)}),
        lambda cells: pd.DataFrame({"g": ["A", "B"] * 3, "x": [f" {cell} " for cell in cells]}),
    ],
)
def test_numbers_that_stand_for_missing(make, word):
    assert skip_or_values(make(NUMBERS), missing_values=[word]) == (4, 2.5)
    assert skip_or_values(make(NUMBERS)) == (6, -1988 / 6)


@pytest.mark.parametrize(
    "make",
    [
        lambda x: pa.table({"g": ["A", "B"] * 2, "x": x}),
        lambda x: pd.DataFrame({"g": ["A", "B"] * 2, "x": x}),
        lambda x: pd.DataFrame({"g": ["A", "B"] * 2, "x": pd.Categorical(x)}),
        lambda x: pd.DataFrame({"g": ["A", "B"] * 2, "x": pd.array(x, dtype="float[pyarrow]")}),
        lambda x: pl.DataFrame({"g": ["A", "B"] * 2, "x": x}),
    ],
)
def test_a_word_for_missing_in_32_bits(make):
    cells = np.array([0.1, 0.5, 0.25, 0.75], dtype="float32")
    assert skip_or_values(make(cells), missing_values=["0.1"]) == (3, 0.5)


@pytest.mark.parametrize(
    "cells",
    [
        [Decimal("0.1"), Decimal("1234567890123456.7"), Decimal("-3"), Decimal("2.5")],
        [2**63, 2**62 + 1, -(2**53) - 1, 5],
    ],
)
def test_every_number_is_the_nearest_double(cells):
    wanted = math.fsum(float(cell) for cell in cells) / 4
    table = {"g": ["A", "B"] * 2, "x": cells}
    typed = pa.table({"g": table["g"], "x": pa.array(cells, type=pa.decimal128(38, 10))})
    assert skip_or_values(table) == skip_or_values(typed) == (4, wanted)


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (pd.to_datetime(["2026-01-01", "2026-01-02"] * 2), "2026-01-01 00:00:00"),
        (pd.to_timedelta([1, 2, 1, 2], unit="D"), "1 day, 0:00:00"),
        (np.array([1 + 1j, 2, 3, 4]), "(1+1j)"),
    ],
)
def test_times_and_complex_numbers_are_not_numeric(cells, shown):
    found = skip_or_values(pd.DataFrame({"g": ["A", "B"] * 2, "x": cells}))
    assert found == f"column 'x' is not numeric: it holds {shown!r}"


def test_dates_are_not_numeric(engine):
    if engine.is_text or engine.name.startswith("jsonl"):
        cells = ["2026-01-01", "2026-01-02"] * 2
    else:
        cells = [dt.date(2026, 1, 1), dt.date(2026, 1, 2)] * 2
    found = skip_or_values(engine.make({"g": ["A", "B"] * 2, "x": cells}))
    assert found.startswith("column 'x' is not numeric: it holds '2026-01-01")


def test_a_column_of_missing_dates_is_empty():
    table = pa.table({"g": ["A", "B"], "x": pa.nulls(2, pa.date32())})
    assert skip_or_values(table) == "column 'x' has no value in any row"


def test_text_that_duckdb_would_read_is_read_by_the_rule():
    """Spellings beyond one page of distinct text are found as well."""
    cells = [f"+{i}" for i in range(1500)] + [f"\u00a0{i}" for i in range(1500)]
    table = pa.table({"g": ["A", "B"] * 1500, "x": cells})
    assert skip_or_values(table) == (3000, 749.5)
    wrong = pa.table({"g": ["A", "B"] * 1500, "x": [*cells[:-1], "~"]})
    assert skip_or_values(wrong) == "column 'x' is not numeric: it holds '~'"


def test_doubles_of_a_frame_are_not_copied_where_they_are_doubles():
    series = pd.Series([1.0, 2.0, math.nan])
    assert np.shares_memory(to_doubles(series, ()), series.to_numpy())


def test_a_json_column():
    connection = duckdb.connect()
    relation = connection.sql("""SELECT * FROM (VALUES ('A', '1'::JSON), ('B', '"2.5"'::JSON), ('A', 'true'::JSON),
                                 ('B', 'null'::JSON)) AS t(g, x)""")
    assert skip_or_values(relation) == (3, 1.5)


LARGE = {"beyond": 2**53 + 1, "at the end": 2**53, "below zero": -(2**53) - 1, "held exactly": 2**53 - 1}


@pytest.mark.parametrize("large", LARGE)
@pytest.mark.parametrize("metric", ["mean", "median", "mae", "score"])
def test_whole_numbers_that_no_double_holds_are_noted(tmp_path, large, metric):
    rows = {"g": ["A", "B"] * 40, "x": [LARGE[large], 1, 2, 3] * 20, "one": [1] * 80}
    frame = pd.DataFrame(rows)
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path)
    sources = [
        frame,
        frame.convert_dtypes(),
        rows,
        path,
        pa.table(rows),
        pl.DataFrame(rows),
        frame.astype({"x": float}),
    ]
    documents = []
    for data in sources:
        audit = Audit(data)
        if metric == "score":
            audit.score_disparity("g", "x")
        elif metric == "mae":
            audit.metric_parity("g", "mae", prediction_column="one", ground_truth_column="x", max_difference=1)
        else:
            audit.metric_parity("g", metric, value_column="x", higher_is_better=True, max_difference=1)
        documents.append(audit.run().to_dict()["results"][0])
    *typed, doubles = documents
    assert all(found == typed[0] for found in typed)
    notes = {note["code"]: note["text"] for note in typed[0]["notes"]}
    assert ("integers_rounded" in notes) == (large != "held exactly")
    assert notes.get("integers_rounded", "Column 'x'").startswith("Column 'x'")
    assert doubles["notes"] == [note for note in typed[0]["notes"] if note["code"] != "integers_rounded"]
