"""Files, Arrow tables and DuckDB relations: counted by DuckDB.

Every column is renamed to ``c0, c1, ...`` on the way in, so that no user's column name reaches the SQL of a
grouping (and ``n`` beside ``N`` cannot collide). Text files are read as text: nothing is guessed.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from fairreport.errors import DataError
from fairreport.tables.counts import whole_number
from fairreport.tables.files import FileKind, csv_header, file_kind, jsonl_names
from fairreport.tables.needs import Reading
from fairreport.tables.progress import reported
from fairreport.tables.source import Key, RowFilter
from fairreport.tables.text import JsonText
from fairreport.tables.view import Array, CellColumn, NumericView, plain_arrays

_BATCH = 50_000
_LONGEST_LINE = 200
_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
_NESTED = ("STRUCT", "MAP", "UNION", "VARIANT")

Query = Callable[[str], duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation]
Decoder = Callable[[Any], Any]


class DuckdbTable:
    """Something that DuckDB can read, as a `Table`."""

    engine = "duckdb"

    def __init__(
        self,
        *,
        names: Sequence[str],
        types: Sequence[str],
        source: str,
        query: Query,
        progress: Callable[[], float],
        origin: str,
    ) -> None:
        self.names = tuple(names)
        self.origin = origin
        self._types = tuple(types)
        self._source = source
        self._query = query
        self._progress = progress
        self._position = {name: i for i, name in enumerate(self.names)}
        self.nested = frozenset(n for n, t in zip(names, types, strict=True) if _is_nested(t))

    def count(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
        """Yield (index of the set, raw cells, rows) for each distinct combination of each set."""
        summed = counts is not None and self._types[self._position[counts]] in _INTEGERS
        extra = (
            (counts,) if counts is not None and not summed else ()
        )  # counts held as text or floats: one more key
        keyed = [(*names, *extra) for names in sets]
        used = sorted({self._position[name] for names in keyed for name in names})
        decoders = [_decoder(self._types[position]) for position in used]
        by_mask = {_mask(names, used, self._position): i for i, names in enumerate(keyed)}
        columns = [tuple(used.index(self._position[name]) for name in names) for names in keyed]
        for mask, *cells in self._fetch(self._grouping_sql(keyed, used, counts if summed else None)):
            index = by_mask[mask]
            key = tuple(_decode(decoders[i], cells[i]) for i in columns[index])
            n = _checked_total(cells[len(used) :], counts)
            if extra:
                n *= whole_number(key[-1], extra[0])
                key = key[:-1]
            if n:
                yield index, key, n

    def has(self, name: str) -> bool:
        """Tell whether the table has a column of that name."""
        return name in self._position

    def rows(self, filters: Sequence[RowFilter]) -> Any:
        """Return the rows that pass every filter, as a pandas DataFrame."""
        clauses = [self._clause(condition) for condition in filters]
        names = ", ".join(f"c{i} AS {quoted(name)}" for i, name in enumerate(self.names))
        where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
        with readable(self.origin):
            return self._query(f"SELECT {names} FROM {self._source}{where}").df()

    def view(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> NumericView:
        """Return the numeric view of some columns."""
        from fairreport.tables.duckdb_view import duckdb_view  # noqa: PLC0415 - an audit of counts does not wait for it

        kinds = {name: (f"c{i}", self._types[i]) for name, i in self._position.items()}
        return duckdb_view(
            fetch_rows=self._fetch,
            fetch_arrays=self._fetch_arrays,
            source=self._source,
            types=kinds,
            cells={name: _cell_column(*kinds[name]) for name in cells},
            numbers=numbers,
            missing_values=reading.missing_values,
            counts=reading.counts,
        )

    def _fetch_arrays(self, sql: str) -> dict[str, Array]:
        with readable(self.origin), reported(self._progress):
            return plain_arrays(self._query(sql).fetchnumpy())

    def _clause(self, condition: RowFilter) -> str:
        position = self._position[condition.column]
        column = f"c{position}"
        known = [value for value in condition.values if value is not None and value == value]  # noqa: PLR0124 - NaN
        listed = ", ".join(_literal(value, self._types[position]) for value in known)
        missing = f"({column} IS NULL" + (
            f" OR isnan({column}))" if _is_float(self._types[position]) else ")"
        )
        among = f"{_raw(column, self._types[position])} IN ({listed})" if listed else "FALSE"
        if len(known) < len(condition.values):
            among = f"({missing} OR {among})"
        return f"coalesce({among}, FALSE)" if condition.among else f"NOT coalesce({among}, FALSE)"

    def _grouping_sql(self, keyed: Sequence[tuple[str, ...]], used: Sequence[int], summed: str | None) -> str:
        keys = ", ".join(f"c{i}" for i in used)
        groups = ", ".join(f"({', '.join(f'c{self._position[name]}' for name in names)})" for names in keyed)
        mask = f"grouping({keys})" if len(keyed) > 1 else "0"
        total = "count(*)"
        if summed is not None:
            weight = f"c{self._position[summed]}"
            total = f"count(*) - count({weight}), min({weight}), sum({weight})"
        return f"SELECT {mask}, {keys}, {total} FROM {self._source} GROUP BY GROUPING SETS ({groups})"

    def _fetch(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with readable(self.origin), reported(self._progress):
            answer = self._query(sql)
            if isinstance(answer, duckdb.DuckDBPyRelation):
                yield from answer.fetchall()  # a relation keeps no cursor
                return
            batch = answer.fetchmany(_BATCH)
        while batch:
            yield from batch
            batch = answer.fetchmany(_BATCH)


def _raw(column: str, kind: str) -> str:
    return f"CAST({column} AS VARCHAR)" if kind == "JSON" else column


def _cell_column(column: str, kind: str) -> CellColumn:
    decoder = _decoder(kind)
    return CellColumn(
        expression=_raw(column, kind),
        restore=lambda cell: _decode(decoder, cell),
        literal=lambda cell: _literal(cell, kind),
    )


def _checked_total(tail: Sequence[Any], counts: str | None) -> int:
    """Return the rows of one combination, from a bare count or from a sum with its checks."""
    if len(tail) == 1:
        return int(tail[0])
    missing, lowest, total = tail
    if missing:
        whole_number(None, str(counts))
    if lowest < 0:
        whole_number(lowest, str(counts))
    return int(total)


def _mask(names: Sequence[str], used: Sequence[int], position: dict[str, int]) -> int:
    """Return GROUPING()'s bit mask of a set: a bit is set for each column that the set leaves out."""
    kept = {position[name] for name in names}
    mask = 0
    for column in used:
        mask = 2 * mask + (column not in kept)
    return mask


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
    return _described(connection.execute, connection.query_progress, "fr_arrow", names, "pyarrow Table")


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
        raise DataError(
            f"cannot audit a duckdb {type(data).__name__}; wanted a relation, such as con.table('t')"
        )
    names = [str(name) for name in data.columns]
    types = [str(t) for t in data.types]
    query = partial(data.query, "fr_relation")
    source = _aliased("fr_relation", len(names))
    return DuckdbTable(
        names=names, types=types, source=source, query=query, progress=lambda: -1.0, origin="DuckDB relation"
    )


class _JsonlTable(DuckdbTable):
    """A JSONL file: the columns are the keys met; cells keep their JSON type until they are folded."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._bind(jsonl_names(path))

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
        values = {
            name: [json.loads(c) if isinstance(c, str) else None for c in frame[name]] for name in frame
        }
        return type(frame)(values, index=frame.index, columns=frame.columns, dtype=object)

    def _objects(self) -> str:
        return f"read_json_objects({_text_literal(_plain_glob(self._path))}, format='newline_delimited')"

    def _bind(self, names: list[str]) -> None:
        cells = (
            ", ".join(f"nullif(json -> {_pointer(name)}, 'NaN') AS c{i}" for i, name in enumerate(names))
            or "1 AS none"
        )
        super().__init__(
            names=names,
            types=["JSON"] * len(names),
            source=f"(SELECT {cells} FROM {self._objects()})",
            query=self._connection.execute,
            progress=self._connection.query_progress,
            origin=self._path.name,
        )


def _pointer(name: str) -> str:
    """Return the JSON pointer (RFC 6901) of a top-level key, as an SQL literal."""
    return _text_literal("/" + name.replace("~", "~0").replace("/", "~1"))


def connect() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "python_enable_replacements": "false",
            "temp_directory": str(Path(tempfile.gettempdir()) / "fairreport-duckdb"),
        },
    )


def _open_parquet(connection: duckdb.DuckDBPyConnection, path: Path) -> DuckdbTable:
    place = _plain_glob(path) + ("/**/*.parquet" if path.is_dir() else "")
    partitions = (
        "" if path.is_dir() else ", hive_partitioning=false"
    )  # a folder named sex=F is no column of its file
    source = f"read_parquet({_text_literal(place)}{partitions})"
    described = connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
    names = [str(row[0]) for row in described]
    stored = _stored_names(connection, path)
    if len(stored) == len(names):  # DuckDB renames one of two columns that differ in letter case only
        names = stored
    return DuckdbTable(
        names=names,
        types=[str(row[1]) for row in described],
        source=f"{source} AS t({_aliases(len(names))})",
        query=connection.execute,
        progress=connection.query_progress,
        origin=path.name,
    )


def _stored_names(connection: duckdb.DuckDBPyConnection, path: Path) -> list[str]:
    """Return the top-level column names as a Parquet file (the first one of a folder) states them."""
    first = min(path.rglob("*.parquet"), key=str) if path.is_dir() else path
    place = _text_literal(_plain_glob(first))
    elements = connection.execute(
        f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({place})"
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
        f"read_csv({_text_literal(_plain_glob(path))}, header=true, auto_detect=false, delim={_text_literal(delimiter)}, "
        f"quote='\"', escape='\"', strict_mode=true, columns={{{columns}}})"
    )
    return DuckdbTable(
        names=names,
        types=["VARCHAR"] * len(names),
        source=source,
        query=connection.execute,
        progress=connection.query_progress,
        origin=path.name,
    )


def _described(
    query: Query, progress: Callable[[], float], view: str, names: list[str], origin: str
) -> DuckdbTable:
    types = [str(row[1]) for row in query(f"DESCRIBE {view}").fetchall()]
    source = _aliased(view, len(names))
    return DuckdbTable(names=names, types=types, source=source, query=query, progress=progress, origin=origin)


def _aliased(source: str, columns: int) -> str:
    return f"{source} AS t({_aliases(columns)})"


def _aliases(columns: int) -> str:
    return ", ".join(f"c{i}" for i in range(columns))


@contextmanager
def readable(origin: str) -> Iterator[None]:
    """Turn DuckDB's reading errors into one line that names the table."""
    try:
        yield
    except (duckdb.IOException, duckdb.InvalidInputException, duckdb.ConversionException) as error:
        raise DataError(f"{origin!r} cannot be read: {_first_lines(str(error))}") from None


def _first_lines(text: str) -> str:
    kept: list[str] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("Possible"):
            break
        kept.append(line.strip()[:_LONGEST_LINE])
    return "; ".join(kept)


def _plain_glob(path: Path) -> str:
    """Write a path so that DuckDB takes every character of it as it stands."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in str(path))


def quoted(name: str) -> str:
    """Return an SQL identifier for any text."""
    return '"' + name.replace('"', '""') + '"'


def _text_literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _literal(value: Any, kind: str) -> str:
    if isinstance(value, bytes):
        return f"unhex('{value.hex()}')"
    if isinstance(value, timedelta):
        return f"to_microseconds({value // timedelta(microseconds=1)})"
    if isinstance(value, (datetime, str)) or not isinstance(value, (bool, int, float)):
        return f"CAST({_text_literal(str(value))} AS {kind})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"CAST({_text_literal(repr(value))} AS {kind})"


def _is_nested(kind: str) -> bool:
    return kind.startswith(_NESTED) or kind.endswith("]")


def _is_float(kind: str) -> bool:
    return kind in {"FLOAT", "DOUBLE"}


def _decoder(kind: str) -> Decoder | None:
    """Return how to restore a cell that DuckDB hands over in another type than it holds."""
    if kind == "FLOAT":
        return np.float32
    if kind == "JSON":
        return JsonText
    return None


def _decode(decoder: Decoder | None, cell: Any) -> Any:
    return cell if decoder is None or cell is None else decoder(cell)
