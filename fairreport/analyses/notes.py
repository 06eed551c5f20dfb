"""What a reader should know beside the numbers of a test."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, ReferenceStrategy, SignificanceTest
from fairreport.analyses.result import Note
from fairreport.tables.tally import Scan, OutcomeTally

_WORDS_FOR_MISSING = {"unknown", "na", "n/a", "nan", "none", "null", "missing", "not stated", "undisclosed", "other/unknown"}
_LISTED = 10


def outcome_notes(test: OutcomeDisparity, scan: Scan, tally: OutcomeTally) -> tuple[Note, ...]:
    """Return the notes of an outcome test, in a fixed order."""
    return tuple(_outcome_notes(test, scan, tally))


def _outcome_notes(test: OutcomeDisparity, scan: Scan, tally: OutcomeTally) -> Iterator[Note]:
    yield from _reference_notes(test)
    yield from _value_notes(tally)
    yield from _level_notes(scan, tally)
    if tally.rows_without_controls:
        text = f"{tally.rows_without_controls:,} evaluated rows lack a control column and leave the adjusted figures only."
        yield Note(code="rows_without_controls", text=text)
    if _is_function_of_outcome(tally):
        text = "Every group has only favorable or only unfavorable outcomes: the groups are a function of the outcome."
        yield Note(code="function_of_outcome", text=text)


def _reference_notes(test: OutcomeDisparity) -> Iterator[Note]:
    if test.reference_strategy is ReferenceStrategy.HIGHEST:
        text = (
            "The reference is the group with the highest rate, chosen from the same data; the p-values do not account "
            "for that choice and are smaller than they would be for a reference named beforehand."
        )
        if test.significance_test is not SignificanceTest.NONE:
            yield Note(code="data_chosen_reference", text=text)
        if test.reference_value is not None:
            text = f"reference_value {test.reference_value!r} is not used, because reference_strategy is highest."
            yield Note(code="reference_value_unused", text=text)
    if test.p_value_adjustment is PValueAdjustment.BENJAMINI_HOCHBERG:
        text = "Benjamini-Hochberg limits the expected share of false findings, under independence or positive dependence."
        yield Note(code="false_discovery_rate", text=text)


def _value_notes(tally: OutcomeTally) -> Iterator[Note]:
    if not tally.unmatched:
        return
    listed = ", ".join(f"{item.value!r} ({item.n:,})" for item in tally.unmatched)
    rest = tally.n_unmatched_values - len(tally.unmatched)
    more = f" and {rest:,} further values" if rest else ""
    text = f"Outcomes that match no favorable value count as unfavorable: {listed}{more}."
    yield Note(code="unmatched_outcomes", text=text)


def _level_notes(scan: Scan, tally: OutcomeTally) -> Iterator[Note]:
    for position, name in enumerate(tally.attributes):
        levels = sorted({group.group[position] for group in tally.groups})
        suspect = [level for level in levels if level.lower() in _WORDS_FOR_MISSING]
        if suspect:
            listed = ", ".join(repr(level) for level in suspect)
            text = f"Column {name!r} has the level {listed}, treated as a group; list it under missing_values if it means missing."
            yield Note(code="level_may_mean_missing", text=text)
    folded = [f"{s.column} {s.value!r} ({', '.join(map(repr, s.spellings[:_LISTED]))})" for s in scan.spellings]
    if folded:
        more = f" and {len(folded) - _LISTED:,} more" if len(folded) > _LISTED else ""
        text = f"Spellings that differ in white space or number form were taken as one value: {'; '.join(folded[:_LISTED])}{more}."
        yield Note(code="spellings_folded", text=text)
    for name, values in scan.undeclared:
        listed = ", ".join(repr(value) for value in values)
        text = f"Column {name!r} has values that are not among its declared groups; their rows are left out: {listed}."
        yield Note(code="undeclared_values", text=text)


def _is_function_of_outcome(tally: OutcomeTally) -> bool:
    mixed = any(0 < group.favorable < group.n for group in tally.groups)
    return not mixed and len(tally.groups) > 1 and any(group.favorable for group in tally.groups)
