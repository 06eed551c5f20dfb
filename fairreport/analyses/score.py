"""Score disparity: the judgement, from a tally and the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fairreport.analyses.comparison import CORRECTIONS, RateComparison, RateRules, compare_rates, rate_of
from fairreport.analyses.grouping import Label
from fairreport.analyses.notes import score_notes
from fairreport.analyses.parameters import SignificanceTest
from fairreport.analyses.reference import choose_reference, sufficient_groups
from fairreport.analyses.result import Method, Number, ScoreFinding, ScoreRow, Skip, SkipCode
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.stats.moments import Moments, standardized_mean_difference
from fairreport.stats.ranking import Dominance, cliffs_delta, probability_of_superiority
from fairreport.tables.needs import Measure, MeasureNeeds
from fairreport.tables.tally import Comparison, GroupCount, NoTally, Scan, ScoreGroup, ScoreTally


def needs(test: ScoreDisparity) -> MeasureNeeds:
    """Return what the test needs of the table."""

    def choose(tally: ScoreTally) -> Label | None:
        plan = _plan(test, tally)
        return None if isinstance(plan, Skip) else tally.groups[plan.reference].group

    return MeasureNeeds(
        attributes=test.protected_attribute_columns,
        measure=Measure.SCORE,
        numbers=(test.score_column,),
        choose=choose,
    )


def judge(test: ScoreDisparity, scan: Scan, *, reference: Label | None = None) -> ScoreFinding:
    """Return what the test finds in the tally of a scan.

    Parameters
    ----------
    test : ScoreDisparity
        The test with its parameters.
    scan : Scan
        Its tally, or the reason why there is none.
    reference : tuple of str, optional
        Label of the group that is taken for the reference, whatever the test states.
    """
    tally = scan.tally
    if isinstance(tally, NoTally):
        skip = Skip.without(tally)
        attributes = tuple(sorted(test.protected_attribute_columns))
        return ScoreFinding(attributes=attributes, skip=skip, measurements=MappingProxyType({}), method=_method(test))
    if not isinstance(tally, ScoreTally):
        raise TypeError(type(tally).__name__)
    notes = score_notes(test, scan, tally)
    plan = _plan(test, tally, reference)
    if isinstance(plan, Skip):
        return ScoreFinding(
            attributes=tally.attributes,
            skip=plan,
            measurements=MappingProxyType({}),
            rows=tally.rows,
            evidence=tally,
            method=_method(test),
            overall_median=tally.overall_median,
            notes=notes,
            spellings=scan.spellings,
        )
    rows = _rows(test, tally, plan)
    return ScoreFinding(
        attributes=tally.attributes,
        measurements=MappingProxyType(_measure(test, tally, rows)),
        groups=rows,
        reference=tally.groups[plan.reference].group,
        rows=tally.rows,
        evidence=tally,
        method=_method(test),
        overall_median=tally.overall_median,
        notes=notes,
        spellings=scan.spellings,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    counts: tuple[GroupCount, ...]
    sufficient: tuple[bool, ...]
    reference: int


def _plan(test: ScoreDisparity, tally: ScoreTally, held: Label | None = None) -> _Plan | Skip:
    counts = scoring_counts(test, tally)
    sufficient = sufficient_groups(test, counts, tally.rows.evaluated)
    reference = choose_reference(test, counts, sufficient, [rate_of(group) for group in counts], held)
    if isinstance(reference, Skip):
        return reference
    if not counts[reference].favorable:
        side = "above" if test.higher_is_favorable else "below"
        label = " / ".join(counts[reference].group)
        text = (
            f"the reference group {label!r} has no score {side} the overall median {tally.overall_median!r}: too many "
            "scores are tied; where the score has few values, an outcome test with favorable values fits better"
        )
        return Skip(code=SkipCode.REFERENCE_RATE_ZERO, reason=text)
    return _Plan(counts=counts, sufficient=sufficient, reference=reference)


def scoring_counts(test: ScoreDisparity, tally: ScoreTally) -> tuple[GroupCount, ...]:
    """Return the rows of every group, and those beyond the overall median on the favorable side."""
    return tuple(
        GroupCount(group=g.group, n=g.n, favorable=g.above if test.higher_is_favorable else g.below)
        for g in tally.groups
    )


def _rows(test: ScoreDisparity, tally: ScoreTally, plan: _Plan) -> tuple[ScoreRow, ...]:
    rules = RateRules.of(test)
    groups = {group.group: group for group in tally.groups}
    reference = tally.groups[plan.reference]
    compared = {c.group: c for c in tally.comparisons if c.reference == reference.group}
    rates = compare_rates(plan.counts, plan.sufficient, plan.reference, rules, evaluated=tally.rows.evaluated)
    return tuple(_row(row, groups[row.group], reference, compared.get(row.group)) for row in rates)


def _row(row: RateComparison, group: ScoreGroup, reference: ScoreGroup, compared: Comparison | None) -> ScoreRow:
    pairs = compared and Dominance(greater=compared.greater, equal=compared.equal, less=compared.less)
    return ScoreRow(
        scoring=row.hits,
        mean=group.mean,
        median=group.median,
        mean_difference=group.mean - reference.mean,
        median_difference=group.median - reference.median,
        standardized_mean_difference=0.0
        if row.is_reference
        else standardized_mean_difference(_moments(group), _moments(reference)),
        probability_of_superiority=probability_of_superiority(pairs) if pairs else None,
        cliffs_delta=cliffs_delta(pairs) if pairs else None,
        ks_distance=compared.ks_distance if compared else None,
        **row.shared(),
    )


def _moments(group: ScoreGroup) -> Moments:
    return Moments(n=group.n, mean=group.mean, variance=group.variance)


def _measure(test: ScoreDisparity, tally: ScoreTally, rows: Sequence[ScoreRow]) -> dict[str, Number | None]:
    sufficient = [row for row in rows if row.sufficient]
    others = [row for row in sufficient if not row.is_reference]
    failing = sum(row.failing for row in rows)
    sign = -1 if test.higher_is_favorable else 1
    trailing = [row for row in others if sign * row.mean_difference > 0]
    effects = [row.standardized_mean_difference for row in trailing]
    tested = test.significance_test is not SignificanceTest.NONE
    return {
        "failingGroupCount": failing,
        "failingGroupPercentage": failing / len(sufficient),
        "minScoringRateImpactRatio": min(row.ratio for row in others if row.ratio is not None),
        "maxMeanDifference": max(0.0, *(sign * row.mean_difference for row in others)),
        "maxMedianDifference": max(0.0, *(sign * row.median_difference for row in others)),
        "maxStandardizedMeanDifference": None
        if None in effects
        else max([0.0, *(sign * effect for effect in effects if effect is not None)]),
        "significantDisparityCount": sum(row.significant for row in rows) if tested else None,
        "insufficientGroupCount": len(rows) - len(sufficient),
        "missingAttributeRate": tally.rows.missing_attribute / tally.rows.with_inputs,
        "minGroupShare": min(row.n for row in rows) / tally.rows.evaluated,
    }


def _method(test: ScoreDisparity) -> Method:
    return Method(
        test=test.significance_test.value,
        sidedness="two-sided, direction checked separately",
        correction=CORRECTIONS[test.p_value_adjustment],
        level=1 - test.alpha,
        rate_interval="Wilson, given the observed overall median",
        ratio_interval="Koopman score",
        difference_interval="Newcombe hybrid score",
        omnibus="none",
    )
