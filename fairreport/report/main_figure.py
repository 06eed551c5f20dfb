"""The figure on the page of the result: of the test that its state comes of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from fairreport.audit.record import AuditRecord
from fairreport.render.views import Name, RunView
from fairreport.report.figure_box import FigureBox, figure_box
from fairreport.report.gap_front import GapFront, worst_rules
from fairreport.report.pair_front import worst_pairs
from fairreport.report.pair_part import LABELS, PairPart, section_of
from fairreport.report.test_results import MAIN_ROWS, figure_caption, lowest_svg
from fairreport.report.used import holds_against_labels

HEIGHT = 205.0
"""Its height, in points; it gives a line to each test said to decide."""
_SMALLEST, _AMONG_ALL, _BESIDE_PAIRS = 40.0, 66.0, 150.0
"""The least height that still shows something; the height where there are all three kinds of test, and where named
pairs stand beside another kind."""
_ROWS, _ALL, _FEWEST = 3, 3, 4
_LINE_HEIGHT = 13.0
_COUNTS_HEIGHT, _ROW_HEIGHT = 45.0, 22.0
"""What the counts and the rows of one kind of test take of that height where they stand beside those of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainFigure:
    """The figure on the page of the result: its test, what it shows, and what it leaves out in which section."""

    test: Name
    caption: str
    box: FigureBox
    cut: str
    section: str


def main_figure(
    record: AuditRecord,
    run: RunView,
    *,
    gaps: GapFront,
    named: PairPart,
    deciding: int,
    drawn: Mapping[str, str] | None = None,
) -> MainFigure | None:
    """Return the figure of the test with the worst comparison or rule, of the kind that the state comes of.

    Parameters
    ----------
    record : AuditRecord
        The audit.
    run : RunView
        The same as it prints.
    gaps, named
        What stands on the page of rate gaps and of named pairs.
    deciding : int
        Lines on the page that say what decides.
    drawn : mapping of str to str, optional
        The figures of tests that are drawn already, by name.
    """
    front = named.front
    highest = HEIGHT - _LINE_HEIGHT * deciding
    kinds = [rows for rows in (bool(record.tests) * _ROWS, len(gaps.worst), len(front.worst)) if rows]
    if len(kinds) == _ALL:
        highest = _AMONG_ALL - _LINE_HEIGHT * (deciding + len(run.skipped))
    elif len(kinds) > 1 and front.worst:
        highest = _BESIDE_PAIRS - _LINE_HEIGHT * (deciding + len(run.skipped))
    elif len(kinds) > 1:
        highest -= _COUNTS_HEIGHT + _ROW_HEIGHT * kinds[1]
    if highest < _SMALLEST:
        return None
    rows = MAIN_ROWS if len(kinds) < _ALL else _FEWEST
    of_tests = partial(_of_tests, drawn=drawn or {})
    ways: list[Callable[[AuditRecord, RunView, float, int], MainFigure | None]] = [of_tests, _of_rules, _of_pairs]
    if front.leads:
        ways = [_of_pairs, of_tests, _of_rules]
    elif gaps.leads:
        ways = [_of_rules, of_tests, _of_pairs]
    return next((found for way in ways if (found := way(record, run, highest, rows)) is not None), None)


def _of_tests(
    record: AuditRecord, run: RunView, highest: float, _rows: int, *, drawn: Mapping[str, str]
) -> MainFigure | None:
    worst = next(run.worst_comparisons(), None)
    for test, view in zip(record.tests, run.tests, strict=True):
        if worst is not None and view.name == worst[0].name:
            svg, cut = lowest_svg(test, drawn.get(test.name))
            box = figure_box(svg, highest=highest, prefix="main-")
            section = str(7 if holds_against_labels(test) else 5)
            return MainFigure(test=view.name, caption=figure_caption(view), box=box, cut=cut, section=section)
    return None


def _of_rules(record: AuditRecord, run: RunView, highest: float, rows: int) -> MainFigure | None:
    for position, view in worst_rules(run.gaps)[:1]:
        entry = record.rate_gaps[position]
        from fairreport.report.gap_figure import rule_figure  # noqa: PLC0415 - only where there are rate gaps

        found = entry.finding.rules[run.gaps[position].rules.index(view)]
        figure = rule_figure(entry, found, view, rows=rows, highest=highest, prefix="main-")
        return MainFigure(test=view.id, caption=figure.caption, box=figure.box, cut="", section=str(LABELS))
    return None


def _of_pairs(record: AuditRecord, run: RunView, highest: float, rows: int) -> MainFigure | None:
    drawn = [view for view, row in worst_pairs(run.pairs) if row.marks.value is not None]
    for view in drawn[:1]:
        entry = record.pairs[run.pairs.index(view)]
        from fairreport.report.pair_figure import small_pair_figure  # noqa: PLC0415 - only for named pairs

        figure, cut = small_pair_figure(entry, view, rows=rows, highest=highest, prefix="main-")
        section = str(section_of(entry))
        return MainFigure(test=view.name, caption=figure.caption, box=figure.box, cut=cut, section=section)
    return None
