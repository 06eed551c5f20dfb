"""`audit.data` of an `audit.yaml`: a path, a table of a database, a table of Spark; no credentials among them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairreport.audit.readers.settings import unknown_keys
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.credentials import holds_password
from fairreport.tables.places import SparkTable, is_url, place_of

DATA_KEYS = ("url", "table", "schema", "spark")
"""The keys of a mapping under ``audit.data``."""

_PATH = "audit.data"
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")
_CREDENTIALS = ("password", "passwd", "pwd", "user", "username", "token", "credentials", "secret")
_NO_PLACE = (
    "holds a password, which has no place in a file; leave it out (the driver reads PGPASSWORD or ~/.pgpass), or put "
    "the whole URL into an environment variable and state $AUDIT_DB, its name"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTable:
    """A table that a configuration names.

    Attributes
    ----------
    url : str or None
        Of the database, or the path of its file, or ``$NAME`` of the environment variable that holds it.
    table, schema : str or None
        Which table.
    spark : str or None
        A table of Spark instead.
    """

    url: str | None = field(default=None, repr=False)
    table: str | None = None
    schema: str | None = None
    spark: str | None = None


def read_data(value: Any, faults: list[Fault]) -> str | StatedTable | None:
    """Return what stands under ``audit.data``; what is wrong is added to `faults`. No value is repeated.

    Parameters
    ----------
    value : object
        A path or a mapping.
    faults : list of Fault
        What was found so far.
    """
    known = len(faults)
    if value is None:
        return None
    if isinstance(value, str):
        faults += _text_faults(value)
        return value
    if not isinstance(value, Mapping):
        faults.append(_wrong(f"must be a path, or a mapping such as {{url: ..., table: ...}}, got {_kind(value)}"))
        return None
    faults += _mapping_faults(value)
    if len(faults) > known:
        return None
    return StatedTable(**{key: value[key] for key in DATA_KEYS if value.get(key) is not None})


def _text_faults(text: str) -> list[Fault]:
    if not text.strip():
        return [_wrong(f"must name a file, got {text!r}")]
    if is_url(text) and holds_password(text):
        return [Fault(code="credentials", message=_NO_PLACE, path=_PATH)]
    return []


def _mapping_faults(stated: Mapping[str, Any]) -> list[Fault]:
    secret = [key for key in stated if str(key).lower() in _CREDENTIALS]
    if secret:
        message = "has no place in a file: the driver reads it from the environment (PGPASSWORD, ~/.pgpass)"
        return [Fault(code="credentials", message=message, path=f"{_PATH}.{key}") for key in secret]
    faults = unknown_keys(stated, DATA_KEYS, _PATH)
    for key in DATA_KEYS:
        value = stated.get(key)
        if value is not None and not (isinstance(value, str) and value.strip()):
            faults.append(_wrong(f"must be text, got {_kind(value)}", key))
    url, spark = stated.get("url"), stated.get("spark")
    if faults:
        return faults
    if spark is not None:
        others = [key for key in ("url", "table", "schema") if stated.get(key) is not None]
        return [_wrong("does not go with spark, which names the table whole", key) for key in others]
    if url is None:
        return [Fault(code="missing_parameter", message="is required", path=f"{_PATH}.url")]
    if holds_password(url):
        return [Fault(code="credentials", message=_NO_PLACE, path=f"{_PATH}.url")]
    if "$" in url and _VARIABLE.fullmatch(url.strip()) is None:
        message = "takes an environment variable for the whole URL only, such as $AUDIT_DB"
        return [_wrong(message, "url")]
    return []


def data_of(stated: str | StatedTable, table: str | None, folder: Path | None) -> Any:
    """Return what a configuration names, as an audit takes it.

    Parameters
    ----------
    stated : str or StatedTable
        As it was read.
    table : str or None
        The table to audit, whatever the configuration names.
    folder : Path or None
        Where relative paths begin.

    Raises
    ------
    ConfigError
        If an environment variable is not set, or a database comes without a table.
    """
    if isinstance(stated, str) and _VARIABLE.fullmatch(stated.strip()):
        raise ConfigError(_wrong(f"takes a variable below url only, as in {{url: {stated.strip()}, table: ...}}"))
    if isinstance(stated, StatedTable) and stated.spark is not None:
        return SparkTable(name=stated.spark if table is None else table)
    url = stated if isinstance(stated, str) else _from_environment(str(stated.url))
    named = StatedTable() if isinstance(stated, str) else stated
    try:
        if table is None and named.table is None and not is_url(url):
            return place_of(Path(url) if folder is None else folder / url)
        if table is not None:
            return place_of(url, table, folder=folder)
        return place_of(url, named.table, schema=named.schema, folder=folder)
    except ConfigError as error:
        place = _PATH if isinstance(stated, str) else f"{_PATH}.{{}}"
        raise ConfigError([_placed(fault, place) for fault in error.errors]) from None


def _placed(fault: Fault, place: str) -> Fault:
    key = "table" if fault.path == "table" else "url"
    return Fault(code=fault.code, message=fault.message, path=place.format(key))


def _from_environment(url: str) -> str:
    match = _VARIABLE.fullmatch(url.strip())
    if match is None:
        return url
    name = match[1] or match[2]
    value = os.environ.get(name, "").strip()
    if not value:
        is_empty = name in os.environ
        message = f"the environment variable {name} is " + (
            "empty" if is_empty else f"not set.{nearest(name, os.environ)}"
        )
        raise ConfigError(Fault(code="missing_parameter", message=message, path=f"{_PATH}.url"))
    return value


def _kind(value: Any) -> str:
    return {"bool": "true or false", "int": "a number", "float": "a number", "list": "a list", "dict": "a mapping"}.get(
        type(value).__name__, type(value).__name__
    )


def _wrong(message: str, key: str = "") -> Fault:
    return Fault(code="bad_type", message=message, path=f"{_PATH}.{key}" if key else _PATH)
