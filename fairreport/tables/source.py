"""What may come in, and the one face that every table shows to the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from fairreport.errors import DataError, nearest
from fairreport.tables.arrays import FetchedColumns
from fairreport.tables.needs import Reading
from fairreport.tables.places import DatabaseFile, DatabaseTable, SparkTable, StoredObjects, place_of
from fairreport.tables.view import NumericView

if TYPE_CHECKING:
    from fairreport.tables.asked import Asked
    from fairreport.tables.window import TimeColumn, Times

Key = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """A condition on the raw cells of one column: among, or not among, some values."""

    column: str
    values: tuple[Any, ...]
    among: bool = True


class NestedColumnError(TypeError):
    """A cell of a column holds a container; `column` names it."""

    def __init__(self, column: str) -> None:
        super().__init__(column)
        self.column = column


class TooManyRowsError(DataError):
    """An engine holds more distinct rows of some `columns` than should be fetched."""

    def __init__(self, message: str, columns: Sequence[str]) -> None:
        super().__init__(message)
        self.columns = tuple(columns)


class Elsewhere(Protocol):
    """What is asked of a table whose rows stay in an engine of their own, besides what is asked of every table."""

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The statements asked so far, with the rows that came back."""
        ...

    def brought(self, names: Sequence[str], reading: Reading) -> tuple[Table, Reading]:
        """Return some columns here, each distinct row once with the rows that it stands for, and how they are read.

        Raises
        ------
        TooManyRowsError
            If there are more distinct rows than should be fetched.
        """
        ...

    def counting_sql(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> str:
        """Return the statement that `count` asks."""
        ...

    def distinct_among_first(self, names: Sequence[str], rows: int) -> int:
        """Return how many distinct combinations of some columns the first rows hold."""
        ...

    def are_numbers(self, names: Iterable[str]) -> bool:
        """Tell whether columns hold numbers by their type, so that the engine reads them as such."""
        ...

    def at_one_moment(self, work: Callable[[], T]) -> T:
        """Return what some work gives that reads the rows, all of them as they are at one moment, where that can be.

        Raises
        ------
        DataError
            If the engine cannot be reached, refuses, or takes too long.
        """
        ...


class Table(Protocol):
    """A table of any engine, asked for grouped counts and nothing else.

    Attributes
    ----------
    names : tuple of str
        Column names in their order.
    nested : frozenset of str
        Columns that the schema declares to hold containers.
    engine : str
        Which engine holds the rows, for provenance.
    origin : str
        What was opened: a file name without its folder, or the kind of frame.
    path : Path or None
        The file or folder that was opened; None where the rows came from elsewhere. Never printed.
    elsewhere : Elsewhere or None
        The engine's side of a table whose rows stay in an engine of their own; None where they are here.
    """

    names: tuple[str, ...]
    nested: frozenset[str]
    engine: str
    origin: str
    path: Path | None

    @property
    def elsewhere(self) -> Elsewhere | None:
        """The engine's side of the table, if it has one."""
        ...

    def has(self, name: str) -> bool:
        """Tell whether the table has a column of that name."""
        ...

    def count(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
        """Yield (index of the set, raw cells, rows) for each distinct combination of each set.

        Raises
        ------
        TooManyRowsError
            If an engine that holds its rows elsewhere has very many; of several sets before any row is yielded.
        """
        ...

    def view(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> NumericView:
        """Return the numeric view of some columns: `cells` matched as text, `numbers` read as numbers."""
        ...

    def arrays(
        self, cells: Sequence[str], numbers: Sequence[str], reading: Reading, *, alike: Sequence[str] = ()
    ) -> FetchedColumns:
        """Return some columns row by row: `cells` matched as text, `numbers` read as numbers.

        An engine may put rows together that are alike, where the columns `alike` hold nothing but 0 and 1.
        """
        ...

    def repeated(self, name: str, missing_values: Sequence[str] = ()) -> Any:
        """Return a cell that stands in several rows of a column, None where each stands once; missing ones aside.

        Two cells are the same where their canonical texts are equal.

        Raises
        ------
        NestedColumnError
            If a cell is a container.
        """
        ...

    def missing(self, name: str, reading: Reading) -> int:
        """Return how many rows have no cell in a column; with counts, the rows that they stand for.

        Raises
        ------
        NestedColumnError
            If a cell is a container.
        """
        ...

    def rows(self, filters: Sequence[RowFilter]) -> Any:
        """Return the rows that pass every filter, as a frame of the table's own kind where it has one."""
        ...

    def times(self, time: TimeColumn) -> Times:
        """Return the times of a column that the table has; see `fairreport.tables.window.times_of`.

        Raises
        ------
        DataError
            If its type is that of no time.
        """
        ...


def at_one_moment(table: Table, work: Callable[[], T]) -> T:
    """Return what some work gives that reads a table; an engine lets it see the rows of one moment, where it can."""
    return work() if table.elsewhere is None else table.elsewhere.at_one_moment(work)


def count_apart(table: Table, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
    """Count all sets at once, or each by itself where an engine has too many rows for all of them."""
    try:
        yield from table.count(sets, counts)
    except TooManyRowsError:
        if len(sets) == 1:
            raise
        for index, names in enumerate(sets):
            yield from ((index, key, n) for _, key, n in table.count([names], counts))


def open_table(data: Any) -> Table:
    """Return `data` as a `Table`; its schema is read, its rows are not.

    Parameters
    ----------
    data : object
        A pandas, polars, pyarrow, DuckDB, ibis, Spark or SQLFrame table; a mapping of columns or a list of
        records; the path of a CSV, JSONL or Parquet file (also compressed) or a folder of Parquet files; the URL
        of Parquet objects in a store; or what `fairreport.tables.places.place_of` makes of a database and a table.

    Raises
    ------
    DataError
        If there is no such file, the kind is unknown, or two columns bear one name.
    """
    table = _dispatch(place_of(data))
    refuse_duplicates(table.names)
    return table


_NAMED: dict[Any, tuple[str, str]] = {
    DatabaseTable: ("fairreport.tables.sql_open", "open_database"),
    DatabaseFile: ("fairreport.tables.sql_open", "open_database_file"),
    StoredObjects: ("fairreport.tables.duckdb_files", "open_stored"),
    SparkTable: ("fairreport.tables.spark_open", "open_spark_table"),
}
"""What is named rather than brought, and who opens it."""


def _dispatch(data: Any) -> Table:
    if isinstance(data, (str, Path)):
        return _open("fairreport.tables.duckdb_open", "open_file", Path(data))
    if type(data) in _NAMED:
        return _open(*_NAMED[type(data)], data)
    kind = _root_module(data)
    if kind == "pandas":
        return _open("fairreport.tables.pandas_table", "open_frame", data)
    if kind in {"duckdb", "_duckdb"}:
        return _open("fairreport.tables.duckdb_open", "open_relation", data)
    if kind == "pyarrow":
        return _open("fairreport.tables.duckdb_open", "open_arrow", data)
    if kind in {"polars", "ibis", "pyspark", "sqlframe", "narwhals"}:
        return _open("fairreport.tables.narwhals_table", "open_native", data)
    if isinstance(data, (Mapping, list)):
        return _open("fairreport.tables.pandas_table", "open_records", data)
    wanted = (
        "a pandas, polars, pyarrow, DuckDB, ibis, Spark or SQLFrame table, the path of a CSV, JSONL or Parquet file, "
        "or the URL of a database with table="
    )
    raise DataError(f"cannot audit a {type(data).__module__}.{type(data).__name__}; wanted {wanted}")


def _open(module: str, function: str, data: Any) -> Table:
    table: Table = getattr(import_module(module), function)(data)
    return table


def _root_module(data: Any) -> str:
    return type(data).__module__.partition(".")[0]


def absent_column(name: str, names: Sequence[str]) -> str:
    """Return the sentence on a column that is not among those of the table, with the nearest name."""
    return f"the table has no column {name!r}.{nearest(name, names)}"


def nested_values(name: str) -> str:
    """Return the sentence on a column of containers."""
    return f"column {name!r} holds nested values"


def refuse_duplicates(names: Iterable[str]) -> None:
    """Raise `DataError` naming the first column name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(f"the table has two columns named {name!r}; rename or drop one")
        seen.add(name)


def refuse_alike(used: Iterable[str], names: Iterable[str]) -> None:
    """Raise `DataError` naming the first column that an SQL engine may take for another one: it would count the wrong.

    Parameters
    ----------
    used : iterable of str
        The columns that are asked for.
    names : iterable of str
        Every column of the table.
    """
    every = tuple(names)
    for name in sorted(used):
        other = next((n for n in every if n != name and n.lower() == name.lower()), None)
        if other is not None:
            raise DataError(
                f"the table has columns {name!r} and {other!r}, which differ in letter case only; rename one"
            )
