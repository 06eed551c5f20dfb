"""What the line above the table says of a changed setting."""

from dataclasses import replace

import pytest

import fairreport as fr
from fairreport.widgets.changes import describe_change, describe_lack
from fairreport.widgets.evidence import Lack
from fairreport.widgets.exploration import Exploration


def table(groups):
    names = [name for name in groups for _ in range(2)]
    numbers = [n for favorable, n_all in groups.values() for n in (favorable, n_all - favorable)]
    return {"race": names, "y": [1, 0] * len(groups), "n": numbers}


@pytest.fixture
def told():
    """Return a function from two changes of the stated settings to the sentence about the second."""

    def tell(groups, after, before=None, **parameters):
        run = fr.Audit(table(groups), counts="n").outcome_disparity("race", "y", 1, **parameters).run()
        exploration = Exploration(run)
        asked = exploration.settings(0)
        first = exploration.answer(0, replace(asked, **(before or {})))
        return describe_change(first, exploration.answer(0, replace(asked, **after))).text

    return tell


THREE = {"A": (400, 1000), "B": (310, 1000), "C": (390, 1000)}


def test_a_group_that_now_meets_the_threshold(told):
    assert told(THREE, {"threshold": 0.75}) == (
        "Status failing → passing: group race = B now at or above 0.75 (ratio 0.775)."
    )


def test_a_group_that_now_is_below_it(told):
    assert told(THREE, {"threshold": 0.98}) == "Status stays failing: group race = C now below 0.98 (ratio 0.975)."


def test_the_boundary_is_decided_on_the_counts(told):
    groups = {"A": (5, 12), "B": (4, 12)}
    small = {"min_group_size": 1}
    assert "no group's verdict changed" in told(groups, {"threshold": 0.8}, {"threshold": 0.79}, **small)
    assert "now below 0.81 (ratio 0.800)" in told(groups, {"threshold": 0.81}, **small)


def test_significance_decides(told):
    # scipy 1.17 fisher_exact([[40, 60], [31, 69]]): p = 0.2374
    groups = {"A": (40, 100), "B": (31, 100)}
    assert told(groups, {"require_significance": True}) == (
        "Status failing → passing: group race = B still below 0.80, but not significant (adjusted p 0.237)."
    )
    back = told(groups, {}, {"require_significance": True})
    assert back == "Status passing → failing: group race = B now below 0.80 (ratio 0.775)."
    required = told(groups, {"require_significance": True, "alpha": 0.5}, {"require_significance": True})
    assert "group race = B now below 0.80 and significant (ratio 0.775)" in required
    assert "significant differences 0 → 1" in required


def test_a_group_that_lacks_rows(told):
    groups = THREE | {"B": (31, 100)}
    said = told(groups, {"min_group_size": 200})
    assert said == (
        "Status failing → passing: group race = B no longer has the rows to be judged (100); groups compared 2 → 1; "
        "significant differences 0 → 0."
    ).replace("; significant differences 0 → 0", "")


def test_another_reference(told):
    said = told(THREE, {"reference": "B"})
    assert said == (
        "Status failing → passing: group race = B is now the reference; the reference is now B; "
        "significant differences 1 → 0."
    )


def test_a_reference_that_cannot_serve_gives_the_reason(told):
    groups = THREE | {"D": (1, 9)}
    assert told(groups, {"reference": "D"}) == (
        "Status failing → skipped: the reference group 'D' has 9 rows, too few for min_group_size 30 and "
        "min_group_share 0.02."
    )
    back = told(groups, {}, {"reference": "D"})
    assert back == "Status skipped → failing: 1 of 2 compared groups failing."


def test_many_groups_are_counted(told):
    groups = {"A": (800, 1000)} | {f"g{i}": (600 + i, 1000) for i in range(6)}
    assert "and 3 further groups changed" in told(groups, {"threshold": 0.7})


def test_other_groups(rows):
    run = fr.Audit(rows).outcome_disparity("race", "hired", 1).outcome_disparity("sex", "hired", 1).run()
    exploration = Exploration(run)
    asked = replace(exploration.settings(0), attributes=("race", "sex"))
    before = exploration.answer(0, exploration.settings(0))
    assert describe_change(before, exploration.answer(0, asked)).text == describe_lack(Lack.COUNTS)
    exploration.gather(0, asked)
    said = describe_change(before, exploration.answer(0, asked)).text
    assert "the groups are now by race and sex, 8 groups" in said
    asked = replace(asked, attributes=("sex",), reference="F")
    assert "the groups are now by sex, 2 groups" in describe_change(before, exploration.answer(0, asked)).text


def test_settings_that_do_not_stand_together(told):
    assert told(THREE, {"require_significance": True, "significance_test": "none"}) == (
        "These settings do not stand together: require_significance needs a significance_test."
    )
    assert "takes 1 to 3 columns, got 0" in told(THREE, {"attributes": ()})


def test_the_first_answer(audit):
    exploration = Exploration(audit.run())
    stated = exploration.settings(1)
    assert "As stated" in describe_change(None, exploration.answer(1, stated)).text
    moved = exploration.answer(1, replace(stated, threshold=0.5))
    assert describe_change(None, moved).text == "Status: passing."
    skipped = exploration.answer(1, replace(stated, reference="nobody"))
    assert describe_change(None, skipped).text == (
        "Status: skipped: the reference group 'nobody' has no evaluated rows."
    )


def test_a_metric_speaks_of_its_value(audit):
    exploration = Exploration(audit.run())
    stated = exploration.settings(4)
    found = exploration.answer(4, replace(stated, threshold=0.01))
    said = describe_change(found, exploration.answer(4, replace(stated, threshold=1.0))).text
    assert "now below 1.00 (value " in said
    back = describe_change(exploration.answer(4, replace(stated, threshold=1.0)), found).text
    assert "no longer fails (value " in back


def test_only_a_lack_is_told():
    assert describe_lack(Lack.NOTHING) == ""
    assert all("scan" in describe_lack(lack) for lack in Lack if lack is not Lack.NOTHING)
