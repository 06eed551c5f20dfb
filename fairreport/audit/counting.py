"""What a test counts, as a hash: counts of two runs may be added up where it is the same."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.kinds import AnyTest, needs_of
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.pair_tests import CustomDisparityMetric
from fairreport.audit.provenance import canonical_hash
from fairreport.audit.record import DataRecord

_OF_JUDGEMENT = frozenset({"choose", "level"})
"""Needs that change which pairs and intervals are kept, and not what is counted."""


def counting_of(test: AnyTest, data: DataRecord) -> str:
    """Return a hash of the columns and values that a test counts, and of how cells are read.

    Thresholds, sizes, references and corrections are no part of it: they judge the counts.

    Examples
    --------
    >>> from fairreport.audit.audit import Audit
    >>> rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * 30 + [0] * 20 + [1] * 30 + [0] * 10}
    >>> strict = Audit(rows).outcome_disparity("sex", "hired", 1, impact_ratio_threshold=0.9).run().record
    >>> mild = Audit(rows).outcome_disparity("sex", "hired", 1).run().record
    >>> counting_of(strict.entries[0].test, strict.data) == counting_of(mild.entries[0].test, mild.data)
    True
    """
    needs = needs_of(test)
    read = {item.name: _plain(getattr(needs, item.name)) for item in fields(needs) if item.name not in _OF_JUDGEMENT}
    declared = {name: sorted(values) for name, values in data.declared_groups.items() if name in needs.columns}
    return canonical_hash(
        {
            "analysis": test.analysis,
            "needs": read,
            "measured": _measured(test),
            "counts": data.counts,
            "missing_values": sorted(data.missing_values),
            "declared": declared,
        }
    )


def _measured(test: AnyTest) -> Any:
    """Return what is made of the counts: the metric, or the rate of each rule."""
    match test:
        case RateGaps():
            return [[rule.id, rule.rate.value, list(rule.attribute)] for rule in test.rules]
        case MetricParity():
            return test.parity_metric
        case CustomDisparityMetric():
            return test.measured
    return None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "items"):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    names = getattr(value, "__dataclass_fields__", None)
    return {name: _plain(getattr(value, name)) for name in names} if names else str(value)
