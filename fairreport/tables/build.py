"""The one pass: every test says what it needs, the table is grouped once, each test gets its tally.

Counts (outcomes, shares) come from one grouping of raw cells. Tests that need numbers share a second pass
that accounts for their rows, and the passes of `fairreport.tables.numeric`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairreport.errors import DataError, nearest
from fairreport.tables.needs import Measure, MeasureNeeds, Needs, OutcomeNeeds, Reading
from fairreport.tables.shares import ShareSink
from fairreport.tables.sinks import OutcomeSink
from fairreport.tables.source import NestedColumnError, Table
from fairreport.tables.tally import NoTally, Scan, Unavailable
from fairreport.tables.text import Folder

CountSink = OutcomeSink | ShareSink


def build(table: Table, needs: Sequence[Needs], reading: Reading) -> list[Scan]:
    """Return one scan for each test.

    Parameters
    ----------
    table : Table
        What is audited; only the columns that a test names are read.
    needs : sequence of OutcomeNeeds or MeasureNeeds
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
    nested: set[str] = set(table.nested)
    scans: dict[int, Scan] = {}
    while len(scans) < len(needs):
        scans = {i: Scan(tally=reason) for i, need in enumerate(needs) if (reason := _refused(table, need, nested))}
        open_needs = {i: need for i, need in enumerate(needs) if i not in scans}
        try:
            scans |= _count(table, {i: n for i, n in open_needs.items() if not _is_numeric(n)}, reading)
            scans |= _measure(table, {i: n for i, n in open_needs.items() if _is_numeric(n)}, reading)
        except NestedColumnError as error:  # the other tests go on without it
            nested.add(error.column)
    return [scans[i] for i in range(len(needs))]


def _is_numeric(need: Needs) -> bool:
    return isinstance(need, MeasureNeeds) and need.measure is not Measure.SHARE


def _refused(table: Table, need: Needs, nested: set[str]) -> NoTally | None:
    for name in need.columns:
        if not table.has(name):
            detail = f"the table has no column {name!r}.{nearest(name, table.names)}"
            return NoTally(code=Unavailable.MISSING_COLUMN, column=name, detail=detail)
    for name in need.columns:
        if name in nested or name in table.nested:
            detail = f"column {name!r} holds nested values; wanted text, numbers or booleans"
            return NoTally(code=Unavailable.NESTED_COLUMN, column=name, detail=detail)
    return None


def _folders(needs: Mapping[int, Needs], reading: Reading) -> dict[str, Folder]:
    return {name: Folder(reading.missing_values) for need in needs.values() for name in need.columns}


def _count(table: Table, needs: Mapping[int, Needs], reading: Reading) -> dict[int, Scan]:
    """Return the scans of tests that need counts only, from one grouping pass."""
    folders = _folders(needs, reading)
    sinks: dict[int, CountSink] = {}
    for i, need in needs.items():
        kind = OutcomeSink if isinstance(need, OutcomeNeeds) else ShareSink
        sinks[i] = kind(need, reading, folders)  # type: ignore[arg-type]
    fed: dict[frozenset[str], list[CountSink]] = {}
    for sink in sinks.values():
        fed.setdefault(frozenset(sink.columns), []).append(sink)
    sets = [group[0].columns for group in fed.values()]
    takers = [
        [(sink, tuple(names.index(name) for name in sink.columns)) for sink in group]
        for names, group in zip(sets, fed.values(), strict=True)
    ]
    if sets:
        for index, key, n in table.count(sets, reading.counts):
            for sink, order in takers[index]:
                sink.add(tuple(key[i] for i in order), n)
    return {i: sink.scan() for i, sink in sinks.items()}


def _measure(table: Table, needs: Mapping[int, Needs], reading: Reading) -> dict[int, Scan]:
    """Return the scans of tests that need numbers."""
    if not needs:
        return {}
    from fairreport.tables.numeric import measure  # noqa: PLC0415 - an audit of counts does not wait for it

    stated = {i: need for i, need in needs.items() if isinstance(need, MeasureNeeds)}
    return measure(table, stated, reading, _folders(needs, reading))
