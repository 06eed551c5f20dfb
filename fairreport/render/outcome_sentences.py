"""Outcome disparity in sentences: the worst finding, how many groups are what, and the key insights."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.insights import Insight, key_insights
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, ReferenceStrategy
from fairreport.analyses.result import OutcomeFinding, OutcomeGroup
from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Counts, Name, Sentence
from fairreport.render.words import FindingWords

_ADJUSTED_BY = {
    PValueAdjustment.NONE: "unadjusted",
    PValueAdjustment.HOLM: "Holm-adjusted",
    PValueAdjustment.BENJAMINI_HOCHBERG: "Benjamini-Hochberg-adjusted",
}


def describe_rate(row: OutcomeGroup) -> str:
    """Return a rate with the counts behind it."""
    return f"{formats.fixed(row.rate)} ({formats.count(row.favorable)} of {formats.count(row.n)})"


def describe_group(record: TestRecord, row: OutcomeGroup, words: FindingWords) -> Sentence:
    """Return one group as a sentence with its numbers."""
    test, finding = record.test, record.finding
    mark = test.impact_ratio_threshold
    rate = describe_rate(row)
    name = joined(row.group)
    if row.is_reference:
        return said(*name, f": rate {rate}; the reference group.")
    text = f": rate {rate}, {formats.fixed(row.ratio, against=[mark])} of the rate of "
    level = formats.level(finding.method.level)
    interval = formats.span(row.ratio_interval, against=[mark])
    parts = [f"{level} interval {interval}"]
    if row.adjusted_p is not None:
        adjusted = formats.p_value(row.adjusted_p, alpha=test.alpha)
        parts.append(f"{_ADJUSTED_BY[test.p_value_adjustment]} p {adjusted}")
    end = f" ({'; '.join(parts)}): {words.word}."
    return said(*name, text, *joined(finding.reference or ()), end)


def count_groups(counts: Counts, threshold: str) -> Sentence:
    """Return how many groups are what, as a sentence."""
    parts = [
        f"{formats.count(counts.below)} below {threshold}",
        f"{formats.count(counts.inconclusive)} inconclusive",
        f"{formats.count(counts.meets)} at or above {threshold}",
    ]
    compared = formats.plural(counts.compared, "comparison", "comparisons")
    small = formats.plural(counts.too_few, "group", "groups")
    return said(f"Of {compared}: {formats.listed(parts)}; not enough data: {small}.")


def insight_sentences(record: TestRecord) -> tuple[Sentence, ...]:
    """Return the key insights of a test as sentences, most important first."""
    return tuple(
        _INSIGHTS[item.kind](record, item)
        for item in key_insights(record.finding)
        if item.kind in _INSIGHTS
    )


def reversal_sentences(record: TestRecord) -> tuple[Sentence, ...]:
    """Return a sentence for each group whose adjusted ratio points the other way than the unadjusted one."""
    found = []
    for row in record.finding.judged:
        ratio, adjusted = row.ratio, row.adjusted_impact_ratio
        if ratio is not None and adjusted is not None and (ratio - 1) * (adjusted - 1) < 0:
            found.append(_reversal(record, row.group, ratio, adjusted))
    return tuple(found)


def within(test: OutcomeDisparity) -> tuple[str | Name, ...]:
    """Return the control columns as pieces of a sentence."""
    return joined(sorted(test.control_columns or ()), " and ")


def _group(item: Insight) -> tuple[str | Name, ...]:
    return joined(item.group or ())


def _counted_rate(item: Insight) -> str:
    return f"{formats.fixed(item['rate'])} ({formats.count(item['favorable'])} of {formats.count(item['n'])})"


def _worst(record: TestRecord, item: Insight) -> Sentence:
    ratio = formats.fixed(item["ratio"], against=[record.test.impact_ratio_threshold])
    gap = formats.fixed(item["difference"])
    return said(f"Lowest ratio {ratio}: ", *_group(item), f", rate {_counted_rate(item)}, difference {gap}.")


def _counts(record: TestRecord, item: Insight) -> Sentence:
    mark = formats.threshold(record.test.impact_ratio_threshold)
    text = f"{formats.plural(item['judged'], 'group', 'groups')} compared with the reference: "
    parts = [f"{formats.count(item['below_threshold'])} failing against {mark}"]
    if mark != "0.80":
        parts.append(f"{formats.count(item['below_four_fifths'])} below four fifths")
    if record.finding.measurements.get("significantDisparityCount") is not None:
        parts.append(f"{formats.count(item['significant'])} with a significantly lower rate")
    if item["insufficient"]:
        parts.append(f"{formats.count(item['insufficient'])} more with not enough data")
    return said(text + ", ".join(parts) + ".")


def _reference(record: TestRecord, item: Insight) -> Sentence:
    highest = record.test.reference_strategy is ReferenceStrategy.HIGHEST
    why = "the highest rate among groups with enough rows" if highest else "named by the user"
    return said("Reference group ", *_group(item), f": rate {_counted_rate(item)}, {why}.")


def _reverses(record: TestRecord, item: Insight) -> Sentence:
    return _reversal(record, item.group or (), item["ratio"], item["adjusted_impact_ratio"])


def _reversal(record: TestRecord, group: tuple[str, ...], ratio: float, adjusted: float) -> Sentence:
    before, after = formats.fixed(ratio, against=[1]), formats.fixed(adjusted, against=[1])
    start = f": ratio {before} over all rows, {after} within "
    return said(*joined(group), start, *within(record.test), "; the direction reverses.")


def _worst_adjusted(record: TestRecord, item: Insight) -> Sentence:
    adjusted, ratio = formats.fixed(item["adjusted_impact_ratio"]), formats.fixed(item["ratio"])
    return said(
        f"Lowest ratio {adjusted} within ",
        *within(record.test),
        ": ",
        *_group(item),
        f", {ratio} over all rows.",
    )


def _missing(_record: TestRecord, item: Insight) -> Sentence:
    missing, rows = item["missing"], item["with_inputs"]
    share = formats.percent(missing / rows)
    return said(
        f"{formats.count(missing)} of {formats.plural(rows, 'row', 'rows')} lack an attribute "
        f"and are left out ({share})."
    )


def _largest_small(_record: TestRecord, item: Insight) -> Sentence:
    return said("Largest group with not enough data: ", *_group(item), f", rate {_counted_rate(item)}.")


_INSIGHTS: dict[str, Callable[[TestRecord, Insight], Sentence]] = {
    "worst_ratio": _worst,
    "counts": _counts,
    "reference": _reference,
    "direction_reverses": _reverses,
    "worst_adjusted": _worst_adjusted,
    "missing_attributes": _missing,
    "largest_insufficient": _largest_small,
}


def method_finding(finding: OutcomeFinding) -> str:
    """Return the intervals of a test in words."""
    method = finding.method
    intervals = f"{method.rate_interval} for rates, {method.ratio_interval} for ratios"
    return f"{formats.level(method.level)} intervals: {intervals}"
