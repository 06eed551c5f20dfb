"""Memberships of named pairs from columns that hold the group as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairreport.errors import Fault, nearest
from fairreport.tables.memberships import Patterns
from fairreport.tables.pair_needs import PairPlan

Array = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]

_MOST_BITS = 62


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedMembers:
    """Who belongs where, or what is wrong.

    Attributes
    ----------
    plan : PairPlan
        Groups, categories and pairs.
    members : Patterns or None
        None where there is a fault.
    faults : tuple of Fault
        What is wrong.
    undeclared : mapping of str to ndarray of bool
        By column, rows whose value is not among its declared groups: they leave that category.
    reference_only : tuple of str
        Columns that hold nothing but their reference.
    """

    plan: PairPlan
    members: Patterns | None
    faults: tuple[Fault, ...]
    undeclared: Mapping[str, BoolArray]
    reference_only: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    codes: Array
    texts: list[str | None]
    groups: list[str]
    reference: str
    is_declared: bool


def coded_members(
    columns: Mapping[str, tuple[Array, list[str | None]]],
    reference_values: Mapping[str, str],
    declared: Mapping[str, tuple[str, ...]],
    n: int,
) -> CodedMembers:
    """Return the memberships that columns of values tell.

    Parameters
    ----------
    columns : mapping of str to (ndarray of int, list)
        By name, a code a row, and the text of each code.
    reference_values : mapping of str to str
        The reference of each.
    declared : mapping of str to tuple of str
        Declared groups, where others are left out.
    n : int
        Rows.
    """
    faults: list[Fault] = []
    found: dict[str, _Column] = {}
    for name, reference in reference_values.items():
        codes, texts = columns[name]
        present = sorted({text for text in texts if text is not None})
        if reference not in present:
            hint = nearest(reference, present, fold=True) or f" It holds {_listed(present)}."
            message = f"column {name!r} does not hold the reference {reference!r}.{hint}"
            faults.append(Fault(code="unknown_category", message=message, path=name))
        wanted = [text for text in (declared.get(name) or present) if text != reference]
        found[name] = _Column(
            codes=codes, texts=texts, groups=wanted, reference=reference, is_declared=bool(declared.get(name))
        )
    first = next(iter(reference_values))
    pairs = [(name, group, column.reference) for name, column in found.items() for group in column.groups]
    if not pairs and not faults:
        message = f"column {first!r} holds no group beside the reference"
        faults.append(Fault(code="empty_values_list", message=message, path=first))
    plan = PairPlan.of(
        tuple(f"{name}\0{group}" for name, group, _ in pairs),
        tuple(f"{name}\0{reference}" for name, _, reference in pairs),
        tuple(name for name, _, _ in pairs),
    )
    bits = len(plan.groups) + len(plan.categories)
    elsewhere = len(plan.categories) if any(column.is_declared for column in found.values()) else 0
    if bits + elsewhere > _MOST_BITS and not faults:
        most = _MOST_BITS - len(plan.categories) - elsewhere
        message = f"the columns hold {len(plan.groups)} groups; at most {most} can be compared"
        faults.append(Fault(code="too_many_groups", message=message, path=first))
    if faults:
        return CodedMembers(plan=plan, members=None, faults=tuple(faults), undeclared={}, reference_only=())
    packed = np.zeros(n, dtype=np.uint64)
    undeclared: dict[str, BoolArray] = {}
    for name, column in found.items():
        if name in plan.categories:
            table, strange = _places(name, column, plan)
            packed |= table[column.codes]
            if column.is_declared and strange.any():
                undeclared[name] = strange[column.codes]
    if undeclared:
        for name, rows in undeclared.items():
            packed |= rows.astype(np.uint64) << np.uint64(bits + plan.categories.index(name))
        bits += len(plan.categories)
    kind = np.uint16 if bits <= 16 else np.uint32 if bits <= 32 else np.uint64
    return CodedMembers(
        plan=_bare(plan),
        members=Patterns(codes=packed.astype(kind), bits=bits),
        faults=(),
        undeclared=undeclared,
        reference_only=tuple(name for name, column in found.items() if not column.groups),
    )


def _places(name: str, column: _Column, plan: PairPlan) -> tuple[Array, BoolArray]:
    """Return the bit of each code of a column, and which codes are of no declared group."""
    away = 1 << (len(plan.groups) + plan.categories.index(name))
    table = np.zeros(len(column.texts) + 1, dtype=np.uint64)
    strange = np.zeros(len(column.texts) + 1, dtype=np.bool_)
    for code, text in enumerate(column.texts):
        key = f"{name}\0{text}"
        if text is not None and key in plan.groups:
            table[code] = 1 << plan.groups.index(key)
        else:
            table[code] = away
            strange[code] = text is not None
    return table, strange


def _bare(plan: PairPlan) -> PairPlan:
    """Return a plan whose groups are named by their values alone."""
    groups = tuple(key.partition("\0")[2] for key in plan.groups)
    return PairPlan(groups=groups, categories=plan.categories, pairs=plan.pairs)


def _listed(texts: list[str]) -> str:
    """Return a few texts, and how many more there are."""
    shown = ", ".join(map(repr, texts[:5]))
    return f"{shown} and {len(texts) - 5:,} more" if len(texts) > 5 else shown or "nothing"
