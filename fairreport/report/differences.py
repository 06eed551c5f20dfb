"""Two JSON documents held against each other, leaf by leaf."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairreport.audit.from_json import below

TOLERANCE = 1e-9
"""How far numbers may lie apart, relatively, where other versions computed them."""

_PROSE = re.compile(
    r"/assumptions/\d+/(title|text|consequence)"
    r"|/results/\d+/(skip_reason|method/\w+|notes/\d+/text|rules/\d+/reason)"
)
"""Sentences, which another version may word otherwise."""

ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A place where what is stated is not what the evidence gives.

    Attributes
    ----------
    file : str
        The file inside the packet, or the packet itself.
    pointer : str
        JSON pointer (RFC 6901) in a JSON file; a place in words elsewhere.
    stated, recomputed : object
        What stands there, and what was found again; None also where nothing stands.
    message : str
        What is wrong, where two values do not say it.
    """

    file: str
    pointer: str
    stated: Any = None
    recomputed: Any = None
    message: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as JSON values."""
        return {
            "file": self.file,
            "pointer": self.pointer,
            "stated": self.stated,
            "recomputed": self.recomputed,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """How closely numbers and sentences must agree."""

    are_same: bool

    def same(self, stated: Any, found: Any) -> bool:
        """Tell whether two plain values agree; 1, 1.0 and true are three different values."""
        if type(stated) is not type(found):
            return False
        if isinstance(stated, float):
            if self.are_same:
                return stated == found and math.copysign(1, stated) == math.copysign(1, found)
            return math.isclose(stated, found, rel_tol=TOLERANCE, abs_tol=1e-15)
        return bool(stated == found)


def differences(stated: Any, found: Any, versions: Versions, file: str, pointer: str = "") -> Iterator[Difference]:
    """Yield every leaf at which two JSON documents differ, in the order of the first.

    Examples
    --------
    >>> same = Versions(are_same=True)
    >>> [d.pointer for d in differences({"a": [1, 2]}, {"a": [1, 3], "b": None}, same, "x.json")]
    ['/a/1', '/b']
    """
    if isinstance(stated, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*stated, *found)):
            place = below(pointer, key)
            if key not in stated:
                yield Difference(file=file, pointer=place, recomputed=found[key], message="is absent")
            elif key not in found:
                yield Difference(file=file, pointer=place, stated=stated[key], message="does not belong there")
            else:
                yield from differences(stated[key], found[key], versions, file, place)
    elif isinstance(stated, list) and isinstance(found, list):
        for i, (item, other) in enumerate(zip(stated, found, strict=False)):
            yield from differences(item, other, versions, file, below(pointer, i))
        if len(stated) != len(found):
            message = f"holds {len(stated):,} items where there are {len(found):,}"
            yield Difference(file=file, pointer=pointer, message=message)
    elif not versions.same(stated, found):
        yield Difference(file=file, pointer=pointer, stated=stated, recomputed=found)


def is_prose(difference: Difference) -> bool:
    """Tell whether a difference is one of wording only."""
    both = isinstance(difference.stated, str) and isinstance(difference.recomputed, str)
    return both and _PROSE.fullmatch(difference.pointer) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many leaves of each kind stand in a document."""

    numbers: int = 0
    verdicts: int = 0
    texts: int = 0

    def plus(self, other: Tally) -> Tally:
        """Return the sum of two."""
        return Tally(
            numbers=self.numbers + other.numbers,
            verdicts=self.verdicts + other.verdicts,
            texts=self.texts + other.texts,
        )


def count_leaves(value: Any) -> Tally:
    """Return how many numbers, verdicts (true or false) and texts stand in a JSON value.

    Examples
    --------
    >>> count_leaves({"n": [1, 2.5], "significant": True, "name": "a", "p": None})
    Tally(numbers=2, verdicts=1, texts=1)
    """
    numbers = verdicts = texts = 0
    open_values = [value]
    while open_values:
        item = open_values.pop()
        if isinstance(item, dict):
            open_values.extend(item.values())
        elif isinstance(item, list):
            open_values.extend(item)
        elif isinstance(item, bool):
            verdicts += 1
        elif isinstance(item, (int, float)):
            numbers += 1
        elif isinstance(item, str):
            texts += 1
    return Tally(numbers=numbers, verdicts=verdicts, texts=texts)
