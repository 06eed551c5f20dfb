"""Where numbers lie is guessed: one grouping where the guess is right, and the same bytes where it is wrong."""

import math

import numpy as np
import pyarrow as pa
import pytest

from fairreport import Audit
from fairreport.tables import outline, sql_engine_ibis, sql_table
from fairreport.tables.view import Guess

ROWS = 9_000
FIRST = 500
VALUE = {"value_column": "s", "higher_is_better": True}
LABELS = {"ground_truth_column": "y", "positive_values": 1}
ERRORS = {"prediction_column": "s", "ground_truth_column": "t", "max_difference": 1}
METRICS = {
    "mean": VALUE,
    "brier": {"probability_column": "s"} | LABELS,
    "mae": ERRORS,
    "rmse": ERRORS,
    "r2": ERRORS,
}


def columns():
    rng = np.random.default_rng(23)
    return {
        "g": rng.choice(["A", " A", "B", "C"], ROWS).tolist(),
        "s": np.round(rng.random(ROWS), 6).tolist(),
        "t": np.round(rng.random(ROWS), 6).tolist(),
        "y": rng.integers(0, 2, ROWS).tolist(),
    }


def said(data, metric):
    """Return the result of one test, and the statements asked for it."""
    audit = Audit(data)
    if metric == "score":
        audit.score_disparity("g", "s", min_group_size=1)
    else:
        audit.metric_parity("g", metric, min_group_size=1, **METRICS[metric])
    run = audit.run()
    return run.to_dict()["results"][0], [a.sql for a in run.record.data.asked if "typeof" not in a.sql.lower()]


@pytest.fixture(params=[Guess.FIRST_ROWS, Guess.SHARES])
def guess(request, monkeypatch):
    """Let engines be guessed at."""
    monkeypatch.setattr(sql_engine_ibis, "_GUESSES", dict.fromkeys(("duckdb", "sqlite"), request.param))
    monkeypatch.setattr(outline, "FIRST_ROWS", FIRST)
    return request.param


def compare(held_table, table, metric):
    """Return how many statements a test took, having seen that it says what it says of a frame."""
    found, asked = said(held_table(table), metric)
    assert found == said(pa.table(table), metric)[0]
    return len(asked)


@pytest.mark.parametrize("metric", METRICS)
def test_a_right_guess_takes_one_grouping(held_table, guess, metric):
    looks = guess is Guess.FIRST_ROWS
    assert compare(held_table, columns(), metric) == 1 + looks


WRONG = {
    "larger numbers": {"s": 7.0},
    "smaller numbers": {"s": -1e9},
    "very large numbers": {"s": 1e100},
    "numbers whose squares are none": {"s": 1e200},
    "an infinite number": {"s": math.inf},
    "a number that is none": {"s": math.nan},
    "a missing number": {"s": None},
    "a third label": {"y": 2},
    "a missing label": {"y": None},
}


@pytest.mark.parametrize("metric", ["mean", "brier", "rmse", "score"])
@pytest.mark.parametrize("change", WRONG)
def test_a_wrong_guess_changes_no_digit(held_table, guess, metric, change):
    table = columns()
    for name, cell in WRONG[change].items():
        table[name][-3] = cell
    compare(held_table, table, metric)


def test_a_wrong_guess_costs_one_more_grouping(held_table, guess):
    table = columns()
    table["s"][-1] = 70.0
    assert compare(held_table, table, "mean") == 2 + (guess is Guess.FIRST_ROWS)
    table["t"] = [100 * t for t in table["t"]]
    assert compare(held_table, table, "rmse") == 2  # the first rows tell that errors go up to 128


def test_sorted_rows_mislead_and_change_no_digit(held_table, guess):
    table = columns()
    table["s"].sort()
    assert compare(held_table, table, "mean") == (3 if guess is Guess.FIRST_ROWS else 1)


def test_a_small_table_is_known_at_first_sight(held_table, guess):
    table = {name: cells[:FIRST] for name, cells in columns().items()}
    compare(held_table, table, "mean")
    if guess is Guess.FIRST_ROWS:
        assert compare(held_table, table, "brier") == 2


@pytest.mark.parametrize("values", [[0.5] * 40, [0.5, 0.5 + 1e-13, 0.5 - 1e-13]], ids=["constant", "close together"])
def test_a_group_of_its_own_kind(held_table, guess, values):
    table = columns()
    table["g"][-len(values) :] = ["D"] * len(values)
    table["s"][-len(values) :] = values
    asked = compare(held_table, table, "mean")
    if len(set(values)) == 1:
        assert asked == 1 + (guess is Guess.FIRST_ROWS)


def test_whole_numbers_are_looked_at_or_asked_for(held_table, guess):
    table = columns()
    table["s"] = [i % 97 for i in range(ROWS)]
    assert compare(held_table, table, "mean") == 2


def test_no_guess_tells_of_the_rows_of_a_few(held_table, guess):
    table = {name: cells[: FIRST + 1] for name, cells in columns().items()}  # their grid is finer
    for metric in ("mean", "brier"):
        compare(held_table, table, metric)


@pytest.mark.parametrize("last", [1e-17, 0.0, 1.0])
def test_a_logarithm_is_guarded_whatever_the_first_rows_hold(held_table, guess, monkeypatch, last):
    table = columns()
    table["s"] = [0.1 + 0.8 * s for s in table["s"]]
    table["s"][-1], table["y"][-1] = last, 1 - round(last)
    parameters = {"probability_column": "s", "min_group_size": 1} | LABELS
    wanted = Audit(pa.table(table)).metric_parity("g", "log_loss", **parameters).run().to_dict()["results"][0]
    monkeypatch.setattr(sql_table, "MOST_ALIKE", 100)  # so that the engine computes the logarithms
    found = Audit(held_table(table)).metric_parity("g", "log_loss", **parameters).run().to_dict()["results"][0]
    for one, other in zip(found["groups"], wanted["groups"], strict=True):
        assert one["value"] == pytest.approx(other["value"], rel=1e-14)


def test_statements_do_not_hang_on_the_order_of_an_answer(held_table, guess, monkeypatch):
    table = columns()
    table["g"] = [f"{g.strip()}{i % 30}" for i, g in enumerate(table["g"])]
    table["s"] = [0.5 + 1e-13 * s if i % 30 < 12 else s for i, s in enumerate(table["s"])]
    _, asked = said(held_table(table), "mean")
    honest = outline.NumericView.__init__

    def turned(self, *arguments, fetch_rows, **named):
        honest(self, *arguments, fetch_rows=lambda sql: reversed(list(fetch_rows(sql))), **named)

    monkeypatch.setattr(outline.NumericView, "__init__", turned)
    assert said(held_table(table), "mean")[1] == asked
    assert "VALUES" in asked[-1]
