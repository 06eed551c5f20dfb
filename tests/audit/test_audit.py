"""What is typed, and what comes back."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fairreport as fr
from fairreport import Audit, ConfigError, DataError

DATA = {"gender": ["F", "M"] * 40, "band": [1, 1, 2, 2] * 20, "hired": [1, 1, 0, 1] * 20}


def code_of(function, *args, **options):
    with pytest.raises(ConfigError) as caught:
        function(*args, **options)
    return caught.value.code


def test_an_audit_without_tests_does_not_run():
    with pytest.raises(ConfigError, match="the audit has no test; add one before running it") as caught:
        Audit("no such file.csv").run()
    assert caught.value.code == "no_tests"


def test_methods_return_the_audit_and_keep_the_order():
    audit = Audit(DATA)
    assert audit.outcome_disparity("gender", "hired", 1) is audit
    audit.outcome_disparity("band", "hired", 1)
    run = audit.run()
    assert [result.name for result in run] == ["hired by gender", "hired by band"]
    assert len(run) == 2
    assert run["hired by band"].name == run[1].name == run.results[1].name
    with pytest.raises(KeyError, match=r"no test is named 'hired by bend'\. Did you mean 'hired by band'\?"):
        run["hired by bend"]


def test_stated_names_are_unique():
    audit = Audit(DATA).outcome_disparity("gender", "hired", 1, name="one")
    with pytest.raises(ConfigError, match="two tests are named 'one'") as caught:
        audit.outcome_disparity("band", "hired", 1, name="one")
    assert caught.value.code == "duplicate_name"
    assert len(audit.tests) == 1


def test_made_names_are_numbered():
    audit = Audit(DATA)
    for alpha in (0.1, 0.05, 0.01):
        audit.outcome_disparity("gender", "hired", 1, alpha=alpha)
    assert [result.name for result in audit.run()] == [
        "hired by gender",
        "hired by gender (2)",
        "hired by gender (3)",
    ]


def test_tests_as_records():
    test = fr.OutcomeDisparity(protected_attribute_columns=["gender"], outcome_column="hired", favorable_values=["1"])
    by_record = Audit(DATA, tests=[test]).run().to_dict()
    assert by_record == Audit(DATA).outcome_disparity("gender", "hired", 1).run().to_dict()


@pytest.mark.parametrize(
    ("scalar", "listed"),
    [
        ({"favorable_values": 1}, {"favorable_values": [1]}),
        ({"favorable_values": "1"}, {"favorable_values": ["1.0"]}),
        ({"favorable_values": np.int64(1)}, {"favorable_values": np.array([1])}),
        ({"favorable_values": 1}, {"favorable_values": pd.Index(["1"])}),
        ({"favorable_values": 1}, {"favorable_values": (1.0, " 1 ")}),
        ({"protected_attribute_columns": "gender"}, {"protected_attribute_columns": ("gender",)}),
        (
            {"protected_attribute_columns": ["gender", "band"]},
            {"protected_attribute_columns": pd.Index(["gender", "band"])},
        ),
        ({"control_columns": "band"}, {"control_columns": ["band"]}),
        ({"reference_strategy": "highest"}, {"reference_strategy": "best"}),
        ({"min_group_size": 30}, {"min_group_size": np.int32(30)}),
        ({"alpha": 0.05}, {"alpha": np.float64(0.05)}),
        (
            {"thresholds": [("minImpactRatio", ">=", 0.8)]},
            {"thresholds": [{"measurement": "minImpactRatio", "operator": ">=", "value": 0.8}]},
        ),
    ],
)
def test_a_scalar_stands_for_a_list_of_one(scalar, listed):
    base = {"protected_attribute_columns": "gender", "outcome_column": "hired", "favorable_values": 1}
    assert (
        Audit(DATA).outcome_disparity(**base | scalar).run().to_json()
        == Audit(DATA).outcome_disparity(**base | listed).run().to_json()
    )


def test_values_match_as_text():
    frame = {"g": ["F", "M"] * 40, "o": [True, True, False, True] * 20}
    for favorable in (True, "true", "TRUE", ["True "]):
        assert Audit(frame).outcome_disparity("g", "o", favorable).run()[0].measurements["minImpactRatio"] == 0.5
    assert Audit(frame).outcome_disparity("g", "o", 1).run()[0].to_dict()["skip_code"] == "no_favorable_rows"
    named = {"reference_strategy": "named", "reference_value": 2.0}
    run = Audit(DATA).outcome_disparity("band", "hired", 1, **named).run()
    assert run[0].to_dict()["reference"] == {"band": "2"}


def test_a_wrong_parameter_is_refused_before_data_is_read():
    for data in ("no such file.csv", object()):
        assert code_of(Audit(data).outcome_disparity, "g", "o", 1, alpha=2) == "out_of_range"
        assert code_of(Audit, data, about={"origin": "guessed"}) == "bad_enum"
        assert code_of(Audit, data, missing_values={"a": 1}) == "bad_type"
        assert code_of(Audit, data, groups={"g": 5.5 + 1j}) == "bad_type"


def test_one_line_one_answer():
    one = fr.outcome_disparity(DATA, "gender", "hired", 1, min_group_size=10, missing_values="x", title="One")
    assert one.measurements["minImpactRatio"] == 0.5
    assert one.to_dict() == Audit(DATA).outcome_disparity("gender", "hired", 1, min_group_size=10).run()[0].to_dict()
    assert code_of(fr.outcome_disparity, DATA, "gender", "hired", []) == "empty_values_list"


def test_a_config_error_is_a_value_error():
    with pytest.raises(ValueError, match="alpha: must be strictly between 0 and 1, got 0") as caught:
        Audit(DATA).outcome_disparity("gender", "hired", 1, alpha=0)
    assert caught.value.errors[0].path == "alpha"
    assert isinstance(caught.value, fr.FairreportError)


def test_all_faults_at_once():
    with pytest.raises(ConfigError) as caught:
        Audit(DATA).outcome_disparity(
            ["a", "b", "c", "d"],
            5,
            [],
            alpha=1,
            min_group_size=0,
            min_group_share=1.5,
            p_value_adjustment="bonferroni",
        )
    assert {fault.path: fault.code for fault in caught.value.errors} == {
        "protected_attribute_columns": "bad_column_count",
        "outcome_column": "bad_type",
        "favorable_values": "empty_values_list",
        "alpha": "out_of_range",
        "min_group_size": "out_of_range",
        "min_group_share": "out_of_range",
        "p_value_adjustment": "bad_enum",
    }
    assert "\n" not in str(caught.value)


def test_an_unknown_status_or_origin():
    assert code_of(fr.About, status="finished") == "bad_enum"
    assert code_of(fr.About, sistem="x") == "unknown_parameter"
    about = fr.About(system="  screen 3.1 ", origin="not stated", issued=None, notes="one")
    assert (about.system, about.origin.value, about.notes) == ("screen 3.1", "NOT STATED", ("one",))
    assert fr.About(issued=2026).issued == "2026"
    assert fr.About(issued=dt.date(2026, 1, 1)).issued == "2026-01-01"


# ---- Series beside a frame ----

FRAME = pd.DataFrame({"hired": [1, 1, 0, 0]}, index=[0, 1, 2, 3])


def counted(frame, series, **options):
    audit = Audit(frame).outcome_disparity(series, "hired", 1, min_group_size=1, **options)
    entry = audit.run().to_dict()["results"][0]
    return {"/".join(group["group"]): (group["favorable"], group["n"]) for group in entry["evidence"]["groups"]}


def test_a_series_is_aligned_by_its_index():
    series = pd.Series(["a", "b", "a", "b"], index=[0, 2, 1, 3], name="side")
    assert counted(FRAME, series) == {"a": (2, 2), "b": (0, 2)}
    assert list(FRAME.columns) == ["hired"]


def test_a_series_with_the_index_of_the_frame():
    for frame in (FRAME, FRAME.set_axis(["x", "x", "y", "y"])):
        series = pd.Series(["a", "b", "a", "b"], index=frame.index)
        assert counted(frame, series) == {"a": (1, 2), "b": (1, 2)}


def test_a_series_among_names_and_as_outcome():
    series = pd.Series(["a", "b", "a", "b"], index=[0, 2, 1, 3], name="side")
    frame = FRAME.assign(other=["p", "p", "q", "q"])
    assert counted(frame, ["other", series]) == {"p/a": (2, 2), "q/b": (0, 2)}
    outcome = pd.Series([0, 1, 0, 1], index=[3, 2, 1, 0], name="result")
    entry = Audit(frame).outcome_disparity("other", outcome, 1, min_group_size=1).run().to_dict()["results"][0]
    assert [(group["favorable"], group["n"]) for group in entry["evidence"]["groups"]] == [(1, 2), (1, 2)]


@pytest.mark.parametrize(
    ("series", "message"),
    [
        (
            pd.Series(["a"] * 4, index=[0, 1, 2, 9], name="side"),
            "does not have the rows of the table: their index sets differ",
        ),
        (pd.Series(["a"] * 3, index=[0, 1, 2], name="side"), "their index sets differ"),
        (pd.Series(["a"] * 5, index=[0, 1, 2, 3, 4], name="side"), "their index sets differ"),
        (pd.Series(["a"] * 4, index=[0, 1, 2, 2], name="side"), "with repeated labels; cannot align them"),
        (pd.Series(["a"] * 4, name="hired"), "the table has a column 'hired' already"),
    ],
)
def test_a_series_that_cannot_be_aligned(series, message):
    with pytest.raises(DataError, match=message):
        Audit(FRAME).outcome_disparity(series, "hired", 1)


@pytest.mark.parametrize("data", [{"hired": [1]}, pl.DataFrame({"hired": [1]}), "file.csv"])
def test_a_series_needs_a_frame(data):
    with pytest.raises(DataError, match="a Series can stand beside a pandas DataFrame only; name a column instead"):
        Audit(data).outcome_disparity(pd.Series(["a"]), "hired", 1)
