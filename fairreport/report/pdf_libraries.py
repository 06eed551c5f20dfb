"""How WeasyPrint finds the libraries it draws with: by the names they have on Linux, without a search for others."""

from __future__ import annotations

import contextlib
import ctypes.util
import sys
from collections.abc import Iterator

_NAMES = ("libgobject-2.0.so.0", "libpango-1.0.so.0", "libharfbuzz.so.0", "libfontconfig.so.1", "libpangoft2-1.0.so.0")
"""All but the last few of the names that WeasyPrint tries are those of other systems."""


@contextlib.contextmanager
def direct_names() -> Iterator[None]:
    """Leave out the search for libraries by names of other systems while WeasyPrint is imported.

    On Linux each such name starts a compiler and a linker, some forty processes in all, before the name that the
    loader knows is tried. Where one of the libraries is not under that name the search stays.
    """
    if not sys.platform.startswith("linux") or not all(map(_is_there, _NAMES)):
        yield
        return
    find = ctypes.util.find_library
    ctypes.util.find_library = _nothing
    try:
        yield
    finally:
        ctypes.util.find_library = find


def _nothing(name: str) -> str | None:  # noqa: ARG001 - what find_library takes
    return None


def _is_there(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
