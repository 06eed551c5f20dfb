"""Scores and metrics on a Parquet file against the statements and sorts that they cannot do without."""

import duckdb
import numpy as np
from made_up import write_parquet
from measuring import Row, median_seconds, peak_megabytes

import fairreport as fr

MEDIANS = """
import sys
import fairreport as fr
result = fr.score_disparity(sys.argv[1], "race", "score")
assert len(result.to_dict()["groups"]) == 6
"""

AUC = """
import sys
import fairreport as fr
labels = {"ground_truth_column": "selected", "positive_values": 1}
result = fr.metric_parity(sys.argv[1], "race", "auc", score_column="score", **labels)
assert len(result.to_dict()["groups"]) == 6
"""

LABELS = {"ground_truth_column": "selected", "positive_values": 1}
GIVEN = (
    "greatest(least(CASE WHEN selected = 1 THEN score ELSE 1 - score END, 1 - 2.220446049250313e-16), "
    "2.220446049250313e-16)"
)
LOSSES = {
    "log_loss": (f"-ln({GIVEN})", {"probability_column": "score"} | LABELS),
    "brier": ("(score - selected) * (score - selected)", {"probability_column": "score"} | LABELS),
    "mae": ("abs(score - selected)", {"prediction_column": "score", "ground_truth_column": "selected"}),
}


def measure(place):
    path = write_parquet(place.folder / "people-10M.parquet", 10_000_000)
    connection = duckdb.connect()
    yield from _medians(connection, path)
    yield from _auc(connection, path)
    yield from _losses(connection, path)
    if place.is_large:
        large = write_parquet(place.folder / "people-100M.parquet", 100_000_000)
        yield Row(
            what="medians, peak memory, 100 M rows", measured=peak_megabytes(MEDIANS, large), target=1000, unit="MB"
        )
        yield Row(what="AUC, peak memory, 100 M rows", measured=peak_megabytes(AUC, large), target=3000, unit="MB")


def _medians(connection, path):
    def bare():
        connection.execute(f"SELECT quantile_cont(score, 0.5) FROM '{path}'").fetchall()
        connection.execute(f"SELECT race, quantile_cont(score, 0.5) FROM '{path}' GROUP BY race").fetchall()

    yardstick = median_seconds(bare)
    for what, whole in (
        ("median by group", lambda: _metric(path, "median", value_column="score", higher_is_better=True)),
        ("score test (medians, rates, means, deviations)", lambda: fr.score_disparity(path, "race", "score").to_dict()),
    ):
        yield Row(
            what=f"{what}, 10 M Parquet rows",
            measured=median_seconds(whole),
            target=1.2 * yardstick,
            yardstick=yardstick,
            yardstick_is="two quantile_cont statements",
        )
    yield Row(what="score test, peak memory, 10 M rows", measured=peak_megabytes(MEDIANS, path), target=500, unit="MB")


def _auc(connection, path):
    def bare():
        fetched = connection.execute(f"SELECT score, selected FROM '{path}'").fetchnumpy()
        np.sort(fetched["score"])

    yardstick = median_seconds(bare)
    yield Row(
        what="AUC by group, 10 M Parquet rows",
        measured=median_seconds(lambda: _metric(path, "auc", score_column="score", **LABELS)),
        target=2 * yardstick,
        yardstick=yardstick,
        yardstick_is="fetch and numpy sort",
    )
    yield Row(what="AUC, peak memory, 10 M rows", measured=peak_megabytes(AUC, path), target=500, unit="MB")


def _losses(connection, path):
    for metric, (expression, parameters) in LOSSES.items():
        values = f"SELECT race, {expression} AS x FROM '{path}'"
        sql = f"SELECT race, count(x), avg(x), var_samp(x) FROM ({values}) GROUP BY race"
        yardstick = median_seconds(lambda sql=sql: connection.execute(sql).fetchall())
        found = []

        def whole(metric=metric, parameters=parameters, found=found):
            result = fr.metric_parity(path, "race", metric, **parameters)
            result.to_dict()
            found.append(result)

        yield Row(
            what=f"{metric} by group, 10 M Parquet rows, exact sums",
            measured=median_seconds(whole),
            target=1.3 * yardstick,
            yardstick=yardstick,
            yardstick_is="one DuckDB aggregation",
        )
        if len({result.to_json() for result in found}) != 1:
            raise RuntimeError(f"{metric} gave several documents")


def _metric(path, metric, **parameters):
    return fr.metric_parity(path, "race", metric, **parameters).to_dict()
