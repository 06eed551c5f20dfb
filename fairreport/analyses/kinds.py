"""The kinds of test there are, and which judgement belongs to each."""

from __future__ import annotations

from fairreport.analyses import outcome
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.result import Finding
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.tables.needs import Needs
from fairreport.tables.tally import Scan

Test = OutcomeDisparity | ScoreDisparity | MetricParity
KINDS: tuple[type[Test], ...] = (OutcomeDisparity, ScoreDisparity, MetricParity)


def needs_of(test: Test) -> Needs:
    """Return what a test needs of the table."""
    if isinstance(test, OutcomeDisparity):
        return outcome.needs(test)
    if isinstance(test, ScoreDisparity):
        from fairreport.analyses import score  # noqa: PLC0415 - an audit of outcomes does not wait for it

        return score.needs(test)
    from fairreport.analyses import metric  # noqa: PLC0415 - an audit of outcomes does not wait for it

    return metric.needs(test)


def judge(test: Test, scan: Scan) -> Finding:
    """Return what a test finds in the tally of its scan."""
    if isinstance(test, OutcomeDisparity):
        return outcome.judge(test, scan)
    if isinstance(test, ScoreDisparity):
        from fairreport.analyses import score  # noqa: PLC0415 - an audit of outcomes does not wait for it

        return score.judge(test, scan)
    from fairreport.analyses import metric  # noqa: PLC0415 - an audit of outcomes does not wait for it

    return metric.judge(test, scan)
