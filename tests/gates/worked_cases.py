"""The worked cases of tests/conformance, answered from a frame and from an engine's table: the same bytes."""

import json
import math
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conformance"))

import conftest
import numpy as np
import pandas as pd

from fairreport import Audit, ConfigError
from fairreport.audit.document import to_text


def disparity_cases():
    """Yield (id, frame, how a table is answered) of every case without types of its own."""
    for case in conftest.UNTYPED:
        yield case["id"], conftest.frame_of(case), partial(_entry, case)


def gap_cases():
    """Yield the same of every case of rate gaps that can be asked of a table."""
    for case in conftest.GAP_TABLES:
        yield case["id"], conftest.gap_frame(case), partial(conftest.judge_gaps, case)


def impact_cases():
    """Yield the same of every case of adverse impact and its family that can be asked of a table."""
    for case in conftest.IMPACT_TABLES:
        yield case["id"], conftest.impact_frame(case), partial(conftest.judge_impact, case)


LATE = {
    "as the first ones": {},
    "larger": {"s": 70.0},
    "far larger": {"s": 7e8},
    "squares beyond doubles": {"s": -1e200},
    "next to nothing": {"s": 1e-300},
    "infinite": {"s": math.inf},
    "no number": {"s": math.nan},
    "missing": {"s": None},
    "a third label": {"y": 2},
    "a missing label": {"y": None},
    "whole numbers": {"s": 3, "t": 2},
}
"""What the last rows of a table hold that the first ones say nothing of."""


def misleading_cases(rows=12_000):
    """Yield the same of tables whose last rows are other than the first ones, from which an engine's are guessed."""
    rng = np.random.default_rng(29)
    first = {
        "g": rng.choice(["A", " A", "B", "C"], rows).tolist(),
        "s": np.round(rng.random(rows), 6).tolist(),
        "t": np.round(rng.random(rows), 6).tolist(),
        "y": rng.integers(0, 2, rows).tolist(),
    }
    for name, last in LATE.items():
        table = {column: [*cells[:-2], *[last.get(column, cells[-1])] * 2] for column, cells in first.items()}
        frame = pd.DataFrame(table)
        if name == "whole numbers":
            frame = frame.assign(s=(frame["s"] * 90).round().astype(int), t=(frame["t"] * 9).round().astype(int))
        yield name, frame, _each_alone


def _each_alone(data):
    """Return the results of tests of sums, each in an audit of its own: each asks for itself."""
    errors = {"prediction_column": "s", "ground_truth_column": "t", "max_difference": 1}
    tests = {"mean": {"value_column": "s", "higher_is_better": True}, "mae": errors, "rmse": errors, "r2": errors}
    tests["brier"] = {"probability_column": "s", "ground_truth_column": "y", "positive_values": 1}
    audits = [Audit(data).metric_parity("g", metric, **parameters) for metric, parameters in tests.items()]
    audits.append(Audit(data).score_disparity("g", "s"))
    return [audit.run().to_dict()["results"][0] for audit in audits]


def _entry(case, data):
    try:
        audit = Audit.from_config([case["test"]], data=data)
    except ConfigError as error:
        return {"status": "config_error", "config_code": error.code}
    return audit.run().to_dict()["results"][0]


def compare(engine, make, cases, what):
    """Answer every case from its frame and from the engine; print how many agree, and leave where any does not."""
    wrong = n = 0
    for name, frame, answer in cases:
        wanted, found = to_text(answer(frame)), to_text(answer(make(conftest.arrow_of(frame))))
        n += 1
        if wanted != found:
            wrong += 1
            print(f"{engine}: {name} differs: {_first_difference(json.loads(wanted), json.loads(found))}", flush=True)
    print(f"{engine}: {n - wrong} of {n} cases of {what} are the same bytes as from a frame", flush=True)
    if wrong or not n:
        sys.exit(1)


def _first_difference(wanted, found):
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in {**wanted, **found}:
            if wanted.get(key) != found.get(key):
                return key, _first_difference(wanted.get(key), found.get(key))
    return str(wanted)[:200], str(found)[:200]
