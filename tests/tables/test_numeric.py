"""Scores and metrics over every engine: the same bytes, whatever the rows, columns, chunks and types."""

import json
from collections import Counter
from decimal import Decimal
from itertools import pairwise

import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport import Audit, DataError
from fairreport.tables.duckdb_table import DuckdbTable
from fairreport.tables.levels import Levels

FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
EVERY = {"min_group_size": 1, "min_group_share": 0}
OF_LABELS = {"ground_truth_column": "y", "positive_values": ["1"]}
OF_NUMBERS = {"prediction_column": "x", "ground_truth_column": "z", "max_difference": 1}
OF_VALUE = {"value_column": "x", "higher_is_better": True, "max_difference": 1}

EVERY_METRIC = {
    "auc": {"score_column": "x"} | OF_LABELS,
    "log_loss": {"probability_column": "p"} | OF_LABELS,
    "brier": {"probability_column": "p"} | OF_LABELS,
    "npv": {"prediction_column": "d", "max_difference": 1} | OF_LABELS,
    "false_omission_rate": {"prediction_column": "d", "max_difference": 1} | OF_LABELS,
    "mae": OF_NUMBERS,
    "rmse": OF_NUMBERS,
    "r2": OF_NUMBERS,
    "mean": OF_VALUE,
    "median": OF_VALUE,
    "p95": OF_VALUE,
    "rate": {"value_column": "y", "positive_values": ["1"], "higher_is_better": True},
}


def every_test(data, **audit):
    made = Audit(data, title="Every measure", **audit)
    made.score_disparity("g", "x", **EVERY)
    made.score_disparity(["h", "g"], "z", higher_is_favorable=False, **EVERY)
    for metric, stated in EVERY_METRIC.items():
        made.metric_parity("g", metric, **stated, **EVERY)
    made.metric_parity(["g", "h"], ["mean", "p95"], name="both", **OF_VALUE, **EVERY)
    return made.run()


def document(data, **audit):
    return every_test(data, **audit).to_json()


COLUMNS = {
    "g": ["F", "M", "F", None, "X", "M", "F", "M", "X", "F"] * 6,
    "h": ["1", "2", "1", "2", None, "1"] * 10,
    "x": [0.5, 1.25, -2.0, 3.0, None, 0.1, 0.2, 0.3, 7.0, 1 / 3, 2.5, 0.5] * 5,
    "z": [1, 2, 3, None, 5, 6] * 10,
    "p": [0.0, 0.25, 0.5, 1.0, 0.75, 0.1, None, 0.9, 0.3, 0.6] * 6,
    "y": ["1", "0", "1", "1", "0", None, "0", "1", "2", "1"] * 6,
    "d": ["1", "0", "0", "0", "1", "0", "0"] * 8 + ["0"] * 4,
}


@pytest.fixture(scope="module")
def expected():
    return document(COLUMNS)


def test_every_engine_gives_the_same_bytes(engine, expected):
    run = every_test(engine.make(COLUMNS))
    assert all(result.record.finding.skip is None for result in run.results)
    assert run.to_json() == expected


rows = st.lists(
    st.tuples(
        st.sampled_from(["F", "M", None]),
        st.sampled_from(["1", "2", None]),
        st.sampled_from([0.5, 0.1, 0.25, -3.0, 1 / 3, 12.0, None]),
        st.sampled_from([1, 2, -7, None]),
        st.sampled_from([0.0, 1.0, 0.1, 0.5, None]),
        st.sampled_from(["1", "0", None]),
        st.sampled_from(["1", "0"]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=30,
)
NAMES = ("g", "h", "x", "z", "p", "y", "d", "n")


def columns_of(rows):
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))


def typed(columns):
    """Return an Arrow table whose types do not depend on which cells are missing."""
    kinds = {"x": pa.float64(), "z": pa.int64(), "p": pa.float64(), "n": pa.int64()}
    return pa.table({name: pa.array(cells, type=kinds.get(name, pa.string())) for name, cells in columns.items()})


@given(rows, st.randoms())
@FEW
def test_row_order(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert document(typed(columns_of(rows))) == document(typed(columns_of(shuffled)))
    assert document(columns_of(rows), counts="n") == document(columns_of(shuffled), counts="n")


@given(rows, st.permutations(NAMES), st.lists(st.integers(0, 30), max_size=5))
@FEW
def test_column_order_chunks_and_index(rows, order, cuts):
    table = typed(columns_of(rows))
    ends = [0, *sorted(min(cut, table.num_rows) for cut in cuts), table.num_rows]
    chunked = pa.concat_tables([table.slice(a, b - a) for a, b in pairwise(ends)]).select(order)
    moved = table.to_pandas().set_axis([7] * table.num_rows)
    assert document(table) == document(chunked) == document(moved)


@given(rows)
@FEW
def test_counts_in_equal_rows_in(rows):
    columns = columns_of(rows)
    repeated = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})
    repeated = repeated.loc[np.repeat(np.arange(len(rows)), columns["n"])]
    as_rows = json.loads(document(repeated))
    for data in (columns, typed(columns)):
        with_counts = json.loads(document(data, counts="n"))
        assert with_counts["data"].pop("counts") == "n"
        assert with_counts == as_rows | {"data": {k: v for k, v in as_rows["data"].items() if k != "counts"}}


WHOLE = [3, 1, 0, 7, 2, 2, 5, 1, 1, 0, 4, 9]


def scores(cells, make):
    table = {"g": ["A", "B", "B"] * 4, "x": cells}
    made = Audit(make(table)).score_disparity("g", "x", **EVERY)
    for metric in ("mean", "median", "p95"):
        made.metric_parity("g", metric, **OF_VALUE, **EVERY)
    return made.run().to_json()


@pytest.mark.parametrize(
    ("cells", "make"),
    [
        (WHOLE, pd.DataFrame),
        (np.array(WHOLE, dtype="int8"), pd.DataFrame),
        (np.array(WHOLE, dtype="float32"), pd.DataFrame),
        (pd.array(WHOLE, dtype="Int64"), pd.DataFrame),
        (pd.array(WHOLE, dtype="Float32"), pd.DataFrame),
        (pd.array(WHOLE, dtype="int64[pyarrow]"), pd.DataFrame),
        (pd.Categorical(WHOLE), pd.DataFrame),
        (pd.Categorical([str(x) for x in WHOLE]), pd.DataFrame),
        ([Decimal(x) for x in WHOLE], pd.DataFrame),
        ([f" {x}.0" for x in WHOLE], pd.DataFrame),
        ([True if x == 1 else x for x in WHOLE], pd.DataFrame),
        ([Decimal(x) for x in WHOLE], pa.table),
        (pa.array(WHOLE, type=pa.uint64()), pa.table),
        (pa.array([str(x) for x in WHOLE]).dictionary_encode(), pa.table),
        (pa.array(WHOLE).cast("float32"), pa.table),
        (WHOLE, pl.DataFrame),
        ([f"+{x}" for x in WHOLE], pl.LazyFrame),
        (WHOLE, lambda columns: ibis.memtable(pa.table(columns))),
    ],
)
def test_dtype(cells, make):
    assert scores(cells, make) == scores(WHOLE, pa.table)


@pytest.mark.parametrize("cells", [[True, False, True] * 4, pd.array([True, False, True] * 4, dtype="boolean")])
def test_booleans_are_1_and_0(cells):
    assert scores(cells, pd.DataFrame) == scores([1, 0, 1] * 4, pa.table)
    assert scores(["TRUE", "false", " True "] * 4, pd.DataFrame) == scores([1, 0, 1] * 4, pa.table)


def statements(monkeypatch, audit):
    """Return what was asked of DuckDB, by kind, while an audit ran."""
    asked = Counter()
    for name in ("_fetch", "_fetch_arrays"):
        original = getattr(DuckdbTable, name)
        monkeypatch.setattr(
            DuckdbTable, name, lambda self, sql, _o=original, _n=name: asked.update([_n]) or _o(self, sql)
        )
    audit.run()
    return asked


def test_more_tests_over_the_same_columns_ask_no_more(monkeypatch):
    table = typed(columns_of([(*cells, 1) for cells in zip(*COLUMNS.values(), strict=True)]))
    of_sums = ["mean", "mae", "rmse", "r2", "brier", "log_loss"]
    few = Audit(table).metric_parity("g", "mean", **OF_VALUE)
    many = Audit(table)
    for metric in of_sums * 3:
        many.metric_parity("g", metric, name=f"t{len(many.tests)}", **EVERY_METRIC[metric])
    assert statements(monkeypatch, few) == Counter(_fetch=2)
    assert statements(monkeypatch, many) == Counter(_fetch=2)


def test_tests_that_need_order_share_what_was_fetched(monkeypatch):
    table = typed(columns_of([(*cells, 1) for cells in zip(*COLUMNS.values(), strict=True)]))
    audit = Audit(table)
    for i in range(4):
        audit.score_disparity("g", "x", name=f"s{i}")
        audit.metric_parity("g", ["median", "p95"], name=f"q{i}", **OF_VALUE)
        audit.metric_parity("g", "auc", name=f"a{i}", **EVERY_METRIC["auc"])
        audit.metric_parity("g", ["npv", "rate"], name=f"r{i}", **(EVERY_METRIC["npv"] | EVERY_METRIC["rate"]))
    # One grouping of shares, one that accounts, one of sums; one fetch of the values, one with their classes.
    assert statements(monkeypatch, audit) == Counter(_fetch=3, _fetch_arrays=2)


def test_statements_grow_with_sets_of_attributes_only(monkeypatch):
    table = typed(columns_of([(*cells, 1) for cells in zip(*COLUMNS.values(), strict=True)]))
    audit = Audit(table)
    for attributes in ("g", "h", ["g", "h"]):
        for column in ("x", "z"):
            audit.score_disparity(attributes, column)
    assert statements(monkeypatch, audit) == Counter(_fetch=4, _fetch_arrays=6)


def test_the_last_sample_is_let_go_before_the_next_is_fetched(monkeypatch):
    held = []
    original = Levels._fetch
    monkeypatch.setattr(Levels, "_fetch", lambda self, *a: held.append(len(self._kept)) or original(self, *a))
    Audit(COLUMNS).score_disparity("g", "x").score_disparity("h", "x").run()
    assert held == [0, 0]


def codes_of(audit):
    return [entry["skip_code"] for entry in audit.run().to_dict()["results"]]


@pytest.mark.parametrize(
    "make",
    [
        pa.table,
        lambda columns: pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()}),
        pl.DataFrame,
    ],
)
def test_a_nested_column_leaves_the_other_tests_alone(make):
    table = make({"g": ["F", "M"] * 20, "x": list(range(40)), "l": [[1], [2, 3]] * 20})
    audit = Audit(table).score_disparity("g", "x", **EVERY).score_disparity("l", "x").score_disparity("g", "l")
    audit.metric_parity("g", "auc", score_column="x", ground_truth_column="l", positive_values=1)
    audit.metric_parity("g", "mean", **OF_VALUE, **EVERY)
    nested = ["nested_column"]
    assert codes_of(audit) == [None, *nested * 3, None]


def test_columns_that_differ_in_letter_case_are_refused_by_name():
    table = pa.table({"g": ["A", "B"], "x": [1.0, 2.0], "X": [9.0, 9.0]})
    with pytest.raises(DataError, match="columns 'x' and 'X', which differ in letter case only"):
        Audit(ibis.memtable(table)).score_disparity("g", "x").run()
    # DuckDB and polars tell them apart.
    assert codes_of(Audit(table).score_disparity("g", "x", **EVERY)) == [None]
    assert codes_of(Audit(pl.from_arrow(table)).score_disparity("g", "x", **EVERY)) == [None]


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame])
def test_an_attribute_of_very_many_values(make):
    n = 20_000
    table = make({"id": [f"p{i}" for i in range(n)], "g": ["A", "B"] * (n // 2), "x": np.arange(n) / 7})
    audit = Audit(table).score_disparity("id", "x").score_disparity("g", "x").score_disparity(["g", "id"], "x")
    audit.metric_parity("g", "auc", score_column="x", ground_truth_column="id", positive_values=["p1", "p2", "p7"])
    assert codes_of(audit) == ["too_many_groups", None, "too_many_groups", None]


def test_a_thousand_groups_are_judged_and_one_more_is_not():
    for groups, code in ((1000, None), (1001, "too_many_groups")):
        table = pa.table({"g": [f"g{i % groups}" for i in range(2002)], "x": [float(i % 13) for i in range(2002)]})
        audit = Audit(table)
        audit.score_disparity("g", "x", **EVERY).metric_parity("g", ["mean", "p95"], **OF_VALUE, **EVERY)
        assert codes_of(audit) == [code] * 3


def test_undeclared_groups(engine):
    table = engine.make({"g": ["F", "M", "X", "F", "Y", "M", None], "x": [1, 4, 100, 3, 100, 2, 100]})
    audit = Audit(table, groups={"g": ["F", " M "]}).score_disparity("g", "x", **EVERY)
    audit.metric_parity("g", ["mean", "median"], **OF_VALUE, **EVERY)
    score, mean, median = audit.run().to_dict()["results"]
    assert (score["rows_total"], score["rows_missing_attribute"], score["rows_undeclared"]) == (7, 1, 2)
    assert score["overall_median"] == mean["overall_value"] == median["overall_value"] == 2.5
    assert {group["group"]["g"]: group["mean"] for group in score["groups"]} == {"F": 2.0, "M": 3.0}


def test_a_column_in_two_places(engine):
    """A number that is an attribute too, a label that is an attribute too."""
    table = engine.make({"x": [1, 2, 2, 1, 3, 3], "y": ["1", "0", "1", "0", "1", "1"]})
    audit = Audit(table).score_disparity("x", "x", **EVERY)
    audit.metric_parity("y", "auc", score_column="x", ground_truth_column="y", positive_values=1, **EVERY)
    audit.metric_parity("x", "brier", probability_column="y", ground_truth_column="y", positive_values=1, **EVERY)
    score, auc, brier = audit.run().to_dict()["results"]
    assert {group["group"]["x"]: group["mean"] for group in score["groups"]} == {"1": 1.0, "2": 2.0, "3": 3.0}
    assert auc["skip_code"] == "metric_undefined"
    assert [group["value"] for group in brier["groups"]] == [0.0, 0.0, 0.0]


def test_rows_are_accounted_for_in_order():
    """Inputs go first, then attributes: a row that lacks both lacks an input."""
    table = {
        "g": ["F", None, "M", None, "F", "M"],
        "x": [1.0, 2.0, None, np.inf, -np.inf, 3.0],
        "y": [1, 1, 1, 1, 1, None],
    }
    audit = Audit(table).metric_parity(
        "g", "mae", prediction_column="x", ground_truth_column="y", comparison="overall", max_difference=1, **EVERY
    )
    entry = audit.run().to_dict()["results"][0]
    names = ("rows_total", "rows_with_inputs", "rows_missing_attribute", "rows_evaluated")
    assert entry["skip_code"] == "too_few_sufficient_groups"
    assert [entry[name] for name in names] == [6, 2, 1, 1]


@pytest.mark.parametrize("wrong", [1.5, -1, "x", None])
@pytest.mark.parametrize("make", [pa.table, pd.DataFrame])
def test_counts_that_are_no_counts(make, wrong):
    table = make(
        {"g": ["F", "M"] * 2, "x": [1.0, 2.0, 3.0, 4.0], "n": [1, 2, 3, wrong] if wrong != "x" else list("123x")}
    )
    with pytest.raises(DataError, match="counts column 'n'"):
        Audit(table, counts="n").score_disparity("g", "x").run()


@pytest.mark.parametrize("metric", ["auc", "median"])
@pytest.mark.parametrize("dtype", ["category", "str", object])
def test_whole_columns_and_picked_rows_give_the_same(metric, dtype):
    """Where every row of a pandas frame is evaluated, whole columns are fetched; a missing cell takes the other way."""
    rng = np.random.default_rng(7)
    n = 3000
    frame = pd.DataFrame({"g": rng.choice(list("dbca"), n), "s": rng.random(n).round(2), "y": rng.integers(0, 2, n)})
    own = {"score_column": "s", "ground_truth_column": "y", "positive_values": 1}
    own = own if metric == "auc" else {"value_column": "s", "higher_is_better": True}
    whole = fr.metric_parity(frame.astype({"g": dtype}), "g", metric, **own).to_dict()
    one_more = pd.concat([frame, pd.DataFrame({"g": [None], "s": [0.5], "y": [1]})], ignore_index=True)
    picked = fr.metric_parity(one_more.astype({"g": dtype}), "g", metric, **own).to_dict()
    assert picked["groups"] == whole["groups"]
    assert picked["evidence"]["groups"] == whole["evidence"]["groups"]
    assert fr.metric_parity(frame.to_dict("list"), "g", metric, **own).to_dict() == whole
