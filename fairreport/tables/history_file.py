"""A history in one DuckDB file: opened for each transaction, by one process at a time."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import duckdb

from fairreport.errors import DataError, nearest
from fairreport.tables.history_schema import Row, Session, Types, Value, bring_forward, refuse_foreign

_MAGIC, _MAGIC_AT = b"DUCK", 8
_SQLITE = b"SQLite format 3"
_TRY_AGAIN = 0.05
_IN_PROCESS = RLock()
"""DuckDB's lock keeps out other processes; threads of one process take turns here."""

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "threads": "1",
    "temp_directory": "",
}


class DuckdbFile:
    """A history in one DuckDB file.

    Parameters
    ----------
    path : Path
        The file; the first record makes it.
    wait : float
        Seconds to wait for another process that has it open.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self.path = path
        self.name = str(path)
        self._wait = wait

    def check(self) -> None:
        """Raise `DataError` where a record could not be kept here."""
        self._refuse()
        targets = [self.path.parent, *([self.path] if self.path.exists() else [])]
        if not all(os.access(target, os.W_OK) for target in targets):
            raise DataError(f"cannot write the history {self.name!r}: Permission denied")

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Return a transaction that writes."""
        self.check()
        with _IN_PROCESS:
            if not self.path.exists():
                self._make()
            with self._opened(read_only=False) as session:
                session.run("BEGIN TRANSACTION")
                try:
                    yield session
                except BaseException:
                    session.give_up()
                    raise
                session.run("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[Session | None]:
        """Return a transaction that reads; None where there is no file."""
        self._refuse()
        if not self.path.exists():
            yield None
            return
        with _IN_PROCESS, self._opened(read_only=True) as session:
            yield session

    def explained(self, error: Exception) -> DataError:
        """Return what an error of the engine comes to, in one line."""
        said = str(error).strip().partition("\n")[0]
        if isinstance(error, OSError):
            return DataError(f"cannot use the history {self.name!r}: {error.strerror or said}")
        said = said.partition(": ")[2] or said
        full = re.search(r"No space left on device|File too large|Disk quota exceeded", said)
        if full:
            return DataError(f"cannot write the history {self.name!r}: {full[0]}; nothing of this run was added")
        if "different configuration" in said:
            return DataError(f"the history {self.name!r} is open in this process already; close that connection")
        if "ermission denied" in said:
            return DataError(f"cannot open the history {self.name!r}: Permission denied")
        damaged = re.search(r"orrupt|checksum|not read enough bytes|not a valid DuckDB|Invalid unicode", said)
        what = "is damaged; restore it from a copy" if damaged else "cannot be used"
        return DataError(f"the history {self.name!r} {what} ({said[:200]})")

    def _refuse(self) -> None:
        """Raise where the path cannot be that of a history, before the engine looks at it."""
        try:
            fault = self._fault()
        except (OSError, RuntimeError) as error:  # a closed folder, a name that is too long, a loop of links
            reason = error.strerror if isinstance(error, OSError) else error
            raise DataError(f"cannot read the history {self.name[:200]!r}: {reason}") from None
        if fault is not None:
            raise DataError(fault)

    def _fault(self) -> str | None:
        if "\0" in self.name:
            return f"cannot read the history {self.name[:200]!r}: the name holds a null character"
        if self.path.is_dir():
            return f"{self.name!r} is a folder; a history is a file, such as audits.duckdb"
        if not self.path.parent.is_dir():
            return _no_folder(self.path.parent)
        if not self.path.exists():
            return None
        if not self.path.is_file():
            return f"{self.name!r} is no regular file; a history is a file, such as audits.duckdb"
        with self.path.open("rb") as stream:
            begin = stream.read(16)
        if begin.startswith(_SQLITE):
            return f"{self.name!r} is an SQLite file; name it sqlite:///{self.name}"
        if begin[_MAGIC_AT:12] != _MAGIC:
            what = "not a DuckDB file" if begin else "empty; remove it, or name another"
            return f"{self.name!r} is no history of audits: it is {what}"
        return None

    def _make(self) -> None:
        """Make the file with its tables beside its place and put it there, so that it is never half made."""
        try:
            folder = Path(tempfile.mkdtemp(dir=self.path.parent, prefix=f".{self.path.name[:100]}.", suffix=".part"))
        except OSError as error:
            raise self.explained(error) from None
        try:
            part = folder / "history.duckdb"
            connection = duckdb.connect(str(part), config=_CONFIG)
            try:
                bring_forward(_DuckdbSession(self, connection), 0)
            finally:
                connection.close()
            _place_new(part, self.path)
        except (duckdb.Error, OSError) as error:
            raise self.explained(error) from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _opened(self, *, read_only: bool) -> Iterator[_DuckdbSession]:
        connection = self._connect(read_only=read_only)
        try:
            session = _DuckdbSession(self, connection)
            refuse_foreign(session.tables(), self.name, wanted="audits.duckdb")
            yield session
        finally:
            connection.close()

    def _connect(self, *, read_only: bool) -> duckdb.DuckDBPyConnection:
        """Open the file; wait for whoever has it."""
        until = time.monotonic() + self._wait
        while True:
            try:
                return duckdb.connect(str(self.path.resolve()), read_only=read_only, config=_CONFIG)
            except (duckdb.Error, OSError) as error:
                if "lock on file" not in str(error):
                    raise self.explained(error) from None
                if time.monotonic() >= until:
                    holder = re.search(r"PID (\d+)", str(error))
                    who = f"process {holder[1]}" if holder else "another process"
                    message = f"the history {self.name!r} is in use by {who}; waited {self._wait:g} seconds for it"
                    raise DataError(message) from None
            time.sleep(_TRY_AGAIN)


def _place_new(part: Path, target: Path) -> None:
    """Give a finished file its name, unless another writer was there first."""
    try:
        os.link(part, target)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not target.exists():
            part.replace(target)


def _no_folder(folder: Path) -> str:
    above = folder.parent
    names = [item.name for item in above.iterdir()] if above.is_dir() else []
    return f"there is no folder {str(folder)!r} to keep the history in.{nearest(folder.name, names)}"


class _DuckdbSession:
    """One transaction of a DuckDB file."""

    types = Types(key="VARCHAR", name="VARCHAR", text="VARCHAR")

    def __init__(self, file: DuckdbFile, connection: duckdb.DuckDBPyConnection) -> None:
        self._file = file
        self._connection = connection

    def run(self, sql: str, values: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and return its rows."""
        named = re.sub(r":(\w+)", r"$\1", sql)
        try:
            return list(self._connection.execute(named, dict(values or {})).fetchall())
        except (duckdb.Error, UnicodeError) as error:
            raise self._file.explained(error) from None

    def has_table(self, name: str) -> bool:
        """Tell whether there is such a table."""
        sql = "SELECT 1 FROM information_schema.tables WHERE table_schema = 'main' AND table_name = :name"
        return bool(self.run(sql, {"name": name}))

    def tables(self) -> list[str]:
        """Return the names of all tables and views of the file."""
        sql = (
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND database_name = current_database() "
            "UNION SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = current_database()"
        )
        return [str(name) for (name,) in self.run(sql)]

    def give_up(self) -> None:
        """Undo what was done; where the engine has given up, closing does the same."""
        try:
            self._connection.rollback()
        except duckdb.Error:
            return
