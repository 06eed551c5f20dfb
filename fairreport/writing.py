"""Output files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fairreport.errors import DataError


def write_whole(path: str | Path, content: str | bytes) -> Path:
    """Write a file beside its place and move it there, so that a reader never sees half of it.

    A link is followed; an existing file keeps its mode; what is no regular file (a pipe, a device) is written to as it
    stands and never replaced.

    Raises
    ------
    DataError
        If the folder does not exist or cannot be written.
    """
    data = _encoded(content) if isinstance(content, str) else content
    try:
        target = _target(path)
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                stream.write(data)
        else:
            _replace(target, data)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        reason = error.strerror if isinstance(error, OSError) else None
        raise DataError(f"cannot write {str(path)!r}: {reason or error}") from None
    return Path(path)


def write_together(folder: str | Path, files: Mapping[str, str]) -> list[Path]:
    """Write several files into a folder, and return their paths.

    A folder that is not there appears with all of them at once. In one that is there, all are written beside their
    places before the first is moved there; whatever else it holds is left alone.

    Raises
    ------
    DataError
        If the folder cannot be made or written.
    """
    target = Path(folder)
    try:
        if target.exists():
            if not target.is_dir():
                raise DataError(f"cannot make the folder {str(folder)!r}: it is a file")
            _replace_together(target, files)
        else:
            _appear(target, files)
    except (OSError, RuntimeError) as error:
        if isinstance(error, DataError):
            raise
        reason = error.strerror if isinstance(error, OSError) else None
        raise DataError(f"cannot write the folder {str(folder)!r}: {reason or error}") from None
    return [target / name for name in files]


def _appear(target: Path, files: Mapping[str, str]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
    try:
        for name, text in files.items():
            (part / name).write_bytes(_encoded(text))
        part.chmod(0o777 & ~_umask())
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _replace_together(target: Path, files: Mapping[str, str]) -> None:
    parts: list[tuple[Path, Path]] = []
    try:
        for name, text in files.items():
            place = _target(target / name)
            parts.append((_part(place, _encoded(text)), place))
        for part, place in parts:
            part.replace(place)
    except BaseException:
        for part, _ in parts:
            part.unlink(missing_ok=True)
        raise


def _target(path: str | Path) -> Path:
    """Return the file that a path leads to, links followed."""
    target = Path(path).resolve()
    if target.is_symlink():  # a loop, which Python 3.13 leaves as it is
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _replace(target: Path, data: bytes) -> None:
    part = _part(target, data)
    try:
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _part(target: Path, data: bytes) -> Path:
    """Write data beside its place, with the mode of what stands there, and return where."""
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.chmod(mode)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
