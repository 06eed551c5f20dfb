"""Pairs of a positive and a negative row, counted per group from sorted samples."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from fairreport.stats.ranking import dominance, dominance_with_error
from fairreport.stats.sample import SortedSample
from fairreport.tables.tally import RankGroup

Label = tuple[str, ...]
Samples = dict[Label, SortedSample]
A = TypeVar("A")
B = TypeVar("B")

ALL: Label = ()
"""Label of all groups together."""

_MOST_THREADS = 4

_PAIRED_GROUPS = 12


def in_threads(work: Callable[[A], B], items: Sequence[A]) -> list[B]:
    """Return the work done on each item, in order; numpy lets several threads sort and search at once."""
    if len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(max_workers=threads()) as pool:
        return list(pool.map(work, items))


def threads() -> int:
    """Return how many threads share the work."""
    return min(_MOST_THREADS, os.cpu_count() or 1)


def rank_group(
    label: Label,
    n: int,
    positive: SortedSample | None,
    negative: SortedSample | None,
    *,
    with_error: bool,
) -> RankGroup:
    """Return the pairs of one group; without rows of a class there are none."""
    if positive is None or negative is None:
        present = 0 if positive is None else positive.n
        return RankGroup(group=label, n=n, positives=present, greater=0, equal=0, delong_se=None)
    pairs, error = dominance_with_error(positive, negative) if with_error else (dominance(positive, negative), None)
    return RankGroup(
        group=label,
        n=n,
        positives=positive.n,
        greater=pairs.greater,
        equal=pairs.equal,
        delong_se=error,
    )


def rank_all(groups: Sequence[RankGroup], positive: Samples, negative: Samples) -> RankGroup:
    """Return all groups together: from the samples of all, else from every pair of groups."""
    if ALL in positive and ALL in negative:
        pairs = [(piece, negative[ALL]) for piece in _pieces(positive[ALL])]
    else:
        pairs = _pairs(positive, negative)
    found = in_threads(lambda pair: dominance(*pair), pairs)
    return RankGroup(
        group=ALL,
        n=sum(group.n for group in groups),
        positives=sum(group.positives for group in groups),
        greater=sum(pair.greater for pair in found),
        equal=sum(pair.equal for pair in found),
        delong_se=None,
    )


def _pieces(sample: SortedSample) -> list[SortedSample]:
    """Return disjoint parts of a sample, one a thread; one with weights as it is."""
    if sample.n != sample.values.size:
        return [sample]
    return [SortedSample(values, is_sorted=True) for values in np.array_split(sample.values, threads())]


def _pairs(positive: Samples, negative: Samples) -> list[tuple[SortedSample, SortedSample]]:
    """Return every group of one class with every group of the other; many groups with all of the other at once."""
    others = list(negative.values())
    if len(others) > _PAIRED_GROUPS and all(sample.n == sample.values.size for sample in others):  # no weights
        others = [SortedSample(np.concatenate([sample.values for sample in others]))]
    return [(sample, other) for sample in positive.values() for other in others]
