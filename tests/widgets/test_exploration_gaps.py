"""Rate gaps under other settings: the answer is that of a fresh audit, and code and YAML make it again."""

from dataclasses import replace

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.audit.document import entry_document
from fairreport.report.configuration import configuration_yaml
from fairreport.widgets.changes import describe_change
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.gap_settings import GapSettings, RuleSettings, restate_gaps
from fairreport.widgets.statement import python_text

SOME = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
GROUPS = {"sex": ["F", "M"], "race": ["A", "B", "C"]}
CROSSINGS = [("sex",), ("race",), ("sex", "race")]
RULES = [
    {"id": "selected", "rate": "selection", "attribute": "sex", "max_group_gap": 0.2},
    {"id": "wrong", "rate": "error", "attribute": "race", "worst_group": 0.7, "manual_review": "a person decides"},
]
RULE = st.builds(
    RuleSettings,
    rate=st.sampled_from(["error", "false_positive", "false_negative", "selection"]),
    attribute=st.sampled_from(CROSSINGS),
    is_gap=st.booleans(),
    bar=st.integers(0, 100).map(lambda n: n / 100),
    max_left_out=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    needs_review=st.booleans(),
)
ASKED = st.builds(
    GapSettings,
    rules=st.tuples(RULE, RULE),
    confidence_level=st.sampled_from([0.51, 0.8, 0.95, 0.999]),
    interval=st.sampled_from(["simultaneous", "pairwise"]),
    min_cell=st.sampled_from([1, 30, 300]),
    looks=st.sampled_from([1, 4]),
    joint=st.booleans(),
    calibration_bins=st.sampled_from([10, 5]),
)


@pytest.fixture(scope="module")
def rows(crowd):
    return crowd


@pytest.fixture(scope="module")
def run(rows):
    return fr.Audit(rows).rate_gaps(GROUPS, "qualified", "hired", RULES, probability="chance", name="gaps").run()


def stated(asked):
    """The parameters that settings stand for, as a user types them."""
    rules = []
    for rule, by in zip(RULES, asked.rules, strict=True):
        review = rule.get("manual_review", True) if by.needs_review else False
        bar = {"max_group_gap" if by.is_gap else "worst_group": by.bar}
        more = {"max_left_out": by.max_left_out, "manual_review": review}
        rules.append({"id": rule["id"], "rate": by.rate, "attribute": list(by.attribute), **bar, **more})
    crossed = [["sex", "race"]] if any(len(rule.attribute) == 2 for rule in asked.rules) else []
    shared = {name: getattr(asked, name) for name in ("confidence_level", "interval", "min_cell", "looks", "joint")}
    return rules, {"intersections": crossed, "calibration_bins": asked.calibration_bins, **shared}


@SOME
@given(asked=ASKED)
def test_it_answers_as_a_fresh_audit(run, rows, asked):
    rules, more = stated(asked)
    fresh = (
        fr.Audit(rows).rate_gaps(GROUPS, "qualified", "hired", rules, probability="chance", name="gaps", **more).run()
    )
    exploration = Exploration(run)
    answer = exploration.answer(0, asked)
    wanted = fresh.to_dict()["results"][0]
    if asked.calibration_bins != 10:
        assert answer.lack is Lack.CALIBRATION
        assert answer.record.finding.calibration is None
        assert entry_document(answer.record)["rules"] == wanted["rules"]
        exploration.gather(0, asked)
        answer = exploration.answer(0, asked)
    assert answer.lack is Lack.NOTHING
    assert entry_document(answer.record) == wanted


@settings(SOME, max_examples=10)
@given(asked=ASKED)
def test_its_code_and_its_yaml_give_the_same_json(run, rows, asked):
    exploration = Exploration(run)
    wanted = exploration.rerun({0: asked})
    record = exploration.record({0: asked})
    made = {"data": rows}
    exec(python_text(record), made)
    assert made["run"].to_json() == wanted.to_json()
    again = fr.Audit.from_config(yaml.safe_load(configuration_yaml(record)), rows).run()
    assert again.to_dict() == wanted.to_dict()


def test_as_stated_it_is_the_test_itself(run):
    exploration = Exploration(run)
    asked = exploration.settings(0)
    assert restate_gaps(exploration.tests[0], asked) is exploration.tests[0]
    answer = exploration.answer(0, asked)
    assert answer.is_stated
    assert answer.record == run.record.entries[0]
    assert exploration.crossings(0) == (("sex",), ("race",), ("sex", "race"))


def rule(asked, at, **changed):
    rules = list(asked.rules)
    rules[at] = replace(rules[at], **changed)
    return replace(asked, rules=tuple(rules))


def test_what_a_moved_bar_changes_is_told():
    numbers = {"sex": ["f", "f", "m", "m"], "y": [1] * 4, "p": [0, 1, 0, 1], "n": [100, 900, 160, 840]}
    bar = {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05}
    exploration = Exploration(fr.Audit(numbers, counts="n").rate_gaps({"sex": ["f", "m"]}, "y", "p", bar).run())
    asked = exploration.settings(0)
    before = exploration.answer(0, asked)
    # scipy 1.17.1 binomtest(100, 1000).proportion_ci(0.975): 0.0797571, 0.1232760; of 160: 0.1348208, 0.1877433
    wide = exploration.answer(0, rule(asked, 0, bar=0.11))
    assert describe_change(before, wide).text == (
        "Status not enough evidence → passing: rule missed INSUFFICIENT_EVIDENCE → PASS (widest pair f and m, gap "
        "within 0.012–0.108)."
    )
    still = describe_change(before, exploration.answer(0, rule(asked, 0, bar=0.06))).text
    assert still.startswith(
        "Status stays not enough evidence: rule missed still reads INSUFFICIENT_EVIDENCE and asks for the false "
        "negative rate by sex, no gap above 0.06"
    )
    same = describe_change(before, exploration.answer(0, replace(asked, min_cell=20))).text
    assert same == "Status stays not enough evidence; no rule reads differently."


def test_settings_that_do_not_stand_together_are_said(run):
    exploration = Exploration(run)
    asked = exploration.settings(0)
    assert exploration.answer(0, replace(asked, confidence_level=0.2)).refusal == (
        "confidence_level must be strictly between 0.5 and 1, got 0.2"
    )
    assert exploration.answer(0, rule(asked, 1, bar=1.5)).refusal == (
        "rules.1.worst_group must be from 0 to 1, got 1.5"
    )


def test_a_skipped_test_tells_why():
    rows = {"sex": ["f", "m"], "y": [1, 7], "p": [1, 0]}
    bar = {"id": "missed", "rate": "error", "attribute": "sex", "max_group_gap": 0.05}
    exploration = Exploration(fr.Audit(rows).rate_gaps({"sex": ["f", "m"]}, "y", "p", bar).run())
    stated = exploration.answer(0, exploration.settings(0))
    moved = exploration.answer(0, rule(exploration.settings(0), 0, bar=0.3))
    assert "column 'y' must be 0 or 1" in describe_change(None, moved).text
    assert "column 'y' must be 0 or 1" in describe_change(stated, moved).text
