"""Every statement of an audit sees the rows of one moment, whoever writes meanwhile."""

import sqlite3
from contextlib import nullcontext

import ibis
import numpy as np
import pandas as pd
import pytest

from fairreport import Audit, DataError
from fairreport.tables.sql_engine_ibis import IbisEngine
from fairreport.tables.sql_engines import Remote
from fairreport.tables.sql_limits import Limits, LostError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # ibis 12 reads schemas in DuckDB's old way
SMALL = {"min_group_size": 1, "min_group_share": 0}
CREATE = "CREATE TABLE people (g VARCHAR(9), y INTEGER, v DOUBLE PRECISION)"


def frame():
    rng = np.random.default_rng(3)
    n = 400
    return pd.DataFrame({"g": rng.choice(["a", "b"], n), "y": rng.integers(0, 2, n), "v": rng.random(n)})


def every_kind(data):
    audit = Audit(data).outcome_disparity("g", "y", 1, **SMALL).score_disparity("g", "v", **SMALL)
    audit.metric_parity("g", ["mean", "p95"], value_column="v", higher_is_better=True, **SMALL)
    return audit.metric_parity("g", "auc", score_column="v", ground_truth_column="y", positive_values=[1], **SMALL)


def duckdb_table(folder):
    backend = ibis.duckdb.connect(folder / "live.duckdb")
    return backend, backend.con.cursor()


def sqlite_table(folder):
    writer = sqlite3.connect(folder / "live.db", isolation_level=None)
    writer.execute("PRAGMA journal_mode=WAL")
    return ibis.sqlite.connect(folder / "live.db"), writer


@pytest.fixture(params=[duckdb_table, sqlite_table])
def live(request, tmp_path):
    """A table of a database, and what writes into it from another connection."""
    backend, writer = request.param(tmp_path)
    write = writer.execute
    write(CREATE)
    for row in frame().itertuples(index=False):
        write(f"INSERT INTO people VALUES ('{row.g}', {row.y}, {row.v!r})")
    yield backend, write
    writer.close()
    backend.disconnect()


@pytest.fixture
def between(monkeypatch):
    """Let something happen before every statement but the first."""

    def happens(what):
        made, asked = Remote.statement, []

        def statement(self, *args):
            if asked:
                what()
            asked.append(args)
            return made(self, *args)

        monkeypatch.setattr(Remote, "statement", statement)
        return asked

    return happens


def test_rows_that_come_meanwhile_are_in_no_test(live, between):
    backend, write = live
    asked = between(lambda: write("INSERT INTO people VALUES ('a', 1, 0.99), ('c', 0, 0.01)"))
    found = every_kind(backend.table("people")).run().to_dict()["results"]
    assert len(asked) > 3
    assert found == every_kind(frame()).run().to_dict()["results"]
    (n,) = write("SELECT count(*) FROM people").fetchone()
    assert n == 400 + 2 * (len(asked) - 1)


def test_rows_that_change_where_no_moment_can_be_had_are_refused(live, between, monkeypatch):
    backend, write = live
    monkeypatch.setattr(IbisEngine, "at_one_moment", lambda _: nullcontext())
    between(lambda: write("INSERT INTO people VALUES ('a', 1, 0.99)"))
    message = r"^the rows changed while they were read: group 'a' had \d+ of them at first, and \d+ later"
    audit = Audit(backend.table("people"))
    for add in (
        lambda: audit.metric_parity("g", "mean", value_column="v", higher_is_better=True, **SMALL),
        lambda: audit.metric_parity("g", "p95", value_column="v", higher_is_better=True, **SMALL),
        lambda: audit.metric_parity(
            "g", "auc", score_column="v", ground_truth_column="y", positive_values=[1], **SMALL
        ),
    ):
        with pytest.raises(DataError, match=message):
            add().run()


def test_a_transaction_of_the_user_is_left_open(live):
    backend, _ = live
    table = backend.table("people")  # which ends a transaction of SQLite's
    backend.con.execute("BEGIN")
    backend.con.execute("INSERT INTO people VALUES ('c', 1, 0.5)")
    found = every_kind(table).run().to_dict()["results"]
    assert sum(group["n"] for group in found[0]["evidence"]["groups"]) == 401
    backend.con.execute("ROLLBACK")
    assert backend.con.execute("SELECT count(*) FROM people").fetchone() == (400,)


def test_a_run_that_fails_leaves_no_transaction(live, between):
    backend, write = live

    def fail():
        raise DataError("stopped")

    between(fail)
    with pytest.raises(DataError, match="stopped"):
        every_kind(backend.table("people")).run()
    write("INSERT INTO people VALUES ('c', 1, 0.5)")
    assert backend.con.execute("SELECT count(*) FROM people").fetchone() == (401,)


class OperationalError(Exception):
    """What drivers raise when a connection is lost."""


class Server:
    """PostgreSQL, as far as an engine sees it: statements that give one row, or lose the connection."""

    name = "postgres"

    def __init__(self, *lost):
        self.lost = list(lost)
        self.renewed = 0
        self.log = []
        self.con = Connection(self)

    def reconnect(self):
        self.renewed += 1
        self.con = Connection(self)


class Connection:
    closed = False

    def __init__(self, server):
        self.server = server
        self.info = type("Info", (), {"transaction_status": 0})()

    def transaction(self, *, force_rollback=False):
        return Scope(self.server.log, "end" if force_rollback else "commit")

    def execute(self, sql):
        self.server.log.append(sql)

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def stream(self, sql):
        if self.server.lost.pop(0):
            self.closed = True
            raise OperationalError("gone")
        yield (sql,)


class Scope:
    def __init__(self, log, ends):
        self.log = log
        self.ends = ends

    def __enter__(self):
        self.log.append("begin")

    def __exit__(self, *error):
        self.log.append("rollback" if error[0] else self.ends)
        return False


def engine_of(server):
    table = type("Table", (), {"get_backend": lambda _: server})()
    return IbisEngine(table, Limits(seconds=None))


def test_a_connection_that_is_lost_takes_its_moment_with_it():
    server = Server(False, True)
    engine = engine_of(server)
    with engine.at_one_moment():
        assert list(engine.batches("first")) == [[("first",)]]
        with pytest.raises(LostError, match=r"^postgres gave no answer: gone$"):
            list(engine.batches("second"))
    assert server.renewed == 0
    assert server.log[:2] == ["begin", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"]
    assert [it for it in server.log if not it.startswith("SET")] == [
        "begin",
        *("begin", "commit"),  # what a server may not know, by itself
        *("begin", "commit"),
        *("begin", "rollback"),
        "end",
    ]
    server.lost = [False]
    with engine.at_one_moment():
        assert list(engine.batches("again")) == [[("again",)]]
    assert server.renewed == 1


def test_a_transaction_that_failed_before_is_named():
    server = Server()
    engine = engine_of(server)
    server.con.info.transaction_status = 3  # libpq's PQTRANS_INERROR
    with pytest.raises(DataError, match="an earlier statement failed in the open transaction"), engine.at_one_moment():
        pass
    assert server.log == []


def test_first_rows_are_read_by_one_process():
    server = Server(False, False)
    engine = engine_of(server)
    with engine.at_one_moment():
        list(engine.batches("SELECT count(*) FROM (SELECT * FROM fr_source LIMIT 11) AS r"))
        list(engine.batches("SELECT count(*) FROM fr_source"))
    assert server.log.count("SET LOCAL max_parallel_workers_per_gather = 0") == 1
    at = server.log.index("SET LOCAL max_parallel_workers_per_gather = 0")
    assert server.log[at - 1 : at + 2] == ["begin", server.log[at], "end"]  # taken back with its part
