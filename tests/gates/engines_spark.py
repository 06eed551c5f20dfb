"""A part of the worked cases over Spark on this machine, and over SQLFrame; what runs too long there is stopped there.

python engines_spark.py
"""

import itertools
import os
import sys
import tempfile
import time

import duckdb
import pandas as pd
from pyspark.sql import SparkSession, functions
from sqlframe.duckdb import DuckDBSession
from worked_cases import compare, disparity_cases, gap_cases, impact_cases, misleading_cases, to_text

from fairreport import Audit, DataError

EVERY = 6
"""Every so many-th case of disparity goes through Spark; a statement takes it a fifth of a second at least."""

PATIENCE = 60

SMALL = {"min_group_size": 1, "min_group_share": 0}
N = 160
NUMBERS = {"y": [int(i % 8 < 3) for i in range(N)], "v": [float(i * 37 % 101) / 7 for i in range(N)]}
TEXTS = ["a", "A", "it's", 'q"q', "a\\n", "\\", "${spark.app.name}", "x\ny"]
SPELLED = pd.DataFrame({"g": [TEXTS[i % len(TEXTS)] for i in range(N)], **NUMBERS})
NIGHT = pd.Timestamp("2024-10-27 00:30:00.123456+00:00")
INSTANTS = pd.DataFrame({"g": [NIGHT + pd.Timedelta(hours=i % 4) for i in range(N)], **NUMBERS})
"""Two of the instants are the same time of day in Oslo."""

ZONES = (
    ("Europe/Oslo", "UTC", "TIMESTAMP_LTZ"),
    ("UTC", "Europe/Oslo", "TIMESTAMP_NTZ"),
    ("America/New_York", "America/New_York", "TIMESTAMP_LTZ"),
)
"""The zones of a machine and of a session, and what the session takes TIMESTAMP for."""


def thinned(cases, every):
    return (case for place, case in enumerate(cases) if place % every == 0)


def spark_session():
    builder = SparkSession.builder.master("local[2]").appName("fairreport")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def every_role(data):
    audit = Audit(data).outcome_disparity("g", "y", 1, **SMALL).score_disparity("g", "v", **SMALL)
    audit.outcome_disparity("y", "g", ["a", "it's", str(NIGHT), str(NIGHT.tz_localize(None))], **SMALL)
    audit.metric_parity("g", "mean", value_column="v", higher_is_better=True, **SMALL)
    return audit.run().to_dict()["results"]


def spelled_texts(spark):
    """Read texts of a collation, and texts that Spark would read otherwise by its settings."""
    first = spark.version.split(".")[0]
    if int(first) >= 4:  # Spark 3 has none
        spark.createDataFrame(SPELLED).createOrReplaceTempView("spelled")
        collated = spark.sql("SELECT g COLLATE UTF8_LCASE AS g, y, v FROM spelled")
        compare("spark", lambda _: collated, [("UTF8_LCASE", SPELLED, every_role)], "collations")
    for setting in ("false", "true"):
        spark.conf.set("spark.sql.parser.escapedStringLiterals", setting)
        compare("spark", spark.createDataFrame, [("spellings", SPELLED, every_role)], f"literals, escaped: {setting}")
    spark.conf.unset("spark.sql.parser.escapedStringLiterals")


def instants(spark):
    """Read instants of the night in which clocks are set back, on machines and in sessions of several zones."""
    night = spark.createDataFrame(INSTANTS.assign(g=INSTANTS["g"].map(str)), "g string, y long, v double")
    zoned = night.selectExpr("CAST(g AS TIMESTAMP_LTZ) AS g", "y", "v")
    wall = night.selectExpr("CAST(left(g, 26) AS TIMESTAMP_NTZ) AS g", "y", "v")
    walls = INSTANTS.assign(g=INSTANTS["g"].dt.tz_localize(None))
    for machine, session, kind in ZONES:
        os.environ["TZ"] = machine
        time.tzset()
        spark.conf.set("spark.sql.session.timeZone", session)
        spark.conf.set("spark.sql.timestampType", kind)
        what = f"on a machine in {machine}, session in {session}, {kind}"
        compare("spark", lambda _: zoned, [("instants", INSTANTS, every_role)], f"instants {what}")
        compare("spark", lambda _: wall, [("wall clocks", walls, every_role)], f"wall clocks {what}")


def stopped_in_time(spark):
    """Audit a frame whose rows take minutes, in two seconds; no job is left."""
    wait = functions.udf(lambda i: time.sleep(1) or i % 2, "long")
    slow = spark.range(0, 600).withColumn("g", wait("id")).withColumn("y", functions.col("id") % 3)
    os.environ["FAIRREPORT_ENGINE_TIMEOUT"] = "2"
    try:
        Audit(slow).outcome_disparity("g", "y", 1).run()
    except DataError as error:
        said = str(error)
    else:
        sys.exit("spark: a statement that takes minutes was not stopped")
    finally:
        del os.environ["FAIRREPORT_ENGINE_TIMEOUT"]
    end = time.monotonic() + PATIENCE
    while spark.sparkContext.statusTracker().getActiveJobsIds():
        if time.monotonic() > end:
            sys.exit("spark: a job goes on although nobody waits for it")
        time.sleep(0.1)
    print(f"spark: {said}; no job is left", flush=True)


def main():
    spark = spark_session()
    print(f"spark {spark.version}", flush=True)
    compare("spark", spark.createDataFrame, thinned(disparity_cases(), EVERY), "disparity")
    compare("spark", spark.createDataFrame, thinned(gap_cases(), 7), "rate gaps")
    compare("spark", spark.createDataFrame, thinned(impact_cases(), 20), "adverse impact")
    compare("spark", spark.createDataFrame, thinned(misleading_cases(), 2), "rows that mislead")
    spelled_texts(spark)
    instants(spark)
    stopped_in_time(spark)
    spark.stop()
    sqlframe()


def sqlframe():
    connection = duckdb.connect()
    session = DuckDBSession(conn=connection)
    names = (f"cases{i}" for i in itertools.count())

    def make(table):
        name = next(names)
        connection.register("arrived", table)
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM arrived")
        return session.table(name)

    compare("sqlframe over duckdb", make, disparity_cases(), "disparity")
    odd_names(session)
    connection.execute("SET TimeZone = 'America/New_York'")
    compare("sqlframe over duckdb", make, [("instants", INSTANTS, every_role)], "instants")
    connection.execute("SET default_collation = 'nocase'")
    compare("sqlframe over duckdb", make, [("spellings", SPELLED, every_role)], "spellings")


def odd_names(session):
    """Read a Parquet file whose names need quotes; a SQLFrame frame tells them in backticks in its schema."""
    columns = {"my group": ["F", "M"] * 100, "pct-x": [1, 0, 0, 1] * 50, 'q"t': [0.5, 1.5, 2.5, 3.5] * 50}
    frame = pd.DataFrame(columns)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/odd.parquet"
        frame.to_parquet(path)

        def results(data):
            audit = Audit(data).outcome_disparity("my group", "pct-x", 1).score_disparity("my group", 'q"t')
            return to_text(audit.run().to_dict()["results"])

        if results(session.read.parquet(path)) != results(frame):
            sys.exit("sqlframe over duckdb: names that need quotes give other bytes")
    print("sqlframe over duckdb: names that need quotes: the same bytes", flush=True)


if __name__ == "__main__":
    main()
