"""Every statement in the words of engines that nobody runs here: it parses, and no text of a user is taken for SQL.

Only compiled: Snowflake, BigQuery, Databricks, Trino. The statements are those that audits of every kind ask of
DuckDB, over a table whose names and cells would do harm if they were not quoted.
"""

import warnings
from dataclasses import replace

import ibis
import numpy as np
import pandas as pd
import pytest
from sqlglot import exp, parse_one, tokenize
from sqlglot.tokens import TokenType

from fairreport import Audit, Window
from fairreport.tables import levels, sql_crowds
from fairreport.tables.sql_engine_ibis import IbisEngine
from fairreport.tables.sql_engines import Remote
from fairreport.tables.sql_limits import Limits
from fairreport.tables.sql_text import in_dialect

COMPILED = ("snowflake", "bigquery", "databricks", "trino")
RUN = ("postgres", "sqlite")
EVIL = [
    "zz'; DROP TABLE zz; --",
    'zz"; DROP TABLE zz; --',
    "zz`; DROP TABLE zz; --",
    "zz\\'; DROP TABLE zz; --",
    "zz /* zz",
    "zz $zz$ :zz ?zz %zz {zz} ${zz}",
    "zz\n\tzz",
    "zz \U0001f642 é ß",
]
"""Each bears `zz`, which nothing of fairreport's own does."""

NAMES = {
    "sex": 'zz"; DROP TABLE zz; -- s',
    "band": "zz'; DROP TABLE zz; -- b",
    "hired": "zz`h`; select",
    "score": "zz[score]; group",
    "pay": "zz\\pay",
    "person": "zz person é \U0001f642",
    "when": "zz" + "w" * 80,
    "weight": "zz n",
    "in_a": "zz in a",
    "in_b": "zz in b",
}
ROWS = 1_600
SMALL = {"min_group_size": 1, "min_group_share": 0}


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            NAMES["sex"]: [EVIL[i % len(EVIL)] for i in range(ROWS)],
            NAMES["band"]: [EVIL[i % 3] + " b" for i in range(ROWS)],
            NAMES["hired"]: [EVIL[i % 2] for i in rng.integers(0, 2, ROWS)],
            NAMES["score"]: rng.random(ROWS),
            NAMES["pay"]: rng.normal(1e-3, 5, ROWS).round(3),
            NAMES["person"]: [f"zz' {i}" for i in range(ROWS)],
            NAMES["when"]: pd.date_range("2026-01-01", periods=ROWS, freq="h"),
            NAMES["weight"]: rng.integers(1, 4, ROWS),
            NAMES["in_a"]: (rng.random(ROWS) < 0.5) * 1.0,
            NAMES["in_b"]: (rng.random(ROWS) < 0.5) * 1.0,
        }
    )


def every_kind(audit):
    """Append tests of every kind that are asked of an engine."""
    sex, band, hired, score, pay = (NAMES[name] for name in ("sex", "band", "hired", "score", "pay"))
    audit.outcome_disparity(sex, hired, EVIL[0], control_columns=[band], **SMALL)
    audit.outcome_disparity([sex, band], hired, EVIL[1], **SMALL).score_disparity(sex, score, **SMALL)
    audit.metric_parity(sex, ["mean", "p95"], value_column=pay, higher_is_better=True, **SMALL)
    errors = {"prediction_column": score, "ground_truth_column": pay, "max_difference": 50}
    for metric in ("mae", "rmse", "r2"):
        audit.metric_parity([sex, band], metric, **errors, **SMALL)
    classes = {"ground_truth_column": hired, "positive_values": [EVIL[0]]}
    for metric, column in (("auc", "score"), ("brier", "probability"), ("log_loss", "probability")):
        audit.metric_parity(sex, metric, **{f"{column}_column": score}, **classes, **SMALL)
    return audit


def pairs_and_gaps(audit):
    """Append what brings distinct rows here, and what looks for persons."""
    audit.standardized_mean_difference(
        outcome=NAMES["pay"],
        smd_threshold=0.3,
        protected_groups=NAMES["in_a"],
        reference_groups=NAMES["in_b"],
        group_categories="zz",
    )
    rule = {"id": "gap", "rate": "error", "attribute": [NAMES["sex"]], "max_group_gap": 0.5}
    return audit.rate_gaps(
        {NAMES["sex"]: EVIL[:2]}, NAMES["hired"], NAMES["hired"], [rule], unit=NAMES["person"], name="gaps"
    )


@pytest.fixture(scope="module")
def shapes(frame):
    """Every statement that audits ask, in fairreport's words, with the columns and the condition that go with it."""
    backend = ibis.duckdb.connect()
    backend.con.register("arrived", frame)
    backend.raw_sql("CREATE TABLE held AS SELECT * FROM arrived")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ibis 12 reads schemas in DuckDB's old way
        table = backend.table("held")
    found = {}
    statement = Remote.statement

    def spy(remote, sql, columns):
        found[sql, remote.where] = (dict(columns), remote.where, dict(remote.needed))
        return statement(remote, sql, columns)

    words = {"missing_values": ["zz NA'; --", "-999"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Remote, "statement", spy)
        every_kind(Audit(table, **words)).run()
        every_kind(Audit(table, counts=NAMES["weight"], **words)).run()
        pairs_and_gaps(Audit(table, **words)).run()
        every_kind(Audit(table, time_column=NAMES["when"])).run(Window(length="14d", end="2026-02-05"))
        patch.setattr(levels, "COMPARED_ROWS", 100)
        patch.setattr(levels, "REMOTE_SORTED_ROWS", 100)
        patch.setattr(levels, "FEW_ROWS", replace(levels.FEW_ROWS, fetched=50))
        patch.setattr(sql_crowds, "FEW_GROUPS", 1)
        run = every_kind(Audit(table, **words)).run()
        run[0].records({NAMES["sex"]: EVIL[0]})
    backend.disconnect()
    return [(sql, *rest) for (sql, _), rest in found.items()]


class Unbound:
    """An ibis table of some schema with no server behind it."""

    def __init__(self, schema, name):
        self._table = ibis.table(schema, name="zz'; -- rows")
        self._backend = type("Backend", (), {"name": name})()

    def get_backend(self):
        return self._backend

    def __getattr__(self, name):
        return getattr(self._table, name)

    def __getitem__(self, name):
        return self._table[name]


@pytest.fixture(scope="module")
def statements(shapes):
    """The statements as each engine would get them, and as it would read them."""
    kinds = {"score": "float64", "pay": "float64", "when": "timestamp", "weight": "int64"}
    kinds |= {"in_a": "float64", "in_b": "float64"}
    schema = ibis.schema({NAMES[name]: kinds.get(name, "string") for name in NAMES})
    made = {}
    for dialect in (*COMPILED, *RUN):
        engine = IbisEngine(Unbound(schema, dialect), Limits(seconds=None))
        texts = [
            Remote(engine=engine, where=where, needed=needed, is_guarded=is_guarded).statement(sql, columns)
            for sql, columns, where, needed in shapes
            for is_guarded in ((False, True) if dialect == "postgres" else (False,))
        ]
        made[dialect] = [(text, parse_one(text, read=dialect)) for text in texts]
    return made


every_dialect = pytest.mark.parametrize("dialect", [*COMPILED, *RUN])


def test_the_statements_are_of_every_shape(shapes):
    texts = [sql for sql, *_ in shapes]
    assert len(texts) > 40
    for part in ("GROUPING SETS", "JOIN (VALUES", "FILTER (", "IN (", "floor(", "LIKE", "HAVING", "BETWEEN", "LIMIT"):
        assert any(part in text for text in texts), part
    assert any(where for _, _, where, _ in shapes)


@every_dialect
def test_every_statement_parses(statements, dialect):
    for text, tree in statements[dialect]:
        assert isinstance(tree, exp.Query), text


@every_dialect
def test_one_grouping_a_statement(statements, dialect):
    """SQLite has no grouping sets: one grouping a set, put together. What looks for persons groups, then asks."""
    for text, tree in statements[dialect]:
        grouped = [select for select in tree.find_all(exp.Select) if select.args.get("group")]
        unions = len(list(tree.find_all(exp.Union))) if dialect == "sqlite" else 0
        assert len(grouped) <= 1 + unions, text


def test_postgresql_works_nothing_out_again(statements):
    """A number that a nested select works out, and the one around it uses more than once, stands beside the rows."""
    n_aside = 0
    for text, tree in statements["postgres"]:
        for subquery in tree.find_all(exp.Subquery):
            inner, outer = subquery.this, subquery.find_ancestor(exp.Select)
            if not isinstance(subquery.parent, exp.From) or not isinstance(inner.find(exp.From).this, exp.Table):
                continue
            for item in inner.expressions:
                used = [c for c in outer.find_all(exp.Column) if c.name == item.alias and not c.table]
                is_cheap = isinstance(item.unalias(), exp.Column | exp.Null)
                assert is_cheap or len(used) < 2, text
                n_aside += item.find(exp.Column) is not None and item.find(exp.Column).table == "fr_aside"
    assert n_aside > 10


@every_dialect
def test_only_postgresql_joins_beside_the_rows(statements, dialect):
    joined = any("LATERAL" in text for text, _ in statements[dialect])
    assert joined == (dialect == "postgres")


@every_dialect
def test_no_pattern_is_matched_in_an_engine(statements, dialect):
    """Only LIKE: patterns of other kinds mean other things from engine to engine."""
    for _, tree in statements[dialect]:
        assert not list(
            tree.find_all(exp.RegexpLike, exp.RegexpILike, exp.RegexpExtract, exp.RegexpReplace, exp.SimilarTo)
        )
        named = {node.name.lower() for node in tree.find_all(exp.Anonymous)}
        assert not any("regex" in name or name == "rlike" for name in named), named


@every_dialect
def test_no_text_of_a_user_is_sql(statements, dialect):
    quoted = {TokenType.STRING, TokenType.IDENTIFIER, TokenType.RAW_STRING, TokenType.NATIONAL_STRING}
    cells = {*EVIL, *(f"{text} b" for text in EVIL), "zz NA'; --"}
    for text, tree in statements[dialect]:
        for token in tokenize(text, read=dialect):
            if "zz" in token.text or "DROP" in token.text.upper():
                assert token.token_type in quoted, (token, text)
            assert not token.comments, text
        if dialect != "bigquery":  # there ibis puts other characters in the place of those that no column may bear
            found = {node.name for node in tree.find_all(exp.Identifier) if "zz" in node.name}
            assert found <= {*NAMES.values(), "zz'; -- rows"}
        assert all(node.quoted for node in tree.find_all(exp.Identifier) if "zz" in node.name)
        assert {n.this for n in tree.find_all(exp.Literal) if "zz" in n.this} <= cells, text


@every_dialect
def test_a_cell_comes_out_as_it_went_in(dialect):
    for cell in EVIL:
        text = cell.replace("'", "''")
        literal = parse_one(in_dialect(f"SELECT '{text}' AS c", dialect), read=dialect).find(exp.Literal)
        assert literal.this == cell
