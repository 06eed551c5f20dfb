"""Rates of right and wrong predictions of named pairs, turned so that a ratio below 1 is worse."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from fairreport.analyses.pair_draft import Draft, DuelTest, contest, null_reasons
from fairreport.analyses.pair_ratio import blocks, identity
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import ConfusionRow
from fairreport.analyses.pair_sides import Duel, Side, TableSums
from fairreport.analyses.pair_tests import ConfusionRateTest
from fairreport.tables.pair_tally import PairCell, PairTally

_COMPARED = ("rate_difference", "ratio", "test", "p_value", "adjusted_p", "practically_significant")


def confusion_table(tally: PairTally, test: ConfusionRateTest) -> TableSums:
    """Return the sums of the rows that a rate is of, and of what it counts."""

    def given(cell: PairCell) -> bool:
        return (cell.label if test.given == "label" else cell.level) == test.given_value

    def counted(cell: PairCell) -> bool:
        return (cell.level if test.given == "label" else cell.label) == test.counted_value

    return TableSums.of(tally, basis=given, hits=counted)


def confusion_drafts(table: TableSums, test: ConfusionRateTest) -> list[Draft]:
    """Return the rows: for each category and reference the reference, then its protected groups.

    Parameters
    ----------
    table : TableSums
        The sums of `confusion_table`.
    test : ConfusionRateTest
        The test with its parameters.
    """
    duels = [table.duel(position) for position in range(len(table.tally.plan.pairs))]
    tested = contest(duels, math.inf)
    drafts = []
    for category, reference, positions in blocks(table):
        side = table.side(reference)
        row = ConfusionRow(
            **identity(table, reference, category), **_rate(side), is_reference=True, reasons=_rate_reasons(side)
        )
        drafts.append(Draft(row=row))
        drafts += [_compared(table, position, duels[position], tested[position], test) for position in positions]
    return drafts


def _rate(side: Side) -> dict[str, Any]:
    return {"denominator": side.total, "n_eff": side.n_eff, "numerator": side.hits, "rate": side.rate}


def _rate_reasons(side: Side) -> dict[str, str]:
    return {} if side.total else {"rate": Reason.EMPTY_DENOMINATOR.value}


def _compared(table: TableSums, position: int, duel: Duel, tested: DuelTest | None, test: ConfusionRateTest) -> Draft:
    plan = table.tally.plan
    pair = plan.pairs[position]
    own = {
        **identity(table, pair.protected, pair.category),
        **_rate(duel.protected),
        "reference_group": plan.groups[pair.reference],
    }
    reasons = _rate_reasons(duel.protected)
    if tested is None:
        reasons |= null_reasons(_COMPARED, Reason.EMPTY_DENOMINATOR)
        return Draft(row=ConfusionRow(**own, reasons=reasons), undefined=Reason.EMPTY_DENOMINATOR)
    # Where lower is better the ratio is that of the reference over the group.
    turned = replace(duel, protected=duel.reference, reference=duel.protected) if test.lower_is_better else duel
    ratio = turned.ratio()
    undefined = Reason.GROUP_RATE_ZERO if test.lower_is_better else Reason.REFERENCE_RATE_ZERO
    if ratio is None:
        reasons["ratio"] = undefined.value
    if tested.p is None:
        reasons["p_value"] = Reason.ZERO_VARIANCE.value
    row = ConfusionRow(
        **own,
        rate_difference=turned.difference(),
        ratio=ratio,
        test=tested.test,
        p_value=tested.p,
        reasons=reasons,
    )
    beyond = None
    if ratio is not None:
        beyond = turned.is_ratio_beyond(test.ratio_threshold, above=False) and turned.is_gap_above(
            test.percent_difference_threshold, turned=False
        )
    return Draft(row=row, beyond=beyond, undefined=undefined)
