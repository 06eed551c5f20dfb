"""Named pairs in every section of the packet: each number is one of the record, each group and reason is there."""

import csv
import io
import re
from html import unescape

import pytest
import yaml
from scipy import stats

import fairreport as fr
from fairreport.analyses.pair_result import RowTest
from fairreport.render import formats
from fairreport.render.pair_reasons import reason_words
from fairreport.report.pair_flow import pair_flow
from fairreport.report.worked_pair import work_pairs
from fairreport.report.worked_pair_pool import work_pool


def section(html, anchor):
    start = html.index(f'<section id="{anchor}"')
    following = html.find('<section id="', start + 1)
    return html[start : following if following > 0 else None]


def article(html, title):
    for part in re.findall(r'<article id="pairs-.*?</article>', html, flags=re.DOTALL):
        if f"<bdi>{title}</bdi>" in part[: part.index("</h3>")]:
            return part
    raise AssertionError(title)


def text_of(html):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<style>.*?</style>", "", html, flags=re.S))))


def tables(html):
    """Tables by their number or label, each as rows of cells, the heading first."""
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


def by_group(printed, start):
    """The rows of the table whose caption begins so, by group, each as heading -> cell."""
    (rows,) = (rows for label, rows in printed.items() if label.startswith(start))
    return {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}


def entry_of(run, name):
    return next(entry for entry in run.record.pairs if entry.name == name)


def label_of(row, *, several=True):
    return f"{row.group_category} / {row.group}" if several else row.group


def ends(span, *against, signed=False):
    return formats.span(span, against=against, signed=signed)


def number(value, *against):
    return formats.ABSENT if value is None else formats.fixed(value, against=against)


def test_the_page_of_the_result_counts_all_and_states_the_worst(pair_html, pair_run):
    result = section(pair_html, "result")
    counts = tables(result)["Named pairs"]
    judged = [row for entry in pair_run.record.pairs for table in entry.finding.tables for row in table.rows]
    compared = [row for row in judged if not row.is_reference]
    compared += [row for entry in pair_run.record.pairs for row in entry.finding.pooled]
    said = dict(zip(*counts, strict=True))
    significant = sum(row.practically_significant is True for row in compared)
    assert said["practically significant"] == str(significant)
    assert said["not defined"] == str(sum(row.practically_significant is None for row in compared))
    assert said["tests skipped"] == "0"
    assert sum(int(n) for heading, n in said.items() if heading != "tests skipped") == len(compared)
    worst = tables(result)["Named pairs that read worst"]
    assert len(worst) == 4
    assert all("practically significant" in row[-1] for row in worst[1:])
    assert f"{len(compared) - 3} further comparisons in sections 5, 6 and 7." in text_of(result)
    assert result.count('<figure class="main">') == 1
    assert "Lowest ratios" not in tables(result)


def test_stated_thresholds_that_decide_stand_on_the_page_of_the_result(pair_html):
    text = text_of(section(pair_html, "result"))
    assert "failing: Hiring . minImpactRatio >= 0.90 does not hold (is 0.536)" in text


def test_the_criteria_name_groups_references_thresholds_and_weights(pair_html, pair_run):
    criteria = section(pair_html, "criteria")
    text = text_of(criteria)
    assert "race : Asian , Black , Unknown ; reference White" in text
    assert "sex : F ; reference M" in text
    assert "race : pb ; reference pw" in text
    assert "as values of a column" in text
    assert "as columns of memberships from 0 to 1" in text
    assert "policy 4" in text
    assert "largest group" in text
    assert "minImpactRatio >= 0.90 and undefinedGroupCount <= 0" in text
    assert "weight , sampling weights" in text
    assert "times , frequency weights" in text
    assert "0.25, 0.50 and 0.90" in text
    assert "low , mid , high" in text
    assert "Segment site" in text
    assert "Holm-adjusted" in text
    assert "to the combined rate of the pair" in text
    assert "AIR below 0.80, difference above 0.00, adjusted p < 0.05" in text
    assert len(re.findall("Comparisons", text)) == len(pair_run.record.pairs)


def test_the_data_section_counts_what_each_test_leaves_out(pair_html, pair_run):
    printed = tables(section(pair_html, "data"))
    (rows,) = (rows for label, rows in printed.items() if label.startswith("Table 4.1."))
    found = {(row[1], row[0]): row[2:] for row in rows[1:]}
    for entry in pair_run.record.pairs:
        tally, counted = entry.finding.evidence, entry.finding.rows
        for at, category in enumerate(tally.plan.categories):
            if hasattr(tally, "cells"):
                everyone = sum(cell.rows for cell in tally.cells)
                missing = sum(cell.missing[at] for cell in tally.cells)
            else:
                everyone, missing = tally.evaluated, tally.missing[at]
            segment = formats.ABSENT if counted.missing_segment is None else formats.count(counted.missing_segment)
            assert found[entry.name, category] == [
                formats.count(counted.total),
                formats.count(counted.missing_weight),
                segment,
                formats.count(everyone),
                formats.count(missing),
                formats.percent(missing / everyone),
                formats.count(everyone - missing),
            ]
    assert "race : Unknown" in text_of(section(pair_html, "data"))


def test_missing_memberships_of_a_metric_follow_from_its_share(pair_rows):
    audit = fr.Audit(pair_rows)
    audit.custom_disparity_metric(
        outcome="said", label="hired", metric=agreement, reference_values={"race": "White"}, draws=20, name="m"
    )
    (row,) = pair_flow([(audit.run().record.pairs[0], None)]).rows
    assert (row.evaluated, row.missing) == ("420", str(pair_rows["race"].count(None)))


def agreement(labels, predictions):
    return float((labels == predictions).mean())


@pytest.mark.parametrize(("name", "number_"), [("Hiring", "5.1"), ("Counted", "5.8")])
def test_impact_ratios_print_the_numbers_of_the_record(pair_html, pair_run, name, number_):
    entry = entry_of(pair_run, name)
    printed = tables(article(pair_html, name))
    rows = by_group(printed, f"Table {number_}.")
    (table,) = entry.finding.tables
    assert rows.keys() == {label_of(row) for row in table.rows}
    p = "Adjusted p" if name == "Hiring" else "p"
    for row in table.rows:
        shown = rows[label_of(row)]
        assert shown["Favorable of n"] == f"{formats.amount(row.counted)} of {formats.amount(row.total)}"
        assert shown["Rate"] == number(row.rate)
        assert shown["Rate interval"] == ends(row.rate_interval)
        if row.is_reference:
            assert shown["Finding"] == "– reference"
            continue
        assert shown["Reference"] == row.reference_group
        assert shown["AIR"] == number(row.ratio, 0.8)
        assert shown["AIR interval"] == ends(row.ratio_interval, 0.8)
        assert shown["Difference"] == number(row.rate_difference, 0.0)
        assert shown[p] == formats.p_value(row.adjusted_p, alpha=0.05)
        assert ("practically significant" in shown["Finding"]) is bool(row.practically_significant)


def test_what_stands_beside_each_ratio_is_that_of_the_record(pair_html, pair_run):
    printed = tables(article(pair_html, "Hiring"))
    rows = {}
    for label, cells in printed.items():
        if re.match(r"Table 5\.1[ab]", label):
            for row in cells[1:]:
                rows.setdefault(row[0], {}).update(zip(cells[0], row, strict=True))
    compared = [row for row in entry_of(pair_run, "Hiring").finding.tables[0].rows if not row.is_reference]
    assert rows.keys() == {label_of(row) for row in compared}
    for row in compared:
        shown, beside = " ".join(rows[label_of(row)].values()), row.beside
        for value in (
            formats.fixed(beside.z, 2),
            ends(beside.difference_interval, 0.0, signed=True),
            formats.p_value(beside.fisher_two_sided, alpha=0.05),
            formats.p_value(beside.fisher_directional, alpha=0.05),
            formats.p_value(beside.mid_p_two_sided, alpha=0.05),
            formats.p_value(beside.mid_p_directional, alpha=0.05),
            formats.p_value(row.p_value, alpha=0.05),
            formats.count(beside.shortfall_to_four_fifths),
            formats.count(beside.shortfall_to_parity),
            number(beside.air_missing_low, 0.8),
            number(beside.air_missing_high, 0.8),
            number(row.average_label),
        ):
            assert value in shown
        assert "Fisher" in shown


def test_other_kinds_print_the_numbers_of_the_record(pair_html, pair_run):
    refusals = by_group(tables(article(pair_html, "Refusals")), "Table 5.2.")
    for row in entry_of(pair_run, "Refusals").finding.tables[0].rows:
        assert refusals[label_of(row)]["Unfavorable of n"].startswith(f"{row.counted} of ")
        if not row.is_reference:
            assert refusals[label_of(row)]["Relative rate"] == number(row.ratio, 1.25, 0.8)
    odds = by_group(tables(article(pair_html, "Odds")), "Table 5.3.")
    for row in entry_of(pair_run, "Odds").finding.tables[0].rows:
        if not row.is_reference:
            shown = odds[label_of(row)]
            assert shown["Odds ratio"] == number(row.odds_ratio, 0.8)
            assert shown["Conditional MLE"] == number(row.odds_ratio_conditional, 0.8)
            assert shown["Interval"] == ends(row.odds_interval, 0.8, 1.0)
    scores = by_group(tables(article(pair_html, "Scores")), "Table 5.4.")
    for row in entry_of(pair_run, "Scores").finding.tables[0].rows:
        if not row.is_reference:
            assert scores[row.group]["SMD"] == number(row.smd, -0.3, 0.0)


def test_every_quantile_and_category_has_its_tables(pair_html, pair_run):
    for name, start, n in (("Quantiles", "5.5", 3), ("Grades", "5.6", 2)):
        printed = tables(article(pair_html, name))
        finding = entry_of(pair_run, name).finding
        assert len(finding.tables) == n
        assert any(label.startswith(f"Table {start}, overview") for label in printed)
        for at, table in enumerate(finding.tables, start=1):
            rows = by_group(printed, f"Table {start}.{at}.")
            for row in table.rows:
                if not row.is_reference:
                    assert rows[label_of(row)]["AIR"] == number(row.ratio, 0.8)
        assert f"Figure {start}." in text_of(article(pair_html, name))
    quantiles = text_of(article(pair_html, "Quantiles"))
    for table in entry_of(pair_run, "Quantiles").finding.tables:
        assert f"Quantile {formats.threshold(table.quantile)}, cutoff" in quantiles


def test_segments_stand_in_section_six_with_the_pool_beside_the_crude_ratio(pair_html, pair_run):
    adjusted = section(pair_html, "adjusted")
    finding = entry_of(pair_run, "Within sites").finding
    printed = tables(adjusted)
    pooled = by_group(printed, "Table 6.1, pooled")
    beside = by_group(printed, "Table 6.1, beside")
    assert any("of odds ratios only" in heading for heading in next(iter(beside.values())))
    for row in finding.pooled:
        shown, behind = pooled[label_of(row)], " ".join(beside[label_of(row)].values())
        assert shown["Segments used"] == str(len(row.segments_used))
        assert shown["AIR over all rows"] == number(row.crude_air, 0.8, 1.0)
        assert shown["Pooled AIR"] == number(row.air, 0.8, 1.0)
        for figure in (row.cmh, row.cmh_corrected, row.ratio_q, row.breslow_day_tarone):
            if figure.statistic is not None:
                assert formats.fixed(figure.statistic, 2) in behind
    text = text_of(adjusted)
    for row in finding.pooled:
        for name in (*row.segments_dropped, *row.segments_uninformative):
            assert name in text
    for at, table in enumerate(finding.tables, start=1):
        rows = by_group(printed, f"Table 6.1.{at}.")
        assert f"Segment {table.segment}" in text
        for row in table.rows:
            if not row.is_reference:
                assert rows[label_of(row)]["AIR"] == number(row.ratio, 0.8)
    assert "Figure 6.1." in text
    assert "In no pair does the pooled AIR point the other way" in text


def test_a_direction_that_reverses_is_said_in_a_notice_and_on_the_first_page():
    rows = {"sex": [], "site": [], "hired": []}
    for sex, site, favorable, n in (("F", "a", 45, 50), ("M", "a", 160, 200), ("F", "b", 70, 200), ("M", "b", 10, 50)):
        rows["sex"] += [sex] * n
        rows["site"] += [site] * n
        rows["hired"] += [1] * favorable + [0] * (n - favorable)
    audit = fr.Audit(rows)
    audit.segmented_adverse_impact_ratio(
        reference_values={"sex": "M"},
        outcome="hired",
        segment="site",
        air_threshold=0.8,
        percent_difference_threshold=0,
    )
    run = audit.run()
    assert run.record.pairs[0].finding.pooled[0].direction_reverses
    html = fr.Report(run).html()
    assert "The direction reverses." in section(html, "adjusted")
    assert "The direction reverses:" in section(html, "result")
    assert "Every test of this packet pools over segments" in text_of(section(html, "results"))


def test_what_is_held_against_labels_stands_in_section_seven(pair_html, pair_run):
    labels = section(pair_html, "labels")
    for number_, name in (("7.1", "Residuals"), ("7.2", "Found"), ("7.3", "Raised")):
        assert f"{number_}</span> <bdi>{name}</bdi>" in labels
    for name, start in (("Found", "7.2"), ("Raised", "7.3")):
        rows = by_group(tables(article(labels, name)), f"Table {start}.")
        for row in entry_of(pair_run, name).finding.tables[0].rows:
            shown = rows[row.group]
            assert f"{row.numerator} of {row.denominator}" in shown.values()
            assert shown["Rate"] == number(row.rate)
            if not row.is_reference:
                assert shown["Ratio"] == number(row.ratio, 0.8)
    assert "holds predictions or scores" not in section(pair_html, "results")


def test_every_reason_for_what_is_not_defined_is_printed(pair_html, pair_run):
    implied = {"not_practically_significant", "cmh", "bootstrap"}
    for entry in pair_run.record.pairs:
        text = text_of(article(pair_html, entry.name))
        rows = [row for table in entry.finding.tables for row in table.rows]
        for code in {code for row in (*rows, *entry.finding.pooled) for code in row.reasons.values()} - implied:
            assert reason_words(code) in text, (entry.name, code)


def test_methods_are_those_that_were_used(pair_html, pair_rows):
    whole = text_of(section(pair_html, "methods"))
    for title in (
        "Adverse impact ratio (AIR)", "Relative rate", "Odds ratio", "Conditional odds ratio and exact interval",
        "Standardized mean difference", "Residual", "Cutoff at a quantile", "Rate of a category", "True positive rate",
        "Linearised variance", "Covariance of overlapping groups", "Welch", "Pooled t test", "Mid-p", "Directional Fisher",
        "Persons to four-fifths", "One person moved", "Missing memberships at their worst", "Cochran-Mantel-Haenszel",
        "Breslow-Day-Tarone, of odds ratios", "Greenland and Robins", "Koopman", "Newcombe", "Wilson", "Holm", "Kish (1965)",
        "max_for_fishers",
    ):  # fmt: skip
        assert title in whole, title
    audit = fr.Audit(pair_rows).adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0
    )
    one = text_of(section(fr.Report(audit.run()).html(), "methods"))
    for title in ("Relative rate", "Breslow", "Linearised", "Welch", "SMD", "Kish", "Holm", "Bootstrap", "Rate gaps"):
        assert title not in one, title


def test_rows_worked_by_hand_end_in_the_numbers_of_the_record(pair_run, pair_html):
    worked = {row.kind: row for row in work_pairs(pair_run.record)}
    assert worked.keys() == {
        "a pair of rates",
        "a pair of rates, linearised",
        "a pair of odds",
        "a pair of means",
        "right and wrong predictions",
    }
    for kind, row in worked.items():
        entry = entry_of(pair_run, row.test.text)
        group = row.group.text.rpartition(": ")[2]
        steps = {step.term: step for step in row.steps}
        found = [it for table in entry.finding.tables for it in table.rows if it.group == group]
        value = {"a pair of odds": "odds_ratio", "a pair of means": "smd"}.get(kind, "ratio")
        results = {step.result for step in row.steps}
        assert any(formats.fixed(getattr(it, value), 6) in results for it in found)
        assert any(formats.p_value(it.p_value) in results for it in found)
        assert steps["Practically significant?"].result in {"yes", "no"}
        assert f"One row worked by hand: {kind}" in pair_html
    pool = work_pool(pair_run.record)
    pooled = next(it for it in entry_of(pair_run, "Within sites").finding.pooled if it.group == pool.ratio.group.text)
    assert pool.ratio.ratio == formats.fixed(pooled.air, 4)
    assert formats.p_value(pooled.p_value) in {step.result for step in pool.steps}
    assert formats.fixed(pooled.rate_difference, 6) in {step.result for step in pool.steps}


def test_a_packet_of_a_metric_of_the_users_own_only_says_that_its_configuration_runs_nothing(pair_rows):
    audit = fr.Audit(pair_rows).custom_disparity_metric(
        outcome="said", label="hired", metric=agreement, reference_values={"sex": "M"}, draws=40
    )
    html = fr.Report(audit.run()).html()
    assert "audit.yaml states no test that could run again" in text_of(section(html, "provenance"))
    assert "from_config" not in section(html, "provenance")
    assert "no threshold stated" in text_of(section(html, "labels"))


def test_linearised_pairs_and_chi_square_are_worked_as_well(pair_rows):
    proxies = {"protected_groups": ["pb"], "reference_groups": ["pw"], "group_categories": ["race"]}
    audit = fr.Audit(pair_rows)
    audit.adverse_impact_ratio(**proxies, outcome="hired", air_threshold=0.8, percent_difference_threshold=0)
    audit.odds_ratio(**proxies, outcome="hired", odds_ratio_threshold=0.8, percent_difference_threshold=0)
    audit.standardized_mean_difference(**proxies, outcome="score", smd_threshold=-0.3)
    run = audit.run()
    for row in work_pairs(run.record):
        steps = {step.term: step for step in row.steps}
        test = steps["Linearised z test, two-sided"]
        difference, _, variance = test.numbers.partition(" / √")
        if row.kind == "a pair of means":
            numbers = [float(text.replace("−", "-")) for text in (difference, variance)]
            z = abs(numbers[0]) / numbers[1] ** 0.5
        else:
            z = abs(float(test.numbers.rpartition("z = ")[2].replace("−", "-")))
        (found,) = (
            it.p_value.p for it in entry_of(run, row.test.text).finding.tables[0].rows if it.p_value is not None
        )
        assert 2 * stats.norm.sf(z) == pytest.approx(found, rel=1e-3)
    audit = fr.Audit(pair_rows).adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0,
        max_for_fishers=0,
    )  # fmt: skip
    run = audit.run()
    (row,) = work_pairs(run.record)
    assert run.record.pairs[0].finding.tables[0].rows[1].test is RowTest.CHI_SQUARE
    assert "Chi-square test with Yates’s correction" in {step.term for step in row.steps}


def test_the_configuration_runs_again_to_the_same_results(pair_run, pair_rows):
    (text,) = (it.content.decode() for it in fr.Report(pair_run).attachments if it.name == "audit.yaml")
    again = fr.Audit.from_config(yaml.safe_load(text), pair_rows).run()
    one, two = pair_run.to_dict(), again.to_dict()
    assert one.pop("created") == "2026-11-01"
    two.pop("created")
    assert one == two
    assert "Left out" not in text


def test_a_metric_of_the_users_own_is_left_out_of_the_configuration_and_said(pair_rows):
    audit = fr.Audit(pair_rows)
    for level in (0.02, 0.5):
        audit.custom_disparity_metric(
            outcome="said", label="hired", metric=agreement, reference_values={"sex": "M"}, draws=40,
            difference_threshold=level, name=f"agreement {level}",
        )  # fmt: skip
    audit.outcome_disparity("sex", "hired", 1)
    report = fr.Report(audit.run())
    (text,) = (it.content.decode() for it in report.attachments if it.name == "audit.yaml")
    assert "# Left out: 2 custom_disparity_metric." in text
    assert [next(iter(test)) for test in yaml.safe_load(text)["tests"]] == ["outcome_disparity"]
    html = report.html()
    assert "A function cannot stand in a file" in text_of(section(html, "provenance"))
    labels = section(html, "labels")
    for entry in audit.run().record.pairs:
        rows = by_group(tables(article(labels, entry.name)), f"Table 7.{entry.name.endswith('0.5') + 1}.")
        for row in entry.finding.tables[0].rows:
            assert rows[row.group]["Value"] == formats.fixed(row.value)
            if not row.is_reference:
                assert rows[row.group]["Difference"] == number(row.difference, entry.test.difference_threshold, 0.0)
    assert "agreement" in text_of(section(html, "criteria"))
    assert "Metric of the user’s own" in text_of(section(html, "methods"))


@pytest.fixture(scope="module")
def many_run():
    rows = {"team": [], "hired": []}
    for i in range(50):
        rows["team"] += [f"team {i:02d}"] * (30 + i)
        rows["hired"] += [1] * (6 + i) + [0] * 24
    return fr.Audit(rows).adverse_impact_ratio(
        reference_values={"team": "team 49"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0
    ).run()  # fmt: skip


def test_of_many_groups_the_worst_forty_are_printed_and_the_rest_named(many_run):
    report = fr.Report(many_run)
    part = section(report.html(), "results")
    rows = by_group(tables(part), "Table 5.1.")
    assert len(rows) == 40
    assert "team 49" in rows
    ratios = {row.group: row.ratio for row in many_run.record.pairs[0].finding.tables[0].rows if not row.is_reference}
    assert set(rows) - {"team 49"} == set(sorted(ratios, key=ratios.get)[:39])
    assert "10 further groups in the attachment groups.csv." in text_of(part)
    (groups,) = (it.content.decode() for it in report.attachments if it.name == "groups.csv")
    assert len({row["group"] for row in csv.DictReader(io.StringIO(groups))}) == 50


def test_of_many_quantiles_twenty_have_tables_and_the_overview_says_what_it_leaves_out(pair_rows):
    audit = fr.Audit(pair_rows).adverse_impact_ratio_by_quantile(
        reference_values={"race": "White"}, outcome="score", quantiles=[i / 50 for i in range(1, 50)],
        air_threshold=0.8, percent_difference_threshold=0,
    )  # fmt: skip
    part = section(fr.Report(audit.run()).html(), "results")
    assert "9 further rows in the attachment groups.csv." in text_of(part)
    assert "29 further tables in the attachment groups.csv." in text_of(part)
    assert "Table 5.1.20." in part
    assert "Table 5.1.21." not in part


def test_a_ratio_is_not_rounded_onto_its_threshold():
    rows = {"sex": ["F"] * 10001 + ["M"] * 10000, "hired": [1] * 4000 + [0] * 6001 + [1] * 5000 + [0] * 5000}
    run = fr.Audit(rows).adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0
    ).run()  # fmt: skip
    shown = by_group(tables(section(fr.Report(run).html(), "results")), "Table 5.1.")["F"]["AIR"]
    assert shown != "0.800"
    assert float(shown) < 0.8


def test_a_single_result_has_a_packet_of_its_own(pair_run):
    single = next(result for result in pair_run if result.name == "Within sites")
    report = fr.Report(single)
    html = report.html()
    assert report.record.data.columns == ("hired", "race", "sex", "site")
    assert {name for it in report.record.assumptions for name in it.tests} == {"Within sites"}
    assert "6.1</span> <bdi>Within sites</bdi>" in html
    assert "<bdi>Hiring</bdi>" not in html


def test_a_skipped_test_stands_with_its_reason(pair_rows):
    audit = fr.Audit(pair_rows)
    audit.adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="nothing", air_threshold=0.8, percent_difference_threshold=0, name="gone"
    )
    html = fr.Report(audit.run()).html()
    assert "nothing" in text_of(section(html, "results"))
    assert "No test could be computed." in text_of(section(html, "result"))
    assert formats.ABSENT in tables(section(html, "data"))[
        "Table 4.1. From rows in to the rows of each category of named pairs"
    ][1]  # fmt: skip


def test_all_undefined_is_listed_with_its_reason():
    rows = {"sex": ["F", "M"] * 30, "hired": [0] * 60}
    run = fr.Audit(rows).adverse_impact_ratio(
        reference_values={"sex": "M"}, outcome="hired", air_threshold=0.8, percent_difference_threshold=0
    ).run()  # fmt: skip
    assert run.record.pairs[0].skip.code == "all_groups_undefined"
    html = fr.Report(run).html()
    assert "not defined" in by_group(tables(section(html, "results")), "Table 5.1.")["F"]["Finding"]
    assert "the reference rate is zero" in text_of(section(html, "results"))
    assert "<figure" not in section(html, "results")


def test_the_glossary_and_assumptions_are_those_of_named_pairs(pair_html, pair_run):
    closing = text_of(section(pair_html, "closing"))
    for term in ("Named pair", "AIR", "Practically significant", "Shortfall", "Crude, pooled", "Linearised"):
        assert term in closing
    assert "Scoring rate" not in closing
    assumptions = text_of(section(pair_html, "assumptions"))
    for it in pair_run.record.assumptions:
        assert it.title in assumptions


def test_parameters_state_every_value_with_its_origin(pair_html):
    rows = tables(section(pair_html, "provenance"))["Parameters of all tests"]
    values = {(row[0].replace(" ", ""), row[1]): (row[2], row[3]) for row in rows[1:]}
    assert values["air_threshold", "0.8"] == ("user", "5.1, 5.5–5.8, 6.1")
    assert values["p_value_adjustment", "'holm'"] == ("user", "5.1, 6.1")
    assert values["segment", "'site'"] == ("user", "6.1")
    assert values["weight_kind", "'frequency'"] == ("user", "5.8")
    assert values["shortfall_method", "None"] == ("user", "5.6")


def test_the_same_page_twice(pair_run, pair_html, drawn_anew):
    assert fr.Report(pair_run).html() == pair_html
