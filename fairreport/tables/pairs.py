"""Named pairs of groups: from a table of any kind to the sums that they are judged from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.stats.weighting import repeated_quantiles, weighted_quantiles
from fairreport.tables.memberships import has_fractions
from fairreport.tables.needs import Reading
from fairreport.tables.pair_needs import OutcomeKind, PairNeeds, WeightKind
from fairreport.tables.pair_rows import FloatArray, PairRows, pair_rows
from fairreport.tables.pair_sums import PairSums, Stream, sum_pairs
from fairreport.tables.pair_tally import Amount, FavorableFrom, PairCell, PairTally
from fairreport.tables.source import Table

Array = npt.NDArray[Any]


def gather_pairs(table: Table, need: PairNeeds, reading: Reading) -> PairTally:
    """Return the tally of favorable outcomes.

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
    level, tables = _levels(rows, need)
    n_levels = _level_count(need)
    slots = level
    n_slots = n_levels
    if rows.label is not None:
        slots = slots + np.multiply(rows.label == 1, n_levels, dtype=np.intp)
        n_slots *= 2
    if rows.segment is not None:
        slots = slots + n_slots * rows.segment
        n_slots *= max(len(rows.segments), 1)
    streams = weight_streams(rows, need.weight_kind)
    sums = sum_pairs(rows.members, slots, streams, n_slots=n_slots, plan=rows.plan, times=rows.times)
    fractional = has_fractions(rows.members, rows.weight, len(rows.plan.groups))
    return PairTally(
        plan=rows.plan,
        weights=need.weight_kind,
        fractional=fractional,
        rows=rows.count,
        tables=tables,
        segments=rows.segments,
        cells=_cells(rows, need, sums, fractional, n_levels),
    )


def weight_streams(rows: PairRows, kind: WeightKind) -> list[Stream]:
    """Return the streams of weights and of their squares.

    Under frequencies a square is frequency x membership^2: the rows are repeated, each with weight 1.
    """
    weight = rows.weight
    if weight is None:
        return [Stream(read=None, reach=0.0, power=1), Stream(read=None, reach=0.0, power=2)]

    def plain(at: slice) -> FloatArray:
        return weight[at].copy()

    if kind is WeightKind.FREQUENCY:
        return [Stream(read=plain, reach=0.0, power=1), Stream(read=plain, reach=0.0, power=2)]
    largest = float(weight.max(initial=0.0))
    # A reach of 0 would mean whole numbers; with no weight at all there is nothing to add.
    return [
        Stream(read=plain, reach=largest or 1.0, power=1),
        Stream(read=lambda at: plain(at) * weight[at], reach=largest * largest or 1.0, power=2),
    ]


def _level_count(need: PairNeeds) -> int:
    if need.kind is OutcomeKind.SCORE:
        return len(set(need.quantiles)) + 1
    return len(need.category_order) if need.kind is OutcomeKind.CATEGORY else 2


def _levels(rows: PairRows, need: PairNeeds) -> tuple[Array, tuple[FavorableFrom, ...]]:
    """Return the level of each row, and from which level on an outcome is favorable, table by table."""
    if need.kind is OutcomeKind.CATEGORY:
        order = need.category_order
        return rows.outcome, tuple(FavorableFrom(level=at, category=order[at]) for at in range(len(order) - 1, 0, -1))
    if need.kind is OutcomeKind.BINARY:
        return rows.outcome == 1, (FavorableFrom(level=1),)
    cutoffs = _cutoffs(rows, need)
    if cutoffs is None:
        return np.zeros(rows.n, dtype=np.intp), tuple(FavorableFrom(level=1, quantile=q) for q in need.quantiles)
    # From the cutoff that is easiest to reach to the hardest; a score equal to a cutoff has reached it.
    by_ease = sorted(set(zip(cutoffs, need.quantiles, strict=True)), reverse=need.lower_is_favorable)
    level = np.zeros(rows.n, dtype=np.intp)
    for cutoff, _ in by_ease:
        level += (rows.outcome <= cutoff) if need.lower_is_favorable else (rows.outcome >= cutoff)
    place = {quantile: i + 1 for i, (_, quantile) in enumerate(by_ease)}
    return level, tuple(
        FavorableFrom(level=place[quantile], quantile=quantile, cutoff=cutoff)
        for quantile, cutoff in zip(need.quantiles, cutoffs, strict=True)
    )


def _cutoffs(rows: PairRows, need: PairNeeds) -> tuple[float, ...] | None:
    """Return the quantiles of all rows that have a weight; None where there are none."""
    if rows.weight is None:
        if not rows.n or (rows.times is not None and not rows.times.sum()):
            return None
        return repeated_quantiles(rows.outcome, need.quantiles, rows.times)
    times = 1 if rows.times is None else rows.times
    if not np.any(rows.weight * times > 0):
        return None
    if need.weight_kind is WeightKind.FREQUENCY:
        return repeated_quantiles(rows.outcome, need.quantiles, (rows.weight * times).astype(np.int64))
    if rows.times is None:
        return weighted_quantiles(rows.outcome, need.quantiles, rows.weight)
    return weighted_quantiles(np.repeat(rows.outcome, rows.times), need.quantiles, np.repeat(rows.weight, rows.times))


def _cells(
    rows: PairRows, need: PairNeeds, sums: PairSums, fractional: tuple[bool, ...], n_levels: int
) -> tuple[PairCell, ...]:
    counted = need.weight_kind is not WeightKind.SAMPLING
    whole_pairs = [not (fractional[p.protected] or fractional[p.reference]) for p in rows.plan.pairs]
    cells = []
    repeated = need.weight_kind is WeightKind.FREQUENCY
    for slot in range(len(sums.rows)):
        if not sums.rows[slot]:
            continue
        rest, level = divmod(slot, n_levels)
        label = None
        if rows.label is not None:
            rest, label = divmod(rest, 2)
        lacking = sums.lacking[0][slot].tolist()
        known = sums.known[0][slot].tolist()
        missing = [int(x) for x in (lacking if repeated else sums.missing[slot].tolist())]
        cells.append(
            PairCell(
                segment=rows.segments[rest] if rows.segment is not None else None,
                level=level,
                label=label,
                rows=round(lacking[0] + known[0]) if repeated else int(sums.rows[slot]),
                missing=tuple(missing),
                missing_weight=tuple(amount(x, whole=counted) for x in sums.unknown[0][slot].tolist()),
                totals=_amounts(sums.groups[0][slot].tolist(), fractional, counted=counted),
                squares=_amounts(sums.groups[1][slot].tolist(), fractional, counted=counted),
                crossed=tuple(
                    amount(x, whole=counted and whole)
                    for x, whole in zip(sums.crossed[1][slot].tolist(), whole_pairs, strict=True)
                ),
            )
        )
    return tuple(cells)


def _amounts(values: list[float], fractional: tuple[bool, ...], *, counted: bool) -> tuple[Amount, ...]:
    return tuple(amount(x, whole=counted and not part) for x, part in zip(values, fractional, strict=True))


def amount(value: float, *, whole: bool) -> Amount:
    """Return a sum as a whole number where rows are counted."""
    return round(value) if whole else value
