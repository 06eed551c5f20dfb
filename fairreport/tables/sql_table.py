"""A table that an engine holds (ibis, Spark, SQLFrame): asked in its own SQL for grouped counts.

Every column is renamed to ``c0, c1, ...`` on the way in, so that no user's column name reaches a grouping. What the
engine's own arithmetic cannot give to the last digit, it puts together (one row for all that are alike), and the few
rows that are left are judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import narwhals.stable.v2 as nw

from fairreport.tables.arrays import FetchedColumns
from fairreport.tables.asked import Asked
from fairreport.tables.counts import checked_total, whole_number
from fairreport.tables.duckdb_sql import quoted
from fairreport.tables.needs import Reading
from fairreport.tables.source import (
    Key,
    NestedColumnError,
    RowFilter,
    Table,
    TooManyRowsError,
    refuse_alike,
    refuse_duplicates,
)
from fairreport.tables.sql_cells import FLOATS, INTEGERS, NESTED, NUMBERS, literal, restored, restorer
from fairreport.tables.sql_crowds import FEW_GROUPS, MOST_ALIKE, counted_rows, limited
from fairreport.tables.sql_engines import Engine, Remote
from fairreport.tables.sql_kinds import Kinds
from fairreport.tables.sql_limits import LostError
from fairreport.tables.sql_text import SOURCE
from fairreport.tables.view import Guess, NumericView

if TYPE_CHECKING:
    from fairreport.tables.sql_persons import SqlPersons
    from fairreport.tables.sql_times import SqlTimes
    from fairreport.tables.window import TimeColumn

_ROWS = "rows that each stands for"
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grouping:
    """The one statement that counts the rows of some sets of columns.

    Attributes
    ----------
    sets : tuple of tuple of str
        The columns of each set.
    used : tuple of str
        Their columns, each once, in the order of the answer.
    sql : str
        The statement.
    columns : tuple of str
        Every column of the table that it reads.
    last_counts : bool
        Whether the last column of a set says how many rows each row stands for.
    """

    sets: tuple[tuple[str, ...], ...]
    used: tuple[str, ...]
    sql: str
    columns: tuple[str, ...]
    last_counts: bool

    @property
    def by_mask(self) -> dict[int, int]:
        """The position of a set by what the statement calls it."""
        return {
            sum(1 << i for i, name in enumerate(reversed(self.used)) if name not in names): position
            for position, names in enumerate(self.sets)
        }


class SqlTable:
    """A table in an engine, as a `Table`."""

    path: Path | None = None

    def __init__(self, remote: Remote, *, origin: str, kinds: Kinds, nested: frozenset[str] = frozenset()) -> None:
        self.remote = remote
        self.engine = remote.engine.name
        self.origin = origin
        self.names = tuple(kinds.declared)
        self._kinds = kinds
        self._alias = kinds.alias
        self.nested = nested | {name for name, kind in kinds.declared.items() if isinstance(kind, NESTED)}

    def has(self, name: str) -> bool:
        """Tell whether the table has a column of that name."""
        return name in self._alias

    def count(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
        """Yield (index of the set, raw cells, rows) for each distinct combination of each set.

        Raises
        ------
        TooManyRowsError
            If there are very many; where several sets are counted at once, before any of them is yielded.
        """
        self._kinds.settle([name for names in sets for name in names], [] if counts is None else [counts])
        grouping = self._grouping(sets, counts)
        rows = counted_rows(
            self._fetch(grouping.columns),
            grouping.sql,
            keys=1 + len(grouping.used),
            is_alone=len(sets) == 1,
            columns=grouping.used,
        )
        return self._counted(grouping, rows, counts)

    def _counted(
        self, grouping: _Grouping, rows: Iterable[tuple[Any, ...]], counts: str | None
    ) -> Iterator[tuple[int, Key, int]]:
        restore = {name: restorer(self._kinds[name]) for name in grouping.used}
        by_mask = grouping.by_mask
        for mask, *cells in rows:
            position = by_mask[int(mask)]
            row = dict(zip(grouping.used, cells, strict=False))
            key = tuple(restored(restore[name], row[name]) for name in grouping.sets[position])
            n = checked_total(cells[len(grouping.used) :], counts)
            if grouping.last_counts:
                n *= whole_number(key[-1], str(counts))
                key = key[:-1]
            if n:
                yield position, key, n

    def _grouping(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> _Grouping:
        summed = counts is not None and isinstance(self._kinds[counts], INTEGERS)
        extra = (counts,) if counts is not None and not summed else ()
        keyed = tuple((*names, *extra) for names in sets)
        used = tuple(dict.fromkeys(name for names in keyed for name in names))
        total = "count(*) AS n"
        if summed:
            weight = self._alias[str(counts)]
            total = f"count(*) - count({weight}) AS absent, min({weight}) AS low, sum({weight}) AS n"
        listed = [[self._alias[name] for name in names] for names in keyed]
        return _Grouping(
            sets=keyed,
            used=used,
            sql=grouping_sql(listed, [self._alias[name] for name in used], total),
            columns=(*used, *([str(counts)] if summed else [])),
            last_counts=bool(extra),
        )

    @property
    def elsewhere(self) -> SqlTable:
        """The table itself: its rows stay where they are."""
        return self

    def at_one_moment(self, work: Callable[[], T]) -> T:
        """Return what some work gives that reads the rows as they are at one moment; once more if that was lost."""
        self._kinds.forget()
        try:
            with self.remote.engine.at_one_moment():
                return work()
        except LostError:
            with self.remote.engine.at_one_moment():
                return work()

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The statements asked so far, with the rows that came back."""
        return tuple(self.remote.asked)

    def counting_sql(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> str:
        """Return the statement that `count` asks."""
        grouping = self._grouping(sets, counts)
        return self.remote.told(limited(grouping.sql, FEW_GROUPS), self._columns(grouping.columns))

    def distinct_among_first(self, names: Sequence[str], rows: int) -> int:
        """Return how many distinct combinations of some columns the first rows hold."""
        listed = ", ".join(self._alias[name] for name in names)
        first = f"SELECT {listed} FROM {SOURCE} LIMIT {int(rows)}"
        sql = f"SELECT count(*) AS n FROM (SELECT {listed} FROM ({first}) AS r GROUP BY {listed}) AS s"
        ((n,),) = self._fetch(names)(sql)
        return int(n)

    def view(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> NumericView:
        """Return the numeric view of some columns: the engine's own, or that of the rows brought here."""
        from fairreport.tables.sql_view import sql_view  # noqa: PLC0415 - only for numeric tests

        counted = () if reading.counts is None else (reading.counts,)
        self._kinds.settle((), (*cells, *numbers, *counted))
        if not self.are_numbers((*numbers, *counted)):
            table, here = self.brought((*cells, *numbers), reading)
            return table.view(cells, numbers, here)
        used = list(dict.fromkeys((*cells, *numbers, *counted)))
        return sql_view(
            fetch_rows=self._fetch(used),
            fetch_arrays=partial(self.remote.arrays, columns=self._columns(used)),
            source=SOURCE,
            columns={name: (self._alias[name], self._kinds[name]) for name in used},
            cells=cells,
            numbers=numbers,
            missing_values=reading.missing_values,
            counts=reading.counts,
            sums_wholes=self.remote.engine.sums_wholes,
            is_small=self.remote.engine.is_small,
            guess=Guess.NOTHING if self.remote.where else self.remote.engine.guess,  # of few rows the first are sought
        )

    def are_numbers(self, names: Iterable[str]) -> bool:
        """Tell whether columns hold numbers by their type."""
        return all(isinstance(self._kinds[name], NUMBERS) for name in names)

    def arrays(
        self, cells: Sequence[str], numbers: Sequence[str], reading: Reading, *, alike: Sequence[str] = ()
    ) -> FetchedColumns:
        """Return some columns, rows that are alike put together by the engine."""
        table, here = self.brought((*cells, *numbers), reading)
        return table.arrays(cells, numbers, here, alike=alike)

    def brought(self, names: Sequence[str], reading: Reading) -> tuple[Table, Reading]:
        """Return some columns here, each distinct row once with the rows that it stands for, and how they are read.

        Raises
        ------
        TooManyRowsError
            If there are too many distinct rows.
        """
        from fairreport.tables.pandas_table import open_records  # noqa: PLC0415 - only for what is brought here

        used = list(dict.fromkeys(names))
        for name in used:
            if name in self.nested:
                raise NestedColumnError(name)
        self._kinds.settle(used, [] if reading.counts is None else [reading.counts])
        counts = _free_name(used)
        here = Reading(counts=counts, missing_values=reading.missing_values, declared=reading.declared)
        grouping = self._grouping([tuple(used)], reading.counts)
        whole = None
        if reading.counts is None:
            whole = self.remote.arrow(limited(grouping.sql, MOST_ALIKE), self._columns(grouping.columns))
        if whole is not None:
            if whole.num_rows > MOST_ALIKE:
                raise self._too_many(used)
            from fairreport.tables.duckdb_open import open_arrow  # noqa: PLC0415 - only for what is brought here

            return open_arrow(whole.drop_columns(["part"]).rename_columns([*used, counts])), here
        rows: dict[Key, int] = {}
        found = self._no_more(self._fetch(grouping.columns)(limited(grouping.sql, MOST_ALIKE)), used)
        for _, key, n in self._counted(grouping, found, reading.counts):
            rows[key] = rows.get(key, 0) + n
        records: dict[str, list[Any]] = {name: [key[i] for key in rows] for i, name in enumerate(used)}
        records[counts] = list(rows.values())
        return open_records(records, booleans=[n for n in used if isinstance(self._kinds[n], nw.Boolean)]), here

    def _no_more(self, rows: Iterable[tuple[Any, ...]], used: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for place, row in enumerate(rows):
            if place == MOST_ALIKE:
                raise self._too_many(used)
            yield row

    def _too_many(self, used: Sequence[str]) -> TooManyRowsError:
        return TooManyRowsError(
            f"{self.engine} holds more than {MOST_ALIKE:,} distinct rows of {', '.join(map(repr, used))}, too "
            "many to bring here; turn text into numbers there, or round them",
            used,
        )

    def repeated(self, name: str, missing_values: Sequence[str] = ()) -> Any:
        """Return a cell that stands in several rows, if there is one."""
        return self._persons(name, missing_values).repeated()

    def missing(self, name: str, reading: Reading) -> int:
        """Return how many rows have no cell in a column."""
        if reading.counts is None:
            return self._persons(name, reading.missing_values).missing(None)
        table, here = self.brought((name,), reading)
        return table.missing(name, here)

    def _persons(self, name: str, missing_values: Sequence[str]) -> SqlPersons:
        from fairreport.tables.sql_persons import SqlPersons  # noqa: PLC0415 - only rate gaps look for persons

        if name in self.nested:
            raise NestedColumnError(name)
        self._kinds.settle((), [name])
        return SqlPersons(
            name=name,
            column=self._alias[name],
            kind=self._kinds[name],
            source=SOURCE,
            missing_values=tuple(missing_values),
            fetch=self._fetch([name]),
        )

    def rows(self, filters: Sequence[RowFilter]) -> Any:
        """Return the rows that pass every filter, as a frame of the engine itself."""
        self._kinds.settle((), [condition.column for condition in filters])
        named = ", ".join(f"{alias} AS {quoted(name)}" for name, alias in self._alias.items())
        where = " AND ".join(self._clause(condition) for condition in filters)
        sql = f"SELECT {named} FROM {SOURCE}" + (f" WHERE {where}" if where else "")
        return self.remote.engine.frame(self.remote.statement(sql, self._columns(self.names)))

    def _clause(self, condition: RowFilter) -> str:
        column, kind = self._alias[condition.column], self._kinds[condition.column]
        known = [value for value in condition.values if value is not None and value == value]  # noqa: PLR0124 - NaN
        is_missing = f"{column} IS NULL"
        if isinstance(kind, FLOATS):
            is_missing = f"({is_missing} OR NOT (isfinite({column}) OR isinf({column})))"
        hit = f"{column} IN ({', '.join(literal(value, kind) for value in known)})" if known else "FALSE"
        if len(known) < len(condition.values):
            hit = f"({is_missing} OR {hit})"
        return f"coalesce({hit}, FALSE)" if condition.among else f"NOT coalesce({hit}, FALSE)"

    def times(self, time: TimeColumn) -> SqlTimes:
        """Return the times of a column."""
        from fairreport.tables.sql_times import SqlTimes, refuse_other_times  # noqa: PLC0415 - only for windows

        self._kinds.settle([time.name])
        kind = self._kinds[time.name]
        refuse_other_times(time.name, kind, self.engine)
        return SqlTimes(
            self._alias[time.name],
            kind,
            time,
            fetch=self._fetch([time.name]),
            source=SOURCE,
            restrict=partial(self._where, name=time.name),
        )

    def _where(self, condition: str, *, name: str) -> SqlTable:
        both = f"({self.remote.where}) AND {condition}" if self.remote.where else condition
        columns = {**self.remote.needed, name: self._alias[name]}
        remote = replace(self.remote, where=both, needed=columns)
        return SqlTable(remote, origin=self.origin, kinds=self._kinds, nested=self.nested)

    def _columns(self, names: Iterable[str]) -> dict[str, str]:
        return {name: self._alias[name] for name in sorted(set(names), key=self.names.index)}

    def _fetch(self, names: Iterable[str]) -> partial[Iterator[tuple[Any, ...]]]:
        used = list(names)
        refuse_alike(used, self.names)
        return partial(self.remote.rows, columns=self._columns(used))


def grouping_sql(sets: Sequence[Sequence[str]], used: Sequence[str], total: str) -> str:
    """Return the one GROUP BY of some sets of columns: which set, the cells, and totals."""
    keys = ", ".join(used)
    if len(sets) == 1:
        listed = f"{keys}, " if used else ""
        grouped = f" GROUP BY {keys}" if used else ""
        return f"SELECT 0 AS part, {listed}{total} FROM {SOURCE}{grouped}"
    grouped = ", ".join(f"({', '.join(columns)})" for columns in sets)
    return f"SELECT grouping({keys}) AS part, {keys}, {total} FROM {SOURCE} GROUP BY GROUPING SETS ({grouped})"


def _free_name(names: Sequence[str]) -> str:
    name = _ROWS
    while name in names:
        name += "_"
    return name


def open_engine(
    engine: Engine,
    frame: nw.LazyFrame[Any],
    *,
    origin: str,
    nested: frozenset[str] = frozenset(),
    columns: Sequence[str] = (),
) -> SqlTable:
    """Return a table that an engine holds.

    Parameters
    ----------
    engine : Engine
        Who answers.
    frame : narwhals.LazyFrame
        Whose schema tells the types.
    origin : str
        What is opened, for people.
    nested : frozenset of str
        Columns of containers that the schema does not tell.
    columns : sequence of str
        The names, where the schema does not tell them as they are.
    """
    refuse_duplicates(columns)
    types = frame.collect_schema()
    schema = dict(zip(columns or types.names(), types.dtypes(), strict=True))
    remote = Remote(engine=engine)
    return SqlTable(remote, origin=origin, kinds=Kinds(schema, remote), nested=nested)
