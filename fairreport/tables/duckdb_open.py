"""What DuckDB opens: CSV, JSONL and Parquet files, Arrow tables, and relations of the user's own."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from fairreport.errors import DataError
from fairreport.tables.collations import by_bytes
from fairreport.tables.duckdb_engine import connect
from fairreport.tables.duckdb_sql import readable, text_literal
from fairreport.tables.duckdb_table import DuckdbTable, Query
from fairreport.tables.files import FileKind, csv_header, file_kind, jsonl_names
from fairreport.tables.source import RowFilter

_MAYBE_RENAMED = re.compile(r"(^C|_)[0-9]+$")
"""What DuckDB calls a column without a name (C0), and one of two that differ in letter case only (n_1)."""


def open_file(path: Path) -> DuckdbTable:
    """Return a CSV, JSONL or Parquet file, or a folder of Parquet files, as a table.

    Raises
    ------
    DataError
        If the file is absent, unreadable, or of no known kind.
    """
    kind = file_kind(path)
    connection = connect()
    with readable(path.name):
        if kind is FileKind.PARQUET:
            return _open_parquet(connection, path)
        return _open_csv(connection, path) if kind is FileKind.CSV else _JsonlTable(connection, path)


def open_arrow(data: Any) -> DuckdbTable:
    """Return a pyarrow table, record batch or dataset as a table, without a copy."""
    import pyarrow as pa  # noqa: PLC0415 - an Arrow table brings it

    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    if not isinstance(data, pa.Table):
        raise DataError(f"cannot audit a pyarrow {type(data).__name__}; wanted a Table or a RecordBatch")
    names = [str(name) for name in data.column_names]
    connection = connect()
    connection.register("fr_arrow", _held(data.rename_columns([f"c{i}" for i in range(len(names))])))
    return _registered(connection, "fr_arrow", names, "pyarrow Table")


def _held(data: Any) -> Any:
    """Return an Arrow table in types that DuckDB holds: a column of another type must not bar the rest."""
    import pyarrow as pa  # noqa: PLC0415 - an Arrow table brings it

    for position, column in enumerate(data.schema):
        if pa.types.is_float16(column.type):
            wanted = pa.float32()
        elif pa.types.is_decimal256(column.type):
            wanted = pa.string()
        else:
            continue
        data = data.set_column(position, column.name, data.column(position).cast(wanted))
    return data


def open_relation(data: Any) -> DuckdbTable:
    """Return a DuckDB relation as a table; its own connection does the work."""
    if not isinstance(data, duckdb.DuckDBPyRelation):
        raise DataError(f"cannot audit a duckdb {type(data).__name__}; wanted a relation, such as con.table('t')")
    names = [str(name) for name in data.columns]

    def query(sql: str) -> duckdb.DuckDBPyRelation:
        answer = data.query("fr_relation", sql)
        if answer is None:
            raise DataError("the DuckDB relation gave no answer")
        return answer

    source, types = with_plain_texts("fr_relation", list(map(str, data.types)), query)
    return DuckdbTable(
        names=names,
        types=types,
        source=source,
        query=query,
        relation=query,
        progress=lambda: -1.0,
        origin="DuckDB relation",
    )


class _JsonlTable(DuckdbTable):
    """A JSONL file: the columns are the keys met; cells keep their JSON type until they are folded."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        path: Path,
        names: Sequence[str] | None = None,
        conditions: tuple[str, ...] = (),
    ) -> None:
        self._connection = connection
        self._path = path
        self._conditions = conditions  # on the rows that are audited, where not all of the file are
        self._bind(jsonl_names(path) if names is None else names)

    def has(self, name: str) -> bool:
        """Tell whether a column exists, looking beyond the first records where it was not met there."""
        if name in self.names:
            return True
        with readable(self.origin):
            found = self._connection.execute(
                f"SELECT 1 FROM {self._objects()} WHERE json_exists(json, {_pointer(name)}) LIMIT 1"
            ).fetchall()
        if found:
            self._bind([*self.names, name])
        return bool(found)

    def rows(self, filters: Sequence[RowFilter]) -> Any:
        """Return the rows that pass every filter, as a pandas DataFrame of the JSON values."""
        frame = super().rows(filters)
        values = {name: [json.loads(c) if isinstance(c, str) else None for c in frame[name]] for name in frame}
        return type(frame)(values, index=frame.index, columns=frame.columns, dtype=object)

    def where(self, condition: str) -> _JsonlTable:
        """Return the table with the rows for which a condition holds; columns that are met later keep to it."""
        return _JsonlTable(self._connection, self._path, self.names, (*self._conditions, condition))

    def _objects(self) -> str:
        return f"read_json_objects({text_literal(plain_glob(self._path))}, format='newline_delimited')"

    def _bind(self, names: Sequence[str]) -> None:
        cells = (
            ", ".join(f"nullif(json -> {_pointer(name)}, 'NaN') AS c{i}" for i, name in enumerate(names)) or "1 AS none"
        )
        source = f"(SELECT {cells} FROM {self._objects()})"
        for condition in self._conditions:
            source = f"(SELECT * FROM {source} WHERE {condition})"
        super().__init__(
            names=names,
            types=["JSON"] * len(names),
            source=source,
            query=self._connection.execute,
            relation=self._connection.sql,
            progress=self._connection.query_progress,
            origin=self._path.name,
            path=self._path.absolute(),
        )


def _pointer(name: str) -> str:
    """Return the JSON pointer (RFC 6901) of a top-level key, as an SQL literal."""
    return text_literal("/" + name.replace("~", "~0").replace("/", "~1"))


def _open_parquet(connection: duckdb.DuckDBPyConnection, path: Path) -> DuckdbTable:
    if not path.is_dir():
        return parquet_table(connection, plain_glob(path), origin=path.name, path=path.absolute())
    first = plain_glob(min(path.rglob("*.parquet"), key=str))
    place = f"{plain_glob(path)}/**/*.parquet"
    return parquet_table(connection, place, first=first, origin=path.name, path=path.absolute())


def parquet_table(
    connection: duckdb.DuckDBPyConnection,
    place: str,
    *,
    origin: str,
    first: str | None = None,
    path: Path | None = None,
) -> DuckdbTable:
    """Return Parquet as a table.

    Parameters
    ----------
    connection : DuckDBPyConnection
        Who reads.
    place : str
        What DuckDB is to read, wildcards included.
    origin : str
        What was opened, for people.
    first : str, optional
        One of several files, whose folders may be columns (``sex=F``); `place` is one file where absent.
    path : Path, optional
        The file or folder that was opened.
    """
    partitions = "" if first else ", hive_partitioning=false"  # a folder named sex=F is no column of its file
    source = f"read_parquet({text_literal(place)}{partitions})"
    described = connection.sql(f"FROM {source}")  # bound only; to run DESCRIBE takes twice as long
    names = [str(name) for name in described.columns]
    if any(_MAYBE_RENAMED.search(name) for name in names):
        stored = _stored_names(connection, first or place)
        names = stored if len(stored) == len(names) else names
    return DuckdbTable(
        names=names,
        types=[str(kind) for kind in described.types],
        source=f"{source} AS t({aliases(len(names))})",
        query=connection.execute,
        relation=connection.sql,
        progress=connection.query_progress,
        origin=origin,
        path=path,
        has_statistics=True,
    )


def _stored_names(connection: duckdb.DuckDBPyConnection, place: str) -> list[str]:
    """Return the top-level column names as a Parquet file states them."""
    elements = connection.execute(
        f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({text_literal(place)})"
    ).fetchall()
    names: list[str] = []
    below = 0  # elements that belong to the column named last
    for name, children in elements[1:]:  # the first one is the root
        if below:
            below += int(children) - 1
        else:
            names.append(str(name))
            below = int(children)
    return names


def _open_csv(connection: duckdb.DuckDBPyConnection, path: Path) -> DuckdbTable:
    delimiter, names = csv_header(path)
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    source = (
        f"read_csv({text_literal(plain_glob(path))}, header=true, auto_detect=false, delim={text_literal(delimiter)}, "
        f"quote='\"', escape='\"', strict_mode=true, columns={{{columns}}})"
    )
    return DuckdbTable(
        names=names,
        types=["VARCHAR"] * len(names),
        source=source,
        query=connection.execute,
        relation=connection.sql,
        progress=connection.query_progress,
        origin=path.name,
        path=path.absolute(),
    )


def _registered(connection: duckdb.DuckDBPyConnection, view: str, names: list[str], origin: str) -> DuckdbTable:
    return DuckdbTable(
        names=names,
        types=[str(row[1]) for row in connection.execute(f"DESCRIBE {view}").fetchall()],
        source=_aliased(view, len(names)),
        query=connection.execute,
        relation=connection.sql,
        progress=connection.query_progress,
        origin=origin,
    )


def _aliased(source: str, columns: int) -> str:
    return f"{source} AS t({aliases(columns)})"


def with_plain_texts(source: str, types: Sequence[str], query: Query) -> tuple[str, list[str]]:
    """Return what stands after FROM for a table of the user's, and its types: texts are equal if their bytes are.

    A column may have a collation that holds different spellings equal, and so may the database for all that is text,
    enums and JSON too. No type tells of it.

    Parameters
    ----------
    source : str
        The table.
    types : sequence of str
        The types of its columns.
    query : callable
        Runs a statement on its connection.
    """
    aliased = _aliased(source, len(types))
    default = query("SELECT current_setting('default_collation')").fetchall()[0][0]
    texts = ("VARCHAR", "JSON", "ENUM") if default else ("VARCHAR",)
    if not any(kind.startswith(texts) for kind in types):
        return aliased, list(types)
    listed = ", ".join(
        f"{by_bytes(f'c{i}', 'duckdb')} AS c{i}" if kind.startswith(texts) else f"c{i}" for i, kind in enumerate(types)
    )
    kinds = ["VARCHAR" if default and kind.startswith("ENUM") else kind for kind in types]
    return f"(SELECT {listed} FROM {aliased}) AS t", kinds


def aliases(columns: int) -> str:
    """Return the names that columns have inside: ``c0, c1, ...``."""
    return ", ".join(f"c{i}" for i in range(columns))


def plain_glob(path: Path) -> str:
    """Write a path so that DuckDB takes every character of it as it stands."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))
