"""Lancaster's mid-p."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from fairreport.stats.fisher import fisher_exact, log_table_probability
from fairreport.stats.mid_p import mid_p

cells = st.integers(0, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_equals_the_sum_over_tables_of_scipy():
    # scipy.stats.hypergeom(20, 11, 10).pmf: 0.0321505 at 3; tables no likelier than it sum to 0.0697785.
    a, n, b, m = 3, 10, 8, 10
    pmf = hypergeom(n + m, a + b, n).pmf(np.arange(n + 1))
    two_sided = pmf[pmf <= pmf[a] * (1 + 1e-7)].sum()
    assert mid_p(a, n, b, m).p[0] == pytest.approx(two_sided - pmf[a] / 2, rel=1e-12)
    assert mid_p(a, n, b, m, alternative="less").p[0] == pytest.approx(pmf[:a].sum() + pmf[a] / 2, rel=1e-12)


def test_directions_add_up_to_one():
    less, greater = (mid_p(7, 20, 9, 15, alternative=side).p[0] for side in ("less", "greater"))
    assert less + greater == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("table", [(0, 5, 0, 7), (5, 5, 7, 7), (0, 0, 3, 7), (3, 7, 0, 0)])
def test_a_table_without_alternative_is_half_likely(table):
    assert mid_p(*table).p.tolist() == [0.5]
    assert log_table_probability(*table).tolist() == [0.0]


def test_the_logarithm_goes_on_where_the_number_ends():
    found = mid_p(0, 2000, 2000, 2000)
    assert found.p[0] == 0
    assert found.log10_p[0] == pytest.approx(fisher_exact(0, 2000, 2000, 2000).log10_p[0] - np.log10(4 / 3), abs=1e-9)


@given(cells, cells)
@settings(max_examples=80, deadline=None)
def test_below_the_exact_test_and_above_half_of_it(group, reference):
    exact, found = fisher_exact(*group, *reference).p[0], mid_p(*group, *reference).p[0]
    assert exact / 2 * (1 - 1e-12) <= found < exact
