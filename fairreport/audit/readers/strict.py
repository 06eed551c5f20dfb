"""Files are held to the letter where Python is lenient: a list is a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairreport.analyses.kinds import Test
from fairreport.errors import ConfigError, Fault

_RESERVED = {"name", "description", "thresholds", "threshold_source", "rationale"}


def parse_test(kind: type[Test], stated: Mapping[str, Any], path: str) -> Test:
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
    found = [
        Fault(code="bad_type", message=f"must be a list, got {stated[name]!r}", path=name)
        for name in kind.list_parameters()
        if stated.get(name) is not None and not isinstance(stated[name], list)
    ]
    found += [
        Fault(code="bad_type", message=f"must be text, got {stated[name]!r}", path=name)
        for name in sorted(_RESERVED - {"thresholds"})
        if stated.get(name) is not None and not isinstance(stated[name], str)
    ]
    wrong = {fault.path for fault in found}
    test: Test | None = None
    try:
        test = kind(**{str(key): value for key, value in stated.items() if key not in wrong})
    except ConfigError as error:
        found += [fault for fault in error.errors if not (fault.path in wrong and fault.code == "missing_parameter")]
    if found or test is None:
        raise ConfigError(
            [
                Fault(code=f.code, message=f.message, path=f"{path}.{f.path}" if f.path else path, line=f.line)
                for f in found
            ]
        )
    return test
