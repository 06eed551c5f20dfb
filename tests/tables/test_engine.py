"""One engine a process: connections apart from each other, children with an engine of their own."""

import subprocess
import sys

import pandas as pd

from fairreport.tables.duckdb_engine import connect

FORKED = """
import os, sys
import fairreport as fr

def mean(shift):
    table = {"g": ["A", "B"] * 100_000, "x": [i % 7 + shift for i in range(200_000)]}
    return fr.metric_parity(table, "g", "mean", value_column="x", higher_is_better=True).to_dict()["overall_value"]

before = mean(0)
child = os.fork()
if not child:
    print(mean(1) - before > 0.99, flush=True)
    sys.exit(0)  # ends what it holds, the engine of the parent not among it
print(os.waitpid(child, 0)[1], mean(0) == before)
"""


def test_what_is_registered_is_seen_by_its_connection_only():
    first, second = connect(), connect()
    first.register("fr_frame", pd.DataFrame({"x": [1, 2]}))
    second.register("fr_frame", pd.DataFrame({"x": [3]}))
    assert first.execute("SELECT x FROM fr_frame").fetchall() == [(1,), (2,)]
    assert second.sql("SELECT x FROM fr_frame").fetchnumpy()["x"].tolist() == [3]


def test_a_forked_child_audits_and_ends():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["True", "0 True"]
