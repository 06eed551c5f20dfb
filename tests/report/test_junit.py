"""JUnit XML as continuous integration reads it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import fairreport as fr
from fairreport.report.junit import junit_xml

# junit-10.xsd of the Jenkins xUnit plugin: which attributes an element may and must bear, and its children.
SCHEMA = {
    "testsuites": ({"name", "time", "tests", "failures", "disabled", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package"},
        {"name"},
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "classname", "group", "time", "status", "assertions"},
        {"name"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set(), set()),
    "skipped": ({"type", "message"}, set(), set()),
}


def check(element):
    allowed, required, children = SCHEMA[element.tag]
    assert required <= set(element.attrib) <= allowed
    assert {child.tag for child in element} <= children
    for child in element:
        check(child)


def read(record):
    text = junit_xml(record)
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    root = ET.fromstring(text)
    check(root)
    return root


ROWS = {"sex": ["F"] * 60 + ["M"] * 60, "hired": ([1] * 20 + [0] * 40) + ([1] * 40 + [0] * 20), "none": [None] * 120}


@pytest.fixture(scope="module")
def record():
    audit = fr.Audit(ROWS, title="A <b>title</b> & more")
    audit.outcome_disparity("sex", "hired", 1, name="fails")
    audit.outcome_disparity("sex", "hired", 1, name="passes", thresholds=[("minImpactRatio", ">=", 0.1)])
    audit.outcome_disparity("sex", "none", 1, name="cannot")
    rule = {"id": "r", "rate": "selection", "attribute": "sex", "max_group_gap": 0.3}
    audit.rate_gaps(attributes={"sex": ["F", "M"]}, label="hired", prediction="hired", rules=[rule], name="gaps")
    audit.adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0, name="pairs"
    )
    return audit.run().record


def test_one_case_a_test(record):
    suite = read(record).find("testsuite")
    outcomes = {case.get("name"): [child.tag for child in case] for case in suite}
    expected = {"failing": ["failure"], "passing": []}
    assert outcomes == {entry.name: expected.get(entry.status.value, ["skipped"]) for entry in record.entries}
    assert outcomes["fails"] == ["failure"]
    assert outcomes["passes"] == []
    assert outcomes["cannot"] == ["skipped"]
    counted = {key: int(suite.get(key)) for key in ("tests", "failures", "skipped", "errors")}
    kinds = [tag for tags in outcomes.values() for tag in tags]
    assert counted == {"tests": 5, "failures": kinds.count("failure"), "skipped": kinds.count("skipped"), "errors": 0}


def test_a_failure_says_what_was_wanted(record):
    case = next(case for case in read(record).iter("testcase") if case.get("name") == "fails")
    failure = case.find("failure")
    assert failure.get("type") == "failing"
    assert "0.500 of the rate of M" in failure.get("message")
    assert failure.text == "failingGroupCount = 1; wanted <= 0"


def test_a_skipped_test_says_why(record):
    case = next(case for case in read(record).iter("testcase") if case.get("name") == "cannot")
    assert case.find("skipped").get("message").startswith("skipped: ")


HOSTILE = [
    "<script>",
    "a & b",
    'q"uote',
    "it's",
    "]]>",
    "line\nbreak",
    "nul\x00",
    "bell\x07",
    "\ud800",
    "\ufffe",
    "\u202e",
    "é漢",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_escaped_and_without_control_characters(name):
    audit = fr.Audit(ROWS, title=name).outcome_disparity("sex", "hired", 1, name=f"x{name}")
    text = junit_xml(audit.run().record)
    root = ET.fromstring(text.encode("utf-8"))
    check(root)
    assert not any(ord(c) < 32 and c not in "\n" for c in text)
    for plain in ("<script>", "\x00", "\x07", "\ufffe", "\u202e"):
        assert plain not in text


def test_the_same_run_gives_the_same_bytes(record):
    assert junit_xml(record) == junit_xml(record)
