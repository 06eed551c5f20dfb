"""Rows brought together by a small code, so that each group lies in one piece."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairreport.tables.ranks import in_threads
from fairreport.tables.view import Array

CHUNK = 1 << 18
"""Rows moved at once: few enough for the processor's cache, many chunks for several threads."""


def partition(codes: Array, columns: Sequence[Array], size: int) -> tuple[list[Array], list[slice]]:
    """Return columns with the rows of each code together, and where the rows of each code are.

    Parameters
    ----------
    codes : ndarray of int, shape (rows,)
        From 0 to below `size`.
    columns : sequence of ndarray, shape (rows,)
        What is brought together; rows of one code keep their order.
    size : int
        Number of codes.

    Examples
    --------
    >>> (column,), places = partition(np.array([1, 0, 1]), [np.array([5.0, 6.0, 7.0])], 2)
    >>> [column[place].tolist() for place in places]
    [[6.0], [5.0, 7.0]]
    """
    chunks = [slice(start, start + CHUNK) for start in range(0, codes.size, CHUNK)]
    listed = in_threads(lambda chunk: np.bincount(codes[chunk], minlength=size), chunks)
    counts = np.array(listed, dtype=np.int64).reshape(len(chunks), size)
    totals = counts.sum(axis=0)
    starts = np.cumsum(totals) - totals
    firsts = starts + np.cumsum(counts, axis=0) - counts
    moved = [np.empty_like(column) for column in columns]

    def move(position: int) -> None:
        order = np.argsort(codes[chunks[position]], kind="stable")  # by counting, where the codes are small
        for column, target in zip(columns, moved, strict=True):
            ordered, at = column[chunks[position]][order], 0
            for first, n in zip(firsts[position].tolist(), counts[position].tolist(), strict=True):
                target[first : first + n] = ordered[at : at + n]
                at += n

    in_threads(move, range(len(chunks)))
    return moved, [slice(start, start + n) for start, n in zip(starts.tolist(), totals.tolist(), strict=True)]
