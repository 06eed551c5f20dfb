"""Named pairs of groups in one line each: adverse impact ratios by quantile, category and segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairreport.analyses.pair_tests import (
    AdverseImpactRatioByQuantile,
    CategoricalAdverseImpactRatio,
    SegmentedAdverseImpactRatio,
)
from fairreport.audit.entry_result import PairResult
from fairreport.audit.pair_one_liner import answer as _answer


def adverse_impact_ratio_by_quantile(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    quantiles: Sequence[float],
    air_threshold: float,
    percent_difference_threshold: float,
    label: pd.Series[Any] | None = None,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    shortfall_method: str | None = "to_reference_mean",
    *,
    lower_is_favorable: bool = False,
    adjust_over_quantiles: bool = False,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return adverse impact ratios of scores at or beyond each of some quantiles of all scores.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Scores.
    quantiles : list of float
        Each strictly between 0 and 1.
    air_threshold : float
        Ratio below which a group is below the threshold, above 0 and at most 1.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    label : Series, optional
        Labels, 0 or 1, shown as total and average.
    max_for_fishers : float
        Smallest observed or expected cell up to which Fisher's exact test is made, else chi-square.
    shortfall_method : {"to_reference_mean", "to_combined_mean"} or None
        Up to which rate favorable outcomes that lack are counted; None leaves them out.
    lower_is_favorable : bool
        Whether scores at or below the cutoff are favorable.
    adjust_over_quantiles : bool
        Whether p-values are adjusted over all quantiles together (with Holm by default).
    sample_weight : Series, optional
        Weights, 0 or more; rows without one are left out and counted.
    weight_kind : {"sampling", "frequency"}
        Whether a weight is of a sample, or says how often a row stands.
    alpha, confidence_level : float
        Level of the tests, and of the intervals.
    p_value_adjustment : {"none", "holm", "benjamini_hochberg"}
        Adjustment for the number of comparisons.

    Raises
    ------
    ConfigError
        If a parameter or a column is not what is wanted; everything at once.

    Examples
    --------
    >>> import pandas as pd
    >>> groups = pd.DataFrame({"Black": [1] * 50 + [0] * 40, "White": [0] * 50 + [1] * 40})
    >>> score = pd.Series(list(range(50)) + list(range(10, 50)))
    >>> found = adverse_impact_ratio_by_quantile(groups, ["Black"], ["White"], ["Race"], score, [0.5], 0.8, 0.0)
    >>> found.groups[["cutoff", "air"]].values.tolist()[1]
    [27.0, 0.8]
    """
    return _answer(
        AdverseImpactRatioByQuantile,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "quantiles": quantiles,
            "air_threshold": air_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "shortfall_method": shortfall_method,
            "lower_is_favorable": lower_is_favorable,
            "adjust_over_quantiles": adjust_over_quantiles,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def categorical_adverse_impact_ratio(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    category_order: Sequence[Any],
    air_threshold: float,
    percent_difference_threshold: float,
    label: pd.Series[Any] | None = None,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    shortfall_method: str | None = "to_reference_mean",
    *,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return adverse impact ratios of each category or better, for ordered categories.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Categories.
    category_order : list
        All categories, worst first.
    air_threshold : float
        Ratio below which a group is below the threshold, above 0 and at most 1.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    label : Series, optional
        Labels, 0 or 1, shown as total and average.
    max_for_fishers : float
        Smallest observed or expected cell up to which Fisher's exact test is made, else chi-square.
    shortfall_method : {"to_reference_mean", "to_combined_mean"} or None
        Up to which rate favorable outcomes that lack are counted; None leaves them out.
    sample_weight : Series, optional
        Weights, 0 or more; rows without one are left out and counted.
    weight_kind : {"sampling", "frequency"}
        Whether a weight is of a sample, or says how often a row stands.
    alpha, confidence_level : float
        Level of the tests, and of the intervals.
    p_value_adjustment : {"none", "holm", "benjamini_hochberg"}
        Adjustment for the number of comparisons.

    Raises
    ------
    ConfigError
        If a parameter or a column is not what is wanted; everything at once.

    Examples
    --------
    >>> import pandas as pd
    >>> groups = pd.DataFrame({"Black": [1] * 50 + [0] * 40, "White": [0] * 50 + [1] * 40})
    >>> grade = pd.Series(["A"] * 15 + ["B"] * 35 + ["A"] * 30 + ["B"] * 10)
    >>> found = categorical_adverse_impact_ratio(groups, ["Black"], ["White"], ["Race"], grade, ["B", "A"], 0.8, 0.0)
    >>> found.groups.air.tolist()[1]
    0.4
    """
    return _answer(
        CategoricalAdverseImpactRatio,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "category_order": category_order,
            "air_threshold": air_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "shortfall_method": shortfall_method,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def segmented_adverse_impact_ratio(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    segment: pd.Series[Any],
    air_threshold: float,
    percent_difference_threshold: float,
    label: pd.Series[Any] | None = None,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    shortfall_method: str | None = "to_reference_mean",
    *,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return adverse impact ratios within segments, and pooled over the segments that both groups share.

    P-values of the segments of a pair are adjusted after Benjamini and Hochberg, whatever `p_value_adjustment` says,
    which is about the pooled rows.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Outcome, 0 or 1, 1 favorable.
    segment : Series
        Segments; rows without one leave the analysis and are counted.
    air_threshold : float
        Ratio below which a group is below the threshold, above 0 and at most 1.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    label : Series, optional
        Labels, 0 or 1, shown as total and average.
    max_for_fishers : float
        Smallest observed or expected cell up to which Fisher's exact test is made, else chi-square.
    shortfall_method : {"to_reference_mean", "to_combined_mean"} or None
        Up to which rate favorable outcomes that lack are counted; None leaves them out.
    sample_weight : Series, optional
        Weights, 0 or more; rows without one are left out and counted.
    weight_kind : {"sampling", "frequency"}
        Whether a weight is of a sample, or says how often a row stands.
    alpha, confidence_level : float
        Level of the tests, and of the intervals.
    p_value_adjustment : {"none", "holm", "benjamini_hochberg"}
        Adjustment for the number of comparisons.

    Raises
    ------
    ConfigError
        If a parameter or a column is not what is wanted; everything at once.

    Examples
    --------
    >>> import pandas as pd
    >>> groups = pd.DataFrame({"Black": [1] * 50 + [0] * 40, "White": [0] * 50 + [1] * 40})
    >>> hired = pd.Series([1] * 15 + [0] * 35 + [1] * 30 + [0] * 10)
    >>> site = pd.Series(["north", "south"] * 45)
    >>> found = segmented_adverse_impact_ratio(groups, ["Black"], ["White"], ["Race"], hired, site, 0.8, 0.0)
    >>> round(found.pooled.air.tolist()[0], 4)
    0.4
    """
    return _answer(
        SegmentedAdverseImpactRatio,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "segment": segment, "label": label, "sample_weight": sample_weight},
        {
            "air_threshold": air_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "shortfall_method": shortfall_method,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )
