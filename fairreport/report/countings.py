"""The evidence of every kind of test as tables of groups: what could be added up or subtracted from one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fairreport.analyses.grouping import Label
from fairreport.analyses.kinds import needs_of
from fairreport.analyses.pair_result import PairFinding
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.report.subtraction import Cell, Counted
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.tally import MetricTally, OutcomeTally, ScoreTally, ShareGroup, Tally

CONTROLS = "controls"
LACKING = "\0lacking"
"""Level of rows that lack an attribute; no text of a table has this character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """A table of groups in the evidence of a test.

    Attributes
    ----------
    name : str
        The test.
    of : str
        Which of its tables: empty for its groups, ``controls`` for those within the control columns.
    counted : Counted
        The table.
    is_linked : bool
        Whether its attributes are columns, so that other tests are known to speak of the same groups.
    """

    name: str
    of: str = ""
    counted: Counted
    is_linked: bool = True

    @property
    def part(self) -> tuple[str, str]:
        """The test and which of its tables."""
        return self.name, self.of


def countings_of(record: AuditRecord) -> Iterator[Counting]:
    """Yield every table of groups that the evidence of an audit holds."""
    for entry in record.entries:
        yield from _of_entry(entry)


def _of_entry(entry: Entry) -> Iterator[Counting]:
    if isinstance(entry, TestRecord) and entry.finding.evidence is not None:
        yield from _of_test(entry.name, entry.finding.evidence)
    elif isinstance(entry, GapRecord) and entry.finding.evidence is not None:
        yield from _of_gaps(entry.name, entry.finding.evidence)
    elif isinstance(entry, PairRecord) and entry.finding is not None:
        yield from _of_pairs(entry, entry.finding)


def _of_test(name: str, tally: Tally) -> Iterator[Counting]:
    measured = _measured(tally)
    yield Counting(
        name=name, counted=Counted(attributes=tally.attributes, cells=dict(_cells(tally)), measured=measured)
    )
    if isinstance(tally, OutcomeTally) and tally.strata:
        columns = (*tally.attributes, *tally.controls)
        cells = {(*cell.group, *cell.stratum): Cell(n=cell.n, hits=cell.favorable) for cell in tally.strata}
        counted = replace(_in_order(columns, cells), measured=measured)
        yield Counting(name=name, of=CONTROLS, counted=counted)


def _measured(tally: Tally) -> str:
    """Return what the rates of a test are of, as a text that tests of the same share."""
    match tally:
        case OutcomeTally():
            return repr((tally.outcome, tally.favorable_values))
        case ScoreTally():
            return repr((tally.score,))
        case MetricTally():
            return repr((tally.columns, tally.positive_values))


def _cells(tally: Tally) -> Iterator[tuple[Label, Cell]]:
    match tally:
        case OutcomeTally():
            yield from ((group.group, Cell(n=group.n, hits=group.favorable)) for group in tally.groups)
        case ScoreTally():
            yield from ((group.group, Cell(n=group.n, hits=group.above)) for group in tally.groups)
        case MetricTally():
            for group in tally.groups:
                whole = isinstance(group, ShareGroup) and group.support == group.n
                yield group.group, Cell(n=group.n, hits=group.hits if whole else None)  # type: ignore[union-attr]


def _in_order(columns: Sequence[str], cells: dict[Label, Cell]) -> Counted:
    """Return a table that is shown whole or not at all, its attributes sorted."""
    places = sorted(range(len(columns)), key=lambda i: columns[i])
    return Counted(
        attributes=tuple(columns[i] for i in places),
        cells={tuple(label[i] for i in places): cell for label, cell in cells.items()},
        is_divisible=False,
    )


def _of_gaps(name: str, tally: GapTally) -> Iterator[Counting]:
    sizes: dict[Label, int] = {}
    for cell in tally.cells:
        levels = tuple(LACKING if level is None else level for level in cell.levels)
        sizes[levels] = sizes.get(levels, 0) + cell.n
    yield Counting(name=name, counted=_in_order(tally.attributes, {label: Cell(n=n) for label, n in sizes.items()}))


def _of_pairs(entry: PairRecord, finding: PairFinding) -> Iterator[Counting]:
    needs = needs_of(entry.test)
    tally = finding.evidence
    is_linked = bool(entry.test.reference_values) and tally is not None
    if tally is None:
        rows = (row for table in finding.tables for row in table.rows)
        own = [((row.group_category,), row.group, row.n_eff) for row in rows]
        yield from _of_sizes(entry.name, own, is_linked=False)
    elif isinstance(tally, MeanTally):
        held = [(group, sums.n) for group, sums in zip(tally.plan.groups, tally.groups, strict=True)]
        yield from _of_sizes(entry.name, [*_by_category(tally, dict(held)), *_lacking(tally)], is_linked=is_linked)
    else:
        sizes = _by_category(tally, dict(_totals(tally, None)))
        yield from _of_sizes(entry.name, [*sizes, *_lacking(tally)], is_linked=is_linked)
        segment = needs.segment if isinstance(needs, PairNeeds) else None
        for value in tally.segments if segment is not None else ():
            within = [
                ((*columns, str(segment)), (group, value), n)
                for columns, group, n in _by_category(tally, dict(_totals(tally, value)))
            ]
            yield from _of_sizes(entry.name, within, is_linked=is_linked)


def _totals(tally: PairTally, segment: str | None) -> Iterator[tuple[str, float]]:
    """Yield how many rows each group has, of one segment or of all; of sampled rows, how many they are worth."""
    cells = [cell for cell in tally.cells if segment is None or cell.segment == segment]
    for i, group in enumerate(tally.plan.groups):
        total, squares = sum(cell.totals[i] for cell in cells), sum(cell.squares[i] for cell in cells)
        yield group, min(total, total**2 / squares) if squares else 0


def _by_category(tally: PairTally | MeanTally, sizes: dict[str, float]) -> list[tuple[tuple[str, ...], str, float]]:
    return [
        ((category,), tally.plan.groups[at], sizes[tally.plan.groups[at]])
        for i, category in enumerate(tally.plan.categories)
        for at in tally.plan.members(i)
    ]


def _lacking(tally: PairTally | MeanTally) -> list[tuple[tuple[str, ...], str, float]]:
    """Return how many rows have no membership in each category."""
    counts = (
        [sum(cell.missing[i] for cell in tally.cells) for i, _ in enumerate(tally.plan.categories)]
        if isinstance(tally, PairTally)
        else list(tally.missing)
    )
    return [((category,), LACKING, n) for category, n in zip(tally.plan.categories, counts, strict=True)]


def _of_sizes(
    name: str, sizes: Iterable[tuple[tuple[str, ...], str | Label, float]], *, is_linked: bool
) -> Iterator[Counting]:
    tables: dict[tuple[str, ...], dict[Label, Cell]] = {}
    for columns, group, n in sizes:
        label = (group,) if isinstance(group, str) else group
        if n > 0:
            tables.setdefault(columns, {})[label] = Cell(n=int(n))
    for columns, cells in tables.items():
        own = columns if is_linked else (f"{name}: {columns[0]}", *columns[1:])
        yield Counting(name=name, counted=_in_order(own, cells), is_linked=is_linked)
