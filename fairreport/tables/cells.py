"""Counted cells: the rows of every combination of several columns, kept, so that fewer columns need no new scan.

Outcome tests get their tallies from here by the very sink that a scan of the table feeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.tables.needs import OutcomeNeeds, Reading
from fairreport.tables.sinks import OutcomeSink
from fairreport.tables.source import Key, Table, count_apart
from fairreport.tables.tally import Scan
from fairreport.tables.text import Folder


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCells:
    """The combinations of raw cells that occur in some columns, each with its rows.

    Attributes
    ----------
    columns : tuple of str
        The columns, in the order of the keys.
    cells : tuple of (tuple, int)
        Raw cells and rows. Cells that are equal but of different kinds (1, True) stand apart.
    """

    columns: tuple[str, ...]
    cells: tuple[tuple[Key, int], ...]

    def covers(self, need: OutcomeNeeds) -> bool:
        """Tell whether every column that a test needs is among these."""
        return set(need.columns) <= set(self.columns)

    def scan(self, need: OutcomeNeeds, reading: Reading) -> Scan:
        """Return what a scan of the table would return for an outcome test.

        Parameters
        ----------
        need : OutcomeNeeds
            What the test needs.
        reading : Reading
            How cells are to be read.
        """
        folders = {name: Folder(reading.missing_values) for name in need.columns}
        sink = OutcomeSink(need, reading, folders)
        order = tuple(self.columns.index(name) for name in sink.columns)
        for key, n in self.cells:
            sink.add(tuple(key[i] for i in order), n)
        return sink.scan()


def count_cells(table: Table, sets: Sequence[tuple[str, ...]], reading: Reading) -> tuple[CountedCells, ...]:
    """Return the counted cells of each set of columns, from one pass over the table.

    Raises
    ------
    DataError
        If the table cannot be read.
    """
    if not sets:
        return ()
    found: list[list[tuple[Key, int]]] = [[] for _ in sets]
    for index, key, n in count_apart(table, list(sets), reading.counts):
        found[index].append((key, n))
    return tuple(CountedCells(columns=names, cells=tuple(cells)) for names, cells in zip(sets, found, strict=True))
