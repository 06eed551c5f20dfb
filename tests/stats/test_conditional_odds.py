"""The odds ratio given the margins."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats.contingency import odds_ratio as scipy_odds_ratio

from fairreport.stats.conditional_odds import conditional_odds_ratio

inner = st.integers(2, 80).flatmap(lambda n: st.tuples(st.integers(1, n - 1), st.just(n)))


def test_equals_r():
    # R fisher.test(matrix(c(2, 10, 15, 3), 2)), convicted twins (Fisher 1962):
    # odds ratio 0.04693661, 95 % interval 0.003325764 to 0.363182271 (R stops its root finding at 1.2e-4).
    found = conditional_odds_ratio(2, 17, 10, 13, level=0.95)
    assert found.estimate == pytest.approx(0.04693661, rel=2e-5)
    assert [found.low, found.high] == pytest.approx([0.003325764, 0.363182271], abs=2e-5)


@pytest.mark.parametrize("table", [(3, 4, 1, 4), (2, 17, 10, 13), (40, 90, 60, 95), (1, 500, 9, 400)])
@pytest.mark.parametrize("level", [0.9, 0.999])
def test_equals_scipy(table, level):
    a, n, b, m = table
    theirs = scipy_odds_ratio([[a, n - a], [b, m - b]], kind="conditional")
    limits = theirs.confidence_interval(level)
    found = conditional_odds_ratio(*table, level=level)
    assert found.estimate == pytest.approx(theirs.statistic, rel=1e-8)
    assert [found.low, found.high] == pytest.approx([limits.low, limits.high], rel=1e-8)


def test_the_last_table_on_a_side():
    # scipy.stats.contingency.odds_ratio([[0, 9], [4, 6]]): statistic 0, interval (0, 1.2834).
    none = conditional_odds_ratio(0, 9, 4, 10, level=0.95)
    theirs = scipy_odds_ratio([[0, 9], [4, 6]]).confidence_interval(0.95)
    assert (none.estimate, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(theirs.high, rel=1e-8)
    most = conditional_odds_ratio(9, 9, 4, 10, level=0.95)
    assert (most.estimate, most.high) == (math.inf, math.inf)
    assert most.low == pytest.approx(scipy_odds_ratio([[9, 0], [4, 6]]).confidence_interval(0.95).low, rel=1e-8)


@pytest.mark.parametrize("table", [(0, 9, 0, 10), (9, 9, 10, 10), (0, 0, 3, 10)])
def test_margins_that_allow_one_table_say_nothing(table):
    found = conditional_odds_ratio(*table, level=0.95)
    assert all(math.isnan(x) for x in (found.estimate, found.low, found.high))


def test_a_long_support_gives_what_the_sample_gives():
    # With a million rows a side the conditional and the sample estimate agree to six digits, and the limits are Woolf's.
    found = conditional_odds_ratio(300_000, 1_000_000, 350_000, 1_000_000, level=0.95)
    sample = 300_000 * 650_000 / (350_000 * 700_000)
    error = math.sqrt(1 / 300_000 + 1 / 700_000 + 1 / 350_000 + 1 / 650_000)
    assert found.estimate == pytest.approx(sample, rel=1e-6)
    assert found.low == pytest.approx(sample * math.exp(-1.959964 * error), rel=2e-5)
    assert found.high == pytest.approx(sample * math.exp(1.959964 * error), rel=2e-5)


@given(inner, inner)
@settings(max_examples=40, deadline=None)
def test_swapping_the_groups_inverts_all_three(group, reference):
    one = conditional_odds_ratio(*group, *reference, level=0.95)
    other = conditional_odds_ratio(*reference, *group, level=0.95)
    assert one.estimate * other.estimate == pytest.approx(1, rel=1e-9)
    assert one.low * other.high == pytest.approx(1, rel=1e-9)
    assert one.low <= one.estimate <= one.high
