"""The outcome disparity test as a user states it."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from fairreport.analyses.parameters import (
    Column,
    Controls,
    DisparityTest,
    PairwiseTest,
    PositiveShare,
    SignificanceTest,
    Values,
    fault,
)

ADJUSTED_MEASUREMENTS = ("adjustedMinImpactRatio", "adjustedMinOddsRatio")


class OutcomeDisparity(DisparityTest):
    """Compare how often the groups get a favorable outcome.

    Rows without an outcome or without one of the protected attributes leave the evaluation and are counted.
    Each sufficient group's rate of favorable outcomes is held against the reference group's; a group fails
    where its rate is below `impact_ratio_threshold` times the reference rate (and, on request, the difference
    is significant).

    Examples
    --------
    >>> OutcomeDisparity(protected_attribute_columns="gender", outcome_column="hired", favorable_values=1).alpha
    0.05
    """

    analysis: ClassVar[str] = "outcome_disparity"
    subtype: ClassVar[str] = "groupOutcomeDisparity"
    known_measurements: ClassVar[tuple[str, ...]] = (
        "failingGroupCount",
        "failingGroupPercentage",
        "minImpactRatio",
        "maxRateDifference",
        "fourFifthsViolationCount",
        "significantDisparityCount",
        "chiSquarePValue",
        "insufficientGroupCount",
        "missingAttributeRate",
        "minGroupShare",
        *ADJUSTED_MEASUREMENTS,
    )

    outcome_column: Column = Field(description="Column that holds the outcome.")
    favorable_values: Values = Field(description="Outcomes that are favorable, matched as text.")
    unfavorable_values: Values | None = Field(
        default=None, description="Outcomes that are not; with it, any other value is refused by name."
    )
    impact_ratio_threshold: PositiveShare = Field(
        default=0.8, description="Impact ratio below which a group is below the threshold."
    )
    significance_test: PairwiseTest = Field(
        default=SignificanceTest.FISHER_EXACT,
        description="Two-sided test of each group against the reference.",
    )
    control_columns: Controls | None = Field(
        default=None, description="1 to 2 columns within whose combinations the groups are compared as well."
    )

    @property
    def measured(self) -> str:
        """The column that is measured."""
        return self.outcome_column

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.require_significance and self.significance_test is SignificanceTest.NONE:
            raise fault("require_significance_needs_test", "require_significance needs a significance_test")
        if self.control_columns and self.outcome_column in self.control_columns:
            raise fault("control_includes_outcome", "control_columns cannot include the outcome")
        both = sorted(set(self.favorable_values) & set(self.unfavorable_values or ()))
        if both:
            raise fault(
                "overlapping_values", f"{both[0]!r} stands among both favorable_values and unfavorable_values"
            )
        self.check_thresholds()
        if not self.control_columns:
            for threshold in self.thresholds:
                if threshold.measurement in ADJUSTED_MEASUREMENTS:
                    text = f"{threshold.measurement} needs control_columns"
                    raise fault("measurement_needs_control_columns", text)
        return self
