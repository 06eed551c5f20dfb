"""What `Audit.run` returns: the record, and a thin live handle on the table for what still needs its rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from fairreport.analyses.result import Number
from fairreport.audit.document import audit_document, entry_document, to_text
from fairreport.audit.drill_down import select_records
from fairreport.audit.export import csv_text, group_frame, group_rows, write_csv_folder
from fairreport.audit.gate import Status
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.display import Displayable
from fairreport.errors import FairreportError, nearest
from fairreport.tables.needs import Reading
from fairreport.tables.source import Table
from fairreport.writing import write_whole

if TYPE_CHECKING:
    import pandas as pd


class AuditNotPassedError(FairreportError):
    """An audit did not come to a status that its caller accepts."""


class TestResult(Displayable):
    """One test of a run.

    Attributes
    ----------
    record : TestRecord
        Everything that was found.
    run : AuditRun
        The run it belongs to.
    """

    __test__ = False  # a name that test collectors must not take for theirs
    display_kind: ClassVar[str] = "test"

    def __init__(self, record: TestRecord, run: AuditRun) -> None:
        self.record = record
        self.run = run

    @property
    def name(self) -> str:
        """The name of the test."""
        return self.record.name

    @property
    def status(self) -> Status:
        """What the test comes to."""
        return self.record.status

    @property
    def exit_code(self) -> int:
        """The exit code of the run it belongs to."""
        return self.run.exit_code

    @property
    def measurements(self) -> Mapping[str, Number | None]:
        """The measurements by their documented names; empty where the test was skipped."""
        return self.record.measurements

    @property
    def groups(self) -> pd.DataFrame:
        """All groups, worst first, indexed by the attribute levels."""
        return group_frame(self.record)

    def records(self, group: Any = None, *, include_left_out: bool = False) -> Any:
        """Return the evaluated rows behind a group, whatever the spelling of their cells.

        Parameters
        ----------
        group : mapping of str to value, or value, optional
            Attribute levels, for example ``{"gender": "F"}``; with one attribute its level alone will do. All evaluated
            rows where absent.
        include_left_out : bool
            Add the rows that were left out, with a last column ``left_out`` that says why (empty for
            evaluated rows). The result is then a pandas DataFrame.

        Returns
        -------
        frame
            A frame of the audited table's own kind; a pandas DataFrame for files and DuckDB.

        Raises
        ------
        ConfigError
            If `group` names a column that is no attribute of the test, or a level that no row has.
        """
        return select_records(
            self.run.table, self.record.test, self.run.reading, group, include_left_out=include_left_out
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the test as JSON values."""
        return entry_document(self.record)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the entry as JSON text, and write it where a path is given."""
        return _json(self.to_dict(), path)

    def to_csv(self, path: str | Path) -> Path:
        """Write all groups as a CSV file; cells that a spreadsheet would take for formulas are neutralised."""
        return write_whole(path, csv_text(group_rows(self.record)))

    def plot(self, ax: Any = None) -> Any:
        """Draw the test with matplotlib and return its Axes."""
        return import_module("fairreport.render.figures").plot_test(self.record, ax=ax)


class AuditRun(Displayable):
    """All results of one run of an audit.

    Attributes
    ----------
    record : AuditRecord
        Everything that was found.
    table : Table
        The open table, for `TestResult.records`.
    reading : Reading
        How its cells were read.
    """

    display_kind: ClassVar[str] = "run"

    def __init__(self, record: AuditRecord, table: Table, reading: Reading) -> None:
        self.record = record
        self.table = table
        self.reading = reading

    @property
    def results(self) -> tuple[TestResult, ...]:
        """One result a test, in the order of the audit."""
        return tuple(TestResult(test, self) for test in self.record.tests)

    def __getitem__(self, name: str | int) -> TestResult:
        """Return the result of one test, by name or position.

        Raises
        ------
        KeyError
            If there is no test of that name.
        """
        if isinstance(name, int):
            return self.results[name]
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(f"no test is named {name!r}.{nearest(name, [test.name for test in self.record.tests])}")

    def __iter__(self) -> Iterator[TestResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.record.tests)

    @property
    def status(self) -> Status:
        """What the audit comes to: the gravest status of its tests."""
        return self.record.status

    @property
    def exit_code(self) -> int:
        """0 passing, 1 failing, 3 skipped or too little evidence, 4 manual review."""
        return self.record.exit_code

    def raise_if_failing(self, on: Collection[str] = ("failing",)) -> AuditRun:
        """Return the run itself, or raise where a test has one of the statuses in `on`.

        Parameters
        ----------
        on : collection of str
            Statuses that are not accepted, such as ``{"failing", "skipped"}``.

        Raises
        ------
        AuditNotPassedError
            Naming the tests.
        ValueError
            If `on` holds anything but statuses.
        """
        refused = {Status(status) for status in on}
        found = [f"{test.name!r} is {test.status.value}" for test in self.record.tests if test.status in refused]
        if found:
            raise AuditNotPassedError("; ".join(found))
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the whole audit as JSON values."""
        return audit_document(self.record)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the whole audit as JSON text, and write it where a path is given."""
        return _json(self.to_dict(), path)

    def to_csv(self, folder: str | Path) -> list[Path]:
        """Write one CSV file a test and the measurements into a folder."""
        return write_csv_folder(self.record, folder)

    def plot(self) -> Any:
        """Draw all tests with matplotlib and return the Figure."""
        return import_module("fairreport.render.figures").plot_run(self.record)


def _json(document: dict[str, Any], path: str | Path | None) -> str:
    text = to_text(document)
    if path is not None:
        write_whole(path, text)
    return text
