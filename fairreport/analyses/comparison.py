"""Rates of groups held against the reference's: what outcome and score tests have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from fairreport.analyses.grouping import Label, worst_first
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, SignificanceTest
from fairreport.analyses.remembering import remembered
from fairreport.analyses.result import PValue, Span
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.stats import contrast, multiplicity, proportion, significance
from fairreport.stats.fisher import fisher_exact
from fairreport.stats.significance import PValues
from fairreport.tables.tally import GroupCount

FOUR_FIFTHS = Fraction(4, 5)
SMALLEST_P = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRules:
    """The parameters that decide about rates."""

    test: SignificanceTest
    adjustment: PValueAdjustment
    alpha: float
    threshold: float
    require_significance: bool

    @classmethod
    def of(cls, test: OutcomeDisparity | ScoreDisparity) -> RateRules:
        """Return the rules that a test states."""
        return cls(
            test=test.significance_test,
            adjustment=test.p_value_adjustment,
            alpha=test.alpha,
            threshold=test.impact_ratio_threshold,
            require_significance=test.require_significance,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RateVerdict:
    """What is decided about one group: below its threshold, significantly worse, and failing by the test's rule."""

    below: bool
    significant: bool
    failing: bool


NOT_COMPARED = RateVerdict(below=False, significant=False, failing=False)
"""What is decided about a group that has too few rows, and about the reference itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateComparison:
    """One group's rate held against the reference's; the fields are those of `OutcomeGroup`."""

    group: Label
    n: int
    hits: int
    share: float
    rate: float
    ratio: float | None
    difference: float | None
    rate_interval: Span
    ratio_interval: Span | None
    difference_interval: Span | None
    p_value: PValue | None
    adjusted_p: PValue | None
    p_all_pairs: float | None
    significant: bool
    four_fifths_flag: bool
    failing: bool
    sufficient: bool
    is_reference: bool

    def shared(self) -> dict[str, Any]:
        """Return every field but the hits, which each analysis names in its own words."""
        return {name: getattr(self, name) for name in _SHARED}


_SHARED = tuple(field.name for field in fields(RateComparison) if field.name != "hits")


def rate_of(group: GroupCount) -> Fraction:
    """Return the exact rate of a group."""
    return Fraction(group.favorable, group.n)


def compare_rates(
    groups: Sequence[GroupCount], sufficient: Sequence[bool], reference: int, rules: RateRules, *, evaluated: int
) -> tuple[RateComparison, ...]:
    """Return every group compared with the reference, worst first, insufficient ones last.

    Parameters
    ----------
    groups : sequence of GroupCount
        All groups, in the order of their labels.
    sufficient : sequence of bool
        Which of them are judged.
    reference : int
        Position of the reference among them; its rate is above 0.
    rules : RateRules
        The parameters.
    evaluated : int
        Evaluated rows, of which shares are taken; more than those of the groups where some are withheld.
    """
    theirs = groups[reference]
    tested = [i for i, yes in enumerate(sufficient) if yes and i != reference]
    p_values = _test_pairs(rules.test, tuple(groups[i] for i in tested), theirs)
    raw = dict(zip(tested, each(p_values), strict=True)) if p_values else {}
    adjusted = dict(zip(tested, each(adjust(rules.adjustment, p_values)), strict=True)) if p_values else {}
    rates, ratios, differences = _intervals(tuple(groups), theirs, 1 - rules.alpha)
    pairs = sum(sufficient) * (sum(sufficient) - 1) // 2
    rows = []
    for i in worst_first(groups, [rate_of(g) for g in groups], sufficient):
        group = groups[i]
        is_reference = i == reference
        compared = sufficient[i] and not is_reference
        found = judge_rate(group, theirs, adjusted.get(i), rules) if compared else NOT_COMPARED
        rows.append(
            RateComparison(
                group=group.group,
                n=group.n,
                hits=group.favorable,
                share=group.n / evaluated,
                rate=group.favorable / group.n,
                ratio=contrast.ratio(group.favorable, group.n, theirs.favorable, theirs.n),
                difference=contrast.difference(group.favorable, group.n, theirs.favorable, theirs.n),
                rate_interval=rates[i],
                ratio_interval=None if is_reference else ratios[i],
                difference_interval=None if is_reference else differences[i],
                p_value=raw.get(i),
                adjusted_p=adjusted.get(i),
                p_all_pairs=min(1.0, raw[i].number * pairs) if i in raw else None,
                significant=found.significant,
                four_fifths_flag=compared and _is_below(group, theirs, FOUR_FIFTHS),
                failing=found.failing,
                sufficient=sufficient[i],
                is_reference=is_reference,
            )
        )
    return tuple(rows)


def judge_rate(group: GroupCount, reference: GroupCount, adjusted: PValue | None, rules: RateRules) -> RateVerdict:
    """Return what is decided about a group that is compared with the reference.

    Parameters
    ----------
    group, reference : GroupCount
        Their rows and hits; the reference's rate is above 0.
    adjusted : PValue or None
        The adjusted p-value; None where nothing was tested.
    rules : RateRules
        The parameters.
    """
    is_worse = group.favorable * reference.n < reference.favorable * group.n  # whole numbers: exact
    significant = is_worse and adjusted is not None and adjusted.is_below(rules.alpha)
    below = _is_below(group, reference, Fraction(str(rules.threshold)))
    failing = below and (significant or not rules.require_significance)
    return RateVerdict(below=below, significant=significant, failing=failing)


def _is_below(group: GroupCount, reference: GroupCount, threshold: Fraction) -> bool:
    return contrast.is_ratio_below(group.favorable, group.n, reference.favorable, reference.n, threshold)


@remembered
def _intervals(
    groups: tuple[GroupCount, ...], reference: GroupCount, level: float
) -> tuple[list[Span], list[Span], list[Span]]:
    """Return the intervals of each group's rate, and of its ratio to and difference from the reference's."""
    a, n = [g.favorable for g in groups], [g.n for g in groups]
    b, m = [reference.favorable] * len(groups), [reference.n] * len(groups)
    return (
        spans(proportion.wilson(a, n, level=level)),
        spans(contrast.koopman_ratio(a, n, b, m, level=level)),
        spans(contrast.newcombe_difference(a, n, b, m, level=level)),
    )


@remembered
def _test_pairs(test: SignificanceTest, groups: tuple[GroupCount, ...], reference: GroupCount) -> PValues | None:
    a, n = [g.favorable for g in groups], [g.n for g in groups]
    b, m = [reference.favorable] * len(groups), [reference.n] * len(groups)
    return p_values_of(test, a, n, b, m)


def p_values_of(
    test: SignificanceTest, a: Sequence[int], n: Sequence[int], b: Sequence[int], m: Sequence[int]
) -> PValues | None:
    """Return the two-sided p-values of a of n against b of m, one a pair; None where no test is stated."""
    if test is SignificanceTest.NONE:
        return None
    if test is SignificanceTest.FISHER_EXACT:
        return fisher_exact(a, n, b, m)
    if test is SignificanceTest.Z_TEST:
        z = significance.pooled_z(a, n, b, m)
        return PValues(p=z.p, log10_p=z.log10_p)
    chi = significance.chi_square(a, n, b, m, yates=True)
    return PValues(p=chi.p, log10_p=chi.log10_p)


def adjust(adjustment: PValueAdjustment, p_values: PValues) -> PValues:
    """Return p-values adjusted for the number of comparisons."""
    if adjustment is PValueAdjustment.HOLM:
        return multiplicity.holm(p_values.p, p_values.log10_p)
    if adjustment is PValueAdjustment.BENJAMINI_HOCHBERG:
        return multiplicity.benjamini_hochberg(p_values.p, p_values.log10_p)
    return p_values


def each(p_values: PValues) -> list[PValue]:
    """Return arrays of p-values as records."""
    return [p_value(p, log10) for p, log10 in zip(p_values.p.tolist(), p_values.log10_p.tolist(), strict=True)]


def p_value(p: float, log10: float) -> PValue:
    """Return a p-value as a record: its number down to 1e-300, below only its logarithm; an exact 0 stays 0."""
    if log10 == -math.inf:
        return PValue(p=0.0, log10=None)
    return PValue(p=p if p >= SMALLEST_P else None, log10=log10)


def spans(interval: proportion.Interval) -> list[Span]:
    """Return arrays of interval ends as records."""
    return [
        Span(low=defined(low), high=defined(high))
        for low, high in zip(interval.low.tolist(), interval.high.tolist(), strict=True)
    ]


def defined(value: float) -> float | None:
    """Return a number, None where it is not defined."""
    return value if math.isfinite(value) else None


CORRECTIONS = {
    PValueAdjustment.NONE: "none",
    PValueAdjustment.HOLM: "Holm given the reference",
    PValueAdjustment.BENJAMINI_HOCHBERG: "Benjamini-Hochberg given the reference",
}
