"""Scope and criteria of a test of named pairs: which group is held against which reference, and by what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.pair_parameters import PairTest, RateTest, ShortfallMethod
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    ResidualStandardizedMeanDifference,
    SegmentedAdverseImpactRatio,
)
from fairreport.audit.record import PairRecord
from fairreport.render import formats
from fairreport.render.pair_view import PairTestView
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Line, Name, Sentence
from fairreport.tables.pair_needs import WeightKind

LISTED = 40
"""Groups of one reference that are named; the others stand in the table of the test and in groups.csv."""

_WEIGHTS = {
    WeightKind.NONE: "none: each row counts once",
    WeightKind.SAMPLING: ", sampling weights: a row stands for others that were not drawn",
    WeightKind.FREQUENCY: ", frequency weights: a row counts as so many rows",
}
_METHOD = ("Compared", "Favorable", "Pooled", "Tests", "P-values", "Intervals")
"""Terms of the method that are criteria as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCriteria:
    """The criteria of one test of named pairs, line by line."""

    name: Name
    lines: tuple[Line, ...]


def pair_criteria(record: PairRecord, view: PairTestView) -> PairCriteria:
    """Return the criteria of one test of named pairs."""
    lines = _lines(record, view)
    return PairCriteria(name=view.name, lines=tuple(Line(term=term, text=text) for term, text in lines))


def _lines(record: PairRecord, view: PairTestView) -> Iterator[tuple[str, Sentence]]:
    test = record.test
    if view.description:
        yield "Purpose", said(view.description)
    yield from _groups(record)
    yield "Why these references", said(view.rationale) if view.rationale else said("not stated")
    yield from _measured(test)
    yield "Weights", _weights(test)
    method = {line.term: line.text for line in view.method}
    yield from ((term, method[term]) for term in _METHOD if term in method)
    yield "Thresholds of a pair", view.rule if record.finding else said("see the parameters in section 11")
    if view.thresholds:
        passes = formats.listed(f"{line.measurement} {line.operator} {line.value}" for line in view.thresholds)
        yield "The test passes where", said(passes)
    yield "Source of the thresholds", said(Name.prose(view.thresholds_origin))
    if record.finding:
        compared = formats.plural(view.counts.compared, "comparison", "comparisons")
        yield "Comparisons", said(f"{compared}, over all tables of the test")
    shortfall = getattr(test, "shortfall_method", None)
    if shortfall is not None:
        to = "the reference rate" if shortfall is ShortfallMethod.TO_REFERENCE_MEAN else "the combined rate of the pair"
        yield "Shortfall", said(f"to {to}, of practically significant groups only")


def _groups(record: PairRecord) -> Iterator[tuple[str, Sentence]]:
    """Yield each reference of each category with the groups that are held against it."""
    test = record.test
    if record.finding is not None:
        first = record.finding.tables[0].rows if record.finding.tables else ()
        found: dict[tuple[str, str], list[str]] = {}
        for row in (*first, *record.finding.pooled):
            if row.reference_group is not None:
                names = found.setdefault((row.group_category, row.reference_group), [])
                if row.group not in names:
                    names.append(row.group)
        for (category, reference), groups in found.items():
            yield "Groups and reference", _pairing(category, reference, groups)
        held = "as values of a column" if test.reference_values else "as columns of memberships from 0 to 1"
        yield "How groups are held", said(f"{held}; the references were named by the user")
    elif test.reference_values:
        for name, value in test.reference_values.items():
            yield "Reference", said(Name.of(name), ": ", Name.of(value))
    else:
        named = (test.protected_groups or (), test.reference_groups or (), test.group_categories or ())
        for group, reference, category in zip(*named, strict=True):
            yield "Groups and reference", _pairing(category, reference, [group])


def _pairing(category: str, reference: str, groups: list[str]) -> Sentence:
    more = len(groups) - LISTED
    rest = f" and {formats.count(more)} more" if more > 0 else ""
    return said(Name.of(category), ": ", *joined(groups[:LISTED], ", "), rest, "; reference ", Name.of(reference))


def _measured(test: PairTest) -> Iterator[tuple[str, Sentence]]:
    if isinstance(test, ResidualStandardizedMeanDifference):
        yield "Residual", said(Name.of(test.label), " less ", Name.of(test.prediction))
    elif isinstance(test, (ConfusionRateTest, CustomDisparityMetric)):
        yield "Prediction", said(Name.of(test.outcome))
        yield "Label", said(Name.of(test.label), ": taken as what really happened")
        if isinstance(test, CustomDisparityMetric):
            yield "Metric", said("the user’s own function ", Name.of(test.measured))
    elif isinstance(test, AdverseImpactRatioByQuantile):
        yield "Score", said(Name.of(test.outcome))
        yield "Quantiles", said(formats.listed(formats.threshold(q) for q in test.quantiles))
    elif isinstance(test, CategoricalAdverseImpactRatio):
        yield "Category", said(Name.of(test.outcome))
        yield "Order, worst first", said(*joined(test.category_order, ", "))
    elif isinstance(test, MeanDifferenceTest):
        yield "Number", said(Name.of(test.measured))
    elif isinstance(test, RateTest):
        yield "Outcome", said(Name.of(test.outcome), ", 0 or 1")
    label = getattr(test, "label", None)
    if label is not None and isinstance(test, RateTest) and not isinstance(test, ConfusionRateTest):
        yield "Labels, shown only", said(Name.of(label))
    if isinstance(test, SegmentedAdverseImpactRatio):
        yield "Segment", said(Name.of(test.segment))


def _weights(test: PairTest) -> Sentence:
    if test.sample_weight is None:
        return said(_WEIGHTS[WeightKind.NONE])
    return said(Name.of(test.sample_weight), _WEIGHTS[test.weights])
