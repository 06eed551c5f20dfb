"""What a test of named pairs finds: records of numbers, each null with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fairreport.analyses.result import Note, PValue, Span
from fairreport.tables.pair_needs import WeightKind
from fairreport.tables.pair_tally import Amount, MeanTally, PairRowCount, PairTally

Reasons = Mapping[str, str]


class RowTest(StrEnum):
    """The test of a row."""

    FISHER = "fisher"
    CHI_SQUARE = "chi_square"
    LINEARISED = "linearised"
    POOLED_T = "pooled_t"
    WELCH_T = "welch_t"
    CMH = "cmh"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """What every row has.

    Attributes
    ----------
    group, group_category : str
        The group and its category.
    reference_group : str or None
        What it is compared with; None for a reference itself.
    is_reference : bool
        Whether others are compared with it.
    observations : int
        Rows with a weight and a known membership in the category.
    percent_missing : float
        Share, 0 to 1, of the rows with a weight that have no membership in the category.
    n_eff : float
        (sum w)^2 / sum w^2.
    test : RowTest or None
        The test that was made.
    p_value, adjusted_p : PValue or None
        Two-sided, and after adjustment.
    practically_significant : bool or None
        Beyond every threshold, and significant; None where that is not defined.
    reasons : mapping of str to str
        For each null, the field in the words of the JSON document and why.
    """

    group: str
    group_category: str
    reference_group: str | None = None
    is_reference: bool = False
    observations: int
    percent_missing: float
    n_eff: float
    test: RowTest | None = None
    p_value: PValue | None = None
    adjusted_p: PValue | None = None
    practically_significant: bool | None = None
    reasons: Reasons = field(default_factory=dict)


NO_SPAN = Span(low=None, high=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What stands beside an adverse impact ratio, for information: none of it decides.

    Attributes
    ----------
    four_fifths_flag : bool or None
        Whether the ratio is below 4/5.
    fisher_two_sided, fisher_directional : PValue or None
        Exact; directional: as few favorable in the group, or fewer.
    mid_p_two_sided, mid_p_directional : PValue or None
        The same less half the probability of the observed table.
    z : float or None
        Group minus reference, in standard deviations.
    difference_interval : Span
        Of reference minus group.
    shortfall_to_four_fifths, shortfall_to_parity : int or None
        Further favorable outcomes that the group would need, the reference held fixed.
    one_person_flip : bool or None
        Whether one favorable outcome moved either way changes the side of four-fifths.
    air_missing_low, air_missing_high : float or None
        The ratio with all rows that lack a membership in the category in this group, unfavorable or favorable.
    """

    four_fifths_flag: bool | None = None
    fisher_two_sided: PValue | None = None
    fisher_directional: PValue | None = None
    mid_p_two_sided: PValue | None = None
    mid_p_directional: PValue | None = None
    z: float | None = None
    difference_interval: Span = NO_SPAN
    shortfall_to_four_fifths: int | None = None
    shortfall_to_parity: int | None = None
    one_person_flip: bool | None = None
    air_missing_low: float | None = None
    air_missing_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioRow(PairRow):
    """A group's rate held against its reference's: favorable for an impact ratio, unfavorable for a relative rate.

    Attributes
    ----------
    total : number
        Sum of membership x weight.
    total_label, average_label : number or None
        Sum of weight x label, and that over the total, where there are labels.
    counted : number
        Favorable (or unfavorable) weight.
    rate : float or None
        counted / total.
    rate_interval, ratio_interval : Span
        Wilson's, and Koopman's or that of the delta method.
    rate_difference : float or None
        Reference minus group (group minus reference for a relative rate).
    ratio : float or None
        Rate over the reference's rate.
    shortfall : float or None
        Favorable outcomes that the group lacks, where practically significant.
    beside : Beside or None
        What stands beside an adverse impact ratio.
    """

    total: Amount
    total_label: Amount | None = None
    average_label: float | None = None
    counted: Amount
    rate: float | None
    rate_interval: Span = NO_SPAN
    rate_difference: float | None = None
    ratio: float | None = None
    ratio_interval: Span = NO_SPAN
    shortfall: float | None = None
    beside: Beside | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsRow(PairRow):
    """A group's odds held against its reference's.

    Attributes
    ----------
    total, positive : number
        Weight, and positive weight.
    positive_rate, odds : float or None
        positive / total, and positive over the rest.
    rate_difference : float or None
        Turned so that above 0 is worse.
    odds_ratio, odds_ratio_conditional : float or None
        Of the sample, and by conditional maximum likelihood.
    odds_interval : Span
        Exact given the margins, or of the delta method.
    interval_test_disagree : bool or None
        Whether the interval leaves out 1 and the test does not find a difference at its level, or the reverse.
    """

    total: Amount
    positive: Amount
    positive_rate: float | None
    odds: float | None
    rate_difference: float | None = None
    odds_ratio: float | None = None
    odds_ratio_conditional: float | None = None
    odds_interval: Span = NO_SPAN
    interval_test_disagree: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanRow(PairRow):
    """A group's mean held against its reference's.

    Attributes
    ----------
    total : number
        Weight.
    mean, mean_difference : float or None
        Mean, and group minus reference.
    sd, smd : float or None
        Standard deviation, and the difference over it.
    """

    total: Amount
    mean: float | None
    mean_difference: float | None = None
    sd: float | None = None
    smd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusionRow(PairRow):
    """A group's rate of right or wrong predictions held against its reference's.

    Attributes
    ----------
    denominator, numerator : number
        Weight that the rate is of, and of that what is counted.
    rate : float or None
        numerator / denominator.
    rate_difference, ratio : float or None
        Turned so that above 0, and below 1, is worse.
    """

    denominator: Amount
    numerator: Amount
    rate: float | None
    rate_difference: float | None = None
    ratio: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow(PairRow):
    """A group's metric held against its reference's.

    Attributes
    ----------
    total : number
        Weight.
    value : float or None
        The metric.
    difference, ratio : float or None
        Turned so that above 0, and below 1, is worse.
    value_interval, difference_interval, ratio_interval : Span
        Of the bootstrap.
    undefined_draws : int
        Draws in which the metric of the group or its reference was not defined.
    """

    total: Amount
    value: float | None
    value_interval: Span = NO_SPAN
    difference: float | None = None
    difference_interval: Span = NO_SPAN
    ratio: float | None = None
    ratio_interval: Span = NO_SPAN
    undefined_draws: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiFigure:
    """A chi-square statistic: its value, degrees of freedom and p-value, None where not defined."""

    statistic: float | None = None
    df: int | None = None
    p_value: PValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledRow:
    """A pair pooled over the segments that both groups share.

    Attributes
    ----------
    group, reference_group, group_category : str
        The pair.
    segments_used, segments_dropped, segments_uninformative : tuple of str
        Segments that both groups share, the others, and of the first those in which all or none are favorable.
    air : float or None
        Mantel-Haenszel ratio.
    air_interval : Span
        Greenland-Robins, or of the delta method.
    rate_difference : float or None
        Mantel-Haenszel difference, reference minus group.
    test : RowTest or None
        Cochran-Mantel-Haenszel or linearised.
    p_value, adjusted_p : PValue or None
        Of that test, and after adjustment.
    practically_significant : bool or None
        As in `PairRow`.
    z : float or None
        Group minus reference, where linearised.
    cmh, cmh_corrected : ChiFigure
        Cochran-Mantel-Haenszel, without and with correction.
    ratio_q : ChiFigure
        Whether the segments share one ratio.
    odds_ratio : float or None
        Mantel-Haenszel odds ratio.
    odds_interval : Span
        Robins-Breslow-Greenland.
    breslow_day_tarone : ChiFigure
        Whether the segments share one odds ratio; says nothing of ratios of rates.
    crude_air : float or None
        Ratio over all rows with a segment.
    direction_reverses : bool or None
        Whether crude and pooled ratio lie on different sides of 1.
    reasons : mapping of str to str
        For each null, the field and why.
    """

    group: str
    reference_group: str
    group_category: str
    segments_used: tuple[str, ...]
    segments_dropped: tuple[str, ...]
    segments_uninformative: tuple[str, ...]
    air: float | None = None
    air_interval: Span = NO_SPAN
    rate_difference: float | None = None
    test: RowTest | None = None
    p_value: PValue | None = None
    adjusted_p: PValue | None = None
    practically_significant: bool | None = None
    z: float | None = None
    cmh: ChiFigure = field(default_factory=ChiFigure)
    cmh_corrected: ChiFigure = field(default_factory=ChiFigure)
    ratio_q: ChiFigure = field(default_factory=ChiFigure)
    odds_ratio: float | None = None
    odds_interval: Span = NO_SPAN
    breslow_day_tarone: ChiFigure = field(default_factory=ChiFigure)
    crude_air: float | None = None
    direction_reverses: bool | None = None
    reasons: Reasons = field(default_factory=dict)


Row = RatioRow | OddsRow | MeanRow | ConfusionRow | MetricRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable:
    """One table of a result: the only one, or that of a quantile, a category or a segment."""

    rows: tuple[Row, ...]
    quantile: float | None = None
    cutoff: float | None = None
    category: str | None = None
    segment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFinding:
    """What a test of named pairs finds.

    Attributes
    ----------
    analysis : str
        Name of the test's function.
    tables : tuple of PairTable
        At least one, except for segments where no row has any.
    pooled : tuple of PooledRow
        One a pair, for segments.
    rows : PairRowCount
        Rows of the table, and those left out.
    weights : WeightKind
        What the weights say.
    measurements : mapping of str to number or None
        Empty where skipped.
    skip_code : str or None
        ``all_groups_undefined`` where no row has a verdict.
    has_label, has_shortfall : bool
        Whether labels are shown, and shortfalls.
    evidence : PairTally, MeanTally or None
        What it was judged from; None for a metric of the user's own.
    notes : tuple of Note
        What a reader should know beside the numbers.
    """

    analysis: str
    tables: tuple[PairTable, ...]
    pooled: tuple[PooledRow, ...] = ()
    rows: PairRowCount
    weights: WeightKind
    measurements: Mapping[str, float | int | None]
    skip_code: str | None = None
    has_label: bool = False
    has_shortfall: bool = False
    evidence: PairTally | MeanTally | None = None
    notes: tuple[Note, ...] = ()

    @property
    def status(self) -> str:
        """``ok``, or ``skipped``."""
        return "ok" if self.skip_code is None else "skipped"
