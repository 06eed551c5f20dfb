"""Collations that hold several spellings equal, where a table is held: what a frame gives, to the last byte."""

import sqlite3
import warnings
from contextlib import closing

import duckdb
import ibis
import pandas as pd
import pytest

from fairreport import Audit
from fairreport.audit.document import to_text
from fairreport.tables.source import RowFilter, open_table
from fairreport.tables.sql_text import in_dialect

SMALL = {"min_group_size": 1, "min_group_share": 0}
CELLS = ["a", "A", "b", "B", "b ", "á", None, ""]
N = 160
ROWS = [(CELLS[i % len(CELLS)], int(i * 7 % 5 < 2), f"id{i}") for i in range(N - 2)] + [
    ("a", 1, "ID0"),
    ("b", 0, "id1 "),
]
FRAME = pd.DataFrame(ROWS, columns=["g", "y", "id"])
NAMED = FRAME.assign(id=[f"{'Ii'[i % 2]}{i // 2}" for i in range(N)])
"""Every id stands in one row, and in two where letter case counts for nothing."""


def every_role(audit):
    """Count, compare, match, sort, and tell persons apart."""
    audit.outcome_disparity("g", "y", 1, **SMALL).outcome_disparity("y", "g", ["a"], **SMALL)
    audit.outcome_disparity(["g"], "y", 1, control_columns="id", **SMALL).score_disparity("g", "y", **SMALL)
    truth = {"ground_truth_column": "g", "positive_values": ["a", "b"]}
    audit.metric_parity("g", "auc", score_column="y", **truth, **SMALL)
    audit.metric_parity("y", "brier", probability_column="y", **truth, **SMALL)
    audit.rate_gaps(
        attributes={"g": ["a", "A", "b"]},
        label="y",
        prediction="y",
        rules=[{"id": "r", "rate": "selection", "attribute": "g", "max_group_gap": 0.5}],
        unit="id",
    )
    return audit.adverse_impact_ratio(
        outcome="y", reference_values={"g": "a"}, air_threshold=0.8, percent_difference_threshold=0
    )


def answers(data, **place):
    return to_text(every_role(Audit(data, **place)).run().to_dict()["results"])


def through_ibis(connection):
    """Return the table of a connection as ibis holds it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ibis 12 reads schemas in DuckDB's old way
        return ibis.duckdb.from_connection(connection).table("t")


def filled(connection, frame, types="TEXT", *, persons="TEXT"):
    connection.execute(f"CREATE TABLE t (g {types}, y INTEGER, id {persons})")
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    return connection


@pytest.mark.parametrize("frame", [FRAME, NAMED], ids=["repeated", "named"])
@pytest.mark.parametrize("collation", ["BINARY", "NOCASE", "RTRIM"])
def test_collations_of_sqlite(frame, collation):
    kind = f"TEXT COLLATE {collation}"
    with closing(sqlite3.connect(":memory:")) as connection:
        filled(connection, frame, kind, persons=kind)
        assert answers(ibis.sqlite.from_connection(connection).table("t")) == answers(frame)


def test_times_of_sqlite_are_texts_that_may_have_a_collation():
    rows = [("sPRING", i % 2) if i % 3 else ("Spring", 1) for i in range(90)]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (g DATE COLLATE NOCASE, y INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
        found = Audit(ibis.sqlite.from_connection(connection).table("t")).outcome_disparity("g", "y", 1, **SMALL).run()
    groups = {group["group"]["g"]: group["n"] for group in found.to_dict()["results"][0]["groups"]}
    assert groups == {"sPRING": 60, "Spring": 30}


@pytest.mark.parametrize("frame", [FRAME, NAMED], ids=["repeated", "named"])
@pytest.mark.parametrize(
    "collation", ["NOCASE.NOACCENT", *(pytest.param(it, marks=pytest.mark.heavy) for it in ("NOCASE", "NOACCENT"))]
)
def test_collations_of_duckdb(frame, collation, tmp_path):
    path = tmp_path / "held.duckdb"
    kind = f"VARCHAR COLLATE {collation}"
    with duckdb.connect(path) as connection:
        filled(connection, frame, kind, persons=kind)
        wanted = answers(frame)
        assert answers(connection.table("t")) == wanted
        assert answers(connection.sql("SELECT y, g, id FROM t WHERE y < 2")) == wanted
        assert answers(through_ibis(connection)) == wanted
    assert answers(path, table="t") == wanted


@pytest.mark.parametrize("kind", ["VARCHAR", "ENUM ('a', 'A', 'b', 'B', 'b ', 'á', '')", "JSON"])
def test_the_default_collation_of_duckdb(kind):
    connection = duckdb.connect()
    frame = NAMED.assign(g='"' + NAMED["g"] + '"') if kind == "JSON" else NAMED
    filled(connection, frame, kind)
    connection.execute("SET default_collation = 'nocase'")
    assert answers(connection.table("t")) == answers(NAMED)
    if kind != "JSON":  # a container, for all that ibis tells
        assert answers(through_ibis(connection)) == answers(NAMED)


def test_rows_of_a_group_are_those_of_its_spelling():
    connection = filled(duckdb.connect(), FRAME, "VARCHAR COLLATE NOCASE")
    wanted = open_table(FRAME).rows([RowFilter(column="g", values=("A",))])["id"].tolist()
    assert open_table(connection.table("t")).rows([RowFilter(column="g", values=("A",))])["id"].tolist() == wanted
    assert len(wanted) == N // len(CELLS)


@pytest.mark.parametrize("text", ["it's", "a\\n", "\\", "${spark.app.name}", "x\ny", "\x00", "\xa0é", "🙂'"])
def test_texts_that_spark_reads_by_its_settings_stand_there_by_their_bytes(text):
    quoted = text.replace("'", "''")
    spelled = in_dialect(f"SELECT 'plain \"é\"' AS a, '{quoted}' AS b FROM t", "spark")
    assert spelled == f"SELECT 'plain \"é\"' AS a, CAST(X'{text.encode().hex()}' AS STRING) AS b FROM t"


def test_an_instant_in_spark_is_one_whatever_it_takes_a_timestamp_for():
    sql = "SELECT 1 FROM t WHERE a < CAST('2024-10-27 00:30:00+00:00' AS TIMESTAMPTZ) AND b < CAST('2024' AS TIMESTAMP)"
    spelled = in_dialect(sql, "spark")
    assert "CAST('2024-10-27 00:30:00+00:00' AS TIMESTAMP_LTZ)" in spelled
    assert "CAST('2024' AS TIMESTAMP_NTZ)" in spelled
