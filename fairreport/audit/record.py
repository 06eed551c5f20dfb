"""The record of an audit: everything that was found, with nothing that still needs the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairreport.analyses.gap_finding import GapFinding
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import Test
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_result import PairFinding
from fairreport.analyses.refusal import Refusal
from fairreport.analyses.result import Finding, Number
from fairreport.audit.about import About
from fairreport.audit.assumptions import Assumption
from fairreport.audit.gate import Status, ThresholdCheck
from fairreport.audit.window import WindowRecord
from fairreport.audit.withheld import Withheld
from fairreport.tables.asked import Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRecord:
    """One disparity test of an audit: as stated, what was found, and what it comes to.

    Attributes
    ----------
    name : str
        Unique in its audit.
    test : OutcomeDisparity, ScoreDisparity or MetricParity
        The test with its parameters.
    finding : Finding
        What was found.
    thresholds : tuple of ThresholdCheck
        Each threshold with the actual value.
    default_threshold : bool
        Whether the user stated none, so that the test's own applies.
    status : Status
        What the test comes to.
    ignored : tuple of str
        Keys of the configuration file that mean nothing here.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    name: str
    test: Test
    finding: Finding
    thresholds: tuple[ThresholdCheck, ...]
    default_threshold: bool
    status: Status
    ignored: tuple[str, ...] = ()

    @property
    def measurements(self) -> Mapping[str, Number | None]:
        """The measurements by their documented names; empty where the test was skipped."""
        return self.finding.measurements


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRecord:
    """One test of rate gaps of an audit; the fields that it shares with `TestRecord` mean the same."""

    name: str
    test: RateGaps
    finding: GapFinding
    status: Status
    ignored: tuple[str, ...] = ()

    @property
    def measurements(self) -> Mapping[str, Number | None]:
        """How many rules read what; empty where the test was skipped."""
        return self.finding.measurements


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecord:
    """One test of named pairs of an audit; the fields that it shares with `TestRecord` mean the same.

    Attributes
    ----------
    finding : PairFinding or None
        What was found; None where the columns do not hold what is wanted.
    skip : Refusal or None
        Why there is no verdict.
    """

    name: str
    test: PairTest
    finding: PairFinding | None
    skip: Refusal | None
    thresholds: tuple[ThresholdCheck, ...]
    default_threshold: bool
    status: Status
    ignored: tuple[str, ...] = ()

    @property
    def measurements(self) -> Mapping[str, Number | None]:
        """The measurements by their documented names; empty where there is no verdict."""
        return {} if self.finding is None else self.finding.measurements


Entry = TestRecord | GapRecord | PairRecord
"""One test of an audit, of any kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRecord:
    """What was read.

    Attributes
    ----------
    fingerprint : str
        sha256 of the tallies, in hexadecimal.
    columns : tuple of str
        Columns that the tests name, sorted.
    counts : str or None
        Column that says how many rows each row stands for.
    missing_values : tuple of str
        Words taken for a missing cell.
    declared_groups : mapping of str to tuple of str
        Declared groups of an attribute.
    origin, engine : str
        What was opened and which engine read it; in the packet's provenance only, since neither changes a number.
    asked : tuple of Asked
        The statements that an engine was asked which holds the rows; empty where they were counted here. In the
        packet's provenance only.
    window : WindowRecord or None
        The window of time that was judged; None where rows of any time were.
    test_windows : mapping of str to WindowRecord
        By name, the windows of tests that have one of their own.
    """

    fingerprint: str
    columns: tuple[str, ...]
    counts: str | None
    missing_values: tuple[str, ...]
    declared_groups: Mapping[str, tuple[str, ...]]
    origin: str
    engine: str
    asked: tuple[Asked, ...] = ()
    window: WindowRecord | None = None
    test_windows: Mapping[str, WindowRecord] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """A whole audit; `entries` are its tests of every kind, in their order.

    What a report withholds stands in `withheld`; None in a run, which withholds nothing.
    """

    title: str
    created: str | None
    about: About
    data: DataRecord
    assumptions: tuple[Assumption, ...]
    entries: tuple[Entry, ...]
    status: Status
    exit_code: int
    withheld: Withheld | None = None

    @property
    def tests(self) -> tuple[TestRecord, ...]:
        """The disparity tests."""
        return tuple(entry for entry in self.entries if isinstance(entry, TestRecord))

    @property
    def rate_gaps(self) -> tuple[GapRecord, ...]:
        """The tests of rate gaps."""
        return tuple(entry for entry in self.entries if isinstance(entry, GapRecord))

    @property
    def pairs(self) -> tuple[PairRecord, ...]:
        """The tests of named pairs."""
        return tuple(entry for entry in self.entries if isinstance(entry, PairRecord))

    def window_of(self, name: str) -> WindowRecord | None:
        """Return the window that a test was judged in, by the name of the test; None where there was none."""
        return self.data.test_windows.get(name, self.data.window)
