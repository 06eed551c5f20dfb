"""Everything that a packet prints about rate gaps, gathered once; all of it empty where an audit has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairreport.audit.record import AuditRecord
from fairreport.render.views import RunView
from fairreport.report.gap_flow import GapFlow, gap_flow
from fairreport.report.gap_front import GapFront, gap_front

if TYPE_CHECKING:
    from fairreport.report.gap_criteria import GapCriteria
    from fairreport.report.gap_results import GapResults
    from fairreport.report.worked_gap import WorkedGap


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
    front = gap_front(record, run)
    if not pairs:
        return GapPart(front=front, criteria=(), flow=gap_flow([]), results=(), worked=None)
    from fairreport.report.gap_criteria import gap_criteria  # noqa: PLC0415 - only where there are rate gaps
    from fairreport.report.gap_results import gap_results  # noqa: PLC0415
    from fairreport.report.worked_gap import work_gap  # noqa: PLC0415

    return GapPart(
        front=front,
        criteria=tuple(gap_criteria(entry, view.name) for entry, view in pairs),
        flow=gap_flow([(entry, view.name) for entry, view in pairs]),
        results=tuple(
            gap_results(entry, view, number=number, anchor=anchor)
            for (entry, view), (number, anchor) in zip(pairs, places, strict=True)
        ),
        worked=work_gap(record),
    )
