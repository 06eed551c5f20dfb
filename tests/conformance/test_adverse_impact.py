"""Every worked case of adverse impact and its family: from a frame and Series, and from tables of several kinds."""

import io
import math

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fairreport import ConfigError
from fairreport.analyses.pair_tests import PAIR_TESTS
from fairreport.audit import adverse_impact, error_rates, hit_rates, impact_tables, mean_differences

MODULES = (adverse_impact, error_rates, hit_rates, impact_tables, mean_differences)
TESTS = {kind.analysis: kind for kind in PAIR_TESTS}
SERIES = ("outcome", "label", "prediction", "sample_weight", "segment")
ITERATED = {
    "odds_ratio_conditional",
    "odds_ratio_ci_low",
    "odds_ratio_ci_high",
    "air_ci_low",
    "air_ci_high",
    "relative_rate_ci_low",
    "relative_rate_ci_high",
}
"""Limits found by iteration: they agree within a millionth."""


def frame_of(case):
    return pd.read_csv(io.StringIO(case["data"]))


def function_of(name):
    return next(getattr(module, name) for module in MODULES if hasattr(module, name))


def differences(expected, actual, place=""):
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in expected:
            if key in actual:
                yield from differences(expected[key], actual[key], f"{place}/{key}")
            else:
                yield f"{place}/{key}: absent"
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for position, pair in enumerate(zip(expected, actual, strict=True)):
            yield from differences(*pair, f"{place}/{position}")
    elif is_number(expected) and is_number(actual):
        relative = 1e-6 if place.rpartition("/")[2] in ITERATED else 1e-9
        if not math.isclose(expected, actual, rel_tol=relative, abs_tol=1e-10):
            yield f"{place}: wanted {expected!r}, found {actual!r}"
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{place}: wanted {expected!r}, found {actual!r}"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def refusal(error):
    return {"status": "config_error", "config_code": error.code}


def by_series(case):
    """Answer with the function of the case: memberships in a frame, everything else in Series."""
    frame, params = frame_of(case), case["params"]
    given = dict(params["parameters"])
    beside = {role: frame[given.pop(role)] for role in SERIES if role in given}
    groups = frame[params["group_columns"]]
    if "index" in params:
        groups = groups.set_axis(frame[params["index"]["group_data"]])
        beside["outcome"] = beside["outcome"].set_axis(frame[params["index"]["outcome"]])
    try:
        return function_of(params["function"])(groups, **given, **beside).to_dict()
    except ConfigError as error:
        return refusal(error)


def test_series(impact_case):
    assert list(differences(impact_case["expected"], by_series(impact_case))) == []


@pytest.mark.parametrize("kind", ["pandas", "csv", "parquet", "polars", "pyarrow"])
def test_tables(impact_case, kind, judged, tmp_path):
    if "index" in impact_case["params"]:  # a table has one order of rows: nothing to align
        return
    frame = frame_of(impact_case)
    path = tmp_path / f"data.{kind}"
    if kind == "csv":
        path.write_bytes(impact_case["data"].encode("utf-8"))
        data = path
    elif kind == "parquet":
        frame.to_parquet(path)
        data = path
    elif kind == "polars":
        data = pl.from_pandas(frame)
    else:
        data = pa.Table.from_pandas(frame) if kind == "pyarrow" else frame
    assert list(differences(impact_case["expected"], judged["impact"][1](impact_case, data))) == []


def test_the_archive_holds_every_kind(impact_archive):
    functions = {case["params"]["function"] for case in impact_archive}
    assert functions == TESTS.keys() - {"custom_disparity_metric"}
    statuses = {case["expected"]["status"] for case in impact_archive}
    assert statuses == {"ok", "skipped", "config_error"}


def test_every_null_has_its_reason(impact_case):
    """Fields of comparison of a reference row aside, no field is null without a reason."""
    answer = by_series(impact_case)
    for row in rows_of(answer):
        fields = {key: value for key, value in row.items() if key not in {"reasons", "beside", "reference_group"}}
        fields |= row.get("beside", {})
        null = {key for key, value in fields.items() if value is None and not key.endswith("_log10")}
        if row.get("is_reference"):
            assert set(row["reasons"]) <= null
        else:
            assert set(row["reasons"]) == null


def rows_of(answer):
    tables = [answer, *(table for key in ("quantiles", "categories", "segments") for table in answer.get(key, ()))]
    return [row for table in tables for key in ("groups", "pooled") for row in table.get(key, ())]
