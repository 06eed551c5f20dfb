"""The catalogue of what named pairs are compared by: for each kind its columns, its figures and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from fairreport.analyses.pair_result import (
    NO_SPAN,
    ConfusionRow,
    MeanRow,
    MetricRow,
    OddsRow,
    PairFinding,
    RatioRow,
    Row,
)
from fairreport.analyses.result import Span
from fairreport.render import formats
from fairreport.render.pair_words import Bars
from fairreport.render.table_view import Column, Terse

RowT = TypeVar("RowT", RatioRow, OddsRow, MeanRow, ConfusionRow, MetricRow)

FOUR_FIFTHS = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """What the numbers of a test are printed by: none is rounded across what it is held against."""

    bars: Bars
    digits: int = 3
    figure_digits: int = 3
    rate: str = "rate"

    @property
    def marks(self) -> tuple[float, ...]:
        """What the figure that is judged is held against, four-fifths with it where that is a ratio."""
        found = () if self.bars.bar is None else (self.bars.bar,)
        return found if self.bars.of_difference else (*found, FOUR_FIFTHS)

    @property
    def gaps(self) -> tuple[float, ...]:
        """What the difference is held against."""
        if self.bars.of_difference and self.bars.bar is not None:
            return (self.bars.bar, 0.0)
        return (0.0,) if self.bars.gap is None else (self.bars.gap, 0.0)

    def figure(self, value: float | None) -> str:
        """Return the figure that is judged."""
        return number(value, self.figure_digits, against=self.marks)

    def gap(self, value: float | None) -> str:
        """Return a difference."""
        return number(value, self.digits, against=self.gaps)

    def p(self, row: Any) -> str:
        """Return the p-value that decides."""
        return formats.p_value(row.adjusted_p, alpha=self.bars.alpha)


def number(value: float | None, digits: int = 3, *, against: Iterable[float] = ()) -> str:
    """Return a number, a dash where it is not defined."""
    return formats.ABSENT if value is None else formats.fixed(value, digits, against=against)


def ends(span: Span, digits: int = 3, *, against: Iterable[float] = (), signed: bool = False) -> str:
    """Return an interval, a dash where neither end is defined."""
    if span.low is None and span.high is None:
        return formats.ABSENT
    if span.high is None:
        return f"≥ {number(span.low, digits, against=against)}"
    if span.low is None:
        return f"≤ {number(span.high, digits, against=against)}"
    return formats.span(span, digits, against=against, signed=signed)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairKind(Generic[RowT]):
    """What pairs are compared by.

    Attributes
    ----------
    heading : str
        The figure that is judged, as it heads a column and begins an axis.
    noun : str
        The same within a sentence.
    axis : str
        What the axis of a drawing says.
    even : float
        The figure of two groups that are alike.
    columns : tuple of Column
        Columns of the table.
    cells : callable
        Cells of a row by column key.
    judged : callable
        The figure of a row that is judged, and its interval.
    gap : callable
        Its difference, above 0 where it is worse.
    told : callable
        What a sentence says of a group beside the figure, such as its rate with the counts behind it.
    difference : str
        What the difference is, in words.
    """

    heading: str
    noun: str
    axis: str
    even: float = 1.0
    columns: tuple[Column, ...]
    cells: Callable[[Printing, RowT], dict[str, str]]
    judged: Callable[[RowT], tuple[float | None, Span]]
    gap: Callable[[RowT], float | None]
    told: Callable[[Printing, RowT], str]
    difference: str


_N = Column(key="n", heading="n", terse=Terse.ALWAYS)


def _counted(heading: str) -> Column:
    """Return the column of what is counted among what: one, so that a table stays narrow."""
    return Column(key="counted", heading=heading, terse=Terse.ALWAYS)


_P = Column(key="p", heading="p")
_GAP = Column(key="difference", heading="Difference")


def _columns(figure: str, *between: Column) -> tuple[Column, ...]:
    shown = [*between, Column(key="figure", heading=figure, terse=Terse.ALWAYS)]
    shown.append(Column(key="interval", heading=f"{figure} interval", terse=Terse.ALWAYS))
    return (*shown, _GAP, _P)


def _of(part: Any, whole: Any) -> str:
    return f"{formats.amount(part)} of {formats.amount(whole)}"


def _ratio_cells(printing: Printing, row: RatioRow) -> dict[str, str]:
    return {
        "counted": _of(row.counted, row.total),
        "rate": number(row.rate),
        "rate_interval": ends(row.rate_interval),
        "figure": printing.figure(row.ratio),
        "interval": ends(row.ratio_interval, against=printing.marks),
        "difference": printing.gap(row.rate_difference),
        "p": printing.p(row),
    }


def _ratio_told(_printing: Printing, row: RatioRow) -> str:
    return f"rate {number(row.rate)}, {_of(row.counted, row.total)}"


def _odds_cells(printing: Printing, row: OddsRow) -> dict[str, str]:
    return {
        "counted": _of(row.positive, row.total),
        "rate": number(row.positive_rate),
        "odds": number(row.odds),
        "figure": printing.figure(row.odds_ratio),
        "conditional": printing.figure(row.odds_ratio_conditional),
        "interval": ends(row.odds_interval, against=(*printing.marks, 1.0)),
        "difference": printing.gap(row.rate_difference),
        "p": printing.p(row),
    }


def _odds_told(_printing: Printing, row: OddsRow) -> str:
    return f"odds {number(row.odds)}, {_of(row.positive, row.total)}"


def _mean_cells(printing: Printing, row: MeanRow) -> dict[str, str]:
    return {
        "n": formats.amount(row.total),
        "mean": number(row.mean, printing.digits),
        "difference": number(row.mean_difference, printing.digits, against=(0.0,)),
        "sd": number(row.sd, printing.digits),
        "figure": number(row.smd, against=(*_own(printing), 0.0)),
        "p": printing.p(row),
    }


def _own(printing: Printing) -> tuple[float, ...]:
    return () if printing.bars.bar is None else (printing.bars.bar,)


def _mean_told(printing: Printing, row: MeanRow) -> str:
    return f"mean {number(row.mean, printing.digits)}, n {formats.amount(row.total)}"


def _confusion_cells(printing: Printing, row: ConfusionRow) -> dict[str, str]:
    return {
        "counted": _of(row.numerator, row.denominator),
        "rate": number(row.rate),
        "figure": printing.figure(row.ratio),
        "difference": printing.gap(row.rate_difference),
        "p": printing.p(row),
    }


def _confusion_told(printing: Printing, row: ConfusionRow) -> str:
    return f"{printing.rate} {number(row.rate)}, {_of(row.numerator, row.denominator)}"


def _metric_cells(printing: Printing, row: MetricRow) -> dict[str, str]:
    gap, digits = row.difference_interval, printing.digits
    ratio = printing.marks if not printing.bars.of_difference else ()
    return {
        "n": formats.amount(row.total),
        "value": number(row.value, digits),
        "value_interval": ends(row.value_interval, digits, signed=(row.value_interval.low or 0.0) < 0),
        "difference": printing.gap(row.difference),
        "difference_interval": ends(gap, digits, against=printing.gaps, signed=True),
        "ratio": number(row.ratio, against=ratio),
        "ratio_interval": ends(row.ratio_interval, against=ratio),
    }


def _metric_told(printing: Printing, row: MetricRow) -> str:
    return f"value {number(row.value, printing.digits)}, n {formats.amount(row.total)}"


IMPACT: PairKind[RatioRow] = PairKind(
    heading="AIR",
    noun="AIR",
    axis="Adverse impact ratio (AIR)",
    columns=_columns(
        "AIR",
        _counted("Favorable of n"),
        Column(key="rate", heading="Rate", terse=Terse.WITH_ROOM),
        Column(key="rate_interval", heading="Rate interval"),
    ),
    cells=_ratio_cells,
    judged=lambda row: (row.ratio, row.ratio_interval),
    gap=lambda row: row.rate_difference,
    told=_ratio_told,
    difference="reference rate less the group's",
)

RELATIVE: PairKind[RatioRow] = PairKind(
    heading="Relative rate",
    noun="relative rate",
    axis="Relative rate of unfavorable outcomes",
    columns=_columns(
        "Relative rate",
        _counted("Unfavorable of n"),
        Column(key="rate", heading="Rate", terse=Terse.WITH_ROOM),
        Column(key="rate_interval", heading="Rate interval"),
    ),
    cells=_ratio_cells,
    judged=lambda row: (row.ratio, row.ratio_interval),
    gap=lambda row: row.rate_difference,
    told=_ratio_told,
    difference="the group's rate less that of the reference",
)

ODDS: PairKind[OddsRow] = PairKind(
    heading="Odds ratio",
    noun="odds ratio",
    axis="Odds ratio",
    columns=(
        _counted("Outcome 1 of n"),
        Column(key="rate", heading="Rate", brief=False),
        Column(key="odds", heading="Odds", terse=Terse.WITH_ROOM),
        Column(key="figure", heading="Odds ratio", terse=Terse.ALWAYS),
        Column(key="conditional", heading="Conditional MLE"),
        Column(key="interval", heading="Interval", terse=Terse.ALWAYS),
        _GAP,
        _P,
    ),
    cells=_odds_cells,
    judged=lambda row: (row.odds_ratio, row.odds_interval),
    gap=lambda row: row.rate_difference,
    told=_odds_told,
    difference="of the rates, above 0 where the group does worse",
)

MEANS: PairKind[MeanRow] = PairKind(
    heading="SMD",
    noun="standardized difference",
    axis="Standardized mean difference (SMD)",
    even=0.0,
    columns=(
        _N,
        Column(key="mean", heading="Mean", terse=Terse.WITH_ROOM),
        Column(key="difference", heading="Difference of means"),
        Column(key="sd", heading="SD"),
        Column(key="figure", heading="SMD", terse=Terse.ALWAYS),
        _P,
    ),
    cells=_mean_cells,
    judged=lambda row: (row.smd, NO_SPAN),
    gap=lambda _row: None,
    told=_mean_told,
    difference="mean of the group less that of the reference",
)

CONFUSION: PairKind[ConfusionRow] = PairKind(
    heading="Ratio",
    noun="ratio",
    axis="Ratio of rates, below 1 is worse",
    columns=(
        _counted("Numerator of denominator"),
        Column(key="rate", heading="Rate", terse=Terse.WITH_ROOM),
        Column(key="figure", heading="Ratio", terse=Terse.ALWAYS),
        _GAP,
        _P,
    ),
    cells=_confusion_cells,
    judged=lambda row: (row.ratio, NO_SPAN),
    gap=lambda row: row.rate_difference,
    told=_confusion_told,
    difference="of the rates, above 0 where the group does worse",
)

_METRIC_COLUMNS = (
    _N,
    Column(key="value", heading="Value", terse=Terse.WITH_ROOM),
    Column(key="value_interval", heading="Value interval"),
    Column(key="difference", heading="Difference", terse=Terse.ALWAYS),
    Column(key="difference_interval", heading="Difference interval"),
    Column(key="ratio", heading="Ratio", terse=Terse.ALWAYS),
    Column(key="ratio_interval", heading="Ratio interval"),
)

METRIC_BY_RATIO: PairKind[MetricRow] = PairKind(
    heading="Ratio",
    noun="ratio",
    axis="Ratio of values, below 1 is worse",
    columns=_METRIC_COLUMNS,
    cells=_metric_cells,
    judged=lambda row: (row.ratio, row.ratio_interval),
    gap=lambda row: row.difference,
    told=_metric_told,
    difference="of the values, above 0 where the group does worse",
)

METRIC_BY_DIFFERENCE: PairKind[MetricRow] = PairKind(
    heading="Difference",
    noun="difference",
    axis="Difference of values, above 0 is worse",
    even=0.0,
    columns=_METRIC_COLUMNS,
    cells=_metric_cells,
    judged=lambda row: (row.difference, row.difference_interval),
    gap=lambda row: row.difference,
    told=_metric_told,
    difference="of the values, above 0 where the group does worse",
)


def kind_of(finding: PairFinding, bars: Bars) -> PairKind[Any]:
    """Return what the pairs of a finding are compared by."""
    row = next((row for table in finding.tables for row in table.rows), None)
    match row:
        case RatioRow() if finding.analysis == "relative_rate":
            return RELATIVE
        case OddsRow():
            return ODDS
        case MeanRow():
            return MEANS
        case ConfusionRow():
            return CONFUSION
        case MetricRow():
            return METRIC_BY_DIFFERENCE if bars.of_difference else METRIC_BY_RATIO
    return IMPACT


def printing_of(finding: PairFinding, bars: Bars) -> Printing:
    """Return how the numbers of a finding are printed: as many decimals as tell its values apart."""
    values: list[float | None] = []
    for row in _rows(finding):
        if isinstance(row, MeanRow):
            values += [row.mean, row.sd]
        elif isinstance(row, MetricRow):
            values.append(row.value)
    confusion = any(isinstance(row, ConfusionRow) for row in _rows(finding))
    rate = finding.analysis.replace("_", " ") if confusion else "rate"
    digits = formats.digits_for(values) if values else 3
    in_own_units = bars.of_difference and any(isinstance(row, MetricRow) for row in _rows(finding))
    return Printing(bars=bars, digits=digits, figure_digits=digits if in_own_units else 3, rate=rate)


def _rows(finding: PairFinding) -> Iterable[Row]:
    return (row for table in finding.tables for row in table.rows)
