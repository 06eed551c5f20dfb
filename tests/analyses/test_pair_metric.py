"""A metric of the user's own: order of rows, what it raises, what it returns, whether it takes weights."""

import json

import numpy as np
import pandas as pd
import pytest

from fairreport import Audit, ConfigError
from fairreport.analyses.pair_tests import AdverseImpactRatio, CustomDisparityMetric
from fairreport.audit.mean_differences import custom_disparity_metric

N = 120
LISTS = {"protected_groups": ["P"], "reference_groups": ["R"], "group_categories": ["c"]}


@pytest.fixture
def frame():
    rng = np.random.default_rng(4)
    member = rng.integers(0, 2, N)
    return pd.DataFrame({
        "P": member, "R": 1 - member, "said": rng.random(N).round(2), "was": rng.integers(0, 2, N),
        "weight": rng.integers(1, 4, N) / 2, "often": rng.integers(0, 4, N),
    })  # fmt: skip


def error(labels, predictions, sample_weight=None):
    return float(np.average(np.abs(labels - predictions), weights=sample_weight))


def plain(labels, predictions):
    return float(np.mean(labels == predictions))


def one_liner(frame, metric=error, **more):
    return custom_disparity_metric(
        frame, ["P"], ["R"], ["c"], "said", "was", metric, **{"draws": 99, "difference_threshold": 0.1} | more
    ).to_dict()


def audited(frame, metric, **more):
    tests = [
        CustomDisparityMetric(**LISTS, outcome="said", label="was", metric=metric, draws=99, **more),
        AdverseImpactRatio(**LISTS, outcome="was", air_threshold=0.8, percent_difference_threshold=0),
    ]
    return Audit(frame, tests=tests).run().to_dict()["results"]


@pytest.mark.parametrize(
    "more", [{}, {"sample_weight": "weight"}, {"sample_weight": "often", "weight_kind": "frequency"}]
)
def test_the_order_of_the_rows_does_not_matter(frame, more):
    wanted = one_liner(frame, **more)
    assert wanted["groups"][1]["difference_ci_low"] is not None
    for seed in (1, 2):
        shuffled = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
        assert one_liner(shuffled, **more) == wanted


def test_proportions_in_another_order(frame):
    shares = frame.assign(P=frame["P"] * 0.5 + 0.25, R=0.75 - frame["P"] * 0.5)
    assert one_liner(shares[::-1].reset_index(drop=True)) == one_liner(shares)


def raises(exception):
    def metric(*_):
        raise exception

    return metric


def returns(value):
    def metric(*_):
        return value

    return metric


@pytest.mark.parametrize(
    ("exception", "text"),
    [
        (TypeError("not this way"), "metric 'metric' raised TypeError: not this way"),
        (NameError("name 'x' is not defined"), "metric 'metric' raised NameError: name 'x' is not defined"),
        (KeyError("a"), "metric 'metric' raised KeyError: 'a'"),
        (RuntimeError(), "metric 'metric' raised RuntimeError"),
        (RuntimeError("one\ntwo"), "metric 'metric' raised RuntimeError: one"),
    ],
)
def test_what_a_metric_raises_skips_its_test_alone(frame, exception, text):
    skipped, other = audited(frame, raises(exception))
    assert (skipped["status"], skipped["skip_code"], skipped["skip_reason"]) == ("skipped", "metric_failed", text)
    assert other["status"] == "ok"
    with pytest.raises(ConfigError) as caught:
        one_liner(frame, raises(exception))
    assert caught.value.code == "metric_failed"
    assert caught.value.errors[0].message == text


@pytest.mark.parametrize("exception", [ZeroDivisionError("division by zero"), ValueError("only one class")])
def test_a_metric_that_is_not_defined_is_named_in_a_note(frame, exception):
    def metric(labels, predictions):
        if len(labels) == frame["P"].sum():
            raise exception
        return float(np.mean(predictions))

    found = one_liner(frame, metric)
    assert {row["group"]: row["reasons"].get("value") for row in found["groups"]} == {
        "R": None, "P": "metric_undefined"
    }  # fmt: skip
    (note,) = [note["text"] for note in found["notes"] if note["code"] == "metric_undefined"]
    assert f"{type(exception).__name__}: {exception} (100 calls)" in note
    assert not [note for note in one_liner(frame)["notes"] if note["code"] == "metric_undefined"]


@pytest.mark.parametrize("how", ["weights", "proportions"])
def test_weights_for_a_metric_that_takes_none(frame, how):
    more = {"sample_weight": "weight"} if how == "weights" else {}
    rows = frame if more else frame.assign(P=0.25, R=0.75)
    with pytest.raises(ConfigError, match="'plain' does not take sample_weight") as caught:
        one_liner(rows, plain, **more)
    assert caught.value.code == "bad_type"
    assert "\n" not in caught.value.errors[0].message
    assert audited(rows, plain, **more)[0]["skip_code"] == "bad_type"


def test_weights_among_further_parameters(frame):
    def metric(_, predictions, **more):
        return float(np.average(predictions, weights=more["sample_weight"]))

    assert one_liner(frame, metric, sample_weight="weight")["groups"][1]["value"] is not None


def test_frequencies_and_memberships_of_1_need_no_weights(frame):
    assert one_liner(frame, plain)["groups"][1]["value"] is not None
    assert one_liner(frame, plain, sample_weight="often", weight_kind="frequency")["groups"][1]["value"] is not None


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "None"), ("0.5", "a value of type str"), (1j, "a value of type complex"),
        (np.array([0.5]), "a value of type ndarray"), ([0.1, [0.2]], "a value of type list"), ({}, "a value of type dict"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused(frame, value, shown):
    with pytest.raises(ConfigError) as caught:
        one_liner(frame, returns(value))
    assert caught.value.code == "bad_type"
    assert caught.value.errors[0].message == f"metric 'metric' must return a number, got {shown}"
    assert audited(frame, returns(value))[0]["skip_code"] == "bad_type"


@pytest.mark.parametrize("value", [1, np.float32(0.5), np.array(0.5), np.int64(3)])
def test_numbers_of_any_kind(frame, value):
    assert one_liner(frame, returns(value))["groups"][0]["value"] == float(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_numbers_that_are_not_finite_are_not_defined(frame, value):
    found = audited(frame, returns(value))[0]
    assert found["skip_code"] == "all_groups_undefined"


@pytest.mark.parametrize("other", [-0.0, -2.0])
@pytest.mark.parametrize("lower", [True, False])
def test_no_zero_is_negative(frame, other, lower):
    def metric(labels, _):
        return -0.0 if labels[0] else other

    frame["was"] = frame["P"]
    found = one_liner(frame, metric, lower_is_better=lower)
    assert [row["value"] for row in found["groups"]] == [other, 0]
    assert "-0.0" not in json.dumps(found)
