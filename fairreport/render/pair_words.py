"""What is found about a named pair, in words: what it is held against, and on which side of that it lies."""

from __future__ import annotations

from dataclasses import dataclass

from fairreport.analyses.pair_draft import is_significant
from fairreport.analyses.pair_parameters import ImpactRatioTest, PairTest, RateTest
from fairreport.analyses.pair_result import MetricRow, PooledRow, Row
from fairreport.analyses.pair_sides import is_beyond
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    ConfusionRateTest,
    CustomDisparityMetric,
    MeanDifferenceTest,
    OddsRatio,
    RelativeRate,
    SegmentedAdverseImpactRatio,
)
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.result import Span
from fairreport.render import formats
from fairreport.render.pair_reasons import reason_words
from fairreport.render.words import FindingWords, Kind, Side, finding

_NOISE = 1e-12

GRAVEST = (
    Kind.BELOW_SIGNIFICANT,
    Kind.BELOW_CHANCE,
    Kind.SMALL_GAP,
    Kind.NOT_DEFINED,
    Kind.REACHES_BELOW,
    Kind.AT_OR_ABOVE,
    Kind.NO_RATIO,
    Kind.REFERENCE,
)
"""What can be found about a pair, gravest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What a pair is held against.

    Attributes
    ----------
    bar : float or None
        The threshold of the figure that is judged; None where none is stated.
    above : bool
        Whether above it is worse.
    gap : float or None
        Difference that must be exceeded as well.
    alpha : float
        Significance level.
    is_adjusted : bool
        Whether p-values are adjusted.
    by_interval : bool
        Whether an interval of the difference stands in the place of a test.
    of_difference : bool
        Whether the figure that is judged is itself a difference.
    """

    bar: float | None
    above: bool = False
    gap: float | None = None
    alpha: float
    is_adjusted: bool = False
    by_interval: bool = False
    of_difference: bool = False

    @property
    def bar_text(self) -> str:
        """The threshold as it prints."""
        return "" if self.bar is None else formats.threshold(self.bar)

    @property
    def beyond(self) -> str:
        """Which side is worse, in words."""
        return f"{'above' if self.above else 'below'} {self.bar_text}"

    @property
    def within(self) -> str:
        """The other side, in words."""
        return f"{'at most' if self.above else 'at or above'} {self.bar_text}"

    @property
    def significance(self) -> str:
        """When a difference is significant, in words."""
        if self.by_interval:
            return "interval of the difference above 0"
        return f"{'adjusted ' if self.is_adjusted else ''}p < {formats.alpha(self.alpha)}"

    @property
    def rule(self) -> str:
        """When a pair is practically significant, in words."""
        gap = [] if self.gap is None else [f"difference above {formats.threshold(self.gap)}"]
        return ", ".join([self.beyond, *gap, self.significance])


def bars_of(test: PairTest) -> Bars:
    """Return what the pairs of a test are held against."""
    adjusted = test.p_value_adjustment is not PValueAdjustment.NONE or _adjusts_by_itself(test)
    bar, above, gap = _bars(test)
    by_interval = isinstance(test, CustomDisparityMetric)
    of_difference = isinstance(test, CustomDisparityMetric) and test.ratio_threshold is None
    return Bars(
        bar=bar,
        above=above,
        gap=gap,
        alpha=test.alpha,
        is_adjusted=adjusted and not by_interval,
        by_interval=by_interval,
        of_difference=of_difference,
    )


def _adjusts_by_itself(test: PairTest) -> bool:
    if isinstance(test, AdverseImpactRatioByQuantile):
        return test.adjust_over_quantiles
    return isinstance(test, SegmentedAdverseImpactRatio)


def _bars(test: PairTest) -> tuple[float | None, bool, float | None]:
    gap = test.percent_difference_threshold if isinstance(test, RateTest) else None
    match test:
        case ImpactRatioTest():
            return test.air_threshold, False, gap
        case RelativeRate():
            return test.relative_rate_threshold, True, gap
        case OddsRatio():
            return test.odds_ratio_threshold, test.lower_is_favorable, gap
        case ConfusionRateTest():
            return test.ratio_threshold, False, gap
        case MeanDifferenceTest():
            return test.smd_threshold, test.smd_threshold > 0, None
        case CustomDisparityMetric() if test.ratio_threshold is None:
            return test.difference_threshold, True, None
        case CustomDisparityMetric():
            return test.ratio_threshold, False, test.difference_threshold
    raise TypeError(f"{type(test).__name__} is no test of named pairs")


def words_of(row: Row | PooledRow, bars: Bars, value: float | None, span: Span, gap: float | None) -> FindingWords:
    """Return what is found about a row.

    Parameters
    ----------
    row : Row or PooledRow
        The row; its verdict decides what is practically significant.
    bars : Bars
        What it is held against.
    value : float or None
        The figure that is judged.
    span : Span
        Its interval.
    gap : float or None
        Its difference, above 0 where it is worse.
    """
    if not isinstance(row, PooledRow) and row.is_reference:
        return finding(Kind.REFERENCE, "")
    if bars.bar is None:
        return FindingWords(kind=Kind.NO_RATIO, side=Side.NOT_TESTED, word="not judged: no threshold stated", glyph="○")
    if row.practically_significant:
        return FindingWords(
            kind=Kind.BELOW_SIGNIFICANT,
            side=Side.BELOW,
            word=f"practically significant: {bars.rule}",
            glyph="▼",
            brief=f"{bars.beyond}, practically significant",
        )
    if row.practically_significant is None or value is None:
        return FindingWords(
            kind=Kind.NOT_DEFINED,
            side=Side.NOT_TESTED,
            word=f"not defined: {reason_words(row.reasons.get('practically_significant'))}",
            glyph="○",
        )
    if is_beyond(value, bars.bar, above=bars.above):
        return _beyond_words(row, bars, gap)
    return _within_words(bars, span)


def _beyond_words(row: Row | PooledRow, bars: Bars, gap: float | None) -> FindingWords:
    small = bars.gap is not None and not _is_gap_above(gap, bars.gap)
    by_chance = not _is_significant(row, bars)
    parts = [bars.beyond]
    if small:
        parts.append(f"difference at most {formats.threshold(bars.gap or 0.0)}")
    if by_chance:
        parts.append("may be chance")
        return FindingWords(kind=Kind.BELOW_CHANCE, side=Side.INCONCLUSIVE, word=", ".join(parts), glyph="▽")
    return FindingWords(kind=Kind.SMALL_GAP, side=Side.INCONCLUSIVE, word=", ".join(parts), glyph="◊")


def _within_words(bars: Bars, span: Span) -> FindingWords:
    end = span.high if bars.above else span.low
    if bars.bar is not None and end is not None and is_beyond(end, bars.bar, above=bars.above):
        word = f"{bars.within}, interval reaches {bars.beyond}"
        brief = f"interval reaches {bars.beyond}"
        return FindingWords(kind=Kind.REACHES_BELOW, side=Side.INCONCLUSIVE, word=word, glyph="◆", brief=brief)
    return FindingWords(kind=Kind.AT_OR_ABOVE, side=Side.MEETS, word=bars.within, glyph="●")


def _is_gap_above(gap: float | None, bar: float) -> bool:
    if gap is None or abs(gap - bar) < _NOISE:
        return False
    return is_beyond(gap, bar, above=True)


def _is_significant(row: Row | PooledRow, bars: Bars) -> bool:
    if isinstance(row, MetricRow):
        low = row.difference_interval.low
        return low is not None and low > 0
    return row.adjusted_p is not None and is_significant(row.adjusted_p, bars.alpha)


def severity_of(value: float | None, bars: Bars) -> float:
    """Return how a figure sorts among others of its kind: 1 at the threshold, the lower the worse.

    Examples
    --------
    >>> severity_of(0.4, Bars(bar=0.8, alpha=0.05)), severity_of(-0.6, Bars(bar=-0.3, alpha=0.05))
    (0.5, 0.5)
    """
    if value is None:
        return float("inf")
    bar = bars.bar
    if bar is None:
        return -value if bars.of_difference else value
    if bar <= 0 or (bars.above and bars.of_difference):  # further out is worse
        share = value / bar if bar else value
        return 1 / share if share > 0 else float("inf")
    if bars.above:
        return bar / value if value > 0 else float("inf")
    return value / bar
