"""Trends as a report may show them: without the groups that were small in some window, and those that would give them.

The windows of a history hold all groups, and so do the figures in it that compare them: a ratio tells the rate of its
reference. What is withheld is what the windows themselves would make a report withhold, of each of them, in all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fairreport.analyses.grouping import Label
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.analyses.score_parameters import ScoreDisparity
from fairreport.audit.record import AuditRecord
from fairreport.audit.trend import Trends, judge_trends
from fairreport.audit.trend_evidence import GroupPoint, GroupSeries, TestSeries, TrendEvidence
from fairreport.report.subtraction import Cell, Counted, Key, what_to_hide
from fairreport.report.suppression import references_of

_DIVISIBLE = {OutcomeDisparity.analysis, ScoreDisparity.analysis, MetricParity.analysis}
"""Kinds of test of which single groups can be withheld; of all others everything is shown or nothing."""

Attributes = Mapping[str, tuple[str, ...]]
"""Attribute columns by test, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The groups of a test, each by its label as trends have it."""

    series: TestSeries
    columns: tuple[str, ...]
    levels: Mapping[str, Label]

    def key(self, label: str) -> Key:
        """Return the name of a group across tests."""
        return self.columns, self.levels[label]

    def counted(self, window: int) -> Counted:
        """Return the groups of one window."""
        cells = {self.levels[group.label]: _cell(group.points[window]) for group in self.series.groups}
        return Counted(attributes=self.columns, cells={label: cell for label, cell in cells.items() if cell})


def shown_trends(trends: Trends, record: AuditRecord, earlier: AuditRecord | None = None) -> Trends:
    """Return trends as a report may show them.

    Of a test of which anything is withheld no measurement is shown, since it may be that of a withheld group; no ratio
    against a reference that is withheld; and no rows of a window.

    Parameters
    ----------
    trends : Trends
        Of the history.
    record : AuditRecord
        The audit as it is shown; what it withholds is withheld in every window.
    earlier : AuditRecord, optional
        An earlier audit as it is shown beside, likewise.
    """
    if record.withheld is None:
        return trends
    evidence, below = trends.evidence, record.withheld.below
    shown = [record] if earlier is None else [record, earlier]
    tables = [it for series in evidence.tests if (it := _table(series, _attributes(shown))) is not None]
    hidden = {key for one in shown for key in _withheld_keys(one)}
    last = {key for one in shown for key in references_of(one)}
    for window in range(len(evidence.windows)):
        hidden |= what_to_hide([table.counted(window) for table in tables], below, last=last).cells
    known = {table.series.name: table for table in tables}
    whole = {test.name for one in shown if one.withheld is not None for test in one.withheld.tests if test.whole}
    touched = {test.name for test in record.withheld.tests}
    is_any = bool(hidden) or any(_has_few(series, below) for series in evidence.tests)
    tests, left_out = [], []
    for series in evidence.tests:
        kept = _kept(series, known.get(series.name), hidden, is_whole=series.name in whole, is_any=is_any)
        n_hidden = len(series.groups) - len(kept)
        if n_hidden or series.name in touched:
            left_out.append((series.name, n_hidden))
            tests.append(replace(series, groups=_without_hidden_reference(kept), values=()))
        else:
            tests.append(series)
    return judge_trends(_put_together(evidence, tests, left_out))


def _put_together(
    evidence: TrendEvidence, tests: Sequence[TestSeries], left_out: Sequence[tuple[str, int]]
) -> TrendEvidence:
    windows = tuple(replace(window, rows=None) for window in evidence.windows) if left_out else evidence.windows
    return replace(evidence, tests=tuple(tests), windows=windows, withheld=tuple(left_out))


def _kept(
    series: TestSeries, table: _Table | None, hidden: Collection[Key], *, is_whole: bool, is_any: bool
) -> tuple[GroupSeries, ...]:
    """Return the groups of a test that are shown."""
    if is_whole or (table is None and is_any):
        return ()
    if table is None:
        return series.groups
    return tuple(group for group in series.groups if table.key(group.label) not in hidden)


def _has_few(series: TestSeries, below: int) -> bool:
    points = (point for group in series.groups for point in group.points)
    return any(point is not None and point.n is not None and 0 < point.n < below for point in points)


def _without_hidden_reference(groups: tuple[GroupSeries, ...]) -> tuple[GroupSeries, ...]:
    """Return groups without what compares them, in windows in which the reference is not among them."""
    if not groups:
        return groups
    windows = range(len(groups[0].points))
    known = [any(point and point.verdict == "reference" for point in (it.points[w] for it in groups)) for w in windows]
    return tuple(
        replace(
            group,
            points=tuple(
                point if point is None or known[window] else _alone(point) for window, point in enumerate(group.points)
            ),
        )
        for group in groups
    )


def _alone(point: GroupPoint) -> GroupPoint:
    return replace(point, ratio=None, ratio_low=None, ratio_high=None, verdict="no verdict" if point.verdict else "")


def _attributes(records: Sequence[AuditRecord]) -> Attributes:
    return {
        entry.name: entry.test.protected_attribute_columns for record in reversed(records) for entry in record.tests
    }


def _withheld_keys(record: AuditRecord) -> Iterator[Key]:
    """Yield the groups that a record withholds, by their name across tests."""
    columns = _attributes([record])
    for test in record.withheld.tests if record.withheld is not None else ():
        for label in test.groups:
            yield _sorted(columns[test.name], label)


def _sorted(columns: Sequence[str], label: Sequence[str]) -> Key:
    places = sorted(range(len(columns)), key=lambda i: columns[i])
    return tuple(columns[i] for i in places), tuple(label[i] for i in places)


def _table(series: TestSeries, attributes: Attributes) -> _Table | None:
    """Return the table of a test; None where its groups are not known to be cells of one."""
    columns = attributes.get(series.name)
    if columns is None or series.analysis not in _DIVISIBLE:
        return None
    levels = {group.label: _levels(group.label, columns) for group in series.groups}
    if any(label is None for label in levels.values()):
        return None
    keys = {label: _sorted(columns, found) for label, found in levels.items() if found is not None}
    return _Table(
        series=series, columns=tuple(sorted(columns)), levels={label: key for label, (_, key) in keys.items()}
    )


def _levels(label: str, columns: Sequence[str]) -> Label | None:
    """Return the levels that a label of trends names; None where it is none of these columns.

    Examples
    --------
    >>> _levels("sex = F, site = north", ["sex", "site"])
    ('F', 'north')
    >>> _levels("region = north", ["site"]) is None
    True
    """
    rest, found = label, []
    for i, column in enumerate(columns):
        start = f"{column} = "
        if not rest.startswith(start):
            return None
        rest = rest.removeprefix(start)
        if i + 1 < len(columns):
            level, mark, after = rest.partition(f", {columns[i + 1]} = ")
            if not mark:
                return None
            rest = f"{columns[i + 1]} = {after}"
        else:
            level = rest
        found.append(level)
    return tuple(found)


def _cell(point: GroupPoint | None) -> Cell | None:
    """Return the rows of a group in one window; None where it has none."""
    if point is None or not point.n:
        return None
    if point.hits is not None and point.cases == point.n:
        return Cell(n=point.n, hits=point.hits)
    return Cell(n=point.n)
