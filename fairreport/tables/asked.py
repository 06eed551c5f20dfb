"""Where the rows were, and what an engine was asked that holds them, word by word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A statement that an engine was asked, and the rows that it gave back."""

    sql: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Where rows are held.

    Attributes
    ----------
    origin, engine : str
        What was opened, and which engine read it.
    asked : tuple of Asked
        What that engine was asked, where the rows stayed in it.
    """

    origin: str = ""
    engine: str = ""
    asked: tuple[Asked, ...] = ()
