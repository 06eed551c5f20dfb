"""Named pairs of groups: the sums that their means are judged from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairreport.tables.memberships import Patterns, has_fractions
from fairreport.tables.needs import Reading
from fairreport.tables.pair_grid import GridScale
from fairreport.tables.pair_needs import PairNeeds, WeightKind
from fairreport.tables.pair_rows import BoolArray, FloatArray, PairRows, pair_rows
from fairreport.tables.pair_sums import Stream, sum_pairs
from fairreport.tables.pair_tally import CrossSums, MeanSums, MeanTally
from fairreport.tables.pairs import amount, weight_streams
from fairreport.tables.source import Table

Extremes = tuple[float, float]


def gather_means(table: Table, need: PairNeeds, reading: Reading) -> MeanTally:
    """Return the tally of a number whose means are compared.

    Parameters
    ----------
    table : Table
        What is audited; only the columns that are named are read.
    need : PairNeeds
        What is compared.
    reading : Reading
        How cells are to be read.

    Raises
    ------
    ConfigError
        If the columns do not hold what is wanted; everything at once.
    """
    rows = pair_rows(table, need, reading)
    plan, kind = rows.plan, need.weight_kind
    centre = _centre(rows)
    number = rows.outcome - centre
    streams = _streams(rows, kind, number)
    slots = np.zeros(rows.n, dtype=np.intp)
    sums = sum_pairs(rows.members, slots, streams, n_slots=1, plan=plan, times=rows.times)
    counted = kind is not WeightKind.SAMPLING
    fractional = has_fractions(rows.members, rows.weight, len(plan.groups))
    groups, everyone = _extremes(rows, number)
    found = [tuple(part[0].tolist()) for part in sums.groups]
    known = [tuple(part[0].tolist()) for part in sums.known]
    crossed = [tuple(part[0].tolist()) for part in sums.crossed[4:]]
    repeated = kind is WeightKind.FREQUENCY
    lacking = sums.lacking[0][0].tolist() if repeated else sums.missing[0].tolist()
    return MeanTally(
        plan=plan,
        weights=kind,
        fractional=fractional,
        rows=rows.count,
        centre=centre,
        evaluated=round(sums.lacking[0][0][0] + sums.known[0][0][0]) if repeated else int(sums.rows[0]),
        missing=tuple(round(x) for x in lacking),
        groups=tuple(
            _mean_sums(values, whole=counted and not part, ends=ends)
            for values, part, ends in zip(zip(*found, strict=True), fractional, groups, strict=True)
        ),
        everyone=tuple(
            _mean_sums(values, whole=counted, ends=ends)
            for values, ends in zip(zip(*known, strict=True), everyone, strict=True)
        ),
        pairs=tuple(
            CrossSums(
                weight=amount(weight, whole=counted and not (fractional[p.protected] or fractional[p.reference])),
                first=first,
                second=second,
            )
            for p, weight, first, second in zip(plan.pairs, *crossed, strict=True)
        ),
    )


def _mean_sums(values: tuple[float, ...], *, whole: bool, ends: Extremes) -> MeanSums:
    total, n, first, second, squares, squares_first, squares_second = values
    return MeanSums(
        n=round(n),
        total=amount(total, whole=whole),
        first=first,
        second=second,
        squares=amount(squares, whole=whole),
        squares_first=squares_first,
        squares_second=squares_second,
        low=ends[0],
        high=ends[1],
    )


def _centre(rows: PairRows) -> float:
    """Return the mean of all rows, the same whatever their order, and whether rows that are alike stand apart."""
    times = np.ones(rows.n) if rows.times is None else rows.times.astype(np.float64)
    n = int(times.sum())
    if not n:
        return 0.0
    scale = GridScale.of(float(np.abs(rows.outcome).max()), n)
    coarse, fine = scale.split(rows.outcome)
    return scale.join(float((coarse * times).sum()), float((fine * times).sum())) / n


def _streams(rows: PairRows, kind: WeightKind, number: FloatArray) -> list[Stream]:
    """Return the streams w, rows, w x, w x^2, then w^2, w^2 x, w^2 x^2."""
    first, second = weight_streams(rows, kind)
    reach = float(np.abs(number).max(initial=0.0))
    weights = [_reach(first, rows), _reach(second, rows)]

    def times(base: Stream, power: int) -> Callable[[slice], FloatArray]:
        return lambda at: base.numbers(at) * number[at] ** power

    moments = [
        [Stream(read=times(base, power), reach=size * reach**power or 1.0, power=base.power) for power in (1, 2)]
        for base, size in zip((first, second), weights, strict=True)
    ]
    return [first, _standing(rows, kind), *moments[0], second, *moments[1]]


def _reach(stream: Stream, rows: PairRows) -> float:
    if stream.reach:
        return stream.reach
    return float(stream.numbers(slice(0, rows.n)).max(initial=0.0))


def _standing(rows: PairRows, kind: WeightKind) -> Stream:
    """Return the stream that counts rows of positive weight."""
    weight = rows.weight

    def read(at: slice) -> FloatArray:
        if weight is None:
            return np.ones(at.stop - at.start)
        return weight[at].copy() if kind is WeightKind.FREQUENCY else (weight[at] > 0).astype(np.float64)

    return Stream(read=read, reach=0.0, power=0)


def _extremes(rows: PairRows, number: FloatArray) -> tuple[list[Extremes], list[Extremes]]:
    """Return the smallest and largest number of each group, and of all members of each category."""
    n_groups, n_categories = len(rows.plan.groups), len(rows.plan.categories)
    counted: BoolArray = np.ones(rows.n, dtype=np.bool_) if rows.weight is None else rows.weight > 0
    if rows.times is not None:
        counted &= rows.times > 0
    members = rows.members
    if not isinstance(members, Patterns):
        groups = [_ends(number[counted & (share > 0)]) for share in members.shares]
        return groups, [_ends(number[counted & ~missing]) for missing in members.missing]
    codes, number = members.codes[counted], number[counted]
    order = np.argsort(codes, kind="stable")
    codes, number = codes[order], number[order]
    if not len(codes):
        return [_NONE] * n_groups, [_NONE] * n_categories
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    lows, highs = np.minimum.reduceat(number, starts), np.maximum.reduceat(number, starts)
    distinct = codes[starts].astype(np.uint64)

    def among(bit: int, value: int) -> Extremes:
        chosen = (distinct >> np.uint64(bit)) & np.uint64(1) == value
        return (float(lows[chosen].min()), float(highs[chosen].max())) if chosen.any() else _NONE

    return [among(i, 1) for i in range(n_groups)], [among(n_groups + c, 0) for c in range(n_categories)]


_NONE: Extremes = (0.0, 0.0)


def _ends(values: FloatArray) -> Extremes:
    return (float(values.min()), float(values.max())) if len(values) else _NONE
