"""The one pass: every test says what it needs, the table is grouped once, each test gets its tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairreport.errors import DataError, nearest
from fairreport.tables.source import Key, NestedColumnError, Table
from fairreport.tables.tally import (
    GroupCount,
    MissingCount,
    NoTally,
    OutcomeScan,
    OutcomeTally,
    RowCount,
    Spelling,
    StratumCount,
    Unavailable,
    ValueCount,
)
from fairreport.tables.text import Folder, NestedValueError, canonical

GROUP_CAP = 1000
"""More groups than this cannot be judged; exactly this many can."""

STRATUM_CAP = 1000
"""So many combinations of control columns, or more, cannot be adjusted for."""

_LISTED_VALUES = 10

Folded = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeNeeds:
    """What an outcome test needs of the table."""

    attributes: tuple[str, ...]
    outcome: str
    favorable_values: tuple[str, ...]
    controls: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column once: attributes, controls, outcome."""
        return tuple(dict.fromkeys((*self.attributes, *self.controls, self.outcome)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How cells are to be read, the same for every test of an audit.

    Attributes
    ----------
    counts : str or None
        Column that says how many rows each row stands for.
    missing_values : tuple of str
        Words that stand for a missing cell.
    declared : mapping of str to tuple of str
        Declared groups of an attribute; other values are left out and counted.
    """

    counts: str | None = None
    missing_values: tuple[str, ...] = ()
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def build(table: Table, needs: Sequence[OutcomeNeeds], reading: Reading) -> list[OutcomeScan]:
    """Return one scan for each test, from a single grouping pass over the table.

    Parameters
    ----------
    table : Table
        What is audited; only the columns that a test names are read.
    needs : sequence of OutcomeNeeds
        One entry a test.
    reading : Reading
        How cells are to be read.

    Raises
    ------
    DataError
        If the counts column is absent or holds anything but whole numbers >= 0.
    """
    if reading.counts is not None and not table.has(reading.counts):
        raise DataError(f"the table has no counts column {reading.counts!r}.{nearest(reading.counts, table.names)}")
    folders = {name: Folder(reading.missing_values) for need in needs for name in need.columns}
    nested: set[str] = set()
    while True:
        sinks = [_sink(table, need, reading, folders, nested) for need in needs]
        try:
            _scan(table, sinks, reading.counts)
        except NestedColumnError as error:  # the others go on without it
            nested.add(error.column)
            continue
        return [sink.scan() for sink in sinks]


def _sink(
    table: Table, need: OutcomeNeeds, reading: Reading, folders: dict[str, Folder], nested: set[str]
) -> _OutcomeSink | _Refused:
    for name in need.columns:
        if not table.has(name):
            detail = f"the table has no column {name!r}.{nearest(name, table.names)}"
            return _Refused(NoTally(code=Unavailable.MISSING_COLUMN, column=name, detail=detail))
    for name in need.columns:
        if name in table.nested or name in nested:
            detail = f"column {name!r} holds nested values; wanted text, numbers or booleans"
            return _Refused(NoTally(code=Unavailable.NESTED_COLUMN, column=name, detail=detail))
    return _OutcomeSink(need, reading, folders)


def _scan(table: Table, sinks: Sequence[_OutcomeSink | _Refused], counts: str | None) -> None:
    fed: dict[frozenset[str], list[tuple[_OutcomeSink, tuple[str, ...]]]] = {}
    for sink in sinks:
        if isinstance(sink, _OutcomeSink):
            fed.setdefault(frozenset(sink.need.columns), []).append((sink, sink.need.columns))
    if not fed:
        return
    sets = [columns[0][1] for columns in fed.values()]
    takers = [
        [(sink, tuple(names.index(name) for name in columns)) for sink, columns in group]
        for names, group in zip(sets, fed.values(), strict=True)
    ]
    for index, key, n in table.count(sets, counts):
        for sink, order in takers[index]:
            sink.add(tuple(key[i] for i in order), n)


@dataclass(frozen=True, slots=True)
class _Refused:
    """Stands in for a test whose columns rule it out before any row is read."""

    reason: NoTally

    def scan(self) -> OutcomeScan:
        return OutcomeScan(tally=self.reason)


class _OutcomeSink:
    """Folds raw cells and gathers the counts of one outcome test, in bounded memory."""

    def __init__(self, need: OutcomeNeeds, reading: Reading, folders: dict[str, Folder]) -> None:
        self.need = need
        self._columns = need.columns
        self._folders = [folders[name] for name in self._columns]
        place = {name: i for i, name in enumerate(self._columns)}
        self._attributes = tuple(sorted(need.attributes))
        self._controls = tuple(sorted(need.controls))
        self._at = [place[name] for name in self._attributes]
        self._by = [place[name] for name in self._controls]
        self._outcome = place[need.outcome]
        self._favorable = frozenset(need.favorable_values)
        self._declared = [
            frozenset(text for value in reading.declared[name] if (text := canonical(value)))
            if name in reading.declared
            else None
            for name in self._attributes
        ]
        self._filled = [False] * len(self._columns)
        self._total = self._with_inputs = self._missing_rows = self._undeclared_rows = 0
        self._missing: dict[str, list[int]] = {name: [0, 0] for name in self._attributes}
        self._undeclared: dict[str, set[str]] = {}
        self._groups: dict[tuple[str, ...], list[int]] = {}
        self._strata: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}
        self._too_many_strata = self._too_many_groups = False
        self._without_controls = 0
        self._unmatched: Counter[str] = Counter()

    def add(self, key: Key, n: int) -> None:
        """Take in `n` rows that share the same raw cells."""
        if self._too_many_groups:
            return
        cells = self._fold(key)
        self._total += n
        outcome = cells[self._outcome]
        if outcome is None:
            return
        self._with_inputs += n
        favorable = n if outcome in self._favorable else 0
        group = self._group(cells, n, favorable)
        if group is None:
            return
        if group not in self._groups and len(self._groups) == GROUP_CAP:
            self._too_many_groups = True
            return
        _add(self._groups.setdefault(group, [0, 0]), n, favorable)
        if not favorable:
            self._unmatched[outcome] += n
        if self._controls:
            self._stratify(group, cells, n, favorable)

    def _fold(self, key: Key) -> Folded:
        cells: list[str | None] = []
        for i, (folder, raw) in enumerate(zip(self._folders, key, strict=True)):
            try:
                text = folder(raw)
            except NestedValueError:
                raise NestedColumnError(self._columns[i]) from None
            if text is not None:
                self._filled[i] = True
            cells.append(text)
        return tuple(cells)

    def _group(self, cells: Folded, n: int, favorable: int) -> tuple[str, ...] | None:
        """Return the label of the group, or None, counted, where the rows belong to none."""
        label = [cells[i] for i in self._at]
        complete = tuple(text for text in label if text is not None)
        if len(complete) < len(label):
            self._missing_rows += n
            for name, text in zip(self._attributes, label, strict=True):
                if text is None:
                    _add(self._missing[name], n, favorable)
            return None
        undeclared = False
        for name, text, declared in zip(self._attributes, complete, self._declared, strict=True):
            if declared is not None and text not in declared:
                self._undeclared.setdefault(name, set()).add(text)
                undeclared = True
        if undeclared:
            self._undeclared_rows += n
            return None
        return complete

    def _stratify(self, group: tuple[str, ...], cells: Folded, n: int, favorable: int) -> None:
        stratum = tuple(text for i in self._by if (text := cells[i]) is not None)
        if len(stratum) < len(self._by):
            self._without_controls += n
            return
        if self._too_many_strata:
            return
        if stratum not in self._strata and len(self._strata) == STRATUM_CAP - 1:
            self._too_many_strata = True
            self._strata.clear()
            return
        _add(self._strata.setdefault(stratum, {}).setdefault(group, [0, 0]), n, favorable)

    def scan(self) -> OutcomeScan:
        """Return the finished tally, or why there is none."""
        reason = self._refusal()
        return OutcomeScan(
            tally=self._tally() if reason is None else reason,
            spellings=tuple(self._spellings()),
            undeclared=tuple(
                (name, tuple(sorted(values)[:_LISTED_VALUES])) for name, values in sorted(self._undeclared.items())
            ),
        )

    def _refusal(self) -> NoTally | None:
        for name, filled in zip(self._columns, self._filled, strict=True):
            if not filled:
                detail = f"column {name!r} has no value in any row"
                return NoTally(code=Unavailable.EMPTY_COLUMN, column=name, detail=detail)
        if self._too_many_groups:
            detail = f"there are more than {GROUP_CAP:,} groups"
            return NoTally(code=Unavailable.TOO_MANY_GROUPS, detail=detail)
        if not self._groups:
            detail = "no row has both the outcome and every protected attribute"
            return NoTally(code=Unavailable.NO_COMPLETE_ROWS, detail=detail)
        return None

    def _tally(self) -> OutcomeTally:
        strata = [
            StratumCount(group=group, stratum=stratum, n=n, favorable=favorable)
            for stratum, groups in sorted(self._strata.items())
            for group, (n, favorable) in sorted(groups.items())
        ]
        n_strata = (STRATUM_CAP if self._too_many_strata else len(self._strata)) if self._controls else None
        listed = sorted(self._unmatched.items(), key=lambda item: (-item[1], item[0]))[:_LISTED_VALUES]
        return OutcomeTally(
            attributes=self._attributes,
            outcome=self.need.outcome,
            controls=self._controls,
            favorable_values=tuple(sorted(self._favorable)),
            rows=RowCount(
                total=self._total,
                with_inputs=self._with_inputs,
                missing_attribute=self._missing_rows,
                undeclared=self._undeclared_rows,
                evaluated=sum(n for n, _ in self._groups.values()),
            ),
            groups=tuple(
                GroupCount(group=group, n=n, favorable=favorable) for group, (n, favorable) in sorted(self._groups.items())
            ),
            strata=tuple(strata),
            n_strata=n_strata,
            rows_without_controls=self._without_controls,
            missing=tuple(MissingCount(attribute=name, n=n, favorable=f) for name, (n, f) in self._missing.items()),
            unmatched=tuple(ValueCount(value=value, n=n) for value, n in listed),
            n_unmatched_values=len(self._unmatched),
        )

    def _spellings(self) -> Iterable[Spelling]:
        for name, folder in sorted(zip(self._columns, self._folders, strict=True)):
            if name in self._attributes:
                for value, spellings in folder.spellings().items():
                    yield Spelling(column=name, value=value, spellings=spellings)


def _add(totals: list[Any], n: int, favorable: int) -> None:
    totals[0] += n
    totals[1] += favorable
