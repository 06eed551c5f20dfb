"""Tests of named pairs as tests of an audit: what each needs of the table, and what it finds in what was scanned."""

from __future__ import annotations

from fairreport.analyses.pair_metric import judge_metric
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_result import PairFinding
from fairreport.analyses.pair_tests import CustomDisparityMetric
from fairreport.analyses.pairs import judge_pairs, needs
from fairreport.analyses.refusal import Refusal
from fairreport.errors import ConfigError, DataError, Fault
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.pair_scan import PairScan, RowNeeds, RowScan


def needs_of_pairs(test: PairTest) -> PairNeeds | RowNeeds:
    """Return what a test of named pairs needs of the table; a function of the user's own needs whole columns."""
    if not isinstance(test, CustomDisparityMetric):
        return needs(test)
    weights = () if test.sample_weight is None else (test.sample_weight,)
    return RowNeeds(
        columns=tuple(dict.fromkeys((*test.memberships, test.outcome, test.label, *weights))),
        attributes=tuple(test.reference_values or {}),
    )


def judge_scan(test: PairTest, scan: PairScan | RowScan) -> PairFinding | Refusal:
    """Return what a test of named pairs finds, or why its columns do not allow it."""
    if isinstance(scan, PairScan):
        return Refusal.of(scan.faults) if scan.tally is None else judge_pairs(test, scan.tally)
    if not isinstance(test, CustomDisparityMetric):
        raise TypeError(f"{type(test).__name__} is not judged from rows")
    try:
        return judge_metric(scan.table, test, scan.reading)
    except ConfigError as error:
        return Refusal.of(error.errors)
    except DataError as error:
        return Refusal.of([Fault(code="not_readable", message=str(error))])
