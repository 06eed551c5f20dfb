"""How a test of named pairs was made: its method, where its rows went, what weights mean."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.analyses.pair_parameters import ImpactRatioTest, PairTest, RateTest, ShortfallMethod
from fairreport.analyses.pair_result import PairFinding, RowTest
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    OddsRatio,
    RelativeRate,
    ResidualStandardizedMeanDifference,
    SegmentedAdverseImpactRatio,
    SpreadKind,
)
from fairreport.audit.record import PairRecord
from fairreport.render import formats, record_lines
from fairreport.render.pair_sentences import rule_sentence
from fairreport.render.pair_tables import PairPrinter
from fairreport.render.phrases import Line, Name, Sentence
from fairreport.render.rate_sentences import ADJUSTED_BY
from fairreport.render.record_lines import joined, said
from fairreport.tables.pair_needs import WeightKind

_CONFUSION = {
    "true_positive_rate": "positive predictions among positive labels",
    "true_negative_rate": "negative predictions among negative labels",
    "false_positive_rate": "positive predictions among negative labels",
    "false_negative_rate": "negative predictions among positive labels",
    "precision": "positive labels among positive predictions",
    "false_discovery_rate": "negative labels among positive predictions",
}


def method_lines(record: PairRecord, printer: PairPrinter) -> tuple[Line, ...]:
    """Return how the numbers were made."""
    lines = [Line(term=term, text=said(text)) for term, text in _lines(record.test, printer.finding)]
    lines.insert(1, Line(term="Verdict", text=rule_sentence(printer)))
    if record.test.threshold_source:
        origin = record_lines.thresholds_origin(record)
        lines.append(Line(term="Source of the threshold", text=said(Name.prose(origin))))
    return tuple(lines)


def call(record: PairRecord) -> str:
    """Return the Python call that makes a test, as a method of an audit; a metric of the user's own by its name."""
    text = record_lines.call(record, ())
    if isinstance(record.test, CustomDisparityMetric) and record.test.measured.isidentifier():
        name = record.test.measured
        return text.replace(f"metric={name!r}", f"metric={name}", 1)
    return text


def _lines(test: PairTest, finding: PairFinding) -> Iterator[tuple[str, str]]:
    yield "Compared", _compared(test)
    yield from _levels(test)
    tested = _tests(test, finding)
    if tested:
        yield "Tests", tested
    yield "P-values", _adjustment(test)
    yield "Intervals", _intervals(test, finding)
    if isinstance(test, ImpactRatioTest) and test.shortfall_method is not None:
        mean = test.shortfall_method is ShortfallMethod.TO_REFERENCE_MEAN
        to = "the rate of the reference" if mean else "the rate of group and reference together"
        yield "Shortfall", f"favorable outcomes that the group lacks to {to}, only where practically significant"
    if any(getattr(row, "beside", None) for table in finding.tables for row in table.rows):
        yield (
            "Beside each AIR",
            "persons to four-fifths and to parity with the reference held fixed; one person moved, the total of "
            "favorable outcomes the same; missing memberships at their worst, one group at a time, the reference "
            "fixed: not a joint bound",
        )


def _compared(test: PairTest) -> str:
    match test:
        case RelativeRate():
            return "unfavorable rate of each group over that of its own reference"
        case OddsRatio():
            return (
                "odds of each group over those of its reference: of the sample, and by conditional maximum likelihood"
            )
        case MeanDifferenceTest():
            of = "residuals, label less prediction" if isinstance(test, ResidualStandardizedMeanDifference) else "means"
            sd = "all evaluated rows" if test.sd is SpreadKind.POPULATION else "the pair, pooled"
            return f"{of}: group less reference, divided by the standard deviation of {sd}"
        case ConfusionRateTest():
            turned = "reference over group" if test.lower_is_better else "group over reference"
            return f"{_CONFUSION[test.analysis]}; ratio: {turned}, so that below 1 is worse"
        case CustomDisparityMetric():
            better = "a smaller value is better" if test.lower_is_better else "a larger value is better"
            return f"the metric by itself in each group; {better}, ratio and difference are turned accordingly"
    return "favorable rate of each group over that of its own reference (adverse impact ratio, AIR)"


def _levels(test: PairTest) -> Iterator[tuple[str, str]]:
    match test:
        case AdverseImpactRatioByQuantile():
            side = "at or below" if test.lower_is_favorable else "at or above"
            yield "Favorable", f"a score {side} the quantile of all scores (type 7), ties with the cutoff included"
        case CategoricalAdverseImpactRatio():
            yield "Favorable", "this category or a better one, from the best down to the second worst"
        case SegmentedAdverseImpactRatio():
            yield (
                "Pooled",
                "Mantel-Haenszel over the segments where both groups occur; Cochran-Mantel-Haenszel test without "
                "continuity correction, the corrected one beside it; Q for one ratio of rates, Breslow-Day-Tarone for "
                "one odds ratio",
            )


def _tests(test: PairTest, finding: PairFinding) -> str:
    if isinstance(test, CustomDisparityMetric):
        return ""
    used = {row.test for table in finding.tables for row in table.rows if row.test is not None}
    parts = []
    if isinstance(test, ConfusionRateTest) and RowTest.FISHER in used:
        parts.append("Fisher's exact test on the rows that the rate is of")
    elif isinstance(test, RateTest) and used & {RowTest.FISHER, RowTest.CHI_SQUARE}:
        limit = formats.amount(test.max_for_fishers)
        parts.append(f"Fisher's exact test where the smallest cell is at most {limit}, else chi-square with Yates")
    if RowTest.POOLED_T in used:
        parts.append("t-test with pooled variance")
    if RowTest.WELCH_T in used:
        parts.append("Welch's t-test")
    if RowTest.LINEARISED in used:
        parts.append("linearised z-test with the covariance of overlapping groups")
    told = "; ".join(parts)
    return f"{told}; two-sided, level {formats.alpha(test.alpha)}" if told else ""


def _adjustment(test: PairTest) -> str:
    if isinstance(test, CustomDisparityMetric):
        return "none; significant where the bootstrap interval of the difference is above 0"
    named = ADJUSTED_BY[test.p_value_adjustment]
    if isinstance(test, SegmentedAdverseImpactRatio):
        return f"pooled pairs {named}; segments Benjamini-Hochberg-adjusted over the segments of a pair"
    if isinstance(test, AdverseImpactRatioByQuantile) and test.adjust_over_quantiles:
        method = "Holm-adjusted" if named == "unadjusted" else named
        return f"{method} over all quantiles together"
    return f"{named}, over the pairs of a table"


def _intervals(test: PairTest, finding: PairFinding) -> str:
    level = formats.level(test.confidence_level)
    used = {row.test for table in finding.tables for row in table.rows if row.test is not None}
    linearised, exact = RowTest.LINEARISED in used, bool(used - {RowTest.LINEARISED})
    if isinstance(test, CustomDisparityMetric):
        return f"{level}, percentiles of {formats.count(test.draws)} bootstrap draws, seed {test.seed}"
    if isinstance(test, (MeanDifferenceTest, ConfusionRateTest)):
        return "none"
    delta = "delta method on the logarithm of the ratio"
    if isinstance(test, OddsRatio):
        parts = ["exact given the margins"] if exact else []
    else:
        parts = ["Wilson for rates, Koopman for ratios, Newcombe for differences"] if exact else []
        parts += ["Greenland-Robins for pooled ratios"] if exact and finding.pooled else []
    if linearised:
        parts.append(f"where linearised the {delta}" if parts else delta)
    return f"{level}: {'; '.join(parts)}" if parts else "none"


def weight_sentences(finding: PairFinding) -> tuple[Sentence, ...]:
    """Return what weights and proportional memberships mean for the figures."""
    found = []
    if finding.weights is WeightKind.SAMPLING:
        found.append(
            said("Sampling weights: n and counts are sums of weights; tests and intervals are linearised, not exact.")
        )
    if finding.weights is WeightKind.FREQUENCY:
        found.append(said("Frequency weights: each row counts as so many rows, the tests as without weights."))
    groups = _fractional(finding)
    if groups:
        found.append(
            said(
                "Memberships are proportions in ",
                *joined(groups[:3], ", "),
                f" and {formats.count(len(groups) - 3)} more" if len(groups) > 3 else "",
                ": pairs with them are linearised, and rates are right on average only if outcome and membership are "
                "independent given the proxy.",
            )
        )
    return tuple(found)


def _fractional(finding: PairFinding) -> list[str]:
    tally = finding.evidence
    if tally is None:
        return []
    return [name for name, part in zip(tally.plan.groups, tally.fractional, strict=True) if part]


def flow_lines(finding: PairFinding) -> tuple[Line, ...]:
    """Return the way from the rows of the table to those that are evaluated."""
    rows = finding.rows
    lines = [("Rows of the table", formats.count(rows.total))]
    if rows.missing_weight:
        lines.append(("Left out: no weight", formats.count(rows.missing_weight)))
    if rows.missing_segment:
        lines.append(("Left out: no segment", formats.count(rows.missing_segment)))
    found = [Line(term=term, text=said(text)) for term, text in lines]
    categories: dict[str, tuple[int, float]] = {}
    for row in (row for table in finding.tables for row in table.rows):
        if finding.rows.missing_segment is None:
            categories[row.group_category] = (row.observations, row.percent_missing)
    for name, (n, missing) in categories.items():
        without = f" ({formats.percent(missing)} without a membership)" if missing else ""
        found.append(Line(term="Evaluated", text=said(Name.of(name), f": {formats.count(n)}{without}")))
    return tuple(found)
