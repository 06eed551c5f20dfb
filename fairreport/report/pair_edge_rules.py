"""What happens at the edges of named pairs: zeros, ties, empty groups, and figures that are not defined."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.pair_parameters import ImpactRatioTest, RateTest
from fairreport.analyses.pair_result import RowTest
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    OddsRatio,
    SegmentedAdverseImpactRatio,
)
from fairreport.report.pair_used import PairUsed
from fairreport.tables.pair_needs import WeightKind

PAIR_RULES: tuple[tuple[Callable[[PairUsed], bool], str], ...] = (
    (
        bool,
        "A pair whose ratio or p-value is not defined has no verdict. It is listed with the reason and counts as "
        "undefined, never as within the threshold.",
    ),
    (
        lambda used: used.has_ratios,
        "A reference rate of 0 gives no ratio; difference and p are stated all the same, and p is 1 where neither "
        "group has a favorable outcome. Koopman’s interval then has a lower end only.",
    ),
    (
        lambda used: used.has_ratios and not used.has_exact_ratios,
        "A rate of 0 leaves the interval of a linearised ratio without ends.",
    ),
    (
        lambda used: used.has_exact_ratios,
        "A group without a favorable outcome has the ratio 0, and its interval begins at 0.",
    ),
    (bool, "A group or a reference without rows is listed, and its pairs are not defined."),
    (
        lambda used: used.has_p_values,
        "p and α within 1e-9 of each other, relatively, are equal, and equal is not below.",
    ),
    (
        lambda used: used.has(RateTest),
        "A ratio, a difference or a p-value that lies on its threshold is not beyond it.",
    ),
    (
        lambda used: used.has(ImpactRatioTest) and not used.is_linearised,
        "Rows that belong to both groups of a pair are tested as if the groups were independent; the packet says so.",
    ),
    (
        lambda used: used.is_linearised,
        "Of a linearised pair the exact figures are left out, each with its reason: Fisher, mid-p, Wilson, Newcombe, "
        "shortfalls in persons, one person moved, the conditional odds ratio. A variance of 0 leaves p undefined.",
    ),
    (
        lambda used: used.is_linearised and not used.weighs(WeightKind.SAMPLING),
        "A pair is linearised where a membership of its group or its reference is neither 0 nor 1 in any row of the "
        "data, in every table alike.",
    ),
    (
        lambda used: used.has(OddsRatio),
        "The odds ratio is not defined where the reference has no outcome of 1, or the group no outcome of 0.",
    ),
    (
        lambda used: used.has(MeanDifferenceTest),
        "A standard deviation of 0 leaves the standardized difference undefined. The pooled t test needs three rows "
        "in the pair, Welch’s two on each side.",
    ),
    (
        lambda used: used.has(AdverseImpactRatioByQuantile),
        "The quantile is taken as given in both directions; p-values are adjusted within one quantile, or over all of "
        "them where that is asked for.",
    ),
    (
        lambda used: used.has(SegmentedAdverseImpactRatio),
        "A segment without one of the two groups is dropped for that pair. One in which all or none are favorable "
        "stays in the pooled ratio, and says nothing in the CMH and Breslow-Day tests; both are listed.",
    ),
    (
        lambda used: used.has(SegmentedAdverseImpactRatio),
        "P-values of segments are adjusted by Benjamini and Hochberg over the segments of one pair, and that decides; "
        "an adjustment that was asked for covers the pooled pairs.",
    ),
    (
        lambda used: RowTest.CMH in used.tests,
        "Where no segment could vary the CMH statistic is not defined and p is 1.",
    ),
    (
        lambda used: used.has(ConfusionRateTest),
        "A group or a reference of which no row counts in the rate has none: the pair is not defined.",
    ),
    (
        lambda used: used.has(CustomDisparityMetric),
        "A draw in which the metric is not defined leaves the interval out, with the reason; such draws are counted.",
    ),
    (
        lambda used: used.has_missing,
        "A row without a membership in a category leaves that category only; it stays in the others.",
    ),
)
