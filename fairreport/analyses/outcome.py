"""Outcome disparity: the judgement, from a tally and the parameters. No row is seen here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fairreport.analyses.comparison import CORRECTIONS, RateRules, compare_rates, defined, p_value, rate_of
from fairreport.analyses.grouping import Label
from fairreport.analyses.notes import outcome_notes
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import SignificanceTest
from fairreport.analyses.reference import choose_reference, sufficient_groups
from fairreport.analyses.result import (
    Method,
    Number,
    OutcomeFinding,
    OutcomeGroup,
    PValue,
    Skip,
    SkipCode,
    Span,
)
from fairreport.errors import nearest
from fairreport.stats import significance, strata
from fairreport.tables.needs import OutcomeNeeds
from fairreport.tables.sinks import STRATUM_CAP
from fairreport.tables.tally import NoTally, OutcomeTally, Scan


def needs(test: OutcomeDisparity) -> OutcomeNeeds:
    """Return what the test needs of the table."""
    return OutcomeNeeds(
        attributes=test.protected_attribute_columns,
        outcome=test.outcome_column,
        favorable_values=test.favorable_values,
        unfavorable_values=test.unfavorable_values or (),
        controls=test.control_columns or (),
    )


def judge(test: OutcomeDisparity, scan: Scan, *, reference: Label | None = None) -> OutcomeFinding:
    """Return what the test finds in the tally of a scan.

    A changed threshold, test, reference or minimum size needs no new scan: call this again.

    Parameters
    ----------
    test : OutcomeDisparity
        The test with its parameters.
    scan : Scan
        Its tally, or the reason why there is none.
    reference : tuple of str, optional
        Label of the group that is taken for the reference, whatever the test states.
    """
    tally = scan.tally
    if isinstance(tally, NoTally):
        attributes = tuple(sorted(test.protected_attribute_columns))
        skip = Skip.without(tally)
        return OutcomeFinding(attributes=attributes, skip=skip, measurements=MappingProxyType({}), method=_method(test))
    if not isinstance(tally, OutcomeTally):
        raise TypeError(type(tally).__name__)
    plan = _plan(test, tally, reference)
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
    omnibus_p = None if omnibus is None else p_value(omnibus.p, omnibus.log10_p)
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


def _plan(test: OutcomeDisparity, tally: OutcomeTally, held: Label | None) -> _Plan | Skip:
    if test.unfavorable_values is not None:
        unlisted = [v.value for v in tally.unmatched if v.value not in test.unfavorable_values]
        if unlisted or tally.n_unmatched_values > len(test.unfavorable_values):
            shown = ", ".join(repr(value) for value in unlisted[:3])
            text = f"column {tally.outcome!r} holds values listed neither as favorable nor as unfavorable: {shown}"
            return Skip(code=SkipCode.UNLISTED_OUTCOME, reason=text)
    if not any(group.favorable for group in tally.groups):
        return Skip(code=SkipCode.NO_FAVORABLE_ROWS, reason=_none_favorable(tally))
    sufficient = sufficient_groups(test, tally.groups, tally.rows.evaluated)
    reference = choose_reference(test, tally.groups, sufficient, [rate_of(group) for group in tally.groups], held)
    if isinstance(reference, Skip):
        return reference
    if not tally.groups[reference].favorable:
        label = " / ".join(tally.groups[reference].group)
        text = f"the reference group {label!r} has no favorable outcome, so nothing can be divided by its rate"
        return Skip(code=SkipCode.REFERENCE_RATE_ZERO, reason=text)
    if tally.n_strata is not None and tally.n_strata >= STRATUM_CAP:
        text = f"the control columns have {STRATUM_CAP:,} or more combinations"
        return Skip(code=SkipCode.TOO_MANY_CONTROL_COMBINATIONS, reason=text)
    return _Plan(sufficient=sufficient, reference=reference)


def _none_favorable(tally: OutcomeTally) -> str:
    """Say which favorable values were looked for, what the column holds, and the nearest of these."""
    wanted = ", ".join(repr(value) for value in tally.favorable_values)
    held = [item.value for item in tally.unmatched]
    more = " and more" if tally.n_unmatched_values > len(held) else ""
    near = next((hint for value in tally.favorable_values if (hint := nearest(value, held, fold=True))), "")
    shown = ", ".join(repr(value) for value in held)
    return f"no evaluated row has a favorable outcome ({wanted}); column {tally.outcome!r} holds {shown}{more}.{near}"


def _judge_groups(test: OutcomeDisparity, tally: OutcomeTally, plan: _Plan) -> tuple[OutcomeGroup, ...]:
    rules = RateRules.of(test)
    compared = compare_rates(tally.groups, plan.sufficient, plan.reference, rules, evaluated=tally.rows.evaluated)
    tested = [row.group for row in compared if row.sufficient and not row.is_reference]
    pooled = _adjusted_figures(tally, tested, tally.groups[plan.reference].group, 1 - test.alpha)
    rows = []
    for row in compared:
        figures = pooled.get(row.group, _NO_FIGURES)
        rows.append(
            OutcomeGroup(
                favorable=row.hits,
                adjusted_impact_ratio=figures.ratio,
                adjusted_odds_ratio=figures.odds,
                adjusted_ratio_interval=figures.ratio_interval,
                adjusted_odds_interval=figures.odds_interval,
                strata_used=figures.strata_used,
                **row.shared(),
            )
        )
    return tuple(rows)


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
    tally: OutcomeTally, tested: Sequence[Label], reference: Label, level: float
) -> dict[Label, _Figures]:
    if not tally.controls:
        return {}
    by_group: dict[Label, dict[Label, tuple[int, int]]] = {}
    for cell in tally.strata:
        by_group.setdefault(cell.group, {})[cell.stratum] = (cell.favorable, cell.n)
    theirs = by_group.get(reference, {})
    return {label: _pool(by_group.get(label, {}), theirs, level) for label in tested}


def _pool(mine: dict[Label, tuple[int, int]], theirs: dict[Label, tuple[int, int]], level: float) -> _Figures:
    shared = [(*mine[stratum], *theirs[stratum]) for stratum in mine if stratum in theirs]
    if not shared:
        return _NO_FIGURES
    a, n, b, m = (list(column) for column in zip(*shared, strict=True))
    ratio = strata.mantel_haenszel_ratio(a, n, b, m, level=level)
    odds = strata.mantel_haenszel_odds_ratio(a, n, b, m, level=level)
    return _Figures(
        ratio=defined(ratio.value),
        odds=defined(odds.value),
        ratio_interval=Span(low=defined(ratio.low), high=defined(ratio.high)),
        odds_interval=Span(low=defined(odds.low), high=defined(odds.high)),
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
    return Method(
        test=test.significance_test.value,
        sidedness="two-sided, direction checked separately",
        correction=CORRECTIONS[test.p_value_adjustment],
        level=1 - test.alpha,
        rate_interval="Wilson",
        ratio_interval="Koopman score",
        difference_interval="Newcombe hybrid score",
        omnibus="Pearson chi-square over all sufficient groups, Yates-corrected for two groups",
    )
