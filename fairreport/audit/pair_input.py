"""What is handed to a function of named pairs: a frame of memberships, and columns beside it in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from fairreport.errors import ConfigError, Fault, nearest


def paired_frame(
    group_data: Any, named: Iterable[Any], beside: Mapping[str, Any]
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a frame of the named groups and of what stands beside them, and the column of each role.

    Parameters
    ----------
    group_data : DataFrame or mapping
        One column a group.
    named : iterable of str
        Columns of it that are wanted.
    beside : mapping of str to Series, array or str
        By role; a text names a column of `group_data`.

    Raises
    ------
    ConfigError
        If columns are unknown or stand twice, or an index set differs; everything at once.
    """
    frame = group_data if isinstance(group_data, pd.DataFrame) else None
    if isinstance(group_data, Mapping):
        frame = pd.DataFrame(dict(group_data))
    if frame is None:
        message = f"must be a DataFrame with a column for each group, got {type(group_data).__name__}"
        raise ConfigError(Fault(code="bad_type", message=message, path="group_data"))
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
        cells = given if isinstance(given, pd.Index) or hasattr(given, "dtype") else list(given)
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


def _difference(index: pd.Index[Any], other: pd.Index[Any]) -> str:
    lacking, extra = index.difference(other, sort=False), other.difference(index, sort=False)
    n = len(lacking) + len(extra)
    if not n:
        return "its index repeats labels and stands in another order than that of group_data; cannot align them"
    first = (lacking if len(lacking) else extra)[0]
    return f"its index set differs from that of group_data in {n:,} labels; the first is {first!r}"
