"""Row order, column order, index, chunks, dtype and engine change no byte of a result."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairreport import Audit

FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

texts = st.sampled_from(["F", "M", "X", None, "nan", "01", "True", "é", "a b"])
numbers = st.sampled_from([0.5, 1.0, 2.0, -3.0, None])
outcomes = st.sampled_from([True, False, None])
rows = st.lists(st.tuples(texts, numbers, outcomes, st.integers(0, 3)), min_size=1, max_size=40)


def columns_of(rows):
    return dict(zip(("sex", "score", "hired", "n"), map(list, zip(*rows, strict=True)), strict=True))


def document(data, counts=None):
    audit = Audit(data, counts=counts, title="Laws")
    audit.outcome_disparity("sex", "hired", True, min_group_size=1, p_value_adjustment="holm")
    audit.outcome_disparity(["sex", "score"], "hired", True, min_group_size=2, control_columns="score")
    return audit.run().to_json()


def frame_of(columns):
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})


@given(rows, st.randoms())
@FEW
def test_row_order(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert document(frame_of(columns_of(rows))) == document(frame_of(columns_of(shuffled)))
    assert document(frame_of(columns_of(rows)), "n") == document(frame_of(columns_of(shuffled)), "n")


@given(rows, st.permutations(["sex", "score", "hired", "n"]))
@FEW
def test_column_order(rows, order):
    columns = columns_of(rows)
    moved = {name: columns[name] for name in order}
    assert document(frame_of(columns)) == document(frame_of(moved))
    assert document(pa.table(columns)) == document(pa.table(moved))


@given(rows, st.lists(st.integers(-3, 3), min_size=40, max_size=40))
@FEW
def test_index(rows, index):
    frame = frame_of(columns_of(rows))
    assert document(frame) == document(frame.set_axis(index[: len(frame)]))


@given(rows, st.lists(st.integers(0, 40), max_size=6))
@FEW
def test_chunks(rows, cuts):
    table = pa.table(columns_of(rows))
    ends = [0, *sorted(min(cut, table.num_rows) for cut in cuts), table.num_rows]
    chunked = pa.concat_tables([table.slice(a, b - a) for a, b in pairwise(ends)])
    assert document(table) == document(chunked) == document(pl.from_arrow(chunked, rechunk=False))


@given(rows)
@FEW
def test_dtype(rows):
    columns = columns_of(rows)
    frame = pd.DataFrame(columns)
    expected = document(columns)
    for other in (
        frame,
        frame_of(columns),
        frame.convert_dtypes(),
        frame.convert_dtypes(dtype_backend="pyarrow"),
        frame.astype("category"),
        frame.astype({"score": "float32"}),
        pl.DataFrame(columns, strict=False),
        pa.table(columns),
    ):
        assert document(other) == expected


@given(rows)
@FEW
def test_text_files(tmp_path_factory, rows):
    columns = columns_of(rows)
    folder = tmp_path_factory.mktemp("laws")
    lines = [
        "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n") for row in zip(*columns.values(), strict=True)
    ]
    (folder / "table.jsonl").write_text("".join(lines))
    pd.DataFrame(columns).to_csv(folder / "table.csv", index=False)
    expected = json.loads(document(columns, "n"))
    assert json.loads(document(folder / "table.jsonl", "n")) == expected
    written = json.loads(document(folder / "table.csv", "n"))
    for entry, other in zip(written["results"], expected["results"], strict=True):
        # "True" is a spelling of text, so that notes on spellings may differ; no number does.
        assert entry | {"notes": None} == other | {"notes": None}


@given(rows)
@FEW
def test_counts_in_equal_rows_in(rows):
    columns = columns_of(rows)
    repeated = frame_of(columns).loc[np.repeat(np.arange(len(rows)), columns["n"])]
    with_counts = json.loads(document(frame_of(columns), "n"))
    assert with_counts["data"].pop("counts") == "n"
    as_rows = json.loads(document(repeated))
    as_rows["data"].pop("counts")
    assert with_counts == as_rows
