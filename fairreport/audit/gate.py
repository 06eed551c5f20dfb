"""From thresholds to a status, and from statuses to an exit code: the one gate for every caller."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from fairreport.analyses.parameters import Operator, Threshold
from fairreport.analyses.rate_gaps import RuleState
from fairreport.analyses.result import Number

TOLERANCE = 1e-12
"""Values closer than this, absolutely or relatively, are equal: 0.65 - 0.60 satisfies ``<= 0.05``."""


class Status(StrEnum):
    """What a test, or an audit, comes to."""

    PASSING = "passing"
    FAILING = "failing"
    SKIPPED = "skipped"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    MANUAL_REVIEW = "manual_review"


_OF_RULES = {
    RuleState.PASS: Status.PASSING,
    RuleState.FAIL: Status.FAILING,
    RuleState.INSUFFICIENT_EVIDENCE: Status.INSUFFICIENT_EVIDENCE,
    RuleState.MANUAL_REVIEW: Status.MANUAL_REVIEW,
}
_EXIT_CODES = {
    Status.FAILING: 1,
    Status.MANUAL_REVIEW: 4,
    Status.INSUFFICIENT_EVIDENCE: 3,
    Status.SKIPPED: 3,
    Status.PASSING: 0,
}
_PRECEDENCE = (
    Status.FAILING,
    Status.MANUAL_REVIEW,
    Status.INSUFFICIENT_EVIDENCE,
    Status.SKIPPED,
    Status.PASSING,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdCheck:
    """A threshold held against its measurement; `passed` is None where the measurement is undefined."""

    measurement: str
    operator: Operator
    value: Number
    actual: Number | None
    passed: bool | None


def check(
    thresholds: Iterable[Threshold], measurements: Mapping[str, Number | None], *, tiny: Collection[str] = ()
) -> tuple[ThresholdCheck, ...]:
    """Return each threshold with the actual value and whether it holds.

    Parameters
    ----------
    thresholds : iterable of Threshold
        What is held.
    measurements : mapping of str to number or None
        The actual values.
    tiny : collection of str
        Measurements that are known but below the smallest number that is stated: null, and compared as 0.
    """
    return tuple(_check(threshold, measurements.get(threshold.measurement), tiny) for threshold in thresholds)


def _check(threshold: Threshold, actual: Number | None, tiny: Collection[str]) -> ThresholdCheck:
    compared = 0.0 if actual is None and threshold.measurement in tiny else actual
    return ThresholdCheck(
        measurement=threshold.measurement,
        operator=threshold.operator,
        value=threshold.value,
        actual=actual,
        passed=None if compared is None else _COMPARISONS[threshold.operator](compared, threshold.value),
    )


def _equal(actual: Number, value: Number) -> bool:
    return math.isclose(actual, value, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


_COMPARISONS: dict[Operator, Callable[[Number, Number], bool]] = {
    Operator.IS: _equal,
    Operator.IS_NOT: lambda actual, value: not _equal(actual, value),
    Operator.GREATER: lambda actual, value: actual > value and not _equal(actual, value),
    Operator.AT_LEAST: lambda actual, value: actual > value or _equal(actual, value),
    Operator.LESS: lambda actual, value: actual < value and not _equal(actual, value),
    Operator.AT_MOST: lambda actual, value: actual < value or _equal(actual, value),
}


def status_of_test(checks: Iterable[ThresholdCheck], *, skipped: bool) -> Status:
    """Return the status of a test: any threshold missed fails it, any that cannot be held skips it."""
    passed = [item.passed for item in checks]
    if skipped:
        return Status.SKIPPED
    if False in passed:
        return Status.FAILING
    return Status.SKIPPED if None in passed else Status.PASSING


def status_of_rules(state: RuleState | None) -> Status:
    """Return the status of a test of rate gaps from the gravest state of its rules; None is a skipped test."""
    return Status.SKIPPED if state is None else _OF_RULES[state]


def overall_status(statuses: Iterable[Status]) -> Status:
    """Return the status that stands for several: failing, manual review, too little evidence, skipped, passing.

    Examples
    --------
    >>> overall_status([Status.PASSING, Status.SKIPPED]).value
    'skipped'
    """
    present = set(statuses)
    return next(status for status in _PRECEDENCE if status in present)


def exit_code(status: Status) -> int:
    """Return the exit code of a status: passing 0, failing 1, skipped and too little evidence 3, manual review 4."""
    return _EXIT_CODES[status]
