"""The plot of named pairs: headings clear of the lines, marks as in the legend, names that end within the figure."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import fairreport as fr
from fairreport.analyses.pair_tests import (
    AdverseImpactRatio,
    AdverseImpactRatioByQuantile,
    SegmentedAdverseImpactRatio,
)
from fairreport.render.figure_layout import fitted, labels_of, width_of
from fairreport.render.figure_marks import MARKERS
from fairreport.render.pair_curves import _COLOURS
from fairreport.render.pair_plot import Heading

LONG = {
    "capitals": "A" * 120,
    "wide": "WM" * 60,
    "words": ("Hispanic or Latino of any race, " * 4)[:120],
    "no font": "\u6f22\u5b57" * 60,
}
SHARED = {"reference_values": {"race": "White", "sex": "M"}, "percent_difference_threshold": 0.0, "air_threshold": 0.8}
TESTS = {
    "one": AdverseImpactRatio(outcome="hired", **SHARED),
    "segments": SegmentedAdverseImpactRatio(outcome="hired", segment="site", **SHARED),
    "quantiles": AdverseImpactRatioByQuantile(outcome="score", quantiles=[0.25, 0.5], **SHARED),
}


def plotted(test, group="Black", site="x"):
    """Return the axes of a test whose worst group and first segment have these names."""
    rows = {
        "race": [group] * 50 + ["White"] * 40 + ["Asian"] * 30,
        "sex": ["F", "M"] * 60,
        "hired": [1] * 15 + [0] * 35 + [1] * 30 + [0] * 10 + [1] * 20 + [0] * 10,
        "site": [site, "y", "z", "y", site] * 24,
        "score": [i % 17 for i in range(120)],
    }
    return fr.Audit(rows, tests=[TESTS[test]]).run()[0].plot()


def lines_in(axes, position):
    """Return where lines from top to bottom go through a row."""
    found = set()
    for line in axes.lines:
        xs, ys = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        if len(set(xs)) > 1 or len(ys) < 2:
            continue
        if line.get_transform() != axes.transData:
            found.add(xs[0])  # from top to bottom
        found |= {xs[0] for a, b in pairwise(ys) if a < position < b}
    return found


def boxes(axes):
    canvas = FigureCanvasAgg(axes.figure)
    canvas.draw()
    texts = [*axes.texts, *axes.get_yticklabels(), *axes.get_legend().get_texts()]
    return canvas.get_width_height()[0], [text.get_window_extent(canvas.get_renderer()) for text in texts]


@pytest.mark.parametrize("name", LONG)
def test_no_line_crosses_a_heading(name):
    axes = plotted("segments", LONG[name])
    assert 0.8 not in lines_in(axes, 0)
    assert lines_in(axes, 1) == lines_in(axes, 2) == {0.8, 1.0}
    text = next(it for it in axes.texts if it.get_weight() == "bold")
    canvas = FigureCanvasAgg(axes.figure)
    canvas.draw()
    end = text.get_window_extent(canvas.get_renderer()).x1
    assert all(axes.transData.transform((x, 0))[0] > end for x in lines_in(axes, 0))


def test_lines_go_on_where_a_heading_ends_before_them():
    axes = plotted("segments")
    assert lines_in(axes, 0) == {0.8, 1.0}


@pytest.mark.parametrize("dpi", [72, 300, *(pytest.param(it, marks=pytest.mark.heavy) for it in (100, 130))])
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("test", TESTS)
def test_no_name_ends_outside_the_figure(test, name, dpi):
    axes = plotted(test, LONG[name], LONG[name])
    axes.figure.set_dpi(dpi)
    width, found = boxes(axes)
    assert min(box.x0 for box in found) >= 0
    assert max(box.x1 for box in found if box.width) <= width


def test_a_point_of_a_curve_has_the_mark_of_the_legend():
    axes = plotted("quantiles")

    def looks(line):
        return line.get_marker(), line.get_markeredgecolor(), line.get_markerfacecolor(), line.get_markersize()

    points = {looks(line) for line in axes.lines if line.get_marker() != "None"}
    assert points == {looks(line) for line in axes.get_legend().legend_handles}
    assert len({shape for shape, *_ in points}) == len(points) > 1


def test_no_pair_has_the_colour_of_a_finding_that_has_one():
    assert not {"#9c2a00", "#00508c", "#4d4d4d"} & set(_COLOURS)
    assert {"#9c2a00", "#00508c", "#4d4d4d"} <= {colour for _, colour, _ in MARKERS.values()}


def test_different_wide_names_stay_different():
    wide = ["W" * 60 + "A" + "W" * 59, "W" * 60 + "B" + "W" * 59]
    rows = [Heading("", label) for label in wide]
    first, second = labels_of(rows)
    assert first != second
    assert max(map(len, first)) < 34


def test_a_text_is_fitted_to_its_room():
    assert width_of(fitted("W" * 120, 1.0)) <= 1.0
    assert fitted("short", 1.0) == "short"
