"""The scans that an explorer answers from: those of the run, and those that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import prod

from fairreport.analyses.kinds import Test, needs_of
from fairreport.tables.build import build
from fairreport.tables.cells import CountedCells, count_cells
from fairreport.tables.levels import PAIRED_GROUPS
from fairreport.tables.needs import Measure, MeasureNeeds, Needs, OutcomeNeeds, Reading
from fairreport.tables.source import Table
from fairreport.tables.tally import COMPARED_ROWS, MetricTally, OutcomeTally, Scan, ScoreTally

CELL_CAP = 100_000
"""Up to so many combinations of all attributes, controls and outcomes are kept, so that any of them is answered."""

Label = tuple[str, ...]
_Place = tuple[int, frozenset[str], frozenset[str]]


class Lack(StrEnum):
    """What the counts at hand do not hold for some settings; one scan gives it."""

    NOTHING = "nothing"
    COUNTS = "counts"
    PAIRS = "pairs"
    INTERVALS = "intervals"
    DISTRIBUTIONS = "distributions"

    @property
    def is_blocking(self) -> bool:
        """Whether nothing can be judged without it."""
        return self in {Lack.COUNTS, Lack.PAIRS}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A scan, and what it was made for: the reference group, and the level of intervals."""

    scan: Scan
    reference: Label | None
    level: float | None


class Evidence:
    """Scans by test, attributes and controls.

    Parameters
    ----------
    table : Table
        What is audited; read only by `gather`.
    reading : Reading
        How its cells are read.
    tests : mapping of int to Test
        The tests as stated, by their position in the audit.
    scans : mapping of int to Scan
        What each was judged from.
    """

    def __init__(self, table: Table, reading: Reading, tests: Mapping[int, Test], scans: Mapping[int, Scan]) -> None:
        self.table = table
        self.reading = reading
        self._kept = {_place(i, needs_of(test)): _keep(needs_of(test), scans[i]) for i, test in tests.items()}
        self._cells: tuple[CountedCells, ...] = ()
        self._sets = _foldable(list(scans.values()))

    def scan(self, position: int, test: Test) -> tuple[Scan | None, Lack]:
        """Return the scan of a test from what is at hand, and what a scan of the table would add to it.

        Parameters
        ----------
        position : int
            Which test of the audit.
        test : Test
            The test under the settings that are asked.

        Returns
        -------
        scan : Scan or None
            None where the groups were not counted yet.
        lack : Lack
            With `Lack.NOTHING` the scan is the one that the table itself would give.
        """
        need = needs_of(test)
        place = _place(position, need)
        if place not in self._kept and isinstance(need, OutcomeNeeds):
            for cells in self._cells:
                if cells.covers(need):
                    self._kept[place] = _keep(need, cells.scan(need, self.reading))
                    break
        kept = self._kept.get(place)
        return (None, Lack.COUNTS) if kept is None else _fitted(kept, need)

    def gather(self, position: int, test: Test) -> None:
        """Read the table once for what a test lacks.

        For an outcome test all attributes and controls of the audit are counted together where that is feasible, so
        that every further combination is at hand.

        Raises
        ------
        DataError
            If the table cannot be read.
        """
        need = needs_of(test)
        if isinstance(need, OutcomeNeeds) and not self._cells and any(set(need.columns) <= set(s) for s in self._sets):
            self._cells = count_cells(self.table, self._sets, self.reading)
            if self.scan(position, test)[0] is not None:
                return
        (scan,) = build(self.table, [need], self.reading)
        if not isinstance(scan, Scan):
            raise TypeError(type(scan).__name__)
        self._kept[_place(position, need)] = _keep(need, scan)


def _place(position: int, need: Needs) -> _Place:
    controls = need.controls if isinstance(need, OutcomeNeeds) else ()
    return position, frozenset(need.attributes), frozenset(controls)


def _keep(need: Needs, scan: Scan) -> _Kept:
    if isinstance(need, OutcomeNeeds) or need.choose is None or not isinstance(scan.tally, (ScoreTally, MetricTally)):
        return _Kept(scan=scan, reference=None, level=None)
    return _Kept(scan=scan, reference=need.choose(scan.tally), level=need.level)


def _fitted(kept: _Kept, need: Needs) -> tuple[Scan, Lack]:
    """Return a scan less what was made for another reference, and what is then lacking."""
    scan, tally = kept.scan, kept.scan.tally
    if not isinstance(need, MeasureNeeds) or need.choose is None:
        return scan, Lack.NOTHING
    if isinstance(tally, ScoreTally):
        wanted = need.choose(tally)
        if wanted == kept.reference or tally.rows.evaluated > COMPARED_ROWS:
            return scan, Lack.NOTHING
        fitted = replace(scan, tally=replace(tally, comparisons=()))
        return fitted, Lack.NOTHING if wanted is None else Lack.DISTRIBUTIONS
    if isinstance(tally, MetricTally) and need.measure is Measure.QUANTILE:
        lack = Lack.NOTHING if kept.level == need.level else Lack.INTERVALS
        if len(tally.groups) <= PAIRED_GROUPS or (wanted := need.choose(tally)) == kept.reference:
            return scan, lack
        return replace(scan, tally=replace(tally, pairs=())), lack if wanted is None else Lack.PAIRS
    return scan, Lack.NOTHING


def _foldable(scans: Sequence[Scan]) -> tuple[tuple[str, ...], ...]:
    """Return, for each outcome column, the columns that can be counted together: few enough combinations."""
    levels = _levels(scans)
    outcomes: dict[str, int] = {}
    for scan in scans:
        tally = scan.tally
        if isinstance(tally, OutcomeTally):
            values = tally.n_unmatched_values + len(tally.favorable_values) + 1
            outcomes[tally.outcome] = max(values, outcomes.get(tally.outcome, 0))
    sets = []
    for outcome, values in outcomes.items():
        names = [name for name in sorted(levels) if name != outcome]
        if prod(levels[name] + 1 for name in names) * values <= CELL_CAP:
            sets.append((*names, outcome))
    return tuple(sets)


def _levels(scans: Sequence[Scan]) -> dict[str, int]:
    """Return how many levels each attribute and control has, where a tally tells."""
    found: dict[str, set[str]] = {}
    for scan in scans:
        tally = scan.tally
        if isinstance(tally, (OutcomeTally, ScoreTally, MetricTally)):
            for group in tally.groups:
                for name, level in zip(tally.attributes, group.group, strict=True):
                    found.setdefault(name, set()).add(level)
        if isinstance(tally, OutcomeTally):
            for cell in tally.strata:
                for name, level in zip(tally.controls, cell.stratum, strict=True):
                    found.setdefault(name, set()).add(level)
    return {name: len(values) for name, values in found.items()}
