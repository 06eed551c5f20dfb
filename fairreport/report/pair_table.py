"""Tables of named pairs cut to what a page holds, each group with its reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairreport.render.pair_view import gravity
from fairreport.render.table_view import Row, Table
from fairreport.report.printed_table import PRINTED_ROWS, PrintedTable, further_groups, printed

LONGEST_FINDING = 30
"""Characters of a finding about a pair that stand on one line."""


def printed_pairs(table: Table, *, more: str | None = None, has_finding: bool = True) -> PrintedTable:
    """Return a table of named pairs cut to the rows that are printed: the worst pairs, each with its reference.

    Parameters
    ----------
    table : Table
        All of it: each reference with its groups below it, or pairs only.
    more : str, optional
        What is said of further rows; groups in groups.csv where absent.
    has_finding : bool
        Whether findings are printed.
    """
    rows = kept_rows(table.rows)
    rest = further_groups(len(table.rows) - len(rows)) if more is None else more
    return printed(table, rows, more=rest, longest_finding=LONGEST_FINDING, has_finding=has_finding)


def one_table(tables: Sequence[Table]) -> Table | None:
    """Return tables of the same rows as one, their columns side by side; None where there is none."""
    if not tables:
        return None
    first = tables[0]
    return replace(
        first,
        columns=tuple(column for table in tables for column in table.columns),
        rows=tuple(
            replace(rows[0], cells=tuple(text for row in rows for text in row.cells))
            for rows in zip(*(table.rows for table in tables), strict=True)
        ),
    )


def kept_rows(rows: Sequence[Row], most: int = PRINTED_ROWS) -> tuple[Row, ...]:
    """Return at most so many rows in their order: the worst pairs, and what they are held against."""
    if len(rows) <= most:
        return tuple(rows)
    own: dict[int, int] = {}
    reference = -1
    for position, row in enumerate(rows):
        reference = position if row.is_reference else reference
        own[position] = reference
    pairs = sorted((i for i, row in enumerate(rows) if not row.is_reference), key=lambda i: gravity(rows[i]))
    kept: set[int] = set()
    for position in pairs:
        added = {position, own[position]} - kept - {-1}
        if len(kept) + len(added) <= most:
            kept |= added
    return tuple(rows[i] for i in sorted(kept))
