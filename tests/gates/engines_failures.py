"""What is left when a server dies, a connection drops, time runs out or somebody stops: nothing half done.

    python engines_failures.py URL SERVER

SERVER is a script that takes start, stop and kill.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg

SLOW = "(SELECT pg_sleep({seconds}) OFFSET 0) AS waited"
CONFIG = """
audit: {{title: Slow, data: {{url: "{url}", table: {table}}}}}
tests:
  - outcome_disparity: {{protected_attribute_columns: [g], outcome_column: y, favorable_values: [1]}}
"""
PATIENCE = 60
ran = []


class Gate:
    """A server, and a folder for what a run writes."""

    def __init__(self, url, server, folder):
        self.url, self.server, self.folder = url, server, folder
        self.out = folder / "out"

    def control(self, word):
        """Start, stop or kill the server; after a kill its processes take a moment to notice."""
        command = ["bash", self.server, word]
        until(lambda: subprocess.run(command, timeout=PATIENCE, capture_output=True, check=False).returncode == 0, word)

    def ask(self, sql):
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(sql).fetchall() if sql.startswith("SELECT") else connection.execute(sql)

    def waiting(self):
        """Return the processes of the server in which a statement of ours runs."""
        found = self.ask("SELECT pid FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep'")
        return [pid for (pid,) in found]

    def start(self, table, **environment):
        """Start a run over a table that takes its time; return once the server is at it."""
        config = self.folder / "audit.yaml"
        config.write_text(CONFIG.format(url=self.url, table=table), encoding="utf-8")
        command = [sys.executable, "-m", "fairreport", "run", str(config)]
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        for kind in ("json", "html", "csv"):
            command += [f"--{kind}", str(self.out / kind)]
        run = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        until(lambda: run.poll() is not None or self.waiting(), "the statement to run")
        if run.poll() is not None:
            sys.exit(f"the run ended before the server was at it:\n{run.stderr.read()}")
        return run

    def written(self):
        return sorted(path.name for path in self.out.iterdir())

    def finish(self, run, code):
        """Wait for a run that must end with a code, one line and no file; return what it said."""
        _, said = run.communicate(timeout=PATIENCE)
        lines = said.strip().splitlines()
        wanted = (run.returncode == code, "Traceback" not in said, len(lines) == 1, self.written() == [])
        if not all(wanted):
            sys.exit(f"wanted exit code {code}, one line and no file; got {run.returncode}, {self.written()}:\n{said}")
        return lines[0]


def until(holds, what):
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"waited in vain for {what}")
        time.sleep(0.05)


def told(what, line):
    ran.append(what)
    print(f"{what}: {line}", flush=True)


def server_dies(gate):
    for word in ("kill", "stop"):
        run = gate.start("slow_for_long")
        gate.control(word)
        told(f"the server dies ({word})", gate.finish(run, 2))
        gate.control("start")


def connection_drops(gate):
    run = gate.start("slow")
    (pid,) = gate.waiting()
    gate.ask(f"SELECT pg_terminate_backend({pid})")
    _, said = run.communicate(timeout=PATIENCE)
    if run.returncode not in (0, 1) or not {"csv", "html", "json"} <= {*gate.written()}:
        sys.exit(f"the run did not ask again: {run.returncode}, {gate.written()}:\n{said}")
    told("the connection drops before a row came", f"asked once more, exit code {run.returncode}")


def time_runs_out(gate):
    run = gate.start("slow_for_long", FAIRREPORT_ENGINE_TIMEOUT="2")
    line = gate.finish(run, 2)
    if "FAIRREPORT_ENGINE_TIMEOUT" not in line:
        sys.exit(f"the line does not say how long it may take: {line}")
    until(lambda: not gate.waiting(), "the statement to end in the server")
    told("time runs out", line)


def somebody_stops(gate):
    run = gate.start("slow_for_long")
    run.send_signal(signal.SIGINT)
    line = gate.finish(run, 130)
    until(lambda: not gate.waiting(), "the statement to end in the server")
    told("somebody stops the run", line)


def process_dies(gate):
    for name in (signal.SIGTERM, signal.SIGKILL):
        run = gate.start("slow_for_long")
        run.send_signal(name)
        run.communicate(timeout=PATIENCE)
        until(lambda: not gate.waiting(), "the statement to end in the server")
        if gate.written():
            sys.exit(f"a run that was ended left {gate.written()}")
        told(f"the process dies ({name.name})", "no statement and no file is left")


def main(url, server):
    with tempfile.TemporaryDirectory() as folder:
        gate = Gate(url, server, Path(folder))
        gate.ask("CREATE TABLE quick AS SELECT CASE WHEN i % 2 = 0 THEN 'F' ELSE 'M' END AS g, i % 3 / 2 AS y "
                 "FROM generate_series(1, 300) AS s(i)")  # fmt: skip
        for name, seconds in (("slow", 3), ("slow_for_long", 600)):
            gate.ask(f"CREATE VIEW {name} AS SELECT g, y FROM quick, {SLOW.format(seconds=seconds)}")
        for part in (server_dies, connection_drops, time_runs_out, somebody_stops, process_dies):
            part(gate)
    print(f"what goes wrong: {len(ran)} of {len(ran)} end as they should")


if __name__ == "__main__":
    main(*sys.argv[1:3])
