"""Laws of the tables by category: shares of people, ratios to the highest rate, sums over a column."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import fairreport as fr
from fairreport.report.preset_choice import choose_preset
from fairreport.report.profile_categories import category_sets, mismatches

CELLS = st.lists(
    st.tuples(st.sampled_from("FMX"), st.sampled_from("ABC"), st.integers(1, 30), st.integers(0, 30)),
    min_size=2,
    max_size=9,
    unique_by=lambda cell: cell[:2],
)


def sets_of(cells, *attributes, share=None):
    columns = {"sex": [], "race": [], "hired": []}
    for sex, race, n, favorable in cells:
        columns["sex"] += [sex] * n
        columns["race"] += [race] * n
        columns["hired"] += [1] * min(favorable, n) + [0] * (n - min(favorable, n))
    audit = fr.Audit(columns)
    for attribute in attributes:
        audit.outcome_disparity(attribute, "hired", 1)
    record = audit.run().record
    profile = None if share is None else {"leave_out_below": share}
    return category_sets(choose_preset("nyc_ll144", profile, record), record)


@given(CELLS)
def test_every_ratio_is_the_rate_over_the_highest(cells):
    for found in sets_of(cells, ["sex", "race"]):
        for table in found.tables:
            rates = {item.label: Fraction(item.hits, item.n) for item in table.counts.counts}
            highest = max(rates.values())
            assert table.best.rate == highest
            for item in table.kept:
                wanted = None if not highest else float(rates[item.label] / highest)
                assert table.ratio(item) == wanted
                assert wanted is None or 0 <= wanted <= 1


@given(CELLS)
def test_tables_of_one_column_are_the_sums_of_the_table_of_both(cells):
    (summed,) = sets_of(cells, ["sex", "race"])
    (counted,) = sets_of(cells, "sex", "race", ["sex", "race"])
    assert [table.counts.counts for table in summed.tables] == [table.counts.counts for table in counted.tables]
    assert [table.counts.is_summed for table in summed.tables] == [True, True, False]
    assert not any(table.counts.is_summed for table in counted.tables)
    assert list(mismatches(counted)) == []


@given(CELLS, st.sampled_from([0.005, 0.01, 0.02]))
def test_what_is_left_out_and_what_is_kept_are_all(cells, share):
    for found in sets_of(cells, ["sex", "race"], share=share):
        for table in found.tables:
            everyone = table.counts.n
            assert {*table.kept, *table.left_out} == set(table.counts.counts)
            assert all(Fraction(item.n, everyone) < Fraction(str(share)) for item in table.left_out)
            assert all(Fraction(item.n, everyone) >= Fraction(str(share)) for item in table.kept)
            assert everyone == sum(n for _, _, n, _ in cells)
