"""One fixture over every engine that can hold a table, and one way of counting with it."""

import csv
import gc
import gzip
import io
import itertools
import json
from pathlib import Path

import duckdb
import ibis
import jsonschema
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import settings

from fairreport.audit.audit import Audit
from fairreport.audit.readers.config_schema import config_schema
from fairreport.audit.readers.result_schema import result_schema

settings.register_profile("patient", deadline=None)  # how long an example takes says something of the machine only
settings.load_profile("patient")

gc.set_threshold(20_000, 20, 50)  # of a suite most objects stay, and looking through them takes a tenth of its time

collect_ignore = ["gates"]
"""Scripts of continuous integration, which bring their own environments."""


def _rows(columns):
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _csv_cell(cell):
    if cell is None or cell != cell:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else cell


def csv_text(columns, delimiter=","):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_csv_cell(cell) for cell in row.values()] for row in _rows(columns))
    return stream.getvalue()


def _jsonl(columns):
    return "".join(json.dumps(row) + "\n" for row in _rows(columns))


def _written(path, content):
    path.write_bytes(gzip.compress(content.encode()) if path.suffix == ".gz" else content.encode())
    return path


def _parquet(columns, path):
    pq.write_table(pa.table(columns), path)
    return path


def _parquet_folder(columns, folder):
    table = pa.table(columns)
    (folder / "deeper").mkdir(parents=True)
    half = table.num_rows // 2
    pq.write_table(table.slice(0, half), folder / "part-1.parquet")
    pq.write_table(table.slice(half), folder / "deeper" / "part-2.parquet")
    return folder


def _relation(columns):
    connection = duckdb.connect()
    connection.register("arrived", pa.table(columns))
    return connection.table("arrived")


ENGINES = {
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "pandas-object": lambda columns, _: pd.DataFrame(columns, dtype=object),
    "pandas-nullable": lambda columns, _: pd.DataFrame(columns).convert_dtypes(),
    "pandas-arrow": lambda columns, _: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas-categorical": lambda columns, _: pd.DataFrame(columns, dtype="category"),
    "polars": lambda columns, _: pl.DataFrame(columns, strict=False),
    "polars-lazy": lambda columns, _: pl.LazyFrame(columns, strict=False),
    "pyarrow": lambda columns, _: pa.table(columns),
    "duckdb": lambda columns, _: _relation(columns),
    "ibis": lambda columns, _: ibis.memtable(pa.table(columns)),
    "mapping": lambda columns, _: columns,
    "records": lambda columns, _: _rows(columns),
    "parquet": lambda columns, folder: _parquet(columns, folder / "table.parquet"),
    "parquet-folder": lambda columns, folder: _parquet_folder(columns, folder / "table"),
    "csv": lambda columns, folder: _written(folder / "table.csv", csv_text(columns)),
    "csv.gz": lambda columns, folder: _written(folder / "table.csv.gz", csv_text(columns)),
    "jsonl": lambda columns, folder: _written(folder / "table.jsonl", _jsonl(columns)),
    "jsonl.gz": lambda columns, folder: _written(folder / "table.jsonl.gz", _jsonl(columns)),
}


class Engine:
    """Makes a table of one engine from a mapping of columns."""

    def __init__(self, name, folder):
        self.name = name
        self._folder = folder
        self._numbers = itertools.count()

    @property
    def is_text(self):
        """Whether the engine keeps no types, so that every cell arrives as text."""
        return self.name.startswith("csv")

    def make(self, columns):
        folder = Path(self._folder) / f"made-{next(self._numbers)}"
        folder.mkdir()
        return ENGINES[self.name](columns, folder)


ALIKE = {
    *("pandas-object", "pandas-nullable", "pandas-arrow", "pandas-categorical", "polars-lazy"),
    *("mapping", "records", "parquet-folder", "csv.gz", "jsonl.gz"),
}
"""Other forms of what another engine holds."""


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.heavy] * (name in ALIKE)) for name in ENGINES])
def engine(request, tmp_path):
    return Engine(request.param, tmp_path)


@pytest.fixture
def every_engine(tmp_path):
    """All engines at once, for tests that compare them."""
    made = []
    for position, name in enumerate(ENGINES):
        folder = tmp_path / f"engine-{position}"
        folder.mkdir()
        made.append(Engine(name, folder))
    return made


@pytest.fixture
def write_csv(tmp_path):
    """Write columns, or text as it stands, into a CSV file."""

    def write(content, name="table.csv", encoding="utf-8", delimiter=","):
        text = content if isinstance(content, str) else csv_text(content, delimiter)
        path = tmp_path / name
        data = text.encode(encoding)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


@pytest.fixture(scope="session")
def result_checker():
    """Hold documents of results against their schema, which is read once."""
    return jsonschema.Draft202012Validator(result_schema())


@pytest.fixture(scope="session")
def config_checker():
    """Hold configurations against their schema, which is read once."""
    return jsonschema.Draft202012Validator(config_schema())


@pytest.fixture
def measure():
    """Run one outcome test in which every group is judged, and return its entry."""

    def run(data, attributes="g", outcome="o", favorable=1, *, audit=None, **parameters):
        stated = {"min_group_size": 1, "min_group_share": 0} | parameters
        made = Audit(data, **(audit or {})).outcome_disparity(attributes, outcome, favorable, **stated)
        return made.run().to_dict()["results"][0]

    return run


@pytest.fixture
def counts(measure):
    """Return {label: (rows, favorable)} of every group; a label of one attribute is a bare text."""

    def run(data, *names, **options):
        entry = measure(data, *names, **options)
        assert entry["evidence"] is not None, entry["skip_reason"]
        return {
            group["group"][0] if len(group["group"]) == 1 else tuple(group["group"]): (
                group["n"],
                group["favorable"],
            )
            for group in entry["evidence"]["groups"]
        }

    return run
