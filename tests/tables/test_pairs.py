"""Sums of named pairs: exact, in any order, over every kind of table."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fairreport.errors import ConfigError
from fairreport.tables.memberships import Patterns, Proportions, memberships
from fairreport.tables.needs import Reading
from fairreport.tables.pair_means import gather_means
from fairreport.tables.pair_needs import OutcomeKind, PairNeeds, PairPlan, WeightKind
from fairreport.tables.pair_numbers import written_difference
from fairreport.tables.pair_scan import scan_pairs
from fairreport.tables.pairs import gather_pairs
from fairreport.tables.source import open_table

PLAIN = Reading()
LISTS = {
    "protected": ("Black", "Hispanic", "Female"),
    "references": ("White", "White", "Male"),
    "categories": ("Race", "Race", "Sex"),
}
WEIGHTED = {"weight": "w", "weight_kind": WeightKind.SAMPLING}


def made_up(n=3000, *, fractional=False, seed=1):
    rng = np.random.default_rng(seed)
    race, sex = rng.integers(0, 3, n), rng.integers(0, 2, n)
    frame = pd.DataFrame({
        "Black": (race == 0) * 1.0,
        "Hispanic": (race == 1) * 1.0,
        "White": (race == 2) * 1.0,
        "Female": sex,
        "Male": 1 - sex,
        "hired": (rng.random(n) < 0.4).astype(int),
        "score": rng.normal(600, 40, n).round(1),
        "grade": rng.choice(["low", "mid", "high"], n),
        "site": rng.choice(["a", "b", None], n, p=[0.5, 0.45, 0.05]),
        "w": rng.integers(0, 400, n) / 100,
        "race": np.array(["Black", "Hispanic", "White"])[race],
        "sex": np.where(sex == 1, "F", "M"),
    })  # fmt: skip
    if fractional:
        frame[["Black", "Hispanic", "White"]] = rng.dirichlet([1, 1, 1], n).round(3)
    frame.loc[rng.random(n) < 0.03, ["Black", "Hispanic", "White"]] = np.nan
    frame.loc[frame["Black"].isna(), "race"] = None
    frame.loc[rng.random(n) < 0.02, "w"] = np.nan
    return frame


NEEDS = {
    "plain": PairNeeds(outcome="hired", **LISTS),
    "weighted": PairNeeds(outcome="hired", **LISTS, **WEIGHTED),
    "labelled": PairNeeds(outcome="hired", label="Male", **LISTS, **WEIGHTED),
    "segments": PairNeeds(outcome="hired", segment="site", **LISTS),
    "scores": PairNeeds(outcome="score", kind=OutcomeKind.SCORE, quantiles=(0.3, 0.7, 0.5), **LISTS, **WEIGHTED),
    "categories": PairNeeds(outcome="grade", kind=OutcomeKind.CATEGORY, category_order=("low", "mid", "high"), **LISTS),
}
MEANS = {
    "plain": PairNeeds(outcome="score", kind=OutcomeKind.NUMBER, **LISTS),
    "weighted": PairNeeds(outcome="score", kind=OutcomeKind.NUMBER, **LISTS, **WEIGHTED),
}


def every_kind(frame, folder):
    frame.to_csv(folder / "rows.csv", index=False)
    frame.to_parquet(folder / "rows.parquet")
    return {
        "pandas": frame,
        "csv": folder / "rows.csv",
        "parquet": folder / "rows.parquet",
        "polars": pl.from_pandas(frame),
        "lazy": pl.from_pandas(frame).lazy(),
        "pyarrow": pa.Table.from_pandas(frame),
        "duckdb": duckdb.from_df(frame),
    }


@pytest.mark.parametrize("fractional", [False, True])
def test_every_kind_of_table_gives_the_same_digits(tmp_path, fractional):
    frame = made_up(fractional=fractional)
    for name, need in NEEDS.items():
        expected = gather_pairs(open_table(frame), need, PLAIN)
        for kind, data in every_kind(frame, tmp_path).items():
            assert gather_pairs(open_table(data), need, PLAIN) == expected, (name, kind)
    for name, need in MEANS.items():
        expected = gather_means(open_table(frame), need, PLAIN)
        for kind, data in every_kind(frame, tmp_path).items():
            assert gather_means(open_table(data), need, PLAIN) == expected, (name, kind)


@pytest.mark.parametrize("fractional", [False, True])
def test_row_order_changes_no_digit(fractional):
    frame = made_up(fractional=fractional)
    shuffled = frame.sample(frac=1, random_state=2)
    for need in NEEDS.values():
        assert gather_pairs(open_table(shuffled), need, PLAIN) == gather_pairs(open_table(frame), need, PLAIN)
    for need in MEANS.values():
        assert gather_means(open_table(shuffled), need, PLAIN) == gather_means(open_table(frame), need, PLAIN)


def test_sums_are_those_of_numpy():
    frame = made_up(fractional=True).dropna(subset="w")
    tally = gather_pairs(open_table(frame), NEEDS["weighted"], PLAIN)
    for cell in tally.cells:
        rows = frame[frame["hired"] == cell.level]
        black, white = rows["Black"].fillna(0), rows["White"].fillna(0)
        assert cell.rows == len(rows)
        assert cell.missing[0] == rows["Black"].isna().sum()
        assert cell.missing_weight[0] == pytest.approx(rows["w"][rows["Black"].isna()].sum(), rel=1e-12)
        assert cell.totals[0] == pytest.approx((black * rows["w"]).sum(), rel=1e-12)
        assert cell.squares[0] == pytest.approx(((black * rows["w"]) ** 2).sum(), rel=1e-12)
        assert cell.crossed[0] == pytest.approx((black * white * rows["w"] ** 2).sum(), rel=1e-12)


def test_columns_that_hold_the_group_as_a_value():
    frame = made_up()
    wide = gather_pairs(open_table(frame), NEEDS["weighted"], PLAIN)
    need = PairNeeds(outcome="hired", reference_values={"race": "White", "sex": "M"}, **WEIGHTED)
    long = gather_pairs(open_table(frame), need, PLAIN)
    assert long.plan.groups == ("Black", "Hispanic", "F", "White", "M")
    assert [cell.totals for cell in long.cells] == [cell.totals for cell in wide.cells]
    assert [cell.missing for cell in long.cells] == [cell.missing for cell in wide.cells]


def test_declared_groups_leave_the_rest_out_of_every_group():
    frame = made_up()
    need = PairNeeds(outcome="hired", reference_values={"race": "White"})
    tally = gather_pairs(open_table(frame), need, Reading(declared={"race": ("Black", "White")}))
    assert tally.plan.groups == ("Black", "White")
    assert sum(cell.totals[0] for cell in tally.cells) == (frame["race"] == "Black").sum()
    n, unknown = int((frame["race"] == "Hispanic").sum()), int(frame["race"].isna().sum())
    assert tally.rows.undeclared == (("race", n),)
    assert sum(cell.missing[0] for cell in tally.cells) == n + unknown
    assert sum(cell.missing_weight[0] for cell in tally.cells) == unknown


def test_undeclared_rows_are_counted_among_those_that_are_evaluated():
    frame = made_up()
    frame["f"] = np.arange(len(frame)) % 3 * 1.0
    frame.loc[::50, "f"] = np.nan
    repeated = frame.loc[frame.index.repeat(frame["f"].fillna(0).astype(int))]
    reading = Reading(declared={"race": ("Black", "White")})
    need = PairNeeds(
        outcome="hired", reference_values={"race": "White", "sex": "M"}, weight="f", weight_kind=WeightKind.FREQUENCY
    )
    tally = gather_pairs(open_table(frame), need, reading)
    rows = gather_pairs(
        open_table(repeated), PairNeeds(outcome="hired", reference_values=need.reference_values), reading
    )
    assert tally.rows.undeclared == rows.rows.undeclared == (("race", int((repeated["race"] == "Hispanic").sum())),)
    assert [(cell.missing, cell.missing_weight) for cell in tally.cells] == [
        (cell.missing, cell.missing_weight) for cell in rows.cells
    ]
    means = PairNeeds(outcome="score", kind=OutcomeKind.NUMBER, reference_values={"race": "White"})
    assert gather_means(open_table(frame), means, reading).everyone[0].n == frame["race"].isin(["Black", "White"]).sum()


def test_a_column_that_holds_only_its_reference_is_named():
    frame = made_up().assign(one="x")
    need = PairNeeds(outcome="hired", reference_values={"one": "x", "sex": "M"})
    tally = gather_pairs(open_table(frame), need, PLAIN)
    assert tally.rows.reference_only == ("one",)
    assert tally.plan.categories == ("sex",)


@pytest.mark.parametrize(
    "needs",
    [
        {"outcome": "hired", "reference_values": {"hired": "1"}},
        {"outcome": "hired", "segment": "hired"},
        {"outcome": "hired", "segment": "Black"},
        {"outcome": "hired", "segment": "race", "reference_values": {"race": "White"}},
        {"outcome": "hired", "kind": OutcomeKind.SCORE, "quantiles": (0.5,), "reference_values": {"hired": "1"}},
        {"outcome": "hired", "label": "hired", **WEIGHTED, "weight": "hired"},
        {"outcome": "Male", "kind": OutcomeKind.CATEGORY, "category_order": ("0", "1")},
        {"outcome": "Male", "kind": OutcomeKind.NUMBER, "subtracted": "Male"},
    ],
)
def test_one_column_may_play_several_roles(needs, tmp_path):
    frame = made_up(300).fillna({"Black": 0, "White": 0, "Hispanic": 0})
    need = PairNeeds(**({} if "reference_values" in needs else LISTS), **needs)
    gather = gather_means if need.kind is OutcomeKind.NUMBER else gather_pairs
    expected = gather(open_table(frame), need, PLAIN)
    for kind, data in every_kind(frame.astype({"Black": int}), tmp_path).items():
        if needs.get("segment") != "Black":
            assert gather(open_table(data), need, PLAIN) == expected, kind
        else:
            assert gather(open_table(data), need, PLAIN).segments == ("0", "1"), kind


def test_residuals_are_those_of_the_decimals_as_written():
    rng = np.random.default_rng(8)
    predicted = rng.integers(-(10**9), 10**9, 2000)
    label, prediction = (predicted + 100_000) / 1e6, predicted / 1e6
    assert set(written_difference(label, prediction).tolist()) == {0.1}
    assert len(set((label - prediction).tolist())) > 1
    odd = np.array([1 / 3, 1e40, 0.3, 1e-20, 7e9 + 0.5, np.nan])
    other = np.array([0.1, 1.0, 0.2, 0.0, 7e9, 1.0])
    found = written_difference(odd, other)
    assert found[:5].tolist() == [1 / 3 - 0.1, 1e40, 0.1, 1e-20, 0.5]
    assert np.isnan(found[5])


@pytest.mark.parametrize("kind", [OutcomeKind.BINARY, OutcomeKind.NUMBER])
def test_rows_that_stand_for_too_many_are_a_fault_of_the_scan(kind):
    frame = made_up(100).assign(n=30_000_000)
    need = PairNeeds(outcome="hired", kind=kind, **LISTS)
    scan = scan_pairs(open_table(frame), need, Reading(counts="n"))
    assert scan.tally is None
    assert [(fault.code, fault.path) for fault in scan.faults] == [("weight_out_of_range", "n")]


@pytest.mark.parametrize(
    ("changes", "needs", "text"),
    [
        ({"hired": [1, 0.9999999, 0]}, {}, "1 rows are not (0.9999999)"),
        ({"P": [1.0000001, 0, 0]}, {}, "the membership 1.0000001; wanted 0 to 1"),
        ({"w": [1, 2.0000001, 0]}, {"weight": "w", "weight_kind": WeightKind.FREQUENCY}, "the frequency 2.0000001;"),
        ({"w": [1, -1, 0]}, {"weight": "w", "weight_kind": WeightKind.SAMPLING}, "the weight -1; wanted"),
    ],
)
def test_messages_show_every_digit(changes, needs, text):
    frame = pd.DataFrame({"P": [1, 0, 0], "R": [0, 1, 1], "hired": [1, 0, 1]} | changes)
    need = PairNeeds(outcome="hired", protected=("P",), references=("R",), categories=("c",), **needs)
    with pytest.raises(ConfigError) as caught:
        gather_pairs(open_table(frame), need, PLAIN)
    assert text in caught.value.errors[0].message


def test_a_counts_column_stands_for_rows():
    frame = made_up(400)
    frame["n"] = np.arange(400) % 4
    repeated = frame.loc[frame.index.repeat(frame["n"])].reset_index(drop=True)
    for name, need in NEEDS.items():
        counted = gather_pairs(open_table(frame), need, Reading(counts="n"))
        rows = gather_pairs(open_table(repeated), need, PLAIN)
        assert counted.tables == rows.tables, name
        assert counted.rows == rows.rows, name
        for cell, other in zip(counted.cells, rows.cells, strict=True):
            assert (cell.segment, cell.level, cell.rows, cell.missing) == (
                other.segment, other.level, other.rows, other.missing
            )  # fmt: skip
            assert cell.totals == pytest.approx(other.totals, rel=1e-12)
            assert cell.squares == pytest.approx(other.squares, rel=1e-12)


def test_frequencies_are_repeated_rows():
    frame = made_up(400)
    frame["f"] = np.arange(400) % 3
    repeated = frame.loc[frame.index.repeat(frame["f"])].reset_index(drop=True)
    need = PairNeeds(outcome="hired", segment="site", weight="f", weight_kind=WeightKind.FREQUENCY, **LISTS)
    found = gather_pairs(open_table(frame), need, PLAIN)
    rows = gather_pairs(open_table(repeated), NEEDS["segments"], PLAIN)
    assert [cell for cell in found.cells if cell.rows] == list(rows.cells)
    assert found.rows.missing_segment == rows.rows.missing_segment


def test_more_groups_than_a_code_holds():
    rng = np.random.default_rng(4)
    which = rng.integers(0, 70, 2000)
    frame = pd.DataFrame({f"g{i}": (which == i).astype(int) for i in range(70)} | {"y": rng.integers(0, 2, 2000)})
    names = tuple(f"g{i}" for i in range(69))
    for chosen, kind in ((names, Proportions), (names[:30], Patterns)):
        lists = {"protected": chosen, "references": ("g69",) * len(chosen), "categories": ("c",) * len(chosen)}
        plan = PairPlan.of(*lists.values())
        assert isinstance(memberships([frame[name].to_numpy() for name in plan.groups], plan), kind)
        tally = gather_pairs(open_table(frame), PairNeeds(outcome="y", **lists), PLAIN)
        totals = [sum(cell.totals[i] for cell in tally.cells) for i in range(len(plan.groups))]
        assert totals == [int(frame[name].sum()) for name in plan.groups]


def test_no_rows_give_no_cells():
    empty = made_up(10).iloc[:0]
    assert gather_pairs(open_table(empty), NEEDS["plain"], PLAIN).cells == ()
    assert gather_pairs(open_table(empty), NEEDS["scores"], PLAIN).cells == ()
    assert gather_means(open_table(empty), MEANS["weighted"], PLAIN).evaluated == 0


@pytest.mark.parametrize(
    ("changes", "needs", "codes"),
    [
        ({"hired": [1, None, 0]}, {}, ["missing_outcome"]),
        ({"hired": [1, 2, 0]}, {}, ["outcome_not_binary"]),
        ({"hired": ["yes", "no", "no"]}, {}, ["outcome_not_binary"]),
        ({"P": [1, 0.5, -0.1]}, {}, ["membership_out_of_range"]),
        ({"P": [1, None, 0]}, {}, ["half_missing_membership"]),
        ({"P": ["x", "y", "z"]}, {}, ["membership_out_of_range"]),
        ({"w": [1, -1, 0]}, {"weight": "w", "weight_kind": WeightKind.SAMPLING}, ["weight_out_of_range"]),
        ({"w": [1, float("inf"), 0]}, {"weight": "w", "weight_kind": WeightKind.SAMPLING}, ["weight_out_of_range"]),
        ({"w": [1, 0.5, 0]}, {"weight": "w", "weight_kind": WeightKind.FREQUENCY}, ["weight_not_whole"]),
        ({"l": [1, 3, 0]}, {"label": "l"}, ["label_not_binary"]),
        ({"l": [1, None, 0]}, {"label": "l"}, ["missing_label"]),
        ({"x": [1, None, 0]}, {"outcome": "x", "kind": OutcomeKind.NUMBER}, ["missing_outcome"]),
        ({"x": [1, 2, 0], "p": [1, None, 3]}, {"outcome": "x", "kind": OutcomeKind.NUMBER, "subtracted": "p"}, ["missing_prediction"]),
        ({"x": [None, 2, 0], "p": [1, 2, 3]}, {"outcome": "x", "kind": OutcomeKind.NUMBER, "subtracted": "p"}, ["missing_label"]),
        ({"x": [1, float("inf"), 0]}, {"outcome": "x", "kind": OutcomeKind.SCORE, "quantiles": (0.5,)}, ["out_of_range"]),
        ({"c": ["a", "b", "z"]}, {"outcome": "c", "kind": OutcomeKind.CATEGORY, "category_order": ("a", "b")}, ["unknown_category"]),
        ({"c": ["a", None, "b"]}, {"outcome": "c", "kind": OutcomeKind.CATEGORY, "category_order": ("a", "b")}, ["missing_outcome"]),
        ({}, {"outcome": "hird"}, ["unknown_column"]),
        ({}, {"protected": (), "references": (), "categories": (), "reference_values": {"g": "C"}}, ["unknown_category"]),
        ({"hired": [1, 2, None], "P": [1, 7, 0], "w": [1, -2, 1]}, {"weight": "w", "weight_kind": WeightKind.SAMPLING},
         ["membership_out_of_range", "missing_outcome", "outcome_not_binary", "weight_out_of_range"]),
    ],
)  # fmt: skip
def test_what_is_refused(changes, needs, codes, tmp_path):
    frame = pd.DataFrame({"P": [1, 0, 0], "R": [0, 1, 1], "hired": [1, 0, 1], "g": ["A", "B", "B"]} | changes)
    stated = {"outcome": "hired", "protected": ("P",), "references": ("R",), "categories": ("c",)} | needs
    frame.to_csv(tmp_path / "rows.csv", index=False)
    need = PairNeeds(**stated)
    gather = gather_means if need.kind is OutcomeKind.NUMBER else gather_pairs
    for data in (frame, tmp_path / "rows.csv"):
        with pytest.raises(ConfigError) as caught:
            gather(open_table(data), need, PLAIN)
        assert [fault.code for fault in caught.value.errors] == codes


def test_a_fault_names_the_nearest_column():
    with pytest.raises(ConfigError, match="Did you mean 'hired'"):
        gather_pairs(open_table(made_up(5)), PairNeeds(outcome="hird", **LISTS), PLAIN)


def test_a_proportion_past_the_first_rows_is_found(tmp_path):
    frame = pd.DataFrame({"P": [1.0, 0.0] * 3000, "R": [0.0, 1.0] * 3000, "y": [0, 1, 1, 1] * 1500})
    frame.loc[5000, "P"] = 0.25
    need = PairNeeds(outcome="y", protected=("P",), references=("R",), categories=("c",))
    expected = gather_pairs(open_table(frame), need, PLAIN)
    for kind, data in every_kind(frame, tmp_path).items():
        assert gather_pairs(open_table(data), need, PLAIN) == expected, kind
    assert expected.fractional == (True, False)


def test_many_groups_and_many_slots_do_not_wrap_around():
    names = tuple(f"g{i:02}" for i in range(61))
    rows = {"g": [name for name in names for _ in range(20)], "s": list(range(20)) * 61}
    quantiles = tuple(i / 18 for i in range(1, 18))
    need = PairNeeds(outcome="s", kind=OutcomeKind.SCORE, quantiles=quantiles, reference_values={"g": "g00"})
    tally = gather_pairs(open_table(rows), need, PLAIN)
    assert len(tally.plan.groups) == 61
    assert [sum(cell.totals[i] for cell in tally.cells) for i in range(61)] == [20] * 61
