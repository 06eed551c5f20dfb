"""Every way of stating a test wrongly, with its code and its place."""

import pytest

from fairreport import Audit, ConfigError
from fairreport.audit.about import About
from fairreport.audit.readers.audit_yaml import KINDS
from fairreport.audit.readers.settings import REPORT, TIME

BASE = {"protected_attribute_columns": ["g"], "outcome_column": "o", "favorable_values": ["1"]}
DATA = {"g": ["F", "M"] * 40, "o": [1, 1, 0, 1] * 20, "c": ["x", "y"] * 40}


def as_tests_json(parameters, **more):
    listed = [{"name": name, "value": value} for name, value in parameters.items()]
    threshold = {"insightName": "groupOutcomeDisparity", "insightParameters": listed}
    threshold |= {"measurement": "failingGroupCount", "operator": "<=", "value": 0} | more.pop("threshold", {})
    return [{"name": "t", "subtype": "groupOutcomeDisparity", "thresholds": [threshold]} | more]


def as_audit_yaml(parameters):
    return {"tests": [{"outcome_disparity": parameters}]}


def faults_of(config):
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(config, data=DATA)
    assert "\n" not in str(caught.value)
    assert caught.value.code == caught.value.errors[0].code
    return [(fault.code, fault.path) for fault in caught.value.errors]


WRONG = [
    ("protected_attribute_columns", [], "bad_column_count"),
    ("protected_attribute_columns", ["a", "b", "c", "d"], "bad_column_count"),
    ("protected_attribute_columns", ["a", "a"], "duplicate_columns"),
    ("protected_attribute_columns", "g", "bad_type"),
    ("protected_attribute_columns", {"g": 1}, "bad_type"),
    ("protected_attribute_columns", ["a", 1], "bad_type"),
    ("protected_attribute_columns", None, "missing_parameter"),
    ("outcome_column", None, "missing_parameter"),
    ("outcome_column", ["o"], "bad_type"),
    ("outcome_column", 1, "bad_type"),
    ("favorable_values", None, "missing_parameter"),
    ("favorable_values", [], "empty_values_list"),
    ("favorable_values", "1", "bad_type"),
    ("favorable_values", 1, "bad_type"),
    ("favorable_values", [["1"]], "bad_type"),
    ("favorable_values", [None], "bad_type"),
    ("favorable_values", ["  "], "bad_type"),
    ("unfavorable_values", [], "empty_values_list"),
    ("control_columns", [], "bad_column_count"),
    ("control_columns", ["a", "b", "c"], "bad_column_count"),
    ("control_columns", ["a", "a"], "duplicate_columns"),
    ("control_columns", "c", "bad_type"),
    ("reference_strategy", "best of all", "bad_enum"),
    ("reference_strategy", "Highest", "bad_enum"),
    ("reference_strategy", 1, "bad_enum"),
    ("reference_value", ["F"], "bad_type"),
    ("significance_test", "fisher", "bad_enum"),
    ("significance_test", "auto", "bad_enum"),
    ("p_value_adjustment", "bonferroni", "bad_enum"),
    ("require_significance", "true", "bad_type"),
    ("require_significance", 1, "bad_type"),
    ("alpha", 0, "out_of_range"),
    ("alpha", 1, "out_of_range"),
    ("alpha", -0.1, "out_of_range"),
    ("alpha", "0.05", "bad_type"),
    ("alpha", True, "bad_type"),
    ("alpha", float("nan"), "out_of_range"),
    ("impact_ratio_threshold", 0, "out_of_range"),
    ("impact_ratio_threshold", 1.01, "out_of_range"),
    ("impact_ratio_threshold", 80, "out_of_range"),
    ("min_group_size", 0, "out_of_range"),
    ("min_group_size", 2.5, "out_of_range"),
    ("min_group_size", "30", "bad_type"),
    ("min_group_size", True, "bad_type"),
    ("min_group_share", -0.01, "out_of_range"),
    ("min_group_share", 1.01, "out_of_range"),
    ("min_group_share", float("inf"), "out_of_range"),
    ("score_column", "s", "unknown_parameter"),
    ("favourable_values", ["1"], "unknown_parameter"),
    ("comparison", "overall", "unknown_parameter"),
]


@pytest.mark.parametrize(("name", "value", "code"), WRONG, ids=[f"{name}={value!r}" for name, value, _ in WRONG])
def test_one_wrong_parameter(name, value, code):
    stated = BASE | {name: value}
    assert faults_of(as_tests_json(stated)) == [(code, f"0.{name}")]
    assert faults_of(as_audit_yaml(stated)) == [(code, f"tests.0.outcome_disparity.{name}")]


TOGETHER = [
    ({"reference_strategy": "named"}, "named_needs_reference_value"),
    (
        {"reference_strategy": "named", "reference_value": "F", "protected_attribute_columns": ["g", "c"]},
        "named_needs_single_attribute",
    ),
    ({"require_significance": True, "significance_test": "none"}, "require_significance_needs_test"),
    ({"control_columns": ["c", "o"]}, "control_includes_outcome"),
    ({"unfavorable_values": ["0", "1.0"]}, "overlapping_values"),
]


@pytest.mark.parametrize(("stated", "code"), TOGETHER, ids=[code for _, code in TOGETHER])
def test_parameters_that_do_not_go_together(stated, code):
    assert [found for found, _ in faults_of(as_tests_json(BASE | stated))] == [code]
    assert [found for found, _ in faults_of(as_audit_yaml(BASE | stated))] == [code]


THRESHOLDS = [
    ({"measurement": "failingGroups"}, "unknown_measurement"),
    ({"measurement": "minScoringRateImpactRatio"}, "unknown_measurement"),
    ({"measurement": "adjustedMinImpactRatio"}, "measurement_needs_control_columns"),
    ({"measurement": "adjustedMinOddsRatio"}, "measurement_needs_control_columns"),
    ({"operator": "=<"}, "bad_enum"),
    ({"operator": None}, "bad_enum"),
    ({"value": "0"}, "bad_type"),
    ({"value": None}, "bad_type"),
    ({"value": float("nan")}, "out_of_range"),
    ({"value": True}, "bad_type"),
]


@pytest.mark.parametrize(("stated", "code"), THRESHOLDS, ids=[repr(stated) for stated, _ in THRESHOLDS])
def test_wrong_thresholds(stated, code):
    threshold = {"measurement": "failingGroupCount", "operator": "<=", "value": 0} | stated
    assert [found for found, _ in faults_of(as_tests_json(BASE, threshold=stated))] == [code]
    assert [found for found, _ in faults_of(as_audit_yaml(BASE | {"thresholds": [threshold]}))] == [code]


@pytest.mark.parametrize("parameter", ["outcome_colum", "alfa", "min_groupsize"])
def test_the_nearest_name_is_suggested(parameter):
    with pytest.raises(ConfigError, match=r"is no known parameter\. Did you mean '"):
        Audit.from_config(as_audit_yaml(BASE | {parameter: 1}), data=DATA)


def test_all_faults_of_a_file_at_once():
    config = {
        "audit": {
            "titel": "x",
            "title": 5,
            "missing_values": "NA",
            "groups": {"g": "F"},
            "about": {"status": "done", "origin": "guessed", "sistem": "x"},
            "report": {"papr": "A4"},
        },
        "tests": [
            {"outcome_disparity": BASE | {"alpha": 3, "min_group_size": 0}},
            {"outcome_disparity": {}},
            {"outcome_disparty": BASE},
            {"outcome_disparity": BASE, "more": 1},
            "outcome_disparity",
            {"outcome_disparity": BASE | {"control_columns": "c"}},
        ],
    }
    assert set(faults_of(config)) == {
        ("unknown_parameter", "audit.titel"),
        ("bad_type", "audit.title"),
        ("bad_type", "audit.missing_values"),
        ("bad_type", "audit.groups.g"),
        ("bad_enum", "audit.about.status"),
        ("bad_enum", "audit.about.origin"),
        ("unknown_parameter", "audit.about.sistem"),
        ("unknown_parameter", "audit.report.papr"),
        ("out_of_range", "tests.0.outcome_disparity.alpha"),
        ("out_of_range", "tests.0.outcome_disparity.min_group_size"),
        ("missing_parameter", "tests.1.outcome_disparity.protected_attribute_columns"),
        ("missing_parameter", "tests.1.outcome_disparity.outcome_column"),
        ("missing_parameter", "tests.1.outcome_disparity.favorable_values"),
        ("bad_enum", "tests.2.outcome_disparty"),
        ("bad_type", "tests.3"),
        ("bad_type", "tests.4"),
        ("bad_type", "tests.5.outcome_disparity.control_columns"),
    }


def test_faults_of_several_kinds_in_one_test():
    """A wrong value, an unknown key, parameters that clash and an unknown measurement: none hides another."""
    stated = BASE | {
        "alpha": 3,
        "alfa": 0.05,
        "reference_strategy": "named",
        "require_significance": True,
        "significance_test": "none",
        "thresholds": [
            {"measurement": "failingGroupCont", "operator": "<=", "value": 0},
            {"measurement": "adjustedMinImpactRatio", "operator": ">=", "value": 0.8},
        ],
    }
    place = "tests.0.outcome_disparity"
    found = faults_of(as_audit_yaml(stated))
    assert {("out_of_range", f"{place}.alpha"), ("unknown_parameter", f"{place}.alfa")} <= set(found)
    assert {code for code, _ in found} == {
        "out_of_range",
        "unknown_parameter",
        "named_needs_reference_value",
        "require_significance_needs_test",
        "unknown_measurement",
        "measurement_needs_control_columns",
    }


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ([], "no_tests"),
        ({"tests": []}, "no_tests"),
        ({"audit": {}}, "no_tests"),
        ({"tests": {"outcome_disparity": BASE}}, "no_tests"),
        ({}, "bad_type"),
        ({"something": 1}, "bad_type"),
        (None, "bad_type"),
        (5, "bad_type"),
        ([1], "bad_type"),
        ([{"subtype": "groupOutcomDisparity"}], "bad_enum"),
        ([{"name": "x"}], "missing_parameter"),
        ({"tests": [{"outcome_disparity": None}]}, "bad_type"),
        ({"audit": ["x"], "tests": [{"outcome_disparity": BASE}]}, "bad_type"),
    ],
)
def test_what_is_no_configuration(config, code):
    assert [found for found, _ in faults_of(config)] == [code]


def test_no_data():
    with pytest.raises(
        ConfigError, match="no data: the configuration names none, and none was given beside it"
    ) as caught:
        Audit.from_config(as_audit_yaml(BASE))
    assert (caught.value.code, caught.value.errors[0].path) == ("missing_parameter", "audit.data")


@pytest.mark.parametrize("make", [as_tests_json, as_audit_yaml])
def test_repeated_names_are_refused_with_their_place(make):
    config = make(BASE)
    if make is as_tests_json:
        config = [config[0], config[0]]
        place = "1.name"
    else:
        config = {"tests": [{"outcome_disparity": BASE | {"name": "t"}}] * 2}
        place = "tests.1.outcome_disparity.name"
    assert faults_of(config) == [("duplicate_name", place)]


def test_null_is_absent():
    stated = BASE | {
        "alpha": None,
        "control_columns": None,
        "reference_value": None,
        "p_value_adjustment": None,
    }
    assert (
        Audit.from_config(as_audit_yaml(stated), data=DATA).run().to_json()
        == Audit.from_config(as_audit_yaml(BASE), data=DATA).run().to_json()
    )


def test_a_file_says_what_python_says():
    stated = BASE | {
        "alpha": 0.01,
        "control_columns": ["c"],
        "name": "n",
        "rationale": "why",
        "threshold_source": "policy",
    }
    stated |= {"thresholds": [{"measurement": "minImpactRatio", "operator": ">=", "value": 0.8}]}
    config = {
        "audit": {
            "title": "T",
            "missing_values": ["NA"],
            "groups": {"g": ["F", "M"]},
            "about": {"system": "s"},
        }
    }
    from_file = Audit.from_config(config | {"tests": [{"outcome_disparity": stated}]}, data=DATA).run().to_json()
    by_hand = Audit(DATA, title="T", missing_values=["NA"], groups={"g": ["F", "M"]}, about={"system": "s"})
    assert from_file == by_hand.outcome_disparity(**stated).run().to_json()


SHAPES = [
    None,
    5,
    -1.5,
    True,
    "x",
    "",
    [],
    {},
    ["a"],
    {"a": 1},
    [["a"]],
    [{"a": ["b"]}],
    {"a": ["b"]},
    [None],
    float("nan"),
    10**400,
]
SUBTYPE_OF = {kind: model.subtype for kind, model in KINDS.items()}
PARAMETERS_OF = [(kind, name) for kind, model in KINDS.items() for name in model.model_fields]
THRESHOLD = {"measurement": "failingGroupCount", "operator": "<=", "value": 0}


def holds(config):
    """Read a configuration, which is right or raises ConfigError in plain words; any other exception is a fault."""
    said = ""
    try:
        Audit.from_config(config, data=DATA)
    except ConfigError as error:
        said = str(error)
    assert not any(word in said for word in ("nput should", "instance of", "unhashable"))


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_any_shape_under_any_key_is_read_or_refused(shape):
    for kind, name in PARAMETERS_OF:
        stated = {"protected_attribute_columns": ["g"], name: shape}
        holds({"tests": [{kind: stated}]})
        listed = [{"name": key, "value": value} for key, value in stated.items()]
        holds([{"subtype": SUBTYPE_OF[kind], "thresholds": [THRESHOLD | {"insightParameters": listed}]}])
    for key in ("title", "data", "counts", "missing_values", "time", "groups", "about", "report", "other"):
        holds({"audit": {key: shape}} | as_audit_yaml(BASE))
    for section, model in (("about", About.model_fields), ("report", REPORT), ("time", TIME), ("groups", ("g", "h"))):
        for key in model:
            holds({"audit": {section: {key: shape}}} | as_audit_yaml(BASE))
    for key in ("measurement", "operator", "value", "other"):
        holds(as_audit_yaml(BASE | {"thresholds": [THRESHOLD | {key: shape}]}))
    for key in ("insightName", "insightParameters", "measurement", "operator", "value", "other"):
        holds(as_tests_json(BASE, threshold={key: shape}))
    for key in (
        "name",
        "description",
        "type",
        "subtype",
        "thresholds",
        "subpopulationFilters",
        "taskType",
        "task_type",
    ):
        for subtype in SUBTYPE_OF.values():
            holds([{"subtype": subtype, "thresholds": [THRESHOLD], key: shape}])
    for config in ({"audit": shape}, {"tests": shape}, {"tests": [shape]}, [shape], {"tests": [{"x": shape}]}):
        holds(config)


def test_one_metric_and_every_other_fault():
    stated = {"protected_attribute_columns": ["g"], "parity_metric": ["auc"], "alpha": 3}
    with pytest.raises(ConfigError, match=r"parity_metric: takes one metric, got \['auc'\]") as caught:
        Audit.from_config({"audit": {"titel": "x"}, "tests": [{"metric_parity": stated}]}, data=DATA)
    assert [(fault.code, fault.path) for fault in caught.value.errors] == [
        ("unknown_parameter", "audit.titel"),
        ("bad_type", "tests.0.metric_parity.parity_metric"),
        ("out_of_range", "tests.0.metric_parity.alpha"),
    ]


@pytest.mark.parametrize("subtype", [["a"], {"a": 1}, 5])
def test_a_subtype_that_is_no_word(subtype):
    assert faults_of([{"subtype": subtype, "thresholds": []}]) == [("bad_enum", "0.subtype")]


@pytest.mark.parametrize(
    ("thresholds", "said"),
    [
        (
            [THRESHOLD | {"measurement": ["a"]}],
            r"thresholds\.0\.measurement: must be the name of a measurement, got \['a'",
        ),
        ([["a"]], r"thresholds\.0: must be a mapping of measurement, operator and value, got \['a'\]"),
        ([THRESHOLD, "a"], r"thresholds\.1: must be a mapping of measurement, operator and value, got 'a'"),
        ([[1, "<=", 0]], r"thresholds\.0\.measurement: must be the name of a measurement, got 1"),
        ([THRESHOLD | {"operator": "=>"}], r"Did you mean '>='\?"),
        ([THRESHOLD | {"operator": "=<"}], r"Did you mean '<='\?"),
    ],
)
def test_thresholds_are_spoken_of_in_the_words_of_files(thresholds, said):
    with pytest.raises(ConfigError, match=said):
        Audit.from_config(as_audit_yaml(BASE | {"thresholds": thresholds}), data=DATA)


def test_a_number_beyond_all_others_hides_no_fault():
    huge = 10**400
    stated = BASE | {"min_group_size": huge, "alpha": 2, "thresholds": [THRESHOLD, THRESHOLD | {"value": huge}]}
    assert set(faults_of(as_audit_yaml(stated))) == {
        ("out_of_range", "tests.0.outcome_disparity.min_group_size"),
        ("out_of_range", "tests.0.outcome_disparity.thresholds.1.value"),
        ("out_of_range", "tests.0.outcome_disparity.alpha"),
    }


SETTINGS = [
    ({"data": " "}, [("bad_type", "data")]),
    ({"time": {"colum": "x"}}, [("unknown_parameter", "time.colum")]),
    ({"time": {"timezone": "UTC"}}, [("missing_parameter", "time.column")]),
    ({"time": {}}, [("missing_parameter", "time.column")]),
    ({"time": "decided_at"}, [("bad_type", "time")]),
    ({"time": {"column": 5}}, [("bad_type", "time.column")]),
    ({"time": {"column": "t", "timezone": "Mars/Oslo"}}, [("bad_enum", "time.timezone")]),
    ({"time": {"column": "t", "timezone": "../etc"}}, [("bad_enum", "time.timezone")]),
    ({"time": {"column": "t", "timezone": "Europe"}}, [("bad_enum", "time.timezone")]),
    ({"time": {"column": "t", "timezone": ""}}, [("bad_enum", "time.timezone")]),
    ({"time": {"column": "t", "timezone": 1}}, [("bad_type", "time.timezone")]),
    ({"report": {"paper": "A3"}}, [("bad_enum", "report.paper")]),
    ({"report": {"paper": ["A4"]}}, [("bad_enum", "report.paper")]),
    ({"report": {"preset": "nyc_ll145"}}, [("bad_enum", "report.preset")]),
    ({"report": {"preset": ["four_fifths"]}}, [("bad_enum", "report.preset")]),
    ({"report": {"profile": {"sex": "gender"}}}, [("missing_parameter", "report.profile")]),
    ({"report": {"preset": "nyc_ll144", "profile": "sex"}}, [("bad_type", "report.profile")]),
    ({"report": {"preset": "nyc_ll144", "profile": {"sxe": "g"}}}, [("unknown_parameter", "report.profile.sxe")]),
    ({"report": {"preset": "nyc_ll144", "profile": {"sex": "gg"}}}, [("missing_column", "report.profile.sex")]),
    ({"report": {"preset": "four_fifths", "profile": {"sex": "g"}}}, [("unknown_parameter", "report.profile.sex")]),
    ({"report": {"language": 5}}, [("not_offered", "report.language")]),
    ({"report": {"logo": ["a"]}}, [("bad_type", "report.logo")]),
    ({"report": {"templates": {}}}, [("bad_type", "report.templates")]),
    ({"report": {"suppress_below": -1}}, [("out_of_range", "report.suppress_below")]),
    ({"report": {"suppress_below": 2.5}}, [("out_of_range", "report.suppress_below")]),
    ({"report": {"suppress_below": "5"}}, [("bad_type", "report.suppress_below")]),
    ({"report": {"suppress_below": True}}, [("bad_type", "report.suppress_below")]),
    (
        {"report": {"papr": "A4", "preset": "x", "logo": 1}},
        [("unknown_parameter", "report.papr"), ("bad_enum", "report.preset"), ("bad_type", "report.logo")],
    ),
    ({"groups": {"g": []}}, [("empty_values_list", "groups.g")]),
    ({"groups": {"g": ["F", "F"]}}, [("duplicate_value", "groups.g")]),
    ({"groups": {"g": [1, "1.0"]}}, [("duplicate_value", "groups.g")]),
    ({"groups": {"g": ["F", None]}}, [("bad_type", "groups.g")]),
]


@pytest.mark.parametrize(("stated", "found"), SETTINGS, ids=[repr(stated) for stated, _ in SETTINGS])
def test_settings_are_checked_as_they_are_read(stated, found):
    config = {"audit": stated} | as_audit_yaml(BASE)
    assert faults_of(config) == [(code, f"audit.{path}") for code, path in found]


@pytest.mark.parametrize(
    "stated",
    [
        {"time": {"column": "t", "timezone": "Europe/Oslo"}},
        {"time": {"column": "t", "timezone": None}},
        {"time": None, "report": None, "groups": {"g": None}},
        {"report": {"preset": None, "paper": "a4", "language": "en", "templates": "t", "suppress_below": 0}},
        {"report": {"paper": "letter", "logo": "l.svg", "suppress_below": 10}},
        {"groups": {"g": ["F", "M"], "age_band": ["under_30", "30_to_60"]}},
    ],
    ids=repr,
)
def test_settings_that_are_right(stated):
    assert len(Audit.from_config({"audit": stated} | as_audit_yaml(BASE), data=DATA).tests) == 1


def test_a_zone_has_a_nearest_name():
    stated = {"time": {"column": "t", "timezone": "Europe/Osl"}}
    with pytest.raises(ConfigError, match=r"Did you mean 'Europe/Oslo'\?"):
        Audit.from_config({"audit": stated} | as_audit_yaml(BASE), data=DATA)


def test_groups_of_a_column_that_is_nearly_one_of_a_test():
    stated = {"groups": {"gendr": ["F", "M"], "age_band": ["old"]}, "report": {"paper": "A3"}}
    tests = as_audit_yaml(BASE | {"protected_attribute_columns": ["gender"], "alpha": 3})
    with pytest.raises(ConfigError, match=r"audit\.groups\.gendr: no test uses 'gendr'\. Did you mean 'gender'\?"):
        Audit.from_config({"audit": stated} | tests, data=DATA)
    assert set(faults_of({"audit": stated} | tests)) == {
        ("unknown_parameter", "audit.groups.gendr"),
        ("bad_enum", "audit.report.paper"),
        ("out_of_range", "tests.0.outcome_disparity.alpha"),
    }
