"""An ibis table, and the backend that holds it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from fairreport.errors import DataError
from fairreport.tables.collations import by_bytes
from fairreport.tables.sql_engines import BATCH, Row
from fairreport.tables.sql_limits import Limits, LostError, engine_error, heard
from fairreport.tables.sql_spark import spark_rows
from fairreport.tables.sql_text import SOURCE
from fairreport.tables.view import Guess

_DIALECTS = {"pyspark": "spark", "impala": "hive", "datafusion": "postgres", "flink": "spark", "mssql": "tsql"}
_HERE = {"duckdb", "sqlite", "datafusion", "polars"}
_GUESSES = {"postgres": Guess.FIRST_ROWS, "pyspark": Guess.SHARES}
_STOPPED = {"QueryCanceled"}
_LOST = {"OperationalError", "InterfaceError", "AdminShutdown", "ConnectionTimeout", "CrashShutdown"}

_POSTGRES_MOMENT = ("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",)
_POSTGRES_WORDS = (
    "SET LOCAL extra_float_digits = 1",
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL intervalstyle = 'postgres'",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL synchronize_seqscans = off",
)
"""A role or a database may have set other words for numbers, times and texts, in which digits and backslashes go.

The first rows of a table are to be the same ones every time.
"""

_POSTGRES_LEFT_ALONE = "SET LOCAL client_connection_check_interval = '1s'"
"""A statement ends soon after the process that waits for it has died; servers before 14, and some systems, cannot."""

_WIDEST = 38
"""Digits of the widest decimal that narwhals knows."""

_FIRST_ROWS = f"(SELECT * FROM {SOURCE} LIMIT "
_FAILED = 3
"""What libpq calls a transaction in which a statement failed."""

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
        self._is_held = False
        self._selects: dict[tuple[tuple[str, str], ...], str] = {}
        self.name = str(self._backend.name)
        self.dialect = _DIALECTS.get(self.name, self.name)
        self.sums_wholes = self.name == "postgres"
        self.guess = _GUESSES.get(self.name, Guess.NOTHING)
        hooks = getattr(self._backend, "_run_pre_execute_hooks", None)
        if hooks is not None:
            hooks(table)  # a table that lives in memory has to be shown to its engine

    def select(self, columns: Mapping[str, str]) -> str:
        """Return a SELECT of some columns under other names, quoted by ibis; each is put in words once."""
        wanted = tuple(columns.items())
        if wanted not in self._selects:
            self._selects[wanted] = self._select(columns)
        return self._selects[wanted]

    def _select(self, columns: Mapping[str, str]) -> str:
        import ibis  # noqa: PLC0415 - who brings an ibis table has it

        named = {alias: self._table[name] for name, alias in columns.items()}
        asked = self._table.select(**named) if named else self._table.select(c=ibis.literal(1))
        sql = str(ibis.to_sql(asked, dialect=self.name, pretty=False)).rstrip("; \n")
        schema = self._table.schema()
        cells = {alias: self._cell(alias, schema[name]) for name, alias in columns.items()}
        if all(cell == alias for alias, cell in cells.items()):
            return sql
        listed = [alias if cell == alias else f"{cell} AS {alias}" for alias, cell in cells.items()]
        return f"SELECT {', '.join(listed)} FROM ({sql}) AS fr_cells"

    def _cell(self, column: str, kind: Any) -> str:
        """Return a column as its cells are compared: PostgreSQL's own types (char, enum, uuid, money) with literals."""
        if self.name == "postgres" and kind.is_decimal():
            return f"CAST({column} AS NUMERIC)"  # money is declared as one
        return by_bytes(column, self.name) if _is_text(kind, self.name) else column

    @property
    def is_small(self) -> bool:
        """Whether it has likely fewer than 2**25 rows; that is not known."""
        return False

    @property
    def typed(self) -> Any:
        """The table with types that narwhals has: decimals of any width as decimals. It is looked at, and not asked."""
        import ibis.expr.datatypes as dt  # noqa: PLC0415 - who brings an ibis table has it

        kinds = self._table.schema().items()
        wide = {name: dt.Decimal() for name, kind in kinds if kind.is_decimal() and (kind.precision or 0) > _WIDEST}
        return self._table.cast(wide) if wide else self._table

    @property
    def nested(self) -> frozenset[str]:
        """The columns of containers: JSON, for all that is known, arrays, maps, structs, and shapes."""
        schema = self._table.schema().items()
        return frozenset(n for n, kind in schema if kind.is_json() or kind.is_nested() or kind.is_geospatial())

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
                is_lost = self._is_lost(error)
                if is_lost and self._is_held:
                    raise LostError(str(engine_error(self.name, error))) from None
                if given or not is_lost or again == self._limits.retries or not self._reconnect():
                    raise engine_error(self.name, error) from None
            else:
                return

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let every statement in the context see the rows of one moment: in PostgreSQL, DuckDB and SQLite.

        A transaction that its user has begun already stays as it is.
        """
        hold = {"postgres": self._held_by_postgres, "duckdb": _held_by_duckdb, "sqlite": _held_by_sqlite}.get(self.name)
        if hold is None:
            yield
            return
        with hold(self._backend.con):
            self._is_held = True
            try:
                yield
            finally:
                self._is_held = False

    @contextmanager
    def _held_by_postgres(self, connection: Any) -> Iterator[None]:
        if connection.closed and not self._reconnect():
            raise DataError(f"{self.name} gave no answer: the connection is lost")
        connection = self._backend.con
        status = int(connection.info.transaction_status)
        if status == _FAILED:
            raise DataError(f"{self.name} gave no answer: an earlier statement failed in the open transaction; end it")
        is_free = not status
        with connection.transaction(force_rollback=True):
            for setting in [*_POSTGRES_MOMENT, *_POSTGRES_WORDS] if is_free else _POSTGRES_WORDS:
                connection.execute(setting)
            with suppress(Exception), connection.transaction():
                connection.execute(_POSTGRES_LEFT_ALONE)
            yield

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
            own: Any = connection
            with self._part(own, sql), own.cursor() as cursor, closing(cursor.stream(sql)) as rows:
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
            yield _Listed(spark_rows(answer, sql) if self.name == "pyspark" else answer)

    @contextmanager
    def _part(self, connection: Any, sql: str) -> Iterator[None]:
        """Let a statement be a part of the moment: what fails ends no more than itself.

        Which rows are the first ones is told by one process alone, several would tell others every time.
        """
        if not self._is_held:
            yield
            return
        takes_first_rows = _FIRST_ROWS in sql
        with connection.transaction(force_rollback=takes_first_rows):
            if takes_first_rows:
                connection.execute("SET LOCAL max_parallel_workers_per_gather = 0")
            yield

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


def _is_text(kind: Any, engine: str) -> bool:
    """Tell whether a column holds, or may hold, text."""
    if engine not in {"postgres", "sqlite"}:
        return bool(kind.is_string())
    is_other = kind.is_numeric() or kind.is_boolean()
    if engine == "postgres":  # of the types that ibis does not know, and takes for others, all are text to it
        others = (kind.is_temporal, kind.is_interval, kind.is_binary, kind.is_nested, kind.is_json)
        is_other = is_other or any(is_one() for is_one in others)
    return not is_other


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


@contextmanager
def _held_by_duckdb(connection: Any) -> Iterator[None]:
    first, second = (connection.execute("SELECT txid_current()").fetchone() for _ in range(2))
    if first == second:  # each statement outside a transaction has one of its own; to begin another would end it
        yield
        return
    connection.begin()
    with _ended(connection):
        yield


@contextmanager
def _held_by_sqlite(connection: Any) -> Iterator[None]:
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    with _ended(connection):
        yield


@contextmanager
def _ended(connection: Any) -> Iterator[None]:
    """End a transaction in which nothing but what passes away was made."""
    try:
        yield
    except BaseException:
        with suppress(Exception):
            connection.rollback()
        raise
    connection.commit()


class _Listed:
    """An answer that is iterated, with the face of a cursor."""

    def __init__(self, answer: Any) -> None:
        rows = answer.result() if hasattr(answer, "result") else answer
        self._rows = iter(rows)
        self._lock = threading.Lock()

    def fetchmany(self, size: int) -> list[Row]:
        """Return the next rows."""
        from itertools import islice  # noqa: PLC0415

        with self._lock:
            return [tuple(row) for row in islice(self._rows, size)]
