"""Metric parity in sentences: a group with its numbers, and the key insights."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.insights import Insight, key_insights
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.result import MetricFinding, MetricRow
from fairreport.render import formats
from fairreport.render.metric_axis import digits_of
from fairreport.render.rate_sentences import ADJUSTED_BY, missing_sentence
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence
from fairreport.render.words import FindingWords

NO_MEANING = "not a meaningful ratio, read the gap"
"""Printed for a negative ratio."""
READ_THE_GAP = "read the gap"
"""The same in a cell."""


def ratio_text(test: MetricParity, row: MetricRow) -> str:
    """Return the ratio of a group as a cell; where it is negative, where to look instead."""
    if row.ratio is not None and row.ratio < 0:
        return READ_THE_GAP
    return formats.fixed(row.ratio, against=[test.min_ratio])


def judged_text(test: MetricParity, row: MetricRow, words: FindingWords, digits: int) -> str:
    """Return the number that a finding is about, with its name; nothing where no number is judged."""
    if not row.sufficient or row.is_reference or row.value is None:
        return ""
    if words.by_gap:
        return f"gap {gap_text(test, row, digits)}"
    if row.ratio is not None and row.ratio < 0:
        return "ratio negative"
    return "" if row.ratio is None else f"ratio {ratio_text(test, row)}"


def gap_text(test: MetricParity, row: MetricRow, digits: int) -> str:
    """Return the gap of a group, never rounded across its limit."""
    return formats.fixed(row.gap, digits, against=() if test.max_difference is None else (test.max_difference,))


def describe_group(
    test: MetricParity, found: MetricFinding, row: MetricRow, words: FindingWords, digits: int
) -> Sentence:
    """Return one group as a sentence with its numbers, values of the metric with so many decimals."""
    value = f"{test.metric.label} {formats.fixed(row.value, digits)} (n {formats.count(row.n)})"
    name = joined(row.group)
    if row.is_reference:
        return said(*name, f": {value}; the reference group.")
    if row.value is None:
        return said(*name, f": {value}; {words.word}, not compared.")
    judged = judged_text(test, row, words, digits)
    parts = []
    if words.by_gap and row.ratio is not None and row.ratio >= 0:
        parts.append(f"ratio {ratio_text(test, row)}")
    if row.worse and not words.by_gap:
        parts.append(f"gap {gap_text(test, row, digits)}")
    if row.ratio is not None and row.ratio < 0:
        parts.append(NO_MEANING)
    if row.adjusted_p is not None:
        p = formats.p_value(row.adjusted_p, alpha=test.alpha)
        no_p = p == formats.NO_VARIATION
        parts.append(f"{p} within the groups" if no_p else f"{ADJUSTED_BY[test.p_value_adjustment]} p {p}")
    point = formats.fixed(found.comparison_value, digits)
    beside = f" ({'; '.join(parts)})" if parts else ""
    end = f", {point}{beside}: {f'{judged}, ' if judged else ''}{words.word}."
    if found.reference is None:
        return said(*name, f": {value}, all evaluated rows{end}")
    return said(*name, f": {value}, reference ", *joined(found.reference), end)


def insight_sentences(test: MetricParity, found: MetricFinding) -> tuple[Sentence, ...]:
    """Return the key insights of a test as sentences, most important first."""
    digits = digits_of(found)
    return tuple(_INSIGHTS[item.kind](test, item, digits) for item in key_insights(found) if item.kind in _INSIGHTS)


def _group(item: Insight) -> tuple[str | Name, ...]:
    return joined(item.group or ())


def _widest(test: MetricParity, item: Insight, digits: int) -> Sentence:
    numbers = f", {test.metric.label} {formats.fixed(item['value'], digits)}, n {formats.count(item['n'])}."
    return said(f"Widest gap {formats.fixed(item['gap'], digits)}: ", *_group(item), numbers)


def _counts(_test: MetricParity, item: Insight, _digits: int) -> Sentence:
    parts = [f"{formats.count(item['worse'])} worse", f"{formats.count(item['failing'])} failing"]
    if item["undefined"]:
        parts.append(f"{formats.count(item['undefined'])} where the metric is not defined")
    if item["insufficient"]:
        parts.append(f"{formats.count(item['insufficient'])} more with not enough data")
    return said(f"{formats.plural(item['judged'], 'group', 'groups')} compared: {', '.join(parts)}.")


def _best(test: MetricParity, item: Insight, digits: int) -> Sentence:
    return said("Best group: ", *_group(item), f", {test.metric.label} {formats.fixed(item['value'], digits)}.")


def _overall(test: MetricParity, item: Insight, digits: int) -> Sentence:
    return said(f"Over all evaluated rows the {test.metric.label} is {formats.fixed(item['overall'], digits)}.")


def _missing(_test: MetricParity, item: Insight, _digits: int) -> Sentence:
    return missing_sentence(item)


def _largest_small(_test: MetricParity, item: Insight, _digits: int) -> Sentence:
    return said("Largest group with not enough data: ", *_group(item), f", n {formats.count(item['n'])}.")


_INSIGHTS: dict[str, Callable[[MetricParity, Insight, int], Sentence]] = {
    "widest_gap": _widest,
    "metric_counts": _counts,
    "best_group": _best,
    "overall_value": _overall,
    "missing_attributes": _missing,
    "largest_insufficient": _largest_small,
}
