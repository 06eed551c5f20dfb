"""The audit: tests over one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Self

from fairreport.analyses.kinds import AnyTest, needs_of
from fairreport.analyses.pair_result import MetricRow
from fairreport.audit.about import About
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.gate import exit_code, overall_status
from fairreport.audit.given import declared_groups, mapping_of, text_or_none, texts_of, time_column_of
from fairreport.audit.judging import judged_entry
from fairreport.audit.methods import TestMethods
from fairreport.audit.provenance import created, fingerprint, fingerprint_of_rows
from fairreport.audit.record import AuditRecord, DataRecord, Entry, PairRecord
from fairreport.audit.result import AuditRun
from fairreport.audit.window import WINDOW_KEYS, JudgedWindows, OwnWindow, PlacedWindow, Window
from fairreport.audit.window_scan import scan_windows
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.build import AnyScan, build
from fairreport.tables.needs import Reading
from fairreport.tables.places import place_of
from fairreport.tables.source import Table, at_one_moment, open_table

if TYPE_CHECKING:
    from fairreport.audit.plan import Plan

DEFAULT_TITLE = "Fairness audit"


class Audit(TestMethods):
    """Tests over one table.

    Parameters
    ----------
    data : table or path
        A pandas, polars, pyarrow, DuckDB or ibis table, a mapping of columns, a list of records, or the path
        of a CSV, JSONL or Parquet file (also .gz) or of a folder of Parquet files. It is neither copied nor
        changed, and only the columns that a test names are read. Also the URL of Parquet objects in a store
        (``"s3://bucket/2026/*.parquet"``), or, with `table`, of a database (``"postgresql://auditor@host/hiring"``,
        ``"sqlite:///hiring.db"``) or the path of a DuckDB or SQLite file. A password in a URL is used and nowhere
        shown; better, leave it to the environment (PGPASSWORD, ``~/.pgpass``).
    table : str, optional
        Which table or view of the database, such as ``"decisions"`` or ``"hr.decisions"``.
    title : str, optional
        What the audit is called.
    counts : str, optional
        Column that says how many rows each row stands for (whole numbers >= 0).
    missing_values : sequence of str
        Words that stand for a missing cell, besides the empty one, such as ``["NA", "Unknown"]``.
    groups : mapping of str to sequence, optional
        Declared groups of an attribute; rows with another value are left out and counted.
    about : About or mapping, optional
        What was audited, for whom, over which period.
    tests : sequence of OutcomeDisparity, ScoreDisparity, MetricParity, RateGaps or PairTest
        Tests as records, besides those that methods add.
    as_of : str or date, optional
        The date the audit bears; else SOURCE_DATE_EPOCH, else none. The clock is never asked.
    time_column : str, optional
        Column of timestamps, dates or ISO text, for `run(window=...)`.
    timezone : str, optional
        Zone of times that state none, such as ``"Europe/Oslo"``; UTC where absent.

    Attributes
    ----------
    report : mapping
        What a configuration states of the packet, which `Report` takes up; empty without one.

    Raises
    ------
    ConfigError
        If a parameter is wrong; no data is read.

    Examples
    --------
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> run = Audit(rows).outcome_disparity("sex", "hired", 1).run()
    >>> run.results[0].measurements["minImpactRatio"], run.status.value
    (0.8, 'passing')
    """

    def __init__(
        self,
        data: Any,
        *,
        table: str | None = None,
        title: str | None = None,
        counts: str | None = None,
        missing_values: Sequence[str] | str = (),
        groups: Mapping[str, Sequence[Any]] | None = None,
        about: About | Mapping[str, Any] | None = None,
        tests: Iterable[AnyTest] = (),
        as_of: str | date | datetime | None = None,
        time_column: str | None = None,
        timezone: str | None = None,
    ) -> None:
        self.data = place_of(data, table)
        self.title = text_or_none("title", title) or DEFAULT_TITLE
        self.about = about if isinstance(about, About) else About(**mapping_of("about", about))
        self.reading = Reading(
            counts=text_or_none("counts", counts),
            missing_values=texts_of("missing_values", missing_values),
            declared=declared_groups("groups", groups),
        )
        self._as_of = as_of
        if as_of is not None:
            created(as_of)  # a wrong date is refused at once
        self.time = time_column_of(text_or_none("time_column", time_column), timezone)
        self.report: Mapping[str, Any] = {}
        self._own_windows: dict[str, OwnWindow] = {}
        self._tests: list[tuple[str, AnyTest, tuple[str, ...]]] = []
        for test in tests:
            self.add(test)

    @property
    def tests(self) -> tuple[AnyTest, ...]:
        """The tests, in their order."""
        return tuple(test for _, test, _ in self._tests)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tests, in their order; no two are the same."""
        return tuple(name for name, _, _ in self._tests)

    @classmethod
    def from_config(
        cls,
        config: Any,
        data: Any = None,
        *,
        table: str | None = None,
        policy: Any = None,
        preset: str | None = None,
        time_column: str | None = None,
        timezone: str | None = None,
    ) -> Audit:
        """Return the audit that a configuration describes.

        Parameters
        ----------
        config : path, dict or list
            An ``audit.yaml``, a ``tests.json`` or a ``fairness.yaml``, or what one holds; the shape tells which.
        data : table or path, optional
            What to audit, instead of what the configuration names.
        table : str, optional
            Which table of a database: of `data`, or of the database that the configuration names.
        policy : path, optional
            A file that states the confidence level of a ``fairness.yaml``.
        preset : str, optional
            The preset to use instead of the one that the configuration names, as ``run --preset``: parameters that
            nobody stated have its values, and `Report` lays out its tables.
        time_column, timezone : str, optional
            Column of times and its zone, instead of what the configuration states under ``audit.time``.

        Raises
        ------
        ConfigError
            With all faults of the file at once.
        """
        from fairreport.audit.readers.configuration import read_configuration  # noqa: PLC0415 - readers build audits

        return read_configuration(
            config, data, cls, policy, table=table, preset=preset, time_column=time_column, timezone=timezone
        )

    def add(self, test: AnyTest, *, ignored: Sequence[str] = (), window: OwnWindow | None = None) -> Self:
        """Append a test and return the audit.

        Parameters
        ----------
        test : OutcomeDisparity, ScoreDisparity, MetricParity, RateGaps or PairTest
            The test.
        ignored : sequence of str
            Keys of its configuration that mean nothing here.
        window : OwnWindow, optional
            The window of time that the test states for itself.

        Raises
        ------
        ConfigError
            If the audit has a test of that name already.
        """
        taken = {name for name, _, _ in self._tests}
        name = test.title
        if name in taken:
            if test.name is not None:
                raise ConfigError(Fault(code="duplicate_name", message=f"two tests are named {name!r}"))
            name = next(f"{name} ({i})" for i in range(2, len(taken) + 3) if f"{name} ({i})" not in taken)
        self._tests.append((name, test, tuple(ignored)))
        if window is not None:
            self._own_windows[name] = window
        return self

    @property
    def own_windows(self) -> Mapping[str, OwnWindow]:
        """The windows that tests state for themselves, by the name of the test."""
        return dict(self._own_windows)

    def _refuse_unused_groups(self) -> None:
        used = {name for _, test, _ in self._tests for name in needs_of(test).attributes}
        faults = [
            Fault(
                code="unknown_parameter", message=f"no test uses {name!r}.{nearest(name, used)}", path=f"groups.{name}"
            )
            for name in self.reading.declared
            if name not in used and nearest(name, used)  # groups that another audit uses are no slip
        ]
        if faults:
            raise ConfigError(faults)

    def run(self, window: Window | Mapping[str, Window] | None = None) -> AuditRun:
        """Group the table once, judge every test, and return the results.

        Parameters
        ----------
        window : Window or mapping of str to Window, optional
            Judge the rows of this window of time only; rows of any time where absent. A test that states a window of
            its own is judged in that one, with the end of this. A mapping states the window of each test by its name.

        Raises
        ------
        ConfigError
            If the audit has no test, groups are declared of a column that no test uses, or a window is given and no
            time column.
        DataError
            If the table cannot be read.
        """
        if not self._tests:
            raise ConfigError(Fault(code="no_tests", message="the audit has no test; add one before running it"))
        self._refuse_unused_groups()
        created(self._as_of)  # a wrong date is refused before data is read
        needs = [needs_of(test) for test in self.tests]
        placed = None if window is None else self._placed(window)
        table = open_table(self.data)
        if placed is None or self.time is None:
            return self.judge(table, at_one_moment(table, lambda: build(table, needs, self.reading)))
        time, windows = self.time, placed
        scanned = at_one_moment(table, lambda: scan_windows(table, time, windows, needs, self.reading))
        return self.judge(scanned.tables[0], scanned.scans, scanned.windows(self.names), tables=scanned.tables)

    def _placed(self, stated: Window | Mapping[str, Window]) -> list[PlacedWindow]:
        """Return the window of each test."""
        windows = stated if isinstance(stated, Mapping) else dict.fromkeys(self.names, stated)
        lacking = [name for name in self.names if not isinstance(windows.get(name), Window)]
        if lacking:
            window = windows.get(lacking[0])
            message = f"must be a Window such as Window(length='7d', end='2026-03-09'), got {window!r}"
            raise ConfigError(Fault(code="bad_type", message=message, path="window"))
        if self.time is None:
            message = "the audit has no time column; state time_column (audit.time.column in audit.yaml)"
            raise ConfigError(Fault(code="missing_parameter", message=message, path="window"))
        own = {} if isinstance(stated, Mapping) else self._own_windows
        return [windows[name].place(self.time.zone, own.get(name)) for name in self.names]

    def judge(
        self,
        table: Table,
        scans: Sequence[AnyScan],
        windows: JudgedWindows | None = None,
        *,
        tables: Sequence[Table] = (),
    ) -> AuditRun:
        """Return the results of tests whose rows are counted already; no row is read.

        Parameters
        ----------
        table : Table
            What was counted.
        scans : sequence of Scan, GapScan, PairScan or RowScan
            One for each test, in their order.
        windows : JudgedWindows, optional
            The windows of time that were counted; rows of any time where absent.
        tables : sequence of Table, optional
            What was counted for each test, where they do not share one table.
        """
        made = created(self._as_of)
        judged = windows or JudgedWindows()
        needs = [needs_of(test) for test in self.tests]
        entries = tuple(
            judged_entry(name, test, self._ignored(name, ignored, windows), scan)
            for (name, test, ignored), scan in zip(self._tests, scans, strict=True)
        )
        status = overall_status(entry.status for entry in entries)
        data = DataRecord(
            fingerprint=_fingerprint(entries, scans),
            columns=tuple(sorted({name for need in needs for name in need.columns})),
            counts=self.reading.counts,
            missing_values=self.reading.missing_values,
            declared_groups=self.reading.declared,
            origin=table.origin,
            engine=table.engine,
            asked=() if table.elsewhere is None else table.elsewhere.asked,
            window=judged.shared,
            test_windows=judged.of_tests,
        )
        record = AuditRecord(
            title=self.title,
            created=made,
            about=self.about,
            data=data,
            assumptions=build_assumptions([(entry.name, entry.test, entry.finding) for entry in entries]),
            entries=entries,
            status=status,
            exit_code=exit_code(status),
        )
        return AuditRun(record, table, self.reading, scans, tables=tables, report=self.report)

    def _ignored(self, name: str, ignored: tuple[str, ...], windows: JudgedWindows | None) -> tuple[str, ...]:
        """Return the keys of a test that mean nothing here: those of its window too, where rows of any time count."""
        if windows is not None or name not in self._own_windows:
            return ignored
        return tuple(sorted({*ignored, *WINDOW_KEYS}))

    def plan(self) -> Plan:
        """Return what `run` would ask of the table, before anything is asked of it.

        Of a table that an engine holds, the first 10,000 rows are looked at to estimate how many groups come back.

        Returns
        -------
        Plan
            Each question in its order; ``print`` shows it, with the SQL of the counts as the engine gets it.

        Raises
        ------
        ConfigError
            If the audit has no test.
        DataError
            If the table cannot be opened.

        Examples
        --------
        >>> rows = {"sex": ["F", "M"], "hired": [1, 0]}
        >>> print(Audit(rows).outcome_disparity("sex", "hired", 1).plan())
        Plan for mapping of columns: its rows are counted here
        <BLANKLINE>
        1. One GROUP BY that counts rows
           for hired by sex
           reads sex, hired
        """
        from fairreport.audit.plan import plan_audit  # noqa: PLC0415 - few ask

        if not self._tests:
            raise ConfigError(Fault(code="no_tests", message="the audit has no test; add one before planning it"))
        return plan_audit(open_table(self.data), self.names, [needs_of(test) for test in self.tests], self.reading)

    def explore(self) -> Any:
        """Run the audit and return an explorer of its results; see `AuditRun.explore`."""
        return self.run().explore()


def _fingerprint(entries: Sequence[Entry], scans: Sequence[AnyScan]) -> str:
    """Return the hash of the counts; where only functions of the user's own looked at rows, of what they saw."""
    seen = [
        (row.group, row.total, row.value)
        for entry in entries
        if isinstance(entry, PairRecord) and entry.finding is not None
        for table in entry.finding.tables
        for row in table.rows
        if isinstance(row, MetricRow)
    ]
    if seen and all(scan.tally is None for scan in scans):
        return fingerprint_of_rows(seen)
    return fingerprint(scan.tally for scan in scans)
