"""Named pairs of groups in one line each: rates of right predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairreport.analyses.pair_tests import (
    Precision,
    TrueNegativeRate,
    TruePositiveRate,
)
from fairreport.audit.entry_result import PairResult
from fairreport.audit.pair_one_liner import answer as _answer


def true_positive_rate(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    label: pd.Series[Any],
    ratio_threshold: float,
    percent_difference_threshold: float,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    *,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the share of positive predictions among positive labels, group by group.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome, label : Series
        Predictions and what happened, 0 or 1.
    ratio_threshold : float
        Ratio, turned so that below 1 is worse, below which a group is below the threshold.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    max_for_fishers : float
        Says nothing here: these rates are always tested exactly where they are counted.
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
    >>> actual, predicted = pd.Series([1, 0] * 45), pd.Series([1, 0, 0, 1, 1, 0] * 15)
    >>> found = true_positive_rate(groups, ["Black"], ["White"], ["Race"], predicted, actual, 0.9, 0.0)
    >>> found.status.value
    'passing'
    """
    return _answer(
        TruePositiveRate,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "ratio_threshold": ratio_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def true_negative_rate(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    label: pd.Series[Any],
    ratio_threshold: float,
    percent_difference_threshold: float,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    *,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the share of negative predictions among negative labels, group by group.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome, label : Series
        Predictions and what happened, 0 or 1.
    ratio_threshold : float
        Ratio, turned so that below 1 is worse, below which a group is below the threshold.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    max_for_fishers : float
        Says nothing here: these rates are always tested exactly where they are counted.
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
    >>> actual, predicted = pd.Series([1, 0] * 45), pd.Series([1, 0, 0, 1, 1, 0] * 15)
    >>> found = true_negative_rate(groups, ["Black"], ["White"], ["Race"], predicted, actual, 0.9, 0.0)
    >>> found.status.value
    'passing'
    """
    return _answer(
        TrueNegativeRate,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "ratio_threshold": ratio_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def precision(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    label: pd.Series[Any],
    ratio_threshold: float,
    percent_difference_threshold: float,
    sample_weight: pd.Series[Any] | None = None,
    max_for_fishers: float = 100,
    *,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the share of positive labels among positive predictions, group by group.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome, label : Series
        Predictions and what happened, 0 or 1.
    ratio_threshold : float
        Ratio, turned so that below 1 is worse, below which a group is below the threshold.
    percent_difference_threshold : float
        Difference of the rates, 0 to 1, that must be exceeded as well (0.2 is twenty points).
    max_for_fishers : float
        Says nothing here: these rates are always tested exactly where they are counted.
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
    >>> actual, predicted = pd.Series([1, 0] * 45), pd.Series([1, 0, 0, 1, 1, 0] * 15)
    >>> found = precision(groups, ["Black"], ["White"], ["Race"], predicted, actual, 0.9, 0.0)
    >>> found.status.value
    'passing'
    """
    return _answer(
        Precision,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "ratio_threshold": ratio_threshold,
            "percent_difference_threshold": percent_difference_threshold,
            "max_for_fishers": max_for_fishers,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )
