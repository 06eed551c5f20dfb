"""Named pairs of groups as tests of an audit: the same numbers from methods, records, files and engines."""

import json

import pandas as pd
import pytest
import yaml

import fairreport as fr
from fairreport.analyses.pair_tests import PAIR_TESTS, CustomDisparityMetric

RACE = ["Black"] * 50 + ["White"] * 40 + ["Asian"] * 30 + [None] * 5
COLUMNS = {
    "race": RACE,
    "sex": (["F", "M"] * 63)[:125],
    "black": [None if race is None else int(race == "Black") for race in RACE],
    "white": [None if race is None else int(race == "White") for race in RACE],
    "hired": [1] * 15 + [0] * 35 + [1] * 30 + [0] * 10 + [1] * 20 + [0] * 10 + [1] * 5,
    "site": ["x", "y", "z", "y", "x"] * 25,
    "score": [i % 17 for i in range(125)],
    "grade": ["low", "middle", "high", "high", "middle"] * 25,
    "decided": [1, 0, 1, 1, 0] * 25,
    "weight": [1.5, 0.5, 2.0, 1.0, 1.0] * 25,
}
GROUPS = {"reference_values": {"race": "White", "sex": "M"}}
RATE = {"percent_difference_threshold": 0.05}
OWN = {
    "adverse_impact_ratio": RATE | {"outcome": "hired", "air_threshold": 0.8},
    "relative_rate": RATE | {"outcome": "hired", "relative_rate_threshold": 1.25},
    "odds_ratio": RATE | {"outcome": "hired", "odds_ratio_threshold": 0.8},
    "standardized_mean_difference": {"outcome": "score", "smd_threshold": -0.3},
    "residual_standardized_mean_difference": {"label": "hired", "prediction": "score", "smd_threshold": -0.3},
    "adverse_impact_ratio_by_quantile": RATE | {"outcome": "score", "air_threshold": 0.8, "quantiles": [0.5, 0.9]},
    "categorical_adverse_impact_ratio": RATE
    | {"outcome": "grade", "air_threshold": 0.8, "category_order": ["low", "middle", "high"]},
    "segmented_adverse_impact_ratio": RATE | {"outcome": "hired", "air_threshold": 0.8, "segment": "site"},
    **{
        name: RATE | {"outcome": "decided", "label": "hired", "ratio_threshold": 0.8}
        for name in (
            "true_positive_rate",
            "true_negative_rate",
            "false_positive_rate",
            "false_negative_rate",
            "precision",
            "false_discovery_rate",
        )
    },
    "custom_disparity_metric": {"outcome": "decided", "label": "hired", "difference_threshold": 0.1, "draws": 50},
}


def accuracy(labels, predictions):
    return float((labels == predictions).mean())


def stated(kind, **more):
    own = {"metric": accuracy} if kind is CustomDisparityMetric else {}
    return GROUPS | OWN[kind.analysis] | own | more


every = pytest.mark.parametrize("kind", PAIR_TESTS, ids=lambda kind: kind.analysis)
in_files = pytest.mark.parametrize(
    "kind", [kind for kind in PAIR_TESTS if kind is not CustomDisparityMetric], ids=lambda kind: kind.analysis
)


def run_of(kind, data=COLUMNS, **more):
    return getattr(fr.Audit(data), kind.analysis)(**stated(kind, **more)).run()


@every
def test_method_and_record_are_the_same(kind):
    by_record = fr.Audit(COLUMNS, tests=[kind(**stated(kind))]).run()
    assert run_of(kind).to_json() == by_record.to_json()


@every
def test_the_document_keeps_to_its_schema(kind, result_checker):
    document = json.loads(run_of(kind).to_json())
    result_checker.validate(document)
    assert document["results"][0]["analysis"] == kind.analysis


@every
def test_every_null_has_its_reason(kind):
    def nulls(value, pointer=""):
        if value is None:
            yield pointer
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in items:
            yield from nulls(item, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")

    empty = COLUMNS | {"hired": [0] * 125, "decided": [1] * 125}
    for run in (run_of(kind), run_of(kind, empty), run_of(kind, {"sex": ["F"]})):
        entry = run[0].to_dict()
        reasons = entry.pop("reasons")
        assert set(reasons) == set(nulls(entry))
        assert all(reasons.values())


@in_files
def test_every_engine_gives_the_same_bytes(kind, engine):
    assert run_of(kind, engine.make(COLUMNS)).to_json() == run_of(kind).to_json()


@in_files
def test_audit_yaml_says_the_same(kind, tmp_path, config_checker):
    config = {"audit": {"data": "rows.csv"}, "tests": [{kind.analysis: stated(kind)}]}
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "audit.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    assert fr.Audit.from_config(tmp_path / "audit.yaml").run().to_json() == run_of(kind).to_json()
    config_checker.validate(config)


def test_a_function_has_no_place_in_a_file():
    with pytest.raises(fr.ConfigError, match="is no known kind of test"):
        fr.Audit.from_config({"tests": [{"custom_disparity_metric": {}}]}, data=COLUMNS)


def test_faults_have_their_places_in_a_file():
    wrong = stated(PAIR_TESTS[0]) | {"air_threshold": 2, "alpha": "x", "air_treshold": 0.8}
    with pytest.raises(fr.ConfigError) as caught:
        fr.Audit.from_config({"tests": [{"adverse_impact_ratio": wrong}]}, data=COLUMNS)
    assert {(fault.code, fault.path) for fault in caught.value.errors} == {
        ("out_of_range", "tests.0.adverse_impact_ratio.air_threshold"),
        ("bad_type", "tests.0.adverse_impact_ratio.alpha"),
        ("unknown_parameter", "tests.0.adverse_impact_ratio.air_treshold"),
    }


def test_no_shortfall_can_be_asked_for_in_a_file():
    test = stated(PAIR_TESTS[0], shortfall_method=None)
    run = fr.Audit.from_config({"tests": [{"adverse_impact_ratio": test}]}, data=COLUMNS).run()
    assert "shortfall" not in run[0].to_dict()["groups"][1]


@every
def test_an_unknown_column_skips_the_test_and_no_other(kind):
    data = {name: values for name, values in COLUMNS.items() if name != "race"} | {"rase": RACE}
    run = fr.Audit(data).outcome_disparity("sex", "hired", 1, thresholds=[("failingGroupCount", ">=", 0)])
    run = getattr(run, kind.analysis)(**stated(kind)).run()
    entry = run[1].to_dict()
    assert (run[0].status, run[1].status, run.exit_code) == ("passing", "skipped", 3)
    assert entry["skip_code"] == "unknown_column"
    assert "Did you mean 'rase'?" in entry["skip_reason"]
    assert run[1].groups.empty


def test_no_verdict_at_all_skips_the_test():
    run = run_of(PAIR_TESTS[0], COLUMNS | {"hired": [0] * 125})
    entry = run[0].to_dict()
    assert (run.exit_code, entry["skip_code"], entry["measurements"]) == (3, "all_groups_undefined", {})
    assert [row["favorable"] for row in entry["groups"]] == [0] * 5


def test_practical_significance_decides_where_nothing_else_is_stated():
    run = run_of(PAIR_TESTS[0])
    held = run[0].to_dict()["thresholds"]
    assert (run.status, held[0]["measurement"], held[0]["actual"]) == ("failing", "practicallySignificantCount", 1)
    assert run_of(PAIR_TESTS[0], thresholds=[("minImpactRatio", ">=", 0.3)]).status == "passing"


def test_an_unknown_measurement_is_refused():
    with pytest.raises(fr.ConfigError, match="Did you mean 'minImpactRatio'"):
        run_of(PAIR_TESTS[0], thresholds=[("minImpactRatios", ">=", 0.3)])


def test_wide_and_long_columns_give_the_same_figures():
    lists = {"protected_groups": ["black"], "reference_groups": ["white"], "group_categories": ["race"]}
    wide = fr.Audit(COLUMNS).adverse_impact_ratio(**OWN["adverse_impact_ratio"], **lists).run()[0].to_dict()
    long = fr.Audit(COLUMNS, groups={"race": ["Black", "White"]})
    long = long.adverse_impact_ratio(**OWN["adverse_impact_ratio"], reference_values={"race": "White"}).run()[0]
    names = {"group", "reference_group", "observations", "percent_missing", "beside"}  # Asian rows are in no group here

    def figures(entry):
        return [{key: value for key, value in row.items() if key not in names} for row in entry["groups"]]

    assert figures(wide) == figures(long.to_dict())


def test_counts_stand_for_rows():
    narrow = {name: values[::5] for name, values in COLUMNS.items()} | {"n": [4] * 25}
    wide = {name: [value for value in values for _ in range(4)] for name, values in narrow.items() if name != "n"}
    for kind in PAIR_TESTS[:8]:
        counted = getattr(fr.Audit(narrow, counts="n"), kind.analysis)(**stated(kind)).run()[0].to_dict()
        assert counted["groups" if "groups" in counted else "rows_total"], kind
        repeated = run_of(kind, wide)[0].to_dict()
        for entry in (counted, repeated):
            entry.pop("evidence")
        assert counted == repeated


def test_words_for_a_missing_cell():
    told = COLUMNS | {"race": ["n/a" if race is None else race for race in RACE]}
    audit = fr.Audit(told, missing_values=["n/a"]).adverse_impact_ratio(**stated(PAIR_TESTS[0]))
    assert audit.run()[0].to_dict()["groups"] == run_of(PAIR_TESTS[0])[0].to_dict()["groups"]


def test_series_are_taken_in_the_place_of_names():
    frame = pd.DataFrame(COLUMNS)
    own = OWN["adverse_impact_ratio"] | {"outcome": frame["hired"].rename("other")}
    found = fr.Audit(frame.drop(columns="hired")).adverse_impact_ratio(**own, **GROUPS).run()[0]
    assert found.to_dict()["groups"] == run_of(PAIR_TESTS[0])[0].to_dict()["groups"]


def test_rows_of_a_group(engine):
    result = run_of(PAIR_TESTS[0], engine.make(COLUMNS))[0]

    def count(found):
        for method in ("collect", "to_pyarrow"):
            found = getattr(found, method)() if hasattr(found, method) else found
        return len(found.to_pandas() if hasattr(found, "to_pandas") else found)

    assert count(result.records({"race": "Black"})) == 50
    assert count(result.records({"race": "Black", "sex": "F"})) == 25
    assert count(result.records()) == 125


def test_rows_of_a_membership_column():
    lists = {"protected_groups": ["black"], "reference_groups": ["white"], "group_categories": ["race"]}
    result = fr.Audit(COLUMNS).adverse_impact_ratio(**OWN["adverse_impact_ratio"], **lists).run()[0]
    assert len(result.records("black")) == len(result.records({"black": 1})) == 50


def test_files_of_a_run(tmp_path):
    run = run_of(PAIR_TESTS[7], name="by site")
    written = run.to_csv(tmp_path)
    lines = written[1].read_text(encoding="utf-8").splitlines()
    assert [place.name for place in written] == ["measurements.csv", "01-by-site.csv", "01-by-site-pooled.csv"]
    assert lines[0].startswith("segment,group,reference_group,group_category")
    assert len(lines) == 1 + 3 * 5
    assert list(run[0].pooled["group"]) == ["Asian", "Black", "F"]


def test_what_is_taken_as_given():
    weighed = run_of(PAIR_TESTS[0], sample_weight="weight", name="weighed").record
    codes = [item.code for item in weighed.assumptions]
    assert codes[:3] == ["independence", "declared_groups", "p_value_meaning"]
    assert {"named_pairs", "practical_significance", "sampling_weights", "missing_membership"} <= set(codes)
    assert "frequency_weights" not in codes


def test_the_fingerprint_is_that_of_the_counts():
    one, other = run_of(PAIR_TESTS[0]), run_of(PAIR_TESTS[0], air_threshold=0.7)
    assert one.record.data.fingerprint == other.record.data.fingerprint
    changed = run_of(PAIR_TESTS[0], COLUMNS | {"hired": [1, *COLUMNS["hired"][1:-1], 0]})
    assert one.record.data.fingerprint != changed.record.data.fingerprint


def test_rows_left_out_for_want_of_a_weight_a_segment_or_a_group():
    weights = [None if i % 4 == 0 else 1.0 for i in range(125)]
    sites = [None if i % 10 == 1 else "x" for i in range(125)]
    own = OWN["segmented_adverse_impact_ratio"] | {"reference_values": {"race": "White"}, "sample_weight": "weight"}
    result = fr.Audit(COLUMNS | {"weight": weights, "site": sites}).segmented_adverse_impact_ratio(**own).run()[0]
    entry = result.to_dict()
    told = result.records(include_left_out=True)["left_out"].value_counts().to_dict()
    assert told["no weight"] + told.get("no site, weight", 0) == entry["rows_missing_weight"] == 32
    assert told["no site"] == entry["rows_missing_segment"]
    assert told["no race"] == sum(
        w is not None and s is not None for w, s in zip(weights[120:], sites[120:], strict=True)
    )
    assert len(result.records()) == told[""] == 125 - sum(n for reason, n in told.items() if reason)
    assert result.records({"race": "Black"})["weight"].notna().all()


def test_the_fingerprint_of_a_metric_of_ones_own_is_that_of_what_it_saw():
    kind = PAIR_TESTS[-1]
    one, other = run_of(kind), run_of(kind, COLUMNS | {"decided": [1, *COLUMNS["decided"][1:-1], 1]})
    assert one.record.data.fingerprint == run_of(kind, draws=60).record.data.fingerprint
    assert one.record.data.fingerprint != other.record.data.fingerprint
