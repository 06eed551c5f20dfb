"""The statements that an engine was asked, as section 11 prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.render import formats
from fairreport.render.phrases import Name
from fairreport.tables.asked import Asked

PRINTED, LONGEST = 12, 900
"""At most so many statements are printed, and so many characters of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPart:
    """What was asked.

    Attributes
    ----------
    printed : tuple of (Name, str, bool)
        A statement, how many rows it gave back, and whether it was cut.
    total, rows : str
        How many statements there were, and how many rows they gave back together.
    left : str
        How many are not printed; empty where all are.
    """

    printed: tuple[tuple[Name, str, bool], ...]
    total: str
    rows: str
    left: str


def asked_part(asked: Sequence[Asked]) -> AskedPart:
    """Return the part on statements; nothing is printed where the rows were counted here."""
    left = len(asked) - PRINTED
    return AskedPart(
        printed=tuple(
            (
                Name.prose(it.sql if len(it.sql) <= LONGEST else f"{it.sql[:LONGEST]} …"),
                formats.count(it.rows),
                len(it.sql) > LONGEST,
            )
            for it in asked[:PRINTED]
        ),
        total=formats.count(len(asked)),
        rows=formats.count(sum(it.rows for it in asked)),
        left=formats.count(left) if left > 0 else "",
    )
