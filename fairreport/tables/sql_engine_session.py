"""A Spark or SQLFrame frame, and the session that holds it."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cached_property
from typing import Any

from fairreport.errors import DataError
from fairreport.tables.collations import by_bytes
from fairreport.tables.grid import MORE_ROWS
from fairreport.tables.sql_engines import BATCH, Row
from fairreport.tables.sql_limits import Limits, engine_error, heard
from fairreport.tables.sql_spark import quoted_by_spark, spark_rows
from fairreport.tables.view import Guess

_COUNTER = itertools.count()
_GROUP = "fairreport"
_SMALL = 8 * MORE_ROWS
"""Bytes of a column of so many numbers."""
_BYTES = "UTF8_BINARY"
"""What Spark 4 calls the collation in which only the same text is equal."""


def _drop(session: Any, view: str) -> None:
    with suppress(Exception):  # the session may have ended before
        session.catalog.dropTempView(view)


class SparkEngine:
    """A Spark frame, asked through its session.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        What is audited.
    limits : Limits
        How long a statement may take.
    """

    name = "spark"
    dialect = "spark"
    sums_wholes = False
    guess = Guess.SHARES

    def __init__(self, frame: Any, limits: Limits | None = None) -> None:
        self._session = frame.sparkSession
        self._limits = limits or Limits()
        self._view = f"fairreport_rows_{next(_COUNTER)}"
        fields = frame.schema.fields
        self._frame = frame
        self._collated = {item.name for item in fields if getattr(item.dataType, "collation", _BYTES) != _BYTES}
        self._has_instants = any(type(item.dataType).__name__ == "TimestampType" for item in fields)
        frame.createOrReplaceTempView(self._view)
        self._end = weakref.finalize(self, _drop, self._session, self._view)

    @cached_property
    def is_small(self) -> bool:
        """Whether it has likely fewer than 2**25 rows: Spark takes it for no larger than so many numbers are."""
        try:
            plan: Any = self._frame._jdf.queryExecution().optimizedPlan()  # noqa: SLF001 - no other place tells it
            size = int(str(plan.stats().sizeInBytes()))
        except Exception:  # noqa: BLE001 - a remote session has no plan at hand
            return False
        return size < _SMALL

    def select(self, columns: Mapping[str, str]) -> str:
        """Return a SELECT of some columns under other names."""
        listed = ", ".join(f"{self._cell(name)} AS {alias}" for name, alias in columns.items()) or "1 AS c"
        return f"SELECT {listed} FROM {self._view}"

    def _cell(self, name: str) -> str:
        """Return a column; texts of a collation, of which Spark 3 knows nothing, are to be equal by their bytes."""
        return quoted_by_spark(name) + (f" COLLATE {_BYTES}" if name in self._collated else "")

    def batches(self, sql: str) -> Iterator[Sequence[Row]]:
        """Run a statement, and yield its rows in batches."""
        try:
            with self._limits.watch(self.name, self._cancel):
                self._in_group()
                yield from _in_batches(spark_rows(self._session.sql(sql), sql, may_hold_instants=self._has_instants))
        except (DataError, GeneratorExit):
            raise
        except Exception as error:  # noqa: BLE001 - every engine has errors of its own
            raise engine_error(self.name, error) from None

    def arrow(self, sql: str) -> Any:
        """Return what a statement gives as an Arrow table, where the session gives one."""
        try:
            answer = self._session.sql(sql)
            if not hasattr(answer, "toArrow"):
                return None
            with self._limits.watch(self.name, self._cancel):
                self._in_group()
                return answer.toArrow()
        except DataError:
            raise
        except Exception as error:  # noqa: BLE001 - every engine has errors of its own
            raise engine_error(self.name, error) from None

    def _in_group(self) -> None:
        context = getattr(self._session, "_sc", None)  # a remote session has none
        if context is not None:
            context.setJobGroup(_GROUP, "fairreport", interruptOnCancel=True)

    def _cancel(self) -> None:
        context = getattr(self._session, "_sc", None)
        with suppress(Exception):
            if context is not None:
                context.cancelJobGroup(_GROUP)
            else:
                self._session.interruptAll()

    def frame(self, sql: str) -> Any:
        """Return what a statement gives, as a Spark frame."""
        return self._session.sql(sql)

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Promise nothing: a frame is asked anew by every statement."""
        return nullcontext()


def _in_batches(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    while batch := list(itertools.islice(rows, BATCH)):
        yield batch


class SqlframeEngine:
    """A SQLFrame frame, asked through its session.

    Parameters
    ----------
    frame : sqlframe DataFrame
        What is audited.
    limits : Limits
        How long a statement may take.
    """

    def __init__(self, frame: Any, limits: Limits | None = None) -> None:
        self._session = frame.session
        self._limits = limits or Limits()
        self.dialect = str(self._session.execution_dialect_name)
        self.sums_wholes = self.dialect == "postgres"
        self.guess = Guess.NOTHING
        self.name = f"sqlframe over {self.dialect}"
        self._rows = str(frame.sql(dialect=self.dialect, pretty=False))
        self.columns = tuple(map(str, frame.columns))  # in its schema names stand in backticks where they need quotes
        kinds = (type(item.dataType).__name__ for item in frame.schema.fields)
        self._kinds = dict(zip(self.columns, kinds, strict=False))

    @property
    def is_small(self) -> bool:
        """Whether it has likely fewer than 2**25 rows; that is not known."""
        return False

    def select(self, columns: Mapping[str, str]) -> str:
        """Return a SELECT of some columns under other names."""
        from sqlglot import exp  # noqa: PLC0415 - SQLFrame brings it

        fields: list[str] = []
        for name, alias in columns.items():
            column: Any = exp.column(exp.to_identifier(name, quoted=True))
            kind = self._kinds.get(name)
            # Values that stand in the statement itself may be decimals there, whatever the schema says.
            cell = (exp.cast(column, "double") if kind == "DoubleType" else column).sql(dialect=self.dialect)
            fields.append(f"{by_bytes(cell, self.dialect) if kind == 'StringType' else cell} AS {alias}")
        return f"SELECT {', '.join(fields) or '1 AS c'} FROM ({self._rows}) AS fr_frame"

    def batches(self, sql: str) -> Iterator[Sequence[Row]]:
        """Run a statement, and yield its rows in batches."""
        try:
            with self._limits.watch(self.name, self._cancel):
                cursor = self._session._cur  # noqa: SLF001 - `session.sql` takes every statement apart once more
                if self.dialect == "duckdb":
                    heard(lambda: cursor.execute(sql), self._cancel)
                else:
                    cursor.execute(sql)
                rows = cursor.fetchall()
        except (DataError, GeneratorExit):
            raise
        except Exception as error:  # noqa: BLE001 - every engine has errors of its own
            raise engine_error(self.name, error) from None
        for start in range(0, len(rows), BATCH):
            yield [tuple(row) for row in rows[start : start + BATCH]]

    def _cancel(self) -> None:
        cursor = self._session._cur  # noqa: SLF001 - as above
        for held in (cursor, getattr(cursor, "connection", None)):
            for stop in (getattr(held, "interrupt", None), getattr(held, "cancel", None)):
                if stop is not None:
                    with suppress(Exception):
                        stop()
                    return

    def arrow(self, sql: str) -> Any:  # noqa: ARG002 - rows only
        """Return None: SQLFrame gives rows."""
        return None

    def frame(self, sql: str) -> Any:
        """Return what a statement gives, as a SQLFrame frame."""
        return self._session.sql(sql, dialect=self.dialect)

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Promise nothing: a frame is asked anew by every statement."""
        return nullcontext()
