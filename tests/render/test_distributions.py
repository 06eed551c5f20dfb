"""The scores behind a score test: outlines from the evidence, the same bytes every time, every name as text."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from matplotlib.figure import Figure

import fairreport as fr
from fairreport.render.builders import view_test
from fairreport.render.distribution import SMALL_GROUPS, distribution_of
from fairreport.render.figures import distribution_svg, figure_svg, plot_distribution, plot_run, plot_test
from fairreport.render.words import Side

SVG = "{http://www.w3.org/2000/svg}"


def score_run(scores, column="score", **parameters):
    """Run a score test over {group: scores}."""
    rows = {"g": [name for name, values in scores.items() for _ in values]}
    rows[column] = [value for values in scores.values() for value in values]
    parameters.setdefault("min_group_share", 0)
    return fr.Audit(rows).score_disparity("g", column, **parameters).run()


def spread(shift, n=60):
    return [(i * 37 % n) / n * 40 + shift for i in range(n)]


def score_record(n, name="group {} with a name of about sixty characters in all, really", **parameters):
    return score_run({name.format(i): spread(i % 7) for i in range(n)}, **parameters).record.tests[0]


def shown(record):
    return distribution_of(record, view_test(record))


@pytest.mark.parametrize("n", [2, 60, *(pytest.param(n, marks=pytest.mark.heavy) for n in (7, 40))])
def test_any_number_of_groups(n):
    record = score_record(n)
    axes = plot_distribution(record)
    assert len(axes.get_yticklabels()) == min(n, 40)
    assert axes._repr_png_().startswith(b"\x89PNG")
    root = ET.fromstring(distribution_svg(record))
    assert root[0].tag == f"{SVG}title"
    assert len(root.findall(f".//{SVG}text")) > min(n, 40)
    if n > 40:
        assert "20 further groups" in "".join(root.itertext())


def test_one_group_is_a_reason_in_words():
    record = score_run({"a": spread(0)}).record.tests[0]
    assert "at least 2 are needed" in distribution_svg(record)
    assert plot_distribution(record)._repr_png_()
    assert len(plot_test(record).figure.axes) == 1


def test_one_value_only_is_a_reason_in_words():
    record = score_run({"a": [5] * 40, "b": [5] * 40}).record.tests[0]
    assert record.finding.evidence.edges == (5.0, 5.0)
    assert "scores are tied" in distribution_svg(record)


def test_edges_of_one_value_are_drawn_as_one_interval():
    record = score_record(2)
    tally = record.finding.evidence
    groups = tuple(replace(group, histogram=(group.n,), median=5.0) for group in tally.groups)
    one = replace(tally, edges=(5.0, 5.0), groups=groups, overall_median=5.0)
    record = replace(record, finding=replace(record.finding, evidence=one))
    assert shown(record).edges == (4.5, 5.5)
    assert "nan" not in distribution_svg(record).lower().replace("dejavu", "")


def test_outlines_are_the_histograms_of_the_evidence():
    record = score_record(3)
    groups = {group.group: group for group in record.finding.evidence.groups}
    drawn = shown(record)
    highest = max(max(group.histogram) / group.n for group in groups.values())
    for ridge in drawn.ridges:
        group = groups[(ridge.row.label,)]
        assert ridge.median == group.median
        assert ridge.heights == pytest.approx([rows / group.n / highest for rows in group.histogram])


def test_groups_stand_in_the_order_of_the_table():
    record = score_record(7)
    assert shown(record).rows == view_test(record).table.rows


def test_dark_intervals_hold_scores_of_the_favorable_side_only():
    for favors_above in (True, False):
        drawn = shown(score_record(3, higher_is_favorable=favors_above))
        for i in range(len(drawn.edges) - 1):
            if drawn.is_scoring(i):
                low, high = drawn.edges[i], drawn.edges[i + 1]
                assert low > drawn.overall_median if favors_above else high <= drawn.overall_median


def test_small_groups_are_light_few_and_counted():
    scores = {f"g{i}": spread(i) for i in range(3)} | {f"small {i}": spread(0)[: 3 + i] for i in range(8)}
    record = score_run(scores).record.tests[0]
    drawn = shown(record)
    small = [ridge for ridge in drawn.ridges if ridge.is_small]
    assert {ridge.row.label for ridge in small} == {f"small {i}" for i in range(3, 8)}
    assert len(small) == SMALL_GROUPS
    assert all(ridge.row.finding.side is Side.TOO_FEW for ridge in small)
    assert "not drawn: 3 groups with not enough data" in distribution_svg(record)
    assert "not drawn: 8 groups with not enough data" in figure_svg(record)


def test_long_tails_are_left_out_and_said():
    scores = {name: [*(value / 10 for value in spread(shift, 1200)), 1000.0] for name, shift in (("a", 0), ("b", 3))}
    record = score_run(scores).record.tests[0]
    drawn = shown(record)
    assert drawn.edges[-1] < 100
    assert "2 rows beyond the axis" in distribution_svg(record)


def test_a_lone_peak_does_not_flatten_the_others():
    flat = {f"g{i}": spread(i, 200) for i in range(4)}
    record = score_run(flat | {"peak": [20.0] * 190 + spread(0)[:10]}).record.tests[0]
    drawn = shown(record)
    assert "1 outline cut at the top" in drawn.remarks[0]
    assert min(max(ridge.heights) for ridge in drawn.ridges) > 0.2


def test_the_plot_of_a_score_test_has_both_parts():
    run = score_run({"a": spread(0), "b": spread(9)})
    axes = run.results[0].plot()
    left, right = axes.figure.axes
    assert axes is left
    assert left.get_ylim() == right.get_ylim()
    assert [text.get_text() for text in left.get_yticklabels()] == ["a", "b"]
    assert right._repr_png_() == left._repr_png_()
    assert len(plot_run(run.record).axes) == 1


def test_given_axes_are_used():
    record = score_record(2)
    for plot in (plot_test, plot_distribution):
        axes = Figure().add_subplot()
        assert plot(record, ax=axes) is axes
        assert axes.figure.axes == [axes]


def test_only_scores_have_distributions(everything):
    for draw in (plot_distribution, distribution_svg):
        with pytest.raises(ValueError, match="only score tests"):
            draw(everything.record.tests[0])


def test_hostile_names_are_text(hostile_names):
    scores = {name: spread(i) for i, name in enumerate(hostile_names)}
    record = score_run(scores, column="<b>score</b>|$x$\u202e").record.tests[0]
    svg = distribution_svg(record)
    root = ET.fromstring(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "g", "path", "text", "use", "defs", "clipPath", "rect",
    }  # fmt: skip
    said = {text.text for text in root.iter(f"{SVG}text")}
    for name in hostile_names:
        if name.isprintable() and len(name) <= 34:
            assert name in said
    assert "<b>score</b>|$x$[U+202E]" in said
    assert not re.search(r"fr-(name|score)-", svg)
    assert plot_test(record)._repr_png_()


def test_the_two_figures_of_a_test_share_no_identifier():
    record = score_record(2)
    sets = [set(re.findall(r' id="([^"]+)"', text)) for text in (figure_svg(record), distribution_svg(record))]
    assert all(sets)
    assert not sets[0] & sets[1]


PROGRAM = """
import sys
import fairreport as fr
from fairreport.render.figures import distribution_svg, plot_test
rows = {"g": ["x", "y", "z"] * 60, "s": [i * 37 % 101 for i in range(180)]}
record = fr.score_disparity(rows, "g", "s").record
print(distribution_svg(record), plot_test(record)._repr_png_())
assert "matplotlib.pyplot" not in sys.modules
"""


@pytest.mark.heavy
def test_the_same_bytes_in_every_process():
    outputs = set()
    for seed in ("1", "77"):
        environ = os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
