"""Every worked case through every engine that can hold its table: the same bytes."""

import duckdb
import ibis
import polars as pl
import pyarrow as pa

from fairreport.audit.document import to_text


def _relation(table):
    connection = duckdb.connect()
    connection.register("arrived", table)
    return connection.table("arrived")


def _parquet(table, folder):
    path = folder / "table.parquet"
    pl.from_arrow(table).write_parquet(path)
    return path


ENGINES = {
    "polars": lambda table, _: pl.from_arrow(table),
    "polars-lazy": lambda table, _: pl.from_arrow(table).lazy(),
    "pyarrow": lambda table, _: table,
    "duckdb": lambda table, _: _relation(table),
    "ibis": lambda table, _: ibis.memtable(table),
    "parquet": _parquet,
}


def test_case(untyped_case, engine_name, load_frame, answer, tmp_path):
    frame = load_frame(untyped_case)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    made = ENGINES[engine_name](table, tmp_path)
    assert to_text(answer(untyped_case, made)) == to_text(answer(untyped_case, frame))
