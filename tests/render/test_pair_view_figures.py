"""Figures of named pairs: drawn ends are those of the record, thresholds dashed, curves, pooled diamonds, safe SVG."""

import re
import sys
from xml.etree import ElementTree as ET

import pytest
from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from fairreport.render.builders import view_run
from fairreport.render.figures import pair_figure_svg, plot_run, plot_test
from fairreport.render.pair_plot import MOST_ROWS

RUNS = ["pair_one", "pair_family", "pair_segments", "pair_quantiles", "pair_weighted", "pair_hostile", "pair_undefined"]


def ends_of(axes):
    """Return the ends of every drawn interval, by row."""
    found = {}
    for line in axes.lines:
        x, y = line.get_xdata(), line.get_ydata()
        if len(x) == 2 and y[0] == y[1] and line.get_linestyle() == "-":
            found[y[0]] = tuple(x)
    return found


def labels_of(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


def diamonds_of(axes):
    return [patch for patch in axes.patches if type(patch) is Polygon and len(patch.get_xy()) == 5]


def test_the_groups_of_a_ratio(pair_one):
    axes = pair_one.results[0].plot()
    rows = view_run(pair_one.record).pairs[0].tables[0].table.rows
    assert labels_of(axes) == [row.label for row in rows]
    for position, row in enumerate(rows):
        if not row.is_reference:
            low, high = axes.get_xlim()
            assert ends_of(axes)[position] == (max(row.marks.low, low), min(row.marks.high, high))
    assert axes.get_xlabel() == "Adverse impact ratio (AIR)"
    assert "0.80" in [text.get_text() for text in axes.texts]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "below 0.80, practically significant",
        "below 0.80, may be chance",
        "interval reaches below 0.80",
        "at or above 0.80",
        "reference",
    ]


def test_two_groups_and_as_many_as_there_can_be(pair_run):
    two = pair_run({"White": (30, 60), "A": (20, 60)}).results[0].plot()
    assert labels_of(two) == ["White", "A"]
    groups = {"White": (40, 60)} | {f"Group {i}": (5 + i % 40, 60) for i in range(60)}
    axes = pair_run(groups).results[0].plot()
    assert len(labels_of(axes)) == MOST_ROWS
    assert labels_of(axes)[0] == "White"
    assert axes.get_xlabel().endswith("not drawn: 1 further comparison")


def test_groups_with_different_references_say_them(pair_family):
    assert labels_of(pair_family.results[0].plot()) == [
        "race / White",
        "race / Black vs White",
        "race / Asian vs White",
        "sex / M",
        "sex / F vs M",
    ]


def test_quantiles_are_a_curve_a_pair(pair_quantiles):
    axes = pair_quantiles.results[0].plot()
    curves = [line for line in axes.lines if len(line.get_xdata()) == 10]
    assert len(curves) == 6
    finding = pair_quantiles.record.pairs[0].finding
    ratios = {
        tuple(row.ratio for table in finding.tables for row in table.rows if row.group == f"Group {i}")
        for i in range(6)
    }
    top = axes.get_ylim()[1]
    assert {tuple(line.get_ydata()) for line in curves} == {tuple(min(y, top) for y in ys) for ys in ratios}
    assert {f"Group {i}" for i in range(6)} <= {text.get_text() for text in axes.texts}
    assert axes.get_ylabel() == "Adverse impact ratio (AIR)"


def test_categories_are_named_under_the_curves(pair_family):
    axes = pair_family["categorical_adverse_impact_ratio"].plot()
    assert [text.get_text() for text in axes.get_xticklabels()] == ["good", "mid"]
    assert axes.get_xlabel() == "Category or better"


def test_at_most_six_curves_are_drawn_and_the_rest_is_said(pair_hostile):
    axes = pair_hostile.results[1].plot()
    assert axes.get_xlabel() == "Category or better\nnot drawn: 4 further pairs"


def test_a_pooled_pair_is_a_diamond_on_top_of_its_segments(pair_segments):
    axes = pair_segments.results[0].plot()
    (pooled,) = pair_segments.record.pairs[0].finding.pooled
    (diamond,) = diamonds_of(axes)
    assert labels_of(axes) == ["Pooled, 3 segments", "All", "Lonely", "North", "South"]
    corners = diamond.get_xy()
    assert (corners[0][0], corners[1][0]) == (pooled.air_interval.low, pooled.air)
    assert {y for _, y in corners} == {0, -0.3, 0.3}


def test_several_pairs_have_headings(pair_family):
    axes = pair_family["segmented_adverse_impact_ratio"].plot()
    words = [text.get_text() for text in axes.texts]
    assert {"Black vs White", "Asian vs White"} <= set(words)
    assert len(diamonds_of(axes)) == 2


@pytest.mark.parametrize("name", RUNS)
def test_axes_in_axes_out(name, request):
    for record in request.getfixturevalue(name).record.pairs:
        given = Figure().subplots()
        assert plot_test(record, given) is given


def test_a_run_has_a_panel_a_test(pair_mixed):
    figure = plot_run(pair_mixed.record)
    assert len(figure.axes) == 5
    assert [text.get_text() for text in figure.texts] == ["by sex", "gaps", "AIR", "missed pairs", "by region"]


def test_a_skipped_test_is_drawn_as_its_reason(pair_mixed):
    axes = pair_mixed["by region"].plot()
    assert "the table has no column 'region'" in axes.texts[0].get_text()
    assert "the table has no column" in pair_figure_svg(pair_mixed.record.pairs[2])


def test_nothing_of_matplotlib_is_left_changed(pair_segments):
    before = dict(rcParams)
    pair_segments.results[0].plot()
    pair_figure_svg(pair_segments.record.pairs[0])
    assert dict(rcParams) == before
    assert "matplotlib.pyplot" not in sys.modules or before


@pytest.mark.parametrize("name", RUNS)
def test_an_svg_is_whole_titled_and_has_names_as_text(name, request):
    for record in request.getfixturevalue(name).record.pairs:
        text = pair_figure_svg(record)
        root = ET.fromstring(text)
        assert root[0].tag.endswith("title")
        assert root[0].text == root.get("aria-label")
        assert not re.search(r">fr-(name|tick|head|reason)-", text)
        assert "<script" not in text
        assert pair_figure_svg(record) == text


def test_two_figures_share_no_identifier(pair_family):
    found = [set(re.findall(r' id="([^"]+)"', pair_figure_svg(record))) for record in pair_family.record.pairs]
    assert sum(map(len, found)) == len(set().union(*found))


def test_hostile_names_stay_text(pair_hostile):
    for record in pair_hostile.record.pairs:
        text = pair_figure_svg(record)
        assert "&lt;" in text
        assert not re.search(r"<(script|img|b|i)\b", text)
