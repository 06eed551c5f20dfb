"""Draws within groups and percentile intervals."""

import math

import numpy as np
import pytest
from scipy.stats import bootstrap

from fairreport.stats.bootstrap import percentile_interval, resampled

VALUES = np.random.default_rng(5).normal(size=80)


def mean(at):
    return float(VALUES[at].mean())


def test_the_seed_makes_the_draws():
    one, same, other = (resampled(mean, 80, draws=50, seed=seed, stream=0) for seed in (1, 1, 2))
    assert one.tolist() == same.tolist() != other.tolist()
    assert resampled(mean, 80, draws=50, seed=1, stream=1).tolist() != one.tolist()


def test_close_to_scipy():
    # scipy.stats.bootstrap(method="percentile") draws other random numbers; the intervals agree to sampling error.
    draws = resampled(mean, 80, draws=4000, seed=3, stream=0)
    theirs = bootstrap((VALUES,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(9))
    found = percentile_interval(draws, level=0.95)
    limits = theirs.confidence_interval
    assert found == pytest.approx((limits.low, limits.high), abs=0.03)


def test_an_undefined_draw_leaves_no_interval():
    low, high = percentile_interval(np.array([0.1, math.nan, 0.3]), level=0.9)
    assert math.isnan(low)
    assert math.isnan(high)
