"""What a table comes to does not depend on who holds it."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fairreport import Audit, DataError
from fairreport.tables.source import open_table

OUTCOME = [1, 0, 1, 1, 0, 1]


def test_groups_are_counted(engine, counts):
    data = engine.make({"g": ["F", "M", "F", "M", "M", "F"], "o": OUTCOME})
    assert counts(data) == {"F": (3, 3), "M": (3, 1)}


@pytest.mark.parametrize(
    ("spellings", "text"),
    [
        (["F", " F", "F ", "\tF", "F\u00a0", "\u2003F"], "F"),
        (["1", "1.0", "1.00", " 1", "1.000 ", "1"], "1"),
        (["-0", "0", "-0.0", "0.0", " -0", "0"], "0"),
        (["-7", "-7.0", "-7.00", " -7", "-7 ", "-7"], "-7"),
        (["true", "True", "TRUE", " true", "True ", "TRUE"], "true"),
        (["false", "False", "FALSE", " false", "False ", "FALSE"], "false"),
        (["01", "01.0", "01", "01.00", " 01", "01"], "01"),
    ],
)
def test_spellings_are_one_value(engine, counts, spellings, text):
    assert counts(engine.make({"g": spellings, "o": OUTCOME})) == {text: (6, 4)}


def test_nothing_else_is_folded(engine, counts):
    kept = [
        "01",
        "1",
        "1e3",
        "1000",
        "+1",
        "1.",
        "1.50",
        "1.5",
        "f",
        "F",
        "Yes",
        "yes",
        "tRUE",
        "a  b",
        "a b",
        "١.0",
    ]
    kept += ["None", "nan", "NULL", "NA", "null", "NaN", "N/A", "<NA>", "inf", "2020-01-01", "é", "e\u0301"]
    data = engine.make({"g": kept, "o": [1] * len(kept)})
    assert counts(data) == dict.fromkeys(kept, (1, 1))


def test_empty_and_blank_cells_are_missing(engine, measure):
    data = engine.make({"g": ["F", "", "   ", None, "\u00a0", "M"], "o": [1, 1, 0, 1, 0, 0]})
    entry = measure(data)
    assert {group["group"]["g"]: group["n"] for group in entry["groups"]} == {"F": 1, "M": 1}
    assert (entry["rows_total"], entry["rows_with_inputs"], entry["rows_evaluated"]) == (6, 6, 2)
    assert entry["measurements"]["missingAttributeRate"] == 4 / 6
    assert entry["evidence"]["missing"] == [{"attribute": "g", "n": 4, "favorable": 2}]


def test_rows_without_an_outcome_go_first(engine, measure):
    data = engine.make({"g": ["F", None, "F", "M", None, "M"], "o": ["1", None, "", "0", "1", " "]})
    entry = measure(data)
    assert (entry["rows_total"], entry["rows_with_inputs"], entry["rows_evaluated"]) == (6, 3, 2)
    assert entry["measurements"]["missingAttributeRate"] == 1 / 3


def test_whole_numbers(engine, counts):
    data = engine.make({"g": [1, 2, 1, 2, 10, 10], "o": OUTCOME})
    assert counts(data) == {"1": (2, 2), "10": (2, 1), "2": (2, 1)}


def test_whole_numbers_beside_missing_ones(engine, counts):
    # The missing cell turns a numpy column into floats: 1.0 is still the group "1".
    data = engine.make({"g": [1, 2, 1, 2, None, 1], "o": OUTCOME})
    assert counts(data) == {"1": (3, 3), "2": (2, 1)}


def test_fractions(engine, counts):
    data = engine.make({"g": [0.5, 2.0, 1e-7, 0.1, -0.0, 0.5], "o": OUTCOME})
    assert counts(data) == {"0": (1, 0), "0.1": (1, 1), "0.5": (2, 2), "1e-07": (1, 1), "2": (1, 0)}


def test_not_a_number_is_missing(engine, counts):
    data = engine.make({"g": [0.5, math.nan, 1.0, math.nan, 0.5, 1.0], "o": OUTCOME})
    assert counts(data) == {"0.5": (2, 1), "1": (2, 2)}


def test_booleans(engine, counts):
    data = engine.make({"g": [True, False, True, True, False, True], "o": [True, False, True, False, True, False]})
    assert counts(data, favorable="true") == {"false": (2, 1), "true": (4, 2)}
    assert counts(data, favorable=True) == {"false": (2, 1), "true": (4, 2)}


def test_a_boolean_is_no_number(engine, measure):
    data = engine.make({"g": ["F", "M"] * 3, "o": [True, False] * 3})
    assert measure(data, favorable="1")["skip_code"] == "no_favorable_rows"


def test_booleans_beside_missing_ones(engine, counts):
    data = engine.make({"g": ["F", "M"] * 3, "o": [True, None, False, True, True, None]})
    assert counts(data, favorable=True) == {"F": (3, 2), "M": (1, 1)}


def test_words_for_missing(engine, counts):
    data = engine.make({"g": ["F", "NA", "M", " NA ", "Unknown", "na"], "o": OUTCOME})
    assert counts(data, audit={"missing_values": ["NA", "Unknown"]}) == {
        "F": (1, 1),
        "M": (1, 1),
        "na": (1, 1),
    }


def test_words_for_missing_are_folded_like_cells(engine, counts):
    data = engine.make({"g": [-1, 1, 2, -1, 2, 1], "o": OUTCOME})
    assert counts(data, audit={"missing_values": ["-1.0"]}) == {"1": (2, 1), "2": (2, 1)}


def test_words_for_missing_hold_for_outcomes_too(engine, measure):
    data = engine.make({"g": ["F", "M"] * 3, "o": ["1", "0", "NA", "1", "1", "NA"]})
    assert measure(data, audit={"missing_values": "NA"})["rows_with_inputs"] == 4


def test_attributes_in_any_order_are_the_same_groups(engine, counts):
    data = engine.make({"sex": ["F", "M", "F", "M", "M", "F"], "age": [1, 1, 2, 2, 1, 1], "o": OUTCOME})
    expected = {("1", "F"): (2, 2), ("1", "M"): (2, 0), ("2", "F"): (1, 1), ("2", "M"): (1, 1)}
    assert counts(data, ["sex", "age"]) == expected
    assert counts(data, ["age", "sex"]) == expected


def test_only_combinations_that_occur_are_groups(engine, counts):
    data = engine.make({"a": ["x", "x", "y", "x", "y", "x"], "b": ["p", "q", "p", "p", "p", "q"], "o": OUTCOME})
    assert set(counts(data, ["a", "b"])) == {("x", "p"), ("x", "q"), ("y", "p")}


HOSTILE = [
    "n",
    "rows",
    "c0",
    "group",
    "order",
    'a "quoted" name',
    "it's",
    "with space",
    " edge ",
    "漢字",
    "a,b;c|d",
    "x\ny",
    "%s",
    "{0}",
    "f(x)",
]


def test_any_text_is_a_column_name(engine):
    columns = {name: ["F", "M", "F", "M", "M", "F"] for name in HOSTILE} | {"select": OUTCOME}
    audit = Audit(engine.make(columns))
    for name in HOSTILE:
        audit.outcome_disparity(name, "select", 1, min_group_size=1)
    for name, entry in zip(HOSTILE, audit.run().to_dict()["results"], strict=True):
        found = {group["group"][name]: (group["n"], group["favorable"]) for group in entry["groups"]}
        assert found == {"F": (3, 3), "M": (3, 1)}


def test_hostile_names_together(engine, counts):
    columns = {name: ["a", "b"] * 3 for name in HOSTILE} | {"o": OUTCOME}
    assert counts(engine.make(columns), ["n", "rows", "c0"], "o", control_columns=["group", "order"]) == {
        ("a", "a", "a"): (3, 2),
        ("b", "b", "b"): (3, 2),
    }


def test_names_that_differ_in_letter_case(engine, counts):
    columns = {"n": ["F", "F", "M", "M", "F", "M"], "N": ["x", "y", "x", "y", "x", "y"], "o": OUTCOME}
    if engine.name == "ibis":  # its SQL would take one for the other
        with pytest.raises(DataError, match="'N' and 'n', which differ in letter case only"):
            counts(engine.make(columns), "N")
        return
    if engine.name == "duckdb":  # DuckDB itself renames the second
        columns["N_1"] = columns.pop("N")
        assert counts(engine.make(columns), "N_1") == {"x": (3, 2), "y": (3, 2)}
        return
    assert counts(engine.make(columns), "n") == {"F": (3, 1), "M": (3, 3)}
    assert counts(engine.make(columns), "N") == {"x": (3, 2), "y": (3, 2)}
    assert len(counts(engine.make(columns), ["N", "n"])) == 4


NAMELESS = [
    "pandas",
    "pandas-arrow",
    "polars",
    "polars-lazy",
    "pyarrow",
    "mapping",
    "records",
    "parquet",
    "csv",
    "jsonl",
]


@pytest.mark.parametrize("engine", NAMELESS, indirect=True)
def test_an_empty_column_name(engine, counts):  # which SQL does not have
    assert counts(engine.make({"": ["F", "M"] * 3, "o": OUTCOME}), "") == {"F": (3, 2), "M": (3, 2)}


def test_a_missing_column_is_named_with_its_neighbour(engine, measure):
    entry = measure(engine.make({"gender": ["F", "M"] * 3, "o": OUTCOME}), "gendre")
    assert entry["skip_code"] == "missing_column"
    assert entry["skip_reason"] == "the table has no column 'gendre'. Did you mean 'gender'?"


def test_a_table_without_rows(engine, measure):
    if engine.name in {"jsonl", "jsonl.gz", "records"}:  # no rows, no columns
        assert measure(engine.make({"g": [], "o": []}))["skip_code"] == "missing_column"
        return
    entry = measure(engine.make({"g": [], "o": []}))
    assert (entry["status"], entry["skip_code"], entry["test_status"]) == (
        "skipped",
        "empty_column",
        "skipped",
    )


def test_a_column_without_values(engine, measure):
    entry = measure(engine.make({"g": ["F", "M"] * 3, "o": [None] * 6}))
    assert (entry["skip_code"], entry["skip_reason"]) == (
        "empty_column",
        "column 'o' has no value in any row",
    )


def test_no_complete_row(engine, measure):
    entry = measure(engine.make({"g": ["F", "M", None, None], "o": [None, None, "1", "0"]}))
    assert entry["skip_code"] == "no_complete_rows"


def test_declared_groups(engine, measure):
    data = engine.make({"g": ["F", "M", "X", "F", "Y", "M"], "o": OUTCOME})
    entry = measure(data, audit={"groups": {"g": ["F", " M "]}})
    assert {group["group"]["g"]: group["n"] for group in entry["groups"]} == {"F": 2, "M": 2}
    assert (entry["rows_undeclared"], entry["rows_evaluated"]) == (2, 4)
    assert entry["measurements"]["missingAttributeRate"] == 0
    note = next(note["text"] for note in entry["notes"] if note["code"] == "undeclared_values")
    assert note == "Column 'g' has values that are not among its declared groups; their rows are left out: 'X', 'Y'."


def test_declared_groups_are_folded_like_cells(engine, counts):
    data = engine.make({"g": [1, 2, 3, 1, 2, 3], "o": OUTCOME})
    assert counts(data, audit={"groups": {"g": [1.0, "2.0"]}}) == {"1": (2, 2), "2": (2, 0)}


def test_controls_are_counted_by_stratum(engine, measure):
    columns = {
        "g": ["F", "F", "M", "M", "F", "M", "F", "M"],
        "c": [" 1", "1.0", "1", "1", "2", "2", None, "3"],
        "o": [1, 0, 1, 1, 1, 0, 1, 1],
    }
    evidence = measure(engine.make(columns), control_columns="c")["evidence"]
    assert [(cell["stratum"], cell["group"], cell["n"], cell["favorable"]) for cell in evidence["strata"]] == [
        (["1"], ["F"], 2, 1),
        (["1"], ["M"], 2, 2),
        (["2"], ["F"], 1, 1),
        (["2"], ["M"], 1, 0),
        (["3"], ["M"], 1, 1),
    ]
    assert (evidence["n_strata"], evidence["rows_without_controls"]) == (3, 1)


def test_unmatched_outcomes_are_listed(engine, measure):
    data = engine.make({"g": ["F", "M"] * 4, "o": ["yes", "no", "yes", "maybe", "no", "no", "Yes", "yes"]})
    entry = measure(data, favorable="yes")
    assert entry["evidence"]["unmatched"] == [
        {"value": "no", "n": 3},
        {"value": "Yes", "n": 1},
        {"value": "maybe", "n": 1},
    ]
    note = next(note["text"] for note in entry["notes"] if note["code"] == "unmatched_outcomes")
    assert note == "Outcomes that match no favorable value count as unfavorable: 'no' (3), 'Yes' (1), 'maybe' (1)."


def test_folded_spellings_are_noted(engine, measure):
    entry = measure(engine.make({"g": ["F", " F", "M", "M", "F", "M"], "o": OUTCOME}))
    note = next(note["text"] for note in entry["notes"] if note["code"] == "spellings_folded")
    assert note.endswith("were taken as one value: g 'F' (' F', 'F').")


def test_several_tests_read_the_table_once(engine):
    data = engine.make({"a": ["F", "M"] * 3, "b": ["x", "x", "y"] * 2, "c": ["p"] * 5 + ["q"], "o": OUTCOME})
    audit = Audit(data)
    for attributes in ("a", "b", ["a", "b"], ["b", "a"], "a"):
        audit.outcome_disparity(attributes, "o", 1, min_group_size=1, control_columns="c")
    spied = open_table(data)
    calls = []
    count = type(spied).count

    def spy(table, sets, counts):
        calls.append((tuple(map(tuple, sets)), counts))
        return count(table, sets, counts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(spied), "count", spy)
        run = audit.run()
    assert len(calls) == 1
    assert Counter(frozenset(names) for names in calls[0][0]) == {
        frozenset("aco"): 1,
        frozenset("bco"): 1,
        frozenset("abco"): 1,
    }
    entries = run.to_dict()["results"]
    alone = Audit(data).outcome_disparity(["a", "b"], "o", 1, min_group_size=1, control_columns="c").run()
    assert entries[2]["evidence"] == alone.to_dict()["results"][0]["evidence"] == entries[3]["evidence"]
    assert entries[0]["evidence"] == entries[4]["evidence"]


def test_every_engine_gives_the_same_bytes(every_engine):
    columns = {
        "sex": ["F", "M", "F", None, "X", "M", "F", "M"] * 9,
        "band": [1, 2, 3, 1, 2, 3, 1, 2] * 9,
        "score": [0.5, 1.25, 2.0, 0.5, 1.25, 2.0, 0.5, 0.5] * 9,
        "hired": ["1", "0", "1", "1", "0", "1", None, "0"] * 9,
    }

    def run(data):
        audit = Audit(data, title="Same bytes")
        audit.outcome_disparity("sex", "hired", 1, min_group_size=5, p_value_adjustment="holm")
        audit.outcome_disparity(["sex", "band"], "hired", 1, min_group_size=5, control_columns="score")
        audit.outcome_disparity("score", "hired", 0, reference_strategy="named", reference_value=2, min_group_size=5)
        return audit.run().to_json()

    texts = {engine.name: run(engine.make(columns)) for engine in every_engine}
    assert {name for name, text in texts.items() if text != texts["mapping"]} == set()


@pytest.mark.parametrize(
    "make",
    [
        lambda cells: pd.DataFrame({"g": cells, "o": OUTCOME}),
        lambda cells: pl.DataFrame({"g": cells, "o": OUTCOME}),
        lambda cells: pl.LazyFrame({"g": cells, "o": OUTCOME}),
        lambda cells: pa.table({"g": cells, "o": OUTCOME}),
        lambda cells: {"g": cells, "o": OUTCOME},
        lambda cells: pd.DataFrame({"g": pd.array(cells, dtype="Float32"), "o": OUTCOME}),
        lambda cells: pd.DataFrame({"g": pd.array(cells, dtype="float[pyarrow]"), "o": OUTCOME}),
        lambda cells: pd.DataFrame({"g": pd.Categorical(cells), "o": OUTCOME}),
    ],
)
def test_a_32_bit_number_keeps_its_own_shortest_form(counts, make):
    cells = np.array([0.1, 0.3, 0.1, 2.0, 16777216, 0.3], dtype="float32")
    assert counts(make(cells)) == {"0.1": (2, 2), "0.3": (2, 1), "16777216": (1, 0), "2": (1, 1)}
