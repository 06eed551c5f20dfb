"""Every worked case through every engine that can hold its table: the same bytes."""

import duckdb
import polars as pl
import pyarrow as pa
import pytest

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
    "parquet": _parquet,
}


@pytest.fixture(scope="module")
def of_frame():
    """Return a case's frame and the text of its answer over that, made once a case."""
    made = {}

    def run(case, frame_of, judge):
        if case["id"] not in made:
            made.clear()
            frame = frame_of(case)
            made[case["id"]] = frame, to_text(judge(case, frame))
        return made[case["id"]]

    return run


def test_case(untyped_case, engine_name, load_frame, answer, held, of_frame, tmp_path):
    frame, wanted = of_frame(untyped_case, load_frame, answer)
    if engine_name in ENGINES:
        made = ENGINES[engine_name](pa.Table.from_pandas(frame, preserve_index=False), tmp_path)
    else:
        made = held(frame, engine_name)
    assert to_text(answer(untyped_case, made)) == wanted


def test_rate_gaps(gap_case, held_name, judged, held):
    frame_of, judge = judged["gaps"]
    frame = frame_of(gap_case)
    assert to_text(judge(gap_case, held(frame, held_name))) == to_text(judge(gap_case, frame))


def test_adverse_impact(impact_case, held_name, judged, held):
    frame_of, judge = judged["impact"]
    frame = frame_of(impact_case)
    assert to_text(judge(impact_case, held(frame, held_name))) == to_text(judge(impact_case, frame))
