"""Odds of named pairs, row by row."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from fairreport.analyses.pair_draft import Draft, DuelTest, contest, null_reasons
from fairreport.analyses.pair_ratio import blocks, identity
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import NO_SPAN, OddsRow
from fairreport.analyses.pair_sides import TOLERANCE, Duel, Side, TableSums, is_beyond
from fairreport.analyses.pair_tests import OddsRatio
from fairreport.analyses.result import PValue, Span
from fairreport.stats.conditional_odds import conditional_odds_ratio
from fairreport.stats.linearised import log_interval

_LIMITS = ("odds_ratio_ci_low", "odds_ratio_ci_high")
_COMPARED = (
    "rate_difference",
    "odds_ratio",
    "odds_ratio_conditional",
    *_LIMITS,
    "interval_test_disagree",
    "test",
    "p_value",
    "adjusted_p",
    "practically_significant",
)


def odds_drafts(table: TableSums, test: OddsRatio) -> list[Draft]:
    """Return the rows of a table: for each category and reference the reference, then its protected groups.

    Parameters
    ----------
    table : TableSums
        Its sums.
    test : OddsRatio
        The test with its parameters.
    """
    duels = [table.duel(position) for position in range(len(table.tally.plan.pairs))]
    tested = contest(duels, test.max_for_fishers)
    drafts = []
    for category, reference, positions in blocks(table):
        side = table.side(reference)
        row = OddsRow(
            **identity(table, reference, category), **_odds(side), is_reference=True, reasons=_odds_reasons(side)
        )
        drafts.append(Draft(row=row))
        drafts += [_compared(table, position, duels[position], tested[position], test) for position in positions]
    return drafts


def _odds(side: Side) -> dict[str, Any]:
    rest = side.total - side.hits
    return {
        "total": side.total,
        "n_eff": side.n_eff,
        "positive": side.hits,
        "positive_rate": side.rate,
        "odds": None if not side.total or side.is_full else side.hits / rest,
    }


def _odds_reasons(side: Side) -> dict[str, str]:
    if not side.total:
        return null_reasons(("positive_rate", "odds"), Reason.EMPTY_GROUP)
    return {"odds": Reason.GROUP_RATE_ONE.value} if side.is_full else {}


def _compared(table: TableSums, position: int, duel: Duel, tested: DuelTest | None, test: OddsRatio) -> Draft:
    plan = table.tally.plan
    pair = plan.pairs[position]
    own = {
        **identity(table, pair.protected, pair.category),
        **_odds(duel.protected),
        "reference_group": plan.groups[pair.reference],
    }
    reasons = _odds_reasons(duel.protected)
    if tested is None:
        reasons |= null_reasons(_COMPARED, Reason.EMPTY_GROUP)
        return Draft(row=OddsRow(**own, reasons=reasons), undefined=Reason.EMPTY_GROUP)
    undefined = _undefined(duel)
    value = None if undefined else _sample(duel)
    if undefined:
        reasons["odds_ratio"] = undefined.value
    if tested.p is None:
        reasons["p_value"] = Reason.ZERO_VARIANCE.value
    conditional, interval, more = _interval(duel, undefined, test.confidence_level)
    reasons |= more
    disagree = _disagree(interval, tested.p, test.confidence_level) if _is_known(interval, reasons) else None
    if disagree is None:
        reasons["interval_test_disagree"] = reasons.get("p_value") or reasons[_LIMITS[0]]
    difference = duel.difference()
    row = OddsRow(
        **own,
        rate_difference=-difference if test.lower_is_favorable else difference,
        odds_ratio=value,
        odds_ratio_conditional=conditional,
        odds_interval=interval,
        interval_test_disagree=disagree,
        test=tested.test,
        p_value=tested.p,
        reasons=reasons,
    )
    beyond = None
    if value is not None:
        turned = test.lower_is_favorable
        beyond = _is_odds_beyond(duel, value, test.odds_ratio_threshold, above=turned) and duel.is_gap_above(
            test.percent_difference_threshold, turned=turned
        )
    return Draft(row=row, beyond=beyond, undefined=undefined)


def _undefined(duel: Duel) -> Reason | None:
    if not duel.reference.hits:
        return Reason.REFERENCE_RATE_ZERO
    return Reason.GROUP_RATE_ONE if duel.protected.is_full else None


def _cells(duel: Duel) -> tuple[Any, Any, Any, Any]:
    """Return counted and not counted, of the group and of the reference."""
    p, r = duel.protected, duel.reference
    return p.hits, 0 if p.is_full else p.total - p.hits, r.hits, 0 if r.is_full else r.total - r.hits


def _sample(duel: Duel) -> float:
    """Return the odds ratio, rounded once."""
    a, c, b, d = map(Fraction, _cells(duel))
    return float(a * d / (b * c))


def _is_odds_beyond(duel: Duel, value: float, threshold: float, *, above: bool) -> bool:
    if duel.linearised is not None:
        return is_beyond(value, threshold, above=above)
    a, c, b, d = _cells(duel)
    mine, bar = Fraction(a * d), Fraction(str(threshold)) * b * c
    return bool(mine > bar if above else mine < bar)


def _interval(duel: Duel, undefined: Reason | None, level: float) -> tuple[float | None, Span, dict[str, str]]:
    """Return the conditional estimate, the interval, and why what is null is null."""
    if duel.linearised is None:
        found = conditional_odds_ratio(*duel.counts, level=level)
        estimate, low, high = (x if math.isfinite(x) else None for x in (found.estimate, found.low, found.high))
        values = {"odds_ratio_conditional": estimate, _LIMITS[0]: low, _LIMITS[1]: high}
        absent = [name for name, value in values.items() if value is None]
        return estimate, Span(low=low, high=high), null_reasons(absent, undefined or Reason.GROUP_RATE_ONE)
    reasons = {"odds_ratio_conditional": duel.linearised.value}
    why_not = undefined
    if why_not is None and not duel.protected.hits:
        why_not = Reason.GROUP_RATE_ZERO
    if why_not is None and duel.reference.is_full:
        why_not = Reason.REFERENCE_RATE_ONE
    if why_not is not None:
        return None, NO_SPAN, reasons | null_reasons(_LIMITS, why_not)
    p, r, linear = duel.linear()
    low_end, high_end = log_interval(_sample(duel), linear.of_log_odds(p, r), level=level)
    return None, Span(low=low_end, high=high_end), reasons


def _is_known(interval: Span, reasons: dict[str, str]) -> bool:
    return (interval.low is not None or interval.high is not None) and "p_value" not in reasons


def _disagree(interval: Span, p: PValue | None, level: float) -> bool | None:
    if p is None:
        return None
    low = -math.inf if interval.low is None else interval.low
    high = math.inf if interval.high is None else interval.high
    bar = 1 - level
    differs = p.number < bar and not math.isclose(p.number, bar, rel_tol=TOLERANCE)
    return (low > 1 or high < 1) != differs
