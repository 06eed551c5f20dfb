"""Trends as a person sees them: text, HTML, Markdown and figure, of few windows and of many."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from fairreport.audit.trend import judge_trends
from fairreport.audit.trend_evidence import (
    GroupPoint,
    GroupSeries,
    TestSeries,
    TrendEvidence,
    TrendWindow,
    ValuePoint,
    ValueSeries,
)
from fairreport.render.spark import Point, Range, range_of, spark_of
from fairreport.render.text_layout import columns_of
from fairreport.render.trend_plot import trend_svg
from fairreport.render.trend_text import trend_sentences
from fairreport.render.trend_view import is_missed


def trends_of(windows, groups, *, name="by sex", absent=(), label="g{}"):
    """Weeks of groups at a rate of 0.4; the first falls to 0.2 for the last third."""
    mondays = [datetime(2025, 1, 6, tzinfo=UTC) + timedelta(days=7 * week) for week in range(windows + 1)]
    ends = [f"{monday:%Y-%m-%dT%H:%M:%SZ}" for monday in mondays]
    spans = tuple(TrendWindow(start=a, end=b, rows=100) for a, b in pairwise(ends))

    def point(group, at):
        if at in absent:
            return None
        hits = 20 if group == 0 and at >= windows * 2 // 3 else 38 + (at * 7 + group) % 5
        failing = "failing" if hits < 30 else "not failing"
        return GroupPoint(
            n=100,
            hits=hits,
            cases=100,
            value=hits / 100,
            low=hits / 100 - 0.09,
            high=hits / 100 + 0.09,
            verdict=failing,
        )

    ratio = tuple(None if i in absent else ValuePoint(value=0.9 - 0.01 * i, low=0.1, high=1.2) for i in range(windows))
    series = TestSeries(
        name=name,
        analysis="outcome_disparity",
        alpha=0.05,
        statuses=tuple("skipped" if i in absent else "failing" if i % 3 == 2 else "passing" for i in range(windows)),
        counting=("c",) * windows,
        comparisons=(groups - 1,) * windows,
        values=(ValueSeries(name="minImpactRatio", operator=">=", threshold=0.8, points=ratio),),
        groups=tuple(
            GroupSeries(label=label.format(g), points=tuple(point(g, i) for i in range(windows))) for g in range(groups)
        ),
    )
    return judge_trends(
        TrendEvidence(audit_id="a", title="Hiring", windows=spans, tests=(series,), baseline=12, odds_ratio=1.5)
    )


SIZES = [(1, 2), (3, 2), *(pytest.param(*it, marks=pytest.mark.heavy) for it in ((12, 20), (104, 2))), (104, 20)]


@pytest.mark.parametrize(("windows", "groups"), SIZES)
def test_every_display_is_there_and_the_same_twice(windows, groups):
    trends = trends_of(windows, groups)
    shown = trends._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html", "text/markdown"}
    assert shown == trends_of(windows, groups)._repr_mimebundle_()
    assert all(columns_of(line) <= 100 for line in shown["text/plain"].splitlines())
    assert len(shown["text/html"]) < 80_000
    assert trend_svg(trends, trends.tests[0]) == trend_svg(trends, trends.tests[0])


def test_a_drawing_is_named_and_has_no_identifier():
    page = trends_of(30, 3)._repr_mimebundle_()["text/html"]
    drawings = re.findall(r"<svg[^>]*>.*?</svg>", page, flags=re.DOTALL)
    assert len(drawings) == 4
    for drawing in drawings:
        told = re.search(r'aria-label="([^"]+)"', drawing)[1]
        assert f"<title>{told}</title>" in drawing
        assert "nan" not in drawing
    assert " id=" not in page


def test_a_line_breaks_where_a_window_has_no_rows():
    page = trends_of(12, 2, absent={5})._repr_mimebundle_()["text/html"]
    line = re.findall(r'<path d="([^"]+)" fill="none" stroke="currentColor" stroke-width', page)[0]
    assert line.count("M") == 2


def test_a_change_is_told_with_its_window():
    sentences = trend_sentences(trends_of(30, 2))
    assert any(
        re.search(r"^g0: 0\.200 of n = 100, ▼ lower than the baseline since about 20\d\d-\d\d-\d\d\.$", it)
        for it in sentences
    )
    assert not any(it.startswith("g1:") for it in sentences)


def test_the_figure_has_a_panel_a_series_and_marks_of_change():
    figure = trends_of(30, 3).plot("by sex")
    drawn = {text.get_text() for text in figure.texts}
    assert {"minImpactRatio", "g0", "g1", "g2", "passing", "failing"} <= drawn
    assert figure._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(KeyError, match="no test is named"):
        trends_of(3, 2).plot("by sect")


def test_names_of_any_script_are_lettered_or_spelled():
    trends = trends_of(4, 2, label="<b>日本 {}")
    svg = trend_svg(trends, trends.tests[0])
    assert "<b>" not in svg
    assert "&lt;b&gt;日本 0" in svg


@pytest.mark.parametrize(
    ("value", "operator", "threshold", "missed"),
    [
        (0.8, ">=", 0.8, False),
        (0.65 - 0.60, "<=", 0.05, False),
        (0.79, ">=", 0.8, True),
        (1, "<=", 0, True),
        (2, "is", 2, False),
    ],
)
def test_a_value_on_its_threshold_holds(value, operator, threshold, missed):
    assert is_missed(value, operator, threshold) is missed


def test_a_flat_series_has_a_range_and_a_place():
    points = [Point(at=i / 2, value=0.0) for i in range(3)]
    axis = range_of(points)
    assert axis == Range(low=-0.5, high=0.5)
    assert spark_of([points], axis, label="flat").line == "M4 17L105 17L206 17"


@pytest.mark.parametrize("value", [1e16, -1e100])
def test_a_flat_series_of_very_large_numbers_has_a_place(value):
    points = [Point(at=i / 2, value=value) for i in range(3)]
    assert spark_of([points], range_of(points), label="flat").line == "M4 17L105 17L206 17"
