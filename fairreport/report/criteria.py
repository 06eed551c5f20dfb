"""Scope and criteria of each test: what was compared with what, against which threshold, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import ReferenceStrategy, SignificanceTest
from fairreport.analyses.result import ScoreFinding
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Line, Sentence, TestView

_LISTED = 12
_RATIONALE = {
    "outcome_disparity": "Why this rate and reference",
    "score_disparity": "Why this score and reference",
    "metric_parity": "Why this metric and reference",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """The criteria of one test, line by line."""

    view: TestView
    lines: tuple[Line, ...]


def criteria(record: AuditRecord, test: TestRecord, view: TestView) -> Criteria:
    """Return the criteria of one test."""
    stated = test.test
    method = {line.term: line.text for line in view.method}
    lines = [
        ("Attributes", said(*joined(stated.protected_attribute_columns, ", "))),
        ("Declared groups", _declared(record, test)),
        *_measured(test),
        ("Reference group", _reference(test)),
        (_RATIONALE[stated.analysis], said(view.rationale) if view.rationale else said("not stated")),
        ("A group fails where", method.get("A group fails where", _see_parameters())),
        ("The test passes where", _thresholds(view)),
        ("Source of the threshold", said(view.thresholds_origin)),
        ("Significance test", method.get("Significance", _see_parameters())),
        ("Comparisons", _comparisons(test)),
        ("Correction", said(_correction(test))),
        ("Minimum n", method.get("Groups judged have", _see_parameters())),
    ]
    if isinstance(stated, OutcomeDisparity) and stated.control_columns:
        lines.append(("Control columns", said(*joined(stated.control_columns, ", "))))
    if view.description:
        lines.insert(0, ("Purpose", said(view.description)))
    return Criteria(view=view, lines=tuple(Line(term=term, text=text) for term, text in lines))


def _see_parameters() -> Sentence:
    return said("see the parameters in section 11")


def _measured(test: TestRecord) -> list[tuple[str, Sentence]]:
    stated = test.test
    if isinstance(stated, OutcomeDisparity):
        favorable = joined(stated.favorable_values, " or ")
        return [("Favorable outcome", said(*joined([stated.outcome_column]), " = ", *favorable))]
    if isinstance(stated, ScoreDisparity):
        return [("Score", said(*joined([stated.score_column]))), ("Scoring", _scoring(test, stated))]
    return [("Metric", _metric(stated)), *_columns(stated)]


def _scoring(test: TestRecord, stated: ScoreDisparity) -> Sentence:
    side, better = ("above", "higher") if stated.higher_is_favorable else ("below", "lower")
    found = test.finding
    median = found.overall_median if isinstance(found, ScoreFinding) else None
    value = "" if median is None else f", {formats.fixed(median)}"
    return said(f"a score strictly {side} the overall median{value}, since {better} is favorable")


def _metric(stated: MetricParity) -> Sentence:
    direction = "higher is better" if stated.better_is_higher else "lower is better"
    return said(f"{stated.metric.label}: {stated.metric.formula}; {direction}")


def _columns(stated: MetricParity) -> list[tuple[str, Sentence]]:
    """Return the columns of a metric by what they hold, and the values of its positive class."""
    lines = []
    for parameter in stated.metric.columns:
        term = parameter.removesuffix("_column").replace("_", " ")
        lines.append((f"{term[:1].upper()}{term[1:]}", said(*joined([getattr(stated, parameter)]))))
    if stated.metric.labels:
        lines.append(("Positive class", said(*joined(stated.positive_values or (), " or "))))
    return lines


def _declared(record: AuditRecord, test: TestRecord) -> Sentence:
    declared = record.data.declared_groups
    pieces: list[Sentence] = []
    for name in test.test.protected_attribute_columns:
        if name in declared:
            values = joined(declared[name][:_LISTED], ", ")
            more = len(declared[name]) - _LISTED
            rest = f" and {formats.count(more)} more" if more > 0 else ""
            pieces.append(said(*joined([name]), ": ", *values, rest, ". "))
        else:
            pieces.append(said(*joined([name]), ": none declared; every value in the data is a group. "))
    return sum(pieces[1:], pieces[0])


def _reference(test: TestRecord) -> Sentence:
    stated = test.test
    if isinstance(stated, MetricParity) and stated.comparison is ComparedWith.OVERALL:
        return said("none: each group is compared with all evaluated rows, and tested against the rest of them")
    best = "with the best value" if isinstance(stated, MetricParity) else "with the highest rate"
    highest = stated.reference_strategy is ReferenceStrategy.HIGHEST
    why = f"chosen as the sufficient group {best}" if highest else "named by the user"
    found = test.finding.reference
    if found is None:
        return said(f"none: the test was not computed ({why})")
    return said(*joined(found), f", {why}")


def _thresholds(view: TestView) -> Sentence:
    texts = [f"{line.measurement} {line.operator} {line.value}" for line in view.thresholds]
    return said(formats.listed(texts))


def _comparisons(test: TestRecord) -> Sentence:
    judged = len(test.finding.judged)
    small = sum(not row.sufficient for row in test.finding.groups)
    stated = test.test
    overall = isinstance(stated, MetricParity) and stated.comparison is ComparedWith.OVERALL
    other = "all evaluated rows" if overall else "the reference"
    text = formats.plural(judged, f"group compared with {other}", f"groups compared with {other}")
    if small:
        text += f"; {formats.plural(small, 'group has', 'groups have')} too few rows to be compared"
    return said(text)


def _correction(test: TestRecord) -> str:
    stated = test.test
    if isinstance(stated, MetricParity):
        if not stated.has_test:
            own = stated.metric.test.value == "none"
            return "none, since the metric has no test" if own else "none, since no significance test was asked for"
    elif stated.significance_test is SignificanceTest.NONE:
        return "none, since no significance test was asked for"
    return f"{test.finding.method.correction}, level {formats.alpha(stated.alpha)}"
