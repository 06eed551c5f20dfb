"""Named pairs under other settings: the answer is that of a fresh audit, and code and YAML make it again."""

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairreport as fr
from fairreport.audit.document import entry_document, to_text
from fairreport.report.configuration import configuration_yaml
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Exploration
from fairreport.widgets.pair_settings import PairSettings, explored
from fairreport.widgets.statement import python_text

SOME = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
COLUMNS = {"reference_values": {"race": "A", "sex": "M"}}
RATES = {"percent_difference_threshold": 0.0}
TESTS = {
    "adverse_impact_ratio": {"outcome": "hired", "air_threshold": 0.8, **RATES, "label": "qualified"},
    "relative_rate": {"outcome": "hired", "relative_rate_threshold": 1.2, **RATES},
    "odds_ratio": {"outcome": "hired", "odds_ratio_threshold": 0.8, **RATES},
    "standardized_mean_difference": {"outcome": "score", "smd_threshold": -0.2},
    "residual_standardized_mean_difference": {"label": "score", "prediction": "guess", "smd_threshold": 0.2},
    "adverse_impact_ratio_by_quantile": {
        "outcome": "score",
        "quantiles": [0.5, 0.9],
        "air_threshold": 0.8,
        **RATES,
    },
    "categorical_adverse_impact_ratio": {
        "outcome": "grade",
        "category_order": ["low", "mid", "high"],
        "air_threshold": 0.8,
        **RATES,
    },
    "segmented_adverse_impact_ratio": {"outcome": "hired", "segment": "site", "air_threshold": 0.8, **RATES},
    "true_positive_rate": {"outcome": "hired", "label": "qualified", "ratio_threshold": 0.8, **RATES},
}
SHARED = {
    "alpha": st.sampled_from([0.001, 0.05, 0.3]),
    "confidence_level": st.sampled_from([0.8, 0.95]),
    "p_value_adjustment": st.sampled_from(["none", "holm", "benjamini_hochberg"]),
    "percent_difference_threshold": st.sampled_from([0.0, 0.02, 0.2]),
    "max_for_fishers": st.sampled_from([0.0, 5.0, 100.0, 1e6]),
    "shortfall_method": st.sampled_from(["to_reference_mean", "to_combined_mean", None]),
    "sd": st.sampled_from(["population", "pooled"]),
    "welch": st.booleans(),
    "adjust_over_quantiles": st.booleans(),
    "air_threshold": st.sampled_from([0.5, 0.8, 0.9, 1.0]),
    "relative_rate_threshold": st.sampled_from([1.0, 1.25]),
    "odds_ratio_threshold": st.sampled_from([0.5, 1.0, 1.5]),
    "smd_threshold": st.sampled_from([-0.3, 0.1, 0.0]),
    "ratio_threshold": st.sampled_from([0.8, 1.0]),
    "lower_is_favorable": st.booleans(),
}
REFERENCES = st.builds(
    lambda race, sex: {"race": race, "sex": sex},
    st.sampled_from(["A", "B", "C", "rare", "nobody"]),
    st.sampled_from(["F", "M"]),
)
THRESHOLDS = st.lists(
    st.tuples(
        st.sampled_from(["practicallySignificantCount", "undefinedGroupCount"]),
        st.sampled_from(["<=", ">", "is"]),
        st.sampled_from([0, 1, 2.5]),
    ),
    max_size=2,
).map(tuple)


@pytest.fixture(scope="module")
def rows(crowd):
    n = len(crowd["race"])
    hired = [0 if value is None else value for value in crowd["hired"]]
    grade = [("low", "mid", "high")[i * i % 3 if i % 5 else 2] for i in range(n)]
    return crowd | {
        "hired": hired,
        "grade": grade,
        "guess": [0.1 * (i % 9) for i in range(n)],
        "w": [1 + i % 3 for i in range(n)],
    }


@pytest.fixture(scope="module", params=["plain", "weighted", "declared"])
def audited(request, rows):
    """An audit with every test of named pairs over columns of groups, and what was given beside."""
    options = {"groups": {"race": ["rare", "C", "B", "A"]}} if request.param == "declared" else {}
    more = {"sample_weight": "w"} if request.param == "weighted" else {}
    made = fr.Audit(rows, **options)
    for name, parameters in TESTS.items():
        getattr(made, name)(name=name, **COLUMNS, **parameters, **more)
    return made.run(), options, more


def drawn(data, test):
    names = explored(test)
    return PairSettings(
        values=data.draw(st.fixed_dictionaries({name: SHARED[name] for name in names})),
        references=data.draw(REFERENCES),
        thresholds=data.draw(THRESHOLDS),
    )


def fresh(rows, name, asked, options, more):
    thresholds = list(asked.thresholds) or None
    parameters = TESTS[name] | dict(asked.values) | {"reference_values": dict(asked.references)} | more
    return getattr(fr.Audit(rows, **options), name)(name=name, thresholds=thresholds, **parameters).run()


@SOME
@given(data=st.data(), position=st.integers(0, len(TESTS) - 1))
def test_it_answers_as_a_fresh_audit(audited, rows, data, position):
    run, options, more = audited
    exploration = Exploration(run)
    name = list(TESTS)[position]
    asked = drawn(data, exploration.tests[position])
    try:
        wanted = fresh(rows, name, asked, options, more).to_dict()["results"][0]
    except fr.ConfigError:
        assert exploration.answer(position, asked).refusal is not None
        return
    answer = exploration.answer(position, asked)
    if answer.lack is not Lack.NOTHING:
        exploration.gather(position, asked)
        answer = exploration.answer(position, asked)
    assert answer.lack is Lack.NOTHING
    assert to_text(entry_document(answer.record)) == to_text(wanted)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_whole_audit_its_code_and_its_yaml_give_the_same_json(audited, rows, data):
    run = audited[0]
    exploration = Exploration(run)
    asked = {position: drawn(data, test) for position, test in exploration.tests.items()}
    asked = {i: each for i, each in asked.items() if exploration.answer(i, each).refusal is None}
    wanted = exploration.rerun(asked)
    record = exploration.record(asked)
    made = {"data": rows}
    exec(python_text(record), made)
    assert made["run"].to_json() == wanted.to_json()
    again = fr.Audit.from_config(yaml.safe_load(configuration_yaml(record)), rows).run()
    assert again.to_dict() == wanted.to_dict()
