"""The types of an engine's columns. SQLite declares them too, and lets every cell be of another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from fairreport.tables.source import refuse_alike
from fairreport.tables.sql_cells import FLOATS, INTEGERS
from fairreport.tables.sql_engines import Remote
from fairreport.tables.sql_text import SOURCE

_RESTORED = (nw.Boolean, nw.Date, nw.Datetime)
"""Types whose cells are other ones here than SQLite hands over."""

_IS_NUMBER = "typeof({c}) IN ('integer', 'real')"
_IS_TIME = "typeof({c}) = 'text' AND datetime({c}) = substr({c}, 1, 19) AND instr({c}, '+') + instr({c}, 'Z') = 0"
_OWN_NUMBERS: tuple[tuple[Any, str], ...] = (
    (nw.Boolean, "{c} IN (0, 1)"),
    (INTEGERS, "typeof({c}) = 'integer'"),
    (FLOATS, "typeof({c}) = 'real'"),
    (nw.Decimal, _IS_NUMBER),
)
_OWN_TIMES: tuple[tuple[Any, str], ...] = (
    (nw.Date, "typeof({c}) = 'text' AND date({c}) = {c}"),
    (nw.Datetime, _IS_TIME),
)
"""What holds of the cells that a type promises, as Python writes them."""


class Kinds:
    """The type of each column; in SQLite as its cells bear it out, where that was asked.

    There a column of numbers that holds other numbers than it declares is a `Decimal`, whose cells are taken as they
    stand; one that holds anything else is a `String`, as is one of times: what its cells are is judged here.

    Parameters
    ----------
    declared : mapping of str to dtype
        The types as the engine declares them.
    remote : Remote
        All rows of the table.
    """

    def __init__(self, declared: Mapping[str, Any], remote: Remote) -> None:
        self.declared = dict(declared)
        self.alias = {name: f"c{i}" for i, name in enumerate(declared)}
        self._remote = remote
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return the type of a column."""
        return self._found.get(name, self.declared[name])

    def settle(self, cells: Iterable[str], numbers: Iterable[str] = ()) -> None:
        """Ask of some columns at once what their cells are, where that matters and was not asked yet.

        Parameters
        ----------
        cells : iterable of str
            Columns that are grouped by their cells: those of numbers come as they are, whatever the type.
        numbers : iterable of str
            Columns that the engine reads by their type.
        """
        if self._remote.engine.dialect != "sqlite":
            return
        asked: dict[str, str] = {}
        grouped = [name for name in cells if isinstance(self.declared[name], _RESTORED)]
        for name in (*grouped, *numbers):
            stray = None if name in self._found else _stray(self.alias[name], self.declared[name])
            if stray is not None:
                asked[name] = stray
        if not asked:
            return
        refuse_alike(asked, self.declared)
        listed = ", ".join(f"{sql} AS s{i}" for i, sql in enumerate(asked.values()))
        columns = {name: self.alias[name] for name in asked}
        ((*worst,),) = self._remote.rows(f"SELECT {listed} FROM {SOURCE}", columns)
        for name, found in zip(asked, worst, strict=True):
            self._found[name] = (self.declared[name], nw.Decimal(), nw.String())[found or 0]

    def forget(self) -> None:
        """Ask again, since the rows may be others."""
        self._found.clear()


def _stray(column: str, kind: Any) -> str | None:
    """Return SQL of the worst cell: 0 where all are as promised, 1 for another number, 2 for anything else.

    None where a type promises nothing.
    """
    own = next((sql for kinds, sql in _OWN_NUMBERS if isinstance(kind, kinds)), None)
    number = _IS_NUMBER
    if own is None:
        own = next((sql for kinds, sql in _OWN_TIMES if isinstance(kind, kinds)), None)
        number = "FALSE"
    if own is None:
        return None
    return f"max(CASE WHEN {{c}} IS NULL OR ({own}) THEN 0 WHEN {number} THEN 1 ELSE 2 END)".format(c=column)
