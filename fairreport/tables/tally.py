"""Tallies: the counts an outcome test is judged from, and how the rows came to be counted or left out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Unavailable(StrEnum):
    """Why a tally could not be made; the values are the skip codes of a result."""

    MISSING_COLUMN = "missing_column"
    NESTED_COLUMN = "nested_column"
    EMPTY_COLUMN = "empty_column"
    NO_COMPLETE_ROWS = "no_complete_rows"
    TOO_MANY_GROUPS = "too_many_groups"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTally:
    """A tally that could not be made.

    Attributes
    ----------
    code : Unavailable
        Why.
    column : str or None
        The column at fault.
    detail : str
        The reason in words.
    """

    code: Unavailable
    column: str | None = None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount:
    """How the rows of a table became evaluated rows.

    Attributes
    ----------
    total : int
        Rows of the table.
    with_inputs : int
        Rows that have the measured column.
    missing_attribute : int
        Of those, rows that lack one or more of the attributes.
    undeclared : int
        Of the rest, rows with a value that is not among the declared groups.
    evaluated : int
        What is left.
    """

    total: int
    with_inputs: int
    missing_attribute: int
    undeclared: int
    evaluated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """Rows and favorable outcomes of one group; `group` has one text per attribute."""

    group: tuple[str, ...]
    n: int
    favorable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumCount:
    """Rows and favorable outcomes of one group inside one combination of the control columns."""

    group: tuple[str, ...]
    stratum: tuple[str, ...]
    n: int
    favorable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCount:
    """Rows with the measured column that lack one attribute, and how many of them are favorable."""

    attribute: str
    n: int
    favorable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueCount:
    """How often one value of the outcome column stands in the evaluated rows."""

    value: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """Spellings of one column that were folded into one value."""

    column: str
    value: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeTally:
    """The evidence of an outcome test.

    Attributes
    ----------
    attributes, controls : tuple of str
        Column names, sorted; groups and strata follow this order.
    outcome : str
        The outcome column.
    favorable_values : tuple of str
        Canonical texts that count as favorable, sorted.
    rows : RowCount
        How the rows became evaluated rows.
    groups : tuple of GroupCount
        All groups that occur, sorted by label.
    strata : tuple of StratumCount
        Groups by stratum, over the evaluated rows that have every control; empty without controls.
    n_strata : int or None
        Number of distinct strata; None without controls. At the cap the strata are not kept.
    rows_without_controls : int
        Evaluated rows that lack a control and leave the adjusted figures only.
    missing : tuple of MissingCount
        One entry per attribute.
    unmatched : tuple of ValueCount
        Up to ten outcome values that match no favorable value, most frequent first.
    n_unmatched_values : int
        How many such values there are in all.
    """

    attributes: tuple[str, ...]
    outcome: str
    controls: tuple[str, ...]
    favorable_values: tuple[str, ...]
    rows: RowCount
    groups: tuple[GroupCount, ...]
    strata: tuple[StratumCount, ...] = ()
    n_strata: int | None = None
    rows_without_controls: int = 0
    missing: tuple[MissingCount, ...] = ()
    unmatched: tuple[ValueCount, ...] = ()
    n_unmatched_values: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeScan:
    """A tally with what was met on the way and is no evidence: spellings and left-out values."""

    tally: OutcomeTally | NoTally
    spellings: tuple[Spelling, ...] = ()
    undeclared: tuple[tuple[str, tuple[str, ...]], ...] = ()
