"""Rules on rate gaps and named pairs under other bars are what fresh audits with these find."""

import pytest

import fairreport as fr
from fairreport.analyses.rate_gaps import RuleState
from fairreport.analyses.robustness_named import named_bars, threshold_parameter, under_named_bars
from fairreport.analyses.robustness_rules import under_bars


def cases_of(groups):
    rows = {"g": [], "label": [], "said": []}
    for name, positives, missed, negatives, raised in groups:
        for label, n, wrong in ((1, positives, missed), (0, negatives, raised)):
            rows["g"] += [name] * n
            rows["label"] += [label] * n
            rows["said"] += [1 - label if i < wrong else label for i in range(n)]
    return rows


ROWS = cases_of([("a", 240, 72, 200, 20), ("b", 260, 13, 230, 25), ("c", 220, 40, 210, 24), (None, 12, 2, 10, 1)])


def read(rule, rows=ROWS, **more):
    attributes = {"g": ["a", "b", "c"]}
    audit = fr.Audit(rows).rate_gaps(attributes, "label", "said", [{"id": "r", "attribute": "g", **rule}], **more)
    return audit.run().record.rate_gaps[0].finding.rules[0]


@pytest.mark.parametrize("interval", ["simultaneous", "pairwise"])
@pytest.mark.parametrize(
    ("rule", "bar"),
    [
        ({"rate": "false_negative", "max_group_gap": 0.2}, "max_group_gap"),
        ({"rate": "error", "max_group_gap": 0.14}, "max_group_gap"),
        ({"rate": "error", "max_group_gap": 0}, "max_group_gap"),
        ({"rate": "selection", "worst_group": 0.4}, "worst_group"),
        ({"rate": "error", "worst_group": 0.2}, "worst_group"),
        ({"rate": "error", "worst_group": 0.2, "max_left_out": 0.001}, "worst_group"),
        ({"rate": "error", "max_group_gap": 0.5, "manual_review": "a person must look"}, "max_group_gap"),
    ],
    ids=["gap", "error gap", "no gap", "floor", "ceiling", "left out", "review"],
)
def test_a_rule_reads_what_a_fresh_rule_reads(rule, bar, interval):
    bars = under_bars(read(rule, interval=interval))
    assert sum(it.is_stated for it in bars.tried) == 1
    assert next(it.bar for it in bars.tried if it.is_stated) == rule[bar]
    assert len(bars.tried) >= 4
    for it in bars.tried:
        assert it.state is read({**rule, bar: it.bar}, interval=interval).state
    assert bars.changing == tuple(it for it in bars.tried if it.state is not read(rule, interval=interval).state)


@pytest.mark.parametrize(
    ("rule", "bar"),
    [
        ({"rate": "false_negative", "max_group_gap": 0.2}, "max_group_gap"),
        ({"rate": "error", "worst_group": 0.2}, "worst_group"),
        ({"rate": "selection", "worst_group": 0.4}, "worst_group"),
    ],
    ids=["gap", "ceiling", "floor"],
)
def test_a_rule_turns_where_it_is_said_to(rule, bar):
    bars = under_bars(read(rule))
    outwards = -1e-9 if bars.is_floor else 1e-9
    assert bars.is_floor is (rule["rate"] == "selection")
    assert read({**rule, bar: bars.within + outwards}).state is RuleState.PASS
    assert read({**rule, bar: bars.within - outwards}).state is not RuleState.PASS
    assert read({**rule, bar: bars.beyond - outwards}).state is RuleState.FAIL
    assert read({**rule, bar: bars.beyond + outwards}).state is not RuleState.FAIL


def pair_rows(n=420):
    rates = {"Black": 3, "White": 6, "Asian": 5}
    rows = {name: [] for name in ("race", "hired", "score", "grade", "site", "said")}
    for i in range(n):
        race = ("Black", "White", "White", "Asian", "White", "Black", "Asian")[i % 7]
        hired = int((i * 7) % 11 < rates[race])
        rows["race"].append(race)
        rows["hired"].append(hired)
        rows["score"].append(40 + (i * 37) % 31 + 6 * hired)
        rows["grade"].append(("low", "mid", "high")[(i * 5 + hired) % 3])
        rows["site"].append(("north", "south")[(i // 7) % 2])
        rows["said"].append(int((i * 13) % 10 < 3 + 4 * hired))
    return rows


PAIRS = pair_rows()
NAMED = {"reference_values": {"race": "White"}}
RATE = NAMED | {"outcome": "hired", "percent_difference_threshold": 0}
MAKERS = {
    "adverse_impact_ratio": ("air_threshold", 0.8, RATE),
    "relative_rate": ("relative_rate_threshold", 1.25, RATE),
    "odds_ratio": ("odds_ratio_threshold", 0.8, RATE),
    "standardized_mean_difference": ("smd_threshold", -0.3, NAMED | {"outcome": "score"}),
    "adverse_impact_ratio_by_quantile": ("air_threshold", 0.8, RATE | {"outcome": "score", "quantiles": [0.25, 0.5]}),
    "categorical_adverse_impact_ratio": (
        "air_threshold",
        0.82,
        RATE | {"outcome": "grade", "category_order": ["low", "mid", "high"]},
    ),
    "segmented_adverse_impact_ratio": ("air_threshold", 0.8, RATE | {"segment": "site"}),
    "true_positive_rate": ("ratio_threshold", 0.8, RATE | {"outcome": "said", "label": "hired"}),
}


def made(name, parameters):
    return getattr(fr.Audit(PAIRS), name)(**parameters).run().record.pairs[0]


@pytest.mark.parametrize("name", MAKERS)
def test_named_pairs_find_what_a_fresh_audit_finds(name):
    parameter, stated, rest = MAKERS[name]
    record = made(name, rest | {parameter: stated})
    assert threshold_parameter(record.test) == parameter
    variants = under_named_bars(record.test, record.finding)
    assert [it.bar for it in variants if it.is_stated] == [stated]
    assert len(variants) >= 4
    for it in variants:
        fresh = made(name, rest | {parameter: it.bar})
        assert dict(it.measurements) == dict(fresh.finding.measurements)
        rows = [row for table in fresh.finding.tables for row in table.rows] + list(fresh.finding.pooled)
        beyond = [(row.group, row.reference_group) for row in rows if row.practically_significant]
        assert [(pair.group, pair.reference) for pair in it.beyond] == beyond


def test_some_threshold_changes_what_is_found():
    _, stated, rest = MAKERS["adverse_impact_ratio"]
    audit = fr.Audit(pair_rows(4200)).adverse_impact_ratio(**rest, air_threshold=stated)
    record = audit.run().record.pairs[0]
    counts = [len(it.beyond) for it in under_named_bars(record.test, record.finding)]
    # 3/11 and 5/11 against 6/11: ratios of about 0.50 and 0.83.
    assert counts == [1, 1, 1, 2, 2]


def test_where_lower_odds_are_favorable_the_thresholds_are_above_1():
    record = made("odds_ratio", RATE | {"odds_ratio_threshold": 1.25, "lower_is_favorable": True})
    assert named_bars(record.test) == (1.1, 1.2, 1.25, 1.3, 1.4)


def test_a_metric_of_the_users_own_is_not_judged_again():
    record = made(
        "custom_disparity_metric",
        NAMED | {"outcome": "said", "label": "hired", "metric": lambda _, said: float(said.mean()), "draws": 20},
    )
    assert threshold_parameter(record.test) is None
    assert named_bars(record.test) == ()
    assert under_named_bars(record.test, record.finding) is None
