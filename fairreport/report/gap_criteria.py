"""Scope and criteria of a test of rate gaps: its groups, its rules with their bars, and its error budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairreport.analyses.gap_bounds import Bounds
from fairreport.analyses.gap_parameters import GapInterval, GapRule, RateGaps
from fairreport.audit.record import GapRecord
from fairreport.render import formats
from fairreport.render.gap_sentences import bar_cell
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Line, Name, Sentence
from fairreport.report.gap_words import by_attributes, group_count, rate_in_full
from fairreport.report.worked_row import shown

LISTED = 12
"""Declared groups of an attribute that are named; the others stand in audit.yaml."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCriteria:
    """One rule as it was stated: what is compared, against which bar, with how much of the error budget a group.

    Attributes
    ----------
    rule : Name
        Its id.
    rate, bar, groups, alpha, left_out : str
        As they print.
    by : Sentence
        Its attributes.
    review : Name or None
        Why a person must look even where the figures pass; None where nobody must.
    """

    rule: Name
    rate: str
    by: Sentence
    bar: str
    groups: str
    alpha: str
    left_out: str
    review: Name | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapCriteria:
    """The criteria of one test of rate gaps: what holds for all its rules line by line, and each rule."""

    name: Name
    lines: tuple[Line, ...]
    rules: tuple[RuleCriteria, ...]


def gap_criteria(record: GapRecord, name: Name) -> GapCriteria:
    """Return the criteria of one test of rate gaps."""
    return GapCriteria(
        name=name,
        lines=tuple(Line(term=term, text=text) for term, text in _lines(record.test)),
        rules=tuple(_rule(record.test, rule) for rule in record.test.rules),
    )


def _lines(test: RateGaps) -> Iterator[tuple[str, Sentence]]:
    if test.description:
        yield "Purpose", said(Name.prose(test.description))
    for name, levels in test.attributes.items():
        more = len(levels) - LISTED
        rest = f" and {formats.count(more)} more, in audit.yaml" if more > 0 else ""
        yield "Declared groups", said(*joined([name]), ": ", *joined(levels[:LISTED], ", "), rest)
    for crossing in test.intersections:
        groups = formats.plural(group_count(test, crossing), "group", "groups")
        yield "Declared crossing", said(*joined(crossing, " and "), f": {groups}")
    yield "Label", said(Name.of(test.label), ", 0 or 1: taken as what really happened")
    yield "Prediction", said(Name.of(test.prediction), ", 0 or 1, empty where there was none")
    if test.probability is not None:
        bins = formats.plural(test.calibration_bins, "bin", "bins")
        yield "Probability", said(Name.of(test.probability), f", for calibration over {bins}; it decides no rule")
    yield "Person", _person(test)
    yield "Why these rates and bars", said(Name.prose(test.rationale)) if test.rationale else said("not stated")
    yield "Source of the bars", said(*_source(test))
    level = formats.level(test.confidence_level)
    yield "Confidence", said(f"{level}, that all intervals of a rule hold at once")
    yield "Error budget", said(_budget(test))
    yield "Bounds of a gap", said(_bounds(test))
    yield "Smallest group", said(f"{formats.plural(test.min_cell, 'case', 'cases')} of the rate with a prediction")


def _person(test: RateGaps) -> Sentence:
    if test.unit is None:
        return said("not stated; each case is taken to be a different person")
    return said(Name.of(test.unit), " names each person once")


def _source(test: RateGaps) -> tuple[str | Name, ...]:
    if test.threshold_source is None:
        return ("stated by the user, source not stated",)
    return ("stated by the user, source: ", Name.prose(test.threshold_source))


def _budget(test: RateGaps) -> str:
    looks = formats.plural(test.looks, "look", "looks")
    rules = formats.plural(len(test.rules), "rule", "rules")
    shared = [f"{looks} at the data", *([rules] if test.joint else [])]
    over = f"{shown(1 - test.confidence_level)} over {formats.listed(shared)}: {shown(test.budget)}"
    own = "" if test.joint or len(test.rules) == 1 else "; each rule has its own"
    return f"{over} for a rule{own}. It is divided by the declared groups of the rule, empty ones included"


def _bounds(test: RateGaps) -> str:
    if test.interval is GapInterval.SIMULTANEOUS:
        return "from the intervals of both groups, for all pairs at once"
    return "pair by pair, the error budget divided by the number of pairs"


def _rule(test: RateGaps, rule: GapRule) -> RuleCriteria:
    groups = group_count(test, rule.attribute)
    asked = rule.manual_review
    reason = None if asked is False else "a person must look; no reason was stated" if asked is True else asked
    return RuleCriteria(
        rule=Name.of(rule.id),
        rate=rate_in_full(rule),
        by=by_attributes(rule),
        bar=bar_cell(rule),
        groups=formats.count(groups),
        alpha=shown(Bounds(test, groups).alpha),
        left_out=formats.level(rule.max_left_out),
        review=None if reason is None else Name.prose(reason),
    )
