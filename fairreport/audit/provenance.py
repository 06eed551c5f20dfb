"""When an audit was made and on which data: a stated date, and a hash of the counts."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, date, datetime
from typing import Any

from fairreport.errors import ConfigError, Fault
from fairreport.tables.gap_tally import GapTally
from fairreport.tables.pair_tally import MeanTally, PairTally
from fairreport.tables.tally import NoTally, Tally

AnyTally = Tally | NoTally | GapTally | PairTally | MeanTally
"""The counts that any kind of test is judged from."""


def created(as_of: str | date | datetime | None) -> str | None:
    """Return the date an audit bears: `as_of`, else SOURCE_DATE_EPOCH, else None. The clock is never asked.

    Raises
    ------
    ConfigError
        If `as_of` or SOURCE_DATE_EPOCH is no date.

    Examples
    --------
    >>> created("2026-11-01")
    '2026-11-01'
    """
    if isinstance(as_of, (date, datetime)):
        return as_of.isoformat()
    if as_of is not None:
        try:
            datetime.fromisoformat(str(as_of))
        except ValueError:
            message = f"as_of must be a date such as 2026-11-01, got {as_of!r}"
            raise ConfigError(Fault(code="bad_type", message=message)) from None
        return str(as_of)
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return None
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        message = f"SOURCE_DATE_EPOCH must be whole seconds since 1970, got {epoch!r}"
        raise ConfigError(Fault(code="bad_type", message=message)) from None


def fingerprint(tallies: Iterable[AnyTally | None]) -> str:
    """Return the sha256 of the tallies: row order, column order, engine and file format do not change it."""
    texts = sorted({canonical_json(asdict(tally)) for tally in tallies if tally is not None})
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def fingerprint_of_rows(seen: Iterable[tuple[str, float, float | None]]) -> str:
    """Return the sha256 of what functions of the user's own saw, where no test counted anything.

    Parameters
    ----------
    seen : iterable of (str, number, number or None)
        A group, its size, and the value of the metric.
    """
    return hashlib.sha256(canonical_json(sorted(map(list, seen), key=repr)).encode()).hexdigest()


def canonical_hash(value: Any) -> str:
    """Return the sha256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no white space, the form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
