"""The schema of a history: one table of records, its version, and how an older one is brought forward.

Table ``fairreport_history``, one row a (audit, window, test) and revision:

=================  =====================================================================================
record_id          sha256 of audit id, window start, window end and test name: the key
revision           1, 2, ...: a re-run of the same window adds one
superseded         1 where a later revision stands for it, else 0
audit_id           which audit
window_start       start and end, ISO 8601 in UTC, of a window [start, end); null without a window. A run without
window_end         a window that bears a date has it as its end
test_name          name of the test
test_order         its place in the audit, from 0
created            the date that the run bears, else the time that a scheduled run was told that it is, or null
status             passing, failing, skipped, insufficient_evidence, manual_review
measurements       JSON object: the measurements by their documented names
entry              JSON object: the test's entry of the JSON result, without its evidence
evidence           JSON object or null: the counts that it was judged from
head               JSON object: title, about, and how the data was read
window_details     JSON object or null: the window with its counts of rows
counting           sha256 of what is counted and how cells are read: equal where counts may be added up
data_fingerprint   sha256 of all counts of the run
packet_id          identifier of the packet of the run
versions           JSON object: software that computed it
=================  =====================================================================================

Table ``fairreport_history_schema`` holds one row: the version of the schema. No row of the audited data is in either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from fairreport.errors import DataError

RECORDS, VERSIONS = "fairreport_history", "fairreport_history_schema"

Value = str | int | None
Row = Sequence[Value]

COLUMNS: tuple[tuple[str, str], ...] = (
    ("record_id", "{key} NOT NULL"),
    ("revision", "INTEGER NOT NULL"),
    ("superseded", "INTEGER NOT NULL"),
    ("audit_id", "{name} NOT NULL"),
    ("window_start", "{key}"),
    ("window_end", "{key}"),
    ("test_name", "{text} NOT NULL"),
    ("test_order", "INTEGER NOT NULL"),
    ("created", "{key}"),
    ("status", "{key} NOT NULL"),
    ("measurements", "{text} NOT NULL"),
    ("entry", "{text} NOT NULL"),
    ("evidence", "{text}"),
    ("head", "{text} NOT NULL"),
    ("window_details", "{text}"),
    ("counting", "{key} NOT NULL"),
    ("data_fingerprint", "{key} NOT NULL"),
    ("packet_id", "{key} NOT NULL"),
    ("versions", "{text} NOT NULL"),
)

_TABLE = ", ".join(f"{name} {kind}" for name, kind in COLUMNS)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        f"CREATE TABLE {RECORDS} ({_TABLE}, PRIMARY KEY (record_id, revision))",
        f"CREATE TABLE {VERSIONS} (version INTEGER NOT NULL)",
        f"INSERT INTO {VERSIONS} (version) VALUES (0)",
    ),
    (f"CREATE INDEX {RECORDS}_audit ON {RECORDS} (audit_id)",),
)
"""What brings a schema from version i to i + 1; a place without tables has version 0."""

SCHEMA_VERSION = len(MIGRATIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Types:
    """What a database calls text: a short one that can be a key, one of a name, and one of any length."""

    key: str
    name: str
    text: str


class Session(Protocol):
    """One transaction."""

    types: Types

    def run(self, sql: str, values: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement whose values stand as ``:name``, and return its rows."""
        ...

    def has_table(self, name: str) -> bool:
        """Tell whether there is such a table."""
        ...


class Store(Protocol):
    """Where a history is kept; no connection is held between transactions."""

    name: str
    """What it is called in messages: never with a password."""

    def writing(self) -> AbstractContextManager[Session]:
        """Return a transaction that one writer at a time has; what it did is undone where it raises."""
        ...

    def reading(self) -> AbstractContextManager[Session | None]:
        """Return a transaction that reads; None where there is nothing yet."""
        ...

    def check(self) -> None:
        """Raise `DataError` where a record could not be kept here."""
        ...


def refuse_foreign(tables: Sequence[str], name: str, *, wanted: str) -> None:
    """Raise where a file is the database of something else: it holds tables, and none is ours.

    Parameters
    ----------
    tables : sequence of str
        All tables and views of the file.
    name : str
        What the file is called in messages.
    wanted : str
        What to name instead.

    Raises
    ------
    DataError
        With some of the tables.

    Examples
    --------
    >>> refuse_foreign([], "a.duckdb", wanted="a.duckdb")
    >>> refuse_foreign([RECORDS, VERSIONS, "mine"], "a.duckdb", wanted="a.duckdb")
    """
    if not tables or VERSIONS in tables:
        return
    some = ", ".join(repr(table[:40]) for table in sorted(tables)[:3])
    more = f" and {len(tables) - 3:,} more" if len(tables) > 3 else ""
    raise DataError(
        f"{name!r} is no history of audits but a database of something else: it holds {some}{more}; "
        f"name a file of its own, such as {wanted}, which the first record makes"
    )


def version_of(session: Session) -> int:
    """Return the version of the schema; 0 where there are no tables."""
    if not session.has_table(VERSIONS):
        return 0
    found = session.run(f"SELECT version FROM {VERSIONS}")
    return int(found[0][0] or 0) if found else 0


def bring_forward(session: Session, version: int) -> None:
    """Bring a schema of some version to the present one."""
    names = {"key": session.types.key, "name": session.types.name, "text": session.types.text}
    for statement in _statements(version):
        session.run(statement.format(**names))
    session.run(f"UPDATE {VERSIONS} SET version = :version", {"version": SCHEMA_VERSION})


def _statements(version: int) -> Iterator[str]:
    for step in MIGRATIONS[version:]:
        yield from step
