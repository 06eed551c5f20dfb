"""The manifest of a scheduled run: written last, whole or not at all; without it a run did not happen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairreport.audit.document import to_text
from fairreport.errors import DataError
from fairreport.writing import write_whole

MANIFEST = "manifest.json"
VERSION = 1
UNFINISHED = 70
"""The exit code of a run that left no manifest, or one that cannot be read: that of an internal error."""

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


def remove_manifest(folder: Path) -> Json:
    """Remove the manifest of an earlier run, so that it is not taken for that of the next; return what it stated.

    Raises
    ------
    DataError
        If it cannot be removed.
    """
    earlier = read_manifest(folder)
    try:
        (folder / MANIFEST).unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"cannot remove the old {MANIFEST} of {str(folder)!r}: {error.strerror or error}") from None
    return {} if earlier is None else earlier.document


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


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder; None where there is none, or one that is no manifest."""
    try:
        document = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return _manifest(document)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
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
