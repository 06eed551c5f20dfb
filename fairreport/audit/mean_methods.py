"""The methods by which a user adds tests of means and own metrics between named pairs of groups to an audit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import (
    CustomDisparityMetric,
    ResidualStandardizedMeanDifference,
    StandardizedMeanDifference,
)


class MeanMethods(ABC):
    """One method a test of means, and one for a metric of the user's own."""

    @abstractmethod
    def add_pairs(self, kind: type[PairTest], stated: Mapping[str, Any]) -> Self:
        """Append a test of named pairs with what a method was given, and return the audit."""

    def standardized_mean_difference(
        self,
        *,
        outcome: Any,
        smd_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        sd: str = "population",
        welch: bool = False,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the difference of the means of a number, in standard deviations.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.standardized_mean_difference`.

        Parameters
        ----------
        outcome
            Column of the number whose means are compared.
        smd_threshold
            Standardized difference beyond which a group is beyond the threshold; its sign is the direction.
        sd
            Standard deviation of all evaluated rows, or pooled within the pair.
        welch
            Whether to test without assuming equal variances.
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        alpha
            Significance level.
        confidence_level
            Level of the confidence intervals.
        p_value_adjustment
            Adjustment of the p-values for the number of comparisons.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        return self.add_pairs(StandardizedMeanDifference, locals())

    def residual_standardized_mean_difference(
        self,
        *,
        label: Any,
        prediction: Any,
        smd_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        sd: str = "population",
        welch: bool = False,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the difference of the means of label minus prediction, in standard deviations.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.residual_standardized_mean_difference`.

        Parameters
        ----------
        label
            Column of what happened.
        prediction
            Column of what was predicted.
        smd_threshold
            Standardized difference beyond which a group is beyond the threshold; its sign is the direction.
        sd
            Standard deviation of all evaluated rows, or pooled within the pair.
        welch
            Whether to test without assuming equal variances.
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        alpha
            Significance level.
        confidence_level
            Level of the confidence intervals.
        p_value_adjustment
            Adjustment of the p-values for the number of comparisons.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        return self.add_pairs(ResidualStandardizedMeanDifference, locals())

    def custom_disparity_metric(
        self,
        *,
        outcome: Any,
        label: Any,
        metric: Callable[..., float],
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        lower_is_better: bool = False,
        ratio_threshold: float | None = None,
        difference_threshold: float | None = None,
        draws: int = 999,
        seed: int = 0,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the values of a metric of your own, with bootstrap intervals.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.custom_disparity_metric`.

        Parameters
        ----------
        outcome
            Column of the prediction.
        label
            Column of what happened.
        metric
            Function metric(labels, predictions), with sample_weight where rows are weighed.
        lower_is_better
            Whether a smaller value is better.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        difference_threshold
            Turned difference above which a group is beyond the threshold.
        draws
            Draws of the bootstrap.
        seed
            Where its random numbers start.
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        alpha
            Significance level.
        confidence_level
            Level of the confidence intervals.
        p_value_adjustment
            Adjustment of the p-values for the number of comparisons.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        return self.add_pairs(CustomDisparityMetric, locals())
