"""Figures follow our style sheet, what the user has set wins over it, and a style that is named wins over both."""

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import fairreport as fr
from fairreport.render import figure_style
from fairreport.render.figure_marks import MARKERS
from fairreport.render.figures import figure_svg, plot_distribution, plot_test


def colours(axes):
    return {to_hex(line.get_markeredgecolor()) for line in axes.lines if line.get_marker() not in {"None", None, ""}}


def luminance(colour):
    """Relative luminance of WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def as_deuteranope(colour):
    """The colour as it looks without the middle cones (Vienot, Brettel and Mollon 1999, in linear light)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.29275 * red + 0.70725 * green, -0.02234 * red + 0.02234 * green + blue


def test_the_sheet_is_what_the_marks_say():
    sheet = figure_style.sheet()
    named = [figure_style.BELOW, figure_style.MEETS, figure_style.OPEN]
    assert [to_hex(it) for it in sheet["axes.prop_cycle"].by_key()["color"]] == named
    assert to_hex(sheet["text.color"]) == figure_style.INK
    assert {colour for _, colour, _ in MARKERS.values()} == {*named, figure_style.INK, figure_style.FAINT}


def test_colours_stand_out_from_white_and_from_each_other():
    """WCAG 2.2, 1.4.11 asks for 3:1 between a mark and its ground."""
    for colour in (figure_style.BELOW, figure_style.MEETS, figure_style.OPEN, figure_style.INK, figure_style.FAINT):
        assert 1.05 / (luminance(colour) + 0.05) >= 3
    seen = [as_deuteranope(colour) for colour in (figure_style.BELOW, figure_style.MEETS, figure_style.OPEN)]
    for i, one in enumerate(seen):
        assert all(sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.04 for other in seen[:i])


def test_the_sheet_applies_to_new_figures_only(everything):
    record = everything.record.tests[0]
    before = dict(mpl.rcParams)
    axes = plot_test(record)
    assert axes.get_yticklabels()[0].get_fontsize() == 8
    assert figure_style.BELOW in colours(axes)
    own = Figure().add_subplot()
    assert plot_test(record, ax=own).get_yticklabels()[0].get_fontsize() == mpl.rcParamsDefault["font.size"]
    assert dict(mpl.rcParams) == before
    assert plt.get_fignums() == []


def test_what_the_user_has_set_wins_over_the_sheet(everything):
    record = everything.record.tests[0]
    cycle = mpl.cycler(color=["#aa0000", "#00aa00", "#0000aa"])
    with mpl.rc_context({"font.size": 13, "axes.prop_cycle": cycle, "text.color": "#123456"}):
        axes = plot_test(record)
    assert axes.get_yticklabels()[0].get_fontsize() == 13
    assert {"#aa0000", "#00aa00", "#0000aa"} <= colours(axes)
    assert figure_style.BELOW not in colours(axes)
    assert axes.xaxis.label.get_color() == "#123456"


@pytest.mark.parametrize("given", [False, True])
def test_a_style_that_is_named_wins_over_both(everything, given, tmp_path):
    sheet = tmp_path / "house.mplstyle"
    sheet.write_text('axes.prop_cycle: cycler("color", ["111111", "222222", "333333"])\nfont.size: 11\n')
    with mpl.rc_context({"font.size": 13}):
        axes = everything.results[0].plot(ax=Figure().add_subplot() if given else None, style=sheet)
    assert axes.get_yticklabels()[0].get_fontsize() == (13 if given else 11)  # the user's axes keep their tick labels
    assert axes.get_legend().get_texts()[0].get_fontsize() == 11
    assert {"#111111", "#222222", "#333333"} <= colours(axes)


def test_a_style_may_be_a_name_or_several(everything):
    axes = everything.results[0].plot(style="dark_background")
    assert to_hex(axes.figure.get_facecolor()) == "#000000"
    assert to_hex(axes.xaxis.label.get_color()) == "#ffffff"
    assert everything.results[0].plot(style=["ggplot", {"font.size": 6}]).get_yticklabels()[0].get_fontsize() == 6
    assert to_hex(everything.plot(style="dark_background").get_facecolor()) == "#000000"


def test_every_kind_of_result_takes_a_style(gap_mixed, pair_family):
    for run in (gap_mixed, pair_family):
        for result in run.results:
            assert result.plot(style={"text.color": "#123456"}).figure is not None
    assert plt.get_fignums() == []


def test_the_packet_has_our_style_whatever_is_set(everything):
    record = everything.record.tests[0]
    plain = figure_svg(record)
    with mpl.rc_context({"axes.prop_cycle": mpl.cycler(color=["r", "g", "b"]), "text.color": "#123456"}):
        assert figure_svg(record) == plain
    assert figure_style.BELOW in plain


def test_two_and_sixty_groups_have_room(outcome_run):
    """No name touches the next: rows are at least as high as their text."""
    for n in (2, 60):
        axes = plot_test(outcome_run({f"group {i}": (400 - 5 * i, 600) for i in range(n)}).record.tests[0])
        rows = len(axes.get_yticks())
        height = axes.get_window_extent().height / axes.figure.dpi * 72
        assert height / rows > axes.get_yticklabels()[0].get_fontsize() * 1.3


def test_distributions_take_a_style():
    rows = {"g": ["a", "b"] * 60, "score": list(range(120))}
    record = fr.Audit(rows).score_disparity("g", "score").run().record.tests[0]
    axes = plot_distribution(record, style={"font.size": 6})
    assert axes.get_yticklabels()[0].get_fontsize() == 6
