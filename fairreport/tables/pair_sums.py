"""The one pass over rows of named pairs: sums of every group, pair and category, slot by slot.

A slot is what rows are told apart by beside their memberships: segment, outcome, label. Where memberships are
0 and 1 the rows are added up by their code, and codes are few; proportions take a product with each row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.tables.memberships import BLOCK, Members, Patterns, Proportions, block_slices
from fairreport.tables.pair_grid import FloatArray, GridScale
from fairreport.tables.pair_needs import PairPlan

IntArray = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

_DENSE = 1 << 16
_PRODUCTS = 32
_LANES = 4
_PROPORTION_BLOCK = 1 << 14
_FEW = 1 << 13
_LARGEST_KEY = 64
"""Bits of the key of a pattern and its slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A number per row that is added up.

    Attributes
    ----------
    read : callable or None
        From a slice of rows to their numbers, which may be overwritten; None counts the rows. Rows that stand for
        several have the number of one of them, and count so often: the same digits as those of repeated rows.
    reach : float
        Largest size of a number; 0 where all are whole and their sum stays below 2**53.
    power : int
        Of the membership that it is multiplied by: 1, or 2 where two memberships are multiplied, or 0 for
        numbers that are added as they stand where there is any membership.
    """

    read: Callable[[slice], FloatArray] | None
    reach: float
    power: int

    def numbers(self, at: slice) -> FloatArray:
        """Return the numbers of some rows, each as if it stood once."""
        return np.ones(at.stop - at.start) if self.read is None else self.read(at)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums:
    """Sums of each stream in each slot.

    Attributes
    ----------
    rows : ndarray of int64, shape (slots,)
        Rows.
    missing : ndarray of int64, shape (slots, categories)
        Of these, rows without a membership in a category.
    groups : list of ndarray, shape (slots, groups)
        One array a stream.
    lacking : list of ndarray, shape (slots, categories)
        One array a stream: rows without a membership in a category.
    unknown : list of ndarray, shape (slots, categories)
        The same, rows aside that are known to be in another group.
    known : list of ndarray, shape (slots, categories)
        One array a stream: rows with a membership.
    crossed : list of ndarray, shape (slots, pairs)
        One array a stream of power 2, an empty one for others.
    """

    rows: IntArray
    missing: IntArray
    groups: list[FloatArray]
    lacking: list[FloatArray]
    unknown: list[FloatArray]
    known: list[FloatArray]
    crossed: list[FloatArray]


def sum_pairs(
    members: Members,
    slots: Array,
    streams: Sequence[Stream],
    *,
    n_slots: int,
    plan: PairPlan,
    times: IntArray | None,
) -> PairSums:
    """Return the sums over rows.

    Parameters
    ----------
    members : Members
        Who belongs where.
    slots : ndarray of int
        Slot of each row.
    streams : sequence of Stream
        What is added up.
    n_slots : int
        How many slots there are.
    plan : PairPlan
        Groups, categories and pairs.
    times : ndarray of int64 or None
        How often each row stands, where rows stand for several.
    """
    n = len(slots)
    whole = n if times is None else int(times.sum())
    scales = [GridScale.of(stream.reach, whole) if stream.reach else None for stream in streams]
    if isinstance(members, Patterns):
        return _of_patterns(members, slots, streams, scales, n_slots=n_slots, plan=plan, times=times)
    return _of_proportions(members, slots, streams, scales, n_slots=n_slots, plan=plan, times=times)


Scales = Sequence[GridScale | None]


def _of_patterns(
    members: Patterns,
    slots: Array,
    streams: Sequence[Stream],
    scales: Scales,
    *,
    n_slots: int,
    plan: PairPlan,
    times: IntArray | None,
) -> PairSums:
    cells = (1 << members.bits) * n_slots if members.bits < 40 else _DENSE + 1
    places: Array | None = None
    known: Array | None = None
    patterns: Array | None = None
    if cells > _DENSE:
        codes = members.codes
        if members.bits + n_slots.bit_length() > _LARGEST_KEY:  # with the slots they would wrap around
            patterns, codes = np.unique(codes, return_inverse=True)
        combined = codes.astype(np.uint64) * np.uint64(n_slots) + slots.astype(np.uint64)
        known, places = np.unique(combined, return_inverse=True)
        cells = len(known)
    # Neighbouring rows go to different lanes: adding to one cell again and again would wait for itself.
    lanes = _LANES if places is None and cells <= _FEW else 1
    lane = np.tile(np.arange(lanes), -(-BLOCK // lanes))[:BLOCK]
    rows = np.zeros(cells * lanes, dtype=np.int64)
    parts = [(np.zeros(cells * lanes), np.zeros(cells * lanes)) for _ in streams]
    for at in block_slices(len(slots)):
        if places is None:
            place = np.multiply(members.codes[at], n_slots, dtype=np.intp)
            place += slots[at]
            place *= lanes
            place += lane[: len(place)]
        else:
            place = places[at]
        rows += _counted(place, cells * lanes, None if times is None else times[at])
        for stream, scale, (coarse, fine) in zip(streams, scales, parts, strict=True):
            if stream.read is None:
                continue
            values = stream.read(at)
            high, low = (values, None) if scale is None else scale.split(values)
            if times is not None:
                high, low = high * times[at], None if low is None else low * times[at]
            np.add(coarse, np.bincount(place, weights=high, minlength=cells * lanes), out=coarse)
            if low is not None:
                np.add(fine, np.bincount(place, weights=low, minlength=cells * lanes), out=fine)
    rows = rows.reshape(cells, lanes).sum(axis=1)
    parts = [
        (coarse.reshape(cells, lanes).sum(axis=1), fine.reshape(cells, lanes).sum(axis=1))
        if stream.read is not None
        else (rows.astype(np.float64), np.zeros(cells))
        for stream, (coarse, fine) in zip(streams, parts, strict=True)
    ]
    at_all = np.flatnonzero(rows)
    keys = at_all.astype(np.uint64) if known is None else known[at_all].astype(np.uint64)
    found_codes, slot = keys // np.uint64(n_slots), (keys % np.uint64(n_slots)).astype(np.intp)
    if patterns is not None:
        found_codes = patterns[found_codes.astype(np.intp)].astype(np.uint64)
    flags = ((found_codes[:, None] >> np.arange(members.bits, dtype=np.uint64)) & np.uint64(1)).astype(np.float64)
    found = [(c[at_all], f[at_all]) for c, f in parts]
    return _folded(flags, slot, rows[at_all], found, scales, n_slots=n_slots, plan=plan)


def _counted(place: Array, cells: int, times: IntArray | None) -> IntArray:
    if times is None:
        return np.bincount(place, minlength=cells)
    return np.bincount(place, weights=times, minlength=cells).astype(np.int64)  # whole numbers below 2**53


def _folded(
    flags: FloatArray,
    slot: Array,
    rows: IntArray,
    parts: Sequence[tuple[FloatArray, FloatArray]],
    scales: Scales,
    *,
    n_slots: int,
    plan: PairPlan,
) -> PairSums:
    """Add up the few distinct patterns: whole numbers all, so in any order."""
    n_groups, n_categories = len(plan.groups), len(plan.categories)
    who, lacks, elsewhere = np.split(flags, [n_groups, n_groups + n_categories], axis=1)
    both = np.stack([who[:, p.protected] * who[:, p.reference] for p in plan.pairs], axis=1)
    unknown = lacks - elsewhere if elsewhere.size else lacks
    rights = {"groups": who, "lacking": lacks, "unknown": unknown, "known": 1 - lacks, "crossed": both}
    found: dict[str, list[FloatArray]] = {name: [] for name in rights}
    for (coarse, fine), scale in zip(parts, scales, strict=True):
        for name, right in rights.items():
            top = _by_slot(right * coarse[:, None], slot, n_slots)
            low = _by_slot(right * fine[:, None], slot, n_slots)
            found[name].append(_joined(scale, top, low))
    return PairSums(
        rows=_by_slot(rows[:, None].astype(np.float64), slot, n_slots)[:, 0].astype(np.int64),
        missing=_by_slot(lacks * rows[:, None], slot, n_slots).astype(np.int64),
        groups=found["groups"],
        lacking=found["lacking"],
        unknown=found["unknown"],
        known=found["known"],
        crossed=found["crossed"],
    )


def _by_slot(values: FloatArray, slot: Array, n_slots: int) -> FloatArray:
    out = np.zeros((n_slots, values.shape[1]))
    np.add.at(out, slot, values)
    return out


def _joined(scale: GridScale | None, coarse: FloatArray, fine: FloatArray) -> FloatArray:
    return coarse if scale is None else np.asarray((coarse + fine / scale.fine) / scale.scale, dtype=np.float64)


def _of_proportions(
    members: Proportions,
    slots: Array,
    streams: Sequence[Stream],
    scales: Scales,
    *,
    n_slots: int,
    plan: PairPlan,
    times: IntArray | None,
) -> PairSums:
    n, n_groups, n_categories, n_pairs = len(slots), len(plan.groups), len(plan.categories), len(plan.pairs)
    has_missing = [bool(mask.any()) for mask in members.missing]
    whole = n if times is None else int(times.sum())
    # Whole numbers times proportions are no whole numbers any more.
    fitted = [scale or GridScale.of(_reach(stream, n), whole) for stream, scale in zip(streams, scales, strict=True)]
    widths = {"groups": n_groups, "lacking": n_categories, "crossed": n_pairs, "everyone": 1}
    parts = [{name: np.zeros((2, width, n_slots)) for name, width in widths.items()} for _ in streams]
    rows = np.zeros(n_slots, dtype=np.int64)
    missing = np.zeros((n_slots, n_categories), dtype=np.int64)
    for at in block_slices(n, _PROPORTION_BLOCK):
        add = _SlotAdder(slots[at], n_slots)
        shares = np.stack([share[at] for share in members.shares])
        count = np.ones(shares.shape[1]) if times is None else times[at].astype(np.float64)
        rows += add(count[None])[0].astype(np.int64)
        lacks = [(c, members.missing[c][at]) for c in range(n_categories) if has_missing[c]]
        for c, mask in lacks:
            missing[:, c] += add((count * mask)[None])[0].astype(np.int64)
        crossed = np.stack([shares[p.protected] * shares[p.reference] for p in plan.pairs])
        for stream, scale, part in zip(streams, fitted, parts, strict=True):
            values = stream.numbers(at) * scale.scale  # a power of two: nothing is rounded
            factor = shares if stream.power == 1 else shares * shares if stream.power else (shares > 0) * 1.0
            add_split = partial(_add_split, scale=scale, add=add, times=None if times is None else count)
            add_split(part["groups"], values=factor * values)
            add_split(part["everyone"], values=values[None].copy())
            if stream.power == 2:
                add_split(part["crossed"], values=crossed * values)
            for c, mask in lacks:
                add_split(part["lacking"][:, c : c + 1], values=(values * mask)[None])
    joined = [
        {name: _joined(scale, part[name][0], part[name][1]).T for name in ("groups", "lacking", "crossed")}
        for part, scale in zip(parts, fitted, strict=True)
    ]
    known = [
        _joined(scale, part["everyone"][0] - part["lacking"][0], part["everyone"][1] - part["lacking"][1]).T
        for part, scale in zip(parts, fitted, strict=True)
    ]
    return PairSums(
        rows=rows,
        missing=missing,
        groups=[found["groups"] for found in joined],
        lacking=[found["lacking"] for found in joined],
        unknown=[found["lacking"] for found in joined],
        known=known,
        crossed=[found["crossed"] for found in joined],
    )


def _reach(stream: Stream, n: int) -> float:
    if stream.read is None:
        return 1.0
    return max((float(stream.read(at).max(initial=0.0)) for at in block_slices(n)), default=0.0)


def _add_split(
    into: FloatArray,
    *,
    values: FloatArray,
    scale: GridScale,
    add: Callable[[FloatArray], FloatArray],
    times: FloatArray | None,
) -> None:
    coarse, fine = scale.cut(values)
    if times is not None:
        coarse, fine = coarse * times, fine * times
    into[0] += add(coarse)
    into[1] += add(fine)


class _SlotAdder:
    """Adds up rows by slot: a product with indicators where slots are few, else runs of sorted rows."""

    def __init__(self, slots: Array, n_slots: int) -> None:
        self._n_slots = n_slots
        self._indicators: FloatArray | None = None
        if n_slots <= _PRODUCTS:
            self._indicators = (slots[:, None] == np.arange(n_slots)).astype(np.float64)
            return
        self._order = np.argsort(slots, kind="stable")
        ordered = slots[self._order]
        self._starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        self._present = ordered[self._starts]

    def __call__(self, values: FloatArray) -> FloatArray:
        if self._indicators is not None:
            return np.asarray(values @ self._indicators, dtype=np.float64)
        out = np.zeros((len(values), self._n_slots))
        out[:, self._present] = np.add.reduceat(values[:, self._order], self._starts, axis=1)
        return out
