"""Weighted rates and means by linearisation."""

import math

import numpy as np
import pytest
import statsmodels.api as sm

from fairreport.stats.linearised import Linearised, Products, effective_size, log_interval, z_test

RNG = np.random.default_rng(7)
N = 400
SHARES = RNG.dirichlet([1.0, 1.0, 1.0], N)
WEIGHT = RNG.integers(1, 50, N) / 10
OUTCOME = (RNG.random(N) < 0.4).astype(float)
SCORE = RNG.normal(3, 2, N)


def products(u, x):
    return Products(weight=float(u.sum()), first=float((u * x).sum()), second=float((u * x * x).sum()))


def linearised(p, r, x):
    """Return both means, and their linearised variances, from rows."""
    w, v = p * WEIGHT, r * WEIGHT
    one, two = (w * x).sum() / w.sum(), (v * x).sum() / v.sum()
    about = Products.about_rates if set(x) <= {0.0, 1.0} else Products.about
    return (
        one,
        two,
        Linearised(
            group=about(products(w * w, x), one, one) / w.sum() ** 2,
            reference=about(products(v * v, x), two, two) / v.sum() ** 2,
            covariance=about(products(w * v, x), one, two) / (w.sum() * v.sum()),
        ),
    )


def sandwich(p, r, x):
    """Return the same from statsmodels: both groups stacked, weighted least squares, errors clustered by row."""
    weights = np.concatenate([p * WEIGHT, r * WEIGHT])
    design = np.kron(np.eye(2), np.ones((N, 1)))
    model = sm.WLS(np.concatenate([x, x]), design, weights=weights)
    rows = np.concatenate([np.arange(N), np.arange(N)])
    return model.fit(cov_type="cluster", cov_kwds={"groups": rows, "use_correction": False})


@pytest.mark.parametrize("x", [OUTCOME, SCORE], ids=["rates", "means"])
@pytest.mark.parametrize("fractional", [True, False])
def test_equals_the_sandwich_of_statsmodels(x, fractional):
    shares = SHARES if fractional else np.eye(3)[SHARES.argmax(axis=1)]
    one, two, found = linearised(shares[:, 0], shares[:, 2], x)
    theirs = sandwich(shares[:, 0], shares[:, 2], x)
    assert [one, two] == pytest.approx(theirs.params.tolist(), rel=1e-12)
    covariance = theirs.cov_params()
    assert found.group == pytest.approx(covariance[0, 0], rel=1e-10)
    assert found.reference == pytest.approx(covariance[1, 1], rel=1e-10)
    assert found.covariance == pytest.approx(covariance[0, 1], rel=1e-9, abs=1e-18)
    contrast = theirs.t_test(np.array([1.0, -1.0]))
    test = z_test(one - two, found.of_difference)
    assert test.z == pytest.approx(contrast.tvalue.item(), rel=1e-10)
    assert test.p == pytest.approx(float(contrast.pvalue), rel=1e-9)


def test_the_delta_method_of_ratio_and_odds():
    one, two, found = linearised(SHARES[:, 0], SHARES[:, 1], OUTCOME)
    covariance = np.array([[found.group, found.covariance], [found.covariance, found.reference]])
    for gradient, variance in (
        ([1 / one, -1 / two], found.of_log_ratio(one, two)),
        ([1 / (one * (1 - one)), -1 / (two * (1 - two))], found.of_log_odds(one, two)),
    ):
        assert variance == pytest.approx(float(np.array(gradient) @ covariance @ np.array(gradient)), rel=1e-10)


def test_a_group_against_itself_varies_by_nothing():
    _, _, found = linearised(SHARES[:, 0], SHARES[:, 0], OUTCOME)
    assert found.of_difference == 0.0
    assert z_test(0.0, found.of_difference) is None


def test_the_scale_of_the_weights_does_not_matter():
    w = WEIGHT * 12.5
    assert effective_size(w.sum(), (w * w).sum()) == pytest.approx(
        effective_size(WEIGHT.sum(), (WEIGHT * WEIGHT).sum()), rel=1e-12
    )
    assert effective_size(0.0, 0.0) == 0.0


def test_an_interval_without_variance_is_a_point():
    assert log_interval(0.8, 0.0, level=0.95) == (0.8, 0.8)
    low, high = log_interval(0.8, 0.04, level=0.99)
    assert math.sqrt(low * high) == pytest.approx(0.8, rel=1e-12)
