"""What is audited, named on the command line: a database and its table. No output shows what a URL is not to show."""

import json
import sqlite3

import duckdb
import ibis
import pytest

from fairreport.report.packet_files import open_packet

SECRET = "s3cr3t-w0rd"
URL = f"postgresql://auditor:{SECRET}@db.example:5432/hiring?application_name=wh1sper"
HIDDEN = (SECRET, "auditor", "db.example", "wh1sper")
ROWS = [("F", 1)] * 30 + [("F", 0)] * 20 + [("M", 1)] * 30 + [("M", 0)] * 10

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # of ibis, in DuckDB

CONFIG = """\
audit:
  title: Hiring
  data: {url: $AUDIT_DB, table: decisions}
  time: {column: decided, window: 7d}
tests:
  - outcome_disparity:
      protected_attribute_columns: [sex]
      outcome_column: hired
      favorable_values: ["1"]
"""


@pytest.fixture
def hiring(folder, monkeypatch):
    """The working folder with a database; the URL of a server leads to it, through ibis as it does."""
    with duckdb.connect("hiring.duckdb") as connection:
        connection.execute("CREATE TABLE decisions (sex VARCHAR, hired INTEGER, decided TIMESTAMP)")
        connection.executemany("INSERT INTO decisions VALUES (?, ?, '2026-03-04')", ROWS)
        connection.execute("CREATE VIEW recent AS FROM decisions")
    connection = sqlite3.connect("hiring.db")
    connection.execute("CREATE TABLE decisions (sex TEXT, hired INTEGER)")
    connection.executemany("INSERT INTO decisions VALUES (?, ?)", ROWS)
    connection.commit()
    connection.close()
    monkeypatch.setattr(ibis, "connect", lambda *_, **__: ibis.duckdb.connect("hiring.duckdb", read_only=True))
    monkeypatch.setenv("AUDIT_DB", URL)
    folder.write("audit.yaml", CONFIG)
    return folder


def shown(text):
    return [word for word in HIDDEN if word in text]


@pytest.mark.parametrize(
    ("data", "table"),
    [
        ("hiring.duckdb", "decisions"),
        ("hiring.duckdb", "main.recent"),
        ("duckdb:///hiring.duckdb", "recent"),
        ("hiring.db", "decisions"),
        ("sqlite:///hiring.db", "decisions"),
        (URL, "decisions"),
    ],
)
def test_a_table_on_the_command_line(command, hiring, data, table):
    done = command("run", "audit.yaml", "--data", data, "--table", table, "--json", "-")
    assert done.code == 0
    assert json.loads(done.out)["results"][0]["measurements"]["minImpactRatio"] == 0.8
    assert not shown(done.out + done.err)


def test_another_table_than_the_configuration_names(command, hiring):
    done = command("run", "audit.yaml", "--table", "recnt")
    assert (done.code, done.faults[-1]) == (2, "postgres has no table 'recnt'.")  # this server lists none of its tables
    assert command("run", "audit.yaml", "--table", "recent").code == 0


def test_no_output_of_a_run_shows_the_url(command, hiring):
    done = command(
        "run", "audit.yaml", "--json", "a.json", "--html", "a.html", "--csv", "csv", "--history", "h.duckdb",
        "--window-end", "2026-03-09",
    )  # fmt: skip
    assert done.code == 0
    assert not shown(done.out + done.err)
    packet = open_packet(hiring.path / "a.html")
    texts = [content.decode("utf-8", "replace") for content in packet.files.values()]
    assert any('"origin": "table decisions in postgres, database hiring"' in text for text in texts)
    texts += [path.read_bytes().decode("latin-1") for path in hiring.path.rglob("*") if path.is_file()]
    assert not [word for text in texts for word in shown(text)]


def test_no_output_of_a_scheduled_run_shows_the_url(command, hiring):
    done = command(
        "schedule", "run", "audit.yaml", "--out", "out", "--history", "h.duckdb", "--window-end", "2026-03-09"
    )
    assert done.code == 0
    again = command("schedule", "run", "audit.yaml", "--data", URL, "--table", "recnt", "--out", "out")
    assert again.code == 2
    assert not shown(done.out + done.err + again.out + again.err)
    texts = [path.read_bytes().decode("latin-1") for path in hiring.path.rglob("*") if path.is_file()]
    assert not [word for text in texts for word in shown(text)]
    assert "has no table 'recnt'" in (hiring.path / "out/manifest.json").read_text()


@pytest.mark.parametrize(
    "typed",
    [
        ["run", URL],
        ["run", "audit.yaml", "--dta", URL],
        ["run", "audit.yaml", "--data", URL],
        ["run", "audit.yaml", "--data", URL.replace("://", ":"), "--table", "t"],
        ["run", "audit.yaml", "--data", URL, "--table", "a..b"],
        ["schedule", "run", "audit.yaml", "--nothing", URL, "--out", "out"],
        ["verify", URL],
        ["init", URL],
        ["compare", URL, "a.json"],
        [URL],
    ],
)
def test_no_refusal_shows_the_password(command, hiring, typed):
    (hiring.path / "out").mkdir()
    done = command(*typed)
    assert done.code == 2
    assert SECRET not in done.out + done.err
    assert "auditor" not in done.out + done.err
    assert not [path for path in (hiring.path / "out").iterdir() if SECRET in path.read_text()]


def test_a_crash_shows_no_password(command, hiring, monkeypatch):
    def crash(*_):
        raise RuntimeError(f"surprised by {URL}")

    monkeypatch.setattr("fairreport.audit.audit.open_table", crash)
    done = command("run", "audit.yaml")
    assert done.code == 70
    assert "surprised by postgresql://***@" in done.err
    assert SECRET not in done.err


def test_a_database_is_no_output(command, hiring):
    before = (hiring.path / "hiring.db").read_bytes()
    done = command("run", "audit.yaml", "--data", "hiring.db", "--table", "decisions", "--json", "hiring.db")
    assert (done.code, done.faults[-1]) == (2, "--json: 'hiring.db' is what is read already; give another name")
    assert (hiring.path / "hiring.db").read_bytes() == before


def test_a_database_file_that_is_not_there(command, hiring):
    done = command("run", "audit.yaml", "--data", "duckdb:///hring.duckdb", "--table", "t")
    assert (done.code, done.faults[-1]) == (2, "there is no file 'hring.duckdb'. Did you mean 'hiring.duckdb'?")


def test_a_file_of_rows_has_no_tables(command, hiring):
    done = command("run", "audit.yaml", "--data", "rows.csv", "--table", "t")
    assert (done.code, done.faults[-1]) == (2, "'rows.csv' is no database of DuckDB or SQLite")


def test_verify_counts_the_rows_of_a_database_again(command, hiring):
    assert command("run", "audit.yaml", "--json", "a.json").code == 0
    for data, table in ((URL, "recent"), ("hiring.db", "decisions"), ("duckdb:///hiring.duckdb", "decisions")):
        done = command("verify", "a.json", "--data", data, "--table", table)
        assert done.code == 0
        assert "rows counted again: fingerprint and counts" in done.out
        assert "consistent in itself and with the table" in " ".join(done.out.split())
        assert not shown(done.out + done.err)
    with duckdb.connect("hiring.duckdb") as connection:
        connection.execute("INSERT INTO decisions VALUES ('F', 0, '2026-03-04')")
    done = command("verify", "a.json", "--data", URL, "--table", "decisions")
    assert done.code == 1
    assert "/data/fingerprint" in done.out
    assert "but not with the table" in done.out


@pytest.mark.parametrize(
    ("data", "table", "said"),
    [
        (URL, "recent", "--data URL --table NAME"),
        ("hiring.db", "decisions", "--data URL --table NAME"),
        ("hiring.duckdb", "decisions", "--data FILE --table NAME"),
    ],
)
def test_a_packet_says_how_its_table_is_named(command, hiring, data, table, said):
    assert command("run", "audit.yaml", "--data", data, "--table", table, "--html", "a.html").code == 0
    lines = open_packet(hiring.path / "a.html").files["audit.yaml"].decode().splitlines()
    assert lines[1] == f"#   fairreport run audit.yaml {said}"
    assert command("verify", "a.html").code == 0


@pytest.mark.parametrize(
    ("data", "table", "line"),
    [
        ("hiring.duckdb", "main.recent", '{url: "hiring.duckdb", table: "main.recent"}'),
        ("sqlite:///hiring.db", "decisions", '{url: "hiring.db", table: decisions}'),
        ("postgresql://db.example/hiring", "recent", '{url: "postgresql://db.example/hiring", table: recent}'),
        (URL, "recent", "{url: $AUDIT_DB, table: recent}"),
    ],
)
def test_init_of_a_table(command, hiring, data, table, line):
    done = command("init", data, "--table", table, "--out", "new.yaml")
    assert done.code == 0
    text = (hiring.path / "new.yaml").read_text()
    assert f"  data: {line}  # " in text
    assert not [word for word in shown(text + done.out + done.err) if word != "db.example"]
    ran = command("run", "new.yaml", "--json", "-")
    assert json.loads(ran.out)["results"][0]["measurements"]["minImpactRatio"] == 0.8
