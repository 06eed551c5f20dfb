"""Tables by category: rates of all categories of a column, of another, and of both together, each against the highest.

The tables are made of the counts of tests, not of their verdicts: neither a minimum size nor a reference that a test
states changes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.report.preset_choice import ChosenPreset, RoleColumn, columns_of, rate_tests
from fairreport.report.profile_counts import CategoryCount, CategoryCounts, Measured, counts_by, measured_by
from fairreport.stats import contrast

LEAVE_OUT, WHY_LEFT_OUT = "leave_out_below", "justification"
"""Keys of a profile: categories with a smaller share are left out of the ratios; why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTable:
    """One table.

    Attributes
    ----------
    roles : tuple of RoleColumn
        The parts that its columns play, in the order in which categories name them.
    counts : CategoryCounts
        All categories.
    best : CategoryCount or None
        The one with the highest rate, which others are held against; None where none is kept.
    kept, left_out : tuple of CategoryCount
        Those with a ratio, and those without.
    """

    roles: tuple[RoleColumn, ...]
    counts: CategoryCounts
    best: CategoryCount | None
    kept: tuple[CategoryCount, ...]
    left_out: tuple[CategoryCount, ...]

    def ratio(self, item: CategoryCount) -> float | None:
        """Return the rate of a category over the highest that is kept; None where nothing is above 0."""
        if self.best is None:
            return None
        return contrast.ratio(item.hits, item.n, self.best.hits, self.best.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentTable:
    """A table that cannot be made, with the test of both columns whose sums would leave rows out, if there is one."""

    roles: tuple[RoleColumn, ...]
    lacking: TestRecord | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CategorySet:
    """The tables of one thing that is measured.

    Attributes
    ----------
    measured : Measured
        What is counted.
    tests : tuple of TestRecord
        The tests that count it.
    tables : tuple of CategoryTable
        Those that could be made.
    absent : tuple of AbsentTable
        Those that could not.
    """

    measured: Measured
    tests: tuple[TestRecord, ...]
    tables: tuple[CategoryTable, ...]
    absent: tuple[AbsentTable, ...]

    def single(self, role: RoleColumn) -> CategoryTable | None:
        """Return the table of one column alone."""
        return next((table for table in self.tables if table.roles == (role,)), None)


def category_sets(chosen: ChosenPreset, record: AuditRecord) -> tuple[CategorySet, ...]:
    """Return the tables of everything that tests measure, in the order of the tests."""
    roles = columns_of(chosen, record)
    found: dict[Measured, list[TestRecord]] = {}
    for entry in rate_tests(record):
        measured = measured_by(entry)
        window = record.window_of(entry.name) if record.data.test_windows else None
        if measured is not None:
            key = measured if window is None else replace(measured, window=(window.start, window.end))
            found.setdefault(key, []).append(entry)
    return tuple(_set(chosen, roles, measured, entries) for measured, entries in found.items())


def published_by(chosen: ChosenPreset | None, record: AuditRecord) -> frozenset[str]:
    """Return the names of the tests whose counts a preset has to publish: those that its tables are made of."""
    if chosen is None or not chosen.preset.publishes_counts:
        return frozenset()
    return frozenset(table.counts.test for found in category_sets(chosen, record) for table in found.tables)


def _set(
    chosen: ChosenPreset, roles: Sequence[RoleColumn], measured: Measured, entries: Sequence[TestRecord]
) -> CategorySet:
    wanted: list[tuple[RoleColumn, ...]] = [(role,) for role in roles]
    if len(roles) > 1:
        wanted.append(tuple(reversed(roles)))
    tables: list[CategoryTable] = []
    absent: list[AbsentTable] = []
    for parts in wanted:
        columns = [role.column for role in parts if role.column is not None]
        names = {role.column: chosen.profile.labels.get(role.key.key, {}) for role in parts if role.column is not None}
        counts = counts_by(entries, columns, names) if len(columns) == len(parts) else None
        if counts is None:
            absent.append(AbsentTable(roles=parts, lacking=_wider(entries, columns, len(parts))))
        else:
            tables.append(_table(parts, counts, chosen.profile.shares.get(LEAVE_OUT)))
    return CategorySet(measured=measured, tests=tuple(entries), tables=tuple(tables), absent=tuple(absent))


def _wider(entries: Iterable[TestRecord], columns: Sequence[str], wanted: int) -> TestRecord | None:
    """Return a test that has these columns and more."""
    if len(columns) < wanted:
        return None
    return next((it for it in entries if set(columns) < set(it.test.protected_attribute_columns)), None)


def _table(roles: tuple[RoleColumn, ...], counts: CategoryCounts, share: float | None) -> CategoryTable:
    least = Fraction(0) if share is None else Fraction(str(share)) * counts.n
    kept = tuple(item for item in counts.counts if item.n >= least)
    left_out = tuple(item for item in counts.counts if item.n < least)
    best = min(kept, key=lambda item: (-item.rate, -item.n, item.label), default=None)
    return CategoryTable(roles=roles, counts=counts, best=best, kept=kept, left_out=left_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """A category whose people differ between its own table and the sums of the table of both columns."""

    category: str
    single: CategoryCount
    summed: CategoryCount


def mismatches(found: CategorySet) -> Iterator[tuple[RoleColumn, tuple[Mismatch, ...]]]:
    """Yield, for each column, the categories whose people are not those of the table of both columns."""
    both = next((table for table in found.tables if len(table.roles) > 1), None)
    if both is None:
        return
    for position, role in enumerate(both.roles):
        single = found.single(role)
        if single is None:
            continue
        sums = both.counts.total_by(position)
        alone = {item.label[0]: item for item in single.counts.counts}
        none = CategoryCount(label=(), n=0, hits=0)
        differing = tuple(
            Mismatch(category=name, single=alone.get(name, none), summed=sums.get(name, none))
            for name in dict.fromkeys([*alone, *sums])
            if _people(alone.get(name, none)) != _people(sums.get(name, none))
        )
        if differing:
            yield role, differing


def _people(item: CategoryCount) -> tuple[int, int]:
    return item.n, item.hits
