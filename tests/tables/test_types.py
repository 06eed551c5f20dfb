"""Cells of every type a column can hold, and frames in every state."""
# ruff: noqa: DTZ001 - moments without a zone are among them

import datetime as dt
import decimal
import enum
import json
import math
import uuid

import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fairreport import Audit, DataError
from fairreport.tables.text import Folder, NestedValueError, canonical

UTC = dt.UTC
OSLO = dt.timezone(dt.timedelta(hours=2))
OUTCOME = [1, 0, 1, 0, 1, 1]


class Colour(enum.StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("F", "F"),
        (" F\n", "F"),
        ("", None),
        (" \t\u00a0\u2003", None),
        (None, None),
        (math.nan, None),
        (pd.NA, None),
        (pd.NaT, None),
        (np.float32("nan"), None),
        (decimal.Decimal("NaN"), None),
        (np.datetime64("NaT"), None),
        (True, "true"),
        (np.bool_(False), "false"),
        (1, "1"),
        (np.uint8(200), "200"),
        (np.int64(-3), "-3"),
        (2**70, str(2**70)),
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e22, "10000000000000000000000"),
        (1.5e-7, "1.5e-07"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (np.float16(0.1), "0.1"),
        (np.float32(0.1), "0.1"),
        (np.float64(0.1), "0.1"),
        (decimal.Decimal("1.50"), "1.5"),
        (decimal.Decimal("1E+2"), "100"),
        (decimal.Decimal("-0.00"), "0"),
        ("1.0", "1"),
        ("-1.00", "-1"),
        ("0.0", "0"),
        ("-0", "0"),
        ("1.50", "1.50"),
        ("1.", "1."),
        (".0", ".0"),
        ("+1.0", "+1.0"),
        ("1e0", "1e0"),
        ("1,000.0", "1,000.0"),
        ("01", "01"),
        ("00.0", "00"),
        ("TRUE", "true"),
        ("tRue", "tRue"),
        ("nan", "nan"),
        ("None", "None"),
        (dt.date(2024, 2, 29), "2024-02-29"),
        (dt.datetime(2024, 2, 29, 12, 30), "2024-02-29 12:30:00"),
        (dt.datetime(2024, 2, 29, 12, 30, tzinfo=OSLO), "2024-02-29 10:30:00+00:00"),
        (pd.Timestamp("2024-02-29 12:30", tz="Europe/Oslo"), "2024-02-29 11:30:00+00:00"),
        (np.datetime64("2024-02-29T12:30", "ns"), "2024-02-29 12:30:00"),
        (np.datetime64("2024-02-29T12:30", "s"), "2024-02-29 12:30:00"),
        (dt.timedelta(days=1, hours=2), "1 day, 2:00:00"),
        (pd.Timedelta("1D 2h"), "1 day, 2:00:00"),
        (np.timedelta64(26, "h"), "1 day, 2:00:00"),
        (dt.time(10, 30), "10:30:00"),
        (pd.Interval(0, 5), "(0, 5]"),
        (pd.Period("2024-02", freq="M"), "2024-02"),
        (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
        (b" F ", "F"),
        (Colour.RED, "red"),
        ("half a pair \ud800", "half a pair ?"),
    ],
)
def test_canonical_text(cell, text):
    assert canonical(cell) == text


@pytest.mark.parametrize("cell", [[1], (1, 2), {"a": 1}, {1}, frozenset(), np.array([1])])
def test_a_container_is_no_cell(cell):
    with pytest.raises(NestedValueError):
        canonical(cell)


def test_a_folder_tells_equal_cells_of_different_types_apart():
    folder = Folder(["NA"])
    assert [folder(cell) for cell in (1, 1.0, True, "1", "1.0", " NA", np.int64(1))] == [
        "1",
        "1",
        "true",
        "1",
        "1",
        None,
        "1",
    ]
    assert {repr(cell) for cell in folder.raw_values("1")} == {"1", "1.0", "'1'", "'1.0'", "np.int64(1)"}
    assert folder.spellings() == {"1": ("1", "1.0")}


def mixed(cells):
    frame = {"g": cells, "o": OUTCOME}
    return [
        pd.DataFrame({"g": pd.Series(cells, dtype=object), "o": OUTCOME}),
        pd.DataFrame({"g": pd.Categorical(pd.Series(cells, dtype=object).map(repr)), "o": OUTCOME}).assign(
            g=pd.Series(cells, dtype=object)
        ),
        frame,
        [dict(zip(frame, row, strict=True)) for row in zip(*frame.values(), strict=True)],
    ]


def test_equal_objects_of_different_types(counts):
    # Python holds 1, 1.0 and True to be one key.
    for data in mixed([1, 1.0, True, "1", "true", "01"]):
        assert counts(data) == {"01": (1, 1), "1": (3, 1), "true": (2, 2)}


def test_every_kind_of_missing_object(counts):
    for data in mixed([None, math.nan, pd.NA, pd.NaT, " ", "F"]):
        assert counts(data) == {"F": (1, 1)}


def test_a_categorical_with_numbers_and_booleans(counts):
    levels = pd.Categorical.from_codes([0, 1, 2, 0, 1, 2], categories=pd.Index([1, "x", "unused"], dtype=object))
    assert counts(pd.DataFrame({"g": levels, "o": OUTCOME})) == {"1": (2, 1), "unused": (2, 2), "x": (2, 1)}


def test_unused_categories_are_no_groups(counts):
    levels = pd.Categorical(["F", "M"] * 3, categories=["M", "Z", "F", "Y"], ordered=True)
    assert counts(pd.DataFrame({"g": levels, "o": OUTCOME})) == {"F": (3, 3), "M": (3, 1)}
    assert counts(pl.DataFrame({"g": pl.Series(["F", "M"] * 3, dtype=pl.Enum(["M", "Z", "F"])), "o": OUTCOME})) == {
        "F": (3, 3),
        "M": (3, 1),
    }


def test_missing_categories(counts):
    levels = pd.Categorical(["F", None, "M", "F", math.nan, "M"])
    assert counts(pd.DataFrame({"g": levels, "o": OUTCOME})) == {"F": (2, 1), "M": (2, 2)}


def frames(cells, kind=None):
    table = pa.table({"g": pa.array(cells, type=kind), "o": OUTCOME})
    connection = duckdb.connect()
    connection.register("arrived", table)
    return {
        "pandas": pd.DataFrame({"g": cells, "o": OUTCOME}),
        "pandas-arrow": table.to_pandas(types_mapper=pd.ArrowDtype),
        "polars": pl.DataFrame({"g": cells, "o": OUTCOME}),
        "pyarrow": table,
        "duckdb": connection.table("arrived"),
        "mapping": {"g": cells, "o": OUTCOME},
    }


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        (decimal.Decimal("1.50"), decimal.Decimal("2.00"), ("1.5", "2")),
        (dt.date(2024, 2, 29), dt.date(2025, 1, 1), ("2024-02-29", "2025-01-01")),
        (
            dt.datetime(2024, 1, 1),
            dt.datetime(2024, 1, 1, 0, 0, 1),
            ("2024-01-01 00:00:00", "2024-01-01 00:00:01"),
        ),
        (
            dt.datetime(2024, 1, 1, 2, tzinfo=OSLO),
            dt.datetime(2024, 1, 1, 1, tzinfo=UTC),
            ("2024-01-01 00:00:00+00:00", "2024-01-01 01:00:00+00:00"),
        ),
        (dt.time(1, 30), dt.time(2), ("01:30:00", "02:00:00")),
        (dt.timedelta(days=1), dt.timedelta(days=2), ("1 day, 0:00:00", "2 days, 0:00:00")),
        (b"F", b"M", ("F", "M")),
        (2**53 + 1, 2**53, (str(2**53 + 1), str(2**53))),
    ],
)
def test_other_types(counts, first, second, texts):
    expected = {texts[0]: (2, 2), texts[1]: (2, 0)}
    for name, data in frames([first, second, first, second, None, None]).items():
        if name != "pandas" or not isinstance(first, int):  # pandas itself makes floats of them
            assert counts(data) == expected, name


@pytest.mark.parametrize(
    "cell", [dt.date(2024, 2, 29), decimal.Decimal("1.50"), b"F", dt.timedelta(days=1), 2**53 + 1, 0.1]
)
def test_rows_of_a_group_of_another_type(cell):
    for name, data in frames([cell, None, cell, None, None, cell]).items():
        if name == "pandas" and isinstance(cell, int):
            continue
        result = Audit(data).outcome_disparity("g", "o", 1, min_group_size=1).run()[0]
        rows = result.records({"g": cell})
        assert len(rows) == 3, name
        both = result.records({"g": cell}, include_left_out=True)
        assert both["left_out"].tolist() == ["", "", "", "no g", "no g", "no g"], name


def test_types_that_duckdb_does_not_hold(counts):
    table = pa.table({
        "half": pa.array(np.array(OUTCOME, dtype="float16")),
        "wide": pa.array([decimal.Decimal("1.00"), decimal.Decimal("2.50")] * 3, type=pa.decimal256(60, 2)),
        "g": ["F", "M"] * 3,
        "o": OUTCOME,
    })  # fmt: skip
    assert counts(table) == {"F": (3, 3), "M": (3, 1)}
    assert counts(table, "half") == {"0": (2, 0), "1": (4, 4)}
    assert counts(table, "wide") == {"1": (3, 3), "2.50": (3, 1)}


def test_arrow_types(counts):
    cells = ["F", "M"] * 3
    for column in (
        pa.array(cells).dictionary_encode(),
        pa.array(cells, type=pa.large_string()),
        pa.array(cells, type=pa.string_view()),
        pa.chunked_array([cells[:1], [], cells[1:]]),
    ):
        assert counts(pa.table({"g": column, "o": OUTCOME})) == {"F": (3, 3), "M": (3, 1)}
    batch = pa.record_batch({"g": cells, "o": OUTCOME})
    assert counts(batch) == {"F": (3, 3), "M": (3, 1)}
    assert counts(pa.table({"g": cells, "o": OUTCOME, "none": pa.nulls(6)})) == {"F": (3, 3), "M": (3, 1)}


def test_duckdb_types(counts):
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people (e ENUM ('F', 'M]'), u UUID, j JSON, f FLOAT, h HUGEINT, tz TIMESTAMPTZ, o INT)"
    )
    connection.execute(
        "INSERT INTO people VALUES"
        " ('F', '00000000-0000-0000-0000-000000000007', '\"F\"', 0.1, 170141183460469231731687303715884105727, '2024-01-01 00:00:00+02', 1),"
        " ('M]', '00000000-0000-0000-0000-000000000008', '1.0', 0.3, 1, '2024-01-01 00:00:00+00', 0)"
    )
    relation = connection.table("people")
    assert counts(relation, "e") == {"F": (1, 1), "M]": (1, 0)}
    assert set(counts(relation, "u")) == {
        "00000000-0000-0000-0000-000000000007",
        "00000000-0000-0000-0000-000000000008",
    }
    assert counts(relation, "j") == {"1": (1, 0), "F": (1, 1)}
    assert counts(relation, "f") == {"0.1": (1, 1), "0.3": (1, 0)}
    assert set(counts(relation, "h")) == {"1", "170141183460469231731687303715884105727"}
    assert set(counts(relation, "tz")) == {"2023-12-31 22:00:00+00:00", "2024-01-01 00:00:00+00:00"}
    assert counts(relation.filter("o = 1"), "e") == {"F": (1, 1)}


def test_pandas_types(counts):
    for column in (
        pd.cut([1, 2, 1, 2, 1, 2], [0, 1, 2]),
        pd.PeriodIndex(["2024-01", "2024-02"] * 3, freq="M"),
        pd.arrays.SparseArray([0, 1] * 3),
        pd.array(["F", "M"] * 3, dtype="string[python]"),
    ):
        assert [n for n, _ in counts(pd.DataFrame({"g": column, "o": OUTCOME})).values()] == [3, 3]


NESTED = {
    "pandas": pd.DataFrame({"bad": [[1], [2]] * 3, "g": ["F", "M"] * 3, "o": OUTCOME}),
    "pandas-category": pd.DataFrame({"bad": pd.Categorical([(1,), (2,)] * 3), "g": ["F", "M"] * 3, "o": OUTCOME}),
    "polars": pl.DataFrame({"bad": [[1], [2]] * 3, "g": ["F", "M"] * 3, "o": OUTCOME}),
    "polars-struct": pl.DataFrame({"bad": [{"a": 1}, {"a": 2}] * 3, "g": ["F", "M"] * 3, "o": OUTCOME}),
    "pyarrow": pa.table({"bad": [[1], [2]] * 3, "g": ["F", "M"] * 3, "o": OUTCOME}),
    "ibis": ibis.memtable(pa.table({"bad": [[1], [2]] * 3, "g": ["F", "M"] * 3, "o": OUTCOME})),
    "mapping": {"bad": ["x", {"a": 1}, [1], "x", "y", "z"], "g": ["F", "M"] * 3, "o": OUTCOME},
}


@pytest.mark.parametrize("data", NESTED.values(), ids=NESTED)
def test_nested_cells_leave_the_other_tests_alone(data):
    audit = Audit(data)
    for attribute in ("g", "bad", "g"):
        audit.outcome_disparity(attribute, "o", 1, min_group_size=1)
    first, bad, last = audit.run().to_dict()["results"]
    assert (bad["skip_code"], bad["test_status"]) == ("nested_column", "skipped")
    assert bad["skip_reason"] == "column 'bad' holds nested values; wanted text, numbers or booleans"
    assert first["evidence"] == last["evidence"]
    assert [(group["n"], group["favorable"]) for group in first["evidence"]["groups"]] == [(3, 3), (3, 1)]


def test_nested_records_of_a_file(tmp_path, counts, measure):
    path = tmp_path / "people.jsonl"
    rows = [{"bad": {"a": [1]}, "g": g, "o": o} for g, o in zip(["F", "M"] * 3, OUTCOME, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert measure(path, "bad")["skip_code"] == "nested_column"
    assert counts(path) == {"F": (3, 3), "M": (3, 1)}


class Untouchable:
    """A cell that nothing may look at."""

    __hash__ = None

    def __eq__(self, other):
        raise AssertionError("a column that no test names was read")

    __str__ = __repr__ = __bool__ = __eq__


def test_only_named_columns_are_read(counts):
    frame = pd.DataFrame(
        {"x": pd.Series([Untouchable() for _ in OUTCOME], dtype=object), "g": ["F", "M"] * 3, "o": OUTCOME}
    )
    assert counts(frame) == {"F": (3, 3), "M": (3, 1)}
    assert counts({"x": [Untouchable()] * 6, "g": ["F", "M"] * 3, "o": OUTCOME}) == {"F": (3, 3), "M": (3, 1)}


@pytest.mark.parametrize(
    "index",
    [
        [5, 3, 9, 1, 0, 2],
        [7] * 6,
        pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]]),
        pd.date_range("2024-01-01", periods=6),
        [None, "x", 1.5, None, "x", 2],
    ],
)
def test_the_index_of_a_frame_does_not_matter(counts, index):
    frame = pd.DataFrame({"g": ["F", "M"] * 3, "o": OUTCOME, "n": [1, 2] * 3})
    frame.index = index
    assert counts(frame) == {"F": (3, 3), "M": (3, 1)}
    assert counts(frame, audit={"counts": "n"}) == {"F": (3, 3), "M": (6, 2)}
    result = Audit(frame).outcome_disparity("g", "o", 1, min_group_size=1).run()[0]
    assert result.records({"g": "F"}).index.tolist() == frame.index[[0, 2, 4]].tolist()


def test_the_frame_is_neither_copied_nor_changed():
    frame = pd.DataFrame({"g": ["F", " F", "M"] * 2, "o": pd.array(OUTCOME, dtype="Int64")})
    before = frame.copy(deep=True)
    run = Audit(frame).outcome_disparity("g", "o", 1, min_group_size=1).run()
    run[0].records({"g": "F"})
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame([["F", "M", 1]], columns=["sex", "sex", "o"]),
        pd.DataFrame([["F", "M", 1]], columns=["x", "x", "o"]).rename(columns={"x": "sex"}),
        pa.table([pa.array(["F"]), pa.array(["M"]), pa.array([1])], names=["sex", "sex", "o"]),
    ],
)
def test_two_columns_of_one_name_are_refused(measure, data):
    with pytest.raises(DataError, match=r"^the table has two columns named 'sex'; rename or drop one$"):
        measure(data, "o", "o")


def test_labels_that_read_the_same_are_refused(measure):
    with pytest.raises(DataError, match="two columns named '1'"):
        measure(pd.DataFrame([["F", "M", 1]], columns=[1, "1", "o"]), "1")


def test_labels_that_are_no_text(counts):
    assert counts(pd.DataFrame({0: ["F", "M"] * 3, 1: OUTCOME}), "0", "1") == {"F": (3, 3), "M": (3, 1)}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pd.Series([1]), "cannot audit a pandas Series; wanted a DataFrame"),
        (5, r"cannot audit a builtins\.int; wanted a pandas, polars"),
        (np.zeros(3), r"cannot audit a numpy\.ndarray"),
        (pl.Series([1]), "cannot audit a Series"),
        (pa.array([1]), "cannot audit a pyarrow"),
        (duckdb.connect(), "cannot audit a duckdb DuckDBPyConnection; wanted a relation"),
        ({"a": [1], "b": [1, 2]}, r"the columns have different lengths: \[1, 2\]"),
        ([1, 2], "cannot audit a list of this kind; wanted a list of records"),
        (None, r"cannot audit a builtins\.NoneType"),
    ],
)
def test_what_is_no_table_is_refused(measure, data, message):
    with pytest.raises(DataError, match=f"^{message}") as caught:
        measure(data)
    assert "\n" not in str(caught.value)
