"""Trends as plain text and as a few sentences."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from fairreport.audit.trend import Trends
from fairreport.render import formats
from fairreport.render.text_layout import COLUMNS, fit, wrap
from fairreport.render.trend_view import SeriesRow, TrendsView, TrendView, view_trends

TESTS, ROWS = 6, 4
"""At most so many tests, and changed groups of a test, stand in the text."""
_STRIP = 90
_LINES = 3


def trend_sentences(trends: Trends) -> tuple[str, ...]:
    """Return a few sentences on trends: where verdicts changed, and which groups left their baseline."""
    return tuple(_sentences(view_trends(trends)))


def _sentences(view: TrendsView) -> Iterator[str]:
    yield f"Over time: {view.lead.text}"
    for test in view.tests[:TESTS]:
        yield f"{test.name.short}: {test.headline.text}"
        yield from (sentence.text for sentence in test.tested)
        for row in test.changed[:ROWS]:
            yield f"{row.name.short}: {row.latest} of n = {row.n}, {row.finding}."
    yield from _more(len(view.tests))
    yield from (sentence.text for sentence in view.seams)


def text_of_trends(view: TrendsView) -> str:
    """Return trends as plain text of at most 100 columns."""
    return "\n".join(_lines(view))


def _lines(view: TrendsView) -> Iterator[str]:
    yield fit(f"{view.title.short} over time", COLUMNS)
    yield from wrap(view.lead.text, _LINES)
    for test in view.tests[:TESTS]:
        yield from _test_lines(test)
    yield from _more(len(view.tests))
    for sentence in (*view.remarks, *view.chances[:TESTS]):
        yield from wrap(sentence.text, _LINES)


def _test_lines(test: TrendView) -> Iterator[str]:
    state = "" if test.state is None else f": {test.state.text}"
    yield fit(f"{test.name.short}{state}", COLUMNS)
    cut = test.strip.glyphs[-_STRIP:]
    yield f"  {'…' if len(cut) < len(test.strip.glyphs) else ''}{cut}"
    yield from _indented(test.headline.text)
    held = [row for row in test.values if row.threshold]
    if test.are_older and (held or test.changed):
        yield from _indented(f"Figures of the {test.figures}:")
    for row in held:
        about = [] if row.about is None else [row.about.cut(30), *([f"n = {row.n}"] if row.n else [])]
        yield fit(f"  {row.name.short} {row.latest} ({', '.join([*about, f'wanted: {row.threshold}'])})", COLUMNS)
    for row in test.changed[:ROWS]:
        yield fit(f"  {_row(row)}", COLUMNS)
    if len(test.changed) > ROWS:
        yield f"  and {formats.plural(len(test.changed) - ROWS, 'further group', 'further groups')} changed"
    yield from (line for sentence in test.change for line in _indented(sentence.text))


def _indented(text: str) -> Iterator[str]:
    lines = textwrap.wrap(text, width=COLUMNS - 2, break_on_hyphens=False)
    yield from (fit(f"  {line}", COLUMNS) for line in lines)


def _row(row: SeriesRow) -> str:
    return f"{row.name.cut(30)} {row.latest} {row.interval}, n = {row.n}: {row.finding}"


def _more(tests: int) -> Iterator[str]:
    if tests > TESTS:
        yield f"and {formats.plural(tests - TESTS, 'further test', 'further tests')}"
