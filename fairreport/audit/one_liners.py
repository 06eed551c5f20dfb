"""One cell, one answer: a single test over a table."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, TypeVar

from fairreport.audit.audit import Audit
from fairreport.audit.entry_result import RateGapsResult, TestResult
from fairreport.errors import ConfigError, Fault, nearest

_OF_THE_AUDIT = ("counts", "missing_values", "title", "groups", "about", "as_of")


def outcome_disparity(
    data: Any, protected_attribute_columns: Any, outcome_column: Any, favorable_values: Any, **parameters: Any
) -> TestResult:
    """Return the result of one outcome disparity test over a table, ready to be displayed.

    Parameters
    ----------
    data : table or path
        What to audit; see `Audit`.
    protected_attribute_columns, outcome_column, favorable_values
        See `Audit.outcome_disparity`.
    **parameters
        Any further parameter of `Audit.outcome_disparity`, and counts, missing_values, title, groups, about and
        as_of of `Audit`.

    Examples
    --------
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 29 + [0] * 21 + [1] * 30 + [0] * 10}
    >>> outcome_disparity(rows, "sex", "hired", 1).groups["failing"].to_dict()
    {'F': True, 'M': False}
    """
    audit = _audit(data, parameters, Audit.outcome_disparity)
    audit.outcome_disparity(protected_attribute_columns, outcome_column, favorable_values, **parameters)
    return _only(audit, TestResult)


def score_disparity(data: Any, protected_attribute_columns: Any, score_column: Any, **parameters: Any) -> TestResult:
    """Return the result of one score disparity test over a table, ready to be displayed.

    Parameters
    ----------
    data : table or path
        What to audit; see `Audit`.
    protected_attribute_columns, score_column
        See `Audit.score_disparity`.
    **parameters
        Any further parameter of `Audit.score_disparity`, and counts, missing_values, title, groups, about and
        as_of of `Audit`.

    Examples
    --------
    >>> rows = {"sex": ["F", "M"] * 40, "score": [1, 3, 2, 4] * 20}
    >>> score_disparity(rows, "sex", "score").measurements["minScoringRateImpactRatio"]
    0.0
    """
    audit = _audit(data, parameters, Audit.score_disparity)
    audit.score_disparity(protected_attribute_columns, score_column, **parameters)
    return _only(audit, TestResult)


def metric_parity(data: Any, protected_attribute_columns: Any, parity_metric: str, **parameters: Any) -> TestResult:
    """Return the result of one metric parity test over a table, ready to be displayed.

    Parameters
    ----------
    data : table or path
        What to audit; see `Audit`.
    protected_attribute_columns, parity_metric
        See `Audit.metric_parity`; one metric.
    **parameters
        Any further parameter of `Audit.metric_parity`, and counts, missing_values, title, groups, about and as_of
        of `Audit`.

    Examples
    --------
    >>> rows = {"sex": ["F", "M"] * 40, "days": [10, 8, 12, 8] * 20}
    >>> metric_parity(rows, "sex", "mean", value_column="days", higher_is_better=False).measurements["minMetricRatio"]
    0.7272727272727273
    """
    audit = _audit(data, parameters, Audit.metric_parity)
    audit.metric_parity(protected_attribute_columns, parity_metric, **parameters)
    return _only(audit, TestResult)


def rate_gaps(data: Any, attributes: Any, label: Any, prediction: Any, rules: Any, **parameters: Any) -> RateGapsResult:
    """Return what rules about the gap between the error rates of groups read in a table, ready to be displayed.

    Parameters
    ----------
    data : table or path
        What to audit; see `Audit`.
    attributes, label, prediction, rules
        See `Audit.rate_gaps`.
    **parameters
        Any further parameter of `Audit.rate_gaps`, and counts, missing_values, title, about and as_of of `Audit`.

    Examples
    --------
    >>> rows = {"sex": ["F", "M"] * 400, "label": [1] * 800, "prediction": [1] * 796 + [0] * 4}
    >>> rule = {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05}
    >>> rate_gaps(rows, {"sex": ["F", "M"]}, "label", "prediction", [rule]).status.value
    'passing'
    """
    audit = _audit(data, parameters, Audit.rate_gaps)
    audit.rate_gaps(attributes, label, prediction, rules, **parameters)
    return _only(audit, RateGapsResult)


_ResultT = TypeVar("_ResultT", TestResult, RateGapsResult)


def _only(audit: Audit, kind: type[_ResultT]) -> _ResultT:
    """Return the result of the one test of an audit."""
    (result,) = audit.run().results
    if not isinstance(result, kind):
        raise TypeError(f"wanted a {kind.__name__}, got a {type(result).__name__}")
    return result


def _audit(data: Any, parameters: dict[str, Any], method: Callable[..., Any]) -> Audit:
    """Return an audit with the parameters that are its own, taken out of the test's.

    Raises
    ------
    ConfigError
        If a parameter is neither the audit's nor the test's.
    """
    known = [name for name in signature(method).parameters if name != "self"]
    faults = [
        Fault(
            code="unknown_parameter",
            message=f"is no known parameter.{nearest(name, [*known, *_OF_THE_AUDIT])}",
            path=name,
        )
        for name in parameters
        if name not in known and name not in _OF_THE_AUDIT
    ]
    if faults:
        raise ConfigError(faults)
    return Audit(data, **{name: parameters.pop(name) for name in _OF_THE_AUDIT if name in parameters})
