"""The manifest of a scheduled run: written last, whole or not at all; without it a run did not happen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairreport.errors import DataError
from fairreport.tables.credentials import without_credentials
from fairreport.writing import write_whole

MANIFEST = "manifest.json"
VERSION = 1
REFUSED = 2
"""The exit code of a run that is told something wrong, or that cannot read or write what it needs."""

UNFINISHED = 70
"""The exit code of a run that left no manifest, or one that cannot be read: that of an internal error."""

_EARLIER = f".{MANIFEST}.earlier"

_OURS = {"manifest", "complete", "exit_code", "reason", "outputs"}
"""What each manifest of ours states."""

_set_aside: set[Path] = set()
"""Folders whose manifest this process set aside and did not answer for yet."""

Json = dict[str, Any]


class NotOursError(DataError):
    """A folder that is another run's, another audit's or another program's: nothing in it is to be touched."""


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
    NotOursError
        If it is not that of a scheduled run: then the folder is another program's.
    DataError
        If it cannot be removed.
    """
    path = folder / MANIFEST
    refuse_others(folder)
    found = read_manifest(folder)
    try:
        if found is not None and found.document["outputs"]:
            with suppress(OSError):  # what is in its way there is no reason to keep a manifest
                path.replace(folder / _EARLIER)
                _set_aside.add(folder.resolve())
        path.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(f"cannot remove the old {MANIFEST} of {str(folder)!r}: {error.strerror or error}") from None


def refuse_others(folder: Path) -> None:
    """Refuse a folder whose manifest is another program's.

    Raises
    ------
    NotOursError
        If there is one that is not that of a scheduled run.
    """
    if _is_of_others(folder / MANIFEST):
        raise NotOursError(f"the {MANIFEST} in {str(folder)!r} is not that of a scheduled run; name another folder")


def refuse_other_audit_in(folder: Path, audit_id: str) -> None:
    """Refuse a folder with the result of another audit; what was set aside of it in this run is put back.

    Raises
    ------
    NotOursError
        If that is so.
    """
    document = _document(folder / _EARLIER)
    held = document.get("audit_id") if isinstance(document, dict) else None
    if held is None or held == audit_id:
        _set_aside.discard(folder.resolve())
        return
    put_back(folder)
    raise NotOursError(
        f"{str(folder)!r} holds the result of the audit {held!r}, and this one is {audit_id!r}; name another --out"
    )


def put_back(folder: Path) -> None:
    """Put the manifest back that this run set aside, where it turns out that the folder is not its."""
    if folder.resolve() in _set_aside:
        with suppress(OSError):
            (folder / _EARLIER).replace(folder / MANIFEST)
        _set_aside.discard(folder.resolve())


def earlier_outputs(folder: Path) -> tuple[str, ...]:
    """Return the outputs of the run before, as its manifest named them, until `forget_earlier` is called."""
    document = _document(folder / _EARLIER)
    outputs = document.get("outputs") if isinstance(document, dict) else None
    return tuple(outputs) if isinstance(outputs, dict) else ()


def forget_earlier(folder: Path) -> None:
    """Forget the outputs of the run before; what has no successor is gone by now."""
    _set_aside.discard(folder.resolve())
    with suppress(OSError):
        (folder / _EARLIER).unlink(missing_ok=True)


def write_refusal(folder: Path, reason: str, *, now: str | None = None) -> Manifest:
    """Write the manifest of a run that came to nothing, with the reason; see `write_manifest`."""
    _set_aside.discard(folder.resolve())
    stated = {"complete": False, "exit_code": REFUSED, "reason": without_credentials(reason), "now": now}
    return write_manifest(folder, stated, {})


def described(content: bytes | str) -> Json:
    """Return what the manifest states of a file, from what was written into it and not from what lies there.

    Examples
    --------
    >>> described(b"abc")["bytes"]
    3
    """
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def write_manifest(folder: Path, stated: Mapping[str, Any], outputs: Mapping[str, Json]) -> Manifest:
    """Write a manifest with the hash of every output, as the run wrote it.

    Parameters
    ----------
    folder : Path
        Where the outputs lie.
    stated : mapping
        ``complete``, ``exit_code``, ``reason`` and what else there is to say.
    outputs : mapping of str to dict
        What was written (see `described`) by the name of the file, relative to the folder.

    Raises
    ------
    DataError
        If an output is gone or is not the one that was written, or the manifest cannot be written.
    """
    for name, written in outputs.items():
        if _file(folder / name) != written:
            raise DataError(f"the output {name!r} is not what this run wrote: something else writes into the folder")
    document = {"manifest": VERSION, **stated, "outputs": dict(sorted(outputs.items()))}
    _put(folder, document)
    return _manifest(document)


def add_output(folder: Path, name: str, content: bytes | str) -> None:
    """Let the manifest of a folder name one more output with what was written into it, where there is a manifest.

    Raises
    ------
    DataError
        If the manifest cannot be written.
    """
    found = read_manifest(folder)
    if found is not None:
        outputs = {**found.document["outputs"], name: described(content)}
        _put(folder, {**found.document, "outputs": dict(sorted(outputs.items()))})


def read_output(folder: Path, manifest: Manifest, name: str) -> str | None:
    """Return the text of an output; None where it is not named, or is not the one that the manifest states."""
    try:
        content = (folder / name).read_bytes()
    except OSError:
        return None
    is_stated = manifest.document["outputs"].get(name) == described(content)
    return content.decode("utf-8", "replace") if is_stated else None


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
    stated = found.document["outputs"]
    return tuple(name for name, file in stated.items() if _file_or_none(folder / name) != file)


def _document(path: Path) -> Any:
    """Return what a file of JSON holds; None where it is no such file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _is_of_others(path: Path) -> bool:
    """Tell whether a file is a manifest of another program's: it is there, without what each of ours states.

    Ours is written whole, so half of it is never there; an empty file may be left where a machine lost its power.
    """
    if not path.is_file() or not path.stat().st_size:
        return path.is_dir()
    document = _document(path)
    return not (isinstance(document, dict) and document.keys() >= _OURS and document["manifest"] == VERSION)


def _put(folder: Path, document: Json) -> None:
    from fairreport.audit.document import to_text  # noqa: PLC0415 - who only withdraws a manifest does not wait for it

    write_whole(folder / MANIFEST, to_text(document))


def _manifest(document: Json) -> Manifest:
    """Return a manifest.

    Raises
    ------
    LookupError, TypeError
        If it is none.
    """
    complete, code, reason = document["complete"], document["exit_code"], document["reason"]
    outputs = document["outputs"]
    is_told = (
        isinstance(complete, bool)
        and isinstance(code, int)
        and not isinstance(code, bool)
        and isinstance(reason, str | None)
        and isinstance(outputs, dict)
        and all(isinstance(it, dict) for it in outputs.values())
        and all(isinstance(document.get(name, []), list) for name in ("notes", "late"))
        and all(isinstance(it, str) for it in document.get("notes", []))
        and all(_is_late(it) for it in document.get("late", []))
        and isinstance(document.get("history"), str | None)
    )
    if not is_told:
        raise TypeError("is no manifest")
    return Manifest(
        complete=complete, exit_code=code if complete or code else UNFINISHED, reason=reason, document=document
    )


def _is_late(item: Any) -> bool:
    window = item.get("window") if isinstance(item, dict) else None
    return (
        isinstance(window, dict)
        and isinstance(window.get("end"), str)
        and all(isinstance(it, int) for it in (window.get("rows_within"), item.get("rows")))
    )


def _file(path: Path) -> Json:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"the output {path.name!r} is gone: {error.strerror or error}") from None
    return described(content)


def _file_or_none(path: Path) -> Json | None:
    try:
        return _file(path)
    except DataError:
        return None
