"""polars, ibis and every other lazy engine, through narwhals: one GROUP BY a set, asked of the engine itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from fairreport.errors import DataError
from fairreport.tables.arrays import FetchedColumns
from fairreport.tables.counts import whole_number
from fairreport.tables.needs import Reading
from fairreport.tables.source import Key, NestedColumnError, RowFilter, Table, refuse_alike
from fairreport.tables.view import NumericView

if TYPE_CHECKING:
    from fairreport.tables.window import TimeColumn, Times

_NESTED = (nw.List, nw.Struct, nw.Array)


class NarwhalsTable:
    """A frame that narwhals understands, as a `Table`."""

    path: Path | None = None
    elsewhere = None

    def __init__(self, frame: nw.LazyFrame[Any], *, engine: str, origin: str, schema: dict[str, Any]) -> None:
        self._frame = frame
        self.engine = engine
        self.origin = origin
        self.names = tuple(schema)
        self._schema = schema
        self.nested = frozenset(name for name, dtype in schema.items() if isinstance(dtype, _NESTED))

    def count(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
        """Yield (index of the set, raw cells, rows) for each distinct combination of each set."""
        self._refuse_alike({*(name for names in sets for name in names), *([] if counts is None else [counts])})
        for index, names in enumerate(sets):
            keys = names if counts is None else (*names, counts)
            single = [isinstance(self._schema[name], nw.Float32) for name in keys]
            for *cells, n in self._grouped(keys):
                key = tuple(_single(cell) if yes else cell for cell, yes in zip(cells, single, strict=True))
                if counts is not None:
                    n *= whole_number(key[-1], counts)  # noqa: PLW2901
                    key = key[:-1]
                if n:
                    yield index, key, int(n)

    def has(self, name: str) -> bool:
        """Tell whether the frame has a column of that name."""
        return name in self._schema

    def view(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> NumericView:
        """Return the numeric view of some columns, fetched from the engine and held in memory."""
        return self._fetched(cells, numbers, reading).view(cells, numbers, reading)

    def arrays(
        self, cells: Sequence[str], numbers: Sequence[str], reading: Reading, *, alike: Sequence[str] = ()
    ) -> FetchedColumns:
        """Return some columns row by row, fetched from the engine."""
        return self._fetched(cells, numbers, reading).arrays(cells, numbers, reading, alike=alike)

    def _fetched(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> Table:
        extra = () if reading.counts is None else (reading.counts,)
        names = list(dict.fromkeys((*cells, *numbers, *extra)))
        self._refuse_alike(names)
        return in_memory(self._frame.select(*(nw.col(name) for name in names)).collect())

    def repeated(self, name: str, missing_values: Sequence[str] = ()) -> Any:
        """Return a cell that stands in several rows, if there is one; the column is fetched from the engine."""
        self._refuse_nested(name)
        return self._fetched((name,), (), Reading()).repeated(name, missing_values)

    def missing(self, name: str, reading: Reading) -> int:
        """Return how many rows have no cell in a column, fetched from the engine."""
        self._refuse_nested(name)
        return self._fetched((name,), (), reading).missing(name, reading)

    def _refuse_nested(self, name: str) -> None:
        if name in self.nested:
            raise NestedColumnError(name)

    def rows(self, filters: Sequence[RowFilter]) -> Any:
        """Return the rows that pass every filter, as a frame of the engine itself."""
        frame = self._frame
        for condition in filters:
            frame = frame.filter(self._clause(condition))
        return frame.collect().to_native() if self.engine == "polars" else frame.to_native()

    def times(self, time: TimeColumn) -> Times:
        """Return the times of a column."""
        from fairreport.tables.window_narwhals import narwhals_times  # noqa: PLC0415 - only a window waits for it

        self._refuse_alike([time.name])
        return narwhals_times(self._frame, self._schema[time.name], time, engine=self.engine, reopen=self._reopened)

    def _reopened(self, frame: nw.LazyFrame[Any]) -> NarwhalsTable:
        return NarwhalsTable(frame, engine=self.engine, origin=self.origin, schema=self._schema)

    def _refuse_alike(self, used: Iterable[str]) -> None:
        """Refuse a name that an SQL engine may take for another one: it would count the wrong column."""
        if self.engine != "polars":
            refuse_alike(used, self.names)

    def _clause(self, condition: RowFilter) -> nw.Expr:
        column = nw.col(condition.column)
        known = [value for value in condition.values if value is not None and value == value]  # noqa: PLR0124 - NaN
        missing = column.is_null()
        if isinstance(self._schema[condition.column], (nw.Float32, nw.Float64)):
            missing = missing | column.is_nan()
        hit = (column.is_in(known) if known else missing) & ~missing
        if len(known) < len(condition.values):
            hit = hit | missing
        return hit.fill_null(value=False) if condition.among else ~hit.fill_null(value=False)

    def _grouped(self, keys: Sequence[str]) -> list[tuple[Any, ...]]:
        renamed = [f"c{i}" for i in range(len(keys))]
        frame = self._frame.select(*(nw.col(k).alias(r) for k, r in zip(keys, renamed, strict=True)))
        counted = frame.group_by(*renamed).agg(nw.len().alias("rows")).collect()
        return list(zip(*(counted[name].to_list() for name in (*renamed, "rows")), strict=True))


def _single(cell: Any) -> Any:
    """Restore a 32-bit number, which keeps its own shortest form."""
    return None if cell is None else np.float32(cell)


def in_memory(frame: nw.DataFrame[Any]) -> Table:
    """Return fetched columns as an Arrow table where pyarrow is there, else as a pandas frame."""
    try:
        arrow = frame.to_arrow()
    except ImportError:
        from fairreport.tables.pandas_table import open_records  # noqa: PLC0415 - only without pyarrow

        return open_records({name: frame[name].to_list() for name in frame.columns})
    from fairreport.tables.duckdb_open import open_arrow  # noqa: PLC0415 - only for numeric tests

    return open_arrow(arrow)


def _elsewhere(frame: nw.LazyFrame[Any], kind: str) -> Table:
    """Return a table that an engine of SQL holds."""
    from fairreport.tables.sql_table import open_engine  # noqa: PLC0415 - only for who brings one

    native = frame.to_native()
    if kind == "ibis":
        from fairreport.tables.sql_engine_ibis import IbisEngine  # noqa: PLC0415

        held = IbisEngine(native)
        typed = nw.from_native(held.typed).lazy()
        return open_engine(held, typed, origin=f"ibis table in {held.name}", nested=held.nested)
    from fairreport.tables.sql_engine_session import SparkEngine, SqlframeEngine  # noqa: PLC0415

    if kind == "sqlframe":
        session = SqlframeEngine(native)
        return open_engine(session, frame, origin=f"{session.name} DataFrame", columns=session.columns)
    engine = SparkEngine(native)
    return open_engine(engine, frame, origin=f"{engine.name} DataFrame")


def open_native(data: Any) -> Table:
    """Return a polars, ibis, Spark or SQLFrame table, or a narwhals frame over one, as a table.

    Raises
    ------
    DataError
        If narwhals does not take it.
    """
    try:
        frame = nw.from_native(data)
    except TypeError as error:
        raise DataError(f"cannot audit a {type(data).__name__}: {str(error).splitlines()[0]}") from None
    lazy = frame.lazy()
    engine = lazy.implementation.name.lower()
    if engine in {"ibis", "pyspark", "pyspark_connect", "sqlframe"}:
        return _elsewhere(lazy, engine)
    schema = dict(lazy.collect_schema())
    return NarwhalsTable(lazy, engine=engine, origin=f"{engine} {type(data).__name__}", schema=schema)
