"""What a test of named pairs takes as given."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_result import PairFinding
from fairreport.analyses.pair_tests import (
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    SegmentedAdverseImpactRatio,
)
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.tables.pair_needs import WeightKind

Statement = tuple[str, str, str, str]

OF_PAIRS = frozenset({"independence", "declared_groups", "p_value_meaning"})
"""Codes of what every kind of test takes as given, in the same words."""


def pair_statements(test: PairTest, finding: PairFinding) -> tuple[Statement, ...]:
    """Return what a test takes as given beside `OF_PAIRS`."""
    return tuple(statement[:4] for statement in _CATALOGUE if statement[4](test, finding))


def _always(_test: PairTest, _finding: PairFinding) -> bool:
    return True


def _compares_ratios(test: PairTest, _finding: PairFinding) -> bool:
    return not isinstance(test, (MeanDifferenceTest, CustomDisparityMetric))


def _is_fractional(_test: PairTest, finding: PairFinding) -> bool:
    return any(note.code == "fractional_membership" for note in finding.notes)


def _is_sampled(_test: PairTest, finding: PairFinding) -> bool:
    return finding.weights is WeightKind.SAMPLING


def _is_repeated(_test: PairTest, finding: PairFinding) -> bool:
    return finding.weights is WeightKind.FREQUENCY


def _loses_memberships(_test: PairTest, finding: PairFinding) -> bool:
    return any(note.code == "missing_membership" for note in finding.notes)


def _is_segmented(test: PairTest, _finding: PairFinding) -> bool:
    return isinstance(test, SegmentedAdverseImpactRatio)


def _holds_against_labels(test: PairTest, _finding: PairFinding) -> bool:
    return isinstance(test, ConfusionRateTest)


def _is_drawn(test: PairTest, _finding: PairFinding) -> bool:
    return isinstance(test, CustomDisparityMetric)


def _is_unadjusted(test: PairTest, finding: PairFinding) -> bool:
    several = sum(row.p_value is not None for table in finding.tables for row in table.rows) > 1
    return several and test.p_value_adjustment is PValueAdjustment.NONE


_CATALOGUE: tuple[tuple[str, str, str, str, Callable[[PairTest, PairFinding], bool]], ...] = (
    (
        "named_pairs",
        "Each group is compared with the reference that the user named for it",
        "The reference groups were chosen by the user and not by the data.",
        "Ratios above 1 are possible, and another reference would give other ratios.",
        _always,
    ),
    (
        "practical_significance",
        "Practically significant means beyond every threshold at once",
        "A group is practically significant where its ratio, its difference and its p-value are all beyond what was "
        "stated.",
        "It is a rule for reading, no legal determination; what is not practically significant can still matter.",
        _always,
    ),
    (
        "four_fifths_beside",
        "The four-fifths flag stands beside and decides nothing",
        "A ratio below 0.80 is a screening indicator; the thresholds of the test decide.",
        "Smaller gaps can matter, and larger ones can come from small numbers: read the intervals and the counts.",
        _compares_ratios,
    ),
    (
        "labels_as_truth",
        "Labels are taken as ground truth",
        "What really happened is taken from the label column as it stands.",
        "An error in the labels that touches one group more than another moves its rates.",
        _holds_against_labels,
    ),
    (
        "proxy_membership",
        "Memberships may be proportions",
        "Rates from proxy probabilities are right on average only if outcome and membership are independent given the "
        "proxy.",
        "Where they are not, the error of a rate can have either sign.",
        _is_fractional,
    ),
    (
        "sampling_weights",
        "Weights are those of a sample",
        "Variances are linearised; weights are taken as known, strata and clusters of the design are not used.",
        "Where rows were drawn in clusters, intervals are too narrow.",
        _is_sampled,
    ),
    (
        "frequency_weights",
        "Weights say how often a row stands",
        "Each row counts as so many rows that were decided independently of each other.",
        "Where the rows behind a count are not independent, p-values are too small.",
        _is_repeated,
    ),
    (
        "missing_membership",
        "Rows without a membership leave that category",
        "A row that is in no group of a category is not compared there; it stays in other categories.",
        "The bounds beside each ratio show what the missing memberships could change, one group at a time.",
        _loses_memberships,
    ),
    (
        "segments_alike",
        "A pooled figure takes the segments to share one ratio",
        "Mantel-Haenszel figures pool the segments where both groups occur; whether they share one ratio is tested "
        "beside.",
        "Where segments differ, the pooled figure hides the difference; each segment stands for itself in the table.",
        _is_segmented,
    ),
    (
        "bootstrap",
        "Intervals come from a bootstrap",
        "Rows are drawn with replacement within each group, from a stated seed.",
        "With few rows in a group the interval is rough; another seed gives slightly other limits.",
        _is_drawn,
    ),
    (
        "unadjusted_pairs",
        "P-values are not adjusted for the number of pairs",
        "Each pair is tested by itself.",
        "Among many pairs some are significant by chance: at level 0.05 about one in twenty.",
        _is_unadjusted,
    ),
)
