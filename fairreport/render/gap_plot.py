"""The plot of rules on rate gaps: a pair or a group a row, its bounds, and the bar of its rule dashed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from fairreport.render import formats
from fairreport.render.dot_plot import draw_interval, draw_reason
from fairreport.render.figure_layout import Frame, Labelled, below
from fairreport.render.figure_marks import (
    clear,
    draw_bands,
    draw_legend,
    draw_numbers,
    letter_rows,
    lettered,
    marker,
    write_beside,
)
from fairreport.render.figure_style import INK, shown_colour
from fairreport.render.gap_tables import MOST_ROWS
from fairreport.render.gap_view import GapTestView, RuleView
from fairreport.render.phrases import Name
from fairreport.render.table_view import Row
from fairreport.render.words import Kind

_FEWEST = 3
_CROWDED, _LONG = 16, 34
_NAME, _HEADING = 24, 84
_NAMES_OF_PAIR = {False: 32, True: 15}
"""Characters of each name of a pair, where labels may take two lines and where they may not."""

_KEYS = {
    Kind.BELOW_SIGNIFICANT: "wholly beyond the bar",
    Kind.REACHES_BELOW: "reaches over the bar",
    Kind.AT_OR_ABOVE: "within the bar",
    Kind.NOT_ENOUGH_DATA: "not beyond it, too few cases",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A rule of a plot.

    Attributes
    ----------
    rule : RuleView
        What it is.
    rows : tuple of Row
        Its worst pairs or groups.
    top : int
        Position of its first row.
    """

    rule: RuleView
    rows: tuple[Row, ...]
    top: int

    @property
    def bottom(self) -> int:
        """Position after its last row."""
        return self.top + len(self.rows)

    @property
    def not_drawn(self) -> int:
        """How many rows are not drawn."""
        return self.rule.n_deciding - len(self.rows)


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that names the rule of the rows under it; its own place at the left is empty."""

    label: str = ""


def sections_of(rules: Sequence[RuleView]) -> list[Section]:
    """Return what is drawn of each rule: all where there is room, else the worst of each."""
    most = max(_FEWEST, MOST_ROWS // max(len(rules), 1))
    head = int(len(rules) > 1)
    shown = [rule.deciding.rows[:most] for rule in rules]
    longest = _NAMES_OF_PAIR[sum(map(len, shown)) + head * len(rules) > _CROWDED]
    found: list[Section] = []
    top = head
    for rule, rows in zip(rules, shown, strict=True):
        section = Section(rule=rule, rows=tuple(_drawn_row(row, longest) for row in rows), top=top)
        found.append(section)
        top = section.bottom + head
    return found


def _drawn_row(row: Row, longest: int) -> Row:
    """Return a row in the words of the legend, the names of a pair cut one by one so that both are told."""
    finding = replace(row.finding, word=_KEYS[row.finding.kind])
    if len(row.group) == 1:
        return replace(row, finding=finding)
    return replace(row, finding=finding, group=tuple(Name(name.cut(longest)) for name in row.group))


def gap_frame(rules: Sequence[RuleView]) -> Frame:
    """Return the frame of the plot of rules."""
    sections = sections_of(rules)
    rows = [row for section in sections for row in section.rows]
    pitch = 0.34 if any(len(row.label) > _LONG for row in rows) else 0.25
    lines = _lines_of(sections)
    drawn = tuple(_drawn(sections))
    if len(drawn) > _CROWDED:
        pitch = 0.19
    return Frame(rows=drawn, pitch=pitch, below=below(rows, len(lines)))


def draw_gaps(
    axes: Axes,
    view: GapTestView,
    rules: Sequence[RuleView],
    *,
    outdent: float = 0.0,
    placeholders: bool = False,
) -> dict[str, str]:
    """Draw rules and return what each placeholder stands for; none where names are drawn themselves.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    view : GapTestView
        The test.
    rules : sequence of RuleView
        Its rules that are drawn, from top to bottom.
    outdent : float
        How far left of the axis headings and legend begin, in inches.
    placeholders : bool
        Write plain words in place of the names.
    """
    clear(axes)
    if not rules:
        return draw_reason(axes, view, placeholders=placeholders)
    sections = sections_of(rules)
    drawn, lines = _drawn(sections), _lines_of(sections)
    low, high = _ends(rules)
    axes.set_ylim(len(drawn) - 0.5, -0.5)
    axes.set_xlim(low, high)
    draw_numbers(axes)
    axes.set_xlabel("\n".join(lines), color=shown_colour(INK), parse_math=False)
    names: dict[str, str] = {}
    for number, section in enumerate(sections):
        _draw_section(axes, section, low, high, is_only=len(sections) == 1)
        if len(sections) > 1:
            names |= _write_heading(axes, section, number, outdent, placeholders=placeholders)
    draw_legend(axes, [row for section in sections for row in section.rows], len(lines), outdent=outdent)
    return names | letter_rows(axes, drawn, placeholders=placeholders)


def _drawn(sections: Sequence[Section]) -> list[Labelled]:
    """Return everything that takes a row, headings where there are several rules."""
    found: list[Labelled] = []
    for section in sections:
        found += [Heading()] if len(sections) > 1 else []
        found += section.rows
    return found


def _lines_of(sections: Sequence[Section]) -> list[str]:
    """Return what the axis says."""
    missing: list[str] = []
    for is_gap, one, many in ((True, "further pair", "further pairs"), (False, "further group", "further groups")):
        rest = sum(section.not_drawn for section in sections if section.rule.is_gap == is_gap)
        missing += [formats.plural(rest, one, many)] if rest else []
    axis = sections[0].rule.deciding.axis if sections else None
    kinds = {section.rule.is_gap for section in sections}
    several = "Gap or rate" if len(kinds) > 1 else "Gap" if True in kinds else "Rate"
    what = axis.label if axis and len(sections) == 1 else several
    return [what, f"not drawn: {formats.listed(missing)}"] if missing else [what]


def _ends(rules: Sequence[RuleView]) -> tuple[float, float]:
    axes = [rule.deciding.axis for rule in rules if rule.deciding.axis]
    return min(axis.low for axis in axes), max(axis.high for axis in axes)


def _draw_section(axes: Axes, section: Section, low: float, high: float, *, is_only: bool) -> None:
    """Draw the rows of a rule, and its bar as far as they go."""
    axis = section.rule.deciding.axis
    mark = axis.threshold if axis else None
    if mark is not None:
        ends = [section.top - 0.5, section.bottom - 0.5]
        axes.plot([mark, mark], ends, color=shown_colour(INK), linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
    if mark is not None and axis is not None and is_only:
        above = blended_transform_factory(axes.transData, axes.transAxes)
        axes.text(mark, 1, axis.threshold_text, transform=above, ha="center", va="bottom", fontsize="medium")
    draw_bands(axes, section.bottom, first=section.top + 1)
    for position, row in enumerate(section.rows, section.top):
        write_beside(axes, position, row.figure.rpartition(" ")[2])
        draw_interval(axes, position, row, low, high)
        if row.marks.value is not None:
            shown = min(max(row.marks.value, low), high)
            axes.plot([shown], [position], **marker(row.finding.kind), clip_on=False, zorder=3)


def _write_heading(axes: Axes, section: Section, number: int, outdent: float, *, placeholders: bool) -> dict[str, str]:
    """Write what a rule is about and what it reads above its rows."""
    rule = section.rule
    by = formats.shortened(" and ".join(name.cut(_NAME) for name in rule.attributes), 3 * _NAME // 2)
    told = f": {rule.rate} by {by}, {rule.bar}"
    name = rule.id.cut(max(_NAME // 2, _HEADING - len(told) - len(rule.state.text)))
    text = f"{rule.state.text} · {name}{told}"
    placeholder = f"fr-head-{number}"
    letters = lettered([text])
    left = -outdent / (axes.get_window_extent().width / axes.figure.figure.dpi)
    axes.text(
        left, section.top - 1, placeholder if placeholders else letters.lines[0],
        transform=blended_transform_factory(axes.transAxes, axes.transData),
        ha="left", va="center", weight="bold", parse_math=False, family=None if placeholders else letters.families,
    )  # fmt: skip
    return {placeholder: text} if placeholders else {}
