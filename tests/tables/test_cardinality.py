"""Many groups, many strata, many values: bounded, and right."""

import numpy as np
import pandas as pd
import pytest

from fairreport import Audit

MANY = 200_000  # distinct values


def groups_of(number, each=2):
    names = [f"g{i:04d}" for i in range(number)]
    return {"g": names * each, "o": [1] * number * (each - 1) + [0] * number}


ENGINES = [
    "pandas",
    "pandas-object",
    "polars",
    "pyarrow",
    "duckdb",
    "ibis",
    "parquet",
    "csv",
    "jsonl",
    "records",
]
several = pytest.mark.parametrize("engine", ENGINES, indirect=True)


@several
def test_a_thousand_groups_are_judged(engine, measure):
    entry = measure(engine.make(groups_of(1000)))
    assert (entry["status"], entry["total_groups"], len(entry["groups"]), entry["truncated"]) == (
        "ok",
        1000,
        100,
        True,
    )
    assert len(entry["evidence"]["groups"]) == 1000


@several
def test_one_more_is_not(engine, measure):
    entry = measure(engine.make(groups_of(1001)))
    assert (entry["skip_code"], entry["skip_reason"]) == (
        "too_many_groups",
        "there are more than 1,000 groups",
    )
    assert entry["evidence"] is None


@several
def test_many_spellings_of_few_groups_are_not_many_groups(engine, counts):
    cells = [" " * (i % 40) + "FM"[i % 2] + " " * (i // 40) for i in range(1600)]
    assert counts(engine.make({"g": cells, "o": [1] * 1600})) == {"F": (800, 800), "M": (800, 800)}


def strata_of(number):
    names = [f"s{i:04d}" for i in range(number)]
    return {
        "g": ["F", "M"] * number,
        "c": [name for name in names for _ in range(2)],
        "o": [1, 0, 1, 1] * (number // 2) + [1, 0] * (number % 2),
    }


@several
def test_999_strata_are_adjusted_for(engine, measure):
    entry = measure(engine.make(strata_of(999)), control_columns="c")
    assert (entry["status"], entry["evidence"]["n_strata"]) == ("ok", 999)
    assert {group["strata_used"] for group in entry["groups"] if not group["is_reference"]} == {999}


@several
def test_a_thousand_strata_are_too_many(engine, measure):
    entry = measure(engine.make(strata_of(1000)), control_columns="c")
    assert entry["skip_code"] == "too_many_control_combinations"
    assert entry["evidence"]["strata"] == []


@pytest.mark.parametrize(
    "engine",
    ["pandas", "csv", *(pytest.param(name, marks=pytest.mark.heavy) for name in ("polars", "parquet"))],
    indirect=True,
)
def test_an_outcome_with_very_many_values(engine, measure):
    columns = {"g": ["F", "M"] * (MANY // 2), "o": [float(i) for i in range(MANY)]}
    entry = measure(engine.make(columns), favorable=[0, 1, 3])
    assert [(group["group"]["g"], group["favorable"], group["n"]) for group in entry["groups"]] == [
        ("F", 1, MANY // 2),
        ("M", 2, MANY // 2),
    ]
    assert entry["evidence"]["n_unmatched_values"] == MANY - 3
    assert len(entry["evidence"]["unmatched"]) == 10
    note = next(note["text"] for note in entry["notes"] if note["code"] == "unmatched_outcomes")
    assert note.endswith("and 199,987 further values.")


def test_many_values_in_every_column_of_a_frame(counts):
    # 300 x 300 x 300 combinations would not fit into a dense table.
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: rng.integers(0, 300, 4000).astype(str) for name in "abc"})
    frame["g"] = np.where(rng.random(4000) < 0.5, "F", "M")
    expected = {sex: (len(part), int((part["a"] == "7").sum())) for sex, part in frame.groupby("g")}
    assert counts(frame, "g", "a", "7", control_columns=["b", "c"], min_group_size=5000) == expected


def test_too_many_groups_of_one_test_leave_the_others_alone():
    frame = pd.DataFrame(groups_of(1500)).assign(sex=["F", "M"] * 1500)
    run = Audit(frame).outcome_disparity("g", "o", 1).outcome_disparity("sex", "o", 1).run()
    assert [result.to_dict()["skip_code"] for result in run] == ["too_many_groups", None]


@several
def test_a_column_that_fills_up_late_is_not_empty(engine, measure):
    """Missing column, empty column, ..., too many groups: an empty control column is named first, a late one is not."""
    columns = groups_of(1500) | {"late": [None] * 2999 + ["x"], "never": [None] * 3000}
    assert measure(engine.make(columns), control_columns="late")["skip_code"] == "too_many_groups"
    entry = measure(engine.make(columns), control_columns="never")
    assert (entry["skip_code"], entry["skip_reason"]) == (
        "empty_column",
        "column 'never' has no value in any row",
    )
