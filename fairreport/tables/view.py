"""A numeric view: a table as DuckDB sees it while sums, ranks and quantiles are gathered.

Cells that are matched as text stay raw (or are integer codes of raw cells), numbers are doubles, null where
missing. Everything numeric of every local engine runs through here, so that the digits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.tables.tally import NoTally

Array = npt.NDArray[Any]


class Guess(StrEnum):
    """How it is guessed where the numbers of a column lie, before all of them are asked for it."""

    NOTHING = "nothing"
    FIRST_ROWS = "first rows"
    SHARES = "shares"
    """Doubles lie from 0 to 1, where to look at a few rows costs as much as to sum them all."""


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
    is_code : bool
        Whether every row holds a whole number from -1 on, in the place of its cell.
    whole : str or None
        SQL of the cell as a whole number, where an engine elsewhere has it as one or as true and false.
    """

    expression: str
    restore: Callable[[Any], Any]
    literal: Callable[[Any], str]
    is_code: bool = False
    whole: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberColumn:
    """A column of numbers inside a view.

    Attributes
    ----------
    value : str
        SQL of a double, null where the cell is missing or infinite.
    filled : str
        SQL that holds where the cell is not missing.
    plain : str
        SQL of the same double where every row is known to be finite: nothing to guard.
    stored : str or None
        SQL of the number as it is stored, where reading it is a mere change of type.
    is_integer : bool
        Whether the cells are whole numbers by their type, so that a double rounds those beyond 2**53.
    """

    value: str
    filled: str
    plain: str
    stored: str | None = None
    is_integer: bool = False


def number_column(
    number: str, *, may_be_infinite: bool = True, stored: str | None = None, is_integer: bool = False
) -> NumberColumn:
    """Return a number column from SQL of a double that is null or nan where missing."""
    if not may_be_infinite:
        filled = f"{number} IS NOT NULL"
        return NumberColumn(value=number, filled=filled, plain=number, stored=stored, is_integer=is_integer)
    return NumberColumn(
        value=f"(CASE WHEN isfinite({number}) THEN {number} END)",
        filled=f"({number} IS NOT NULL AND (isfinite({number}) OR isinf({number})))",  # a bare isnan: see `is_nan`
        plain=number,
        stored=stored,
        is_integer=is_integer,
    )


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
    numbers : mapping of str to NumberColumn
        Columns read as numbers.
    refused : mapping of str to NoTally
        Number columns that are not numeric.
    weight : str or None
        SQL of the rows that each row stands for.
    has_statistics : bool
        Whether the source itself says where its cells lie: a Parquet file.
    is_remote : bool
        Whether the rows are elsewhere: as few as may be are fetched, and nothing of DuckDB's own is asked.
    sums_wholes : bool
        Whether sums of whole numbers of 64 bits cannot overflow there, and come cheaper than those of doubles.
    guess : Guess
        How it is guessed, elsewhere, where numbers lie.
    is_small : bool
        Whether it is likely, elsewhere, that there are fewer than 2**25 rows.
    keep : object
        What must live as long as the view.
    """

    fetch_rows: Callable[[str], Iterator[tuple[Any, ...]]]
    fetch_arrays: Callable[[str], Mapping[str, Array]]
    source: str
    cells: Mapping[str, CellColumn]
    numbers: Mapping[str, NumberColumn]
    refused: Mapping[str, NoTally] = field(default_factory=dict)
    weight: str | None = None
    has_statistics: bool = False
    is_remote: bool = False
    sums_wholes: bool = False
    guess: Guess = Guess.NOTHING
    is_small: bool = False
    keep: Any = None


def plain_arrays(fetched: Mapping[str, Any]) -> dict[str, Array]:
    """Return fetched columns as plain arrays; nulls must have been filtered before."""
    return {name: np.asarray(column) for name, column in fetched.items()}


def without_words(number: str, words: Sequence[float], kind: str) -> str:
    """Return SQL of a number of some type, null where it is one of some words."""
    for word in words:
        number = f"nullif({number}, CAST('{word!r}' AS {kind}))"
    return number
