"""The methods by which a user adds tests of ratios between named pairs of groups to an audit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import (
    AdverseImpactRatio,
    OddsRatio,
    RelativeRate,
)


class RatioMethods(ABC):
    """One method a test of ratios of rates or odds."""

    @abstractmethod
    def add_pairs(self, kind: type[PairTest], stated: Mapping[str, Any]) -> Self:
        """Append a test of named pairs with what a method was given, and return the audit."""

    def adverse_impact_ratio(
        self,
        *,
        outcome: Any,
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
        """Append a test of the favorable rate of each group over that of its own reference group.

        Groups are stated in one of two ways: as three lists of one length (columns of membership, for each the
        column of its reference group and its category), or as `reference_values`, columns that hold the group as a
        value, each with its reference: ``{"race": "White"}``. Columns are named, or given as a pandas Series. Every
        other parameter is that of `fairreport.adverse_impact_ratio`.

        Parameters
        ----------
        outcome
            Column of the outcome: 0 or 1, 1 favorable.
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
        protected_groups, reference_groups, group_categories
            Lists of one length.
        reference_values
            In their place: columns that hold the group as a value, each with its reference value.
        name, description, threshold_source, rationale
            As in `outcome_disparity`.
        thresholds : sequence of (measurement, operator, value)
            All must hold; without any, ``practicallySignificantCount <= 0``. Measurements: minImpactRatio,
            maxRateDifference, practicallySignificantCount, undefinedGroupCount.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        return self.add_pairs(AdverseImpactRatio, locals())

    def relative_rate(
        self,
        *,
        outcome: Any,
        relative_rate_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        label: Any = None,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        max_for_fishers: float = 100,
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the unfavorable rate of each group over that of its own reference group.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.relative_rate`.

        Parameters
        ----------
        outcome
            Column of the outcome: 0 or 1, 1 favorable.
        relative_rate_threshold
            Ratio of unfavorable rates above which a group is beyond the threshold.
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
        return self.add_pairs(RelativeRate, locals())

    def odds_ratio(
        self,
        *,
        outcome: Any,
        odds_ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
        lower_is_favorable: bool = False,
        sample_weight: Any = None,
        weight_kind: str = "sampling",
        max_for_fishers: float = 100,
        alpha: float = 0.05,
        confidence_level: float = 0.95,
        p_value_adjustment: str = "none",
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of the odds of an outcome in each group over those in its own reference group.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.odds_ratio`.

        Parameters
        ----------
        outcome
            Column of the outcome: 0 or 1, 1 favorable.
        odds_ratio_threshold
            Odds ratio beyond which a group is beyond the threshold: below it, or above where lower is better.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
        lower_is_favorable
            Whether an outcome of 1 is unfavorable.
        sample_weight
            Column of weights, 0 or more.
        weight_kind
            Whether a weight is of a sample, or says how often a row stands.
        max_for_fishers
            Smallest observed or expected cell up to which Fisher's exact test is made.
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
        return self.add_pairs(OddsRatio, locals())
