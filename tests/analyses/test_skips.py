"""Which reason a skipped test gives where several apply, and that a skip is no verdict."""

import pytest

from fairreport import Audit

FAVORED = {"F": (40, 80), "M": (60, 80)}
MANY = [f"g{i}" for i in range(1001)]
STRATA = [f"s{i}" for i in range(1000)]


def skip_of(data, attributes="g", outcome="o", favorable=1, **parameters):
    entry = Audit(data).outcome_disparity(attributes, outcome, favorable, **parameters).run().to_dict()["results"][0]
    assert (entry["status"], entry["test_status"], entry["measurements"], entry["groups"]) == (
        "skipped",
        "skipped",
        {},
        [],
    )
    assert entry["reference"] is None
    assert entry["skip_reason"]
    assert {item["passed"] for item in entry["thresholds"]} == {None}
    return entry["skip_code"]


def rows(groups):
    cells = [(label, outcome) for label, (a, n) in groups.items() for outcome in [1] * a + [0] * (n - a)]
    return dict(zip("go", map(list, zip(*cells, strict=True)), strict=True))


def crossed(groups, strata=STRATA):
    table = rows(groups)
    return table | {"c": (strata * 3)[: len(table["g"])]}


# Each entry holds two conditions next to each other in the order, or as near as both can be.
BOTH = {
    "missing_column before nested_column": (
        "missing_column",
        {"g": [["F"], ["M"]], "o": [1, 0]},
        {"attributes": ["absent", "g"]},
    ),
    "missing_column before empty_column": (
        "missing_column",
        {"g": [None, None], "o": [1, 0]},
        {"attributes": ["g", "absent"]},
    ),
    "nested_column before empty_column": ("nested_column", {"g": [["F"], "M"], "o": [None, None]}, {}),
    "empty_column before no_complete_rows": (
        "empty_column",
        {"g": ["F", None], "o": [None, 1], "c": [None, None]},
        {"control_columns": "c"},
    ),
    "empty_column before too_many_groups": (
        "empty_column",
        {"g": MANY, "o": [1] * 1001, "c": [None] * 1001},
        {"control_columns": "c"},
    ),
    "no_complete_rows before no_favorable_rows": ("no_complete_rows", {"g": ["F", None], "o": [None, 0]}, {}),
    "no_complete_rows before named_reference_missing": (
        "no_complete_rows",
        {"g": ["F", None], "o": [None, 1]},
        {"reference_strategy": "named", "reference_value": "F"},
    ),
    "too_many_groups before unlisted_outcome": (
        "too_many_groups",
        {"g": MANY, "o": ["maybe"] * 1001},
        {"unfavorable_values": [0]},
    ),
    "too_many_groups before no_favorable_rows": ("too_many_groups", {"g": MANY, "o": [0] * 1001}, {}),
    "unlisted_outcome before no_favorable_rows": (
        "unlisted_outcome",
        {"g": ["F", "M"] * 40, "o": ["maybe", 0] * 40},
        {"unfavorable_values": [0]},
    ),
    "no_favorable_rows before named_reference_missing": (
        "no_favorable_rows",
        rows({"F": (0, 80), "M": (0, 80)}),
        {"reference_strategy": "named", "reference_value": "Z"},
    ),
    "no_favorable_rows before too_few_sufficient_groups": (
        "no_favorable_rows",
        rows({"F": (0, 80), "M": (0, 9)}),
        {},
    ),
    "named_reference_missing before too_few_sufficient_groups": (
        "named_reference_missing",
        rows({"F": (40, 80), "M": (3, 9)}),
        {"reference_strategy": "named", "reference_value": "Z"},
    ),
    "named_reference_insufficient before too_few_sufficient_groups": (
        "named_reference_insufficient",
        rows({"F": (40, 80), "M": (3, 9)}),
        {"reference_strategy": "named", "reference_value": "M"},
    ),
    "named_reference_insufficient before reference_rate_zero": (
        "named_reference_insufficient",
        rows({"F": (40, 80), "X": (4, 80), "M": (0, 9)}),
        {"reference_strategy": "named", "reference_value": "M"},
    ),
    "too_few_sufficient_groups before reference_rate_zero": (
        "too_few_sufficient_groups",
        rows({"F": (0, 80), "M": (9, 9)}),
        {"reference_strategy": "named", "reference_value": "F"},
    ),
    "too_few_sufficient_groups before too_many_control_combinations": (
        "too_few_sufficient_groups",
        crossed({"F": (500, 2000), "M": (9, 9)}),
        {"control_columns": "c"},
    ),
    "reference_rate_zero before too_many_control_combinations": (
        "reference_rate_zero",
        crossed({"F": (0, 1000), "M": (500, 1000)}),
        {"control_columns": "c", "reference_strategy": "named", "reference_value": "F"},
    ),
    "too_many_control_combinations": (
        "too_many_control_combinations",
        crossed({"F": (300, 1000), "M": (500, 1000)}),
        {"control_columns": "c"},
    ),
}


@pytest.mark.parametrize(("code", "data", "parameters"), BOTH.values(), ids=BOTH)
def test_the_first_reason_in_the_order_is_given(code, data, parameters):
    assert skip_of(data, **parameters) == code


ALONE = {
    "missing_column": ({"g": ["F", "M"]}, {}, "the table has no column 'o'."),
    "empty_column": ({"g": ["F", "M"], "o": [None, None]}, {}, "column 'o' has no value in any row"),
    "no_complete_rows": (
        {"g": ["F", None], "o": [None, 1]},
        {},
        "no row has both the outcome and every protected attribute",
    ),
    "too_many_groups": ({"g": MANY, "o": [1] * 1001}, {}, "there are more than 1,000 groups"),
    "no_favorable_rows": (
        rows(FAVORED),
        {"favorable": ["yes", "2"]},
        "no evaluated row has a favorable outcome ('2', 'yes'); column 'o' holds '1', '0'.",
    ),
    "named_reference_missing": (
        rows(FAVORED),
        {"reference_strategy": "named", "reference_value": "f"},
        "the reference group 'f' has no evaluated rows",
    ),
    "named_reference_insufficient": (
        rows(FAVORED | {"X": (9, 29)}),
        {"reference_strategy": "named", "reference_value": "X"},
        "the reference group 'X' has 29 rows, too few for min_group_size 30 and min_group_share 0.02",
    ),
    "too_few_sufficient_groups": (
        rows({"F": (40, 80), "M": (9, 29)}),
        {},
        "1 of 2 groups have the rows to be judged; at least 2 are needed",
    ),
    "too_many_control_combinations": (
        crossed({"F": (300, 1000), "M": (500, 1000)}),
        {"control_columns": "c"},
        "the control columns have 1,000 or more combinations",
    ),
    "unlisted_outcome": (
        {"g": ["F", "M"] * 40, "o": ["1", "maybe"] * 40},
        {"unfavorable_values": ["0"]},
        "column 'o' holds values listed neither as favorable nor as unfavorable: 'maybe'",
    ),
}


@pytest.mark.parametrize(("code", "case"), ALONE.items(), ids=ALONE)
def test_the_reason_in_words(code, case):
    data, parameters, words = case
    parameters = {"favorable": 1} | parameters
    entry = (
        Audit(data).outcome_disparity("g", "o", parameters.pop("favorable"), **parameters).run().to_dict()["results"][0]
    )
    assert (entry["skip_code"], entry["skip_reason"]) == (code, words)


def test_the_reference_without_favorable_outcomes(judge):
    named = {"reference_strategy": "named", "reference_value": "F"}
    assert judge({"F": (0, 80), "M": (9, 80)}, **named)["skip_code"] == "reference_rate_zero"
    # Only small groups have favorable outcomes: the best sufficient group has none.
    entry = judge({"F": (0, 80), "M": (0, 90), "X": (9, 9)}, min_group_size=30)
    assert entry["skip_code"] == "reference_rate_zero"


def test_999_combinations_are_fine():
    data = crossed({"F": (300, 999), "M": (500, 999)}, STRATA[:999])
    entry = Audit(data).outcome_disparity("g", "o", 1, control_columns="c").run().to_dict()["results"][0]
    assert entry["status"] == "ok"


def test_unfavorable_values(judge):
    groups = {"F": (40, 80), "M": (60, 80)}
    assert judge(groups, unfavorable_values=0)["status"] == "ok"
    assert judge(groups, unfavorable_values=[0, 5])["status"] == "ok"
    assert judge(groups, unfavorable_values=[5])["skip_code"] == "unlisted_outcome"


@pytest.mark.parametrize("kinds", [3, 10, 11, 40])
def test_many_unfavorable_values(kinds):
    outcomes = ["yes"] + [f"no {i}" for i in range(kinds)]
    data = {"g": ["F", "M"] * 40 * len(outcomes), "o": [o for o in outcomes for _ in range(80)]}
    listed = outcomes[1:]

    def code(unfavorable):
        audit = Audit(data).outcome_disparity("g", "o", "yes", unfavorable_values=unfavorable)
        entry = audit.run().to_dict()["results"][0]
        return entry["skip_code"], entry["skip_reason"]

    assert code(listed) == (None, None)
    assert code([*listed, "never met"]) == (None, None)
    code_of_one, reason = code(listed[:-1])
    assert code_of_one == "unlisted_outcome"
    assert reason.endswith(f": {listed[-1]!r}")
    assert code([*listed[:-1], *(f"never met {i}" for i in range(50))])[0] == "unlisted_outcome"


def test_a_skipped_test_keeps_its_evidence(judge):
    entry = judge({"F": (40, 80), "M": (9, 29)}, min_group_size=30)
    assert [(group["group"], group["n"]) for group in entry["evidence"]["groups"]] == [
        (["F"], 80),
        (["M"], 29),
    ]
    assert (entry["rows_total"], entry["rows_evaluated"], entry["total_groups"]) == (109, 109, 0)
