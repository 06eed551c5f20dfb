"""An exploration answers what a fresh audit with the same parameters finds, whatever the settings."""

import itertools
from dataclasses import replace

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.audit.document import entry_document
from fairreport.report.configuration import configuration_yaml
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.restating import restate_any, settings_of
from fairreport.widgets.settings import Settings
from fairreport.widgets.statement import python_text

THOROUGH = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
OUTCOME, SCORE, MEDIAN, RATE = 0, 2, 3, 4
COLUMNS = ("race", "sex", "site")
REFERENCES = st.sampled_from([None, None, "A", "B", "F", "rare", "nobody"])
SHARED = {
    "attributes": st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3, unique=True).map(tuple),
    "reference": REFERENCES,
    "threshold": st.integers(50, 100).map(lambda n: n / 100),
    "alpha": st.sampled_from([0.001, 0.05, 0.1, 0.3]),
    "p_value_adjustment": st.sampled_from(["none", "holm", "benjamini_hochberg"]),
    "require_significance": st.booleans(),
    "min_group_size": st.sampled_from([1, 5, 30, 60, 1000]),
    "min_group_share": st.sampled_from([0.0, 0.02, 0.1, 0.9]),
}
RATES = st.builds(
    Settings, **SHARED, significance_test=st.sampled_from(["none", "z_test", "fisher_exact", "chi_square"])
)
CONTROLLED = st.builds(
    Settings,
    **SHARED,
    significance_test=st.sampled_from(["none", "z_test", "fisher_exact", "chi_square"]),
    controls=st.lists(st.sampled_from(COLUMNS), max_size=2, unique=True).map(tuple),
)
METRICS = st.builds(
    Settings,
    **SHARED,
    significance_test=st.sampled_from(["none", "auto"]),
    comparison=st.sampled_from(["reference", "overall"]),
)


def stated(asked):
    """The parameters that settings stand for, as a user types them."""
    return {
        "reference_strategy": "highest" if asked.reference is None else "named",
        "reference_value": asked.reference,
        "significance_test": asked.significance_test,
        "alpha": asked.alpha,
        "p_value_adjustment": asked.p_value_adjustment,
        "require_significance": asked.require_significance,
        "min_group_size": asked.min_group_size,
        "min_group_share": asked.min_group_share,
    }


def outcome(audit, asked):
    return audit.outcome_disparity(
        asked.attributes,
        "hired",
        1,
        impact_ratio_threshold=asked.threshold,
        control_columns=asked.controls or None,
        **stated(asked),
    )


def score(audit, asked):
    return audit.score_disparity(asked.attributes, "score", impact_ratio_threshold=asked.threshold, **stated(asked))


def metric(name):
    def state(audit, asked):
        return audit.metric_parity(
            asked.attributes,
            name,
            value_column="score",
            positive_values=[0.3],
            higher_is_better=True,
            comparison=asked.comparison,
            min_ratio=asked.threshold,
            **stated(asked),
        )

    return state


def entry_or_refusal(rows, state, asked):
    try:
        return state(fr.Audit(rows), asked).run().to_dict()["results"][0]
    except fr.ConfigError:
        return None


def holds(exploration, position, rows, state, asked):
    """The law: the same entry, or a refusal on both sides; without a scan only where nothing is lacking."""
    fresh = entry_or_refusal(rows, state, asked)
    answer = exploration.answer(position, asked)
    if fresh is None:
        assert answer.refusal is not None
        return
    assert answer.refusal is None
    if answer.lack is not Lack.NOTHING:
        if answer.record is not None:  # what is lacking decides nothing
            assert answer.record.status.value == fresh["test_status"]
            assert dict(answer.record.measurements) == fresh["measurements"]
        exploration.gather(position, asked)
        answer = exploration.answer(position, asked)
    assert answer.lack is Lack.NOTHING
    assert entry_document(answer.record) == fresh


@pytest.fixture
def plain(rows):
    """An audit with one test a kind, all else left to its defaults."""
    made = fr.Audit(rows).outcome_disparity("race", "hired", 1).outcome_disparity("sex", "hired", 1)
    made.score_disparity("sex", "score")
    options = {"value_column": "score", "positive_values": [0.3], "higher_is_better": True}
    made.metric_parity("race", ["median", "rate"], **options).score_disparity("site", "score")
    return made.run()


@THOROUGH
@given(asked=CONTROLLED)
def test_outcome_answers_as_a_fresh_audit(plain, rows, asked):
    holds(Exploration(plain), OUTCOME, rows, outcome, asked)


@THOROUGH
@given(asked=RATES)
def test_score_answers_as_a_fresh_audit(plain, rows, asked):
    holds(Exploration(plain), SCORE, rows, score, asked)


@THOROUGH
@given(asked=METRICS, which=st.sampled_from([(MEDIAN, "median"), (RATE, "rate")]))
def test_a_metric_answers_as_a_fresh_audit(plain, rows, asked, which):
    position, name = which
    holds(Exploration(plain), position, rows, metric(name), asked)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(CONTROLLED, min_size=2, max_size=5))
def test_answers_do_not_hang_on_what_was_asked_before(plain, rows, steps):
    exploration = Exploration(plain)
    for asked in steps:
        holds(exploration, OUTCOME, rows, outcome, asked)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(first=CONTROLLED, second=RATES, third=METRICS)
def test_the_whole_audit_its_code_and_its_yaml_give_the_same_json(audit, rows, first, second, third):
    exploration = Exploration(audit.run())
    asked = {OUTCOME: first, SCORE: second, MEDIAN: third}
    try:
        wanted = exploration.rerun(asked)
    except fr.ConfigError:
        with pytest.raises(fr.ConfigError):
            exploration.record(asked)
        return
    record = exploration.record(asked)
    made = {"data": rows}
    exec(python_text(record), made)
    assert made["run"].to_json() == wanted.to_json()
    content = yaml.safe_load(configuration_yaml(record))
    again = fr.Audit.from_config(content, rows).run().to_dict()
    assert again["created"] is None  # an audit.yaml bears no date
    assert again | {"created": wanted.record.created} == wanted.to_dict()


def test_without_a_change_everything_is_as_it_was(audit):
    run = audit.run()
    exploration = Exploration(run)
    assert exploration.rerun({}).to_json() == run.to_json()
    assert list(exploration.tests) == list(range(9))
    for position, test in exploration.tests.items():
        answer = exploration.answer(position, exploration.settings(position))
        assert answer.is_stated
        assert answer.record == run.record.entries[position]
        assert restate_any(test, settings_of(test)) is test


class NoReading:
    """A table that nobody may read."""

    def __getattr__(self, name):
        raise AssertionError(f"asked for {name}")


def test_one_scan_answers_every_combination_of_an_outcome_test(audit):
    exploration = Exploration(audit.run())
    both = replace(exploration.settings(1), attributes=("race", "site"))
    assert exploration.answer(1, both).lack is Lack.COUNTS
    exploration.gather(1, both)
    exploration._evidence.table = NoReading()
    for n, m in itertools.product((1, 2, 3), (0, 1, 2)):
        for attributes in itertools.combinations(COLUMNS, n):
            for controls in itertools.combinations(COLUMNS, m):
                asked = replace(both, attributes=attributes, controls=controls)
                for position in (0, 1):
                    assert exploration.answer(position, asked).record is not None
    scores = replace(exploration.settings(SCORE), attributes=("race",))
    assert exploration.answer(SCORE, scores).lack is Lack.COUNTS  # medians are no counts


def test_columns_with_too_many_combinations_are_counted_one_by_one():
    levels = [f"g{i}" for i in range(90)]
    rows = {"a": levels * 90, "b": [level for level in levels for _ in levels], "c": levels * 90, "y": [0, 1] * 4050}
    audit = fr.Audit(rows)
    for name in ("a", "b", "c"):
        audit.outcome_disparity(name, "y", 1, min_group_size=1, min_group_share=0)
    exploration = Exploration(audit.run())
    asked = replace(exploration.settings(0), attributes=("a", "c"))
    exploration.gather(0, asked)
    assert exploration.answer(0, asked).lack is Lack.NOTHING
    assert exploration.answer(0, replace(asked, attributes=("a", "b"))).lack is Lack.COUNTS


def test_a_reference_whose_counts_are_not_kept_is_not_judged():
    groups = [f"g{i:02}" for i in range(25) for _ in range(12)]
    rows = {"g": groups, "v": [(7 * i) % 101 for i in range(300)]}
    audit = fr.Audit(rows).metric_parity(
        "g", "median", value_column="v", higher_is_better=True, min_group_size=1, min_group_share=0
    )
    exploration = Exploration(audit.run())
    asked = replace(exploration.settings(0), reference="g03")
    answer = exploration.answer(0, asked)
    assert (answer.lack, answer.record) == (Lack.PAIRS, None)
    exploration.gather(0, asked)
    assert exploration.answer(0, asked).record.finding.reference == ("g03",)


def test_the_choices_are_those_that_the_audit_knows(audit):
    exploration = Exploration(audit.run())
    assert exploration.attributes == ("race", "sex")
    assert exploration.controls == ("race", "sex", "site")
    assert exploration.levels(1, exploration.settings(1)) == ("A", "B", "C", "rare")
    assert exploration.levels(0, exploration.settings(0)) == ()
    assert exploration.significance_tests(0) == ("none", "z_test", "fisher_exact", "chi_square")
    assert exploration.significance_tests(MEDIAN) == ("auto", "none")
    assert exploration.comparisons(MEDIAN) == ("reference", "overall")
    assert exploration.comparisons(OUTCOME) == ()


def test_a_declared_attribute_can_be_chosen(rows):
    audit = fr.Audit(rows, groups={"site": ["north", "south"], "elsewhere": ["x"]}).outcome_disparity(
        "race", "hired", 1
    )
    assert Exploration(audit.run()).attributes == ("race", "site")


def test_one_test_is_explored_by_itself(audit):
    run = audit.run()
    exploration = Exploration(run, "within sites")
    assert [entry.name for entry in exploration.run.record.entries] == ["within sites"]
    assert exploration.run.record.entries[0] == run.record.entries[1]
    assert "rate_gaps" not in python_text(exploration.record({}))
    with pytest.raises(fr.ConfigError, match="Did you mean 'within sites'"):
        Exploration(run, "within site")


def test_a_run_without_its_counts_says_so(audit):
    run = audit.run()
    with pytest.raises(fr.ConfigError, match="does not carry the counts"):
        Exploration(fr.AuditRun(run.record, run.table, run.reading))


def test_two_tests_that_come_to_one_name_are_told_apart(audit):
    exploration = Exploration(audit.run())
    asked = replace(exploration.settings(0), attributes=("race",))
    same = {0: asked, 1: exploration.settings(1)}
    assert exploration.audit(same).names[:2] == ("hired by race", "within sites")
