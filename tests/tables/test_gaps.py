"""Cases counted for rate gaps: the same tally from every engine, and everything wrong with the data at once."""

import datetime as dt
import decimal
import itertools
import random
import sys
import uuid
from collections import Counter

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fairreport.errors import DataError, RefusedDataError
from fairreport.tables.duckdb_persons import WHITE_SPACE
from fairreport.tables.gaps import GapNeeds, count_cases
from fairreport.tables.needs import Reading
from fairreport.tables.source import RowFilter, open_table
from fairreport.tables.text import JsonText, canonical

COLUMNS = {
    "id": ["a", "b", "c", "d", "e", "f", "g"],
    "sex": ["f", "f", "m", "m", None, "x", "f"],
    "y": [1, 1, 0, 1, 1, 0, 1],
    "p": ["1", "0", "1", None, "1", "0", "1"],
    "who": ["1", "2", "3", "4", "5", "6", "7"],
    "q": [0.1, 0.25, 0.3, 0.7, 1.0, 0.5, 0.15],
}


def tally_of(data, reading=None, **stated):
    need = {
        "attributes": {"sex": ("f", "m")},
        "label": "y",
        "prediction": "p",
        "probability": None,
        "unit": None,
        "case_id": "id",
        "bins": 10,
    }
    return count_cases(open_table(data), GapNeeds(**need | stated), reading or Reading())


def refused(data, reading=None, **stated):
    with pytest.raises(RefusedDataError) as caught:
        tally_of(data, reading, **stated)
    return {(fault.code, fault.path): fault.message for fault in caught.value.errors}


def counted(tally):
    return {(cell.levels, cell.undeclared, cell.label, cell.prediction): cell.n for cell in tally.cells}


def test_the_tally_on_every_engine(engine):
    tally = tally_of(engine.make(COLUMNS), unit="who", probability="q")
    assert tally.rows == 7
    assert counted(tally) == {
        (("f",), (False,), 1, 1): 2,
        (("f",), (False,), 1, 0): 1,
        (("m",), (False,), 0, 1): 1,
        (("m",), (False,), 1, None): 1,
        ((None,), (False,), 1, 1): 1,
        ((None,), (True,), 0, 0): 1,
    }
    assert tally.undeclared == (("sex", ("x",)),)
    assert [(b.levels, b.bin, b.n, b.positives) for b in tally.bins] == [
        ((None,), 5, 1, 0),
        ((None,), 9, 1, 1),
        (("f",), 1, 2, 2),
        (("f",), 2, 1, 1),
        (("m",), 3, 1, 0),
        (("m",), 7, 1, 1),
    ]
    assert [b.probability_sum for b in tally.bins] == pytest.approx([0.5, 1.0, 0.25, 0.25, 0.3, 0.7], rel=1e-12)


def test_every_engine_gives_the_same_tally(every_engine):
    found = [tally_of(engine.make(COLUMNS), unit="who", probability="q") for engine in every_engine]
    assert all(tally == found[0] for tally in found)


def test_the_order_of_rows_changes_nothing():
    order = list(range(7))
    random.Random(7).shuffle(order)
    shuffled = {name: [cells[i] for i in order] for name, cells in COLUMNS.items()}
    assert tally_of(shuffled, probability="q") == tally_of(COLUMNS, probability="q")


def test_a_probability_that_is_missing_is_in_no_bin(engine):
    """The highest bin of the same group must not take it in."""
    columns = COLUMNS | {"q": [0.95, None, 0.95, None, None, 0.5, 0.95]}
    tally = tally_of(engine.make(columns), probability="q")
    assert [(b.levels, b.bin, b.n) for b in tally.bins] == [((None,), 5, 1), (("f",), 9, 2), (("m",), 9, 1)]
    assert tally.rows == 7


def test_nan_in_a_parquet_file_is_no_probability(tmp_path):
    nan = float("nan")
    pq.write_table(pa.table(COLUMNS | {"q": [0.5, 0.5, nan, 0.5, 0.5, nan, 0.5]}), tmp_path / "cases.parquet")
    assert sum(b.n for b in tally_of(tmp_path / "cases.parquet", probability="q").bins) == 5


def test_only_missing_probabilities(write_csv):
    text = "sex,y,p,q\nf,1,1,\nm,0,1,\n"
    assert tally_of(write_csv(text), probability="q").bins == ()


@pytest.mark.parametrize("where", [0, 1, 5])
def test_a_repeated_case_on_every_engine(engine, where):
    ids = list(COLUMNS["id"])
    ids[6] = ids[where]
    found = refused(engine.make(COLUMNS | {"id": ids}))
    assert found == {
        ("duplicate_case", "id"): f"column 'id' must name each case id once; found {ids[where]!r} in several rows"
    }


def test_a_repeated_person_on_every_engine(engine):
    who = ["1", "2", "3", "4", "5", "1", "7"]
    found = refused(engine.make(COLUMNS | {"who": who}), unit="who")
    assert found == {("repeated_unit", "who"): "column 'who' must name each person once; found '1' in several rows"}


def test_cases_without_an_id_are_not_one_case(engine):
    ids = ["a", None, None, None, "e", "f", "g"]
    assert tally_of(engine.make(COLUMNS | {"id": ids})).rows == 7


@pytest.mark.parametrize("blank", ["", " ", "   "])
def test_blank_ids_are_none(write_csv, blank):
    assert tally_of(write_csv(COLUMNS | {"id": [blank, blank, "a", "b", "c", "d", "e"]})).rows == 7


def test_a_person_is_known_by_the_text_without_outer_blanks(write_csv):
    found = refused(write_csv(COLUMNS | {"who": ["1", " 1 ", "3", "4", "5", "6", "7"]}), unit="who")
    assert list(found) == [("repeated_unit", "who")]


ONE_PERSON = [
    (" 5", "5"),
    ("5", "5.0"),
    ("5", "5\u00a0"),
    ("\u3000Zo\u00eb", "Zo\u00eb\t"),
    ("-0", "0"),
    ("-0.00", " 0"),
    ("TRUE", "true "),
    ("-12.000", "-12"),
]
TWO_PERSONS = [("5", "05"), ("5", "5."), ("5", "+5"), ("1e3", "1000"), ("1.5", "1.50"), ("a", "A"), ("a b", "a  b")]


@pytest.mark.parametrize(("one", "other"), ONE_PERSON)
def test_two_ways_to_write_a_person_on_every_engine(engine, one, other):
    who = ["1", one, "3", "4", other, "6", "7"]
    found = refused(engine.make(COLUMNS | {"who": who, "id": who}), unit="who")
    assert list(found) == [("duplicate_case", "id"), ("repeated_unit", "who")]
    assert f"found {canonical(one)!r} in several rows" in found["repeated_unit", "who"]


@pytest.mark.parametrize(("one", "other"), TWO_PERSONS)
def test_two_persons_that_look_alike_on_every_engine(engine, one, other):
    who = ["1", one, "3", "4", other, "6", "7"]
    assert tally_of(engine.make(COLUMNS | {"who": who}), unit="who").rows == 7


def test_what_stands_for_a_missing_person_is_no_person(engine):
    who = ["NA", " NA", "3", None, "-1", "-1.0", ""]
    tally = tally_of(engine.make(COLUMNS | {"who": who, "id": who}), Reading(missing_values=("NA", "-1")), unit="who")
    assert tally.unit_missing == 6
    assert tally_of(engine.make(COLUMNS | {"who": who}), Reading(missing_values=("-1",))).unit_missing == 0


@pytest.mark.parametrize("cells", [[-1, 2, 3, None, 5, -1, 7], [-1.0, 2.5, 3.0, float("nan"), 5.25, -1.0, 7.0]])
def test_numbers_that_stand_for_a_missing_person(engine, cells):
    table = engine.make(COLUMNS | {"who": cells})
    assert tally_of(table, Reading(missing_values=("-1", "2.49")), unit="who").unit_missing == 3
    assert list(refused(table, unit="who")) == [("repeated_unit", "who")]


def test_missing_persons_weigh_what_they_count(engine):
    columns = COLUMNS | {"who": ["a", None, "a", "", "b", "NA", "b"], "n": [1, 2, 3, 40, 5, 600, 7]}
    tally = tally_of(engine.make(columns), Reading(counts="n", missing_values=("NA",)), unit="who")
    assert (tally.rows, tally.unit_missing) == (658, 642)


FIVES = [5, 5.0, "5", " 5.0", np.float32(5), decimal.Decimal("5.0")]


@pytest.mark.parametrize("pair", list(itertools.permutations(FIVES, 2)))
@pytest.mark.parametrize("make", [lambda c: c, lambda c: pd.DataFrame(c, dtype=object)])
def test_a_number_and_its_text_are_one_person(make, pair):
    found = refused(make(COLUMNS | {"who": ["x", *pair, None, None, True, 2.5]}), unit="who")
    assert list(found) == [("repeated_unit", "who")]
    assert "found '5' in several rows" in found["repeated_unit", "who"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("5", '"5"'), ("5.0", '"5 "'), ("5.0", "5"), ("1e2", '"100"'), ("true", '"True"'), ("0.5", "0.50"), ("-0.0", "0")],
)
def test_json_of_one_person(tmp_path, one, other):
    lines = [f'{{"sex": "f", "y": 1, "p": 1, "who": {cell}}}' for cell in (one, '"x"', "null", '""', "7.0", other)]
    (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert list(refused(tmp_path / "cases.jsonl", unit="who")) == [("repeated_unit", "who")]
    lines.pop()
    (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert tally_of(tmp_path / "cases.jsonl", unit="who").unit_missing == 2
    assert tally_of(tmp_path / "cases.jsonl", Reading(missing_values=("7",)), unit="who").unit_missing == 3


DAY = dt.datetime.fromisoformat("2026-01-02T03:04:05")
STORED = {
    "days": [DAY.date(), DAY.date() + dt.timedelta(1)],
    "moments": [DAY, DAY + dt.timedelta(microseconds=1)],
    "decimals": [decimal.Decimal("1.10"), decimal.Decimal("2.00")],
    "bytes": [b"a", b"b"],
    "truths": [True, False],
    "spans": [dt.timedelta(1), dt.timedelta(2)],
    "singles": [np.float32(0.1), np.float32(0.2)],
    "whole": [2**62, -(2**62)],
}


@pytest.mark.parametrize("cells", STORED.values(), ids=STORED)
@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame, lambda columns: columns])
def test_persons_of_every_type(make, cells):
    base = {"sex": ["f"] * 3, "y": [1] * 3, "p": [1] * 3}
    once, twice = base | {"who": [*cells, None]}, base | {"who": [*cells, cells[1]]}
    word = canonical(cells[1])
    assert tally_of(make(once), unit="who").unit_missing == 1
    assert list(refused(make(twice), unit="who")) == [("repeated_unit", "who")]
    assert tally_of(make(twice), Reading(missing_values=(word,)), unit="who").unit_missing == 2


def test_nan_in_a_parquet_file_without_nulls_is_missing_and_found_again(tmp_path):
    """As a filter, DuckDB's isnan alone passes over it, since a file's smallest and largest number are no nan."""
    path = tmp_path / "cases.parquet"
    who = pa.array([1.5, float("nan"), float("nan"), 2.5])
    pq.write_table(pa.table({"sex": ["f"] * 4, "y": [1] * 4, "p": [1] * 4, "who": who}), path)
    assert tally_of(path, unit="who").unit_missing == 2
    table = open_table(path)
    assert len(table.rows([RowFilter(column="who", values=(None,))])) == 2
    assert len(table.rows([RowFilter(column="who", values=(None,), among=False)])) == 2


def test_a_universal_identifier_as_a_person(tmp_path):
    ids = [uuid.UUID(int=i) for i in (1, 2, 2)]
    path = tmp_path / "ids.parquet"
    duckdb.sql(
        f"COPY (SELECT 'f' AS sex, 1 AS y, 1 AS p, CAST(unnest({[str(i) for i in ids]}) AS UUID) AS who) TO '{path}'"
    )
    assert f"found {str(ids[1])!r}" in refused(path, unit="who")["repeated_unit", "who"]
    assert tally_of(path, Reading(missing_values=(str(ids[1]),)), unit="who").unit_missing == 2


HOLD_NO_LISTS = {"csv", "csv.gz", "pandas-categorical"}


@pytest.mark.parametrize("name", ["id", "who"])
@pytest.mark.parametrize("counts", [None, "n"])
def test_nested_persons(every_engine, name, counts):
    columns = COLUMNS | {name: [[str(i)] for i in range(7)], "n": [1] * 7}
    tables = [engine.make(columns) for engine in every_engine if engine.name not in HOLD_NO_LISTS]
    for table in tables:
        if name == "id" and counts:
            assert tally_of(table, Reading(counts=counts), unit="who").rows == 7
        else:
            assert list(refused(table, Reading(counts=counts), unit="who")) == [("nested_column", name)]
    assert len(tables) == len(every_engine) - len(HOLD_NO_LISTS)


def test_a_tuple_is_no_person():
    assert list(refused(COLUMNS | {"who": [(1,)] * 7}, unit="who")) == [("nested_column", "who")]


def test_the_white_space_that_sql_takes_off_is_what_python_takes_off():
    assert set(WHITE_SPACE) == {chr(i) for i in range(sys.maxunicode + 1) if chr(i).isspace()}


CELLS = st.none() | st.text(alphabet="15.0-\u00a0 \t\u3000\u00e9aT", max_size=4)
CELLS |= st.sampled_from(["True", "TRUE", "FALSE", "-0", "1.0", "-0.0", " 10.00", "NA", "\u00e9.0", "1\n.0", "0\n"])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CELLS, max_size=7), st.lists(st.sampled_from(["NA", "1", "true", "a", "0", "1.0", " a"]), max_size=2))
@example(["0", "0.0", "True", "True"], [])
def test_repeated_is_what_canonical_texts_say_on_every_engine(engine, cells, words):
    table = open_table(engine.make({"sex": ["f"] * (len(cells) + 1), "who": ["end", *cells]}))
    texts = [None if canonical(cell) in words else canonical(cell) for cell in cells]
    often = [text for text, n in Counter(texts).items() if n > 1 and text is not None]
    assert table.repeated("who", words) == min(often, default=None)
    assert table.missing("who", Reading(missing_values=tuple(words))) == texts.count(None)


JSON = """
    5 5.0 5.00 0 -0 -0.0 1e2 100 1E+2 0.1 0.10 1e-7 true null NaN "NaN" "5" "\\t5.0" "-0" "100" "1e2" "0.1" "0.10" "1e-07"
    "True" "" "null" "\\u00a05" 123456789012345678.0 123456789012345678 123456789012345680 "123456789012345680"
"""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(JSON.split()), min_size=1, max_size=6),
    st.lists(st.sampled_from(["5", "0.1", "true", "100"]), max_size=1),
)
def test_repeated_json_is_what_canonical_texts_say(tmp_path, cells, words):
    path = tmp_path / "cells.jsonl"
    path.write_text("".join(f'{{"a": 1, "who": {cell}}}\n' for cell in cells), encoding="utf-8")
    texts = [None if cell == "NaN" else canonical(JsonText(cell)) for cell in cells]
    texts = [None if text in words else text for text in texts]
    often = [text for text, n in Counter(texts).items() if n > 1 and text is not None]
    table = open_table(path)
    found = table.repeated("who", words)
    assert (found in often) if often else found is None
    assert table.missing("who", Reading(missing_values=tuple(words))) == texts.count(None)


def test_numbers_as_ids(tmp_path):
    frame = pl.DataFrame(COLUMNS | {"id": range(7)})
    frame.write_parquet(tmp_path / "whole.parquet")
    assert tally_of(tmp_path / "whole.parquet").rows == 7
    frame.with_columns(id=pl.Series([0, 1, 2, 3, 4, 5, 0])).write_parquet(tmp_path / "twice.parquet")
    (message,) = refused(tmp_path / "twice.parquet").values()
    assert "found '0' in several rows" in message


def test_the_one_repeated_case_among_many(tmp_path):
    """Ids are compared by themselves: 60,000 distinct numbers in shuffled order, and one of them twice."""
    n = 60_000
    ids = np.random.default_rng(5).permutation(n)
    cases = pd.DataFrame({"id": ids, "sex": "f", "y": 1, "p": 1})
    path = tmp_path / "many.parquet"
    cases.to_parquet(path)
    assert tally_of(path).rows == n
    cases.loc[n // 2, "id"] = cases.loc[3, "id"]
    cases.to_parquet(path)
    (message,) = refused(path).values()
    assert f"found '{ids[3]}' in several rows" in message


def test_without_the_column_nothing_is_taken_for_an_id():
    columns = {name: cells for name, cells in COLUMNS.items() if name != "id"} | {"ID": ["a"] * 7}
    assert tally_of(columns).rows == 7


@pytest.mark.parametrize("label", [2, "yes", "", None, 0.5, True])
def test_a_label_that_is_not_0_or_1(label):
    columns = COLUMNS | {"y": [1, 0, 1, 0, 1, 1, label]}
    assert list(refused(columns)) == [("label_not_binary", "y")]


@pytest.mark.parametrize("cell", [0, 1, 0.0, 1.0, "0", "1", " 1 ", "1.0"])
def test_ways_of_writing_0_and_1(cell):
    columns = COLUMNS | {"y": [cell] * 7, "p": [cell] * 7}
    assert {item.label for item in tally_of(columns).cells} == {round(float(cell))}


@pytest.mark.parametrize("prediction", [2, "yes", 0.5, -1])
def test_a_prediction_that_is_not_0_or_1(prediction):
    found = refused(COLUMNS | {"p": [1, 0, 1, 0, None, 1, prediction]})
    assert list(found) == [("prediction_not_binary", "p")]
    assert repr(str(prediction)) in found["prediction_not_binary", "p"]


@pytest.mark.parametrize("probability", [-0.001, 1.001, float("inf"), float("-inf"), 50])
def test_a_probability_outside(probability):
    found = refused(COLUMNS | {"q": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, probability]}, probability="q")
    assert list(found) == [("probability_out_of_range", "q")]


def test_a_probability_that_is_text(write_csv):
    found = refused(write_csv(COLUMNS | {"q": ["0.5"] * 6 + ["high"]}), probability="q")
    assert list(found) == [("not_numeric", "q")]
    assert "'high'" in found["not_numeric", "q"]


@pytest.mark.parametrize("ends", [[0.0, 1.0], [0, 1]])
def test_the_ends_of_the_range_are_probabilities(ends):
    tally = tally_of(COLUMNS | {"q": [ends[0]] * 3 + [ends[1]] * 4}, probability="q")
    assert sum(b.n for b in tally.bins) == 7


def test_everything_wrong_at_once():
    columns = {
        "id": ["a", "a", "b"],
        "sex": ["f", "m", "f"],
        "y": [1, 7, None],
        "p": [1, "maybe", 0],
        "who": [1, 2, 1],
        "q": [0.5, 2.0, 0.1],
    }
    assert list(refused(columns, unit="who", probability="q")) == [
        ("label_not_binary", "y"),
        ("prediction_not_binary", "p"),
        ("duplicate_case", "id"),
        ("repeated_unit", "who"),
        ("probability_out_of_range", "q"),
    ]


def test_every_absent_column_with_the_nearest_name():
    found = refused({"sexe": ["f"], "y": [1], "pred": [1]}, unit="who", probability="q")
    assert [(code, path) for code, path in found] == [
        ("missing_column", "sex"),
        ("missing_column", "p"),
        ("missing_column", "q"),
        ("missing_column", "who"),
    ]
    assert found["missing_column", "sex"] == "the table has no column 'sex'. Did you mean 'sexe'?"


def test_no_rows(engine):
    if engine.name in {"records", "jsonl", "jsonl.gz"}:  # without a record there is no column either
        with pytest.raises(DataError):
            tally_of(engine.make({name: [] for name in COLUMNS}))
        return
    assert list(refused(engine.make({name: [] for name in COLUMNS}))) == [("no_rows", "")]


@pytest.mark.parametrize("column", ["sex", "y", "p"])
def test_nested_values(column):
    found = refused(COLUMNS | {column: [["f"]] * 7})
    assert list(found) == [("nested_column", column)]


def test_undeclared_values_are_listed_most_frequent_first():
    values = ["z", "y", "y", "x", "x", "x", None]
    assert tally_of(COLUMNS | {"sex": values}).undeclared == (("sex", ("x", "y", "z")),)
    many = {"sex": [f"v{i:02}" for i in range(40)], "y": [1] * 40, "p": [1] * 40}
    assert tally_of(many).undeclared == (("sex", tuple(f"v{i:02}" for i in range(10))),)
