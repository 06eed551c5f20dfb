"""Every worked case over PostgreSQL through ibis, and its own types; with the bytes that a frame gives.

python engines_postgresql.py URL
"""

import datetime as dt
import sys
import uuid
from decimal import Decimal

import ibis
import numpy as np
import pandas as pd
import psycopg
import worked_cases
from worked_cases import compare, disparity_cases, gap_cases, impact_cases, misleading_cases

from fairreport import Audit

SMALL = {"min_group_size": 1, "min_group_share": 0}

OWN_TYPES = {
    "char(5)": (["'a'", "'b'", "'a    '", "NULL"], ["a", "b", "a", None]),
    "mood": (["'a'", "'b'", "'a'", "NULL"], ["a", "b", "a", None]),
    "uuid": ([f"'{uuid.UUID(int=i)}'" for i in (7, 8)], [uuid.UUID(int=7), uuid.UUID(int=8)]),
    "numeric(38,10)": (["1.5", "2", "1.0000000001", "NULL"], [*map(Decimal, ("1.5", "2", "1.0000000001")), None]),
    "numeric": (["1.5", "'NaN'", "1", "'Infinity'"], [*map(Decimal, ("1.5", "NaN", "1", "Infinity"))]),
    "money": (["1.50", "2"], [Decimal("1.50"), Decimal(2)]),
    "boolean": (["true", "false", "NULL"], [True, False, None]),
    "date": (["'2024-02-29'", "'2025-01-01'", "NULL"], [dt.date(2024, 2, 29), dt.date(2025, 1, 1), None]),
    "timestamp": (
        ["'2024-02-29 12:30:00.123456'", "'2025-01-01'"],
        [dt.datetime(2024, 2, 29, 12, 30, 0, 123456), dt.datetime(2025, 1, 1)],  # noqa: DTZ001 - without a zone
    ),
    "timestamptz": (
        ["'2024-02-29 12:30+02'", "'2025-01-01 00:00+00'"],
        [dt.datetime(2024, 2, 29, 10, 30, tzinfo=dt.UTC), dt.datetime(2025, 1, 1, tzinfo=dt.UTC)],
    ),
    "interval": (["'1 day 2 hours'", "'3 days'"], [dt.timedelta(days=1, hours=2), dt.timedelta(days=3)]),
    "bytea": (["'\\x46'", "'\\x4d'"], [b"F", b"M"]),
    "jsonb": (["'{\"a\": 1}'", "'[1]'"], [{"a": 1}, [1]]),
    "json": (["'{\"a\": 1}'", "'[1]'"], [{"a": 1}, [1]]),
    "point": (["'(0,1)'", "'(1,1)'"], [[0, 1], [1, 1]]),
    "int4range": (["'[1,5)'", "'[2,5)'"], ["[1,5)", "[2,5)"]),
    "box": (["'(1,1),(0,0)'", "'(2,2),(0,0)'"], ["(1,1),(0,0)", "(2,2),(0,0)"]),
    "int[]": (["'{1,2}'", "'{3}'"], [[1, 2], [3]]),
    "xml": (["'<a/>'", "'<b/>'"], ["<a/>", "<b/>"]),
    "real": (["0.1", "0.3", "NULL", "'NaN'", "'-0.0'"], [*map(np.float32, (0.1, 0.3)), None, np.float32("nan"), 0.0]),
    "float8": (["0.1", "NULL", "'NaN'", "'-0.0'", "0", "'Infinity'"], [0.1, None, np.nan, -0.0, 0.0, np.inf]),
    "bigint": (["9007199254740993", "9007199254740992"], [9007199254740993, 9007199254740992]),
    "text": (
        ["E'a\\\\b'", "'it''s \"q\"'", "'🙂é'", "E'x\\ny'", "''", "' a'", "'%s :p ?'", "'1.0'"],
        ["a\\b", 'it\'s "q"', "🙂é", "x\ny", "", " a", "%s :p ?", "1.0"],
    ),
    'text COLLATE "de-x-icu"': (["'ß'", "'SS'", "'a'", "'Ä'"], ["ß", "SS", "a", "Ä"]),
}
"""Columns of PostgreSQL's own types: cells as SQL, and as a frame holds them."""

SPELLINGS = ["a", "A", "á", "b", "B", "e\u0301", "é", None]
COLLATIONS = {"no_case": "und-u-ks-level2", "no_accent": "und-u-ks-level1"}
"""Collations of PostgreSQL that hold several of the spellings equal, by their names in ICU."""

SMALL_NUMBERS = [1e-300, 1e100, 5e-324, 3.5, -1e-200, 1e-160] * 8
"""Their squares are too small for a double, which PostgreSQL refuses to round to 0."""


def every_test(audit):
    """Ask a column of any type in every role."""
    audit.outcome_disparity("v", "y", 1, **SMALL).outcome_disparity("g", "y", 1, control_columns="v", **SMALL)
    audit.outcome_disparity("g", "v", [1, "a", "true"], **SMALL).score_disparity("v", "y", **SMALL)
    audit.metric_parity("v", ["mean"], value_column="y", higher_is_better=True, **SMALL)
    audit.metric_parity("v", "auc", score_column="y", ground_truth_column="y", positive_values=[1], **SMALL)
    return audit.metric_parity(
        "g", "brier", probability_column="y", ground_truth_column="v", positive_values=["1", "a"], **SMALL
    )


def numeric_tests(audit):
    """Ask a column for every number that is made of sums, order and ranks."""
    audit.score_disparity("g", "v", **SMALL)
    audit.metric_parity("g", ["mean", "p95"], value_column="v", higher_is_better=True, **SMALL)
    for metric in ("mae", "rmse", "r2"):
        audit.metric_parity("g", metric, prediction_column="v", ground_truth_column="y", max_difference=1e300, **SMALL)
    return audit.metric_parity("g", "auc", score_column="v", ground_truth_column="y", positive_values=[1], **SMALL)


def results(audit):
    return audit.run().to_dict()["results"]


def own_types(server, backend):
    server.execute("CREATE TYPE mood AS ENUM ('b', 'a')")
    wrong = 0
    for kind, (literals, cells) in OWN_TYPES.items():
        n = 40
        rows = [("FM"[i % 2], literals[i % len(literals)], int(i % 4 in (0, 3))) for i in range(n)]
        server.execute("DROP TABLE IF EXISTS typed")
        server.execute(f"CREATE TABLE typed (g text, v {kind}, y int)")
        server.execute("INSERT INTO typed VALUES " + ", ".join(f"('{g}', {v}, {y})" for g, v, y in rows))
        column = pd.Series([cells[i % len(cells)] for i in range(n)], dtype=object)
        frame = pd.DataFrame({"g": [row[0] for row in rows], "v": column, "y": [row[2] for row in rows]})
        wanted = worked_cases.to_text(results(every_test(Audit(frame))))
        if worked_cases.to_text(results(every_test(Audit(backend.table("typed"))))) != wanted:
            print(f"postgresql: a column of {kind} differs")
            wrong += 1
    print(f"postgresql: {len(OWN_TYPES) - wrong} of {len(OWN_TYPES)} types of its own give the same bytes")
    return wrong


def collations(server, backend):
    wrong = 0
    frame = pd.DataFrame({
        "g": [SPELLINGS[i % len(SPELLINGS)] for i in range(200)],
        "v": [SPELLINGS[i * 3 % len(SPELLINGS)] for i in range(200)],
        "y": [int(i * 7 % 3 == 0) for i in range(200)],
    })  # fmt: skip
    wanted = worked_cases.to_text(results(every_test(Audit(frame))))
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    for name, locale in COLLATIONS.items():
        server.execute(f"CREATE COLLATION {name} (provider = icu, locale = '{locale}', deterministic = false)")
        server.execute("DROP TABLE IF EXISTS spelled")
        server.execute(f"CREATE TABLE spelled (g text COLLATE {name}, v text COLLATE {name}, y int)")
        with server.cursor() as cursor:
            cursor.executemany("INSERT INTO spelled VALUES (%s, %s, %s)", rows)
        if worked_cases.to_text(results(every_test(Audit(backend.table("spelled"))))) != wanted:
            print(f"postgresql: a collation that holds spellings equal, {name}, differs")
            wrong += 1
    print(f"postgresql: {len(COLLATIONS) - wrong} of {len(COLLATIONS)} collations give the same bytes")
    return wrong


def vanishing_products(backend):
    frame = pd.DataFrame({
        "g": ["F", "M"] * (len(SMALL_NUMBERS) // 2),
        "v": SMALL_NUMBERS,
        "y": [1, 0, 0, 1] * (len(SMALL_NUMBERS) // 4),
    })  # fmt: skip
    wanted = worked_cases.to_text(results(numeric_tests(Audit(frame))))
    found = worked_cases.to_text(results(numeric_tests(Audit(backend.create_table("small", frame, overwrite=True)))))
    print(f"postgresql: numbers whose squares vanish give the same bytes: {wanted == found}")
    return wanted != found


def reader_without_rights(url, server):
    """Audit as a user who may read one table, and create nothing, not even in passing."""
    for statement in (
        "CREATE ROLE reader LOGIN",
        "REVOKE CREATE, TEMPORARY ON DATABASE postgres FROM PUBLIC",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "GRANT SELECT ON typed TO reader",
        "ALTER ROLE reader SET default_transaction_read_only = on",
    ):
        server.execute(statement)
    backend = ibis.connect(url.replace("auditor", "reader"))
    run = results(every_test(Audit(backend.table("typed"))))
    print(f"postgresql: a user who may read only got {len(run)} results")
    return not run


def main(url):
    server = psycopg.connect(url, autocommit=True)
    backend = ibis.connect(url)

    def make(table):
        return backend.create_table("cases", table, overwrite=True)

    compare("postgresql", make, disparity_cases(), "disparity")
    compare("postgresql", make, gap_cases(), "rate gaps")
    compare("postgresql", make, impact_cases(), "adverse impact")
    compare("postgresql", make, misleading_cases(), "rows that mislead")
    wrong = (
        own_types(server, backend)
        + collations(server, backend)
        + vanishing_products(backend)
        + reader_without_rights(url, server)
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1])
