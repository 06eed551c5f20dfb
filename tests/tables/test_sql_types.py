"""Tables of databases with cells and names of every kind: what a frame gives, to the last byte."""

import datetime as dt
import decimal
import itertools
import math

import duckdb
import ibis
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fairreport import Audit, DataError
from fairreport.audit.document import to_text
from fairreport.tables import levels
from fairreport.tables.sql_engine_ibis import IbisEngine
from fairreport.tables.sql_products import LARGEST_ROOT_OF_NOTHING
from fairreport.tables.sql_text import in_dialect

SMALL = {"min_group_size": 1, "min_group_share": 0}
D = decimal.Decimal
CELLS = {
    "int": pa.array([1, 2, None, 9007199254740993] * 10, type=pa.int64()),
    "small int": pa.array([1, -999, None, 3] * 10, type=pa.int16()),
    "float32": pa.array([0.1, 0.3, None, math.nan, -0.0, 0.0, 16777216, math.inf] * 5, type=pa.float32()),
    "float64": pa.array([0.1, 0.3, None, math.nan, -0.0, 0.0, 1e22, -math.inf] * 5, type=pa.float64()),
    "decimal": pa.array([D("1.50"), D("2.00"), None, D("-0.25")] * 10, type=pa.decimal128(10, 2)),
    "boolean": pa.array([True, False, None, True] * 10),
    "date": pa.array([dt.date(2024, 2, 29), None, dt.date(2025, 1, 1), dt.date(1969, 12, 31)] * 10),
    "time of day and date": pa.array([1709209800123456, None] * 20, type=pa.timestamp("us")),
    "zoned": pa.array([dt.datetime(2024, 1, 1, 2, tzinfo=dt.UTC), None] * 20, type=pa.timestamp("us", tz="UTC")),
    "text": pa.array(["F", " F", "it's", 'a "b"', "a\\b", "\U0001f642é", "", None] * 5),
    "more text": pa.array(["x\ny", "%s", ":p", "?", "-- c", "1.0", " 1", "TRUE"] * 5),
}
FRAMES = {name: pa.table({"v": v, "g": ["F", "M"] * 20, "y": [1, 0, 0, 1] * 10}) for name, v in CELLS.items()}
NOT_IN_SQLITE = {"decimal", "zoned", "float32", "time of day and date", "int"}
"""SQLite has no such type, or ibis cannot put such cells there as they are: whole numbers beside nulls are floats."""


def every_role(audit):
    audit.outcome_disparity("v", "y", 1, **SMALL).outcome_disparity("g", "y", 1, control_columns="v", **SMALL)
    audit.outcome_disparity("g", "v", [1, "F", "true", 0.1], **SMALL).score_disparity("v", "y", **SMALL)
    audit.metric_parity("v", "mean", value_column="y", higher_is_better=True, **SMALL)
    return audit.metric_parity(
        "v", "brier", probability_column="y", ground_truth_column="v", positive_values=[1, "F", 0.1], **SMALL
    )


def numeric_roles(audit):
    audit.score_disparity("g", "v", **SMALL)
    audit.metric_parity("g", ["mean", "p95"], value_column="v", higher_is_better=True, **SMALL)
    stated = {"prediction_column": "v", "ground_truth_column": "y", "max_difference": 100}
    for metric in ("mae", "rmse", "r2"):
        audit.metric_parity("g", metric, **stated, **SMALL)
    return audit.metric_parity("g", "auc", score_column="v", ground_truth_column="y", positive_values=[1], **SMALL)


def text_of(tests, data, **audit):
    return to_text(tests(Audit(data, **audit)).run().to_dict()["results"])


@pytest.mark.parametrize("kind", CELLS)
def test_cells_of_every_type_in_every_role(held_table, kind):
    if held_table.name == "sqlite" and kind in NOT_IN_SQLITE:
        return
    table = FRAMES[kind]
    held = held_table(table)
    words = {"missing_values": ["-999", "?"]}
    assert text_of(every_role, held, **words) == text_of(every_role, table, **words)


@pytest.mark.parametrize("word", ["true", "True", "1"])
def test_a_word_for_missing_is_no_boolean(held_table, word):
    table = pd.DataFrame(
        {"g": ["a", "b"] * 40, "p": [i % 3 == 0 for i in range(80)], "y": [i // 2 % 2 for i in range(80)]}
    )

    def log_loss(data):
        audit = Audit(data, missing_values=[word])
        audit.metric_parity("g", "log_loss", probability_column="p", ground_truth_column="y", positive_values=1)
        return audit.run().to_dict()["results"][0]

    assert log_loss(held_table(table)) == log_loss(table)


def test_decimals_of_any_width_are_decimals():
    wide = ibis.table({"g": "string", "v": "decimal(76, 20)"}, name="t")
    engine = IbisEngine.__new__(IbisEngine)
    engine._table = wide
    assert nw.from_native(engine.typed).collect_schema()["v"] == nw.Decimal
    engine._table = ibis.table({"g": "string", "v": "decimal(38, 20)"}, name="t")
    assert engine.typed is engine._table


@pytest.mark.parametrize("kind", ["int", "small int", "float32", "float64", "decimal", "boolean", "more text"])
def test_numbers_of_every_type(held_table, kind):
    if held_table.name == "sqlite" and kind in NOT_IN_SQLITE:
        return
    table = FRAMES[kind]
    words = {"missing_values": ["-999", "0.3", "1e300", "1e-300"]}
    assert text_of(numeric_roles, held_table(table), **words) == text_of(numeric_roles, table, **words)


HOSTILE = [
    'a "quoted" name',
    "it's",
    "back`tick`",
    "semi;colon -- x",
    "[brackets]",
    "select",
    "group by",
    "n",
    "漢字 é \U0001f642",
    "back\\slash",
    "x\ny",
    "%s {0} :p $1 ?",
    "w" * 200,
    " edge ",
    "c0",
    "k0",
    "fr_source",
]


def test_ends_too_far_apart_for_their_difference(held_table, monkeypatch):
    """A page has no width there: its rows are fetched, and not placed by a difference that is no number."""
    monkeypatch.setattr(levels, "REMOTE_SORTED_ROWS", 10)
    values = [1e308, -1e308, 1.5, 2.5, -1.7e308] * 8
    frame = pd.DataFrame({"g": ["F", "M"] * 20, "v": values})

    def tests(audit):
        return audit.metric_parity("g", ["median", "p95"], value_column="v", higher_is_better=True, **SMALL)

    assert text_of(tests, held_table(frame)) == text_of(tests, frame)


def test_names_of_every_kind(held_table):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.choice(["F", "M"], 60) for name in HOSTILE})
    frame["y"] = rng.integers(0, 2, 60)
    frame["v"] = rng.random(60)

    def tests(audit):
        for first, second in itertools.pairwise(HOSTILE):
            audit.outcome_disparity(first, "y", 1, control_columns=[second], **SMALL)
            audit.metric_parity([first, second], "mean", value_column="v", higher_is_better=True, **SMALL)
        return audit

    assert text_of(tests, held_table(frame)) == text_of(tests, frame)


def test_names_that_differ_in_letter_case_only_are_refused():
    import ibis  # noqa: PLC0415 - SQL engines themselves refuse to make such a table

    table = ibis.memtable(pa.table({"n": ["F", "M"], "N": [1, 0]}))
    with pytest.raises(DataError, match="'N' and 'n', which differ in letter case only"):
        Audit(table).outcome_disparity("n", "N", 1).run()


EXTREME = [0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.0**-537.5, 1.5e-162, 1.6e-162, 1e-155, 1e-20, 0.5, 1.0, 3e7, 1e150]


def test_guarded_products_are_the_products():
    """The statements for PostgreSQL run in DuckDB, which rounds to 0 itself."""
    rows = ", ".join(f"('{x!r}'::DOUBLE, '{f!r}'::DOUBLE)" for x in EXTREME for f in (2.0**-500, 2.0**-3, 1.0, 2.0**90))
    source = f"SELECT x, whole FROM (VALUES {rows}) AS t(x, whole)"
    inner = "SELECT x * x AS a, x * whole AS b, x * (9.094947017729282e-13) AS c, x * (8.0e0) AS d FROM s"
    plain, guarded = (in_dialect(inner, "postgres", is_guarded=guard) for guard in (False, True))
    assert plain.count("CASE") == 0
    assert guarded.count("CASE") == 3
    found, wanted = (duckdb.sql(f"WITH s AS ({source}) {sql}").fetchall() for sql in (guarded, plain))
    assert found == wanted


def test_no_guarded_product_vanishes():
    """Whatever number passes the guard of a square has a square above 0; the largest that does not has none."""
    assert LARGEST_ROOT_OF_NOTHING * LARGEST_ROOT_OF_NOTHING == 0.0
    above = math.nextafter(LARGEST_ROOT_OF_NOTHING, 1.0)
    assert above * above > 0.0


def test_rows_that_stand_for_several_have_the_means_of_repeated_rows():
    """Engines put rows together that are alike; no digit of a mean may change by that."""
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({"pay": rng.normal(50, 9, 80).round(2), "a": (rng.random(80) < 0.6) * 1.0})
    frame["b"] = 1 - frame["a"]
    frame["share"] = rng.random(80).round(1)
    frame["rest"] = 1 - frame["share"]
    frame["w"] = rng.random(80).round(2)
    frame["times"] = rng.integers(0, 7, 80)
    repeated = frame.loc[frame.index.repeat(frame["times"])].reset_index(drop=True)

    def tests(audit):
        for protected, reference in (("a", "b"), ("share", "rest")):
            for weight in (None, "w"):
                audit.standardized_mean_difference(
                    outcome="pay",
                    smd_threshold=0.3,
                    protected_groups=protected,
                    reference_groups=reference,
                    group_categories="c",
                    sample_weight=weight,
                )
        return audit

    found = tests(Audit(frame, counts="times")).run().to_dict()["results"]
    wanted = tests(Audit(repeated)).run().to_dict()["results"]
    for entry, other in zip(found, wanted, strict=True):
        assert to_text(entry["groups"]) == to_text(other["groups"])
