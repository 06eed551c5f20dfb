"""Displays of many rules or groups: what is not shown is not built, and long code is shortened with its place said."""

import html
import re

import pytest

import fairreport as fr
from fairreport.render import gap_lines, gap_tables
from fairreport.render.builders import view_run
from fairreport.render.drawings import RULES
from fairreport.render.gap_code import MOST_SHOWN, shown_code
from fairreport.render.text import LINES


def many(n_groups, n_rules, n_tests=1, extra=()):
    groups = [f"Group & level {i}" for i in range(n_groups)]
    rows = {"a": groups * 4, "label": [1] * 4 * n_groups, "prediction": [1, 0] * 2 * n_groups}
    rules = [{"id": f"r{i}", "rate": "error", "attribute": "a", "max_group_gap": 0.1} for i in range(n_rules)]
    audit = fr.Audit(rows)
    for i in range(n_tests):
        audit.rate_gaps({"a": groups}, "label", "prediction", [*rules, *extra], name=f"test {i}", looks=2)
    return audit.run()


@pytest.fixture
def built(monkeypatch):
    """How often each table and line was made."""
    counts = dict.fromkeys(("group_table", "pair_table", "gap_axis", "rate_axis"), 0)

    def counting(name, make):
        def count(*args, **kwargs):
            counts[name] += 1
            return make(*args, **kwargs)

        return count

    for name in counts:
        monkeypatch.setattr(gap_tables, name, counting(name, getattr(gap_tables, name)))
    return counts


@pytest.mark.parametrize("n_tests", [1, 2])
def test_only_tables_that_are_shown_are_built(built, n_tests):
    run = many(3, 50, n_tests)
    run._repr_mimebundle_()
    assert built["pair_table"] == 0
    assert built["group_table"] == n_tests * (RULES // n_tests)
    assert built["gap_axis"] == n_tests


def test_a_table_is_built_once(built):
    rule = view_run(many(3, 2).record).gaps[0].rules[0]
    assert rule.pairs is rule.pairs
    assert rule.groups is rule.groups
    assert (built["pair_table"], built["group_table"]) == (1, 1)
    assert len(rule.cut(2).pairs.rows) == 2
    assert len(rule.cut(2).groups.rows) == 3
    assert rule.cut(2).n_pairs == 3


def test_the_row_that_decides_is_the_first_of_its_table(every_state, gap_hostile):
    for run in (every_state, gap_hostile, many(70, 1)):
        for rule in view_run(run.record).gaps[0].rules:
            table = rule.pairs if rule.is_gap else rule.groups
            assert rule.deciding == table
            assert rule.worst == table.rows[0]
            assert rule.observed == table.cell(rule.worst, "observed" if rule.is_gap else "rate")
            assert rule.bounds == table.cell(rule.worst, "bounds" if rule.is_gap else "interval")


def test_rules_of_a_kind_share_the_ends_of_their_line():
    extra = [{"id": "most", "rate": "error", "attribute": "a", "worst_group": 0.3}]
    rules = view_run(many(3, 4, extra=extra).record).gaps[0].rules
    gaps = {(rule.axis.low, rule.axis.high) for rule in rules if rule.is_gap}
    assert len(gaps) == 1
    assert [rule.axis.threshold_text for rule in rules] == ["0.10"] * 4 + ["0.30"]


def test_only_lines_with_room_are_laid_out(monkeypatch):
    made = []
    line = gap_lines._rule_line
    monkeypatch.setattr(gap_lines, "_rule_line", lambda *args: made.append(args) or line(*args))
    text = repr(many(2, 60, 3))
    assert len(text.split("\n")) == LINES
    assert len(made) < LINES


@pytest.mark.parametrize(("n_groups", "n_rules", "n_tests"), [(2, 600, 1), (40, 100, 1), (400, 1, 1), (2, 100, 4)])
def test_the_fragment_is_small_with_many_rules_or_groups(n_groups, n_rules, n_tests):
    assert len(many(n_groups, n_rules, n_tests)._repr_html_().encode()) <= 80 * 1024


def test_short_code_is_whole():
    view = view_run(many(3, 3).record)
    assert shown_code(view).text == view.code
    assert not shown_code(view).cuts
    assert "Shortened here" not in many(3, 3)._repr_html_()


def test_long_code_says_where_all_of_it_is():
    run = many(2, 120)
    text = html.unescape(run._repr_html_())
    assert (
        "<p>Shortened here: 120 rules, all in <code>run.results[0].record.test.rules</code>. The packet prints the "
        "code in full.</p>"
    ) in text
    assert ", 'label', 'prediction', run.results[0].record.test.rules, looks=2, name='test 0').run()" in text
    assert "'id': 'r100'" not in text


def test_the_packet_prints_the_code_in_full():
    run = many(300, 1)
    assert "Shortened here: 300 groups, all in" in run._repr_html_()
    assert view_run(run.record).code in html.unescape(fr.Report(run).html())


@pytest.mark.parametrize(("n_groups", "n_rules", "n_tests"), [(2, 120, 1), (300, 1, 1), (30, 60, 3)])
def test_shortened_code_makes_the_same_audit(n_groups, n_rules, n_tests):
    run = many(n_groups, n_rules, n_tests)
    code = shown_code(view_run(run.record))
    assert len(code.text) <= MOST_SHOWN
    assert len(code.cuts) == n_tests * ((n_rules > 1) + (n_groups > 2))
    made = eval(re.sub(r"\.run\(\)", "", code.text), {"fr": fr, "data": {}, "run": run})
    assert [test.parameters() for test in made.tests] == [entry.test.parameters() for entry in run.record.entries]
