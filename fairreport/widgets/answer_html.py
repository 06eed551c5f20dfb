"""An answer as HTML: the notebook's own fragments, at most twenty rows."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from fairreport.analyses.result import OutcomeFinding, RowT, ScoreFinding
from fairreport.audit.record import Entry, GapRecord, PairRecord, TestRecord
from fairreport.render import formats
from fairreport.render.builders import view_test
from fairreport.render.drawings import ROWS
from fairreport.render.environment import render
from fairreport.render.gap_builder import view_gaps
from fairreport.render.pair_builder import view_pairs
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.widgets.changes import describe_lack
from fairreport.widgets.exploration import Answer

PAIRS_DRAWN = 20
"""So many pairs or groups of a rule are drawn, the worst ones."""


def answer_html(answer: Answer, change: Sentence, *, name: str, rule: int = 0) -> str:
    """Return what an explorer shows of an answer.

    Parameters
    ----------
    answer : Answer
        The answer.
    change : Sentence
        What it changed.
    name : str
        The test that was asked, where there is no result to name it.
    rule : int
        The rule that is looked at, of a test of rate gaps.
    """
    record = answer.record
    shared = {
        "name": Name.of(name),
        "change": change,
        "lack": describe_lack(answer.lack) if record is not None else "",
        "limit": ROWS,
    }
    if isinstance(record, GapRecord):
        gaps, alike = view_gaps(record), answer.is_stated
        chosen = gaps.rules[rule] if gaps.rules else None
        return render("fragments/explorer_gaps.html", **shared, test=gaps, chosen=chosen, is_stated=alike)
    if isinstance(record, PairRecord):
        return render("fragments/explorer_pairs.html", **shared, test=view_pairs(record, levels=False))
    return render(
        "fragments/explorer.html",
        **shared,
        test=None if record is None else view_test(shortened(record)),
        counts=None if record is None else _counts(record),
        left_out=0 if record is None else max(0, len(record.finding.groups) - ROWS),
    )


def note_html(text: Sentence) -> str:
    """Return a sentence by itself, as an explorer shows it."""
    return render("fragments/explorer_note.html", text=text)


def shortened(record: TestRecord) -> TestRecord:
    """Return the record with as many groups as are shown: the worst ones, and the reference."""
    finding = record.finding
    if len(finding.groups) <= ROWS:
        return record
    if isinstance(finding, OutcomeFinding):
        return replace(record, finding=replace(finding, groups=_shown(finding.groups)))
    if isinstance(finding, ScoreFinding):
        return replace(record, finding=replace(finding, groups=_shown(finding.groups)))
    return replace(record, finding=replace(finding, groups=_shown(finding.groups)))


def _shown(groups: tuple[RowT, ...]) -> tuple[RowT, ...]:
    place = next((i for i, row in enumerate(groups) if row.is_reference), 0)
    return groups[:ROWS] if place < ROWS else (*groups[: ROWS - 1], groups[place])


def _counts(record: TestRecord) -> Sentence | None:
    """Return how many groups are what, over all of them."""
    finding = record.finding
    if finding.skip is not None:
        return None
    compared = len(finding.judged)
    failing = sum(row.failing for row in finding.groups)
    parts = [f"{formats.count(failing)} of {formats.plural(compared, 'compared group', 'compared groups')} failing"]
    significant = record.measurements.get("significantDisparityCount")
    if significant is not None:
        parts.append(formats.plural(int(significant), "significant difference", "significant differences"))
    small = sum(not row.sufficient for row in finding.groups)
    if small:
        parts.append(f"{formats.plural(small, 'group', 'groups')} with too few rows")
    return said("; ".join(parts), ".")


def figure_html(record: Entry, *, rule: int = 0) -> str:
    """Return the figure of a result, dark on light in any theme; empty where there is nothing to draw.

    Parameters
    ----------
    record : TestRecord, GapRecord or PairRecord
        The result.
    rule : int
        The rule that is drawn, of a test of rate gaps.
    """
    figures = import_module("fairreport.render.figures")
    if isinstance(record, GapRecord):
        if not record.finding.rules:
            return ""
        svg = figures.gap_figure_svg(record, rule, rows=PAIRS_DRAWN)
    elif isinstance(record, PairRecord):
        if record.finding is None:
            return ""
        svg = figures.pair_figure_svg(record)
    else:
        svg = figures.figure_svg(record)
    return f'<div class="fr-figure" style="background:#fff;color:#000;max-width:60em">{svg}</div>'
