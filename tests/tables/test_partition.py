"""Rows brought together by code, in chunks and threads, as a stable sort brings them together."""

import numpy as np
import pytest

from fairreport.stats.ranking import delong_se, dominance
from fairreport.stats.sample import SortedSample
from fairreport.tables import partition as module
from fairreport.tables import ranks
from fairreport.tables.partition import partition


@pytest.mark.parametrize("chunk", [1, 7, 100, 1000])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int64])
def test_the_order_of_a_stable_sort(monkeypatch, chunk, kind):
    monkeypatch.setattr(module, "CHUNK", chunk)
    rng = np.random.default_rng(chunk)
    codes = rng.choice([0, 1, 4], 300).astype(kind)
    columns = [rng.random(300), np.arange(300)]
    moved, places = partition(codes, columns, 6)
    order = np.argsort(codes, kind="stable")
    for column, found in zip(columns, moved, strict=True):
        assert found.tolist() == column[order].tolist()
    for code, place in enumerate(places):
        assert moved[1][place].tolist() == np.flatnonzero(codes == code).tolist()


def test_no_rows():
    moved, places = partition(np.zeros(0, np.uint8), [np.zeros(0)], 2)
    assert moved[0].size == 0
    assert places == [slice(0, 0), slice(0, 0)]


def test_all_rows_in_pieces_have_the_pairs_of_the_whole(monkeypatch):
    monkeypatch.setattr(ranks, "threads", lambda: 3)
    rng = np.random.default_rng(4)
    positive, negative = (SortedSample(rng.integers(0, 9, n)) for n in (50, 41))
    weighted = SortedSample([1, 2, 3], weights=[4, 5, 6])
    for first in (positive, weighted, SortedSample([7.0])):
        whole = dominance(first, negative)
        found = ranks.rank_all([], {ranks.ALL: first}, {ranks.ALL: negative})
        assert (found.greater, found.equal) == (whole.greater, whole.equal)


@pytest.mark.parametrize("with_error", [True, False])
def test_a_group_has_its_pairs_and_its_error(with_error):
    rng = np.random.default_rng(5)
    positive, negative = (SortedSample(rng.integers(0, 9, n)) for n in (50, 41))
    found = ranks.rank_group(("A",), 91, positive, negative, with_error=with_error)
    pairs = dominance(positive, negative)
    assert (found.greater, found.equal) == (pairs.greater, pairs.equal)
    assert found.delong_se == (delong_se(positive, negative) if with_error else None)
