"""Accounting and sums in one grouping: the same bytes as in two passes, and two passes wherever the file is otherwise."""

import math
from dataclasses import replace
from datetime import date

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairreport import Audit
from fairreport.tables import at_once, numeric

LABELS = {"ground_truth_column": "y", "positive_values": 1}
VALUE = {"value_column": "s", "higher_is_better": True}
ERRORS = {"prediction_column": "s", "ground_truth_column": "y", "max_difference": 1}
METRICS = {
    "auc": {"score_column": "s"} | LABELS,
    "log_loss": {"probability_column": "s"} | LABELS,
    "brier": {"probability_column": "s"} | LABELS,
    "mae": ERRORS,
    "rmse": ERRORS,
    "r2": ERRORS,
    "mean": VALUE,
    "median": VALUE,
}


def columns(n=600):
    rng = np.random.default_rng(17)
    return {
        "g": [[" A", "A", "B", "C", None][i] for i in rng.integers(0, 5, n)],
        "s": np.round(rng.random(n), 3).tolist(),
        "y": rng.integers(0, 2, n).tolist(),
    }


def document(data, metric, counts=None, missing_values=(), **parameters):
    """Return what an audit of one test says, without the kind of its table."""
    audit = Audit(data, counts=counts, missing_values=missing_values)
    if metric == "score":
        audit.score_disparity("g", "s", min_group_size=1)
    else:
        audit.metric_parity("g", metric, min_group_size=1, **METRICS[metric] | parameters)
    return audit.run().to_dict()["results"][0]


@pytest.fixture
def passes(monkeypatch):
    """Return a list that tells of each audit whether it took one grouping or two passes."""
    seen = []
    once, account = numeric.gather_at_once, numeric.account

    def gathered(view, sinks):
        found = once(view, sinks)
        if found is not None:
            seen.append("once")
        return found

    def accounted(view, sinks):
        seen.append("twice")
        return account(view, sinks)

    monkeypatch.setattr(numeric, "gather_at_once", gathered)
    monkeypatch.setattr(numeric, "account", accounted)
    return seen


def write(folder, data, **options):
    path = folder / "people.parquet"
    pq.write_table(data if isinstance(data, pa.Table) else pa.table(data), path, **options)
    return path


def misstate(monkeypatch, **stated):
    """Let files say something else of themselves."""
    honest = at_once.guess

    def guess(view, labels):
        found = honest(view, labels)
        return found if found is None else replace(found, **stated)

    monkeypatch.setattr(at_once, "guess", guess)


@pytest.mark.parametrize("metric", [*METRICS, "score"])
@pytest.mark.parametrize("statistics", [True, False])
def test_one_grouping_says_what_two_passes_say(tmp_path, passes, metric, statistics):
    table = columns()
    path = write(tmp_path, table, write_statistics=statistics, row_group_size=100)
    assert document(path, metric) == document(pa.table(table), metric)
    assert passes == ["once", "twice"]


def test_several_tests_share_one_grouping(tmp_path, passes):
    path = write(tmp_path, columns())

    def run(data):
        audit = Audit(data)
        for metric, parameters in METRICS.items():
            audit.metric_parity("g", metric, min_group_size=1, **parameters)
        return audit.run().to_dict()["results"]

    assert run(path) == run(pa.table(columns()))
    assert passes == ["once", "twice"]


@pytest.mark.parametrize("kind", [pa.string(), pa.bool_(), pa.float32(), pa.int8()])
def test_labels_of_any_type(tmp_path, passes, kind):
    table = columns()
    words = {pa.string(): {0: "no", 1: "yes"}, pa.bool_(): {0: False, 1: True}}.get(kind, {0: 0, 1: 1})
    table = pa.table(table | {"y": pa.array([words[y] for y in table["y"]], type=kind)})
    path = write(tmp_path, table)
    positive = {"positive_values": str(words[1]).lower()} if kind != pa.float32() else {}
    for metric in ("auc", "brier"):
        assert document(path, metric, **positive) == document(table, metric, **positive)
    assert passes == ["once", "twice"] * 2


CHANGES = {
    "a missing number": {"s": None},
    "a number that is not finite": {"s": math.inf},
    "a missing label": {"y": None},
    "a third label": {"y": 2},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("metric", ["auc", "log_loss", "brier"])
def test_a_file_that_says_otherwise_takes_two_passes(tmp_path, passes, change, metric):
    table = columns()
    for name, cell in CHANGES[change].items():
        table[name][7] = cell
    path = write(tmp_path, table)
    assert document(path, metric) == document(pa.table(table), metric)
    assert passes == ["twice", "twice"]


@pytest.mark.parametrize("metric", [*METRICS, "score"])
def test_an_engine_elsewhere_tells_where_numbers_end(held_table, passes, metric):
    assert document(held_table(columns()), metric) == document(pa.table(columns()), metric)
    is_summed = metric not in {"auc", "median", "log_loss"}  # without sums there it takes one grouping to account
    assert passes == ["once" if is_summed else "twice", "twice"]


@pytest.mark.parametrize("labels", [(1, 2), (-3, -2), (False, True)])
def test_labels_of_an_engine_elsewhere(held_table, passes, labels):
    table = columns()
    table["y"] = [labels[y] for y in table["y"]]
    for label in labels:
        positive = str(label).lower()
        found = document(held_table(table), "brier", positive_values=positive)
        assert found == document(pa.table(table), "brier", positive_values=positive)
    assert passes == ["once", "twice"] * 2


@pytest.mark.parametrize(
    ("metric", "change"),
    [
        ("score", "a missing number"),
        ("mean", "a number that is not finite"),
        *(("brier", change) for change in CHANGES),
    ],
)
def test_an_engine_elsewhere_that_finds_otherwise_takes_two_passes(held_table, passes, metric, change):
    table = columns()
    for name, cell in CHANGES[change].items():
        table[name][7] = cell
    assert document(held_table(table), metric) == document(pa.table(table), metric)
    assert passes == ["twice", "twice"]


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 2), (0.0, 1.0)])
def test_labels_beside_which_there_may_be_others_take_two_passes(held_table, passes, labels):
    table = columns()
    table["y"] = [labels[y] for y in table["y"]]
    positive = {"positive_values": [str(labels[1])]}
    assert document(held_table(table), "brier", **positive) == document(pa.table(table), "brier", **positive)
    assert passes == ["twice", "twice"]


@pytest.mark.parametrize("metric", [*METRICS, "score"])
@pytest.mark.parametrize("group", [" A", "A", "B", "C", None])
def test_nan_that_statistics_leave_out(tmp_path, passes, metric, group):
    table = columns()
    table["s"][table["g"].index(group)] = math.nan
    table = pa.table(table)
    path = write(tmp_path, table)
    stated = duckdb.connect().execute(f"SELECT count(s), max(s) FROM '{path}'").fetchone()
    assert stated == (600, pytest.approx(1, abs=0.1))  # as if all were well
    assert document(path, metric) == document(table, metric)
    assert passes == ["twice", "twice"]


@pytest.mark.parametrize("metric", ["auc", "mean", "median", "score"])
@pytest.mark.parametrize("ends", [(0.25, 1.0), (-1.0, 2.0)])
def test_statistics_that_are_wrong(tmp_path, passes, monkeypatch, metric, ends):
    table = columns()
    path = write(tmp_path, table)
    misstate(monkeypatch, ranges={"s": ends})
    assert document(path, metric) == document(pa.table(table), metric)
    assert passes == ["twice", "twice"]


def test_rows_that_are_more_than_stated(tmp_path, passes, monkeypatch):
    table = columns()
    path = write(tmp_path, table)
    misstate(monkeypatch, rows=599)
    assert document(path, "mean") == document(pa.table(table), "mean")
    assert passes == ["twice", "twice"]


@pytest.mark.parametrize("metric", ["log_loss", "brier"])
def test_no_probability(tmp_path, passes, metric):
    table = columns()
    table["s"][7] = 1.5
    path = write(tmp_path, table)
    found = document(path, metric)
    assert found["skip_code"] == "probability_out_of_range"
    assert found == document(pa.table(table), metric)
    assert passes == ["twice", "twice"]


@pytest.mark.parametrize("metric", ["mean", "mae", "score"])
@pytest.mark.parametrize(
    "values",
    [[0.5] * 3, [0.5, 0.5 + 1e-13, 0.5 - 1e-13], [1e-9, 2e-9, 4e-9]],
    ids=["constant", "close together", "tiny"],
)
def test_a_group_that_needs_a_grid_of_its_own(tmp_path, passes, metric, values):
    table = columns()
    for name, cells in (("g", ["D"] * 3), ("s", values), ("y", [0] * 3)):
        table[name] += cells
    path = write(tmp_path, table)
    assert document(path, metric) == document(pa.table(table), metric)
    assert passes == ["twice", "twice"]


def test_rows_that_stand_for_several_take_two_passes(tmp_path, passes):
    table = columns() | {"n": [i % 4 for i in range(600)]}
    path = write(tmp_path, table)
    for metric in ("auc", "brier", "mean"):
        assert document(path, metric, counts="n") == document(pa.table(table), metric, counts="n")
    assert set(passes) == {"twice"}


@pytest.mark.parametrize("word", ["0", "0.5"])
def test_a_word_for_missing_takes_two_passes(tmp_path, passes, word):
    table = columns()
    path = write(tmp_path, table)
    found = document(path, "brier", missing_values=(word,))
    assert found == document(pa.table(table), "brier", missing_values=(word,))
    assert passes == ["twice", "twice"]


def test_many_combinations_of_raw_cells_take_two_passes(tmp_path, passes, monkeypatch):
    path = write(tmp_path, columns())
    document(path, "mean")
    monkeypatch.setattr(at_once, "MOST_GROUPS", 4)  # two spellings of A, B, C, and none
    assert document(path, "mean") == document(pa.table(columns()), "mean")
    assert passes == ["once", "twice", "twice"]


def test_no_rows(tmp_path, passes):
    table = pa.table({"g": pa.array([], pa.string()), "s": pa.array([], pa.float64()), "y": pa.array([], pa.int64())})
    assert document(write(tmp_path, table), "brier") == document(table, "brier")
    assert passes == ["twice", "twice"]


def test_tests_of_different_attributes_take_two_passes(tmp_path, passes):
    table = columns() | {"h": ["x", "y"] * 300}
    path = write(tmp_path, table)

    def run(data):
        audit = Audit(data).metric_parity("g", "brier", min_group_size=1, **METRICS["brier"])
        audit.metric_parity("h", "brier", min_group_size=1, **METRICS["brier"])
        audit.metric_parity(["h", "g"], "mean", min_group_size=1, **VALUE)
        return audit.run().to_dict()["results"]

    assert run(path) == run(pa.table(table))
    assert passes == ["twice", "twice"]


def test_an_attribute_that_is_the_label_takes_two_passes(tmp_path, passes):
    table = columns()
    table["g"] = table["y"]
    path = write(tmp_path, table)
    label = {"ground_truth_column": "g"}
    assert document(path, "brier", **label) == document(pa.table(table), "brier", **label)
    assert passes == ["twice", "twice"]


def test_positives_in_rows_without_a_group_only(tmp_path, passes):
    table = columns()
    table["y"] = [int(g is None) for g in table["g"]]
    path = write(tmp_path, table)
    found = document(path, "log_loss")
    assert found["skip_code"] == "positive_class_absent"
    assert found == document(pa.table(table), "log_loss")
    assert passes == ["once", "twice"]


ODD_CELLS = {
    "text": [" A", "it's", "B", None],
    "float": [-0.0, 0.5, 1e300, math.nan],
    "date": [date(2026, 1, 1), date(2026, 2, 1), date(1969, 1, 1), None],
    "bytes": [b"\x00", b"'", b"b", None],
    "boolean": [True, False, True, None],
}


@pytest.mark.parametrize("cells", ODD_CELLS)
@pytest.mark.parametrize("positive", [0, 1, 3], ids=["first group", "second group", "no group"])
def test_which_rows_are_positive_where_some_are_in_no_group(tmp_path, passes, cells, positive):
    rows = [i % 4 for i in range(600)]
    table = columns() | {"g": [ODD_CELLS[cells][i] for i in rows], "y": [int(i == positive) for i in rows]}
    table = pa.table(table | {"h": ["x", "y", "z"] * 200})
    path = write(tmp_path, table)
    for attributes in ("g", ["h", "g"]):

        def run(data, attributes=attributes):
            audit = Audit(data).metric_parity(attributes, "brier", min_group_size=1, **METRICS["brier"])
            return audit.run().to_dict()["results"][0]

        found = run(path)
        assert found == run(table)
        assert found["skip_code"] == ("positive_class_absent" if positive == 3 else None)
    assert passes == ["once", "twice"] * 2


@pytest.mark.parametrize(("declared", "skip_code"), [(["A", "B"], None), (["B", "C"], "positive_class_absent")])
def test_positives_in_groups_that_are_not_declared(tmp_path, passes, declared, skip_code):
    table = columns() | {"y": [int(g == "A") for g in columns()["g"]]}
    path = write(tmp_path, table)

    def run(data):
        audit = Audit(data, groups={"g": declared}).metric_parity("g", "brier", min_group_size=1, **METRICS["brier"])
        return audit.run().to_dict()["results"][0]

    found = run(path)
    assert found == run(pa.table(table))
    assert found["skip_code"] == skip_code
    assert passes == ["once", "twice"]


@pytest.mark.parametrize("labels", [(0, 1), (1, 0), (0, 2), (-1, 1), (1, 1), (0, 0)], ids=str)
@pytest.mark.parametrize("positive", [0, 1, [0, 1]], ids=str)
def test_numbers_as_labels(tmp_path, passes, labels, positive):
    table = pa.table(columns() | {"y": [labels[y] for y in columns()["y"]]})
    path = write(tmp_path, table)
    for metric in ("brier", "log_loss"):
        assert document(path, metric, positive_values=positive) == document(table, metric, positive_values=positive)
    assert passes == ["once", "twice"] * 2
