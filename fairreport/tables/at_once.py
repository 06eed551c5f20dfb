"""Rows accounted for and sums gathered in one grouping, where enough is known beforehand to write it down.

The outline of a Parquet file says that no cell is missing, where the numbers lie and, of a label column with two
values, which ones. Grids and expressions follow from that before any row is read. What is read has to bear it out:
each row has one of the two labels, values lie where they should, sums are finite and fine enough. Where anything is
otherwise nothing is kept and no test was fed: rows are accounted for and summed in two passes, to the same digits.
That both labels occur, and where numbers end that are summed as errors only, is taken as stated, as DuckDB itself
takes it when it filters.

An engine elsewhere is asked the same of its rows, which costs it a third of a grouping.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from fairreport.tables.accounting import feed
from fairreport.tables.grid import Pieces, pieces_for
from fairreport.tables.known import Known
from fairreport.tables.moments import Sums, Totals, columns_sql, is_coarse, read_sums, sums_sql, totals_of
from fairreport.tables.needs import Loss, Measure, MeasureNeeds
from fairreport.tables.outline import Outline, outline
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.streams import OF_SUMS, Stream, refusal_of_range, streams_of
from fairreport.tables.text import Folder
from fairreport.tables.view import NumericView

MOST_GROUPS = 20_000
"""More combinations of raw cells, far beyond what can be judged, are not held in memory."""

StreamTotals = Mapping[Stream, Mapping[Label, Totals]]
Rows = Sequence[tuple[Any, ...]]


def gather_at_once(view: NumericView, sinks: Sequence[MeasureSink]) -> tuple[Known, StreamTotals] | None:
    """Feed every test its rows; return what is known of the view and the totals, None where it takes two passes.

    Parameters
    ----------
    view : NumericView
        What is grouped.
    sinks : sequence of MeasureSink
        The tests.
    """
    once = _plan(view, sinks)
    if once is None:
        return None
    rows = list(view.fetch_rows(once.sql()))
    totals = once.totals(rows) if len(rows) <= MOST_GROUPS and once.is_borne_out(rows) else None
    if totals is None:
        return None
    for sink in sinks:
        once.feed(sink, rows)
    return once.known, totals


def _plan(view: NumericView, sinks: Sequence[MeasureSink]) -> _AtOnce | None:
    """Return the one grouping; None where the tests do not share it or the file does not say enough."""
    attributes = sinks[0].attributes
    labels = tuple(dict.fromkeys(item.column for sink in sinks for item in sink.need.labels))
    if any(sink.attributes != attributes for sink in sinks) or not set(labels).isdisjoint(attributes):
        return None
    summing = [sink.need for sink in sinks if sink.need.measure in OF_SUMS]
    if view.is_remote and not summing:
        return None  # to account for the rows takes one grouping as well
    stated = outline(view, labels)
    if stated is None or any(refusal_of_range(sink.need, stated.ranges) for sink in sinks):
        return None
    folders = {name: folder for sink in sinks for name, folder in zip(sink.columns, sink.folders, strict=True)}
    texts: dict[str, dict[object, str | None]] = {name: {} for name in view.cells}
    for name in labels:
        texts[name] = {cell: folders[name](view.cells[name].restore(cell)) for cell in stated.ends[name]}
        if None in texts[name].values():
            return None
    known = Known(view=view, texts=texts, finite=frozenset(view.numbers), ranges=stated.ranges)
    unsure = () if view.is_remote else (sink.need for sink in sinks if not _tells(sink.need))
    return _AtOnce(
        known=known,
        texts=texts,
        folders=folders,
        stated=stated,
        attributes=attributes,
        labels=labels,
        streams=tuple(dict.fromkeys(stream for need in summing for stream in streams_of(known, need))),
        checked=tuple(dict.fromkeys(name for need in unsure for name in need.numbers)),
        pieces=pieces_for(stated.rows),
    )


def _tells(need: MeasureNeeds) -> bool:
    """Tell whether the sums of a test tell of a number that is not finite; those of clipped probabilities do not."""
    return need.measure is Measure.RESIDUALS or need.loss in {Loss.ABSOLUTE_ERROR, Loss.SQUARED_ERROR, Loss.BRIER}


@dataclass(frozen=True, slots=True, kw_only=True)
class _AtOnce:
    """One grouping: cells of the attributes, rows, ends of checked numbers, sums of each stream."""

    known: Known
    texts: Mapping[str, dict[object, str | None]]
    folders: Mapping[str, Folder]
    stated: Outline
    attributes: tuple[str, ...]
    labels: tuple[str, ...]
    streams: tuple[Stream, ...]
    checked: tuple[str, ...]
    pieces: Pieces

    def sql(self) -> str:
        view = self.known.view
        keys = ", ".join(f"k{i}" for i in range(len(self.attributes)))
        inner = [f"{view.cells[name].expression} AS k{i}" for i, name in enumerate(self.attributes)]
        listed = [keys, "count(*)"]
        among: list[str] = []
        for name in self.labels:
            column = view.cells[name]
            low, high = map(column.literal, self.stated.ends[name])
            among.append(f"{column.expression} IN ({low}, {high})")
        for i, name in enumerate(self.checked):
            inner.append(f"{view.numbers[name].plain} AS v{i}")
            listed.append(f"min(v{i}), max(v{i})")
        inner += [column for i, stream in enumerate(self.streams) for column in columns_sql(i, stream, self.pieces)]
        listed += [sums_sql(i, s.grid, self.pieces, weighted=False) for i, s in enumerate(self.streams)]
        where = f" WHERE {' AND '.join(among)}" if among else ""
        rows = f"SELECT {', '.join(inner)} FROM {view.source}{where}"
        return f"SELECT {', '.join(listed)} FROM ({rows}) AS r GROUP BY {keys} LIMIT {MOST_GROUPS + 1}"

    def is_borne_out(self, rows: Rows) -> bool:
        """Tell whether every row was met, the checked numbers lie where they should, and all sums are finite."""
        at = len(self.attributes)
        if sum(row[at] for row in rows) != self.stated.rows:
            return False
        at += 1
        if not all(math.isfinite(number) for row in rows for number in row[at:]):
            return False
        lows = [min(row[at + 2 * i] for row in rows) for i in range(len(self.checked))]
        highs = [max(row[at + 2 * i + 1] for row in rows) for i in range(len(self.checked))]
        return [*zip(lows, highs, strict=True)] == [self.stated.ranges[name] for name in self.checked]

    def totals(self, rows: Rows) -> StreamTotals | None:
        """Return the totals of each stream by label; None where a group needs a grid of its own."""
        gathered: dict[Stream, dict[Label, Sums]] = {stream: {} for stream in self.streams}
        width = 2 * self.pieces.count
        start = len(self.attributes) + 1 + 2 * len(self.checked)
        for row in rows:
            label = self._label(row)
            if label is None:
                continue
            for i, (stream, groups) in enumerate(gathered.items()):
                first, second = read_sums(row[start + width * i :][:width], stream.grid, self.pieces)
                groups.setdefault(label, Sums()).add(
                    Sums(n=row[len(self.attributes)], first=first, second=second, low=-math.inf, high=math.inf)
                )
        if any(is_coarse(sums, s.grid, self.pieces) for s, groups in gathered.items() for sums in groups.values()):
            return None
        return {
            stream: {label: totals_of(sums, stream.grid, self.pieces) for label, sums in groups.items()}
            for stream, groups in gathered.items()
        }

    def _label(self, row: Sequence[Any]) -> Label | None:
        cells = zip(self.attributes, row, strict=False)
        texts = [None if c is None else self.folders[a](self.known.view.cells[a].restore(c)) for a, c in cells]
        complete = tuple(text for text in texts if text is not None)
        return complete if len(complete) == len(texts) else None

    def feed(self, sink: MeasureSink, rows: Rows) -> None:
        """Feed a test its rows."""
        any_label = {name: low for name, (low, _) in self.stated.ends.items()}
        for row in rows:
            if not sink.too_many_groups:
                cells = any_label | dict(zip(self.attributes, row, strict=False))
                add = partial(sink.add_unparted, n=int(row[len(self.attributes)]))
                feed(self.known.view, sink, [cells[name] for name in sink.columns], self.texts, add)
        everything = [True] * len(sink.need.numbers)
        sink.see_numbers(everything, everything)
        if sink.need.needs_positive and not sink.too_many_groups and self._has_positive(sink, rows):
            sink.see_positive()

    def _has_positive(self, sink: MeasureSink, rows: Rows) -> bool:
        """Tell whether an evaluated row has a positive label; asks again where some rows are in no group."""
        labels = sink.need.labels[-1]
        ends = set(self.stated.ends[labels.column])
        positive = [cell for cell in ends if self.texts[labels.column][cell] in labels.positive]
        evaluated = [row for row in rows if self._label(row) in sink.sizes]
        if len(evaluated) == len(rows) or not positive or not evaluated:
            return bool(positive)
        if len(positive) == len(ends):
            return True
        view = self.known.view
        keys = [f"k{i}" for i in range(len(self.attributes))]
        columns = [view.cells[name] for name in self.attributes]
        inner = ", ".join(f"{column.expression} AS {key}" for column, key in zip(columns, keys, strict=True))
        listed = (", ".join(c.literal(cell) for c, cell in zip(columns, row, strict=False)) for row in evaluated)
        label = view.cells[labels.column]
        sql = (
            f"SELECT 1 FROM (SELECT {inner} FROM {view.source} "
            f"WHERE {label.expression} = {label.literal(positive[0])}) AS s "
            f"JOIN (VALUES {', '.join(f'({cells})' for cells in listed)}) AS m({', '.join(keys)}) "
            f"ON {' AND '.join(f's.{key} = m.{key}' for key in keys)} LIMIT 1"
        )
        return any(True for _ in view.fetch_rows(sql))
