"""What an engine was asked, word by word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A statement that an engine was asked, and the rows that it gave back."""

    sql: str
    rows: int
