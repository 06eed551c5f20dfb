"""Slips of a person: each is answered by one line that helps."""

import pytest

import fairreport as fr

ROWS = {
    "sex": ["F"] * 50 + ["M"] * 40 + ["X"] * 35,
    "hired": ["yes"] * 30 + ["no"] * 20 + ["yes"] * 30 + ["no"] * 10 + ["yes"] * 35,
}


def test_a_reference_value_alone_names_the_reference():
    run = fr.Audit(ROWS).outcome_disparity("sex", "hired", "yes", reference_value="M").run()
    assert run.to_dict()["results"][0]["reference"] == {"sex": "M"}
    assert run.to_dict()["results"][0]["parameters"]["reference_strategy"] == {"value": "named", "origin": "user"}


def test_a_reference_value_of_an_intersection_is_refused():
    rows = ROWS | {"age": ["old", "young"] * 62 + ["old"]}
    with pytest.raises(fr.ConfigError) as caught:
        fr.Audit(rows).outcome_disparity(["sex", "age"], "hired", "yes", reference_value="M")
    assert caught.value.code == "named_needs_single_attribute"


def test_declared_groups_of_a_column_that_no_test_uses_are_refused():
    audit = fr.Audit(ROWS, groups={"sexe": ["F", "M"]}).outcome_disparity("sex", "hired", "yes")
    with pytest.raises(fr.ConfigError, match=r"groups\.sexe: no test uses 'sexe'\. Did you mean 'sex'\?"):
        audit.run()


def test_a_wrong_favorable_value_shows_what_there_is():
    reason = fr.outcome_disparity(ROWS, "sex", "hired", "Yes").to_dict()["skip_reason"]
    assert "('Yes'); column 'hired' holds 'yes', 'no'. Did you mean 'yes'?" in reason


def test_a_misspelled_parameter_and_a_misspelled_measurement_are_told_together_and_once():
    with pytest.raises(fr.ConfigError) as caught:
        fr.OutcomeDisparity(
            protected_attribute_columns="sex",
            outcome_colum="hired",
            favorable_values="yes",
            thresholds=[("minImpactRato", ">=", 0.8)],
        )
    assert [fault.code for fault in caught.value.errors] == ["unknown_parameter", "unknown_measurement"]
    assert "Did you mean 'outcome_column'?" in str(caught.value)
    assert "Did you mean 'minImpactRatio'?" in str(caught.value)
