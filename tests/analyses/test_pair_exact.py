"""Whole counts are decided exactly: all favorable, the bar of Fisher's test, odds, p-values below 1e-300."""

from fractions import Fraction

import pandas as pd
import pytest

from fairreport import Audit
from fairreport.analyses.pair_sides import Side
from fairreport.analyses.pair_tests import (
    AdverseImpactRatio,
    OddsRatio,
    RelativeRate,
    SegmentedAdverseImpactRatio,
    StandardizedMeanDifference,
)
from fairreport.audit.adverse_impact import adverse_impact_ratio, odds_ratio

GROUPS = pd.DataFrame({"P": [1, 1, 0, 0], "R": [0, 0, 1, 1]})
LISTS = {"protected_groups": ["P"], "reference_groups": ["R"], "group_categories": ["c"]}
LARGE = 10**9


def odds(weights, kind="frequency"):
    found = odds_ratio(
        GROUPS, ["P"], ["R"], ["c"], pd.Series([1, 0, 1, 0]), 0.8, 0.0, sample_weight=pd.Series(weights),
        weight_kind=kind,
    )  # fmt: skip
    return found.to_dict()["groups"]


def test_one_in_a_thousand_million_is_not_all():
    reference, group = odds([LARGE - 1, 1, LARGE // 2, LARGE // 2])
    assert group["odds"] == 999999999
    assert group["odds_ratio"] == 999999999
    assert group["odds_ratio_ci_low"] < group["odds_ratio"] < group["odds_ratio_ci_high"]
    assert group["reasons"] == {"p_value": "below_1e-300", "adjusted_p": "below_1e-300"}
    assert reference["odds"] == 1


def test_all_favorable_is_all():
    group = odds([LARGE, 0, LARGE // 2, LARGE // 2])[1]
    assert group["odds"] is None
    assert group["reasons"]["odds"] == group["reasons"]["odds_ratio"] == "group_rate_one"


def test_an_odds_ratio_of_1e_18_is_not_0():
    group = odds([1, LARGE - 1, LARGE - 1, 1])[1]
    assert group["odds_ratio"] == float(Fraction(1, (LARGE - 1) ** 2))
    assert group["practically_significant"] is True
    assert odds([LARGE - 1, 1, 1, LARGE - 1])[1]["odds_ratio"] == float((LARGE - 1) ** 2)


def test_tiny_weights_have_an_odds_ratio():
    assert odds([1e-170, 3e-170, 2e-170, 2e-170], "sampling")[1]["odds_ratio"] == pytest.approx(1 / 3, rel=1e-12)


@pytest.mark.parametrize(
    ("hits", "total", "full"),
    [
        (LARGE, LARGE, True), (LARGE - 1, LARGE, False), (10**15 - 1, 10**15, False), (0, 0, False),
        (1.0 - 1e-10, 1.0, True), (1.0 - 1e-8, 1.0, False), (0, 1.0, False), (0, 0.0, False),
    ],
)  # fmt: skip
def test_the_tolerance_is_for_weights_alone(hits, total, full):
    side = Side(total=total, hits=hits, squares=total, hit_squares=hits, label=0, linearised=None)
    assert side.is_full is full


@pytest.mark.parametrize(
    ("counts", "limit", "test"),
    [
        ((6, 15, 23, 85), 4.35, "fisher"),
        ((6, 15, 23, 85), 4.3499999, "chi_square"),
        ((4, 10, 19, 90), 2.3, "fisher"),
        ((4, 10, 19, 90), 2.2999, "chi_square"),
        ((6, 15, 23, 85), 5, "fisher"),
        ((50, 100, 50, 100), 0, "chi_square"),
    ],
)
def test_the_limit_of_fishers_test_is_meant_as_written(counts, limit, test):
    a, n, b, m = counts
    groups = pd.DataFrame({"P": [1] * n + [0] * m, "R": [0] * n + [1] * m})
    outcome = pd.Series([1] * a + [0] * (n - a) + [1] * b + [0] * (m - b))
    for function in (adverse_impact_ratio, odds_ratio):
        found = function(groups, ["P"], ["R"], ["c"], outcome, 0.8, 0.0, max_for_fishers=limit).to_dict()
        assert found["groups"][1]["test"] == test


def test_every_null_of_a_tiny_p_value_says_so(result_checker):
    frame = GROUPS.assign(y=[1, 0, 1, 0], n=[1000, 19000, 19000, 1000], s="a")
    frame = pd.concat([frame, frame.assign(s="b")], ignore_index=True)
    shared = {**LISTS, "outcome": "y", "sample_weight": "n", "weight_kind": "frequency"}
    bars = {"percent_difference_threshold": 0.0}
    tests = [
        AdverseImpactRatio(**shared, **bars, air_threshold=0.8),
        RelativeRate(**shared, **bars, relative_rate_threshold=1.2),
        OddsRatio(**shared, **bars, odds_ratio_threshold=0.8),
        StandardizedMeanDifference(**shared, smd_threshold=-0.3),
        SegmentedAdverseImpactRatio(**shared, **bars, air_threshold=0.8, segment="s"),
    ]
    document = Audit(frame, tests=tests).run().to_dict()
    result_checker.validate(document)
    for entry in document["results"]:
        tables = [entry, *entry.get("segments", [])]
        rows = [row for table in tables for row in (*table.get("groups", []), *table.get("pooled", []))]
        for row in rows:
            if row.get("is_reference"):
                continue
            assert row["p_value"] is None
            assert row["log10_p"] < -300
            assert row["adjusted_log10_p"] < -300
            held = row | row.get("beside", {})
            for name in ("p_value", "adjusted_p", *(key.removesuffix("_log10") for key in held)):
                if name in {"p_value", "adjusted_p"} or f"{name}_log10" in held:
                    assert row["reasons"][name] == "below_1e-300"
        tiny = {pointer for pointer, reason in entry["reasons"].items() if reason == "below_1e-300"}
        assert {pointer.rsplit("/", 1)[1] for pointer in tiny} >= {"p_value", "adjusted_p"}
        wanted = {p for p in entry["reasons"] if p.rsplit("/", 1)[1] in {"p_value", "adjusted_p"}} - tiny
        assert all(entry["reasons"][pointer] == "reference_group" for pointer in wanted)
    beside = document["results"][0]["groups"][1]["beside"]
    assert beside["fisher_two_sided"] is None
    assert beside["fisher_two_sided_log10"] < -300
