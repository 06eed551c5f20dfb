"""What a disparity test finds: records of numbers and words, which do not know how they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from fairreport.analyses.grouping import Label
from fairreport.tables.tally import MetricTally, NoTally, OutcomeTally, RowCount, ScoreTally, Spelling

Number = int | float


class SkipCode(StrEnum):
    """Why a test was not computed; the first that applies, in this order."""

    MISSING_COLUMN = "missing_column"
    NESTED_COLUMN = "nested_column"
    EMPTY_COLUMN = "empty_column"
    NOT_NUMERIC = "not_numeric"
    NO_FINITE_VALUES = "no_finite_values"
    PROBABILITY_OUT_OF_RANGE = "probability_out_of_range"
    NO_COMPLETE_ROWS = "no_complete_rows"
    TOO_MANY_GROUPS = "too_many_groups"
    UNLISTED_OUTCOME = "unlisted_outcome"
    NO_FAVORABLE_ROWS = "no_favorable_rows"
    POSITIVE_CLASS_ABSENT = "positive_class_absent"
    WITHHELD = "withheld"
    NAMED_REFERENCE_MISSING = "named_reference_missing"
    NAMED_REFERENCE_INSUFFICIENT = "named_reference_insufficient"
    TOO_FEW_SUFFICIENT_GROUPS = "too_few_sufficient_groups"
    METRIC_UNDEFINED = "metric_undefined"
    NAMED_REFERENCE_UNDEFINED = "named_reference_undefined"
    TOO_FEW_DEFINED_GROUPS = "too_few_defined_groups"
    REFERENCE_RATE_ZERO = "reference_rate_zero"
    TOO_MANY_CONTROL_COMBINATIONS = "too_many_control_combinations"
    RATIO_UNDEFINED_SET_MAX_DIFFERENCE = "ratio_undefined_set_max_difference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Why a test was not computed: a code, and the reason in words."""

    code: SkipCode
    reason: str

    @classmethod
    def without(cls, tally: NoTally) -> Skip:
        """Return the skip of a test that the table gave no tally."""
        return cls(code=SkipCode(tally.code.value), reason=tally.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something a reader should know beside the numbers: a code, and a sentence."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A confidence interval; an end is None where it is not defined."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PValue:
    """A p-value and its decimal logarithm.

    `p` is None below 1e-300, where `log10` tells the size; `log10` is None where `p` is exactly 0 (two groups
    without any variation and with different values).
    """

    p: float | None
    log10: float | None

    @property
    def number(self) -> float:
        """The p-value as a number; 0 where it is too small for one."""
        return self.p if self.p is not None else 10.0 ** (self.log10 or 0.0)

    def is_below(self, alpha: float) -> bool:
        """Tell whether the p-value is strictly below `alpha`."""
        return True if self.p is None else self.p < alpha


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeGroup:
    """One group of an outcome test.

    Attributes
    ----------
    group : tuple of str
        One text per attribute, in the order of `OutcomeFinding.attributes`.
    n, favorable : int
        Evaluated rows, and those with a favorable outcome.
    share : float
        Share of the evaluated rows, 0 to 1.
    rate : float
        favorable / n.
    ratio, difference : float or None
        Rate over, and minus, the reference rate.
    rate_interval : Span
        Wilson interval at level 1 - alpha.
    ratio_interval, difference_interval : Span or None
        Koopman and Newcombe intervals; None for the reference itself.
    p_value, adjusted_p : PValue or None
        Two-sided p-value against the reference, and after adjustment; None where the group was not tested.
    p_all_pairs : float or None
        Informational: min(1, p K (K - 1) / 2) for K sufficient groups.
    significant, four_fifths_flag, failing : bool
        The verdicts.
    sufficient, is_reference : bool
        Whether the group has the rows to be judged; whether others are compared with it.
    adjusted_impact_ratio, adjusted_odds_ratio : float or None
        Mantel-Haenszel estimates within the control columns.
    adjusted_ratio_interval, adjusted_odds_interval : Span or None
        Greenland-Robins and Robins-Breslow-Greenland intervals.
    strata_used : int
        Combinations of the control columns where both sides have rows.
    """

    group: Label
    n: int
    favorable: int
    share: float
    rate: float
    ratio: float | None
    difference: float | None
    rate_interval: Span
    ratio_interval: Span | None
    difference_interval: Span | None
    p_value: PValue | None
    adjusted_p: PValue | None
    p_all_pairs: float | None
    significant: bool
    four_fifths_flag: bool
    failing: bool
    sufficient: bool
    is_reference: bool
    adjusted_impact_ratio: float | None = None
    adjusted_odds_ratio: float | None = None
    adjusted_ratio_interval: Span | None = None
    adjusted_odds_interval: Span | None = None
    strata_used: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How the numbers were made, for the packet and for whoever recomputes them."""

    test: str
    sidedness: str
    correction: str
    level: float
    rate_interval: str
    ratio_interval: str
    difference_interval: str
    omnibus: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """One group of a score test; the fields that it shares with `OutcomeGroup` mean the same.

    Attributes
    ----------
    scoring : int
        Rows strictly beyond the overall median, on the favorable side; `rate` is scoring / n.
    mean, median : float
        Of the group's scores.
    mean_difference, median_difference : float
        Group minus reference.
    standardized_mean_difference : float or None
        Mean difference over the pooled standard deviation of the two groups (ddof 1).
    probability_of_superiority, cliffs_delta, ks_distance : float or None
        Informational: the share of pairs in which a member of the group scores higher than one of the reference
        (ties half), its scale from -1 to 1, and the largest gap between the two distribution functions.
    """

    group: Label
    n: int
    scoring: int
    share: float
    rate: float
    ratio: float | None
    difference: float | None
    rate_interval: Span
    ratio_interval: Span | None
    difference_interval: Span | None
    p_value: PValue | None
    adjusted_p: PValue | None
    p_all_pairs: float | None
    significant: bool
    four_fifths_flag: bool
    failing: bool
    sufficient: bool
    is_reference: bool
    mean: float
    median: float
    mean_difference: float
    median_difference: float
    standardized_mean_difference: float | None
    probability_of_superiority: float | None = None
    cliffs_delta: float | None = None
    ks_distance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One group of a metric test.

    Attributes
    ----------
    group : tuple of str
        One text per attribute.
    n, support : int
        Evaluated rows, and those that the metric is computed on.
    share : float
        Share of the evaluated rows.
    value : float or None
        The metric; None where it is not defined.
    interval : Span
        Its confidence interval at level 1 - alpha.
    ratio : float or None
        Direction-aware: below 1 always means worse. None where the comparison value is not positive.
    difference : float or None
        Value minus comparison value.
    gap : float or None
        How much worse, 0 where not worse.
    ratio_interval, difference_interval : Span or None
        Koopman and Newcombe intervals, for shares held against a reference group.
    delong_interval : Span or None
        Informational, for AUC: DeLong's interval.
    """

    group: Label
    n: int
    support: int
    share: float
    value: float | None
    interval: Span
    ratio: float | None
    difference: float | None
    gap: float | None
    worse: bool
    ratio_interval: Span | None
    difference_interval: Span | None
    p_value: PValue | None
    adjusted_p: PValue | None
    significant: bool
    failing: bool
    sufficient: bool
    is_reference: bool
    delong_interval: Span | None = None


class _Row(Protocol):
    @property
    def sufficient(self) -> bool: ...
    @property
    def is_reference(self) -> bool: ...


RowT = TypeVar("RowT", bound=_Row)


class _Judged(Generic[RowT]):
    """What every finding derives from its groups and measurements."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def groups(self) -> tuple[RowT, ...]: ...

    @property
    def tiny(self) -> tuple[str, ...]:
        """Measurements that are null only because they are below 1e-300."""
        return ()

    @property
    def judged(self) -> tuple[RowT, ...]:
        """Sufficient groups other than the reference."""
        return tuple(row for row in self.groups if row.sufficient and not row.is_reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeFinding(_Judged[OutcomeGroup]):
    """What an outcome test finds.

    Attributes
    ----------
    attributes : tuple of str
        Attribute columns, sorted; group labels follow this order.
    skip : Skip or None
        Why nothing was computed; then there are no measurements and no groups.
    measurements : mapping of str to number or None
        By their documented names.
    groups : tuple of OutcomeGroup
        All groups, worst first, insufficient ones last.
    reference : tuple of str or None
        Label of the reference group.
    rows : RowCount or None
        How the rows became evaluated rows; None where that is not known.
    evidence : OutcomeTally or None
        The counts that everything was judged from.
    omnibus_log10_p : float or None
        Decimal logarithm of the omnibus p-value.
    notes : tuple of Note
        What a reader should know.
    spellings : tuple of Spelling
        Spellings that were folded into one group.
    """

    attributes: tuple[str, ...]
    skip: Skip | None = None
    measurements: Mapping[str, Number | None]
    groups: tuple[OutcomeGroup, ...] = ()
    reference: Label | None = None
    rows: RowCount | None = None
    evidence: OutcomeTally | None = None
    method: Method
    omnibus_log10_p: float | None = None
    notes: tuple[Note, ...] = ()
    spellings: tuple[Spelling, ...] = ()

    @property
    def tiny(self) -> tuple[str, ...]:
        """Measurements that are null only because they are below 1e-300."""
        known = self.omnibus_log10_p is not None and self.measurements.get("chiSquarePValue") is None
        return ("chiSquarePValue",) if known else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFinding(_Judged[ScoreRow]):
    """What a score test finds; the fields that it shares with `OutcomeFinding` mean the same."""

    attributes: tuple[str, ...]
    skip: Skip | None = None
    measurements: Mapping[str, Number | None]
    groups: tuple[ScoreRow, ...] = ()
    reference: Label | None = None
    rows: RowCount | None = None
    evidence: ScoreTally | None = None
    method: Method
    overall_median: float | None = None
    notes: tuple[Note, ...] = ()
    spellings: tuple[Spelling, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFinding(_Judged[MetricRow]):
    """What a metric test finds; the fields that it shares with `OutcomeFinding` mean the same.

    Attributes
    ----------
    overall_value : float or None
        The metric over all evaluated rows.
    comparison_value : float or None
        What the groups are compared with: the reference's value, or the overall one.
    """

    attributes: tuple[str, ...]
    skip: Skip | None = None
    measurements: Mapping[str, Number | None]
    groups: tuple[MetricRow, ...] = ()
    reference: Label | None = None
    rows: RowCount | None = None
    evidence: MetricTally | None = None
    method: Method
    overall_value: float | None = None
    comparison_value: float | None = None
    notes: tuple[Note, ...] = ()
    spellings: tuple[Spelling, ...] = ()


Finding = OutcomeFinding | ScoreFinding | MetricFinding
