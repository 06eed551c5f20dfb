"""Named pairs as views: the words of every finding and reason, the numbers of the record, levels and pooled pairs."""

import ast
import re

import pytest

import fairreport as fr
from fairreport.analyses import pair_tests
from fairreport.analyses.pair_reason import Reason
from fairreport.render.builders import view_run
from fairreport.render.pair_builder import view_pairs
from fairreport.render.pair_kinds import kind_of
from fairreport.render.pair_reasons import REASONS, Undefined, reason_words, undefined_sentences
from fairreport.render.pair_words import Bars, bars_of, severity_of
from fairreport.render.words import Kind


def view_of(run, i=0):
    return view_pairs(run.record.pairs[i])


def rows_of(table):
    return {" / ".join(name.text for name in row.group): row for row in table.rows}


def cells_of(table, group):
    row = rows_of(table)[group]
    return {column.key: cell for column, cell in zip(table.columns, row.cells, strict=True)}


def test_every_reason_has_words():
    assert set(REASONS) == {reason.value for reason in Reason}
    for code, words in REASONS.items():
        assert words[0].islower()
        assert "_" not in words
        assert reason_words(code) == words


def test_a_reason_that_is_not_known_stands_for_itself():
    assert reason_words("some_new_code") == "some new code"
    assert reason_words(None) == "no reason is stated"


def test_what_is_not_defined_is_said_once_for_all_it_holds_for():
    rows = [
        Undefined(name=(name,), reasons={"air": "reference_rate_zero", "air_ci_high": "zero_variance"})
        for name in "ABCDE"
    ]
    assert [it.text for it in undefined_sentences(rows)] == [
        "A; B; C and 2 more: the reference rate is zero; not defined: ratio.",
        "A; B; C and 2 more: nothing varies; not defined: upper end of the ratio's interval.",
    ]


def test_the_words_of_every_finding(pair_one):
    found = {name: row.finding for name, row in rows_of(view_of(pair_one).tables[0].table).items()}
    assert {name: words.text for name, words in found.items()} == {
        "White": "– reference",
        "Black": "▼ practically significant: below 0.80, difference above 0.05, p < 0.05",
        "Asian": "▽ below 0.80, may be chance",
        "More": "▼ practically significant: below 0.80, difference above 0.05, p < 0.05",
        "Few": "▼ practically significant: below 0.80, difference above 0.05, p < 0.05",
        "Native": "◆ at or above 0.80, interval reaches below 0.80",
        "Other": "● at or above 0.80",
    }
    assert found["Black"].terse == "▼ below 0.80, practically significant"
    assert found["Native"].terse == "◆ interval reaches below 0.80"


def test_a_small_difference_is_told_beside_a_ratio_below(pair_run):
    run = pair_run({"White": (400, 10000), "A": (200, 10000), "B": (2, 100)})
    found = rows_of(view_of(run).tables[0].table)
    assert found["A"].finding.text == "◊ below 0.80, difference at most 0.05"
    assert found["B"].finding.text == "▽ below 0.80, difference at most 0.05, may be chance"


def test_exactly_the_threshold_is_not_below_it(pair_run):
    run = pair_run({"White": (9000, 10000), "A": (7200, 10000), "B": (7199, 10000)})
    table = view_of(run).tables[0].table
    assert rows_of(table)["A"].finding.kind is Kind.REACHES_BELOW
    assert cells_of(table, "A")["figure"] == "0.800"
    assert rows_of(table)["B"].finding.kind is Kind.BELOW_SIGNIFICANT
    assert cells_of(table, "B")["figure"] == "0.7999"


def test_the_row_of_a_group(pair_one):
    view = view_of(pair_one)
    assert cells_of(view.tables[0].table, "Black") == {
        "counted": "100 of 400",
        "rate": "0.250",
        "rate_interval": "0.210–0.295",
        "figure": "0.500",
        "interval": "0.410–0.607",
        "difference": "0.250",
        "p": "3.3e-13",
    }
    assert view.headline.text == (
        "Black: AIR 0.500 against White (95% interval 0.410–0.607; rate 0.250, 100 of 400; difference 0.250; p 3.3e-13): "
        "practically significant: below 0.80, difference above 0.05, p < 0.05."
    )
    assert view.rule.text == "Practically significant: AIR below 0.80, difference above 0.05, p < 0.05, all at once."


def test_what_stands_beside_a_ratio(pair_one):
    beside = {}
    for table in view_of(pair_one).tables[0].beside:
        beside |= cells_of(table, "Black")
    (record,) = (row.beside for row in pair_one.record.pairs[0].finding.tables[0].rows if row.group == "Black")
    assert (beside["four_fifths"], beside["flip"]) == ("yes", "no")
    assert beside["z"] == f"{record.z:.2f}".replace("-", "−")
    assert (beside["to_four_fifths"], beside["to_parity"]) == ("60", "100")
    assert beside["difference_interval"] == "0.184 to 0.313"
    assert beside["shortfall"] == "100.0"


def test_the_reference_stands_first_and_its_groups_worst_first(pair_family):
    view = view_of(pair_family)
    assert [row.label for row in view.tables[0].table.rows] == [
        "race / White",
        "race / Black",
        "race / Asian",
        "sex / M",
        "sex / F",
    ]
    assert [row.reference and row.reference.text for row in view.tables[0].table.rows][1:] == [
        "White",
        "White",
        None,
        "M",
    ]
    assert view.reference is None


def test_every_kind_has_a_view(pair_family):
    run = view_run(pair_family.record)
    assert [view.analysis for view in run.pairs] == [kind.analysis for kind in pair_tests.PAIR_TESTS]
    for view in run.pairs:
        assert not view.is_skipped
        assert view.table
        assert view.method
        assert view.settings
        assert view.flow
        assert view.headline.text.endswith(".")
        assert view.code.startswith(f".{view.analysis}(")
        for it in view.tables:
            assert all(len(row.cells) == len(it.table.columns) for row in it.table.rows)
            assert it.table.axis.low < it.table.axis.high


def test_a_confusion_rate_is_named(pair_mixed):
    view = view_of(pair_mixed, 1)
    assert view.tables[0].table.caption.text.startswith("False negative rate of prediction against label, reference m")
    assert re.match(r"f: ratio [\d.]+ against m \(false negative rate [\d.]+, ", view.headline.text)


def test_the_code_of_a_test_can_be_read(pair_family):
    for view in view_run(pair_family.record).pairs:
        ast.parse(f"audit{view.code}")
    assert "metric=share_right, " in view_of(pair_family, -1).code


def test_the_code_states_what_the_user_stated(pair_one):
    assert view_run(pair_one.record).code == (
        "fr.Audit(data, title='Screen', counts='n').adverse_impact_ratio(reference_values={'race': 'White'}, "
        "outcome='hired', percent_difference_threshold=0.05, air_threshold=0.8, name='approval').run()"
    )


def test_counts_are_those_of_the_measurements(pair_family):
    for record in pair_family.record.pairs:
        counts = view_pairs(record).counts
        assert counts.significant == record.measurements["practicallySignificantCount"], record.name
        assert counts.undefined == record.measurements["undefinedGroupCount"], record.name


def test_every_kind_is_held_against_its_own_threshold(pair_of):
    held = [
        (pair_of(pair_tests.RelativeRate, relative_rate_threshold=1.25), "above 1.25, difference above 0.05, p < 0.05"),
        (
            pair_of(pair_tests.OddsRatio, odds_ratio_threshold=1.5, lower_is_favorable=True, p_value_adjustment="holm"),
            "above 1.50, difference above 0.05, adjusted p < 0.05",
        ),
        (pair_of(pair_tests.StandardizedMeanDifference, smd_threshold=-0.3, alpha=0.01), "below −0.30, p < 0.01"),
        (pair_of(pair_tests.StandardizedMeanDifference, smd_threshold=0.3), "above 0.30, p < 0.05"),
        (
            pair_of(pair_tests.CustomDisparityMetric, label="l", metric=max, difference_threshold=0.1),
            "above 0.10, interval of the difference above 0",
        ),
    ]
    assert [bars_of(test).rule for test, _ in held] == [rule for _, rule in held]
    assert bars_of(pair_of(pair_tests.CustomDisparityMetric, label="l", metric=max)).bar is None


@pytest.mark.parametrize(
    ("bars", "worse", "better"),
    [
        (Bars(bar=0.8, alpha=0.05), 0.4, 0.9),
        (Bars(bar=1.25, above=True, alpha=0.05), 2.0, 0.7),
        (Bars(bar=-0.3, alpha=0.05), -0.6, -0.1),
        (Bars(bar=0.3, above=True, alpha=0.05), 0.6, 0.1),
        (Bars(bar=0.1, above=True, alpha=0.05, of_difference=True), 0.2, 0.05),
    ],
)
def test_what_is_further_out_is_worse(bars, worse, better):
    assert severity_of(worse, bars) < 1 < severity_of(better, bars) < severity_of(None, bars)


def test_segments_are_pooled_first(pair_segments):
    view = view_of(pair_segments)
    (row,) = view.pooled.table.rows
    found = pair_segments.record.pairs[0].finding.pooled[0]
    assert view.table is view.pooled.table
    assert row.finding.kind is Kind.AT_OR_ABOVE
    cells = cells_of(view.pooled.table, "Black")
    assert (cells["segments"], cells["figure"], cells["crude"]) == ("3", f"{found.air:.3f}", f"{found.crude_air:.3f}")
    assert [it.text for it in view.reversals] == [
        f"Black against White: AIR {cells['crude']} over all rows, {cells['figure']} pooled over segments; "
        "the direction reverses."
    ]
    assert [it.text for it in view.pooled.segments] == [
        "Black: not used, one of the groups does not occur: Lonely; uninformative, all or none favorable: All."
    ]


def test_breslow_day_is_said_to_be_of_odds_ratios_only(pair_segments):
    beside = view_of(pair_segments).pooled.beside
    assert "asks it of odds ratios only" in beside.caption.text
    assert "Breslow-Day-Tarone (df), of odds ratios only" in [column.heading for column in beside.columns]


def test_segments_are_listed_worst_first(pair_segments):
    view = view_of(pair_segments)
    assert view.n_listed == len(view.listed.rows) == 4
    assert [row.group[0].text for row in view.listed.rows] == ["Lonely", "All", "South", "North"]
    assert rows_of(view.listed)["Lonely / Black"].finding.word == "not defined: the group or its reference has no rows"
    assert [it.level.text for it in view.tables] == ["Segment All", "Segment Lonely", "Segment North", "Segment South"]


def test_the_fewer_of_levels_and_pairs_are_columns(pair_quantiles, pair_family):
    tall = view_of(pair_quantiles).overview
    assert [column.heading for column in tall.columns] == ["Cutoff", *(f"Group {i}" for i in range(6))]
    assert [row.label for row in tall.rows] == [f"{q:.2f}" for q in (*(i / 10 for i in range(1, 10)), 0.95)]
    assert all(re.fullmatch(r"[▼▽◊◆●○] [\d.]+", cell) for row in tall.rows for cell in row.cells[1:])
    wide = view_run(pair_family.record).pairs[5].overview
    assert [row.label for row in wide.rows] == ["0.25", "0.50", "0.75"]


def test_levels_stand_side_by_side_where_pairs_are_more(pair_of):
    groups = [name for name in ("White", "A", "B", "C") for _ in range(40)]
    rows = {"race": groups, "score": [i * 7 % 40 - (3 if name == "A" else 0) for i, name in enumerate(groups)]}
    test = pair_of(pair_tests.AdverseImpactRatioByQuantile, outcome="score", quantiles=[0.5])
    table = view_of(fr.Audit(rows, tests=[test]).run()).overview
    assert [column.heading.partition(",")[0] for column in table.columns] == ["0.50"]
    assert {row.label for row in table.rows} == {"A", "B", "C"}


def test_the_list_of_levels_is_cut_and_says_so(pair_quantiles):
    view = view_of(pair_quantiles)
    assert (len(view.listed.rows), view.n_listed) == (60, 60)
    order = [*Kind]
    places = [order.index(row.finding.kind) for row in view.listed.rows]
    assert places == sorted(places)


def test_weights_and_proportions_are_said(pair_weighted):
    plain, weighted, odds = (view_of(pair_weighted, i) for i in range(3))
    assert [it.text.partition(":")[0] for it in weighted.weights] == [
        "Sampling weights",
        "Memberships are proportions in pb, pw",
    ]
    assert len(plain.weights) == 1
    (told,) = [it.text for it in weighted.undefined if "pb" in it.text]
    assert told.startswith("pb: rows carry sampling weights, so nothing exact is computed; not defined: ")
    assert cells_of(odds.tables[0].table, "pb")["conditional"] == "—"
    assert [column.key for column in weighted.tables[0].beside[0].columns] == ["z", "test"]


def test_undefined_is_a_dash_with_its_reason(pair_undefined):
    view = view_of(pair_undefined)
    assert view.is_skipped
    assert view.headline.text == "No group has a verdict: rates or tests are not defined in any pair."
    cells = cells_of(view.tables[0].table, "A")
    assert (cells["figure"], cells["interval"], cells["difference"], cells["p"]) == ("—", "—", "0.000", "1.000")
    assert rows_of(view.tables[0].table)["A"].finding.text == "○ not defined: the reference rate is zero"
    assert [it.text for it in view.undefined] == [
        "A; B: the reference rate is zero; not defined: ratio, the ratio's interval, bounds with missing memberships and "
        "verdict.",
        "A; B: nothing varies; not defined: z.",
    ]


def test_a_metric_without_thresholds_is_not_judged(pair_of):
    def right(labels, predictions):
        return float((labels == predictions).mean())

    rows = {"race": ["White"] * 30 + ["A"] * 30, "label": [1, 0] * 30, "hired": [1] * 45 + [0] * 15}
    test = pair_of(pair_tests.CustomDisparityMetric, label="label", metric=right, draws=49)
    view = view_of(fr.Audit(rows, tests=[test]).run())
    assert view.rule.text == "No threshold is stated, so no pair is judged."


def test_a_skipped_test_gives_its_reason(pair_mixed):
    view = view_run(pair_mixed.record).pairs[2]
    assert view.is_skipped
    assert view.tables == ()
    assert view.headline.text.startswith("Not computed: the table has no column 'region'")


def test_the_audit_speaks_of_all_kinds(pair_mixed):
    view = view_run(pair_mixed.record)
    assert "3 comparisons of named pairs" not in view.counts_sentence.text
    assert "2 comparisons of named pairs: " in view.counts_sentence.text
    assert [test.analysis for test in view.entries] == [
        "outcome_disparity",
        "rate_gaps",
        "adverse_impact_ratio",
        "false_negative_rate",
        "adverse_impact_ratio",
    ]


def test_a_failing_test_of_pairs_speaks_for_the_audit(pair_one):
    view = view_run(pair_one.record)
    assert view.state.text == "▼ failing"
    assert view.headline == view.pairs[0].headline


def test_no_word_is_a_judgement(pair_family, pair_segments, pair_weighted):
    for run in (pair_family, pair_segments, pair_weighted):
        for view in view_run(run.record).pairs:
            texts = [view.headline, view.rule, *view.insights, *view.undefined, *view.weights]
            texts += [line.text for line in view.method]
            assert not re.search(
                r"\b(fair|unfair|bias[- ]free|violat|certif|guilty)", " ".join(it.text for it in texts), re.I
            )


def test_the_kind_of_a_finding(pair_family):
    kinds = [kind_of(record.finding, bars_of(record.test)).heading for record in pair_family.record.pairs]
    assert kinds[:5] == ["AIR", "Relative rate", "Odds ratio", "SMD", "SMD"]
    assert kinds[-1] == "Ratio"


def test_a_sentence_says_the_number_of_the_table():
    rows = {
        "g": ["a"] * 60 + ["b"] * 60,
        "score": [100_000.0 + i for i in range(60)] + [100_020.0 + i for i in range(60)],
    }
    audit = fr.Audit(rows).standardized_mean_difference(
        outcome="score", smd_threshold=-0.3, reference_values={"g": "b"}
    )
    (view,) = view_run(audit.run().record).pairs
    (row,) = [row for row in view.table.rows if row.is_comparison]
    shown = view.table.cell(row, "figure")
    assert shown == "−1.000"
    assert f"difference {shown} " in view.headline.text
