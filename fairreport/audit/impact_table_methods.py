"""The methods by which a user adds tests of impact ratios in several tables to an audit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    SegmentedAdverseImpactRatio,
)


class ImpactTableMethods(ABC):
    """One method a test with a table a quantile, a category or a segment."""

    @abstractmethod
    def add_pairs(self, kind: type[PairTest], stated: Mapping[str, Any]) -> Self:
        """Append a test of named pairs with what a method was given, and return the audit."""

    def adverse_impact_ratio_by_quantile(
        self,
        *,
        outcome: Any,
        quantiles: Any,
        air_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        label: Any = None,
        lower_is_favorable: bool = False,
        adjust_over_quantiles: bool = False,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        max_for_fishers: float = 100,
        shortfall_method: str | None = "to_reference_mean",
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the adverse impact ratio with a score at or beyond each quantile as favorable.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.adverse_impact_ratio_by_quantile`.

        Parameters
        ----------
        outcome
            Column of scores.
        quantiles
            Quantiles of the scores, each strictly between 0 and 1.
        air_threshold
            Adverse impact ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
        label
            Column of labels, 0 or 1, shown as total and average.
        lower_is_favorable
            Whether scores at or below the cutoff are favorable.
        adjust_over_quantiles
            Whether p-values are adjusted over all quantiles together (with Holm by default).
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        max_for_fishers
            Smallest observed or expected cell up to which Fisher's exact test is made.
        shortfall_method
            Up to which rate favorable outcomes that lack are counted; null leaves them out.
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
        return self.add_pairs(AdverseImpactRatioByQuantile, locals())

    def categorical_adverse_impact_ratio(
        self,
        *,
        outcome: Any,
        category_order: Sequence[Any],
        air_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        label: Any = None,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        max_for_fishers: float = 100,
        shortfall_method: str | None = "to_reference_mean",
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the adverse impact ratio of "this category or better", for ordered categories.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.categorical_adverse_impact_ratio`.

        Parameters
        ----------
        outcome
            Column of the category.
        category_order
            All categories, worst first, matched as text.
        air_threshold
            Adverse impact ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
        label
            Column of labels, 0 or 1, shown as total and average.
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        max_for_fishers
            Smallest observed or expected cell up to which Fisher's exact test is made.
        shortfall_method
            Up to which rate favorable outcomes that lack are counted; null leaves them out.
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
        return self.add_pairs(CategoricalAdverseImpactRatio, locals())

    def segmented_adverse_impact_ratio(
        self,
        *,
        outcome: Any,
        segment: Any,
        air_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        label: Any = None,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        max_for_fishers: float = 100,
        shortfall_method: str | None = "to_reference_mean",
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the adverse impact ratio within segments, and pooled over those that both groups share.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.segmented_adverse_impact_ratio`. P-values of the segments of a pair are adjusted after Benjamini and
        Hochberg, whatever `p_value_adjustment` says, which is about the pooled rows.

        Parameters
        ----------
        outcome
            Column of the outcome: 0 or 1, 1 favorable.
        segment
            Column of the segment, matched as text.
        air_threshold
            Adverse impact ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
        label
            Column of labels, 0 or 1, shown as total and average.
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        max_for_fishers
            Smallest observed or expected cell up to which Fisher's exact test is made.
        shortfall_method
            Up to which rate favorable outcomes that lack are counted; null leaves them out.
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
        return self.add_pairs(SegmentedAdverseImpactRatio, locals())
