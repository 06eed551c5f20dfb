"""Which run is the newest, where each window has a folder of its own: one small file beside those folders.

A run that is refused may never know the name of its folder. So the file is written when a run starts, before anything
can be refused, and again when it ends; between the two it says that a run started and did not finish.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairreport.report.manifest import NotOursError
from fairreport.tables.credentials import without_credentials
from fairreport.writing import write_whole

LATEST = "latest.json"
VERSION = 1
END = "{end}"
"""In the name of the folder of outputs, this stands for the day or the time at which the window ends."""

STARTED, REFUSED_RUN, FINISHED = "started", "refused", "finished"
_RUN = os.urandom(8).hex()
"""Tells the runs of this process from those of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestRun:
    """The newest run: its state, its folder where that is known, why it was refused, and whose runs they are."""

    state: str
    folder: str | None
    reason: str | None
    audit_id: str | None
    run: str


def beside(out: Any) -> Path | None:
    """Return in which folder the folders of windows lie; None where the outputs go into one that is named.

    Examples
    --------
    >>> beside("reports/{end}").name, beside("reports")
    ('reports', None)
    """
    if not isinstance(out, (str, Path)) or END not in str(out):
        return None
    parts = Path(out).parts
    first = next(position for position, part in enumerate(parts) if END in part)
    return Path(*parts[:first])


def start_run(out: Any) -> None:
    """Say that a run started.

    Raises
    ------
    NotOursError
        If the file is another program's.
    DataError
        If it cannot be written.
    """
    _write(out, STARTED, reason=None)


def refuse_run(out: Any, reason: str) -> None:
    """Say that the newest run came to nothing, and why."""
    _write(out, REFUSED_RUN, reason=without_credentials(reason))


def finish_run(out: Any, folder: Path, audit_id: str) -> None:
    """Say in which folder the newest run ended, unless another one has started since."""
    place = beside(out)
    if place is None:
        return
    found = read_latest(place)
    if found is None or found.run == _RUN:
        name = Path(os.path.relpath(folder, place)).as_posix()
        _put(place, LatestRun(state=FINISHED, folder=name, reason=None, audit_id=audit_id, run=_RUN))


def refuse_other_audit(out: Any, audit_id: str) -> None:
    """Refuse a folder in which the windows of another audit lie.

    Raises
    ------
    NotOursError
        If that is so.
    """
    place = beside(out)
    found = None if place is None else read_latest(place)
    if place is not None and found is not None and found.audit_id not in {None, audit_id}:
        raise NotOursError(
            f"{str(place)!r} holds the runs of the audit {found.audit_id!r}, and this one is {audit_id!r}; "
            f"name another --out, or remove {str(place / LATEST)!r}"
        )


def read_latest(place: Path) -> LatestRun | None:
    """Return what the file in a folder says; None where there is none, or one that says nothing."""
    try:
        document = json.loads((place / LATEST).read_text(encoding="utf-8"))
        found = LatestRun(**{name: document[name] for name in ("state", "folder", "reason", "audit_id", "run")})
    except (OSError, ValueError, RecursionError, LookupError, TypeError):
        return None
    optional = all(isinstance(it, str | None) for it in (found.folder, found.reason, found.audit_id))
    return found if optional and isinstance(found.state, str) and isinstance(found.run, str) else None


def _write(out: Any, state: str, *, reason: str | None) -> None:
    place = beside(out)
    if place is None or not place.is_dir():
        return  # a folder that is not there holds no earlier run
    found = read_latest(place)
    if found is None and _is_of_others(place / LATEST):
        raise NotOursError(f"the {LATEST} in {str(place)!r} is not that of scheduled runs; name another folder")
    audit_id = None if found is None else found.audit_id
    _put(place, LatestRun(state=state, folder=None, reason=reason, audit_id=audit_id, run=_RUN))


def _put(place: Path, latest: LatestRun) -> None:
    stated = {name: getattr(latest, name) for name in ("state", "folder", "reason", "audit_id", "run")}
    text = json.dumps({"latest": VERSION, **stated}, ensure_ascii=False, indent=2)
    write_whole(place / LATEST, f"{text}\n")


def _is_of_others(path: Path) -> bool:
    """Tell whether a file is there that no scheduled run wrote."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        return True
    return not (isinstance(document, dict) and document.get("latest") == VERSION)
