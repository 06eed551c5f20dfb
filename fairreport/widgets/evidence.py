"""The scans that an explorer answers from: those of the run, and those that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import prod

from fairreport.analyses.kinds import AnyTest, needs_of
from fairreport.tables.build import AnyNeeds, AnyScan, build
from fairreport.tables.cells import CountedCells, count_cells
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.levels import PAIRED_GROUPS
from fairreport.tables.needs import Measure, MeasureNeeds, Needs, OutcomeNeeds, Reading
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.pair_scan import PairScan
from fairreport.tables.source import Table, at_one_moment
from fairreport.tables.tally import COMPARED_ROWS, MetricTally, OutcomeTally, Scan, ScoreTally
from fairreport.widgets.marginal import marginal_scan
from fairreport.widgets.pair_reference import referenced_scan

CELL_CAP = 100_000
"""Up to so many combinations of all attributes, controls and outcomes are kept, so that any of them is answered."""

Label = tuple[str, ...]


class Lack(StrEnum):
    """What the counts at hand do not hold for some settings; one scan gives it."""

    NOTHING = "nothing"
    COUNTS = "counts"
    PAIRS = "pairs"
    SUMS = "sums"
    ROWS = "rows"
    INTERVALS = "intervals"
    DISTRIBUTIONS = "distributions"
    CALIBRATION = "calibration"

    @property
    def is_blocking(self) -> bool:
        """Whether nothing can be judged without it."""
        return self in {Lack.COUNTS, Lack.PAIRS, Lack.SUMS, Lack.ROWS}


Found = tuple[AnyScan | None, Lack]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A scan, and what it was made for: the test, the reference group, and the level of intervals."""

    need: AnyNeeds
    scan: AnyScan
    position: int
    reference: Label | None = None
    level: float | None = None


class Evidence:
    """Scans by what they were made for.

    Parameters
    ----------
    table : Table
        What is audited; read only by `gather`.
    reading : Reading
        How its cells are read.
    tests : mapping of int to test
        The tests as stated, by their position in the audit.
    scans : mapping of int to scan
        What each was judged from.
    """

    def __init__(
        self, table: Table, reading: Reading, tests: Mapping[int, AnyTest], scans: Mapping[int, AnyScan]
    ) -> None:
        self.table = table
        self.reading = reading
        self._kept = [_keep(i, needs_of(test), scans[i]) for i, test in tests.items()]
        self._cells: tuple[CountedCells, ...] = ()
        self._sets = _foldable([scan for scan in scans.values() if isinstance(scan, Scan)])

    def scan(self, position: int, test: AnyTest) -> Found:
        """Return the scan of a test from what is at hand, and what a scan of the table would add to it.

        Parameters
        ----------
        position : int
            Which test of the audit.
        test : test
            The test under the settings that are asked.

        Returns
        -------
        scan : scan or None
            None where what the test is judged from was not counted yet.
        lack : Lack
            With `Lack.NOTHING` the scan is the one that the table itself would give.
        """
        need = needs_of(test)
        mine = [kept for kept in self._kept if kept.position == position]
        if isinstance(need, OutcomeNeeds):
            return self._outcome(position, need)
        if isinstance(need, MeasureNeeds):
            return self._measure(mine, need)
        if isinstance(need, GapNeeds):
            return _gaps(mine, need)
        if isinstance(need, PairNeeds):
            return self._pairs(mine, need)
        return mine[0].scan, Lack.NOTHING  # rows themselves

    def _outcome(self, position: int, need: OutcomeNeeds) -> Found:
        """Return counts of an outcome, whichever test they were made for."""
        for kept in self._kept:
            if isinstance(kept.need, OutcomeNeeds) and _is_alike(kept.need, need):
                return kept.scan, Lack.NOTHING
        for cells in self._cells:
            if cells.covers(need):
                return self._kept_too(position, need, cells.scan(need, self.reading)), Lack.NOTHING
        return self._narrowed(position, need, self._kept)

    def _measure(self, mine: Sequence[_Kept], need: MeasureNeeds) -> Found:
        alike = [
            it for it in mine if isinstance(it.need, MeasureNeeds) and set(it.need.attributes) == set(need.attributes)
        ]
        if not alike:
            return self._narrowed(mine[0].position, need, mine)
        fitted = [_fitted(kept, need) for kept in alike]
        return next((found for found in fitted if found[1] is Lack.NOTHING), fitted[0])

    def _narrowed(self, position: int, need: Needs, known: Sequence[_Kept]) -> Found:
        """Return counts of fewer attributes from those of more, where they are the same as those of a scan."""
        for kept in known:
            if isinstance(kept.scan, Scan) and isinstance(kept.need, (OutcomeNeeds, MeasureNeeds)):
                found = marginal_scan(kept.scan, kept.need, need)
                if found is not None:
                    return self._kept_too(position, need, found), Lack.NOTHING
        return None, Lack.COUNTS

    def _pairs(self, mine: Sequence[_Kept], need: PairNeeds) -> Found:
        known = [(kept.need, kept.scan) for kept in mine if isinstance(kept.need, PairNeeds)]
        for of, scan in known:
            if of == need:
                return scan, Lack.NOTHING
        for of, scan in known:
            if isinstance(scan, PairScan) and (found := referenced_scan(scan, of, need, self.reading)) is not None:
                return self._kept_too(mine[0].position, need, found), Lack.NOTHING
        return None, Lack.SUMS

    def _kept_too(self, position: int, need: AnyNeeds, scan: AnyScan) -> AnyScan:
        self._kept.append(_keep(position, need, scan))
        return scan

    def gather(self, position: int, test: AnyTest) -> None:
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
        (scan,) = at_one_moment(self.table, lambda: build(self.table, [need], self.reading))
        self._kept.insert(0, _keep(position, need, scan))


def _is_alike(of: OutcomeNeeds, need: OutcomeNeeds) -> bool:
    """Tell whether two tests count the same, whatever the order of their columns."""
    alike = set(of.attributes) == set(need.attributes) and set(of.controls) == set(need.controls)
    return alike and replace(of, attributes=need.attributes, controls=need.controls) == need


def _keep(position: int, need: AnyNeeds, scan: AnyScan) -> _Kept:
    kept = _Kept(need=need, scan=scan, position=position)
    if not isinstance(need, MeasureNeeds) or need.choose is None:
        return kept
    if not isinstance(scan, Scan) or not isinstance(scan.tally, (ScoreTally, MetricTally)):
        return kept
    return replace(kept, reference=need.choose(scan.tally), level=need.level)


def _gaps(mine: Sequence[_Kept], need: GapNeeds) -> Found:
    """Return the cases of a test of rate gaps, of which only calibration hangs on a setting."""
    alike = [it for it in mine if isinstance(it.need, GapNeeds) and (it.need.bins == need.bins or not need.probability)]
    return (alike[0].scan, Lack.NOTHING) if alike else (mine[0].scan, Lack.CALIBRATION)


def _fitted(kept: _Kept, need: MeasureNeeds) -> Found:
    """Return a scan less what was made for another reference, and what is then lacking."""
    scan = kept.scan
    if not isinstance(scan, Scan) or need.choose is None:
        return scan, Lack.NOTHING
    tally = scan.tally
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
    for name, level in (pair for scan in scans for pair in _named_levels(scan)):
        found.setdefault(name, set()).add(level)
    return {name: len(values) for name, values in found.items()}


def _named_levels(scan: Scan) -> Iterator[tuple[str, str]]:
    tally = scan.tally
    if isinstance(tally, (OutcomeTally, ScoreTally, MetricTally)):
        for group in tally.groups:
            yield from zip(tally.attributes, group.group, strict=True)
    if isinstance(tally, OutcomeTally):
        for cell in tally.strata:
            yield from zip(tally.controls, cell.stratum, strict=True)
