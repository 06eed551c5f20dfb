"""The audited file: its hash as it stands when a packet is made, or why none is stated."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """The hash of the audited file.

    Attributes
    ----------
    sha256 : str or None
        In hexadecimal; None where there is no single file to hash.
    reason : str
        Why there is none, in words; empty where there is one.
    """

    sha256: str | None
    reason: str = ""


def hash_data_file(path: Path | None) -> DataFile:
    """Return the hash of the audited file; one that is gone, or never was a file, is said and stops nothing.

    Parameters
    ----------
    path : Path or None
        What was opened; None where the rows came from elsewhere.

    Examples
    --------
    >>> hash_data_file(None).reason
    'the rows were not read from a file'
    """
    if path is None:
        return DataFile(sha256=None, reason="the rows were not read from a file")
    try:
        if path.is_dir():
            return DataFile(sha256=None, reason="the rows were read from a folder of files")
        with path.open("rb") as stream:
            return DataFile(sha256=file_digest(stream, "sha256").hexdigest())
    except FileNotFoundError:
        return DataFile(sha256=None, reason="the file was no longer there when the packet was made")
    except OSError:
        return DataFile(sha256=None, reason="the file could not be read when the packet was made")
