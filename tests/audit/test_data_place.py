"""`audit.data` of an `audit.yaml` where it names a table: of a database, of Spark. No credentials stand in a file."""

import sqlite3

import jsonschema
import pytest

from fairreport import Audit, ConfigError, DataError
from fairreport.audit.readers.config_schema import config_schema
from fairreport.tables.places import SparkTable

SECRET = "s3cr3t-w0rd"
ROWS = [("F", 1)] * 30 + [("F", 0)] * 20 + [("M", 1)] * 30 + [("M", 0)] * 10
"""30 of 50 and 30 of 40: 0.6 / 0.75 = 0.8."""

TESTS = """\
tests:
  - outcome_disparity:
      protected_attribute_columns: [sex]
      outcome_column: hired
      favorable_values: ["1"]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a database and a place for configurations; the working folder is another one."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    connection = sqlite3.connect(tmp_path / "hiring.db")
    connection.execute("CREATE TABLE decisions (sex TEXT, hired INTEGER)")
    connection.executemany("INSERT INTO decisions VALUES (?, ?)", ROWS)
    # all 30 of F and 30 of 40: 0.75 / 1
    connection.execute("CREATE VIEW recent AS SELECT * FROM decisions WHERE sex = 'M' OR hired = 1")
    connection.commit()
    connection.close()
    return tmp_path


def config(folder, data):
    path = folder / "audit.yaml"
    path.write_text(f"audit:\n  title: Hiring\n  data: {data}\n{TESTS}")
    return path


def ratio(audit):
    return audit.run().results[0].measurements["minImpactRatio"]


def faults(path, **given):
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(path, **given)
    text = str(caught.value)
    assert SECRET not in text
    assert "\n" not in text
    return [str(fault) for fault in caught.value.errors]


@pytest.mark.parametrize(
    "data",
    [
        "{url: hiring.db, table: decisions}",
        "{url: sqlite:///hiring.db, table: decisions}",
        "{url: hiring.db, schema: main, table: decisions}",
        "{url: $AUDIT_DB, table: decisions}",
        '{url: "${AUDIT_DB}", table: decisions}',
    ],
)
def test_a_table_of_a_database(folder, data, monkeypatch):
    monkeypatch.setenv("AUDIT_DB", f"sqlite:///hiring.db?token={SECRET}")
    audit = Audit.from_config(config(folder, data))
    assert ratio(audit) == 0.8
    assert SECRET not in repr(vars(audit))


def test_a_path_and_a_store_as_before(folder):
    assert Audit.from_config(config(folder, "rows.csv")).data == folder / "rows.csv"
    assert Audit.from_config(config(folder, "s3://bucket/2026/*.parquet")).data.name == "2026/*.parquet"
    assert Audit.from_config(config(folder, "{url: rows.csv}")).data == folder / "rows.csv"


def test_a_table_of_spark(folder):
    audit = Audit.from_config(config(folder, "{spark: live.hr.decisions}"))
    assert audit.data == SparkTable(name="live.hr.decisions")
    assert Audit.from_config(config(folder, "{spark: a}"), table="b").data == SparkTable(name="b")


def test_another_table_than_the_stated_one(folder):
    path = config(folder, "{url: hiring.db, table: decisions}")
    assert ratio(Audit.from_config(path, table="recent")) == 0.75
    assert ratio(Audit.from_config(path, folder / "hiring.db", table="recent")) == 0.75
    assert ratio(Audit.from_config(path, f"sqlite:///{folder}/hiring.db", table="decisions")) == 0.8


def test_a_mapping_in_python(folder, config_checker):
    stated = {
        "audit": {"data": {"url": f"sqlite:///{folder}/hiring.db", "table": "decisions"}},
        "tests": [
            {
                "outcome_disparity": {
                    "protected_attribute_columns": ["sex"],
                    "outcome_column": "hired",
                    "favorable_values": [1],
                }
            }
        ],
    }
    assert ratio(Audit.from_config(stated)) == 0.8
    config_checker.validate(stated)


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://auditor:{SECRET}@db.example/hiring",
        f"snowflake://auditor@account/base?private_key={SECRET}",
        f"postgresql://auditor:{SECRET}@[db/hiring",
        f"host=db.example password={SECRET}",
    ],
)
def test_a_password_in_a_file_is_refused(folder, url):
    for data in (f'{{url: "{url}", table: decisions}}', f'"{url}"'):
        (fault,) = faults(config(folder, data))
        assert fault.startswith("audit.data")
        assert "holds a password, which has no place in a file; leave it out" in fault
        assert fault.endswith("(line 3)")


@pytest.mark.parametrize("key", ["password", "user", "token", "PASSWORD"])
def test_credentials_in_a_file_are_refused(folder, key):
    (fault,) = faults(config(folder, f"{{url: postgresql://db.example/b, table: t, {key}: {SECRET}}}"))
    assert fault.startswith(f"audit.data.{key}: has no place in a file: the driver reads it from the environment")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{url: postgresql://db.example/b, tabel: t}", "audit.data.tabel: is no known key. Did you mean 'table'?"),
        ("{table: t}", "audit.data.url: is required"),
        ("{url: [1], table: t}", "audit.data.url: must be text, got a list"),
        ("{url: hiring.db, table: 7}", "audit.data.table: must be text, got a number"),
        (f"[postgresql://a:{SECRET}@h/b]", "audit.data: must be a path, or a mapping such as {url: ..., table: ...}"),
        ("7", "audit.data: must be a path, or a mapping"),
        ("{spark: a.b, table: c}", "audit.data.table: does not go with spark, which names the table whole"),
        ("{url: postgresql://db.example/b}", "audit.data.table: which table of the postgresql database? State table"),
        ("postgresql://db.example/b", "audit.data: which table of the postgresql database? State table"),
        ("hiring.db", "audit.data: which table of 'hiring.db'? State table"),
        ("{url: hiring.db, table: a..b}", "audit.data.table: must name a table, such as decisions"),
        ("{url: s3://b/x.parquet, table: t}", "audit.data.table: goes with a database; s3 holds objects"),
        ("{url: $ABSENT_DB, table: t}", "audit.data.url: the environment variable ABSENT_DB is not set."),
        ("$AUDIT_DB", "audit.data: takes a variable below url only, as in {url: $AUDIT_DB, table: ...}"),
        ('"${AUDIT_DB}"', "audit.data: takes a variable below url only, as in {url: ${AUDIT_DB}, table: ...}"),
        (
            "{url: postgresql://$PG_USER@h/b, table: t}",
            "audit.data.url: takes an environment variable for the whole URL",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_no_value(folder, data, said):
    (fault,) = faults(config(folder, data))
    assert fault.startswith(said)
    assert fault.endswith("(line 3)")


def test_a_variable_that_is_nearly_right(folder, monkeypatch):
    monkeypatch.setenv("AUDIT_DB", "sqlite:///hiring.db")
    (fault,) = faults(config(folder, "{url: $AUDIT_DBS, table: t}"))
    assert "Did you mean 'AUDIT_DB'?" in fault


@pytest.mark.parametrize("value", ["", "  "])
def test_a_variable_that_is_empty(folder, monkeypatch, value):
    monkeypatch.setenv("AUDIT_DB", value)
    (fault,) = faults(config(folder, "{url: $AUDIT_DB, table: t}"))
    assert fault == "audit.data.url: the environment variable AUDIT_DB is empty (line 3)"


def test_a_variable_that_holds_no_url(folder, monkeypatch):
    monkeypatch.setenv("AUDIT_DB", f"postgresql:auditor:{SECRET}@h/b")
    (fault,) = faults(config(folder, "{url: $AUDIT_DB, table: t}"))
    assert fault.startswith("audit.data.url: is no URL")


def test_a_table_with_data_that_is_none_of_a_database(folder):
    path = config(folder, "{url: hiring.db, table: decisions}")
    assert faults(path, data={"sex": ["F"]}, table="t")[0].startswith("table: goes with the URL of a database")
    with pytest.raises(DataError, match="there is no file"):
        Audit.from_config(path, "absent.db", table="t").run()


@pytest.mark.parametrize(
    ("data", "fits"),
    [
        ("rows.csv", True),
        (None, True),
        ({"url": "postgresql://db.example/b", "table": "t"}, True),
        ({"url": "$AUDIT_DB", "table": "t", "schema": "hr"}, True),
        ({"spark": "a.b.c"}, True),
        ({"table": "t"}, False),
        ({"url": 7, "table": "t"}, False),
        ({"url": "x", "tabel": "t"}, False),
        (7, False),
        ([], False),
    ],
)
def test_the_schema_says_the_same(data, fits):
    validator = jsonschema.Draft202012Validator(config_schema()["properties"]["audit"]["properties"]["data"])
    assert validator.is_valid(data) is fits
