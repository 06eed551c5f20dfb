"""A table or view of a Spark catalog that is named rather than brought."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import narwhals.stable.v2 as nw

from fairreport.errors import DataError, ExtraMissingError, nearest_name
from fairreport.tables.credentials import without_credentials
from fairreport.tables.places import SparkTable
from fairreport.tables.sql_engine_session import SparkEngine
from fairreport.tables.sql_table import SqlTable, open_engine

_LONGEST = 300


def open_spark_table(place: SparkTable) -> SqlTable:
    """Return a table or view of the catalog of the Spark session that is active; one is started where none is.

    Raises
    ------
    ExtraMissingError
        If pyspark is not installed.
    DataError
        If no session can be started, or there is no such table.
    """
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - only who names a table of Spark has it
    except ImportError:
        message = "a table of Spark needs pyspark, which is not installed: pip install 'fairreport[spark]'"
        raise ExtraMissingError(message) from None
    builder: Any = SparkSession.builder
    try:
        session: Any = SparkSession.getActiveSession() or builder.getOrCreate()
    except Exception as error:  # noqa: BLE001 - Java, its settings, or a server that is away
        raise DataError(f"cannot start a Spark session: {_line(error)}") from None
    try:
        frame = session.table(place.name)
        schema = nw.from_native(frame).lazy()
        schema.collect_schema()
    except Exception as error:  # noqa: BLE001 - the errors of Spark are those of its version
        if "NOT_FOUND" not in str(error):
            raise DataError(f"spark cannot read the table {place.name!r}: {_line(error)}") from None
        raise DataError(f"spark has no table {place.name!r}.{_near(session, place.name)}") from None
    return open_engine(SparkEngine(frame), schema, origin=f"table {place.name} in spark")


def _near(session: Any, name: str) -> str:
    above, _, last = name.rpartition(".")
    known: list[str] = []
    with suppress(Exception):  # there may be no such schema, or no right to list it
        known = [table.name for table in (session.catalog.listTables(above) if above else session.catalog.listTables())]
    near = nearest_name(last, known, fold=True)
    return "" if near is None else f" Did you mean {'.'.join(part for part in (above, near) if part)!r}?"


def _line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return without_credentials(lines[0])[:_LONGEST] if lines else type(error).__name__
