"""`tests.json` as other tools write it."""

import json

import pytest

from fairreport import Audit, ConfigError, DataError

DATA = {"g": ["F", "M"] * 40, "o": [1, 1, 0, 1] * 20}
PARAMETERS = [
    {"name": "protected_attribute_columns", "value": ["g"]},
    {"name": "outcome_column", "value": "o"},
    {"name": "favorable_values", "value": ["1"]},
]


def threshold(measurement="failingGroupCount", operator="<=", value=0, parameters=PARAMETERS, **more):
    stated = {"insightName": "groupOutcomeDisparity", "insightParameters": parameters}
    return stated | {"measurement": measurement, "operator": operator, "value": value} | more


def a_test(*thresholds, **more):
    return {
        "name": "t",
        "type": "fairness",
        "subtype": "groupOutcomeDisparity",
        "thresholds": list(thresholds),
    } | more


def fault_of(*entries):
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(list(entries), data=DATA)
    (fault,) = caught.value.errors
    return fault.code, fault.path


def test_several_thresholds_of_one_test():
    entry = a_test(threshold(), threshold("minImpactRatio", ">=", 0.4), threshold("maxRateDifference", "<", 0.6))
    result = Audit.from_config([entry], data=DATA).run()[0].to_dict()
    assert [item["passed"] for item in result["thresholds"]] == [False, True, True]
    assert result["test_status"] == "failing"


def test_the_order_of_parameters_does_not_matter():
    entry = a_test(threshold(), threshold(parameters=PARAMETERS[::-1]))
    assert len(Audit.from_config([entry], data=DATA).tests) == 1


def test_parameters_that_differ_between_thresholds():
    other = [*PARAMETERS, {"name": "alpha", "value": 0.01}]
    assert fault_of(a_test(threshold(), threshold(parameters=other))) == (
        "conflicting_parameters",
        "0.thresholds.1.insightParameters",
    )


def test_a_parameter_stated_twice():
    assert fault_of(a_test(threshold(parameters=[*PARAMETERS, PARAMETERS[0]]))) == (
        "duplicate_parameter",
        "0.thresholds.0.insightParameters",
    )


@pytest.mark.parametrize("listed", [{"name": "alpha"}, "alpha", [5], [{"value": 1}], [{"name": 5, "value": 1}]])
def test_parameters_of_the_wrong_shape(listed):
    assert fault_of(a_test(threshold(parameters=listed))) == ("bad_type", "0.thresholds.0.insightParameters")


def test_keys_that_mean_nothing_here_are_listed():
    entry = a_test(
        threshold(thresholdMode="automatic"),
        syncId="x",
        usesMlModel=False,
        mode="development",
        delayWindow=0,
        subpopulationFilters=None,
    )
    result = Audit.from_config([entry], data=DATA).run()[0].to_dict()
    assert result["ignored"] == ["delayWindow", "mode", "syncId", "thresholds.thresholdMode", "usesMlModel"]


@pytest.mark.parametrize("filters", [[], {}, [{"column": "x"}], "all"])
def test_filters_are_refused_by_name(filters):
    assert fault_of(a_test(threshold(), subpopulationFilters=filters)) == (
        "unknown_parameter",
        "0.subpopulationFilters",
    )


def test_another_insight_than_the_subtype():
    assert fault_of(a_test(threshold(insightName="groupScoreDisparity"))) == (
        "bad_enum",
        "0.thresholds.0.insightName",
    )


def test_thresholds_of_the_wrong_shape():
    for wrong in ({"a": 1}, "x", [5]):
        assert fault_of(a_test() | {"thresholds": wrong}) == ("bad_type", "0.thresholds")


def test_one_entry_without_its_list():
    audit = Audit.from_config(a_test(threshold()), data=DATA)
    assert [test.name for test in audit.tests] == ["t"]


def test_faults_of_all_entries_at_once():
    wrong = a_test(threshold(parameters=[*PARAMETERS, {"name": "alpha", "value": 7}]))
    with pytest.raises(ConfigError) as caught:
        Audit.from_config(
            [a_test(threshold()), wrong | {"name": "u"}, 5, {"subtype": "x"}, wrong | {"name": None}],
            data=DATA,
        )
    assert [(fault.code, fault.path) for fault in caught.value.errors] == [
        ("out_of_range", "1.alpha"),
        ("bad_type", "2"),
        ("bad_enum", "3.subtype"),
        ("out_of_range", "4.alpha"),
    ]


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_file(tmp_path):
    path = write(tmp_path / "tests.json", [a_test(threshold())])
    for given in (path, str(path)):
        assert Audit.from_config(given, data=DATA).run().status == "failing"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Audit.from_config(path, data=DATA).run().status == "failing"


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        ("[{]", "bad_syntax", 1),
        ('[\n{"name":\n}]', "bad_syntax", 3),
        ("", "bad_syntax", 1),
        ('[{"name": "a", "name": "b"}]', "duplicate_key", None),
        ('{"tests": [], "tests": []}', "duplicate_key", None),
        ("[" * 50_000, "too_large", None),
        ("[" + " " * 1_000_001 + "]", "too_large", None),
        ("[" + "1" * 5_000 + "]", "too_large", None),
        ("null", "bad_type", None),
        ('"text"', "bad_type", None),
    ],
)
def test_files_that_are_refused(tmp_path, content, code, line):
    with pytest.raises(ConfigError, match=r"^tests\.json: ") as caught:
        Audit.from_config(write(tmp_path / "tests.json", content), data=DATA)
    assert (caught.value.code, caught.value.errors[0].line) == (code, line)
    assert "\n" not in str(caught.value)


def test_many_keys_are_read_at_once(tmp_path):
    many = {f"k{i}": 1 for i in range(60_000)}
    audit = Audit.from_config(write(tmp_path / "tests.json", [a_test(threshold()) | many]), data=DATA)
    assert len(audit.run()[0].to_dict()["ignored"]) == 60_000


def test_files_that_cannot_be_read(tmp_path):
    for name in ("absent.json", "absent.yaml"):
        with pytest.raises(DataError, match="cannot read") as caught:
            Audit.from_config(tmp_path / name, data=DATA)
        assert "\n" not in str(caught.value)
    (tmp_path / "latin.json").write_bytes('["ø"]'.encode("latin-1"))
    with pytest.raises(DataError, match=r"'latin\.json' is not UTF-8 text"):
        Audit.from_config(tmp_path / "latin.json", data=DATA)
    with pytest.raises(DataError, match="cannot read"):
        Audit.from_config(tmp_path, data=DATA)
