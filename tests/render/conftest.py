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
