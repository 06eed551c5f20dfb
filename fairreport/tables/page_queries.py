"""The two questions that paged order statistics ask of a view: how many rows in each page, and which values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairreport.tables.paging import PageCounts
from fairreport.tables.view import Array, NumericView


def count_pages(view: NumericView, rows: str, codes: Array, ends: tuple[float, float], pages: int) -> PageCounts:
    """Count the rows of each group in pages of equal width between two values."""
    low, high = ends
    width = high - low
    scale = pages / width if width > 0 and math.isfinite(width) and math.isfinite(pages / width) else 0.0
    place = f"least(CAST(floor((v - {_double(low)}) * {_double(scale)}) AS INTEGER), {pages - 1})"
    if not scale:  # one value, or ends so far apart that their difference is no number: a page of all
        place = "0"
    found = view.fetch_arrays(
        f"SELECT g, b, count(*) AS n, min(v) AS low, max(v) AS high FROM (SELECT g, v, {place} AS b FROM ({rows}) AS r "
        f"WHERE v BETWEEN {_double(low)} AND {_double(high)}) AS p GROUP BY g, b"
    )
    filled, page = np.unique(found["b"], return_inverse=True)
    by_code = np.argsort(codes)
    group = by_code[np.searchsorted(codes, found["g"], sorter=by_code)]
    counts = np.zeros((len(filled), len(codes)), dtype=np.int64)
    counts[page, group] = found["n"]
    lows, highs = np.full(len(filled), np.inf), np.full(len(filled), -np.inf)
    np.minimum.at(lows, page, found["low"])
    np.maximum.at(highs, page, found["high"])
    return PageCounts(lows=lows, highs=highs, counts=counts)


def fetch_ranges(view: NumericView, rows: str, codes: Array, ranges: Sequence[tuple[float, float]]) -> list[Array]:
    """Fetch the values of each group that lie in any of some disjoint ranges."""
    listed = ", ".join(f"({_double(low)}, {_double(high)})" for low, high in ranges)
    outer = f"v BETWEEN {_double(ranges[0][0])} AND {_double(ranges[-1][1])}"
    found = view.fetch_arrays(
        f"SELECT g, v FROM ({rows}) AS r JOIN (VALUES {listed}) AS p(low, high) ON r.v BETWEEN p.low AND p.high "
        f"WHERE {outer}"
    )
    return [found["v"][found["g"] == code] for code in codes]


def _double(value: float) -> str:
    return f"CAST('{value!r}' AS DOUBLE)"
