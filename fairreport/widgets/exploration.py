"""An audit under other parameters: every answer is computed from counts, and no table is read unless asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from fairreport.analyses.kinds import AnyTest, Test, judge, needs_of
from fairreport.analyses.metric_parameters import AutoTest, ComparedWith, MetricParity
from fairreport.analyses.metrics import MetricTest
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import SignificanceTest
from fairreport.audit.audit import Audit
from fairreport.audit.judging import record_test
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.audit.result import AuditRun
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.build import AnyScan
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.tally import MetricTally, OutcomeTally, Scan, ScoreTally
from fairreport.widgets.evidence import Evidence, Lack
from fairreport.widgets.settings import Settings, restate


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a test finds under some settings.

    Attributes
    ----------
    settings : Settings
        What was asked.
    record : TestRecord or None
        The result; None where the settings do not stand together, or the groups were not counted yet.
    refusal : str or None
        Why the settings do not stand together.
    lack : Lack
        What one scan of the table would add.
    is_stated : bool
        Whether the settings are those that the test states.
    """

    settings: Settings
    record: TestRecord | None = None
    refusal: str | None = None
    lack: Lack = Lack.NOTHING
    is_stated: bool = False


class Exploration:
    """The disparity tests of a run, asked again under other settings.

    Parameters
    ----------
    run : AuditRun
        What `Audit.run` returned.
    name : str, optional
        Explore this test only.

    Attributes
    ----------
    run : AuditRun
        What is explored, as stated.
    tests : dict of int to Test
        The tests that can be explored, as stated, by their position.

    Raises
    ------
    ConfigError
        If there is no test to explore.
    """

    def __init__(self, run: AuditRun, name: str | None = None) -> None:
        self.run = run if name is None else _alone(run, name)
        self.tests: dict[int, Test] = {
            i: entry.test for i, entry in enumerate(self.run.record.entries) if isinstance(entry, TestRecord)
        }
        scans = {i: scan for i, scan in enumerate(self.run.scans) if isinstance(scan, Scan) and i in self.tests}
        if not self.tests:
            message = "the audit has no disparity test; there is nothing to explore"
            raise ConfigError(Fault(code="nothing_to_explore", message=message))
        if scans.keys() != self.tests.keys():
            message = "the run does not carry the counts of its tests; explore what Audit.run() returns"
            raise ConfigError(Fault(code="nothing_to_explore", message=message))
        self._evidence = Evidence(run.table, run.reading, self.tests, scans)

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The columns that the audit knows as attributes, sorted."""
        known = {name for test in self.tests.values() for name in test.protected_attribute_columns}
        for entry in self.run.record.entries:
            needs = needs_of(entry.test)
            known |= set(needs.attributes) if isinstance(needs, GapNeeds) else set()
        declared = {name for name in self.run.reading.declared if self.run.table.has(name)}
        return tuple(sorted(known | declared))

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """The columns that can be controlled for, sorted: the attributes, and the controls of any test."""
        tests = [test for test in self.tests.values() if isinstance(test, OutcomeDisparity)]
        return tuple(sorted({*self.attributes, *(name for test in tests for name in test.control_columns or ())}))

    def settings(self, position: int) -> Settings:
        """Return the settings that a test states."""
        return Settings.of(self.tests[position])

    def levels(self, position: int, settings: Settings) -> tuple[str, ...]:
        """Return the groups that can be named as the reference, sorted; empty for intersections."""
        if len(settings.attributes) != 1:
            return ()
        try:
            scan, _ = self._evidence.scan(position, restate(self.tests[position], replace(settings, reference=None)))
        except ConfigError:
            return ()
        tally = None if scan is None else scan.tally
        if not isinstance(tally, (OutcomeTally, ScoreTally, MetricTally)):
            return ()
        return tuple(group.group[0] for group in tally.groups)

    def significance_tests(self, position: int) -> tuple[str, ...]:
        """Return the significance tests that a test can make."""
        test = self.tests[position]
        if not isinstance(test, MetricParity):
            return tuple(choice.value for choice in SignificanceTest)
        return tuple(c.value for c in AutoTest if c is AutoTest.NONE or test.metric.test is not MetricTest.NONE)

    def comparisons(self, position: int) -> tuple[str, ...]:
        """Return what the groups of a metric test can be compared with; empty for other tests."""
        test = self.tests[position]
        if not isinstance(test, MetricParity):
            return ()
        return tuple(c.value for c in ComparedWith if c is ComparedWith.REFERENCE or test.metric.compares_overall)

    def answer(self, position: int, settings: Settings) -> Answer:
        """Return what a test finds under some settings, from what was counted; no row is read.

        Parameters
        ----------
        position : int
            Which test.
        settings : Settings
            What is asked; settings that do not stand together give an answer that says so.
        """
        try:
            test = restate(self.tests[position], settings)
        except ConfigError as error:
            return Answer(settings=settings, refusal="; ".join(fault.message for fault in error.errors))
        scan, lack = self._evidence.scan(position, test)
        if scan is None or lack.is_blocking:
            return Answer(settings=settings, lack=lack)
        ignored = self.run.record.entries[position].ignored
        record = record_test(test.title, test, judge(test, scan), ignored)
        return Answer(settings=settings, record=record, lack=lack, is_stated=test == self.tests[position])

    def gather(self, position: int, settings: Settings) -> None:
        """Read the table once for what an answer lacks.

        Raises
        ------
        ConfigError
            If the settings do not stand together.
        DataError
            If the table cannot be read.
        """
        self._evidence.gather(position, restate(self.tests[position], settings))

    def audit(self, settings: Mapping[int, Settings]) -> Audit:
        """Return the audit with the tests under some settings; it has no data, and cannot run by itself.

        Parameters
        ----------
        settings : mapping of int to Settings
            By position; the other tests stand as stated.

        Raises
        ------
        ConfigError
            If settings do not stand together, or two tests come to bear one name.
        """
        audit = _without_tests(self.run.record)
        for test, ignored in self._stated(settings):
            audit.add(test, ignored=ignored)
        return audit

    def rerun(self, settings: Mapping[int, Settings]) -> AuditRun:
        """Return the run of the audit under some settings; tests whose counts are not at hand read the table.

        Raises
        ------
        ConfigError
            If settings do not stand together.
        DataError
            If the table cannot be read.
        """
        audit = self.audit(settings)
        scans = [self._whole_scan(i, test) for i, test in enumerate(audit.tests)]
        return audit.judge(self.run.table, scans)

    def record(self, settings: Mapping[int, Settings]) -> AuditRecord:
        """Return the record of the audit with its tests under some settings, their findings those of the run.

        It serves to state the configuration, for which nothing needs to be computed.

        Raises
        ------
        ConfigError
            If settings do not stand together.
        """
        audit = self.audit(settings)
        entries = tuple(
            replace(entry, name=name, test=test) if isinstance(entry, TestRecord) and isinstance(test, Test) else entry
            for entry, name, test in zip(self.run.record.entries, audit.names, audit.tests, strict=True)
        )
        return replace(self.run.record, entries=entries)

    def _stated(self, settings: Mapping[int, Settings]) -> Iterator[tuple[AnyTest, tuple[str, ...]]]:
        for i, entry in enumerate(self.run.record.entries):
            asked = settings.get(i)
            yield (entry.test if asked is None else restate(self.tests[i], asked)), entry.ignored

    def _whole_scan(self, position: int, test: AnyTest) -> AnyScan:
        """Return the scan of a test with all that belongs to it, made now where it is not at hand."""
        if not isinstance(test, Test):
            return self.run.scans[position]
        scan, lack = self._evidence.scan(position, test)
        if lack is not Lack.NOTHING:
            self._evidence.gather(position, test)
            scan, _ = self._evidence.scan(position, test)
        return self.run.scans[position] if scan is None else scan


def _alone(run: AuditRun, name: str) -> AuditRun:
    """Return the run of an audit that has one of the tests only."""
    names = [entry.name for entry in run.record.entries]
    if name not in names:
        message = f"no test is named {name!r}.{nearest(name, names)}"
        raise ConfigError(Fault(code="unknown_test", message=message))
    position = names.index(name)
    entry = run.record.entries[position]
    audit = _without_tests(run.record).add(entry.test, ignored=entry.ignored)
    return audit.judge(run.table, [run.scans[position]])


def _without_tests(record: AuditRecord) -> Audit:
    """Return an audit that says of the data what a record says, without tests."""
    return Audit(
        None,
        title=record.title,
        counts=record.data.counts,
        missing_values=record.data.missing_values,
        groups=record.data.declared_groups,
        about=record.about,
        as_of=record.created,
    )
