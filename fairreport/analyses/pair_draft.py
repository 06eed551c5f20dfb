"""From compared rows to verdicts: exact tests of many pairs at once, adjustment over a family, what is significant."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from fairreport.analyses.comparison import p_value
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import PooledRow, Row, RowTest
from fairreport.analyses.pair_sides import TOLERANCE, Duel
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.result import PValue
from fairreport.stats.fisher import fisher_exact
from fairreport.stats.linearised import z_test
from fairreport.stats.multiplicity import benjamini_hochberg, holm
from fairreport.stats.significance import PValues, chi_square


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A row before adjustment.

    Attributes
    ----------
    row : Row or PooledRow
        Everything but adjusted p, verdict and shortfall.
    beyond : bool or None
        Whether it is beyond every threshold, significance aside; None where that is not defined.
    undefined : Reason or None
        Why not.
    shortfall : float or None
        What the row says where it is practically significant.
    family : tuple
        What rows that are adjusted together have in common.
    """

    row: Row | PooledRow
    beyond: bool | None = None
    undefined: Reason | str | None = None
    shortfall: float | None = None
    family: tuple[Any, ...] = ()

    @property
    def is_compared(self) -> bool:
        """Whether the row is one that has a verdict or the reason why it has none."""
        return isinstance(self.row, PooledRow) or not self.row.is_reference


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelTest:
    """The test of one pair.

    Attributes
    ----------
    test : RowTest
        Which.
    p : PValue or None
        Its p-value.
    z : float or None
        The linearised statistic, group minus reference.
    """

    test: RowTest
    p: PValue | None
    z: float | None = None


def smallest_cell_is_within(duel: Duel, limit: float) -> bool:
    """Tell whether the smallest observed or expected cell of a pair is at most a limit, meant as it is written."""
    if math.isinf(limit):
        return limit > 0
    a, n, b, m = duel.counts
    bar = Fraction(str(limit))
    if min(a, n - a, b, m - b) <= bar:
        return True
    k, everyone = a + b, n + m
    return min(n, m) * min(k, everyone - k) <= bar * everyone


def contest(duels: Sequence[Duel], max_for_fishers: float) -> list[DuelTest | None]:
    """Return the test of each pair, None where a side is empty.

    Parameters
    ----------
    duels : sequence of Duel
        Pairs.
    max_for_fishers : float
        Smallest cell up to which the test is Fisher's; above, chi-square with Yates's correction.
    """
    found: list[DuelTest | None] = [None] * len(duels)
    exact: dict[RowTest, list[int]] = {RowTest.FISHER: [], RowTest.CHI_SQUARE: []}
    for i, duel in enumerate(duels):
        if duel.is_empty:
            continue
        if duel.linearised is None:
            within = smallest_cell_is_within(duel, max_for_fishers)
            exact[RowTest.FISHER if within else RowTest.CHI_SQUARE].append(i)
            continue
        p, r, linear = duel.linear()
        estimate = z_test(p - r, linear.of_difference)
        if estimate is None:
            found[i] = DuelTest(test=RowTest.LINEARISED, p=None)
        else:
            p_record = p_value(estimate.p, estimate.log10_p)
            found[i] = DuelTest(test=RowTest.LINEARISED, p=p_record, z=estimate.z)
    for test, places in exact.items():
        if places:
            for i, p_record in zip(places, each(_exact(test, [duels[i] for i in places])), strict=True):
                found[i] = DuelTest(test=test, p=p_record)
    return found


def _exact(test: RowTest, duels: Sequence[Duel]) -> PValues:
    counts = columns(duels)
    if test is RowTest.FISHER:
        return fisher_exact(*counts)
    chi = chi_square(*counts, yates=True)
    return PValues(p=chi.p, log10_p=chi.log10_p)


def columns(duels: Sequence[Duel]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return the whole numbers of several pairs as four columns."""
    rows = [duel.counts for duel in duels]
    return [x[0] for x in rows], [x[1] for x in rows], [x[2] for x in rows], [x[3] for x in rows]


def each(values: PValues) -> list[PValue]:
    """Return arrays of p-values as records."""
    return [p_value(p, log10) for p, log10 in zip(values.p.tolist(), values.log10_p.tolist(), strict=True)]


def null_reasons(fields: Sequence[str], reason: Reason | str) -> dict[str, str]:
    """Return one reason for several fields."""
    return dict.fromkeys(fields, str(reason))


def settle(drafts: Sequence[Draft], adjustment: Mapping[tuple[Any, ...], PValueAdjustment], alpha: float) -> list[Any]:
    """Return the finished rows, in order.

    Parameters
    ----------
    drafts : sequence of Draft
        Rows, references included.
    adjustment : mapping of family to PValueAdjustment
        How the p-values of each family are adjusted.
    alpha : float
        Significance level.
    """
    families: dict[tuple[Any, ...], list[int]] = {}
    for i, draft in enumerate(drafts):
        if draft.row.p_value is not None:
            families.setdefault(draft.family, []).append(i)
    adjusted: dict[int, PValue] = {}
    for family, places in families.items():
        values = [p for i in places if (p := drafts[i].row.p_value) is not None]
        adjusted |= dict(zip(places, _adjusted(values, adjustment[family]), strict=True))
    return [
        _settled(draft, adjusted.get(i), alpha) if draft.is_compared else draft.row for i, draft in enumerate(drafts)
    ]


def _adjusted(values: list[PValue], method: PValueAdjustment) -> list[PValue]:
    if method is PValueAdjustment.NONE:
        return values
    correct = holm if method is PValueAdjustment.HOLM else benjamini_hochberg
    p = [value.number for value in values]
    logs = [-math.inf if value.log10 is None else value.log10 for value in values]
    return each(correct(np.array(p), np.array(logs)))


def is_significant(p: PValue, alpha: float) -> bool:
    """Tell whether a p-value is strictly below a level; equal within the tolerance is not below."""
    return not math.isclose(p.number, alpha, rel_tol=TOLERANCE) and p.number < alpha


def _settled(draft: Draft, adjusted: PValue | None, alpha: float) -> Row | PooledRow:
    reasons = dict(draft.row.reasons)
    verdict: bool | None = None
    why_no_p = reasons.get("p_value")
    if adjusted is None and why_no_p is not None:
        reasons["adjusted_p"] = why_no_p
    if draft.beyond is None:
        reasons["practically_significant"] = str(draft.undefined)
    elif adjusted is None:
        reasons["practically_significant"] = str(why_no_p)
    else:
        verdict = draft.beyond and is_significant(adjusted, alpha)
    changes: dict[str, Any] = {"adjusted_p": adjusted, "practically_significant": verdict, "reasons": reasons}
    if draft.shortfall is not None:
        if verdict:
            changes["shortfall"] = draft.shortfall
        else:
            reasons["shortfall"] = Reason.NOT_PRACTICALLY_SIGNIFICANT.value
    return replace(draft.row, **changes)
