"""What a rate-gap rule counts, of which groups, and its bounds as the packet prints them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from fairreport.analyses.gap_parameters import GapRule, Rate, RateGaps
from fairreport.render import formats
from fairreport.render.gap_sentences import RATES
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Sentence

_CASES = {
    Rate.ERROR: "all cases",
    Rate.FALSE_POSITIVE: "cases labelled 0",
    Rate.FALSE_NEGATIVE: "cases labelled 1",
    Rate.SELECTION: "all cases",
}
_EVENTS = {
    Rate.ERROR: "prediction other than the label",
    Rate.FALSE_POSITIVE: "predicted 1",
    Rate.FALSE_NEGATIVE: "predicted 0",
    Rate.SELECTION: "predicted 1",
}


def rate_in_full(rule: GapRule) -> str:
    """Return what a rate counts among what.

    Examples
    --------
    >>> rate_in_full(GapRule(id="a", rate="false_negative", attribute="sex", max_group_gap=0.05))
    'false negative rate: predicted 0 among cases labelled 1'
    """
    return f"{RATES[rule.rate]}: {_EVENTS[rule.rate]} among {_CASES[rule.rate]}"


def by_attributes(rule: GapRule) -> Sentence:
    """Return the attributes of a rule as a sentence."""
    return said(*joined(rule.attribute, " and "))


def group_count(test: RateGaps, names: Sequence[str]) -> int:
    """Return how many groups are declared of an attribute or a crossing, empty ones included."""
    return prod(len(test.attributes[name]) for name in names)


def ends(low: float, high: float, bar: float | None = None, *, signed: bool = False) -> str:
    """Return two bounds, not rounded across a bar.

    Examples
    --------
    >>> ends(0.1, 0.2501, 0.25), ends(-0.1, 0.2, signed=True)
    ('0.100–0.2501', '−0.100 to 0.200')
    """
    marks = () if bar is None else (bar, -bar)
    between = " to " if signed else "–"
    return f"{formats.fixed(low, against=marks)}{between}{formats.fixed(high, against=marks)}"
