"""Pairs of groups as arrays say what records of them say; a size is found without going through every group."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairreport.analyses.gap_bounds import Bounds, Counts
from fairreport.analyses.gap_pairs import GroupGaps
from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.rate_gaps import TOLERANCE, _Growth, _held_at

ENDS = st.tuples(st.integers(-4, 4), st.integers(0, 4)).map(lambda it: (it[0] / 4, min(1.0, (it[0] + it[1]) / 4)))


def gaps_of(ends, n):
    a, b = np.triu_indices(n, k=1)
    low, high = np.array([low for low, _ in ends]), np.array([high for _, high in ends])
    return GroupGaps([f"g{i}" for i in range(n)], a, b, low, high)


@settings(deadline=None)
@given(data=st.data(), n=st.integers(2, 9), most=st.integers(1, 40), surely=st.booleans())
def test_the_widest_are_those_of_sorted_records(data, n, most, surely):
    size = n * (n - 1) // 2
    gaps = gaps_of(data.draw(st.lists(ENDS, min_size=size, max_size=size)), n)
    keys = ("gap_lower", "gap_upper") if surely else ("gap_upper", "gap_lower")
    wanted = sorted(range(size), key=lambda i: tuple(-getattr(gaps[i], key) for key in keys))[:most]
    assert gaps.widest(most, surely=surely) == wanted
    records = list(gaps)
    assert records == [gaps[i] for i in range(size)] == gaps[:]
    assert gaps.gap_upper.tolist() == [it.gap_upper for it in records]
    assert gaps.gap_lower.tolist() == [it.gap_lower for it in records]
    assert len(gaps) == size
    assert gaps[-1] == records[-1]


def test_equal_pairs_are_equal_and_others_are_not():
    one, same = gaps_of([(0.1, 0.2)], 2), gaps_of([(0.1, 0.2)], 2)
    assert one == same
    assert hash(one) == hash(same)
    assert one != gaps_of([(0.1, 0.3)], 2)
    assert one != tuple(one)
    assert "1 pairs" in repr(one)


COUNTS = st.tuples(st.integers(1, 60), st.integers(0, 60), st.integers(0, 3)).map(
    lambda it: Counts(events=min(it[:2]), observed=it[0], missing=it[2])
)


@settings(deadline=None, max_examples=200)
@given(
    counts=st.lists(COUNTS, min_size=2, max_size=14),
    size=st.integers(1, 400),
    bar=st.integers(0, 20).map(lambda n: n / 20),
    kind=st.sampled_from(["max_group_gap", "worst_group"]),
    rate=st.sampled_from(["selection", "error"]),
    interval=st.sampled_from(["simultaneous", "pairwise"]),
)
def test_what_holds_at_a_size_is_what_holds_of_every_group(counts, size, bar, kind, rate, interval):
    names = [f"g{i}" for i in range(len(counts))]
    rule = {"id": "r", "rate": rate, "attribute": "g", kind: bar}
    test = RateGaps(label="y", prediction="p", attributes={"g": names}, rules=[rule], interval=interval)
    bounds = Bounds(test, len(counts))
    grown = list(zip(names, _Growth(counts).all_at(size), strict=True))
    groups = bounds.groups(grown, 1)
    gaps = bounds.gaps(names, bounds.differences(grown, groups))
    if kind == "max_group_gap":
        passes = all(gap.gap_upper <= bar + TOLERANCE for gap in gaps)
        fails = any(gap.gap_lower > bar + TOLERANCE for gap in gaps)
    elif rate == "selection":
        passes = all(group.lower >= bar - TOLERANCE for group in groups)
        fails = any(group.upper < bar - TOLERANCE for group in groups)
    else:
        passes = all(group.upper <= bar + TOLERANCE for group in groups)
        fails = any(group.lower > bar + TOLERANCE for group in groups)
    assert _held_at(bounds, test.rules[0], _Growth(counts), size) == (passes, fails)
