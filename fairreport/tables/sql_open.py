"""Tables of databases that are named rather than brought: opened through ibis, or by DuckDB where it is its file."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import narwhals.stable.v2 as nw

from fairreport.errors import DataError, ExtraMissingError
from fairreport.tables.credentials import hidden
from fairreport.tables.files import refuse_no_file
from fairreport.tables.places import OTHER_NAMES, DatabaseFile, DatabaseTable, unknown_kind
from fairreport.tables.source import Table
from fairreport.tables.sql_engine_ibis import IbisEngine
from fairreport.tables.sql_engines import Row
from fairreport.tables.sql_names import table_of
from fairreport.tables.sql_table import SqlTable, open_engine

_CONNECT_SECONDS = "10"
_LONGEST = 300
_DRIVERS = {"postgres": "'fairreport[engines]' 'psycopg[binary]'"}


def open_database(place: DatabaseTable) -> SqlTable:
    """Return a table of a database that a URL reaches, through ibis.

    Raises
    ------
    ExtraMissingError
        If ibis, or the driver of the database, is not installed.
    DataError
        If there is no such database or table, or it cannot be reached. Neither user nor password is repeated.
    """
    backend = _connected(place.url)
    engine = _kind(place.url)
    with _explained(f"cannot read the tables of the {engine} database", place.url):
        table = table_of(backend, place.table, engine)
        base = _base(place.url, backend)
    where = f"{engine}, database {base}" if base else engine
    return _opened(DiscreetEngine(table, place.url), f"table {'.'.join(place.table)} in {where}")


def open_database_file(place: DatabaseFile) -> Table:
    """Return a table of a DuckDB or SQLite file, which is only read.

    Raises
    ------
    ExtraMissingError
        If ibis, which reads SQLite, is not installed.
    DataError
        If there is no such file or table.
    """
    head = _head(place.path)
    origin = f"table {'.'.join(place.table)} in {place.path.name}"
    if head[8:12] == b"DUCK":
        from fairreport.tables.duckdb_files import open_table_of  # noqa: PLC0415 - only for DuckDB's

        return open_table_of(place.path, place.table, origin=origin)
    if head != b"SQLite format 3\0":
        raise DataError(f"{place.path.name!r} is no database of DuckDB or SQLite")
    ibis = _ibis()
    with _explained(f"cannot read {place.path.name!r}", ""):
        connection = sqlite3.connect(f"file:{quote(str(place.path.resolve()))}?mode=ro", uri=True)
        backend = ibis.sqlite.from_connection(connection)
        _close_with(backend, connection.close)
        table = table_of(backend, place.table, f"{place.path.name!r}")
    return _opened(IbisEngine(table), origin)


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, which tell what it is."""
    refuse_no_file(path)
    if path.is_dir():
        raise DataError(f"{path.name!r} is a folder; wanted the file of a database")
    try:
        with path.open("rb") as stream:
            return stream.read(16)
    except OSError as error:
        raise DataError(f"{path.name!r} cannot be read: {error.strerror or error}") from None


class DiscreetEngine(IbisEngine):
    """An engine that was reached by a URL: what its driver says is told without what the URL holds."""

    def __init__(self, table: Any, url: str) -> None:
        super().__init__(table)
        self._url = url

    def batches(self, sql: str) -> Iterator[Sequence[Row]]:
        """Run a statement, and yield its rows in batches."""
        try:
            yield from super().batches(sql)
        except DataError as error:
            raise type(error)(hidden(str(error), self._url)) from None

    def _reconnect(self) -> bool:
        connected = super()._reconnect()
        if connected:
            _close_with(self._backend, _closing(self._backend))
        return connected


def _opened(engine: IbisEngine, origin: str) -> SqlTable:
    return open_engine(engine, nw.from_native(engine.typed).lazy(), origin=origin, nested=engine.nested)


def _ibis() -> Any:
    try:
        import ibis  # noqa: PLC0415 - the extra `engines` brings it
    except ImportError:
        message = (
            "a table of a database is read through ibis, which is not installed: pip install 'fairreport[engines]'"
        )
        raise ExtraMissingError(message) from None
    return ibis


def _kind(url: str) -> str:
    scheme = urlsplit(url).scheme
    return OTHER_NAMES.get(scheme, scheme)


def _connected(url: str) -> Any:
    ibis, engine = _ibis(), _kind(url)
    if unknown := unknown_kind(engine):
        raise DataError(unknown)
    with _explained(f"cannot open the {engine} database", url):
        backend = ibis.connect(url, **_decoded(url, engine), **_waiting(url, engine))
    _close_with(backend, _closing(backend))
    return backend


def _decoded(url: str, engine: str) -> dict[str, Any]:
    """Return the parts that ibis 12 does not decode as PostgreSQL does: it leaves %40, and makes a space of a plus."""
    parsed = urlsplit(url)
    parts = {"user": parsed.username, "password": parsed.password, "database": parsed.path[1:].partition("/")[0]}
    known = engine == "postgres"
    return {name: unquote(part) for name, part in parts.items() if known and part and set("%+") & set(part)}


def _waiting(url: str, engine: str) -> dict[str, Any]:
    """Return how long a driver is to wait for a server that does not answer, where nobody says so."""
    if engine != "postgres" or "connect_timeout" in urlsplit(url).query or "PGCONNECT_TIMEOUT" in os.environ:
        return {}
    return {"connect_timeout": _CONNECT_SECONDS}


def _close_with(backend: Any, close: Callable[[], Any]) -> None:
    """Close a connection once nothing holds its backend: tables, and frames of rows that were taken out of them."""

    def end() -> None:
        with suppress(Exception):  # it may be closed, or lost
            close()

    weakref.finalize(backend, end)


def _closing(backend: Any) -> Callable[[], Any]:
    connection = getattr(backend, "con", None)
    close: Callable[[], Any] | None = getattr(connection, "close", None)
    return close if close is not None else lambda: None


@contextmanager
def _explained(what: str, url: str) -> Iterator[None]:
    """Turn whatever a driver raises into one line, without what the URL holds."""
    try:
        yield
    except (DataError, ExtraMissingError):
        raise
    except ImportError as error:
        engine = _kind(url)
        needed = _DRIVERS.get(engine, f"'fairreport[engines]' 'ibis-framework[{engine}]'")
        missing = getattr(error.__cause__ or error, "name", None) or "its driver"
        raise ExtraMissingError(f"{what}: {missing} is not installed: pip install {needed}") from None
    except Exception as error:  # noqa: BLE001 - every driver has errors of its own
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = hidden(lines[0], url)[:_LONGEST] if lines else type(error).__name__
        raise DataError(f"{what}: {said}") from None


def _base(url: str, backend: Any) -> str:
    """Return the name of the database, which tells which table this is; never the host nor the user."""
    stated = ".".join(unquote(part) for part in urlsplit(url).path.split("/") if part)
    return stated or str(getattr(backend, "current_catalog", "") or "")
