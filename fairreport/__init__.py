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
    from fairreport.audit.audit import Audit as Audit
    from fairreport.audit.entry_result import RateGapsResult as RateGapsResult
    from fairreport.audit.entry_result import TestResult as TestResult
    from fairreport.audit.one_liners import metric_parity as metric_parity
    from fairreport.audit.one_liners import outcome_disparity as outcome_disparity
    from fairreport.audit.one_liners import rate_gaps as rate_gaps
    from fairreport.audit.one_liners import score_disparity as score_disparity
    from fairreport.audit.result import AuditNotPassedError as AuditNotPassedError
    from fairreport.audit.result import AuditRun as AuditRun
    from fairreport.errors import ConfigError as ConfigError
    from fairreport.errors import DataError as DataError
    from fairreport.errors import FairreportError as FairreportError
    from fairreport.errors import PdfUnavailableError as PdfUnavailableError
    from fairreport.report.packet import Report as Report

_PUBLIC = {
    "About": "fairreport.audit.about",
    "Audit": "fairreport.audit.audit",
    "AuditNotPassedError": "fairreport.audit.result",
    "AuditRun": "fairreport.audit.result",
    "ConfigError": "fairreport.errors",
    "DataError": "fairreport.errors",
    "FairreportError": "fairreport.errors",
    "OutcomeDisparity": "fairreport.analyses.outcome_parameters",
    "PdfUnavailableError": "fairreport.errors",
    "Report": "fairreport.report.packet",
    "TestResult": "fairreport.audit.entry_result",
    "GapRule": "fairreport.analyses.gap_parameters",
    "RateGaps": "fairreport.analyses.gap_parameters",
    "RateGapsResult": "fairreport.audit.entry_result",
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
