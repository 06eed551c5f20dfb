"""Output files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
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
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
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


def _target(path: str | Path) -> Path:
    """Return the file that a path leads to, links followed."""
    target = Path(path).resolve()
    if target.is_symlink():  # a loop, which Python 3.13 leaves as it is
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _replace(target: Path, data: bytes) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.chmod(mode)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
