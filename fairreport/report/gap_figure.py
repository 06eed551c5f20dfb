"""The figure of a rate-gap rule: its worst pairs or groups with their bounds, and the bar."""

from __future__ import annotations

from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.record import GapRecord
from fairreport.render import formats
from fairreport.render.figures import gap_figure_svg
from fairreport.render.gap_view import RuleView
from fairreport.report.figure_box import figure_box
from fairreport.report.test_results import Figure

DRAWN_ROWS = 20
"""Pairs or groups in the figure of a rule, the worst ones."""


def rule_figure(
    record: GapRecord,
    found: RuleFinding,
    view: RuleView,
    *,
    rows: int = DRAWN_ROWS,
    highest: float | None = None,
    prefix: str = "",
) -> Figure:
    """Return the figure of a rule.

    Parameters
    ----------
    record : GapRecord
        The test.
    found : RuleFinding
        One of its rules.
    view : RuleView
        The same as it prints.
    rows : int
        At most so many pairs or groups are drawn.
    highest, prefix
        See `figure_box`.
    """
    svg = gap_figure_svg(record, found, rows=rows)
    return Figure(box=figure_box(svg, highest=highest, prefix=prefix), caption=_caption(view, rows))


def _caption(view: RuleView, rows: int) -> str:
    axis = view.deciding.axis
    label = axis.label if axis else ""
    one, several = ("pair", "pairs") if view.is_gap else ("group", "groups")
    more = view.n_deciding - rows
    shown = f"each {one}" if more <= 0 else f"the worst {formats.plural(rows, one, several)}"
    return f"{label}, {shown} as observed and with its bounds; the dashed line marks the bar."
