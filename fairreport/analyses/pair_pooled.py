"""Named pairs pooled over the segments that both groups share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fairreport.analyses.comparison import defined, p_value
from fairreport.analyses.pair_draft import Draft, null_reasons
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import NO_SPAN, ChiFigure, PooledRow, RowTest
from fairreport.analyses.pair_sides import Duel, TableSums, is_beyond, linearised_for
from fairreport.analyses.pair_tests import SegmentedAdverseImpactRatio
from fairreport.analyses.result import Span
from fairreport.stats import strata
from fairreport.stats.weighted_strata import WeightedStratum, heterogeneity_about, pool_weighted

_AIR = ("air", "air_ci_low", "air_ci_high")
_CMH = ("cmh_statistic", "cmh_corrected_statistic", "cmh_corrected_p")
_Q = ("ratio_q", "ratio_q_df", "ratio_q_p")
_ODDS_LIMITS = ("odds_ratio_ci_low", "odds_ratio_ci_high")
_BRESLOW = ("breslow_day_tarone_statistic", "breslow_day_tarone_df", "breslow_day_tarone_p")
_COMPARED = (
    *_AIR,
    "rate_difference",
    "test",
    "p_value",
    "adjusted_p",
    "practically_significant",
    "z",
    *_CMH,
    *_Q,
    "odds_ratio",
    *_ODDS_LIMITS,
    *_BRESLOW,
    "direction_reverses",
)


def pooled_drafts(whole: TableSums, segments: Sequence[TableSums], test: SegmentedAdverseImpactRatio) -> list[Draft]:
    """Return one pooled row a pair.

    Parameters
    ----------
    whole : TableSums
        All rows with a segment.
    segments : sequence of TableSums
        Each segment, in text order.
    test : SegmentedAdverseImpactRatio
        The test with its parameters.
    """
    return [_pooled(whole, segments, position, test) for position in range(len(whole.tally.plan.pairs))]


def _pooled(whole: TableSums, segments: Sequence[TableSums], position: int, test: SegmentedAdverseImpactRatio) -> Draft:
    tally = whole.tally
    pair = tally.plan.pairs[position]
    duels = dict(zip(tally.segments, (table.duel(position) for table in segments), strict=True))
    shared = {name: duel for name, duel in duels.items() if not duel.is_empty}
    crude = whole.duel(position)
    crude_air = None if crude.is_empty else crude.ratio()
    own: dict[str, Any] = {
        "group": tally.plan.groups[pair.protected],
        "reference_group": tally.plan.groups[pair.reference],
        "group_category": tally.plan.categories[pair.category],
        "segments_used": tuple(shared),
        "segments_dropped": tuple(name for name in duels if name not in shared),
        "segments_uninformative": tuple(name for name, duel in shared.items() if _says_nothing(duel)),
        "crude_air": crude_air,
    }
    reasons: dict[str, str] = {}
    if crude_air is None:
        reasons["crude_air"] = str(Reason.EMPTY_GROUP if crude.is_empty else Reason.REFERENCE_RATE_ZERO)
    if not shared:
        reasons |= null_reasons(_COMPARED, Reason.NO_SHARED_SEGMENT)
        return Draft(row=PooledRow(**own, reasons=reasons), undefined=Reason.NO_SHARED_SEGMENT)
    listed = list(shared.values())
    linearised = linearised_for(tally.weights, tally.fractional, pair.protected, pair.reference)
    if linearised is None:
        found, more = _exact(listed, test.confidence_level)
    else:
        found, more = _weighted(listed, test.confidence_level, linearised)
    reasons |= more
    air = found["air"]
    found["ratio_q"], q_reasons = _heterogeneity(listed, air)
    reasons |= q_reasons
    if air is None:
        reasons |= null_reasons((*_AIR, "direction_reverses"), Reason.REFERENCE_RATE_ZERO)
    elif found["air_interval"] == NO_SPAN:
        reasons |= null_reasons(_AIR[1:], Reason.GROUP_RATE_ZERO)
    reverses = None if air is None or crude_air is None else (air - 1) * (crude_air - 1) < 0
    row = PooledRow(**own, **found, direction_reverses=reverses, reasons=reasons)
    beyond = None
    if air is not None:
        beyond = is_beyond(air, test.air_threshold, above=False) and _is_gap_above(listed, row, test)
    return Draft(row=row, beyond=beyond, undefined=Reason.REFERENCE_RATE_ZERO)


def _is_gap_above(duels: Sequence[Duel], row: PooledRow, test: SegmentedAdverseImpactRatio) -> bool:
    """Tell whether the pooled difference is above its bar, held against the sizes of the pooled rates."""
    shares = [_share(duel) for duel in duels]
    everything = math.fsum(shares)
    low = math.fsum(c * (duel.protected.rate or 0.0) for c, duel in zip(shares, duels, strict=True)) / everything
    return is_beyond(low + (row.rate_difference or 0.0), low + test.percent_difference_threshold, above=True)


def _share(duel: Duel) -> float:
    n, m = float(duel.protected.total), float(duel.reference.total)
    return n * m / (n + m)


def _says_nothing(duel: Duel) -> bool:
    """Tell whether all rows of both groups are favorable, or none."""
    sides = (duel.protected, duel.reference)
    return all(not side.hits for side in sides) or all(side.is_full for side in sides)


def _exact(duels: Sequence[Duel], level: float) -> tuple[dict[str, Any], dict[str, str]]:
    a, n, b, m = (list(column) for column in zip(*(duel.counts for duel in duels), strict=True))
    ratio = strata.mantel_haenszel_ratio(a, n, b, m, level=level)
    air = defined(ratio.value)
    interval = Span(low=defined(ratio.low), high=defined(ratio.high))
    if air and interval == NO_SPAN:  # all favorable on both sides: no width
        interval = Span(low=air, high=air)
    plain = strata.cochran_mantel_haenszel(a, n, b, m, continuity=False)
    corrected = strata.cochran_mantel_haenszel(a, n, b, m, continuity=True, floored=True)
    odds = strata.mantel_haenszel_odds_ratio(a, n, b, m, level=level)
    odds_value = defined(odds.value)
    breslow = strata.breslow_day(a, n, b, m, tarone=True)
    varies = any(not _says_nothing(duel) for duel in duels)
    reasons = {"z": Reason.CMH.value}
    if not varies:
        reasons |= null_reasons(_CMH[:2], Reason.ZERO_VARIANCE)
    if odds_value is None:
        reasons |= null_reasons(("odds_ratio", *_ODDS_LIMITS, *_BRESLOW), Reason.ODDS_RATIO_UNDEFINED)
    elif not odds_value:
        reasons |= null_reasons((*_ODDS_LIMITS, *_BRESLOW), Reason.ODDS_RATIO_ZERO)
    elif math.isnan(breslow.statistic):
        reasons |= null_reasons(_BRESLOW, Reason.TOO_FEW_STRATA)
    found = {
        "air": air,
        "air_interval": interval,
        "rate_difference": -strata.mantel_haenszel_difference(a, n, b, m),
        "test": RowTest.CMH,
        "p_value": p_value(plain.p, plain.log10_p),
        "cmh": _figure(plain, has_statistic=varies),
        "cmh_corrected": _figure(corrected, has_statistic=varies),
        "odds_ratio": odds_value,
        "odds_interval": Span(low=defined(odds.low), high=defined(odds.high)),
        "breslow_day_tarone": ChiFigure() if math.isnan(breslow.statistic) else _figure(breslow, has_statistic=True),
    }
    return found, reasons


def _figure(test: strata.StrataChiSquare, *, has_statistic: bool) -> ChiFigure:
    return ChiFigure(
        statistic=test.statistic if has_statistic else None, df=test.df, p_value=p_value(test.p, test.log10_p)
    )


def _weighted(duels: Sequence[Duel], level: float, why: Reason) -> tuple[dict[str, Any], dict[str, str]]:
    pool = pool_weighted([_stratum(duel) for duel in duels], level=level)
    reasons = null_reasons((*_CMH, *_ODDS_LIMITS, *_BRESLOW), why)
    if pool.odds_ratio is None:
        reasons["odds_ratio"] = Reason.ODDS_RATIO_UNDEFINED.value
    if pool.test is None:
        reasons |= null_reasons(("p_value", "z"), Reason.ZERO_VARIANCE)
    found = {
        "air": pool.ratio,
        "air_interval": Span(low=pool.low, high=pool.high),
        "rate_difference": -pool.difference,
        "test": RowTest.LINEARISED,
        "p_value": None if pool.test is None else p_value(pool.test.p, pool.test.log10_p),
        "z": None if pool.test is None else pool.test.z,
        "odds_ratio": pool.odds_ratio,
    }
    return found, reasons


def _stratum(duel: Duel) -> WeightedStratum:
    p, r, variances = duel.linear()
    return WeightedStratum(
        group=float(duel.protected.total), reference=float(duel.reference.total), p=p, r=r, variances=variances
    )


def _heterogeneity(duels: Sequence[Duel], air: float | None) -> tuple[ChiFigure, dict[str, str]]:
    """Return whether the segments share one ratio; segments without a rate or a variance say nothing of it."""
    ratios, variances = [], []
    for duel in duels:
        if not (duel.protected.hits and duel.reference.hits):
            continue
        variance = _log_variance(duel)
        if variance > 0:
            ratios.append(math.log(duel.ratio() or 1.0))
            variances.append(variance)
    found = heterogeneity_about(math.log(air), ratios, variances) if air else None
    if found is None:
        return ChiFigure(), null_reasons(_Q, Reason.TOO_FEW_STRATA)
    figure = ChiFigure(statistic=found.statistic, df=found.df, p_value=p_value(found.p, found.log10_p))
    return figure, {}


def _log_variance(duel: Duel) -> float:
    if duel.linearised is None:
        a, n, b, m = duel.counts
        return (n - a) / n / a + (m - b) / m / b
    p, r, linear = duel.linear()
    return linear.of_log_ratio(p, r)
