"""One run at a time in a folder of outputs: a lock that the system takes back from whoever is killed."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairreport.report.manifest import NotOursError, refuse_others

LOCK = ".fairreport.lock"
_HELD = "FAIRREPORT_FOLDER_HELD"
_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


@dataclass(slots=True)
class _Hold:
    """A lock, and how many hold it: a start inside a start is the same run."""

    handle: int | None
    holders: int = 0


_held: dict[str, _Hold] = {}


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold a folder that is there, so that no other process writes into it.

    Raises
    ------
    NotOursError
        If another run holds it, or it is another program's; nothing was touched.
    """
    key = _key(folder)
    if os.environ.get(_HELD) == key:  # whoever started this kernel holds it
        yield
        return
    hold = _held.get(key)
    if hold is None:
        hold = _held[key] = _Hold(_locked(folder))
    hold.holders += 1
    try:
        yield
    finally:
        hold.holders -= 1
        if not hold.holders:
            del _held[key]
            if hold.handle is not None:
                os.close(hold.handle)


@contextmanager
def lent(folder: Path) -> Iterator[None]:
    """Let the processes that are started meanwhile write into a folder that this one holds."""
    before = os.environ.get(_HELD)
    os.environ[_HELD] = _key(folder)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_HELD, None)
        else:
            os.environ[_HELD] = before


def _key(folder: Path) -> str:
    return str(folder.resolve())


def _locked(folder: Path) -> int | None:
    """Return the handle of the lock; None where the file system knows no locks."""
    refuse_others(folder)
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise NotOursError(f"cannot write in the folder {str(folder)!r}: {error.strerror or error}") from None
    try:
        _lock(handle)
    except OSError as error:
        os.close(handle)
        if error.errno not in _TAKEN:
            return None
        message = f"another run writes into {str(folder)!r}; nothing was touched: wait, or name another --out"
        raise NotOursError(message) from None
    return handle


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
