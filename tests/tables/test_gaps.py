"""Cases counted for rate gaps: the same tally from every engine, and everything wrong with the data at once."""

import random

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fairreport.errors import DataError, RefusedDataError
from fairreport.tables.gaps import GapNeeds, count_cases
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table

COLUMNS = {
    "id": ["a", "b", "c", "d", "e", "f", "g"],
    "sex": ["f", "f", "m", "m", None, "x", "f"],
    "y": [1, 1, 0, 1, 1, 0, 1],
    "p": ["1", "0", "1", None, "1", "0", "1"],
    "who": ["1", "2", "3", "4", "5", "6", "7"],
    "q": [0.1, 0.25, 0.3, 0.7, 1.0, 0.5, 0.15],
}


def tally_of(data, **stated):
    need = {
        "attributes": {"sex": ("f", "m")},
        "label": "y",
        "prediction": "p",
        "probability": None,
        "unit": None,
        "case_id": "id",
        "bins": 10,
    }
    return count_cases(open_table(data), GapNeeds(**need | stated), Reading())


def refused(data, **stated):
    with pytest.raises(RefusedDataError) as caught:
        tally_of(data, **stated)
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
