"""From a test and what was counted for it to the record of the audit: the finding, its thresholds, its status."""

from __future__ import annotations

from dataclasses import replace

from fairreport.analyses.gap_finding import judge_gaps
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest, Test, judge
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.parameters import Operator, Threshold
from fairreport.analyses.refusal import Refusal
from fairreport.analyses.result import Finding, Note
from fairreport.audit.gate import check, status_of_rules, status_of_test
from fairreport.audit.record import Entry, GapRecord, PairRecord, TestRecord
from fairreport.tables.build import AnyScan
from fairreport.tables.gaps import GapScan
from fairreport.tables.pair_scan import PairScan, RowScan
from fairreport.tables.tally import Scan

DEFAULT_THRESHOLD = Threshold(measurement="failingGroupCount", operator=Operator.AT_MOST, value=0)
"""What a disparity test is held against without thresholds of its own."""

DEFAULT_PAIR_THRESHOLD = Threshold(measurement="practicallySignificantCount", operator=Operator.AT_MOST, value=0)
"""The same of a test of named pairs."""

ALL_TIMES = Note(
    code="window_not_applied",
    text="the test states a window of time of its own (evaluationWindow), which was not applied: rows of any time were "
    "judged",
)
"""What a monitoring test bears that is run without a time column, or without the end of a window."""

NO_VERDICT = "no group has a verdict: rates or tests are not defined in any pair"


def judged_entry(name: str, test: AnyTest, ignored: tuple[str, ...], scan: AnyScan) -> Entry:
    """Return what a test finds in its scan, and what that comes to."""
    match test, scan:
        case RateGaps(), GapScan():
            gaps = judge_gaps(test, scan)
            return GapRecord(name=name, test=test, finding=gaps, status=status_of_rules(gaps.state), ignored=ignored)
        case PairTest(), PairScan() | RowScan():
            return _record_pairs(name, test, scan, ignored)
        case _, Scan() if not isinstance(test, (RateGaps, PairTest)):
            return record_test(name, test, judge(test, scan), ignored)
    raise TypeError(f"{type(test).__name__} is not judged from {type(scan).__name__}")


def record_test(name: str, test: Test, finding: Finding, ignored: tuple[str, ...] = ()) -> TestRecord:
    """Return what a disparity test found with its thresholds, and what that comes to."""
    checks = check(test.thresholds or (DEFAULT_THRESHOLD,), finding.measurements, tiny=finding.tiny)
    remarks = (ALL_TIMES,) if "evaluationWindow" in ignored else ()
    return TestRecord(
        name=name,
        test=test,
        finding=replace(finding, notes=(*finding.notes, *remarks)) if remarks else finding,
        thresholds=checks,
        default_threshold=not test.thresholds,
        status=status_of_test(checks, skipped=finding.skip is not None),
        ignored=ignored,
    )


def _record_pairs(name: str, test: PairTest, scan: PairScan | RowScan, ignored: tuple[str, ...]) -> PairRecord:
    """Return what a test of named pairs found with its thresholds, and what that comes to."""
    from fairreport.analyses.pair_judging import judge_scan  # noqa: PLC0415 - only who compares pairs waits for it

    found = judge_scan(test, scan)
    finding = None if isinstance(found, Refusal) else found
    skip = found if isinstance(found, Refusal) else None
    if finding is not None and finding.skip_code is not None:
        skip = Refusal(code=finding.skip_code, reason=NO_VERDICT)
    measurements = {} if finding is None else finding.measurements
    checks = check(test.thresholds or (DEFAULT_PAIR_THRESHOLD,), measurements)
    return PairRecord(
        name=name,
        test=test,
        finding=finding,
        skip=skip,
        thresholds=checks,
        default_threshold=not test.thresholds,
        status=status_of_test(checks, skipped=skip is not None),
        ignored=ignored,
    )
