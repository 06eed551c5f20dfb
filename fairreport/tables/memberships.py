"""Who belongs to which group: packed into one code a row where memberships are 0 or 1, else as proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.tables.pair_needs import PairPlan

Array = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

BLOCK = 1 << 16
"""Rows looked at together: what is made of them stays in the processor's cache."""

_LARGEST_CODE = 62


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """Memberships of 0 and 1, one code a row: a bit for each group, then one for each category that is missing.

    There may be one more bit for each category: it is missing because the row is known to be in another group.
    """

    codes: Array
    bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportions:
    """Memberships of any size, missing ones as 0.

    Attributes
    ----------
    shares : sequence of ndarray of float64
        One array a group.
    missing : sequence of ndarray of bool
        One array a category.
    """

    shares: Sequence[FloatArray]
    missing: Sequence[BoolArray]


Members = Patterns | Proportions


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongMembership:
    """A column whose memberships are refused: out of range with an example, or half missing (no example)."""

    column: str
    example: float | None


def block_slices(n: int, size: int = BLOCK) -> Sequence[slice]:
    """Return the slices that cover n rows block by block."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def memberships(columns: Sequence[Array], plan: PairPlan) -> Members | list[WrongMembership]:
    """Return who belongs where, or what is wrong.

    Parameters
    ----------
    columns : sequence of ndarray
        For each group, numbers or booleans, nan where missing.
    plan : PairPlan
        Groups and categories.
    """
    if len(plan.groups) + len(plan.categories) <= _LARGEST_CODE:
        packed = _packed(columns, plan)
        if isinstance(packed, Patterns):
            return _half_missing_patterns(packed, plan) or packed
    return _proportions(columns, plan)


def _code_type(bits: int) -> type[np.unsignedinteger[Any]]:
    if bits <= 16:
        return np.uint16
    return np.uint32 if bits <= 32 else np.uint64


def _packed(columns: Sequence[Array], plan: PairPlan) -> Patterns | None:
    """Pack memberships of 0 and 1; None where there is any other."""
    n, n_groups = len(columns[0]), len(columns)
    first = {plan.members(c)[0]: c for c in range(len(plan.categories))}
    half = _HalfMissing(plan)
    bits = n_groups + len(plan.categories)
    kind = _code_type(bits)
    codes = np.zeros(n, dtype=kind)
    one, zero = np.zeros(BLOCK, dtype=np.bool_), np.zeros(BLOCK, dtype=np.bool_)
    octets = np.zeros((-(-n_groups // 8), BLOCK), dtype=np.uint8)
    for rows in block_slices(n):
        code = codes[rows]
        size = len(code)
        lacking: dict[int, BoolArray] = {}
        octets[:] = 0
        for i in range(n_groups - 1, -1, -1):
            cells = columns[i][rows]
            yes, no = np.equal(cells, 1, out=one[:size]), np.equal(cells, 0, out=zero[:size])
            if np.count_nonzero(yes) + np.count_nonzero(no) < size:
                empty = cells != cells  # noqa: PLR0124 - nan
                if np.count_nonzero(yes | no | empty) < size:
                    return None
                lacking[i] = empty
            # Eight groups to a byte, the last one first: doubling a byte makes room for the next.
            octet = octets[i // 8, :size]
            octet += octet
            octet |= yes.view(np.uint8)
        for at, octet in enumerate(octets):
            code |= octet[:size].astype(kind) << kind(8 * at)
        if lacking:
            half.look(lacking, size)
            for i, c in first.items():
                if i in lacking:
                    code |= lacking[i].astype(kind) << kind(n_groups + c)
    if half.found:
        return Patterns(codes=codes[:0], bits=-1 - half.found[0])
    return Patterns(codes=codes, bits=bits)


class _HalfMissing:
    """Remembers groups that are missing in a row in which another group of their category is not."""

    def __init__(self, plan: PairPlan) -> None:
        self._members = [plan.members(c) for c in range(len(plan.categories))]
        self.found: list[int] = []

    def look(self, lacking: dict[int, BoolArray], n: int) -> None:
        none = np.zeros(n, dtype=np.bool_)
        for members in self._members:
            masks = [lacking.get(i, none) for i in members]
            for i, mask in zip(members, masks, strict=True):
                if i not in self.found and np.any(mask != masks[0]):
                    self.found.append(i)


def _half_missing_patterns(packed: Patterns, plan: PairPlan) -> list[WrongMembership]:
    if packed.bits >= 0:
        return []
    return [WrongMembership(column=plan.groups[-1 - packed.bits], example=None)]


def _proportions(columns: Sequence[Array], plan: PairPlan) -> Proportions | list[WrongMembership]:
    wrong: list[WrongMembership] = []
    shares: list[FloatArray] = []
    empty: list[BoolArray] = []
    for name, column in zip(plan.groups, columns, strict=True):
        share = column if column.dtype == np.float64 else column.astype(np.float64)
        missing = np.broadcast_to(np.False_, share.shape)
        low, high = (float(share.min()), float(share.max())) if len(share) else (0.0, 0.0)
        if np.isnan(low):
            missing = np.isnan(share)
            share = np.where(missing, 0.0, share)
            low, high = float(share.min()), float(share.max())
        if low < 0 or high > 1:
            wrong.append(WrongMembership(column=name, example=low if low < 0 else high))
        shares.append(share)
        empty.append(missing)
    for c in range(len(plan.categories)):
        members = plan.members(c)
        odd = next((i for i in members if np.any(empty[i] != empty[members[0]])), None)
        if odd is not None:
            wrong.append(WrongMembership(column=plan.groups[odd], example=None))
    if wrong:
        return wrong
    return Proportions(shares=shares, missing=[empty[plan.members(c)[0]] for c in range(len(plan.categories))])


def kept(members: Members, keep: BoolArray) -> Members:
    """Return the memberships of some rows."""
    if isinstance(members, Patterns):
        return Patterns(codes=members.codes[keep], bits=members.bits)
    return Proportions(
        shares=[share[keep] for share in members.shares], missing=[missing[keep] for missing in members.missing]
    )


def has_fractions(members: Members, weight: FloatArray | None, n_groups: int) -> tuple[bool, ...]:
    """Tell for each group whether a membership other than 0 and 1 has a weight above 0."""
    if isinstance(members, Patterns):
        return (False,) * n_groups
    return tuple(_is_fractional(share, weight) for share in members.shares)


def _is_fractional(share: FloatArray, weight: FloatArray | None) -> bool:
    for rows in block_slices(len(share)):
        odd = (share[rows] != 0) & (share[rows] != 1)
        if np.any(odd if weight is None else odd & (weight[rows] > 0)):
            return True
    return False
