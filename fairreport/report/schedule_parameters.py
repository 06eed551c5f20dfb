"""What a scheduled run is told: by a command line, or by papermill, which changes the types on the way.

papermill turns tuples, paths, dates and lengths of time into text; its ``-p`` makes 7 of 007, a number of nan and
nothing of None; its YAML makes false of no. Whatever of that can still be meant is read; what lost its spelling is
refused. Nothing inside a configuration is touched: a group may be called None, no or 007.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from fairreport.audit.window import Duration, Moment, days_of, instant_of, seconds_of, zone_of
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.report.schedule_folder import refuse
from fairreport.tables.places import is_url

NAMES = ("data", "table", "config", "out", "window_end", "window", "delay", "history")
"""The parameters of the notebook."""

_FURTHER = ("time_column", "timezone", "now")
KNOWN = (*NAMES, *_FURTHER)
"""Every name that a scheduled run knows."""

_NOTHING = {"", "none", "null", "nan", "nat", "~"}
_NO_HISTORY = {"no", "false"}
"""What stands for no history besides: a YAML ``no`` is false, and papermill's ``-p`` leaves the word as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleParameters:
    """What a scheduled run is told.

    Attributes
    ----------
    config : path, mapping, list or None
        The configuration; None for the example that comes with the package.
    data : table, path, URL or None
        What to audit, instead of what the configuration names.
    table : str or None
        Which table of the database that `data` or the configuration names.
    out : Path or None
        Folder of the outputs; None for a temporary one, with the example only.
    window_end : str, date or None
        Where the window ends; else now less the delay.
    window, delay : int, str or None
        How long the window is and how long rows may take to arrive, instead of what the configuration states.
    history : str or None
        Where results are kept: a file or a database.
    time_column, timezone : str or None
        Instead of what the configuration states.
    now : str, date or None
        What time it is, for a run that states no end of its window.
    """

    config: Any = None
    data: Any = field(default=None, repr=False)  # a URL may hold a password
    table: str | None = None
    out: Path | None = None
    window_end: Moment | None = None
    window: Duration | None = None
    delay: Duration | None = None
    history: str | None = field(default=None, repr=False)  # the same
    time_column: str | None = None
    timezone: str | None = None
    now: Moment | None = None


def schedule_parameters(stated: Mapping[str, Any]) -> ScheduleParameters:
    """Return the parameters of a scheduled run as they were meant.

    Where they are refused and a folder of outputs is named that exists, its manifest then says so, so that the one of
    an earlier run is not taken for this one's.

    Parameters
    ----------
    stated : mapping of str to object
        By name; None, an empty text, ``"None"`` and nan stand for a parameter that is not stated, and of the history
        ``"no"`` and ``"false"`` too.

    Raises
    ------
    ConfigError
        With all faults: a name that is not known, or a value that cannot be meant.

    Examples
    --------
    >>> schedule_parameters({"config": "audit.yaml", "out": "out", "window": 604800.0, "history": False}).window
    604800
    >>> schedule_parameters({"windows": "7d"})
    Traceback (most recent call last):
        ...
    fairreport.errors.ConfigError: windows: is no parameter of a scheduled run. Did you mean 'window'?
    """
    given = {name: _plain(value) for name, value in stated.items() if name in KNOWN and not _is_nothing(value, of=name)}
    try:
        return _read(given, [name for name in stated if name not in KNOWN])
    except ConfigError as error:
        refuse(given, str(error))
        raise


def refuse_nothing(stated: Mapping[str, Any]) -> None:
    """Refuse what was typed and stands for nothing: only a notebook has to state every parameter.

    Raises
    ------
    ConfigError
        With all faults.

    Examples
    --------
    >>> refuse_nothing({"history": ""})
    Traceback (most recent call last):
        ...
    fairreport.errors.ConfigError: history: '' stands for nothing; state a value, or leave --history out
    """
    faults = [
        Fault(
            code="bad_value",
            message=f"{value!r} stands for nothing; state a value, or leave --{name.replace('_', '-')} out",
            path=name,
        )
        for name, value in stated.items()
        if value is not None and _is_nothing(value, of=name)
    ]
    if faults:
        raise ConfigError(faults)


def stated_by(parameters: ScheduleParameters) -> dict[str, Any]:
    """Return parameters by name, those that are stated."""
    held = {field.name: getattr(parameters, field.name) for field in fields(parameters)}
    return {name: value for name, value in held.items() if value is not None}


def _read(given: Mapping[str, Any], unknown: Sequence[str]) -> ScheduleParameters:
    faults = [
        Fault(
            code="unknown_parameter",
            message=f"is no parameter of a scheduled run.{nearest(str(name), KNOWN)}",
            path=str(name),
        )
        for name in unknown
    ]
    read: dict[str, Any] = {}
    for name, value in given.items():
        try:
            read[name] = _READERS[name](value, name)
        except ConfigError as error:
            faults += error.errors
    if "config" in given and "out" not in given:
        message = "in which folder do the outputs go? State out"
        faults.append(Fault(code="missing_parameter", message=message, path="out"))
    if "config" not in given and {"data", "table", "history"} & given.keys():
        message = "which audit? State config, the path of an audit.yaml"
        faults.append(Fault(code="missing_parameter", message=message, path="config"))
    if faults:
        raise ConfigError(faults)
    return ScheduleParameters(**read)


def _is_nothing(value: Any, *, of: str) -> bool:
    if value is None or value is False or (isinstance(value, float) and math.isnan(value)):
        return True
    if not isinstance(value, str):
        return False
    word = value.strip().lower()
    return word in _NOTHING or (of == "history" and word in _NO_HISTORY)


def _config(value: Any, name: str) -> Any:
    return value if isinstance(value, (Mapping, list)) else Path(_text(value, name))


def _data(value: Any, name: str) -> Any:
    if not isinstance(value, (str, Path, bool, int, float)):
        return value
    text = _text(value, name)
    return text if isinstance(value, str) and is_url(text) else Path(text)


def _folder(value: Any, name: str) -> Path:
    return Path(_text(value, name))


def _text(value: Any, name: str) -> str:
    if isinstance(value, (str, Path)):
        return str(value)
    message = f"must be text, got {value!r}"
    if isinstance(value, (bool, int, float)):
        message += "; papermill's -p turns words into numbers, its -r leaves them as they are"
    raise ConfigError(Fault(code="bad_type", message=message, path=name))


def _plain(value: Any) -> Any:
    """Return a time or a length of numpy's as text or as one of Python's."""
    if isinstance(value, np.datetime64):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value


def _moment(value: Any, name: str) -> Moment:
    if not isinstance(value, (str, date, datetime)):
        _text(value, name)
    instant_of(value, zone_of(None), name)
    return str(value) if isinstance(value, str) else value


def _zone(value: Any, name: str) -> str:
    return zone_of(_text(value, name), name).key


def _length(value: Any, name: str) -> Duration:
    seconds = seconds_of(value, name)
    return value.strip() if isinstance(value, str) and days_of(value) else seconds  # 7d may be 167 hours


def _delay(value: Any, name: str) -> int:
    return seconds_of(value, name, least=0)


_READERS: dict[str, Any] = {
    "config": _config,
    "data": _data,
    "table": _text,
    "out": _folder,
    "window_end": _moment,
    "window": _length,
    "delay": _delay,
    "history": _text,
    "time_column": _text,
    "timezone": _zone,
    "now": _moment,
}
