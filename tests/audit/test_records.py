"""From a group back to its rows."""

import pandas as pd
import pytest

from fairreport import Audit, ConfigError

COLUMNS = {
    "sex": ["F", " F", "M", "F ", None, "M", "X", "M", "F", "Y"],
    "band": [1, 2, 1, 1, 2, 1, 2, None, 1, 1],
    "o": [1, 0, 1, 1, 1, None, 0, 1, None, 1],
    "id": [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
}


def rows_of(found):
    for method in ("collect", "to_pyarrow"):
        if hasattr(found, method):
            found = getattr(found, method)()
    if hasattr(found, "to_pandas"):
        found = found.to_pandas()
    return sorted(int(float(cell)) for cell in found["id"])


def result_of(data, attributes="sex", **options):
    return Audit(data, **options).outcome_disparity(attributes, "o", 1, min_group_size=1, min_group_share=0).run()[0]


def test_rows_of_a_group(engine):
    result = result_of(engine.make(COLUMNS))
    assert rows_of(result.records({"sex": "F"})) == [10, 11, 13]
    assert rows_of(result.records({"sex": " F  "})) == [10, 11, 13]
    assert rows_of(result.records({"sex": "M"})) == [12, 17]
    assert rows_of(result.records("F")) == [10, 11, 13]
    assert rows_of(result.records()) == [10, 11, 12, 13, 16, 17, 19]


def test_as_many_rows_as_were_counted(engine):
    result = result_of(engine.make(COLUMNS), ["sex", "band"])
    entry = result.to_dict()
    for group in entry["groups"]:
        assert len(rows_of(result.records(group["group"]))) == group["n"]
    assert len(rows_of(result.records())) == entry["rows_evaluated"]


def test_part_of_a_label(engine):
    result = result_of(engine.make(COLUMNS), ["sex", "band"])
    assert rows_of(result.records({"band": 1})) == [10, 12, 13, 19]
    assert rows_of(result.records({"band": "1.0", "sex": "F"})) == [10, 13]


def test_rows_that_were_left_out(engine):
    result = result_of(engine.make(COLUMNS), ["sex", "band"], groups={"sex": ["F", "M", "X"]})
    found = result.records({"sex": "F"}, include_left_out=True)
    assert isinstance(found, pd.DataFrame)
    reasons = {int(float(row["id"])): row["left_out"] for _, row in found.iterrows()}
    assert reasons == {
        10: "",
        11: "",
        13: "",
        14: "no sex",
        15: "no o",
        17: "no band",
        18: "no o",
        19: "undeclared sex",
    }
    everything = result.records(include_left_out=True)
    assert len(everything) == 10
    assert (everything["left_out"] == "").sum() == result.to_dict()["rows_evaluated"]


def test_words_for_missing_are_left_out(engine):
    result = result_of(engine.make(COLUMNS), missing_values=["X"])
    assert rows_of(result.records()) == [10, 11, 12, 13, 17, 19]
    found = result.records(include_left_out=True)
    assert (found["left_out"] == "no sex").sum() == 2


def test_a_name_that_is_no_attribute():
    with pytest.raises(ConfigError, match=r"'sexx' is no attribute of this test\. Did you mean 'sex'\?"):
        result_of(COLUMNS).records({"sexx": "F"})


def test_mixed_objects():
    frame = pd.DataFrame(
        {
            "sex": pd.Series([1, 1.0, True, "1", "true", 2], dtype=object),
            "o": [1, 1, 0, 1, 1, 0],
            "id": range(6),
        }
    )
    result = result_of(frame)
    assert rows_of(result.records({"sex": 1})) == [0, 1, 3]
    assert rows_of(result.records({"sex": True})) == [2, 4]


def test_rows_keep_their_order_and_index():
    frame = pd.DataFrame(COLUMNS, index=list("abcdefghij"))
    assert result_of(frame).records({"sex": "F"}).index.tolist() == ["a", "b", "d"]
    assert result_of(frame).records(include_left_out=True).index.sort_values().tolist() == list("abcdefghij")


def test_hostile_names_and_values(engine):
    columns = {
        "a \"b\" 'c' %s": ["x'y", 'x"y', "x\\y", "x%y", "x\ny", "x_y"],
        "o": [1, 0, 1, 1, 0, 1],
        "id": [0, 1, 2, 3, 4, 5],
    }
    name = next(iter(columns))
    result = result_of(engine.make(columns), name)
    for position, value in enumerate(columns[name]):
        assert rows_of(result.records({name: value})) == [position]


def test_a_group_that_is_none_is_refused_with_the_nearest_name(engine):
    result = result_of(engine.make(COLUMNS))
    with pytest.raises(ConfigError, match=r"no row has sex 'f'\. Did you mean 'F'\?"):
        result.records({"sex": "f"})
    with pytest.raises(ConfigError, match="no row has sex 'Z'"):
        result.records("Z")


def test_a_value_alone_is_no_group_of_two_attributes(engine):
    result = result_of(engine.make(COLUMNS), ["sex", "band"])
    with pytest.raises(ConfigError, match="a group is stated as"):
        result.records("F")
    with pytest.raises(ConfigError, match="a group is stated as"):
        result.records(float("nan"))
