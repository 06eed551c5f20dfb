"""Rates in sentences: the worst finding, how many groups are what, and the key insights."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.insights import Insight, key_insights
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, ReferenceStrategy
from fairreport.analyses.result import OutcomeFinding, OutcomeGroup, ScoreFinding, ScoreRow
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence
from fairreport.render.words import FindingWords

RateTest = OutcomeDisparity | ScoreDisparity
RateFinding = OutcomeFinding | ScoreFinding
RateRow = OutcomeGroup | ScoreRow

ADJUSTED_BY = {
    PValueAdjustment.NONE: "unadjusted",
    PValueAdjustment.HOLM: "Holm-adjusted",
    PValueAdjustment.BENJAMINI_HOCHBERG: "Benjamini-Hochberg-adjusted",
}


def hits_of(row: RateRow) -> int:
    """Return the numerator of a rate: favorable rows, or scoring ones."""
    return row.favorable if isinstance(row, OutcomeGroup) else row.scoring


def describe_rate(row: RateRow) -> str:
    """Return a rate with the counts behind it."""
    return f"{formats.fixed(row.rate)} ({formats.count(hits_of(row))} of {formats.count(row.n)})"


def describe_group(test: RateTest, found: RateFinding, row: RateRow, words: FindingWords) -> Sentence:
    """Return one group as a sentence with its numbers."""
    mark = test.impact_ratio_threshold
    rate = describe_rate(row)
    name = joined(row.group)
    if row.is_reference:
        return said(*name, f": rate {rate}; the reference group.")
    text = f": rate {rate}, {formats.fixed(row.ratio, against=[mark])} of the rate of "
    interval = formats.span(row.ratio_interval, against=[mark])
    parts = [f"{formats.level(found.method.level)} interval {interval}"]
    if row.adjusted_p is not None:
        adjusted = formats.p_value(row.adjusted_p, alpha=test.alpha)
        parts.append(f"{ADJUSTED_BY[test.p_value_adjustment]} p {adjusted}")
    return said(*name, text, *joined(found.reference or ()), f" ({'; '.join(parts)}): {words.word}.")


def insight_sentences(test: RateTest, found: RateFinding) -> tuple[Sentence, ...]:
    """Return the key insights of a test as sentences, most important first."""
    return tuple(_INSIGHTS[item.kind](test, found, item) for item in key_insights(found) if item.kind in _INSIGHTS)


def reversal_sentences(test: OutcomeDisparity, found: OutcomeFinding) -> tuple[Sentence, ...]:
    """Return a sentence for each group whose adjusted ratio points the other way than the unadjusted one."""
    sentences = []
    for row in found.judged:
        ratio, adjusted = row.ratio, row.adjusted_impact_ratio
        if ratio is not None and adjusted is not None and (ratio - 1) * (adjusted - 1) < 0:
            sentences.append(_reversal(test, row.group, ratio, adjusted))
    return tuple(sentences)


def within(test: RateTest) -> tuple[str | Name, ...]:
    """Return the control columns as pieces of a sentence."""
    return joined(sorted(getattr(test, "control_columns", None) or ()), " and ")


def _group(item: Insight) -> tuple[str | Name, ...]:
    return joined(item.group or ())


def _counted_rate(item: Insight) -> str:
    return f"{formats.fixed(item['rate'])} ({formats.count(_hits(item))} of {formats.count(item['n'])})"


def _hits(item: Insight) -> int:
    names = dict(item.numbers)
    return int(names.get("favorable", names.get("scoring")) or 0)


def _worst(test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    ratio = formats.fixed(item["ratio"], against=[test.impact_ratio_threshold])
    gap = formats.fixed(item["difference"])
    return said(f"Lowest ratio {ratio}: ", *_group(item), f", rate {_counted_rate(item)}, difference {gap}.")


def _counts(test: RateTest, found: RateFinding, item: Insight) -> Sentence:
    mark = formats.threshold(test.impact_ratio_threshold)
    text = f"{formats.plural(item['judged'], 'group', 'groups')} compared with the reference: "
    parts = [f"{formats.count(item['below_threshold'])} failing against {mark}"]
    if mark != "0.80":
        parts.append(f"{formats.count(item['below_four_fifths'])} below four fifths")
    if found.measurements.get("significantDisparityCount") is not None:
        parts.append(f"{formats.count(item['significant'])} with a significantly lower rate")
    if item["insufficient"]:
        parts.append(f"{formats.count(item['insufficient'])} more with not enough data")
    return said(text + ", ".join(parts) + ".")


def _reference(test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    highest = test.reference_strategy is ReferenceStrategy.HIGHEST
    why = "the highest rate among groups with enough rows" if highest else "named by the user"
    return said("Reference group ", *_group(item), f": rate {_counted_rate(item)}, {why}.")


def _reverses(test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    return _reversal(test, item.group or (), item["ratio"], item["adjusted_impact_ratio"])


def _reversal(test: RateTest, group: tuple[str, ...], ratio: float, adjusted: float) -> Sentence:
    before, after = formats.fixed(ratio, against=[1]), formats.fixed(adjusted, against=[1])
    start = f": ratio {before} over all rows, {after} within "
    return said(*joined(group), start, *within(test), "; the direction reverses.")


def _worst_adjusted(test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    adjusted, ratio = formats.fixed(item["adjusted_impact_ratio"]), formats.fixed(item["ratio"])
    return said(
        f"Lowest ratio {adjusted} within ",
        *within(test),
        ": ",
        *_group(item),
        f", {ratio} over all rows.",
    )


def missing_sentence(item: Insight) -> Sentence:
    """Return how many rows lack an attribute."""
    missing, rows = item["missing"], item["with_inputs"]
    of = f"{formats.count(missing)} of {formats.plural(rows, 'row', 'rows')}"
    return said(f"{of} lack an attribute and are left out ({formats.percent(missing / rows)}).")


def _missing(_test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    return missing_sentence(item)


def _largest_small(_test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    return said("Largest group with not enough data: ", *_group(item), f", rate {_counted_rate(item)}.")


def _widest_mean_gap(_test: RateTest, _found: RateFinding, item: Insight) -> Sentence:
    gap = formats.fixed(item["mean_difference"])
    return said("Mean furthest from the reference: ", *_group(item), f", difference of means {gap}.")


_INSIGHTS: dict[str, Callable[[RateTest, RateFinding, Insight], Sentence]] = {
    "worst_ratio": _worst,
    "counts": _counts,
    "reference": _reference,
    "direction_reverses": _reverses,
    "worst_adjusted": _worst_adjusted,
    "widest_mean_gap": _widest_mean_gap,
    "missing_attributes": _missing,
    "largest_insufficient": _largest_small,
}


def intervals_of(finding: RateFinding) -> str:
    """Return the intervals of a test in words."""
    method = finding.method
    intervals = f"{method.rate_interval} for rates, {method.ratio_interval} for ratios"
    return f"{formats.level(method.level)} intervals: {intervals}"
