"""Everything that a packet prints about named pairs, gathered once; all of it empty where an audit has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairreport.audit.record import AuditRecord, PairRecord
from fairreport.render import formats
from fairreport.render.views import RunView
from fairreport.report.pair_flow import PairFlow, pair_flow
from fairreport.report.pair_front import PairFront, pair_front
from fairreport.report.pair_used import is_segmented, pairs_hold_against_labels

if TYPE_CHECKING:
    from fairreport.report.pair_criteria import PairCriteria
    from fairreport.report.pair_results import PairResults
    from fairreport.report.worked_pair_pool import WorkedPool

GROUPS, SEGMENTS, LABELS = 5, 6, 7
"""Sections in which tests of named pairs stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPart:
    """What a packet prints about named pairs, section by section; `results` are in the order of the audit."""

    front: PairFront
    criteria: tuple[PairCriteria, ...]
    flow: PairFlow
    results: tuple[PairResults, ...]
    pooled: WorkedPool | None

    def inside(self, section: int) -> tuple[PairResults, ...]:
        """Return the tests of a section."""
        return tuple(it for it in self.results if it.number.startswith(f"{section}."))

    @property
    def by_group(self) -> tuple[PairResults, ...]:
        """The tests of section 5."""
        return self.inside(GROUPS)

    @property
    def segmented(self) -> tuple[PairResults, ...]:
        """The tests of section 6, which pool over segments."""
        return self.inside(SEGMENTS)

    @property
    def labelled(self) -> tuple[PairResults, ...]:
        """The tests of section 7, which hold something against what really happened."""
        return self.inside(LABELS)

    @property
    def sections(self) -> tuple[int, ...]:
        """The sections that have tests."""
        return tuple(section for section in (GROUPS, SEGMENTS, LABELS) if self.inside(section))

    @property
    def has_weights(self) -> bool:
        """Whether some test weighs rows."""
        return any(it.view.weights for it in self.results)

    @property
    def has_beside(self) -> bool:
        """Whether figures for information stand beside the ratios of some test."""
        return any(it.view.analysis == "adverse_impact_ratio" for it in self.results)

    @property
    def has_custom(self) -> bool:
        """Whether a metric of the user's own was computed: its function stands in no file."""
        return any(it.view.analysis == "custom_disparity_metric" for it in self.results)


def section_of(record: PairRecord) -> int:
    """Return the section in which a test of named pairs stands."""
    if is_segmented(record.test):
        return SEGMENTS
    return LABELS if pairs_hold_against_labels(record.test) else GROUPS


def pair_part(record: AuditRecord, run: RunView, before: dict[int, int]) -> PairPart:
    """Return what a packet prints about named pairs.

    Parameters
    ----------
    record : AuditRecord
        The audit.
    run : RunView
        The same as it prints.
    before : dict of int to int
        How many tests of other kinds stand in a section before those of named pairs.
    """
    pairs = list(zip(record.pairs, run.pairs, strict=True))
    taken = dict(before)
    places: list[str] = []
    for entry, _ in pairs:
        section = section_of(entry)
        taken[section] = taken.get(section, 0) + 1
        places.append(f"{section}.{taken[section]}")
    front = pair_front(run, sections=in_sections(sorted({section_of(entry) for entry, _ in pairs})))
    if not pairs:
        return PairPart(front=front, criteria=(), flow=pair_flow([]), results=(), pooled=None)
    from fairreport.report.pair_criteria import pair_criteria  # noqa: PLC0415 - only where there are named pairs
    from fairreport.report.pair_results import pair_results  # noqa: PLC0415
    from fairreport.report.worked_pair_pool import work_pool  # noqa: PLC0415

    return PairPart(
        front=front,
        criteria=tuple(pair_criteria(entry, view) for entry, view in pairs),
        flow=pair_flow([(entry, view.name) for entry, view in pairs]),
        results=tuple(
            pair_results(entry, view, number=number, anchor=f"pairs-{i}")
            for i, ((entry, view), number) in enumerate(zip(pairs, places, strict=True), start=1)
        ),
        pooled=work_pool(record),
    )


def in_sections(numbers: Sequence[int]) -> str:
    """Return sections in words.

    Examples
    --------
    >>> in_sections([5]), in_sections([5, 6, 7])
    ('section 5', 'sections 5, 6 and 7')
    """
    return f"{'section' if len(numbers) == 1 else 'sections'} {formats.listed(map(str, numbers))}"
