"""The worked cases of tests/conformance, answered from a frame and from an engine's table: the same bytes."""

import io
import json
import sys
import tempfile
from pathlib import Path

import pandas as pd
import pyarrow as pa

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))

import conftest  # noqa: E402
import test_adverse_impact  # noqa: E402
import yaml  # noqa: E402

from fairreport import Audit, ConfigError  # noqa: E402
from fairreport.audit.document import to_text  # noqa: E402


def arrow(frame):
    """Return a frame as an Arrow table; a column without any cell as one of text, since a server knows no other."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    kinds = [pa.string() if pa.types.is_null(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))


def disparity_cases(step=1):
    """Yield (id, frame, how a table is answered) of the cases without types of their own."""
    for case in conftest.UNTYPED[::step]:

        def answer(data, case=case):
            try:
                audit = Audit.from_config([case["test"]], data=data)
            except ConfigError as error:
                return {"status": "config_error", "config_code": error.code}
            return audit.run().to_dict()["results"][0]

        yield case["id"], conftest.frame_of(case), answer


def gap_cases():
    """Yield the cases of rate gaps that can be asked of a table."""
    for case in conftest.RATE_GAPS:
        if case["refused_for"]:
            continue
        is_text = case["cases_name"].endswith(".csv")
        text = io.StringIO(case["cases"])
        frame = pd.read_csv(text) if is_text else pd.read_json(text, lines=True, dtype=False, convert_dates=False)

        def answer(data, case=case):
            stated = yaml.safe_load(case["fairness"])
            policy = yaml.safe_load(case["policy"]) or {}
            stated["fairness"]["confidence_level"] = policy.get("confidence_level", 0.95)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "fairness.yaml"
                path.write_text(yaml.safe_dump(stated, sort_keys=False), encoding="utf-8")
                return Audit.from_config(path, data=data).run().to_dict()["results"][0]

        yield case["id"], frame, answer


def impact_cases():
    """Yield the cases of adverse impact and its family that can be asked of a table."""
    for case in conftest.ADVERSE_IMPACT:
        if "index" not in case["params"]:  # a table has one order of rows: nothing to align

            def answer(data, case=case):
                return test_adverse_impact.by_table(case, data)

            yield case["id"], test_adverse_impact.frame_of(case), answer


def compare(engine, make, cases, what):
    """Answer every case from its frame and from the engine; print how many agree, and leave where any does not."""
    wrong = []
    n = 0
    for name, frame, answer in cases:
        wanted = to_text(answer(frame))
        found = to_text(answer(make(arrow(frame))))
        n += 1
        if wanted != found:
            wrong.append(name)
            print(f"{engine}: {name} differs: {_first_difference(json.loads(wanted), json.loads(found))}", flush=True)
    print(f"{engine}: {n - len(wrong)} of {n} cases of {what} are the same bytes as from a frame", flush=True)
    if wrong or not n:
        sys.exit(1)


def _first_difference(wanted, found):
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in {**wanted, **found}:
            if wanted.get(key) != found.get(key):
                return key, _first_difference(wanted.get(key), found.get(key))
    return str(wanted)[:200], str(found)[:200]
