"""What stands beside the figures of named pairs for information, as columns: none of it decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fairreport.analyses.pair_result import Beside, MetricRow, OddsRow, PairFinding, RatioRow, Row, RowTest
from fairreport.analyses.result import PValue
from fairreport.render import formats
from fairreport.render.pair_kinds import FOUR_FIFTHS, ends, number
from fairreport.render.table_view import Align, Column
from fairreport.tables.pair_needs import WeightKind

TESTS = {
    RowTest.FISHER: "Fisher",
    RowTest.CHI_SQUARE: "chi-square, Yates",
    RowTest.LINEARISED: "linearised",
    RowTest.POOLED_T: "pooled t",
    RowTest.WELCH_T: "Welch t",
    RowTest.CMH: "Cochran-Mantel-Haenszel",
}
"""The tests of a row as they print."""

_YES = {True: "yes", False: "no", None: formats.ABSENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A column, what it prints of a row, and whether it has anything to say in some rows."""

    column: Column
    text: Callable[[Any, float], str]
    occurs: Callable[[PairFinding, Sequence[Row]], bool]


def _column(key: str, heading: str, align: Align = Align.END) -> Column:
    return Column(key=key, heading=heading, align=align)


def _always(_finding: PairFinding, _rows: Sequence[Row]) -> bool:
    return True


def _is_weighed(finding: PairFinding, rows: Sequence[Row]) -> bool:
    return finding.weights is not WeightKind.NONE or any(row.test is RowTest.LINEARISED for row in rows)


def _is_missing(_finding: PairFinding, rows: Sequence[Row]) -> bool:
    return any(row.percent_missing for row in rows)


def _has_bounds(finding: PairFinding, rows: Sequence[Row]) -> bool:
    return _has_beside(finding, rows) and _is_missing(finding, rows)


def _is_adjusted(_finding: PairFinding, rows: Sequence[Row]) -> bool:
    return any(row.p_value != row.adjusted_p for row in rows)


def _is_tested(_finding: PairFinding, rows: Sequence[Row]) -> bool:
    return not any(isinstance(row, MetricRow) for row in rows)


def _is_drawn(_finding: PairFinding, rows: Sequence[Row]) -> bool:
    return any(isinstance(row, MetricRow) for row in rows)


def _is_odds(_finding: PairFinding, rows: Sequence[Row]) -> bool:
    return any(isinstance(row, OddsRow) for row in rows)


def _has_label(finding: PairFinding, _rows: Sequence[Row]) -> bool:
    return finding.has_label


def _has_shortfall(finding: PairFinding, rows: Sequence[Row]) -> bool:
    return finding.has_shortfall and any(isinstance(row, RatioRow) for row in rows)


def _has_beside(_finding: PairFinding, rows: Sequence[Row]) -> bool:
    return any(isinstance(row, RatioRow) and row.beside is not None for row in rows)


def _beside(text: Callable[[Beside, float], str]) -> Callable[[RatioRow, float], str]:
    return lambda row, alpha: formats.ABSENT if row.beside is None else text(row.beside, alpha)


def _p(value: PValue | None, alpha: float) -> str:
    return formats.p_value(value, alpha=alpha)


def _count(n: int | None) -> str:
    return formats.ABSENT if n is None else formats.count(n)


def _bounds(beside: Beside, _alpha: float) -> str:
    low, high = beside.air_missing_low, beside.air_missing_high
    if low is None or high is None:
        return formats.ABSENT
    return f"{number(low, against=[FOUR_FIFTHS])}–{number(high, against=[FOUR_FIFTHS])}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideColumns:
    """Columns that have something to say of a finding, under one caption."""

    caption: str
    columns: tuple[Column, ...]
    texts: tuple[Callable[[Any, float], str], ...]

    def cells(self, row: Row, alpha: float) -> tuple[str, ...]:
        """Return the cells of a row."""
        return tuple(text(row, alpha) for text in self.texts)


_ITEMS = (
    _Item(
        column=_column("four_fifths", "Below four-fifths"),
        text=_beside(lambda it, _: _YES[it.four_fifths_flag]),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("z", "z, standard deviations"), text=_beside(lambda it, _: number(it.z, 2)), occurs=_has_beside
    ),
    _Item(
        column=_column("difference_interval", "Difference interval"),
        text=_beside(lambda it, _: ends(it.difference_interval, signed=True, against=(0.0,))),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("fisher", "Fisher p, two-sided"),
        text=_beside(lambda it, alpha: _p(it.fisher_two_sided, alpha)),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("fisher_directional", "Fisher p, directional"),
        text=_beside(lambda it, alpha: _p(it.fisher_directional, alpha)),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("mid_p", "Mid-p, two-sided"),
        text=_beside(lambda it, alpha: _p(it.mid_p_two_sided, alpha)),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("mid_p_directional", "Mid-p, directional"),
        text=_beside(lambda it, alpha: _p(it.mid_p_directional, alpha)),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("to_four_fifths", "Persons to four-fifths"),
        text=_beside(lambda it, _: _count(it.shortfall_to_four_fifths)),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("to_parity", "Persons to parity"),
        text=_beside(lambda it, _: _count(it.shortfall_to_parity)),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("flip", "One person changes the side of four-fifths"),
        text=_beside(lambda it, _: _YES[it.one_person_flip]),
        occurs=_has_beside,
    ),
    _Item(
        column=_column("missing_bounds", "AIR with missing memberships at their worst"),
        text=_beside(_bounds),
        occurs=_has_bounds,
    ),
    _Item(
        column=_column("disagree", "Interval and test disagree"),
        text=lambda row, _: _YES[row.interval_test_disagree],
        occurs=_is_odds,
    ),
    _Item(
        column=_column("test", "Test"),
        text=lambda row, _: formats.ABSENT if row.test is None else TESTS[row.test],
        occurs=_is_tested,
    ),
    _Item(
        column=_column("p_value", "p, unadjusted"), text=lambda row, alpha: _p(row.p_value, alpha), occurs=_is_adjusted
    ),
    _Item(
        column=_column("shortfall", "Shortfall"),
        text=lambda row, _: formats.ABSENT if row.shortfall is None else formats.fixed(row.shortfall, 1),
        occurs=_has_shortfall,
    ),
    _Item(
        column=_column("total_label", "Labels of 1"),
        text=lambda row, _: formats.ABSENT if row.total_label is None else formats.amount(row.total_label),
        occurs=_has_label,
    ),
    _Item(
        column=_column("average_label", "Average label"),
        text=lambda row, _: number(row.average_label),
        occurs=_has_label,
    ),
    _Item(
        column=_column("undefined_draws", "Draws without a value"),
        text=lambda row, _: formats.count(row.undefined_draws),
        occurs=_is_drawn,
    ),
    _Item(
        column=_column("observations", "Rows of the category"),
        text=lambda row, _: formats.count(row.observations),
        occurs=_always,
    ),
    _Item(
        column=_column("percent_missing", "Without a membership"),
        text=lambda row, _: formats.percent(row.percent_missing),
        occurs=_is_missing,
    ),
    _Item(column=_column("n_eff", "Effective n"), text=lambda row, _: number(row.n_eff, 1), occurs=_is_weighed),
)


_OF_TESTS = {
    "z",
    "difference_interval",
    "fisher",
    "fisher_directional",
    "mid_p",
    "mid_p_directional",
    "disagree",
    "test",
    "p_value",
}
_TABLES = (
    (
        "Tests and intervals beside each comparison, for information: none of them decides",
        [item for item in _ITEMS if item.column.key in _OF_TESTS],
    ),
    (
        "Counts beside each comparison, for information: none of them decides",
        [item for item in _ITEMS if item.column.key not in _OF_TESTS],
    ),
)


def beside_columns(finding: PairFinding) -> tuple[BesideColumns, ...]:
    """Return the columns that have something to say of a finding: what tests say, then counts."""
    rows = [row for table in finding.tables for row in table.rows if not row.is_reference]
    found = []
    for caption, items in _TABLES:
        used = [item for item in items if item.occurs(finding, rows)]
        if used:
            columns, texts = tuple(item.column for item in used), tuple(item.text for item in used)
            found.append(BesideColumns(caption=caption, columns=columns, texts=texts))
    return tuple(found)
