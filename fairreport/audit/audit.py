"""The audit: tests over one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Self

from fairreport.analyses.kinds import AnyTest, needs_of
from fairreport.analyses.pair_result import MetricRow
from fairreport.audit.about import About
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.gate import exit_code, overall_status
from fairreport.audit.judging import judged_entry
from fairreport.audit.methods import TestMethods
from fairreport.audit.provenance import created, fingerprint, fingerprint_of_rows
from fairreport.audit.record import AuditRecord, DataRecord, Entry, PairRecord
from fairreport.audit.result import AuditRun
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.build import AnyScan, build
from fairreport.tables.needs import Reading
from fairreport.tables.source import Table, open_table
from fairreport.tables.text import canonical

DEFAULT_TITLE = "Fairness audit"


class Audit(TestMethods):
    """Tests over one table.

    Parameters
    ----------
    data : table or path
        A pandas, polars, pyarrow, DuckDB or ibis table, a mapping of columns, a list of records, or the path
        of a CSV, JSONL or Parquet file (also .gz) or of a folder of Parquet files. It is neither copied nor
        changed, and only the columns that a test names are read.
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
        title: str | None = None,
        counts: str | None = None,
        missing_values: Sequence[str] | str = (),
        groups: Mapping[str, Sequence[Any]] | None = None,
        about: About | Mapping[str, Any] | None = None,
        tests: Iterable[AnyTest] = (),
        as_of: str | date | datetime | None = None,
    ) -> None:
        self.data = data
        self.title = _text_or_none("title", title) or DEFAULT_TITLE
        self.about = about if isinstance(about, About) else About(**_mapping("about", about))
        self.reading = Reading(
            counts=_text_or_none("counts", counts),
            missing_values=_texts("missing_values", missing_values),
            declared={
                str(name): _declared(f"groups.{name}", values) for name, values in _mapping("groups", groups).items()
            },
        )
        self._as_of = as_of
        if as_of is not None:
            created(as_of)  # a wrong date is refused at once
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
    def from_config(cls, config: Any, data: Any = None, *, policy: Any = None) -> Audit:
        """Return the audit that a configuration describes.

        Parameters
        ----------
        config : path, dict or list
            An ``audit.yaml``, a ``tests.json`` or a ``fairness.yaml``, or what one holds; the shape tells which.
        data : table or path, optional
            What to audit, instead of what the configuration names.
        policy : path, optional
            A file that states the confidence level of a ``fairness.yaml``.

        Raises
        ------
        ConfigError
            With all faults of the file at once.
        """
        from fairreport.audit.readers.configuration import read_configuration  # noqa: PLC0415 - readers build audits

        return read_configuration(config, data, cls, policy)

    def add(self, test: AnyTest, *, ignored: Sequence[str] = ()) -> Self:
        """Append a test and return the audit.

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
        return self

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

    def run(self) -> AuditRun:
        """Group the table once, judge every test, and return the results.

        Raises
        ------
        ConfigError
            If the audit has no test, or groups are declared of a column that no test uses.
        DataError
            If the table cannot be read.
        """
        if not self._tests:
            raise ConfigError(Fault(code="no_tests", message="the audit has no test; add one before running it"))
        self._refuse_unused_groups()
        created(self._as_of)  # a wrong date is refused before data is read
        table = open_table(self.data)
        return self.judge(table, build(table, [needs_of(test) for test in self.tests], self.reading))

    def judge(self, table: Table, scans: Sequence[AnyScan]) -> AuditRun:
        """Return the results of tests whose rows are counted already; no row is read.

        Parameters
        ----------
        table : Table
            What was counted.
        scans : sequence of Scan, GapScan, PairScan or RowScan
            One for each test, in their order.
        """
        made = created(self._as_of)
        needs = [needs_of(test) for test in self.tests]
        entries = tuple(
            judged_entry(name, test, ignored, scan)
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
        return AuditRun(record, table, self.reading, scans)

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


def _text_or_none(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ConfigError(Fault(code="bad_type", message=f"must be text, got {value!r}", path=name))
    return value


def _mapping(name: str, value: Any) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise ConfigError(Fault(code="bad_type", message=f"must be a mapping, got {value!r}", path=name))
    return value or {}


def _declared(name: str, values: Any) -> tuple[str, ...]:
    texts = _texts(name, values)
    if not texts:
        raise ConfigError(Fault(code="empty_values_list", message="must not be empty", path=name))
    return texts


def _texts(name: str, values: Any) -> tuple[str, ...]:
    listed = [values] if isinstance(values, (str, int, float, bool)) else values
    if not isinstance(listed, Iterable) or isinstance(listed, Mapping):
        raise ConfigError(Fault(code="bad_type", message=f"must be a list of values, got {values!r}", path=name))
    texts = [canonical(value) for value in listed]
    return tuple(dict.fromkeys(text for text in texts if text is not None))
