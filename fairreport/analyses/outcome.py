"""Outcome disparity: the judgement, from a tally and the parameters. No row is seen here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from fairreport.analyses.grouping import Label, best_group, is_sufficient, worst_first
from fairreport.analyses.notes import outcome_notes
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import PValueAdjustment, ReferenceStrategy, SignificanceTest
from fairreport.analyses.result import Method, Number, OutcomeFinding, OutcomeGroup, PValue, Skip, SkipCode, Span
from fairreport.stats import contrast, multiplicity, proportion, significance, strata
from fairreport.stats.fisher import fisher_exact
from fairreport.stats.significance import PValues
from fairreport.tables.needs import OutcomeNeeds
from fairreport.tables.sinks import STRATUM_CAP
from fairreport.tables.tally import GroupCount, NoTally, Scan, OutcomeTally

FOUR_FIFTHS = Fraction(4, 5)
SMALLEST_P = 1e-300


def needs(test: OutcomeDisparity) -> OutcomeNeeds:
    """Return what the test needs of the table."""
    return OutcomeNeeds(
        attributes=test.protected_attribute_columns,
        outcome=test.outcome_column,
        favorable_values=test.favorable_values,
        unfavorable_values=test.unfavorable_values or (),
        controls=test.control_columns or (),
    )


def judge(test: OutcomeDisparity, scan: Scan) -> OutcomeFinding:
    """Return what the test finds in the tally of a scan.

    A changed threshold, test, reference or minimum size needs no new scan: call this again.

    Parameters
    ----------
    test : OutcomeDisparity
        The test with its parameters.
    scan : Scan
        Its tally, or the reason why there is none.
    """
    tally = scan.tally
    if isinstance(tally, NoTally):
        attributes = tuple(sorted(test.protected_attribute_columns))
        skip = Skip(code=SkipCode(tally.code.value), reason=tally.detail)
        return OutcomeFinding(
            attributes=attributes, skip=skip, measurements=MappingProxyType({}), method=_method(test)
        )
    plan = _plan(test, tally)
    notes = outcome_notes(test, scan, tally)
    if isinstance(plan, Skip):
        return OutcomeFinding(
            attributes=tally.attributes,
            skip=plan,
            measurements=MappingProxyType({}),
            rows=tally.rows,
            evidence=tally,
            method=_method(test),
            notes=notes,
            spellings=scan.spellings,
        )
    groups = _judge_groups(test, tally, plan)
    omnibus = significance.omnibus_chi_square(
        [g.favorable for g, yes in zip(tally.groups, plan.sufficient, strict=True) if yes],
        [g.n for g, yes in zip(tally.groups, plan.sufficient, strict=True) if yes],
    )
    omnibus_p = None if omnibus is None else _p_value(omnibus.p, omnibus.log10_p)
    return OutcomeFinding(
        attributes=tally.attributes,
        measurements=MappingProxyType(_measure(test, tally, groups, omnibus_p)),
        groups=groups,
        reference=tally.groups[plan.reference].group,
        rows=tally.rows,
        evidence=tally,
        method=_method(test),
        omnibus_log10_p=None if omnibus_p is None else omnibus_p.log10,
        notes=notes,
        spellings=scan.spellings,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Who is judged against whom: positions in the tally's groups."""

    sufficient: tuple[bool, ...]
    reference: int


def _plan(test: OutcomeDisparity, tally: OutcomeTally) -> _Plan | Skip:
    if test.unfavorable_values is not None:
        unlisted = [v.value for v in tally.unmatched if v.value not in test.unfavorable_values]
        if unlisted or tally.n_unmatched_values > len(test.unfavorable_values):
            shown = ", ".join(repr(value) for value in unlisted[:3])
            text = f"column {tally.outcome!r} holds values listed neither as favorable nor as unfavorable: {shown}"
            return Skip(code=SkipCode.UNLISTED_OUTCOME, reason=text)
    if not any(group.favorable for group in tally.groups):
        listed = ", ".join(repr(value) for value in tally.favorable_values)
        return Skip(code=SkipCode.NO_FAVORABLE_ROWS, reason=f"no evaluated row has a favorable outcome ({listed})")
    sufficient = tuple(
        is_sufficient(g.n, tally.rows.evaluated, min_size=test.min_group_size, min_share=test.min_group_share)
        for g in tally.groups
    )
    named = test.reference_strategy is ReferenceStrategy.NAMED
    if named and (skip := _named_skip(test, tally, sufficient)):
        return skip
    judged = [i for i, yes in enumerate(sufficient) if yes]
    if len(judged) < 2:
        text = f"{len(judged)} of {len(tally.groups)} groups have the rows to be judged; at least 2 are needed"
        return Skip(code=SkipCode.TOO_FEW_SUFFICIENT_GROUPS, reason=text)
    if named:
        reference = [g.group for g in tally.groups].index((str(test.reference_value),))
    else:
        rates = [_rate(tally.groups[i]) for i in judged]
        reference = judged[best_group([tally.groups[i] for i in judged], rates)]
    if not tally.groups[reference].favorable:
        label = " / ".join(tally.groups[reference].group)
        text = f"the reference group {label!r} has no favorable outcome, so nothing can be divided by its rate"
        return Skip(code=SkipCode.REFERENCE_RATE_ZERO, reason=text)
    if tally.n_strata is not None and tally.n_strata >= STRATUM_CAP:
        text = f"the control columns have {STRATUM_CAP:,} or more combinations"
        return Skip(code=SkipCode.TOO_MANY_CONTROL_COMBINATIONS, reason=text)
    return _Plan(sufficient=sufficient, reference=reference)


def _named_skip(test: OutcomeDisparity, tally: OutcomeTally, sufficient: Sequence[bool]) -> Skip | None:
    label = (str(test.reference_value),)
    for group, enough in zip(tally.groups, sufficient, strict=True):
        if group.group == label:
            if enough:
                return None
            text = (
                f"the reference group {label[0]!r} has {group.n:,} rows, too few for "
                f"min_group_size {test.min_group_size} and min_group_share {test.min_group_share}"
            )
            return Skip(code=SkipCode.NAMED_REFERENCE_INSUFFICIENT, reason=text)
    return Skip(code=SkipCode.NAMED_REFERENCE_MISSING, reason=f"the reference group {label[0]!r} has no evaluated rows")


def _rate(group: GroupCount) -> Fraction:
    return Fraction(group.favorable, group.n)


def _judge_groups(test: OutcomeDisparity, tally: OutcomeTally, plan: _Plan) -> tuple[OutcomeGroup, ...]:
    groups = tally.groups
    reference = groups[plan.reference]
    tested = [i for i, yes in enumerate(plan.sufficient) if yes and i != plan.reference]
    p_values = _test_pairs(test.significance_test, [groups[i] for i in tested], reference)
    raw = dict(zip(tested, _each(p_values), strict=True)) if p_values else {}
    adjusted = dict(zip(tested, _each(_adjust(test.p_value_adjustment, p_values)), strict=True)) if p_values else {}
    level = 1 - test.alpha
    a, n = [g.favorable for g in groups], [g.n for g in groups]
    b, m = [reference.favorable] * len(groups), [reference.n] * len(groups)
    rates = _spans(proportion.wilson(a, n, level=level))
    ratios = _spans(contrast.koopman_ratio(a, n, b, m, level=level))
    differences = _spans(contrast.newcombe_difference(a, n, b, m, level=level))
    pairs = sum(plan.sufficient) * (sum(plan.sufficient) - 1) // 2
    pooled = _adjusted_figures(tally, tested, reference.group, level)
    threshold = Fraction(str(test.impact_ratio_threshold))
    rows = []
    for i in worst_first(groups, [_rate(g) for g in groups], plan.sufficient):
        group = groups[i]
        compared = i in raw or (plan.sufficient[i] and i != plan.reference)
        significant = i in adjusted and adjusted[i].is_below(test.alpha) and _rate(group) < _rate(reference)
        below = compared and _is_below(group, reference, threshold)
        figures = pooled.get(i, _NO_FIGURES)
        is_reference = i == plan.reference
        rows.append(
            OutcomeGroup(
                group=group.group,
                n=group.n,
                favorable=group.favorable,
                share=group.n / tally.rows.evaluated,
                rate=group.favorable / group.n,
                ratio=contrast.ratio(group.favorable, group.n, reference.favorable, reference.n),
                difference=contrast.difference(group.favorable, group.n, reference.favorable, reference.n),
                rate_interval=rates[i],
                ratio_interval=None if is_reference else ratios[i],
                difference_interval=None if is_reference else differences[i],
                p_value=raw.get(i),
                adjusted_p=adjusted.get(i),
                p_all_pairs=min(1.0, 10.0 ** raw[i].log10 * pairs if raw[i].p is None else raw[i].p * pairs)
                if i in raw
                else None,
                significant=significant,
                four_fifths_flag=compared and _is_below(group, reference, FOUR_FIFTHS),
                failing=below and (significant or not test.require_significance),
                sufficient=plan.sufficient[i],
                is_reference=is_reference,
                adjusted_impact_ratio=figures.ratio,
                adjusted_odds_ratio=figures.odds,
                adjusted_ratio_interval=figures.ratio_interval,
                adjusted_odds_interval=figures.odds_interval,
                strata_used=figures.strata_used,
            )
        )
    return tuple(rows)


def _is_below(group: GroupCount, reference: GroupCount, threshold: Fraction) -> bool:
    return contrast.is_ratio_below(group.favorable, group.n, reference.favorable, reference.n, threshold)


def _test_pairs(
    test: SignificanceTest, groups: Sequence[GroupCount], reference: GroupCount
) -> PValues | None:
    if test is SignificanceTest.NONE:
        return None
    a, n = [g.favorable for g in groups], [g.n for g in groups]
    b, m = [reference.favorable] * len(groups), [reference.n] * len(groups)
    if test is SignificanceTest.FISHER_EXACT:
        return fisher_exact(a, n, b, m)
    if test is SignificanceTest.Z_TEST:
        z = significance.pooled_z(a, n, b, m)
        return PValues(p=z.p, log10_p=z.log10_p)
    chi = significance.chi_square(a, n, b, m, yates=True)
    return PValues(p=chi.p, log10_p=chi.log10_p)


def _adjust(adjustment: PValueAdjustment, p_values: PValues) -> PValues:
    if adjustment is PValueAdjustment.HOLM:
        return multiplicity.holm(p_values.p, p_values.log10_p)
    if adjustment is PValueAdjustment.BENJAMINI_HOCHBERG:
        return multiplicity.benjamini_hochberg(p_values.p, p_values.log10_p)
    return p_values


def _each(p_values: PValues) -> list[PValue]:
    return [_p_value(p, log10) for p, log10 in zip(p_values.p.tolist(), p_values.log10_p.tolist(), strict=True)]


def _p_value(p: float, log10: float) -> PValue:
    return PValue(p=p if p >= SMALLEST_P else None, log10=log10)


def _spans(interval: proportion.Interval) -> list[Span]:
    return [
        Span(low=_defined(low), high=_defined(high))
        for low, high in zip(interval.low.tolist(), interval.high.tolist(), strict=True)
    ]


def _defined(value: float) -> float | None:
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """Mantel-Haenszel figures of one group."""

    ratio: float | None = None
    odds: float | None = None
    ratio_interval: Span | None = None
    odds_interval: Span | None = None
    strata_used: int = 0


_NO_FIGURES = _Figures()


def _adjusted_figures(
    tally: OutcomeTally, tested: Sequence[int], reference: Label, level: float
) -> dict[int, _Figures]:
    if not tally.controls:
        return {}
    by_group: dict[Label, dict[Label, tuple[int, int]]] = {}
    for cell in tally.strata:
        by_group.setdefault(cell.group, {})[cell.stratum] = (cell.favorable, cell.n)
    theirs = by_group.get(reference, {})
    return {i: _pool(by_group.get(tally.groups[i].group, {}), theirs, level) for i in tested}


def _pool(mine: dict[Label, tuple[int, int]], theirs: dict[Label, tuple[int, int]], level: float) -> _Figures:
    shared = [(*mine[stratum], *theirs[stratum]) for stratum in mine if stratum in theirs]
    if not shared:
        return _NO_FIGURES
    a, n, b, m = (list(column) for column in zip(*shared, strict=True))
    ratio = strata.mantel_haenszel_ratio(a, n, b, m, level=level)
    odds = strata.mantel_haenszel_odds_ratio(a, n, b, m, level=level)
    return _Figures(
        ratio=_defined(ratio.value),
        odds=_defined(odds.value),
        ratio_interval=Span(low=_defined(ratio.low), high=_defined(ratio.high)),
        odds_interval=Span(low=_defined(odds.low), high=_defined(odds.high)),
        strata_used=len(shared),
    )


def _measure(
    test: OutcomeDisparity, tally: OutcomeTally, groups: Sequence[OutcomeGroup], omnibus: PValue | None
) -> dict[str, Number | None]:
    sufficient = [row for row in groups if row.sufficient]
    others = [row for row in sufficient if not row.is_reference]
    failing = sum(row.failing for row in groups)
    tested = test.significance_test is not SignificanceTest.NONE
    adjusted = [row.adjusted_impact_ratio for row in others if row.adjusted_impact_ratio is not None]
    odds = [row.adjusted_odds_ratio for row in others if row.adjusted_odds_ratio is not None]
    return {
        "failingGroupCount": failing,
        "failingGroupPercentage": failing / len(sufficient),
        "minImpactRatio": min(row.ratio for row in others if row.ratio is not None),
        "maxRateDifference": max(0.0, *(-row.difference for row in others if row.difference is not None)),
        "fourFifthsViolationCount": sum(row.four_fifths_flag for row in groups),
        "significantDisparityCount": sum(row.significant for row in groups) if tested else None,
        "chiSquarePValue": None if omnibus is None else omnibus.p,
        "insufficientGroupCount": len(groups) - len(sufficient),
        "missingAttributeRate": tally.rows.missing_attribute / tally.rows.with_inputs,
        "minGroupShare": min(row.n for row in groups) / tally.rows.evaluated,
        "adjustedMinImpactRatio": min(adjusted, default=None),
        "adjustedMinOddsRatio": min(odds, default=None),
    }


def _method(test: OutcomeDisparity) -> Method:
    names = {
        PValueAdjustment.NONE: "none",
        PValueAdjustment.HOLM: "Holm given the reference",
        PValueAdjustment.BENJAMINI_HOCHBERG: "Benjamini-Hochberg given the reference",
    }
    return Method(
        test=test.significance_test.value,
        sidedness="two-sided, direction checked separately",
        correction=names[test.p_value_adjustment],
        level=1 - test.alpha,
        rate_interval="Wilson",
        ratio_interval="Koopman score",
        difference_interval="Newcombe hybrid score",
        omnibus="Pearson chi-square over all sufficient groups, Yates-corrected for two groups",
    )
