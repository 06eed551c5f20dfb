"""One row worked by hand for each kind of test: each formula with its numbers, by the functions that made the row."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.audit.record import AuditRecord
from fairreport.render import formats
from fairreport.render.views import Name
from fairreport.report.metric_pair import MetricPair, metric_pairs
from fairreport.report.worked_metric import metric_letters, metric_steps
from fairreport.report.worked_rates import RatePair, inference_steps, rate_pairs, rate_steps
from fairreport.report.worked_row import Step, WorkedRow, label, ratio_of
from fairreport.report.worked_score import median_step, score_steps
from fairreport.tables.needs import Measure

_KINDS = {
    Measure.SHARE: "share of rows",
    Measure.MOMENTS: "average per row",
    Measure.QUANTILE: "quantile",
    Measure.RANKS: "ranks",
    Measure.RESIDUALS: "residuals",
}


def work_rows(record: AuditRecord) -> tuple[WorkedRow, ...]:
    """Return one judged row of each kind of test that was computed, that with the lowest ratio, worked by hand."""
    return tuple(_rows(record))


def _rows(record: AuditRecord) -> Iterator[WorkedRow]:
    pairs = [pair for test in record.tests for pair in rate_pairs(test)]
    outcomes = [pair for pair in pairs if isinstance(pair.test, OutcomeDisparity)]
    scores = [pair for pair in pairs if not isinstance(pair.test, OutcomeDisparity)]
    if outcomes:
        pair = min(outcomes, key=_rank)
        yield _worked("outcome rates", pair, [*rate_steps(pair), *inference_steps(pair)])
    if scores:
        pair = min(scores, key=_rank)
        inference = () if outcomes else inference_steps(pair)
        yield _worked("scoring rates", pair, [median_step(pair), *rate_steps(pair), *inference, *score_steps(pair)])
    metrics = [pair for test in record.tests for pair in metric_pairs(test)]
    for measure in Measure:
        found = [pair for pair in metrics if pair.test.metric.measure is measure]
        if found:
            yield _worked_metric(_KINDS[measure], min(found, key=_rank))


def _rank(pair: RatePair | MetricPair) -> tuple[float, str, tuple[str, ...]]:
    return (ratio_of(pair.row), pair.name, pair.row.group)


def _worked(kind: str, pair: RatePair, steps: list[Step]) -> WorkedRow:
    return WorkedRow(
        kind=kind,
        test=Name.of(pair.name),
        group=label(pair.row.group),
        against=label(pair.reference.group),
        letters=pair.letters,
        level=formats.level(pair.level),
        steps=tuple(steps),
    )


def _worked_metric(kind: str, pair: MetricPair) -> WorkedRow:
    reference = pair.finding.reference
    return WorkedRow(
        kind=f"{kind}, {pair.test.metric.label}",
        test=Name.of(pair.name),
        group=label(pair.row.group),
        against=None if reference is None else label(reference),
        letters=metric_letters(pair),
        level=formats.level(pair.finding.method.level),
        steps=tuple(metric_steps(pair)),
    )
