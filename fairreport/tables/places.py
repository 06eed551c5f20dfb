"""What names the rows: a file, a table of a database, objects in a store. Nothing is opened here.

The URL of a database may hold a password. It is kept only inside the records made here, which do not show it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.credentials import KEYWORDS

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?=//)")  # of at least two letters: C: is a disk
_NO_SLASHES = re.compile(
    r"(?:postgres(?:ql)?|mysql|mssql|oracle|snowflake|trino|databricks|bigquery)(?:\+\w+)?:", re.IGNORECASE
)
_PART = re.compile(r'(?:"((?:[^"]|"")+)"|([^."]+))(?:\.(?=.)|$)')

STORES = ("s3", "s3a", "s3n", "gs", "gcs", "r2", "http", "https", "hf", "az", "azure", "abfss")
"""Schemes of objects that DuckDB reads."""

OTHER_NAMES = {"postgresql": "postgres"}
"""What a scheme is called by ibis, where it is another name."""

_STATE = "State table (--table NAME)"
_FILES = ("sqlite", "duckdb")
_DATABASE_ENDINGS = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseTable:
    """A table of a database that a URL reaches.

    Attributes
    ----------
    url : str
        May hold a password; never shown.
    table : tuple of str
        The parts of its name: catalog and schema, where they are stated, then the table.
    """

    url: str = field(repr=False)
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFile:
    """A table of a database that is a file: DuckDB's or SQLite's."""

    path: Path
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObjects:
    """Parquet objects in a store; the URL may hold a signature, and is never shown whole."""

    url: str = field(repr=False)

    @property
    def name(self) -> str:
        """The last part of the URL, and from where wildcards begin: ``2026/*.parquet``."""
        parts = [part for part in urlsplit(_plain(self.url)).path.split("/") if part]
        wild = next((i for i, part in enumerate(parts) if "*" in part), len(parts))
        return "/".join(parts[max(wild - 1, 0) :]) or "objects"


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkTable:
    """A table or view of the catalog of the Spark session that is active, or that is started for it."""

    name: str


Place = DatabaseTable | DatabaseFile | StoredObjects | SparkTable


def place_of(data: Any, table: Any = None, *, schema: str | None = None, folder: Path | None = None) -> Any:
    """Return what names the rows as one of the records above; a table that is at hand, and a file of rows, as it is.

    Parameters
    ----------
    data : object
        What an audit is given; a text may be a path or a URL.
    table : str, optional
        Which table of a database, as ``decisions``, ``hr.decisions`` or ``hr."my.table"``.
    schema : str, optional
        Its schema, also ``catalog.schema``; `table` is then taken as it stands.
    folder : Path, optional
        Where relative paths begin; the working folder where absent.

    Raises
    ------
    ConfigError
        If a database comes without the name of a table, a table without a database, or a URL cannot be meant. The
        URL is not repeated.

    Examples
    --------
    >>> place_of("postgresql://auditor:secret@db.example/hiring", "hr.decisions")
    DatabaseTable(table=('hr', 'decisions'))
    >>> place_of("rows.csv")
    'rows.csv'
    """
    parts = None if table is None else _name_parts(table, schema)
    if isinstance(data, (DatabaseTable, DatabaseFile)):
        return data if parts is None else replace(data, table=parts)
    if isinstance(data, SparkTable):
        return data if table is None else SparkTable(name=str(table))
    if isinstance(data, str) and is_url(data):
        return _of_url(data, parts, folder or Path())
    if isinstance(data, (str, Path)):
        if parts is not None:
            return DatabaseFile(path=_below(folder, data), table=parts)
        if Path(data).suffix.lower() in _DATABASE_ENDINGS:
            raise _fault("missing_parameter", f"which table of {Path(data).name!r}? {_STATE}", "table")
        return data
    if parts is not None:
        message = "goes with the URL of a database or the path of a database file; the data is a table already"
        raise _fault("unknown_parameter", message, "table")
    return data


def is_url(text: str) -> bool:
    """Tell whether a text is a URL rather than a path.

    Examples
    --------
    >>> is_url("s3://bucket/x/*.parquet"), is_url("rows.csv"), is_url("C:/rows.csv")
    (True, False, False)
    """
    return bool(_SCHEME.match(text) or _NO_SLASHES.match(text) or KEYWORDS.search(text))


def table_name(parts: tuple[str, ...]) -> str:
    """Return the name of a table as it is stated.

    Examples
    --------
    >>> table_name(("hr", "my.table"))
    'hr."my.table"'
    """
    return ".".join('"' + part.replace('"', '""') + '"' if set('."') & set(part) else part for part in parts)


def _name_parts(table: Any, schema: str | None) -> tuple[str, ...]:
    if schema is not None and isinstance(table, str) and table.strip():
        return (*_name_parts(schema, None), table)
    parts: list[str] = []
    at, text = 0, table if isinstance(table, str) else ""
    while match := _PART.match(text, at):
        parts.append(match[1].replace('""', '"') if match[1] else match[2].strip())
        at = match.end()
        if at == len(text):
            break
    if not text or at < len(text) or len(parts) > 3 or not all(parts):
        message = f"must name a table, such as decisions or hr.decisions, got {table!r}"
        raise _fault("bad_type", message, "table")
    return tuple(parts)


def _of_url(url: str, parts: tuple[str, ...] | None, folder: Path) -> Any:
    found = _SCHEME.match(url)
    if found is None or not _can_be_parsed(url):
        raise _fault("bad_place", "is no URL; wanted one such as postgresql://user@host/base (it is not shown here)")
    scheme = found[1].lower().partition("+")[0]  # a driver, as in postgresql+psycopg, is ibis's to choose
    if scheme == "file":
        from urllib.request import url2pathname  # noqa: PLC0415 - it imports much, and few name a file so

        path = Path(url2pathname(urlsplit(url).path))
        return place_of(path) if parts is None else DatabaseFile(path=path, table=parts)
    if scheme in STORES:
        if parts is not None:
            message = f"goes with a database; {scheme} holds objects, of which whole Parquet files are read, no table"
            raise _fault("unknown_parameter", message, "table")
        return StoredObjects(url=url)
    if parts is None and (unknown := unknown_kind(scheme)):
        raise _fault("bad_place", unknown)
    if parts is None:
        raise _fault("missing_parameter", f"which table of the {scheme} database? {_STATE}", "table")
    rest = url[found.end() :]
    if scheme in _FILES:
        return DatabaseFile(path=_file_of(rest, scheme, folder), table=parts)
    return DatabaseTable(url=f"{scheme}:{rest}", table=parts)


def unknown_kind(scheme: str) -> str:
    """Return the sentence on a scheme of no database that ibis reads; empty for others, and where ibis is absent."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - few name a database

    known = {point.name for point in entry_points(group="ibis.backends")}
    if not known or OTHER_NAMES.get(scheme, scheme) in known:
        return ""
    return f"{scheme!r} is no kind of database that ibis reads.{nearest(scheme, [*known, *OTHER_NAMES])}"


def _can_be_parsed(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _file_of(rest: str, scheme: str, folder: Path) -> Path:
    """Return the file of a URL: after three slashes a relative path, after four an absolute one, as SQLAlchemy has it.

    With ibis three slashes are an absolute path: it is taken where there is no such relative one.
    """
    text = unquote(rest[2:].partition("?")[0])
    if text.strip("/") in {"", ":memory:"}:
        raise _fault("bad_place", f"names no file; wanted {scheme}:///decisions.db")
    if text.startswith("//"):
        return Path("/" + text.lstrip("/"))
    relative = folder / text.removeprefix("/")
    return Path(text) if text.startswith("/") and not relative.exists() and Path(text).exists() else relative


def _below(folder: Path | None, path: str | Path) -> Path:
    return Path(path) if folder is None else folder / path


def _plain(url: str) -> str:
    """Return a URL without its query, and with a wildcard of one character kept."""
    return re.sub(r"\?[^/]*=.*$", "", url)


def _fault(code: str, message: str, path: str = "data") -> ConfigError:
    return ConfigError(Fault(code=code, message=message, path=path))
