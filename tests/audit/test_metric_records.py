"""From a group of a score or metric test back to its rows."""

import pandas as pd
import pytest

from fairreport import Audit

COLUMNS = {
    "g": ["F", " F", "M", "M", None, "X", "M", "F", "F"],
    "x": [1.5, 2.0, 3.5, None, 4.0, 5.0, float("inf"), -999.0, 2.5],
    "y": ["1", "0", "1", "1", "0", "1", "0", "1", None],
    "id": [0, 1, 2, 3, 4, 5, 6, 7, 8],
}
EVERY = {"min_group_size": 1, "min_group_share": 0, "max_difference": 1}


def rows_of(found):
    for method in ("collect", "to_pyarrow"):
        if hasattr(found, method):
            found = getattr(found, method)()
    if hasattr(found, "to_pandas"):
        found = found.to_pandas()
    return sorted(int(float(cell)) for cell in found["id"])


def columns_for(engine):
    """JSON has no infinity."""
    return COLUMNS | {"x": [1.5, 2.0, 3.5, None, 4.0, 5.0, None, -999.0, 2.5]} if "jsonl" in engine.name else COLUMNS


def results_of(engine, **audit):
    made = Audit(engine.make(columns_for(engine)), missing_values=["-999"], groups={"g": ["F", "M"]}, **audit)
    made.score_disparity("g", "x", min_group_size=1, min_group_share=0)
    made.metric_parity("g", "auc", score_column="x", ground_truth_column="y", positive_values=1, **EVERY)
    made.metric_parity("g", "rate", value_column="y", positive_values=1, higher_is_better=True, **EVERY)
    return made.run().results


def test_rows_of_a_group(engine):
    score, auc, rate = results_of(engine)
    assert rows_of(score.records({"g": "F"})) == [0, 1, 8]
    assert rows_of(auc.records({"g": "F"})) == [0, 1]
    assert rows_of(rate.records({"g": "F "})) == [0, 1, 7]
    assert rows_of(score.records()) == [0, 1, 2, 8]
    assert rows_of(auc.records({"g": "X"})) == []


def test_as_many_rows_as_were_counted(engine):
    for result in results_of(engine):
        evidence = result.record.finding.evidence
        assert len(rows_of(result.records())) == evidence.rows.evaluated
        for group in evidence.groups:
            assert len(rows_of(result.records({"g": group.group[0]}))) == group.n


def test_rows_that_were_left_out(engine):
    score, auc, rate = results_of(engine)
    for result, wanted in (
        (score, {3: "no x", 4: "no g", 5: "undeclared g", 6: "no x", 7: "no x"}),
        (auc, {3: "no x", 4: "no g", 5: "undeclared g", 6: "no x", 7: "no x", 8: "no y"}),
        (rate, {4: "no g", 5: "undeclared g", 8: "no y"}),
    ):
        found = result.records(include_left_out=True)
        assert isinstance(found, pd.DataFrame)
        reasons = {int(float(row["id"])): row["left_out"] for _, row in found.iterrows()}
        assert reasons == {i: wanted.get(i, "") for i in range(9)}


@pytest.mark.parametrize("x", [[1.5, float("nan"), None, float("-inf")], ["1.5", " ", None, "-inf"]])
def test_every_kind_of_unusable_number(x):
    frame = pd.DataFrame({"g": ["A"] * 4, "x": pd.Series(x, dtype=object), "id": range(4)})
    result = Audit(frame).score_disparity("g", "x").run()[0]
    assert rows_of(result.records()) == [0]
    assert result.records(include_left_out=True)["left_out"].tolist() == ["", "no x", "no x", "no x"]
