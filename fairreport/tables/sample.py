"""The first rows of a file or table, for guesses about its columns; an audit never reads this way."""

from __future__ import annotations

import csv
import glob
import json
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from fairreport.errors import DataError
from fairreport.tables.files import FileKind, csv_header, file_kind, open_text
from fairreport.tables.source import open_table, refuse_duplicates

LARGEST_SAMPLE = 200_000
LARGEST_OF_ENGINE = 10_000
"""Of a table that is elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The first rows of a file, raw.

    Attributes
    ----------
    names : tuple of str
        Column names in their order.
    rows : list of tuple
        Cells in that order; JSON and Parquet keep their types, CSV is text.
    complete : bool
        Whether these are all rows of the file.
    """

    names: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    complete: bool


def sample_file(path: Path, limit: int = LARGEST_SAMPLE) -> Sample:
    """Return the first rows of a CSV, JSONL or Parquet file.

    Raises
    ------
    DataError
        If the file cannot be read, or two columns bear one name.
    """
    kind = file_kind(path)
    if kind is FileKind.PARQUET:
        names, rows = _parquet(path, limit + 1)
    else:
        try:
            names, rows = (_csv if kind is FileKind.CSV else _jsonl)(path, limit + 1)
        except UnicodeDecodeError:
            raise DataError(f"{path.name!r} is not UTF-8 text; save it as UTF-8") from None
        except (OSError, EOFError, csv.Error) as error:
            raise DataError(f"{path.name!r} cannot be read: {error}") from None
    refuse_duplicates(names)
    return Sample(names=names, rows=rows[:limit], complete=len(rows) <= limit)


def sample_place(place: Any, limit: int = LARGEST_OF_ENGINE) -> Sample:
    """Return the first rows of a table of a database, or of objects in a store.

    Parameters
    ----------
    place : DatabaseTable, DatabaseFile or StoredObjects
        What names it.
    limit : int
        At most so many rows.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    from fairreport.tables.duckdb_table import DuckdbTable  # noqa: PLC0415 - text files need no engine
    from fairreport.tables.sql_table import SqlTable  # noqa: PLC0415 - the same
    from fairreport.tables.sql_text import SOURCE  # noqa: PLC0415 - the same

    table, rows = open_table(place), list[tuple[Any, ...]]()
    if isinstance(table, DuckdbTable):
        rows = table.first_rows(limit + 1)
    elif isinstance(table, SqlTable):
        columns = {name: f"c{i}" for i, name in enumerate(table.names)}
        sql = f"SELECT {', '.join(columns.values())} FROM {SOURCE} LIMIT {limit + 1}"
        rows = list(table.remote.rows(sql, columns))
    return Sample(names=table.names, rows=rows[:limit], complete=len(rows) <= limit)


def _csv(path: Path, limit: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    delimiter, names = csv_header(path)
    with open_text(path) as stream:
        reader = csv.reader(stream, delimiter=delimiter)
        rows = [tuple(row) for row in islice(reader, 1, limit + 1) if len(row) == len(names)]
    return tuple(names), rows


def _jsonl(path: Path, limit: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    records = []
    with open_text(path) as stream:
        for number, line in enumerate(islice(stream, limit), start=1):
            if line.strip():
                records.append(_record(path, number, line))
    names = tuple(dict.fromkeys(str(key) for record in records for key in record))
    return names, [tuple(record.get(name) for name in names) for record in records]


def _record(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise DataError(f"{path.name!r} line {number} is no JSON: {error}") from None
    if not isinstance(record, dict):
        raise DataError(f"{path.name!r} line {number} is no JSON object")
    return record


def _parquet(path: Path, limit: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    import duckdb  # noqa: PLC0415 - text files need no engine

    from fairreport.tables.duckdb_open import open_file  # noqa: PLC0415
    from fairreport.tables.duckdb_sql import readable  # noqa: PLC0415

    names = open_file(path).names
    place = glob.escape(str(path)) + ("/**/*.parquet" if path.is_dir() else "")
    with readable(path.name), duckdb.connect(":memory:") as connection:
        return names, connection.read_parquet(place).limit(limit).fetchall()
