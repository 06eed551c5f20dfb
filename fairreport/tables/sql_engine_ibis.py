"""An ibis table, and the backend that holds it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from fairreport.errors import DataError
from fairreport.tables.sql_engines import BATCH, Row
from fairreport.tables.sql_limits import Limits, engine_error, heard

_DIALECTS = {"pyspark": "spark", "impala": "hive", "datafusion": "postgres", "flink": "spark", "mssql": "tsql"}
_HERE = {"duckdb", "sqlite", "datafusion", "polars"}
_STOPPED = {"QueryCanceled"}
_LOST = {"OperationalError", "InterfaceError", "AdminShutdown", "ConnectionTimeout", "CrashShutdown"}


_STEPS = 1_000_000
"""Steps of SQLite's machine between two looks for Ctrl-C."""


class IbisEngine:
    """An ibis table, asked through the connection of its backend.

    Parameters
    ----------
    table : ibis.Table
        What is audited.
    limits : Limits
        How long a statement may take, how often one is asked again.
    """

    def __init__(self, table: Any, limits: Limits | None = None) -> None:
        self._table = table
        self._backend = table.get_backend()
        self._limits = limits or Limits()
        self.name = str(self._backend.name)
        self.dialect = _DIALECTS.get(self.name, self.name)
        hooks = getattr(self._backend, "_run_pre_execute_hooks", None)
        if hooks is not None:
            hooks(table)  # a table that lives in memory has to be shown to its engine

    def select(self, columns: Mapping[str, str]) -> str:
        """Return a SELECT of some columns under other names, quoted by ibis."""
        import ibis  # noqa: PLC0415 - who brings an ibis table has it

        named = {alias: self._table[name] for name, alias in columns.items()}
        asked = self._table.select(**named) if named else self._table.select(c=ibis.literal(1))
        sql = str(ibis.to_sql(asked, dialect=self.name, pretty=False)).rstrip("; \n")
        return self._as_text(sql, columns) if self.name == "postgres" else sql

    def _as_text(self, sql: str, columns: Mapping[str, str]) -> str:
        """Return a SELECT whose columns of the server's own types (char, enum, uuid, money) compare with literals."""
        schema = self._table.schema()
        kinds = {alias: kind for name, alias in columns.items() if (kind := _plain_kind(schema[name]))}
        if not kinds:
            return sql
        listed = [f"CAST({a} AS {kinds[a]}) AS {a}" if a in kinds else a for a in columns.values()]
        return f"SELECT {', '.join(listed)} FROM ({sql}) AS fr_typed"

    @property
    def nested(self) -> frozenset[str]:
        """The columns of JSON: containers, for all that is known."""
        return frozenset(name for name, kind in self._table.schema().items() if kind.is_json())

    def batches(self, sql: str) -> Iterator[Sequence[Row]]:
        """Run a statement, and yield its rows in batches; where the connection is lost before any came, once more."""
        given = False
        for again in range(self._limits.retries + 1):
            try:
                for batch in self._batches(sql):
                    given = True
                    yield batch
            except DataError:
                raise
            except InterruptedError:
                raise KeyboardInterrupt from None
            except Exception as error:  # noqa: BLE001 - every driver has errors of its own
                if given or not self._is_lost(error) or again == self._limits.retries or not self._reconnect():
                    raise engine_error(self.name, error) from None
            else:
                return

    def _batches(self, sql: str) -> Iterator[Sequence[Row]]:
        with self._limits.watch(self.name, self._cancel), self._answer(sql) as cursor:
            while batch := cursor.fetchmany(BATCH):
                yield [tuple(row) for row in batch]

    @contextmanager
    def _answer(self, sql: str) -> Iterator[Any]:
        """Run a statement; rows are left in the server until they are fetched, where the driver can leave them."""
        connection = getattr(self._backend, "con", None)
        if self.name == "postgres":
            # A cursor in the server would bar it from working with several processes.
            with connection.cursor() as cursor, closing(cursor.stream(sql)) as rows:  # type: ignore[union-attr]
                yield _Listed(rows)
            return
        if self.name == "duckdb":
            yield heard(lambda: self._backend.raw_sql(sql), self._cancel)
            return
        if self.name == "sqlite":
            with _heard_by_sqlite(connection), closing(self._backend.raw_sql(sql)) as answer:
                yield answer
            return
        answer = self._backend.raw_sql(sql)
        if hasattr(answer, "fetchmany"):
            with closing(answer):
                yield answer
        else:
            yield _Listed(answer)

    def arrow(self, sql: str) -> Any:
        """Return what a statement gives as an Arrow table, from DuckDB; None from a driver that gives rows."""
        if self.name != "duckdb":
            return None
        try:
            with self._limits.watch(self.name, self._cancel):
                return heard(lambda: self._backend.con.sql(sql).to_arrow_table(), self._cancel)
        except DataError:
            raise
        except Exception as error:  # noqa: BLE001 - every driver has errors of its own
            raise engine_error(self.name, error) from None

    def _is_lost(self, error: Exception) -> bool:
        """Tell whether an error is that of a connection to a server; a database in this process has none to renew."""
        kinds = {kind.__name__ for kind in type(error).__mro__}
        return bool(kinds & _LOST) and not kinds & _STOPPED and self.name not in _HERE

    def _reconnect(self) -> bool:
        try:
            self._backend.reconnect()
        except Exception:  # noqa: BLE001 - whatever a driver raises, there is no connection
            return False
        return True

    def _cancel(self) -> None:
        connection = getattr(self._backend, "con", None)
        for name in ("cancel_safe", "cancel", "interrupt"):
            stop = getattr(connection, name, None)
            if stop is not None:
                with suppress(Exception):
                    stop()
                return

    def frame(self, sql: str) -> Any:
        """Return what a statement over every column gives, as an ibis table."""
        return self._backend.sql(sql, schema=self._table.schema(), dialect=self.name)


def _plain_kind(kind: Any) -> str | None:
    """Return as what PostgreSQL hands a column over; None for what it is."""
    if kind.is_decimal():
        return "NUMERIC"  # money is declared as one
    is_known = (
        kind.is_numeric()
        or kind.is_boolean()
        or kind.is_temporal()
        or kind.is_interval()
        or kind.is_binary()
        or kind.is_nested()
        or kind.is_json()
    )
    return None if is_known else "TEXT"


@contextmanager
def _heard_by_sqlite(connection: Any) -> Iterator[None]:
    """Let Ctrl-C through while SQLite is at a statement: it is heard only where Python code runs."""
    connection.set_progress_handler(lambda: 0, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if str(error) == "interrupted":
            raise InterruptedError from None
        raise
    finally:
        connection.set_progress_handler(None, 0)


class _Listed:
    """An answer that is iterated, with the face of a cursor."""

    def __init__(self, answer: Any) -> None:
        rows = answer.result() if hasattr(answer, "result") else answer
        self._rows = rows.toLocalIterator() if hasattr(rows, "toLocalIterator") else iter(rows)
        self._lock = threading.Lock()

    def fetchmany(self, size: int) -> list[Row]:
        """Return the next rows."""
        from itertools import islice  # noqa: PLC0415

        with self._lock:
            return [tuple(row) for row in islice(self._rows, size)]
