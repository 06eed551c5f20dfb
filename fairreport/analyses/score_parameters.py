"""The score disparity test as a user states it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from fairreport.analyses.parameters import (
    Column,
    DisparityTest,
    Flag,
    PairwiseTest,
    PositiveShare,
    SignificanceTest,
    needs_test,
)
from fairreport.errors import Fault


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
    higher_is_favorable: Flag = Field(default=True, description="Whether a higher score is better for a person.")
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

    def clashes(self) -> Iterator[Fault]:
        """Yield what is wrong with parameters that are right each by itself."""
        yield from super().clashes()
        if self.require_significance and self.significance_test is SignificanceTest.NONE:
            yield needs_test()
