"""A plan tells what a run asks, and asks next to nothing itself."""

import ibis
import pyarrow as pa
import pytest

import fairreport as fr
from fairreport import ConfigError


@pytest.fixture
def frame():
    columns = {"race": list("ABAB"), "sex": list("FFMM"), "hired": [1, 0, 1, 1], "score": [0.2, 0.4, 0.6, 0.8]}
    return pa.table(columns)


@pytest.fixture
def remote(frame):
    connection = ibis.sqlite.connect()
    yield connection.create_table("decisions", frame)
    connection.disconnect()


def audit(data):
    return (
        fr.Audit(data)
        .outcome_disparity(["race", "sex"], "hired", 1, name="both")
        .outcome_disparity("sex", "hired", 1, name="sex")
        .score_disparity("race", "score", name="score")
    )


def test_the_planned_statement_is_the_one_that_is_asked(remote):
    plan = audit(remote).plan()
    run = audit(remote).run()
    asked = [statement.sql for statement in run.record.data.asked]
    assert plan.steps[0].sql == asked[0]
    assert plan.tests == ("both", "sex", "score")


def test_estimates_are_the_groups_of_a_small_table(remote):
    plan = audit(remote).plan()
    assert [step.groups for step in plan.steps] == [4 + 3, 2, 2, None]


def test_rows_that_are_here_are_not_looked_at(frame):
    plan = audit(frame).plan()
    assert not plan.is_remote
    assert {step.sql for step in plan.steps} == {None}
    assert "counted here" in str(plan)


def test_the_text_names_tests_columns_and_estimates(remote):
    text = repr(audit(remote).plan())
    for told in (
        "its rows stay in sqlite",
        "for both, sex",
        "reads race, sex, hired",
        "about 7 rows",
        "first 10,000 rows",
    ):
        assert told in text


def test_hostile_names_stay_text(frame):
    connection = ibis.sqlite.connect()
    table = connection.create_table("t", frame.rename_columns(["race", "<script>\u202ealert(1)", "hired", "score"]))
    plan = fr.Audit(table).outcome_disparity("<script>\u202ealert(1)", "hired", 1).plan()
    html = plan._repr_html_()
    assert "<script>" not in html
    assert "\u202e" not in html
    assert "\u202e" not in repr(plan)
    connection.disconnect()


def test_an_absent_column_is_left_to_the_run(remote):
    plan = fr.Audit(remote).outcome_disparity("rase", "hired", 1).plan()
    assert plan.steps[0].columns == ("hired",)


def test_no_test_no_plan(frame):
    with pytest.raises(ConfigError, match="no test"):
        fr.Audit(frame).plan()
