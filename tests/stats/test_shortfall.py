"""Shortfalls and the flip, on whole numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairreport.stats.shortfall import FOUR_FIFTHS, one_person_flips, shortfall_to

side = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(side, side, st.sampled_from([FOUR_FIFTHS, Fraction(1)]))
def test_smallest_that_is_enough(group, reference, share):
    (a, n), (b, m) = group, reference
    wanted = next(s for s in range(n + 1) if Fraction(a + s, n) >= share * Fraction(b, m))
    assert shortfall_to(share, a, n, b, m) == wanted


def test_exactly_four_fifths_lacks_nothing():
    assert shortfall_to(FOUR_FIFTHS, 30, 50, 30, 40) == 0
    assert shortfall_to(FOUR_FIFTHS, 29, 50, 30, 40) == 1


@pytest.mark.parametrize(
    ("table", "flips"),
    [
        ((30, 50, 30, 40), True),  # 29/50 over 31/40 is below four-fifths
        ((0, 10, 0, 10), False),  # no move is possible towards the reference's side of 0 but (1, -1)
        ((10, 10, 10, 10), False),
        ((3, 5, 3, 4), True),
        ((0, 3, 0, 3), False),
    ],
)
def test_one_person(table, flips):
    assert one_person_flips(*table) is flips
