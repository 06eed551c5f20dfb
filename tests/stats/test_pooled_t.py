"""Student's two-sample test."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from fairreport.stats.pooled_t import Spread, pooled_t

# Student's sleep data (R datasets), extra hours of sleep.
FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def spread(values):
    x = np.array(values)
    return Spread(n=len(x), mean=float(x.mean()), squares=float(((x - x.mean()) ** 2).sum()))


def test_equals_r():
    # R t.test(extra ~ group, data = sleep, var.equal = TRUE): t = -1.8608, df = 18, p-value = 0.07919.
    p, log10_p = pooled_t(spread(FIRST), spread(SECOND))
    assert p == pytest.approx(0.07919, abs=5e-6)
    assert 10**log10_p == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize("sides", [(FIRST, SECOND[:3]), ([9.0], FIRST), (SECOND, [0.0])])
def test_equals_scipy(sides):
    assert pooled_t(*map(spread, sides))[0] == pytest.approx(ttest_ind(*sides).pvalue, rel=1e-10)


def test_what_cannot_be_tested():
    assert pooled_t(spread([1.0]), spread([2.0])) is None
    assert pooled_t(spread([1.0, 1.0]), spread([2.0, 2.0])) is None
