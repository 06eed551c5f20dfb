"""What a notebook shows of a run, a test and a report: the same summary as HTML, plain text and Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from fairreport.render.builders import view_run, view_single
from fairreport.render.environment import render
from fairreport.render.gap_code import shown_code
from fairreport.render.markdown import markdown_of_run
from fairreport.render.text import text_of_run
from fairreport.render.views import RunView, Sentence

if TYPE_CHECKING:
    from fairreport.audit.entry_result import AnyResult
    from fairreport.audit.record import AuditRecord
    from fairreport.audit.result import AuditRun

Bundle = dict[str, str]

ROWS = 20
"""At most so many rows of a table are shown; the rest is said to be there."""
FEWEST_ROWS, RULES, PAIR_ROWS = 5, 3, 84
"""The tests of rate gaps of an audit share the rows and rules that show what stands behind their verdicts; those of
named pairs share the rows of what stands beside their figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """How much is shown of what stands behind the rules of a test: rows of a list, and rules with their groups."""

    rows: int
    rules: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How many rows a test of named pairs shows: of its table, and of what stands beside."""

    rows: int
    aside: int


def draw_run(run: AuditRun) -> Bundle:
    """Return the display of a whole run by MIME type."""
    return draw_view(view_run(run.record, levels=False))


def draw_test(result: AnyResult) -> Bundle:
    """Return the display of one test by MIME type."""
    return draw_view(view_single(result.run.record, result.record, levels=False))


class Reporting(Protocol):
    """Whatever reports an audit; the report floor stands above this one."""

    record: AuditRecord


def draw_report(report: Reporting) -> Bundle:
    """Return the display of a report by MIME type: what it reports, and how to save it."""
    remark = Sentence(("A report of this audit: save it with .save('packet.pdf') or .save('packet.html').",))
    return draw_view(replace(view_run(report.record, levels=False), remark=remark))


def draw_view(view: RunView) -> Bundle:
    """Return the display of a view by MIME type.

    The plain text comes first and stands by itself: where HTML or Markdown cannot be made, say because a
    template is damaged, the text says so and the findings are still there.
    """
    bundle = {"text/plain": text_of_run(view)}
    for kind, draw in _RICH.items():
        try:
            bundle[kind] = draw(view)
        except Exception as error:  # noqa: BLE001 - a display must not take the user's result away
            bundle["text/plain"] += f"\n(no {kind} display: {type(error).__name__})"
    return bundle


def html_of_run(view: RunView) -> str:
    """Return the notebook fragment of a view."""
    tests = max(1, len(view.gaps))
    behind = Behind(rows=max(FEWEST_ROWS, ROWS // tests), rules=max(1, RULES // tests))
    shares, code = _pairs_shown(view), shown_code(view)
    return render("fragments/audit.html", run=view, limit=ROWS, behind=behind, pairs_shown=shares, code=code)


def _pairs_shown(view: RunView) -> Shares:
    """Return how many rows the tests of named pairs show each; pooled pairs and segments share those of a test."""
    tables = max(1, sum(2 if test.pooled else 1 for test in view.pairs))
    return Shares(rows=min(ROWS, max(FEWEST_ROWS, PAIR_ROWS // tables)), aside=max(FEWEST_ROWS, ROWS // tables))


_RICH: dict[str, Callable[[RunView], str]] = {"text/html": html_of_run, "text/markdown": markdown_of_run}
