"""What the JSON entries of all kinds of test state in the same way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from fairreport.analyses.stated import StatedTest
from fairreport.audit.gate import ThresholdCheck
from fairreport.audit.provenance import AnyTally

Json = dict[str, Any]


def parameters_document(test: StatedTest) -> Json:
    """Return every parameter of a test with its origin."""
    return {name: {"value": value, "origin": test.origin(name)} for name, value in test.parameters().items()}


def thresholds_document(checks: Iterable[ThresholdCheck]) -> list[Json]:
    """Return each threshold with the actual value and whether it holds."""
    return [asdict(item) | {"operator": item.operator.value} for item in checks]


def evidence_document(tally: AnyTally | None) -> Json | None:
    """Return a tally as JSON: all of it, whatever a table shows; None where nothing was counted."""
    return None if tally is None else json.loads(json.dumps(asdict(tally)))
