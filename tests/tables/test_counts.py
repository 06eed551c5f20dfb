"""Each row stands for n rows: the same numbers as rows in."""

import json

import pandas as pd
import pytest

from fairreport import Audit, DataError

COLUMNS = {
    "g": ["F", "F", "M", "M", " F", "X", None, "M"],
    "c": ["p", "q", "p", "q", "p", "p", "p", None],
    "o": [1, 0, 1, 0, 1, 1, 1, None],
}
TIMES = [3, 4, 5, 2, 2, 0, 1, 6]


def repeated():
    return {
        name: [cell for cell, n in zip(cells, TIMES, strict=True) for _ in range(n)] for name, cells in COLUMNS.items()
    }


def without_counts(text):
    document = json.loads(text)
    document["data"]["counts"] = None
    return document


@pytest.mark.parametrize(
    "weights",
    [TIMES, [float(n) for n in TIMES], [str(n) for n in TIMES], [f" {n}.0 " for n in TIMES]],
    ids=["whole", "float", "text", "text with decimals"],
)
def test_counts_in_give_the_numbers_of_rows_in(engine, weights):
    def run(data, **options):
        audit = Audit(data, **options)
        audit.outcome_disparity("g", "o", 1, min_group_size=1, control_columns="c")
        audit.outcome_disparity(["g", "c"], "o", 1, min_group_size=1)
        return without_counts(audit.run().to_json())

    assert run(engine.make(COLUMNS | {"n": weights}), counts="n") == run(repeated())


WITHOUT_ROWS = {
    "g": ["F", "M", "F", "M", "F", "M", "F", "X"],
    "v": ["1.5", "2.5", "3.5", "4.5", "2.5", "1.5", "many", "9e9"],
    "p": ["0.1", "0.9", "0.5", "0.2", "0.8", "0.4", "7", "0.5"],
    "y": ["1", "0", "1", "1", "0", "1", "2", "perhaps"],
    "a": ["1", "0", "1", "0", "1", "0", "5", "x"],
    "b": ["0", "1", "0", "1", "0", "1", "x", "1"],
    "n": [3, 4, 5, 2, 2, 1, 0, 0],
}
"""The last two rows stand for none."""


def test_cells_of_a_row_that_stands_for_none_are_not_read(engine):
    def run(columns):
        audit = Audit(engine.make(columns), counts="n")
        audit.score_disparity("g", "v", min_group_size=1)
        audit.metric_parity("g", ["mean", "p95"], value_column="v", higher_is_better=True, min_group_size=1)
        audit.metric_parity(
            "g", "brier", probability_column="p", ground_truth_column="y", positive_values=["1"], min_group_size=1
        )
        audit.metric_parity(
            "g", "auc", score_column="v", ground_truth_column="y", positive_values=["1"], min_group_size=1
        )
        audit.rate_gaps(
            attributes={"g": ["F", "M"]},
            label="y",
            prediction="a",
            probability="p",
            rules=[{"id": "r", "rate": "selection", "attribute": "g", "max_group_gap": 0.5}],
        )
        audit.adverse_impact_ratio(
            outcome="y", reference_values={"g": "F"}, air_threshold=0.8, percent_difference_threshold=0
        )
        audit.standardized_mean_difference(
            outcome="v", smd_threshold=0.3, protected_groups="a", reference_groups="b", group_categories="c"
        )
        return audit.run().to_dict()["results"]

    found = run(WITHOUT_ROWS)
    assert {result["status"] for result in found} == {"ok"}
    assert found == run({name: cells[:-2] for name, cells in WITHOUT_ROWS.items()})


def test_categories_that_no_row_has():
    """A category of a pandas column is no cell: neither text among numbers nor a group."""
    frame = pd.DataFrame({"g": pd.Categorical(["F", "M"] * 4, categories=["F", "M", "X"]), "y": [1, 0, 0, 1] * 2})
    frame["v"] = pd.Categorical(["1", "2"] * 4, categories=["1", "2", "many"])

    def run(data):
        audit = Audit(data).score_disparity("g", "v", min_group_size=1)
        audit.adverse_impact_ratio(
            outcome="y", reference_values={"g": "F"}, air_threshold=0.8, percent_difference_threshold=0
        )
        return audit.run().to_dict()["results"]

    assert run(frame) == run(frame.astype({"g": str, "v": str}))


def test_large_counts(engine, counts):
    columns = {"g": ["F", "M", "F", "M"], "o": [1, 1, 0, 0], "n": [999_999_999, 2**30 + 1, 1_000_000_001, 1]}
    assert counts(engine.make(columns), audit={"counts": "n"}) == {
        "F": (2_000_000_000, 999_999_999),
        "M": (2**30 + 2, 2**30 + 1),
    }


def test_groups_beyond_the_statistics_are_refused(engine, measure):
    columns = {"g": ["F", "M", "F"], "o": [1, 0, 0], "n": [1_000_000_000, 1, 1_000_000_001]}
    with pytest.raises(DataError, match=r"^group 'F' has 2,000,000,001 rows; wanted at most 2,000,000,000$"):
        measure(engine.make(columns), audit={"counts": "n"})


def test_counts_beside_a_group_of_that_name(engine, counts):
    columns = {"n": [1, 2, 1, 2], "o": [1, 0, 1, 1]}
    assert counts(engine.make(columns), "n", audit={"counts": "n"}) == {"1": (2, 2), "2": (4, 2)}


def test_only_zeros_are_no_rows(engine, measure):
    columns = {"g": ["F", "M"], "o": [1, 0], "n": [0, 0]}
    assert measure(engine.make(columns), audit={"counts": "n"})["skip_code"] == "empty_column"


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([1, -1, 2, 3], "the value '-1'"),
        ([1.0, 2.5, 2.0, 3.0], "the value '2.5'"),
        ([1, None, 2, 3], "a missing value"),
        (["1", "many", "2", "3"], "the value 'many'"),
        (["1", "1e3", "2", "3"], "the value '1e3'"),
        (["1", "", "2", "3"], "a missing value"),
        ([True, True, True, True], "the value 'true'"),
        (["1", "9" * 400, "2", "3"], "the value '" + "9" * 30),
    ],
)
def test_what_is_no_count_is_refused(engine, measure, cells, found):
    data = engine.make({"g": ["F", "M"] * 2, "o": [1, 0, 1, 1], "n": cells})
    with pytest.raises(DataError) as caught:
        measure(data, audit={"counts": "n"})
    assert str(caught.value).startswith(f"counts column 'n' has {found}")
    assert len(str(caught.value)) < 120


def test_infinite_counts_are_refused(measure):
    with pytest.raises(DataError, match="the value 'inf'"):
        measure(pd.DataFrame({"g": ["F"], "o": [1], "n": [float("inf")]}), audit={"counts": "n"})


def test_a_missing_counts_column_is_named(engine, measure):
    with pytest.raises(DataError, match=r"^the table has no counts column 'weigth'\. Did you mean 'weight'\?$"):
        measure(engine.make({"g": ["F"], "o": [1], "weight": [1]}), audit={"counts": "weigth"})
