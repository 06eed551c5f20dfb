"""How long a CUSUM chart runs: held against another program, and against throws of a random generator."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, poisson

from fairreport.stats.run_length import Steps, average_run_lengths, smallest_limit


def steps_of(counts, probabilities, k, grain):
    """Return the moves of a chart of counts with a reference value."""
    moves = np.rint((counts - k) * grain).astype(int)
    found = np.zeros(moves.max() - moves.min() + 1)
    found[moves - moves.min()] = probabilities
    return Steps(lowest=int(moves.min()), probabilities=found)


# R 4.2.2, package surveillance 1.20.3 (Debian r-cran-surveillance 1.20.3-1):
#   arlCusum(h = 10, k = 3, theta = 2.4, distr = "poisson", digits = 1)$ARL   548.362265529
#   arlCusum(h =  5, k = 2.5, theta = 2, distr = "poisson", digits = 1)$ARL    61.535100881
#   arlCusum(h =  7, k = 1.5, theta = 1, distr = "poisson", digits = 1)$ARL  1309.37782345
@pytest.mark.parametrize(
    ("h", "k", "mean", "expected"),
    [(10, 3, 2.4, 548.362265529), (5, 2.5, 2, 61.535100881), (7, 1.5, 1, 1309.37782345)],
)
def test_poisson_counts_agree_with_surveillance(h, k, mean, expected):
    counts = np.arange(60)
    steps = steps_of(counts, poisson.pmf(counts, mean), k, 2)
    assert average_run_lengths(steps, 2 * h)[-1] == pytest.approx(expected, rel=1e-10)


# The same package: arlCusum(h, k, theta, distr = "binomial", n = n, digits = 2)$ARL
#   n = 50,  theta = .3,  k = 18.25,  h = 5.5     99.856295726
#   n = 10,  theta = .1,  k = 1.5,    h = 4.25   283.851356152
#   n = 200, theta = .5,  k = 117.5,  h = 2      350.685280864
#   n = 30,  theta = .05, k = 2.25,   h = 4.5    208.263240043
#   n = 5,   theta = .2,  k = 1.5,    h = 3.25   177.615171376
@pytest.mark.parametrize(
    ("n", "p", "k", "h", "expected"),
    [
        (50, 0.3, 18.25, 5.5, 99.856295726),
        (10, 0.1, 1.5, 4.25, 283.851356152),
        (200, 0.5, 117.5, 2, 350.685280864),
        (30, 0.05, 2.25, 4.5, 208.263240043),
        (5, 0.2, 1.5, 3.25, 177.615171376),
    ],
)
def test_binomial_counts_agree_with_surveillance(n, p, k, h, expected):
    counts = np.arange(n + 1)
    steps = steps_of(counts, binom.pmf(counts, n, p), k, 4)
    assert average_run_lengths(steps, round(4 * h))[-1] == pytest.approx(expected, rel=1e-10)


def test_every_limit_is_answered_at_once():
    counts = np.arange(11)
    steps = steps_of(counts, binom.pmf(counts, 10, 0.1), 1.5, 2)
    together = average_run_lengths(steps, 12)
    assert together.tolist() == pytest.approx([average_run_lengths(steps, h)[-1] for h in range(1, 13)])
    assert np.all(np.diff(together) > 0)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.floats(0.01, 1), min_size=2, max_size=9),
    st.integers(-6, -1),
    st.integers(1, 25),
)
def test_it_is_the_solution_of_the_equations(weights, lowest, limit):
    # Brook and Evans (1972), equation 2.3: (I - Q) m = 1, solved here as it stands
    probabilities = np.array(weights) / (sum(weights) * 1.05)  # a twentieth leaves the chain at once
    steps = Steps(lowest=lowest, probabilities=probabilities)
    moves = {lowest + i: p for i, p in enumerate(probabilities.tolist())}
    q = np.zeros((limit, limit))
    for state in range(limit):
        for move, p in moves.items():
            if state + move < limit:
                q[state, max(0, state + move)] += p
    expected = np.linalg.solve(np.eye(limit) - q, np.ones(limit))[0]
    assert average_run_lengths(steps, limit)[-1] == pytest.approx(expected, rel=1e-9)


def test_a_chart_that_never_moves_up_never_signals():
    steps = Steps(lowest=-1, probabilities=np.array([0.5, 0.5]))
    assert average_run_lengths(steps, 3).tolist() == [math.inf] * 3
    assert smallest_limit(steps, 100.0, largest=10).steps == 1


def test_the_smallest_limit_is_the_first_that_is_enough():
    counts = np.arange(51)
    steps = steps_of(counts, binom.pmf(counts, 50, 0.3), 17.25, 4)
    found = smallest_limit(steps, 208.0, largest=400)
    lengths = average_run_lengths(steps, found.steps)
    assert lengths[-1] == pytest.approx(found.average_run_length)
    assert lengths[-2] < 208 <= lengths[-1]


def test_no_limit_is_said():
    coin = Steps(lowest=-1, probabilities=np.array([0.5, 0.0, 0.5]))
    assert smallest_limit(coin, 1e9, largest=20) is None
