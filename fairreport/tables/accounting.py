"""The first look at a numeric view: one grouping that accounts for every row of every test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from fairreport.tables.known import Known, in_order
from fairreport.tables.sinks import MeasureSink
from fairreport.tables.source import Key, TooManyRowsError
from fairreport.tables.sql_crowds import counted_rows
from fairreport.tables.view import NumericView

Numbers = tuple[str, ...]
_Counted = tuple[tuple[int, ...], Sequence[Any], int, Mapping[Numbers, int], Mapping[str, Sequence[Any]]]
"""Which set, the cells, their rows, those of them that are usable, and count and ends of each number."""


def account(view: NumericView, sinks: Sequence[MeasureSink]) -> Known:
    """Feed every test its raw cells with their rows, and return what is known of the view.

    Parameters
    ----------
    view : NumericView
        What is grouped.
    sinks : sequence of MeasureSink
        The tests; those over the same cell columns share one grouping set.
    """
    place = {name: i for i, name in enumerate(view.cells)}
    fed: dict[tuple[int, ...], list[MeasureSink]] = {}
    for sink in sinks:
        fed.setdefault(tuple(sorted(place[name] for name in sink.columns)), []).append(sink)
    names = list(view.numbers)
    tuples = list(dict.fromkeys(_numeric(view, sink) for sink in sinks))
    texts: dict[str, dict[object, str | None]] = {name: {} for name in place}
    seen = _Seen(names)
    counted = next(iter(fed), None)
    asked = _Asked(view, tuples)
    for used, cells, n, usable, stats in asked.rows(fed):
        if used == counted:
            seen.add(n, stats)
        for sink in fed[used]:
            if n and not sink.too_many_groups:
                own = [cells[place[name]] for name in sink.columns]
                feed(view, sink, own, texts, partial(sink.add, n=n, usable=usable[_numeric(view, sink)]))
    if asked.is_cut_short:
        seen = _Seen(names)
        for _, _, n, _, stats in asked.every_row():
            seen.add(n, stats)
    ranges = seen.ranges()
    filled = {name: name in ranges or _is_filled(view, name) for name in names}
    for sink in sinks:
        # A column that is not numeric is refused later; it counts as filled, so that empty ones are found first.
        listed = sink.need.numbers
        sink.see_numbers(
            [filled.get(name, True) for name in listed], [name in ranges or name not in filled for name in listed]
        )
    return Known(view=view, texts=in_order(view, texts), finite=seen.finite(), ranges=ranges)


class _Asked:
    """The grouping that accounts for rows; an engine that holds them elsewhere is asked for few groups first."""

    def __init__(self, view: NumericView, tuples: Sequence[Numbers]) -> None:
        self._view = view
        self._tuples = tuples
        self.is_cut_short = False

    def rows(self, fed: Mapping[tuple[int, ...], Sequence[MeasureSink]]) -> Iterator[_Counted]:
        """Yield every combination of every set; those of a set whose tests all have too many groups need not come."""
        if not self._view.is_remote:
            yield from self._read(list(fed), self._view.fetch_rows(self._sql(list(fed))))
            return
        if len(fed) > 1:
            try:
                yield from self._counted(list(fed))
            except TooManyRowsError:  # none came yet
                self.is_cut_short = True
            else:
                return
        for used, sinks in fed.items():
            for row in self._counted([used]):
                yield row
                if all(sink.too_many_groups for sink in sinks):
                    self.is_cut_short = True
                    break

    def every_row(self) -> Iterator[_Counted]:
        """Yield one combination: that of no column, which is every row."""
        yield from self._read([()], self._view.fetch_rows(self._sql([()])))

    def _counted(self, sets: Sequence[tuple[int, ...]]) -> Iterator[_Counted]:
        columns = [name for i, name in enumerate(self._view.cells) if any(i in used for used in sets)]
        keys = 1 + len(self._view.cells)
        found = counted_rows(
            self._view.fetch_rows, self._sql(sets), keys=keys, is_alone=len(sets) == 1, columns=columns
        )
        return self._read(sets, found)

    def _sql(self, sets: Sequence[tuple[int, ...]]) -> str:
        return _sql(self._view, sets, self._tuples)

    def _read(self, sets: Sequence[tuple[int, ...]], rows: Iterable[tuple[Any, ...]]) -> Iterator[_Counted]:
        size, tuples = len(self._view.cells), self._tuples
        masks = {_mask(used, size): used for used in sets}
        for mask, *row in rows:
            cells, (n, *rest) = row[:size], row[size:]
            usable = {numbers: int(found or 0) for numbers, found in zip(tuples, rest, strict=False)}
            stats = {name: rest[len(tuples) + 3 * i :][:3] for i, name in enumerate(self._view.numbers)}
            yield masks[mask], cells, int(n or 0), usable, stats


def _is_filled(view: NumericView, name: str) -> bool:
    """Tell whether a column without any finite value has an infinite one, or none at all."""
    occurs = "" if view.weight is None else f" AND {view.weight} > 0"
    sql = f"SELECT 1 FROM {view.source} WHERE {view.numbers[name].filled}{occurs} LIMIT 1"
    return any(True for _ in view.fetch_rows(sql))


def feed(
    view: NumericView,
    sink: MeasureSink,
    cells: Sequence[Any],
    texts: Mapping[str, dict[object, str | None]],
    add: Callable[[Key], None],
) -> None:
    """Let a test `add` rows that share raw cells, and note what the cells are as text."""
    restored = [
        None if cell is None else view.cells[name].restore(cell) for name, cell in zip(sink.columns, cells, strict=True)
    ]
    add(tuple(restored))
    for name, folder, cell, raw in zip(sink.columns, sink.folders, cells, restored, strict=True):
        texts[name][cell] = folder(raw)


def _numeric(view: NumericView, sink: MeasureSink) -> Numbers:
    return tuple(name for name in sink.need.numbers if name in view.numbers)


def _mask(used: Sequence[int], size: int) -> int:
    """Return GROUPING()'s bit mask of a set: a bit is set for each key that the set leaves out."""
    return sum(1 << (size - 1 - i) for i in range(size) if i not in used)


def _sql(view: NumericView, sets: Sequence[tuple[int, ...]], tuples: Sequence[Numbers]) -> str:
    names = {name: f"x{i}" for i, name in enumerate(view.numbers)}
    inner = [f"{column.expression} AS k{i}" for i, column in enumerate(view.cells.values())]
    inner += [f"{view.numbers[name].value} AS {x}" for name, x in names.items()]
    if view.weight is not None:
        inner.append(f"{view.weight} AS w")
    rows = "count(*)" if view.weight is None else "sum(w)"
    occurs = "" if view.weight is None else " AND w > 0"
    totals = [rows, *(_usable(view, [names[name] for name in numbers], rows) for numbers in tuples)]
    for x in names.values():
        totals += [
            _usable(view, [x], rows),
            f"min({x}) FILTER ({x} IS NOT NULL{occurs})" if occurs else f"min({x})",
            f"max({x}) FILTER ({x} IS NOT NULL{occurs})" if occurs else f"max({x})",
        ]
    named = ", ".join(f"{total} AS t{i}" for i, total in enumerate(totals))
    rows_sql = f"FROM (SELECT {', '.join(inner)} FROM {view.source}) AS r"
    every = range(len(view.cells))
    if len(sets) == 1:
        (used,) = sets
        keys = ", ".join(f"k{i}" if i in used else f"NULL AS k{i}" for i in every)
        grouped = f" GROUP BY {', '.join(f'k{i}' for i in used)}" if used else ""
        return f"SELECT {_mask(used, len(every))} AS part, {keys}, {named} {rows_sql}{grouped}"
    keys = ", ".join(f"k{i}" for i in every)
    grouped = ", ".join(f"({', '.join(f'k{i}' for i in used)})" for used in sets)
    return f"SELECT grouping({keys}) AS part, {keys}, {named} {rows_sql} GROUP BY GROUPING SETS ({grouped})"


def _usable(view: NumericView, columns: Sequence[str], rows: str) -> str:
    if not columns:
        return rows
    if len(columns) == 1 and view.weight is None:
        return f"count({columns[0]})"
    return f"{rows} FILTER ({' AND '.join(f'{x} IS NOT NULL' for x in columns)})"


class _Seen:
    """Gathers what one grouping set, which covers every row once, tells of the numbers."""

    def __init__(self, names: Sequence[str]) -> None:
        self._rows = 0
        self._finite = dict.fromkeys(names, 0)
        self._ranges: dict[str, tuple[float, float]] = {}

    def add(self, rows: int, stats: Mapping[str, Sequence[Any]]) -> None:
        """Take in one combination of cells."""
        self._rows += rows
        for name, (finite, low, high) in stats.items():
            self._finite[name] += finite or 0
            if low is not None:
                least, most = self._ranges.get(name, (low, high))
                self._ranges[name] = (min(least, low) + 0.0, max(most, high) + 0.0)  # no negative zero

    def finite(self) -> frozenset[str]:
        """Return the columns in which every row is finite."""
        return frozenset(name for name, n in self._finite.items() if n == self._rows)

    def ranges(self) -> dict[str, tuple[float, float]]:
        """Return the smallest and largest finite value of each column that has any."""
        return self._ranges
