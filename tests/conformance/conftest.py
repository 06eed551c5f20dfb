"""The archive of worked cases: how it is read, and how a result is held against it."""

import io
import json
import lzma
import math
import warnings
from pathlib import Path

import ibis
import pandas as pd
import pyarrow as pa
import pytest
import yaml

from fairreport import Audit, ConfigError
from fairreport.analyses.pair_tests import PAIR_TESTS
from fairreport.analyses.pairs import gather, judge_pairs
from fairreport.audit.pair_rows import document
from fairreport.tables.needs import Reading
from fairreport.tables.source import open_table

HERE = Path(__file__).parent
RELATIVE, ABSOLUTE = 1e-9, 1e-10

SUBTYPES = ("groupOutcomeDisparity", "groupScoreDisparity", "groupMetricParity")
"""The kinds of test whose cases are run."""

FREE_WORDING = {"skip_reason", "config_message"}


def read_archive(name):
    content = lzma.decompress((HERE / name).read_bytes()).decode("utf-8")
    return [json.loads(line) for line in content.splitlines()]


CASES = [case for case in read_archive("cases.jsonl.xz") if case["test"]["subtype"] in SUBTYPES]
UNTYPED = [case for case in CASES if case["dtypes"] is None]
RATE_GAPS = read_archive("rate_gaps.jsonl.xz")
ADVERSE_IMPACT = read_archive("adverse_impact.jsonl.xz")
GAP_TABLES = [case for case in RATE_GAPS if not case["refused_for"]]
IMPACT_TABLES = [case for case in ADVERSE_IMPACT if "index" not in case["params"]]
"""Cases that can be asked of a table: one has one order of rows, so that there is nothing to align."""

PAIRS = {kind.analysis: kind for kind in PAIR_TESTS}
TABLES = [
    table
    for table in read_archive("tables.jsonl.xz")
    if table["question"]["analysis"] != "metric" or "groupMetricParity" in SUBTYPES
]


ENGINES = ("polars", "polars-lazy", "pyarrow", "duckdb", "parquet", "ibis-duckdb", "ibis-sqlite")
HELD = ("ibis-duckdb", "ibis-sqlite")
"""Databases that hold a table and are asked in their own SQL; the gates ask servers too."""


def pytest_generate_tests(metafunc):
    if "engine_name" in metafunc.fixturenames:
        # Counts go through every engine; numeric passes take their time, so each case goes through a third of them.
        # All but one of these are heavy.
        pairs = []
        for i, case in enumerate(UNTYPED):
            is_counted = case["test"]["subtype"] == "groupOutcomeDisparity"
            taken = [engine for j, engine in enumerate(ENGINES) if is_counted or (i + j) % 3 == 0]
            for engine in taken:
                marks = [pytest.mark.heavy] * (engine != taken[i % len(taken)])
                pairs.append(pytest.param(case, engine, marks=marks, id=f"{case['id']}-{engine}"))
        metafunc.parametrize(("untyped_case", "engine_name"), pairs)
        return
    if "held_name" in metafunc.fixturenames:
        fixture, records = (
            ("gap_case", GAP_TABLES) if "gap_case" in metafunc.fixturenames else ("impact_case", IMPACT_TABLES)
        )
        taken = [(case, HELD[i % 2]) for i, case in enumerate(records)]
        metafunc.parametrize((fixture, "held_name"), taken, ids=[f"{case['id']}-{name}" for case, name in taken])
        return
    for fixture, records in (
        ("case", CASES),
        ("untyped_case", UNTYPED),
        ("table", TABLES),
        ("gap_case", RATE_GAPS),
        ("impact_case", ADVERSE_IMPACT),
    ):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, records, ids=[record["id"] for record in records])


def _column(cells, kind):
    """Build one column from its CSV cells; `kind` is how the case wants them read."""
    if kind == "text":
        return pd.array(cells, dtype=object)
    if kind == "json":
        return pd.array([json.loads(cell) for cell in cells], dtype=object)
    filled = [cell or None for cell in cells]
    if kind == "category" or isinstance(kind, dict):
        return pd.Categorical(filled, categories=None if kind == "category" else kind["category"])
    if kind.lower() in {"bool", "boolean"}:
        parse = {"true": True, "false": False}.__getitem__
        return pd.array([None if cell is None else parse(cell.lower()) for cell in filled], dtype=kind)
    if kind.lower() == "int64":
        return pd.array([None if cell is None else int(cell) for cell in filled], dtype=kind)
    if kind.lower().startswith("float"):
        missing = pd.NA if kind.startswith("F") else math.nan
        return pd.array([missing if cell is None else float(cell) for cell in filled], dtype=kind)
    return pd.array(filled, dtype=kind)


def frame_of(case):
    """Return the table of a case: read by inference, but for the columns whose type the case states."""
    frame = pd.read_csv(io.StringIO(case["data"]))
    stated = case["dtypes"] or {}
    if stated:
        raw = pd.read_csv(io.StringIO(case["data"]), dtype=str, keep_default_na=False)
        for name, kind in stated.items():
            frame[name] = pd.Series(_column(raw[name].tolist(), kind), index=frame.index)
    return frame


def arrow_of(frame):
    """Return a frame as an Arrow table; a column without any cell as one of text, since databases know no other."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    kinds = [pa.string() if pa.types.is_null(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))


def gap_frame(case):
    """Return the cases of a case of rate gaps as a frame."""
    if case["cases_name"].endswith(".csv"):
        return pd.read_csv(io.StringIO(case["cases"]))
    return pd.DataFrame([json.loads(line) for line in case["cases"].splitlines()])


def judge_gaps(case, data):
    """Return the entry of a case of rate gaps over a table of any kind."""
    stated = yaml.safe_load(case["fairness"])
    policy = yaml.safe_load(case["policy"]) or {}
    stated["fairness"]["confidence_level"] = policy.get("confidence_level", 0.95)
    return Audit.from_config(stated, data=data).run().to_dict()["results"][0]


def impact_frame(case):
    """Return the rows of a case of adverse impact."""
    return pd.read_csv(io.StringIO(case["data"]))


def judge_impact(case, data):
    """Return the document of a case of adverse impact over a table of any kind, in which everything is a column."""
    params = case["params"]
    try:
        test = PAIRS[params["function"]](**params["parameters"])
        return document(judge_pairs(test, gather(open_table(data), test, Reading())))
    except ConfigError as error:
        return {"status": "config_error", "config_code": error.code}


def differences(expected, actual, place=""):
    """Yield what differs; the actual result may hold more than is expected."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in expected.keys() - FREE_WORDING:
            if key in actual:
                yield from differences(expected[key], actual[key], f"{place}/{key}")
            else:
                yield f"{place}/{key}: absent"
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for position, pair in enumerate(zip(expected, actual, strict=True)):
            yield from differences(*pair, f"{place}/{position}")
    elif _is_number(expected) and _is_number(actual):
        if not math.isclose(expected, actual, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            yield f"{place}: wanted {expected!r}, found {actual!r}"
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{place}: wanted {expected!r}, found {actual!r}"


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@pytest.fixture(scope="session")
def databases():
    """Databases in memory, by name."""
    made = {"ibis-duckdb": ibis.duckdb.connect(), "ibis-sqlite": ibis.sqlite.connect()}
    yield made
    for backend in made.values():
        backend.disconnect()


@pytest.fixture
def held(databases):
    """Put a frame into a table of a database, in the place of the one before."""

    def make(frame, name):
        backend, table = databases[name], arrow_of(frame)
        if name == "ibis-sqlite":
            return backend.create_table("held", table, overwrite=True)
        backend.con.register("arrived", table)
        backend.raw_sql("CREATE OR REPLACE TABLE held AS SELECT * FROM arrived")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # ibis 12 reads schemas in DuckDB's old way
            return backend.table("held")

    return make


@pytest.fixture
def judged():
    """How cases of each kind become frames and are answered from tables."""
    return {"gaps": (gap_frame, judge_gaps), "impact": (impact_frame, judge_impact)}


@pytest.fixture
def subtypes():
    return SUBTYPES


@pytest.fixture
def load_frame():
    return frame_of


@pytest.fixture
def compare():
    return lambda expected, actual: sorted(differences(expected, actual))


@pytest.fixture
def csv_file(tmp_path):
    """Write the table of a case as it stands in the archive."""

    def write(case):
        path = tmp_path / "data.csv"
        path.write_bytes(case["data"].encode("utf-8"))
        return path

    return write


@pytest.fixture
def answer():
    """Return the entry of a case's test over some data; a configuration error in the same shape."""

    def run(case, data):
        try:
            audit = Audit.from_config([case["test"]], data=data)
        except ConfigError as error:
            return {"status": "config_error", "config_code": error.code, "test_status": None}
        return audit.run().to_dict()["results"][0]

    return run


@pytest.fixture
def gap_files(tmp_path):
    """Write the files of a case of rate gaps as they stand in the archive; return the paths of both configurations."""

    def write(case):
        for name, text in (
            ("fairness.yaml", case["fairness"]),
            ("policy.yaml", case["policy"]),
            (case["cases_name"], case["cases"]),
        ):
            (tmp_path / name).write_bytes(text.encode("utf-8"))
        return tmp_path / "fairness.yaml", tmp_path / "policy.yaml"

    return write


@pytest.fixture
def gap_archive():
    return RATE_GAPS


@pytest.fixture
def impact_archive():
    return ADVERSE_IMPACT
