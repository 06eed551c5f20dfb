"""From measurements to a status, from statuses to an exit code."""

import itertools
import json

import pytest

from fairreport import Audit, AuditNotPassedError
from fairreport.analyses.parameters import Threshold
from fairreport.audit.gate import Status, check, exit_code, overall_status, status_of_test


def passes(actual, operator, value):
    return check([Threshold(measurement="m", operator=operator, value=value)], {"m": actual})[0].passed


@pytest.mark.parametrize(
    ("operator", "below", "equal", "above"),
    [
        ("is", False, True, False),
        ("!=", True, False, True),
        (">", False, False, True),
        (">=", False, True, True),
        ("<", True, False, False),
        ("<=", True, True, False),
    ],
)
@pytest.mark.parametrize("value", [0, 1, -3, 0.8, 1e9])
def test_operators(operator, below, equal, above, value):
    assert passes(value - 0.5, operator, value) is below
    assert passes(value, operator, value) is equal
    assert passes(value + 0.5, operator, value) is above


@pytest.mark.parametrize(
    ("actual", "value"),
    [(0.65 - 0.60, 0.05), (0.1 + 0.2, 0.3), (1e6 + 1e-7, 1e6), (1e-13, 0), (2.4 / 3.0, 0.8)],
)
def test_values_within_the_tolerance_are_equal(actual, value):
    assert [passes(actual, operator, value) for operator in ("is", "!=", ">", ">=", "<", "<=")] == [
        True,
        False,
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(("actual", "value"), [(0.05 + 1e-11, 0.05), (1e-11, 0), (1 + 1e-11, 1)])
def test_values_beyond_it_are_not(actual, value):
    assert passes(actual, ">", value)
    assert not passes(actual, "<=", value)


@pytest.mark.parametrize("operator", ["is", "!=", ">", ">=", "<", "<="])
def test_an_undefined_measurement_neither_passes_nor_fails(operator):
    assert passes(None, operator, 0) is None


@pytest.mark.parametrize(
    ("passed", "status"),
    [
        ([True], "passing"),
        ([True, True], "passing"),
        ([True, False], "failing"),
        ([None], "skipped"),
        ([True, None], "skipped"),
        ([None, False, True], "failing"),
    ],
)
def test_all_thresholds_must_hold(passed, status):
    actual = {True: 0, False: 1, None: None}
    checks = check(
        [Threshold(measurement=str(i), operator="<=", value=0) for i in range(len(passed))],
        {str(i): actual[item] for i, item in enumerate(passed)},
    )
    assert [item.passed for item in checks] == passed
    assert status_of_test(checks, skipped=False) == status
    assert status_of_test(checks, skipped=True) == "skipped"


def test_the_first_in_the_order_stands_for_several():
    order = ["failing", "manual_review", "insufficient_evidence", "skipped", "passing"]
    codes = {"failing": 1, "manual_review": 4, "insufficient_evidence": 3, "skipped": 3, "passing": 0}
    for size in range(1, 4):
        for statuses in itertools.product(order, repeat=size):
            expected = min(statuses, key=order.index)
            assert overall_status(map(Status, statuses)) == expected
            assert exit_code(Status(expected)) == codes[expected]


DATA = {"g": ["F", "M"] * 40, "o": [1, 1, 0, 1] * 20}  # F 20 of 40, M 40 of 40


def audit_of(*thresholds, **parameters):
    audit = Audit(DATA)
    for i, threshold in enumerate(thresholds):
        audit.outcome_disparity("g", "o", 1, name=f"test {i}", thresholds=threshold, **parameters)
    return audit.run()


FAILS = [("minImpactRatio", ">=", 0.8)]
PASSES = [("minImpactRatio", ">=", 0.5)]
UNDEFINED = [("significantDisparityCount", "<=", 0)]


def test_status_and_exit_code_of_a_run():
    assert (audit_of(PASSES).status, audit_of(PASSES).exit_code) == ("passing", 0)
    assert (audit_of(PASSES, FAILS).status, audit_of(PASSES, FAILS).exit_code) == ("failing", 1)
    skipped = audit_of(PASSES, UNDEFINED, significance_test="none")
    assert (skipped.status, skipped.exit_code) == ("skipped", 3)
    assert [result.status for result in skipped] == ["passing", "skipped"]
    assert skipped.results[0].exit_code == 3
    document = json.loads(skipped.to_json())
    assert (document["status"], document["exit_code"]) == ("skipped", 3)
    assert document["results"][1]["thresholds"] == [
        {
            "measurement": "significantDisparityCount",
            "operator": "<=",
            "value": 0,
            "actual": None,
            "passed": None,
        }
    ]


def test_without_thresholds_no_group_may_fail():
    run = Audit(DATA).outcome_disparity("g", "o", 1).run()
    entry = run.to_dict()["results"][0]
    assert entry["default_threshold"]
    assert entry["thresholds"] == [
        {"measurement": "failingGroupCount", "operator": "<=", "value": 0, "actual": 1, "passed": False}
    ]
    assert run.status == "failing"
    assert not audit_of(PASSES).to_dict()["results"][0]["default_threshold"]


def test_raise_if_failing():
    run = audit_of(FAILS, PASSES)
    with pytest.raises(AuditNotPassedError, match=r"^'test 0' is failing$"):
        run.raise_if_failing()
    with pytest.raises(AuditNotPassedError, match=r"^'test 0' is failing; 'test 1' is passing$"):
        run.raise_if_failing(on={"failing", "passing"})
    assert run.raise_if_failing(on={"skipped"}) is run
    skipped = audit_of(UNDEFINED, significance_test="none")
    assert skipped.raise_if_failing() is skipped
    with pytest.raises(AuditNotPassedError, match="'test 0' is skipped"):
        skipped.raise_if_failing(on={"failing", "skipped"})
    for wrong in ("failing", ["fail"]):
        with pytest.raises(ValueError, match="is not a valid Status"):
            run.raise_if_failing(on=wrong)
