"""The tests of named pairs of groups, each as a user states it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, PlainSerializer

from fairreport.analyses.pair_parameters import ImpactRatioTest, PairTest, RateTest
from fairreport.analyses.parameters import Column, Flag, PositiveShare, Size, choice, fault, number
from fairreport.errors import Fault
from fairreport.tables.text import canonical


class SpreadKind(StrEnum):
    """The standard deviation that a difference of means is divided by."""

    POPULATION = "population"
    POOLED = "pooled"


def _at_least_one(value: Any) -> float:
    if number(value) < 1:
        raise fault("out_of_range", f"must be 1 or more, got {value!r}")
    return float(value)


def _positive(value: Any) -> float:
    if number(value) <= 0:
        raise fault("out_of_range", f"must be above 0, got {value!r}")
    return float(value)


def _signed(value: Any) -> float:
    if number(value) == 0:
        raise fault("out_of_range", "must not be 0: its sign says which direction is meant")
    return float(value)


def _quantiles(value: Any) -> tuple[float, ...]:
    items = list(value) if isinstance(value, (list, tuple)) or hasattr(value, "tolist") else [value]
    if not items:
        raise fault("empty_values_list", "must not be empty")
    for item in items:
        if not 0 < number(item) < 1:
            raise fault("out_of_range", f"must each be strictly between 0 and 1, got {item!r}")
    found = tuple(float(item) for item in items)
    if len(set(found)) < len(found):
        raise fault("duplicate_values", f"names {next(q for q in found if found.count(q) > 1)!r} twice")
    return found


def _order(value: Any) -> tuple[str, ...]:
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise fault("bad_type", f"must be a list of categories, worst first, got {value!r}")
    items = list(value)
    if not items:
        raise fault("empty_values_list", "must not be empty")
    texts = []
    for item in items:
        text = None if isinstance(item, (list, tuple, dict, set)) else canonical(item)
        if text is None:
            raise fault("bad_type", f"must hold text, numbers or booleans, got {item!r}")
        texts.append(text)
    if len(set(texts)) < len(texts):
        raise fault("duplicate_values", f"names {next(t for t in texts if texts.count(t) > 1)!r} twice")
    if len(texts) < 2:
        raise fault("out_of_range", "must name two categories or more")
    return tuple(texts)


AtLeastOne = Annotated[float, BeforeValidator(_at_least_one, json_schema_input_type=float)]
Positive = Annotated[float, BeforeValidator(_positive, json_schema_input_type=float)]
Signed = Annotated[float, BeforeValidator(_signed, json_schema_input_type=float)]
Quantiles = Annotated[tuple[float, ...], BeforeValidator(_quantiles, json_schema_input_type=list[float])]
CategoryOrder = Annotated[tuple[str, ...], BeforeValidator(_order, json_schema_input_type=list[str])]


class AdverseImpactRatio(ImpactRatioTest):
    """The favorable rate of each protected group over that of its own reference group.

    Examples
    --------
    >>> AdverseImpactRatio(protected_groups=["Black"], reference_groups=["White"], group_categories=["Race"],
    ...                    outcome="hired", air_threshold=0.8, percent_difference_threshold=0).alpha
    0.05
    """

    analysis: ClassVar[str] = "adverse_impact_ratio"
    subtype: ClassVar[str] = "adverseImpactRatio"


class RelativeRate(RateTest):
    """The unfavorable rate of each protected group over that of its own reference group."""

    analysis: ClassVar[str] = "relative_rate"
    subtype: ClassVar[str] = "relativeRate"

    relative_rate_threshold: AtLeastOne = Field(
        description="Ratio of unfavorable rates above which a group is beyond the threshold."
    )
    label: Column | None = Field(default=None, description="Column of labels, 0 or 1, shown as total and average.")


class OddsRatio(RateTest):
    """The odds of each protected group over those of its own reference group."""

    analysis: ClassVar[str] = "odds_ratio"
    subtype: ClassVar[str] = "oddsRatio"

    odds_ratio_threshold: Positive = Field(
        description="Odds ratio beyond which a group is beyond the threshold: below it, or above where lower is better."
    )
    lower_is_favorable: Flag = Field(default=False, description="Whether an outcome of 1 is unfavorable.")

    def clashes(self) -> Iterator[Fault]:
        """Yield what is wrong with parameters that are right each by itself."""
        yield from super().clashes()
        if self.lower_is_favorable and self.odds_ratio_threshold < 1:
            message = f"must be 1 or more with lower_is_favorable, got {self.odds_ratio_threshold!r}"
            yield Fault(code="out_of_range", message=message, path="odds_ratio_threshold")
        if not self.lower_is_favorable and self.odds_ratio_threshold > 1:
            message = f"must be above 0 and at most 1, got {self.odds_ratio_threshold!r}"
            yield Fault(code="out_of_range", message=message, path="odds_ratio_threshold")


class MeanDifferenceTest(PairTest):
    """A test whose difference of means is divided by a standard deviation."""

    smd_threshold: Signed = Field(
        description="Standardized difference beyond which a group is beyond the threshold; its sign is the direction."
    )
    sd: Annotated[SpreadKind, choice(SpreadKind)] = Field(
        default=SpreadKind.POPULATION,
        description="Standard deviation of all evaluated rows, or pooled within the pair.",
    )
    welch: Flag = Field(default=False, description="Whether to test without assuming equal variances.")


class StandardizedMeanDifference(MeanDifferenceTest):
    """The mean of each protected group less that of its own reference group, in standard deviations."""

    analysis: ClassVar[str] = "standardized_mean_difference"
    subtype: ClassVar[str] = "standardizedMeanDifference"

    outcome: Column = Field(description="Column of the number whose means are compared.")

    @property
    def measured(self) -> str:
        """The column that is measured."""
        return self.outcome


class ResidualStandardizedMeanDifference(MeanDifferenceTest):
    """The same of residuals: what happened less what was predicted."""

    analysis: ClassVar[str] = "residual_standardized_mean_difference"
    subtype: ClassVar[str] = "residualStandardizedMeanDifference"

    label: Column = Field(description="Column of what happened.")
    prediction: Column = Field(description="Column of what was predicted.")

    @property
    def measured(self) -> str:
        """The residuals."""
        return f"{self.label} less {self.prediction}"


class AdverseImpactRatioByQuantile(ImpactRatioTest):
    """Adverse impact ratios of scores at or beyond each of some quantiles of all scores."""

    analysis: ClassVar[str] = "adverse_impact_ratio_by_quantile"
    subtype: ClassVar[str] = "adverseImpactRatioByQuantile"

    outcome: Column = Field(description="Column of scores.")
    quantiles: Quantiles = Field(description="Quantiles of the scores, each strictly between 0 and 1.")
    lower_is_favorable: Flag = Field(default=False, description="Whether scores at or below the cutoff are favorable.")
    adjust_over_quantiles: Flag = Field(
        default=False, description="Whether p-values are adjusted over all quantiles together (with Holm by default)."
    )


class CategoricalAdverseImpactRatio(ImpactRatioTest):
    """Adverse impact ratios of each category or better, for ordered categories."""

    analysis: ClassVar[str] = "categorical_adverse_impact_ratio"
    subtype: ClassVar[str] = "categoricalAdverseImpactRatio"

    outcome: Column = Field(description="Column of the category.")
    category_order: CategoryOrder = Field(description="All categories, worst first, matched as text.")


class SegmentedAdverseImpactRatio(ImpactRatioTest):
    """Adverse impact ratios within segments, and pooled over the segments that both groups share."""

    analysis: ClassVar[str] = "segmented_adverse_impact_ratio"
    subtype: ClassVar[str] = "segmentedAdverseImpactRatio"

    segment: Column = Field(description="Column of the segment, matched as text.")


class ConfusionRateTest(RateTest):
    """A test of a rate of right or wrong predictions, turned so that a ratio below 1 is worse."""

    given: ClassVar[str]
    given_value: ClassVar[int]
    counted_value: ClassVar[int]
    lower_is_better: ClassVar[bool]

    outcome: Column = Field(description="Column of the prediction: 0 or 1.")
    label: Column = Field(description="Column of what happened: 0 or 1.")
    ratio_threshold: PositiveShare = Field(description="Turned ratio below which a group is below the threshold.")


class TruePositiveRate(ConfusionRateTest):
    """Positive predictions among positive labels."""

    analysis: ClassVar[str] = "true_positive_rate"
    subtype: ClassVar[str] = "truePositiveRate"
    given, given_value, counted_value, lower_is_better = "label", 1, 1, False


class TrueNegativeRate(ConfusionRateTest):
    """Negative predictions among negative labels."""

    analysis: ClassVar[str] = "true_negative_rate"
    subtype: ClassVar[str] = "trueNegativeRate"
    given, given_value, counted_value, lower_is_better = "label", 0, 0, False


class FalsePositiveRate(ConfusionRateTest):
    """Positive predictions among negative labels."""

    analysis: ClassVar[str] = "false_positive_rate"
    subtype: ClassVar[str] = "falsePositiveRate"
    given, given_value, counted_value, lower_is_better = "label", 0, 1, True


class FalseNegativeRate(ConfusionRateTest):
    """Negative predictions among positive labels."""

    analysis: ClassVar[str] = "false_negative_rate"
    subtype: ClassVar[str] = "falseNegativeRate"
    given, given_value, counted_value, lower_is_better = "label", 1, 0, True


class Precision(ConfusionRateTest):
    """Positive labels among positive predictions."""

    analysis: ClassVar[str] = "precision"
    subtype: ClassVar[str] = "precision"
    given, given_value, counted_value, lower_is_better = "outcome", 1, 1, False


class FalseDiscoveryRate(ConfusionRateTest):
    """Negative labels among positive predictions."""

    analysis: ClassVar[str] = "false_discovery_rate"
    subtype: ClassVar[str] = "falseDiscoveryRate"
    given, given_value, counted_value, lower_is_better = "outcome", 1, 0, True


def _metric(value: Any) -> Callable[..., float]:
    if not callable(value):
        raise fault("bad_type", f"must be a function of labels and predictions, got {value!r}")
    return value  # type: ignore[no-any-return]


def _not_negative(value: Any) -> float:
    if number(value) < 0:
        raise fault("out_of_range", f"must be 0 or more, got {value!r}")
    return float(value)


def _seed(value: Any) -> int:
    seed = number(value)
    if seed < 0 or seed != int(seed):
        raise fault("out_of_range", f"must be a whole number of 0 or more, got {value!r}")
    return int(seed)


def name_of(metric: Any) -> str:
    """Return the name of a metric, in a word where it has none."""
    return str(getattr(metric, "__name__", "metric"))


class CustomDisparityMetric(PairTest):
    """Any metric of labels and predictions, group by group, with a bootstrap interval within the groups."""

    analysis: ClassVar[str] = "custom_disparity_metric"
    subtype: ClassVar[str] = "customDisparityMetric"

    outcome: Column = Field(description="Column of the prediction.")
    label: Column = Field(description="Column of what happened.")
    metric: Annotated[
        Any, BeforeValidator(_metric, json_schema_input_type=str), PlainSerializer(name_of, return_type=str)
    ] = Field(description="Function metric(labels, predictions), with sample_weight where rows are weighed.")
    lower_is_better: Flag = Field(default=False, description="Whether a smaller value is better.")
    ratio_threshold: PositiveShare | None = Field(
        default=None, description="Turned ratio below which a group is below the threshold."
    )
    difference_threshold: Annotated[float, BeforeValidator(_not_negative, json_schema_input_type=float)] | None = Field(
        default=None, description="Turned difference above which a group is beyond the threshold."
    )
    draws: Size = Field(default=999, description="Draws of the bootstrap.")
    seed: Annotated[int, BeforeValidator(_seed, json_schema_input_type=int)] = Field(
        default=0, description="Where its random numbers start."
    )

    @property
    def measured(self) -> str:
        """The metric's own name."""
        return name_of(self.metric)


PAIR_TESTS: tuple[type[PairTest], ...] = (
    AdverseImpactRatio,
    RelativeRate,
    OddsRatio,
    StandardizedMeanDifference,
    ResidualStandardizedMeanDifference,
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    SegmentedAdverseImpactRatio,
    TruePositiveRate,
    TrueNegativeRate,
    FalsePositiveRate,
    FalseNegativeRate,
    Precision,
    FalseDiscoveryRate,
    CustomDisparityMetric,
)
