"""Rules on rate gaps as views: every number is that of the record, never rounded across the bar."""

import re

import pytest

import fairreport as fr
from fairreport.analyses.rate_gaps import RuleState
from fairreport.audit.gate import Status
from fairreport.render import formats
from fairreport.render.builders import view_run, view_single
from fairreport.render.gap_builder import counted, view_gaps
from fairreport.render.gap_tables import MOST_ROWS
from fairreport.render.words import rule_state, state


def gaps_of(run, position=0):
    return view_gaps(run.record.rate_gaps[position])


def rule_of(run, name):
    return next(rule for rule in gaps_of(run).rules if rule.id.text == name)


@pytest.mark.parametrize("found", RuleState)
def test_a_rule_reads_the_word_of_the_contract(found):
    assert rule_state(found).word == found.value


def test_rules_and_statuses_that_mean_the_same_have_one_glyph():
    pairs = {
        RuleState.PASS: Status.PASSING,
        RuleState.FAIL: Status.FAILING,
        RuleState.INSUFFICIENT_EVIDENCE: Status.INSUFFICIENT_EVIDENCE,
        RuleState.MANUAL_REVIEW: Status.MANUAL_REVIEW,
    }
    assert {rule_state(a).glyph: rule_state(a).key for a in pairs} == {state(b).glyph: b.value for b in pairs.values()}
    assert len({state(status).glyph for status in Status}) == len(Status)


def test_rules_stand_in_their_order_and_gravest_first(every_state):
    view = gaps_of(every_state)
    assert [rule.state.word for rule in view.rules] == ["INSUFFICIENT_EVIDENCE", "FAIL", "PASS", "MANUAL_REVIEW"]
    assert [rule.id.text for rule in view.worst_first] == ["missed", "wrong", "served", "by age"]
    assert view.counts_sentence.text == "4 rules: 1 PASS, 1 FAIL, 1 INSUFFICIENT_EVIDENCE, 1 MANUAL_REVIEW."
    assert counted([("PASS", 1)]) == "1 rule: 1 PASS"


def test_the_bounds_of_a_gap_are_those_of_the_record(every_state):
    gap = every_state.record.rate_gaps[0].finding.rules[1].gaps[0]
    groups = every_state.record.rate_gaps[0].finding.rules[1].groups
    rule = rule_of(every_state, "missed")
    assert rule.bounds == f"{gap.gap_lower:.3f}–{gap.gap_upper:.3f}"
    assert rule.observed == f"{abs(groups[0].rate - groups[1].rate):.3f}"
    assert (rule.worst.marks.low, rule.worst.marks.high) == (gap.gap_lower, gap.gap_upper)
    assert [name.text for name in rule.worst.group] == ["female", "male"]
    assert rule.sentence.text == (
        f"rule missed reads FAIL: the gap in false negative rate between female and male is within {rule.bounds} at "
        "95%; the rule allows at most 0.05."
    )


def test_the_worst_group_is_held_against_the_floor(every_state):
    finding = every_state.record.rate_gaps[0].finding.rules[0]
    worst = min(finding.groups, key=lambda group: group.lower)
    rule = rule_of(every_state, "served")
    assert (rule.worst.label, rule.bounds) == (worst.label, f"{worst.lower:.3f}–{worst.upper:.3f}")
    assert rule.bar == "rate ≥ 0.80"
    assert rule.sentence.text.endswith("the rule asks for at least 0.80.")
    assert rule.worst.finding.text == "◆ reaches below 0.80"
    assert rule.pairs is None


def test_a_ceiling_and_its_review(every_state):
    rule = rule_of(every_state, "wrong")
    assert (rule.bar, rule.reason.text) == ("rate ≤ 0.20", "board sign-off")
    assert rule.worst.finding.text == "● at most 0.20"


def test_every_group_has_its_counts(every_state):
    finding = every_state.record.rate_gaps[0].finding.rules[0]
    table = rule_of(every_state, "served").groups
    shown = {row.label: row.cells for row in table.rows}
    assert table.attributes[0].text == "sex|age"
    for group in finding.groups:
        placed = next(item for item in finding.left_out.groups if item.label == group.label)
        cells = shown[group.label]
        assert cells[:3] == tuple(map(formats.count, (group.observed, group.events, group.missing)))
        assert float(cells[3]) == pytest.approx(group.rate, abs=5e-4)
        assert cells[4] == f"{group.lower:.3f}–{group.upper:.3f}"
        assert cells[5] == f"{placed.lower:.3f}–{placed.upper:.3f}"


def test_pairs_are_sorted_as_they_decide(gap_run):
    run = gap_run({"a": (100, 4000), "b": (600, 4000), "c": (3, 10), "d": (110, 4000)})
    (rule,) = gaps_of(run).rules
    lowers = [row.marks.low for row in rule.pairs.rows]
    assert lowers == sorted(lowers, reverse=True)
    assert rule.pairs.rows[0].label == "a / b"
    assert rule.pairs.rows[0].finding.text == "▼ above 0.05"
    assert (rule.n_groups, rule.n_pairs, rule.n_deciding) == (4, 6, 6)


def test_what_was_left_out_is_said(every_state):
    rule = rule_of(every_state, "missed")
    assert rule.left_out.text == (
        "left out: 50 cases (1.2%): 30 without the attribute, 20 with an undeclared value; up to 10% may be left out"
    )
    placed = every_state.record.rate_gaps[0].finding.rules[1].left_out.gaps[0]
    assert rule.placed.text.endswith(f"of female and male, to {placed.gap_lower:.3f}–{placed.gap_upper:.3f}")
    assert rule_of(every_state, "by age").left_out is None


def test_more_left_out_than_the_rule_allows(gap_run):
    run = gap_run({"a": (100, 2000), "b": (600, 2000), "other": (1, 1000)}, declared=["a", "b"])
    (rule,) = gaps_of(run).rules
    assert rule.state.word == "INSUFFICIENT_EVIDENCE"
    assert rule.reason.text == "more cases are left out than the rule allows"
    assert rule.left_out.text.endswith("more than the 10% that may be left out")


def test_a_group_of_few_cases_has_a_line_of_its_own(gap_run):
    run = gap_run({"a": (100, 2000), "b": (3, 12), "c": (0, 0)}, declared=["a", "b", "c"])
    (rule,) = gaps_of(run).rules
    group = run.record.rate_gaps[0].finding.rules[0].groups[1]
    assert [it.text for it in rule.too_few] == [
        f"too few cases: b has 12, rate 0.250, interval {group.lower:.3f}–{group.upper:.3f}",
        "too few cases: c has 0, no rate, interval 0.000–1.000",
    ]
    assert rule.reason.text == "too few cases in b and c"
    assert rule.more.text == "no number of further cases would decide at the present rates"
    assert rule.observed == "n.d."


def test_many_small_groups_are_counted_in_the_sentence(gap_run):
    run = gap_run({f"g{i}": (3, 12) for i in range(8)})
    (rule,) = gaps_of(run).rules
    assert rule.reason.text == "too few cases in 8 of 8 groups"
    assert len(rule.too_few) == 8


def test_how_many_more_cases_would_decide(gap_run):
    run = gap_run({"f": (10, 200), "m": (24, 200)})
    more = run.record.rate_gaps[0].finding.rules[0].more
    (rule,) = gaps_of(run).rules
    n = formats.count(dict(more.further)["f"])
    assert rule.more.text.startswith(f"{n} more of f and {n} more of m would read FAIL at the present rates")


@pytest.mark.parametrize("distance", [-1e-7, 1e-7])
def test_no_bound_is_rounded_across_the_bar(gap_run, distance):
    groups = {"f": (100, 2000), "m": (400, 2000)}
    lower = gap_run(groups).record.rate_gaps[0].finding.rules[0].gaps[0].gap_lower
    (rule,) = gaps_of(gap_run(groups, {"max_group_gap": lower + distance})).rules
    printed = float(rule.bounds.split("–")[0])
    assert (printed > lower + distance) == (distance < 0)
    assert rule.state.word == ("FAIL" if distance < 0 else "INSUFFICIENT_EVIDENCE")


def test_tables_hold_the_worst_rows(gap_run):
    run = gap_run({f"g{i:03d}": (i % 30, 100) for i in range(80)}, {"max_group_gap": 0.9})
    (rule,) = gaps_of(run).rules
    assert (len(rule.groups.rows), len(rule.pairs.rows)) == (MOST_ROWS, MOST_ROWS)
    assert (rule.n_groups, rule.n_pairs) == (80, 80 * 79 // 2)
    widest = max(gap.gap_upper for gap in run.record.rate_gaps[0].finding.rules[0].gaps)
    assert rule.worst.marks.high == widest


def test_calibration_decides_nothing_and_shows_its_noise(every_state):
    shown = gaps_of(every_state).calibration
    assert shown.caption.text.endswith("It never decides a rule.")
    record = every_state.record.rate_gaps[0].finding.calibration
    assert [row.group.text for row in shown.rows] == [item.label for item in record]
    for row, item in zip(shown.rows, record, strict=True):
        assert row.cells == (
            formats.count(item.n),
            formats.count(item.missing),
            *(formats.fixed(value) for value in (item.ece, item.noise_mean, item.noise_p95)),
        )


def test_the_budget_stands_in_the_method(gap_mixed, every_state):
    method = {line.term: line.text.text for line in gaps_of(gap_mixed).method}
    assert method["Error budget"] == (
        "0.05, confidence 95%; looks: 2, the budget is divided by it; joint: true, the budget is divided by 1 rule; "
        "0.025 a rule"
    )
    method = {line.term: line.text.text for line in gaps_of(every_state).method}
    assert "looks: 1; joint: false" in method["Error budget"]
    assert method["Bounds of gaps"].startswith("interval: simultaneous")
    assert "1,000 times" in method["Calibration"]


def test_pairwise_bounds_are_named(gap_run):
    view = gaps_of(gap_run({"f": (100, 2000), "m": (400, 2000)}, interval="pairwise", threshold_source="board, 2026"))
    method = {line.term: line.text.text for line in view.method}
    assert method["Bounds of gaps"].startswith("interval: pairwise; Newcombe")
    assert method["Source of the bars"] == "stated by the user, source: board, 2026"


def test_the_flow_of_cases(every_state):
    flow = [(line.term, line.text.text) for line in gaps_of(every_state).flow]
    assert flow[:2] == [("Cases in the table", "4,000"), ("Without a prediction, kept", "15")]
    assert ("Left out of rules", "by sex: 50 (1.2%); 30 without the attribute, 20 with an undeclared value") in flow
    assert flow[-1] == ("Undeclared values", "sex: other")


@pytest.mark.parametrize("fixture", ["every_state", "gap_mixed"])
def test_the_code_makes_the_same_audit(fixture, request):
    run = request.getfixturevalue(fixture)
    text = view_run(run.record).code.replace(".run()", "")
    made = eval(text, {"fr": fr, "data": {}})
    assert [test.parameters() for test in made.tests] == [entry.test.parameters() for entry in run.record.entries]


def test_the_run_speaks_of_all_tests(gap_mixed):
    view = view_run(gap_mixed.record)
    assert view.headline.text.startswith("gaps: rule missed reads FAIL: the gap in false negative rate")
    assert view.counts_sentence.text == (
        "3 tests, 1 comparison: 0 below the threshold, 1 at or above it; 1 rule: 1 FAIL; 1 test was skipped."
    )
    assert [(i, test.name.text) for i, test in view.tables] == [(1, "gaps"), (0, "by sex")]
    assert [test.name.text for test in view.skipped] == ["by region"]
    assert [test.name.text for test in view.tests] == ["by sex"]
    assert [test.name.text for test in view.gaps] == ["gaps", "by region"]


def test_a_skipped_test_speaks_where_all_else_passes(gap_run):
    rows = {"sex": ["f", "m"] * 200, "label": [1] * 400, "prediction": [1] * 400}
    rule = {"id": "missed", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.5}
    audit = fr.Audit(rows).rate_gaps({"sex": ["f", "m"]}, "label", "prediction", [rule], name="gaps")
    audit.rate_gaps({"area": ["f", "m"]}, "label", "prediction", [rule | {"attribute": "area"}], name="by area")
    view = view_run(audit.run().record)
    assert view.state.word == "skipped"
    assert view.headline.text.startswith("by area: Not computed: the table has no column 'area'")


def test_one_test_of_an_audit(gap_mixed):
    view = view_single(gap_mixed.record, gap_mixed.record.entries[1])
    assert view.headline.text.startswith("Rule missed reads FAIL")
    assert view.counts_sentence.text == "1 rule: 1 FAIL."
    assert view.assumptions
    skipped = view_single(gap_mixed.record, gap_mixed.record.entries[2])
    assert skipped.counts_sentence.text == "1 test was skipped."


def test_facts_are_of_the_record(every_state):
    facts = [fact.text for fact in view_run(every_state.record).insights]
    assert (
        facts[0] == "missed: false negative rate by sex is lowest in female (0.018, 35 of 1,935), highest in male "
        "(0.200, 400 of 2,000)."
    )
    assert all(re.search(r"\d of \d", fact) for fact in facts)


@pytest.mark.parametrize("reason", [True, "board sign-off"])
def test_a_review_is_said_although_the_figures_do_not_pass(gap_run, reason):
    (rule,) = gaps_of(gap_run({"f": (100, 2000), "m": (400, 2000)}, {"manual_review": reason})).rules
    why = "" if reason is True else f": {reason}"
    assert [it.text for it in rule.remarks] == [f"asks for a person where its figures pass{why}"]


def test_a_share_is_never_rounded_to_what_may_be_left_out(gap_run):
    run = gap_run({"a": (10, 8999), "b": (10, 9000), "other": (0, 2001)}, declared=["a", "b"])
    (rule,) = gaps_of(run).rules
    assert run.record.rate_gaps[0].finding.rules[0].left_out.exceeds
    assert "(10.01%)" in rule.left_out.text
