"""What changed between two audits, worst first."""

import json

import pytest

import fairreport as fr
from fairreport.report.compare_drawing import comparison_text


def audit(make_rows, groups, **more):
    return fr.Audit(make_rows(groups), title="Screen").outcome_disparity(
        "sex", "hired", 1, min_group_size=10, **({"name": "by sex"} | more)
    )


@pytest.fixture
def pair(make_rows):
    old = audit(make_rows, [("F", 32, 50), ("M", 30, 40), ("X", 8, 12)]).run()
    new = audit(make_rows, [("F", 24, 50), ("M", 30, 40), ("Y", 8, 11)]).run()
    return old, new


def test_a_status_that_got_worse_and_the_rate_behind_it(pair):
    found = fr.compare(*pair)
    assert (found.old_status, found.new_status, found.got_worse, found.same_data) == ("passing", "failing", True, False)
    (test,) = found.tests
    assert test.got_worse
    assert [(group.group, group.presence.value) for group in test.groups] == [
        ("sex = F", "both"),
        ("sex = X", "removed"),
        ("sex = Y", "added"),
    ]
    group = test.groups[0]
    assert (group.old.hits, group.old.support, group.new.hits, group.new.support) == (32, 50, 24, 50)
    assert (group.old.verdict, group.new.verdict) == ("not failing", "failing")
    assert group.ratio_drop == pytest.approx(32 / 50 / 0.75 - 24 / 50 / 0.75)


def test_the_interval_of_a_change(pair):
    # statsmodels 0.15.0, confint_proportions_2indep(24, 50, 32, 50, method="newcomb", compare="diff") gives
    # -0.337483772909663 and 0.0333919437669086
    group = fr.compare(*pair).tests[0].groups[0]
    assert group.difference == pytest.approx(-0.16, abs=1e-12)
    assert (group.low, group.high) == pytest.approx((-0.337483772909663, 0.0333919437669086), abs=1e-12)
    assert group.level == 0.95
    assert "no people in common" in " ".join(comparison_text(fr.compare(*pair)).split())


def test_the_other_way_round_nothing_got_worse(pair):
    found = fr.compare(pair[1], pair[0])
    assert not found.got_worse
    group = next(group for group in found.tests[0].groups if group.group == "sex = F")
    assert (group.low, group.high) == pytest.approx((-0.0333919437669086, 0.337483772909663), abs=1e-12)
    assert not group.got_worse


def test_the_same_run_has_not_changed(pair, mixed_run, gap_run, small_run):
    for run in (*pair, mixed_run, gap_run, small_run):
        found = fr.compare(run, run)
        assert found.same_data
        assert found.changed == ()
        assert not found.got_worse
        assert "Nothing changed." in " ".join(comparison_text(found).split())


def test_a_parameter_changed_over_the_same_data_has_no_interval(make_rows):
    groups = [("F", 24, 50), ("M", 30, 40), ("X", 8, 12)]
    old = audit(make_rows, groups, thresholds=[("minImpactRatio", ">=", 0.5)]).run()
    new = audit(make_rows, groups, impact_ratio_threshold=0.6, thresholds=[("minImpactRatio", ">=", 0.9)]).run()
    found = fr.compare(old, new)
    (test,) = found.tests
    assert found.same_data
    assert [(item.name, item.old, item.new) for item in test.parameters] == [("impact_ratio_threshold", 0.8, 0.6)]
    assert [(item.name, item.old, item.new) for item in test.thresholds] == [
        ("minImpactRatio >= 0.9", None, "does not hold"),
        ("minImpactRatio >= 0.5", "holds", None),
    ]
    assert test.got_worse
    assert [(group.group, group.low) for group in test.groups] == [("sex = F", None)]
    assert "no people in common" not in comparison_text(found)


def test_tests_that_came_went_and_were_renamed(make_rows):
    rows = make_rows([("F", 24, 50), ("M", 30, 40)])
    old = (
        fr.Audit(rows).outcome_disparity("sex", "hired", 1, name="one").outcome_disparity("sex", "hired", 0, name="two")
    )
    new = fr.Audit(rows).outcome_disparity("sex", "hired", 1, name="uno").score_disparity("sex", "hired", name="three")
    found = fr.compare(old.run(), new.run())
    assert {(test.name, test.old_name, test.presence.value) for test in found.tests} == {
        ("uno", "one", "both"),
        ("three", None, "added"),
        ("two", "two", "removed"),
    }
    text = comparison_text(found)
    assert "uno, before one: failing as before" in text
    assert "three: added (" in text
    assert "two: removed (" in text
    assert not found.got_worse


def test_a_worse_test_stands_first(make_rows):
    def run(first, second):
        columns = make_rows([("F", first, 50), ("M", 30, 40)]) | {"kept": [1] * second + [0] * (50 - second) + [1] * 40}
        found = fr.Audit(columns).outcome_disparity("sex", "hired", 1, name="a")
        return found.outcome_disparity("sex", "kept", 1, name="b").run()

    found = fr.compare(run(32, 45), run(31, 20))
    assert [test.name for test in found.tests] == ["b", "a"]
    assert found.tests[1].groups[0].difference == pytest.approx(-0.02)


def test_about_and_declared_groups(make_rows):
    rows = make_rows([("F", 32, 50), ("M", 30, 40)])
    old = fr.Audit(rows, about={"system": "1"}).outcome_disparity("sex", "hired", 1).run()
    new = fr.Audit(rows, about={"system": "2"}, groups={"sex": ["F", "M"]}).outcome_disparity("sex", "hired", 1).run()
    names = [(item.name, item.old, item.new) for item in fr.compare(old, new).audit]
    assert names == [("about.system", "1", "2"), ("data.declared_groups", {}, {"sex": ["F", "M"]})]


def test_scores_and_metrics(mixed_run, make_mixed):
    found = fr.compare(mixed_run, make_mixed(shift=6))
    by_name = {test.name: test for test in found.tests}
    low = by_name["low score"].groups[0]
    assert low.old.support == low.old.n
    assert low.low < low.difference < low.high
    share = next(group for group in by_name["omission"].groups if group.low is not None)
    assert share.old.value == pytest.approx(share.old.hits / share.old.support)
    assert all(group.low is None for group in by_name["mean pay"].groups)
    assert repr(found)


@pytest.fixture
def make_mixed():
    def make(shift):
        columns = {name: [] for name in ("team", "score", "paid", "said", "label", "fit")}
        for team, n, by in (("alder", 90, 0), ("birch", 70, 9 + shift), ("cedar", 60, 4 + shift), ("dogwood", 9, 2)):
            for i in range(n):
                score = (i * 37 + by * 11) % 101 + by
                columns["team"].append(team)
                columns["score"].append(score)
                columns["paid"].append(20 + (i * 53) % 97 * (by + 5) / 7)
                columns["said"].append(1 if score > 60 else 0)
                columns["label"].append(1 if (score + (i * 29) % 60) > 80 else 0)
                columns["fit"].append(20 + (i * 53 + i % 7) % 97 * (by + 5) / 8)
        audit = fr.Audit(columns)
        labels = {"ground_truth_column": "label", "positive_values": 1}
        audit.score_disparity("team", "score", higher_is_favorable=False, name="low score", p_value_adjustment="holm")
        audit.metric_parity("team", "false_omission_rate", prediction_column="said", name="omission", **labels)
        audit.metric_parity("team", "mean", value_column="paid", higher_is_better=True, name="mean pay")
        return audit.run()

    return make


def test_rules_of_rate_gaps(gap_run, gap_rows, make_gap_audit):
    more = {name: [*values, *values] for name, values in gap_rows.items()}
    (test,) = fr.compare(gap_run, make_gap_audit(more).run()).tests
    group = next(group for group in test.groups if group.group == "missed-by-sex: female")
    assert (group.new.n, group.new.support, group.new.hits) == (
        2 * group.old.n,
        2 * group.old.support,
        2 * group.old.hits,
    )
    assert group.low < 0 < group.high
    assert {item.name for item in test.verdicts} <= {f"rule {name}" for name in ("raised", "served", "tight", "wrong")}


def test_more_groups_than_a_document_stores(make_rows):
    rows = [(f"team {i:03d}", 20 + i % 9, 40) for i in range(130)]
    old = fr.Audit(make_rows(rows)).outcome_disparity("sex", "hired", 1, min_group_share=0).run()
    new = fr.Audit(make_rows([*rows[1:], ("new", 9, 40)])).outcome_disparity("sex", "hired", 1, min_group_share=0).run()
    (test,) = fr.compare(old, new).tests
    presences = {group.group: group.presence.value for group in test.groups}
    assert {name: it for name, it in presences.items() if it != "both"} == {
        "sex = team 000": "removed",
        "sex = new": "added",
    }


def test_a_skipped_test_keeps_its_groups(make_rows):
    old = audit(make_rows, [("F", 32, 50), ("M", 30, 40)]).run()
    new = audit(make_rows, [("F", 0, 50), ("M", 0, 40)]).run()
    found = fr.compare(old, new)
    (test,) = found.tests
    assert (test.old_status, test.new_status, test.got_worse) == ("passing", "skipped", True)
    assert ("skipped", None, "no_favorable_rows") in [(item.name, item.old, item.new) for item in test.verdicts]
    assert [group.presence.value for group in test.groups] == ["both", "both"]
    assert "skipped: none -> no_favorable_rows" in comparison_text(found)


def test_files_runs_results_and_reports(pair, tmp_path):
    old = fr.Report(pair[0]).save(tmp_path / "old.html")
    pair[1].to_json(tmp_path / "new.json")
    wanted = fr.compare(*pair).to_dict() | {"old": "", "new": ""}
    for a, b in ((old, str(tmp_path / "new.json")), (fr.Report(pair[0]), pair[1]), (pair[0][0], pair[1][0])):
        assert fr.compare(a, b).to_dict() | {"old": "", "new": ""} == wanted
    with pytest.raises(fr.ConfigError, match="must be a run, a result, a report or a path, got a int"):
        fr.compare(pair[0], 3)


def test_a_document_that_lacks_something_is_said(pair, tmp_path):
    document = pair[0].to_dict()
    del document["results"][0]["measurements"]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(document))
    with pytest.raises(fr.DataError, match="the results cannot be compared: KeyError: 'measurements'"):
        fr.compare(path, pair[1])


def test_the_display_is_html_and_text(make_rows):
    old = audit(make_rows, [("<b>F</b>", 32, 50), ("M\u202e", 30, 40)]).run()
    new = audit(make_rows, [("<b>F</b>", 24, 50), ("M\u202e", 30, 40)]).run()
    found = fr.compare(old, new)
    html = found._repr_html_()
    assert "&lt;b&gt;F&lt;/b&gt;" in html
    assert "<b>F" not in html
    text = repr(found)
    assert "\u202e" not in text
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[2:] == [
        "▼ by sex: passing -> failing (graver)",
        "    sex = <b>F</b>: 0.640 -> 0.480, ratio 0.853 -> 0.640, ▼ failing, before not failing",
    ]
    assert "failingGroupCount &lt;= 0: holds -&gt; does not hold" in html
    json.dumps(found.to_dict(), allow_nan=False)
