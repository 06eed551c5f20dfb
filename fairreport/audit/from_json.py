"""From JSON back to records: every field there, none besides, each of its own type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

_WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number", NoneType: "null"}


class MisfitError(ValueError):
    """Something in a JSON document is not what stands there in a document of an audit.

    Attributes
    ----------
    pointer : str
        JSON pointer (RFC 6901) of the place.
    message : str
        What was wanted, in one line.
    """

    def __init__(self, pointer: str, message: str) -> None:
        self.pointer = pointer
        self.message = message
        super().__init__(f"{pointer or '/'}: {message}")


def below(pointer: str, key: object) -> str:
    """Return the JSON pointer of an item below another.

    Examples
    --------
    >>> below("/groups", "a/b")
    '/groups/a~1b'
    """
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def from_json(kind: Any, value: Any, pointer: str = "") -> Any:
    """Return the record, tuple, text, number or None that a JSON value stands for; nothing is converted.

    Parameters
    ----------
    kind : type
        A dataclass, a tuple of some kind, a union, or a plain type. A whole number may stand for a float.
    value : object
        What the JSON holds.
    pointer : str
        Where it stands, for the error.

    Raises
    ------
    MisfitError
        If a field is absent, unknown, or of another type.

    Examples
    --------
    >>> from fairreport.tables.tally import GroupCount
    >>> from_json(GroupCount, {"group": ["F"], "n": 50, "favorable": 30})
    GroupCount(group=('F',), n=50, favorable=30)
    """
    if is_dataclass(kind):
        return _record(kind, value, pointer)
    origin = get_origin(kind)
    if origin is tuple:
        return _tuple(get_args(kind), value, pointer)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _choice(kind, value, pointer)
    if origin in {Union, UnionType}:
        return from_json(_member(get_args(kind), value, pointer), value, pointer)
    if not _is_plain(kind, value):
        raise MisfitError(pointer, f"must be {_WORDS[kind]}, got {_shown(value)}")
    return value


def object_at(value: Any, pointer: str = "") -> dict[str, Any]:
    """Return a JSON object.

    Raises
    ------
    MisfitError
        If it is none.
    """
    if not isinstance(value, dict):
        raise MisfitError(pointer, f"must be an object, got {_shown(value)}")
    return value


def list_at(value: Any, pointer: str = "") -> list[Any]:
    """Return a JSON list.

    Raises
    ------
    MisfitError
        If it is none.
    """
    if not isinstance(value, list):
        raise MisfitError(pointer, f"must be a list, got {_shown(value)}")
    return value


def item_at(holder: dict[str, Any], key: str, pointer: str = "") -> Any:
    """Return one item of a JSON object.

    Raises
    ------
    MisfitError
        If it is absent.
    """
    if key not in holder:
        raise MisfitError(below(pointer, key), "is absent")
    return holder[key]


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _record(kind: Any, value: Any, pointer: str) -> Any:
    holder = object_at(value, pointer)
    hints = _hints(kind)
    unknown = next((key for key in holder if key not in hints), None)
    if unknown is not None:
        raise MisfitError(below(pointer, unknown), "is no known field")
    return kind(
        **{name: from_json(hint, item_at(holder, name, pointer), below(pointer, name)) for name, hint in hints.items()}
    )


def _tuple(kinds: Sequence[Any], value: Any, pointer: str) -> tuple[Any, ...]:
    items = list_at(value, pointer)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(from_json(kinds[0], item, below(pointer, i)) for i, item in enumerate(items))
    if len(items) != len(kinds):
        raise MisfitError(pointer, f"must hold {len(kinds)} items, got {len(items)}")
    return tuple(
        from_json(kind, item, below(pointer, i)) for i, (kind, item) in enumerate(zip(kinds, items, strict=True))
    )


def _member(kinds: Sequence[Any], value: Any, pointer: str) -> Any:
    """Return the one kind of a union that a value can be: records are told apart by the names of their fields."""
    for kind in kinds:
        if is_dataclass(kind):
            if isinstance(value, dict) and value.keys() == {field.name for field in fields(kind)}:
                return kind
        elif get_origin(kind) is tuple:
            if isinstance(value, list):
                return kind
        elif _is_plain(kind, value):
            return kind
    words = [_WORDS.get(kind, "an object" if is_dataclass(kind) else "a list") for kind in kinds]
    raise MisfitError(pointer, f"must be {' or '.join(dict.fromkeys(words))} of a known shape, got {_shown(value)}")


def _choice(kind: type[StrEnum], value: Any, pointer: str) -> StrEnum:
    words = [member.value for member in kind]
    if not isinstance(value, str) or value not in words:
        raise MisfitError(pointer, f"must be one of {', '.join(words)}, got {_shown(value)}")
    return kind(value)


def _is_plain(kind: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value) if value is not None else "null"
    return text if len(text) <= 60 else f"{text[:57]}..."
