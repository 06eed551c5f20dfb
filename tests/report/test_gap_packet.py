"""Rate gaps in every section of the packet: each number is one of the record, each rule and small group is there."""

import csv
import io
import json
import re
from html import unescape

import pytest
import yaml
from scipy import stats

import fairreport as fr
from fairreport.analyses.gap_bounds import Bounds
from fairreport.audit.gap_assumptions import NOT_TOLD
from fairreport.render import formats
from fairreport.report.gap_flow import gap_flow
from fairreport.report.worked_gap import work_gap


def section(html, anchor):
    start = html.index(f'<section id="{anchor}"')
    following = html.find('<section id="', start + 1)
    return html[start : following if following > 0 else None]


def text_of(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<style>.*?</style>", "", html, flags=re.S))))


def tables(html):
    """Tables by their caption or label, each as rows of cells."""
    found = {}
    for table in re.findall(r"<table.*?</table>", html, flags=re.DOTALL):
        caption = re.search(r"<caption>(.*?)</caption>", table, flags=re.DOTALL)
        label = text_of(caption[1]).strip() if caption else re.search(r'aria-label="([^"]*)"', table)[1]
        rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table, flags=re.DOTALL)
        cells = [
            [text_of(c).strip() for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, flags=re.S)] for row in rows
        ]
        found[label] = cells
    return found


def rules_of(run):
    return {rule.id: rule for entry in run.record.rate_gaps for rule in entry.finding.rules}


def ends(low, high, bar=None):
    against = () if bar is None else (bar,)
    return f"{formats.fixed(low, against=against)}–{formats.fixed(high, against=against)}"


def test_the_run_reads_every_state(gap_run):
    states = {rule.id: rule.state.value for rule in rules_of(gap_run).values()}
    assert states == {
        "missed-by-sex": "FAIL",
        "served": "MANUAL_REVIEW",
        "wrong": "INSUFFICIENT_EVIDENCE",
        "raised": "PASS",
        "tight": "INSUFFICIENT_EVIDENCE",
    }


def test_the_page_of_the_result_states_the_worst_rule_and_counts_all(gap_html, gap_run):
    result = section(gap_html, "result")
    text = text_of(result)
    found = rules_of(gap_run)["missed-by-sex"]
    gap = max(found.gaps, key=lambda it: it.gap_lower)
    assert "▼ failing Rule missed-by-sex reads FAIL" in text
    assert ends(gap.gap_lower, gap.gap_upper, 0.05) in text
    counts = tables(result)["Rules on rate gaps"]
    heads = [head.replace(" ", "") for head in counts[0]]
    assert dict(zip(heads, counts[1], strict=True)) == {
        "FAIL": "1",
        "MANUAL_REVIEW": "1",
        "INSUFFICIENT_EVIDENCE": "2",
        "PASS": "1",
        "groupswithtoofewcases": "1",
        "testsskipped": "0",
    }
    worst = tables(result)["Rules that read worst"]
    assert [row[0] for row in worst[1:]] == ["missed-by-sex", "served", "tight"]
    assert "2 further rules in section 7." in text
    assert "Groups and tests" not in tables(result)
    assert result.count('<figure class="main">') == 1


def test_the_criteria_state_groups_budget_bars_and_their_source(gap_html, gap_run):
    criteria = section(gap_html, "criteria")
    text = text_of(criteria)
    assert "sex : female , male , other" in text
    assert "sex and age : 6 groups" in text
    assert "contract 7, annex B" in text
    assert "refusals weigh most" in text
    assert "95%, that all intervals of a rule hold at once" in text
    assert "1 look at the data" in text
    assert "30 cases of the rate with a prediction" in text
    rows = {row[0]: row for row in tables(criteria)["Rules of the test"][1:]}
    test = gap_run.record.rate_gaps[0].test
    assert rows.keys() == {rule.id for rule in test.rules}
    for rule in test.rules:
        groups = len(rules_of(gap_run)[rule.id].groups)
        row = rows[rule.id]
        assert row[4:] == [str(groups), f"{Bounds(test, groups).alpha:.6f}", formats.level(rule.max_left_out)]
    assert rows["served"][1].endswith("for a person to look at: contract 7 asks for a person")
    assert [rows[name][3] for name in ("missed-by-sex", "served", "raised")] == [
        "gap ≤ 0.05",
        "rate ≥ 0.20",
        "rate ≤ 0.50",
    ]


def test_looks_and_joint_rules_are_in_the_budget(gap_rows, make_gap_audit):
    text = text_of(section(fr.Report(make_gap_audit(gap_rows, looks=4, joint=True).run()).html(), "criteria"))
    assert "0.050000 over 4 looks at the data and 5 rules: 0.002500 for a rule." in text


def test_the_data_section_counts_what_each_rule_leaves_out(gap_html, gap_run):
    data = section(gap_html, "data")
    rows = {row[0]: row for row in tables(data)["Table 4.1. From rows in to the cases of each rule on rate gaps"][1:]}
    total = gap_run.record.rate_gaps[0].finding.evidence.rows
    for name, found in rules_of(gap_run).items():
        left, allowed = found.left_out, found.rule.max_left_out
        assert rows[name][1:4] == [formats.count(n) for n in (total, left.missing_attribute, left.undeclared_value)]
        share = formats.percent(left.share, against=[allowed])
        assert rows[name][4] == (f"{share}, above" if left.exceeds else share)
        assert rows[name][5] == formats.level(allowed)
        assert rows[name][6:] == [
            formats.count(sum(group.observed for group in found.groups)),
            formats.count(sum(group.missing for group in found.groups)),
        ]
    text = text_of(data)
    assert "sex : not asked" in text
    assert "age : 30-ish" in text
    assert "From rows in to rows evaluated" not in data


def test_a_share_is_not_rounded_onto_its_limit(make_cases):
    rows = make_cases(
        [(("a",), 500, 50, 499, 50, 0), (("b",), 448, 50, 449, 50, 0), (("c",), 106, 9, 106, 9, 0)], ("g",)
    )
    rules = [{"id": "r", "rate": "error", "attribute": "g", "max_group_gap": 0.5, "max_left_out": 0.1}]
    run = fr.Audit(rows).rate_gaps({"g": ["a", "b"]}, "label", "said", rules).run()
    share = run.record.rate_gaps[0].finding.rules[0].left_out.share
    assert 0.1 < share < 0.1007
    (row,) = gap_flow([(run.record.rate_gaps[0], None)]).rows
    assert row.exceeds
    assert row.share != "10.0%"


def test_every_rule_stands_in_section_seven_with_its_state_and_the_worst_pair(gap_html, gap_run):
    labels = section(gap_html, "labels")
    overview = tables(labels)["Table 7.1. Rules, worst first"][1:]
    assert [row[1] for row in overview] == [
        "7.1.1 missed-by-sex",
        "7.1.2 served",
        "7.1.5 tight",
        "7.1.3 wrong",
        "7.1.4 raised",
    ]
    for row in overview:
        found = rules_of(gap_run)[row[1].split()[1]]
        assert row[0].split()[1] == found.state.value
        assert row[0][0] in "▼□◆●"
    text = text_of(labels)
    for number, rule in enumerate(gap_run.record.rate_gaps[0].test.rules, start=1):
        assert f"7.1.{number} {rule.id} " in text
        assert f"Figure 7.1.{number}." in text
    assert "□ MANUAL_REVIEW : contract 7 asks for a person" in text
    assert "The intervals of all groups of a rule, and so the bounds of all its pairs, hold at once at 95%." in text
    assert "no number of further cases would decide at the present rates" in text.lower()


def test_groups_and_pairs_print_the_numbers_of_the_record(gap_html, gap_run):
    printed = tables(section(gap_html, "labels"))
    found = rules_of(gap_run)["missed-by-sex"]
    (pairs,) = (rows for label, rows in printed.items() if label.startswith("Table 7.1.1a."))
    by_pair = {row[0]: row for row in pairs[1:]}
    placed = {(gap.a, gap.b): gap for gap in found.left_out.gaps}
    for gap in found.gaps:
        row = by_pair[f"{gap.a} / {gap.b}"]
        anywhere = placed[gap.a, gap.b]
        assert row[3:5] == [
            ends(gap.gap_lower, gap.gap_upper, 0.05),
            ends(anywhere.gap_lower, anywhere.gap_upper, 0.05),
        ]
    lows = [float(row[3].split("–")[0]) for row in pairs[1:]]
    assert lows == sorted(lows, reverse=True)
    (groups,) = (rows for label, rows in printed.items() if label.startswith("Table 7.1.1b."))
    by_group = {row[0]: row for row in groups[1:]}
    for group in found.groups:
        assert by_group[group.label][1:6] == [
            formats.count(group.observed),
            formats.count(group.events),
            formats.count(group.missing),
            formats.fixed(group.rate),
            ends(group.lower, group.upper),
        ]
    assert not any(label.startswith("Table 7.1.2b.") for label in printed)
    assert "pairs decide nothing" in gap_html


def test_every_group_with_too_few_cases_has_a_line_of_its_own(gap_html, crossed_run):
    assert "Too few cases: other|old has 17" in text_of(section(gap_html, "labels"))
    text = text_of(section(fr.Report(crossed_run).html(), "labels"))
    small = [group for group in rules_of(crossed_run)["wide"].groups if group.below_min_cell]
    assert len(small) > 5
    for group in small:
        assert f"Too few cases: {group.label} has {group.observed}" in text


def test_of_very_many_small_groups_all_are_named(make_cases):
    names = [f"g{i:03d}" for i in range(90)]
    rows = make_cases([((name,), 4, 1, 4, 1, 0) for name in names], columns=("g",))
    rules = [{"id": "r", "rate": "error", "attribute": "g", "worst_group": 0.5}]
    html = fr.Report(fr.Audit(rows).rate_gaps({"g": names}, "label", "said", rules).run()).html()
    text = text_of(section(html, "labels"))
    assert all(f"{name} has 8" in text for name in names)
    assert "50 further groups in the attachment groups.csv." in text


def test_at_most_forty_pairs_are_printed_and_the_rest_is_said(crossed_run):
    labels = section(fr.Report(crossed_run).html(), "labels")
    (pairs,) = (rows for label, rows in tables(labels).items() if label.startswith("Table 7.1.1a."))
    assert len(pairs) == 1 + 40
    assert "740 further pairs in the attachment results.json, under “gaps”." in labels
    assert "approximate, and usually narrower than bounds from the exact intervals" in labels


def test_calibration_stands_beside_its_noise_and_never_decides(gap_html, gap_run):
    labels = section(gap_html, "labels")
    (label,) = (label for label in tables(labels) if label.startswith("Table 7.1.6."))
    assert "never decides" in label
    rows = {row[0]: row[1:] for row in tables(labels)[label][1:]}
    for item in gap_run.record.rate_gaps[0].finding.calibration:
        assert rows[item.label] == [
            formats.count(item.n),
            formats.count(item.missing),
            *map(formats.fixed, (item.ece, item.noise_mean, item.noise_p95)),
        ]


def test_what_an_answer_cannot_tell_is_printed(gap_html):
    text = text_of(section(gap_html, "assumptions"))
    assert all(told in text for told in NOT_TOLD)


def test_the_methods_are_those_of_rate_gaps_and_no_others(gap_html, crossed_run):
    text = text_of(section(gap_html, "methods"))
    for title in ("Exact interval of a rate", "Bounds of a gap", "Left-out cases anywhere", "States, and their order"):
        assert title in text
    for title in ("Impact ratio", "pair by pair", "Holm", "never the reference"):
        assert title not in text
    assert "Newcombe’s hybrid of two Wilson intervals" in text_of(section(fr.Report(crossed_run).html(), "methods"))


def steps_of(html):
    return {row[0]: row for row in tables(section(html, "methods"))["The rule, step by step"][1:]}


def test_the_worked_rule_comes_out_at_the_numbers_of_the_record(gap_html, gap_run):
    found = rules_of(gap_run)["missed-by-sex"]
    gap = max(found.gaps, key=lambda it: (it.gap_lower, it.gap_upper))
    groups = {group.label: group for group in found.groups}
    steps = steps_of(gap_html)
    for letter, label in (("A", gap.a), ("B", gap.b)):
        assert steps[f"Lower end of {letter}"][-1] == f"{groups[label].lower:.6f}"
        assert steps[f"Upper end of {letter}"][-1] == f"{groups[label].upper:.6f}"
        counts = f"k = {groups[label].events}, n = {groups[label].observed}, m = {groups[label].missing}"
        assert counts in steps[f"Lower end of {letter}"][2].replace("\u00a0", " ")
    assert steps["Budget of one group"][-1] == f"{found.alpha_per_group:.6f}"
    assert steps["Gap"][-1] == f"{gap.gap_lower:.6f} to {gap.gap_upper:.6f}"
    assert steps["Against the bar"][-1] == "wholly beyond the bar"
    assert steps["State of the rule"][-1] == "FAIL"


def test_the_exact_ends_follow_from_the_beta_quantiles_printed_beside_them(gap_html):
    steps = steps_of(gap_html)
    for term, one_minus in (("Lower end of A", False), ("Upper end of A", True), ("Upper end of B", True)):
        a, b, tail = map(float, re.search(r"Beta\((\d+), (\d+)\) at (?:1 − )?([\d.]+)", steps[term][2]).groups())
        assert abs(stats.beta(a, b).ppf(1 - tail if one_minus else tail) - float(steps[term][-1])) < 2e-6


def test_a_pair_bounded_by_itself_is_worked_to_the_same_bounds(crossed_run):
    found = rules_of(crossed_run)["wide"]
    gap = max(found.gaps, key=lambda it: (it.gap_upper, it.gap_lower))
    steps = {step.term: step for step in work_gap(crossed_run.record).steps}
    assert steps["Difference, lower end"].result == formats.fixed(gap.diff_lower, 6)
    assert steps["Difference, upper end"].result == formats.fixed(gap.diff_upper, 6)
    d, q, one, other = map(float, re.findall(r"\d\.\d+", steps["Difference, lower end"].numbers))
    assert abs(d - q - (one**2 + other**2) ** 0.5 - gap.diff_lower) < 3e-6
    assert steps["Budget of one pair"].numbers == "0.050000 / 780"


@pytest.mark.parametrize(
    ("rule", "read", "state"),
    [
        ({"rate": "selection", "worst_group": 0.9}, "wholly beyond the bar", "FAIL"),
        ({"rate": "selection", "worst_group": 0.1}, "within the bar", "PASS"),
        ({"rate": "error", "worst_group": 0.95, "manual_review": True}, "within the bar", "MANUAL_REVIEW"),
        ({"rate": "false_positive", "worst_group": 0.12}, "reaches over the bar", "INSUFFICIENT_EVIDENCE"),
    ],
)
def test_a_bar_on_each_group_is_worked_too(gap_rows, rule, read, state):
    rules = [{"id": "r", "attribute": "age", **rule}]
    run = fr.Audit(gap_rows).rate_gaps({"age": ["young", "old"]}, "label", "said", rules).run()
    steps = {step.term: step.result for step in work_gap(run.record).steps}
    assert (steps["Against the bar"], steps["State of the rule"]) == (read, state)


def test_a_declared_group_without_a_case_keeps_its_place(gap_rows):
    rules = [{"id": "r", "rate": "error", "attribute": "age", "max_group_gap": 0.2}]
    for interval in ("simultaneous", "pairwise"):
        audit = fr.Audit(gap_rows).rate_gaps({"age": ["young", "older"]}, "label", "said", rules, interval=interval)
        html = fr.Report(audit.run()).html()
        assert "0.000–1.000" in html
        assert "n.d." in section(html, "labels")


def test_parameters_state_every_rule_with_its_origin(gap_html, gap_run):
    rows = tables(section(gap_html, "provenance"))["Parameters of the test"][1:]
    names = [row[0].replace(" ", "") for row in rows]
    assert names.count("rules") == 5
    assert set(gap_run.record.rate_gaps[0].test.parameters()) <= {*names, "unit"}
    origins = dict(zip(names, (row[2] for row in rows), strict=True))
    assert (origins["min_cell"], origins["label"]) == ("default", "user")
    assert "fr.Audit(data, title=&#39;Loan screen&#39;).rate_gaps(" in gap_html


def test_the_attachments_hold_all_of_it(gap_run, crossed_run):
    files = {file.name: file.content.decode() for file in fr.Report(crossed_run).attachments}
    assert len(json.loads(files["results.json"])["results"][1]["rules"][0]["gaps"]) == 780
    rows = list(csv.DictReader(io.StringIO(files["groups.csv"])))
    assert sum(row["rule"] == "wide" for row in rows) == 40
    stated = yaml.safe_load(next(f.content for f in fr.Report(gap_run).attachments if f.name == "audit.yaml"))
    (test,) = stated["tests"]
    assert test["rate_gaps"]["rules"][0] == {
        "id": "missed-by-sex",
        "rate": "false_negative",
        "attribute": ["sex"],
        "max_group_gap": 0.05,
        "max_left_out": 0.1,
        "manual_review": False,
    }
    assert "thresholds" not in test["rate_gaps"]


def test_the_configuration_runs_again_to_the_same_results(gap_run, gap_rows, tmp_path):
    path = tmp_path / "audit.yaml"
    path.write_bytes(next(file.content for file in fr.Report(gap_run).attachments if file.name == "audit.yaml"))
    again = fr.Audit.from_config(path, gap_rows).run().to_dict()
    assert again | {"created": "2026-11-01"} == gap_run.to_dict()


def test_one_test_of_rate_gaps_is_reported_by_itself(gap_rows, make_gap_audit, gap_run):
    both = make_gap_audit(gap_rows).outcome_disparity("sex", "said", 1, name="Approval").run()
    alone = fr.Report(both["Error rates"])
    assert alone.record.status is gap_run.status
    assert alone.record.data.fingerprint == gap_run.record.data.fingerprint
    assert "Approval" not in text_of(alone.html())
    assert "missed-by-sex" not in text_of(fr.Report(both["Approval"]).html())


def test_beside_other_tests_the_graver_result_stands_first(gap_rows, make_gap_audit):
    audit = make_gap_audit(gap_rows).outcome_disparity("age", "said", 1, name="Approval")
    audit.metric_parity(
        "age", "npv", prediction_column="said", ground_truth_column="label", positive_values=1, name="npv"
    )
    run = audit.run()
    html = fr.Report(run).html()
    result = text_of(section(html, "result"))
    assert run["Approval"].status == "passing"
    assert result.index("Rules that read worst") < result.index("Lowest ratios")
    assert re.findall(r'<span class="number">(7\.\d)</span>', section(html, "contents")) == ["7.1", "7.2"]
    assert "7.2 Error rates" in text_of(section(html, "labels"))
    assert "sections 5 and 7" in section(html, "provenance")
    assert "Table 4.3. From rows in to the cases of each rule" in text_of(section(html, "data"))
    assert "Figure 7.2.1" in html


def test_a_rule_comes_second_where_a_disparity_test_is_graver(gap_rows):
    audit = fr.Audit(gap_rows).outcome_disparity("sex", "said", 1, name="Approval")
    rules = [{"id": "r", "rate": "error", "attribute": "age", "max_group_gap": 0.4}]
    audit.rate_gaps({"age": ["young", "old"]}, "label", "said", rules, name="Gaps")
    run = audit.run()
    assert [test.status.value for test in run] == ["failing", "passing"]
    result = text_of(section(fr.Report(run).html(), "result"))
    assert result.index("Lowest ratios") < result.index("The rule")
    assert "(reference, n" in result.split("below the threshold")[0]
    assert "Rule r reads PASS" in result


def test_a_skipped_test_of_rate_gaps_says_why(gap_rows, make_gap_audit):
    rows = gap_rows | {"label": [5] * len(gap_rows["label"])}
    run = make_gap_audit(rows).run()
    html = fr.Report(run).html()
    reason = run.record.rate_gaps[0].finding.skip.reason
    for anchor in ("result", "labels"):
        assert text_of(section(html, anchor)).count(f"Not computed: {reason}") == 1
    assert "No test could be computed." in section(html, "result")
    assert "No value was seen that is not declared" not in html
    assert "Calibration is not part of this audit" not in html
    assert "No test was computed, so no method was used." in html
    rows = tables(section(html, "data"))["Table 4.1. From rows in to the cases of each rule on rate gaps"]
    assert rows[1][1] == formats.ABSENT
    assert "missed-by-sex" in section(html, "criteria")
    assert len(fr.Report(run).attachments) == 4


def test_a_reason_for_review_is_printed_where_the_figures_do_not_pass(gap_rows):
    rules = [
        {"id": "r", "rate": "false_negative", "attribute": "sex", "max_group_gap": 0.05, "manual_review": "see 4.2"}
    ]
    run = fr.Audit(gap_rows).rate_gaps({"sex": ["female", "male"]}, "label", "said", rules).run()
    assert "A person must look where the figures pass: see 4.2 ." in text_of(section(fr.Report(run).html(), "labels"))


def test_the_glossary_explains_what_is_used(gap_html, small_html):
    assert "Error budget" in section(gap_html, "closing")
    assert "Reference group" not in section(gap_html, "closing")
    assert "Error budget" not in section(small_html, "closing")


def test_the_same_page_twice(gap_run, gap_html, drawn_anew):
    assert fr.Report(gap_run).html() == gap_html
