"""The history of an audit: what each run found, window by window, in one file or database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from fairreport.audit.record import AuditRecord
from fairreport.audit.result import AuditRun
from fairreport.audit.trend import Trends
from fairreport.audit.trend_evidence import BASELINE, ODDS_RATIO
from fairreport.audit.window import WindowRecord
from fairreport.errors import ConfigError, DataError, Fault, nearest
from fairreport.render import formats
from fairreport.report.history_export import write_csv, write_json
from fairreport.report.history_key import check_audit_id
from fairreport.report.history_merge import MergedTest, merge_windows
from fairreport.report.history_record import NAMES, HistoryEntry, entry_of, in_time, is_same, rows_of
from fairreport.report.history_trends import ChangeSettings, trends_of
from fairreport.tables.history_schema import (
    RECORDS,
    SCHEMA_VERSION,
    Row,
    Session,
    Store,
    Value,
    bring_forward,
    version_of,
)

WAIT = 30.0
"""Seconds to wait for another writer."""

_SELECT = f"SELECT {', '.join(NAMES)} FROM {RECORDS}"
_INSERT = f"INSERT INTO {RECORDS} ({', '.join(NAMES)}) VALUES ({', '.join(f':{name}' for name in NAMES)})"
_SUPERSEDE = f"UPDATE {RECORDS} SET superseded = 1 WHERE record_id = :record_id AND superseded = 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What became of the tests of a run.

    Attributes
    ----------
    place : str
        The history, without credentials.
    added : tuple of str
        Tests whose window was new.
    replaced : tuple of str
        Tests whose window held another record, which is kept as superseded.
    unchanged : tuple of str
        Tests whose window held the same record already.
    """

    place: str
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The same in words.

        Examples
        --------
        >>> Appended(place="audits.duckdb", added=("a", "b"), unchanged=("c",)).sentence
        'audits.duckdb: 2 records added, 1 the same as before'
        """
        parts = [
            f"{formats.plural(len(self.added), 'record', 'records')} added" if self.added else "",
            f"{formats.count(len(self.replaced))} replaced (the earlier kept as superseded)" if self.replaced else "",
            f"{formats.count(len(self.unchanged))} the same as before" if self.unchanged else "",
        ]
        return f"{self.place}: {', '.join(part for part in parts if part) or 'nothing to add'}"


class History:
    """What each run of an audit found, window by window.

    No connection is held: each call opens the place, does one transaction, and closes it. So several processes can
    use one history, and a process that is stopped leaves either a whole run or nothing.

    Parameters
    ----------
    place : path or str
        A DuckDB file, which the first record makes, or the URL of a database that SQLAlchemy reaches
        (``fairreport[history]``), such as ``postgresql+psycopg://user@host/base``.
    wait : float
        Seconds to wait for another writer.

    Raises
    ------
    ConfigError
        If the place is neither.
    ExtraMissingError
        If it is a URL, and SQLAlchemy or its driver is not installed.

    Examples
    --------
    >>> import tempfile, fairreport as fr
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> run = fr.Audit(rows, as_of="2026-03-02").outcome_disparity("sex", "hired", 1).run()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history = History(f"{folder}/audits.duckdb")
    ...     first, again = history.append(run, "hiring"), history.append(run, "hiring")
    ...     len(first.added), len(again.unchanged), len(history.entries("hiring"))
    (1, 1, 1)
    """

    def __init__(self, place: str | Path, wait: float = WAIT) -> None:
        self._store = _store_of(place, wait)

    @classmethod
    def open(cls, place: str | Path, wait: float = WAIT) -> Self:
        """Return the history of a place; the same as calling the class."""
        return cls(place, wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __repr__(self) -> str:
        return f"<History {self.place}>"

    @property
    def place(self) -> str:
        """Where it is kept, without credentials."""
        return formats.printable(self._store.name)

    def check(self) -> None:
        """Raise where a run could not be kept here.

        Raises
        ------
        DataError
            With what is wrong, in one line.
        """
        self._store.check()
        with self._store.reading() as session:
            if session is not None:
                self._known_version(session)

    def append(
        self,
        run: AuditRun | AuditRecord,
        audit_id: str,
        *,
        window: WindowRecord | None = None,
        packet_id: str | None = None,
        now: str | None = None,
    ) -> Appended:
        """Keep what a run found, all of its tests in one transaction.

        A record of the same audit, window and test is replaced and kept as superseded; one that says the same is left
        as it is.

        Parameters
        ----------
        run : AuditRun or AuditRecord
            What was found. Its date is `as_of`, or none; the clock is not asked.
        audit_id : str
            What the audit is called here.
        window : WindowRecord, optional
            Instead of the windows that the run states.
        packet_id : str, optional
            Instead of the id that follows from the results.
        now : str, optional
            What time it is, ISO 8601: when the records were created, where the run bears no date.

        Raises
        ------
        ConfigError
            If the id is none, or the record is one as a report shows it, without the groups that it withholds.
        DataError
            If it cannot be kept; then nothing of the run is.
        """
        record = run.record if isinstance(run, AuditRun) else run
        if record.withheld is not None:
            message = "is a record as a report shows it, without withheld groups; append the run itself"
            raise ConfigError(Fault(code="bad_type", message=message, path="run"))
        fates: dict[str, list[str]] = {"added": [], "replaced": [], "unchanged": []}
        rows = rows_of(record, check_audit_id(audit_id), window, packet_id)
        rows = [row | {"created": now if record.created is None else record.created} for row in rows]
        with self._store.writing() as session:
            self._bring_forward(session)
            for row in rows:
                fates[_put(session, row)].append(str(row["test_name"]))
        return Appended(place=self.place, **{fate: tuple(names) for fate, names in fates.items()})

    def audits(self) -> tuple[str, ...]:
        """Return the ids of the audits that have records, sorted."""
        with self._reading() as session:
            found = session.run(f"SELECT DISTINCT audit_id FROM {RECORDS}") if session else []
        return tuple(sorted(str(row[0]) for row in found))

    def entries(
        self, audit_id: str | None = None, *, test: str | None = None, superseded: bool = False
    ) -> tuple[HistoryEntry, ...]:
        """Return records, oldest window first.

        Parameters
        ----------
        audit_id : str, optional
            Of this audit; of all where absent.
        test : str, optional
            Of this test.
        superseded : bool
            Whether those are among them that a later one stands for.

        Raises
        ------
        ConfigError
            If there is no such audit or test, with the nearest name.
        DataError
            If the place cannot be read.
        """
        conditions = ["1 = 1" if superseded else "superseded = 0"]
        values: dict[str, Value] = {}
        if audit_id is not None:
            conditions.append("audit_id = :audit_id")
            values["audit_id"] = audit_id
        with self._reading() as session:
            rows = session.run(f"{_SELECT} WHERE {' AND '.join(conditions)}", values) if session else []
        found = in_time([entry_of(row, self.place) for row in rows])
        if not found and audit_id is not None:
            raise _unknown("audit", audit_id, self.audits(), self.place)
        if test is None:
            return found
        kept = tuple(entry for entry in found if entry.test_name == test)
        if not kept:
            raise _unknown("test", test, sorted({entry.test_name for entry in found}), self.place)
        return kept

    def windows(self, audit_id: str) -> tuple[WindowRecord, ...]:
        """Return the windows that were judged, each once, oldest first, with their counts of rows."""
        found = {
            (entry.window_start, entry.window_end): entry.window
            for entry in self.entries(audit_id)
            if entry.window is not None
        }
        return tuple(window for window in found.values() if window is not None)

    def trends(
        self, audit_id: str | None = None, *, baseline: int = BASELINE, odds_ratio: float = ODDS_RATIO
    ) -> Trends:
        """Return how each test went over the windows, with a test of change for each group.

        Parameters
        ----------
        audit_id : str, optional
            The audit; may be absent where the history holds one only.
        baseline : int
            So many of the first windows are the baseline of the test of change, 2 to 1,000. More windows of it bring
            fewer false alarms.
        odds_ratio : float
            The change of the odds that the test looks for, either way, 1.05 to 20.

        Raises
        ------
        ConfigError
            If there is no such audit, several and none is named, or a number is out of its range.
        """
        settings = ChangeSettings(baseline=baseline, odds_ratio=odds_ratio)
        named = self.only(audit_id)
        with_superseded = self.entries(named, superseded=True)
        return trends_of(with_superseded, audit_id=named, settings=settings)

    def merged(self, audit_id: str | None = None, *, length: str | int) -> tuple[MergedTest, ...]:
        """Return the tests judged from the sums of their windows, in spans of some length counted back from the latest.

        Parameters
        ----------
        audit_id : str, optional
            The audit; may be absent where the history holds one only.
        length : str or int
            Such as ``"13w"``, or seconds.
        """
        named = self.only(audit_id)
        return merge_windows(self.entries(named), length=length)

    def export(self, *, csv: str | Path | None = None, json: str | Path | None = None) -> tuple[Path, ...]:
        """Write all records, the superseded ones too: as CSV a measurement a line, as JSON everything.

        Returns
        -------
        tuple of Path
            What was written.
        """
        entries = self.entries(superseded=True)
        written = []
        if csv is not None:
            written.append(write_csv(entries, csv))
        if json is not None:
            written.append(write_json(entries, json))
        return tuple(written)

    def only(self, audit_id: str | None) -> str:
        """Return the audit that is meant: the one that is named, or the only one."""
        known = self.audits()
        if audit_id is not None:
            if audit_id not in known:
                raise _unknown("audit", audit_id, known, self.place)
            return audit_id
        if len(known) == 1:
            return known[0]
        what = f"holds {', '.join(map(repr, known[:5]))}; name one of them" if known else "holds no record yet"
        raise ConfigError(Fault(code="missing_parameter", message=f"the history {self.place!r} {what}", path="audit"))

    @contextmanager
    def _reading(self) -> Iterator[Session | None]:
        """Read; a schema of an earlier version is brought forward first."""
        with self._store.reading() as session:
            is_old = session is not None and self._known_version(session) < SCHEMA_VERSION
        if is_old:
            with self._store.writing() as session:
                self._bring_forward(session)
        with self._store.reading() as session:
            yield session

    def _bring_forward(self, session: Session) -> None:
        version = self._known_version(session)
        if version < SCHEMA_VERSION:
            bring_forward(session, version)

    def _known_version(self, session: Session) -> int:
        version = version_of(session)
        if version > SCHEMA_VERSION:
            message = (
                f"was written by a later fairreport (schema {version}; this one knows {SCHEMA_VERSION}): update it"
            )
            raise DataError(f"the history {self.place!r} {message}")
        return version


def _put(session: Session, row: dict[str, Value]) -> str:
    """Keep one row, and say what became of it."""
    held = session.run(f"{_SELECT} WHERE record_id = :record_id", {"record_id": row["record_id"]})
    present = [old for old in held if not old[NAMES.index("superseded")]]
    if any(is_same(old, row) for old in present):
        return "unchanged"
    revision = max((_revision(old) for old in held), default=0) + 1
    if present:
        session.run(_SUPERSEDE, {"record_id": row["record_id"]})
    session.run(_INSERT, row | {"revision": revision})
    return "replaced" if present else "added"


def _revision(row: Row) -> int:
    return int(row[NAMES.index("revision")] or 0)


def _unknown(what: str, name: str, known: tuple[str, ...] | list[str], place: str) -> ConfigError:
    listed = f"; it holds {', '.join(map(repr, known[:5]))}" if known else "; it holds no record yet"
    message = f"the history {place!r} has no {what} {name!r}{listed}.{nearest(name, known)}"
    return ConfigError(Fault(code="bad_enum", message=message, path=what))


def _store_of(place: str | Path, wait: float) -> Store:
    """Return where a history is kept."""
    if isinstance(place, str) and "://" in place:
        from fairreport.tables.history_url import UrlStore  # noqa: PLC0415 - an extra

        return UrlStore(place, wait)
    if not str(place).strip():
        message = "names no history; wanted a file such as audits.duckdb, or the URL of a database"
        raise ConfigError(Fault(code="bad_place", message=message, path="history"))
    from fairreport.tables.history_file import DuckdbFile  # noqa: PLC0415 - only who keeps a history waits for it

    made: Callable[[Path, float], Store] = DuckdbFile
    return made(Path(place), wait)
