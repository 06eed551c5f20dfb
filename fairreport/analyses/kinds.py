"""The kinds of test there are, and which judgement belongs to each."""

from __future__ import annotations

from typing import overload

from fairreport.analyses import outcome, rate_gaps
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.grouping import Label
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.result import Finding
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.tables.build import AnyNeeds
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.needs import Needs
from fairreport.tables.tally import Scan

Test = OutcomeDisparity | ScoreDisparity | MetricParity
"""The disparity tests, which share parameters, thresholds and rows of groups."""

AnyTest = Test | RateGaps | PairTest
KINDS: tuple[type[Test], ...] = (OutcomeDisparity, ScoreDisparity, MetricParity)


@overload
def needs_of(test: Test) -> Needs: ...
@overload
def needs_of(test: Test | RateGaps) -> Needs | GapNeeds: ...
@overload
def needs_of(test: AnyTest) -> AnyNeeds: ...


def needs_of(test: AnyTest) -> AnyNeeds:
    """Return what a test needs of the table."""
    if isinstance(test, RateGaps):
        return rate_gaps.needs(test)
    if isinstance(test, PairTest):
        from fairreport.analyses import pair_judging  # noqa: PLC0415 - an audit of outcomes does not wait for it

        return pair_judging.needs_of_pairs(test)
    if isinstance(test, OutcomeDisparity):
        return outcome.needs(test)
    if isinstance(test, ScoreDisparity):
        from fairreport.analyses import score  # noqa: PLC0415 - an audit of outcomes does not wait for it

        return score.needs(test)
    from fairreport.analyses import metric  # noqa: PLC0415 - an audit of outcomes does not wait for it

    return metric.needs(test)


def judge(test: Test, scan: Scan, *, reference: Label | None = None) -> Finding:
    """Return what a test finds in the tally of its scan, on request with another reference than the test states."""
    if isinstance(test, OutcomeDisparity):
        return outcome.judge(test, scan, reference=reference)
    if isinstance(test, ScoreDisparity):
        from fairreport.analyses import score  # noqa: PLC0415 - an audit of outcomes does not wait for it

        return score.judge(test, scan, reference=reference)
    from fairreport.analyses import metric  # noqa: PLC0415 - an audit of outcomes does not wait for it

    return metric.judge(test, scan, reference=reference)
