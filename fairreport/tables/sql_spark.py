"""What Spark hands over: rows of any session and machine alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from fairreport.tables.sql_engines import Row

_START = datetime(1970, 1, 1, tzinfo=UTC)


def spark_rows(answer: Any) -> Iterator[Row]:
    """Yield the rows of a Spark frame, its instants (TIMESTAMP, not TIMESTAMP_NTZ) in UTC.

    Spark itself would hand an instant over as wall-clock time of the machine, which is one for two instants of the
    night in which clocks are set back.
    """
    kinds = [type(item.dataType).__name__ for item in answer.schema.fields]
    instants = [place for place, kind in enumerate(kinds) if kind == "TimestampType"]
    if instants:
        names = map(quoted_by_spark, answer.columns)
        listed = [f"unix_micros({name}) AS {name}" if i in instants else name for i, name in enumerate(names)]
        answer = answer.selectExpr(*listed)
    for row in answer.toLocalIterator():
        cells = list(row)
        for place in instants:
            if cells[place] is not None:
                cells[place] = _START + timedelta(microseconds=cells[place])
        yield tuple(cells)


def quoted_by_spark(name: str) -> str:
    """Return a name as Spark's SQL takes it."""
    return "`" + name.replace("`", "``") + "`"
