"""The rows of one or more windows of time, counted for the tests that are judged in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.audit.window import JudgedWindows, PlacedWindow, WindowRecord, distinct, stamp
from fairreport.tables.build import AnyNeeds, AnyScan, build
from fairreport.tables.needs import Reading
from fairreport.tables.source import Table
from fairreport.tables.window import Span, TimeColumn, count_spans, times_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowScans:
    """What was counted for each test, in their order: its scan, the table of its rows, its window."""

    scans: tuple[AnyScan, ...]
    tables: tuple[Table, ...]
    records: tuple[WindowRecord, ...]

    def windows(self, names: Sequence[str]) -> JudgedWindows:
        """Return the window that most tests share, the first of several such, and those of the others by name."""
        shared = max(self.records, key=self.records.count)
        own = {name: record for name, record in zip(names, self.records, strict=True) if record != shared}
        return JudgedWindows(shared=shared, of_tests=own)


def scan_windows(
    table: Table, time: TimeColumn, placed: Sequence[PlacedWindow], needs: Sequence[AnyNeeds], reading: Reading
) -> WindowScans:
    """Count the rows of windows; tests of one window share its passes.

    Parameters
    ----------
    table : Table
        All rows.
    time : TimeColumn
        The column of their times.
    placed : sequence of PlacedWindow
        The window of each test.
    needs : sequence of needs
        What each test needs.
    reading : Reading
        How cells are to be read.

    Raises
    ------
    DataError
        If the column is absent or holds no times, or the counts column is wrong.
    """
    times = times_of(table, time)
    scans: dict[int, AnyScan] = {}
    tables: dict[int, Table] = {}
    records: dict[int, WindowRecord] = {}
    for window, places in distinct(placed):
        record = record_window(table, time, window, reading.counts)
        rows = times.within(window.span)
        for i, scan in zip(places, build(rows, [needs[i] for i in places], reading), strict=True):
            scans[i], tables[i], records[i] = scan, rows, record
    order = range(len(needs))
    return WindowScans(
        scans=tuple(scans[i] for i in order),
        tables=tuple(tables[i] for i in order),
        records=tuple(records[i] for i in order),
    )


def record_window(table: Table, time: TimeColumn, window: PlacedWindow, counts: str | None) -> WindowRecord:
    """Return a window with how many rows lie in it and about it."""
    before, after = Span(end=window.start), Span(start=window.end)
    found = count_spans(table, time, [window.span, before, after], counts)
    return WindowRecord(
        start=stamp(window.start),
        end=stamp(window.end),
        length_seconds=round((window.end - window.start).total_seconds()),
        delay_seconds=window.delay,
        column=time.name,
        timezone=time.zone.key,
        rows_within=found.inside[0],
        rows_before=found.inside[1],
        rows_after=found.inside[2],
        rows_without_time=found.total - found.usable,
    )
