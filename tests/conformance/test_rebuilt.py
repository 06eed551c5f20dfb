"""Every worked case, made again from its own document: the same bytes."""

import io
import json

import pandas as pd
import pytest

from fairreport import Audit, ConfigError
from fairreport.analyses.pair_tests import PAIR_TESTS, CustomDisparityMetric
from fairreport.audit.document import audit_document, to_text
from fairreport.audit.rebuild import rebuild

KINDS = {kind.analysis: kind for kind in PAIR_TESTS if kind is not CustomDisparityMetric}


def rebuilt(text):
    found = rebuild(json.loads(text))
    assert found.misfits == ()
    return to_text(audit_document(found.record))


def test_a_case_is_made_again_from_its_evidence(case, load_frame):
    try:
        audit = Audit.from_config([case["test"]], load_frame(case))
    except ConfigError:
        return
    text = audit.run().to_json()
    assert rebuilt(text) == text


def test_rate_gaps_are_made_again_from_their_evidence(gap_case, gap_files):
    config, _ = gap_files(gap_case)
    try:
        audit = Audit.from_config(config)
    except ConfigError:
        return
    text = audit.run().to_json()
    assert rebuilt(text) == text


@pytest.mark.parametrize(
    "text", ["{}", '{"data": {"declared_groups": {}}, "results": []}', '{"data": 1, "results": []}']
)
def test_what_is_no_document_is_said(text):
    found = rebuild(json.loads(text))
    assert found.record is None
    assert found.misfits


def test_named_pairs_are_made_again_from_their_evidence(impact_archive):
    made = 0
    for case in impact_archive:
        params = case["params"]
        kind = KINDS.get(params["function"])
        if kind is None or "index" in params:
            continue
        try:
            test = kind(**params["parameters"])
        except ConfigError:
            continue
        text = Audit(pd.read_csv(io.StringIO(case["data"])), tests=[test]).run().to_json()
        assert rebuilt(text) == text, case["id"]
        made += 1
    assert made > 100
