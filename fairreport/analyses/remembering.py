"""Statistics of whole tallies are remembered, for who asks again with another threshold.

They are pure functions of counts, so that nothing but time changes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

REMEMBERED = 16
"""So many results of each function are kept."""

P = ParamSpec("P")
T = TypeVar("T")

_FORGETTING: list[Callable[[], None]] = []


def remembered(function: Callable[P, T]) -> Callable[P, T]:
    """Return a pure function that remembers its last results; its arguments are hashable."""
    kept = lru_cache(maxsize=REMEMBERED)(function)
    _FORGETTING.append(kept.cache_clear)

    @wraps(function)
    def recall(*arguments: P.args, **named: P.kwargs) -> T:
        return kept(*arguments, **named)  # type: ignore[arg-type]  # hashable, as said above

    return recall


def forget() -> None:
    """Forget everything, so that the next judgement computes it anew."""
    for clear in _FORGETTING:
        clear()
