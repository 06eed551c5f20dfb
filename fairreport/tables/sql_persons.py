"""Cases and persons told apart by an engine: what is surely its own canonical text there, the few others here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fairreport.errors import DataError
from fairreport.tables.duckdb_persons import WHITE_SPACE
from fairreport.tables.duckdb_sql import text_literal
from fairreport.tables.persons import first_repeated, rows_by_text
from fairreport.tables.sql_cells import FLOATS, TEXTS, literal, restored, restorer
from fairreport.tables.text import canonical

_SELDOM = ("", "-0", "True", "TRUE", "False", "FALSE")
_LOOKED_UP = 500
MOST_ODD = 1_000_000
"""More cells that may not be their own canonical text are not fetched."""

FetchRows = Callable[[str], Iterator[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlPersons:
    """A column whose cells name cases or persons.

    Attributes
    ----------
    name : str
        The column as the user calls it.
    column : str
        Its name in the SQL.
    kind : dtype
        Its type.
    source : str
        SQL after FROM.
    missing_values : tuple of str
        Words that stand for a missing cell.
    fetch : callable
        Asks a statement.
    """

    name: str
    column: str
    kind: Any
    source: str
    missing_values: tuple[str, ...]
    fetch: FetchRows

    def repeated(self) -> Any:
        """Return the first cell that stands in several rows, if there is one."""
        odd = self._odd_rows()
        plain = f"{self.column} IS NOT NULL" + (f" AND NOT {self._odd}" if self._odd else "")
        sql = (
            f"SELECT min({self.column}) AS c FROM (SELECT {self.column} FROM {self.source} WHERE {plain} "
            f"GROUP BY {self.column} HAVING count(*) > 1) AS r"
        )
        ((cell,),) = self.fetch(sql)
        others = first_repeated(odd), self._among([text for text in odd if text is not None])
        folded = [text for text in others if text is not None]
        if cell is None:
            return min(folded, default=None)
        found = restored(restorer(self.kind), cell)
        return min(str(canonical(found)), *folded) if folded else found

    def missing(self, weight: str | None) -> int:
        """Return the rows, or the sum of their weights, whose cell is missing."""
        return self._odd_rows(weight).get(None, 0)

    @property
    def _odd(self) -> str:
        """SQL that holds for cells that may not be their own canonical text; empty where every cell is."""
        column = self.column
        words = [word for word in self.missing_values if canonical(word) == word]
        if isinstance(self.kind, FLOATS):
            whole = [word for word in words if _is_number(word)]
            listed = ", ".join(literal(float(word), self.kind) for word in whole)
            wanted = f"NOT (isfinite({column}) OR isinf({column}))"
            return f"({wanted} OR {column} IN ({listed}))" if whole else f"({wanted})"
        if not isinstance(self.kind, TEXTS):
            return f"(CAST({column} AS VARCHAR) IN ({_texts(words)}))" if words else ""
        blank = _texts(list(WHITE_SPACE))
        edges = f"substr({column}, 1, 1) IN ({blank}) OR substr({column}, length({column}), 1) IN ({blank})"
        return f"({edges} OR {column} LIKE '%.0%' OR {column} IN ({_texts([*_SELDOM, *words])}))"

    def _odd_rows(self, weight: str | None = None) -> dict[str | None, int]:
        total = "count(*)" if weight is None else f"sum({weight})"
        where = f"{self.column} IS NULL" + (f" OR {self._odd}" if self._odd else "")
        sql = (
            f"SELECT {self.column} AS c, {total} AS n FROM {self.source} WHERE {where} GROUP BY {self.column} "
            f"LIMIT {MOST_ODD + 1}"
        )
        found = [(cell, int(n or 0)) for cell, n in self.fetch(sql)]
        if len(found) > MOST_ODD:
            raise DataError(
                f"column {self.name!r} has more than {MOST_ODD:,} cells with outer blanks or decimal zeros; "
                "trim it there"
            )
        restore = restorer(self.kind)
        return rows_by_text(self.name, ((restored(restore, c), n) for c, n in found), self.missing_values)

    def _among(self, texts: Sequence[str]) -> str | None:
        """Return the first of the folded texts that another cell has as it stands."""
        if not isinstance(self.kind, TEXTS):
            return None
        found: list[str] = []
        for start in range(0, len(texts), _LOOKED_UP):
            listed = _texts(texts[start : start + _LOOKED_UP])
            where = f"{self.column} IN ({listed}) AND NOT {self._odd}"
            sql = f"SELECT min({self.column}) AS c FROM {self.source} WHERE {where}"
            ((cell,),) = self.fetch(sql)
            if cell is not None:
                found.append(str(cell))
        return min(found, default=None)


def _texts(texts: Sequence[str]) -> str:
    return ", ".join(map(text_literal, texts))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
