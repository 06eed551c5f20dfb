"""The outcome disparity test as a user states it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from fairreport.analyses.parameters import (
    Column,
    Controls,
    DisparityTest,
    PairwiseTest,
    PositiveShare,
    SignificanceTest,
    Values,
    needs_test,
)
from fairreport.errors import Fault

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

    def clashes(self) -> Iterator[Fault]:
        """Yield what is wrong with parameters that are right each by itself."""
        yield from super().clashes()
        if self.require_significance and self.significance_test is SignificanceTest.NONE:
            yield needs_test()
        if self.control_columns and self.outcome_column in self.control_columns:
            message = "control_columns cannot include the outcome"
            yield Fault(code="control_includes_outcome", message=message, path="control_columns")
        both = sorted(set(self.favorable_values) & set(self.unfavorable_values or ()))
        if both:
            message = f"{both[0]!r} stands among both favorable_values and unfavorable_values"
            yield Fault(code="overlapping_values", message=message, path="unfavorable_values")
        if not self.control_columns:
            for position, threshold in enumerate(self.thresholds):
                if threshold.measurement in ADJUSTED_MEASUREMENTS:
                    yield Fault(
                        code="measurement_needs_control_columns",
                        message=f"{threshold.measurement} needs control_columns",
                        path=f"thresholds.{position}.measurement",
                    )
