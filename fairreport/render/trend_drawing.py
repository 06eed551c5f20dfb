"""What a notebook shows of trends: the same as HTML with small drawings, plain text and Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairreport.audit.trend import Trends
from fairreport.render import formats
from fairreport.render.environment import render
from fairreport.render.markdown import escape
from fairreport.render.trend_text import text_of_trends
from fairreport.render.trend_view import SeriesRow, TrendsView, TrendView, view_trends

Bundle = dict[str, str]

TESTS, ROWS, VALUES = 6, 20, 3
"""At most so many tests are shown in full, groups of a test, and measurements."""


def draw_trends(trends: Trends) -> Bundle:
    """Return the display of trends by MIME type; where HTML or Markdown cannot be made, the text is still there."""
    view = view_trends(trends)
    bundle = {"text/plain": text_of_trends(view)}
    for kind, draw in _RICH.items():
        try:
            bundle[kind] = draw(view)
        except Exception as error:  # noqa: BLE001 - a display must not take the user's result away
            bundle["text/plain"] += f"\n(no {kind} display: {type(error).__name__})"
    return bundle


def html_of_trends(view: TrendsView) -> str:
    """Return the notebook fragment of trends."""
    tests = max(1, min(len(view.tests), TESTS))
    rows = max(5, ROWS // tests) if tests > 1 else ROWS
    return render("fragments/trends.html", trends=view, tests=TESTS, rows=rows, values=VALUES)


def markdown_of_trends(view: TrendsView) -> str:
    """Return trends as Markdown; names from the data stay text whatever they hold."""
    return "\n\n".join(_blocks(view)) + "\n"


def _blocks(view: TrendsView) -> Iterator[str]:
    yield f"**{escape(view.title.text)} over time**"
    yield escape(view.lead.text)
    for test in view.tests[:TESTS]:
        yield from _test_blocks(test)
    for sentence in (*view.remarks, *view.chances):
        yield escape(sentence.text)


def _test_blocks(test: TrendView) -> Iterator[str]:
    state = "" if test.state is None else f" · **{test.state.text}**"
    yield f"**{escape(test.name.text)}**{state}"
    yield test.strip.glyphs
    yield escape(test.headline.text)
    yield from (escape(sentence.text) for sentence in test.change)
    rows = [*(row for row in test.values if row.threshold), *test.groups[:ROWS]]
    if rows and test.are_older:
        yield f"Figures of the {escape(test.figures)}:"
    if rows:
        yield "\n".join([_cells(_HEAD), _cells(["---"] * len(_HEAD)), *(_cells(_row(row)) for row in rows)])
    if len(test.groups) > ROWS:
        yield f"and {formats.plural(len(test.groups) - ROWS, 'further group', 'further groups')}"


_HEAD = ["measurement or group", "n", "latest", "interval", "threshold", "against the baseline"]


def _row(row: SeriesRow) -> list[str]:
    name = row.name.text if row.about is None else f"{row.name.text} ({row.about.text})"
    return [escape(text) for text in (name, row.n, row.latest, row.interval, row.threshold, row.finding)]


def _cells(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


_RICH: dict[str, Callable[[TrendsView], str]] = {"text/html": html_of_trends, "text/markdown": markdown_of_trends}
