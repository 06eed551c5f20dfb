"""A verdict stands beside the number it judges, counts use its words, and plain text says what decides."""

import random
import re

import pytest

import fairreport as fr
from fairreport.analyses.result import PValue
from fairreport.render import formats
from fairreport.render.builders import view_run, view_test
from fairreport.render.counts import Counts
from fairreport.render.figures import figure_svg
from fairreport.render.text import COLUMNS, LINES, columns_of

AUC = {"score_column": "p", "ground_truth_column": "y", "positive_values": 1}
R2 = {"prediction_column": "f", "ground_truth_column": "x"}
RATIO_BESIDE = re.compile(r"ratio (\d\.\d+|negative), (at or above|below)")
GAP_BESIDE = re.compile(r"gap \d\.\d+, gap (above|at most)")


def said(run, kind="text/plain"):
    return run._repr_mimebundle_()[kind].replace("\\", "")


def rows(seed=3, levels=("White", "Black", "Asian", "Unknown")):
    """Groups whose AUC falls a little and whose R squared falls below 0."""
    r = random.Random(seed)
    table = {key: [] for key in ("g", "y", "p", "x", "f", "hired")}
    for i, group in enumerate(levels):
        for _ in range(120):
            y, x = int(r.random() < 0.4), r.gauss(100, 20)
            p = min(0.99, max(0.01, (0.62 - 0.03 * i if y else 0.45) + r.gauss(0, 0.2)))
            hired = int(r.random() < 0.6 - 0.06 * i)
            for key, value in zip(table, (group, y, p, x, x + r.gauss(0, 8 + 16 * i), hired), strict=True):
                table[key].append(value)
    return table


@pytest.fixture(scope="module")
def mixed():
    """A run of each kind of verdict: by a ratio of rates, of values, by a gap, and with a ratio below 0."""
    audit = fr.Audit(rows()).outcome_disparity("g", "hired", 1, name="hired by gender and ethnicity")
    audit.metric_parity("g", "auc", name="auc", **AUC).metric_parity("g", "r2", name="r2", **R2)
    audit.metric_parity("g", "auc", name="auc by its gap", max_difference=0.02, **AUC)
    return audit.outcome_disparity("region", "hired", 1, name="by region").run()


def test_a_metric_verdict_stands_beside_what_it_judges(mixed):
    views = {view.name.text: view for view in view_run(mixed.record).tests}
    for name in ("auc", "r2", "auc by its gap"):
        for row in views[name].comparisons:
            beside = GAP_BESIDE if row.finding.by_gap else RATIO_BESIDE
            assert beside.search(row.sentence.text)
            assert beside.search(row.summary)
    assert any(row.finding.by_gap for row in views["auc by its gap"].comparisons)
    for line in repr(mixed).split("\n"):
        if " · auc: " in line or " · r2: " in line:
            assert RATIO_BESIDE.search(line)


def test_a_rate_verdict_keeps_its_order(mixed):
    row = view_run(mixed.record).tests[0].comparisons[0]
    assert row.summary == f"{row.figure}, {row.finding.word}"
    assert f": {row.finding.word}." in row.sentence.text


def test_the_heading_of_findings_names_what_is_judged(mixed):
    views = view_run(mixed.record).tests
    headings = [view.table.finding_heading for view in views if view.table]
    assert headings == ["Finding", "Finding (ratio)", "Finding (ratio)", "Finding (ratio or gap)"]
    for kind in ("text/plain", "text/html", "text/markdown"):
        assert "Finding (ratio)" in said(mixed["auc"], kind)
        assert "Finding (" not in said(mixed[0], kind)


def test_a_legend_beside_values_names_the_ratio(mixed):
    assert "ratio at or above 0.80" in figure_svg(mixed["auc"].record)
    assert "ratio at or above 0.80" not in figure_svg(mixed[0].record)


def test_counts_use_the_words_of_the_findings(outcome_run):
    """Both ratios are below 0.8, and neither difference is significant."""
    run = outcome_run({"A": (20, 40), "B": (14, 40), "C": (15, 40), "D": (19, 40)})
    assert run.results[0].measurements["failingGroupCount"] == 2
    expected = (
        "Of 3 comparisons: 2 below 0.80 (0 significant, 2 may be chance), 1 at or above 0.80 with the interval "
        "reaching below, 0 at or above 0.80."
    )
    assert view_run(run.record).counts_sentence.text == expected
    run = outcome_run({"A": (20, 40), "B": (14, 40)}, significance_test="none")
    assert "1 below 0.80 (not tested)" in view_run(run.record).counts_sentence.text


def test_counts_of_a_whole_audit_use_the_words_of_the_findings(mixed):
    view = view_run(mixed.record)
    counts, text = view.counts, view.counts_sentence.text
    below = counts.below_threshold - counts.gap_above
    assert text.startswith(f"5 tests, {counts.compared} comparisons: {below} below the threshold and ")
    assert f"{counts.gap_above} with a gap above its limit ({counts.of_those_below}), " in text
    assert text.endswith("; 1 test was skipped.")


@pytest.mark.parametrize("seed", range(4))
def test_counts_agree_with_the_failing_groups(seed):
    audit = fr.Audit(rows(seed)).outcome_disparity("g", "hired", 1).score_disparity("g", "p")
    audit.metric_parity("g", "auc", **AUC).metric_parity("g", "r2", **R2)
    audit.metric_parity("g", "auc", max_difference=0.05, name="by gap", **AUC)
    audit.outcome_disparity("g", "hired", 1, significance_test="none", name="untested")
    run = audit.run()
    views = view_run(run.record)
    for view, result in zip(views.tests, run.results, strict=True):
        counts = view.counts
        assert counts.below_threshold == result.measurements["failingGroupCount"]
        assert counts.below + counts.may_be_chance == counts.below_threshold
        assert counts.below + counts.inconclusive + counts.meets + counts.not_tested == counts.compared
        assert counts.compared == len(view.comparisons)
    assert Counts(meets=2).of_those_below == ""
    assert views.counts == sum((view.counts for view in views.tests), Counts())


def test_a_ratio_below_zero_does_not_lead(mixed):
    view = view_run(mixed.record)
    led = [(test.name.text, row) for test, row in view.worst_comparisons()]
    ratios = [row.judged for _, row in led]
    first = ratios.index("ratio negative")
    assert not [text for text in ratios[first:] if text.startswith("ratio 0") and float(text[6:]) < 0.8]
    assert led[0][0] == "hired by gender and ethnicity"
    assert "R squared" not in view.headline.text


def test_what_fails_by_a_negative_ratio_alone_still_leads_what_passes():
    audit = fr.Audit(rows(levels=("a", "b"))).metric_parity("g", "r2", name="r2", **R2)
    view = view_run(audit.outcome_disparity("g", "hired", 1, impact_ratio_threshold=0.1, name="hired").run().record)
    assert view.headline.text.startswith(("r2: b", "r2: a"))


def test_text_says_the_threshold_that_does_not_hold(outcome_run):
    groups = {"A": (200, 400), "B": (184, 400)}
    failing = outcome_run(groups, thresholds=[("minImpactRatio", "<=", 0.8)])
    assert "\nfailing: minImpactRatio <= 0.80 does not hold (is 0.920)\n" in repr(failing)
    holding = outcome_run(groups, thresholds=[("minImpactRatio", ">=", 0.8)])
    assert "hold" not in repr(holding)
    by_default = outcome_run({"A": (200, 400), "B": (100, 400)})
    assert "▼ failing" in repr(by_default)
    assert "hold" not in repr(by_default)


def test_text_says_the_threshold_that_cannot_be_held():
    """No stratum holds two groups, so nothing is adjusted."""
    table = {"g": ["a"] * 60 + ["b"] * 60, "d": ["x"] * 60 + ["z"] * 60, "y": [0, 1] * 60}
    held = [("adjustedMinImpactRatio", ">=", 0.8)]
    run = fr.Audit(table).outcome_disparity("g", "y", 1, control_columns="d", thresholds=held).run()
    assert "\nskipped: adjustedMinImpactRatio >= 0.80 cannot be held (is n.d.)\n" in repr(run)
    assert "adjustedMinImpactRatio" in dict(view_test(run.record.tests[0]).measurements)


def test_text_of_many_tests_still_says_what_decides():
    audit = fr.Audit(rows())
    for i in range(20):
        held = [("minImpactRatio", ">=", 0.99)]
        audit.outcome_disparity("g", "hired", 1, name=f"test {i}", thresholds=held)
    lines = repr(audit.run()).split("\n")
    assert len(lines) == LINES
    assert sum("minImpactRatio >= 0.99 does not hold (is 0." in line for line in lines) >= 5
    assert max(map(columns_of, lines)) <= COLUMNS


def test_text_says_that_the_direction_reverses():
    """The counts of Simpson's reversal: b is ahead over all rows, and behind within each stratum."""
    table = {"g": [], "y": [], "d": [], "n": []}
    for group, stratum, hits, n in (("a", "x", 80, 100), ("a", "z", 20, 400), ("b", "x", 280, 400), ("b", "z", 4, 100)):
        for y, count in ((1, hits), (0, n - hits)):
            for key, value in zip(table, (group, y, stratum, count), strict=True):
                table[key].append(value)
    audit = fr.Audit(table, counts="n").outcome_disparity("g", "y", 1, control_columns="d", name="one")
    sentence = "a: ratio 0.352 over all rows, 1.149 within d; the direction reverses."
    assert repr(audit.run()).endswith(f"\n{sentence}")
    two = repr(audit.outcome_disparity("g", "y", 1, name="two").run())
    assert f"\n    {sentence}\n" in two


def test_text_says_what_changes_how_to_read_it():
    table = {"g": ["a"] * 60 + ["Unknown"] * 60, "y": [1] * 60 + [0] * 60}
    text = repr(fr.Audit(table).outcome_disparity("g", "y", 1, reference_value="a").run())
    for line in (
        "Column 'g' has the level 'Unknown', treated as a group.",
        "The outcome is a function of the groups.",
    ):
        assert f"\n{line}" in text
    assert "reference_value 'a' is not used" in text or "reference_value" not in text
    assert "smaller than they would be" not in text


def test_a_caution_that_tests_share_is_said_once(mixed):
    assert repr(mixed).count("treated as a group") == 1


def test_names_are_shortened_only_where_they_do_not_fit(mixed):
    assert "\nhired by gender and ethnicity: " in repr(mixed)
    long = fr.Audit(rows()).outcome_disparity("g", "hired", 1, name="x" * 300).metric_parity("g", "auc", **AUC)
    lines = repr(long.run()).split("\n")
    assert "…" in lines[1]
    assert max(map(columns_of, lines)) <= COLUMNS


@pytest.mark.parametrize(
    ("log10", "text"),
    [(-1443.001, "1.0e-1443"), (-1443.03, "9.3e-1444"), (-1443.02, "9.5e-1444"), (-1444.0, "1.0e-1444")],
)
def test_a_mantissa_carries_over(log10, text):
    assert formats.p_value(PValue(p=None, log10=log10)) == text


def test_headings_stand_as_their_cells_do_whatever_the_host_says(mixed):
    text = said(mixed, "text/html")
    assert text.count('style="text-align:start">Finding') == text.count("<table>")
