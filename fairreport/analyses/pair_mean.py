"""Means of named pairs in standard deviations: the judgement, from a tally of sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fairreport.analyses.comparison import p_value
from fairreport.analyses.pair_draft import Draft, null_reasons
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import MeanRow, RowTest
from fairreport.analyses.pair_sides import is_beyond, linearised_for
from fairreport.analyses.pair_tests import MeanDifferenceTest, SpreadKind
from fairreport.analyses.result import PValue
from fairreport.stats.linearised import Linearised, Products, effective_size, z_test
from fairreport.stats.moments import Moments, welch
from fairreport.stats.pooled_t import Spread, pooled_t
from fairreport.tables.pair_tally import MeanSums, MeanTally

_COMPARED = ("mean_difference", "sd", "smd", "test", "p_value", "adjusted_p", "practically_significant")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mean:
    """A group's mean off the common centre, and its weighted sum of squared deviations."""

    sums: MeanSums

    @property
    def off_centre(self) -> float:
        if self.sums.low == self.sums.high:
            return self.sums.low
        return self.sums.first / float(self.sums.total)

    @property
    def squares(self) -> float:
        """Sum of w (x - mean)^2; exactly 0 for constant values."""
        if self.sums.low == self.sums.high:
            return 0.0
        return max(self.sums.second - self.sums.first * self.sums.first / float(self.sums.total), 0.0)

    @property
    def products(self) -> Products:
        return Products(weight=float(self.sums.squares), first=self.sums.squares_first, second=self.sums.squares_second)

    @property
    def variance(self) -> float:
        """Linearised variance of the mean."""
        if self.sums.low == self.sums.high:
            return 0.0
        weight = float(self.sums.total)
        return max(self.products.about(self.off_centre, self.off_centre), 0.0) / (weight * weight)


def mean_drafts(tally: MeanTally, test: MeanDifferenceTest) -> list[Draft]:
    """Return the rows: for each category and reference the reference, then its protected groups.

    Parameters
    ----------
    tally : MeanTally
        The evidence.
    test : MeanDifferenceTest
        The test with its parameters.
    """
    found: dict[tuple[int, int], list[int]] = {}
    for position, pair in enumerate(tally.plan.pairs):
        found.setdefault((pair.category, pair.reference), []).append(position)
    drafts = []
    for (category, reference), positions in found.items():
        row = MeanRow(**_own(tally, reference, category), is_reference=True, reasons=_mean_reasons(tally, reference))
        drafts.append(Draft(row=row))
        drafts += [_compared(tally, position, test) for position in positions]
    return drafts


def _own(tally: MeanTally, group: int, category: int) -> dict[str, Any]:
    sums = tally.groups[group]
    missing = tally.missing[category]
    return {
        "group": tally.plan.groups[group],
        "group_category": tally.plan.categories[category],
        "observations": tally.evaluated - missing,
        "percent_missing": missing / tally.evaluated if tally.evaluated else 0.0,
        "n_eff": effective_size(float(sums.total), float(sums.squares)),
        "total": sums.total,
        "mean": tally.centre + _Mean(sums=sums).off_centre if sums.total else None,
    }


def _mean_reasons(tally: MeanTally, group: int) -> dict[str, str]:
    return {} if tally.groups[group].total else {"mean": Reason.EMPTY_GROUP.value}


def _compared(tally: MeanTally, position: int, test: MeanDifferenceTest) -> Draft:
    pair = tally.plan.pairs[position]
    own = _own(tally, pair.protected, pair.category) | {"reference_group": tally.plan.groups[pair.reference]}
    group, reference = _Mean(sums=tally.groups[pair.protected]), _Mean(sums=tally.groups[pair.reference])
    reasons = _mean_reasons(tally, pair.protected)
    if not (group.sums.total and reference.sums.total):
        reasons |= null_reasons(_COMPARED, Reason.EMPTY_GROUP)
        return Draft(row=MeanRow(**own, reasons=reasons), undefined=Reason.EMPTY_GROUP)
    difference = group.off_centre - reference.off_centre
    sd, why_no_sd = _sd(tally, pair.category, group, reference, test.sd)
    smd = None if sd is None or why_no_sd is not None else difference / sd
    if sd is None:
        reasons["sd"] = str(why_no_sd)
    if smd is None:
        reasons["smd"] = str(why_no_sd)
    kind, p, why_no_p = _test(tally, position, group, reference, welch_t=test.welch)
    if p is None:
        reasons["p_value"] = str(why_no_p)
    row = MeanRow(**own, mean_difference=difference, sd=sd, smd=smd, test=kind, p_value=p, reasons=reasons)
    beyond = None if smd is None else is_beyond(smd, test.smd_threshold, above=test.smd_threshold > 0)
    return Draft(row=row, beyond=beyond, undefined=why_no_sd)


def _sd(
    tally: MeanTally, category: int, group: _Mean, reference: _Mean, kind: SpreadKind
) -> tuple[float | None, Reason | None]:
    """Return the standard deviation, and why the difference cannot be divided by it."""
    if kind is SpreadKind.POPULATION:
        everyone = _Mean(sums=tally.everyone[category])
        sd = math.sqrt(everyone.squares / float(everyone.sums.total))
    else:
        n = group.sums.n + reference.sums.n
        if n <= 2:
            return None, Reason.GROUP_OF_ONE
        weight = float(group.sums.total + reference.sums.total)
        sd = math.sqrt((group.squares + reference.squares) / weight * (n / (n - 2)))
    return sd, None if sd > 0 else Reason.ZERO_SPREAD


def _test(
    tally: MeanTally, position: int, group: _Mean, reference: _Mean, *, welch_t: bool
) -> tuple[RowTest, PValue | None, Reason | None]:
    pair = tally.plan.pairs[position]
    if linearised_for(tally.weights, tally.fractional, pair.protected, pair.reference) is not None:
        return RowTest.LINEARISED, *_linearised(tally, position, group, reference)
    n, m = int(group.sums.total), int(reference.sums.total)
    if welch_t:
        if n < 2 or m < 2:
            return RowTest.WELCH_T, None, Reason.GROUP_OF_ONE
        sides = [
            Moments(n=k, mean=side.off_centre, variance=side.squares / (k - 1))
            for k, side in ((n, group), (m, reference))
        ]
        found = welch(*sides)
        if found is None or found.log10_p is None:
            return RowTest.WELCH_T, None, Reason.ZERO_VARIANCE
        return RowTest.WELCH_T, p_value(found.p, found.log10_p), None
    if n + m <= 2:
        return RowTest.POOLED_T, None, Reason.GROUP_OF_ONE
    pooled = pooled_t(
        Spread(n=n, mean=group.off_centre, squares=group.squares),
        Spread(n=m, mean=reference.off_centre, squares=reference.squares),
    )
    if pooled is None:
        return RowTest.POOLED_T, None, Reason.ZERO_VARIANCE
    return RowTest.POOLED_T, p_value(*pooled), None


def _linearised(tally: MeanTally, position: int, group: _Mean, reference: _Mean) -> tuple[PValue | None, Reason | None]:
    p, r = group.off_centre, reference.off_centre
    covariance = 0.0
    if group.variance and reference.variance:
        crossed = tally.pairs[position]
        both = Products(weight=float(crossed.weight), first=crossed.first, second=crossed.second)
        covariance = both.about(p, r) / (float(group.sums.total) * float(reference.sums.total))
    variances = Linearised(group=group.variance, reference=reference.variance, covariance=covariance)
    estimate = z_test(p - r, variances.of_difference)
    if estimate is None:
        return None, Reason.ZERO_VARIANCE
    return p_value(estimate.p, estimate.log10_p), None
