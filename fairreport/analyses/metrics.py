"""The catalogue of metrics: one record each, from which everything else about a metric derives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fairreport.errors import ConfigError, Fault
from fairreport.tables.needs import Loss, Measure


class MetricTest(StrEnum):
    """The test that belongs to a metric."""

    NONE = "none"
    FISHER = "Fisher exact"
    WELCH = "Welch t"
    POOLED_QUANTILE = "Fisher exact on the counts above the pooled quantile"
    HANLEY_MCNEIL = "Hanley-McNeil z"


class TaskType(StrEnum):
    """What a model does; some metrics belong to some tasks only."""

    LLM = "llm"
    CLASSIFICATION = "classification"
    REGRESSION = "regression"


_EVERY_TASK = frozenset(TaskType)
_CLASSES = frozenset({TaskType.LLM, TaskType.CLASSIFICATION})
_NUMBERS = frozenset({TaskType.LLM, TaskType.REGRESSION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric.

    Attributes
    ----------
    name : str
        As it stands in `parity_metric`.
    label : str
        As it stands in tables.
    formula : str
        In words.
    reference : str
        Where the definition or its test comes from.
    measure : Measure
        What is gathered of each group.
    test : MetricTest
        The test under ``significance_test: auto``.
    interval : str
        The interval, in words.
    numbers : tuple of str
        Parameters that name number columns.
    labels : tuple of str
        Parameters that name label columns; the last one holds the positive class.
    higher_is_better : bool or None
        The direction; None where the user states it.
    loss : Loss
        The number per row whose average it is.
    quantile : float
        Which quantile it is.
    complement : bool
        For shares: the value is 1 - hits / support.
    is_rate : bool
        Whether it lies in 0..1 as a share of rows, so that `max_difference` does too.
    root : bool
        Whether the value is the square root of the average.
    needs_positive : bool
        Whether the positive class must be present.
    compares_overall : bool
        Whether it can be compared with all rows.
    tasks : frozenset of TaskType
        Tasks that it belongs to.
    """

    name: str
    label: str
    formula: str
    reference: str
    measure: Measure
    test: MetricTest
    interval: str
    numbers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    higher_is_better: bool | None = None
    loss: Loss = Loss.VALUE
    quantile: float = 0.5
    complement: bool = False
    is_rate: bool = False
    root: bool = False
    needs_positive: bool = False
    compares_overall: bool = True
    tasks: frozenset[TaskType] = _EVERY_TASK

    @property
    def columns(self) -> tuple[str, ...]:
        """Parameters that name columns."""
        return (*self.numbers, *self.labels)


_T_INTERVAL = "Student t interval of the per-row values"
_WILSON = "Wilson"
_ORDER = "distribution-free, from order statistics"

CATALOGUE: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            name="auc",
            label="AUC",
            formula="share of pairs of a positive and a negative row where the positive one scores higher, ties half",
            reference="Hanley and McNeil (1982), Radiology 143, 29-36",
            measure=Measure.RANKS,
            test=MetricTest.HANLEY_MCNEIL,
            interval="AUC plus or minus z times its Hanley-McNeil standard error, cut to 0..1",
            numbers=("score_column",),
            labels=("ground_truth_column",),
            higher_is_better=True,
            needs_positive=True,
            compares_overall=False,
            tasks=_CLASSES,
        ),
        Metric(
            name="log_loss",
            label="log loss",
            formula="average of -log of the probability given to what happened, clipped at the float64 epsilon",
            reference="Good (1952), Journal of the Royal Statistical Society B 14, 107-114",
            measure=Measure.MOMENTS,
            test=MetricTest.WELCH,
            interval=_T_INTERVAL,
            numbers=("probability_column",),
            labels=("ground_truth_column",),
            higher_is_better=False,
            loss=Loss.LOG_LOSS,
            needs_positive=True,
            tasks=_CLASSES,
        ),
        Metric(
            name="brier",
            label="Brier score",
            formula="average squared difference between the probability and what happened (1 or 0)",
            reference="Brier (1950), Monthly Weather Review 78, 1-3",
            measure=Measure.MOMENTS,
            test=MetricTest.WELCH,
            interval=_T_INTERVAL,
            numbers=("probability_column",),
            labels=("ground_truth_column",),
            higher_is_better=False,
            loss=Loss.BRIER,
            needs_positive=True,
            tasks=_CLASSES,
        ),
        Metric(
            name="npv",
            label="negative predictive value",
            formula="truly negative rows / rows predicted negative",
            reference="Altman and Bland (1994), BMJ 309, 102",
            measure=Measure.SHARE,
            test=MetricTest.FISHER,
            interval=_WILSON,
            labels=("prediction_column", "ground_truth_column"),
            higher_is_better=True,
            complement=True,
            is_rate=True,
            needs_positive=True,
            tasks=_CLASSES,
        ),
        Metric(
            name="false_omission_rate",
            label="false omission rate",
            formula="truly positive rows among those predicted negative / rows predicted negative",
            reference="Altman and Bland (1994), BMJ 309, 102; 1 minus the negative predictive value",
            measure=Measure.SHARE,
            test=MetricTest.FISHER,
            interval=_WILSON,
            labels=("prediction_column", "ground_truth_column"),
            higher_is_better=False,
            is_rate=True,
            needs_positive=True,
            tasks=_CLASSES,
        ),
        Metric(
            name="mae",
            label="mean absolute error",
            formula="average of |prediction - truth|",
            reference="Willmott and Matsuura (2005), Climate Research 30, 79-82",
            measure=Measure.MOMENTS,
            test=MetricTest.WELCH,
            interval=_T_INTERVAL,
            numbers=("prediction_column", "ground_truth_column"),
            higher_is_better=False,
            loss=Loss.ABSOLUTE_ERROR,
            tasks=_NUMBERS,
        ),
        Metric(
            name="rmse",
            label="root mean squared error",
            formula="square root of the average of (prediction - truth) squared",
            reference="Willmott and Matsuura (2005), Climate Research 30, 79-82",
            measure=Measure.MOMENTS,
            test=MetricTest.WELCH,
            interval="square root of the Student t interval of the squared errors, low end cut at 0",
            numbers=("prediction_column", "ground_truth_column"),
            higher_is_better=False,
            loss=Loss.SQUARED_ERROR,
            root=True,
            tasks=_NUMBERS,
        ),
        Metric(
            name="r2",
            label="R squared",
            formula="1 - sum of squared errors / sum of squares of the truth about its mean",
            reference="Kvalseth (1985), The American Statistician 39, 279-285, equation 1",
            measure=Measure.RESIDUALS,
            test=MetricTest.NONE,
            interval="none",
            numbers=("prediction_column", "ground_truth_column"),
            higher_is_better=True,
            compares_overall=False,
            tasks=_NUMBERS,
        ),
        Metric(
            name="mean",
            label="mean",
            formula="average of the values",
            reference="Welch (1947), Biometrika 34, 28-35",
            measure=Measure.MOMENTS,
            test=MetricTest.WELCH,
            interval=_T_INTERVAL,
            numbers=("value_column",),
        ),
        Metric(
            name="median",
            label="median",
            formula="middle value; midpoint of the middle two",
            reference="Hyndman and Fan (1996), The American Statistician 50, 361-365, definition 7",
            measure=Measure.QUANTILE,
            test=MetricTest.POOLED_QUANTILE,
            interval=_ORDER,
            numbers=("value_column",),
        ),
        Metric(
            name="p95",
            label="95th percentile",
            formula="0.95 quantile with linear interpolation",
            reference="Hyndman and Fan (1996), The American Statistician 50, 361-365, definition 7",
            measure=Measure.QUANTILE,
            test=MetricTest.POOLED_QUANTILE,
            interval=_ORDER,
            numbers=("value_column",),
            quantile=0.95,
        ),
        Metric(
            name="rate",
            label="rate",
            formula="rows with a positive value / rows",
            reference="Wilson (1927), Journal of the American Statistical Association 22, 209-212",
            measure=Measure.SHARE,
            test=MetricTest.FISHER,
            interval=_WILSON,
            labels=("value_column",),
            is_rate=True,
        ),
    )
}


def register_metric(metric: Metric) -> Metric:
    """Add a metric of the user's own to the catalogue, for this process, and return it.

    Validation, tables, figures and the methods section derive from the record, as they do for the metrics that
    come with the package.

    Parameters
    ----------
    metric : Metric
        Its name must be free.

    Raises
    ------
    ConfigError
        If there is a metric of that name already.

    Examples
    --------
    >>> from dataclasses import replace
    >>> median = CATALOGUE["median"]
    >>> p75 = replace(median, name="p75", label="75th percentile", formula="0.75 quantile", quantile=0.75)
    >>> register_metric(p75).name
    'p75'
    >>> unregister_metric("p75")
    """
    if metric.name in CATALOGUE:
        message = f"there is a metric named {metric.name!r} already; choose another name"
        raise ConfigError(Fault(code="duplicate_name", message=message))
    CATALOGUE[metric.name] = metric
    return metric


def unregister_metric(name: str) -> None:
    """Take a metric out of the catalogue again.

    Raises
    ------
    KeyError
        If there is none of that name.
    """
    del CATALOGUE[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowMetric:
    """A number per row that the user computes, averaged per group: for tables in memory.

    Attributes
    ----------
    name : str
        What the number is called.
    function : callable
        Takes the pandas DataFrame and returns one number a row: a Series with its index, or an array.
    higher_is_better : bool
        The direction.

    Examples
    --------
    >>> RowMetric(name="profit", function=lambda df: df["income"] - df["cost"], higher_is_better=True).name
    'profit'
    """

    name: str
    function: Callable[[Any], Any]
    higher_is_better: bool
