"""Statements that take too long, that somebody stops, and connections that drop."""

import subprocess
import sys
import warnings

import ibis
import pytest

from fairreport import Audit, DataError
from fairreport.tables import sql_engine_ibis
from fairreport.tables.sql_engine_ibis import IbisEngine
from fairreport.tables.sql_limits import TIMEOUT, Limits, OutOfRangeError, VanishedError, engine_error, heard

ENDLESS = {
    "duckdb": "CREATE VIEW endless AS SELECT range % 2 AS g, 1 AS o FROM range(100000000000000)",
    "sqlite": (
        "CREATE VIEW endless AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) "
        "SELECT i % 2 AS g, 1 AS o FROM c"
    ),
}
INTERRUPTED = """
import os, signal, sys, threading
import ibis
from fairreport import Audit
backend = getattr(ibis, sys.argv[1]).connect()
backend.raw_sql(sys.argv[2])
audit = Audit(backend.table("endless")).outcome_disparity("g", "o", 1)
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    audit.run()
except KeyboardInterrupt:
    print(backend.raw_sql("SELECT 1").fetchall())
"""


@pytest.fixture(params=ENDLESS)
def endless(request):
    backend = getattr(ibis, request.param).connect()
    backend.raw_sql(ENDLESS[request.param])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ibis 12 reads schemas in DuckDB's old way
        yield backend.table("endless")
    backend.disconnect()


def test_a_statement_that_takes_too_long_is_stopped(endless, monkeypatch):
    monkeypatch.setenv(TIMEOUT, "0.2")
    audit = Audit(endless).outcome_disparity("g", "o", 1)
    with pytest.raises(DataError, match=r"^\w+ took longer than 0\.2 s, and its statement was stopped \(FAIRREPORT_"):
        audit.run()
    assert [tuple(row) for row in endless.get_backend().raw_sql("SELECT 1").fetchall()] == [(1,)]  # nothing runs on


@pytest.mark.parametrize("name", ENDLESS)
def test_who_stops_a_run_stops_the_statement(name):
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, name, ENDLESS[name]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stdout.strip() == "[(1,)]", run.stderr


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan"])
def test_how_long_must_be_a_number(text, monkeypatch):
    monkeypatch.setenv(TIMEOUT, text)
    with pytest.raises(DataError, match=f"^{TIMEOUT} must be seconds above 0, got '{text}'$"):
        Limits()


def test_an_error_is_one_line():
    assert str(engine_error("postgres", ValueError("first\nsecond"))) == "postgres gave no answer: first"
    assert str(engine_error("postgres", ValueError())) == "postgres gave no answer: ValueError"
    assert len(str(engine_error("postgres", ValueError("x" * 5000)))) < 400


def test_work_in_a_thread_hands_over_what_it_gives_and_raises():
    assert heard(lambda: 7, lambda: None) == 7
    with pytest.raises(ZeroDivisionError):
        heard(lambda: 1 / 0, lambda: None)


class OperationalError(Exception):
    """What drivers raise when a connection is lost."""


class QueryCanceled(OperationalError):
    """What a driver raises when an administrator cancels a statement."""


class Cursor:
    def __init__(self, answers):
        self._answers = answers

    def fetchmany(self, _):
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        pass


class Backend:
    """A server whose answers are given beforehand."""

    name = "trino"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = self.renewed = 0

    def raw_sql(self, _):
        self.asked += 1
        return Cursor(self.answers)

    def reconnect(self):
        self.renewed += 1


def rows_of(backend):
    table = type("Table", (), {"get_backend": lambda _: backend})()
    engine = IbisEngine(table, Limits(seconds=None))
    return [row for batch in engine.batches("SELECT 1") for row in batch]


def test_a_connection_that_drops_before_a_row_came_is_renewed_once():
    backend = Backend(OperationalError("gone"), [(1,)], [])
    assert rows_of(backend) == [(1,)]
    assert (backend.asked, backend.renewed) == (2, 1)
    backend = Backend(OperationalError("gone"), OperationalError("gone again"))
    with pytest.raises(DataError, match=r"^trino gave no answer: gone again$"):
        rows_of(backend)
    assert (backend.asked, backend.renewed) == (2, 1)


@pytest.mark.parametrize(
    "answers", [([(1,)], OperationalError("gone")), (QueryCanceled("by an administrator"),), (ValueError("no column"),)]
)
def test_nothing_else_is_asked_twice(answers):
    backend = Backend(*answers)
    with pytest.raises(DataError):
        rows_of(backend)
    assert (backend.asked, backend.renewed) == (1, 0)


@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
def test_a_database_of_this_process_is_never_opened_anew(name):
    """It would be empty, were it in memory."""
    assert name in sql_engine_ibis._HERE
    backend = Backend(OperationalError("disk I/O error"))
    backend.name = name
    backend.con = type("Connection", (), {"set_progress_handler": lambda *_: None, "interrupt": lambda _: None})()
    with pytest.raises(DataError, match="disk"):
        rows_of(backend)
    assert backend.renewed == 0


def test_a_product_that_vanishes_is_told_apart():
    assert isinstance(engine_error("postgres", ValueError("value out of range: underflow")), VanishedError)


@pytest.mark.parametrize(
    ("said", "may_be_too_small"),
    [
        ("value out of range: underflow", True),
        ("value out of range: overflow", False),
        ("bigint out of range", False),
        ("Wert ist außerhalb des gültigen Bereichs: Unterlauf", True),
    ],
)
def test_servers_of_other_languages_are_asked_with_guards(said, may_be_too_small):
    error = engine_error("postgres", type("NumericValueOutOfRange", (Exception,), {})(said))
    assert isinstance(error, OutOfRangeError)
    assert isinstance(error, VanishedError) is may_be_too_small
