"""The worked cases of tests/conformance, answered from a frame and from an engine's table: the same bytes."""

import json
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conformance"))

import conftest

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
