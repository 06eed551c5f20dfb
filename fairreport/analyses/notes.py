"""What a reader should know beside the numbers of a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairreport.analyses.metric_parameters import ComparedWith, MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import (
    DisparityTest,
    PValueAdjustment,
    ReferenceStrategy,
    SignificanceTest,
)
from fairreport.analyses.result import MetricRow, Note
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.tables.needs import Measure
from fairreport.tables.tally import MetricTally, OutcomeTally, Scan, ScoreTally, ShareGroup, Tally

WORDS_FOR_MISSING = {
    "unknown",
    "na",
    "n/a",
    "nan",
    "none",
    "null",
    "missing",
    "not stated",
    "undisclosed",
    "other/unknown",
}
_LISTED = 10


def score_notes(test: ScoreDisparity, scan: Scan, tally: ScoreTally) -> tuple[Note, ...]:
    """Return the notes of a score test, in a fixed order."""
    return (
        *_reference_notes(test, has_test=test.significance_test is not SignificanceTest.NONE),
        *_level_notes(scan, tally),
    )


def metric_notes(test: MetricParity, scan: Scan, tally: MetricTally, rows: Sequence[MetricRow]) -> tuple[Note, ...]:
    """Return the notes of a metric test, in a fixed order."""
    return tuple(_metric_notes(test, scan, tally, rows))


def _metric_notes(test: MetricParity, scan: Scan, tally: MetricTally, rows: Sequence[MetricRow]) -> Iterator[Note]:
    if test.comparison is ComparedWith.REFERENCE:
        yield from _reference_notes(test, has_test=test.has_test)
    else:
        yield from _overall_notes(test, tally)
    yield from _level_notes(scan, tally)
    share = tally.overall
    if isinstance(share, ShareGroup) and not test.metric.needs_positive and share.hits == 0:
        listed = ", ".join(repr(value) for value in tally.positive_values)
        yield Note(
            code="no_positive_values",
            text=f"No evaluated row has a positive value ({listed}): every rate is 0.",
        )
    undefined = [" / ".join(row.group) for row in rows if row.value is None]
    if undefined:
        text = f"{test.metric.label} is not defined in {', '.join(map(repr, undefined[:_LISTED]))}; not compared."
        yield Note(code="undefined_groups", text=text)
    untested = [
        row for row in rows if row.sufficient and not row.is_reference and row.value is not None and not row.p_value
    ]
    if untested and test.has_test and test.metric.measure is Measure.QUANTILE and not tally.pairs:
        text = "The counts for this reference group are not among the evidence; a new scan gives them."
        yield Note(code="needs_scan", text=text)


def _overall_notes(test: MetricParity, tally: MetricTally) -> Iterator[Note]:
    if len(tally.groups) == 2 and test.has_test:
        text = "With two groups, each against the rest is one and the same hypothesis, counted twice."
        yield Note(code="one_hypothesis_twice", text=text)
    if test.p_value_adjustment is PValueAdjustment.BENJAMINI_HOCHBERG:
        text = "Benjamini-Hochberg is not guaranteed under the negative dependence of each group against the rest."
        yield Note(code="false_discovery_rate", text=text)


def outcome_notes(test: OutcomeDisparity, scan: Scan, tally: OutcomeTally) -> tuple[Note, ...]:
    """Return the notes of an outcome test, in a fixed order."""
    return tuple(_outcome_notes(test, scan, tally))


def _outcome_notes(test: OutcomeDisparity, scan: Scan, tally: OutcomeTally) -> Iterator[Note]:
    yield from _reference_notes(test, has_test=test.significance_test is not SignificanceTest.NONE)
    yield from _value_notes(tally)
    yield from _level_notes(scan, tally)
    if tally.rows_without_controls:
        text = f"{tally.rows_without_controls:,} evaluated rows lack a control and leave the adjusted figures only."
        yield Note(code="rows_without_controls", text=text)
    if _is_function_of_outcome(tally):
        text = "In every group all outcomes are favorable or none is: the outcome is a function of the groups."
        yield Note(code="function_of_outcome", text=text)


def _reference_notes(test: DisparityTest, *, has_test: bool) -> Iterator[Note]:
    if test.reference_strategy is ReferenceStrategy.HIGHEST:
        text = (
            "The reference is the best group, chosen from the same data; the p-values do not account "
            "for that choice and are smaller than they would be for a reference named beforehand."
        )
        if has_test:
            yield Note(code="data_chosen_reference", text=text)
        if test.reference_value is not None:
            text = f"reference_value {test.reference_value!r} is not used, because reference_strategy is highest."
            yield Note(code="reference_value_unused", text=text)
    if test.p_value_adjustment is PValueAdjustment.BENJAMINI_HOCHBERG:
        text = (
            "Benjamini-Hochberg limits the expected share of false findings under independence or positive dependence."
        )
        yield Note(code="false_discovery_rate", text=text)


def _value_notes(tally: OutcomeTally) -> Iterator[Note]:
    if not tally.unmatched:
        return
    listed = ", ".join(f"{item.value!r} ({item.n:,})" for item in tally.unmatched)
    rest = tally.n_unmatched_values - len(tally.unmatched)
    more = f" and {rest:,} further values" if rest else ""
    text = f"Outcomes that match no favorable value count as unfavorable: {listed}{more}."
    yield Note(code="unmatched_outcomes", text=text)


def _level_notes(scan: Scan, tally: Tally) -> Iterator[Note]:
    for position, name in enumerate(tally.attributes):
        levels = sorted({group.group[position] for group in tally.groups})
        suspect = [level for level in levels if level.lower() in WORDS_FOR_MISSING]
        if suspect:
            listed = ", ".join(repr(level) for level in suspect)
            one = len(suspect) == 1
            text = (
                f"Column {name!r} has the {'level' if one else 'levels'} {listed}, treated as "
                f"{'a group; list it' if one else 'groups; list them'} under missing_values if "
                f"{'it means' if one else 'they mean'} missing."
            )
            yield Note(code="level_may_mean_missing", text=text)
    for name in scan.rounded:
        text = (
            f"Column {name!r} has whole numbers of 9,007,199,254,740,992 (2^53) or more in size: each is read as the "
            "nearest double-precision number, so that neighbours may be taken as equal."
        )
        yield Note(code="integers_rounded", text=text)
    folded = [f"{s.column} {s.value!r} ({', '.join(map(repr, s.spellings[:_LISTED]))})" for s in scan.spellings]
    if folded:
        more = f" and {len(folded) - _LISTED:,} more" if len(folded) > _LISTED else ""
        listed = "; ".join(folded[:_LISTED])
        text = f"Spellings that differ in white space or number form were taken as one value: {listed}{more}."
        yield Note(code="spellings_folded", text=text)
    for name, values in scan.undeclared:
        listed = ", ".join(repr(value) for value in values)
        text = f"Column {name!r} has values that are not among its declared groups; their rows are left out: {listed}."
        yield Note(code="undeclared_values", text=text)
    for name, values in scan.absent:
        listed = ", ".join(repr(value) for value in values)
        text = f"Declared groups of column {name!r} that have no evaluated row: {listed}."
        yield Note(code="declared_groups_absent", text=text)


def _is_function_of_outcome(tally: OutcomeTally) -> bool:
    mixed = any(0 < group.favorable < group.n for group in tally.groups)
    occurring = {group.favorable > 0 for group in tally.groups}
    return not mixed and len(occurring) > 1
