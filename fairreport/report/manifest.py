"""The manifest of a scheduled run: written last, whole or not at all; without it a run did not happen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairreport.audit.document import to_text
from fairreport.errors import DataError
from fairreport.writing import write_whole

MANIFEST = "manifest.json"
VERSION = 1
REFUSED = 2
"""The exit code of a run that is told something wrong, or that cannot read or write what it needs."""

UNFINISHED = 70
"""The exit code of a run that left no manifest, or one that cannot be read: that of an internal error."""

_EARLIER = f".{MANIFEST}.earlier"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a scheduled run left behind.

    Attributes
    ----------
    complete : bool
        Whether every output was written.
    exit_code : int
        What the run comes to; that of a run which is not complete is never 0.
    reason : str or None
        Why it is not complete, or why nothing was judged.
    document : dict
        All that the file states.
    """

    complete: bool
    exit_code: int
    reason: str | None
    document: Json


def remove_manifest(folder: Path) -> None:
    """Remove the manifest of an earlier run, so that it is not taken for that of the next.

    One that names outputs is set aside in one step, hidden beside its place: whoever ends a run in this folder, at
    whatever attempt, removes what the earlier one left behind (see `earlier_outputs`).

    Raises
    ------
    DataError
        If it cannot be removed, or is not that of a scheduled run: then the folder is another program's.
    """
    path = folder / MANIFEST
    found = read_manifest(folder)
    if found is None and _is_of_others(path):
        raise DataError(f"the {MANIFEST} in {str(folder)!r} is not that of a scheduled run; name another folder")
    try:
        if found is not None and found.document.get("outputs"):
            with suppress(OSError):  # what is in its way there is no reason to keep a manifest
                path.replace(folder / _EARLIER)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"cannot remove the old {MANIFEST} of {str(folder)!r}: {error.strerror or error}") from None


def earlier_outputs(folder: Path) -> tuple[str, ...]:
    """Return the outputs of the run before, as its manifest named them, until `forget_earlier` is called."""
    document = _document(folder / _EARLIER)
    outputs = document.get("outputs") if isinstance(document, dict) else None
    return tuple(outputs) if isinstance(outputs, dict) else ()


def forget_earlier(folder: Path) -> None:
    """Forget the outputs of the run before; what has no successor is gone by now."""
    with suppress(OSError):
        (folder / _EARLIER).unlink(missing_ok=True)


def write_refusal(folder: Path, reason: str, *, now: str | None = None) -> Manifest:
    """Write the manifest of a run that came to nothing, with the reason; see `write_manifest`."""
    return write_manifest(folder, {"complete": False, "exit_code": REFUSED, "reason": reason, "now": now}, ())


def write_manifest(folder: Path, stated: Mapping[str, Any], outputs: Iterable[str]) -> Manifest:
    """Write a manifest with the hash of every output.

    Parameters
    ----------
    folder : Path
        Where the outputs lie.
    stated : mapping
        ``complete``, ``exit_code``, ``reason`` and what else there is to say.
    outputs : iterable of str
        Files, relative to the folder.

    Raises
    ------
    DataError
        If an output cannot be read, or the manifest cannot be written.
    """
    document = {"manifest": VERSION, **stated, "outputs": {name: _file(folder / name) for name in sorted(outputs)}}
    write_whole(folder / MANIFEST, to_text(document))
    return _manifest(document)


def add_output(folder: Path, name: str) -> None:
    """Let the manifest of a folder name one more output, where there is a manifest.

    Raises
    ------
    DataError
        If the output cannot be read, or the manifest cannot be written.
    """
    found = read_manifest(folder)
    if found is None:
        return
    outputs = {**found.document.get("outputs", {}), name: _file(folder / name)}
    document = {**found.document, "outputs": dict(sorted(outputs.items()))}
    write_whole(folder / MANIFEST, to_text(document))


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder; None where there is none, or one that is no manifest."""
    try:
        return _manifest(_document(folder / MANIFEST))
    except (LookupError, TypeError):
        return None


def exit_code_of(folder: Path) -> int:
    """Return the exit code of the run that ended in a folder: its manifest's, whatever a kernel said."""
    found = read_manifest(folder)
    return UNFINISHED if found is None else found.exit_code


def differing_outputs(folder: Path) -> tuple[str, ...]:
    """Return the outputs that are no longer what the manifest states of them.

    Raises
    ------
    DataError
        If there is no manifest.
    """
    found = read_manifest(folder)
    if found is None:
        raise DataError(f"there is no {MANIFEST} in {str(folder)!r}")
    stated = found.document.get("outputs", {})
    return tuple(name for name, file in stated.items() if _file_or_none(folder / name) != file)


def _document(path: Path) -> Any:
    """Return what a file of JSON holds; None where it is no such file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _is_of_others(path: Path) -> bool:
    """Tell whether a file is a manifest of another program's: whole, and without what each of ours states."""
    document = _document(path)
    return document is not None and not (isinstance(document, dict) and "manifest" in document)


def _manifest(document: Json) -> Manifest:
    complete, code, reason = document["complete"], document["exit_code"], document["reason"]
    if not isinstance(complete, bool) or not isinstance(code, int) or isinstance(code, bool):
        raise TypeError("is no manifest")
    return Manifest(
        complete=complete, exit_code=code if complete or code else UNFINISHED, reason=reason, document=document
    )


def _file(path: Path) -> Json:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"the output {path.name!r} is gone: {error.strerror or error}") from None
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _file_or_none(path: Path) -> Json | None:
    try:
        return _file(path)
    except DataError:
        return None
