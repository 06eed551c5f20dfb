"""Late rows: rows that arrived in a window after it was judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fairreport.audit.audit import Audit
from fairreport.audit.window import WindowRecord
from fairreport.tables.source import open_table
from fairreport.tables.window import count_spans

MOST_WINDOWS = 200
"""At most so many earlier windows are counted again, the newest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRows:
    """A window that no longer holds the rows with which it was judged.

    Attributes
    ----------
    window : WindowRecord
        As it was judged.
    rows : int
        Rows that it holds now.
    """

    window: WindowRecord
    rows: int

    @property
    def more(self) -> int:
        """Rows that came since; below 0 where rows went."""
        return self.rows - self.window.rows_within


def late_rows(audit: Audit, judged: Iterable[WindowRecord]) -> tuple[LateRows, ...]:
    """Return the earlier windows whose number of rows has changed, oldest first, from one pass over the times.

    Parameters
    ----------
    audit : Audit
        Its table as it is now, and its time column.
    judged : iterable of WindowRecord
        Windows that were judged by the same column.

    Raises
    ------
    DataError
        If the table cannot be read.
    """
    if audit.time is None:
        return ()
    own = (audit.time.name, audit.time.zone.key)
    windows = sorted((it for it in judged if (it.column, it.timezone) == own), key=lambda it: (it.end, it.start))
    windows = windows[-MOST_WINDOWS:]
    if not windows:
        return ()
    table = open_table(audit.data)
    found = count_spans(table, audit.time, [window.span for window in windows], audit.reading.counts)
    counted = [LateRows(window=it, rows=n) for it, n in zip(windows, found.inside, strict=True)]
    return tuple(item for item in counted if item.more)
