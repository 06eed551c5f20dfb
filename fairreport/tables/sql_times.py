"""A time column of a table in an engine: bounds are translated, and compared with its raw cells there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from fairreport.errors import DataError
from fairreport.tables.sql_cells import TEXTS, literal
from fairreport.tables.window import Span, TimeColumn, TimeCounts, first_date, not_times, wall_clock

if TYPE_CHECKING:
    from fairreport.tables.source import Table


class SqlTimes:
    """The times of a column of timestamps or dates.

    Parameters
    ----------
    column : str
        Its name in the SQL.
    kind : dtype
        Its type.
    time : TimeColumn
        What the user says of it.
    fetch : callable
        Asks a statement.
    source : str
        SQL after FROM.
    restrict : callable
        From a condition to the table with the rows that meet it.
    """

    def __init__(
        self,
        column: str,
        kind: Any,
        time: TimeColumn,
        *,
        fetch: Callable[[str], Iterator[tuple[Any, ...]]],
        source: str,
        restrict: Callable[[str], Table],
    ) -> None:
        self._column = column
        self._kind = kind
        self._time = time
        self._fetch = fetch
        self._source = source
        self._restrict = restrict

    def count(self, spans: Sequence[Span]) -> TimeCounts:
        """Count the rows of some spans, in one statement."""
        wanted = [f"count({self._column})", *(f"count(*) FILTER ({self._inside(span)})" for span in spans)]
        listed = ", ".join(f"{sql} AS n{i}" for i, sql in enumerate(["count(*)", *wanted]))
        ((total, usable, *inside),) = self._fetch(f"SELECT {listed} FROM {self._source}")
        return TimeCounts(inside=tuple(map(int, inside)), usable=int(usable), total=int(total))

    def within(self, span: Span) -> Table:
        """Return the table with the rows of a span only."""
        return self._restrict(self._inside(span))

    def unreadable(self) -> str | None:
        """Return None: a cell that is no time is null."""
        return None

    def _inside(self, span: Span) -> str:
        conditions = [f"{self._column} IS NOT NULL"]
        if span.start is not None:
            conditions.append(f"{self._column} >= {self._bound(span.start)}")
        if span.end is not None:
            conditions.append(f"{self._column} < {self._bound(span.end)}")
        return f"({' AND '.join(conditions)})"

    def _bound(self, bound: datetime) -> str:
        if isinstance(self._kind, nw.Datetime) and self._kind.time_zone is not None:
            return literal(bound, self._kind)
        wall = wall_clock(bound, self._time.zone)
        return literal(first_date(wall) if isinstance(self._kind, nw.Date) else wall, self._kind)


def refuse_other_times(name: str, kind: Any, engine: str) -> None:
    """Raise `DataError` where a column holds no times that the engine compares.

    Parameters
    ----------
    name : str
        The column.
    kind : dtype
        Its type.
    engine : str
        Who holds it.
    """
    if isinstance(kind, (nw.Datetime, nw.Date)):
        return
    if isinstance(kind, TEXTS):
        raise DataError(
            f"the time column {name!r} holds text, which {engine} does not read as fairreport does; "
            "turn it into timestamps there first"
        )
    raise not_times(name, str(kind))
