"""Canonical text: what makes two cells the same value, and which cells are missing."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

_TRAILING_ZEROS = re.compile(r"(-?[0-9]+)\.0+", re.ASCII)
_BOOLEAN_WORDS = {
    "True": "true",
    "TRUE": "true",
    "true": "true",
    "False": "false",
    "FALSE": "false",
    "false": "false",
}
_MISSING_TYPES = {"NAType", "NaTType"}


class JsonText(str):
    """A cell as JSON text, folded as the value it stands for."""

    __slots__ = ()


class NestedValueError(TypeError):
    """A cell holds a list, a mapping or another container."""


def canonical(value: Any) -> str | None:
    """Return the text under which a cell is matched and shown, or None where it is missing.

    Outer white space goes; booleans become ``true`` and ``false``; whole numbers lose a decimal part of
    zeros, so that ``1``, ``1.0`` and ``"1.0"`` are one value; other numbers take their shortest form.
    Nothing else is folded: ``"01"``, ``"1e3"`` and ``"1.50"`` stay as they are, and so does letter case.

    Parameters
    ----------
    value : object
        One cell: text, number, boolean, date, or a missing value of any library.

    Raises
    ------
    NestedValueError
        If the cell is a container.

    Examples
    --------
    >>> [canonical(v) for v in (" F", 1.0, "1.0", True, "TRUE", "01", "", float("nan"), -0.0)]
    ['F', '1', '1', 'true', 'true', '01', None, None, '0']
    """
    text = _text(value)
    return text or None


def _text(value: Any) -> str | None:
    if value is None or type(value).__name__ in _MISSING_TYPES:
        return None
    if isinstance(value, JsonText):
        return _text(json.loads(value, parse_constant=str))
    if isinstance(value, str):
        return _fold_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _float_text(value, repr(float(value)))
    if isinstance(value, Decimal):
        return _decimal_text(value)
    if isinstance(value, datetime):
        return _datetime_text(value)
    if isinstance(value, timedelta):
        return str(timedelta(days=value.days, seconds=value.seconds, microseconds=value.microseconds))
    if isinstance(value, bytes):
        return _fold_text(value.decode("utf-8", "backslashreplace"))
    if isinstance(value, (list, tuple, dict, set, frozenset)) or type(value).__name__ == "ndarray":
        raise NestedValueError(type(value).__name__)
    return _scalar_text(value)


def _scalar_text(value: Any) -> str | None:
    """Fold what other libraries call a scalar: a numpy number, a period, an interval."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind and kind in "iub":
        return _text(value.item())
    if kind == "f":  # a 32-bit number keeps its own shortest form, 0.1 and not 0.10000000149
        return _float_text(float(value), str(value))
    if kind in {"M", "m"}:  # numpy hands nanoseconds over as a bare number
        return _text(value.astype(f"{kind}8[us]").item())
    if kind == "U":
        return _text(value.item())
    kept: Any = type(value)
    plain: Any = object
    if kept.__str__ is plain.__str__ and kept.__repr__ is plain.__repr__:
        raise NestedValueError(type(value).__name__)  # all it could show is an address
    return _fold_text(str(value))


def _fold_text(text: str) -> str:
    stripped = text.strip()
    if not stripped.isascii():
        stripped = stripped.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair is no text
    whole = _TRAILING_ZEROS.fullmatch(stripped)
    if whole:
        stripped = whole[1]
    if stripped == "-0":
        return "0"
    return _BOOLEAN_WORDS.get(stripped, stripped)


def _float_text(number: float, shortest: str) -> str | None:
    if math.isnan(number):
        return None
    return str(int(number)) if number.is_integer() else shortest


def _decimal_text(number: Decimal) -> str | None:
    if number.is_nan():
        return None
    if number.is_finite() and number == number.to_integral_value():
        return str(int(number))
    return f"{number.normalize():f}" if number.is_finite() else _fold_text(str(number).lower())


def _datetime_text(moment: datetime) -> str:
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC)
    return moment.isoformat(sep=" ")


class Folder:
    """Folds the cells of one column, remembering each distinct one.

    Parameters
    ----------
    missing_values : iterable of str
        Words that stand for a missing cell, compared after folding.
    """

    __slots__ = ("_known", "_missing")

    def __init__(self, missing_values: Iterable[str] = ()) -> None:
        self._missing = frozenset(missing_values)
        self._known: dict[tuple[type, Any], str | None] = {}

    def __call__(self, value: Any) -> str | None:
        """Return the canonical text of one cell, None where it is missing.

        The type is part of the key, since Python holds 1, 1.0 and True to be equal.
        """
        key = (type(value), value)
        try:
            return self._known[key]
        except KeyError:
            text = canonical(value)
            if text in self._missing:
                text = None
            self._known[key] = text
            return text
        except TypeError as error:
            raise NestedValueError(type(value).__name__) from error

    def raw_values(self, text: str | None) -> list[Any]:
        """Return every distinct cell met so far that folds to `text`."""
        return [value for (_, value), folded in self._known.items() if folded == text]

    def items(self) -> Iterator[tuple[Any, str | None]]:
        """Yield every distinct cell met so far with its folded text."""
        for (_, value), text in self._known.items():
            yield value, text

    def spellings(self) -> dict[str, tuple[str, ...]]:
        """Return, for each folded value met in more than one spelling, the spellings in sorted order."""
        found: dict[str, set[str]] = {}
        for (_, value), text in self._known.items():
            if text is not None:
                found.setdefault(text, set()).add(_spelling(value, text))
        return {text: tuple(sorted(raw)) for text, raw in sorted(found.items()) if len(raw) > 1}


def _spelling(value: Any, text: str) -> str:
    """Write a cell as it stood: text verbatim, anything else as its folded text."""
    if isinstance(value, JsonText):
        plain = json.loads(value)
        return plain if isinstance(plain, str) else text
    return value if isinstance(value, str) else text
