"""Sums over rows, exact: every value is brought to a grid of whole numbers, and whole numbers add up the same.

A stream's values are scaled by a power of two and rounded to whole numbers of at least 56 bits, the squares of what
is left after taking off a centre of the range as well (`fairreport.tables.grid`). Their sums are exact, so row
order, chunks, threads and engine change no digit, and raw spellings of one group merge without loss. Where a group's
values lie so close together beside the range of the whole stream that this would cost digits, the group is summed
again on a grid of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from fairreport.tables.grid import Grid, Pieces, cut_sql, double_sql, grid_between, pieces_for
from fairreport.tables.known import Known
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.streams import Stream

_HUGEINT_BITS = 126
_GRID_BITS = 96
_MEAN_BITS = 46
"""So many bits of the largest value of a group are on the grid at least."""

_KEPT_BITS = 33
"""So many bits of a variance are right at least, 10 decimal digits; mostly about 50 are."""


@dataclass(slots=True, kw_only=True)
class Sums:
    """Rows, whole-number sums, and extremes (infinite where they were not asked for) of a stream in one group."""

    n: int = 0
    first: int = 0
    second: int = 0
    low: float = math.inf
    high: float = -math.inf

    def add(self, other: Sums) -> None:
        """Take in the sums of other rows."""
        self.n += other.n
        self.first += other.first
        self.second += other.second
        self.low = min(self.low, other.low)
        self.high = max(self.high, other.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Rows, sum, sum of squares, and extremes of some values."""

    n: int
    total: Fraction
    squares: Fraction
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMoments:
    """Rows, mean, and variance (ddof 1; None for one row, exactly 0 for constant values)."""

    n: int
    mean: float
    variance: float | None


def together(parts: Iterable[Totals]) -> Totals:
    """Return the totals of disjoint rows put together."""
    listed = list(parts)
    return Totals(
        n=sum(part.n for part in listed),
        total=sum((part.total for part in listed), Fraction()),
        squares=sum((part.squares for part in listed), Fraction()),
        low=min(part.low for part in listed),
        high=max(part.high for part in listed),
    )


def moments_of(totals: Totals) -> GroupMoments:
    """Return mean and variance, each rounded once."""
    n = totals.n
    if totals.low == totals.high:
        return GroupMoments(n=n, mean=totals.low + 0.0, variance=0.0 if n > 1 else None)  # + 0.0: no negative zero
    spread = max(totals.squares - totals.total * totals.total / n, Fraction())
    return GroupMoments(n=n, mean=float(totals.total / n), variance=float(spread / (n - 1)) if n > 1 else None)


def grid_bits(rows: int) -> int:
    """Return how fine whole numbers may be so that their sum over `rows` rows fits 128 bits; an even number."""
    return min(_GRID_BITS, _HUGEINT_BITS - max(rows, 1).bit_length()) // 2 * 2


def gather_totals(known: Known, sink: MeasureSink, streams: Sequence[Stream]) -> list[dict[Label, Totals]]:
    """Return, for each stream, the totals of every group of `sink`'s attributes, from one grouping.

    Parameters
    ----------
    known : Known
        The view that is grouped, and what is known of it.
    sink : MeasureSink
        Names the attributes.
    streams : sequence of Stream
        The numbers.
    """
    pieces = _pieces(known, sink)
    found = _grouped(known, sink, streams, pieces)
    return [finish(known, sink, stream, groups) for stream, groups in zip(streams, found, strict=True)]


def finish(known: Known, sink: MeasureSink, stream: Stream, groups: Mapping[Label, Sums]) -> dict[Label, Totals]:
    """Return the totals of every group of a stream; those that its grid costs digits are summed again.

    Parameters
    ----------
    known : Known
        The view that was grouped.
    sink : MeasureSink
        Names the attributes; it was fed its rows.
    stream : Stream
        The numbers.
    groups : mapping of label to Sums
        Their sums on the grid of the stream; with extremes in all groups that have to be summed again.
    """
    pieces = _pieces(known, sink)
    again = [label for label in sorted(groups) if is_coarse(groups[label], stream.grid, pieces)]
    found = {label: totals_of(sums, stream.grid, pieces) for label, sums in groups.items()}
    return found | _gather_again(known, sink, stream, again, groups)


def _pieces(known: Known, sink: MeasureSink) -> Pieces:
    view = known.view
    return pieces_for(sink.total, whole=view.sums_wholes and view.weight is None)


def _grouped(known: Known, sink: MeasureSink, streams: Sequence[Stream], pieces: Pieces) -> list[dict[Label, Sums]]:
    """Group the rows by the raw cells of the attributes; return the sums of each stream by label."""
    keys = ", ".join(f"k{i}" for i in range(len(sink.attributes)))
    weighted = known.view.weight is not None
    aggregates = ", ".join(
        f"{_occurrences(f'x{i}', weighted=weighted)}, min(x{i}), max(x{i}), "
        + sums_sql(i, stream.grid, pieces, weighted=weighted)
        for i, stream in enumerate(streams)
    )
    numbers = [column for i, stream in enumerate(streams) for column in columns_sql(i, stream, pieces)]
    sql = f"SELECT {keys}, {aggregates} FROM ({_rows_sql(known, sink, numbers)}) AS r GROUP BY {keys}"
    found: list[dict[Label, Sums]] = [{} for _ in streams]
    for row in known.view.fetch_rows(sql):
        label = _label(known, sink, row)
        if label is None:
            continue
        cells = iter(row[len(sink.attributes) :])
        for stream, groups in zip(streams, found, strict=True):
            n, low, high = (next(cells) for _ in range(3))
            parts = [next(cells) for _ in range(2 * pieces.count)]
            if n:
                first, second = read_sums(parts, stream.grid, pieces)
                groups.setdefault(label, Sums()).add(Sums(n=int(n), first=first, second=second, low=low, high=high))
    return found


def _rows_sql(known: Known, sink: MeasureSink, numbers: Sequence[str]) -> str:
    view = known.view
    inner = [f"{view.cells[name].expression} AS k{i}" for i, name in enumerate(sink.attributes)]
    inner += numbers
    if view.weight is None:
        return f"SELECT {', '.join(inner)} FROM {view.source}"
    return f"SELECT {', '.join(inner)}, {view.weight} AS w FROM {view.source} WHERE {view.weight} > 0"


def _label(known: Known, sink: MeasureSink, row: Sequence[object]) -> Label | None:
    texts = [known.texts[name].get(cell) for name, cell in zip(sink.attributes, row, strict=False)]
    complete = tuple(text for text in texts if text is not None)
    return complete if len(complete) == len(texts) else None


def columns_sql(place: int, stream: Stream, pieces: Pieces) -> list[str]:
    """Return the columns that `sums_sql` sums: a stream's values, and their squares about a centre that is not 0."""
    listed = [f"{stream.expression} AS x{place}"]
    if _squares_stand_beside(stream.grid, pieces):
        listed.append(f"{_square(stream.expression, stream.grid, pieces)} AS y{place}")
    return listed


def _squares_stand_beside(grid: Grid, pieces: Pieces) -> bool:
    """Tell whether squares are a column of their own: not every engine sees that pieces share them."""
    return bool(grid.centre) and not pieces.is_whole


def _square(x: str, grid: Grid, pieces: Pieces) -> str:
    root = f"({x} - {double_sql(grid.centre)})" if grid.centre else x
    if not grid.is_moderate(pieces):
        root = f"({root} * {double_sql(2.0 ** grid.half_shift(pieces))})"
    return f"({root} * {root})"


def sums_sql(place: int, grid: Grid, pieces: Pieces, *, weighted: bool) -> str:
    """Return SQL of the sums of the pieces of a stream's values, then of their squares about the centre."""
    x = f"x{place}"
    square = f"y{place}" if _squares_stand_beside(grid, pieces) else _square(x, grid, pieces)
    if grid.is_moderate(pieces):
        return _sums_sql(x, square, pieces, (grid.shift(pieces), 2 * grid.half_shift(pieces)), weighted=weighted)
    scaled = f"({x} * {double_sql(2.0 ** grid.shift(pieces))})"
    return _sums_sql(scaled, square, pieces, (0, 0), weighted=weighted)


def _sums_sql(value: str, square: str, pieces: Pieces, shifts: tuple[int, int], *, weighted: bool) -> str:
    cut = [*cut_sql(value, pieces, shifts[0]), *cut_sql(square, pieces, shifts[1])]
    return ", ".join(f"sum({piece} * CAST(w AS DOUBLE))" if weighted else f"sum({piece})" for piece in cut)


def read_sums(parts: Sequence[float], grid: Grid, pieces: Pieces) -> tuple[int, int]:
    """Return the whole-number sums of values and squares from those of their pieces."""
    shift, half_shift = (grid.shift(pieces), grid.half_shift(pieces)) if grid.is_moderate(pieces) else (0, 0)
    return pieces.whole(parts[: pieces.count], shift), pieces.whole(parts[pieces.count :], 2 * half_shift)


def _occurrences(x: str, *, weighted: bool) -> str:
    return f"sum(w) FILTER ({x} IS NOT NULL)" if weighted else f"count({x})"


def totals_of(sums: Sums, grid: Grid, pieces: Pieces) -> Totals:
    """Return the totals of whole-number sums on a grid; those of constant values off it, without any rounding."""
    if sums.low == sums.high:
        value = Fraction(sums.low)
        return Totals(n=sums.n, total=sums.n * value, squares=sums.n * value * value, low=sums.low, high=sums.high)
    total = Fraction(sums.first) / Fraction(2) ** (grid.shift(pieces) + pieces.below)
    centre = Fraction(grid.centre)
    about_centre = Fraction(sums.second) / Fraction(2) ** (2 * grid.half_shift(pieces) + pieces.below)
    squares = about_centre + centre * (2 * total - sums.n * centre)
    return Totals(n=sums.n, total=total, squares=squares, low=sums.low, high=sums.high)


def is_coarse(sums: Sums, grid: Grid, pieces: Pieces) -> bool:
    """Tell whether the grid of the whole stream costs a group digits of its mean or variance.

    Squares are floats before they are whole numbers: each is right to 53 bits of itself, which does not help where
    they are much larger than the variance, and to one step of the grid.
    """
    if sums.low == sums.high:
        return False
    shift = grid.shift(pieces) + pieces.below
    mean = Fraction(sums.first) / Fraction(2) ** shift / sums.n
    size = max(abs(sums.low), abs(sums.high)) if math.isfinite(sums.low) else abs(float(mean))
    if math.ldexp(size, shift) < 2.0**_MEAN_BITS:
        return True
    step = Fraction(2) ** (2 * grid.half_shift(pieces) + pieces.below)
    off = mean - Fraction(grid.centre)
    spread = sums.second - sums.n * off * off * step
    return bool(spread < 2**_KEPT_BITS * sums.n or spread * 2 ** (53 - _KEPT_BITS) < sums.second)


def _gather_again(
    known: Known, sink: MeasureSink, stream: Stream, labels: Sequence[Label], groups: Mapping[Label, Sums]
) -> dict[Label, Totals]:
    """Return the totals of some groups, each on the grid of its own range."""
    if not labels:
        return {}
    view = known.view
    pieces = _pieces(known, sink)
    grids = [grid_between(groups[label].low, groups[label].high) for label in labels]
    listed: list[str] = []
    for i, (label, grid) in enumerate(zip(labels, grids, strict=True)):
        scales = [double_sql(it) for it in (grid.centre, 2.0 ** grid.shift(pieces), 2.0 ** grid.half_shift(pieces))]
        spellings = [
            [view.cells[name].literal(cell) for cell, folded in known.texts[name].items() if folded == text]
            for name, text in zip(sink.attributes, label, strict=True)
        ]
        listed += [f"({', '.join([*cells, str(i), *scales])})" for cells in product(*spellings)]
    keys = [f"k{i}" for i in range(len(sink.attributes))]
    weighted = view.weight is not None
    root = "((x0 - centre) * half)"
    sums = _sums_sql("(x0 * whole)", f"({root} * {root})", pieces, (0, 0), weighted=weighted)
    sql = (
        f"SELECT place, {_occurrences('x0', weighted=weighted)}, min(x0), max(x0), {sums} "
        f"FROM ({_rows_sql(known, sink, [f'{stream.expression} AS x0'])}) AS s "
        f"JOIN (VALUES {', '.join(listed)}) AS m({', '.join(keys)}, place, centre, whole, half) "
        f"ON {' AND '.join(f's.{key} = m.{key}' for key in keys)} GROUP BY place"
    )
    found: dict[Label, Totals] = {}
    for place, n, low, high, *parts in view.fetch_rows(sql):
        first, second = (pieces.whole(half, 0) for half in (parts[: pieces.count], parts[pieces.count :]))
        summed = Sums(n=int(n), first=first, second=second, low=low, high=high)
        found[labels[place]] = totals_of(summed, grids[place], pieces)
    return found
