"""How named pairs are compared, for the methods section: each figure with its formula and its source."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.pair_parameters import ImpactRatioTest, RateTest, ShortfallMethod
from fairreport.analyses.pair_result import RowTest
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    ConfusionRateTest,
    CustomDisparityMetric,
    FalseDiscoveryRate,
    FalseNegativeRate,
    FalsePositiveRate,
    MeanDifferenceTest,
    OddsRatio,
    Precision,
    RelativeRate,
    ResidualStandardizedMeanDifference,
    SegmentedAdverseImpactRatio,
    SpreadKind,
    TrueNegativeRate,
    TruePositiveRate,
)
from fairreport.report.pair_used import PairUsed
from fairreport.tables.pair_needs import WeightKind

PairEntry = tuple[Callable[[PairUsed], bool], str, str, str, str]
"""When the line is printed; title, formula, text and source."""

PAIR_INTRO = (
    "A group has a favorable outcomes among n rows, and the reference that was named for it b among m. Where rows are "
    "weighed or memberships are proportions, a, n, b and m are sums of w = membership × weight. z is the two-sided "
    "standard normal quantile of the level."
)

_CONFUSION: tuple[tuple[type[ConfusionRateTest], str, str], ...] = (
    (TruePositiveRate, "True positive rate", "predicted 1 / labelled 1"),
    (TrueNegativeRate, "True negative rate", "predicted 0 / labelled 0"),
    (FalsePositiveRate, "False positive rate", "predicted 1 / labelled 0"),
    (FalseNegativeRate, "False negative rate", "predicted 0 / labelled 1"),
    (Precision, "Precision", "labelled 1 / predicted 1"),
    (FalseDiscoveryRate, "False discovery rate", "labelled 0 / predicted 1"),
)


def _line(kind: type[ConfusionRateTest], title: str, formula: str) -> PairEntry:
    turned = kind.lower_is_better
    ratio = "q / p, difference p − q, since lower is better" if turned else "p / q, difference q − p"
    return (lambda used: used.has(kind), title, formula, f"p of the group, q of the reference; ratio {ratio}.", "")


_COMPARED: tuple[PairEntry, ...] = (
    (
        lambda used: used.has(ImpactRatioTest),
        "Adverse impact ratio (AIR)",
        "p / q = (a / n) / (b / m)",
        "Favorable rate of the group over that of its own reference. The difference is q − p.",
        "",
    ),
    (
        lambda used: used.has(RelativeRate),
        "Relative rate",
        "((n − a) / n) / ((m − b) / m)",
        "Unfavorable rate of the group over that of its reference. The difference is the group’s less the reference’s.",
        "",
    ),
    (
        lambda used: used.has(OddsRatio),
        "Odds ratio",
        "a (m − b) / (b (n − a))",
        "Odds of the outcome 1 in the group over those in its reference, of the sample as it is.",
        "",
    ),
    (
        lambda used: used.has(OddsRatio) and bool(used.tests - {RowTest.LINEARISED}),
        "Conditional odds ratio and exact interval",
        "ψ that makes a the expected count; all ψ with both tails ≥ (1 − level) / 2",
        "Fisher’s noncentral hypergeometric distribution, all margins fixed. The interval has equal tails and the "
        "test has not, so that they can disagree; where they do, the packet says so.",
        "Cornfield (1956), Proceedings of the Third Berkeley Symposium 4, 135–148",
    ),
    (
        lambda used: used.has(MeanDifferenceTest),
        "Standardized mean difference (SMD)",
        "(mean of the group − mean of the reference) / s",
        "On its natural scale: 0.30 is three tenths of a standard deviation.",
        "Cohen (1988), Statistical Power Analysis, 2nd ed., section 2.2",
    ),
    (
        lambda used: used.spreads(SpreadKind.POPULATION),
        "Standard deviation, population",
        "s² = Σ w (x − mean)² / Σ w",
        "Over all rows with a weight and a known membership in the category.",
        "",
    ),
    (
        lambda used: used.spreads(SpreadKind.POOLED),
        "Standard deviation, pooled",
        "s² = Σ w (x − own mean)² / (W + V) × N / (N − 2)",
        "Over both groups of the pair, W and V their weights, N their rows; without weights the usual one.",
        "",
    ),
    (
        lambda used: used.has(ResidualStandardizedMeanDifference),
        "Residual",
        "label − prediction",
        "What happened less what was predicted, row by row; below 0 where the prediction was too high.",
        "",
    ),
    (
        lambda used: used.has(AdverseImpactRatioByQuantile),
        "Cutoff at a quantile",
        "type 7: linear between the sorted scores at 1 + (N − 1) q",
        "Over all rows with a weight, whatever their membership; a score on the cutoff is favorable. Frequency weights "
        "repeat rows; of sampling weights row i stands at (S − w) / (W − w of the last), S the sum up to it.",
        "Hyndman and Fan (1996), The American Statistician 50, 361–365",
    ),
    (
        lambda used: used.has(CategoricalAdverseImpactRatio),
        "Rate of a category",
        "rows of this category or a better one / n",
        "From the best category down to the second worst; at the worst everyone is favorable.",
        "",
    ),
    *(_line(*item) for item in _CONFUSION),
    (
        lambda used: used.has(CustomDisparityMetric),
        "Metric of the user’s own",
        "metric(labels, predictions), group by group",
        "Difference and ratio are turned so that above 0, and below 1, is worse. The interval runs between percentiles "
        "of draws with replacement within each group, from a stated seed. The function itself is not in this packet.",
        "Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3",
    ),
    (
        lambda used: used.has(RateTest),
        "Practically significant",
        "ratio beyond its threshold, difference above its threshold, p < α: all three, each strictly",
        "p is the adjusted one where an adjustment is asked for. Everything is decided on whole numbers and on the "
        "thresholds as written; weighted figures within 1e-9 of each other, relatively, are equal.",
        "",
    ),
    (
        lambda used: used.has(MeanDifferenceTest),
        "Practically significant, of means",
        "SMD beyond its threshold, p < α",
        "The sign of the threshold is the direction that is worse.",
        "",
    ),
)

_INFERENCE: tuple[PairEntry, ...] = (
    (
        lambda used: bool(used.tests & {RowTest.FISHER, RowTest.CHI_SQUARE}) and used.has(RateTest),
        "Which test of rates",
        "Fisher’s exact test where min(a, n − a, b, m − b and what is expected of each) ≤ max_for_fishers",
        "Above it the chi-square test with Yates’s correction. Each row says which was made. Rates of right and wrong "
        "predictions are always tested by Fisher’s.",
        "",
    ),
    (
        lambda used: RowTest.POOLED_T in used.tests,
        "Pooled t test",
        "t = difference of means / (s √(1/n + 1/m)), n + m − 2 degrees of freedom",
        "Two-sided, s the pooled standard deviation.",
        "Student (1908), Biometrika 6, 1–25",
    ),
    (
        lambda used: used.is_linearised,
        "Linearised variance of a rate or mean",
        "v = Σ w² (y − p)² / (Σ w)²",
        "w is membership × weight, y the outcome. Multiplying all weights by a constant changes nothing.",
        "Särndal, Swensson and Wretman (1992), Model Assisted Survey Sampling, section 5.7",
    ),
    (
        lambda used: used.is_linearised,
        "Covariance of overlapping groups",
        "c = Σ w u (y − p)(y − q) / (Σ w Σ u)",
        "u is the weight in the reference; 0 where no row belongs to both.",
        "",
    ),
    (
        lambda used: used.is_linearised,
        "Linearised z test",
        "z = (p − q) / √(v of the group + v of the reference − 2 c)",
        "Two-sided, normal. It stands in the place of exact tests under sampling weights and for memberships that are "
        "proportions.",
        "",
    ),
    (
        lambda used: used.is_linearised and used.has_ratios,
        "Interval of a linearised ratio",
        "ratio × exp(± z √(v / p² + v′ / q² − 2 c / (p q)))",
        "The delta method on the logarithm; v and v′ are the variances of both rates.",
        "Särndal, Swensson and Wretman (1992), section 5.5",
    ),
    (
        lambda used: used.is_linearised and used.has(OddsRatio),
        "Interval of a linearised odds ratio",
        "odds ratio × exp(± z √(v / (p (1 − p))² + v′ / (q (1 − q))² − 2 c / (p (1 − p) q (1 − q))))",
        "The delta method on the log odds.",
        "",
    ),
    (
        lambda used: used.is_linearised or used.is_weighed,
        "Effective n",
        "(Σ w)² / Σ w²",
        "Shown; nothing is computed from it.",
        "Kish (1965), Survey Sampling, section 11.7",
    ),
    (
        lambda used: used.weighs(WeightKind.FREQUENCY),
        "Frequency weights",
        "",
        "A weight says how often a row stands, and everything is as if the rows were repeated.",
        "",
    ),
    (
        lambda used: used.counts_up_to(ShortfallMethod.TO_REFERENCE_MEAN),
        "Shortfall, to the reference rate",
        "(q − p) n",
        "Favorable outcomes that the group lacks, where it is practically significant.",
        "",
    ),
    (
        lambda used: used.counts_up_to(ShortfallMethod.TO_COMBINED_MEAN),
        "Shortfall, to the combined rate",
        "((a + b) / (n + m) − p) n",
        "Favorable outcomes that the group lacks, where it is practically significant.",
        "",
    ),
)

_BESIDE: tuple[PairEntry, ...] = (
    (
        lambda used: used.has_beside,
        "Below four-fifths",
        "5 a m < 4 b n",
        "On whole numbers; on weighted totals where there are weights. It decides nothing.",
        "",
    ),
    (
        lambda used: used.has_beside,
        "z, standard deviations",
        "z = (p − q) / √(r (1 − r) (1/n + 1/m)), r = (a + b) / (n + m)",
        "Pooled, without correction; group less reference. Of linearised pairs it is the linearised z.",
        "Fleiss, Levin and Paik (2003), section 3.1",
    ),
    (
        lambda used: used.has_exact_beside,
        "Directional Fisher",
        "Σ P(x) over all x ≤ a",
        "As few favorable outcomes in the group, or fewer, with all margins fixed.",
        "Fisher (1935), JRSS 98, 39–82",
    ),
    (
        lambda used: used.has_exact_beside,
        "Mid-p",
        "Fisher’s p − P(a) / 2",
        "Two-sided and directional.",
        "Lancaster (1961), JASA 56, 223–234",
    ),
    (
        lambda used: used.has_exact_beside,
        "Interval of the difference",
        "Newcombe’s, of q − p",
        "The hybrid of both Wilson intervals, turned so that above 0 the group has the lower rate.",
        "Newcombe (1998), Statistics in Medicine 17, 873–890, method 10",
    ),
    (
        lambda used: used.has_exact_beside,
        "Persons to four-fifths, to parity",
        "smallest whole s ≥ 0 with 5 (a + s) m ≥ 4 b n; with (a + s) m ≥ b n",
        "Further favorable outcomes that the group would need, the reference held fixed.",
        "",
    ),
    (
        lambda used: used.has_exact_beside,
        "One person moved",
        "a + 1 with b − 1, or a − 1 with b + 1, where that is possible",
        "Whether it changes the side of four-fifths.",
        "",
    ),
    (
        lambda used: used.has_beside,
        "Missing memberships at their worst",
        "a m / ((n + u) b) to (a + u) m / ((n + u) b)",
        "All u rows of the category without a membership join the group as unfavorable, then as favorable. One group "
        "at a time, the reference held fixed; not a joint bound.",
        "",
    ),
)

_SEGMENTS: tuple[PairEntry, ...] = (
    (
        lambda used: used.has(SegmentedAdverseImpactRatio),
        "Pooled AIR",
        "Σ (a m / N) / Σ (b n / N), N = n + m",
        "Mantel-Haenszel, over the segments in which both groups occur. The pooled difference is Σ c (q − p) / Σ c "
        "with c = n m / N. The crude AIR is over all rows with a segment.",
        "Mantel and Haenszel (1959), JNCI 22, 719–748",
    ),
    (
        lambda used: used.has_exact_pools,
        "Interval of the pooled AIR",
        "ratio × exp(± z √v), v = Σ (n m (a + b) − a b N) / N² / (Σ a m / N × Σ b n / N)",
        "Greenland and Robins.",
        "Greenland and Robins (1985), Biometrics 41, 55–68",
    ),
    (
        lambda used: used.has_exact_pools,
        "Cochran-Mantel-Haenszel test (CMH)",
        "(Σ (a − n k / N))² / Σ (n m k (N − k) / (N² (N − 1))), k = a + b",
        "One degree of freedom, without continuity correction; it decides. The corrected one beside it takes 0.5 off "
        "the absolute sum, never below 0.",
        "Cochran (1954), Biometrics 10, 417–451; Mantel and Haenszel (1959)",
    ),
    (
        lambda used: used.has_linearised_pools,
        "Linearised pool",
        "v = Σ c² v(p − q) / (Σ c)²; of the log ratio Σ c² (v / A² + v′ / B² − 2 cov / (A B)), A = Σ c p, B = Σ c q",
        "c = n m / N of each segment is held fixed. The pooled odds ratio is a number only.",
        "",
    ),
    (
        lambda used: used.has(SegmentedAdverseImpactRatio),
        "Q, of ratios of rates",
        "Q = Σ (ln ratio − ln pooled ratio)² / v, v = 1/a − 1/n + 1/b − 1/m",
        "Asks whether the segments share one ratio; over the segments where v is defined and above 0, their number "
        "less 1 degrees of freedom.",
        "Cochran (1954), Biometrics 10, 101–129",
    ),
    (
        lambda used: used.has_exact_pools,
        "Pooled odds ratio",
        "Σ (a (m − b) / N) / Σ (b (n − a) / N)",
        "Mantel-Haenszel, with the interval of Robins, Breslow and Greenland.",
        "Robins and others (1986), Biometrics 42, 311–323",
    ),
    (
        lambda used: used.has_exact_pools,
        "Breslow-Day-Tarone, of odds ratios",
        "Σ (a − A)² / V − (Σ (a − A))² / Σ V, A as the pooled odds ratio fits it",
        "Asks whether the segments share one odds ratio. It says nothing of ratios of rates: where these are equal in "
        "every segment its p can still be tiny.",
        "Breslow and Day (1980), Statistical Methods in Cancer Research I, section 4.4; Tarone (1985), Biometrika 72, "
        "91–95",
    ),
)

PAIR_METHODS: tuple[PairEntry, ...] = (*_COMPARED, *_INFERENCE, *_BESIDE, *_SEGMENTS)
