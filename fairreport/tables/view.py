"""A numeric view: a table as DuckDB sees it while sums, ranks and quantiles are gathered.

Cells that are matched as text stay raw (or are integer codes of raw cells), numbers are doubles, null where
missing. Everything numeric of every local engine runs through here, so that the digits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.tables.tally import NoTally

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellColumn:
    """A column of raw cells inside a view.

    Attributes
    ----------
    expression : str
        SQL of the raw cell.
    restore : callable
        From what DuckDB hands over to the raw cell that is folded.
    literal : callable
        From what DuckDB hands over to its SQL literal.
    """

    expression: str
    restore: Callable[[Any], Any]
    literal: Callable[[Any], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericView:
    """What the numeric passes work on.

    Attributes
    ----------
    fetch_rows : callable
        Runs a statement, yields its rows.
    fetch_arrays : callable
        Runs a statement, returns its columns as numpy arrays.
    source : str
        SQL after FROM.
    cells : mapping of str to CellColumn
        Columns matched as text.
    numbers : mapping of str to str
        Columns read as numbers: SQL of a double, null where missing.
    refused : mapping of str to NoTally
        Number columns that are not numeric.
    weight : str or None
        SQL of the rows that each row stands for.
    keep : object
        What must live as long as the view.
    """

    fetch_rows: Callable[[str], Iterator[tuple[Any, ...]]]
    fetch_arrays: Callable[[str], Mapping[str, Array]]
    source: str
    cells: Mapping[str, CellColumn]
    numbers: Mapping[str, str]
    refused: Mapping[str, NoTally] = field(default_factory=dict)
    weight: str | None = None
    keep: Any = None

    @property
    def rows_expression(self) -> str:
        """SQL of the number of rows in an aggregate."""
        return "count(*)" if self.weight is None else f"sum({self.weight})"


def plain_arrays(fetched: Mapping[str, Any]) -> dict[str, Array]:
    """Return fetched columns as plain arrays; nulls must have been filtered before."""
    return {name: np.asarray(column) for name, column in fetched.items()}


def status_expression(number: str) -> str:
    """Return SQL of a number's status: 0 missing, 1 infinite, 2 finite."""
    return f"CASE WHEN {number} IS NULL THEN 0 WHEN isinf({number}) THEN 1 ELSE 2 END"


def usable(numbers: Sequence[str]) -> str:
    """Return SQL that holds where every number is finite."""
    return " AND ".join(f"({number} IS NOT NULL AND NOT isinf({number}))" for number in numbers) or "TRUE"
