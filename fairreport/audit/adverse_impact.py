"""Named pairs of groups in one line each: ratios of rates and of odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairreport.analyses.pair_tests import (
    AdverseImpactRatio,
    OddsRatio,
    RelativeRate,
)
from fairreport.audit.entry_result import PairResult
from fairreport.audit.pair_one_liner import answer as _answer


def adverse_impact_ratio(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
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
    """Return the favorable rate of each protected group over that of its own reference group.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Outcome, 0 or 1, 1 favorable.
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
    >>> found = adverse_impact_ratio(groups, ["Black"], ["White"], ["Race"], hired, 0.8, 0.0)
    >>> found.measurements["minImpactRatio"], found.measurements["practicallySignificantCount"]
    (0.4, 1)
    """
    return _answer(
        AdverseImpactRatio,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
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


def relative_rate(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    relative_rate_threshold: float,
    percent_difference_threshold: float,
    label: pd.Series[Any] | None = None,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    *,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the unfavorable rate of each protected group over that of its own reference group.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Outcome, 0 or 1, 1 favorable.
    relative_rate_threshold : float
        Ratio of unfavorable rates above which a group is beyond the threshold, 1 or more.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    label : Series, optional
        Labels, 0 or 1, shown as total and average.
    max_for_fishers : float
        Smallest observed or expected cell up to which Fisher's exact test is made, else chi-square.
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
    >>> found = relative_rate(groups, ["Black"], ["White"], ["Race"], hired, 1.25, 0.0)
    >>> found.groups.relative_rate.tolist()[1]
    2.8
    """
    return _answer(
        RelativeRate,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "relative_rate_threshold": relative_rate_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def odds_ratio(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    odds_ratio_threshold: float,
    percent_difference_threshold: float,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    *,
    lower_is_favorable: bool = False,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the odds of each protected group over those of its own reference group.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Outcome, 0 or 1, 1 favorable.
    odds_ratio_threshold : float
        Odds ratio below which (or above which, where lower is favorable) a group is beyond the threshold.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    max_for_fishers : float
        Smallest observed or expected cell up to which Fisher's exact test is made, else chi-square.
    lower_is_favorable : bool
        Whether an outcome of 1 is unfavorable.
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
    >>> found = odds_ratio(groups, ["Black"], ["White"], ["Race"], hired, 0.8, 0.0)
    >>> round(found.groups.odds_ratio.tolist()[1], 4)
    0.1429
    """
    return _answer(
        OddsRatio,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "sample_weight": sample_weight},
        {
            "odds_ratio_threshold": odds_ratio_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "lower_is_favorable": lower_is_favorable,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )
