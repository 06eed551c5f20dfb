"""The first thing that a scheduled run does: say that it started, and withdraw what the one before said.

Nothing here imports an engine or a library of numbers: a run that is killed while those are read has withdrawn it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairreport.report.folder_lock import holding
from fairreport.report.latest_run import END, start_run
from fairreport.report.manifest import remove_manifest


@contextmanager
def started(out: Any) -> Iterator[None]:
    """Hold the folder of outputs, where its name is known and it is there, and withdraw the manifest in it.

    Parameters
    ----------
    out : object
        The folder as it was stated, whatever is wrong with it.

    Raises
    ------
    DataError
        If another run holds it, it is another program's, or the manifest cannot be removed.
    """
    folder = _there(out)
    if folder is None:
        if END in str(out):
            start_run(out)
        yield
        return
    with holding(folder):
        remove_manifest(folder)
        yield


def _there(out: Any) -> Path | None:
    if not isinstance(out, (str, Path)) or not str(out).strip() or END in str(out):
        return None
    try:
        return Path(out) if Path(out).is_dir() else None
    except (OSError, ValueError):  # a name that is too long, or none
        return None
