"""The archive of worked cases: how it is read, and how a result is held against it."""

import io
import json
import lzma
import math
from pathlib import Path

import pandas as pd
import pytest

from fairreport import Audit, ConfigError

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
TABLES = [
    table
    for table in read_archive("tables.jsonl.xz")
    if table["question"]["analysis"] != "metric" or "groupMetricParity" in SUBTYPES
]


ENGINES = ("polars", "polars-lazy", "pyarrow", "duckdb", "ibis", "parquet")


def pytest_generate_tests(metafunc):
    if "engine_name" in metafunc.fixturenames:
        # Counts go through every engine; numeric passes take their time, so each case goes through a third of them.
        pairs = [
            (case, engine)
            for i, case in enumerate(UNTYPED)
            for j, engine in enumerate(ENGINES)
            if case["test"]["subtype"] == "groupOutcomeDisparity" or (i + j) % 3 == 0
        ]
        ids = [f"{case['id']}-{engine}" for case, engine in pairs]
        metafunc.parametrize(("untyped_case", "engine_name"), pairs, ids=ids)
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
