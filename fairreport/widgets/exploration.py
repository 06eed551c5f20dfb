"""An audit under other parameters: every answer is computed from counts, and no table is read unless asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod

from fairreport.analyses.gap_parameters import MOST_GROUPS, RateGaps
from fairreport.analyses.kinds import AnyTest, Test, needs_of
from fairreport.analyses.metric_parameters import AutoTest, ComparedWith, MetricParity
from fairreport.analyses.metrics import MetricTest
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import CustomDisparityMetric
from fairreport.analyses.parameters import SignificanceTest
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.audit import Audit
from fairreport.audit.judging import judged_entry
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.audit.result import AuditRun
from fairreport.audit.window import JudgedWindows
from fairreport.errors import ConfigError, Fault, nearest
from fairreport.tables.build import AnyScan
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.tally import MetricTally, OutcomeTally, Scan, ScoreTally
from fairreport.widgets.evidence import Evidence, Lack
from fairreport.widgets.restating import AnySettings, restate_any, settings_of, told
from fairreport.widgets.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a test finds under some settings.

    Attributes
    ----------
    settings : Settings, GapSettings or PairSettings
        What was asked.
    record : TestRecord, GapRecord, PairRecord or None
        The result; None where the settings do not stand together, or what it is judged from was not counted yet.
    refusal : str or None
        Why the settings do not stand together.
    lack : Lack
        What one scan of the table would add.
    is_stated : bool
        Whether the settings are those that the test states.
    """

    settings: AnySettings
    record: Entry | None = None
    refusal: str | None = None
    lack: Lack = Lack.NOTHING
    is_stated: bool = False


class Exploration:
    """The tests of a run, asked again under other settings.

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
    tests : dict of int to test
        The tests, as stated, by their position.

    Raises
    ------
    ConfigError
        If the run does not carry its counts, or has no test of that name.
    """

    def __init__(self, run: AuditRun, name: str | None = None) -> None:
        if len(run.scans) != len(run.record.entries):
            message = "the run does not carry the counts of its tests; explore what Audit.run() returns"
            raise ConfigError(Fault(code="nothing_to_explore", message=message))
        self.run = run if name is None else _alone(run, name)
        self.tests: dict[int, AnyTest] = {i: entry.test for i, entry in enumerate(self.run.record.entries)}
        self._evidence = Evidence(self.run.table, self.run.reading, self.tests, dict(enumerate(self.run.scans)))
        self._judged: list[Entry] = list(self.run.record.entries)  # of functions of the user's own

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The columns that the audit knows as attributes, sorted."""
        known = {name for test in self.tests.values() for name in _attributes_of(test)}
        declared = {name for name in self.run.reading.declared if self.run.table.has(name)}
        return tuple(sorted(known | declared))

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """The columns that can be controlled for, sorted: the attributes, and the controls of any test."""
        tests = [test for test in self.tests.values() if isinstance(test, OutcomeDisparity)]
        return tuple(sorted({*self.attributes, *(name for test in tests for name in test.control_columns or ())}))

    def settings(self, position: int) -> AnySettings:
        """Return the settings that a test states."""
        return settings_of(self.tests[position])

    def levels(self, position: int, settings: Settings) -> tuple[str, ...]:
        """Return the groups that can be named as the reference, sorted; empty for intersections."""
        if len(settings.attributes) != 1:
            return ()
        try:
            asked = restate_any(self.tests[position], replace(settings, reference=None))
        except ConfigError:
            return ()
        scan, _ = self._evidence.scan(position, asked)
        tally = scan.tally if isinstance(scan, Scan) else None
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

    def crossings(self, position: int) -> tuple[tuple[str, ...], ...]:
        """Return the attributes of a test of rate gaps and their crossings of few enough groups, shortest first."""
        test = self.tests[position]
        if not isinstance(test, RateGaps):
            return ()
        sizes = {name: len(levels) for name, levels in test.attributes.items()}
        several = [names for n in (1, 2, 3) for names in combinations(sizes, n)]
        known = {frozenset(names): names for names in several if prod(sizes[name] for name in names) <= MOST_GROUPS}
        for names in (*test.intersections, *(rule.attribute for rule in test.rules)):
            known[frozenset(names)] = names
        return tuple(sorted(known.values(), key=len))

    def references(self, position: int, what: str) -> tuple[str, ...]:
        """Return the groups that can be the reference of a column of groups, or of a protected group, sorted."""
        test = self.tests[position]
        if not isinstance(test, PairTest):
            return ()
        if test.reference_values is None:
            return tuple(sorted(set(test.reference_groups or ())))
        plan = getattr(self.run.scans[position].tally, "plan", None)
        if plan is None or what not in plan.categories:
            return (test.reference_values[what],)
        return tuple(sorted(plan.groups[at] for at in plan.members(plan.categories.index(what))))

    def answer(self, position: int, settings: AnySettings) -> Answer:
        """Return what a test finds under some settings, from what was counted; no row is read.

        Parameters
        ----------
        position : int
            Which test.
        settings : Settings, GapSettings or PairSettings
            What is asked; settings that do not stand together give an answer that says so.
        """
        stated = self.run.record.entries[position]
        try:
            test = restate_any(stated.test, settings)
        except ConfigError as error:
            return Answer(settings=settings, refusal=told(error))
        if isinstance(test, CustomDisparityMetric):
            judged = next((entry for entry in self._judged if entry.test == test), None)
            lack = Lack.ROWS if judged is None else Lack.NOTHING
            return Answer(settings=settings, record=judged, lack=lack, is_stated=test == stated.test)
        scan, lack = self._evidence.scan(position, test)
        if scan is None or lack.is_blocking:
            return Answer(settings=settings, lack=lack)
        record = judged_entry(self._name(position, test), test, stated.ignored, scan)
        if isinstance(record, GapRecord) and lack is Lack.CALIBRATION:
            record = replace(record, finding=replace(record.finding, calibration=None))
        return Answer(settings=settings, record=record, lack=lack, is_stated=test == stated.test)

    def _name(self, position: int, test: AnyTest) -> str:
        """Return the name of a test: as in its audit, or as its settings make it."""
        stated = self.run.record.entries[position]
        return stated.name if test.title == stated.test.title else test.title

    def gather(self, position: int, settings: AnySettings) -> None:
        """Read the table once for what an answer lacks.

        Raises
        ------
        ConfigError
            If the settings do not stand together.
        DataError
            If the table cannot be read.
        """
        test = restate_any(self.tests[position], settings)
        if isinstance(test, CustomDisparityMetric):
            ignored = self.run.record.entries[position].ignored
            self._judged.append(judged_entry(self._name(position, test), test, ignored, self.run.scans[position]))
            return
        self._evidence.gather(position, test)

    def audit(self, settings: Mapping[int, AnySettings]) -> Audit:
        """Return the audit with the tests under some settings; it has no data, and cannot run by itself.

        Parameters
        ----------
        settings : mapping of int to Settings, GapSettings or PairSettings
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

    def rerun(self, settings: Mapping[int, AnySettings]) -> AuditRun:
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
        return audit.judge(self.run.table, scans, _windows(self.run.record))

    def record(self, settings: Mapping[int, AnySettings]) -> AuditRecord:
        """Return the record of the audit with its tests under some settings, their findings those of the run.

        It serves to state the configuration, for which nothing needs to be computed.

        Raises
        ------
        ConfigError
            If settings do not stand together.
        """
        audit = self.audit(settings)
        entries = tuple(
            _named(entry, name, test)
            for entry, name, test in zip(self.run.record.entries, audit.names, audit.tests, strict=True)
        )
        return replace(self.run.record, entries=entries)

    def _stated(self, settings: Mapping[int, AnySettings]) -> Iterator[tuple[AnyTest, tuple[str, ...]]]:
        for i, entry in enumerate(self.run.record.entries):
            asked = settings.get(i)
            yield (entry.test if asked is None else restate_any(entry.test, asked)), entry.ignored

    def _whole_scan(self, position: int, test: AnyTest) -> AnyScan:
        """Return the scan of a test with all that belongs to it, made now where it is not at hand."""
        scan, lack = self._evidence.scan(position, test)
        if lack is not Lack.NOTHING:
            self._evidence.gather(position, test)
            scan, _ = self._evidence.scan(position, test)
        return self.run.scans[position] if scan is None else scan


def _named(entry: Entry, name: str, test: AnyTest) -> Entry:
    """Return an entry whose test is another one of the same kind."""
    match entry, test:
        case GapRecord(), RateGaps():
            return replace(entry, name=name, test=test)
        case PairRecord(), PairTest():
            return replace(entry, name=name, test=test)
        case TestRecord(), OutcomeDisparity() | ScoreDisparity() | MetricParity():
            return replace(entry, name=name, test=test)
    raise TypeError(f"{type(test).__name__} is no test of a {type(entry).__name__}")


def _attributes_of(test: AnyTest) -> tuple[str, ...]:
    """Return the columns that a test takes as attributes."""
    if isinstance(test, Test):
        return test.protected_attribute_columns
    need = needs_of(test)
    return tuple(need.attributes) if isinstance(need, GapNeeds) or isinstance(test, PairTest) else ()


def _alone(run: AuditRun, name: str) -> AuditRun:
    """Return the run of an audit that has one of the tests only."""
    names = [entry.name for entry in run.record.entries]
    if name not in names:
        message = f"no test is named {name!r}.{nearest(name, names)}"
        raise ConfigError(Fault(code="unknown_test", message=message))
    position = names.index(name)
    entry = run.record.entries[position]
    audit = _without_tests(run.record).add(entry.test, ignored=entry.ignored)
    return audit.judge(run.table_of(name), [run.scans[position]], _windows(run.record, name))


def _windows(record: AuditRecord, name: str | None = None) -> JudgedWindows | None:
    """Return the windows of time that were judged, or that of one test; None where rows of any time were."""
    own, shared = record.data.test_windows, record.data.window
    if name is not None:
        shared, own = own.get(name, shared), {}
    return JudgedWindows(shared=shared, of_tests=own) if shared or own else None


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
