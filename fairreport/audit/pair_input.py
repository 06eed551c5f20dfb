"""What is handed to a function of named pairs: a frame of memberships, and columns beside it in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from fairreport.errors import ConfigError, Fault, nearest


def paired_frame(
    group_data: Any, named: Iterable[Any], beside: Mapping[str, Any]
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a frame of the named groups and of what stands beside them, and the column of each role.

    Parameters
    ----------
    group_data : DataFrame or mapping
        One column a group; also a frame of polars or a table of pyarrow.
    named : iterable of str
        Columns of it that are wanted.
    beside : mapping of str to Series, array (also of polars or pyarrow) or str
        By role; a text names a column of `group_data`.

    Raises
    ------
    ConfigError
        If columns are unknown or stand twice, or an index set differs; everything at once.
    """
    frame = _frame(group_data)
    found: list[Fault] = []
    names = [str(label) for label in frame.columns]
    columns: dict[str, Any] = {}
    for name in dict.fromkeys(named):
        at = _position(names, name, found)
        if at is not None:
            columns[name] = frame.iloc[:, at].array
    places: dict[str, str] = {}
    for role, given in beside.items():
        if given is None:
            continue
        if isinstance(given, str):
            at = _position(names, given, found)
            column = None if at is None else frame.iloc[:, at].array
        else:
            column = _aligned(frame.index, given, role, found)
        if column is not None:
            places[role] = _free(role, columns)
            columns[places[role]] = column
    if found:
        raise ConfigError(found)
    return pd.DataFrame(columns, copy=False), places


def _frame(group_data: Any) -> pd.DataFrame:
    """Return what the groups come in as a frame of pandas."""
    found = group_data
    if not isinstance(found, pd.DataFrame) and _root(found) in {"polars", "pyarrow"}:
        found = found.collect() if hasattr(found, "collect") else found
        found = _as_pandas(found)
    if isinstance(found, Mapping):
        try:
            found = pd.DataFrame({name: _as_pandas(column) for name, column in found.items()})
        except ValueError as error:
            raise ConfigError(Fault(code="bad_type", message=f"is no table: {error}", path="group_data")) from None
    if isinstance(found, pd.DataFrame):
        return found
    message = f"must be a DataFrame with a column for each group, got {type(group_data).__name__}"
    raise ConfigError(Fault(code="bad_type", message=message, path="group_data"))


def _root(given: Any) -> str:
    return type(given).__module__.partition(".")[0]


def _as_pandas(given: Any) -> Any:
    """Return a frame or column of polars or pyarrow as one of pandas, others as they are."""
    if _root(given) == "polars":
        if hasattr(given, "columns"):
            return pd.DataFrame({name: given[name].to_numpy() for name in given.columns})
        return pd.Series(given.to_numpy())
    return given.to_pandas() if _root(given) == "pyarrow" and hasattr(given, "to_pandas") else given


def _position(names: list[str], name: Any, found: list[Fault]) -> int | None:
    times = names.count(name)
    if times == 1:
        return names.index(name)
    if times:
        found.append(
            Fault(code="duplicate_columns", message=f"group_data has {times} columns {name!r}", path=str(name))
        )
    else:
        message = f"group_data has no column {name!r}.{nearest(str(name), names)}"
        found.append(Fault(code="unknown_column", message=message, path=str(name)))
    return None


def _free(role: str, taken: Mapping[str, Any]) -> str:
    while role in taken:
        role += "_"
    return role


def _aligned(index: pd.Index[Any], given: Any, role: str, found: list[Fault]) -> Any:
    """Return the cells of a column in the order of the frame."""
    if not isinstance(given, pd.Series):
        if not isinstance(given, Iterable) or isinstance(given, Mapping):
            found.append(Fault(code="bad_type", message=f"must be a Series or a column, got {given!r}", path=role))
            return None
        cells = _cells(given)
        if cells is None:
            message = f"must be a column of one dimension, got {type(given).__name__} of another shape"
            found.append(Fault(code="bad_type", message=message, path=role))
            return None
        if len(cells) == len(index):
            return pd.Series(cells).array
        message = f"has {len(cells):,} values, group_data {len(index):,} rows"
        found.append(Fault(code="index_mismatch", message=message, path=role))
        return None
    if given.index is index or given.index.equals(index):
        return given.array
    if given.index.is_unique and index.is_unique:
        places = given.index.get_indexer(index)
        if len(given) == len(index) and (places >= 0).all():
            return given.array.take(places)
    found.append(Fault(code="index_mismatch", message=_difference(index, given.index), path=role))
    return None


def _cells(given: Any) -> Any:
    """Return the cells of a column that has no index; None where it is no column."""
    if isinstance(given, pd.DataFrame) or getattr(given, "ndim", 1) != 1 or hasattr(given, "columns"):
        return None
    if _root(given) in {"polars", "pyarrow"}:
        return _as_pandas(given).array
    return given if isinstance(given, pd.Index) or hasattr(given, "dtype") else list(given)


def _difference(index: pd.Index[Any], other: pd.Index[Any]) -> str:
    lacking, extra = index.difference(other, sort=False), other.difference(index, sort=False)
    n = len(lacking) + len(extra)
    if not n:
        return "its index repeats labels and stands in another order than that of group_data; cannot align them"
    first = (lacking if len(lacking) else extra)[0]
    first = first.item() if isinstance(first, np.generic) else first
    return f"its index set differs from that of group_data in {n:,} labels; the first is {first!r}"
