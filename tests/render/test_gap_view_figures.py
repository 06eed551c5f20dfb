"""Figures of rate gaps: every drawn end is that of the record, the bar is dashed, names stay text."""

import re

import pytest
from matplotlib import rcParams
from matplotlib.figure import Figure

from fairreport.render.figures import gap_figure_svg, plot_run, plot_test


def ends_of(axes):
    """Return the ends of every drawn interval, by row."""
    found = {}
    for line in axes.lines:
        x, y = line.get_xdata(), line.get_ydata()
        if len(x) == 2 and y[0] == y[1] and line.get_linestyle() == "-":
            found[y[0]] = tuple(x)
    return found


def bars_of(axes):
    return {line.get_xdata()[0]: tuple(line.get_ydata()) for line in axes.lines if line.get_linestyle() == "--"}


def labels_of(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


def test_the_pairs_of_a_rule(gap_run):
    run = gap_run({"a": (100, 2000), "b": (400, 2000), "c": (150, 2000)})
    axes = run.results[0].plot()
    gaps = sorted(run.record.rate_gaps[0].finding.rules[0].gaps, key=lambda gap: -gap.gap_lower)
    assert labels_of(axes) == [f"{gap.a} / {gap.b}" for gap in gaps]
    for row, gap in enumerate(gaps):
        assert ends_of(axes)[row] == (gap.gap_lower, min(gap.gap_upper, axes.get_xlim()[1]))
    assert bars_of(axes) == {0.05: (-0.5, 2.5)}
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "wholly beyond the bar",
        "reaches over the bar",
    ]


def test_the_groups_of_a_floor(gap_run):
    run = gap_run({"a": (100, 2000), "b": (400, 2000)}, {"rate": "selection", "worst_group": 0.9})
    axes = run.results[0].plot()
    groups = sorted(run.record.rate_gaps[0].finding.rules[0].groups, key=lambda group: group.upper)
    assert labels_of(axes) == [group.label for group in groups]
    assert [ends_of(axes)[row] for row in range(2)] == [(group.lower, group.upper) for group in groups]
    assert 0.9 in bars_of(axes)


def test_every_rule_has_its_own_bar(every_state):
    axes = every_state.results[0].plot()
    assert set(bars_of(axes)) == {0.8, 0.05, 0.1, 0.2}
    words = [text.get_text() for text in axes.texts]
    assert "▼ FAIL · missed: false negative rate by sex, gap ≤ 0.05" in words
    assert labels_of(axes).count("") == 4


def test_axes_in_axes_out(every_state):
    given = Figure().subplots()
    assert plot_test(every_state.record.rate_gaps[0], given) is given
    assert ends_of(given)


def test_a_run_has_a_panel_a_test(gap_mixed):
    figure = plot_run(gap_mixed.record)
    assert len(figure.axes) == 3
    assert [text.get_text() for text in figure.texts] == ["by sex", "gaps", "by region"]
    assert any("no column 'region'" in text.get_text() for text in figure.axes[2].texts)


def test_what_is_not_drawn_is_said(gap_run):
    run = gap_run({f"g{i:02d}": (i % 20, 100) for i in range(40)})
    axes = run.results[0].plot()
    assert len(labels_of(axes)) == 60
    assert axes.get_xlabel().endswith("not drawn: 720 further pairs")


@pytest.mark.parametrize("position", [0, 1])
def test_names_are_text_in_svg(gap_hostile, position):
    record = gap_hostile.record.rate_gaps[0]
    svg = gap_figure_svg(record, position)
    assert svg == gap_figure_svg(record, record.finding.rules[position])
    assert svg.startswith('<svg role="img" aria-label="')
    assert "<script>" not in svg
    assert "<img" not in svg
    assert "fr-name-" not in svg
    assert "日本語" in svg
    assert re.match(r"<svg[^>]*><title>", svg)


def test_two_figures_share_no_identifier(every_state):
    record = every_state.record.rate_gaps[0]
    found = [set(re.findall(r' id="([^"]*)"', gap_figure_svg(record, i))) for i in range(4)]
    assert not found[0] & found[1]
    assert not found[2] & found[3]


def test_no_setting_is_left_changed(every_state):
    before = dict(rcParams)
    every_state.plot()
    gap_figure_svg(every_state.record.rate_gaps[0], 0)
    assert dict(rcParams) == before


def test_a_figure_of_fewer_rows_says_so(gap_run):
    record = gap_run({f"g{i}": (i, 100) for i in range(9)}).record.rate_gaps[0]
    assert "not drawn: 26 further pairs" in gap_figure_svg(record, 0, rows=10)
    assert "not drawn" not in gap_figure_svg(record, 0)
