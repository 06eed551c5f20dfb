"""pandas frames: each column becomes integer codes, the codes are counted, no row is copied.

The codes come from pandas' own hash tables (or are there already, in a categorical), so that this is faster
than a groupby; only columns of mixed Python objects are walked, because hashing holds 1, 1.0 and True equal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from fairreport.errors import DataError
from fairreport.tables.arrays import FetchedColumns
from fairreport.tables.counts import whole_number
from fairreport.tables.needs import Reading
from fairreport.tables.persons import first_repeated, rows_by_text
from fairreport.tables.source import Key, NestedColumnError, RowFilter
from fairreport.tables.text import NestedValueError
from fairreport.tables.view import NumericView

if TYPE_CHECKING:
    from fairreport.tables.window import TimeColumn
    from fairreport.tables.window_pandas import PandasTimes

Codes = npt.NDArray[np.int64]

_HASHABLE_ALIKE = {
    "string",
    "empty",
    "bytes",
    "floating",
    "integer",
    "boolean",
    "decimal",
    "date",
    "datetime",
}
_LARGEST_TABLE = 1 << 22


class PandasTable:
    """A pandas frame as a `Table`."""

    engine = "pandas"
    elsewhere = None
    path: Path | None = None

    def __init__(self, frame: pd.DataFrame, origin: str = "pandas DataFrame", positions: Codes | None = None) -> None:
        self._frame = frame
        self._positions = positions  # of the rows that are audited, where not all of the frame are
        self._length = len(frame) if positions is None else len(positions)
        self.origin = origin
        self.names = tuple(str(label) for label in frame.columns)
        self.nested: frozenset[str] = frozenset()
        self._position = {name: i for i, name in enumerate(self.names)}
        self._encoded: dict[str, tuple[Codes, list[Any]]] = {}

    def count(self, sets: Sequence[tuple[str, ...]], counts: str | None) -> Iterator[tuple[int, Key, int]]:
        """Yield (index of the set, raw cells, rows) for each distinct combination of each set."""
        weights = None if counts is None else self._weights(counts)
        for index, names in enumerate(sets):
            yield from ((index, key, n) for key, n in self._count_one(names, weights))
        self._encoded.clear()

    def has(self, name: str) -> bool:
        """Tell whether the frame has a column of that name."""
        return name in self._position

    def view(self, cells: Sequence[str], numbers: Sequence[str], reading: Reading) -> NumericView:
        """Return the numeric view of some columns: codes and doubles that DuckDB reads where they lie."""
        from fairreport.tables.pandas_view import pandas_view  # noqa: PLC0415 - counts do not wait for DuckDB

        weights = None if reading.counts is None else self._weights(reading.counts)
        if weights is not None and not weights.all():
            return self.at(np.flatnonzero(weights)).view(cells, numbers, reading)
        coded = {name: self._codes(name) for name in cells}
        self._encoded.clear()
        return pandas_view(coded, {name: self._column(name) for name in numbers}, weights, reading.missing_values)

    def arrays(
        self,
        cells: Sequence[str],
        numbers: Sequence[str],
        reading: Reading,
        *,
        alike: Sequence[str] = (),  # noqa: ARG002 - nothing is gained here
    ) -> FetchedColumns:
        """Return some columns row by row, numbers where they lie as far as that goes; rows stay apart."""
        from fairreport.tables.pandas_view import pandas_arrays  # noqa: PLC0415 - counts do not wait for DuckDB

        times = None if reading.counts is None else self._weights(reading.counts)
        if times is not None and not times.all():
            return self.at(np.flatnonzero(times)).arrays(cells, numbers, reading)
        coded = {name: self._codes(name) for name in cells}
        self._encoded.clear()
        columns = {name: self._column(name) for name in numbers}
        return pandas_arrays(coded, columns, times, self._length, reading.missing_values)

    def repeated(self, name: str, missing_values: Sequence[str] = ()) -> Any:
        """Return the text of a cell that stands in several rows, if there is one."""
        return first_repeated(self._rows_by_text(name, Reading(missing_values=tuple(missing_values))))

    def missing(self, name: str, reading: Reading) -> int:
        """Return how many rows have no cell in a column."""
        return self._rows_by_text(name, reading).get(None, 0)

    def _rows_by_text(self, name: str, reading: Reading) -> dict[str | None, int]:
        codes, levels = self._codes(name)
        self._encoded.clear()
        weights = None if reading.counts is None else self._weights(reading.counts)
        totals = _totals(codes, weights, len(levels)).tolist()
        return rows_by_text(name, zip(levels, totals, strict=True), reading.missing_values)

    def rows(self, filters: Sequence[RowFilter]) -> pd.DataFrame:
        """Return the rows that pass every filter, with their index."""
        keep = np.ones(self._length, dtype=bool)
        for condition in filters:
            codes, levels = encode(self._column(condition.column))
            wanted = {(type(value), value) for value in condition.values}
            hit = np.array([(type(level), level) in wanted for level in levels], dtype=bool)
            keep &= hit[codes] if condition.among else ~hit[codes]
        return self._frame.loc[keep] if self._positions is None else self._frame.iloc[self._positions[keep]]

    def times(self, time: TimeColumn) -> PandasTimes:
        """Return the times of a column."""
        from fairreport.tables.window_pandas import PandasTimes  # noqa: PLC0415 - only a window waits for it

        return PandasTimes(self, self._column(time.name), time)

    def at(self, positions: Codes) -> PandasTable:
        """Return the table with the rows at ascending positions; rows that lie together are not copied."""
        first, n = (int(positions[0]) if len(positions) else 0), len(positions)
        if not n or int(positions[-1]) == first + n - 1:
            if self._positions is None:
                return PandasTable(self._frame.iloc[first : first + n], self.origin)
            return PandasTable(self._frame, self.origin, self._positions[first : first + n])
        chosen = positions if self._positions is None else self._positions[positions]
        return PandasTable(self._frame, self.origin, chosen)

    def _column(self, name: str) -> pd.Series[Any]:
        column = self._frame.iloc[:, self._position[name]]
        return column if self._positions is None else column.iloc[self._positions]

    def _codes(self, name: str) -> tuple[Codes, list[Any]]:
        if name not in self._encoded:
            try:
                self._encoded[name] = encode(self._column(name))
            except NestedValueError:
                raise NestedColumnError(name) from None
        return self._encoded[name]

    def _count_one(self, names: tuple[str, ...], weights: Codes | None) -> Iterator[tuple[Key, int]]:
        columns = [self._codes(name) for name in names]
        combined = np.zeros(self._length, dtype=np.int64)
        sizes: list[int] = []
        cells = 1
        for _, levels in columns:
            sizes.append(max(len(levels), 1))
            cells *= sizes[-1]
        if cells > max(_LARGEST_TABLE, 2 * self._length):
            yield from _count_sparse(columns, weights)
            return
        for (codes, _), size in zip(columns, sizes, strict=True):
            combined *= size
            combined += codes
        totals = _totals(combined, weights, cells)
        present = np.flatnonzero(totals)
        parts = np.unravel_index(present, tuple(sizes))
        for position, flat in enumerate(present.tolist()):
            key = tuple(levels[part[position]] for part, (_, levels) in zip(parts, columns, strict=True))
            yield key, int(totals[flat])

    def _weights(self, name: str) -> Codes:
        codes, levels = encode(self._column(name))
        numbers = np.array([whole_number(level, name) for level in levels], dtype=np.int64)
        return numbers[codes] if len(levels) else np.zeros(0, dtype=np.int64)


def _totals(combined: Codes, weights: Codes | None, cells: int) -> Codes:
    if weights is None:
        return np.bincount(combined, minlength=cells)
    totals = np.zeros(cells, dtype=np.int64)
    np.add.at(totals, combined, weights)  # whole numbers stay whole, where bincount would go through floats
    return totals


def _count_sparse(columns: Sequence[tuple[Codes, list[Any]]], weights: Codes | None) -> Iterator[tuple[Key, int]]:
    """Count combinations too many for a dense table: sort the rows' codes and count the runs."""
    stacked = np.column_stack([codes for codes, _ in columns])
    present, inverse = np.unique(stacked, axis=0, return_inverse=True)
    totals = _totals(inverse.reshape(-1), weights, len(present))
    for row, n in zip(present.tolist(), totals.tolist(), strict=True):
        if n:
            yield tuple(levels[code] for code, (_, levels) in zip(row, columns, strict=True)), n


def open_frame(data: Any) -> PandasTable:
    """Return a pandas DataFrame as a table.

    Raises
    ------
    DataError
        If `data` is a Series or another pandas object.
    """
    if not isinstance(data, pd.DataFrame):
        raise DataError(f"cannot audit a pandas {type(data).__name__}; wanted a DataFrame")
    return PandasTable(data)


def open_records(data: Any, *, booleans: Collection[str] = ()) -> PandasTable:
    """Return a mapping of columns or a list of records as a table, cells untouched.

    Parameters
    ----------
    data : mapping or list of mappings
        The columns, or the records.
    booleans : collection of str
        Columns of a mapping that hold true, false and missing cells by their type.
    """
    if isinstance(data, Mapping):
        aligned = _aligned(data)
        columns = {
            name: pd.Series(list(cells), dtype="boolean" if name in booleans else object)
            for name, cells in aligned.items()
        }
        lengths = {len(cells) for cells in columns.values()}
        if len(lengths) > 1:
            raise DataError(f"the columns have different lengths: {sorted(lengths)}")
        _refuse_half_characters(columns)
        return PandasTable(pd.DataFrame(columns), "mapping of columns")
    if not all(isinstance(record, Mapping) for record in data):
        raise DataError("cannot audit a list of this kind; wanted a list of records (mappings)")
    names = dict.fromkeys(str(name) for record in data for name in record)
    cells = {name: pd.Series([r.get(name) for r in data], dtype=object) for name in names}
    _refuse_half_characters(cells)
    return PandasTable(pd.DataFrame(cells), "list of records")


def _refuse_half_characters(names: Iterable[Any]) -> None:
    """Refuse names of columns that pandas cannot hold: half of a surrogate pair is no text."""
    for name in names:
        if isinstance(name, str) and any("\ud800" <= character <= "\udfff" for character in name):
            raise DataError(f"the column name {name!r} holds half of a surrogate pair; wanted text")


def _aligned(data: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the columns of a mapping; Series among them by their index, as pandas itself aligns them.

    Raises
    ------
    DataError
        If a column is no sequence of cells, or the Series do not have the same rows.
    """
    columns = {str(name): cells for name, cells in data.items()}
    for name, cells in columns.items():
        if isinstance(cells, str | bytes) or not isinstance(cells, Iterable):
            raise DataError(f"column {name!r} of the mapping must be a sequence of cells, got {cells!r}")
    first = next((cells.index for cells in columns.values() if isinstance(cells, pd.Series)), None)
    if first is None:
        return columns
    return {
        name: aligned_to(first, cells, name) if isinstance(cells, pd.Series) else cells
        for name, cells in columns.items()
    }


def aligned_to(index: pd.Index[Any], series: pd.Series[Any], name: str) -> pd.Series[Any]:
    """Return a Series in the order of an index.

    Raises
    ------
    DataError
        If the index sets differ, or rows cannot be told apart.
    """
    if series.index.equals(index):
        return series
    if not (series.index.is_unique and index.is_unique):
        raise DataError(
            f"the Series {name!r} has another index than the table, with repeated labels; cannot align them"
        )
    if len(series) != len(index) or not series.index.isin(index).all():
        raise DataError(f"the Series {name!r} does not have the rows of the table: their index sets differ")
    return series.reindex(index)


def encode(column: pd.Series[Any]) -> tuple[Codes, list[Any]]:
    """Return a code for each cell and the distinct cells, one code for missing cells among them."""
    array = column.array
    if isinstance(array, pd.Categorical):
        codes = np.asarray(array.codes)
        levels = _as_cells(array.categories)
        if array.categories.dtype == object and _needs_walk(pd.Series(levels, dtype=object)):
            _refuse_nested(levels)
        return _occurring(*_with_missing(codes, levels))
    if column.dtype == object and _needs_walk(column):
        return _walk(column)
    codes, uniques = array.factorize() if hasattr(array, "factorize") else pd.factorize(column)
    return _with_missing(codes, _as_cells(uniques))


def _as_cells(uniques: Any) -> list[Any]:
    dtype = getattr(uniques, "dtype", None)
    if getattr(dtype, "kind", "") == "f" and getattr(dtype, "itemsize", 8) < 8:
        numbers = np.asarray(uniques)
        return [np.float16(x) if numbers.dtype.itemsize == 2 else np.float32(x) for x in numbers.tolist()]
    return list(uniques.tolist())


def _with_missing(codes: npt.NDArray[Any], levels: list[Any]) -> tuple[Codes, list[Any]]:
    """Give missing cells, coded -1 by pandas, a level of their own."""
    wide = codes.astype(np.int64, copy=False)
    if len(wide) and wide.min() < 0:
        wide = np.where(wide < 0, len(levels), wide)
        levels = [*levels, None]
    return wide, levels


def _occurring(codes: Codes, levels: list[Any]) -> tuple[Codes, list[Any]]:
    """Leave out categories that no cell has."""
    occurs = np.bincount(codes, minlength=len(levels)) > 0
    if occurs.all():
        return codes, levels
    return (np.cumsum(occurs) - 1)[codes], [level for level, yes in zip(levels, occurs, strict=True) if yes]


def _needs_walk(column: pd.Series[Any]) -> bool:
    return pd.api.types.infer_dtype(column, skipna=True) not in _HASHABLE_ALIKE


def _walk(column: pd.Series[Any]) -> tuple[Codes, list[Any]]:
    """Code a column of mixed objects by type and value."""
    cells = column.to_numpy()
    known: dict[tuple[type, Any], int] = {}
    codes = np.empty(len(cells), dtype=np.int64)
    try:
        for i, key in enumerate(zip(map(type, cells), cells, strict=True)):
            code = known.get(key)
            if code is None:
                code = known[key] = len(known)
            codes[i] = code
    except TypeError:
        _refuse_nested(cells)
        raise
    return codes, [value for _, value in known]


def _refuse_nested(cells: Any) -> None:
    for cell in cells:
        try:
            hash(cell)
        except TypeError:
            raise NestedValueError(type(cell).__name__) from None


def attach(frame: Any, series: pd.Series[Any]) -> tuple[pd.DataFrame, str]:
    """Return the frame with a Series beside its columns, aligned by index, and the name it got.

    Raises
    ------
    DataError
        If the data is no pandas DataFrame, the index sets differ, or rows cannot be told apart.
    """
    if not isinstance(frame, pd.DataFrame):
        raise DataError("a Series can stand beside a pandas DataFrame only; name a column instead")
    name = "series" if series.name is None else str(series.name)
    if name in frame.columns and frame[name] is not series:
        if series.index.equals(frame.index) and series.equals(frame[name]):
            return frame, name
        raise DataError(f"the table has a column {name!r} already; give the Series another name")
    return frame.assign(**{name: aligned_to(frame.index, series, name).array}), name


def computed(frame: Any, name: str, function: Callable[[pd.DataFrame], Any]) -> tuple[pd.DataFrame, str]:
    """Return the frame with a column that a function of the user computes from it, and the column's name.

    Raises
    ------
    DataError
        If the data is no pandas DataFrame, or the function does not return one number a row.
    """
    if not isinstance(frame, pd.DataFrame):
        text = f"the row metric {name!r} is a Python function and needs a pandas DataFrame, not {type(frame).__name__}"
        raise DataError(f"{text}; compute the column where the rows are, and use parity_metric mean")
    result = function(frame)
    series = result if isinstance(result, pd.Series) else None
    if series is None:
        values = np.asarray(result)
        if values.shape != (len(frame),):
            raise DataError(
                f"the row metric {name!r} returned {values.shape}; wanted one number a row, {(len(frame),)}"
            )
        series = pd.Series(values, index=frame.index)
    return attach(frame, series.rename(name))
