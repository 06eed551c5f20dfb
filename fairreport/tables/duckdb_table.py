"""Files, Arrow tables and DuckDB relations: counted by DuckDB.

Every column is renamed to ``c0, c1, ...`` on the way in, so that no user's column name reaches the SQL of a
grouping (and ``n`` beside ``N`` cannot collide). Text files are read as text: nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from fairreport.tables.arrays import FetchedColumns, arrays_of_view
from fairreport.tables.counts import checked_total, whole_number
from fairreport.tables.duckdb_sql import (
    cell_literal,
    decode,
    decoder_of,
    is_float,
    is_nan,
    is_nested,
    quoted,
    raw_cell,
    readable,
)
from fairreport.tables.needs import Reading
from fairreport.tables.progress import reported
from fairreport.tables.source import Key, NestedColumnError, RowFilter
from fairreport.tables.view import Array, CellColumn, NumericView, plain_arrays

if TYPE_CHECKING:
    from fairreport.tables.duckdb_persons import Persons
    from fairreport.tables.window import TimeColumn
    from fairreport.tables.window_duckdb import DuckdbTimes

_BATCH = 50_000
_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}

Query = Callable[[str], duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation]


class DuckdbTable:
    """Something that DuckDB can read, as a `Table`."""

    engine = "duckdb"
    elsewhere = None

    def __init__(
        self,
        *,
        names: Sequence[str],
        types: Sequence[str],
        source: str,
        query: Query,
        relation: Query,
        progress: Callable[[], float],
        origin: str,
        path: Path | None = None,
        has_statistics: bool = False,
    ) -> None:
        self.names = tuple(names)
        self.origin = origin
        self.path = path
        self._types = tuple(types)
        self._source = source
        self._query = query
        self._relation = relation
        self._has_statistics = has_statistics
        self._progress = progress
        self._position = {name: i for i, name in enumerate(self.names)}
        self.nested = frozenset(n for n, t in zip(names, types, strict=True) if is_nested(t))

    def count(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
        """Yield (index of the set, raw cells, rows) for each distinct combination of each set."""
        summed = counts is not None and self._types[self._position[counts]] in _INTEGERS
        extra = (counts,) if counts is not None and not summed else ()  # counts held as text or floats: one more key
        keyed = [(*names, *extra) for names in sets]
        used = sorted({self._position[name] for names in keyed for name in names})
        decoders = [decoder_of(self._types[position]) for position in used]
        by_mask = {_mask(names, used, self._position): i for i, names in enumerate(keyed)}
        columns = [tuple(used.index(self._position[name]) for name in names) for names in keyed]
        for mask, *cells in self._fetch(self._grouping_sql(keyed, used, counts if summed else None)):
            index = by_mask[mask]
            key = tuple(decode(decoders[i], cells[i]) for i in columns[index])
            n = checked_total(cells[len(used) :], counts)
            if extra:
                n *= whole_number(key[-1], extra[0])
                key = key[:-1]
            if n:
                yield index, key, n

    def has(self, name: str) -> bool:
        """Tell whether the table has a column of that name."""
        return name in self._position

    def repeated(self, name: str, missing_values: Sequence[str] = ()) -> Any:
        """Return a cell that stands in several rows, if there is one."""
        return self._persons(name, missing_values).repeated(self._fetch, self._fetch_arrays)

    def missing(self, name: str, reading: Reading) -> int:
        """Return how many rows have no cell in a column."""
        weight = self.view((), (), reading).weight if reading.counts is not None else None
        return self._persons(name, reading.missing_values).missing(self._fetch, weight)

    def rows(self, filters: Sequence[RowFilter]) -> Any:
        """Return the rows that pass every filter, as a pandas DataFrame."""
        clauses = [self._clause(condition) for condition in filters]
        names = ", ".join(f"c{i} AS {quoted(name)}" for i, name in enumerate(self.names))
        where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
        with readable(self.origin):
            return self._query(f"SELECT {names} FROM {self._source}{where}").df()

    def first_rows(self, limit: int) -> list[tuple[Any, ...]]:
        """Return the first rows, for guesses about the columns."""
        columns = ", ".join(f"c{i}" for i in range(len(self.names)))
        with readable(self.origin):
            return self._query(f"SELECT {columns} FROM {self._source} LIMIT {limit}").fetchall()

    def times(self, time: TimeColumn) -> DuckdbTimes:
        """Return the times of a column."""
        from fairreport.tables.window_duckdb import DuckdbTimes, TimeSql  # noqa: PLC0415 - only a window waits for it

        position = self._position[time.name]
        sql = TimeSql(f"c{position}", self._types[position], time)
        return DuckdbTimes(sql, source=self._source, fetch=self._fetch, restrict=self.where)

    def where(self, condition: str) -> DuckdbTable:
        """Return the table with the rows for which an SQL condition on its raw cells holds."""
        return DuckdbTable(  # without statistics: the file states them of all its rows
            names=self.names,
            types=self._types,
            source=f"(SELECT * FROM {self._source} WHERE {condition})",
            query=self._query,
            relation=self._relation,
            progress=self._progress,
            origin=self.origin,
            path=self.path,
        )

    def view(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> NumericView:
        """Return the numeric view of some columns."""
        from fairreport.tables.duckdb_view import duckdb_view  # noqa: PLC0415 - an audit of counts does not wait for it

        kinds = {name: (f"c{i}", self._types[i]) for name, i in self._position.items()}
        return duckdb_view(
            fetch_rows=self._fetch,
            fetch_arrays=self._fetch_arrays,
            source=self._source,
            types=kinds,
            cells={name: _cell_column(*kinds[name]) for name in cells},
            numbers=numbers,
            missing_values=reading.missing_values,
            counts=reading.counts,
            has_statistics=self._has_statistics,
        )

    def arrays(
        self, cells: Sequence[str], numbers: Sequence[str], reading: Reading, *, alike: Sequence[str] = ()
    ) -> FetchedColumns:
        """Return some columns row by row."""
        return arrays_of_view(self.view(cells, numbers, reading), cells, numbers, alike=alike)

    def _persons(self, name: str, missing_values: Sequence[str]) -> Persons:
        from fairreport.tables.duckdb_persons import persons_of  # noqa: PLC0415 - only rate gaps look for persons

        if name in self.nested:
            raise NestedColumnError(name)
        position = self._position[name]
        return persons_of(
            name,
            column=f"c{position}",
            kind=self._types[position],
            source=self._source,
            missing_values=missing_values,
            fetch=self._fetch,
        )

    def _fetch_arrays(self, sql: str) -> dict[str, Array]:
        with readable(self.origin), reported(self._progress):
            return plain_arrays(self._relation(sql).fetchnumpy())  # whole columns at once, not as a stream

    def _clause(self, condition: RowFilter) -> str:
        position = self._position[condition.column]
        column = f"c{position}"
        known = [value for value in condition.values if value is not None and value == value]  # noqa: PLR0124 - NaN
        listed = ", ".join(cell_literal(value, self._types[position]) for value in known)
        missing = f"({column} IS NULL" + (f" OR {is_nan(column)})" if is_float(self._types[position]) else ")")
        among = f"{raw_cell(column, self._types[position])} IN ({listed})" if listed else "FALSE"
        if len(known) < len(condition.values):
            among = f"({missing} OR {among})"
        return f"coalesce({among}, FALSE)" if condition.among else f"NOT coalesce({among}, FALSE)"

    def _grouping_sql(self, keyed: Sequence[tuple[str, ...]], used: Sequence[int], summed: str | None) -> str:
        keys = ", ".join(f"c{i}" for i in used)
        groups = ", ".join(f"({', '.join(f'c{self._position[name]}' for name in names)})" for names in keyed)
        mask = f"grouping({keys})" if len(keyed) > 1 else "0"
        total = "count(*)"
        if summed is not None:
            weight = f"c{self._position[summed]}"
            total = f"count(*) - count({weight}), min({weight}), sum({weight})"
        return f"SELECT {mask}, {keys}, {total} FROM {self._source} GROUP BY GROUPING SETS ({groups})"

    def _fetch(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with readable(self.origin), reported(self._progress):
            answer = self._query(sql)
            if isinstance(answer, duckdb.DuckDBPyRelation):
                yield from answer.fetchall()  # a relation keeps no cursor
                return
            batch = answer.fetchmany(_BATCH)
        while batch:
            yield from batch
            batch = answer.fetchmany(_BATCH)


def _cell_column(column: str, kind: str) -> CellColumn:
    decoder = decoder_of(kind)
    return CellColumn(
        expression=raw_cell(column, kind),
        restore=lambda cell: decode(decoder, cell),
        literal=lambda cell: cell_literal(cell, kind),
    )


def _mask(names: Sequence[str], used: Sequence[int], position: dict[str, int]) -> int:
    """Return GROUPING()'s bit mask of a set: a bit is set for each column that the set leaves out."""
    kept = {position[name] for name in names}
    mask = 0
    for column in used:
        mask = 2 * mask + (column not in kept)
    return mask
