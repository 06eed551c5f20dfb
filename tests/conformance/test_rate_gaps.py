"""Every worked case of rate gaps: what the command answers, and what `judge_fairness` returns."""

import dataclasses
import json

import pytest
import yaml

from fairreport import Audit, ConfigError, DataError
from fairreport.audit.fairness import answer_document, judge_fairness
from fairreport.cli.main import main

REFUSALS = {
    # The file declares gender, and its rule is about sex: that shows before the cases are read.
    "a declared column is not in the file": ("undeclared_attribute", "fairness.rules.0.attribute"),
    "a unit value repeats": ("repeated_unit", "person_id"),
    "fewer than two declared groups": ("too_few_groups", "fairness.attributes"),
    "invalid YAML": ("bad_syntax", ""),
    "label is not 0 or 1": ("label_not_binary", "label"),
    "more than one bar on a rule": ("one_bar", "fairness.rules.0"),
    "unknown key": ("unknown_parameter", "fairness.foo"),
    "unknown rate": ("bad_enum", "fairness.rules.0.rate"),
}
"""What a case is refused for: the code and the dotted path of the fault."""


def test_the_archive_holds_every_kind(gap_archive):
    states = [rule["state"] for case in gap_archive for rule in case["expected"].get("rules", ())]
    assert {case["refused_for"] for case in gap_archive} == {None, *REFUSALS}
    assert {case["expected"]["exit_code"] for case in gap_archive} == {0, 1, 2, 3, 4}
    assert set(states) == {"PASS", "FAIL", "INSUFFICIENT_EVIDENCE", "MANUAL_REVIEW"}


def test_command(gap_case, gap_files, compare, capsysbinary):
    config, policy = gap_files(gap_case)
    code = main(["fairness", str(config), "--policy", str(policy), "--json"])
    document = json.loads(capsysbinary.readouterr().out)
    assert code == gap_case["expected"]["exit_code"]
    assert compare(gap_case["expected"], document) == []
    if gap_case["refused_for"]:
        (fault,) = document["errors"]
        assert (fault["code"], fault["path"]) == REFUSALS[gap_case["refused_for"]]


def test_python(gap_case, gap_files, compare):
    files = gap_files(gap_case)
    expected = gap_case["expected"]
    if gap_case["refused_for"]:
        with pytest.raises((ConfigError, DataError)) as caught:
            judge_fairness(*files)
        assert [fault.code for fault in caught.value.errors] == [REFUSALS[gap_case["refused_for"]][0]]
        return
    answer = judge_fairness(*files)
    assert (answer.exit_code, len(answer.rules)) == (expected["exit_code"], len(expected["rules"]))
    for wanted, found in zip(expected["rules"], answer.rules, strict=True):
        assert (found.id, found.state.value) == (wanted["id"], wanted["state"])
        numbers = {
            "alpha_per_group": found.alpha_per_group,
            "groups": {group.label: dataclasses.asdict(group) for group in found.groups},
            "gaps": [dataclasses.asdict(gap) for gap in found.gaps],
            "left_out": dataclasses.asdict(found.left_out),
        }
        assert compare({key: value for key, value in wanted.items() if key not in {"id", "state"}}, numbers) == []
    calibration = answer.finding.calibration and {
        item.label: dataclasses.asdict(item) for item in answer.finding.calibration
    }
    assert compare(expected["calibration"], calibration) == []


def test_as_a_test_of_an_audit(gap_case, gap_files):
    config, policy = gap_files(gap_case)
    if gap_case["refused_for"]:
        refused = REFUSALS[gap_case["refused_for"]][0]
        try:
            assert Audit.from_config(config).run()[0].to_dict()["skip_code"] == refused
        except ConfigError as error:
            assert error.code == refused  # noqa: PT017 - a fault of the file or of its cases, whichever it is
        return
    stated = yaml.safe_load(config.read_text(encoding="utf-8"))
    level = yaml.safe_load(policy.read_text(encoding="utf-8")) or {}
    stated["fairness"]["confidence_level"] = level.get("confidence_level", 0.95)
    config.write_text(yaml.safe_dump(stated, sort_keys=False), encoding="utf-8")
    run = Audit.from_config(config).run()
    answer = json.loads(json.dumps(answer_document(judge_fairness(config, policy))))
    entry = json.loads(run.to_json())["results"][0]
    assert entry["rules"] == answer["rules"]
    assert entry["calibration"] == answer["calibration"]
    assert (entry["state"], run.exit_code) == (answer["state"], answer["exit_code"])
