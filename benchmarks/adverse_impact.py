"""Adverse impact of named pairs: weighted rows against one matrix product, ten cutoffs against one, a Parquet file."""

import duckdb
import numpy as np
import pandas as pd
from measuring import Row, median_seconds

from fairreport.analyses.pair_tests import AdverseImpactRatio
from fairreport.analyses.pairs import gather, judge_pairs
from fairreport.audit.adverse_impact import adverse_impact_ratio
from fairreport.audit.impact_tables import adverse_impact_ratio_by_quantile
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table

ROWS, GROUPS = 1_000_000, 8
NAMES = [f"g{i}" for i in range(GROUPS)]
LISTS = (NAMES[:-1], [NAMES[-1]] * (GROUPS - 1), ["group"] * (GROUPS - 1))
QUANTILES = [i / 11 for i in range(1, 11)]

FILE = """
    SELECT {columns}, ((h >> 16) % 100 < 40)::INT AS y
    FROM (SELECT i, hash(i) AS h FROM range(10_000_000) AS t(i))
"""


def measure(place):
    rng = np.random.default_rng(2026)
    which = rng.integers(0, GROUPS, ROWS)
    groups = pd.DataFrame({name: (which == i).astype(np.int64) for i, name in enumerate(NAMES)})
    outcome = pd.Series((rng.random(ROWS) < 0.4).astype(np.int64))
    weights, scores = pd.Series(rng.random(ROWS) * 3), pd.Series(rng.normal(size=ROWS))

    product = one_product(groups, outcome, weights)
    for what, more in (("sampling weights", {"sample_weight": weights}), ("no weights", {})):
        yield Row(
            what=f"adverse impact, 1 M rows x 8 groups of 0 and 1, {what}",
            measured=median_seconds(lambda more=more: adverse_impact_ratio(groups, *LISTS, outcome, 0.8, 0.0, **more)),
            target=3 * product,
            yardstick=product,
            yardstick_is="one matrix product",
        )
    for what, more in (("sampling weights", {"sample_weight": weights}), ("no weights", {})):
        one, ten = (
            median_seconds(
                lambda chosen=chosen, more=more: adverse_impact_ratio_by_quantile(
                    groups, *LISTS, scores, chosen, 0.8, 0.0, **more
                )
            )
            for chosen in ([0.5], QUANTILES)
        )
        yield Row(
            what=f"ten cutoffs, 1 M rows x 8 groups, {what}",
            measured=ten,
            target=4 * one,
            yardstick=one,
            yardstick_is="one cutoff",
        )
    shares = pd.DataFrame(rng.dirichlet(np.ones(GROUPS), ROWS), columns=NAMES)
    gram = one_gram(shares, outcome, weights)
    yield Row(
        what="adverse impact, 1 M rows x 8 groups of proportions, weights",
        measured=median_seconds(lambda: adverse_impact_ratio(shares, *LISTS, outcome, 0.8, 0.0, sample_weight=weights)),
        target=8 * gram,
        yardstick=gram,
        yardstick_is="the two Gram matrices",
    )
    yield from of_a_file(place)


def one_product(groups, outcome, weights):
    """Return the time of w, w y, w^2 and w^2 y times the memberships, in floating point."""
    members = np.ascontiguousarray(groups.to_numpy(dtype=np.float64))
    w, y = weights.to_numpy(), outcome.to_numpy(dtype=np.float64)
    return median_seconds(lambda: np.stack([w, w * y, w * w, w * w * y]) @ members)


def one_gram(shares, outcome, weights):
    """Return the time of the products of all memberships, weighted by w^2 and w^2 y."""
    members = np.ascontiguousarray(shares.to_numpy())
    w, y = weights.to_numpy(), outcome.to_numpy(dtype=np.float64)
    return median_seconds(lambda: [(members.T * u) @ members for u in (w * w, w * w * y)])


def of_a_file(place):
    path = place.folder / "pairs-10M.parquet"
    columns = ", ".join(f"(h % {GROUPS} = {i})::INT AS {name}" for i, name in enumerate(NAMES))
    if not path.exists():
        with duckdb.connect(config={"preserve_insertion_order": False, "memory_limit": "1GB"}) as connection:
            connection.execute(f"COPY ({FILE.format(columns=columns)}) TO '{path}' (FORMAT parquet)")
    test = AdverseImpactRatio(
        protected_groups=LISTS[0],
        reference_groups=LISTS[1],
        group_categories=LISTS[2],
        outcome="y",
        air_threshold=0.8,
        percent_difference_threshold=0.0,
    )
    with duckdb.connect() as connection:
        bare = median_seconds(
            lambda: connection.execute(f"SELECT {', '.join(NAMES)}, y, count(*) FROM '{path}' GROUP BY ALL").fetchall()
        )
    yield Row(
        what="adverse impact, 10 M Parquet rows x 8 groups",
        measured=median_seconds(lambda: judge_pairs(test, gather(open_table(path), test, Reading()))),
        target=2 * bare + 0.1,
        yardstick=bare,
        yardstick_is="bare GROUP BY",
    )
