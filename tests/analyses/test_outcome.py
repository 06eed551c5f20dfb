"""The judgement of an outcome test: flags, order, reference, family, measurements."""

import math
from fractions import Fraction

import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from fairreport import Audit

TESTS = ["fisher_exact", "z_test", "chi_square"]


def named(label):
    return {"reference_strategy": "named", "reference_value": label}


# ---- exactness ----


def exact_fifths(limit):
    """Yield each reference (b, m) with every group (a, n) at exactly four fifths of it, totals below the limit."""
    for m in range(1, limit):
        for b in range(1, m + 1):
            wanted = Fraction(4 * b, 5 * m)
            step = wanted.denominator
            groups = [(wanted.numerator * n // step, n) for n in range(step, limit, step)]
            if groups:
                yield (b, m), groups


def test_exactly_four_fifths_is_not_below(judge):
    checked = 0
    for reference, groups in exact_fifths(40):
        table = {"ref": reference} | {f"{a}/{n}": (a, n) for a, n in groups}
        entry = judge(table, significance_test="none", **named("ref"))
        assert entry["measurements"]["fourFifthsViolationCount"] == entry["measurements"]["failingGroupCount"] == 0, (
            reference
        )
        assert {group["ratio"] for group in entry["groups"] if not group["is_reference"]} == {0.8}
        checked += len(groups)
    assert checked == 1221  # of which 373 fall below 0.8 in floats


def test_one_less_is_below_and_one_more_is_not(judge):
    for reference, groups in exact_fifths(20):
        less = {f"{a - 1}/{n}": (a - 1, n) for a, n in groups}
        more = {f"{a + 1}/{n}": (a + 1, n) for a, n in groups if a < n}
        entry = judge({"ref": reference} | less | more, significance_test="none", **named("ref"))
        flagged = {group["group"]["g"] for group in entry["groups"] if group["four_fifths_flag"]}
        assert flagged == less.keys() - more.keys()
        assert flagged == {group["group"]["g"] for group in entry["groups"] if group["failing"]}


@pytest.mark.parametrize(
    ("threshold", "group", "reference"),
    [
        # In each of the first six, (a / n) / (b / m) in floats falls below the threshold.
        (0.7, (35, 68), (25, 34)),
        (0.7, (161, 300), (23, 30)),
        (0.9, (9, 50), (1, 5)),
        (0.9, (3, 4), (5, 6)),
        (0.85, (17, 28), (5, 7)),
        (0.35, (35, 136), (25, 34)),
        (1.0, (1, 49), (1, 49)),
        (0.1, (1, 30), (1, 3)),
        (1e-05, (1, 100_000), (1, 1)),
    ],
)
def test_other_thresholds_are_meant_as_written(judge, by_label, threshold, group, reference):
    a, n = group
    assert Fraction(a, n) == Fraction(str(threshold)) * Fraction(*reference)
    table = {"ref": reference, "at": group, "under": (a * 1000 - 1, n * 1000)}
    rows = by_label(judge(table, impact_ratio_threshold=threshold, significance_test="none", **named("ref")))
    assert (rows["at"]["failing"], rows["under"]["failing"]) == (False, True)


def test_the_flag_is_at_four_fifths_whatever_the_threshold(judge, by_label):
    rows = by_label(judge({"M": (90, 100), "F": (71, 100), "X": (73, 100)}, impact_ratio_threshold=0.5))
    assert {label: row["four_fifths_flag"] for label, row in rows.items()} == {
        "F": True,
        "M": False,
        "X": False,
    }
    assert not any(row["failing"] for row in rows.values())
    rows = by_label(judge({"M": (90, 100), "F": (71, 100), "X": (73, 100)}, impact_ratio_threshold=1))
    assert {label for label, row in rows.items() if row["failing"]} == {"F", "X"}


@pytest.mark.parametrize(
    ("share", "n", "total"), [(0.035, 7, 200), (0.07, 7, 100), (0.29, 29, 100), (0.02, 1, 50), (0.1, 3, 30)]
)
def test_shares_are_decided_on_whole_numbers(judge, share, n, total):
    assert Fraction(n, total) == Fraction(str(share))
    at_the_limit = judge({"at": (1, n), "rest": (1, total - n)}, min_group_share=share)
    assert [group["sufficient"] for group in at_the_limit["groups"]] == [True, True]
    below = judge({"at": (1, n), "rest": (1, total - n + 1)}, min_group_share=share)
    assert below["skip_code"] == "too_few_sufficient_groups"


def test_the_size_limit_includes_itself(judge, by_label):
    rows = by_label(judge({"F": (20, 30), "M": (20, 31), "X": (20, 29)}, min_group_size=30))
    assert {label: row["sufficient"] for label, row in rows.items()} == {"F": True, "M": True, "X": False}


# ---- reference and order ----


@pytest.mark.parametrize(
    ("groups", "reference"),
    [
        ({"A": (3, 10), "B": (6, 20), "C": (2, 10)}, "B"),  # equal rates: more rows
        ({"B": (3, 10), "A": (3, 10), "C": (2, 10)}, "A"),  # equal rows: first label
        ({"A": (1, 3), "B": (333_333_333, 1_000_000_000)}, "A"),  # equal to nine places only
        ({"10": (3, 10), "9": (3, 10)}, "10"),  # labels compare as text
    ],
)
def test_ties_for_the_reference(judge, groups, reference):
    assert judge(groups)["reference"] == {"g": reference}


def test_ties_of_combinations_go_by_column_name():
    data = {"z": ["b", "a"] * 40, "a": ["p", "q"] * 40, "o": [1, 1, 0, 0] * 20}
    for attributes in (["z", "a"], ["a", "z"]):
        run = Audit(data).outcome_disparity(attributes, "o", 1).run()
        assert run.to_dict()["results"][0]["reference"] == {"a": "p", "z": "b"}


def test_a_small_group_is_never_the_reference(judge):
    entry = judge({"F": (20, 80), "M": (40, 80), "X": (9, 9)}, min_group_size=30)
    assert entry["reference"] == {"g": "M"}


def test_order_worst_first(judge):
    groups = {
        "mid-b": (40, 80),
        "mid-a": (40, 80),
        "mid-large": (60, 120),
        "low": (10, 80),
        "best": (70, 80),
        "small-best": (9, 9),
        "small-low": (0, 9),
    }
    entry = judge(groups, min_group_size=30)
    order = ["low", "mid-large", "mid-a", "mid-b", "best", "small-low", "small-best"]
    assert [group["group"]["g"] for group in entry["groups"]] == order


def test_a_hundred_groups_are_stored_and_all_are_measured(judge):
    groups = {f"g{i:03d}": (500 + i, 1000) for i in range(250)}
    entry = judge(groups, significance_test="none")
    assert (len(entry["groups"]), entry["total_groups"], entry["truncated"]) == (100, 250, True)
    assert [group["group"]["g"] for group in entry["groups"]] == [f"g{i:03d}" for i in range(100)]
    assert entry["reference"] == {"g": "g249"}
    below = sum(5 * (500 + i) < 4 * 749 for i in range(250))
    assert entry["measurements"]["fourFifthsViolationCount"] == below
    assert entry["measurements"]["failingGroupPercentage"] == below / 250
    hundred = judge({f"g{i:03d}": (500 + i, 1000) for i in range(100)}, significance_test="none")
    assert (len(hundred["groups"]), hundred["truncated"]) == (100, False)


# ---- small groups ----


def test_small_groups_are_listed_for_information(judge, by_label):
    entry = judge({"F": (20, 80), "M": (60, 80), "X": (0, 9)}, min_group_size=30, p_value_adjustment="holm")
    small = by_label(entry)["X"]
    assert (small["ratio"], small["difference"], small["rate"]) == (0.0, -0.75, 0.0)
    assert (small["p_value"], small["adjusted_p"], small["p_all_pairs"]) == (None, None, None)
    assert not any(small[name] for name in ("significant", "four_fifths_flag", "failing", "sufficient", "is_reference"))
    assert small["ci_high"] == pytest.approx(0.2991, abs=5e-5)  # Wilson without a success: z^2 / (n + z^2)
    # One comparison only: Holm leaves its p-value as it is.
    assert by_label(entry)["F"]["adjusted_p"] == by_label(entry)["F"]["p_value"]
    assert entry["measurements"]["minImpactRatio"] == 1 / 3


# ---- significance ----


def table_of(group, reference):
    return [[group[0], group[1] - group[0]], [reference[0], reference[1] - reference[0]]]


def p_of(test, group, reference):
    """The same p-value from scipy."""
    table = table_of(group, reference)
    if test == "fisher_exact":
        return stats.fisher_exact(table).pvalue
    if test == "chi_square":
        return stats.chi2_contingency(table, correction=True).pvalue
    return stats.chi2_contingency(table, correction=False).pvalue  # z squared is Pearson's statistic


GROUPS = {"A": (20, 100), "B": (35, 120), "C": (44, 90), "D": (60, 110), "E": (52, 95)}


@pytest.mark.parametrize("adjustment", ["none", "holm", "benjamini_hochberg"])
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("reference", ["B", "D"])
def test_p_values_of_the_whole_family(judge, by_label, test, adjustment, reference):
    """Sufficient groups other than the reference are the family, groups ahead of it included."""
    entry = judge(GROUPS, significance_test=test, p_value_adjustment=adjustment, **named(reference))
    rows = by_label(entry)
    others = sorted(GROUPS.keys() - {reference})
    raw = [p_of(test, GROUPS[label], GROUPS[reference]) for label in others]
    method = {"holm": "holm", "benjamini_hochberg": "fdr_bh"}.get(adjustment)
    adjusted = multipletests(raw, method=method)[1] if method else raw
    assert [rows[label]["p_value"] for label in others] == pytest.approx(raw, rel=1e-9)
    assert [rows[label]["adjusted_p"] for label in others] == pytest.approx(list(adjusted), rel=1e-9)
    for label, p in zip(others, adjusted, strict=True):
        worse = Fraction(*GROUPS[label]) < Fraction(*GROUPS[reference])
        assert rows[label]["significant"] == (p < 0.05 and worse)
    assert entry["measurements"]["significantDisparityCount"] == sum(row["significant"] for row in rows.values())
    pairs = [min(1.0, p * 10) for p in raw]  # 5 groups make 10 pairs
    assert [rows[label]["p_all_pairs"] for label in others] == pytest.approx(pairs, rel=1e-9)


def test_groups_ahead_of_the_reference_are_never_significant(judge, by_label):
    rows = by_label(judge({"F": (90, 100), "M": (50, 100), "X": (10, 100)}, **named("M")))
    assert rows["F"]["p_value"] < 1e-8
    assert (rows["F"]["significant"], rows["F"]["failing"], rows["F"]["ratio"]) == (False, False, 1.8)
    assert rows["X"]["significant"]


@pytest.mark.parametrize("test", TESTS)
def test_rates_that_cannot_differ_have_p_one(judge, by_label, test):
    entry = judge({"F": (40, 40), "M": (50, 50), "X": (60, 60)}, significance_test=test)
    assert [row["p_value"] for row in by_label(entry).values()].count(1.0) == 2
    assert entry["measurements"]["chiSquarePValue"] == 1.0
    assert entry["measurements"]["significantDisparityCount"] == 0


def test_alpha_is_strict(judge, by_label):
    groups = {"F": (3, 10), "M": (9, 10)}
    p = by_label(judge(groups))["F"]["p_value"]
    assert not by_label(judge(groups, alpha=p))["F"]["significant"]
    assert by_label(judge(groups, alpha=math.nextafter(p, 1)))["F"]["significant"]


def test_required_significance_uses_the_adjusted_p(judge, by_label):
    # Three comparisons: Holm takes B from below 0.05 to above it.
    groups = {"B": (24, 50), "C": (34, 50), "D": (34, 50), "M": (36, 50)}
    raw = by_label(judge(groups, require_significance=True))
    held = by_label(judge(groups, require_significance=True, p_value_adjustment="holm"))
    assert raw["B"]["p_value"] < 0.05 < held["B"]["adjusted_p"]
    assert (raw["B"]["failing"], held["B"]["failing"]) == (True, False)
    assert held["B"]["four_fifths_flag"]
    assert by_label(judge(groups, p_value_adjustment="holm"))["B"]["failing"]


def test_without_a_test(judge, by_label):
    entry = judge(GROUPS, significance_test="none")
    assert {row["p_value"] for row in by_label(entry).values()} == {None}
    assert entry["measurements"]["significantDisparityCount"] is None
    expected = stats.chi2_contingency([[a, n - a] for a, n in GROUPS.values()]).pvalue
    assert entry["measurements"]["chiSquarePValue"] == pytest.approx(expected, rel=1e-9)


def test_the_omnibus_of_two_groups_is_the_pairwise_yates_test(judge, by_label):
    entry = judge({"F": (20, 60), "M": (35, 60)}, significance_test="chi_square")
    assert entry["measurements"]["chiSquarePValue"] == pytest.approx(by_label(entry)["F"]["p_value"], rel=1e-12)


def test_p_values_too_small_for_a_number(judge, by_label):
    entry = judge(
        {"F": (100_000, 1_000_000), "M": (900_000, 1_000_000), "X": (100_001, 1_000_000)},
        p_value_adjustment="holm",
    )
    rows = by_label(entry)
    assert (rows["F"]["p_value"], rows["F"]["adjusted_p"]) == (None, None)
    assert rows["F"]["log10_p"] < -300
    assert rows["F"]["adjusted_log10_p"] == pytest.approx(rows["F"]["log10_p"] + math.log10(2), rel=1e-9)
    assert rows["F"]["significant"]
    assert rows["F"]["p_all_pairs"] == 0.0 or rows["F"]["p_all_pairs"] < 1e-300
    place = entry["groups"].index(rows["F"])
    assert (
        entry["reasons"][f"/groups/{place}/p_value"]
        == entry["reasons"][f"/groups/{place}/adjusted_p"]
        == "below_1e-300"
    )
    assert entry["measurements"]["chiSquarePValue"] is None
    assert entry["reasons"]["/measurements/chiSquarePValue"] == "below_1e-300"
    assert entry["omnibus_log10_p"] < -300


# ---- measurements ----


def test_measurements_by_hand(measure):
    rows = [("F", 1)] * 24 + [("F", 0)] * 36 + [("M", 1)] * 40 + [("M", 0)] * 40 + [("X", 1)] * 45 + [("X", 0)] * 45
    rows += [("Y", 1)] * 3 + [("Y", 0)] * 7 + [(None, 1)] * 6 + [("F", None)] * 4
    data = dict(zip("go", map(list, zip(*rows, strict=True)), strict=True))
    entry = measure(data, min_group_size=30, min_group_share=0.02)
    assert (entry["rows_total"], entry["rows_with_inputs"], entry["rows_evaluated"]) == (250, 246, 240)
    assert entry["reference"] == {"g": "X"}
    expected = {
        "failingGroupCount": 0,  # 24/60 against 45/90 is exactly four fifths
        "failingGroupPercentage": 0.0,
        "minImpactRatio": 0.8,
        "maxRateDifference": 0.1,
        "fourFifthsViolationCount": 0,
        "significantDisparityCount": 0,
        "insufficientGroupCount": 1,
        "missingAttributeRate": 6 / 246,
        "minGroupShare": 10 / 240,
        "adjustedMinImpactRatio": None,
        "adjustedMinOddsRatio": None,
    }
    chi_square = entry["measurements"].pop("chiSquarePValue")
    assert entry["measurements"] == expected
    # scipy's Pearson statistic over the three sufficient groups
    assert chi_square == pytest.approx(stats.chi2_contingency([[24, 36], [40, 40], [45, 45]]).pvalue, rel=1e-9)
    assert list(entry["measurements"]) == list(expected)


def test_groups_ahead_of_a_named_reference_have_no_shortfall(judge):
    entry = judge({"F": (60, 80), "M": (40, 80)}, **named("M"))
    assert (entry["measurements"]["maxRateDifference"], entry["measurements"]["minImpactRatio"]) == (0.0, 1.5)


def test_adjusted_figures_by_hand(measure):
    """UCBAdmissions (R datasets): epiR 2.0.57, epi.2by2, Mantel-Haenszel RR 1.058307424, and mantelhaen.test, OR 1.1053427."""
    women = {"A": (89, 108), "B": (17, 25), "C": (202, 593), "D": (131, 375), "E": (94, 393), "F": (24, 341)}
    men = {"A": (512, 825), "B": (353, 560), "C": (120, 325), "D": (138, 417), "E": (53, 191), "F": (22, 373)}
    rows = [
        (sex, dept, o, k)
        for sex, table in (("Female", women), ("Male", men))
        for dept, (a, n) in table.items()
        for o, k in ((1, a), (0, n - a))
    ]
    data = dict(zip(("g", "dept", "o", "n"), map(list, zip(*rows, strict=True)), strict=True))
    entry = measure(data, control_columns="dept", audit={"counts": "n"}, **named("Male"))
    assert entry["measurements"]["adjustedMinImpactRatio"] == pytest.approx(1.058307424, abs=5e-10)
    assert entry["measurements"]["adjustedMinOddsRatio"] == pytest.approx(1.1053427, abs=5e-8)
    group = entry["groups"][0]
    assert (group["strata_used"], group["four_fifths_flag"], group["failing"]) == (6, True, True)
    assert [insight["kind"] for insight in entry["insights"]] == [
        "worst_ratio",
        "counts",
        "reference",
        "direction_reverses",
        "worst_adjusted",
    ]


def test_adjusted_figures_without_a_shared_stratum(measure):
    data = {"g": ["F"] * 40 + ["M"] * 40, "c": ["x"] * 40 + ["y"] * 40, "o": [1, 0] * 40}
    entry = measure(data, control_columns="c")
    group = next(group for group in entry["groups"] if not group["is_reference"])
    assert (group["adjusted_impact_ratio"], group["adjusted_odds_ratio"], group["strata_used"]) == (
        None,
        None,
        0,
    )
    place = entry["groups"].index(group)
    assert entry["reasons"][f"/groups/{place}/adjusted_impact_ratio"] == "no_shared_stratum"
    for name in ("adjustedMinImpactRatio", "adjustedMinOddsRatio"):
        assert entry["measurements"][name] is None
        assert entry["reasons"][f"/measurements/{name}"] == "no_shared_stratum"


def test_adjusted_figures_with_a_zero_denominator(measure):
    # In the one shared stratum the reference has no favorable outcome.
    data = {
        "g": ["F", "M"] * 40 + ["M"] * 20,
        "c": ["x"] * 80 + ["y"] * 20,
        "o": [1, 0] * 10 + [0] * 60 + [1] * 20,
    }
    entry = measure(data, control_columns="c", significance_test="none", **named("M"))
    assert entry["measurements"]["adjustedMinImpactRatio"] is None
    assert entry["reasons"]["/measurements/adjustedMinImpactRatio"] == "zero_denominator"


def test_rows_without_a_control_leave_the_adjusted_figures_only(measure):
    data = {"g": ["F", "M"] * 60, "c": ["x", "x", "y", "y", None, None] * 20, "o": [1, 1, 0, 1, 1, 0] * 20}
    entry, without = measure(data, control_columns="c"), measure(data)
    assert [g["rate"] for g in entry["groups"]] == [g["rate"] for g in without["groups"]]
    note = next(note["text"] for note in entry["notes"] if note["code"] == "rows_without_controls")
    assert note.startswith("40 evaluated rows lack a control")


def test_a_control_may_be_an_attribute(measure):
    data = {"a": ["p", "p", "q", "q"] * 20, "b": ["x", "y"] * 40, "o": [1, 1, 0, 1] * 20}
    entry = measure(data, ["a", "b"], control_columns="a")
    rows = {
        tuple(group["group"].values()): group["strata_used"] for group in entry["groups"] if not group["is_reference"]
    }
    assert rows == {("p", "y"): 1, ("q", "x"): 0, ("q", "y"): 0} or rows == {
        ("p", "x"): 1,
        ("q", "x"): 0,
        ("q", "y"): 0,
    }


# ---- notes ----


def notes_of(entry):
    return {note["code"]: note["text"] for note in entry["notes"]}


def test_a_reference_chosen_from_the_data_is_noted(judge):
    groups = {"F": (40, 80), "M": (60, 80)}
    assert "data_chosen_reference" in notes_of(judge(groups))
    assert "data_chosen_reference" not in notes_of(judge(groups, **named("M")))
    assert "data_chosen_reference" not in notes_of(judge(groups, significance_test="none"))
    unused = judge(groups, reference_value="M", reference_strategy="highest")
    assert (
        notes_of(unused)["reference_value_unused"]
        == "reference_value 'M' is not used, because reference_strategy is highest."
    )
    assert judge(groups, p_value_adjustment="holm")["method"]["correction"] == "Holm given the reference"


@pytest.mark.parametrize("word", ["Unknown", "NA", "nan", "None", "null", "missing"])
def test_a_level_that_may_mean_missing_is_noted(judge, word):
    text = notes_of(judge({"F": (40, 80), word: (60, 80)}))["level_may_mean_missing"]
    assert (
        text
        == f"Column 'g' has the level {word!r}, treated as a group; list it under missing_values if it means missing."
    )


def test_several_levels_that_may_mean_missing_are_noted_together(judge):
    text = notes_of(judge({"F": (40, 80), "NA": (60, 80), "Unknown": (60, 80)}))["level_may_mean_missing"]
    assert (
        text == "Column 'g' has the levels 'NA', 'Unknown', treated as groups; list them under missing_values if they "
        "mean missing."
    )


def test_groups_that_are_the_outcome_are_noted(judge):
    assert "function_of_outcome" in notes_of(judge({"F": (0, 80), "M": (80, 80)}))
    assert "function_of_outcome" not in notes_of(judge({"F": (1, 80), "M": (80, 80)}))
    assert "function_of_outcome" not in notes_of(judge({"F": (80, 80), "M": (80, 80)}))
    assert "function_of_outcome" not in notes_of(judge({"F": (0, 80), "M": (0, 80)}))


def test_ten_unmatched_values_are_listed(measure):
    data = {"g": ["F", "M"] * 60, "o": [f"v{i % 12:02d}" for i in range(119)] + ["yes"]}
    text = notes_of(measure(data, favorable="yes"))["unmatched_outcomes"]
    assert text.count("(") == 10
    assert text.endswith("and 2 further values.")


# ---- insights ----


def test_insights_state_the_numbers_of_the_table(judge, by_label):
    entry = judge({"F": (20, 80), "M": (60, 80), "X": (5, 9)}, min_group_size=30)
    facts = {insight["kind"]: insight for insight in entry["insights"]}
    assert list(facts) == ["worst_ratio", "counts", "reference", "largest_insufficient"]
    for kind, label in (("worst_ratio", "F"), ("reference", "M"), ("largest_insufficient", "X")):
        row = by_label(entry)[label]
        assert facts[kind]["group"] == {"g": label}
        assert facts[kind]["numbers"] == {name: row[name] for name in facts[kind]["numbers"]}
    assert facts["counts"]["numbers"] == {
        "judged": 1,
        "below_threshold": 1,
        "below_four_fifths": 1,
        "significant": 1,
        "insufficient": 1,
    }


def test_a_skipped_test_has_no_insights(judge):
    assert judge({"F": (0, 80), "M": (0, 80)})["insights"] == []
