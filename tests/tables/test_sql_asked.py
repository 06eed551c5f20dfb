"""What an engine is asked, and how much of it comes back."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sqlglot import exp, parse_one

from fairreport import Audit
from fairreport.tables import levels, sql_crowds
from fairreport.tables.source import open_table

ROWS = 6_000
SMALL = {"min_group_size": 1, "min_group_share": 0}


@pytest.fixture
def wide():
    rng = np.random.default_rng(11)
    unused = {f"unused_{i}": rng.random(ROWS) for i in range(40)}
    return pd.DataFrame(
        {
            **unused,
            "sex": rng.choice(["F", "M"], ROWS),
            "band": rng.choice(["a", "b", "c"], ROWS),
            "site": rng.choice(["x", "y"], ROWS),
            "hired": rng.integers(0, 2, ROWS),
            "score": rng.random(ROWS),
            "pay": rng.normal(100, 5, ROWS),
            "guess": rng.normal(100, 5, ROWS),
            "risk": rng.random(ROWS),
            "person": [f"p{i}" for i in range(ROWS)],
            **{f"in_{group}": (rng.random(ROWS) < 0.5) * 1 for group in "ab"},
        }
    )


def counted(audit):
    return audit.outcome_disparity("sex", "hired", 1, control_columns=["band", "site"], **SMALL).metric_parity(
        ["sex", "band"], "rate", value_column="hired", positive_values=[1], higher_is_better=True, **SMALL
    )


def summed(audit):
    """What is made of sums: means, errors, the Brier score."""
    stated = {"ground_truth_column": "pay", "max_difference": 50, **SMALL}
    audit.metric_parity("sex", "mean", value_column="pay", higher_is_better=True, **SMALL)
    for metric in ("mae", "rmse", "r2"):
        audit.metric_parity("sex", metric, prediction_column="guess", **stated)
    return audit.metric_parity(
        "sex", "brier", probability_column="risk", ground_truth_column="hired", positive_values=[1], **SMALL
    )


def ordered(audit):
    """What is made of order: medians and quantiles."""
    audit.score_disparity("sex", "score", **SMALL)
    return audit.metric_parity("sex", "p95", value_column="pay", higher_is_better=True, **SMALL)


def ranked(audit):
    return audit.metric_parity(
        "sex", "auc", score_column="score", ground_truth_column="hired", positive_values=[1], **SMALL
    )


@pytest.fixture
def ask(held_table, monkeypatch):
    """Return what an audit of all kinds asks of a database."""

    def run(kind, frame):
        opened = []

        def spy(data):
            opened.append(open_table(data))
            return opened[-1]

        monkeypatch.setattr("fairreport.audit.audit.open_table", spy)
        audit = kind(Audit(held_table(frame)))
        audit.run()
        (table,) = opened
        return [(parse_one(item.sql, read=table.remote.engine.dialect), item.rows) for item in table.elsewhere.asked]

    return run


def groupings(statement):
    return [select for select in statement.find_all(exp.Select) if select.args.get("group")]


def columns_of(statement):
    """Return the columns of the user's table that a statement reads."""
    return {column.name for column in statement.find_all(exp.Column)}


def test_counts_are_one_grouping(ask, held_table, wide):
    ((statement, rows),) = ask(counted, wide)
    assert len(groupings(statement)) == (1 if held_table.name == "duckdb" else 2)  # SQLite has no grouping sets
    assert rows == 2 * 3 * 2 * 2 + 2 * 3 * 2  # outcomes by sex, band and site; rates by sex and band
    assert {"sex", "band", "site", "hired"} <= columns_of(statement)
    assert not any(name.startswith("unused") for name in columns_of(statement))


def test_sums_come_back_by_group_only(ask, held_table, wide):
    found = ask(summed, wide)
    most = 1 if held_table.name == "duckdb" else 2  # SQLite has no grouping sets
    plain = 1 if held_table.name == "duckdb" else 2  # where numbers end; in SQLite, what its cells are before that
    ungrouped, grouped = found[:plain], found[plain:]
    assert not any(groupings(statement) for statement, _ in ungrouped)
    assert [rows for _, rows in ungrouped] == [1] * plain
    assert all(1 <= len(groupings(statement)) <= most for statement, _ in grouped)
    assert len(grouped) == 1
    assert sum(rows for _, rows in found) <= 20
    for statement, _ in found:
        assert not any(name.startswith("unused") or name == "person" for name in columns_of(statement))


def test_order_brings_pages_only(ask, wide, monkeypatch):
    monkeypatch.setattr(levels, "COMPARED_ROWS", 1000)
    monkeypatch.setattr(levels, "REMOTE_SORTED_ROWS", 1000)
    found = ask(ordered, wide)
    pages = 2 * levels.FEW_ROWS.pages
    assert max(rows for _, rows in found) <= max(pages, levels.FEW_ROWS.fetched)
    fetched = [rows for statement, rows in found if not groupings(statement)]
    assert sum(fetched) < ROWS / 2


def test_ranks_bring_codes_and_scores_only(ask, wide):
    found = ask(ranked, wide)
    whole = [statement for statement, rows in found if rows == ROWS]
    assert len(whole) == 1
    assert [item.alias_or_name for item in whole[0].expressions] == ["g", "v"]


def test_rows_of_one_person_never_come(ask, wide, monkeypatch):
    monkeypatch.setattr(sql_crowds, "FEW_GROUPS", 2_000)
    found = ask(lambda audit: audit.outcome_disparity("person", "hired", 1), wide)
    assert [rows for _, rows in found] == [2_001]


def test_tables_stay_as_they_are_asked(held_table, wide, monkeypatch):
    """The rest of an audit goes on where one of its tests has too many groups, and the answers are those of a frame."""
    monkeypatch.setattr(sql_crowds, "FEW_GROUPS", 2_000)
    wide["never"] = pd.Series([None] * ROWS, dtype="str")
    wide["late"] = pd.Series([None] * (ROWS - 1) + ["x"], dtype="str")

    def run(data):
        audit = Audit(data)
        audit.outcome_disparity("person", "hired", 1).outcome_disparity("sex", "hired", 1, **SMALL)
        audit.outcome_disparity("person", "hired", 1, control_columns="late")
        audit.outcome_disparity("person", "hired", 1, control_columns="never")
        audit.metric_parity("person", "rate", value_column="hired", positive_values=[1], higher_is_better=True)
        audit.score_disparity("person", "score").score_disparity("sex", "score", **SMALL)
        return audit.run().to_dict()["results"]

    found = run(held_table(wide))
    assert found == run(wide)
    assert [entry["skip_code"] for entry in found] == [
        "too_many_groups",
        None,
        "too_many_groups",
        "empty_column",
        "too_many_groups",
        "too_many_groups",
        None,
    ]


def test_an_outcome_with_very_many_values_is_counted_all_the_same(held_table, wide, monkeypatch):
    monkeypatch.setattr(sql_crowds, "FEW_GROUPS", 2_000)

    def run(data):
        return Audit(data).outcome_disparity("sex", "score", 0.5, **SMALL).run().to_dict()["results"]

    assert run(held_table(wide)) == run(wide)


@pytest.mark.parametrize(
    "cells", [[np.nan, 1.5, None, -0.0, 0.0], [b"a", b"b", None, b"a", b""], ["a", None, "", " a", "\U0001f642"]]
)
def test_no_cell_comes_twice_where_more_is_asked_for(held_table, cells, monkeypatch):
    monkeypatch.setattr(sql_crowds, "FEW_GROUPS", 1)
    frame = pa.table({"g": pa.array(cells * 8, from_pandas=False), "o": [1, 0] * 20})

    def run(data):
        return Audit(data).outcome_disparity("g", "o", 1, **SMALL).outcome_disparity("o", "g", "a").run().to_json()

    assert run(held_table(frame)) == run(frame)


def test_a_test_that_needs_more_than_may_be_brought_is_skipped_in_one_line(held_table, wide, monkeypatch):
    monkeypatch.setattr(sql_crowds, "FEW_GROUPS", 10)
    monkeypatch.setattr(sql_crowds, "MOST_GROUPS", 2_000)
    audit = Audit(held_table(wide), groups={"person": ["p1", "p2"]})
    audit.outcome_disparity("person", "hired", 1).outcome_disparity("sex", "hired", 1, **SMALL)
    audit.metric_parity("person", "mean", value_column="score", higher_is_better=True)
    audit.metric_parity("sex", "mean", value_column="score", higher_is_better=True, **SMALL)
    found = audit.run().to_dict()["results"]
    assert [entry["skip_code"] for entry in found] == ["too_many_groups", None, "too_many_groups", None]
    message = r"there are more than 2,000 combinations of '\w+'(, '\w+')?, too many to bring here; name fewer columns"
    assert all(re.search(message, entry["skip_reason"]) for entry in found[::2])
    assert (
        found[1::2]
        == Audit(wide)
        .outcome_disparity("sex", "hired", 1, **SMALL)
        .metric_parity("sex", "mean", value_column="score", higher_is_better=True, **SMALL)
        .run()
        .to_dict()["results"]
    )
