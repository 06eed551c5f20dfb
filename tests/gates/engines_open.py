"""What the gate `engines.sh` holds: a table of PostgreSQL is opened by its name, and nothing shows the URL.

The first argument is the URL of a server, whose user may create roles, schemas and tables.
"""

import gc
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg

import fairreport as fr
from fairreport.report.packet_files import open_packet

SECRET = "s3cret/of@the+gate %25"
USER = "gate_reader"
ROWS = [("F", 1)] * 30 + [("F", 0)] * 20 + [("M", 1)] * 30 + [("M", 0)] * 10
CONFIG = """\
audit:
  title: Hiring
  data: {url: $AUDIT_DB, table: gate_open.decisions}
  time: {column: decided, window: 7d}
tests:
  - outcome_disparity:
      protected_attribute_columns: [sex]
      outcome_column: hired
      favorable_values: ["1"]
"""


def with_user(url, user, password=None, path=None):
    parsed = urlsplit(url)
    place = parsed.netloc.rpartition("@")[2]
    who = user if password is None else f"{user}:{quote(password, safe='')}"
    return urlunsplit(parsed._replace(netloc=f"{who}@{place}", path=path or parsed.path))


def fill(url):
    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA IF EXISTS gate_open CASCADE")
        connection.execute(f"DROP ROLE IF EXISTS {USER}")
        connection.execute(f"CREATE ROLE {USER} LOGIN PASSWORD '{SECRET}'")
        connection.execute("CREATE SCHEMA gate_open")
        connection.execute("CREATE TABLE gate_open.decisions (sex text, hired int, decided timestamptz)")
        connection.cursor().executemany(
            "INSERT INTO gate_open.decisions VALUES (%s, %s, timestamptz '2026-03-04 12:00Z')", ROWS
        )
        connection.execute('CREATE TABLE gate_open."My.Table" AS SELECT * FROM gate_open.decisions')
        connection.execute('DROP SCHEMA IF EXISTS "gate.dot" CASCADE')
        connection.execute('CREATE SCHEMA "gate.dot"')
        connection.execute('CREATE TABLE "gate.dot"."of.rows" AS SELECT * FROM gate_open.decisions')
        connection.execute("CREATE VIEW gate_open.recent AS SELECT * FROM gate_open.decisions")
        connection.execute("CREATE MATERIALIZED VIEW gate_open.kept AS SELECT * FROM gate_open.decisions")
        connection.execute("CREATE TABLE gate_open.closed AS SELECT * FROM gate_open.decisions")
        connection.execute(f"GRANT USAGE ON SCHEMA gate_open TO {USER}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA gate_open TO {USER}")
        connection.execute(f'GRANT USAGE ON SCHEMA "gate.dot" TO {USER}')
        connection.execute(f'GRANT SELECT ON ALL TABLES IN SCHEMA "gate.dot" TO {USER}')
        connection.execute(f"REVOKE ALL ON gate_open.closed FROM {USER}")
    connection.close()


def clear(url):
    with psycopg.connect(url) as connection:
        connection.execute('DROP SCHEMA gate_open, "gate.dot" CASCADE')
        connection.execute(f"DROP OWNED BY {USER}")
        connection.execute(f"DROP ROLE {USER}")
    connection.close()


def run(url, table):
    return fr.Audit(url, table=table).outcome_disparity("sex", "hired", 1).run()


def refusal(url, table):
    found = None
    try:
        run(url, table)
    except fr.FairreportError as error:
        found = error
    assert found is not None, f"{table} was taken"
    assert found.__suppress_context__ or found.__context__ is None
    assert "\n" not in str(found)
    assert not secrets(str(found)), found
    return str(found)


def secrets(text):
    return [word for word in (SECRET, quote(SECRET, safe=""), USER) if word in text]


def connections(url):
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE usename = %s", [USER]).fetchone()[0]
    connection.close()
    return found


def check_tables(url):
    base = urlsplit(url).path.strip("/")
    names = [
        "gate_open.decisions",
        "gate_open.recent",
        "gate_open.kept",
        'gate_open."My.Table"',
        f"{base}.gate_open.decisions",
        '"gate.dot"."of.rows"',
        f'{base}."gate.dot"."of.rows"',
    ]
    for table in names:
        result = run(url, table)
        assert result.results[0].measurements["minImpactRatio"] == 0.8, table
        plain = table.replace('"', "")
        assert result.record.data.origin == f"table {plain} in postgres, database {base}", result.record.data.origin
        assert not secrets(result.to_json() + repr(result) + repr(vars(result)) + repr(result.record))
    assert run(url.replace("://", "+psycopg://"), "gate_open.recent").record.status == "passing"
    print(
        "tables, views, names with dots, catalog.schema.table: the same ratio, and the origin names no host and no user"
    )


def check_refusals(url):
    assert refusal(url, "gate_open.decison").endswith(
        "has no table 'gate_open.decison'. Did you mean 'gate_open.decisions'?"
    )
    assert refusal(url, "decisions").endswith(
        "has no table 'decisions'. It is in schema 'gate_open': gate_open.decisions"
    )
    assert refusal(url, "gate.dot.rows").endswith('A part with a dot stands in double quotes: "gate.dot".rows')
    assert refusal(url, "gate_opn.decisions").endswith("has no schema 'gate_opn'. Did you mean 'gate_open'?")
    assert "permission denied for table closed" in refusal(url, "gate_open.closed")
    assert "does not exist" in refusal(with_user(url, USER, SECRET, path="/nowhere"), "t")
    assert "cannot open the postgres database" in refusal(with_user(url, f"{USER}_absent", SECRET), "t")
    port = urlsplit(url).port
    assert "refused" in refusal(url.replace(f":{port}", ":1"), "t")
    print("no table, no schema, no right, no database, no role, no server: one line each, without user and password")


def check_connections(url, admin):
    kept = run(url, "gate_open.recent")
    assert connections(admin) == 1
    frame = kept.table.rows(())
    del kept
    gc.collect()
    assert len(frame.execute()) == len(ROWS), "a frame of rows outlives its run"
    del frame
    gc.collect()
    assert connections(admin) == 0
    print("connections: one a run, closed when neither the run nor a frame of its rows is left")


def check_commands(url):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "audit.yaml").write_text(CONFIG)
        environment = os.environ | {"AUDIT_DB": url}

        def command(*arguments):
            done = subprocess.run(
                [sys.executable, "-m", "fairreport", *arguments],
                cwd=folder, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert not secrets(done.stdout + done.stderr), done
            return done

        ran = command("run", "audit.yaml", "--json", "a.json", "--html", "a.html", "--history", "h.duckdb",
                      "--window-end", "2026-03-09")  # fmt: skip
        assert ran.returncode == 0, ran
        texts = [content.decode("utf-8", "replace") for content in open_packet(folder / "a.html").files.values()]
        assert any('"origin": "table gate_open.decisions in postgres, database' in text for text in texts)
        kept = command("schedule", "run", "audit.yaml", "--out", "out", "--history", "h.duckdb", "--window-end",
                       "2026-03-09")  # fmt: skip
        assert kept.returncode == 0, kept
        manifest = json.loads((folder / "out/manifest.json").read_text())
        assert (manifest["rows"], manifest["status"]) == (len(ROWS), "passing")
        empty = command("schedule", "run", "audit.yaml", "--data", url, "--table", "gate_open.recent", "--out", "out2",
                        "--window-end", "2026-02-02")  # fmt: skip
        assert empty.returncode == 3, empty
        wrong = command("schedule", "run", "audit.yaml", "--table", "gate_open.decison", "--out", "out", "--window-end",
                        "2026-03-09")  # fmt: skip
        assert wrong.returncode == 2, wrong
        assert "Did you mean 'gate_open.decisions'?" in json.loads((folder / "out/manifest.json").read_text())["reason"]
        assert not [path for path in (folder / "out").iterdir() if path.name != "manifest.json" and not path.exists()]
        (folder / "secret.yaml").write_text(CONFIG.replace("$AUDIT_DB", url))
        refused = command("run", "secret.yaml")
        assert refused.returncode == 2, refused
        assert "holds a password, which has no place in a file" in refused.stderr
        (folder / "secret.yaml").unlink()
        for path in folder.rglob("*"):
            texts += [path.read_bytes().decode("latin-1")] if path.is_file() else []
        assert not [word for text in texts for word in secrets(text)]
    print(
        "run and schedule run with the URL in the environment: exit codes, and no file or line shows user or password"
    )


def main(admin):
    warnings.simplefilter("error", ResourceWarning)
    fill(admin)
    try:
        url = with_user(admin, USER, SECRET)
        check_tables(url)
        check_refusals(url)
        check_connections(url, admin)
        check_commands(url)
    finally:
        clear(admin)


if __name__ == "__main__":
    main(sys.argv[1])
