"""Fisher's exact test against R, exact integers and mpmath."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport.stats.fisher import Alternative, fisher_exact

side = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
large_side = st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def by_integers(a, n, b, m, alternative="two-sided"):
    """Return the p-value as a ratio of whole numbers; ties within 1e-7 as in R."""
    k = a + b
    smallest, largest = max(0, k - m), min(n, k)
    weights = [math.comb(n, x) * math.comb(m, k - x) for x in range(smallest, largest + 1)]
    at = a - smallest
    kept = {
        "less": weights[: at + 1],
        "greater": weights[at:],
        "two-sided": [w for w in weights if w * 10**7 <= weights[at] * (10**7 + 1)],
    }
    return Fraction(sum(kept[alternative]), sum(weights))


def by_mpmath(a, n, b, m):
    """Return the two-sided p-value from the mode outwards with 40 digits; ties within 1e-7 as in R."""
    k = a + b
    smallest, largest = max(0, k - m), min(n, k)
    with mpmath.workdps(40):

        def log_choose(x):
            cells = (x, n - x, k - x, m - k + x)
            return -sum(mpmath.loggamma(cell + 1) for cell in cells)

        mode = min(max((n + 1) * (k + 1) // (n + m + 2), smallest), largest)
        observed = mpmath.exp(log_choose(a) - log_choose(mode))
        limit = observed * (1 + mpmath.mpf(10) ** -7)
        total, kept = mpmath.mpf(1), mpmath.mpf(int(limit >= 1))
        for step in (1, -1):
            x, term = mode, mpmath.mpf(1)
            while smallest <= x + step <= largest and term > observed * mpmath.mpf(10) ** -22:
                up = (n - x) * (k - x), (x + 1) * (m - k + x + 1)
                down = x * (m - k + x), (n - x + 1) * (k - x + 1)
                top, bottom = up if step > 0 else down
                term = term * top / bottom
                x += step
                total += term
                kept += term if term <= limit else 0
        return kept / total


# R ?fisher.test: TeaTasting (p 0.4857, greater 0.2429), Convictions (p 0.0005367, less on the transposed 0.0004652).
# SAS PROC FREQ, fat diet: 0.0393. R fisher.test on UCBAdmissions by sex: 4.835903179e-22.
@pytest.mark.parametrize(
    ("table", "alternative", "published", "within"),
    [
        ((3, 4, 1, 4), "two-sided", 0.4857, 5e-5),
        ((3, 4, 1, 4), "greater", 0.2429, 5e-5),
        ((10, 13, 2, 17), "two-sided", 0.0005367, 5e-8),
        ((10, 13, 2, 17), "greater", 0.0004652, 5e-8),
        ((2, 17, 10, 13), "less", 0.0004652, 5e-8),
        ((11, 15, 2, 8), "two-sided", 0.0393, 5e-5),
        ((557, 1835, 1198, 2691), "two-sided", 4.835903179e-22, 5e-32),
    ],
)
def test_equals_published_values(table, alternative, published, within):
    assert fisher_exact(*table, alternative=alternative).p[0] == pytest.approx(published, abs=within)


# brentp/fishers_exact_test issues 1, 27 and 47: an absolute tolerance for ties gave 1e-10 to 1e-6 for these; the values are
# those of scipy.stats.fisher_exact and R fisher.test.
@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ((94, 48, 3577, 16988), 2.069356e-37),
        ((22, 0, 0, 102), 7.175067e-25),
        ((50, 1, 257, 375), 1.222047e-17),
    ],
)
def test_ties_are_relative(cells, wanted):
    a, c, b, d = cells
    assert fisher_exact(a, a + c, b, b + d).p[0] == pytest.approx(wanted, rel=5e-7, abs=0)


@pytest.mark.parametrize("alternative", list(Alternative))
@given(tables=st.lists(st.tuples(side, side), min_size=1, max_size=40))
@settings(deadline=None, max_examples=60)
def test_equals_exact_integers(alternative, tables):
    a, n, b, m = np.array([(*group, *reference) for group, reference in tables]).T
    found = fisher_exact(a, n, b, m, alternative=alternative)
    wanted = [float(by_integers(*row, alternative)) for row in np.stack([a, n, b, m]).T.tolist()]
    np.testing.assert_allclose(found.p, wanted, rtol=1e-12)
    np.testing.assert_allclose(found.log10_p, np.log10(wanted), rtol=1e-12, atol=1e-14)


def test_every_table_with_up_to_seven_rows_a_side():
    tables = [(a, n, b, m) for n in range(8) for m in range(8) for a in range(n + 1) for b in range(m + 1)]
    found = fisher_exact(*np.array(tables).T)
    np.testing.assert_allclose(found.p, [float(by_integers(*table)) for table in tables], rtol=1e-13)


@pytest.mark.parametrize("table", [(1, 2, 1, 2), (2, 3, 1, 3), (50, 99, 50, 99), (5, 11, 5, 11), (1, 2, 0, 1)])
def test_twin_modes_give_one(table):
    # The table beside is exactly as likely or the table is the mode itself: all tables count.
    assert by_integers(*table) == 1
    assert fisher_exact(*table).p[0] == 1.0


@pytest.mark.parametrize("n", [3, 10, 1000, 10**6])
def test_mirrored_ties_count_twice(n):
    # Sides of one size: the mirrored table is exactly as likely, so p is twice the tail.
    a, b = n // 3, n - n // 3
    two_sided, less = fisher_exact(a, n, b, n), fisher_exact(a, n, b, n, alternative="less")
    assert two_sided.log10_p[0] == pytest.approx(less.log10_p[0] + math.log10(2), rel=1e-12, abs=1e-14)


# The values beside are those of this oracle, kept so that a fault in it would show.
@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ((40_030, 10**5, 39_500, 10**5), 0.01565138540996747),
        ((4_000, 10**4, 4_010_000, 10**7), 0.84622849143428696),
        ((4_001_000, 10**7, 4_000_000, 10**7), 0.64841188890360736),
        ((3_000_200, 10**9, 3_000_000, 10**9), 0.93515391442413897),
        ((150, 10**9, 100, 10**9), 0.0018832997035385803),
        ((5, 10**5, 10**5, 10**9), 0.15049757368264317),
    ],
)
def test_equals_mpmath_at_large_counts(table, wanted):
    assert float(by_mpmath(*table)) == pytest.approx(wanted, rel=1e-14, abs=0)
    assert fisher_exact(*table).p[0] == pytest.approx(wanted, rel=1e-12, abs=0)


# by_mpmath takes seconds for each of these, hence the values alone. In the third, the neighbour of the observed
# table on its own side of the mode is within 1e-7 of it and counts too: without it p is off by 4e-5.
@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ((400_040_000, 10**9, 400_000_000, 10**9), 0.067898326391244579),
        ((400_000_400, 10**9, 400_000_000, 10**9), 0.98546991028515906),
        ((400_000_020, 10**9, 400_000_000, 10**9), 0.99938088928740025),
        ((400_300_000, 10**9, 400_000_000, 10**9), 1.1309137291419371e-42),
    ],
)
def test_equals_mpmath_at_a_thousand_million(table, wanted):
    assert fisher_exact(*table).p[0] == pytest.approx(wanted, rel=1e-12, abs=0)


def test_logarithms_go_on_below_the_smallest_float():
    # Complete separation: the one table C(2n, n)^-1, by mpmath with 40 digits.
    n = np.array([600, 10**5, 10**9])
    found = fisher_exact(np.zeros_like(n), n, n, n)
    assert (found.p == 0).tolist() == [True, True, True]
    with mpmath.workdps(40):
        # Two tables tie, all in the one group or all in the other.
        wanted = [
            float(mpmath.log10(2) + (2 * mpmath.loggamma(x + 1) - mpmath.loggamma(2 * x + 1)) / mpmath.ln(10))
            for x in map(int, n)
        ]
    np.testing.assert_allclose(found.log10_p, wanted, rtol=1e-13)
    # Adult (UCI), women 1179 of 10771 against men 6662 of 21790 over 50K.
    found = fisher_exact(1179, 10_771, 6_662, 21_790)
    assert found.p[0] == 0.0
    assert found.log10_p[0] == pytest.approx(float(mpmath.log10(by_mpmath(1179, 10_771, 6_662, 21_790))), rel=1e-13)


def test_the_largest_counts_do_not_overflow():
    n = 2_000_000_000
    # One unfavourable outcome among 2 n: it falls to either side with probability one half.
    assert fisher_exact(n - 1, n, n, n).p[0] == 1.0
    assert fisher_exact(n - 1, n, n, n, alternative="less").p[0] == pytest.approx(0.5, rel=1e-14, abs=0)
    # Two among 2 n: both on the group's side with probability (n - 1) / (2 (2 n - 1)).
    less = fisher_exact(n - 2, n, n, n, alternative="less").p[0]
    assert less == pytest.approx((n - 1) / (2 * (2 * n - 1)), rel=1e-14, abs=0)


@pytest.mark.parametrize("alternative", list(Alternative))
def test_one_possible_table_has_p_one(alternative):
    a, n, b, m = np.array([(0, 9, 0, 7), (9, 9, 7, 7), (0, 0, 3, 7), (3, 7, 0, 0), (0, 0, 0, 0)]).T
    found = fisher_exact(a, n, b, m, alternative=alternative)
    assert found.p.tolist() == [1.0] * 5
    assert found.log10_p.tolist() == [0.0] * 5


@given(group=large_side, reference=large_side)
@settings(deadline=None, max_examples=40)
def test_laws(group, reference):
    (a, n), (b, m) = group, reference
    found = fisher_exact(a, n, b, m)
    assert 0 <= found.p[0] <= 1
    assert math.isfinite(found.log10_p[0])
    swapped, flipped = fisher_exact(b, m, a, n), fisher_exact(n - a, n, m - b, m)
    transposed = fisher_exact(a, a + b, n - a, n + m - a - b)
    for same in (swapped, flipped, transposed):
        assert same.log10_p[0] == pytest.approx(found.log10_p[0], rel=1e-11, abs=1e-11)
    less, greater = (fisher_exact(a, n, b, m, alternative=side) for side in ("less", "greater"))
    assert less.log10_p[0] == pytest.approx(
        fisher_exact(b, m, a, n, alternative="greater").log10_p[0], rel=1e-11, abs=1e-11
    )
    # The observed table is in both tails.
    assert less.p[0] + greater.p[0] >= 1 - 1e-12
    assert found.p[0] >= min(less.p[0], greater.p[0]) * (1 - 1e-11)


def test_a_group_has_the_same_digits_alone_and_among_others():
    generator = np.random.default_rng(5)
    n = generator.integers(10**6, 10**7, 300)
    a = generator.binomial(n, 0.4)
    together = fisher_exact(a, n, 4 * 10**6, 10**7)
    for i in range(0, 300, 11):
        alone = fisher_exact(int(a[i]), int(n[i]), 4 * 10**6, 10**7)
        assert (alone.p[0], alone.log10_p[0]) == (together.p[i], together.log10_p[i])


def test_an_unknown_alternative_is_refused():
    with pytest.raises(ValueError, match="sideways"):
        fisher_exact(1, 2, 1, 2, alternative="sideways")
