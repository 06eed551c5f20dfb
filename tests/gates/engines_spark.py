"""A part of the worked cases over Spark on this machine, and over SQLFrame; what runs too long there is stopped there.

python engines_spark.py
"""

import itertools
import os
import sys
import time

import duckdb
from pyspark.sql import SparkSession, functions
from sqlframe.duckdb import DuckDBSession
from worked_cases import compare, disparity_cases, gap_cases, impact_cases

from fairreport import Audit, DataError

EVERY = 6
"""Every so many-th case of disparity goes through Spark; a statement takes it a fifth of a second at least."""

PATIENCE = 60


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


if __name__ == "__main__":
    main()
