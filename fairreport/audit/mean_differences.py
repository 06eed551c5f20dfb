"""Named pairs of groups in one line each: differences of means, and any metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from fairreport.analyses.pair_tests import (
    CustomDisparityMetric,
    ResidualStandardizedMeanDifference,
    StandardizedMeanDifference,
)
from fairreport.audit.entry_result import PairResult
from fairreport.audit.pair_one_liner import answer as _answer


def standardized_mean_difference(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    smd_threshold: float,
    sample_weight: pd.Series[Any] | None = None,
    *,
    sd: str = "population",
    welch: bool = False,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the mean of each protected group less that of its own reference group, in standard deviations.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome : Series
        Numbers.
    smd_threshold : float
        Standardized difference beyond which a group is beyond the threshold; its sign is the direction.
    sd : {"population", "pooled"}
        Standard deviation of all evaluated rows, or pooled within the pair.
    welch : bool
        Whether to test without assuming equal variances.
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
    >>> score = pd.Series([1.0, 3.0] * 25 + [2.0, 4.0] * 20)
    >>> found = standardized_mean_difference(groups, ["Black"], ["White"], ["Race"], score, -0.3, sd="pooled")
    >>> round(found.groups.smd.tolist()[1], 4)
    -0.9888
    """
    return _answer(
        StandardizedMeanDifference,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "sample_weight": sample_weight},
        {
            "smd_threshold": smd_threshold,
            "sd": sd,
            "welch": welch,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def residual_standardized_mean_difference(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    label: pd.Series[Any],
    prediction: pd.Series[Any],
    smd_threshold: float,
    sample_weight: pd.Series[Any] | None = None,
    *,
    sd: str = "population",
    welch: bool = False,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return the same of residuals: what happened less what was predicted.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    label, prediction : Series
        What happened, and what was predicted.
    smd_threshold : float
        Standardized difference beyond which a group is beyond the threshold; its sign is the direction.
    sd : {"population", "pooled"}
        Standard deviation of all evaluated rows, or pooled within the pair.
    welch : bool
        Whether to test without assuming equal variances.
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
    >>> actual = pd.Series([1.0, 3.0] * 25 + [2.0, 4.0] * 20)
    >>> predicted = actual * 0 + 2
    >>> found = residual_standardized_mean_difference(
    ...     groups, ["Black"], ["White"], ["Race"], actual, predicted, -0.3, sd="pooled")
    >>> round(found.groups.smd.tolist()[1], 4)
    -0.9888
    """
    return _answer(
        ResidualStandardizedMeanDifference,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"label": label, "prediction": prediction, "sample_weight": sample_weight},
        {
            "smd_threshold": smd_threshold,
            "sd": sd,
            "welch": welch,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )


def custom_disparity_metric(  # noqa: PLR0917 - by position as documented
    group_data: pd.DataFrame,
    protected_groups: Sequence[str],
    reference_groups: Sequence[str],
    group_categories: Sequence[str],
    outcome: pd.Series[Any],
    label: pd.Series[Any],
    metric: Callable[..., float],
    ratio_threshold: float | None = None,
    difference_threshold: float | None = None,
    sample_weight: pd.Series[Any] | None = None,
    *,
    lower_is_better: bool = False,
    draws: int = 999,
    seed: int = 0,
    weight_kind: str = "sampling",
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p_value_adjustment: str = "none",
) -> PairResult:
    """Return any metric of labels and predictions, group by group, with a bootstrap interval within the groups.

    Parameters
    ----------
    group_data : DataFrame
        One column a group: membership of 0 or 1, or a proportion from 0 to 1.
    protected_groups, reference_groups, group_categories : list of str
        Lists of one length: each protected group, its reference group, their category.
    outcome, label : Series
        Predictions and what happened, numbers.
    metric : callable
        metric(labels, predictions), with ``sample_weight`` where rows are weighed or memberships are proportions.
    ratio_threshold, difference_threshold : float, optional
        Ratio below which, and difference above which, a group is beyond the threshold; turned so that below 1 and
        above 0 is worse.
    lower_is_better : bool
        Whether a smaller value is better.
    draws, seed : int
        Draws of the bootstrap, and where its random numbers start.
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
    >>> def accuracy(labels, predictions):
    ...     return (labels == predictions).mean()
    >>> found = custom_disparity_metric(
    ...     groups, ["Black"], ["White"], ["Race"], predicted, actual, accuracy, 0.9, draws=99)
    >>> round(found.groups.value.tolist()[1], 2)
    0.68
    """
    return _answer(
        CustomDisparityMetric,
        group_data,
        (protected_groups, reference_groups, group_categories),
        {"outcome": outcome, "label": label, "sample_weight": sample_weight},
        {
            "metric": metric,
            "ratio_threshold": ratio_threshold,
            "difference_threshold": difference_threshold,
            "lower_is_better": lower_is_better,
            "draws": draws,
            "seed": seed,
            "weight_kind": weight_kind,
            "alpha": alpha,
            "confidence_level": confidence_level,
            "p_value_adjustment": p_value_adjustment,
        },
    )
