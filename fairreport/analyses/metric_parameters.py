"""The metric parity test as a user states it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from fairreport.analyses.metrics import CATALOGUE, Metric, MetricTest, TaskType
from fairreport.analyses.parameters import (
    Column,
    DisparityTest,
    Flag,
    PositiveShare,
    Values,
    choice,
    fault,
    needs_test,
    number,
)
from fairreport.errors import Fault, nearest


class ComparedWith(StrEnum):
    """What the groups are compared with."""

    REFERENCE = "reference"
    OVERALL = "overall"


class AutoTest(StrEnum):
    """Whether the test that belongs to the metric is made."""

    AUTO = "auto"
    NONE = "none"


def _metric(value: Any) -> str:
    if not isinstance(value, str) or value not in CATALOGUE:
        hint = nearest(value, CATALOGUE) if isinstance(value, str) else ""
        raise fault("bad_enum", f"must be one of {', '.join(CATALOGUE)}; got {value!r}.{hint}")
    return str(value)


def _difference(value: Any) -> float:
    if number(value) < 0:
        raise fault("out_of_range", f"must be 0 or more, got {value!r}")
    return float(value)


def _task(value: Any) -> TaskType:
    """Take ``tabular-classification`` and ``text-classification`` for classification, and so on."""
    text = str(value).lower().replace("_", "-")
    for task in TaskType:
        if task.value in text.split("-"):
            return task
    raise fault("bad_enum", f"must be one of {', '.join(TaskType)}; got {value!r}")


class MetricParity(DisparityTest):
    """Compare a metric of the groups: how well a model works for them, or an average, quantile or rate.

    A group fails where it is worse and its direction-aware ratio is below `min_ratio`, or its gap above
    `max_difference` (and, on request, the difference is significant).

    Examples
    --------
    >>> MetricParity(protected_attribute_columns="g", parity_metric="mean", value_column="x",
    ...              higher_is_better=True).min_ratio
    0.8
    """

    analysis: ClassVar[str] = "metric_parity"
    subtype: ClassVar[str] = "groupMetricParity"
    known_measurements: ClassVar[tuple[str, ...]] = (
        "failingGroupCount",
        "failingGroupPercentage",
        "minMetricRatio",
        "maxMetricDifference",
        "worstGroupValue",
        "significantDisparityCount",
        "insufficientGroupCount",
        "missingAttributeRate",
        "minGroupShare",
    )

    parity_metric: Annotated[str, BeforeValidator(_metric)] = Field(
        description=f"The metric: {', '.join(CATALOGUE)}.", json_schema_extra={"enum": list(CATALOGUE)}
    )
    score_column: Column | None = Field(default=None, description="Scores, for auc.")
    probability_column: Column | None = Field(
        default=None, description="Probabilities from 0 to 1, for log_loss and brier."
    )
    prediction_column: Column | None = Field(
        default=None, description="Predictions, for npv, false_omission_rate, mae, rmse, r2."
    )
    ground_truth_column: Column | None = Field(default=None, description="What really happened.")
    value_column: Column | None = Field(default=None, description="Values, for mean, median, p95 and rate.")
    positive_values: Values | None = Field(default=None, description="Labels of the positive class, matched as text.")
    higher_is_better: Flag | None = Field(default=None, description="Direction of mean, median, p95 and rate.")
    comparison: Annotated[ComparedWith, choice(ComparedWith)] = Field(
        default=ComparedWith.REFERENCE,
        description="Compare with the reference group or with all evaluated rows.",
    )
    min_ratio: PositiveShare = Field(default=0.8, description="Direction-aware ratio below which a worse group fails.")
    max_difference: Annotated[float, BeforeValidator(_difference, json_schema_input_type=float)] | None = Field(
        default=None, description="Gap above which a worse group fails."
    )
    significance_test: Annotated[AutoTest, choice(AutoTest)] = Field(
        default=AutoTest.AUTO, description="The test that belongs to the metric, or none."
    )
    task_type: Annotated[TaskType, BeforeValidator(_task, json_schema_input_type=str)] | None = Field(
        default=None, description="What the model does; a metric that does not belong to it is refused."
    )

    @property
    def metric(self) -> Metric:
        """The metric's record in the catalogue."""
        return CATALOGUE[self.parity_metric]

    @property
    def measured(self) -> str:
        """The metric and its column."""
        columns = [getattr(self, parameter) for parameter in self.metric.columns]
        return f"{self.parity_metric} of {' and '.join(columns)}"

    @property
    def better_is_higher(self) -> bool:
        """The direction: the metric's own, else the user's."""
        own = self.metric.higher_is_better
        return bool(self.higher_is_better) if own is None else own

    @property
    def has_test(self) -> bool:
        """Whether groups are tested."""
        return self.significance_test is AutoTest.AUTO and self.metric.test is not MetricTest.NONE

    def clashes(self) -> Iterator[Fault]:
        """Yield what is wrong with parameters that are right each by itself."""
        yield from super().clashes()
        metric = self.metric
        for parameter in (*metric.columns, *(["positive_values"] if metric.labels else [])):
            if getattr(self, parameter) is None:
                message = f"is required for {metric.name}"
                yield Fault(code="missing_parameter", message=message, path=parameter)
        if metric.higher_is_better is None and self.higher_is_better is None:
            message = f"is required for {metric.name}"
            yield Fault(code="higher_is_better_required", message=message, path="higher_is_better")
        if self.task_type is not None and self.task_type not in metric.tasks:
            message = f"{metric.name} does not belong to the task {self.task_type.value}"
            yield Fault(code="metric_not_for_task", message=message, path="task_type")
        if self.comparison is ComparedWith.OVERALL and not metric.compares_overall:
            message = f"{metric.name} cannot be compared with all rows; use reference"
            yield Fault(code="overall_not_supported", message=message, path="comparison")
        if self.require_significance and metric.test is MetricTest.NONE:
            message = f"{metric.name} has no significance test to require"
            yield Fault(code="r2_require_significance", message=message, path="require_significance")
        elif self.require_significance and not self.has_test:
            yield needs_test()
        if metric.is_rate and self.max_difference is not None and self.max_difference > 1:
            message = f"is at most 1 for {metric.name}, got {self.max_difference!r}"
            yield Fault(code="out_of_range", message=message, path="max_difference")
