"""Tables for other programs."""

import csv

import pandas as pd
import pytest

from fairreport import Audit

DATA = {"g": ["F"] * 50 + ["M"] * 50 + ["X"] * 5, "o": [1, 0] * 20 + [0] * 10 + [1] * 40 + [0] * 10 + [1] * 5}


def result_of(data=None, attributes="g", outcome="o", **parameters):
    return Audit(data or DATA).outcome_disparity(attributes, outcome, 1, **parameters).run()[0]


def read(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_frame_of_all_groups():
    frame = result_of().groups
    assert frame.index.tolist() == ["F", "M", "X"]
    assert frame.index.name == "g"
    assert frame.loc["F", ["n", "favorable", "rate", "ratio"]].tolist() == [50, 20, 0.4, 0.5]
    assert frame.query("failing").index.tolist() == ["F"]
    assert frame.dtypes.map(str).loc[["n", "rate", "p_value", "failing"]].tolist() == [
        "int64",
        "float64",
        "float64",
        "bool",
    ]
    assert frame["p_value"].isna().tolist() == [False, True, True]


def test_a_frame_of_several_attributes():
    data = {"b": ["x", "y"] * 40, "a": ["p", "p", "q", "q"] * 20, "o": [1, 0, 1, 1] * 20}
    frame = result_of(data, ["b", "a"], min_group_size=20).groups
    assert frame.index.names == ["a", "b"]
    assert frame.loc[("p", "y"), "favorable"] == 0
    assert len(frame) == 4


def test_more_groups_than_are_stored():
    data = {"g": [f"g{i:03d}" for i in range(150)] * 2, "o": [1] * 150 + [0] * 150}
    result = result_of(data, min_group_size=1, min_group_share=0)
    assert len(result.to_dict()["groups"]) == 100
    assert len(result.groups) == 150


def test_a_skipped_test_has_an_empty_frame(tmp_path):
    result = result_of(outcome="g")
    assert len(result.groups) == 0
    result.to_csv(tmp_path / "empty.csv")
    assert read(tmp_path / "empty.csv") == []


def test_numbers_of_a_csv_file_are_as_computed(tmp_path):
    result = result_of()
    rows = read(result.to_csv(tmp_path / "groups.csv"))
    assert [row["g"] for row in rows] == ["F", "M", "X"]
    for row, group in zip(rows, result.to_dict()["groups"], strict=True):
        for name in ("rate", "ratio", "p_value", "ci_low", "ratio_ci_high"):
            assert row[name] == ("" if group[name] is None else repr(group[name]))
        assert row["failing"] == str(group["failing"]).lower()


DANGEROUS = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\tx", "\rx", '=HYPERLINK("http://x")', "+x", "-x"]


@pytest.mark.parametrize("label", DANGEROUS)
def test_no_cell_is_a_formula(tmp_path, label):
    attribute = f"{label[0]}name".replace("\r", "=").replace("\t", "=")
    data = {attribute: [label, "M"] * 40, "o": [1, 1, 0, 1] * 20}
    run = Audit(data).outcome_disparity(attribute, "o", 1, name=f"{label} test").run()
    for path in [*run.to_csv(tmp_path / "folder"), run[0].to_csv(tmp_path / "one.csv")]:
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.reader(stream):
                for cell in row:
                    assert not cell.startswith(("=", "+", "@", "\t", "\r")), (path.name, cell)
                    assert not cell.startswith("-") or float(cell) <= 0, (path.name, cell)


def test_a_folder_of_csv(tmp_path):
    audit = Audit(DATA)
    for name in ("By gender & age: 2026/Q3", "by gender age 2026 q3", "../../etc/passwd", "漢字", "x" * 300):
        audit.outcome_disparity("g", "o", 1, name=name)
    run = audit.run()
    names = [path.name for path in run.to_csv(tmp_path / "new" / "folder")]
    assert names[:5] == [
        "measurements.csv",
        "01-by-gender-age-2026-q3.csv",
        "02-by-gender-age-2026-q3.csv",
        "03-etc-passwd.csv",
        "04-test.csv",
    ]
    assert len(names) == len(set(names)) == 6
    assert {path.parent for path in run.to_csv(tmp_path / "new" / "folder")} == {tmp_path / "new" / "folder"}
    measured = read(tmp_path / "new" / "folder" / "measurements.csv")
    assert {row["test"] for row in measured} == {test.name for test in run}
    assert next(row["value"] for row in measured if row["measurement"] == "minImpactRatio") == "0.5"


@pytest.mark.parametrize("attribute", ["n", "rate", "group", "ratio", "share", "failing", "g"])
def test_an_attribute_named_like_a_number(tmp_path, attribute):
    data = {attribute: DATA["g"], "outcome": DATA["o"]}
    result = result_of(data, attribute, "outcome")
    assert result.groups.index.tolist() == ["F", "M", "X"]
    assert result.groups["n"].tolist() == [50, 50, 5]
    rows = read(result.to_csv(tmp_path / "groups.csv"))
    first = next(iter(rows[0]))
    assert [row[first] for row in rows] == ["F", "M", "X"]
    assert [row["n"] for row in rows] == ["50", "50", "5"]
    assert len(rows[0]) == len(result.groups.columns) + 1
    assert isinstance(result.groups, pd.DataFrame)
