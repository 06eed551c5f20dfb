"""Files of rows: what kind a path is, and the header of a text file."""

from __future__ import annotations

import csv
import gzip
import io
import json
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from fairreport.errors import DataError


class FileKind(StrEnum):
    """The formats that are read."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


_KINDS = {
    ".csv": FileKind.CSV,
    ".tsv": FileKind.CSV,
    ".txt": FileKind.CSV,
    ".jsonl": FileKind.JSONL,
    ".ndjson": FileKind.JSONL,
    ".parquet": FileKind.PARQUET,
    ".pq": FileKind.PARQUET,
}
_DELIMITERS = ",;\t|"
_SNIFFED_LINES = 1000


def file_kind(path: Path) -> FileKind:
    """Return the format of a file or folder, by its name.

    Raises
    ------
    DataError
        If there is no such file, or its name has no known ending.
    """
    if path.is_dir():
        if any(path.rglob("*.parquet")):
            return FileKind.PARQUET
        raise DataError(f"the folder {path.name or str(path)!r} holds no .parquet file")
    refuse_no_file(path)
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] == ".gz":
        endings.pop()
    elif endings and endings[-1] in {".bz2", ".xz", ".zip", ".zst"}:
        raise DataError(f"{path.name!r} is compressed as {endings[-1][1:]}; wanted .gz, or unpack it first")
    kind = _KINDS.get(endings[-1]) if endings else None
    if kind is None:
        wanted = ", ".join(sorted(_KINDS))
        raise DataError(f"cannot tell the format of {path.name!r}; wanted an ending among {wanted} (or these with .gz)")
    return kind


def refuse_no_file(path: Path) -> None:
    """Raise `DataError` where there is no such file."""
    if not path.exists():
        raise DataError(f"there is no file {str(path)!r}")


def open_text(path: Path) -> IO[str]:
    """Open a text file, unpacking it where its name says so; a byte order mark is passed over."""
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    stream: IO[str] = opener(path, "rt", encoding="utf-8-sig", newline="")
    return stream


def csv_header(path: Path) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of a CSV file.

    The delimiter is the one of comma, semicolon, tab and bar that stands most often in the first line
    outside quotes; with none there is one column.

    Raises
    ------
    DataError
        If the file is empty or no UTF-8 text.
    """
    with _named_errors(path), open_text(path) as stream:
        first = _first_record(stream)
    if not first.strip("\r\n"):
        raise DataError(f"{path.name!r} is empty; wanted a header line with the column names")
    bare = "".join(first.split('"')[::2])
    delimiter = max(_DELIMITERS, key=bare.count)
    names = next(csv.reader(io.StringIO(first, newline=""), delimiter=delimiter))
    return delimiter, names


def _first_record(stream: IO[str]) -> str:
    """Return the first line, and further ones while a quoted name is still open."""
    record = stream.readline()
    while record.count('"') % 2:
        more = stream.readline()
        if not more:
            break
        record += more
    return record


def jsonl_names(path: Path, wanted: frozenset[str] = frozenset()) -> list[str]:
    """Return the keys met in a JSONL file, in order of appearance.

    The first 1,000 records are looked at; while a key of `wanted` is still to be met, all of them.

    Raises
    ------
    DataError
        If a line that was looked at is no JSON object.
    """
    names: dict[str, None] = {}
    with _named_errors(path), open_text(path) as stream:
        for number, line in enumerate(stream, start=1):
            if number > _SNIFFED_LINES and wanted <= names.keys():
                break
            if not line.strip():
                continue
            record = _parse_record(path, number, line)
            names |= dict.fromkeys(record)
    return list(names)


def refuse_strange_lines(path: Path) -> None:
    """Look at every line of a JSONL file, and at nothing else.

    Engines read a line that is no object as a row without values; where the rows are refused anyway, the line
    is the better answer.

    Raises
    ------
    DataError
        If a line is no JSON object, with its number.
    """
    if file_kind(path) is FileKind.JSONL:
        with _named_errors(path), open_text(path) as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    _parse_record(path, number, line)


def _parse_record(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise DataError(f"{path.name!r} line {number} is no JSON: {error}") from None
    if not isinstance(record, dict):
        raise DataError(f"{path.name!r} line {number} is no JSON object")
    return record


class _named_errors:  # noqa: N801 - reads as a statement
    """Turn what goes wrong while reading a file into one line that names it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, UnicodeDecodeError):
            raise DataError(f"{self._path.name!r} is not UTF-8 text; save it as UTF-8") from None
        if isinstance(error, (OSError, EOFError)):
            raise DataError(f"{self._path.name!r} cannot be read: {error}") from None
