"""Where grouped raw cells end up: folded, placed in groups, counted, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from fairreport.errors import DataError
from fairreport.stats.proportion import LARGEST_TOTAL
from fairreport.tables.needs import Labels, MeasureNeeds, OutcomeNeeds, Reading
from fairreport.tables.source import Key, NestedColumnError
from fairreport.tables.tally import (
    GroupCount,
    MissingCount,
    NoTally,
    OutcomeTally,
    RowCount,
    Scan,
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

LISTED_VALUES = 10

Label = tuple[str, ...]
Folded = tuple[str | None, ...]


class RowSink:
    """What all tests share: folding, the order in which rows are left out, the groups.

    Parameters
    ----------
    columns : sequence of str
        The columns whose raw cells are fed, in their order.
    attributes : sequence of str
        Those of them whose combinations are the groups.
    reading : Reading
        How cells are to be read.
    folders : mapping of str to Folder
        One folder a column, shared among tests.
    """

    def __init__(
        self,
        columns: Sequence[str],
        attributes: Sequence[str],
        reading: Reading,
        folders: Mapping[str, Folder],
    ) -> None:
        self.columns = tuple(columns)
        self.attributes = tuple(sorted(attributes))
        self.folders = [folders[name] for name in self.columns]
        self.filled = [False] * len(self.columns)
        self._at = [self.columns.index(name) for name in self.attributes]
        self._declared = [
            frozenset(text for value in reading.declared[name] if (text := canonical(value)))
            if name in reading.declared
            else None
            for name in self.attributes
        ]
        self.total = self.with_inputs = self.missing_rows = self.undeclared_rows = 0
        self._missing: dict[str, list[int]] = {name: [0, 0] for name in self.attributes}
        self._undeclared: dict[str, set[str]] = {}
        self.sizes: dict[Label, int] = {}
        self.too_many_groups = False

    def fold(self, key: Key) -> Folded:
        """Return the texts of raw cells."""
        cells: list[str | None] = []
        for i, (folder, raw) in enumerate(zip(self.folders, key, strict=True)):
            try:
                text = folder(raw)
            except NestedValueError:
                raise NestedColumnError(self.columns[i]) from None
            if text is not None:
                self.filled[i] = True
            cells.append(text)
        return tuple(cells)

    def look(self, key: Key) -> None:
        """Note which columns have a value, and keep nothing else."""
        for i, filled in enumerate(self.filled):
            if not filled:
                try:
                    self.filled[i] = self.folders[i](key[i]) is not None
                except NestedValueError:
                    raise NestedColumnError(self.columns[i]) from None

    def without_a_value(self) -> tuple[str, ...]:
        """Return the columns in which no value was met so far."""
        return tuple(name for name, filled in zip(self.columns, self.filled, strict=True) if not filled)

    def look_at(self, name: str, cells: Iterable[object]) -> None:
        """Note whether any of the cells of a column is a value."""
        place = self.columns.index(name)
        self.filled[place] = any(self.folders[place](cell) is not None for cell in cells)

    def place(self, cells: Folded, n: int, favorable: int) -> Label | None:
        """Count rows that have the measured columns; return their group, None where they belong to none."""
        self.with_inputs += n
        label = [cells[i] for i in self._at]
        complete = tuple(text for text in label if text is not None)
        if len(complete) < len(label):
            self.missing_rows += n
            for name, text in zip(self.attributes, label, strict=True):
                if text is None:
                    self._missing[name][0] += n
                    self._missing[name][1] += favorable
            return None
        if self._is_undeclared(complete):
            self.undeclared_rows += n
            return None
        if complete not in self.sizes and len(self.sizes) == GROUP_CAP:
            self.too_many_groups = True
            return None
        self.sizes[complete] = self.sizes.get(complete, 0) + n
        return complete

    def _is_undeclared(self, label: Label) -> bool:
        found = False
        for name, text, declared in zip(self.attributes, label, self._declared, strict=True):
            if declared is not None and text not in declared:
                self._undeclared.setdefault(name, set()).add(text)
                found = True
        return found

    def first_empty(self) -> NoTally | None:
        """Return the refusal for the first column without any value, if there is one."""
        for name, filled in zip(self.columns, self.filled, strict=True):
            if not filled:
                return empty_column(name)
        return None

    def no_groups(self, inputs: str) -> NoTally | None:
        """Return the refusal for too many groups or none, if it applies.

        Raises
        ------
        DataError
            If a group has more rows than the statistics take.
        """
        if self.too_many_groups:
            return NoTally(code=Unavailable.TOO_MANY_GROUPS, detail=f"there are more than {GROUP_CAP:,} groups")
        if not self.sizes:
            detail = f"no row has both {inputs} and every protected attribute"
            return NoTally(code=Unavailable.NO_COMPLETE_ROWS, detail=detail)
        label, largest = max(self.sizes.items(), key=lambda item: item[1])
        if largest > LARGEST_TOTAL:
            raise DataError(f"group {', '.join(label)!r} has {largest:,} rows; wanted at most {LARGEST_TOTAL:,}")
        return None

    def row_count(self) -> RowCount:
        """Return how the rows became evaluated rows."""
        return RowCount(
            total=self.total,
            with_inputs=self.with_inputs,
            missing_attribute=self.missing_rows,
            undeclared=self.undeclared_rows,
            evaluated=sum(self.sizes.values()),
        )

    def missing(self, *, with_favorable: bool) -> tuple[MissingCount, ...]:
        """Return the rows that lack each attribute."""
        return tuple(
            MissingCount(attribute=name, n=n, favorable=favorable if with_favorable else None)
            for name, (n, favorable) in self._missing.items()
        )

    def undeclared(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return up to ten undeclared values of each column."""
        return tuple((name, tuple(sorted(values)[:LISTED_VALUES])) for name, values in sorted(self._undeclared.items()))

    def absent(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return up to ten declared values of each column that no counted row has."""
        found = []
        for i, (name, declared) in enumerate(zip(self.attributes, self._declared, strict=True)):
            absent = sorted((declared or frozenset()) - {label[i] for label in self.sizes})
            if absent:
                found.append((name, tuple(absent[:LISTED_VALUES])))
        return tuple(found)

    def spellings(self) -> tuple[Spelling, ...]:
        """Return the spellings of attribute values that were folded into one."""
        return tuple(
            Spelling(column=name, value=value, spellings=spellings)
            for name in self.attributes
            for value, spellings in self.folders[self.columns.index(name)].spellings().items()
        )


def empty_column(name: str) -> NoTally:
    """Return the refusal for a column without any value."""
    return NoTally(code=Unavailable.EMPTY_COLUMN, column=name, detail=f"column {name!r} has no value in any row")


class OutcomeSink(RowSink):
    """Gathers the counts of one outcome test."""

    def __init__(self, need: OutcomeNeeds, reading: Reading, folders: Mapping[str, Folder]) -> None:
        super().__init__(need.columns, need.attributes, reading, folders)
        self._need = need
        self._controls = tuple(sorted(need.controls))
        self._by = [self.columns.index(name) for name in self._controls]
        self._outcome = self.columns.index(need.outcome)
        self._favorable = frozenset(need.favorable_values)
        self._hits: Counter[Label] = Counter()
        self._strata: dict[Label, dict[Label, list[int]]] = {}
        self._too_many_strata = False
        self._without_controls = 0
        self._unmatched: Counter[str] = Counter()

    def add(self, key: Key, n: int) -> None:
        """Take in `n` rows that share the same raw cells."""
        if self.too_many_groups:
            self.look(key)
            return
        cells = self.fold(key)
        self.total += n
        outcome = cells[self._outcome]
        if outcome is None:
            return
        favorable = n if outcome in self._favorable else 0
        group = self.place(cells, n, favorable)
        if group is None:
            return
        if favorable:
            self._hits[group] += favorable
        else:
            self._unmatched[outcome] += n
        if self._controls:
            self._stratify(group, cells, n, favorable)

    def _stratify(self, group: Label, cells: Folded, n: int, favorable: int) -> None:
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
        counts = self._strata.setdefault(stratum, {}).setdefault(group, [0, 0])
        counts[0] += n
        counts[1] += favorable

    def scan(self) -> Scan:
        """Return the finished tally, or why there is none."""
        refused = self.first_empty() or self.no_groups("the outcome")
        return Scan(
            tally=refused if refused is not None else self._tally(),
            spellings=self.spellings(),
            undeclared=self.undeclared(),
            absent=self.absent(),
        )

    def _tally(self) -> OutcomeTally:
        strata = [
            StratumCount(group=group, stratum=stratum, n=n, favorable=favorable)
            for stratum, groups in sorted(self._strata.items())
            for group, (n, favorable) in sorted(groups.items())
        ]
        n_strata = (STRATUM_CAP if self._too_many_strata else len(self._strata)) if self._controls else None
        unfavorable = frozenset(self._need.unfavorable_values)  # values in neither list come first
        ranked = sorted(self._unmatched.items(), key=lambda item: (item[0] in unfavorable, -item[1], item[0]))
        listed = ranked[:LISTED_VALUES]
        return OutcomeTally(
            attributes=self.attributes,
            outcome=self._need.outcome,
            controls=self._controls,
            favorable_values=tuple(sorted(self._favorable)),
            rows=self.row_count(),
            groups=tuple(
                GroupCount(group=group, n=n, favorable=self._hits[group]) for group, n in sorted(self.sizes.items())
            ),
            strata=tuple(strata),
            n_strata=n_strata,
            rows_without_controls=self._without_controls,
            missing=self.missing(with_favorable=True),
            unmatched=tuple(ValueCount(value=value, n=n) for value, n in listed),
            n_unmatched_values=len(self._unmatched),
        )


Pattern = tuple[bool, ...]


class MeasureSink(RowSink):
    """Accounts for the rows of a score or metric test, and counts its label patterns by group."""

    def __init__(self, need: MeasureNeeds, reading: Reading, folders: Mapping[str, Folder]) -> None:
        keys = tuple(dict.fromkeys((*need.attributes, *(item.column for item in need.labels))))
        super().__init__(keys, need.attributes, reading, folders)
        self.need = need
        self._labels = [(self.columns.index(item.column), frozenset(item.positive)) for item in need.labels]
        self.numbers_filled = [False] * len(need.numbers)
        self.numbers_finite = [False] * len(need.numbers)
        self.patterns: dict[Label, Counter[Pattern]] = {}
        self.has_positive = False

    def add(self, key: Key, n: int, usable: int) -> None:
        """Take in `n` rows that share raw cells; of `usable` ones every number is finite."""
        cells = self.fold(key)
        self.total += n
        texts = [cells[i] for i, _ in self._labels]
        if not usable or any(text is None for text in texts):
            return
        pattern = tuple(text in positive for text, (_, positive) in zip(texts, self._labels, strict=True))
        group = self.place(cells, usable, 0)
        if group is not None:
            self.patterns.setdefault(group, Counter())[pattern] += usable
            self.has_positive = self.has_positive or (bool(pattern) and pattern[-1])

    def hold(self, found: Mapping[Label, int]) -> None:
        """Hold the rows of each group, as a later look at the table found them, against those that were counted.

        Raises
        ------
        DataError
            If a group has others.
        """
        for label, n in self.sizes.items():
            if found.get(label, 0) != n:
                raise DataError(
                    f"the rows changed while they were read: group {', '.join(label)!r} had {n:,} of them at first, "
                    f"and {found.get(label, 0):,} later; audit a copy or a snapshot of the table"
                )

    def add_unparted(self, key: Key, n: int) -> None:
        """Take in `n` complete rows that share the cells of the attributes; their labels may be any of the column."""
        cells = self.fold(key)
        self.total += n
        self.place(cells, n, 0)

    def see_positive(self) -> None:
        """Note that an evaluated row has a positive value in the last label column."""
        self.has_positive = True

    def see_numbers(self, filled: Sequence[bool], finite: Sequence[bool]) -> None:
        """Note which number columns have any value, and any finite one."""
        self.numbers_filled = [a or b for a, b in zip(self.numbers_filled, filled, strict=True)]
        self.numbers_finite = [a or b for a, b in zip(self.numbers_finite, finite, strict=True)]

    def refusal_of_columns(self) -> NoTally | None:
        """Return the refusal for the first column without any value, labels and numbers included."""
        refused = self.first_empty()
        if refused is not None:
            return refused
        for name, filled in zip(self.need.numbers, self.numbers_filled, strict=True):
            if not filled:
                return empty_column(name)
        return None

    def refusal_of_numbers(self) -> NoTally | None:
        """Return the refusal for the first number column with infinite values only."""
        for name, finite in zip(self.need.numbers, self.numbers_finite, strict=True):
            if not finite:
                return NoTally(
                    code=Unavailable.NO_FINITE_VALUES,
                    column=name,
                    detail=f"column {name!r} has infinite values only",
                )
        return None


def positives(labels: Labels) -> str:
    """Return the positive values of a label column, for a message."""
    return ", ".join(repr(value) for value in labels.positive)
