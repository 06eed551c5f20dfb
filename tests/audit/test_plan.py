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
        "first 10,000 rows; of its rows nothing else was asked",
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


def test_of_an_absent_column_nothing_is_asked(remote):
    said = "the table has no column 'rase'. Did you mean 'race'?"
    wrong = fr.Audit(remote).outcome_disparity("rase", "hired", 1, name="wrong")
    (step,) = wrong.plan().steps
    assert (step.text, step.columns, step.sql, step.groups) == (f"nothing: {said}", (), None, None)
    assert wrong.run().record.entries[0].finding.skip.reason == said
    both = wrong.outcome_disparity("race", "hired", 1, name="right").plan()
    assert [[both.tests[at] for at in step.tests] for step in both.steps] == [["right"], ["wrong"]]
    assert both.steps[0].columns == ("race", "hired")


def test_a_counts_column_that_is_absent(remote):
    with pytest.raises(fr.DataError, match="no counts column 'n'"):
        fr.Audit(remote, counts="n").outcome_disparity("race", "hired", 1).plan()


def test_steps_stand_in_the_order_of_the_run():
    columns = {"race": list("ABAB") * 9, "hired": [1, 0, 0] * 12, "risk": [0.5, 0.25] * 18, "pay": list(range(36))}
    columns |= {"sex": ["F", "M"] * 18}
    connection = ibis.sqlite.connect()
    table = connection.create_table("t", pa.table(columns))
    small = {"min_group_size": 1, "min_group_share": 0}
    stated = {"higher_is_better": True, **small}
    audit = (
        fr.Audit(table)
        .metric_parity("race", "p95", value_column="pay", name="late", **stated)
        .outcome_disparity("race", "hired", 1, name="out", **small)
        .metric_parity(
            "race", "log_loss", probability_column="risk", ground_truth_column="hired", positive_values=[1],
            max_difference=9, name="logs", **small,
        )
        .adverse_impact_ratio(
            reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0.05,
            name="pairs",
        )
    )  # fmt: skip
    plan = audit.plan()
    named = [plan.tests[step.tests[0]] for step in plan.steps]
    assert named == ["pairs", "out", "logs", "late", "late"]
    asked = [statement.sql for statement in audit.run().record.data.asked]
    first = [next(i for i, sql in enumerate(asked) if f'"{name}"' in sql) for name in ("sex", "race", "risk", "pay")]
    assert first == sorted(first)
    connection.disconnect()


def test_steps_that_bring_rows_tell_how_many_at_most(remote):
    stated = {"rate": "selection", "attribute": "sex", "max_group_gap": 0.5}
    audit = (
        fr.Audit(remote)
        .score_disparity("race", "score", name="score")
        .metric_parity("race", "p95", value_column="score", higher_is_better=True, name="late")
        .metric_parity(
            "race", "auc", score_column="score", ground_truth_column="hired", positive_values=[1], name="auc"
        )
        .metric_parity("race", "mean", value_column="score", higher_is_better=True, name="mean")
        .rate_gaps({"sex": ["F", "M"]}, "hired", "hired", [{"id": "gap", **stated}], probability="score", unit="race")
    )
    plan = audit.plan()
    assert all(step.groups is not None or step.bound for step in plan.steps)
    bounds = [step.bound for step in plan.steps if step.bound]
    more = "of more, about 2,048 counts and at most 200,000 rows"
    assert bounds == [
        "few rows, and cells with outer blanks or decimal zeros, at most 1,000,000",
        "at most 2,000,000 rows",
        f"as many rows as the table has, at most 5,000,000; {more}",
        f"as many rows as the table has, at most 200,000; {more}",
        "as many rows as the table has",
    ]
    assert "gives back as many rows as the table has, at most 5,000,000" in str(plan)
    assert max(map(len, (line for line in str(plan).splitlines() if "SELECT" not in line))) <= 100


def test_numbers_that_are_kept_as_text_are_brought(frame):
    connection = ibis.sqlite.connect()
    table = connection.create_table("t", frame.append_column("told", pa.array(["1", "2", "3", "4"])))
    plan = fr.Audit(table).metric_parity("race", "mean", value_column="told", higher_is_better=True).plan()
    assert [step.bound for step in plan.steps] == ["at most 2,000,000 rows"]
    connection.disconnect()


def test_no_test_no_plan(frame):
    with pytest.raises(ConfigError, match="no test"):
        fr.Audit(frame).plan()
