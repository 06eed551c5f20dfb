"""The sha256 of a packet in a file beside it, in the form that ``sha256sum -c`` reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fairreport.errors import DataError
from fairreport.writing import write_whole

SUFFIX = ".sha256"
_LARGEST = 100_000
_LINE = re.compile(r"(\\?)([0-9a-f]{64}) [ *](.+)")
_MARK = b"# fairreport packet "
_PACKET_ID = re.compile(rf"{_MARK.decode()}([0-9a-f]{{12}})")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checksum:
    """What stands in such a file of a packet; `packet_id` is None where it is not stated."""

    sha256: str
    packet_id: str | None


def write_packet(path: str | Path, content: bytes, *, packet_id: str | None) -> Path:
    """Write a packet, then its sha256 beside it, each whole or not at all, and return the path of the packet.

    The hash of the packet that was there goes first, so that at no moment one stands beside a packet that is not its.

    Parameters
    ----------
    path : path
        Of the packet.
    content : bytes
        The packet.
    packet_id : str or None
        Stated beside the hash; None writes the packet only.

    Raises
    ------
    DataError
        If either cannot be written.
    """
    beside = checksum_path(Path(path))
    before = _taken_away(beside)
    try:
        written = write_whole(path, content)
    except BaseException:
        if before is not None:
            write_whole(beside, before)
        raise
    if packet_id is not None and _is_file(written):
        write_whole(beside, checksum_text(written.name, content, packet_id))
    return written


def checksum_path(path: Path) -> Path:
    """Return where the sha256 of a packet stands."""
    return path.with_name(f"{path.name}{SUFFIX}")


def checksum_text(name: str, content: bytes, packet_id: str) -> str:
    r"""Return what such a file holds: the packet id in a comment, and the line of ``sha256sum``.

    Names are written as coreutils writes them: one with a backslash or a line end in it is escaped, and a backslash
    stands before its line.

    Examples
    --------
    >>> print(checksum_text("packet.pdf", b"", "0123456789ab"), end="")
    # fairreport packet 0123456789ab
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  packet.pdf
    """
    escaped = "".join(_ESCAPES.get(character, character) for character in name)
    mark = "\\" if escaped != name else ""
    return f"# fairreport packet {packet_id}\n{mark}{sha256(content).hexdigest()}  {escaped}\n"


def read_checksum(path: Path) -> Checksum | None:
    """Return what the file beside a packet states of it; None where there is none, or it speaks of other files.

    Raises
    ------
    DataError
        If there is one and it cannot be read.
    """
    beside = checksum_path(path)
    try:
        if not beside.is_file():
            return None
        if beside.stat().st_size > _LARGEST:
            raise DataError(f"{str(beside)!r} is larger than a list of hashes is")
        text = beside.read_text(encoding="utf-8", errors="surrogateescape")
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot read {str(beside)!r}: {getattr(error, 'strerror', None) or error}") from None
    stated = _PACKET_ID.search(text)
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found and (_unescaped(found[3]) if found[1] else found[3]).rpartition("/")[2] == path.name:
            return Checksum(sha256=found[2], packet_id=stated[1] if stated else None)
    return None


def _taken_away(beside: Path) -> bytes | None:
    """Take away the hash of an earlier packet, and return it; nothing that was not written here."""
    try:
        held = beside.read_bytes() if beside.is_file() and beside.stat().st_size <= _LARGEST else b""
        if not held.startswith(_MARK):
            return None
        beside.unlink()
    except OSError as error:
        raise DataError(f"cannot write {str(beside)!r}: {error.strerror or error}") from None
    return held


def _unescaped(name: str) -> str:
    plain = {escape: character for character, escape in _ESCAPES.items()}
    return re.sub(r"\\[\\nr]", lambda found: plain[found[0]], name)


def _is_file(path: Path) -> bool:
    """Tell whether a packet was written to a file, and not to a pipe or a device."""
    return path.resolve().is_file()
