"""SQLite lets a cell be of another type than its column: the answers are those over a frame of the same cells."""

import sqlite3

import ibis
import pandas as pd
import pytest

from fairreport import Audit, DataError, Window
from fairreport.audit.document import to_text

SMALL = {"min_group_size": 1, "min_group_share": 0}
ROWS = 60
TYPED = {
    "text in a column of numbers": ("REAL", [1.5, 2.5, "abc"]),
    "numbers that no double parses": ("REAL", [1.5, 2.5, "1_0", "inf"]),
    "text in a column of whole numbers": ("INTEGER", [0, 1, "yes"]),
    "fractions in a column of whole numbers": ("INTEGER", [0, 1, 1.5, 2**62 + 1]),
    "infinite whole numbers": ("INTEGER", [0, 1, float("inf")]),
    "bytes in a column of numbers": ("REAL", [1.5, 2.5, b"x"]),
    "text in a decimal": ("DECIMAL(10, 2)", [1, 2.25, "many"]),
    "other words for true": ("BOOLEAN", [0, 1, "true"]),
    "other numbers than 0 and 1 in a boolean": ("BOOLEAN", [0, 1, 2, None]),
    "a column without a type that begins with a whole number": ("", [1, 1.5, "1", "x"]),
    "a column without a type that begins with a fraction": ("", [1.5, 1, 2**62 + 1]),
    "dates that are none": ("DATE", ["2024-01-01", "bad", "2024-02-30", 20240101]),
    "times that are none": ("TIMESTAMP", ["2024-01-01 10:00:00", "2024-01-01T10:00:00", "soon", 5]),
    "times of day": ("TIME", ["09:00:00", "10:30:00"]),
}
"""Of each column what it declares, and the cells that take turns in it."""


@pytest.fixture
def held():
    """Put rows into a table with declared types; return it, and a frame of the cells that SQLite made of them."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)

    def make(columns, rows):
        listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        connection.execute(f"CREATE TABLE held ({listed})")
        connection.executemany(f"INSERT INTO held VALUES ({', '.join('?' * len(columns))})", rows)
        cells = connection.execute("SELECT * FROM held").fetchall()
        frame = pd.DataFrame(
            {name: pd.Series([row[i] for row in cells], dtype=object) for i, name in enumerate(columns)}
        )
        return ibis.sqlite.from_connection(connection).table("held"), frame

    make.connection = connection
    yield make
    connection.close()


def every_role(audit):
    audit.outcome_disparity("v", "y", 1, **SMALL).outcome_disparity("g", "v", [1, 1.5, "yes"], **SMALL)
    audit.score_disparity("g", "v", **SMALL).score_disparity("v", "y", name="groups of a score", **SMALL)
    audit.metric_parity("g", ["mean", "p95"], value_column="v", higher_is_better=True, **SMALL)
    audit.metric_parity("v", "mean", value_column="y", higher_is_better=True, name="groups of a mean", **SMALL)
    audit.metric_parity("g", "auc", score_column="y", ground_truth_column="v", positive_values=[1], **SMALL)
    audit.rate_gaps(
        attributes={"g": ["a", "b"]},
        label="v",
        prediction="y",
        rules=[{"id": "r", "rate": "selection", "attribute": "g", "max_group_gap": 0.5}],
    )
    return audit.adverse_impact_ratio(
        outcome="v", reference_values={"g": "a"}, air_threshold=0.8, percent_difference_threshold=0
    )


def results(tests, data, **audit):
    return tests(Audit(data, **audit)).run().to_dict()["results"]


def typed(held, kind, cells):
    rows = [("ab"[i % 2], cells[i // 3 % len(cells)], i % 5 // 3, 1 + i % 3) for i in range(ROWS)]
    return held({"g": "TEXT", "v": kind, "y": "INTEGER", "w": "INTEGER"}, rows)


@pytest.mark.parametrize("counts", [None, "w"])
@pytest.mark.parametrize("name", TYPED)
def test_cells_of_other_types_in_every_role(held, name, counts):
    table, frame = typed(held, *TYPED[name])
    frame["y"] = frame["y"].astype(int)
    assert to_text(results(every_role, table, counts=counts)) == to_text(results(every_role, frame, counts=counts))


@pytest.mark.parametrize("name", TYPED)
def test_cells_of_other_types_as_groups_of_numbers(held, name):
    table, frame = typed(held, *TYPED[name])
    frame["y"] = frame["y"].astype(int)

    def tests(audit):
        audit.score_disparity("v", "y", **SMALL)
        return audit.metric_parity(
            "g", "brier", probability_column="y", ground_truth_column="v", positive_values=[1, "10:30:00"], **SMALL
        )

    assert to_text(results(tests, table)) == to_text(results(tests, frame))


def test_text_among_numbers_is_named(held):
    table, _ = typed(held, "REAL", [1.5, 2.5, "abc"])
    (found,) = results(lambda audit: audit.score_disparity("g", "v", **SMALL), table)
    assert (found["skip_code"], found["skip_reason"]) == ("not_numeric", "column 'v' is not numeric: it holds 'abc'")


def test_text_among_counts_is_refused(held):
    rows = [("a", 1, 2), ("b", 0, "many"), ("a", 0, 1)]
    table, _ = held({"g": "TEXT", "y": "INTEGER", "n": "INTEGER"}, rows)
    with pytest.raises(DataError, match=r"^counts column 'n' has the value 'many'; wanted whole numbers >= 0$"):
        results(lambda audit: audit.outcome_disparity("g", "y", 1, **SMALL), table, counts="n")


def test_cells_are_looked_at_anew_by_every_run(held):
    table, _ = typed(held, "REAL", [1.5, 2.5, 3.5])
    audit = Audit(table).metric_parity("g", "mean", value_column="v", higher_is_better=True, **SMALL)
    assert audit.run().to_dict()["results"][0]["status"] == "ok"
    held.connection.execute("INSERT INTO held VALUES ('a', 'abc', 1, 1)")
    assert audit.run().to_dict()["results"][0]["skip_code"] == "not_numeric"


@pytest.mark.parametrize("kind", ["TIMESTAMP", "DATE"])
def test_rows_of_a_window(held, kind):
    times = [f"2024-0{1 + i % 6}-1{i % 9}" + (f" 0{i % 9}:00:00" if kind == "TIMESTAMP" else "") for i in range(ROWS)]
    rows = [("ab"[i // 6 % 2], i % 5 // 3, time) for i, time in enumerate(times)]
    table, frame = held({"g": "TEXT", "y": "INTEGER", "t": kind}, rows)

    def found(data):
        audit = Audit(data, time_column="t").outcome_disparity("g", "y", 1, **SMALL)
        return audit.run(window=Window(length="60d", end="2024-05-01")).to_dict()["results"]

    assert sum(group["n"] for group in found(table)[0]["groups"]) == 20
    assert to_text(found(table)) == to_text(found(frame))


@pytest.mark.parametrize("cell", ["2024-03-01T09:00:00", "2024-03-01 09:00:00Z", "2024-03-01", "soon", 5])
def test_times_that_text_does_not_put_in_order_are_refused(held, cell):
    rows = [("a", 1, "2024-03-02 09:00:00"), ("b", 0, cell)]
    table, _ = held({"g": "TEXT", "y": "INTEGER", "t": "TIMESTAMP"}, rows)
    audit = Audit(table, time_column="t").outcome_disparity("g", "y", 1, **SMALL)
    with pytest.raises(DataError, match=r"^the time column 't' holds text, which sqlite does not read"):
        audit.run(window=Window(length="60d", end="2024-05-01"))


@pytest.mark.heavy
def test_a_thousand_groups(held):
    """As many as can be judged: SQLite puts no more than 500 selects together."""
    groups, rows = 1000, 3000
    cells = [(f"g{i % groups}", float(i * 37 % 1009), i // groups % 2) for i in range(rows)]
    table, frame = held({"g": "TEXT", "v": "REAL", "y": "INTEGER"}, cells)
    frame = frame.astype({"v": float, "y": int})

    def tests(audit):
        audit.score_disparity("g", "v", **SMALL)
        audit.metric_parity("g", "median", value_column="v", higher_is_better=True, **SMALL)
        return audit.metric_parity("g", "auc", score_column="v", ground_truth_column="y", positive_values=[1], **SMALL)

    found = results(tests, table)
    assert [result["total_groups"] for result in found] == [groups] * 3
    assert to_text(found) == to_text(results(tests, frame))
