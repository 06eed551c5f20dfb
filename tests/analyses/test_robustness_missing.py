"""Rows without an attribute at their worst: what a fresh audit finds of a table in which they stand in the group."""

import pytest

import fairreport as fr
from fairreport.analyses.robustness_counts import family_of
from fairreport.analyses.robustness_missing import missing_at_worst

GROUPS = {"a": (40, 60), "b": (30, 60), "c": (26, 50), "d": (25, 61)}
MISSING = (7, 12)  # favorable, rows


def rows_of(groups, missing=(0, 0), column="g"):
    cells = [(g, int(i < a)) for g, (a, n) in {**groups, None: missing}.items() for i in range(n)]
    return {column: [g for g, _ in cells], "o": [o for _, o in cells]}


def audited(rows, **stated):
    audit = fr.Audit(rows).outcome_disparity("g", "o", 1, **{"min_group_share": 0} | stated)
    return audit.run().record.tests[0]


def bounds_of(record, **more):
    return missing_at_worst(family_of(record.test, record.finding), record.finding, **more)


@pytest.mark.parametrize("test", ["fisher_exact", "z_test", "chi_square"])
@pytest.mark.parametrize("adjustment", ["none", "holm", "benjamini_hochberg"])
@pytest.mark.parametrize("required", [True, False])
def test_a_fresh_audit_of_the_altered_rows_finds_the_same(test, adjustment, required):
    stated = {"significance_test": test, "p_value_adjustment": adjustment, "require_significance": required}
    record = audited(rows_of(GROUPS, MISSING), **stated)
    found = bounds_of(record)
    favorable, n = MISSING
    assert (found.rows, found.favorable, found.n_groups) == (n, favorable, 3)
    assert {bound.group for bound in found.told} == {("b",), ("c",), ("d",)}
    for bound in found.told:
        (group,) = bound.group
        for end, hits in ((bound.worse, 0), (bound.better, n), (bound.recorded, favorable)):
            a, k = GROUPS[group]
            altered = rows_of({**GROUPS, group: (a + hits, k + n)})
            fresh = audited(altered, reference_strategy="named", reference_value="a", **stated)
            row = next(row for row in fresh.finding.groups if row.group == bound.group)
            assert end.ratio == row.ratio
            assert (end.verdict.failing, end.verdict.significant) == (row.failing, row.significant)
        mine = next(row for row in record.finding.groups if row.group == bound.group)
        assert bound.stated.ratio == mine.ratio
        assert (bound.stated.verdict.failing, bound.stated.verdict.significant) == (mine.failing, mine.significant)
        assert bound.rows == mine.n


def test_the_bounds_are_those_of_a_named_pair():
    """The same figures stand beside an adverse impact ratio, from another path through the code."""
    record = audited(rows_of(GROUPS, MISSING))
    audit = fr.Audit(rows_of(GROUPS, MISSING)).adverse_impact_ratio(
        reference_values={"g": "a"}, outcome="o", air_threshold=0.8, percent_difference_threshold=0
    )
    beside = {row.group: row.beside for row in audit.run().record.pairs[0].finding.tables[0].rows if row.beside}
    told = {bound.group[0]: bound for bound in bounds_of(record).told}
    assert len(told) == 3
    for name, bound in told.items():
        assert bound.worse.ratio == beside[name].air_missing_low
        assert bound.better.ratio == beside[name].air_missing_high


def test_which_groups_change_is_counted_of_all_and_told_first():
    groups = {f"g{i:02d}": (20 + i, 60) for i in range(40)}
    record = audited(rows_of(groups, (1, 3)))
    found = bounds_of(record, most=5)
    assert found.n_groups == 39
    assert len(found.told) == 5
    every = bounds_of(record, most=39)
    changing = {bound.group for bound in every.told if bound.changes}
    assert set(found.changing) == changing == set(every.changing)
    # 59/60 is the reference: four-fifths of it is 47.2/60. With three rows more, (20 + i) / 63 or (23 + i) / 63 is held
    # against 49.56/63, so that 47 to 49 favorable rows, and no other number, end on two sides of it.
    assert changing == {(f"g{i:02d}",) for i in (27, 28, 29)}
    assert [bound.changes for bound in every.told] == [True] * 3 + [False] * 36


def test_without_missing_rows_there_is_nothing_to_place():
    assert bounds_of(audited(rows_of(GROUPS))) is None


def test_of_several_attributes_every_row_that_lacks_one_is_placed():
    rows = rows_of(GROUPS, MISSING)
    rows["h"] = [None if i % 23 == 0 else "x" for i in range(len(rows["g"]))]
    run = fr.Audit(rows).outcome_disparity(["g", "h"], "o", 1, min_group_share=0).run()
    record = run.record.tests[0]
    found = bounds_of(record)
    assert found.rows == sum(g is None or h is None for g, h in zip(rows["g"], rows["h"], strict=True))
    assert found.favorable is None
    assert all(bound.recorded is None for bound in found.told)


@pytest.fixture
def scores():
    rows = {"g": [], "x": [], "y": []}
    for group, n, shift in (("a", 60, 20), ("b", 50, 9), (None, 11, 5)):
        for i in range(n):
            rows["g"].append(group)
            rows["x"].append((i * 37) % 61 + shift)
            rows["y"].append(int((i * 17) % 50 < 12 + shift))
    return rows


def test_scoring_rates_take_the_overall_median_as_it_is(scores):
    record = fr.Audit(scores).score_disparity("g", "x").run().record.tests[0]
    found = bounds_of(record)
    (bound,) = found.told
    row = next(row for row in record.finding.groups if not row.is_reference)
    other = next(row for row in record.finding.groups if row.is_reference)
    assert found.rows == 11
    assert bound.recorded is None
    assert bound.worse.ratio == row.scoring * other.n / ((row.n + 11) * other.scoring)
    assert bound.better.ratio == (row.scoring + 11) * other.n / ((row.n + 11) * other.scoring)


def test_where_lower_is_better_the_worst_is_a_hit(scores):
    stated = {"value_column": "y", "positive_values": 1, "higher_is_better": False, "min_group_share": 0}
    record = fr.Audit(scores).metric_parity("g", "rate", **stated).run().record.tests[0]
    (bound,) = bounds_of(record).told
    assert bound.group == ("a",)
    hits = {g: sum(y for k, y in zip(scores["g"], scores["y"], strict=True) if k == g) for g in "ab"}
    for end, more in ((bound.worse, 11), (bound.better, 0)):
        altered = {name: [c for g, c in zip(scores["g"], cells, strict=True) if g] for name, cells in scores.items()}
        altered["g"] += ["a"] * 11
        altered["y"] += [int(i < more) for i in range(11)]
        del altered["x"]
        fresh = (
            fr.Audit(altered)
            .metric_parity("g", "rate", reference_strategy="named", reference_value="b", **stated)
            .run()
            .record.tests[0]
        )
        row = next(row for row in fresh.finding.groups if row.group == ("a",))
        assert end.ratio == row.ratio == hits["b"] * 71 / (50 * (hits["a"] + more))
        assert (end.verdict.failing, end.verdict.significant) == (row.failing, row.significant)


@pytest.mark.parametrize("metric", ["mean", "median"])
def test_values_that_are_no_shares_are_not_worked_out(scores, metric):
    run = fr.Audit(scores).metric_parity("g", metric, value_column="x", higher_is_better=True).run()
    assert family_of(run.record.tests[0].test, run.record.tests[0].finding) is None


def test_a_skipped_test_has_no_family():
    record = audited({"g": ["a"] * 40, "o": [1] * 40})
    assert record.finding.skip is not None
    assert family_of(record.test, record.finding) is None
