"""A row of a metric test with what it is held against, and the steps that every metric has."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.result import MetricFinding, MetricRow
from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.report.worked_row import Step, shown, taken
from fairreport.tables.tally import (
    MetricTally,
    MomentGroup,
    QuantileGroup,
    RankGroup,
    ResidualGroup,
    ShareGroup,
)

AnyGroup = ShareGroup | MomentGroup | ResidualGroup | RankGroup | QuantileGroup
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPair:
    """A judged group and what it is compared with.

    Attributes
    ----------
    name : str
        Of the test.
    test, finding, tally
        The test, what it found, and its evidence.
    row : MetricRow
        The group.
    mine : record of the tally
        Its evidence.
    theirs : record of the tally
        That of the reference group, or of all evaluated rows.
    """

    name: str
    test: MetricParity
    finding: MetricFinding
    tally: MetricTally
    row: MetricRow
    mine: AnyGroup
    theirs: AnyGroup

    @property
    def is_overall(self) -> bool:
        """Whether the comparison value is that of all evaluated rows."""
        return self.finding.reference is None

    @property
    def other(self) -> str:
        """What the group is compared with, in words."""
        return "all evaluated rows" if self.is_overall else "the reference"

    @property
    def label(self) -> str:
        """The metric, to begin a line with."""
        text = self.test.metric.label
        return f"{text[:1].upper()}{text[1:]}"

    @property
    def point(self) -> float | None:
        """The comparison value."""
        return self.finding.comparison_value


def metric_pairs(record: TestRecord) -> list[MetricPair]:
    """Return the judged rows of a metric test that have a value; none for other tests and skipped ones."""
    test, finding = record.test, record.finding
    if not isinstance(test, MetricParity) or not isinstance(finding, MetricFinding) or finding.evidence is None:
        return []
    tally = finding.evidence
    groups = {group.group: group for group in tally.groups}
    theirs = tally.overall if finding.reference is None else groups[finding.reference]
    if theirs is None:
        return []
    return [
        MetricPair(
            name=record.name,
            test=test,
            finding=finding,
            tally=tally,
            row=row,
            mine=groups[row.group],
            theirs=theirs,
        )
        for row in finding.judged
        if row.value is not None
    ]


def held_steps(pair: MetricPair, *, exact: Fraction | None = None) -> Iterator[Step]:
    """Yield the ratio and the gap to the comparison value, and the decisions on both.

    Parameters
    ----------
    pair : MetricPair
        The row.
    exact : Fraction, optional
        Its ratio as a fraction, where the metric is a share of rows.
    """
    row, test = pair.row, pair.test
    value, point = shown(row.value), shown(pair.point)
    higher = test.better_is_higher
    yield Step(
        term="Ratio",
        formula="v / w, since higher is better" if higher else "w / v, since lower is better",
        numbers=f"{value} / {point}" if higher else f"{point} / {value}",
        result=shown(row.ratio),
    )
    yield Step(
        term="Gap",
        formula="w − v where the group is worse, else 0" if higher else "v − w where the group is worse, else 0",
        numbers=f"{point} − {taken(row.value)}" if higher else f"{value} − {taken(pair.point)}",
        result=shown(row.gap),
    )
    below = _is_below(row, test.min_ratio, exact)
    yield Step(
        term="Below the threshold?",
        formula="worse, and the ratio below min_ratio",
        numbers=f"{formats.fixed(row.ratio, 6, against=[test.min_ratio])} against {formats.threshold(test.min_ratio)}",
        result="below" if below else "not below",
    )
    if test.max_difference is not None:
        limit = test.max_difference
        above = row.gap is not None and row.gap > limit and not _is_close(row.gap, limit)
        yield Step(
            term="Gap above the limit?",
            formula="gap above max_difference",
            numbers=f"{formats.fixed(row.gap, 6, against=[limit])} against {formats.threshold(limit)}",
            result="above" if above else "not above",
        )


def _is_below(row: MetricRow, mark: float, exact: Fraction | None) -> bool:
    if exact is not None:
        return row.worse and exact < Fraction(str(mark))
    return row.worse and row.ratio is not None and row.ratio < mark and not _is_close(row.ratio, mark)


def _is_close(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
