"""Cases and persons told apart by DuckDB: hashes of canonical texts are sorted and neighbours compared.

Nearly every cell is its own canonical text. The few that may not be are recognised by their first and last
characters, folded by SQL where SQL can do it exactly, and by Python otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairreport.tables.duckdb_sql import decode, decoder_of, is_float, is_nan, raw_cell, text_literal
from fairreport.tables.persons import first_repeated, rows_by_text
from fairreport.tables.text import canonical
from fairreport.tables.view import Array

WHITE_SPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What Python's `str.strip` takes off."""

_SELDOM = {"": None, "-0": "0", "True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
_DISTINCT = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT",
    "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
    "FLOAT", "DOUBLE", "UUID",
}  # fmt: skip
"""Types whose cells are equal exactly where their canonical texts are."""

_LOOKED_UP = 1000
_UNDECIDED = "CAST(NULL AS VARCHAR)"

FetchRows = Callable[[str], Iterator[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Persons:
    """A column whose cells name cases or persons.

    Attributes
    ----------
    name, kind : str
        The column as the user calls it, and its DuckDB type.
    source : str
        SQL after FROM.
    raw : str
        SQL of a cell as it is fetched.
    key : str
        SQL of what stands for its canonical text; null where the cell is missing or left to Python.
    missing_values : tuple of str
        Words that stand for a missing cell.
    """

    name: str
    kind: str
    source: str
    raw: str
    key: str
    missing_values: tuple[str, ...]

    def repeated(self, fetch: FetchRows, fetch_arrays: Callable[[str], Mapping[str, Array]]) -> Any:
        """Return a cell that stands in several rows, if there is one."""
        if self.key == _UNDECIDED:
            return first_repeated(self._rows(fetch, f"SELECT {self.raw}, count(*) FROM {self.source} GROUP BY 1"))
        hashes = fetch_arrays(f"SELECT h FROM {self._hashed}")["h"]
        hashes.sort()
        start = int(np.searchsorted(hashes, np.uint64(0), side="right"))
        odd: dict[str | None, int] = {}
        if start:
            odd = self._rows(fetch, f"SELECT raw, count(*) FROM {self._hashed} WHERE h = 0 GROUP BY 1")
            hashes = hashes[start:]
        equal = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
        decoder = None if self.kind == "JSON" else decoder_of(self.kind)  # the key of JSON is text
        for listed in _portions(equal.tolist()):
            among = f"SELECT k FROM {self._hashed} WHERE h IN ({_hash_list(listed)})"
            cells = [decode(decoder, k) for (k,) in fetch(f"{among} GROUP BY k HAVING count(*) > 1")]
            if cells:
                return min(cells, key=lambda cell: str(canonical(cell)))
        again = first_repeated(odd)
        return again if again is not None or self.kind != "JSON" else self._among(fetch, hashes, odd)

    def missing(self, fetch: FetchRows, weight: str | None) -> int:
        """Return the rows, or the sum of their weights, whose cell is missing."""
        total = "count(*)" if weight is None else f"sum({weight})"
        rows = self._rows(fetch, f"SELECT {self.raw}, {total} FROM {self.source} WHERE {self.key} IS NULL GROUP BY 1")
        return rows.get(None, 0)

    @property
    def _hashed(self) -> str:
        """Raw cells, keys, and hashes of keys; 0 for no key, and for a key whose hash happens to be 0."""
        inner = f"(SELECT {self.raw} AS raw, {self.key} AS k FROM {self.source})"
        return f"(SELECT raw, k, CASE WHEN k IS NULL THEN 0::UBIGINT ELSE hash(k) END AS h FROM {inner})"

    def _rows(self, fetch: FetchRows, sql: str) -> dict[str | None, int]:
        decoder = decoder_of(self.kind)
        return rows_by_text(self.name, ((decode(decoder, c), int(n or 0)) for c, n in fetch(sql)), self.missing_values)

    def _among(self, fetch: FetchRows, hashes: Array, odd: dict[str | None, int]) -> str | None:
        """Return one of the texts that Python folded which stands among those that SQL did."""
        for texts in _portions([text for text in odd if text is not None]):
            listed = ", ".join(map(text_literal, texts))
            own = np.array([h for (h,) in fetch(f"SELECT hash(unnest([{listed}]))")], dtype=np.uint64)
            at = np.searchsorted(hashes, own)
            alike = own[at < len(hashes)][hashes[at[at < len(hashes)]] == own[at < len(hashes)]]
            if len(alike):
                sql = f"SELECT DISTINCT k FROM {self._hashed} WHERE h IN ({_hash_list(alike.tolist())})"
                found = {k for (k,) in fetch(sql)} & set(texts)
                if found:
                    return str(min(found))
        return None


def persons_of(
    name: str, *, column: str, kind: str, source: str, missing_values: Sequence[str], fetch: FetchRows
) -> Persons:
    """Return how the cells of a column tell persons apart; `column` is its SQL, `name` what the user calls it."""
    raw = raw_cell(column, kind)
    words = tuple(dict.fromkeys(word for word in missing_values if word and canonical(word) == word))
    if kind == "VARCHAR" or kind.startswith("ENUM"):
        key = _text_key(column if kind == "VARCHAR" else f"CAST({column} AS VARCHAR)", words)
    elif kind == "JSON":
        key = _json_key(column, raw, words)
    elif kind in _DISTINCT or kind.startswith("DECIMAL"):
        key = _number_key(column, kind, words, fetch)
    else:
        key = _UNDECIDED
    return Persons(name=name, kind=kind, source=source, raw=raw, key=key, missing_values=tuple(missing_values))


def _text_key(text: str, words: Sequence[str]) -> str:
    """Return SQL of `canonical` for text; null where it is missing. What is surely its own text is seen at once."""
    folded = rf"regexp_replace(trim({text}, {text_literal(WHITE_SPACE)}), '\A(-?[0-9]+)\.0+\z', '\1')"
    known = dict.fromkeys(words) | {raw: None if to in words else to for raw, to in _SELDOM.items()}
    cases = " ".join(
        f"WHEN {text_literal(raw)} THEN {'NULL' if to is None else text_literal(to)}" for raw, to in known.items()
    )
    last = f"{text}[-1]"
    edges = " OR ".join(f"{edge} < '!' OR {edge} >= '\x7f'" for edge in (text, last))
    zeros = f"(suffix({text}, '0') AND contains({text}, '.0'))"
    listed = ", ".join(text_literal(raw) for raw in known)
    seldom = f"{edges} OR {zeros} OR {text} IN ({listed})"
    return f"CASE WHEN {seldom} THEN CASE {folded} {cases} ELSE {folded} END ELSE {text} END"


def _json_key(column: str, raw: str, words: Sequence[str]) -> str:
    """Return SQL of `canonical` for JSON: strings and plain whole numbers; all else is left to Python."""
    none = ", ".join(text_literal(word) for word in ("-0", *words))
    point = rf"suffix({raw}, '.0') AND regexp_full_match({raw}, '-?[1-9][0-9]{{0,14}}\.0')"
    whole = f"regexp_full_match({raw}, '-?[0-9]+') AND {raw} NOT IN ({none})"
    cut = rf"regexp_replace({raw}, '\.0\z', '')"
    string = _text_key(f"({column} ->> '$')", words)
    return (
        f"CASE WHEN prefix({raw}, '\"') THEN {string} WHEN {whole} THEN {raw} "
        f"WHEN {point} AND {cut} NOT IN ({none}) THEN {cut} ELSE NULL END"
    )


def _number_key(column: str, kind: str, words: Sequence[str], fetch: FetchRows) -> str:
    """Return SQL of a cell whose type holds each canonical text once; null where it is missing."""
    decoder = decoder_of(kind)
    missing = [is_nan(column)] if is_float(kind) else []
    for word in words:
        stored = f"TRY_CAST({text_literal(word)} AS {kind})"
        ((cell,),) = fetch(f"SELECT {stored}")
        if canonical(decode(decoder, cell)) == word:
            missing.append(f"{column} = {stored}")
    return f"CASE WHEN {' OR '.join(missing)} THEN NULL ELSE {column} END" if missing else column


def _portions(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), _LOOKED_UP):
        yield items[start : start + _LOOKED_UP]


def _hash_list(hashes: Iterable[int]) -> str:
    return ", ".join(f"{int(h)}::UBIGINT" for h in hashes)
