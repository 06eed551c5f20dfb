"""Databases that hold a table elsewhere, and are asked in their own SQL."""

import warnings

import ibis
import pyarrow as pa
import pytest


@pytest.fixture(scope="session")
def backends():
    made = {"duckdb": ibis.duckdb.connect(), "sqlite": ibis.sqlite.connect()}
    yield made
    for backend in made.values():
        backend.disconnect()


@pytest.fixture(params=["duckdb", "sqlite"])
def held_table(request, backends):
    """Put a frame, an Arrow table or columns into a table of a database."""
    backend = backends[request.param]

    def make(data):
        if isinstance(data, dict):
            table = pa.table(data)
        else:
            table = data if isinstance(data, pa.Table) else pa.Table.from_pandas(data, preserve_index=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # ibis 12 reads schemas in DuckDB's old way
            if request.param == "sqlite":
                return backend.create_table("held", table, overwrite=True)
            backend.con.register("arrived", table)
            backend.raw_sql("CREATE OR REPLACE TABLE held AS SELECT * FROM arrived")
            return backend.table("held")

    make.name = request.param
    return make
