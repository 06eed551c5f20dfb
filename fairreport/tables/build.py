"""The one pass: every test says what it needs, the table is grouped once, each test gets its tally.

Counts (outcomes, shares) come from one grouping of raw cells. Tests that need numbers share a second pass
that accounts for their rows, and the passes of `fairreport.tables.numeric`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairreport.errors import DataError, Fault, nearest
from fairreport.tables.gaps import CaseSink, GapNeeds, GapScan, absent_columns, finish_cases, nested_column
from fairreport.tables.needs import Loss, Measure, MeasureNeeds, Needs, OutcomeNeeds, Reading
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.pair_scan import PairScan, RowNeeds, RowScan, scan_pairs
from fairreport.tables.shares import ShareSink
from fairreport.tables.sinks import OutcomeSink
from fairreport.tables.source import (
    Key,
    NestedColumnError,
    Table,
    TooManyRowsError,
    absent_column,
    nested_values,
)
from fairreport.tables.tally import NoTally, Scan, Unavailable
from fairreport.tables.text import Folder

CountSink = OutcomeSink | ShareSink | CaseSink
Takers = list[tuple[CountSink, tuple[int, ...]]]
"""Tests that are fed from one set of columns, each with the places of its own columns in it."""

_NUMERIC = frozenset(Measure) - {Measure.SHARE}
"""Measures that counts of raw cells do not give."""

Counted = Needs | GapNeeds
"""What tests need that are judged from counts of raw cells or from numbers, all in one pass."""

AnyNeeds = Counted | PairNeeds | RowNeeds
AnyScan = Scan | GapScan | PairScan | RowScan


def build(table: Table, needs: Sequence[AnyNeeds], reading: Reading) -> list[AnyScan]:
    """Return one scan for each test.

    Parameters
    ----------
    table : Table
        What is audited; only the columns that a test names are read.
    needs : sequence of OutcomeNeeds, MeasureNeeds, GapNeeds, PairNeeds or RowNeeds
        One entry a test.
    reading : Reading
        How cells are to be read.

    Raises
    ------
    DataError
        If the counts column is absent or holds anything but whole numbers >= 0.
    """
    refuse_absent_counts(table, reading)
    paired: dict[int, AnyScan] = {}
    counted: dict[int, Counted] = {}
    for i, need in enumerate(needs):
        if isinstance(need, PairNeeds):
            paired[i] = scan_pairs(table, need, reading)
        elif isinstance(need, RowNeeds):
            paired[i] = RowScan(table=table, reading=reading)
        else:
            counted[i] = need
    scans = paired | _build(table, counted, reading)
    return [scans[i] for i in range(len(needs))]


def refuse_absent_counts(table: Table, reading: Reading) -> None:
    """Raise `DataError` if the table lacks the counts column."""
    if reading.counts is not None and not table.has(reading.counts):
        raise DataError(f"the table has no counts column {reading.counts!r}.{nearest(reading.counts, table.names)}")


def _build(table: Table, needs: Mapping[int, Counted], reading: Reading) -> dict[int, AnyScan]:
    """Return the scans of tests that share one pass."""
    nested: set[str] = set(table.nested)
    crowds: list[TooManyRowsError] = []
    scans: dict[int, AnyScan] = {}
    while len(scans) < len(needs):
        scans = {
            i: refused
            for i, need in needs.items()
            if (refused := _refused(table, need, nested) or _crowded(need, crowds))
        }
        open_needs = {i: need for i, need in needs.items() if i not in scans}
        try:
            numeric = {i: n for i, n in open_needs.items() if isinstance(n, MeasureNeeds) and n.measure in _NUMERIC}
            scans |= _count(table, {i: n for i, n in open_needs.items() if i not in numeric}, reading)
            scans |= _measure(table, numeric, reading)
        except NestedColumnError as error:  # the other tests go on without it
            nested.add(error.column)
        except TooManyRowsError as error:
            if not any(_crowded(need, [error]) for need in open_needs.values()):
                raise
            crowds.append(error)
    return scans


def _refused(table: Table, need: Counted, nested: set[str]) -> AnyScan | None:
    """Return the scan of a test that the columns of the table do not allow."""
    if isinstance(need, GapNeeds):
        faults = absent_columns(table, need) or [nested_column(name) for name in need.columns if name in nested]
        return GapScan(tally=None, faults=tuple(faults)) if faults else None
    for name in need.columns:
        if not table.has(name):
            detail = absent_column(name, table.names)
            return Scan(tally=NoTally(code=Unavailable.MISSING_COLUMN, column=name, detail=detail))
    for name in need.columns:
        if name in nested:
            detail = f"{nested_values(name)}; wanted text, numbers or booleans"
            return Scan(tally=NoTally(code=Unavailable.NESTED_COLUMN, column=name, detail=detail))
    return None


def _crowded(need: Counted, crowds: Iterable[TooManyRowsError]) -> AnyScan | None:
    """Return the scan of a test of which an engine holds more distinct rows than should be fetched."""
    for error in crowds:
        if set(error.columns) <= set(need.columns):
            if isinstance(need, GapNeeds):
                return GapScan(tally=None, faults=(Fault(code=Unavailable.TOO_MANY_GROUPS, message=str(error)),))
            return Scan(tally=NoTally(code=Unavailable.TOO_MANY_GROUPS, detail=str(error)))
    return None


def _folders(needs: Iterable[Counted], reading: Reading) -> dict[str, Folder]:
    return {name: Folder(reading.missing_values) for need in needs for name in need.columns}


def _count(table: Table, needs: Mapping[int, Counted], reading: Reading) -> dict[int, AnyScan]:
    """Return the scans of tests that need counts only, from one grouping pass."""
    sinks = _sinks(needs, reading)
    fed: dict[frozenset[str], list[CountSink]] = {}
    for sink in sinks.values():
        fed.setdefault(frozenset(sink.columns), []).append(sink)
    sets = [group[0].columns for group in fed.values()]
    takers: list[Takers] = [
        [(sink, tuple(names.index(name) for name in sink.columns)) for sink in group]
        for names, group in zip(sets, fed.values(), strict=True)
    ]
    if len(sets) == 1 and table.elsewhere is not None:
        _feed_one(table, sets[0], takers[0], reading)
    elif sets:
        try:
            for index, key, n in table.count(sets, reading.counts):
                _take(takers[index], key, n)
        except TooManyRowsError:  # nothing came yet; each set by itself, since some may be done with few rows
            if len(sets) == 1:
                raise
            for names, own in zip(sets, takers, strict=True):
                _feed_one(table, names, own, reading)
    return {i: finish_cases(table, sink) if isinstance(sink, CaseSink) else sink.scan() for i, sink in sinks.items()}


def _take(takers: Takers, key: Key, n: int) -> None:
    for sink, order in takers:
        sink.add(tuple(key[i] for i in order), n)


def _feed_one(table: Table, names: tuple[str, ...], takers: Takers, reading: Reading) -> None:
    """Feed the rows of one set of columns, and stop where every test has more groups than can be judged."""
    for _, key, n in table.count([names], reading.counts):
        _take(takers, key, n)
        if all(not isinstance(sink, CaseSink) and sink.too_many_groups for sink, _ in takers):
            break
    else:
        return
    for sink, _ in takers:
        if isinstance(sink, OutcomeSink):  # an empty column is named before too many groups are
            for name in sink.without_a_value():
                sink.look_at(name, (cell for _, (cell,), _ in table.count([(name,)], reading.counts)))


def count_sets(needs: Mapping[int, Counted], reading: Reading) -> list[tuple[str, ...]]:
    """Return the sets of columns that the tests which need counts only are grouped by."""
    return [sink.columns for sink in _sinks(needs, reading).values()]


def _sinks(needs: Mapping[int, Counted], reading: Reading) -> dict[int, CountSink]:
    folders = _folders(needs.values(), reading)
    return {i: _sink(need, reading, folders) for i, need in needs.items()}


def _sink(need: Counted, reading: Reading, folders: Mapping[str, Folder]) -> CountSink:
    if isinstance(need, GapNeeds):
        return CaseSink(need, reading)
    return OutcomeSink(need, reading, folders) if isinstance(need, OutcomeNeeds) else ShareSink(need, reading, folders)


def _measure(table: Table, needs: Mapping[int, MeasureNeeds], reading: Reading) -> dict[int, Scan]:
    """Return the scans of tests that need numbers."""
    if not needs:
        return {}
    from fairreport.tables.numeric import measure  # noqa: PLC0415 - an audit of counts does not wait for it

    folders = _folders(needs.values(), reading)
    logs = {i: need for i, need in needs.items() if need.loss is Loss.LOG_LOSS}
    if not logs:
        return measure(table, needs, reading, folders)
    held, here = _brought(table, logs.values(), reading)  # logarithms differ in the last digit from engine to engine
    if held is table:
        return measure(table, needs, reading, folders)
    rest = {i: need for i, need in needs.items() if i not in logs}
    found = measure(held, logs, here, folders)
    return found | (measure(table, rest, reading, folders) if rest else {})


def _brought(table: Table, needs: Iterable[MeasureNeeds], reading: Reading) -> tuple[Table, Reading]:
    """Return a table whose rows are here, where they are few enough when put together; else the table itself."""
    columns = dict.fromkeys(name for need in needs for name in need.columns)
    if table.elsewhere is None:
        return table, reading
    try:
        return table.elsewhere.brought(tuple(columns), reading)
    except TooManyRowsError:
        return table, reading
