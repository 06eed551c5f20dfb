"""A history in a database that SQLAlchemy reaches, by its URL."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairreport.errors import ConfigError, DataError, ExtraMissingError, Fault
from fairreport.tables.history_schema import VERSIONS, Row, Session, Types, Value, bring_forward, refuse_foreign


class UrlStore:
    """A history in a database that SQLAlchemy reaches.

    Parameters
    ----------
    url : str
        Such as ``postgresql+psycopg://user@host/base`` or ``sqlite:///audits.sqlite``.
    wait : float
        Seconds to wait for another writer, where the database can be told so.

    Raises
    ------
    ConfigError
        If it is no URL of a database; what it holds is not repeated.
    ExtraMissingError
        If SQLAlchemy, or the driver that the URL names, is not installed.
    """

    def __init__(self, url: str, wait: float) -> None:
        try:
            import sqlalchemy  # noqa: PLC0415 - the extra `history` brings it
        except ImportError:
            message = "a history in a database needs SQLAlchemy: pip install 'fairreport[history]', and the driver"
            raise ExtraMissingError(message) from None
        self._sql = sqlalchemy
        self._wait = wait
        try:
            parsed = sqlalchemy.make_url(url)
            self.name = _without_secrets(sqlalchemy, parsed)
            with warnings.catch_warnings():  # the driver of SQLite warns of a query that it passes over
                warnings.simplefilter("ignore", sqlalchemy.exc.SAWarning)
                self._engine = sqlalchemy.create_engine(parsed, poolclass=sqlalchemy.NullPool, **_waiting(parsed, wait))
        except ImportError as error:
            message = f"the driver of {self.name!r} is not installed ({getattr(error, 'name', None) or 'no module'})"
            raise ExtraMissingError(message) from None
        except (sqlalchemy.exc.ArgumentError, ValueError):
            message = "is no file and no URL of a database, such as postgresql+psycopg://user@host/base"
            raise ConfigError(Fault(code="bad_place", message=message, path="history")) from None
        if parsed.get_backend_name() == "sqlite":
            _transactions_of_sqlite(sqlalchemy, self._engine)

    def check(self) -> None:
        """Raise `DataError` where the database cannot be reached."""
        with self.reading():
            return

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Return a transaction that one writer at a time has."""
        self._make_tables()
        with self._begun() as session:
            session.run(f"UPDATE {VERSIONS} SET version = version")  # other writers wait for this row
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session | None]:
        """Return a transaction that reads; None where there are no tables."""
        if self._is_absent_file():
            yield None
            return
        with self._begun() as session:
            self._refuse(session)
            yield session if session.has_table(VERSIONS) else None

    def explained(self, error: Exception) -> DataError:
        """Return what an error of the database comes to, in one line without credentials."""
        cause = getattr(error, "orig", None) or error
        said = str(cause).strip().partition("\n")[0]
        return DataError(f"cannot use the history {self.name!r}: {self._hidden(said)[:300]}")

    def _hidden(self, text: str) -> str:
        """Return a message without user, password and what the query of the URL holds, and without any URL with one."""
        url = self._engine.url
        for secret in filter(None, (url.password, url.username, *_texts(url.query.values()))):
            text = re.sub(rf"(?<!\w){re.escape(str(secret))}(?!\w)", "***", text)
        return re.sub(r"//[^/@\s]+@", "//***@", text)

    def _is_absent_file(self) -> bool:
        """Tell whether this is an SQLite file that is not there: to look into it would make it."""
        url = self._engine.url
        if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":", "file:")):
            return False
        return not Path(url.database).exists()

    def _refuse(self, session: _UrlSession) -> None:
        """Raise for an SQLite file of something else; a database on a server is shared by design."""
        if self._engine.url.get_backend_name() == "sqlite":
            refuse_foreign(session.tables(), self.name, wanted="sqlite:///audits.sqlite")

    def _make_tables(self) -> None:
        """Make the tables, where there are none; of two writers that do, the second finds them."""
        with self._begun() as session:
            self._refuse(session)
            if session.has_table(VERSIONS):
                return
        try:
            with self._begun() as session:
                bring_forward(session, 0)
        except DataError:
            with self._begun() as session:
                if not session.has_table(VERSIONS):
                    raise

    @contextmanager
    def _begun(self) -> Iterator[_UrlSession]:
        errors = (self._sql.exc.SQLAlchemyError, OSError)
        try:
            with self._engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    milliseconds = max(1, round(1000 * self._wait))
                    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
                yield _UrlSession(self, self._sql, connection)
        except errors as error:
            raise self.explained(error) from None


def _without_secrets(sql: Any, url: Any) -> str:
    """Return a URL without its user, password and query, each of which may be a secret."""
    return str(sql.URL.create(url.drivername, host=url.host, port=url.port, database=url.database))


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from (value,) if isinstance(value, str) else value


def _transactions_of_sqlite(sql: Any, engine: Any) -> None:
    """Let a transaction hold tables too: the driver by itself begins one only before the first change of a row."""

    @sql.event.listens_for(engine, "connect")  # type: ignore[untyped-decorator]
    def _on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None

    @sql.event.listens_for(engine, "begin")  # type: ignore[untyped-decorator]
    def _on_begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN")


def _waiting(url: Any, wait: float) -> dict[str, Any]:
    """Return how a driver is told to wait for another writer."""
    backend = url.get_backend_name()
    if backend == "sqlite":
        return {"connect_args": {"timeout": wait}}
    if backend == "postgresql" and "connect_timeout" not in url.query and url.get_driver_name().startswith("psycopg"):
        return {"connect_args": {"connect_timeout": max(2, round(wait))}}
    return {}


class _UrlSession:
    """One transaction of a database."""

    def __init__(self, store: UrlStore, sql: Any, connection: Any) -> None:
        self._store = store
        self._sql = sql
        self._connection = connection
        self.types = _types(sql, connection.dialect)

    def run(self, sql: str, values: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and return its rows."""
        try:
            found = self._connection.execute(self._sql.text(sql), dict(values or {}))
            return [tuple(row) for row in found.fetchall()] if found.returns_rows else []
        except (self._sql.exc.SQLAlchemyError, UnicodeError) as error:
            raise self._store.explained(error) from None

    def tables(self) -> list[str]:
        """Return the names of all tables and views."""
        found = self._sql.inspect(self._connection)
        return [*found.get_table_names(), *found.get_view_names()]

    def has_table(self, name: str) -> bool:
        """Tell whether there is such a table."""
        return bool(self._sql.inspect(self._connection).has_table(name))


def _types(sql: Any, dialect: Any) -> Types:
    """Return what a database calls short text, names, and text of any length."""
    from sqlalchemy.dialects.mysql import LONGTEXT  # noqa: PLC0415 - with SQLAlchemy

    long = sql.Text().with_variant(LONGTEXT(), "mysql", "mariadb")
    key, name = sql.String(64), sql.String(255)
    compiled = [kind.compile(dialect=dialect) for kind in (key, name, long)]
    return Types(key=compiled[0], name=compiled[1], text=compiled[2])
