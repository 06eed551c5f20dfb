"""The audit: tests over one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Self

from fairreport.analyses.kinds import Test, judge, needs_of
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import Operator, Threshold
from fairreport.audit.about import About
from fairreport.audit.assumptions import build_assumptions
from fairreport.audit.gate import check, exit_code, overall_status, status_of_test
from fairreport.audit.provenance import created, fingerprint
from fairreport.audit.record import AuditRecord, DataRecord, TestRecord
from fairreport.audit.result import AuditRun
from fairreport.errors import ConfigError, Fault
from fairreport.tables.build import build
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table
from fairreport.tables.text import canonical

DEFAULT_TITLE = "Fairness audit"
DEFAULT_THRESHOLD = Threshold(measurement="failingGroupCount", operator=Operator.AT_MOST, value=0)


class Audit:
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
    tests : sequence of OutcomeDisparity, ScoreDisparity or MetricParity
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
        tests: Iterable[Test] = (),
        as_of: str | date | datetime | None = None,
    ) -> None:
        self.data = data
        self.title = title or DEFAULT_TITLE
        self.about = about if isinstance(about, About) else About(**(about or {}))
        self.reading = Reading(
            counts=counts,
            missing_values=_texts("missing_values", missing_values),
            declared={str(name): _texts(f"groups.{name}", values) for name, values in (groups or {}).items()},
        )
        self._as_of = as_of
        self._tests: list[tuple[str, Test, tuple[str, ...]]] = []
        for test in tests:
            self.add(test)

    @property
    def tests(self) -> tuple[Test, ...]:
        """The tests, in their order."""
        return tuple(test for _, test, _ in self._tests)

    @classmethod
    def from_config(cls, config: Any, data: Any = None) -> Audit:
        """Return the audit that a configuration describes.

        Parameters
        ----------
        config : path, dict or list
            An ``audit.yaml`` or a ``tests.json``, or what one holds; the shape tells which.
        data : table or path, optional
            What to audit, instead of what the configuration names.

        Raises
        ------
        ConfigError
            With all faults of the file at once.
        """
        from fairreport.audit.readers.configuration import read_configuration  # noqa: PLC0415 - readers build audits

        return read_configuration(config, data, cls)

    def add(self, test: Test, *, ignored: Sequence[str] = ()) -> Self:
        """Append a test and return the audit.

        Raises
        ------
        ConfigError
            If the audit has a test of that name already.
        """
        taken = {name for name, _, _ in self._tests}
        name = test.label
        if name in taken:
            if test.name is not None:
                raise ConfigError(Fault(code="duplicate_name", message=f"two tests are named {name!r}"))
            name = next(f"{name} ({i})" for i in range(2, len(taken) + 3) if f"{name} ({i})" not in taken)
        self._tests.append((name, test, tuple(ignored)))
        return self

    def outcome_disparity(
        self,
        protected_attribute_columns: Any,
        outcome_column: Any,
        favorable_values: Any,
        *,
        unfavorable_values: Any = None,
        reference_strategy: str = "highest",
        reference_value: Any = None,
        impact_ratio_threshold: float = 0.8,
        significance_test: str = "fisher_exact",
        alpha: float = 0.05,
        p_value_adjustment: str = "none",
        require_significance: bool = False,
        min_group_size: int = 30,
        min_group_share: float = 0.02,
        control_columns: Any = None,
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of how often the groups get a favorable outcome, and return the audit.

        Parameters
        ----------
        protected_attribute_columns : str or sequence of 1 to 3 str
            Columns whose combinations are the groups. A pandas Series is taken too, aligned by its index.
        outcome_column : str
            Column that holds the outcome.
        favorable_values : value or sequence of values
            Outcomes that are favorable, matched as text (``1`` matches 1, 1.0 and ``"1"``).
        unfavorable_values : value or sequence of values, optional
            Outcomes that are not; with it, any other value is refused by name.
        reference_strategy : {"highest", "named"}
            Compare with the sufficient group of the highest rate, or with `reference_value`.
        reference_value : value, optional
            The named reference group.
        impact_ratio_threshold : float
            Above 0, at most 1. A group fails where its impact ratio is below it.
        significance_test : {"fisher_exact", "z_test", "chi_square", "none"}
            Two-sided test of each group against the reference.
        alpha : float
            Significance level, strictly between 0 and 1; intervals have level 1 - alpha.
        p_value_adjustment : {"none", "holm", "benjamini_hochberg"}
            Adjustment for the number of comparisons.
        require_significance : bool
            A group fails only where its difference is significant too.
        min_group_size, min_group_share : int, float
            Rows, and share of the evaluated rows, that a group needs to be judged.
        control_columns : str or sequence of 1 to 2 str, optional
            Columns within whose combinations the groups are compared as well.
        name, description : str, optional
            Name of the test, unique in the audit; what it is for.
        thresholds : sequence of (measurement, operator, value)
            All must hold; without any, ``failingGroupCount <= 0``.
        threshold_source, rationale : str, optional
            Where the thresholds come from; why this rate and this reference. Printed in the packet.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        stated = {key: value for key, value in locals().items() if key not in {"self", "__class__"}}
        stated["protected_attribute_columns"] = self._columns(protected_attribute_columns)
        stated["outcome_column"] = self._one_column(outcome_column)
        stated["control_columns"] = None if control_columns is None else self._columns(control_columns)
        return self.add(OutcomeDisparity(**stated))

    def run(self) -> AuditRun:
        """Group the table once, judge every test, and return the results.

        Raises
        ------
        ConfigError
            If the audit has no test.
        DataError
            If the table cannot be read.
        """
        if not self._tests:
            raise ConfigError(Fault(code="no_tests", message="the audit has no test; add one before running it"))
        made = created(self._as_of)
        table = open_table(self.data)
        scans = build(table, [needs_of(test) for _, test, _ in self._tests], self.reading)
        records = []
        for (name, test, ignored), scan in zip(self._tests, scans, strict=True):
            finding = judge(test, scan)
            checks = check(test.thresholds or (DEFAULT_THRESHOLD,), finding.measurements)
            records.append(
                TestRecord(
                    name=name,
                    test=test,
                    finding=finding,
                    thresholds=checks,
                    default_threshold=not test.thresholds,
                    status=status_of_test(checks, skipped=finding.skip is not None),
                    ignored=ignored,
                )
            )
        status = overall_status(record.status for record in records)
        data = DataRecord(
            fingerprint=fingerprint(scan.tally for scan in scans),
            columns=tuple(sorted({name for _, test, _ in self._tests for name in needs_of(test).columns})),
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
            assumptions=build_assumptions([(record.name, record.test, record.finding) for record in records]),
            tests=tuple(records),
            status=status,
            exit_code=exit_code(status),
        )
        return AuditRun(record, table, self.reading)

    def _columns(self, names: Any) -> Any:
        """Return column names; a Series is attached to the data and named by its column."""
        if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
            return names
        if _is_series(names):
            return [self._one_column(names)]
        return [self._one_column(name) for name in names]

    def _one_column(self, name: Any) -> Any:
        if not _is_series(name):
            return name
        from fairreport.tables.pandas_table import attach  # noqa: PLC0415 - only with pandas at hand

        self.data, label = attach(self.data, name)
        return label


def _is_series(value: Any) -> bool:
    return type(value).__name__ == "Series" and type(value).__module__.partition(".")[0] == "pandas"


def _texts(name: str, values: Any) -> tuple[str, ...]:
    listed = [values] if isinstance(values, (str, int, float, bool)) else values
    if not isinstance(listed, Iterable) or isinstance(listed, Mapping):
        raise ConfigError(Fault(code="bad_type", message=f"must be a list of values, got {values!r}", path=name))
    texts = [canonical(value) for value in listed]
    return tuple(dict.fromkeys(text for text in texts if text is not None))


def outcome_disparity(
    data: Any,
    protected_attribute_columns: Any,
    outcome_column: Any,
    favorable_values: Any,
    *,
    counts: str | None = None,
    missing_values: Sequence[str] | str = (),
    title: str | None = None,
    **parameters: Any,
) -> Any:
    """Return the result of one outcome disparity test over a table, ready to be displayed.

    Parameters
    ----------
    data : table or path
        What to audit; see `Audit`.
    protected_attribute_columns, outcome_column, favorable_values
        See `Audit.outcome_disparity`.
    counts, missing_values, title
        See `Audit`.
    **parameters
        Any further parameter of `Audit.outcome_disparity`, by name.

    Examples
    --------
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 29 + [0] * 21 + [1] * 30 + [0] * 10}
    >>> outcome_disparity(rows, "sex", "hired", 1).groups["failing"].to_dict()
    {'F': True, 'M': False}
    """
    audit = Audit(data, counts=counts, missing_values=missing_values, title=title)
    audit.outcome_disparity(protected_attribute_columns, outcome_column, favorable_values, **parameters)
    return audit.run().results[0]



