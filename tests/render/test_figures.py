"""Figures: drawn without pyplot, without a warning, the same bytes every time, with every name as text."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

from fairreport.render import figure_marks
from fairreport.render.figures import figure_svg, plot_run, plot_test

SVG = "{http://www.w3.org/2000/svg}"


def many(outcome_run, n, name="group {} with a name of about sixty characters in all, really"):
    return outcome_run({name.format(i): (400 - 5 * i, 600) for i in range(n)})


@pytest.mark.parametrize("n", [2, 60, *(pytest.param(n, marks=pytest.mark.heavy) for n in (7, 40))])
def test_any_number_of_groups(outcome_run, n):
    record = many(outcome_run, n).record.tests[0]
    axes = plot_test(record)
    assert len(axes.get_yticklabels()) == min(n, 40)
    assert axes._repr_png_().startswith(b"\x89PNG")
    root = ET.fromstring(figure_svg(record))
    names = [text.text for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "end"]
    assert len([name for name in names if name.startswith("group")]) == min(n, 40)
    if n > 40:
        assert "20 further groups" in "".join(root.itertext())


def test_one_judged_group_is_skipped_in_words(outcome_run):
    record = outcome_run({"a": (30, 60), "b": (1, 2)}).record.tests[0]
    root = ET.fromstring(figure_svg(record))
    assert "at least 2 are needed" in "".join(root.itertext())
    assert plot_test(record).figure is not None


def test_every_finding_is_drawn_with_its_own_mark(everything):
    svg = figure_svg(everything.record.tests[0])
    for words in ("below 0.80, significant", "below 0.80, may be chance", "interval reaches below 0.80", "reference"):
        assert words in svg
    assert "not drawn: 1 group with not enough data" in svg
    assert len({(mark[0], mark[2]) for mark in figure_marks.MARKERS.values()}) >= 5


def test_the_same_bytes(everything, several):
    for run in (everything, several):
        for record in run.record.tests:
            assert figure_svg(record) == figure_svg(record)


def test_the_bytes_do_not_hang_on_settings(everything):
    record = everything.record.tests[0]
    plain = figure_svg(record)
    with mpl.rc_context({"font.size": 20, "svg.fonttype": "path", "axes.facecolor": "red"}):
        assert figure_svg(record) == plain


def test_no_setting_is_left_changed(everything):
    before = dict(mpl.rcParams)
    figure_svg(everything.record.tests[0])
    plot_test(everything.record.tests[0])._repr_png_()
    plot_run(everything.record)
    assert dict(mpl.rcParams) == before


def test_an_svg_that_can_stand_in_a_page(everything):
    svg = figure_svg(everything.record.tests[0])
    root = ET.fromstring(svg)
    assert root[0].tag == f"{SVG}title"
    assert root.get("role") == "img"
    assert root.get("aria-label") == root[0].text
    assert "<style" not in svg
    assert "<!" not in svg
    assert "<?" not in svg
    assert "<metadata" not in svg
    identifiers = re.findall(r' id="([^"]+)"', svg)
    assert all(re.fullmatch(r"fr[0-9a-f]{8}-\w+", item) for item in identifiers)
    assert set(re.findall(r"#(fr[^)\"]*)", svg)) == set(identifiers)


def test_two_figures_share_no_identifier(several):
    texts = [figure_svg(record) for record in several.record.tests]
    sets = [set(re.findall(r' id="([^"]+)"', text)) for text in texts]
    assert not sets[0] & sets[1]


def test_hostile_names_are_text(hostile, hostile_names):
    svg = figure_svg(hostile.record.tests[0])
    root = ET.fromstring(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "g", "path", "text", "use", "defs", "clipPath", "rect",
    }  # fmt: skip
    said = {text.text for text in root.iter(f"{SVG}text")}
    for name in hostile_names:
        if name.isprintable() and len(name) <= 34:
            assert name in said
    assert not re.search(r"fr-name-", svg)


def test_matplotlib_reads_no_formula_into_a_name(outcome_run):
    axes = plot_test(outcome_run({"$\\frac{1}{": (10, 100), "b$": (80, 100)}).record.tests[0])
    assert axes._repr_png_()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["$\\frac{1}{", "b$"]


def test_a_character_without_a_font_stands_as_its_number(outcome_run):
    """U+10900 (Phoenician) is in no font that figures turn to; a warning would be an error here."""
    axes = plot_test(outcome_run({"\U00010900": (10, 100), "b": (80, 100)}).record.tests[0])
    assert axes._repr_png_()
    assert axes.get_yticklabels()[0].get_text() == "[U+10900]"


def test_given_axes_are_used(everything):
    axes = Figure().add_subplot()
    assert plot_test(everything.record.tests[0], ax=axes) is axes
    assert everything.results[0].plot(ax=axes) is axes


def test_a_run_has_a_panel_a_test(several):
    figure = several.plot()
    assert len(figure.axes) == 3
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_undefined_values_are_words_not_marks(everything):
    record = everything.record.tests[0]
    rows = list(record.finding.groups)
    rows[0] = replace(rows[0], ratio=None, ratio_interval=None)
    svg = figure_svg(replace(record, finding=replace(record.finding, groups=tuple(rows))))
    assert ">n.d.</text>" in svg
    assert "nan" not in svg.lower().replace("dejavu", "")
