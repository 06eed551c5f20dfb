"""Output files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fairreport.errors import DataError


def write_whole(path: str | Path, content: str | bytes) -> Path:
    """Write a file beside its place and move it there, so that a reader never sees half of it.

    Raises
    ------
    DataError
        If the folder does not exist or cannot be written.
    """
    target = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise DataError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.chmod(0o666 & ~_umask())
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise DataError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
