"""Engines that hold rows elsewhere: one face over what ibis, Spark and SQLFrame answer to SQL.

An engine is asked for rows and nothing else. Every statement is kept with the number of rows that came back, so that
a packet can say what was asked. A statement that runs too long, or that the user stops, is stopped in the engine too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fairreport.tables.asked import Asked
from fairreport.tables.sql_limits import VanishedError
from fairreport.tables.sql_text import SOURCE, in_dialect
from fairreport.tables.view import Guess

Row = tuple[Any, ...]
Array = npt.NDArray[Any]

_VIEW = re.compile("fairreport_rows_[0-9]+")

BATCH = 50_000
"""So many rows are taken over at once."""


class Engine(Protocol):
    """What holds the rows.

    Attributes
    ----------
    name : str
        Which engine, for people.
    dialect : str
        What sqlglot calls its SQL.
    sums_wholes : bool
        Whether its sums of whole numbers of 64 bits cannot overflow, and come cheaper than those of doubles.
    guess : Guess
        How it is guessed where its numbers lie.
    is_small : bool
        Whether it has likely fewer than 2**25 rows.
    """

    name: str
    dialect: str
    sums_wholes: bool
    guess: Guess

    @property
    def is_small(self) -> bool:
        """Whether it has likely fewer than 2**25 rows."""
        ...

    def select(self, columns: Mapping[str, str]) -> str:
        """Return a SELECT, in the engine's SQL, of some columns of the table under other names."""
        ...

    def batches(self, sql: str) -> Iterator[Sequence[Row]]:
        """Run a statement in the engine's SQL, and yield its rows in batches.

        Raises
        ------
        DataError
            If the engine cannot be reached, refuses, or takes too long.
        """
        ...

    def arrow(self, sql: str) -> Any:
        """Return what a statement in the engine's SQL gives as an Arrow table; None where the engine gives rows only.

        Raises
        ------
        DataError
            As `batches` does.
        """
        ...

    def frame(self, sql: str) -> Any:
        """Return what a statement in the engine's SQL gives, as a frame of the engine's own."""
        ...

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Let every statement in the context see the rows of one moment, where the engine can promise it.

        There, a connection that is lost is not renewed: its moment is over.

        Raises
        ------
        LostError
            From a statement whose connection is lost.
        """
        ...


@dataclass(slots=True, kw_only=True)
class Remote:
    """The rows of a table in an engine: statements are put in its words, asked, and noted.

    Attributes
    ----------
    engine : Engine
        Who answers.
    where : str
        A condition on the columns ``c0, c1, ...`` that every row meets; empty for all rows.
    needed : mapping of str to str
        The columns of that condition, and their names in it.
    asked : list of Asked
        What was asked so far; shared with the parts of the table.
    is_guarded : bool
        Whether the engine was found to refuse products that are too small for a double.
    """

    engine: Engine
    where: str = ""
    needed: Mapping[str, str] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    is_guarded: bool = False

    def statement(self, sql: str, columns: Mapping[str, str]) -> str:
        """Return a statement over `fr_source` as the engine gets it; `columns` are those of the table it uses."""
        rows = self.engine.select({**self.needed, **columns})
        if self.where:
            kept = in_dialect(f"SELECT * FROM fr_rows AS r WHERE {self.where}", self.engine.dialect)
            head = f"WITH fr_rows AS ({rows}), {SOURCE} AS ({kept})"
        else:
            head = f"WITH {SOURCE} AS ({rows})"
        is_lateral = self.engine.dialect == "postgres" and self.engine.name != "datafusion"
        text = in_dialect(sql, self.engine.dialect, is_guarded=self.is_guarded, is_lateral=is_lateral)
        return f"{head} {text}"

    def told(self, sql: str, columns: Mapping[str, str]) -> str:
        """Return a statement as it is told: without the passing name that a session gives to a frame."""
        return _VIEW.sub("fairreport_rows", self.statement(sql, columns))

    def batches(self, sql: str, columns: Mapping[str, str]) -> Iterator[Sequence[Row]]:
        """Ask, and yield the rows in batches."""
        try:
            yield from self._batches(self.statement(sql, columns))
        except VanishedError:
            if self.is_guarded:
                raise
            self.is_guarded = True  # from now on: what a table holds once it holds for other tests too
            yield from self._batches(self.statement(sql, columns))

    def _batches(self, text: str) -> Iterator[Sequence[Row]]:
        n = 0
        try:
            for batch in self.engine.batches(text):
                n += len(batch)
                yield batch
        finally:
            self._note(text, n)

    def _note(self, text: str, rows: int) -> None:
        self.asked.append(Asked(sql=_VIEW.sub("fairreport_rows", text), rows=rows))

    def rows(self, sql: str, columns: Mapping[str, str]) -> Iterator[Row]:
        """Ask, and yield the rows."""
        for batch in self.batches(sql, columns):
            yield from batch

    def arrow(self, sql: str, columns: Mapping[str, str]) -> Any:
        """Ask, and return an Arrow table; None where the engine gives rows only."""
        whole = self.engine.arrow(text := self.statement(sql, columns))
        if whole is not None:
            self._note(text, whole.num_rows)
        return whole

    def arrays(self, sql: str, columns: Mapping[str, str]) -> dict[str, Array]:
        """Ask, and return the columns as arrays, nulls as nan; never more than a batch of rows as Python objects."""
        whole = self.arrow(sql, columns)
        if whole is not None:
            return {name: _plain(whole.column(name)) for name in whole.column_names}
        names = names_of(sql)
        parts: list[list[Array]] = [[] for _ in names]
        for batch in self.batches(sql, columns):
            for part, cells in zip(parts, zip(*batch, strict=True), strict=True):
                part.append(_array(cells))
        return {
            name: np.concatenate(part) if part else np.empty(0, dtype=np.float64)
            for name, part in zip(names, parts, strict=True)
        }


def names_of(sql: str) -> list[str]:
    """Return the names of the columns that a statement of fairreport's gives.

    Examples
    --------
    >>> names_of("SELECT g, max(v) AS high FROM t AS r GROUP BY g")
    ['g', 'high']
    """
    from sqlglot import parse_one  # noqa: PLC0415 - who asks an engine has it

    parsed: Any = parse_one(sql, read="duckdb")
    return list(parsed.named_selects)


def _plain(column: Any) -> Array:
    """Return an Arrow column as an array: whole numbers as such, else doubles, nulls as nan."""
    array: Array = column.to_numpy()
    if column.null_count or array.dtype == object:  # decimals
        array = np.array([np.nan if cell is None else cell for cell in array.tolist()], dtype=np.float64)
    return array


def _array(cells: Sequence[Any]) -> Array:
    """Return cells of one column: whole numbers as such, else doubles."""
    if any(cell is None for cell in cells):
        return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
    if all(isinstance(cell, (bool, int)) for cell in cells):
        return np.array(cells, dtype=np.int64)
    return np.array(cells, dtype=np.float64)
