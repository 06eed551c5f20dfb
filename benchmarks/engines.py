"""Rows in an engine: what an audit adds to the bare statement, in DuckDB, PostgreSQL and Spark.

PostgreSQL is measured where FAIRREPORT_BENCH_POSTGRES holds the address of a database that may be written to, Spark
where pyspark is installed; what is not there is said.
"""

import os

import ibis
import pyarrow.parquet as pq
from made_up import write_parquet
from measuring import Row, median_seconds, peak_megabytes

from fairreport import Audit

ROWS = 1_000_000
VALUE = {"value_column": "score", "higher_is_better": True}
LABELS = {"ground_truth_column": "selected", "positive_values": 1}

TESTS = {
    "outcome": (
        lambda audit: audit.outcome_disparity("race", "selected", 1),
        "SELECT race, selected, count(*) FROM {t} GROUP BY race, selected",
    ),
    "mean": (
        lambda audit: audit.metric_parity("race", "mean", **VALUE),
        "SELECT race, count(score), avg(score), var_samp(score) FROM {t} GROUP BY race",
    ),
    "brier": (
        lambda audit: audit.metric_parity("race", "brier", probability_column="score", **LABELS),
        "SELECT race, avg((score - selected) * (score - selected)), "
        "var_samp((score - selected) * (score - selected)) FROM {t} GROUP BY race",
    ),
}

LARGE = """
import sys
from fairreport import Audit
value = {"value_column": "score", "higher_is_better": True}
labels = {"ground_truth_column": "selected", "positive_values": 1}
audit = Audit(sys.argv[1])
for attribute in ("race", "sex", ["race", "sex"]):
    audit.outcome_disparity(attribute, "selected", 1)
audit.metric_parity("race", ["mean", "median", "p95"], **value)
audit.metric_parity("race", "brier", probability_column="score", **labels)
audit.metric_parity("race", "npv", prediction_column="selected", **labels)
audit.metric_parity("race", "auc", score_column="score", **labels)
audit.score_disparity("race", "score")
audit.run().to_json()
"""


def measure(place):
    path = write_parquet(place.folder / f"people-{ROWS}.parquet", ROWS)
    yield from _compared("DuckDB", _duckdb(path), most=0.1)
    if "FAIRREPORT_BENCH_POSTGRES" in os.environ:
        yield from _compared("PostgreSQL", _postgres(path), most=0.1)
    else:
        print("  no PostgreSQL: FAIRREPORT_BENCH_POSTGRES is not set")
    try:
        import pyspark  # noqa: F401, PLC0415
    except ImportError:
        print("  no Spark: pyspark is not installed")
    else:
        yield from _compared("Spark", _spark(path), times=1.2)
    if place.is_large:
        path = write_parquet(place.folder / "people-100M.parquet", 100_000_000)
        yield Row(
            what="10 tests over 100 M Parquet rows, peak", measured=peak_megabytes(LARGE, path), target=1500, unit="MB"
        )


def _compared(name, held, *, most=0.0, times=1.0):
    table, ask, named = held
    for kind, (add, sql) in TESTS.items():
        statement = sql.format(t=named)
        bare = median_seconds(lambda statement=statement: ask(statement))
        yield Row(
            what=f"{kind}, 1 M rows in {name}",
            measured=median_seconds(lambda add=add: add(Audit(table)).run()),
            target=times * bare + most,
            yardstick=bare,
            yardstick_is="the bare GROUP BY",
        )


def _duckdb(path):
    connection = ibis.duckdb.connect(str(path.with_suffix(".duckdb")))
    connection.create_table("people", pq.read_table(path), overwrite=True)
    return connection.table("people"), lambda sql: connection.con.execute(sql).fetchall(), "people"


def _postgres(path):
    connection = ibis.connect(os.environ["FAIRREPORT_BENCH_POSTGRES"])
    connection.create_table("fairreport_bench", pq.read_table(path), overwrite=True)
    connection.con.execute("ANALYZE fairreport_bench")
    ask = connection.con.execute
    return connection.table("fairreport_bench"), lambda sql: ask(sql).fetchall(), "fairreport_bench"


def _spark(path):
    from pyspark.sql import SparkSession  # noqa: PLC0415

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    frame = session.read.parquet(str(path)).cache()
    frame.count()
    frame.createOrReplaceTempView("people")
    return frame, lambda sql: session.sql(sql).collect(), "people"
