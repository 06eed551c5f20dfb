"""What a notebook shows of a run, a test and a report: the same summary as HTML, plain text and Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from fairreport.render.builders import view_run, view_single
from fairreport.render.environment import render
from fairreport.render.gap_code import shown_code
from fairreport.render.markdown import markdown_of_run
from fairreport.render.text import text_of_run
from fairreport.render.views import GapTestView, PairTestView, RunView, Sentence, TestView

if TYPE_CHECKING:
    from fairreport.audit.entry_result import AnyResult
    from fairreport.audit.record import AuditRecord
    from fairreport.audit.result import AuditRun

Bundle = dict[str, str]

ROWS = 20
"""At most so many rows of a table are shown; the rest is said to be there."""
ALL_ROWS, FEWEST_ROWS, FEWEST_TESTS, RULES, WAYS = 120, 5, 6, 3, 8
"""The rows of all tables together are about so many, of each at least a few; where that is too large, the worst tests
only have their tables. So many rules show the groups behind them, and at least so many methods are told."""
MOST_BYTES = 80 * 1024
"""A display is no larger, however many tests and however long names there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much of an audit its display shows, so that it stays small whatever the audit holds.

    Attributes
    ----------
    tests : int
        Tests with their tables; further ones have a line each.
    rows, aside : int
        Rows of a table of findings, and of one of what stands beside or behind them.
    rules : int
        Rules of a test of rate gaps with the groups behind them.
    ways : int
        Different methods, and ways from rows to evaluated rows.
    """

    tests: int
    rows: int
    aside: int
    rules: int
    ways: int


def draw_run(run: AuditRun) -> Bundle:
    """Return the display of a whole run by MIME type."""
    return draw_view(view_run(run.record, levels=False))


def text_of_audit(run: AuditRun) -> str:
    """Return the plain text of a whole run."""
    return text_of_run(view_run(run.record, levels=False))


def draw_test(result: AnyResult) -> Bundle:
    """Return the display of one test by MIME type."""
    return draw_view(view_single(result.run.record, result.record, levels=False))


def text_of_result(result: AnyResult) -> str:
    """Return the plain text of one test."""
    return text_of_run(view_single(result.run.record, result.record, levels=False))


class Reporting(Protocol):
    """Whatever reports an audit; the report floor stands above this one."""

    record: AuditRecord


def draw_report(report: Reporting) -> Bundle:
    """Return the display of a report by MIME type: what it reports, and how to save it."""
    return draw_view(_view_report(report))


def text_of_report(report: Reporting) -> str:
    """Return the plain text of a report."""
    return text_of_run(_view_report(report))


def _view_report(report: Reporting) -> RunView:
    remark = Sentence(("A report of this audit: save it with .save('packet.pdf') or .save('packet.html').",))
    return replace(view_run(report.record, levels=False), remark=remark)


def draw_view(view: RunView) -> Bundle:
    """Return the display of a view by MIME type."""
    rich = {"text/html": lambda: html_of_run(view), "text/markdown": lambda: markdown_of_run(view)}
    return with_rich(text_of_run(view), rich)


def with_rich(text: str, rich: Mapping[str, Callable[[], str]]) -> Bundle:
    """Return a display by MIME type: plain text, and each richer form that can be made.

    The plain text stands by itself: where HTML or Markdown cannot be made, say because a template is damaged, the
    text says so and the findings are still there.

    Parameters
    ----------
    text : str
        The plain text.
    rich : mapping of str to callable
        What makes each further form.
    """
    bundle = {"text/plain": text}
    for kind, draw in rich.items():
        try:
            bundle[kind] = draw()
        except Exception as error:  # noqa: BLE001 - a display must not take the user's result away
            bundle["text/plain"] += f"\n(no {kind} display: {type(error).__name__})"
    return bundle


def html_of_run(view: RunView) -> str:
    """Return the notebook fragment of a view: less of it where it would be larger than a display may be."""
    room, code = _room(view), shown_code(view)
    while True:
        page = render("fragments/audit.html", run=view, limit=ROWS, room=room, code=code)
        smaller = _smaller(room)
        if len(page.encode()) <= MOST_BYTES or smaller == room:
            return page
        room = smaller


def _room(view: RunView) -> Room:
    """Return how many rows the tests show each: those of named pairs pooled over segments have two tables."""
    shown = [test for _, test in view.tables[:ROWS]]
    tables = sum(2 if isinstance(test, PairTestView) and test.pooled else 1 for test in shown)
    behind = sum(not isinstance(test, TestView) for test in shown)
    gaps = sum(isinstance(test, GapTestView) for test in shown)
    return Room(
        tests=ROWS,
        rows=min(ROWS, max(FEWEST_ROWS, ALL_ROWS // max(1, tables + 2 * behind // 3))),
        aside=max(FEWEST_ROWS, ROWS // max(1, behind)),
        rules=max(1, RULES // max(1, gaps)),
        ways=ROWS,
    )


def _smaller(room: Room) -> Room:
    """Return fewer rows, then fewer tests; the same where there is no less."""
    if room.rows > FEWEST_ROWS:
        rows = max(FEWEST_ROWS, room.rows * 2 // 3)
        return replace(room, rows=rows, aside=min(room.aside, rows))
    return replace(room, tests=max(FEWEST_TESTS, room.tests * 2 // 3), ways=max(WAYS, room.ways * 2 // 3))
