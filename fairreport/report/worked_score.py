"""The steps of a score row that its rate does not have: the median, the means, and pairs of scores."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.analyses.result import ScoreFinding, ScoreRow
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.render import formats
from fairreport.report.worked_rates import RatePair
from fairreport.report.worked_row import Step, shown, taken
from fairreport.stats.moments import Moments, pooled_sd


def median_step(pair: RatePair) -> Step:
    """Return what a score is held against."""
    test, finding = pair.test, pair.finding
    if not isinstance(test, ScoreDisparity) or not isinstance(finding, ScoreFinding):
        raise TypeError(test.analysis)
    evaluated = finding.rows.evaluated if finding.rows else None
    side = "above" if test.higher_is_favorable else "below"
    return Step(
        term="Overall median",
        formula=f"middle of all evaluated scores; a and b count the scores strictly {side} it",
        numbers=f"{formats.count(evaluated)} scores",
        result=shown(finding.overall_median),
    )


def score_steps(pair: RatePair) -> Iterator[Step]:
    """Yield the differences of means and medians, the standardized one, and the pairs of scores."""
    finding, row, reference = pair.finding, pair.row, pair.reference
    if not isinstance(finding, ScoreFinding) or not isinstance(row, ScoreRow) or not isinstance(reference, ScoreRow):
        raise TypeError(type(row).__name__)
    yield Step(
        term="Mean difference",
        formula="mean of the group − mean of the reference",
        numbers=f"{shown(row.mean)} − {taken(reference.mean)}",
        result=shown(row.mean_difference),
    )
    yield Step(
        term="Median difference",
        formula="median of the group − median of the reference",
        numbers=f"{shown(row.median)} − {taken(reference.median)}",
        result=shown(row.median_difference),
    )
    yield from _standardized(finding, row, reference)
    yield from _pairs_of_scores(finding, row, reference)


def _standardized(finding: ScoreFinding, row: ScoreRow, reference: ScoreRow) -> Iterator[Step]:
    groups = {group.group: group for group in finding.evidence.groups} if finding.evidence else {}
    mine, theirs = groups.get(row.group), groups.get(reference.group)
    if mine is None or theirs is None:
        return
    sd = pooled_sd(
        Moments(n=mine.n, mean=mine.mean, variance=mine.variance),
        Moments(n=theirs.n, mean=theirs.mean, variance=theirs.variance),
    )
    yield Step(
        term="Pooled standard deviation",
        formula="s = √(((n − 1) v + (m − 1) w) / (n + m − 2)), v and w the variances, with n − 1",
        numbers=f"v = {shown(mine.variance)}, w = {shown(theirs.variance)}",
        result=shown(sd),
    )
    yield Step(
        term="Standardized difference",
        formula="mean difference / s",
        numbers=f"{shown(row.mean_difference)} / {shown(sd)}",
        result=shown(row.standardized_mean_difference),
    )


def _pairs_of_scores(finding: ScoreFinding, row: ScoreRow, reference: ScoreRow) -> Iterator[Step]:
    compared = finding.evidence.comparisons if finding.evidence else ()
    for item in compared:
        if (item.group, item.reference) == (row.group, reference.group):
            greater, equal, less = map(formats.count, (item.greater, item.equal, item.less))
            pairs = formats.count(item.greater + item.equal + item.less)
            yield Step(
                term="Probability of superiority, informational",
                formula="(g + e / 2) / (n m), of g pairs greater, e equal, l less",
                numbers=f"g = {greater}, e = {equal}, n m = {pairs}",
                result=shown(row.probability_of_superiority),
            )
            yield Step(
                term="Cliff's delta, informational",
                formula="(g − l) / (n m)",
                numbers=f"({greater} − {less}) / {pairs}",
                result=shown(row.cliffs_delta),
            )
