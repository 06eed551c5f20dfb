"""Laws of named pairs of groups, whatever the rows."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport.audit.adverse_impact import adverse_impact_ratio, odds_ratio, relative_rate
from fairreport.audit.error_rates import false_negative_rate
from fairreport.audit.hit_rates import true_positive_rate
from fairreport.audit.impact_tables import adverse_impact_ratio_by_quantile, segmented_adverse_impact_ratio
from fairreport.audit.mean_differences import standardized_mean_difference
from fairreport.audit.pair_rows import document

FEW = settings(max_examples=15, deadline=None)
LISTS = (["P"], ["R"], ["c"])

row = st.tuples(
    st.sampled_from(["P", "R", "none"]),
    st.integers(0, 1),
    st.integers(0, 1),
    st.integers(0, 30),
    st.integers(1, 40),
    st.sampled_from(["a", "b"]),
)
tables = st.lists(row, min_size=4, max_size=60)


def frame_of(rows):
    names = ["group", "hired", "label", "score", "w", "site"]
    frame = pd.DataFrame(rows, columns=names)
    frame["P"], frame["R"] = (frame["group"] == "P").astype(int), (frame["group"] == "R").astype(int)
    return frame


def answers(frame, **weights):
    """Return the answers of most of the family."""
    groups = frame[["P", "R"]]
    return {
        "air": adverse_impact_ratio(groups, *LISTS, frame["hired"], 0.8, 0.0, frame["label"], **weights),
        "relative": relative_rate(groups, *LISTS, frame["hired"], 1.25, 0.0, **weights),
        "odds": odds_ratio(groups, *LISTS, frame["hired"], 0.8, 0.0, **weights),
        "smd": standardized_mean_difference(groups, *LISTS, frame["score"], -0.3, **weights),
        "quantile": adverse_impact_ratio_by_quantile(groups, *LISTS, frame["score"], [0.25, 0.6], 0.8, 0.0, **weights),
        "segments": segmented_adverse_impact_ratio(groups, *LISTS, frame["hired"], frame["site"], 0.8, 0.0, **weights),
        "rate": true_positive_rate(groups, *LISTS, frame["hired"], frame["label"], 0.9, 0.0, **weights),
    }


def documents(frame, **weights):
    return {name: document(found.record.finding) for name, found in answers(frame, **weights).items()}


def close(one, other, leave=frozenset(), relative=1e-9):
    """Tell whether two documents hold the same numbers."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            close(one[k], other[k], leave, relative) for k in one if k not in leave
        )
    if isinstance(one, list):
        return len(one) == len(other) and all(close(a, b, leave, relative) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=relative, abs_tol=1e-10)
    return one == other


@given(tables)
@FEW
def test_row_order_changes_nothing(rows):
    frame = frame_of(rows)
    weights = {"sample_weight": frame["w"] / 7}
    shuffled = frame.sample(frac=1, random_state=1)
    assert documents(frame) == documents(shuffled)
    assert documents(frame, **weights) == documents(shuffled, sample_weight=shuffled["w"] / 7)


@given(tables)
@FEW
def test_frequencies_equal_repeated_rows(rows):
    frame = frame_of(rows)
    repeated = frame.loc[frame.index.repeat(frame["w"])].reset_index(drop=True)
    counted = documents(frame, sample_weight=frame["w"], weight_kind="frequency")
    assert close(documents(repeated), counted, leave={"rows_total", "weights"})


@given(tables, st.sampled_from([1e-3, 0.37, 8.0, 1e5]))
@FEW
def test_the_scale_of_sampling_weights_does_not_matter(rows, factor):
    frame = frame_of(rows)
    one = documents(frame, sample_weight=frame["w"] / 10)
    other = documents(frame, sample_weight=frame["w"] / 10 * factor)
    weighed = {"total", "favorable", "unfavorable", "positive", "denominator", "numerator", "total_label", "shortfall"}
    assert close(one, other, leave=weighed, relative=1e-8)


@given(tables)
@FEW
def test_doubling_every_row_leaves_rates_ratios_and_population_differences(rows):
    frame = frame_of(rows)
    twice = pd.concat([frame, frame], ignore_index=True)
    once, doubled = documents(frame), documents(twice)
    for name, fields in {
        "air": ("favorable_rate", "rate_difference", "air", "average_label"),
        "relative": ("unfavorable_rate", "relative_rate"),
        "odds": ("odds", "odds_ratio"),
        "smd": ("mean", "mean_difference", "sd", "smd"),
        "rate": ("rate", "rate_difference", "ratio"),
    }.items():
        for mine, theirs in zip(once[name]["groups"], doubled[name]["groups"], strict=True):
            assert close({f: mine[f] for f in fields}, {f: theirs[f] for f in fields})


@given(tables)
@FEW
def test_swapping_the_groups_inverts_the_ratios(rows):
    frame = frame_of(rows)
    groups, swapped = frame[["P", "R"]], frame[["P", "R"]].rename(columns={"P": "R", "R": "P"})
    one = adverse_impact_ratio(groups, *LISTS, frame["hired"], 0.8, 0.0).groups.iloc[1]
    other = adverse_impact_ratio(swapped, *LISTS, frame["hired"], 0.8, 0.0).groups.iloc[1]
    if one["air"] and other["air"] and not pd.isna(one["air"]) and not pd.isna(other["air"]):
        assert one["air"] * other["air"] == pytest.approx(1, rel=1e-12)
        assert one["air_ci_low"] * other["air_ci_high"] == pytest.approx(1, rel=1e-7)
    if not pd.isna(one["p_value"]):
        assert one["p_value"] == pytest.approx(other["p_value"], rel=1e-9)
        assert one["rate_difference"] == pytest.approx(-other["rate_difference"], abs=1e-15)
        assert one["difference_ci_low"] == pytest.approx(-other["difference_ci_high"], abs=1e-12)
    mine = standardized_mean_difference(groups, *LISTS, frame["score"], -0.3).groups.iloc[1]
    theirs = standardized_mean_difference(swapped, *LISTS, frame["score"], -0.3).groups.iloc[1]
    if not pd.isna(mine["smd"]):
        assert mine["smd"] == pytest.approx(-theirs["smd"], abs=1e-12)


@given(tables)
@FEW
def test_names_change_labels_only(rows):
    frame = frame_of(rows)
    renamed = frame[["P", "R"]].rename(columns={"P": "Ä 1", "R": "other"})
    one = adverse_impact_ratio(frame[["P", "R"]], *LISTS, frame["hired"], 0.8, 0.0).to_json()
    other = adverse_impact_ratio(renamed, ["Ä 1"], ["other"], ["c"], frame["hired"], 0.8, 0.0).to_json()
    back = other.replace('"Ä 1"', '"P"').replace('"other"', '"R"')
    assert json.loads(one) == json.loads(back)


@given(tables)
@FEW
def test_complements_add_up(rows):
    frame = frame_of(rows)
    given_ = (frame[["P", "R"]], *LISTS, frame["hired"], frame["label"], 0.9, 0.0)
    hits, misses = true_positive_rate(*given_).groups, false_negative_rate(*given_).groups
    for mine, theirs in zip(hits.to_dict("records"), misses.to_dict("records"), strict=True):
        if not pd.isna(mine["rate"]):
            assert mine["rate"] + theirs["rate"] == pytest.approx(1, abs=1e-12)
            if not pd.isna(mine["rate_difference"]):
                assert mine["rate_difference"] == pytest.approx(theirs["rate_difference"], abs=1e-12)
                assert mine["p_value"] == pytest.approx(theirs["p_value"], rel=1e-9)


@given(tables)
@FEW
def test_no_number_is_nan_or_infinite(rows):
    frame = frame_of(rows)
    for weights in ({}, {"sample_weight": frame["w"] / 3}):
        for found in answers(frame, **weights).values():
            found.to_json()  # refuses both


def test_whole_sampling_weights_are_no_frequencies():
    frame = frame_of(
        [("P", 1, 0, 3, 5, "a"), ("P", 0, 1, 2, 9, "a"), ("R", 1, 0, 1, 4, "b"), ("R", 0, 1, 8, 4, "b")] * 9
    )
    sampling = adverse_impact_ratio(frame[["P", "R"]], *LISTS, frame["hired"], 0.8, 0.0, sample_weight=frame["w"])
    row_of = sampling.to_dict()["groups"][1]
    assert (row_of["test"], row_of["reasons"]["fisher_two_sided"]) == ("linearised", "weighted")
    assert np.isclose(row_of["air"], (9 * 5) / (9 * 14) / 0.5)
