"""The result of one test, of any kind: its record, and a thin live handle on the run it belongs to."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from fairreport.analyses.result import Number
from fairreport.audit.document import entry_document, to_text
from fairreport.audit.drill_down import select_records
from fairreport.audit.excel import write_workbook
from fairreport.audit.export import csv_text, entry_rows, group_frame
from fairreport.audit.gap_document import calibration_rows, gap_rows, rule_rows
from fairreport.audit.gate import Status
from fairreport.audit.pair_document import pair_rows, pooled_rows
from fairreport.audit.record import Entry, GapRecord, PairRecord, TestRecord
from fairreport.display import Displayable
from fairreport.writing import write_whole

if TYPE_CHECKING:
    import pandas as pd

    from fairreport.audit.result import AuditRun

EntryT = TypeVar("EntryT", bound=Entry)


class EntryResult(Displayable, Generic[EntryT]):
    """One test of a run, whatever its kind.

    Attributes
    ----------
    record : TestRecord or GapRecord
        Everything that was found.
    run : AuditRun
        The run it belongs to.
    """

    display_kind: ClassVar[str] = "test"

    def __init__(self, record: EntryT, run: AuditRun) -> None:
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
    @abstractmethod
    def groups(self) -> pd.DataFrame:
        """All groups."""

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
            self.run.table_of(self.name), self.record.test, self.run.reading, group, include_left_out=include_left_out
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the test as JSON values."""
        return entry_document(self.record)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the entry as JSON text, and write it where a path is given."""
        return written_json(self.to_dict(), path)

    def to_csv(self, path: str | Path) -> Path:
        """Write all groups as a CSV file; cells that a spreadsheet would take for formulas are neutralised."""
        return write_whole(path, csv_text(entry_rows(self.record)))

    def to_excel(self, path: str | Path) -> Path:
        """Write a workbook with a sheet a table, every group with its name.

        Raises
        ------
        ExtraMissingError
            Without XlsxWriter, which ``fairreport[excel]`` brings.
        """
        return write_workbook([self.record], path)

    def plot(self, ax: Any = None, style: Any = None) -> Any:
        """Draw the test with matplotlib and return its Axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure of the fitting size where absent, which pyplot does not know of.
        style : str, path, mapping or list of these, optional
            A style of your own, as `matplotlib.style.use` takes it, over what you have set in `rcParams`.
        """
        return import_module("fairreport.render.figures").plot_test(self.record, ax=ax, style=style)

    def explore(self) -> Any:
        """Return an explorer of this test; see `AuditRun.explore`."""
        return import_module("fairreport.widgets.explorer").explore(self.run, self.name)


class TestResult(EntryResult[TestRecord]):
    """One disparity test of a run.

    Attributes
    ----------
    record : TestRecord
        Everything that was found.
    run : AuditRun
        The run it belongs to.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    @property
    def groups(self) -> pd.DataFrame:
        """All groups, worst first, indexed by the attribute levels."""
        return group_frame(self.record)


class RateGapsResult(EntryResult[GapRecord]):
    """One test of rate gaps of a run.

    Attributes
    ----------
    record : GapRecord
        Everything that was found.
    run : AuditRun
        The run it belongs to.
    """

    @property
    def groups(self) -> pd.DataFrame:
        """Every group of every rule with its counts, rate and bounds, indexed by rule and group."""
        return _frame(list(rule_rows(self.record.finding)), ["rule", "group"])

    @property
    def gaps(self) -> pd.DataFrame:
        """Every pair of groups of every rule with the bounds of its gap, indexed by rule and pair."""
        return _frame(list(gap_rows(self.record.finding)), ["rule", "a", "b"])

    @property
    def calibration(self) -> pd.DataFrame:
        """The calibration error of every group, indexed by group; empty without a probability column."""
        return _frame(list(calibration_rows(self.record.finding)), ["group"])


class PairResult(EntryResult[PairRecord]):
    """One test of named pairs of a run.

    Attributes
    ----------
    record : PairRecord
        Everything that was found.
    run : AuditRun
        The run it belongs to.
    """

    @property
    def groups(self) -> pd.DataFrame:
        """All rows of all tables, references included; quantile, category or segment stand in front."""
        return _frame(list(pair_rows(self.record)), [])

    @property
    def pooled(self) -> pd.DataFrame:
        """The pairs pooled over their segments; empty without segments."""
        return _frame(list(pooled_rows(self.record)), [])


AnyResult = TestResult | RateGapsResult | PairResult


def result_of(record: Entry, run: AuditRun) -> AnyResult:
    """Return the result of one test of a run."""
    if isinstance(record, GapRecord):
        return RateGapsResult(record, run)
    return PairResult(record, run) if isinstance(record, PairRecord) else TestResult(record, run)


def written_json(document: dict[str, Any], path: str | Path | None) -> str:
    """Return a document as JSON text, and write it where a path is given."""
    text = to_text(document)
    if path is not None:
        write_whole(path, text)
    return text


def _frame(rows: list[dict[str, Any]], index: list[str]) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415 - only who asks for a frame waits for pandas

    frame = pd.DataFrame(rows) if rows else pd.DataFrame(columns=index)
    return frame.set_index(index) if index else frame
