"""Documents of score and metric tests: every null explained, every document valid, over many kinds of table."""

import json

import jsonschema
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairreport import Audit
from fairreport.audit import reasons as reasons_module
from fairreport.audit.readers.result_schema import result_schema
from fairreport.audit.reasons import nulls
from fairreport.tables import levels

SCHEMA = jsonschema.Draft202012Validator(result_schema())
LABELS = {"ground_truth_column": "y", "positive_values": [1]}
OF_VALUE = {"value_column": "x", "higher_is_better": True}
TESTS = {
    "auc": {"score_column": "x"} | LABELS,
    "log_loss": {"probability_column": "p"} | LABELS,
    "brier": {"probability_column": "p"} | LABELS,
    "npv": {"prediction_column": "d"} | LABELS,
    "false_omission_rate": {"prediction_column": "d"} | LABELS,
    "mae": {"prediction_column": "x", "ground_truth_column": "z"},
    "rmse": {"prediction_column": "x", "ground_truth_column": "z"},
    "r2": {"prediction_column": "x", "ground_truth_column": "z"},
    "mean": OF_VALUE,
    "median": OF_VALUE,
    "p95": OF_VALUE,
    "rate": {"value_column": "y", "positive_values": [1], "higher_is_better": False},
}


def audit_of(data, counts=None, metrics=tuple(TESTS), **parameters):
    """Return an audit of every score and metric test, against the reference and against all rows."""
    audit = Audit(data, counts=counts, title="Nulls")
    of_scores = {k: v for k, v in parameters.items() if k != "max_difference"}
    for higher in (True, False):
        audit.score_disparity("g", "x", name=f"score {higher}", higher_is_favorable=higher, **of_scores)
    audit.score_disparity("g", "x", name="untested", significance_test="none", **of_scores)
    for metric in metrics:
        stated = TESTS[metric]
        audit.metric_parity("g", metric, name=metric, **stated, **parameters)
        if metric not in {"auc", "r2"}:
            audit.metric_parity("g", metric, name=f"{metric} overall", comparison="overall", **stated, **parameters)
    return audit


def check(audit):
    """Hold a run against the schema and its nulls against its reasons; return the entries by name."""
    document = json.loads(audit.run().to_json())
    SCHEMA.validate(document)
    for entry in document["results"]:
        reasons = entry.pop("reasons")
        assert set(reasons) == set(nulls(entry, ""))
        assert all(reasons.values())
        entry["reasons"] = reasons
    return {entry["name"]: entry for entry in document["results"]}


eighths = st.integers(-16, 16).map(lambda k: k / 8)
rows = st.lists(
    st.tuples(
        st.sampled_from(["A", "B", "C", None]),
        st.one_of(eighths, st.none()),
        st.one_of(eighths, st.none()),
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        st.integers(0, 1),
        st.sampled_from([0, 1, None]),
    ),
    min_size=1,
    max_size=25,
)


@given(rows, st.sampled_from([None, 0, 0.5]), st.sampled_from([1, 3]), st.booleans())
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_generated_tables(rows, max_difference, min_group_size, named):
    columns = dict(zip("gxzpdy", map(list, zip(*rows, strict=True)), strict=True))
    kinds = {
        "g": pa.string(),
        "x": pa.float64(),
        "z": pa.float64(),
        "p": pa.float64(),
        "d": pa.int64(),
        "y": pa.int64(),
    }
    table = pa.table({name: pa.array(cells, type=kinds[name]) for name, cells in columns.items()})
    reference = {"reference_strategy": "named", "reference_value": "A"} if named else {}
    check(audit_of(table, max_difference=max_difference, min_group_size=min_group_size, min_group_share=0, **reference))


def many(groups, n):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, n)
    columns = {"g": [f"g{i % groups:03}" for i in range(n)], "x": rng.normal(1, 1, n), "z": rng.normal(1, 1, n)}
    return pa.table(columns | {"p": rng.random(n), "d": rng.integers(0, 2, n), "y": y})


def test_one_hundred_and_fifty_groups():
    one_of_each_kind = ("auc", "npv", "mean", "p95", "r2")
    stated = {"min_group_size": 5, "min_group_share": 0, "p_value_adjustment": "holm", "max_difference": 1}
    found = check(audit_of(many(150, 1500), metrics=one_of_each_kind, **stated))
    for entry in found.values():
        assert (entry["truncated"], entry["total_groups"], len(entry["groups"])) == (True, 150, 100)
        assert len(entry["evidence"]["groups"]) == 150


def test_tiny_p_values():
    data = {
        "g": ["A", "A", "B", "B"],
        "x": [1.0, 2.0, 101.0, 102.0],
        "z": [1.0, 2.0, 1.0, 2.0],
        "p": [0.5, 0.5, 0.5, 0.5],
        "d": [0, 0, 0, 0],
        "y": [0, 1, 1, 0],
        "n": [9000, 10, 9000, 10],
    }
    found = check(audit_of(data, counts="n", p_value_adjustment="holm", max_difference=1))
    row = next(row for row in found["mean"]["groups"] if not row["is_reference"])
    assert row["p_value"] is None
    assert row["log10_p"] < -300
    place = found["mean"]["groups"].index(row)
    assert found["mean"]["reasons"][f"/groups/{place}/p_value"] == "below_1e-300"
    assert {"log10_p" in row for row in found["score True"]["groups"]} == {True, False}


def test_undefined_groups_and_groups_of_one_row():
    data = {
        "g": ["A", "A", "A", "B", "B", "B", "C", "D", "D"],
        "x": [1.0, 2.0, 4.0, 1.0, 3.0, 2.0, 2.5, 2.0, 2.0],
        "z": [1.0, 2.0, 4.5, 2.0, 3.0, 2.0, 2.5, 2.0, 2.0],
        "p": [0.1, 0.5, 0.9, 0.2, 0.5, 0.7, 0.5, 1.0, 1.0],
        "d": [0, 0, 1, 0, 1, 0, 1, 0, 0],
        "y": [0, 1, 1, 1, 0, 0, 1, 1, 1],
    }
    found = check(audit_of(data, min_group_size=1, min_group_share=0, max_difference=1))
    assert {name for name, entry in found.items() if entry["skip_code"]} == set()
    assert {row["group"]["g"] for row in found["auc"]["groups"] if row["value"] is None} == {"C", "D"}
    assert {row["group"]["g"] for row in found["npv"]["groups"] if row["value"] is None} == {"C"}
    codes = {code for entry in found.values() for code in entry["reasons"].values()}
    assert codes >= {
        "metric_undefined",
        "one_row",
        "reference_group",
        "not_testable",
        "no_such_order_statistic",
        "no_such_interval",
        "no_pooled_deviation",
        "no_significance_test",
        "compared_with_all_rows",
        "comparison_value_not_positive",
        "not_counted",
        "not_skipped",
        "not_stated",
    }


@pytest.mark.parametrize(
    "data", [{"g": ["A"], "x": [1.0]}, {"x": [1.0]}, {"g": [], "x": []}, {"g": ["A", "B"], "x": ["n/a", "1"]}]
)
def test_skipped_tests(data):
    filled = {name: [1] * len(data["x"]) for name in "zpdy"} | data
    found = check(audit_of(filled))
    assert {entry["status"] for entry in found.values()} == {"skipped"}
    assert {entry["test_status"] for entry in found.values()} == {"skipped"}


def test_more_rows_than_information_is_given_for(monkeypatch):
    for module in (levels, reasons_module):
        monkeypatch.setattr(module, "COMPARED_ROWS", 100)
    found = check(audit_of(many(3, 200), max_difference=1))
    auc, score = found["auc"], found["score True"]
    assert {auc["reasons"][f"/groups/{i}/delong_ci_low"] for i in range(3)} == {"too_many_rows"}
    others = [i for i, row in enumerate(score["groups"]) if not row["is_reference"]]
    assert {score["reasons"][f"/groups/{i}/ks_distance"] for i in others} == {"too_many_rows"}
