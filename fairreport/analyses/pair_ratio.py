"""Rates of named pairs as ratios: adverse impact ratios and relative rates, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairreport.analyses.comparison import spans
from fairreport.analyses.pair_beside import BESIDE_FIELDS, beside_rows
from fairreport.analyses.pair_draft import Draft, DuelTest, columns, contest, null_reasons
from fairreport.analyses.pair_parameters import ShortfallMethod
from fairreport.analyses.pair_reason import Reason
from fairreport.analyses.pair_result import NO_SPAN, RatioRow
from fairreport.analyses.pair_sides import Duel, Side, TableSums
from fairreport.analyses.result import Span
from fairreport.stats import contrast, proportion
from fairreport.stats.linearised import log_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioRules:
    """The parameters that decide about ratios.

    Attributes
    ----------
    threshold, difference_threshold : float
        Bars of the ratio and the difference.
    above : bool
        Whether a ratio above the bar is beyond it, and the difference is group minus reference.
    max_for_fishers, confidence_level : float
        As stated.
    shortfall : ShortfallMethod or None
        How the shortfall is counted.
    has_label, has_beside : bool
        Whether labels are shown, and what stands beside.
    counted, ratio : str
        Names of these fields in the document; the rate is named after the first.
    """

    threshold: float
    difference_threshold: float
    above: bool
    max_for_fishers: float
    confidence_level: float
    shortfall: ShortfallMethod | None
    has_label: bool
    has_beside: bool = False
    counted: str = "favorable"
    ratio: str = "air"

    @property
    def compared_fields(self) -> tuple[str, ...]:
        """Fields of comparison, in the words of the document."""
        own = ("rate_difference", self.ratio, f"{self.ratio}_ci_low", f"{self.ratio}_ci_high")
        verdict = ("test", "p_value", "adjusted_p", "practically_significant")
        shortfall = ("shortfall",) if self.shortfall is not None else ()
        return (*own, *verdict, *shortfall, *(BESIDE_FIELDS if self.has_beside else ()))


def ratio_drafts(tables: Sequence[TableSums], rules: RatioRules) -> list[list[Draft]]:
    """Return the rows of every table: for each category and reference the reference, then its protected groups.

    Parameters
    ----------
    tables : sequence of TableSums
        Their sums.
    rules : RatioRules
        The parameters.
    """
    batch = _Batch(tables, rules)
    return [batch.drafts(i, table) for i, table in enumerate(tables)]


def blocks(table: TableSums) -> list[tuple[int, int, list[int]]]:
    """Return category, reference group and positions of pairs, in the order first named."""
    found: dict[tuple[int, int], list[int]] = {}
    for position, pair in enumerate(table.tally.plan.pairs):
        found.setdefault((pair.category, pair.reference), []).append(position)
    return [(category, reference, positions) for (category, reference), positions in found.items()]


def identity(table: TableSums, group: int, category: int, rows: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the fields that name a row and count its observations; `rows` holds those that are known already."""
    plan = table.tally.plan
    return {
        "group": plan.groups[group],
        "group_category": plan.categories[category],
        **(table.row_counts(category) if rows is None else rows),
    }


class _Batch:
    """All rows of all tables, their exact figures computed together."""

    def __init__(self, tables: Sequence[TableSums], rules: RatioRules) -> None:
        self._rules = rules
        self._sides: dict[tuple[int, int], Side] = {}
        self._duels: dict[tuple[int, int], Duel] = {}
        self._rows: dict[tuple[int, int], dict[str, Any]] = {}
        for i, table in enumerate(tables):
            plan = table.tally.plan
            sides = {group: table.side(group) for group in range(len(plan.groups))}
            self._sides |= {(i, group): side for group, side in sides.items()}
            self._duels |= {(i, position): table.duel(position, sides) for position in range(len(plan.pairs))}
            self._rows |= {(i, category): table.row_counts(category) for category in range(len(plan.categories))}
        self._wilson = self._wilsons()
        places = list(self._duels)
        tested = contest(list(self._duels.values()), rules.max_for_fishers)
        self._tested: Mapping[tuple[int, int], DuelTest | None] = dict(zip(places, tested, strict=True))
        exact = [place for place, duel in self._duels.items() if not duel.is_empty and duel.linearised is None]
        counts = columns([self._duels[place] for place in exact])
        limits = spans(contrast.koopman_ratio(*counts, level=rules.confidence_level)) if exact else []
        self._koopman = dict(zip(exact, limits, strict=True))
        lacking = {
            (i, category): table.missing_weight(category)
            for i, table in enumerate(tables)
            for category in range(len(table.tally.plan.categories))
        }
        self._missing = {
            (i, position): lacking[i, pair.category]
            for i, table in enumerate(tables)
            for position, pair in enumerate(table.tally.plan.pairs)
        }
        self._beside = beside_rows(self._duels, self._tested, self._missing, rules) if rules.has_beside else {}

    def _wilsons(self) -> dict[tuple[int, int], Span]:
        exact = [place for place, side in self._sides.items() if side.total and side.linearised is None]
        if not exact:
            return {}
        hits, totals = ([int(getattr_of(self._sides[place])) for place in exact] for getattr_of in (_hits, _total))
        return dict(zip(exact, spans(proportion.wilson(hits, totals, level=self._rules.confidence_level)), strict=True))

    def drafts(self, i: int, table: TableSums) -> list[Draft]:
        drafts = []
        for category, reference, positions in blocks(table):
            side = self._sides[i, reference]
            row = RatioRow(
                **identity(table, reference, category, self._rows[i, category]),
                **self._rate(i, reference),
                is_reference=True,
                reasons=self._rate_reasons(side),
            )
            drafts.append(Draft(row=row))
            drafts += [self._compared(i, table, position) for position in positions]
        return drafts

    def _rate(self, i: int, group: int) -> dict[str, Any]:
        side = self._sides[i, group]
        labels: dict[str, Any] = {}
        if self._rules.has_label:
            labels = {
                "total_label": side.label,
                "average_label": side.label / side.total if side.total else None,
            }
        return {
            "total": side.total,
            "n_eff": side.n_eff,
            "counted": side.hits,
            "rate": side.rate,
            "rate_interval": self._wilson.get((i, group), NO_SPAN),
            **labels,
        }

    def _rate_reasons(self, side: Side) -> dict[str, str]:
        rate = f"{self._rules.counted}_rate"
        limits = ("rate_ci_low", "rate_ci_high")
        if not side.total:
            label = ("average_label",) if self._rules.has_label else ()
            return null_reasons((*label, rate, *limits), Reason.EMPTY_GROUP)
        return null_reasons(limits, side.linearised) if side.linearised is not None else {}

    def _compared(self, i: int, table: TableSums, position: int) -> Draft:
        rules, duel, pair = self._rules, self._duels[i, position], table.tally.plan.pairs[position]
        own = {
            **identity(table, pair.protected, pair.category, self._rows[i, pair.category]),
            **self._rate(i, pair.protected),
            "reference_group": table.tally.plan.groups[pair.reference],
        }
        reasons = self._rate_reasons(duel.protected)
        tested = self._tested[i, position]
        beside, beside_reasons = self._beside.get((i, position), (None, {}))
        if tested is None:
            reasons |= null_reasons(rules.compared_fields, Reason.EMPTY_GROUP)
            row = RatioRow(**own, reasons=reasons, beside=beside)
            return Draft(row=row, undefined=Reason.EMPTY_GROUP)
        ratio = duel.ratio()
        interval, interval_reasons = self._interval(duel, self._koopman.get((i, position)))
        if ratio is None:
            reasons[rules.ratio] = Reason.REFERENCE_RATE_ZERO.value
        reasons |= interval_reasons
        if tested.p is None:
            reasons["p_value"] = Reason.ZERO_VARIANCE.value
        difference = duel.difference()
        row = RatioRow(
            **own,
            rate_difference=-difference if rules.above else difference,
            ratio=ratio,
            ratio_interval=interval,
            test=tested.test,
            p_value=tested.p,
            beside=beside,
            reasons=reasons | beside_reasons,
        )
        beyond = None
        if ratio is not None:
            beyond = duel.is_ratio_beyond(rules.threshold, above=rules.above) and duel.is_gap_above(
                rules.difference_threshold, turned=rules.above
            )
        return Draft(row=row, beyond=beyond, undefined=Reason.REFERENCE_RATE_ZERO, shortfall=self._shortfall(duel))

    def _interval(self, duel: Duel, exact: Span | None) -> tuple[Span, dict[str, str]]:
        low, high = f"{self._rules.ratio}_ci_low", f"{self._rules.ratio}_ci_high"
        if exact is not None:
            absent = [name for name, end in ((low, exact.low), (high, exact.high)) if end is None]
            return exact, null_reasons(absent, Reason.REFERENCE_RATE_ZERO)
        if not duel.reference.hits:
            return NO_SPAN, null_reasons((low, high), Reason.REFERENCE_RATE_ZERO)
        if not duel.protected.hits:
            return NO_SPAN, null_reasons((low, high), Reason.GROUP_RATE_ZERO)
        p, r, linear = duel.linear()
        ends = log_interval(p / r, linear.of_log_ratio(p, r), level=self._rules.confidence_level)
        return Span(low=ends[0], high=ends[1]), {}

    def _shortfall(self, duel: Duel) -> float | None:
        method = self._rules.shortfall
        if method is None:
            return None
        a, n, b, m = duel.protected.hits, duel.protected.total, duel.reference.hits, duel.reference.total
        if method is ShortfallMethod.TO_REFERENCE_MEAN:
            return (b * n - a * m) / m
        return ((a + b) * n - a * (n + m)) / (n + m)


def _hits(side: Side) -> float:
    return side.hits


def _total(side: Side) -> float:
    return side.total
