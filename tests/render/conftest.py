import pytest

import fairreport as fr
from fairreport.analyses import pair_tests as pairs

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img onerror=x src=y>',
    "{{7*7}}",
    "{% raw %}",
    "\u202eabc",
    "line\nbreak",
    "nul\x00nul",
    "x" * 300,
    "a|b`c`*d*_e_ [l](http://x.example)",
    "&amp; $x$ www.x.example",
    "日本語 / العربية",
)


def table(groups, column="g"):
    """Counts as a table: favorable and other rows of each group."""
    names = [name for name in groups for _ in range(2)]
    numbers = [n for favorable, n_all in groups.values() for n in (favorable, n_all - favorable)]
    return {column: names, "y": [1, 0] * len(groups), "n": numbers}


@pytest.fixture
def hostile_names():
    return HOSTILE


@pytest.fixture
def outcome_run():
    """Return a function from {group: (favorable, n)} and parameters to a run of one outcome test."""

    def run(groups, column="g", title=None, about=None, **parameters):
        parameters.setdefault("min_group_share", 0)
        audit = fr.Audit(table(groups, column), counts="n", title=title, about=about)
        return audit.outcome_disparity(column, "y", 1, **parameters).run()

    return run


@pytest.fixture
def everything(outcome_run):
    """A run in which every finding of a tested outcome occurs once."""
    groups = {"A": (200, 400), "B": (100, 400), "C": (170, 400), "D": (22, 60), "E": (190, 400), "F": (1, 3)}
    return outcome_run(groups, p_value_adjustment="holm", title="One of everything")


@pytest.fixture
def several():
    """A run of three tests: one failing, one passing, one skipped."""
    rows = {
        "race": ["A", "A", "B", "B"] * 2,
        "sex": ["f"] * 4 + ["m"] * 4,
        "y": [1, 0] * 4,
        "n": [50, 50, 20, 80, 60, 40, 25, 75],
        "site": ["n", "n", "s", "s"] * 2,
    }
    audit = fr.Audit(rows, counts="n", title="Screen", about={"system": "ranker 3.1", "decision": "shortlist"})
    audit.outcome_disparity("sex", "y", 1).outcome_disparity("race", "y", 1, control_columns="sex", name="by race")
    return audit.outcome_disparity("region", "y", 1, name="by region").run()


@pytest.fixture
def hostile(outcome_run):
    """A run whose every name is hostile."""
    groups = {name: (90 - 7 * i, 100) for i, name in enumerate(HOSTILE)}
    return outcome_run(
        groups,
        column="<b>grp</b>|`",
        title="<script>alert('t')</script>",
        about={"system": "<i>sys</i>"},
        name="<i>name</i>\u202e",
        description="</style><script>",
    )


def cases_of(groups, column="sex"):
    """Cases labelled 1 as a table: {group: (predicted 0, cases)}."""
    names = [name for name, (_, n) in groups.items() for _ in range(n)]
    predictions = [int(i >= wrong) for wrong, n in groups.values() for i in range(n)]
    return {column: names, "label": [1] * len(names), "prediction": predictions}


@pytest.fixture
def gap_run():
    """Return a function from {group: (predicted 0, cases)} and rules to a run of one test of rate gaps."""

    def run(groups, *rules, column="sex", title=None, declared=None, **parameters):
        stated = [
            {"id": f"rule {i}", "rate": "false_negative", "attribute": column, "max_group_gap": 0.05} | rule
            for i, rule in enumerate(rules or ({},))
        ]
        for rule in stated:
            if "worst_group" in rule:
                del rule["max_group_gap"]
        audit = fr.Audit(cases_of(groups, column), title=title)
        return audit.rate_gaps(
            {column: declared or list(groups)}, "label", "prediction", stated, **{"name": "misses"} | parameters
        ).run()

    return run


@pytest.fixture
def every_state(gap_run):
    """A run with a rule in each state, in a sex and a crossing; some cases left out, some without a prediction."""
    rows = cases_of({"female": (100, 2000), "male": (400, 2000)})
    rows["age"] = ["young" if i % 3 else "old" for i in range(4000)]
    rows["score"] = [0.05 + (i % 10) / 10 for i in range(4000)]
    rows["sex"][:50] = [None] * 30 + ["other"] * 20
    rows["prediction"][60:75] = [None] * 15
    rules = [
        {"id": "served", "rate": "selection", "attribute": ["sex", "age"], "worst_group": 0.8},
        {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05},
        {"id": "by age", "rate": "error", "attribute": "age", "max_group_gap": 0.1},
        {"id": "wrong", "rate": "error", "attribute": "age", "worst_group": 0.2, "manual_review": "board sign-off"},
    ]
    audit = fr.Audit(rows, title="Loan screen", about={"system": "ranker 3.1", "decision": "loan"})
    return audit.rate_gaps(
        {"sex": ["female", "male"], "age": ["young", "old"]},
        "label",
        "prediction",
        rules,
        intersections=[["sex", "age"]],
        probability="score",
        name="misses",
    ).run()


@pytest.fixture
def gap_mixed():
    """A passing outcome test, failing rate gaps, and rate gaps that were skipped, in this order."""
    rows = cases_of({"f": (100, 2000), "m": (400, 2000)})
    rule = {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05}
    audit = fr.Audit(rows, title="Mixed").outcome_disparity("sex", "prediction", 1, name="by sex")
    audit.rate_gaps({"sex": ["f", "m"]}, "label", "prediction", [rule], name="gaps", joint=True, looks=2)
    audit.rate_gaps({"region": ["n", "s"]}, "label", "prediction", [rule | {"attribute": "region"}], name="by region")
    return audit.run()


@pytest.fixture
def gap_hostile(gap_run, hostile_names):
    """A test of rate gaps whose every name is hostile."""
    rules = (
        {"id": "<i>rule</i>\u202e"},
        {"id": "y" * 300, "rate": "selection", "worst_group": 0.1, "manual_review": "<img src=x> " + "z" * 200},
    )
    groups = {name: (10 + 4 * i, 60) for i, name in enumerate(hostile_names)}
    return gap_run(groups, *rules, column="<b>grp</b>|`", title="<script>alert('t')</script>", name="<u>name</u>")


def pair_test(kind, **parameters):
    """A test of named pairs of `race` with the thresholds that most of these tests have."""
    defaults = {"reference_values": {"race": "White"}, "outcome": "hired"}
    if issubclass(kind, pairs.RateTest):
        defaults["percent_difference_threshold"] = 0.05
    if issubclass(kind, pairs.ImpactRatioTest):
        defaults["air_threshold"] = 0.8
    return kind(**defaults | parameters)


@pytest.fixture
def pair_of():
    """Return a function from a kind of test and parameters to a test of named pairs."""
    return pair_test


@pytest.fixture
def pair_run():
    """Return a function from {group: (favorable, n)} and parameters to a run of one adverse impact ratio."""

    def run(groups, kind=pairs.AdverseImpactRatio, title=None, **parameters):
        rows = table(groups, "race")
        rows["hired"] = rows.pop("y")
        return fr.Audit(rows, counts="n", title=title, tests=[pair_test(kind, **parameters)]).run()

    return run


@pytest.fixture
def pair_one(pair_run):
    """Every finding of an adverse impact ratio but one that is not defined."""
    groups = {"White": (200, 400), "Black": (100, 400), "Asian": (4, 12), "Native": (84, 200), "Other": (195, 400)}
    return pair_run(groups | {"More": (3120, 8000), "Few": (3150, 8000)}, title="Screen", name="approval")


def family_rows():
    """Cases with a score, a grade, a prediction, a label and an office, worse for Black than for White."""
    rows = {name: [] for name in ("race", "sex", "score", "grade", "hired", "label", "office", "chance", "n")}
    for r, race in enumerate(("White", "Black", "Asian", None)):
        for s in range(12):
            score = s - (3 if race == "Black" else 0)
            values = (race, "FM"[s % 2], score, ("poor", "mid", "good")[min(2, max(0, score // 4))], int(score > 4))
            for name, value in zip(rows, (*values, int(s % 5 > 1), "NSW"[s % 3], 0.5 + s / 40, 6 + r), strict=True):
                rows[name].append(value)
    return rows


def family_tests():
    """Every kind of test of named pairs."""

    def share_right(labels, predictions):
        return float((labels == predictions).mean())

    own = {
        pairs.AdverseImpactRatio: {"reference_values": {"race": "White", "sex": "M"}, "label": "label"},
        pairs.RelativeRate: {"relative_rate_threshold": 1.25},
        pairs.OddsRatio: {"odds_ratio_threshold": 0.8},
        pairs.StandardizedMeanDifference: {"outcome": "score", "smd_threshold": -0.3},
        pairs.AdverseImpactRatioByQuantile: {"outcome": "score", "quantiles": [0.25, 0.5, 0.75]},
        pairs.CategoricalAdverseImpactRatio: {"outcome": "grade", "category_order": ["poor", "mid", "good"]},
        pairs.SegmentedAdverseImpactRatio: {"segment": "office"},
        pairs.CustomDisparityMetric: {"label": "label", "metric": share_right, "ratio_threshold": 0.9, "draws": 99},
    }
    tests = []
    for kind in pairs.PAIR_TESTS:
        if kind is pairs.ResidualStandardizedMeanDifference:
            residual = {"label": "label", "prediction": "chance", "smd_threshold": 0.3}
            tests.append(kind(reference_values={"race": "White"}, **residual, name=kind.analysis))
            continue
        rate = {"label": "label", "ratio_threshold": 0.8} if issubclass(kind, pairs.ConfusionRateTest) else {}
        tests.append(pair_test(kind, **rate, **own.get(kind, {}), name=kind.analysis))
    return tests


@pytest.fixture(scope="session")
def pair_family():
    """One test of each kind."""
    return fr.Audit(family_rows(), counts="n", title="The family", tests=family_tests()).run()


@pytest.fixture
def pair_segments():
    """Segments that reverse a direction, one that a group is absent from, and one that says nothing."""
    rows = {"race": [], "hired": [], "office": [], "n": []}
    cells = {
        "North": {"White": (10, 100), "Black": (60, 400)},
        "South": {"White": (320, 400), "Black": (90, 100)},
        "All": {"White": (9, 9), "Black": (7, 7)},
        "Lonely": {"Black": (3, 5)},
        None: {"White": (1, 6)},
    }
    for office, groups in cells.items():
        for race, (favorable, n) in groups.items():
            for hired, count in ((1, favorable), (0, n - favorable)):
                for name, value in zip(rows, (race, hired, office, count), strict=True):
                    rows[name].append(value)
    return fr.Audit(rows, counts="n", tests=[pair_test(pairs.SegmentedAdverseImpactRatio, segment="office")]).run()


@pytest.fixture
def pair_quantiles():
    """Ten quantiles of six groups."""
    groups = ["White", *(f"Group {i}" for i in range(6))]
    rows = {"race": [name for name in groups for _ in range(60)]}
    rows["score"] = [i * 7 % 60 - 3 * g for g in range(len(groups)) for i in range(60)]
    quantiles = [i / 10 for i in range(1, 10)] + [0.95]
    test = pair_test(pairs.AdverseImpactRatioByQuantile, outcome="score", quantiles=quantiles)
    return fr.Audit(rows, tests=[test]).run()


@pytest.fixture
def pair_weighted():
    """A ratio and odds of proportional memberships, with sampling weights and without."""
    shares = [i / 40 for i in range(41)]
    rows = {"pb": shares, "pw": [1 - share for share in shares], "hired": [int(i % 7 > i / 8) for i in range(41)]}
    rows["w"] = [1 + i % 3 / 2 for i in range(41)]
    lists = {"protected_groups": ["pb"], "reference_groups": ["pw"], "group_categories": ["proxy"]}
    audit = fr.Audit(rows)
    for kind, name, more in (
        (pairs.AdverseImpactRatio, "plain", {}),
        (pairs.AdverseImpactRatio, "weighted", {"sample_weight": "w"}),
        (pairs.OddsRatio, "odds", {"sample_weight": "w", "odds_ratio_threshold": 0.8}),
    ):
        audit.add(pair_test(kind, **lists, **more, reference_values=None, name=name))
    return audit.run()


@pytest.fixture
def pair_hostile():
    """Ratios of groups, categories and segments whose every name is hostile."""
    rows = {"<b>grp</b>|`": [], "hired": [], "cat": [], "seg": []}
    for i, name in enumerate(HOSTILE):
        for j in range(40):
            values = (name, int(j < 36 - 3 * i), HOSTILE[(i + j) % 4], HOSTILE[j * 7 % 11])
            for key, value in zip(rows, values, strict=True):
                rows[key].append(value)
    reference = {"reference_values": {"<b>grp</b>|`": HOSTILE[0]}}
    tests = [
        pair_test(pairs.AdverseImpactRatio, **reference, name="<i>name</i>\u202e", description="</style><script>"),
        pair_test(pairs.CategoricalAdverseImpactRatio, **reference, outcome="cat", category_order=list(HOSTILE[:4])),
        pair_test(pairs.SegmentedAdverseImpactRatio, **reference, segment="seg"),
    ]
    return fr.Audit(rows, title="<script>alert('t')</script>", tests=tests).run()


@pytest.fixture
def pair_undefined(pair_run):
    """No group has a verdict."""
    return pair_run({"White": (0, 40), "A": (0, 20), "B": (0, 30)})


@pytest.fixture
def pair_mixed():
    """An outcome test, rate gaps, two tests of named pairs, and one that was skipped, in this order."""
    rows = cases_of({"f": (100, 2000), "m": (400, 2000)})
    rule = {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05}
    audit = fr.Audit(rows, title="Mixed").outcome_disparity("sex", "prediction", 1, name="by sex")
    audit.rate_gaps({"sex": ["f", "m"]}, "label", "prediction", [rule], name="gaps")
    own = {"reference_values": {"sex": "m"}, "outcome": "prediction"}
    audit.add(pair_test(pairs.AdverseImpactRatio, **own, name="AIR", thresholds=[("minImpactRatio", ">=", 0.99)]))
    audit.add(pair_test(pairs.FalseNegativeRate, **own, label="label", ratio_threshold=0.8, name="missed pairs"))
    audit.add(pair_test(pairs.AdverseImpactRatio, **own | {"reference_values": {"region": "n"}}, name="by region"))
    return audit.run()
