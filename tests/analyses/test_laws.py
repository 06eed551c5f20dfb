"""Laws that hold for every table of counts."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport import Audit

FEW = settings(max_examples=40, deadline=None)

cell = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
some = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n)))
tables = st.dictionaries(st.sampled_from("ABCDEFG"), cell, min_size=2, max_size=6).filter(
    lambda groups: any(a for a, _ in groups.values())
)


def entry_of(groups, **parameters):
    rows = [(label, o, k) for label, (a, n) in groups.items() for o, k in ((1, a), (0, n - a))]
    data = dict(zip(("g", "o", "n"), map(list, zip(*rows, strict=True)), strict=True))
    stated = {"min_group_size": 1, "min_group_share": 0} | parameters
    return Audit(data, counts="n").outcome_disparity("g", "o", 1, **stated).run().to_dict()["results"][0]


def rows_of(entry):
    return {group["group"]["g"]: group for group in entry["groups"]}


@given(some, some)
@FEW
def test_swapping_two_groups_inverts_the_ratio(first, second):
    one = rows_of(entry_of({"A": first, "B": second}, reference_strategy="named", reference_value="B"))["A"]
    other = rows_of(entry_of({"A": first, "B": second}, reference_strategy="named", reference_value="A"))["B"]
    assert one["ratio"] * other["ratio"] == pytest.approx(1, rel=1e-12)
    assert one["difference"] == -other["difference"]
    assert one["p_value"] == pytest.approx(other["p_value"], rel=1e-9)
    assert one["ratio_ci_low"] * other["ratio_ci_high"] == pytest.approx(1, rel=1e-7)
    assert one["difference_ci_low"] == pytest.approx(-other["difference_ci_high"], abs=1e-12)


@given(tables)
@FEW
def test_doubling_every_row_leaves_rates_and_ratios(groups):
    once = entry_of(groups)
    twice = entry_of({label: (2 * a, 2 * n) for label, (a, n) in groups.items()})
    kept = ("share", "rate", "ratio", "difference", "four_fifths_flag", "failing", "is_reference")
    assert [[group[name] for name in kept] for group in once["groups"]] == [
        [group[name] for name in kept] for group in twice["groups"]
    ]
    for group, other in zip(once["groups"], twice["groups"], strict=True):
        assert other["ci_high"] - other["ci_low"] < group["ci_high"] - group["ci_low"]


@given(tables)
@FEW
def test_renaming_groups_changes_labels_only(groups):
    """Names in the same alphabetical order, since order breaks ties."""
    renamed = entry_of({f"the group {label}": cell for label, cell in groups.items()})
    text = json.dumps(renamed).replace("the group ", "")
    assert json.loads(text) == entry_of(groups)


@given(tables)
@FEW
def test_numbers_are_those_of_exact_arithmetic(groups):
    entry = entry_of(groups)
    best = max(Fraction(*cell) for cell in groups.values())
    for label, group in rows_of(entry).items():
        rate = Fraction(*groups[label])
        assert group["rate"] == float(rate)
        assert group["ratio"] == float(rate / best)
        assert group["difference"] == float(rate - best)
        assert group["four_fifths_flag"] == (rate / best < Fraction(4, 5))
        assert group["ci_low"] <= group["rate"] <= group["ci_high"]
        if not group["is_reference"]:
            assert group["ratio_ci_low"] <= group["ratio"] <= group["ratio_ci_high"]
            assert group["difference_ci_low"] <= group["difference"] <= group["difference_ci_high"]
            assert group["p_value"] <= group["p_all_pairs"] <= 1
    assert entry["measurements"]["minImpactRatio"] == min(
        group["ratio"] for group in entry["groups"] if not group["is_reference"]
    )
    assert sum(group["n"] for group in entry["groups"]) == entry["rows_evaluated"]


@given(tables, st.sampled_from(["holm", "benjamini_hochberg"]))
@FEW
def test_adjustment_never_lowers_a_p_value(groups, adjustment):
    for group in entry_of(groups, p_value_adjustment=adjustment)["groups"]:
        if group["p_value"] is not None:
            assert group["p_value"] <= group["adjusted_p"] <= 1


@given(tables, st.floats(0.01, 1, exclude_min=True))
@FEW
def test_a_lower_threshold_never_fails_more_groups(groups, threshold):
    lower = entry_of(groups, impact_ratio_threshold=threshold / 2)["measurements"]["failingGroupCount"]
    assert lower <= entry_of(groups, impact_ratio_threshold=threshold)["measurements"]["failingGroupCount"]


@given(tables)
@FEW
def test_requiring_significance_never_fails_more_groups(groups):
    held = {label for label, row in rows_of(entry_of(groups, require_significance=True)).items() if row["failing"]}
    free = {label for label, row in rows_of(entry_of(groups)).items() if row["failing"]}
    significant = {label for label, row in rows_of(entry_of(groups)).items() if row["significant"]}
    assert held == free & significant


@given(tables)
@FEW
def test_one_stratum_adjusts_nothing(groups):
    rows = [(label, o, k) for label, (a, n) in groups.items() for o, k in ((1, a), (0, n - a))]
    data = dict(zip(("g", "o", "n"), map(list, zip(*rows, strict=True)), strict=True)) | {"c": ["same"] * len(rows)}
    audit = Audit(data, counts="n").outcome_disparity(
        "g", "o", 1, min_group_size=1, min_group_share=0, control_columns="c"
    )
    for group in audit.run().to_dict()["results"][0]["groups"]:
        if not group["is_reference"]:
            assert group["adjusted_impact_ratio"] == pytest.approx(group["ratio"], rel=1e-12)
