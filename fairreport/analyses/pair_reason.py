"""Why a field of a row of named pairs is null: codes."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a field of a row is null."""

    EMPTY_GROUP = "empty_group"
    REFERENCE_RATE_ZERO = "reference_rate_zero"
    GROUP_RATE_ZERO = "group_rate_zero"
    GROUP_RATE_ONE = "group_rate_one"
    REFERENCE_RATE_ONE = "reference_rate_one"
    WEIGHTED = "weighted"
    FRACTIONAL_MEMBERSHIP = "fractional_membership"
    ZERO_VARIANCE = "zero_variance"
    ZERO_SPREAD = "zero_spread"
    GROUP_OF_ONE = "group_of_one"
    NOT_PRACTICALLY_SIGNIFICANT = "not_practically_significant"
    EMPTY_DENOMINATOR = "empty_denominator"
    NO_SHARED_SEGMENT = "no_shared_segment"
    TOO_FEW_STRATA = "too_few_strata"
    ODDS_RATIO_UNDEFINED = "odds_ratio_undefined"
    ODDS_RATIO_ZERO = "odds_ratio_zero"
    CMH = "cmh"
    METRIC_UNDEFINED = "metric_undefined"
    UNDEFINED_DRAWS = "undefined_draws"
    DIVISOR_ZERO = "divisor_zero"
    NO_THRESHOLD = "no_threshold"
    BOOTSTRAP = "bootstrap"
