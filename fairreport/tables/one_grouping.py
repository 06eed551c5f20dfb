"""The one grouping that accounts for rows and sums them, and what its answer is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fairreport.tables.accounting import feed
from fairreport.tables.grid import FEW_ROWS, Pieces
from fairreport.tables.known import Known
from fairreport.tables.moments import Sums, columns_sql, is_coarse, read_sums, sums_sql
from fairreport.tables.needs import MeasureNeeds
from fairreport.tables.outline import Outline, found_outline
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.streams import OF_SUMS, Stream, refusal_of_range, streams_of
from fairreport.tables.text import Folder

MOST_GROUPS = 20_000
"""More combinations of raw cells, far beyond what can be judged, are not held in memory."""

StreamSums = Mapping[Stream, Mapping[Label, Sums]]
Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneGrouping:
    """One grouping: cells of the attributes, rows, ends of checked numbers, sums of each stream.

    Attributes
    ----------
    known : Known
        What is known of the view if the outline is right.
    texts : mapping
        For each cell column, the folded text of each raw cell; of attributes, filled while tests are fed.
    folders : mapping of str to Folder
        One folder a column.
    stated : Outline
        What has to be borne out.
    attributes, labels : tuple of str
        The columns that are grouped by, and those of labels.
    needs : tuple of MeasureNeeds
        The tests.
    checked : tuple of str
        Numbers whose ends are asked for.
    pieces : Pieces
        How numbers are cut.
    """

    known: Known
    texts: Mapping[str, dict[object, str | None]]
    folders: Mapping[str, Folder]
    stated: Outline
    attributes: tuple[str, ...]
    labels: tuple[str, ...]
    needs: tuple[MeasureNeeds, ...]
    checked: tuple[str, ...]
    pieces: Pieces

    def sql(self) -> str:
        """Return the statement."""
        cells, streams = self.cells(), self.streams()
        keys = [f"k{i}" for i in range(len(cells))]
        inner = [f"{cell} AS {key}" for cell, key in zip(cells, keys, strict=True)]
        inner += self._checked_columns()
        inner += [column for i, stream in enumerate(streams) for column in columns_sql(i, stream, self.pieces)]
        grouped = ", ".join(keys)
        listed = [grouped, "count(*)", *self._checks()]
        listed += [sums_sql(i, stream.grid, self.pieces, weighted=False) for i, stream in enumerate(streams)]
        rows = f"SELECT {', '.join(inner)} FROM {self.known.view.source}{self._where()}"
        return f"SELECT {', '.join(listed)} FROM ({rows}) AS r GROUP BY {grouped} LIMIT {MOST_GROUPS + 1}"

    def settled(self, rows: Rows) -> OneGrouping | None:
        """Return the grouping with what is known now, if its answer bears the outline out.

        Every row was met, the checked numbers lie where they should, and all sums are finite.
        """
        at = len(self.cells())
        if sum(row[at] for row in rows) != self.stated.rows:
            return None
        at += 1
        if not all(math.isfinite(number) for row in rows for number in row[at:]):
            return None
        lows = [min(row[at + 2 * i] for row in rows) for i in range(len(self.checked))]
        highs = [max(row[at + 2 * i + 1] for row in rows) for i in range(len(self.checked))]
        return self if [*zip(lows, highs, strict=True)] == [self.stated.ranges[name] for name in self.checked] else None

    def found(self, rows: Rows) -> Outline | None:  # noqa: ARG002 - a guess tells more
        """Return the outline that the answer tells, where another one was stated."""
        return None

    def sums(self, rows: Rows) -> StreamSums | None:
        """Return the sums of each stream by label; None where a group of unknown ends needs a grid of its own."""
        gathered: dict[Stream, dict[Label, Sums]] = {stream: {} for stream in self.streams()}
        width = 2 * self.pieces.count
        at = len(self.cells())
        for row in rows:
            label = self._label(row)
            if label is None:
                continue
            start = len(row) - width * len(gathered)
            for place, (stream, groups) in enumerate(gathered.items()):
                first, second = read_sums(row[start:][:width], stream.grid, self.pieces)
                low, high = self._ends(place, row)
                groups.setdefault(label, Sums()).add(Sums(n=row[at], first=first, second=second, low=low, high=high))
                start += width
        for stream, groups in gathered.items():
            for sums in groups.values():
                if not math.isfinite(sums.high) and is_coarse(sums, stream.grid, self.pieces):
                    return None
        return gathered

    def streams(self) -> tuple[Stream, ...]:
        """Return the numbers per row that are summed, each once."""
        summing = (need for need in self.needs if need.measure in OF_SUMS)
        return tuple(dict.fromkeys(stream for need in summing for stream in streams_of(self.known, need)))

    def cells(self) -> list[str]:
        """Return SQL of the cells by which rows are grouped, those of the attributes first."""
        return [self.known.view.cells[name].expression for name in self.attributes]

    def _checked_columns(self) -> list[str]:
        return [f"{self.known.view.numbers[name].plain} AS v{i}" for i, name in enumerate(self.checked)]

    def _checks(self) -> list[str]:
        return [f"min(v{i}), max(v{i})" for i in range(len(self.checked))]

    def _where(self) -> str:
        among: list[str] = []
        for name in self.labels:
            column = self.known.view.cells[name]
            low, high = map(column.literal, self.stated.ends[name])
            among.append(f"{column.expression} IN ({low}, {high})")
        return f" WHERE {' AND '.join(among)}" if among else ""

    def _ends(self, place: int, row: Sequence[Any]) -> tuple[float, float]:  # noqa: ARG002 - not asked for here
        """Return the smallest and the largest value of a stream in a group; infinite where they were not asked for."""
        return -math.inf, math.inf

    def _label(self, row: Sequence[Any]) -> Label | None:
        cells = zip(self.attributes, row, strict=False)
        texts = [None if c is None else self.folders[a](self.known.view.cells[a].restore(c)) for a, c in cells]
        complete = tuple(text for text in texts if text is not None)
        return complete if len(complete) == len(texts) else None

    def feed(self, sink: MeasureSink, rows: Rows) -> None:
        """Feed a test its rows."""
        any_label = {name: low for name, (low, _) in self.stated.ends.items()}
        at = len(self.cells())
        for row in rows:
            if not sink.too_many_groups:
                cells = any_label | dict(zip(self.attributes, row, strict=False))
                add = partial(sink.add_unparted, n=int(row[at]))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedGrouping(OneGrouping):
    """One grouping that also asks for all that tells whether the outline is right, which may be a guess.

    A guess is right if it leads to the grids that the true ends of every number lead to: the digits are the same. An
    engine may refuse what overflows where it is wrong.
    """

    def settled(self, rows: Rows) -> OneGrouping | None:
        """Return the grouping with what is known now, if the grids are those of the true ends."""
        found = self.found(rows)
        if found is None or found.rows is None or dict(found.ends) != dict(self.stated.ends):
            return None
        is_as_stated = found.rows == self.stated.rows
        if self.stated.rows is None:
            is_as_stated = FEW_ROWS <= found.rows <= self.pieces.most
        if not is_as_stated or any(refusal_of_range(need, found.ranges) for need in self.needs):
            return None
        true = replace(self, known=replace(self.known, ranges=found.ranges))
        return true if [s.grid for s in true.streams()] == [s.grid for s in self.streams()] else None

    def found(self, rows: Rows) -> Outline | None:
        """Return the outline that the answer tells; None where a cell is missing or not finite, or a label a third."""
        at = len(self.cells())
        cells: list[Any] = []
        for place in range(at + 1, at + 1 + 3 * len(self.known.view.numbers), 3):
            ends = [end for row in rows for end in row[place + 1 : place + 3] if end is not None]
            if not all(map(math.isfinite, ends)):  # what is none is neither smaller nor larger than another number
                return None
            cells += [sum(row[place] for row in rows), min(ends, default=None), max(ends, default=None)]
        for place in range(len(self.attributes), at):
            there = [row for row in rows if row[place] is not None]
            labels = [row[place] for row in there]
            cells += [sum(row[at] for row in there), min(labels, default=None), max(labels, default=None)]
        return found_outline(self.known.view, self.labels, sum(int(row[at]) for row in rows), cells)

    def cells(self) -> list[str]:
        """Return SQL of the cells of the attributes, and of labels: so it is seen which ones there are."""
        return [*OneGrouping.cells(self), *(str(self.known.view.cells[name].whole) for name in self.labels)]

    def _checked_columns(self) -> list[str]:
        return [f"{column.plain} AS v{i}" for i, column in enumerate(self.known.view.numbers.values())]

    def _checks(self) -> list[str]:
        checks = [f"count(v{i}), min(v{i}), max(v{i})" for i in range(len(self.known.view.numbers))]
        return [*checks, *(f"min(x{i}), max(x{i})" for i, stream in enumerate(self.streams()) if stream.is_of_errors)]

    def _where(self) -> str:
        return ""

    def _ends(self, place: int, row: Sequence[Any]) -> tuple[float, float]:
        streams = self.streams()
        at = len(self.cells()) + 1
        columns = len(self.known.view.numbers)
        if streams[place].is_of_errors:
            start = at + 3 * columns + 2 * sum(stream.is_of_errors for stream in streams[:place])
        else:
            plain = [column.plain for column in self.known.view.numbers.values()]
            if streams[place].expression not in plain:
                return -math.inf, math.inf
            start = at + 3 * plain.index(streams[place].expression) + 1
        low, high = row[start : start + 2]
        return low + 0.0, high + 0.0
