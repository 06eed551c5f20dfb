"""Functions of named pairs: how columns are handed over, what comes back, what is refused."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fairreport import Audit, ConfigError
from fairreport.audit.adverse_impact import adverse_impact_ratio, odds_ratio, relative_rate
from fairreport.audit.impact_tables import (
    adverse_impact_ratio_by_quantile,
    categorical_adverse_impact_ratio,
    segmented_adverse_impact_ratio,
)
from fairreport.audit.mean_differences import (
    custom_disparity_metric,
    residual_standardized_mean_difference,
    standardized_mean_difference,
)

N = 200
LISTS = (["P"], ["R"], ["c"])


@pytest.fixture
def frame():
    rng = np.random.default_rng(11)
    member = rng.integers(0, 2, N)
    return pd.DataFrame({"P": member, "R": 1 - member, "hired": (rng.random(N) < 0.3 + 0.3 * (1 - member)).astype(int)})


def air(groups, outcome, **more):
    return adverse_impact_ratio(groups, *LISTS, outcome, 0.8, 0.0, **more)


def codes(caught):
    return [fault.code for fault in caught.value.errors]


def test_series_are_aligned_by_their_index(frame):
    labelled = frame.set_axis([f"id {i}" for i in range(N)])
    shuffled = labelled["hired"].sample(frac=1, random_state=3)
    assert air(labelled[["P", "R"]], shuffled).to_dict() == air(frame[["P", "R"]], frame["hired"]).to_dict()


@pytest.mark.parametrize("convert", [list, np.array, tuple])
def test_what_has_no_index_goes_by_position(frame, convert):
    assert air(frame[["P", "R"]], convert(frame["hired"])).to_dict() == air(frame[["P", "R"]], frame["hired"]).to_dict()


def test_a_column_of_the_frame_may_be_named(frame):
    assert air(frame, "hired").to_dict() == air(frame[["P", "R"]], frame["hired"]).to_dict()


def test_an_index_that_differs_is_refused_with_how_many_and_the_first(frame):
    with pytest.raises(ConfigError, match=r"2 labels; the first is 199$") as caught:
        air(frame[["P", "R"]], frame["hired"].set_axis([*range(N - 1), 777]))
    assert codes(caught) == ["index_mismatch"]
    with pytest.raises(ConfigError, match="has 5 values") as caught:
        air(frame[["P", "R"]], [0, 1, 0, 1, 0])
    assert codes(caught) == ["index_mismatch"]


def test_repeated_labels_are_aligned_only_where_they_stand_alike(frame):
    doubled = frame.set_axis([i // 2 for i in range(N)])
    assert air(doubled[["P", "R"]], doubled["hired"]).to_dict() == air(frame[["P", "R"]], frame["hired"]).to_dict()
    with pytest.raises(ConfigError, match="repeats labels"):
        air(doubled[["P", "R"]], doubled["hired"][::-1])


def test_every_fault_of_the_parameters_at_once(frame):
    with pytest.raises(ConfigError) as caught:
        adverse_impact_ratio(
            frame, ["P", "P"], ["P", "R"], ["c"], "hired", 2.0, float("nan"), weight_kind="none", shortfall_method="all"
        )
    assert set(codes(caught)) == {
        "duplicate_columns", "protected_and_reference", "unequal_list_lengths", "out_of_range", "bad_enum"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda f: odds_ratio(f, *LISTS, "hired", 1.25, 0.0), "out_of_range"),
        (lambda f: odds_ratio(f, *LISTS, "hired", 0.8, 0.0, lower_is_favorable=True), "out_of_range"),
        (lambda f: relative_rate(f, *LISTS, "hired", 0.8, 0.0), "out_of_range"),
        (lambda f: standardized_mean_difference(f, *LISTS, "hired", 0.0), "out_of_range"),
        (lambda f: standardized_mean_difference(f, *LISTS, "hired", -0.3, sd="reference"), "bad_enum"),
        (lambda f: adverse_impact_ratio_by_quantile(f, *LISTS, "hired", [], 0.8, 0.0), "empty_values_list"),
        (lambda f: adverse_impact_ratio_by_quantile(f, *LISTS, "hired", [0.5, 1], 0.8, 0.0), "out_of_range"),
        (lambda f: adverse_impact_ratio_by_quantile(f, *LISTS, "hired", [0.5, 0.5], 0.8, 0.0), "duplicate_values"),
        (lambda f: categorical_adverse_impact_ratio(f, *LISTS, "hired", [0, 1, 1], 0.8, 0.0), "duplicate_values"),
        (lambda f: categorical_adverse_impact_ratio(f, *LISTS, "hired", [0, 2], 0.8, 0.0), "unknown_category"),
        (lambda f: air(f, "hired", max_for_fishers=-1), "out_of_range"),
        (lambda f: air(f[["P"]], f["hired"]), "unknown_column"),
        (lambda f: air(pd.concat([f, f[["P"]]], axis=1), f["hired"]), "duplicate_columns"),
        (lambda f: air(7, f["hired"]), "bad_type"),
        (lambda f: custom_disparity_metric(f, *LISTS, "hired", "hired", 3), "bad_type"),
        (lambda f: custom_disparity_metric(f, *LISTS, "hired", "hired", len, draws=0), "out_of_range"),
    ],
)
def test_refusals(frame, call, code):
    with pytest.raises(ConfigError) as caught:
        call(frame)
    assert caught.value.code == code


def test_categories_are_matched_as_text(frame):
    found = categorical_adverse_impact_ratio(frame, *LISTS, "hired", [0, 1], 0.8, 0.0)
    assert found.groups["air"].tolist()[1] == air(frame, "hired").groups["air"].tolist()[1]
    assert found.groups["category"].tolist() == ["1", "1"]


def test_tables_as_frames(frame):
    found = adverse_impact_ratio_by_quantile(frame, *LISTS, np.arange(N), [0.2, 0.8], 0.8, 0.0)
    assert found.groups["quantile"].tolist() == [0.2, 0.2, 0.8, 0.8]
    assert found.groups["cutoff"].tolist() == pytest.approx([39.8, 39.8, 159.2, 159.2])
    assert found.pooled.empty
    segmented = segmented_adverse_impact_ratio(frame, *LISTS, "hired", ["a", "b"] * (N // 2), 0.8, 0.0)
    assert segmented.groups["segment"].tolist() == ["a", "a", "b", "b"]
    assert segmented.pooled["segments_used"].tolist() == [["a", "b"]]


def test_json_is_written(frame, tmp_path):
    found = air(frame, "hired")
    text = found.to_json(tmp_path / "found.json")
    assert (tmp_path / "found.json").read_text(encoding="utf-8") == text
    assert json.loads(text)["measurements"] == dict(found.measurements)


def test_a_tiny_p_value_keeps_its_logarithm():
    groups = pd.DataFrame({"P": [1, 1, 0, 0], "R": [0, 0, 1, 1]})
    outcome, often = pd.Series([1, 0, 1, 0]), pd.Series([1000, 19000, 19000, 1000])
    row = air(groups, outcome, sample_weight=often, weight_kind="frequency").to_dict()["groups"][1]
    assert row["p_value"] is None
    assert row["log10_p"] < -300
    assert row["adjusted_log10_p"] == row["log10_p"]
    assert row["practically_significant"] is True
    assert row["reasons"]["p_value"] == row["reasons"]["adjusted_p"] == "below_1e-300"


def test_the_notes_say_what_was_assumed(frame):
    half = frame[["P", "R"]] * 0.5
    noted = {note["code"] for note in air(half, frame["hired"], sample_weight=[1.0] * N).to_dict()["notes"]}
    assert noted == {"sampling_weights", "fractional_membership"}


def halves():
    return pd.DataFrame({"P": [1] * 50 + [0] * 50, "R": [0] * 50 + [1] * 50})


def test_residuals_that_are_equal_as_written_have_no_spread():
    labels, predictions = [0.3, 0.5] * 25 + [0.8, 1.0] * 25, [0.2, 0.4] * 25 + [0.7, 0.9] * 25
    row = residual_standardized_mean_difference(halves(), *LISTS, labels, predictions, -0.3).to_dict()["groups"][1]
    assert (row["mean"], row["mean_difference"], row["smd"], row["practically_significant"]) == (0.1, 0.0, None, None)
    assert row["reasons"]["smd"] == "zero_spread"
    assert row["reasons"]["p_value"] == "zero_variance"


@pytest.mark.parametrize("scale", [2.0**-70, 2.0**-140, 2.0**-530, 2.0**-1000, 2.0**100])
def test_the_scale_of_weights_changes_nothing_else(frame, scale):
    weight = np.arange(N) % 7 * 1.0
    one, other = (air(frame, "hired", sample_weight=weight * k, label="hired").to_dict() for k in (1.0, scale))
    for row, scaled in zip(one["groups"], other["groups"], strict=True):
        for name in ("total", "favorable", "total_label", "shortfall"):
            assert scaled[name] == (None if row[name] is None else row[name] * scale)
            row[name] = scaled[name]
    assert other["groups"] == one["groups"]
    assert other["measurements"] == one["measurements"]
    numbers = pd.Series(np.arange(N) % 11)
    means = [
        standardized_mean_difference(frame, *LISTS, numbers, -0.1, sample_weight=weight * k).to_dict()["groups"][1]
        for k in (1.0, scale)
    ]
    assert means[1].pop("total") == means[0].pop("total") * scale
    assert means[0] == means[1]


def test_no_zero_has_a_sign():
    found = relative_rate(halves(), *LISTS, [1, 0] * 50, 1.2, 0.0).to_dict()["groups"][1]
    assert str(found["rate_difference"]) == "0.0"


@pytest.mark.parametrize("convert", [pl.Series, pa.array, lambda cells: pa.chunked_array([cells])])
def test_columns_of_other_libraries_go_by_position(frame, convert):
    column = convert(frame["hired"].tolist())
    assert air(frame[["P", "R"]], column).to_dict() == air(frame, "hired").to_dict()


@pytest.mark.parametrize(
    "convert",
    [
        pl.from_pandas,
        lambda frame: pl.from_pandas(frame).lazy(),
        pa.Table.from_pandas,
        dict,
        lambda frame: {name: pl.Series(cells.tolist()) for name, cells in frame.items()},
        lambda frame: {name: pa.array(cells) for name, cells in frame.items()},
    ],
)
def test_frames_of_other_libraries(frame, convert):
    assert air(convert(frame[["P", "R"]]), frame["hired"]).to_dict() == air(frame, "hired").to_dict()


@pytest.mark.parametrize("given", [3, 0.5, np.array(1), np.zeros((N, 2)), pd.DataFrame({"a": [1] * N})])
@pytest.mark.parametrize("role", ["outcome", "label", "sample_weight"])
def test_what_is_no_column_is_refused(frame, role, given):
    with pytest.raises(ConfigError) as caught:
        air(frame[["P", "R"]], **({"outcome": frame["hired"]} | {role: given}))
    assert [(fault.code, fault.path) for fault in caught.value.errors] == [("bad_type", role)]


@pytest.mark.parametrize("given", [[1, 2], {"P": 1, "R": 2}, {"P": [1], "R": [1, 2]}])
def test_what_is_no_table_is_refused(given):
    with pytest.raises(ConfigError) as caught:
        air(given, [1])
    assert [(fault.code, fault.path) for fault in caught.value.errors] == [("bad_type", "group_data")]


def test_values_that_are_left_out_are_noted():
    rows = {
        "race": ["B", "W", "Z", None] * 25, "sex": ["M"] * 100, "hired": [1, 0, 1, 1, 0] * 20,
    }  # fmt: skip
    audit = Audit(rows, groups={"race": ["B", "W"]}).adverse_impact_ratio(
        outcome="hired", reference_values={"race": "W", "sex": "M"}, air_threshold=0.8, percent_difference_threshold=0.0
    )
    (found,) = audit.run().to_dict()["results"]
    texts = {note["code"]: note["text"] for note in found["notes"]}
    assert "Undeclared values of race: 25 rows left out" in texts["undeclared_groups"]
    assert texts["missing_membership"].endswith("race 25.")
    assert "in sex" in texts["reference_only"]
    assert [row["observations"] for row in found["groups"]] == [50, 50]


# --- a metric of the user's own ------------------------------------------------------------------------------


def accuracy(labels, predictions, sample_weight=None):
    return float(np.average(labels == predictions, weights=sample_weight))


def custom(frame, metric=accuracy, **more):
    stated = {"draws": 199} | more
    return custom_disparity_metric(
        frame, *LISTS, "hired", (frame["hired"] * frame["R"]).rename("label"), metric, **stated
    )


def test_a_metric_by_group_with_its_interval(frame):
    found = custom(frame, difference_threshold=0.05)
    reference, group = found.to_dict()["groups"]
    assert reference["value"] == 1.0
    assert group["value"] == pytest.approx(1 - frame["hired"][frame["P"] == 1].mean())
    assert group["difference"] == pytest.approx(1 - group["value"])
    assert group["difference_ci_low"] < group["difference"] < group["difference_ci_high"]
    assert group["practically_significant"] is True
    assert found.measurements["practicallySignificantCount"] == 1
    assert found.to_dict() == custom(frame, difference_threshold=0.05).to_dict()
    other = custom(frame, difference_threshold=0.05, seed=5).to_dict()["groups"][1]
    assert other["difference_ci_low"] != group["difference_ci_low"]


def test_frequencies_repeat_the_rows_of_a_metric(frame):
    often = pd.Series(np.arange(N) % 3)
    repeated = frame.loc[frame.index.repeat(often)].reset_index(drop=True)
    one = custom(frame, sample_weight=often, weight_kind="frequency", ratio_threshold=0.9).to_dict()
    other = custom(repeated, ratio_threshold=0.9).to_dict()
    assert one["groups"] == other["groups"]


def test_weights_and_proportions_reach_the_metric(frame):
    weighted = custom(frame, sample_weight=pd.Series(np.arange(N) + 1.0)).to_dict()["groups"][1]
    member = frame["P"] == 1
    assert weighted["value"] == pytest.approx(
        np.average(frame["hired"][member] == 0, weights=(np.arange(N) + 1.0)[member])
    )
    assert weighted["reasons"]["practically_significant"] == "no_threshold"
    shares = frame.assign(P=0.25, R=0.75)
    assert custom(shares).to_dict()["groups"][1]["value"] == custom(shares).to_dict()["groups"][0]["value"]


def test_draws_that_are_not_defined_are_counted():
    groups = pd.DataFrame({"P": [1] * 4 + [0] * 40, "R": [0] * 4 + [1] * 40})
    labels, predictions = pd.Series([1, 0, 0, 0] + [1, 0] * 20), pd.Series([1] * 44)

    def recall(labels, predictions):
        return (labels * predictions).sum() / int(labels.sum())

    found = custom_disparity_metric(groups, *LISTS, predictions, labels, recall, 0.9, draws=99)
    row = found.to_dict()["groups"][1]
    assert row["value"] == 1.0
    assert row["undefined_draws"] > 0
    assert row["difference_ci_low"] is None
    assert row["reasons"]["difference_ci_low"] == "undefined_draws"
    assert row["practically_significant"] is None
