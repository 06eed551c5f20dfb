"""Metric tests as views and figures: every number finite or in words, every mark where it belongs."""

import random
import re

import pytest

import fairreport as fr
from fairreport.analyses.metrics import CATALOGUE
from fairreport.render.builders import view_test
from fairreport.render.figures import figure_svg, plot_test

STATED = {
    "auc": {"score_column": "p", "ground_truth_column": "y", "positive_values": 1},
    "log_loss": {"probability_column": "p", "ground_truth_column": "y", "positive_values": 1},
    "brier": {"probability_column": "p", "ground_truth_column": "y", "positive_values": 1},
    "npv": {"prediction_column": "guess", "ground_truth_column": "y", "positive_values": 1},
    "false_omission_rate": {"prediction_column": "guess", "ground_truth_column": "y", "positive_values": 1},
    "mae": {"prediction_column": "f", "ground_truth_column": "x"},
    "rmse": {"prediction_column": "f", "ground_truth_column": "x"},
    "r2": {"prediction_column": "f", "ground_truth_column": "x"},
    "mean": {"value_column": "x", "higher_is_better": True},
    "median": {"value_column": "x", "higher_is_better": False},
    "p95": {"value_column": "x", "higher_is_better": False},
    "rate": {"value_column": "y", "positive_values": 1, "higher_is_better": True},
}
UNREADABLE = re.compile(r"\b(nan|inf|none)\b|e[+-]0", re.IGNORECASE)


@pytest.fixture(scope="module")
def rows():
    """Three groups of different quality, and a small one."""
    r = random.Random(5)
    table = {key: [] for key in ("g", "p", "y", "guess", "x", "f")}
    for i, group in enumerate("abcd"):
        for _ in range(120 if i < 3 else 6):
            y, x = r.random() < 0.4, r.gauss(100, 20)
            p = min(0.99, max(0.01, (0.7 - 0.1 * i if y else 0.3) + r.gauss(0, 0.15)))
            row = {"g": group, "p": p, "y": int(y), "guess": int(p > 0.5), "x": x, "f": x + r.gauss(0, 10 + 9 * i)}
            for key, value in row.items():
                table[key].append(value)
    return table


def record_of(table, metric, **parameters):
    parameters.setdefault("min_group_share", 0)
    return fr.Audit(table).metric_parity("g", metric, **parameters).run().record.tests[0]


def cells_of(record):
    table = view_test(record).table
    return {row.label: {column.key: table.cell(row, column.key) for column in table.columns} for row in table.rows}


def row_of(record, label):
    return next(row for row in view_test(record).table.rows if row.label == label)


def svg_texts(record):
    return re.findall(r">([^<>]+)</text>", figure_svg(record))


def test_every_metric_of_the_catalogue_is_looked_at():
    assert set(STATED) == set(CATALOGUE)


@pytest.mark.parametrize("metric", STATED)
def test_every_metric_has_finite_words(rows, metric):
    record = record_of(rows, metric, **STATED[metric])
    view = view_test(record)
    assert view.table is not None
    for row in view.table.rows:
        for text in (*row.cells, row.figure, row.marks.label, row.sentence.text):
            assert text
            assert not UNREADABLE.search(text), text
    for sentence in (*view.insights, *view.notes, view.headline, view.table.caption):
        assert not UNREADABLE.search(sentence.text)
    better = "higher is better" if record.test.better_is_higher else "lower is better"
    assert better in view.table.axis.heading
    assert any(better in text for text in svg_texts(record))
    assert f"({better})" in view.table.caption.text
    assert plot_test(record)._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("metric", STATED)
def test_the_threshold_line_stands_where_a_group_begins_to_fail(rows, metric):
    record = record_of(rows, metric, **STATED[metric])
    axis, point = view_test(record).table.axis, record.finding.comparison_value
    assert axis.reference == point
    better_is_higher = record.test.better_is_higher
    assert axis.threshold == pytest.approx(point * 0.8 if better_is_higher else point / 0.8)
    assert "ratio 0.80" in svg_texts(record)
    for row in record.finding.groups:
        if row.sufficient:
            beyond = row.value < axis.threshold if better_is_higher else row.value > axis.threshold
            assert row.failing == beyond


def test_the_nearer_of_two_limits_is_drawn(rows):
    stated = STATED["mean"]
    near = view_test(record_of(rows, "mean", max_difference=2, **stated)).table.axis
    far = view_test(record_of(rows, "mean", max_difference=50, **stated)).table.axis
    assert near.threshold == pytest.approx(near.reference - 2)
    assert (near.threshold_text, far.threshold_text) == ("gap 2.00", "ratio 0.80")


def test_overall_comparison_names_its_line(rows):
    record = record_of(rows, "rate", comparison="overall", **STATED["rate"])
    assert "all rows" in svg_texts(record)
    assert "compared with all evaluated rows" in view_test(record).table.caption.text
    assert "all rows" not in svg_texts(record_of(rows, "rate", **STATED["rate"]))


def test_informational_columns_are_marked_and_not_brief(rows):
    auc = view_test(record_of(rows, "auc", **STATED["auc"])).table
    score = view_test(fr.Audit(rows).score_disparity("g", "p", min_group_share=0).run().record.tests[0]).table
    wanted = {"delong_interval", "probability_of_superiority", "cliffs_delta", "ks_distance"}
    columns = {column.key: column for column in (*auc.columns, *score.columns)}
    for key in wanted:
        assert columns[key].heading.endswith("(informational)")
        assert not columns[key].brief
    assert auc.cell(auc.rows[0], "delong_interval").count("–") == 1
    other = view_test(record_of(rows, "brier", **STATED["brier"])).table
    assert "delong_interval" not in {column.key for column in other.columns}


def perfect(n=40):
    """Group a is separated perfectly, b upside down, c in between, d has one class."""
    table = {"g": [], "p": [], "y": []}
    for group in "abcd":
        for i in range(n):
            y = i % 2
            p = {"a": y, "b": 1 - y, "c": (i * 7 % n) / n * 0.5 + 0.3 * y, "d": i / n}[group]
            table["g"].append(group)
            table["p"].append(p)
            table["y"].append(0 if group == "d" else y)
    return table


def test_an_auc_without_error_is_not_estimable():
    record = record_of(perfect(), "auc", **STATED["auc"])
    cells = cells_of(record)
    assert cells["a"]["interval"] == cells["b"]["interval"] == "not estimable"
    assert cells["a"]["delong_interval"] == "not estimable"
    assert cells["b"]["p_value"] == "no variation"
    for label in "ab":
        marks = row_of(record, label).marks
        assert (marks.low, marks.high) == (None, None)
        assert "interval not estimable" in marks.label
    assert "–" in cells["c"]["interval"]
    assert plot_test(record)._repr_png_()


def test_an_undefined_group_has_a_line_of_its_own():
    record = record_of(perfect(), "auc", **STATED["auc"])
    row = row_of(record, "d")
    assert row.finding.text == "○ not defined"
    assert cells_of(record)["d"]["value"] == "n.d."
    assert row.sentence.text == "d: AUC n.d. (n 40); not defined, not compared."
    assert {"d", "n.d."} <= set(svg_texts(record))
    assert "1 without a ratio" in view_test(record).counts_sentence.text


def test_no_variation_stands_in_place_of_a_p_value_of_zero():
    table = {"g": ["a"] * 40 + ["b"] * 40 + ["c"] * 40, "x": [3] * 40 + [5] * 40 + [4, 5] * 20}
    record = record_of(table, "mean", **STATED["mean"])
    cells = cells_of(record)
    assert cells["a"]["p_value"] == "no variation"
    assert cells["a"]["interval"] == "no variation"
    assert "no variation within the groups" in row_of(record, "a").sentence.text
    assert cells["c"]["p_value"] not in {"no variation", "0"}
    assert row_of(record, "a").marks.low is None


def test_a_negative_ratio_is_to_be_read_as_a_gap():
    table = {"g": ["a"] * 40 + ["b"] * 40, "x": list(range(40)) * 2}
    table["f"] = [*range(40), *(39 - i for i in range(40))]
    record = record_of(table, "r2", **STATED["r2"])
    cells = cells_of(record)
    assert (cells["b"]["ratio"], cells["a"]["ratio"]) == ("read the gap", "1.000")
    view = view_test(record)
    assert "not a meaningful ratio, read the gap" in view.headline.text
    assert "not a meaningful ratio, read the gap" in view.notes[0].text
    assert "interval" not in cells["a"]
    assert record.finding.groups[0].ratio < 0


def test_without_a_ratio_a_group_that_is_not_worse_says_so():
    table = {"g": ["a"] * 40 + ["b"] * 40, "y": [0] * 80}
    record = record_of(table, "rate", **STATED["rate"])
    assert {row.finding.word for row in view_test(record).table.rows} == {"not worse, no ratio", "reference"}
    axis = view_test(record).table.axis
    assert axis.threshold is None
    assert "dashed" not in axis.heading


def test_small_values_keep_their_digits():
    table = {"g": ["a"] * 40 + ["b"] * 40, "x": [0.00041, 0.00043] * 20 + [0.00031, 0.00033] * 20}
    cells = cells_of(record_of(table, "mean", **STATED["mean"]))
    assert (cells["a"]["value"], cells["b"]["value"], cells["b"]["gap"]) == ("0.000420", "0.000320", "0.000100")


@pytest.mark.parametrize("adjustment", ["none", "holm"])
def test_adjusted_p_heads_a_column_only_where_p_is_adjusted(adjustment):
    table = {"g": ["a"] * 40 + ["b"] * 40, "x": [0, 1] * 20 + [0, 1, 0, 0] * 10}
    audit = fr.Audit(table).outcome_disparity("g", "x", 1, p_value_adjustment=adjustment)
    audit.score_disparity("g", "x", p_value_adjustment=adjustment)
    audit.metric_parity("g", "mean", value_column="x", higher_is_better=True, p_value_adjustment=adjustment)
    run = audit.run()
    for record in run.record.tests:
        headings = [column.heading for column in view_test(record).table.columns]
        assert "p" in headings
        assert ("Adjusted p" in headings) == (adjustment == "holm")
    assert (">Adjusted p<" in fr.Report(run, preset="four_fifths").html()) == (adjustment == "holm")
