"""The fewest persons with another outcome, held against trying every number of them with fresh tables."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import fairreport as fr
from fairreport.analyses.robustness_counts import family_of
from fairreport.analyses.robustness_moved import MOST_PERSONS, Fewest, persons_moved

# Questions and Answers on the Uniform Guidelines, 44 FR 11996 (1979), on the group with the highest rate: rates of 60%,
# 45%, 48% and 51% make impact ratios of 75%, 80% and 85%; under four-fifths the first of these is low and no other is.
PUBLISHED = {"white": (60, 100), "american indian": (45, 100), "hispanic": (48, 100), "black": (51, 100)}

STEPS = {"in_group": (1, 0), "in_reference": (0, -1), "swapped": (1, -1)}


def columns_of(groups):
    rows = [(g, o, n) for g, (a, k) in groups.items() for o, n in ((1, a), (0, k - a))]
    return dict(zip(("g", "o", "n"), map(list, zip(*rows, strict=True)), strict=True))


def audited(groups, **stated):
    stated = {"min_group_size": 1, "min_group_share": 0} | stated
    return fr.Audit(columns_of(groups), counts="n").outcome_disparity("g", "o", 1, **stated).run().record.tests[0]


def moved_of(record, **more):
    return persons_moved(family_of(record.test, record.finding), **more)


def told_of(found):
    return {row.group[0]: row for row in found.told}


def altered(groups, group, reference, step, persons):
    """The groups with so many persons moved; None where there are no such persons, or no hit is left to divide by."""
    mine, theirs = step[0] * persons, step[1] * persons
    changed = dict(groups)
    for name, by in ((group, mine), (reference, theirs)):
        a, n = changed[name]
        changed[name] = a + by, n
    legal = all(0 <= a <= n for a, n in changed.values()) and changed[reference][0] > 0
    return changed if legal else None


def row_of(groups, group, reference, **stated):
    record = audited(groups, reference_strategy="named", reference_value=reference, **stated)
    return next(row for row in record.finding.groups if row.group == (group,))


def tried(groups, group, reference, step, changes, **stated):
    """The first number of persons for which a fresh audit differs, trying all there can be."""
    persons = 1
    while (now := altered(groups, group, reference, step, persons)) is not None:
        if changes(row_of(now, group, reference, **stated)):
            return persons
        persons += 1
    return None


def test_the_published_groups():
    told = told_of(moved_of(audited(PUBLISHED)))
    # Four-fifths of 60% is 48%: one person less of the Hispanic group is below it, three more of the American Indian
    # group are not, and it takes four less of the Black group.
    assert {name: row.in_group.persons for name, row in told.items()} == {
        "hispanic": 1,
        "american indian": 3,
        "black": 4,
    }
    # 45, 48 and 51 of 100 are four-fifths of 56.25, 60 and 63.75.
    assert {name: row.in_reference.persons for name, row in told.items()} == {
        "hispanic": 1,
        "american indian": 4,
        "black": 4,
    }
    # 47/59, 49/61 and 45/56 ... one for one: 47/58 = .81, 47/61 = .77, 49/62 = .79 with 50/61 = .82.
    assert {name: row.swapped.persons for name, row in told.items()} == {
        "hispanic": 1,
        "american indian": 2,
        "black": 2,
    }
    assert moved_of(audited(PUBLISHED)).by_one == (("hispanic",),)


def test_significance_alone_is_what_scipy_says():
    """R's and scipy's Fisher test, tried for every number of persons."""
    groups = {"a": (60, 100), "b": (38, 90)}
    row = told_of(moved_of(audited(groups)))["b"]

    def p(a, b):
        return stats.fisher_exact([[a, 90 - a], [b, 100 - b]])[1]

    assert p(38, 60) < 0.05
    assert row.verdict.significant
    assert row.significance_in_group.persons == next(s for s in range(1, 90) if p(38 + s, 60) >= 0.05)
    assert row.significance_in_reference.persons == next(s for s in range(1, 60) if p(38, 60 - s) >= 0.05)


GROUPS = {"a": (22, 30), "b": (14, 30), "c": (13, 26), "d": (17, 24), "e": (5, 18)}


@pytest.mark.parametrize("test", ["fisher_exact", "z_test"])
@pytest.mark.parametrize("adjustment", ["none", "holm", pytest.param("benjamini_hochberg", marks=pytest.mark.heavy)])
@pytest.mark.parametrize("required", [True, False])
def test_every_number_is_the_first_for_which_a_fresh_audit_differs(test, adjustment, required):
    stated = {"significance_test": test, "p_value_adjustment": adjustment, "require_significance": required}
    found = moved_of(audited(GROUPS, **stated))
    told = told_of(found)
    assert set(told) == {"b", "c", "d", "e"}
    by_one = set()
    for group, row in told.items():
        now = row_of(GROUPS, group, "a", **stated)
        assert (row.verdict.failing, row.verdict.significant) == (now.failing, now.significant)
        assert row.ratio == now.ratio
        for name, (own, theirs) in STEPS.items():
            towards = 1 if now.failing else -1
            step = (own * towards, theirs * towards)
            first = tried(GROUPS, group, "a", step, lambda it, now=now: it.failing != now.failing, **stated)
            assert getattr(row, name) == Fewest(persons=first), (group, name)
            by_one |= {(group,)} if first == 1 else set()
        for name in ("in_group", "in_reference"):
            towards = 1 if now.significant else -1
            step = tuple(by * towards for by in STEPS[name])
            first = tried(GROUPS, group, "a", step, lambda it, now=now: it.significant != now.significant, **stated)
            assert getattr(row, f"significance_{name}") == Fewest(persons=first), (group, name)
    assert set(found.by_one) == by_one


@settings(max_examples=12, deadline=None)
@given(
    counts=st.lists(
        st.integers(8, 22).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2, max_size=4
    ).filter(lambda counts: any(a for a, _ in counts)),
    required=st.booleans(),
    adjustment=st.sampled_from(["none", "holm"]),
    threshold=st.sampled_from([0.5, 0.8, 1.0]),
)
def test_on_any_small_table(counts, required, adjustment, threshold):
    groups = {f"g{i}": pair for i, pair in enumerate(counts)}
    stated = {
        "p_value_adjustment": adjustment,
        "require_significance": required,
        "impact_ratio_threshold": threshold,
    }
    record = audited(groups, **stated)
    (reference,) = record.finding.reference
    for group, row in told_of(moved_of(record)).items():
        now = row_of(groups, group, reference, **stated)
        towards = 1 if now.failing else -1
        for name in ("in_group", "swapped"):
            step = tuple(by * towards for by in STEPS[name])
            first = tried(groups, group, reference, step, lambda it, now=now: it.failing != now.failing, **stated)
            assert getattr(row, name) == Fewest(persons=first)


def test_the_number_in_the_group_is_the_shortfall_of_a_named_pair():
    """Persons to four-fifths, from another path through the code, for the groups that are below it."""
    audit = fr.Audit(columns_of(GROUPS), counts="n").outcome_disparity("g", "o", 1, min_group_size=1, min_group_share=0)
    found = told_of(moved_of(audit.run().record.tests[0]))
    rows = {"g": [], "o": []}
    for name, (a, n) in GROUPS.items():
        rows["g"] += [name] * n
        rows["o"] += [1] * a + [0] * (n - a)
    pairs = fr.Audit(rows).adverse_impact_ratio(
        reference_values={"g": "a"}, outcome="o", air_threshold=0.8, percent_difference_threshold=0
    )
    beside = {row.group: row.beside for row in pairs.run().record.pairs[0].finding.tables[0].rows if row.beside}
    below = [name for name, row in found.items() if row.verdict.below]
    assert below == ["c", "b", "e"]
    for name in below:
        assert found[name].in_group.persons == beside[name].shortfall_to_four_fifths


def test_where_it_takes_very_many_that_is_said():
    groups = {"a": (6000, 10000), "b": (3000, 10000)}
    row = told_of(moved_of(audited(groups)))["b"]
    assert row.in_group == Fewest(persons=1800)  # 4800 of 10000 are four-fifths of 60%
    assert row.significance_in_group == Fewest(beyond=MOST_PERSONS)
    required = told_of(moved_of(audited(groups, require_significance=True)))["b"]
    assert required.in_group == Fewest(beyond=MOST_PERSONS)
    assert required.fewest == Fewest(beyond=MOST_PERSONS)


def test_a_dash_where_no_number_does():
    # Nobody of the group has the outcome: nobody can lose it, and the reference cannot gain any.
    row = told_of(moved_of(audited({"a": (10, 10), "b": (10, 10)})))["b"]
    assert row.in_reference == Fewest()
    assert row.in_group == Fewest(persons=3)
    failing = told_of(moved_of(audited({"a": (1, 40), "b": (0, 40)})))["b"]
    assert failing.verdict.failing
    assert failing.in_reference == Fewest()
    assert failing.in_group == Fewest(persons=1)
    assert failing.swapped == Fewest()


def test_without_a_test_there_is_no_significance():
    row = told_of(moved_of(audited(PUBLISHED, significance_test="none")))["black"]
    assert row.significance_in_group is None
    assert row.significance_in_reference is None
    assert row.in_group == Fewest(persons=4)


def test_the_least_stable_groups_are_told_first_and_all_are_counted():
    groups = {f"g{i:02d}": (20 + i, 60) for i in range(40)}
    found = moved_of(audited(groups), most=6)
    assert found.n_groups == 39
    assert len(found.told) == 6
    numbers = [row.fewest.persons for row in found.told]
    assert numbers == sorted(numbers)
    every = moved_of(audited(groups), most=39)
    assert set(found.by_one) == {row.group for row in every.told if row.fewest.persons == 1}
    assert [row.group for row in found.told[: len(found.by_one)]] == list(found.by_one)


def test_lower_is_better_moves_the_other_way():
    rows = {"g": [], "y": []}
    for name, (a, n) in {"a": (10, 40), "b": (14, 40), "c": (12, 40)}.items():
        rows["g"] += [name] * n
        rows["y"] += [1] * a + [0] * (n - a)
    stated = {"value_column": "y", "positive_values": 1, "higher_is_better": False}
    record = fr.Audit(rows).metric_parity("g", "rate", **stated).run().record.tests[0]
    told = told_of(moved_of(record))
    # 10/14 is below 0.80, 10/12 is not: two less of 14, one more of 12 make 10/12 and 10/13.
    assert told["b"].verdict.failing
    assert told["b"].in_group.persons == 2
    assert told["c"].in_group.persons == 1
    # The reference better off: 11/14 is below, 12/14 is not; worse off: 9/12 is below.
    assert told["b"].in_reference.persons == 2
    assert told["c"].in_reference.persons == 1


def test_a_gap_that_is_allowed_decides_as_well():
    rows = {"g": [], "y": []}
    for name, (a, n) in {"a": (36, 40), "b": (33, 40)}.items():
        rows["g"] += [name] * n
        rows["y"] += [1] * a + [0] * (n - a)
    stated = {"value_column": "y", "positive_values": 1, "higher_is_better": True, "max_difference": 0.1}
    record = fr.Audit(rows).metric_parity("g", "rate", **stated).run().record.tests[0]
    row = told_of(moved_of(record))["b"]
    # 0.9 - 0.825 = 0.075 is allowed, 0.9 - 0.8 = 0.1 is as well, and 0.9 - 0.775 is not.
    assert not row.verdict.failing
    assert row.in_group.persons == 2
