"""The distributions of the scores of a test: one outline a group, from the histograms of its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from fairreport.analyses.result import ScoreFinding
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.render.figure_layout import DRAWN_ROWS, drawn_rows, left_out
from fairreport.render.phrases import Name
from fairreport.render.views import Row, TestView
from fairreport.render.words import Side
from fairreport.tables.tally import ScoreGroup

SMALL_GROUPS = 5
"""At most so many groups with not enough data are drawn, the largest ones."""

_TAIL = 0.01
_LEAST_TRIMMED = 0.25
_TALLEST = 3.0
_LOW = 0.6
_TOLD = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Ridge:
    """The scores of one group.

    Attributes
    ----------
    row : Row
        The group as it stands in the table.
    n : int
        Its evaluated rows.
    heights : tuple of float
        Share of its rows in each interval, as a share of the highest that is drawn: 0 to 1. Groups with not enough
        data have a lower scale of their own.
    median : float
        Its own median.
    is_small : bool
        Whether it has not enough data.
    """

    row: Row
    n: int
    heights: tuple[float, ...]
    median: float
    is_small: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """The scores of all drawn groups on one axis.

    Attributes
    ----------
    score : Name
        The score column.
    ridges : tuple of Ridge
        The judged groups worst first, then the largest ones with not enough data.
    edges : tuple of float
        Ends of the intervals.
    overall_median : float
        Of all evaluated rows.
    favors_above : bool
        Whether scores above it are the favorable ones.
    remarks : tuple of str
        What is not drawn, in words.
    """

    score: Name
    ridges: tuple[Ridge, ...]
    edges: tuple[float, ...]
    overall_median: float
    favors_above: bool
    remarks: tuple[str, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The groups as they stand in the table."""
        return tuple(ridge.row for ridge in self.ridges)

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands under the axis, after the name of the score."""
        side = "above" if self.favors_above else "below"
        return (f"dark: intervals {side} the overall median; mark: the group's own median", *self.remarks)

    @property
    def title(self) -> str:
        """What is shown, in words."""
        names = formats.shortened_apart(it.row.label for it in self.ridges[:_TOLD])
        told = [f"{names[it.row.label]}: median {self.number(it.median)}" for it in self.ridges[:_TOLD]]
        rest = len(self.ridges) - _TOLD
        more = [f"and {formats.plural(rest, 'further group', 'further groups')}"] if rest > 0 else []
        start = f"Distribution of {self.score.short} by group, overall median {self.number(self.overall_median)}."
        return f"{start} {'; '.join([*told, *more])}."

    def number(self, value: float) -> str:
        """Return a score as it prints."""
        return formats.fixed(value, formats.digits_for([self.overall_median, *(it.median for it in self.ridges)]))

    def is_scoring(self, interval: int) -> bool:
        """Tell whether an interval lies wholly on the favorable side of the overall median."""
        if self.favors_above:
            return self.edges[interval] > self.overall_median
        return self.edges[interval + 1] <= self.overall_median


def distribution_of(record: TestRecord, view: TestView) -> Distribution | None:
    """Return the distributions of a score test; None for other tests and for a skipped one.

    Parameters
    ----------
    record : TestRecord
        The test.
    view : TestView
        Its view.
    """
    test, found = record.test, record.finding
    if not isinstance(test, ScoreDisparity) or not isinstance(found, ScoreFinding):
        return None
    tally = found.evidence
    if view.table is None or tally is None:
        return None
    groups = {group.group: group for group in tally.groups}
    pairs = {id(row): groups[own.group] for row, own in zip(view.table.rows, found.groups, strict=True)}
    rows = _rows(view, pairs)
    drawn = [pairs[id(row)] for row in rows]
    edges = tally.edges if tally.edges[0] < tally.edges[-1] else (tally.edges[0] - 0.5, tally.edges[0] + 0.5)
    medians = [tally.overall_median, *(group.median for group in drawn)]
    first, last = _span(drawn, edges, medians)
    shares = [_shares(group, first, last) for group in drawn]
    small = [row.finding.side is Side.TOO_FEW for row in rows]
    judged = [share for share, is_small in zip(shares, small, strict=True) if not is_small]
    top = _top(judged)
    ridges = tuple(
        Ridge(
            row=row,
            n=group.n,
            heights=_heights(share, top=top, is_small=is_small),
            median=group.median,
            is_small=is_small,
        )
        for row, group, share, is_small in zip(rows, drawn, shares, small, strict=True)
    )
    return Distribution(
        score=Name.of(test.score_column),
        ridges=ridges,
        edges=edges[first : last + 1],
        overall_median=tally.overall_median,
        favors_above=test.higher_is_favorable,
        remarks=_remarks(view, rows, drawn, (first, last), sum(max(share) > top for share in judged)),
    )


def _rows(view: TestView, groups: dict[int, ScoreGroup]) -> list[Row]:
    """Return the rows that are drawn: the judged ones, and some of those with not enough data."""
    judged = drawn_rows(view)
    small = [row for row in (view.table.rows if view.table else ()) if row.finding.side is Side.TOO_FEW]
    room = max(0, min(SMALL_GROUPS, DRAWN_ROWS - len(judged)))
    largest = {id(row) for row in sorted(small, key=lambda row: -groups[id(row)].n)[:room]}
    return [*judged, *(row for row in small if id(row) in largest)]


def _span(groups: Sequence[ScoreGroup], edges: Sequence[float], medians: Sequence[float]) -> tuple[int, int]:
    """Return the first and last edge to draw: long tails with next to no rows are left out."""
    first, last = 0, len(edges) - 1
    while first < last - 1 and edges[first + 1] < min(medians) and _thin(groups, 0, first + 1):
        first += 1
    while last > first + 1 and edges[last - 1] > max(medians) and _thin(groups, last - 1, len(edges) - 1):
        last -= 1
    trimmed = 1 - (last - first) / (len(edges) - 1)
    return (first, last) if trimmed >= _LEAST_TRIMMED else (0, len(edges) - 1)


def _thin(groups: Sequence[ScoreGroup], first: int, last: int) -> bool:
    return all(sum(group.histogram[first:last]) <= _TAIL * group.n for group in groups)


def _shares(group: ScoreGroup, first: int, last: int) -> list[float]:
    return [rows / group.n for rows in group.histogram[first:last]]


def _top(shares: Sequence[Sequence[float]]) -> float:
    """Return the share that is drawn as high as a row: the highest, unless a single peak dwarfs all others."""
    peaks = [max(share) for share in shares]
    return min(max(peaks), _TALLEST * median(peaks)) or 1.0


def _heights(share: Sequence[float], *, top: float, is_small: bool) -> tuple[float, ...]:
    if is_small:
        own = max(share) or 1.0
        return tuple(_LOW * part / own for part in share)
    return tuple(min(1.0, part / top) for part in share)


def _remarks(
    view: TestView, rows: Sequence[Row], groups: Sequence[ScoreGroup], span: tuple[int, int], cut: int
) -> tuple[str, ...]:
    first, last = span
    beyond = sum(group.n - sum(group.histogram[first:last]) for group in groups)
    parts = [left_out(view, rows)]
    if any(row.finding.side is Side.TOO_FEW for row in rows):
        parts.insert(0, "light: not enough data, scale of its own")
    if beyond:
        parts.append(f"{formats.plural(beyond, 'row', 'rows')} beyond the axis")
    if cut:
        parts.append(f"{formats.plural(cut, 'outline', 'outlines')} cut at the top")
    said = [part for part in parts if part]
    return tuple("; ".join(said[i : i + 2]) for i in range(0, len(said), 2))
