"""Everything that a packet prints about rate gaps, gathered once; all of it empty where an audit has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.audit.record import AuditRecord
from fairreport.render.views import RunView
from fairreport.report.gap_criteria import GapCriteria, gap_criteria
from fairreport.report.gap_flow import GapFlow, gap_flow
from fairreport.report.gap_front import GapFront, gap_front
from fairreport.report.gap_results import GapResults, gap_results
from fairreport.report.worked_gap import WorkedGap, work_gap


@dataclass(frozen=True, slots=True, kw_only=True)
class GapPart:
    """What a packet prints about rate gaps, section by section."""

    front: GapFront
    criteria: tuple[GapCriteria, ...]
    flow: GapFlow
    results: tuple[GapResults, ...]
    worked: WorkedGap | None


def gap_part(record: AuditRecord, run: RunView, places: Sequence[tuple[str, str]]) -> GapPart:
    """Return what a packet prints about rate gaps.

    Parameters
    ----------
    record : AuditRecord
        The audit.
    run : RunView
        The same as it prints.
    places : sequence of (str, str)
        Number and anchor of each test of rate gaps, in their order.
    """
    pairs = list(zip(record.rate_gaps, run.gaps, strict=True))
    return GapPart(
        front=gap_front(record, run),
        criteria=tuple(gap_criteria(entry, view.name) for entry, view in pairs),
        flow=gap_flow([(entry, view.name) for entry, view in pairs]),
        results=tuple(
            gap_results(entry, view, number=number, anchor=anchor)
            for (entry, view), (number, anchor) in zip(pairs, places, strict=True)
        ),
        worked=work_gap(record),
    )
