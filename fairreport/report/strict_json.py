"""JSON as a document of an audit is written: no name twice, no NaN, not too large, not too deep."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from fairreport.errors import DataError

LARGEST = 200_000_000
"""Bytes of a file, and of a file inside one, that are read at most."""

DEEPEST = 60
"""Lists and objects inside each other; a document of an audit has about ten."""


def read_json(content: bytes, name: str) -> Any:
    """Return what a JSON text holds.

    Parameters
    ----------
    content : bytes
        The text, in UTF-8.
    name : str
        What it is called in an error.

    Raises
    ------
    DataError
        If it is no JSON, holds a name twice or a number that is none, or is too deep.

    Examples
    --------
    >>> read_json(b'{"n": [1, 2.5, null]}', "a.json")
    {'n': [1, 2.5, None]}
    """
    if len(content) > LARGEST:
        raise DataError(f"{name!r} has {len(content):,} bytes; at most {LARGEST:,} are read")
    try:
        found = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_float,
        )
    except RecursionError:
        raise _too_deep(name) from None
    except UnicodeDecodeError:
        raise DataError(f"{name!r} is no text in UTF-8") from None
    except ValueError as error:
        raise DataError(f"{name!r} is no JSON document: {error}") from None
    if not _is_shallow(found):
        raise _too_deep(name)
    return found


def _too_deep(name: str) -> DataError:
    return DataError(f"{name!r} has more than {DEEPEST} lists and objects inside each other")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object names {twice[:60]!r} twice")
    return found


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:60]} is too large for a number")
    return value


def _is_shallow(value: Any) -> bool:
    layer = [value]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return True
        layer = inner
    return False
