"""Rate gaps on a Parquet file: the whole answer against a bare GROUP BY, and what the guarantee keeps."""

import contextlib

import duckdb
import numpy as np
import yaml
from measuring import Row, median_seconds, peak_megabytes

from fairreport.analyses.gap_parameters import RateGaps
from fairreport.analyses.rate_gaps import judge_rules
from fairreport.audit.fairness import judge_fairness
from fairreport.tables.gap_tally import GapCell, GapTally
from fairreport.tables.source import open_table

CASES = """
    SELECT
        {identity}
        ['female', 'male'][1 + (h % 2)::INT] AS sex,
        ['under_30', '30_to_60', 'over_60'][1 + ((h >> 8) % 3)::INT] AS age_band,
        ((h >> 16) % 100 < 30)::INT AS label,
        CASE WHEN (h >> 24) % 50 = 0 THEN NULL ELSE ((h >> 32) % 100 < 30 + (h % 2) * 2)::INT END AS prediction
    FROM (SELECT i, hash(i) AS h FROM range({rows}) AS t(i))
"""
IDENTITY = "hash(i + 7) AS id, 'person ' || (h >> 3) AS person,"

FAIRNESS = {
    "cases": "",
    "label": "label",
    "prediction": "prediction",
    "attributes": {"sex": ["female", "male"], "age_band": ["under_30", "30_to_60", "over_60"]},
    "intersections": [["sex", "age_band"]],
    "rules": [
        {"id": "by-sex", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05},
        {"id": "crossed", "rate": "error", "attribute": ["sex", "age_band"], "max_group_gap": 0.1},
    ],
}

ALONE = """
import sys
from pathlib import Path
from fairreport.audit.fairness import judge_fairness
assert judge_fairness(Path(sys.argv[1])).tally.rows == 10_000_000
"""

REPEATED_ALONE = """
import sys
from fairreport.tables.source import open_table
assert open_table(sys.argv[1]).repeated(sys.argv[2]) is None
"""

ROWS = 10_000_000


def measure(place):
    plain = write(place.folder, "plain", identity="")
    whole = write(place.folder, "whole", identity=IDENTITY)
    connection = duckdb.connect()

    def seconds(sql):
        return median_seconds(lambda: connection.execute(sql).fetchall())

    yardstick = seconds(f"SELECT sex, age_band, label, prediction, count(*) FROM '{plain}' GROUP BY ALL")
    config = stated(plain)
    yield Row(
        what="rate gaps, 10 M Parquet rows, a crossing, no ids",
        measured=median_seconds(lambda: judge_fairness(config)),
        target=1.5 * yardstick + 0.3,
        yardstick=yardstick,
        yardstick_is="bare GROUP BY",
    )
    table = open_table(whole)
    for name, what in (("id", "numbers"), ("person", "texts")):
        distinct = seconds(f"SELECT count(DISTINCT {name}) FROM '{whole}'")
        yield Row(
            what=f"10 M {what}, each once",
            measured=median_seconds(lambda name=name: table.repeated(name)),
            target=0.6 * distinct,
            yardstick=distinct,
            yardstick_is="count(DISTINCT)",
        )
        peak = peak_megabytes(REPEATED_ALONE, whole, name)
        yield Row(what=f"peak memory, 10 M {what}, each once", measured=peak, target=500, unit="MB")
    config = stated(whole, unit="person")
    yield Row(
        what="peak memory, the whole answer with ids and persons",
        measured=peak_megabytes(ALONE, config),
        target=500,
        unit="MB",
    )
    missed = one_repeated(place.folder, whole)
    yield Row(what="repeated ids and persons that were not found, of 2", measured=missed, target=0, unit="")
    for level, groups in ((0.95, 2), (0.95, 6), (0.8, 4)):
        of_groups, of_gaps = outside(level, groups)
        _, pair_by_pair = outside(level, groups, interval="pairwise")
        yield Row(
            what=f"share of draws with a gap outside, pairwise, {level:.0%}, {groups} groups",
            measured=pair_by_pair,
            target=1.25 * (1 - level),  # score based: near the level it states, not above it for certain
            unit="",
        )
        for what, measured in (("group", of_groups), ("gap", of_gaps)):
            yield Row(
                what=f"share of draws with a {what} outside, {level:.0%}, {groups} groups",
                measured=measured,
                target=1 - level,
                unit="",
            )


def write(folder, name, identity):
    path = folder / f"cases-{name}-10M.parquet"
    if not path.exists():
        with duckdb.connect(config={"preserve_insertion_order": False, "memory_limit": "1GB"}) as connection:
            connection.execute(f"COPY ({CASES.format(identity=identity, rows=ROWS)}) TO '{path}' (FORMAT parquet)")
    return path


def stated(cases, **more):
    path = cases.with_suffix(".yaml")
    path.write_text(yaml.safe_dump({"fairness": FAIRNESS | {"cases": cases.name} | more}))
    return path


def one_repeated(folder, whole):
    """Return how often a value that stands in two of ten million rows is passed over."""
    path = folder / "cases-twice-10M.parquet"
    with duckdb.connect(config={"preserve_insertion_order": False, "memory_limit": "1GB"}) as connection:
        (wanted,) = connection.execute(f"SELECT id, person FROM '{whole}' LIMIT 1 OFFSET 7777777").fetchall()
        last = f"SELECT * FROM '{whole}' WHERE id = {wanted[0]}"
        connection.execute(f"COPY (SELECT * FROM '{whole}' UNION ALL {last}) TO '{path}' (FORMAT parquet)")
    table = open_table(path)
    missed = sum(table.repeated(name) != value for name, value in zip(("id", "person"), wanted, strict=True))
    with contextlib.suppress(OSError):
        path.unlink()
    return missed


def outside(level, groups, *, interval="simultaneous", draws=4000, seed=2026):
    """Return the shares of draws in which the bounds of some group, and of some gap, do not hold the truth.

    Groups of 20 to 400 cases with true rates from 0.02 to 0.5, none missing: missing predictions only widen.
    """
    rng = np.random.default_rng(seed)
    names = [f"g{i}" for i in range(groups)]
    test = RateGaps(
        label="y",
        prediction="p",
        attributes={"g": names},
        confidence_level=level,
        interval=interval,
        rules=[{"id": "r", "rate": "false_negative", "attribute": "g", "max_group_gap": 0.0, "max_left_out": 0}],
    )
    bad_groups = bad_gaps = 0
    for _ in range(draws):
        rates, sizes = rng.uniform(0.02, 0.5, groups), rng.integers(20, 401, groups)
        (found,) = judge_rules(test, _tally(names, rng.binomial(sizes, rates).tolist(), sizes.tolist()))
        true = dict(zip(names, rates, strict=True))
        bad_groups += any(not group.lower <= true[group.label] <= group.upper for group in found.groups)
        bad_gaps += any(not gap.diff_lower <= true[gap.a] - true[gap.b] <= gap.diff_upper for gap in found.gaps)
    return bad_groups / draws, bad_gaps / draws


def _tally(names, wrong, sizes):
    cells = tuple(
        GapCell(levels=(name,), undeclared=(False,), label=1, prediction=prediction, n=n)
        for name, k, size in zip(names, wrong, sizes, strict=True)
        for prediction, n in ((0, k), (1, size - k))
    )
    return GapTally(
        attributes=("g",), declared=(tuple(names),), label="y", prediction="p", rows=sum(sizes), cells=cells
    )
