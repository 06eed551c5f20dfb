"""The finding words of the contract, each from a record that calls for it."""

import pytest

from fairreport.audit.gate import Status
from fairreport.render.builders import view_run, view_test
from fairreport.render.words import Kind, Side, finding, state


def words(run):
    return {row.label: row.finding.word for row in view_run(run.record).tests[0].table.rows}


def test_every_finding_of_a_tested_outcome(everything):
    assert words(everything) == {
        "B": "below 0.80, significant",
        "D": "below 0.80, may be chance",
        "C": "at or above 0.80, interval reaches below 0.80",
        "E": "at or above 0.80",
        "A": "reference",
        "F": "not enough data",
    }


def test_without_a_significance_test_below_is_not_tested(outcome_run):
    found = words(outcome_run({"A": (200, 400), "B": (100, 400)}, significance_test="none"))
    assert found["B"] == "below 0.80, not tested"


@pytest.mark.parametrize(
    ("favorable", "n", "word"),
    [
        (3, 5, "at or above 0.80, interval reaches below 0.80"),
        (30, 50, "at or above 0.80, interval reaches below 0.80"),
        (300_000_000, 500_000_000, "at or above 0.80, interval reaches below 0.80"),
        (299_999_999, 500_000_000, "below 0.80, significant"),
    ],
)
def test_exactly_four_fifths_is_not_below(outcome_run, favorable, n, word):
    """0.6 / 0.75 is 0.7999999999999999 in floating point; the counts say exactly four fifths."""
    reference = (3 * n // 5, 4 * n // 5)
    found = words(outcome_run({"F": (favorable, n), "M": reference}, min_group_size=1))
    assert found["F"] == word


def test_a_ratio_just_below_is_not_printed_as_the_threshold(outcome_run):
    run = outcome_run({"F": (299_999_999, 500_000_000), "M": (300_000_000, 400_000_000)})
    table = view_test(run.record.tests[0]).table
    assert table.cell(table.rows[0], "ratio") == "0.799999997"


def test_significance_is_that_of_the_adjusted_p(outcome_run):
    """Unadjusted p is 0.034 for B; among three comparisons Holm makes it 0.10."""
    groups = {"A": (50, 100), "B": (35, 100), "C": (46, 100), "D": (48, 100)}
    assert words(outcome_run(groups))["B"] == "below 0.80, significant"
    assert words(outcome_run(groups, p_value_adjustment="holm"))["B"] == "below 0.80, may be chance"


def test_a_threshold_prints_as_given(outcome_run):
    groups = {"A": (200, 400), "B": (100, 400)}
    assert words(outcome_run(groups, impact_ratio_threshold=0.875))["B"] == "below 0.875, significant"
    assert words(outcome_run(groups, impact_ratio_threshold=1))["B"] == "below 1.00, significant"


def test_inconclusive_findings_are_counted_as_such(everything):
    counts = view_run(everything.record).counts
    assert (counts.below, counts.inconclusive, counts.meets, counts.too_few) == (1, 2, 1, 1)
    assert counts.compared == 4


def test_states_have_a_word_and_a_glyph():
    texts = [state(status).text for status in Status]
    assert texts == ["● passing", "▼ failing", "○ skipped", "◆ not enough evidence", "□ manual review"]


def test_findings_are_told_apart_without_colour():
    glyphs = {kind: finding(kind, "0.80").glyph for kind in Kind}
    sides = {}
    for kind, glyph in glyphs.items():
        sides.setdefault(glyph, set()).add(finding(kind, "0.80").side)
    assert all(found <= {Side.TOO_FEW, Side.NOT_TESTED} or len(found) == 1 for found in sides.values())
