"""Quantiles of repeated and of weighted values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport.stats.weighting import repeated_quantiles, weighted_quantiles

values = st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=40)
quantile = st.sampled_from([0.01, 0.1, 0.25, 0.5, 0.7, 0.9, 0.99])


@given(values, quantile)
@settings(max_examples=100, deadline=None)
def test_equals_numpy(sample, q):
    # numpy.quantile(method="linear") is type 7 of Hyndman and Fan.
    wanted = float(np.quantile(sample, q))
    assert repeated_quantiles(sample, [q])[0] == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert weighted_quantiles(sample, [q], [2.5] * len(sample))[0] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@given(st.lists(st.tuples(st.integers(-9, 9).map(float), st.integers(0, 5)), min_size=1, max_size=20), quantile)
@settings(max_examples=100, deadline=None)
def test_counts_repeat_the_values(pairs, q):
    sample, counts = zip(*pairs, strict=True)
    if sum(counts):
        wanted = float(np.quantile(np.repeat(sample, counts), q))
        assert repeated_quantiles(sample, [q], counts)[0] == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def by_definition(sample, weights, q):
    """Return the quantile from positions S_i - w_i of W - w_last, rows sorted by value, then by weight."""
    rows = sorted((x, w) for x, w in zip(sample, weights, strict=True) if w > 0)
    total, positions = 0.0, []
    for _, w in rows:
        positions.append(total)
        total += w
    place = q * positions[-1]
    return float(np.interp(place, positions, [x for x, _ in rows]))


@given(st.lists(st.tuples(st.integers(-9, 9).map(float), st.integers(0, 40)), min_size=1, max_size=30), quantile)
@settings(max_examples=150, deadline=None)
def test_weights_follow_the_definition(pairs, q):
    sample, weights = zip(*pairs, strict=True)
    scaled = [w / 10 for w in weights]
    if any(weights):
        found = weighted_quantiles(sample, [q], scaled)[0]
        assert found == pytest.approx(by_definition(sample, scaled, q), rel=1e-9, abs=1e-9)
        assert weighted_quantiles(sample, [q], [w * 7 for w in scaled])[0] == pytest.approx(found, rel=1e-9, abs=1e-9)


def test_a_position_on_a_value_is_that_value():
    # 0.7 * 10 is 7.000000000000001 in binary arithmetic, and the eighth of eleven values all the same.
    assert repeated_quantiles([x / 10 for x in range(11)], [0.7]) == (0.7,)
    assert weighted_quantiles([x / 10 for x in range(11)], [0.7], [0.3] * 11) == (0.7,)


def test_row_order_changes_no_digit():
    rng = np.random.default_rng(3)
    sample, weights = rng.normal(size=500).round(1), rng.random(500)
    order = rng.permutation(500)
    assert weighted_quantiles(sample, [0.3, 0.6], weights) == weighted_quantiles(
        sample[order], [0.3, 0.6], weights[order]
    )


def test_nothing_to_order_is_refused():
    with pytest.raises(ValueError, match="no values"):
        repeated_quantiles([1.0], [0.5], [0])
    with pytest.raises(ValueError, match="weight above 0"):
        weighted_quantiles([1.0], [0.5], [0.0])
