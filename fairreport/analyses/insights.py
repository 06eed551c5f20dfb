"""Key insights: up to five facts of a test, each with its numbers. Their words are the views' affair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fairreport.analyses.grouping import Label
from fairreport.analyses.result import (
    Finding,
    MetricFinding,
    MetricRow,
    OutcomeFinding,
    OutcomeGroup,
    ScoreFinding,
    ScoreRow,
)

LARGEST_NUMBER = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """One fact.

    Attributes
    ----------
    kind : str
        Which fact it is.
    group : tuple of str or None
        The group it is about.
    numbers : tuple of (str, number or None)
        The numbers it states, by name.
    attributes : tuple of str
        Attribute columns of the group.
    """

    kind: str
    attributes: tuple[str, ...]
    group: Label | None
    numbers: tuple[tuple[str, int | float | None], ...]

    def document(self) -> dict[str, Any]:
        """Return the fact as JSON."""
        group = dict(zip(self.attributes, self.group, strict=True)) if self.group else {}
        return {"kind": self.kind, "group": group, "numbers": dict(self.numbers)}

    def __getitem__(self, name: str) -> Any:
        """Return one of the numbers."""
        return dict(self.numbers)[name]


def key_insights(finding: Finding) -> tuple[Insight, ...]:
    """Return up to five facts of a test, most important first; none where it was skipped."""
    if not finding.groups:
        return ()
    if isinstance(finding, MetricFinding):
        return tuple(islice(_metric_insights(finding), LARGEST_NUMBER))
    return tuple(islice(_rate_insights(finding), LARGEST_NUMBER))


def _rate_insights(finding: OutcomeFinding | ScoreFinding) -> Iterator[Insight]:
    judged: Sequence[OutcomeGroup | ScoreRow] = finding.judged
    reference = next(row for row in finding.groups if row.is_reference)
    yield _fact(finding, "worst_ratio", min(judged, key=lambda row: (row.ratio or 0.0, -row.n, row.group)))
    yield Insight(
        kind="counts",
        attributes=finding.attributes,
        group=None,
        numbers=(
            ("judged", len(judged)),
            ("below_threshold", sum(row.failing for row in finding.groups)),
            ("below_four_fifths", sum(row.four_fifths_flag for row in finding.groups)),
            ("significant", sum(row.significant for row in finding.groups)),
            ("insufficient", sum(not row.sufficient for row in finding.groups)),
        ),
    )
    yield _fact(finding, "reference", reference)
    if isinstance(finding, OutcomeFinding):
        yield from _adjusted_insights(finding)
    else:
        yield _fact(
            finding,
            "widest_mean_gap",
            max(finding.judged, key=lambda row: (abs(row.mean_difference), row.group)),
        )
    yield from _left_out_insights(finding)


def _adjusted_insights(finding: OutcomeFinding) -> Iterator[Insight]:
    reversed_rows = [row for row in finding.judged if _reverses(row)]
    if reversed_rows:
        yield _fact(finding, "direction_reverses", min(reversed_rows, key=lambda row: (row.ratio or 0.0, row.group)))
    adjusted = [row for row in finding.judged if row.adjusted_impact_ratio is not None]
    if adjusted:
        yield _fact(
            finding,
            "worst_adjusted",
            min(adjusted, key=lambda row: (row.adjusted_impact_ratio or 0.0, row.group)),
        )


def _metric_insights(finding: MetricFinding) -> Iterator[Insight]:
    defined = [row for row in finding.groups if row.sufficient and row.value is not None]
    worse = [row for row in defined if row.worse]
    if worse:
        yield _fact(finding, "widest_gap", max(worse, key=lambda row: (row.gap or 0.0, row.n, row.group)))
    yield Insight(
        kind="metric_counts",
        attributes=finding.attributes,
        group=None,
        numbers=(
            ("judged", len(finding.judged)),
            ("failing", sum(row.failing for row in finding.groups)),
            ("worse", len(worse)),
            ("significant", sum(row.significant for row in finding.groups)),
            ("insufficient", sum(not row.sufficient for row in finding.groups)),
            ("undefined", sum(row.sufficient and row.value is None for row in finding.groups)),
        ),
    )
    if defined:
        yield _fact(finding, "best_group", defined[-1])
    yield Insight(
        kind="overall_value",
        attributes=finding.attributes,
        group=None,
        numbers=(("overall", finding.overall_value), ("comparison", finding.comparison_value)),
    )
    yield from _left_out_insights(finding)


def _left_out_insights(finding: Finding) -> Iterator[Insight]:
    if finding.rows and finding.rows.missing_attribute:
        yield Insight(
            kind="missing_attributes",
            attributes=finding.attributes,
            group=None,
            numbers=(("missing", finding.rows.missing_attribute), ("with_inputs", finding.rows.with_inputs)),
        )
    small = [row for row in finding.groups if not row.sufficient]
    if small:
        yield _fact(finding, "largest_insufficient", max(small, key=lambda row: (row.n, row.group)))


def _reverses(row: OutcomeGroup) -> bool:
    """Tell whether the adjusted ratio points the other way than the unadjusted one (Simpson's reversal)."""
    if row.ratio is None or row.adjusted_impact_ratio is None:
        return False
    return (row.ratio - 1) * (row.adjusted_impact_ratio - 1) < 0


def _fact(finding: Finding, kind: str, row: OutcomeGroup | ScoreRow | MetricRow) -> Insight:
    return Insight(kind=kind, attributes=finding.attributes, group=row.group, numbers=_numbers(row))


def _numbers(row: OutcomeGroup | ScoreRow | MetricRow) -> tuple[tuple[str, int | float | None], ...]:
    if isinstance(row, MetricRow):
        return (("n", row.n), ("value", row.value), ("ratio", row.ratio), ("gap", row.gap))
    shared = (("n", row.n), ("rate", row.rate), ("ratio", row.ratio), ("difference", row.difference))
    if isinstance(row, OutcomeGroup):
        return (*shared, ("favorable", row.favorable), ("adjusted_impact_ratio", row.adjusted_impact_ratio))
    return (*shared, ("scoring", row.scoring), ("mean_difference", row.mean_difference))
