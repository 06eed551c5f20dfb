"""Why a number is null: one code for every null of a test's entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairreport.analyses.kinds import Test
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.metrics import MetricTest
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.parameters import SignificanceTest
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.tables.tally import COMPARED_ROWS

Json = dict[str, Any]

_DISTRIBUTION = {"probability_of_superiority", "cliffs_delta", "ks_distance"}


def reasons(test: Test, entry: Json) -> dict[str, str]:
    """Return a code for every null of an entry, by JSON pointer (RFC 6901)."""
    return {pointer: _reason(test, pointer, entry) for pointer in nulls(entry, "")}


def nulls(value: Any, pointer: str) -> Iterator[str]:
    """Yield the JSON pointer of every null inside an object or array that `pointer` points to."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if item is None or isinstance(item, (dict, list)):
            below = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
            if item is None:
                yield below
            else:
                yield from nulls(item, below)


def _reason(test: Test, pointer: str, entry: Json) -> str:
    _, section, *rest = pointer.split("/")
    if section == "groups":
        return _group_reason(test, entry["groups"][int(rest[0])], rest[1], entry)
    if section == "measurements":
        return _measurement_reason(test, rest[0], entry)
    if section == "thresholds":
        return _threshold_reason(test, entry, int(rest[0]))
    if section in {"parameters", "threshold_source", "rationale", "description"}:
        return "not_stated"
    if section in {"skip_code", "skip_reason"}:
        return "not_skipped"
    if section == "reference" and entry["skip_code"] is None:
        return "compared_with_all_rows"
    if section == "evidence" and rest:
        return _evidence_reason(rest)
    if section in {"overall_value", "comparison_value"} and entry["skip_code"] is None:
        return "metric_undefined"
    if section == "insights":
        if rest[-1] in {"overall", "comparison", "value", "gap"}:
            return "metric_undefined"
        return _group_reason(test, {}, rest[-1], entry)
    return "test_skipped"


def _threshold_reason(test: Test, entry: Json, position: int) -> str:
    if entry["skip_code"]:
        return "test_skipped"
    held = entry["thresholds"][position]
    if held["passed"] is not None:  # known, but too small for a number
        return _measurement_reason(test, held["measurement"], entry)
    return "measurement_undefined"


def _evidence_reason(rest: list[str]) -> str:
    if rest[-1] == "n_strata":
        return "no_control_columns"
    if rest[-1] == "favorable":
        return "not_counted"
    if rest[-1] == "variance":
        return "one_row"
    return "no_such_order_statistic" if rest[0] == "ends" else "metric_undefined"


def _has_test(test: Test) -> bool:
    if isinstance(test, MetricParity):
        return test.has_test
    return test.significance_test is not SignificanceTest.NONE


def _group_reason(test: Test, row: Json, field: str, entry: Json) -> str:
    if field in {"p_value", "adjusted_p"} and f"{'adjusted_' if field == 'adjusted_p' else ''}log10_p" in row:
        return "below_1e-300"
    if isinstance(test, MetricParity) and row.get("value", 0) is None:
        return "metric_undefined"
    if field.startswith(("ratio_ci", "difference_ci")) and not row.get("is_reference"):
        return _contrast_reason(test, row, field, entry)
    if field in {"ratio", "gap", "difference"}:
        return "comparison_value_not_positive" if field == "ratio" else "metric_undefined"
    if field.startswith("delong_ci") and row["ci_low"] is not None and entry["rows_evaluated"] > COMPARED_ROWS:
        return "too_many_rows"
    if field.startswith(("ci_", "delong_ci")):
        return _interval_reason(test, row)
    if field.startswith("adjusted_") and field != "adjusted_p" and _controls(test) is None:
        return "no_control_columns"
    if row.get("is_reference"):
        return "reference_group"
    if field in _DISTRIBUTION:
        return "too_many_rows"
    if field == "standardized_mean_difference":
        return "no_pooled_deviation"
    if row and not row["sufficient"]:
        return "not_enough_data"
    if field.startswith("adjusted_") and field != "adjusted_p":
        return "zero_denominator" if row.get("strata_used") else "no_shared_stratum"
    return "not_testable" if _has_test(test) else "no_significance_test"


def _contrast_reason(test: Test, row: Json, field: str, entry: Json) -> str:
    if isinstance(test, MetricParity) and (not test.metric.is_rate or entry["reference"] is None):
        return "no_such_interval"
    if field == "ratio_ci_high" and row.get("ratio_ci_low") is not None:
        return "no_upper_end"
    return "not_defined"


def _interval_reason(test: Test, row: Json) -> str:
    if isinstance(test, MetricParity):
        if test.metric.test is MetricTest.NONE:
            return "no_such_interval"
        if test.metric.test is MetricTest.POOLED_QUANTILE:
            return "no_such_order_statistic"
    return "one_row" if row.get("n") == 1 else "not_defined"


def _controls(test: Test) -> tuple[str, ...] | None:
    return test.control_columns if isinstance(test, OutcomeDisparity) else None


def _measurement_reason(test: Test, name: str, entry: Json) -> str:
    if name == "significantDisparityCount":
        return "no_significance_test"
    if name == "chiSquarePValue":
        return "below_1e-300"
    if isinstance(test, ScoreDisparity):
        return "no_pooled_deviation"
    if isinstance(test, MetricParity):
        return "comparison_value_not_positive"
    if _controls(test) is None:
        return "no_control_columns"
    return "zero_denominator" if any(row["strata_used"] for row in entry["groups"]) else "no_shared_stratum"
