"""Files are held to the letter where Python is lenient: a list is a list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from fairreport.analyses.kinds import AnyTest
from fairreport.errors import ConfigError, Fault

_TEXTS = ("description", "name", "rationale", "threshold_source")
_BEYOND = f"must be a finite number, at most {sys.float_info.max:.3g}"
_SINGLE = {"parity_metric": "one metric"}


def parse_test(kind: type[AnyTest], stated: Mapping[str, Any], path: str) -> AnyTest:
    """Return a test from what a file states.

    Parameters
    ----------
    kind : type
        The class of the test.
    stated : mapping
        Its keys and values as parsed.
    path : str
        Dotted path of the test in its file, for the error messages.

    Raises
    ------
    ConfigError
        With all faults of the test.
    """
    found = list(_misshapen(kind, stated))
    wrong = {fault.path for fault in found}
    given = {str(key): value for key, value in stated.items() if key not in wrong}
    if given.get("thresholds") is not None:
        given["thresholds"] = [
            _within_floats(item, f"thresholds.{i}", found) for i, item in enumerate(given["thresholds"])
        ]
    test: AnyTest | None = None
    try:
        test = kind(**given)
    except ConfigError as error:
        found += [
            _in_words_of_files(fault, stated)
            for fault in error.errors
            if not (fault.path in wrong and fault.code == "missing_parameter")
        ]
    if found or test is None:
        raise ConfigError(
            [
                Fault(code=f.code, message=f.message, path=f"{path}.{f.path}" if f.path else path, line=f.line)
                for f in found
            ]
        )
    return test


def _misshapen(kind: type[AnyTest], stated: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each parameter that is no list, no single value or no text where it must be one."""
    lists, mappings = kind.list_parameters(), kind.mapping_parameters()
    for name, value in stated.items():
        if value is None or name not in kind.model_fields or name in mappings:
            continue
        if name in lists:
            if not isinstance(value, list):
                yield Fault(code="bad_type", message=f"must be a list, got {value!r}", path=name)
        elif name in _TEXTS:
            if not isinstance(value, str):
                yield Fault(code="bad_type", message=f"must be text, got {value!r}", path=name)
        elif isinstance(value, (list, Mapping)):
            message = f"takes {_SINGLE.get(name, 'one value')}, got {value!r}"
            yield Fault(code="bad_type", message=message, path=name)
        elif _is_beyond_floats(value):
            yield Fault(code="out_of_range", message=_BEYOND, path=name)


def _is_beyond_floats(value: Any) -> bool:
    return isinstance(value, int) and abs(value) > sys.float_info.max


def _within_floats(item: Any, path: str, found: list[Fault]) -> Any:
    """Return a threshold; where its value is larger than any number, note that and let another stand for it."""
    if not isinstance(item, Mapping) or not _is_beyond_floats(item.get("value")):
        return item
    found.append(Fault(code="out_of_range", message=_BEYOND, path=f"{path}.value"))
    return {**item, "value": 0}


def _in_words_of_files(fault: Fault, stated: Mapping[str, Any]) -> Fault:
    """Return a fault of a threshold in the words of a file; others as they are."""
    place = re.fullmatch(r"thresholds\.([0-9]+)(\.measurement)?", fault.path)
    if place is None or fault.code != "bad_type":
        return fault
    item = stated["thresholds"][int(place[1])]
    if place[2] is None:
        message = f"must be a mapping of measurement, operator and value, got {item!r}"
    else:
        found = item["measurement"] if isinstance(item, Mapping) else item[0]
        message = f"must be the name of a measurement, got {found!r}"
    return Fault(code=fault.code, message=message, path=fault.path)
