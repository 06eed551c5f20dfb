"""Sums over rows, exact: every value is brought to a grid of whole numbers, and whole numbers add up the same.

A stream's values are centred, scaled by a power of two into -1..1 and rounded to multiples of 2**-bits (96
bits where there are fewer than 2**30 rows). Their sum and the sum of their squares are 128-bit integers, so
row order, chunks, threads and engine change no digit, and raw spellings of one group merge without loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fairreport.tables.known import Known
from fairreport.tables.sinks import Label, MeasureSink

_HUGEINT_BITS = 126
_GRID_BITS = 96
_SMALLEST_EXPONENT = -900


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A number per row whose moments are wanted.

    Attributes
    ----------
    expression : str
        SQL of the number, null where the row is not evaluated.
    centre : float
        What is taken off before squaring.
    reach : float
        Largest distance of a value from the centre.
    """

    expression: str
    centre: float
    reach: float

    @property
    def exponent(self) -> int:
        """The power of two that brings the values into -1..1."""
        return max(math.frexp(self.reach)[1], _SMALLEST_EXPONENT) if self.reach else 0


@dataclass(slots=True, kw_only=True)
class Sums:
    """Rows, whole-number sums, and extremes of a stream in one group."""

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
class GroupMoments:
    """Rows, mean, and variance (ddof 1; None for one row, exactly 0 for constant values)."""

    n: int
    mean: float
    variance: float | None


def grid_bits(rows: int) -> int:
    """Return how fine the grid may be so that the sum over `rows` rows fits 128 bits."""
    return min(_GRID_BITS, _HUGEINT_BITS - max(rows, 1).bit_length())


def gather_sums(known: Known, sink: MeasureSink, streams: Sequence[Stream]) -> list[dict[Label, Sums]]:
    """Return, for each stream, the sums of every group of `sink`'s attributes, from one grouping.

    Parameters
    ----------
    known : Known
        The view that is grouped, and what is known of it.
    sink : MeasureSink
        Names the attributes.
    streams : sequence of Stream
        The numbers.
    """
    view = known.view
    bits = grid_bits(sink.total)
    keys = [view.cells[name].expression for name in sink.attributes]
    inner = [f"{key} AS k{i}" for i, key in enumerate(keys)]
    inner += [f"{stream.expression} AS x{i}" for i, stream in enumerate(streams)]
    if view.weight is not None:
        inner.append(f"{view.weight} AS w")
    aggregates = ", ".join(
        _aggregates(f"x{i}", stream, bits, weighted=view.weight is not None) for i, stream in enumerate(streams)
    )
    grouped = ", ".join(f"k{i}" for i in range(len(keys)))
    sql = f"SELECT {grouped}, {aggregates} FROM (SELECT {', '.join(inner)} FROM {view.source}) GROUP BY {grouped}"
    found: list[dict[Label, Sums]] = [{} for _ in streams]
    for row in view.fetch_rows(sql):
        label = tuple(known.texts[name].get(cell) for name, cell in zip(sink.attributes, row, strict=False))
        complete = tuple(text for text in label if text is not None)
        if len(complete) < len(label):
            continue
        for i in range(len(streams)):
            n, first, second, low, high = row[len(keys) + 5 * i : len(keys) + 5 * i + 5]
            if n:
                part = Sums(n=int(n), first=int(first), second=int(second), low=low, high=high)
                found[i].setdefault(complete, Sums()).add(part)
    return found


def _aggregates(x: str, stream: Stream, bits: int, *, weighted: bool) -> str:
    centred = x if stream.centre == 0 else f"({x} - {_double(stream.centre)})"
    scaled = f"({centred} * {_double(2.0**-stream.exponent)})"
    grid = _double(2.0**bits)
    first = f"CAST({scaled} * {grid} AS HUGEINT)"
    second = f"CAST({scaled} * {scaled} * {grid} AS HUGEINT)"
    if not weighted:
        return f"count({x}), sum({first}), sum({second}), min({x}), max({x})"
    occurs = f"FILTER ({x} IS NOT NULL AND w > 0)"
    return f"sum(w) {occurs}, sum({first} * w), sum({second} * w), min({x}) {occurs}, max({x}) {occurs}"


def _double(value: float) -> str:
    return f"CAST('{value!r}' AS DOUBLE)"


def group_moments(sums: Sums, stream: Stream, bits: int) -> GroupMoments:
    """Return mean and variance from whole-number sums, each rounded once.

    Parameters
    ----------
    sums : Sums
        Of one group, or of several added up; n >= 1.
    stream : Stream
        The stream they belong to.
    bits : int
        The grid they were gathered on.
    """
    if sums.low == sums.high:
        return GroupMoments(n=sums.n, mean=float(sums.low), variance=0.0 if sums.n > 1 else None)
    unit = Fraction(2) ** stream.exponent
    mean = Fraction(sums.first, sums.n) / 2**bits
    spread = Fraction(sums.second, 2**bits) - sums.n * mean * mean
    variance = max(spread / (sums.n - 1), Fraction(0)) * unit * unit if sums.n > 1 else None
    return GroupMoments(
        n=sums.n,
        mean=float(Fraction(stream.centre) + mean * unit),
        variance=None if variance is None else float(variance),
    )
