"""Tables of one test of rates each: ratios to the highest rate, or gaps in standard deviations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairreport.analyses.comparison import FOUR_FIFTHS
from fairreport.analyses.grouping import best_group
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.result import OutcomeGroup, PValue, ScoreRow
from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.audit.withheld import CODE
from fairreport.audit.withholding import REREFERENCED
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence
from fairreport.report.preset_choice import rate_tests
from fairreport.report.printed_table import PRINTED_ROWS, further_groups
from fairreport.report.profile_table import ProfileRow, ProfileTable, widths_of
from fairreport.stats import contrast
from fairreport.stats.shortfall import one_person_flips
from fairreport.stats.significance import pooled_z

NOT_JUDGED = "not enough data"
RATIOS_EXPLAINED = (
    "Ratio: rate of the group over that of the judged group with the highest.",
    "One person moved: what becomes of the side where one favorable outcome moves between the two groups, either way.",
)
DEVIATIONS_EXPLAINED = (
    "Expected: n of the group times the rate of group and reference together.",
    "Standard deviations: z = (a m − b n) / √(n m (a + b)(n + m − a − b) / (n + m)), for a of n in the group and b of "
    "m in the reference, without continuity correction; below 0 where the group has the lower rate.",
)
_REFERENCE = "reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """A group of a test with its counts, and whether it has the rows to be judged."""

    group: tuple[str, ...]
    n: int
    hits: int
    sufficient: bool
    adjusted_p: PValue | None

    @property
    def rate(self) -> float:
        """Share of favorable outcomes."""
        return self.hits / self.n


def _groups(entry: TestRecord) -> tuple[GroupCount, ...]:
    """Return the groups of a test of rates that was computed, worst first."""
    return tuple(
        GroupCount(
            group=row.group,
            n=row.n,
            hits=row.favorable if isinstance(row, OutcomeGroup) else row.scoring,
            sufficient=row.sufficient,
            adjusted_p=row.adjusted_p,
        )
        for row in entry.finding.groups
        if isinstance(row, OutcomeGroup | ScoreRow)
    )


def highest(entry: TestRecord) -> GroupCount | None:
    """Return the group with the highest rate of those that are judged; None where a test was not computed."""
    judged = [item for item in _groups(entry) if item.sufficient]
    if entry.finding.skip is not None or not judged:
        return None
    return judged[best_group(judged, [item.rate for item in judged])]


def ratio_tables(record: AuditRecord, numbers: Mapping[str, str]) -> Iterator[ProfileTable]:
    """Yield a table a test: each group's rate over that of the judged group with the highest."""
    for number, entry in enumerate(_computed(record), start=1):
        best = highest(entry)
        if best is not None:
            is_adjusted = entry.test.p_value_adjustment is not PValueAdjustment.NONE
            p = "Adjusted p" if is_adjusted else "p"
            headings = ("n", "Favorable", "Rate", "Ratio", p, "One person moved")
            notes = (*_ratio_notes(entry, best), *_withheld_notes(record, entry))
            shape = _Shape(headings=headings, reading="Side of 0.80", row=_ratio_row(entry, best), notes=notes)
            yield _table(entry, numbers, number, shape)


def deviation_tables(record: AuditRecord, numbers: Mapping[str, str]) -> Iterator[ProfileTable]:
    """Yield a table a test: each group's gap to the reference in standard deviations."""
    headings = ("n", "Favorable", "Expected", "Rate", "Standard deviations")
    for number, entry in enumerate(_computed(record), start=1):
        reference = next((item for item in _groups(entry) if item.group == entry.finding.reference), None)
        if reference is not None:
            notes = tuple(_withheld_notes(record, entry))
            shape = _Shape(headings=headings, reading="Reads", row=_deviation_row(reference), notes=notes)
            yield _table(entry, numbers, number, shape)


def absent_tests(record: AuditRecord) -> Iterator[Sentence]:
    """Yield why there is no table: no test of rates, or one that was not computed."""
    entries = list(rate_tests(record))
    if not entries:
        yield said("No outcome or score test is part of this audit, so that there are no tables of rates.")
    for entry in entries:
        if entry.finding.skip is not None:
            is_withheld = entry.finding.skip.code.value == CODE
            why = ", whose figures are withheld." if is_withheld else ", which was not computed."
            yield said("No table of ", *joined([entry.name]), why)


def _computed(record: AuditRecord) -> Iterator[TestRecord]:
    for entry in rate_tests(record):
        if entry.finding.skip is None and entry.finding.groups:
            yield entry


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What a table shows of each group."""

    headings: tuple[str, ...]
    reading: str
    row: Callable[[GroupCount], ProfileRow]
    notes: tuple[Sentence, ...]


def _table(entry: TestRecord, numbers: Mapping[str, str], number: int, shape: _Shape) -> ProfileTable:
    groups = _groups(entry)
    rows = tuple(shape.row(item) for item in _with_reference(groups, shape.row))
    names = (Name.of(" / ".join(entry.finding.attributes)),)
    return ProfileTable(
        number=f"12.{number}",
        anchor=f"profile-{number}",
        title=said(*joined([entry.name]), f", test {numbers[entry.name]}"),
        names=names,
        headings=shape.headings,
        reading=shape.reading,
        widths=widths_of(names, shape.headings, rows, shape.reading),
        rows=rows,
        more=further_groups(len(groups) - len(rows)),
        notes=shape.notes,
    )


def _with_reference(groups: Sequence[GroupCount], row: Callable[[GroupCount], ProfileRow]) -> list[GroupCount]:
    """Return the groups that are printed, the reference always among them."""
    kept = list(groups[:PRINTED_ROWS])
    rest = [item for item in groups[PRINTED_ROWS:] if row(item).side == _REFERENCE]
    return [*kept[: PRINTED_ROWS - len(rest)], *rest]


def _name(item: GroupCount) -> tuple[Name, ...]:
    return (Name.of(" / ".join(item.group)),)


def _ratio_row(entry: TestRecord, best: GroupCount) -> Callable[[GroupCount], ProfileRow]:
    same = entry.finding.reference == best.group
    alpha = 1 - entry.finding.method.level

    def row(item: GroupCount) -> ProfileRow:
        counts = (formats.count(item.n), formats.count(item.hits), formats.fixed(item.rate))
        if not item.sufficient:
            return ProfileRow(names=_name(item), cells=(*counts, *[formats.ABSENT] * 3), reading=NOT_JUDGED)
        ratio = contrast.ratio(item.hits, item.n, best.hits, best.n)
        shown = formats.fixed(ratio, against=[float(FOUR_FIFTHS)])
        if item == best:
            cells = (*counts, shown, formats.ABSENT, formats.ABSENT)
            return ProfileRow(names=_name(item), cells=cells, reading="highest rate", side=_REFERENCE)
        below = contrast.is_ratio_below(item.hits, item.n, best.hits, best.n, FOUR_FIFTHS)
        flips = one_person_flips(item.hits, item.n, best.hits, best.n)
        p = formats.p_value(item.adjusted_p, alpha=alpha) if same else formats.ABSENT
        return ProfileRow(
            names=_name(item),
            cells=(*counts, shown, p, "changes the side" if flips else "same side"),
            reading="▼ below 0.80" if below else "● at or above 0.80",
            side="below" if below else "",
        )

    return row


def _ratio_notes(entry: TestRecord, best: GroupCount) -> Iterator[Sentence]:
    if entry.finding.reference != best.group:
        yield said(
            "The test compares with ",
            *joined(entry.finding.reference or ()),
            ", which has not the highest rate; ratios and sides here are those against the highest, and its p-values "
            "are left out.",
        )


def _withheld_notes(record: AuditRecord, entry: TestRecord) -> Iterator[Sentence]:
    unshown = None if record.withheld is None else record.withheld.of(entry.name)
    if unshown is not None and unshown.groups:
        n = len(unshown.groups)
        yield said(f"{formats.plural(n, 'group of this test is', 'groups of this test are')} withheld and not in it.")
        if unshown.rereferenced:
            yield said(REREFERENCED)


def _deviation_row(reference: GroupCount) -> Callable[[GroupCount], ProfileRow]:
    def row(item: GroupCount) -> ProfileRow:
        counts = (formats.count(item.n), formats.count(item.hits))
        rate = formats.fixed(item.rate)
        if item == reference:
            cells = (*counts, formats.ABSENT, rate, formats.ABSENT)
            return ProfileRow(names=_name(item), cells=cells, reading=_REFERENCE, side=_REFERENCE)
        if not item.sufficient:
            cells = (*counts, formats.ABSENT, rate, formats.ABSENT)
            return ProfileRow(names=_name(item), cells=cells, reading=NOT_JUDGED)
        expected = item.n * (item.hits + reference.hits) / (item.n + reference.n)
        z = float(pooled_z([item.hits], [item.n], [reference.hits], [reference.n]).z[0])
        return ProfileRow(
            names=_name(item),
            cells=(*counts, formats.fixed(expected, 1), rate, formats.fixed(z, 2, against=[-3, -2, 2, 3])),
            reading=_reading(z),
            side="below" if z < -2 else "",
        )

    return row


def _reading(z: float) -> str:
    size = math.fabs(z)
    glyph = "▼" if z < -2 else "▲" if z > 2 else "●"
    return f"{glyph} {'more than 3' if size > 3 else 'more than 2' if size > 2 else 'at most 2'}"
