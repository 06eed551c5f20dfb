"""What DuckDB reads that is no file of rows: a table or view of its own files, and Parquet objects in a store."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import duckdb

from fairreport.errors import DataError, ExtraMissingError, nearest
from fairreport.tables.credentials import hidden
from fairreport.tables.duckdb_engine import connect
from fairreport.tables.duckdb_open import parquet_table, with_plain_texts
from fairreport.tables.duckdb_sql import quoted
from fairreport.tables.duckdb_table import DuckdbTable
from fairreport.tables.places import StoredObjects, table_name

_CONFIG: dict[str, bool | int | float | str | list[str]] = {
    "autoinstall_known_extensions": "false",
    "python_enable_replacements": "false",
}
_AZURE = ("az", "azure", "abfss")
_LONGEST = 300
_LISTED = 5


def open_table_of(path: Path, parts: tuple[str, ...], *, origin: str) -> DuckdbTable:
    """Return a table or view of a DuckDB file, which is only read.

    Parameters
    ----------
    path : Path
        The file.
    parts : tuple of str
        The name of the table, with its schema before it where one is stated.
    origin : str
        What is opened, for people.

    Raises
    ------
    DataError
        If another process writes into the file, or it has no such table.
    """
    connection = _connected(path, parts)
    name = ".".join(map(quoted, parts))
    try:
        described = connection.sql(f"FROM {name}")
    except duckdb.Error as error:
        raise _no_table(connection, path, parts, error) from None
    source, types = with_plain_texts(name, list(map(str, described.types)), connection.execute)
    return DuckdbTable(
        names=[str(column) for column in described.columns],
        types=types,
        source=source,
        query=connection.execute,
        relation=connection.sql,
        progress=connection.query_progress,
        origin=origin,
    )


def _connected(path: Path, parts: tuple[str, ...]) -> duckdb.DuckDBPyConnection:
    place = str(path.resolve())
    try:
        return duckdb.connect(place, read_only=True, config=_CONFIG)
    except duckdb.ConnectionException:  # the user's own process has it open: their database is shared
        try:
            return duckdb.connect(place)
        except duckdb.Error:
            message = (
                f"{path.name!r} is open in this process already, with settings of its own; "
                f"audit con.table({'.'.join(parts)!r}) of that connection instead"
            )
            raise DataError(message) from None
    except duckdb.Error as error:
        holder = re.search(r"PID (\d+)", str(error))
        if "lock on file" in str(error):
            who = f"process {holder[1]}" if holder else "another process"
            raise DataError(f"{path.name!r} is in use by {who}; end that, or audit a copy") from None
        raise DataError(f"{path.name!r} cannot be read: {_line(error)}") from None


def _no_table(
    connection: duckdb.DuckDBPyConnection, path: Path, parts: tuple[str, ...], error: duckdb.Error
) -> DataError:
    if not isinstance(error, duckdb.CatalogException):
        return DataError(f"the table {table_name(parts)!r} of {path.name!r} cannot be read: {_line(error)}")
    known = [
        table_name((name,) if schema == "main" else (schema, name))
        for schema, name in connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables ORDER BY ALL"
        ).fetchall()
    ]
    asked = table_name(parts)
    hint = nearest(asked, known, fold=True)
    if not hint and known:
        more = f" and {len(known) - _LISTED:,} more" if len(known) > _LISTED else ""
        hint = f" It has {', '.join(map(repr, known[:_LISTED]))}{more}"
    return DataError(f"{path.name!r} has no table {asked!r}.{hint}")


def open_stored(place: StoredObjects) -> DuckdbTable:
    """Return Parquet objects of a store as a table; credentials are DuckDB's own secrets and the environment's.

    Raises
    ------
    ExtraMissingError
        If the extension of DuckDB that reads them is not installed; nothing is installed here.
    DataError
        If they are no Parquet, or cannot be read.
    """
    scheme, url = urlsplit(place.url).scheme.lower(), place.url
    folder = url.endswith("/")
    if not folder and not place.name.lower().endswith((".parquet", ".pq")):
        raise DataError(f"{place.name!r} is no Parquet by its name; of a store only .parquet objects are read")
    connection = connect()
    _load(connection, "azure" if scheme in _AZURE else "httpfs", scheme)
    where = f"{url}**/*.parquet" if folder else url
    try:
        first = _first(connection, where) if "*" in where else None
        return parquet_table(connection, where, first=first, origin=place.name)
    except duckdb.Error as error:
        raise DataError(f"{place.name!r} cannot be read: {hidden(_line(error), url)}") from None


def _first(connection: duckdb.DuckDBPyConnection, where: str) -> str:
    found = connection.execute("SELECT min(file) FROM glob(?)", [where]).fetchall()
    return str(found[0][0] or where)


def _load(connection: duckdb.DuckDBPyConnection, extension: str, scheme: str) -> None:
    try:
        connection.execute(f"LOAD {extension}")
    except duckdb.Error:
        message = (
            f"{scheme} objects are read by DuckDB's extension {extension}, which is not installed; once, where there "
            f"is a network: python -c \"import duckdb; duckdb.sql('INSTALL {extension}')\""
        )
        raise ExtraMissingError(message) from None


def _line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:_LONGEST] if lines else type(error).__name__
