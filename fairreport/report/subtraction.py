"""Which groups have to be withheld so that no table, total or margin gives what a small group holds.

Groups of several tests are cells of tables over attributes. Where one table has all attributes of another, its cells
add up to the cells of the other; all cells of a table add up to the rows. A withheld cell can be computed exactly
where these sums, the shown cells taken as known, have a single solution for it: complementary suppression as in
Hundepool et al., Statistical Disclosure Control (2012), section 4.2. Rows that lack an attribute are passed over, as if
every sum were exact: that withholds rather more. Where they are few, they are a group themselves: what another test
counts beyond all groups of this one is theirs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairreport.analyses.grouping import Label

Key = tuple[tuple[str, ...], Label]
"""A cell: the attributes of its table, sorted, and one level of each."""

SPREAD = 2
"""A withheld size must be possible in at least so many ways more than one."""
_EXACT = 1e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Rows of a group, and those of them that its rate counts; None where it has no rate."""

    n: int
    hits: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The groups of one test.

    Attributes
    ----------
    attributes : tuple of str
        Attribute columns, sorted.
    cells : mapping of tuple of str to Cell
        Every group that has rows.
    is_divisible : bool
        Whether single groups can be withheld; else all is shown or nothing.
    is_public : bool
        Whether its groups have to be shown whatever their size.
    measured : str or None
        What its rates are of; tests of the same can be subtracted from one another. None where that is not known.
    """

    attributes: tuple[str, ...]
    cells: Mapping[Label, Cell]
    is_divisible: bool = True
    is_public: bool = False
    measured: str | None = None

    @property
    def n(self) -> int:
        """Rows in all groups."""
        return sum(cell.n for cell in self.cells.values())

    @property
    def can_withhold(self) -> bool:
        """Whether single groups of it may be withheld."""
        return self.is_divisible and not self.is_public

    def key(self, label: Label) -> Key:
        """Return the name of one of its cells across tests."""
        return self.attributes, label


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """What has to be withheld.

    Attributes
    ----------
    cells : frozenset of Key
        Single groups.
    tables : frozenset of int
        Positions of the tables that are not divisible and cannot be shown.
    """

    cells: frozenset[Key]
    tables: frozenset[int]


def what_to_hide(tables: Sequence[Counted], below: int, *, last: Collection[Key] = ()) -> Hidden:
    """Return every cell that has to be withheld: the small ones, and those that would give them away.

    Parameters
    ----------
    tables : sequence of Counted
        The groups of each test.
    below : int
        Cells with fewer rows are withheld.
    last : collection of Key
        Cells that are withheld beside small ones only where no other can be, since others are compared with them.

    Examples
    --------
    >>> cells = {("A",): Cell(n=50), ("B",): Cell(n=30), ("C",): Cell(n=4)}
    >>> sorted(label for _, label in what_to_hide([Counted(attributes=("race",), cells=cells)], 10).cells)
    [('B',), ('C',)]
    """
    small = {i for i, table in enumerate(tables) if not table.is_divisible and _is_few(table, below)}
    withheld = {
        table.key(label)
        for table in tables
        if table.can_withhold
        for label, cell in table.cells.items()
        if cell.n < below
    }
    spared = _spared(tables, frozenset(last), below)
    while True:
        small |= {i for i, table in enumerate(tables) if not table.is_divisible and _holds(table, withheld)}
        shown = [table for i, table in enumerate(tables) if i not in small]
        system = _System(
            below=below,
            tables=shown,
            lines=tuple(_lines(shown)),
            withheld=frozenset(withheld),
            spared=spared,
            whole={table.measured: table.n for table in sorted(shown, key=lambda table: table.n) if table.measured},
        )
        further = _further(system)
        if further is None:
            return Hidden(cells=frozenset(withheld), tables=frozenset(small))
        whole = {i for i, table in enumerate(tables) if not table.is_divisible and _holds(table, {further})} - small
        if any(table.can_withhold and _holds(table, {further}) for table in tables):
            withheld.add(further)
        small |= whole


def _spared(tables: Sequence[Counted], last: frozenset[Key], below: int) -> dict[Key, int]:
    """Return the cells that are to go last, 2, and those that would take one of them along, 1."""
    small = {table.key(label) for table in tables for label, cell in table.cells.items() if cell.n < below}
    beside = {
        key
        for line in _lines(tables)
        if line.margin is not None and not last.isdisjoint(line.cells)
        for key in line.cells
        if all(other in last or other in small for other in line.cells if other != key)
    }
    return dict.fromkeys(beside, 1) | dict.fromkeys(last, 2)


def _is_few(table: Counted, below: int) -> bool:
    return any(cell.n < below for cell in table.cells.values())


def _holds(table: Counted, keys: Collection[Key]) -> bool:
    return any(attributes == table.attributes and label in table.cells for attributes, label in keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """Cells that add up to a margin; `margin` is None for all rows, which are known."""

    cells: tuple[Key, ...]
    margin: Key | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _System:
    """What is shown, what adds up to what, what is withheld, what is to be spared, and the most rows of a measure."""

    below: int
    tables: Sequence[Counted]
    lines: tuple[_Line, ...]
    withheld: frozenset[Key]
    spared: Mapping[Key, int]
    whole: Mapping[str | None, int]


def _further(system: _System) -> Key | None:
    """Return a cell that has to be withheld as well; None where all that is withheld stays hidden."""
    for line in system.lines:
        if _gives_away(system, line) or _gives_away_missing(system, line):
            further = _one_more(system, [line])
            if further is not None:
                return further
    solved = _solved(system)
    near = [line for line in system.lines if solved & {*line.cells, line.margin}]
    return _one_more(system, near) or _one_more(system, system.lines if solved else ())


def _one_more(system: _System, lines: Iterable[_Line]) -> Key | None:
    """Return the smallest cell that is still shown in some lines; a margin only where no cell is."""
    parts = list(lines)
    further = _smallest(system, (key for line in parts for key in line.cells))
    margins = (line.margin for line in parts if line.margin is not None and _is_shown(system, line.margin))
    return _smallest(system, margins) if further is None else further


def _smallest(system: _System, cells: Iterable[Key]) -> Key | None:
    shown = [key for key in cells if key not in system.withheld and _can_be_withheld(system, key)]
    return min(shown, key=lambda key: (system.spared.get(key, 0), _size(system, key), key), default=None)


def _can_be_withheld(system: _System, key: Key) -> bool:
    return any(not table.is_public and _holds(table, {key}) for table in system.tables)


def _size(system: _System, key: Key) -> int:
    """Return the rows of a cell, the most of the tests that have it."""
    return max(table.cells[key[1]].n for table in system.tables if _holds(table, {key}))


def _gives_away(system: _System, line: _Line) -> bool:
    """Tell whether the withheld cells of a line follow from its margin, exactly or nearly."""
    hidden = [key for key in line.cells if key in system.withheld]
    if not hidden or (line.margin is not None and not _is_shown(system, line.margin)):
        return False
    is_beside_lacking = _lacks_few(system, line) and _size(system, hidden[0]) >= system.below
    return (len(hidden) == 1 and not is_beside_lacking) or any(
        _pool_gives_away(system, line, hidden, table)
        for table in system.tables
        if table.is_divisible and table.attributes == hidden[0][0]
    )


def _gives_away_missing(system: _System, line: _Line) -> bool:
    """Tell whether few rows that lack an attribute are what another test of the same counts beyond all groups."""
    return _lacks_few(system, line) and system.withheld.isdisjoint(line.cells)


def _lacks_few(system: _System, line: _Line) -> bool:
    """Tell whether a line of all groups leaves out few of the rows that another test of the same counts."""
    return line.margin is None and any(
        0 < system.whole[table.measured] - table.n < system.below
        for table in system.tables
        if table.measured is not None and not table.is_public and table.attributes == line.cells[0][0]
    )


def _is_shown(system: _System, key: Key) -> bool:
    held = [table for table in system.tables if _holds(table, {key})]
    return bool(held) and (key not in system.withheld or any(table.is_public for table in held))


def _pool_gives_away(system: _System, line: _Line, hidden: Sequence[Key], table: Counted) -> bool:
    """Tell whether withheld cells together are too few, all alike, or leave too few sizes for a small one."""
    pool = [table.cells[label] for _, label in hidden if label in table.cells]
    if not pool:
        return False
    n = sum(cell.n for cell in pool)
    hits = [cell.hits for cell in pool if cell.hits is not None]
    if n < system.below or (hits and sum(hits) in {0, n}):
        return True
    # Whoever knows the rule knows that a companion is no larger than those that could have been taken in its place.
    gone = system.withheld | system.spared.keys()
    left = [key for key in line.cells if key not in gone and key[1] in table.cells and _can_be_withheld(system, key)]
    most = min((table.cells[key[1]].n for key in left), default=n)
    few = [cell for cell in pool if cell.n < system.below]
    beside = len(pool) - len(few)
    if not few:
        return False
    low = max(1, n - (len(few) - 1) * (system.below - 1) - beside * max(most, system.below))
    high = min(system.below - 1, n - (len(few) - 1) - beside * system.below)
    return high - low < min(SPREAD, system.below - 2)


def _lines(tables: Sequence[Counted]) -> Iterator[_Line]:
    """Yield the sums that hold between the tables: into all rows, and into what two of them share."""
    cells: dict[tuple[str, ...], set[Label]] = {}
    for table in tables:
        cells.setdefault(table.attributes, set()).update(table.cells)
    margins = {(), *cells}
    while further := {_shared(one, other) for one, other in combinations(sorted(margins), 2)} - margins:
        margins |= further
    for attributes, labels in sorted(cells.items()):
        for margin in sorted(margins):
            if set(margin) < set(attributes):
                yield from _sums(attributes, labels, margin)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in one if name in other)


def _sums(attributes: tuple[str, ...], labels: Iterable[Label], margin: tuple[str, ...]) -> Iterator[_Line]:
    places = [attributes.index(name) for name in margin]
    parts: dict[Label, list[Key]] = {}
    for label in sorted(labels):
        parts.setdefault(tuple(label[place] for place in places), []).append((attributes, label))
    for label, keys in parts.items():
        yield _Line(cells=tuple(keys), margin=(margin, label) if margin else None)


def _solved(system: _System) -> set[Key]:
    """Return the withheld cells that the sums determine: those at which every solution has the same value."""
    unknown: dict[Key, int] = {key: i for i, key in enumerate(sorted(system.withheld))}
    rows: list[dict[int, float]] = []
    for line in system.lines:
        row = {unknown[key]: 1.0 for key in line.cells if key in system.withheld}
        if line.margin is not None and not _is_shown(system, line.margin):
            row[unknown.setdefault(line.margin, len(unknown))] = -1.0
        if row and _lacks_few(system, line):
            row[unknown.setdefault((line.cells[0][0], ()), len(unknown))] = 1.0
        if row:
            rows.append(row)
    if not rows:
        return set()
    matrix = np.zeros((len(rows), len(unknown)))
    for i, row in enumerate(rows):
        matrix[i, list(row)] = list(row.values())
    _, sizes, basis = np.linalg.svd(matrix, full_matrices=False)
    rank = int((sizes > _EXACT * max(1.0, sizes[0])).sum())
    # A variable is determined where its unit vector lies in the row space: there its projection has length 1.
    lengths = (basis[:rank] ** 2).sum(axis=0)
    return {key for key, i in unknown.items() if key in system.withheld and lengths[i] > 1 - _EXACT}
