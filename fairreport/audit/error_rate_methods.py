"""The methods by which a user adds tests of error rates between named pairs of groups to an audit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_tests import (
    FalseDiscoveryRate,
    FalseNegativeRate,
    FalsePositiveRate,
    Precision,
    TrueNegativeRate,
    TruePositiveRate,
)


class ErrorRateMethods(ABC):
    """One method a rate of a confusion matrix."""

    @abstractmethod
    def add_pairs(self, kind: type[PairTest], stated: Mapping[str, Any]) -> Self:
        """Append a test of named pairs with what a method was given, and return the audit."""

    def true_positive_rate(
        self,
        *,
        outcome: Any,
        label: Any,
        ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
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
        """Append a test of the share of the positive labels that are predicted positive.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.true_positive_rate`.

        Parameters
        ----------
        outcome
            Column of the prediction: 0 or 1.
        label
            Column of what happened: 0 or 1.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
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
        return self.add_pairs(TruePositiveRate, locals())

    def true_negative_rate(
        self,
        *,
        outcome: Any,
        label: Any,
        ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
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
        """Append a test of the share of the negative labels that are predicted negative.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.true_negative_rate`.

        Parameters
        ----------
        outcome
            Column of the prediction: 0 or 1.
        label
            Column of what happened: 0 or 1.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
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
        return self.add_pairs(TrueNegativeRate, locals())

    def false_positive_rate(
        self,
        *,
        outcome: Any,
        label: Any,
        ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
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
        """Append a test of the share of the negative labels that are predicted positive.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.false_positive_rate`.

        Parameters
        ----------
        outcome
            Column of the prediction: 0 or 1.
        label
            Column of what happened: 0 or 1.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
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
        return self.add_pairs(FalsePositiveRate, locals())

    def false_negative_rate(
        self,
        *,
        outcome: Any,
        label: Any,
        ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
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
        """Append a test of the share of the positive labels that are predicted negative.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.false_negative_rate`.

        Parameters
        ----------
        outcome
            Column of the prediction: 0 or 1.
        label
            Column of what happened: 0 or 1.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
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
        return self.add_pairs(FalseNegativeRate, locals())

    def precision(
        self,
        *,
        outcome: Any,
        label: Any,
        ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
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
        """Append a test of the share of the positive predictions whose label is positive.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.precision`.

        Parameters
        ----------
        outcome
            Column of the prediction: 0 or 1.
        label
            Column of what happened: 0 or 1.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
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
        return self.add_pairs(Precision, locals())

    def false_discovery_rate(
        self,
        *,
        outcome: Any,
        label: Any,
        ratio_threshold: float,
        percent_difference_threshold: float,
        protected_groups: Sequence[str] | str | None = None,
        reference_groups: Sequence[str] | str | None = None,
        group_categories: Sequence[str] | str | None = None,
        reference_values: Mapping[str, Any] | None = None,
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
        """Append a test of the share of the positive predictions whose label is negative.

        Groups are stated as in `adverse_impact_ratio`; every other parameter is that of
        `fairreport.false_discovery_rate`.

        Parameters
        ----------
        outcome
            Column of the prediction: 0 or 1.
        label
            Column of what happened: 0 or 1.
        ratio_threshold
            Turned ratio below which a group is below the threshold.
        percent_difference_threshold
            Difference of the rates, from 0 to 1, that must be exceeded as well (0.2 is twenty points).
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
        return self.add_pairs(FalseDiscoveryRate, locals())
