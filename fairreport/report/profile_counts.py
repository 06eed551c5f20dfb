"""Counts of categories for the tables of a preset: the groups of tests, or exact sums of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.result import SkipCode
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import TestRecord
from fairreport.tables.tally import OutcomeTally, ScoreTally

Label = tuple[str, ...]

_NO_COUNTS = {SkipCode.UNLISTED_OUTCOME, SkipCode.WITHHELD}
"""Tests skipped for these have evidence that says nothing of a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What is counted: favorable outcomes, or scores beyond the median.

    Attributes
    ----------
    column : str
        The outcome, or the score.
    favorable : tuple of str
        Favorable outcomes; empty of a score.
    is_score, is_above : bool
        Whether it is a score; whether higher scores are favorable.
    window : tuple of str or None
        Start and end, in UTC, of the rows that are counted, where tests have windows of their own.
    """

    column: str
    favorable: tuple[str, ...] = ()
    is_score: bool = False
    is_above: bool = True
    window: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCount:
    """People of one category, and those of them who are selected or score beyond the median."""

    label: Label
    n: int
    hits: int

    @property
    def rate(self) -> Fraction:
        """The exact rate."""
        return Fraction(self.hits, self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCounts:
    """All categories of one table.

    Attributes
    ----------
    columns : tuple of str
        The columns whose combinations they are.
    counts : tuple of CategoryCount
        One a category that has people.
    unknown, undeclared : int
        People without a category; with one that was not declared.
    test : str
        Name of the test that counted them.
    is_summed : bool
        Whether they are sums over further columns of that test.
    median : float or None
        What scores are held against.
    merged : int
        How many values of the data count together with others.
    """

    columns: tuple[str, ...]
    counts: tuple[CategoryCount, ...]
    unknown: int
    undeclared: int
    test: str
    is_summed: bool
    median: float | None
    merged: int = 0

    @property
    def n(self) -> int:
        """People in all categories."""
        return sum(item.n for item in self.counts)

    def total_by(self, position: int) -> dict[str, CategoryCount]:
        """Return sums over the other columns, by the category of one."""
        found: dict[str, CategoryCount] = {}
        for item in self.counts:
            key = item.label[position]
            before = found.get(key, CategoryCount(label=(key,), n=0, hits=0))
            found[key] = CategoryCount(label=(key,), n=before.n + item.n, hits=before.hits + item.hits)
        return found


def measured_by(entry: TestRecord) -> Measured | None:
    """Return what a test of rates counts; None of any other, and of one without counts."""
    tally, skip = entry.finding.evidence, entry.finding.skip
    if skip is not None and skip.code in _NO_COUNTS:
        return None
    if isinstance(entry.test, OutcomeDisparity) and isinstance(tally, OutcomeTally):
        return Measured(column=tally.outcome, favorable=tally.favorable_values)
    if isinstance(entry.test, ScoreDisparity) and isinstance(tally, ScoreTally):
        return Measured(column=tally.score, is_score=True, is_above=entry.test.higher_is_favorable)
    return None


def counts_by(
    entries: Iterable[TestRecord], columns: Sequence[str], names: Mapping[str, Mapping[str, str]]
) -> CategoryCounts | None:
    """Return the categories of some columns, counted by tests that measure the same.

    A test of just these columns is taken before one of more. The sums of the latter are theirs only where every row
    has a value in the further columns; else they would leave rows out.

    Parameters
    ----------
    entries : iterable of TestRecord
        Tests with evidence.
    columns : sequence of str
        The columns, in the order in which categories name them.
    names : mapping of str to mapping of str to str
        How values of a column are called; others as they are.
    """
    held = [(entry, tally) for entry in entries for tally in _tallies(entry) if set(columns) <= set(tally.attributes)]
    for entry, tally in sorted(held, key=lambda pair: len(pair[1].attributes)):
        if set(tally.attributes) == set(columns) or _sums_are_whole(tally, columns):
            return _summed(entry, tally, columns, names)
    return None


def _tallies(entry: TestRecord) -> Iterator[OutcomeTally | ScoreTally]:
    if isinstance(entry.finding.evidence, OutcomeTally | ScoreTally):
        yield entry.finding.evidence


def _sums_are_whole(tally: OutcomeTally | ScoreTally, columns: Sequence[str]) -> bool:
    """Tell whether the rows left out of a tally lack one of these columns, and no other."""
    lacking = sum(item.n for item in tally.missing if item.attribute not in columns)
    counted = sum(group.n for group in tally.groups)
    return not lacking and not tally.rows.undeclared and counted == tally.rows.evaluated


def _summed(
    entry: TestRecord,
    tally: OutcomeTally | ScoreTally,
    columns: Sequence[str],
    names: Mapping[str, Mapping[str, str]],
) -> CategoryCounts:
    places = [tally.attributes.index(name) for name in columns]
    raw: dict[Label, tuple[int, int]] = {}
    for label, n, hits in _groups(entry, tally):
        key = tuple(label[i] for i in places)
        before = raw.get(key, (0, 0))
        raw[key] = (before[0] + n, before[1] + hits)
    called: dict[Label, list[tuple[int, int]]] = {}
    for key, counted in raw.items():
        label = tuple(names.get(column, {}).get(value, value) for column, value in zip(columns, key, strict=True))
        called.setdefault(label, []).append(counted)
    order = [_order(names.get(column, {})) for column in columns]
    return CategoryCounts(
        columns=tuple(columns),
        counts=tuple(
            CategoryCount(label=label, n=sum(n for n, _ in parts), hits=sum(hits for _, hits in parts))
            for label, parts in sorted(called.items(), key=lambda item: _place(item[0], order))
        ),
        unknown=tally.rows.missing_attribute,
        undeclared=tally.rows.undeclared,
        test=entry.name,
        is_summed=len(tally.attributes) > len(columns),
        median=tally.overall_median if isinstance(tally, ScoreTally) else None,
        merged=sum(len(parts) for parts in called.values() if len(parts) > 1),
    )


def _groups(entry: TestRecord, tally: OutcomeTally | ScoreTally) -> Iterator[tuple[Label, int, int]]:
    """Yield label, people and hits of each group that has people."""
    if isinstance(tally, OutcomeTally):
        yield from ((group.group, group.n, group.favorable) for group in tally.groups if group.n)
    else:
        above = not isinstance(entry.test, ScoreDisparity) or entry.test.higher_is_favorable
        yield from ((group.group, group.n, group.above if above else group.below) for group in tally.groups if group.n)


def _order(names: Mapping[str, str]) -> dict[str, int]:
    """Return the places of names that the user stated, in the order of stating."""
    return {name: place for place, name in enumerate(dict.fromkeys(names.values()))}


def _place(label: Label, order: Sequence[Mapping[str, int]]) -> list[tuple[int, str]]:
    """Sort by what the user stated first, then by name."""
    return [(places.get(name, len(places)), name) for name, places in zip(label, order, strict=True)]
