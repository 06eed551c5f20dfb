"""Fairness audits in a notebook that turn into documents anyone can recompute."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from fairreport.analyses.gap_parameters import GapRule as GapRule
    from fairreport.analyses.gap_parameters import RateGaps as RateGaps
    from fairreport.analyses.metric_parameters import MetricParity as MetricParity
    from fairreport.analyses.metrics import Metric as Metric
    from fairreport.analyses.metrics import RowMetric as RowMetric
    from fairreport.analyses.metrics import register_metric as register_metric
    from fairreport.analyses.metrics import unregister_metric as unregister_metric
    from fairreport.analyses.outcome_parameters import OutcomeDisparity as OutcomeDisparity
    from fairreport.analyses.score_parameters import ScoreDisparity as ScoreDisparity
    from fairreport.audit.about import About as About
    from fairreport.audit.adverse_impact import adverse_impact_ratio as adverse_impact_ratio
    from fairreport.audit.adverse_impact import odds_ratio as odds_ratio
    from fairreport.audit.adverse_impact import relative_rate as relative_rate
    from fairreport.audit.audit import Audit as Audit
    from fairreport.audit.entry_result import PairResult as PairResult
    from fairreport.audit.entry_result import RateGapsResult as RateGapsResult
    from fairreport.audit.entry_result import TestResult as TestResult
    from fairreport.audit.error_rates import false_discovery_rate as false_discovery_rate
    from fairreport.audit.error_rates import false_negative_rate as false_negative_rate
    from fairreport.audit.error_rates import false_positive_rate as false_positive_rate
    from fairreport.audit.hit_rates import precision as precision
    from fairreport.audit.hit_rates import true_negative_rate as true_negative_rate
    from fairreport.audit.hit_rates import true_positive_rate as true_positive_rate
    from fairreport.audit.impact_tables import adverse_impact_ratio_by_quantile as adverse_impact_ratio_by_quantile
    from fairreport.audit.impact_tables import categorical_adverse_impact_ratio as categorical_adverse_impact_ratio
    from fairreport.audit.impact_tables import segmented_adverse_impact_ratio as segmented_adverse_impact_ratio
    from fairreport.audit.mean_differences import custom_disparity_metric as custom_disparity_metric
    from fairreport.audit.mean_differences import (
        residual_standardized_mean_difference as residual_standardized_mean_difference,
    )
    from fairreport.audit.mean_differences import standardized_mean_difference as standardized_mean_difference
    from fairreport.audit.one_liners import metric_parity as metric_parity
    from fairreport.audit.one_liners import outcome_disparity as outcome_disparity
    from fairreport.audit.one_liners import rate_gaps as rate_gaps
    from fairreport.audit.one_liners import score_disparity as score_disparity
    from fairreport.audit.result import AuditNotPassedError as AuditNotPassedError
    from fairreport.audit.result import AuditRun as AuditRun
    from fairreport.audit.window import Window as Window
    from fairreport.errors import ConfigError as ConfigError
    from fairreport.errors import DataError as DataError
    from fairreport.errors import ExtraMissingError as ExtraMissingError
    from fairreport.errors import FairreportError as FairreportError
    from fairreport.errors import PdfUnavailableError as PdfUnavailableError
    from fairreport.report.compare import compare as compare
    from fairreport.report.compare_record import Comparison as Comparison
    from fairreport.report.history import History as History
    from fairreport.report.packet import Report as Report
    from fairreport.report.verify import verify as verify
    from fairreport.report.verify_record import Verification as Verification

_PUBLIC = {
    "About": "fairreport.audit.about",
    "Audit": "fairreport.audit.audit",
    "AuditNotPassedError": "fairreport.audit.result",
    "AuditRun": "fairreport.audit.result",
    "ConfigError": "fairreport.errors",
    "DataError": "fairreport.errors",
    "ExtraMissingError": "fairreport.errors",
    "FairreportError": "fairreport.errors",
    "OutcomeDisparity": "fairreport.analyses.outcome_parameters",
    "PdfUnavailableError": "fairreport.errors",
    "Report": "fairreport.report.packet",
    "TestResult": "fairreport.audit.entry_result",
    "GapRule": "fairreport.analyses.gap_parameters",
    "RateGaps": "fairreport.analyses.gap_parameters",
    "PairResult": "fairreport.audit.entry_result",
    "RateGapsResult": "fairreport.audit.entry_result",
    "adverse_impact_ratio": "fairreport.audit.adverse_impact",
    "relative_rate": "fairreport.audit.adverse_impact",
    "odds_ratio": "fairreport.audit.adverse_impact",
    "adverse_impact_ratio_by_quantile": "fairreport.audit.impact_tables",
    "categorical_adverse_impact_ratio": "fairreport.audit.impact_tables",
    "segmented_adverse_impact_ratio": "fairreport.audit.impact_tables",
    "standardized_mean_difference": "fairreport.audit.mean_differences",
    "residual_standardized_mean_difference": "fairreport.audit.mean_differences",
    "custom_disparity_metric": "fairreport.audit.mean_differences",
    "true_positive_rate": "fairreport.audit.hit_rates",
    "true_negative_rate": "fairreport.audit.hit_rates",
    "precision": "fairreport.audit.hit_rates",
    "false_positive_rate": "fairreport.audit.error_rates",
    "false_negative_rate": "fairreport.audit.error_rates",
    "false_discovery_rate": "fairreport.audit.error_rates",
    "rate_gaps": "fairreport.audit.one_liners",
    "Metric": "fairreport.analyses.metrics",
    "MetricParity": "fairreport.analyses.metric_parameters",
    "RowMetric": "fairreport.analyses.metrics",
    "ScoreDisparity": "fairreport.analyses.score_parameters",
    "metric_parity": "fairreport.audit.one_liners",
    "outcome_disparity": "fairreport.audit.one_liners",
    "register_metric": "fairreport.analyses.metrics",
    "score_disparity": "fairreport.audit.one_liners",
    "unregister_metric": "fairreport.analyses.metrics",
    "verify": "fairreport.report.verify",
    "compare": "fairreport.report.compare",
    "Comparison": "fairreport.report.compare_record",
    "History": "fairreport.report.history",
    "Verification": "fairreport.report.verify_record",
    "Window": "fairreport.audit.window",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # noqa: PLE0604 - the names of a literal table


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'fairreport' has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
