"""The history: what is kept of a run, what a re-run does, and what is said where it cannot be kept."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import duckdb
import pytest

import fairreport as fr
from fairreport.audit.window import WindowRecord
from fairreport.errors import ConfigError, DataError, ExtraMissingError
from fairreport.report.history import History
from fairreport.report.history_key import audit_id_of
from fairreport.report.packet_id import packet_id_of
from fairreport.tables import history_schema

FIRST = datetime(2026, 3, 2, tzinfo=UTC)


def window(week, *, days=7, rows=90):
    start = FIRST + timedelta(days=days * week)
    ends = [moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (start, start + timedelta(days=days))]
    return WindowRecord(
        start=ends[0],
        end=ends[1],
        length_seconds=days * 86_400,
        delay_seconds=0,
        column="decided",
        timezone="UTC",
        rows_within=rows,
        rows_before=0,
        rows_after=0,
        rows_without_time=0,
    )


def run_of(favorable=30, *, week=0, windowed=True, **audit):
    """Return a run of 50 women and 40 men, of whom 30 are hired."""
    rows = {"sex": ["F"] * 50 + ["M"] * 40, "hired": [1] * favorable + [0] * (50 - favorable) + [1] * 30 + [0] * 10}
    run = fr.Audit(rows, title="Hiring", **audit).outcome_disparity("sex", "hired", 1, name="by sex").run()
    if windowed:
        run.record = replace(run.record, data=replace(run.record.data, window=window(week)))
    return run


@pytest.fixture(params=["duckdb", "sqlite"])
def place(request, tmp_path):
    return tmp_path / "audits.duckdb" if request.param == "duckdb" else f"sqlite:///{tmp_path}/audits.sqlite"


# --- what is kept ----------------------------------------------------------------------------------------


def test_a_run_is_kept_whole(place):
    run = run_of()
    history = History(place)
    assert history.append(run, "hiring").added == ("by sex",)
    (entry,) = history.entries("hiring")
    assert (entry.window_start, entry.window_end) == ("2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z")
    assert entry.entry == json.loads(run.to_json())["results"][0]
    assert entry.measurements["minImpactRatio"] == 0.8
    assert entry.status == "passing"
    assert entry.data_fingerprint == run.record.data.fingerprint
    assert entry.packet_id == packet_id_of(run.to_dict()) == fr.Report(run).packet_id
    assert entry.window == window(0)
    assert entry.created is None
    assert entry.versions["fairreport"] == fr.__version__


def test_windows_come_back_in_the_order_of_time(place):
    history = History(place)
    for week in (2, 0, 1):
        history.append(run_of(week=week), "hiring")
    assert history.windows("hiring") == (window(0), window(1), window(2))


def test_the_same_run_again_changes_nothing(place):
    history = History(place)
    history.append(run_of(), "hiring")
    again = history.append(run_of(), "hiring")
    assert again.unchanged == ("by sex",)
    assert again.sentence.endswith("1 the same as before")
    assert len(history.entries(superseded=True)) == 1


def test_the_date_of_a_re_run_makes_it_no_other(place):
    history = History(place)
    history.append(run_of(as_of="2026-03-10"), "hiring")
    assert history.append(run_of(as_of="2026-03-17"), "hiring").unchanged == ("by sex",)


def test_a_re_run_replaces_and_keeps_the_earlier(place):
    history = History(place)
    history.append(run_of(30), "hiring")
    again = history.append(run_of(20), "hiring")
    assert again.replaced == ("by sex",)
    assert "kept as superseded" in again.sentence
    (present,) = history.entries("hiring")
    assert (present.revision, present.measurements["minImpactRatio"]) == (2, pytest.approx(20 / 50 / 0.75))
    both = history.entries("hiring", superseded=True)
    assert [(entry.revision, entry.superseded) for entry in both] == [(1, True), (2, False)]
    assert history.append(run_of(30), "hiring").replaced == ("by sex",)
    assert [entry.revision for entry in history.entries("hiring", superseded=True)] == [1, 2, 3]


def test_audits_windows_and_tests_are_apart(place):
    history = History(place)
    history.append(run_of(week=0), "hiring")
    history.append(run_of(week=1), "hiring")
    history.append(run_of(week=0), "pay")
    assert history.audits() == ("hiring", "pay")
    assert len(history.entries("hiring")) == 2
    assert len(history.entries()) == 3
    assert len(history.entries("hiring", test="by sex")) == 2


def test_a_test_with_a_window_of_its_own_is_kept_under_it(place):
    run = run_of()
    data = replace(run.record.data, test_windows={"by sex": window(5)})
    history = History(place)
    history.append(replace(run.record, data=data), "hiring")
    assert history.entries("hiring")[0].window == window(5)


def test_a_run_without_a_window_stands_at_its_date(place):
    history = History(place)
    history.append(run_of(windowed=False, as_of="2026-03-10"), "hiring")
    history.append(run_of(windowed=False, as_of="2026-03-17"), "hiring")
    assert [entry.window_end for entry in history.entries("hiring")] == ["2026-03-10", "2026-03-17"]
    undated = run_of(windowed=False)
    assert history.append(undated, "pay").added
    assert history.append(run_of(25, windowed=False), "pay").replaced


def test_names_of_any_kind_are_names(place):
    name = "O'Brien; DROP TABLE x; -- :audit_id $1 日本 \u202e%s"
    run = run_of()
    record = replace(run.record, entries=(replace(run.record.entries[0], name=name),))
    history = History(place)
    history.append(record, "a'b :c")
    assert history.entries("a'b :c", test=name)[0].test_name == name


# --- what is refused -------------------------------------------------------------------------------------


def test_an_unknown_audit_or_test_names_the_nearest(place):
    history = History(place)
    history.append(run_of(), "hiring")
    with pytest.raises(ConfigError, match=r"has no audit 'hirng'; it holds 'hiring'\. Did you mean 'hiring'\?"):
        history.entries("hirng")
    with pytest.raises(ConfigError, match=r"Did you mean 'by sex'\?"):
        history.entries("hiring", test="by seks")


def test_of_several_audits_one_must_be_named(place):
    history = History(place)
    with pytest.raises(ConfigError, match="holds no record yet"):
        history.trends()
    history.append(run_of(), "hiring")
    assert history.trends().evidence.audit_id == "hiring"
    history.append(run_of(), "pay")
    with pytest.raises(ConfigError, match="holds 'hiring', 'pay'; name one of them"):
        history.trends()


def test_reading_makes_nothing(place, tmp_path):
    history = History(place)
    assert history.audits() == ()
    assert history.entries() == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("audit_id", ["", "  ", "a\nb", "x" * 201])
def test_an_id_that_is_none_is_refused(tmp_path, audit_id):
    with pytest.raises(ConfigError, match=r"audit\.id: must be a printable text"):
        History(tmp_path / "a.duckdb").append(run_of(), audit_id)


def test_a_record_with_withheld_groups_is_refused(tmp_path):
    shown = fr.Report(run_of(), suppress_below=45).record
    assert shown.withheld is not None
    with pytest.raises(ConfigError, match="append the run itself"):
        History(tmp_path / "a.duckdb").append(shown, "hiring")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1,2\n" * 9, "is no history of audits: it is not a DuckDB file"),
        (b"", "is no history of audits: it is empty; remove it, or name another"),
        (b"%PDF-1.7 and more text", "not a DuckDB file"),
        (b"\x00" * 8 + b"DUCK" + b"\x07" * 5000, "cannot be used|is damaged"),
    ],
)
def test_a_file_that_is_no_history_is_left_alone(tmp_path, content, message):
    path = tmp_path / "a.duckdb"
    path.write_bytes(content)
    for use in (lambda h: h.append(run_of(), "a"), lambda h: h.entries(), lambda h: h.check()):
        if use.__code__.co_names == ("check",) and b"DUCK" in content:
            continue  # it is only looked into where it is read
        with pytest.raises(DataError, match=message) as caught:
            use(History(path))
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_database_file_of_something_else_is_refused_and_left_alone(place, tmp_path):
    sql = "CREATE TABLE mine (x INTEGER)"
    if "sqlite" in str(place):
        with closing(sqlite3.connect(tmp_path / "audits.sqlite")) as connection:
            connection.execute(sql)
    else:
        with duckdb.connect(str(place)) as connection:
            connection.execute(sql)
            connection.execute("CREATE SCHEMA other; CREATE VIEW other.seen AS SELECT 1")
    history = History(place)
    wanted = "is no history of audits but a database of something else: it holds 'mine'.*; name a file of its own"
    for use in (history.check, history.audits, history.entries, lambda: history.append(run_of(), "hiring")):
        with pytest.raises(DataError, match=wanted) as caught:
            use()
        assert "\n" not in str(caught.value)
    if "sqlite" not in str(place):
        with duckdb.connect(str(place)) as connection:
            assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("mine",)]


def test_a_history_in_which_somebody_keeps_a_table_stays_one(place, tmp_path):
    history = History(place)
    history.append(run_of(), "hiring")
    if "sqlite" in str(place):
        with closing(sqlite3.connect(tmp_path / "audits.sqlite")) as connection:
            connection.execute("CREATE TABLE mine (x INTEGER)")
    else:
        with duckdb.connect(str(place)) as connection:
            connection.execute("CREATE TABLE mine (x INTEGER)")
    assert history.append(run_of(week=1), "hiring").added
    assert len(history.entries()) == 2


def test_places_that_cannot_be_meant(tmp_path):
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.executescript("CREATE TABLE t(x); INSERT INTO t VALUES (1);")
    (tmp_path / "audits").mkdir()
    expected = {
        tmp_path: "is a folder; a history is a file",
        tmp_path / "audit" / "a.duckdb": "there is no folder .*Did you mean 'audits'?",
        tmp_path / "a.db": "is an SQLite file; name it sqlite:///",
        tmp_path / "a\0b": "cannot read the history",
        "/dev/null": "is no regular file",
    }
    for place, message in expected.items():
        with pytest.raises(DataError, match=message):
            History(place).append(run_of(), "a")
    with pytest.raises(ConfigError, match="names no history"):
        History("  ")


def test_a_damaged_file_is_one_line(tmp_path):
    path = tmp_path / "a.duckdb"
    history = History(path)
    for week in range(12):
        history.append(run_of(week=week), "hiring")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match=r"a.duckdb' (is damaged|cannot be used)") as caught:
        history.entries()
    assert "\n" not in str(caught.value)


def test_what_is_no_result_inside_is_one_line(tmp_path):
    path = tmp_path / "a.duckdb"
    history = History(path)
    history.append(run_of(), "hiring")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE fairreport_history SET entry = '{\"analysis\": 3'")
    with pytest.raises(DataError, match="holds a record of 'by sex' that cannot be read"):
        history.entries()
    with duckdb.connect(str(path)) as connection:
        connection.execute('UPDATE fairreport_history SET entry = \'{"analysis": "x"}\'')
    with pytest.raises(DataError, match="holds a record of 'hiring' that is no result"):
        history.trends()


def _as_nobody(path, answer):
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    try:
        History(path).append(run_of(), "a")
    except DataError as error:
        answer.put(str(error))
    answer.put("kept")


def test_a_closed_folder_is_one_line(tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    for above in (folder, *folder.parents):
        if above.owner() == folder.owner() and above != folder:
            above.chmod(above.stat().st_mode | 0o011)
    answer = multiprocessing.get_context("fork").Queue()
    process = multiprocessing.get_context("fork").Process(target=_as_nobody, args=(folder / "a.duckdb", answer))
    process.start()
    said = answer.get(timeout=60)
    process.join()
    folder.chmod(0o755)
    assert said == f"cannot write the history {str(folder / 'a.duckdb')!r}: Permission denied"


FULL = """
import resource, sys
from tests_history import run_of
from fairreport.errors import DataError
from fairreport.report.history import History
history = History(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))  # the log of the file cannot grow past that
try:
    for week in range(1, 60):
        history.append(run_of(week=week), "hiring")
except DataError as error:
    print(week, error)
"""


def python(code, *arguments, **options):
    """Start a Python process that can import what stands here."""
    here = os.path.abspath(__file__)  # noqa: PTH100 - of a path as text
    load = "import importlib.util as u, sys; s = u.spec_from_file_location('tests_history', sys.argv.pop(1)); "
    load += "m = u.module_from_spec(s); sys.modules['tests_history'] = m; s.loader.exec_module(m)\n"
    return subprocess.Popen(
        [sys.executable, "-c", load + code, here, *map(str, arguments)], stdout=subprocess.PIPE, text=True, **options
    )


def test_a_full_disk_loses_nothing_that_was_there(tmp_path):
    path = tmp_path / "a.duckdb"
    history = History(path)
    history.append(run_of(), "hiring")
    process = python(FULL, path)
    said, _ = process.communicate(timeout=120)
    week, _, message = said.partition(" ")
    assert message.strip() == f"cannot write the history {str(path)!r}: File too large; nothing of this run was added"
    assert len(history.entries("hiring")) == int(week)
    assert history.append(run_of(week=70), "hiring").added


# --- several at once, and one that is stopped --------------------------------------------------------------

WRITER = """
import sys
from tests_history import run_of
from fairreport.report.history import History
place, first, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for week in range(first, first + n):
    History(place).append(run_of(week=week), "hiring")
print("done", flush=True)
"""


@pytest.mark.parametrize("place", ["duckdb", pytest.param("sqlite", marks=pytest.mark.heavy)], indirect=True)
def test_two_writers_keep_everything(place):
    writers = [python(WRITER, place, first, 5) for first in (0, 100)]
    History(place).append(run_of(week=200), "hiring")  # a third, in this process
    for writer in writers:
        said, _ = writer.communicate(timeout=180)
        assert (writer.returncode, said) == (0, "done\n")
    assert len(History(place).entries("hiring")) == 11


@pytest.mark.heavy
def test_two_writers_of_the_same_window_leave_one_present(place):
    writers = [python(WRITER, place, 0, 4) for _ in range(2)]
    for writer in writers:
        said, _ = writer.communicate(timeout=180)
        assert (writer.returncode, said) == (0, "done\n")
    entries = History(place).entries("hiring", superseded=True)
    assert [entry.revision for entry in entries] == [1] * 4


HOLDER = """
import sys
from fairreport.tables.history_file import DuckdbFile
from pathlib import Path
with DuckdbFile(Path(sys.argv[1]), 5.0).writing() as session:
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_writer_that_does_not_let_go_is_named(tmp_path):
    path = tmp_path / "a.duckdb"
    History(path).append(run_of(), "hiring")
    holder = python(HOLDER, path, stdin=subprocess.PIPE)
    assert holder.stdout.readline() == "held\n"
    began = time.monotonic()
    message = f"the history {str(path)!r} is in use by process {holder.pid}; waited 0.3 seconds for it"
    with pytest.raises(DataError) as caught:
        History(path, wait=0.3).entries()
    assert str(caught.value) == message
    assert time.monotonic() - began >= 0.3
    holder.communicate(timeout=60)
    assert len(History(path).entries()) == 1


MANY = """
import sys
from tests_history import run_of
from dataclasses import replace
from fairreport.report.history import History
run = run_of()
(entry,) = run.record.entries
print("begin", flush=True)
week = 0
while True:
    week += 1
    record = run_of(week=week).record
    tests = tuple(replace(entry, name=f"test {i}") for i in range(40))
    History(sys.argv[1]).append(replace(record, entries=tests), "hiring")
    print(week, flush=True)
"""


@pytest.mark.parametrize("after", [*(pytest.param(it, marks=pytest.mark.heavy) for it in (0.0, 0.03, 0.26)), 0.11])
def test_a_writer_that_is_killed_leaves_whole_runs(place, after):
    writer = python(MANY, place)
    assert writer.stdout.readline() == "begin\n"
    time.sleep(after)
    writer.send_signal(signal.SIGKILL)
    told = [int(line) for line in writer.communicate()[0].split()]
    history = History(place)
    entries = history.entries()
    weeks = [entry.window_start for entry in entries]
    assert all(weeks.count(week) == 40 for week in set(weeks))
    assert len(set(weeks)) in {len(told), len(told) + 1}
    assert history.append(run_of(week=900), "hiring").added


# --- the schema ------------------------------------------------------------------------------------------


def at_version(path, version):
    """Make a history as an earlier version did, with a record in it."""
    history = History(path)
    history.append(run_of(), "hiring")
    with duckdb.connect(str(path)) as connection:
        if version < 2:
            connection.execute("DROP INDEX fairreport_history_audit")
        connection.execute(f"UPDATE fairreport_history_schema SET version = {version}")
    return history


@pytest.mark.parametrize("use", ["read", "append"])
def test_a_file_of_version_1_is_brought_forward(tmp_path, use):
    path = tmp_path / "a.duckdb"
    history = at_version(path, 1)
    if use == "append":
        history.append(run_of(week=1), "hiring")
    assert len(history.entries("hiring")) == 1 + (use == "append")
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("SELECT version FROM fairreport_history_schema").fetchall() == [(2,)]
        assert connection.execute("SELECT index_name FROM duckdb_indexes()").fetchall() == [
            ("fairreport_history_audit",)
        ]


def test_a_file_without_tables_is_version_0(tmp_path):
    path = tmp_path / "a.duckdb"
    duckdb.connect(str(path)).close()
    assert History(path).append(run_of(), "hiring").added


def test_a_later_version_is_refused(tmp_path):
    path = tmp_path / "a.duckdb"
    history = at_version(path, 2)
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE fairreport_history_schema SET version = 9")
    wanted = r"was written by a later fairreport \(schema 9; this one knows 2\): update it"
    for use in (history.check, history.entries, lambda: history.append(run_of(), "a")):
        with pytest.raises(DataError, match=wanted):
            use()


def test_the_schema_is_documented_column_by_column():
    for name, _ in history_schema.COLUMNS:
        assert f"\n{name} " in history_schema.__doc__


# --- databases -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://bob:s3cret@127.0.0.1:9/audits",
        "postgresql+psycopg://bob@127.0.0.1:9/audits?password=s3cret",
        "postgresql+psycopg://127.0.0.1:9/audits?user=bob&password=s3cret",
    ],
)
def test_no_message_holds_a_secret(url):
    history = History(url, wait=1)
    assert "s3cret" not in repr(history)
    with pytest.raises(DataError) as caught:
        history.append(run_of(), "hiring")
    said = str(caught.value)
    assert "s3cret" not in said
    assert "bob" not in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "url", ["s3://bucket/a.duckdb", "https://host/a", "postgres//x://", "nosuch+db://u:s3cret@h/d"]
)
def test_what_is_no_database_is_said(url):
    with pytest.raises((ConfigError, ExtraMissingError)) as caught:
        History(url)
    assert "s3cret" not in str(caught.value)


def test_a_driver_that_is_missing_is_named():
    with pytest.raises(ExtraMissingError, match=r"the driver of 'mysql\+mysqldb://host/base' is not installed"):
        History("mysql+mysqldb://u:p@host/base")


# --- ids -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "title", "file", "expected"),
    [
        ("  Q3 screen ", "Other", None, "Q3 screen"),
        (None, "Resume screen: third quarter", "a/b.yaml", "resume-screen-third-quarter"),
        (None, "Fairness audit", "weekly/tests.json", "tests"),
        (None, "採用審査 2026", None, "採用審査-2026"),
        (None, "!!!", None, "fairness-audit"),
    ],
)
def test_audit_ids(stated, title, file, expected):
    assert audit_id_of(stated=stated, title=title, file=file) == expected
