"""Sums over rows, exact: every value is brought to a grid of whole numbers, and whole numbers add up the same.

A stream's values are scaled by a power of two and rounded to whole numbers of at most 96 bits (fewer where
there are more than 2**30 rows), the squares of what is left after taking off the middle of the range as
well. Their sums are 128-bit integers, so row order, chunks, threads and engine change no digit, and raw
spellings of one group merge without loss. Where a group's values lie so close together beside the range of the
whole stream that this would cost digits, the group is summed again on a grid of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from fairreport.tables.known import Known
from fairreport.tables.sinks import Label, MeasureSink

LARGEST_REACH = 1e140
"""Values farther than this from the middle of their range have squares whose sums may leave the floats."""

_HUGEINT_BITS = 126
_GRID_BITS = 96
_SMALLEST_EXPONENT = -900
_KEPT_BITS = 33
"""So many bits of a variance are right at least, 10 decimal digits; mostly about 50 are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """How numbers become whole numbers.

    Attributes
    ----------
    centre : float
        What is taken off before squaring.
    reach : float
        Largest distance of a value from the centre.
    """

    centre: float
    reach: float

    def shift(self, bits: int) -> int:
        """Return the power of two that brings the values themselves to whole numbers."""
        return bits - _exponent(abs(self.centre) + self.reach)

    def half_shift(self, bits: int) -> int:
        """Return the power of two that brings the differences from the centre to where their squares are."""
        return bits // 2 - _exponent(self.reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A number per row whose moments are wanted.

    Attributes
    ----------
    expression : str
        SQL of the number, null where the row is not evaluated.
    grid : Grid
        Where its values lie.
    """

    expression: str
    grid: Grid


@dataclass(slots=True, kw_only=True)
class Sums:
    """Rows, whole-number sums, and extremes of a stream in one group."""

    n: int = 0
    first: int = 0
    second: int = 0
    low: float = math.inf
    high: float = -math.inf

    def add(self, n: int, first: int, second: int, low: float, high: float) -> None:
        """Take in the sums of other rows."""
        self.n += n
        self.first += first
        self.second += second
        self.low = min(self.low, low)
        self.high = max(self.high, high)


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
    """Return how fine the grid may be so that the sum over `rows` rows fits 128 bits; an even number."""
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
    bits = grid_bits(sink.total)
    keys = [f"k{i}" for i in range(len(sink.attributes))]
    weighted = known.view.weight is not None
    aggregates = [_aggregates(f"x{i}", stream.grid, bits, weighted=weighted) for i, stream in enumerate(streams)]
    found = _grouped(known, sink, streams, keys, aggregates)
    return [
        {label: _totals(sums, stream.grid, bits) for label, sums in groups.items()}
        | _gather_again(
            known, sink, stream, [label for label in groups if _is_coarse(groups[label], stream.grid, bits)], groups
        )
        for stream, groups in zip(streams, found, strict=True)
    ]


def _grouped(
    known: Known, sink: MeasureSink, streams: Sequence[Stream], keys: Sequence[str], aggregates: Sequence[str]
) -> list[dict[Label, Sums]]:
    """Group the rows by the raw cells of the attributes; return the sums of each stream by label."""
    sql = (
        f"SELECT {', '.join([*keys, *aggregates])} FROM ({_rows_sql(known, sink, streams)}) GROUP BY {', '.join(keys)}"
    )
    found: list[dict[Label, Sums]] = [{} for _ in streams]
    for row in known.view.fetch_rows(sql):
        label = _label(known, sink, row)
        if label is None:
            continue
        for i, groups in enumerate(found):
            n, first, second, low, high = row[len(keys) + 5 * i :][:5]
            if n:
                groups.setdefault(label, Sums()).add(int(n), int(first), int(second), low, high)
    return found


def _rows_sql(known: Known, sink: MeasureSink, streams: Sequence[Stream]) -> str:
    view = known.view
    inner = [f"{view.cells[name].expression} AS k{i}" for i, name in enumerate(sink.attributes)]
    inner += [f"{stream.expression} AS x{i}" for i, stream in enumerate(streams)]
    if view.weight is None:
        return f"SELECT {', '.join(inner)} FROM {view.source}"
    return f"SELECT {', '.join(inner)}, {view.weight} AS w FROM {view.source} WHERE {view.weight} > 0"


def _label(known: Known, sink: MeasureSink, row: Sequence[object]) -> Label | None:
    texts = [known.texts[name].get(cell) for name, cell in zip(sink.attributes, row, strict=False)]
    complete = tuple(text for text in texts if text is not None)
    return complete if len(complete) == len(texts) else None


def _aggregates(x: str, grid: Grid, bits: int, *, weighted: bool) -> str:
    centred = x if grid.centre == 0 else f"({x} - {_double(grid.centre)})"
    first = f"CAST({x} * {_double(2.0 ** grid.shift(bits))} AS HUGEINT)"
    root = f"({centred} * {_double(2.0 ** grid.half_shift(bits))})"
    return _summed(x, first, f"CAST({root} * {root} AS HUGEINT)", weighted=weighted)


def _summed(x: str, first: str, second: str, *, weighted: bool) -> str:
    if weighted:
        return f"sum(w) FILTER ({x} IS NOT NULL), sum({first} * w), sum({second} * w), min({x}), max({x})"
    return f"count({x}), sum({first}), sum({second}), min({x}), max({x})"


def _totals(sums: Sums, grid: Grid, bits: int) -> Totals:
    total = Fraction(sums.first) / Fraction(2) ** grid.shift(bits)
    centre = Fraction(grid.centre)
    about_centre = Fraction(sums.second) / Fraction(2) ** (2 * grid.half_shift(bits))
    squares = about_centre + centre * (2 * total - sums.n * centre)
    return Totals(n=sums.n, total=total, squares=squares, low=sums.low, high=sums.high)


def _is_coarse(sums: Sums, grid: Grid, bits: int) -> bool:
    """Tell whether the grid of the whole stream costs a group digits of its mean or variance.

    Squares are floats before they are whole numbers: each is right to 53 bits of itself, which does not help where
    they are much larger than the variance, and to one step of the grid.
    """
    if sums.low == sums.high:
        return False
    size = max(abs(sums.low), abs(sums.high))
    if math.ldexp(size, grid.shift(bits)) < 2.0**53:
        return True
    total = Fraction(sums.first) / Fraction(2) ** grid.shift(bits)
    mean = (total / sums.n - Fraction(grid.centre)) * Fraction(2) ** grid.half_shift(bits)
    spread = sums.second - sums.n * mean * mean
    errors = math.isqrt(sums.n)
    return bool(spread < 2**_KEPT_BITS * errors or spread * errors * 2 ** (53 - _KEPT_BITS) < sums.second)


def _gather_again(
    known: Known, sink: MeasureSink, stream: Stream, labels: Sequence[Label], groups: Mapping[Label, Sums]
) -> dict[Label, Totals]:
    """Return the totals of some groups, each on the grid of its own range."""
    if not labels:
        return {}
    view = known.view
    bits = grid_bits(sink.total)
    grids = [grid_between(groups[label].low, groups[label].high) for label in labels]
    listed: list[str] = []
    for i, (label, grid) in enumerate(zip(labels, grids, strict=True)):
        scales = [_double(x) for x in (grid.centre, 2.0 ** grid.shift(bits), 2.0 ** grid.half_shift(bits))]
        spellings = [
            [view.cells[name].literal(cell) for cell, folded in known.texts[name].items() if folded == text]
            for name, text in zip(sink.attributes, label, strict=True)
        ]
        listed += [f"({', '.join([*cells, str(i), *scales])})" for cells in product(*spellings)]
    keys = [f"k{i}" for i in range(len(sink.attributes))]
    on = " AND ".join(f"s.{key} = m.{key}" for key in keys)
    root = "((x0 - m.centre) * m.half)"
    weighted = view.weight is not None
    sums = _summed("x0", "CAST(x0 * m.whole AS HUGEINT)", f"CAST({root} * {root} AS HUGEINT)", weighted=weighted)
    sql = (
        f"SELECT m.place, {sums} FROM ({_rows_sql(known, sink, [stream])}) AS s JOIN (VALUES {', '.join(listed)}) "
        f"AS m({', '.join(keys)}, place, centre, whole, half) ON {on} GROUP BY m.place"
    )
    found: dict[Label, Totals] = {}
    for place, n, first, second, low, high in view.fetch_rows(sql):
        summed = Sums(n=int(n), first=int(first), second=int(second), low=low, high=high)
        found[labels[place]] = _totals(summed, grids[place], bits)
    return found


def grid_between(low: float, high: float) -> Grid:
    """Return the grid of values between two ends."""
    centre = low / 2 + high / 2
    return Grid(centre=centre, reach=max(high - centre, centre - low))


def _exponent(size: float) -> int:
    """Return the power of two that a size stays below."""
    return max(math.frexp(size)[1], _SMALLEST_EXPONENT) if size else 0


def _double(value: float) -> str:
    return f"CAST('{value!r}' AS DOUBLE)"
