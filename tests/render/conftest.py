import pytest

import fairreport as fr

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
