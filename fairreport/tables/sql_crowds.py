"""How many rows an engine may hand over: the caps of every statement, and what is done where there are more.

Groups are counted by raw cells, so a column of persons among the attributes would bring one row a person here, only
to be told that there are too many groups. A statement that counts is therefore asked for a few rows first. Whoever
needs no more stops there; whoever goes on gets the rest, up to a second cap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from fairreport.tables.source import TooManyRowsError

FEW_GROUPS = 50_000
"""Up to so many combinations of raw cells a statement that counts brings at once; few of them are ever more."""

MOST_GROUPS = 2_000_000
"""More combinations of raw cells than this are not brought here from an engine, whatever they are for."""

MOST_ALIKE = MOST_GROUPS
"""Nor are more distinct rows of columns that are judged here, row by row."""

Row = tuple[Any, ...]


def limited(sql: str, most: int) -> str:
    """Return a statement that gives so many rows and one more: the one that tells that there are too many.

    Examples
    --------
    >>> limited("SELECT k, count(*) AS n FROM t GROUP BY k", 10)
    'SELECT * FROM (SELECT k, count(*) AS n FROM t GROUP BY k) AS counted LIMIT 11'
    """
    return f"SELECT * FROM ({sql}) AS counted LIMIT {most + 1}"


def counted_rows(
    fetch: Callable[[str], Iterator[Row]], sql: str, *, keys: int, is_alone: bool = True, columns: Sequence[str] = ()
) -> Iterator[Row]:
    """Yield the rows of a statement that counts: a few at first, the rest only if it is asked for.

    Parameters
    ----------
    fetch : callable
        Asks a statement.
    sql : str
        Groups by the first columns that it gives; no two rows agree in them.
    keys : int
        How many columns these are.
    is_alone : bool
        Whether it counts one set of columns. Of several at once none is yielded where there are many rows: each is
        to be asked for by itself, since some may need no more than a few.
    columns : sequence of str
        What the user calls the columns that are counted.

    Raises
    ------
    TooManyRowsError
        If there are more than the caps allow; before anything is yielded where it is not alone.
    """
    first = list(fetch(limited(sql, FEW_GROUPS)))
    if len(first) <= FEW_GROUPS:
        yield from first
        return
    if not is_alone:
        raise too_many(columns)
    yield from first
    ((total,),) = fetch(f"SELECT count(*) AS n FROM ({sql}) AS counted")
    if total > MOST_GROUPS:  # told by a number, before so many rows have come
        raise too_many(columns)
    known = {_same(row[:keys]) for row in first}
    del first
    for row in fetch(sql):
        if _same(row[:keys]) not in known:
            yield row


def too_many(columns: Sequence[str]) -> TooManyRowsError:
    """Return the refusal of more than may be brought."""
    return TooManyRowsError(
        f"there are more than {MOST_GROUPS:,} combinations of {', '.join(map(repr, columns))}, too many to bring "
        "here; name fewer columns, or group or round their cells in the engine",
        columns,
    )


def _same(cells: Row) -> Hashable:
    """Return cells so that those of one group are equal: no number that is none equals itself."""
    return tuple("nan" if cell != cell else bytes(cell) if isinstance(cell, bytearray) else cell for cell in cells)  # noqa: PLR0124
