"""What names the rows, and that no text shows what a URL is not to show."""

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairreport import Audit, ConfigError
from fairreport.tables.credentials import hidden, holds_password, shown_url, without_credentials
from fairreport.tables.places import DatabaseFile, DatabaseTable, StoredObjects, is_url, place_of

SECRET = "s3cr3t-w0rd"
URL = f"postgresql://auditor:{SECRET}@db.example:5432/hiring"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("decisions", ("decisions",)),
        ("hr.decisions", ("hr", "decisions")),
        ("live.hr.decisions", ("live", "hr", "decisions")),
        ('hr."my.table"', ("hr", "my.table")),
        ('"a""b"', ('a"b',)),
    ],
)
def test_the_name_of_a_table(name, parts):
    assert place_of(URL, name).table == parts


@pytest.mark.parametrize("name", ["", ".", "a.", ".a", "a..b", "a.b.c.d", 'a"b', 3])
def test_what_is_no_name_of_a_table(name):
    with pytest.raises(ConfigError, match="must name a table, such as decisions"):
        place_of(URL, name)


def test_a_table_below_a_stated_schema_is_taken_as_it_stands():
    assert place_of(URL, "my.table", schema="live.hr").table == ("live", "hr", "my.table")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (URL, DatabaseTable),
        ("postgresql+psycopg://auditor@db.example/hiring", DatabaseTable),
        ("snowflake://auditor@account/base/schema?warehouse=w", DatabaseTable),
        ("hiring.duckdb", DatabaseFile),
        ("sqlite:///hiring.db", DatabaseFile),
        ("file:///data/hiring.db", DatabaseFile),
    ],
)
def test_what_a_table_is_of(text, kind):
    assert isinstance(place_of(text, "decisions"), kind)


def test_a_driver_in_the_scheme_is_left_to_ibis():
    assert place_of("postgresql+psycopg://auditor@h/b", "t").url == "postgresql://auditor@h/b"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///hiring.db", "hiring.db"),
        ("sqlite:///sub/hiring.db?mode=ro", "sub/hiring.db"),
        ("sqlite:////data/hiring.db", "/data/hiring.db"),
        ("duckdb://hiring.duckdb", "hiring.duckdb"),
        ("duckdb:///my%20file.duckdb", "my file.duckdb"),
    ],
)
def test_the_file_of_a_url(url, path):
    # SQLAlchemy 2.0, "Engine Configuration": sqlite:///foo.db is relative, sqlite:////absolute/path/to/foo.db absolute.
    assert place_of(url, "t").path == Path(path)
    if not path.startswith("/"):
        assert place_of(url, "t", folder=Path("/base")).path == Path("/base") / path


def test_three_slashes_may_be_absolute_as_ibis_has_it(tmp_path):
    path = tmp_path / "hiring.db"
    path.touch()
    assert place_of(f"sqlite://{path.as_posix()}", "t").path == path


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("s3://bucket/2026/decisions.parquet", "decisions.parquet"),
        ("s3://bucket/decisions/2026/*.parquet", "2026/*.parquet"),
        ("gs://bucket/*.parquet", "*.parquet"),
        (f"https://store.example/a/b.parquet?X-Amz-Signature={SECRET}", "b.parquet"),
    ],
)
def test_objects_are_named_without_their_store(url, name):
    assert place_of(url) == StoredObjects(url=url)
    assert place_of(url).name == name


def test_paths_stay_as_they_are():
    for path in ("rows.csv", Path("rows.csv"), "C:/rows.csv", "a:b.csv"):
        assert place_of(path) is path


@pytest.mark.parametrize(
    ("data", "table", "said"),
    [
        (URL, None, "table: which table of the postgresql database?"),
        ("hiring.duckdb", None, "table: which table of 'hiring.duckdb'?"),
        ({"a": [1]}, "t", "table: goes with the URL of a database"),
        ("s3://bucket/x.parquet", "t", "table: goes with a database; s3 holds objects, of which whole Parquet files"),
        (f"postgre://auditor:{SECRET}@h/b", None, "data: 'postgre' is no kind of database that ibis reads. Did you"),
        (f"postgresql:auditor:{SECRET}@h/b", "t", "data: is no URL"),
        (f"host=h user=auditor password={SECRET}", "t", "data: is no URL"),
        (f"postgresql://auditor:{SECRET}@[h/b", "t", "data: is no URL"),
        (f"postgresql://auditor:{SECRET}@h:port/b", "t", "data: is no URL"),
        ("sqlite://", "t", "data: names no file"),
        ("duckdb:///:memory:", "t", "data: names no file"),
    ],
)
def test_what_cannot_be_meant_is_said_without_the_url(data, table, said):
    with pytest.raises(ConfigError) as caught:
        Audit(data, table=table)
    assert str(caught.value).startswith(said)
    assert SECRET not in str(caught.value)
    assert "auditor" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        URL,
        "databricks://token:dapi0@h/c",
        "postgresql://h/b?password=x",
        "snowflake://u@a/b?private_key=x",
        "s3://b/x.parquet?s3_secret_access_key=x",
        "host=h password=x",
        "postgresql://u:p@[h/b",
    ],
)
def test_urls_that_hold_a_password(url):
    assert holds_password(url)


@pytest.mark.parametrize(
    "url", ["postgresql://auditor@h/b", "postgresql:///b?sslmode=require&sslkey=client.key", "s3://b/x.parquet"]
)
def test_urls_that_hold_none(url):
    assert not holds_password(url)


WORDS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789!$%&()*+,;=/:-._~@#", min_size=1, max_size=20)


@given(user=st.text("abcxyz09_", min_size=1, max_size=8), password=WORDS)
def test_no_text_shows_the_password_of_a_url(user, password):
    marked = f"Zq{password}qZ"
    url = f"postgresql://{user}:{quote(marked, safe='')}@db.example/hiring"
    assert holds_password(url)
    assert marked not in repr(place_of(url, "t"))
    for form in (marked, quote(marked, safe="")):
        assert form not in hidden(f"connection to {url} failed: bad password '{form}' of {user}", url)
        assert form not in without_credentials(f"cannot read '{url}'")
        assert form not in shown_url(url)


@pytest.mark.parametrize("name", ["sig", "X-Amz-Signature", "token", "s3_secret_access_key", "PassWord"])
def test_no_text_shows_a_secret_of_a_query(name):
    said = without_credentials(f"HTTP 403 of 'https://store.example/x.parquet?v=1&{name}={SECRET}&w=2'")
    assert said == f"HTTP 403 of 'https://store.example/x.parquet?v=1&{name}=***&w=2'"


def test_a_text_without_a_url_stays():
    text = "no column 'a@b': did you mean 'a?b=c'"
    assert without_credentials(text) == text
    assert not is_url(text)
