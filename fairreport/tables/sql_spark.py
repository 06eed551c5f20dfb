"""What Spark hands over: rows of any session and machine alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from fairreport.tables.sql_engines import BATCH, Row

_LIMIT = re.compile(r" LIMIT ([0-9]+)$")
_START = datetime(1970, 1, 1, tzinfo=UTC)


def spark_rows(answer: Any, sql: str, *, may_hold_instants: bool = True) -> Iterator[Row]:
    """Yield the rows of a Spark frame, its instants (TIMESTAMP, not TIMESTAMP_NTZ) in UTC.

    Spark itself would hand an instant over as wall-clock time of the machine, which is one for two instants of the
    night in which clocks are set back. Few rows come at once; to hand over part by part takes it a job more.

    Parameters
    ----------
    answer : pyspark.sql.DataFrame
        What the statement gives.
    sql : str
        The statement.
    may_hold_instants : bool
        Whether there are any where it comes from; to ask an answer for its types takes a while.
    """
    kinds = [type(item.dataType).__name__ for item in answer.schema.fields] if may_hold_instants else []
    instants = [place for place, kind in enumerate(kinds) if kind == "TimestampType"]
    if instants:
        names = map(quoted_by_spark, answer.columns)
        listed = [f"unix_micros({name}) AS {name}" if i in instants else name for i, name in enumerate(names)]
        answer = answer.selectExpr(*listed)
    limit = _LIMIT.search(sql)
    for row in answer.collect() if limit and int(limit[1]) <= BATCH + 1 else answer.toLocalIterator():
        cells = list(row)
        for place in instants:
            if cells[place] is not None:
                cells[place] = _START + timedelta(microseconds=cells[place])
        yield tuple(cells)


def quoted_by_spark(name: str) -> str:
    """Return a name as Spark's SQL takes it."""
    return "`" + name.replace("`", "``") + "`"
