"""The methods by which a user adds tests to an audit: each has the parameters of its contract."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from fairreport.analyses.gap_parameters import GapRule, RateGaps
from fairreport.analyses.kinds import AnyTest
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.metrics import Metric, RowMetric
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.error_rate_methods import ErrorRateMethods
from fairreport.audit.impact_table_methods import ImpactTableMethods
from fairreport.audit.mean_methods import MeanMethods
from fairreport.audit.ratio_methods import RatioMethods
from fairreport.errors import ConfigError, Fault

_NOT_STATED = {"self", "__class__"}


class TestMethods(RatioMethods, ImpactTableMethods, ErrorRateMethods, MeanMethods, ABC):
    """One method a kind of test; each appends a test and returns the audit."""

    __test__ = False  # a name that test collectors must not take for theirs
    data: Any

    @abstractmethod
    def add(self, test: AnyTest, *, ignored: Sequence[str] = ()) -> Self:
        """Append a test and return the audit."""

    def outcome_disparity(
        self,
        protected_attribute_columns: Any,
        outcome_column: Any,
        favorable_values: Any,
        *,
        unfavorable_values: Any = None,
        reference_strategy: str | None = None,
        reference_value: Any = None,
        impact_ratio_threshold: float = 0.8,
        significance_test: str = "fisher_exact",
        alpha: float = 0.05,
        p_value_adjustment: str = "none",
        require_significance: bool = False,
        min_group_size: int = 30,
        min_group_share: float = 0.02,
        control_columns: Any = None,
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of how often the groups get a favorable outcome, and return the audit.

        Parameters
        ----------
        protected_attribute_columns : str or sequence of 1 to 3 str
            Columns whose combinations are the groups. A pandas Series is taken too, aligned by its index.
        outcome_column : str
            Column that holds the outcome.
        favorable_values : value or sequence of values
            Outcomes that are favorable, matched as text (``1`` matches 1, 1.0 and ``"1"``; ``True`` a boolean).
        unfavorable_values : value or sequence of values, optional
            Outcomes that are not; with it, any other value is refused by name.
        reference_strategy : {"highest", "named"}, optional
            Compare with the sufficient group of the highest rate, or with `reference_value`.
        reference_value : value, optional
            The reference group; stated alone it means ``reference_strategy="named"``. It needs exactly one protected
            attribute: the groups of an intersection have no single value.
        impact_ratio_threshold : float
            Above 0, at most 1. A group fails where its impact ratio is below it.
        significance_test : {"fisher_exact", "z_test", "chi_square", "none"}
            Two-sided test of each group against the reference.
        alpha : float
            Significance level, strictly between 0 and 1; intervals have level 1 - alpha.
        p_value_adjustment : {"none", "holm", "benjamini_hochberg"}
            Adjustment for the number of comparisons.
        require_significance : bool
            A group fails only where its difference is significant too.
        min_group_size, min_group_share : int, float
            Rows, and share of the evaluated rows, that a group needs to be judged.
        control_columns : str or sequence of 1 to 2 str, optional
            Columns within whose combinations the groups are compared as well.
        name, description : str, optional
            Name of the test, unique in the audit; what it is for.
        thresholds : sequence of (measurement, operator, value)
            All must hold; without any, ``failingGroupCount <= 0``. Operators: is, !=, >, >=, <, <=. Measurements:
            failingGroupCount, failingGroupPercentage, minImpactRatio, maxRateDifference, fourFifthsViolationCount,
            significantDisparityCount, chiSquarePValue, insufficientGroupCount, missingAttributeRate, minGroupShare;
            with control columns adjustedMinImpactRatio and adjustedMinOddsRatio.
        threshold_source, rationale : str, optional
            Where the thresholds come from; why this rate and this reference. Printed in the packet.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        stated = {key: value for key, value in locals().items() if key not in _NOT_STATED}
        stated["protected_attribute_columns"] = self._columns(protected_attribute_columns)
        stated["reference_strategy"] = _strategy(reference_strategy, reference_value)
        stated["outcome_column"] = self._one_column(outcome_column)
        stated["control_columns"] = None if control_columns is None else self._columns(control_columns)
        return self.add(OutcomeDisparity(**stated))

    def score_disparity(
        self,
        protected_attribute_columns: Any,
        score_column: Any,
        *,
        higher_is_favorable: bool = True,
        reference_strategy: str | None = None,
        reference_value: Any = None,
        impact_ratio_threshold: float = 0.8,
        significance_test: str = "fisher_exact",
        alpha: float = 0.05,
        p_value_adjustment: str = "none",
        require_significance: bool = False,
        min_group_size: int = 30,
        min_group_share: float = 0.02,
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of how often the groups score beyond the overall median, and return the audit.

        Parameters
        ----------
        protected_attribute_columns : str or sequence of 1 to 3 str
            Columns whose combinations are the groups.
        score_column : str
            Column that holds the score; numbers, booleans, or text in which every cell is one.
        higher_is_favorable : bool
            Whether a higher score is better for a person. A row scores where it is strictly above the median
            of all evaluated rows (strictly below where lower is favorable).
        reference_strategy, reference_value, impact_ratio_threshold, significance_test, alpha
            See `outcome_disparity`; the rate is the scoring rate.
        p_value_adjustment, require_significance, min_group_size, min_group_share
            See `outcome_disparity`.
        name, description, thresholds, threshold_source, rationale
            See `outcome_disparity`.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        stated = {key: value for key, value in locals().items() if key not in _NOT_STATED}
        stated["protected_attribute_columns"] = self._columns(protected_attribute_columns)
        stated["reference_strategy"] = _strategy(reference_strategy, reference_value)
        stated["score_column"] = self._one_column(score_column)
        return self.add(ScoreDisparity(**stated))

    def metric_parity(
        self,
        protected_attribute_columns: Any,
        parity_metric: Any,
        *,
        score_column: Any = None,
        probability_column: Any = None,
        prediction_column: Any = None,
        ground_truth_column: Any = None,
        value_column: Any = None,
        positive_values: Any = None,
        higher_is_better: bool | None = None,
        comparison: str = "reference",
        reference_strategy: str | None = None,
        reference_value: Any = None,
        min_ratio: float = 0.8,
        max_difference: float | None = None,
        significance_test: str = "auto",
        alpha: float = 0.05,
        p_value_adjustment: str = "none",
        require_significance: bool = False,
        min_group_size: int = 30,
        min_group_share: float = 0.02,
        task_type: str | None = None,
        name: str | None = None,
        description: str | None = None,
        thresholds: Sequence[Any] = (),
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append a test of a metric's parity between groups, and return the audit; a list makes one test each.

        Parameters
        ----------
        protected_attribute_columns : str or sequence of 1 to 3 str
            Columns whose combinations are the groups.
        parity_metric : str, RowMetric, or sequence of these
            auc, log_loss, brier, npv, false_omission_rate, mae, rmse, r2, mean, median, p95 or rate; or a number per
            row of the user's own (`RowMetric`, on pandas frames).
        score_column : str
            Scores, for auc.
        probability_column : str
            Probabilities from 0 to 1, for log_loss and brier.
        prediction_column : str
            Predictions, for npv, false_omission_rate, mae, rmse and r2.
        ground_truth_column : str
            What really happened, for all of these.
        value_column : str
            Values, for mean, median, p95 and rate.
        positive_values : value or sequence of values
            Labels of the positive class, matched as text.
        higher_is_better : bool
            Direction; required for mean, median, p95 and rate, which have none of their own.
        comparison : {"reference", "overall"}
            Compare with the reference group, or with all evaluated rows (not for auc and r2).
        reference_strategy : {"highest", "named"}, optional
            Compare with the best sufficient group, or with `reference_value`.
        min_ratio : float
            Above 0, at most 1. A worse group fails where its direction-aware ratio is below it.
        max_difference : float, optional
            A worse group fails where its gap is above it; at most 1 for rates.
        significance_test : {"auto", "none"}
            The test that belongs to the metric (Fisher, Welch, pooled quantile, Hanley-McNeil), or none.
        alpha, p_value_adjustment, require_significance, min_group_size, min_group_share
            See `outcome_disparity`.
        task_type : {"llm", "classification", "regression"}, optional
            A metric that does not belong to the task is refused.
        name, description, thresholds, threshold_source, rationale
            See `outcome_disparity`; with several metrics, the metric is added to the name.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        stated = {key: value for key, value in locals().items() if key not in _NOT_STATED}
        stated["protected_attribute_columns"] = self._columns(protected_attribute_columns)
        stated["reference_strategy"] = _strategy(reference_strategy, reference_value)
        for parameter in _COLUMN_PARAMETERS:
            stated[parameter] = self._one_column(stated[parameter])
        listed = isinstance(parity_metric, Iterable) and not isinstance(parity_metric, str)
        metrics = list(parity_metric) if listed else [parity_metric]
        if not metrics:
            message = "must be a metric or several, got none"
            raise ConfigError(Fault(code="empty_values_list", message=message, path="parity_metric"))
        for test in [MetricParity(**(stated | self._metric(metric, name, len(metrics)))) for metric in metrics]:
            self.add(test)
        return self

    def rate_gaps(
        self,
        attributes: Any,
        label: Any,
        prediction: Any,
        rules: Any,
        *,
        probability: Any = None,
        unit: Any = None,
        intersections: Sequence[Sequence[str]] | None = None,
        min_cell: int = 30,
        calibration_bins: int = 10,
        confidence_level: float = 0.95,
        interval: str = "simultaneous",
        looks: int = 1,
        joint: bool = False,
        name: str | None = None,
        description: str | None = None,
        threshold_source: str | None = None,
        rationale: str | None = None,
    ) -> Self:
        """Append rules about how far apart the groups are on an error rate, and return the audit.

        Each rule reads PASS, FAIL, INSUFFICIENT_EVIDENCE or MANUAL_REVIEW; exact intervals of all its groups hold at
        once, so that sampling noise seldom flips an answer.

        Parameters
        ----------
        attributes : mapping of str to sequence
            Declared groups of each attribute, two or more; cases with another value are left out and counted.
        label : str
            Column of what really happened: 0 or 1.
        prediction : str
            Column of the decision: 0 or 1, empty where there was none (then counted at its worst).
        rules : sequence of GapRule or mapping
            Each with ``id``, ``rate`` (error, false_positive, false_negative, selection), ``attribute`` (one, or the
            names of a declared crossing) and exactly one of ``max_group_gap`` and ``worst_group``, from 0 to 1; also
            ``max_left_out`` (0.1) and ``manual_review``.
        probability : str, optional
            Column of probabilities from 0 to 1, for calibration by group, which decides no rule.
        unit : str, optional
            Column that identifies the person; one that stands in several rows is refused.
        intersections : sequence of sequence of str, optional
            Declared crossings of attributes.
        min_cell : int
            Cases with a prediction that a rate must rest on.
        calibration_bins : int
            Bins of equal width.
        confidence_level : float
            Strictly between 0.5 and 1.
        interval : {"simultaneous", "pairwise"}
            Bounds of gaps from the intervals of the groups, or narrower ones pair by pair.
        looks : int
            How often the data is looked at; the error budget is divided by it.
        joint : bool
            Divide the error budget by the number of rules as well.
        name, description : str, optional
            Name of the test, unique in the audit; what it is for.
        threshold_source, rationale : str, optional
            Where the bars come from; why these rates. Both are printed.

        Raises
        ------
        ConfigError
            If a parameter is wrong; no data is read.
        """
        stated = {key: value for key, value in locals().items() if key not in _NOT_STATED}
        for parameter in ("label", "prediction", "probability", "unit"):
            stated[parameter] = self._one_column(stated[parameter])
        if isinstance(rules, (Mapping, GapRule)):
            stated["rules"] = [rules]
        return self.add(RateGaps(**stated))

    def add_pairs(self, kind: type[PairTest], stated: Mapping[str, Any]) -> Self:
        """Append a test of named pairs with what a method was given, and return the audit."""
        given = {key: value for key, value in stated.items() if key not in _NOT_STATED}
        for parameter in _PAIR_COLUMNS & given.keys():
            given[parameter] = self._one_column(given[parameter])
        return self.add(kind(**given))

    def _metric(self, metric: Any, name: str | None, metrics: int) -> dict[str, Any]:
        """Return what one of several metrics states: its name, and the column of a row metric."""
        if isinstance(metric, RowMetric):
            from fairreport.tables.pandas_table import computed  # noqa: PLC0415 - only with pandas at hand

            self.data, column = computed(self.data, metric.name, metric.function)
            stated = {"parity_metric": "mean", "value_column": column, "higher_is_better": metric.higher_is_better}
        else:
            stated = {"parity_metric": metric}
        label = metric.name if isinstance(metric, (RowMetric, Metric)) else metric
        if isinstance(metric, Metric):
            stated["parity_metric"] = metric.name
        if name is not None and metrics > 1:
            stated["name"] = f"{name}: {label}"
        return stated

    def _columns(self, names: Any) -> Any:
        """Return column names; a Series is attached to the data and named by its column."""
        if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
            return names
        if _is_series(names):
            return [self._one_column(names)]
        return [self._one_column(name) for name in names]

    def _one_column(self, name: Any) -> Any:
        if not _is_series(name):
            return name
        from fairreport.tables.pandas_table import attach  # noqa: PLC0415 - only with pandas at hand

        self.data, label = attach(self.data, name)
        return label


def _is_series(value: Any) -> bool:
    return type(value).__name__ == "Series" and type(value).__module__.partition(".")[0] == "pandas"


def _strategy(stated: str | None, value: Any) -> str:
    """Return what is stated; else ``named`` where a reference group is."""
    implied = "highest" if value is None else "named"
    return implied if stated is None else stated


_PAIR_COLUMNS = frozenset({"outcome", "label", "prediction", "segment", "sample_weight"})
"""Parameters of tests of named pairs for which a Series is taken too."""

_COLUMN_PARAMETERS = (
    "score_column",
    "probability_column",
    "prediction_column",
    "ground_truth_column",
    "value_column",
)
