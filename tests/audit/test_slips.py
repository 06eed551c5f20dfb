"""Slips of a person: each is answered by one line that helps."""

import json

import pandas as pd
import pytest

import fairreport as fr
from fairreport.audit.readers.yaml_text import parse_yaml
from fairreport.report.configuration import configuration_yaml

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


def test_a_parameter_that_no_test_knows_is_refused_by_the_one_line_functions():
    for call in (
        lambda: fr.outcome_disparity(ROWS, "sex", "hired", "yes", min_group_siz=5),
        lambda: fr.score_disparity(ROWS, "sex", "hired", min_group_siz=5),
        lambda: fr.metric_parity(ROWS, "sex", "mean", value_column="hired", min_group_siz=5),
    ):
        with pytest.raises(fr.ConfigError, match=r"Did you mean 'min_group_size'\?") as caught:
            call()
        assert caught.value.code == "unknown_parameter"


def test_series_of_a_mapping_are_joined_by_their_index():
    """pandas 3.0 joins them the same way: DataFrame({"g": g, "y": y})."""
    hired = pd.Series([1, 1, 0, 0])
    group = pd.Series(list("abab"), index=[0, 2, 1, 3])
    found = fr.outcome_disparity({"g": group, "y": hired}, "g", "y", 1, min_group_size=1, min_group_share=0)
    assert found.groups["rate"].to_dict() == pd.DataFrame({"g": group, "y": hired}).groupby("g")["y"].mean().to_dict()
    assert found.groups["rate"].to_dict() == {"a": 1.0, "b": 0.0}


def test_series_of_a_mapping_with_other_rows_are_refused():
    group = pd.Series(list("abab"), index=[0, 2, 1, 9])
    with pytest.raises(fr.DataError, match="index sets differ"):
        fr.outcome_disparity({"g": group, "y": pd.Series([1, 1, 0, 0])}, "g", "y", 1)


def test_a_column_of_a_mapping_that_is_one_value_is_refused():
    with pytest.raises(fr.DataError, match="'sex' of the mapping must be a sequence of cells, got 'F'"):
        fr.outcome_disparity({"sex": "F", "hired": [1]}, "sex", "hired", 1)


def test_cells_that_could_only_show_an_address_are_refused():
    found = fr.outcome_disparity({"sex": [object(), object()], "hired": [1, 0]}, "sex", "hired", 1).to_dict()
    assert found["status"] == "skipped"
    assert "0x" not in found["skip_reason"]


@pytest.mark.parametrize(("operator", "passed"), [(">=", False), (">", False), ("<=", True), ("<", True)])
def test_a_threshold_on_a_p_value_too_small_to_state_is_judged(operator, passed):
    """R 4.3, chisq.test(matrix(c(9000, 0, 0, 9000), 2), correct = FALSE): X-squared = 18000, p-value < 2.2e-16."""
    rows = {"sex": ["F", "M"], "hired": [1, 0], "n": [9000, 9000]}
    audit = fr.Audit(rows, counts="n")
    audit.outcome_disparity("sex", "hired", 1, thresholds=[("chiSquarePValue", operator, 0.05)])
    run = audit.run()
    result = run.to_dict()["results"][0]
    assert result["thresholds"][0]["passed"] is passed
    assert result["thresholds"][0]["actual"] is None
    assert result["reasons"]["/thresholds/0/actual"] == "below_1e-300"
    assert run.status == ("passing" if passed else "failing")


def test_groups_whose_first_p_value_is_too_small_to_state():
    """A column of numbers, whatever the first cell is; null is NaN."""
    rows = {"sex": ["F", "M", "X"], "hired": [0, 1, 1], "n": [9000, 9000, 9000]}
    found = fr.outcome_disparity(rows, "sex", "hired", 1, counts="n").groups["p_value"]
    assert found.dtype == float
    assert found.isna().to_dict()["F"]


def test_half_a_surrogate_pair_is_written_as_json_escapes_it(tmp_path):
    rows = {"g": ["\ud800b", "a", "a", "\ud800b"], "y": [1, 0, 1, 0]}
    audit = fr.Audit(rows, title="t\udc80").outcome_disparity("g", "y", 1, min_group_size=1, min_group_share=0)
    run = audit.run()
    run.to_json(tmp_path / "run.json")
    stored = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert stored["results"][0]["groups"][0]["n"] == 2
    assert fr.Report(run).html().encode("utf-8")
    assert repr(run).encode("utf-8")


def test_declared_groups_of_a_column_that_only_other_audits_use_are_accepted():
    run = fr.Audit(ROWS, groups={"age_band": ["old", "young"]}).outcome_disparity("sex", "hired", "yes").run()
    assert len(run.to_dict()["results"][0]["groups"]) == 3


@pytest.mark.parametrize(
    "measure",
    [
        lambda audit: audit.outcome_disparity("sex", "hired", "yes"),
        lambda audit: audit.score_disparity("sex", "score"),
        lambda audit: audit.metric_parity("sex", "mean", value_column="score", higher_is_better=True),
        lambda audit: audit.metric_parity(
            "sex", "rate", value_column="hired", positive_values="yes", higher_is_better=True
        ),
    ],
)
def test_a_declared_group_without_rows_is_noted(measure):
    rows = ROWS | {"score": list(range(125))}
    audit = fr.Audit(rows, groups={"sex": ["F", "M", "X", "Z", "Q"]})
    notes = {note["code"]: note["text"] for note in measure(audit).run().to_dict()["results"][0]["notes"]}
    assert notes["declared_groups_absent"] == "Declared groups of column 'sex' that have no evaluated row: 'Q', 'Z'."
    audit = fr.Audit(rows, groups={"sex": ["F", "M", "X"]})
    assert "declared_groups_absent" not in str(measure(audit).run().to_dict()["results"][0]["notes"])


def test_no_metric_at_all_is_refused():
    with pytest.raises(fr.ConfigError, match="parity_metric: must be a metric or several, got none") as caught:
        fr.Audit(ROWS).metric_parity("sex", [])
    assert caught.value.code == "empty_values_list"


@pytest.mark.parametrize(
    "word", ["1e3", "2.5e3", "1E5", "1e-3", "1e+3", "0.1e1", "1e400", "01", "1.0", "yes", "~", "-5"]
)
def test_words_that_look_like_numbers_are_stated_again_as_they_were(word):
    rows = {
        "sex": ["F"] * 90 + [word] * 20 + ["M"] * 90,
        "hired": ["yes"] * 60 + [word] * 40 + ["yes"] * 40 + ["no"] * 60,
    }
    audit = fr.Audit(rows, missing_values=[word], groups={"sex": ["F", "M", word]}, title=word)
    audit.outcome_disparity("sex", "hired", [word, "yes"], unfavorable_values=["no"], min_group_size=1)
    stated = configuration_yaml(audit.run().record)
    assert fr.Audit.from_config(parse_yaml(stated).content, rows).run().to_json() == audit.run().to_json()


@pytest.mark.parametrize(
    "one",
    [
        ("failingGroupCount", "<=", 1),
        ["failingGroupCount", "<=", 1],
        {"measurement": "failingGroupCount", "operator": "<=", "value": 1},
    ],
)
def test_one_threshold_need_not_stand_in_a_list(one):
    (test,) = fr.Audit(ROWS).outcome_disparity("sex", "hired", "yes", thresholds=one).tests
    (again,) = fr.Audit(ROWS).outcome_disparity("sex", "hired", "yes", thresholds=[one]).tests
    assert test == again


@pytest.mark.parametrize("wrong", [5, "failingGroupCount", [5], [("failingGroupCount",)], [None], [[("a", "b", "c")]]])
def test_what_is_no_threshold_is_refused_in_plain_words(wrong):
    with pytest.raises(fr.ConfigError, match=r"^thresholds.*must be a") as caught:
        fr.Audit(ROWS).outcome_disparity("sex", "hired", "yes", thresholds=wrong)
    assert "valid" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": 5},
        {"counts": ["n"]},
        {"groups": ["sex"]},
        {"groups": {"sex": []}},
        {"groups": {"sex": None}},
        {"about": "a screen"},
        {"missing_values": 5.5j},
    ],
)
def test_what_the_audit_itself_cannot_take_is_refused(wrong):
    with pytest.raises(fr.ConfigError):
        fr.Audit(ROWS, **wrong)


@pytest.mark.parametrize("metric", [[["auc"]], [{"a": 1}], 5, [None]])
def test_what_is_no_metric_is_refused(metric):
    with pytest.raises(fr.ConfigError, match="parity_metric"):
        fr.Audit(ROWS).metric_parity("sex", metric, value_column="hired")


@pytest.mark.parametrize("parameter", ["alpha", "min_group_size", "impact_ratio_threshold"])
def test_numbers_beyond_floating_point_are_refused(parameter):
    with pytest.raises(fr.ConfigError, match=parameter):
        fr.Audit(ROWS).outcome_disparity("sex", "hired", "yes", **{parameter: 10**400})
