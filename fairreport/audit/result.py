"""What `Audit.run` returns: the record, and a thin live handle on the table for what still needs its rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from fairreport.audit.document import audit_document
from fairreport.audit.entry_result import AnyResult, result_of, written_json
from fairreport.audit.excel import write_workbook
from fairreport.audit.export import write_csv_folder
from fairreport.audit.gate import Status
from fairreport.audit.record import AuditRecord
from fairreport.display import Displayable
from fairreport.errors import ConfigError, FairreportError, Fault, nearest
from fairreport.tables.build import AnyScan
from fairreport.tables.needs import Reading
from fairreport.tables.source import Table


class AuditNotPassedError(FairreportError):
    """An audit did not come to a status that its caller accepts."""


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
    scans : tuple of Scan or GapScan
        What each test was judged from, in the order of the audit.
    report : mapping
        What the configuration of the audit states of its packet, which `Report` takes up; empty without one.
    """

    display_kind: ClassVar[str] = "run"

    def __init__(
        self,
        record: AuditRecord,
        table: Table,
        reading: Reading,
        scans: Sequence[AnyScan] = (),
        *,
        tables: Sequence[Table] = (),
        report: Mapping[str, Any] | None = None,
    ) -> None:
        self.record = record
        self.report: Mapping[str, Any] = dict(report or {})
        self.table = table
        self.reading = reading
        self.scans = tuple(scans)
        self._tables = {entry.name: own for entry, own in zip(record.entries, tables, strict=bool(tables))}

    def table_of(self, name: str) -> Table:
        """Return the rows that a test was judged from: those of its window of time, where there is one."""
        return self._tables.get(name, self.table)

    @property
    def results(self) -> tuple[AnyResult, ...]:
        """One result a test, in the order of the audit."""
        return tuple(result_of(entry, self) for entry in self.record.entries)

    def __getitem__(self, name: str | int) -> AnyResult:
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
        raise KeyError(f"no test is named {name!r}.{nearest(name, [test.name for test in self.record.entries])}")

    def __iter__(self) -> Iterator[AnyResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.record.entries)

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
        found = [f"{test.name!r} is {test.status.value}" for test in self.record.entries if test.status in refused]
        if found:
            raise AuditNotPassedError("; ".join(found))
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the whole audit as JSON values."""
        return audit_document(self.record)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the whole audit as JSON text, and write it where a path is given."""
        return written_json(self.to_dict(), path)

    def to_csv(self, folder: str | Path) -> list[Path]:
        """Write one CSV file a test and the measurements into a folder."""
        return write_csv_folder(self.record, folder)

    def to_excel(self, path: str | Path) -> Path:
        """Write a workbook with the measurements and a sheet a table, every group with its name.

        Raises
        ------
        ExtraMissingError
            Without XlsxWriter, which ``fairreport[excel]`` brings.
        """
        return write_workbook(self.record.entries, path)

    def plot(self, style: Any = None) -> Any:
        """Draw all tests with matplotlib and return the Figure.

        Parameters
        ----------
        style : str, path, mapping or list of these, optional
            A style of your own, as `matplotlib.style.use` takes it, over what you have set in `rcParams`.
        """
        return import_module("fairreport.render.figures").plot_run(self.record, style=style)

    def explore(self) -> Any:
        """Return an explorer of the tests of every kind: what would be found under other parameters.

        As the last line of a cell it shows the run as it stands, then controls with a table that answers at once.

        Raises
        ------
        ExtraMissingError
            If ipywidgets is not installed; the message says how to install it.
        ConfigError
            If the tests are of different windows of time.
        """
        if self.record.data.test_windows:
            message = "the tests are of different windows of time; explore an audit of one window"
            raise ConfigError(Fault(code="different_windows", message=message))
        return import_module("fairreport.widgets.explorer").explore(self)
