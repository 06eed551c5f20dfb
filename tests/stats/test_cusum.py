"""The two-sided chart of binomial counts: limits against another program, paths by the formula, laws."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport.stats.cusum import (
    GRAIN,
    Turn,
    moves_of,
    reference_steps,
    run_chart,
    tune_chart,
)
from fairreport.stats.run_length import average_run_lengths

# R 4.2.2, package surveillance 1.20.3: arlCusum(h, k, theta, distr = "binomial", n = n, digits = 5)$ARL, for the lower
# side of the cases that are no event: arlCusum(h, n - k, 1 - theta, ...). The second number of a side is the run
# length at the changed odds, theta = R p / (1 - p + R p).
#   n = 50,  p = .3, R = 1.5: k = 17.25    h = 9.28125: 231.250802878, 4.74338919971
#                             k = 13       h = 9.03125: 238.990856272, 5.64470612115
#   n = 10,  p = .1, R = 2:   k = 1.375    h = 4.65625: 208.926898413, 10.3590575943
#                             k = 0.75     h = 4.53125: 210.433206762, 18.3687832262
#   n = 120, p = .4, R = 1.5: k = 53.96875 h = 9.09375: 220.059403949
#                             k = 42.34375 h = 9.375:   221.57428170
#   n = 30,  p = .9, R = 1.5: k = 27.5     h = 6.03125: 110.810064714
#                             k = 26.375   h = 6.28125: 107.281300149
PUBLISHED = [
    (50, 15, 1.5, 104, (17.25, 9.28125, 231.250802878, 4.74338919971), (13.0, 9.03125, 238.990856272, 5.64470612115)),
    (10, 1, 2.0, 104, (1.375, 4.65625, 208.926898413, 10.3590575943), (0.75, 4.53125, 210.433206762, 18.3687832262)),
    (120, 48, 1.5, 104, (53.96875, 9.09375, 220.059403949, None), (42.34375, 9.375, 221.57428170, None)),
    (30, 27, 1.5, 52, (27.5, 6.03125, 110.810064714, None), (26.375, 6.28125, 107.281300149, None)),
]


@pytest.mark.parametrize(("n", "x", "odds_ratio", "run_length", "higher", "lower"), PUBLISHED)
def test_run_lengths_agree_with_surveillance(n, x, odds_ratio, run_length, higher, lower):
    chart = tune_chart([x] * 12, [n] * 12, odds_ratio=odds_ratio, run_length=run_length)
    for side, (k, h, length, delay) in ((chart.higher, higher), (chart.lower, lower)):
        assert reference_steps(n, chart.rate, side.odds_ratio) / GRAIN == k
        assert side.limit / GRAIN == h
        assert side.average_run_length == pytest.approx(length, rel=1e-9)
        if delay is not None:
            assert side.delay == pytest.approx(delay, rel=1e-9)


def test_each_side_has_twice_the_windows_and_both_together_what_was_asked_for():
    chart = tune_chart([15, 14, 16], [50, 50, 50], odds_ratio=1.5, run_length=104)
    lengths = [side.average_run_length for side in (chart.higher, chart.lower)]
    assert min(lengths) >= 208
    assert chart.average_run_length == pytest.approx(1 / (1 / lengths[0] + 1 / lengths[1]))
    assert chart.average_run_length >= 104


def test_the_limit_is_the_smallest_that_does():
    chart = tune_chart([40] * 8, [100] * 8, odds_ratio=1.5, run_length=52)
    for side in (chart.higher, chart.lower):
        moves = moves_of(side.turn, side.odds_ratio, Counter([100]), planned=0.4, true=0.4, reach=side.limit)
        lengths = average_run_lengths(moves, side.limit)
        assert lengths[-1] >= 104 > lengths[-2]


@pytest.mark.parametrize("odds_ratio", [1.5, 1 / 1.5])
def test_a_move_is_the_log_likelihood_ratio(odds_ratio):
    # Steiner et al. (2000), equation 2.3, with one risk: log of (1 - p + R p)^-n R^x
    p, n = 0.3, 400
    k = reference_steps(n, p, odds_ratio) / GRAIN
    for x in (90, 120, 150):
        expected = x * math.log(odds_ratio) - n * math.log(1 - p + odds_ratio * p)
        assert math.log(odds_ratio) * (x - k) == pytest.approx(expected, abs=abs(math.log(odds_ratio)) / (2 * GRAIN))


TUNED = tune_chart([30, 34, 29], [90, 100, 95], odds_ratio=1.5, run_length=52)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(60, 120)), min_size=1, max_size=30))
def test_a_path_is_the_recursion_of_page(windows):
    chart = TUNED
    marks = run_chart(chart, [x for x, _ in windows], [n for _, n in windows])
    sums = {Turn.HIGHER: 0.0, Turn.LOWER: 0.0}
    for (x, n), mark in zip(windows, marks, strict=True):
        for side in (chart.higher, chart.lower):
            k = round(GRAIN * n * math.log1p(chart.rate * (side.odds_ratio - 1)) / math.log(side.odds_ratio)) / GRAIN
            step = (x - k) * math.log(side.odds_ratio)
            sums[side.turn] = max(0.0, sums[side.turn] + step)
        assert mark.higher == pytest.approx(sums[Turn.HIGHER], abs=1e-9)
        assert mark.lower == pytest.approx(sums[Turn.LOWER], abs=1e-9)
        beyond = [side.turn for side in (chart.higher, chart.lower) if sums[side.turn] >= side.decision_interval - 1e-9]
        assert (mark.signal in beyond) if beyond else mark.signal is None
        if mark.signal is not None:
            sums = dict.fromkeys(sums, 0.0)


def test_hits_and_the_rest_mirror_each_other():
    hits, cases = [20, 24, 22, 35, 36, 12, 11, 10], [60] * 8
    chart = tune_chart(hits[:3], cases[:3], odds_ratio=1.5, run_length=104)
    mirror = tune_chart(
        [n - x for x, n in zip(hits[:3], cases[:3], strict=True)], cases[:3], odds_ratio=1.5, run_length=104
    )
    assert chart.higher.limit == mirror.lower.limit
    assert chart.lower.average_run_length == pytest.approx(mirror.higher.average_run_length)
    turned = {Turn.HIGHER: Turn.LOWER, Turn.LOWER: Turn.HIGHER, None: None}
    ours = run_chart(chart, hits[3:], cases[3:])
    theirs = run_chart(mirror, [n - x for x, n in zip(hits[3:], cases[3:], strict=True)], cases[3:])
    assert [turned[mark.signal] for mark in ours] == [mark.signal for mark in theirs]


def test_a_signal_says_since_when_and_starts_both_sides_anew():
    chart = tune_chart([15] * 12, [50] * 12, odds_ratio=1.5, run_length=104)
    marks = run_chart(chart, [10, 15, 21, 22, 23, 15], [50] * 6)
    assert [mark.signal for mark in marks] == [None, None, None, None, Turn.HIGHER, None]
    assert marks[4].since == 2
    assert marks[5].higher == 0.0


def test_a_window_without_cases_changes_nothing():
    chart = tune_chart([15] * 12, [50] * 12, odds_ratio=1.5, run_length=104)
    with_gap = run_chart(chart, [20, 0, 21, 22], [50, 0, 50, 50])
    without = run_chart(chart, [20, 21, 22], [50, 50, 50])
    assert with_gap[1].higher == with_gap[0].higher
    assert with_gap[3].higher == without[2].higher


def test_windows_of_several_sizes_are_mixed_as_the_baseline_has_them():
    sizes = Counter({40: 3, 80: 1})
    mixed = moves_of(Turn.HIGHER, 1.5, sizes, planned=0.3, true=0.3, reach=200)
    alone = [moves_of(Turn.HIGHER, 1.5, Counter([n]), planned=0.3, true=0.3, reach=200) for n in (40, 80)]
    expected = 0.75 * alone[0].probabilities + 0.25 * alone[1].probabilities
    assert mixed.probabilities == pytest.approx(expected)


@pytest.mark.parametrize(("hits", "cases"), [([0, 0], [50, 50]), ([50, 50], [50, 50]), ([0], [0])])
def test_a_baseline_without_variation_has_no_chart(hits, cases):
    assert tune_chart(hits, cases, odds_ratio=1.5, run_length=104) is None


@pytest.mark.parametrize(("odds_ratio", "run_length"), [(1.0, 104), (0.5, 104), (math.nan, 104), (1.5, 0.5)])
def test_what_no_chart_can_be_is_refused(odds_ratio, run_length):
    with pytest.raises(ValueError, match="wanted above 1"):
        tune_chart([15], [50], odds_ratio=odds_ratio, run_length=run_length)


def test_large_windows_signal_only_past_the_quiet_rate():
    chart = tune_chart([300_000], [1_000_000], odds_ratio=1.5, run_length=104)
    assert chart.higher.average_run_length == math.inf
    assert [m.signal for m in run_chart(chart, [344_000, 346_000], [10**6] * 2)] == [None, Turn.HIGHER]
    assert chart.higher.quiet == pytest.approx(0.3447, abs=1e-4)


def test_thrown_charts_run_as_long_as_computed():
    # 4,000 charts thrown with a fixed seed; the standard error of the mean is about ARL / sqrt(4000)
    chart = tune_chart([15] * 12, [50] * 12, odds_ratio=2.0, run_length=20)
    side = chart.higher
    rng = np.random.default_rng(12)
    k = reference_steps(50, 0.3, 2.0)
    sums, lengths, alive = np.zeros(4000, dtype=int), np.zeros(4000), np.arange(4000)
    time = 0
    while len(alive):
        time += 1
        sums = np.maximum(0, sums + GRAIN * rng.binomial(50, 0.3, len(alive)) - k)
        done = sums >= side.limit
        lengths[alive[done]] = time
        alive, sums = alive[~done], sums[~done]
    error = lengths.std() / math.sqrt(4000)
    assert abs(lengths.mean() - side.average_run_length) < 4 * error
