"""Tables that are named: in DuckDB and SQLite files, behind a URL, in a store. Each error is one line with a way out."""

import sqlite3
import subprocess
import sys
from typing import ClassVar

import duckdb
import ibis
import pytest
from ibis.common.exceptions import TableNotFound

from fairreport import Audit, DataError
from fairreport.errors import ExtraMissingError, FairreportError
from fairreport.tables import duckdb_files
from fairreport.tables.places import SparkTable, StoredObjects
from fairreport.tables.source import open_table
from fairreport.tables.sql_engine_ibis import IbisEngine

SECRET = "s3cr3t-w0rd"
URL = f"postgresql://auditor:{SECRET}@db.example:5432/hiring"
ROWS = [("F", 1)] * 30 + [("F", 0)] * 20 + [("M", 1)] * 30 + [("M", 0)] * 10
"""30 of 50 and 30 of 40: 0.6 / 0.75 = 0.8."""


@pytest.fixture
def duck(tmp_path):
    path = tmp_path / "hiring.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA hr; CREATE TABLE hr.decisions (sex VARCHAR, hired INTEGER)")
        connection.executemany("INSERT INTO hr.decisions VALUES (?, ?)", ROWS)
        connection.execute("CREATE VIEW recent AS FROM hr.decisions")
        connection.execute('CREATE TABLE "my.table" AS FROM hr.decisions')
    return path


@pytest.fixture
def lite(tmp_path):
    path = tmp_path / "hiring.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE decisions (sex TEXT, hired INTEGER)")
    connection.executemany("INSERT INTO decisions VALUES (?, ?)", ROWS)
    connection.execute("CREATE VIEW recent AS SELECT * FROM decisions")
    connection.commit()
    connection.close()
    return path


def run(data, table=None):
    return Audit(data, table=table).outcome_disparity("sex", "hired", 1).run()


def ratio(data, table=None):
    return run(data, table).results[0].measurements["minImpactRatio"]


def said(data, table=None, kind=DataError):
    with pytest.raises(kind) as caught:
        run(data, table)
    text = str(caught.value)
    assert "\n" not in text
    assert SECRET not in text
    assert caught.value.__suppress_context__ or caught.value.__context__ is None  # no traceback shows the driver's
    return text


@pytest.mark.parametrize("table", ["hr.decisions", "recent", '"my.table"', "main.recent", "hiring.hr.decisions"])
def test_a_table_or_view_of_a_duckdb_file(duck, table):
    assert ratio(duck, table) == 0.8
    assert ratio(f"duckdb:///{duck}", table) == 0.8


@pytest.mark.parametrize("table", ["decisions", "recent", "main.decisions"])
def test_a_table_or_view_of_an_sqlite_file(lite, table):
    assert ratio(lite, table) == 0.8
    assert ratio(f"sqlite:///{lite}", table) == 0.8


def test_the_origin_is_the_table_and_the_file_without_its_folder(duck, lite):
    assert run(duck, "hr.decisions").record.data.origin == "table hr.decisions in hiring.duckdb"
    assert run(lite, "decisions").record.data.origin == "table decisions in hiring.db"


def test_a_relation_of_an_attached_database(duck):
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{duck}' AS archive (READ_ONLY)")
        assert ratio(connection.table("archive.hr.decisions")) == 0.8


def test_a_file_that_the_same_process_has_open(duck):
    with duckdb.connect(str(duck)) as connection:
        connection.execute("INSERT INTO hr.decisions VALUES ('F', 0)")
        assert ratio(duck, "hr.decisions") == pytest.approx((30 / 51) / 0.75)
        assert ratio(connection.table("hr.decisions")) < 0.8


def test_a_file_that_the_same_process_has_open_with_settings_of_its_own(duck):
    with duckdb.connect(str(duck), config={"threads": 1}):
        assert said(duck, "recent") == (
            "'hiring.duckdb' is open in this process already, with settings of its own; "
            "audit con.table('recent') of that connection instead"
        )


def test_a_file_that_another_process_writes(duck):
    program = f"import duckdb, sys; c = duckdb.connect({str(duck)!r}); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        other.stdout.readline()
        assert said(duck, "recent") == f"'hiring.duckdb' is in use by process {other.pid}; end that, or audit a copy"
        other.communicate("")


def test_files_are_only_read(duck, lite):
    before = duck.read_bytes(), lite.read_bytes()
    run(duck, "recent")
    run(lite, "recent")
    assert (duck.read_bytes(), lite.read_bytes()) == before
    assert {path.name for path in duck.parent.iterdir()} == {"hiring.duckdb", "hiring.db"}


def test_a_table_that_is_not_there(duck, lite):
    assert said(duck, "decisions") == "'hiring.duckdb' has no table 'decisions'. Did you mean 'hr.decisions'?"
    assert said(duck, "hr.decision") == "'hiring.duckdb' has no table 'hr.decision'. Did you mean 'hr.decisions'?"
    assert said(lite, "decison") == "'hiring.db' has no table 'decison'. Did you mean 'decisions'?"
    assert said(lite, "zzz") == "'hiring.db' has no table 'zzz'. It has 'decisions', 'recent'"
    assert said(lite, "hr.decisions") == "'hiring.db' has no schema 'hr'."


def test_a_file_that_is_not_there_or_no_database(tmp_path):
    assert said(tmp_path / "absent.duckdb", "t").startswith("there is no file '")
    for name in ("rows.csv", "empty.db"):
        (tmp_path / name).write_text("a,b\n" if name == "rows.csv" else "")
        assert said(tmp_path / name, "t") == f"{name!r} is no database of DuckDB or SQLite"
    assert said(tmp_path, "t").endswith("is a folder; wanted the file of a database")
    assert list(tmp_path.glob("absent*")) == []


def test_a_damaged_duckdb_file(duck):
    duck.write_bytes(duck.read_bytes()[:40])
    assert said(duck, "recent").startswith("'hiring.duckdb' cannot be read: ")


@pytest.mark.parametrize("url", ["s3://bucket/*.parquet", "gs://b/x/", "https://h/x.parquet", "hf://datasets/a/b.pq"])
def test_a_store_needs_an_extension_that_is_never_fetched_here(url, monkeypatch):
    without_extensions(monkeypatch)
    text = said(url, kind=ExtraMissingError)
    assert text.startswith(f"{url.partition(':')[0]} objects are read by DuckDB's extension httpfs, which is not")
    assert text.endswith("python -c \"import duckdb; duckdb.sql('INSTALL httpfs')\"")


def test_azure_has_an_extension_of_its_own(monkeypatch):
    without_extensions(monkeypatch)
    assert "extension azure" in said(f"az://box/x.parquet?sig={SECRET}", kind=ExtraMissingError)


def test_objects_that_are_no_parquet():
    assert said("s3://bucket/x.csv") == "'x.csv' is no Parquet by its name; of a store only .parquet objects are read"


def without_extensions(monkeypatch):
    """Let DuckDB look for extensions where there are none."""
    engine = duckdb.connect(config={"extension_directory": "/nowhere", "autoinstall_known_extensions": "false"})
    monkeypatch.setattr(duckdb_files, "connect", engine.cursor)


def test_objects_are_read_as_parquet_files_are(tmp_path, monkeypatch):
    """A store is a folder here: which extension brings the bytes is DuckDB's affair."""
    monkeypatch.setattr(duckdb_files, "_load", lambda *_: None)
    for year in (2025, 2026):
        (tmp_path / f"year={year}").mkdir()
        rows = ", ".join(map(str, ROWS if year == 2026 else [("F", 0)]))
        duckdb.sql(f"COPY (FROM (VALUES {rows}) t(sex, hired)) TO '{tmp_path}/year={year}/part.parquet'")
    one = open_table(StoredObjects(url=f"{tmp_path}/year=2026/part.parquet"))
    assert (one.names, one.origin) == (("sex", "hired"), "part.parquet")
    for url in (f"{tmp_path}/*/*.parquet", f"{tmp_path}/"):
        found = open_table(StoredObjects(url=url))
        assert found.names == ("sex", "hired", "year")
        assert sum(n for _, _, n in found.count([("year",)], None)) == 91


@pytest.fixture
def server(lite, monkeypatch):
    """Let the URL of a server lead to the SQLite file, through ibis as it does; what was asked for is kept."""
    asked = []

    def connect(url, **options):
        asked.append((url, options))
        return ibis.sqlite.from_connection(sqlite3.connect(lite))

    monkeypatch.setattr(ibis, "connect", connect)
    return asked


def test_a_url_goes_to_ibis_and_nowhere_else(server):
    audit = Audit(URL, table="recent").outcome_disparity("sex", "hired", 1)
    result = audit.run()
    assert result.results[0].measurements["minImpactRatio"] == 0.8
    assert server == [(URL, {"connect_timeout": "10"})]
    assert result.record.data.origin == "table recent in postgres, database hiring"
    shown = [repr(audit), repr(audit.data), repr(vars(audit)), repr(result), str(result), result.to_json()]
    shown += [repr(vars(result)), repr(result.table), repr(result.record), result._repr_html_()]
    assert not [text for text in shown if SECRET in text or "auditor" in text or "db.example" in text]


def test_parts_of_a_url_are_decoded_as_postgresql_does(server):
    # PostgreSQL 15, 34.1.1.2 Connection URIs: percent-encoding only, so that a plus is a plus
    run("postgresql://a%40b:p+q%2Br@db.example/hi%20ring", "recent")
    ((_, options),) = server
    decoded = {"user": "a@b", "password": "p+q+r", "database": "hi ring"}
    assert {name: options[name] for name in decoded} == decoded


def test_the_environment_may_say_how_long_to_wait(server, monkeypatch):
    run(f"{URL}?connect_timeout=3", "recent")
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "4")
    run(URL, "recent")
    assert [options for _, options in server] == [{}, {}]


def test_what_a_driver_says_is_told_without_the_url(monkeypatch):
    def connect(url, **_):
        raise OSError(f"no route to {url} as auditor with password '{SECRET}'\nmore of it")

    monkeypatch.setattr(ibis, "connect", connect)
    text = said(URL, "t")
    assert text.startswith("cannot open the postgres database: no route to ")
    assert "auditor" not in text


def test_what_a_driver_says_in_the_middle_of_a_run(server, lite, monkeypatch):
    def lost(self, sql):
        raise DataError(f"postgres gave no answer: lost {URL}")
        yield

    monkeypatch.setattr(IbisEngine, "batches", lost)
    assert "auditor" not in said(URL, "recent")


def test_a_table_of_a_server_that_is_not_there(server):
    assert said(URL, "decison") == "postgres has no table 'decison'. Did you mean 'decisions'?"


@pytest.mark.parametrize("scheme", ["mysql", "snowflake", "bigquery", "trino", "databricks", "mssql"])
def test_a_driver_that_is_not_installed(scheme, monkeypatch):
    def connect(url, **_):
        raise ImportError(f"no backend for {url}")

    monkeypatch.setattr(ibis, "connect", connect)
    text = said(f"{scheme}://auditor:{SECRET}@h/b", "t", ExtraMissingError)
    assert text == (
        f"cannot open the {scheme} database: its driver is not installed: "
        f"pip install 'fairreport[engines]' 'ibis-framework[{scheme}]'"
    )


def test_postgresql_names_its_driver(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert said(URL, "t", ExtraMissingError).endswith("pip install 'fairreport[engines]' 'psycopg[binary]'")


def test_ibis_that_is_not_installed(lite, duck, monkeypatch):
    monkeypatch.setitem(sys.modules, "ibis", None)
    for data in (URL, lite):
        assert said(data, "t", ExtraMissingError).endswith("pip install 'fairreport[engines]'")
    assert ratio(duck, "recent") == 0.8


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # of ibis, in DuckDB
@pytest.mark.parametrize("table", ['"a.b".loans', 'hiring."a.b".loans', '"a.b"."c.d"', "hr.decisions"])
def test_names_with_dots_behind_a_url(duck, monkeypatch, table):
    with duckdb.connect(str(duck)) as connection:
        connection.execute('CREATE SCHEMA "a.b"; CREATE TABLE "a.b".loans AS FROM hr.decisions')
        connection.execute('CREATE TABLE "a.b"."c.d" AS FROM hr.decisions')
    monkeypatch.setattr(ibis, "connect", lambda *_, **__: ibis.duckdb.connect(str(duck), read_only=True))
    assert ratio(URL, table) == 0.8


class Lister:
    """A server that lists its schemas and tables, and holds none that is asked for."""

    name = "postgres"
    con = None
    held: ClassVar = {
        "public": ["recent", "my.table"],
        "hr": ["decisions"],
        "a.b": ["loans"],
        "lent": ["loans", "c.d"],
        "pg_catalog": ["decisions"],
    }

    def table(self, name, **_):
        raise TableNotFound(name)

    def list_databases(self):
        return list(self.held)

    def list_tables(self, *, database=None):
        *_, schema = (database,) if isinstance(database, str) else database or ("public",)
        return self.held[schema]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("hr.decison", "has no table 'hr.decison'. Did you mean 'hr.decisions'?"),
        ('"a.b".lons', "has no table '\"a.b\".lons'. Did you mean '\"a.b\".loans'?"),
        ("decisions", "has no table 'decisions'. It is in schema 'hr': hr.decisions"),
        ("loans", "has no table 'loans'. It is in schemas 'a.b', 'lent': \"a.b\".loans, lent.loans"),
        ("hr.loans", "has no table 'hr.loans'. It is in schemas 'a.b', 'lent': \"a.b\".loans, lent.loans"),
        ("decison", "has no table 'decison'. Did you mean 'hr.decisions'?"),
        ("Recent", "has no table 'Recent'. Did you mean 'recent'?"),
        ("a.b.loans", "has no schema 'b'. A part with a dot stands in double quotes: \"a.b\".loans"),
        ("lent.c.d", "has no schema 'c'. A part with a dot stands in double quotes: lent.\"c.d\""),
        ("my.table", "has no schema 'my'. A part with a dot stands in double quotes: \"my.table\""),
        ("lend.loans", "has no schema 'lend'. Did you mean 'lent'?"),
        ("zzz", "has no table 'zzz'. It has '\"my.table\"', 'recent'"),
    ],
)
def test_where_a_table_may_be_meant(monkeypatch, table, text):
    monkeypatch.setattr(ibis, "connect", lambda *_, **__: Lister())
    assert said(URL, table) == f"postgres {text}"


@pytest.mark.parametrize("given", ["file", "url"])
def test_json_of_a_database_is_no_group(server, lite, given):
    with sqlite3.connect(lite) as connection:
        connection.execute("CREATE TABLE told (who JSON, hired INTEGER)")
        connection.executemany("INSERT INTO told VALUES (?, ?)", [(f'{{"a": "{sex}"}}', n) for sex, n in ROWS])
    connection.close()
    audit = Audit(lite if given == "file" else URL, table="told").outcome_disparity("who", "hired", 1)
    (entry,) = audit.run().record.entries
    assert entry.finding.skip.reason == "column 'who' holds nested values; wanted text, numbers or booleans"


def test_a_kind_of_database_that_is_not_known():
    text = said(f"postgrsql://auditor:{SECRET}@h/b", "t")
    assert text == "'postgrsql' is no kind of database that ibis reads. Did you mean 'postgresql'?"


def test_spark_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(FairreportError, match="pip install 'fairreport\\[spark\\]'"):
        open_table(SparkTable(name="hr.decisions"))
