"""The score disparity test as a user states it."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from fairreport.analyses.parameters import (
    Column,
    DisparityTest,
    Flag,
    PairwiseTest,
    PositiveShare,
    SignificanceTest,
    fault,
)


class ScoreDisparity(DisparityTest):
    """Compare how often the groups score beyond the overall median.

    The overall median is that of all evaluated rows; a group's scoring rate is the share of its rows strictly
    above it (strictly below where lower is favorable). A group fails where its rate is below
    `impact_ratio_threshold` times the reference rate (and, on request, the difference is significant).

    Examples
    --------
    >>> ScoreDisparity(protected_attribute_columns="gender", score_column="score").higher_is_favorable
    True
    """

    analysis: ClassVar[str] = "score_disparity"
    subtype: ClassVar[str] = "groupScoreDisparity"
    known_measurements: ClassVar[tuple[str, ...]] = (
        "failingGroupCount",
        "failingGroupPercentage",
        "minScoringRateImpactRatio",
        "maxMeanDifference",
        "maxMedianDifference",
        "maxStandardizedMeanDifference",
        "significantDisparityCount",
        "insufficientGroupCount",
        "missingAttributeRate",
        "minGroupShare",
    )

    score_column: Column = Field(description="Column that holds the score, numeric.")
    higher_is_favorable: Flag = Field(
        default=True, description="Whether a higher score is better for a person."
    )
    impact_ratio_threshold: PositiveShare = Field(
        default=0.8, description="Impact ratio of scoring rates below which a group is below the threshold."
    )
    significance_test: PairwiseTest = Field(
        default=SignificanceTest.FISHER_EXACT,
        description="Two-sided test of each group against the reference.",
    )

    @property
    def measured(self) -> str:
        """The column that is measured."""
        return self.score_column

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.require_significance and self.significance_test is SignificanceTest.NONE:
            raise fault("require_significance_needs_test", "require_significance needs a significance_test")
        self.check_thresholds()
        return self
