"""What a changed setting changed in the verdicts on named pairs, as pieces of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairreport.analyses.pair_result import PairFinding, PooledRow, Row
from fairreport.audit.record import PairRecord
from fairreport.render import formats
from fairreport.render.pair_tables import PairPrinter, level_of
from fairreport.render.phrases import Name
from fairreport.render.record_lines import joined
from fairreport.widgets.disparity_changes import LISTED, Pieces

_Place = tuple[object, ...]
_Changed = tuple[Row | PooledRow, Pieces, bool | None]
"""A comparison, how a sentence about it begins, and its verdict before."""

_VERDICTS = {
    True: "now practically significant",
    False: "no longer practically significant",
    None: "no longer defined",
}
_MEASURED = (
    ("practicallySignificantCount", "practically significant comparisons"),
    ("undefinedGroupCount", "comparisons that are not defined"),
)


def pair_changes(before: PairRecord, after: PairRecord) -> Iterator[Pieces]:
    """Yield what changed besides the status, most important first."""
    if after.skip is not None:
        yield (Name.prose(after.skip.reason),)
        return
    if after.finding is None or before.finding is None:
        return
    was = {place: row.practically_significant for place, row, _ in _compared(before.finding)}
    changed = [
        (row, where, was[place])
        for place, row, where in _compared(after.finding)
        if place in was and row.practically_significant is not was[place]
    ]
    if changed:
        yield from _verdicts(PairPrinter(after.test, after.finding), changed)
    yield from _references(before.finding, after.finding)
    yield from _counts(before, after)


def _verdicts(printer: PairPrinter, changed: Sequence[_Changed]) -> Iterator[Pieces]:
    """Yield the comparisons whose verdict changed, the first ones by name."""
    for row, where, was in changed[:LISTED]:
        verdict = _VERDICTS[row.practically_significant]
        if row.practically_significant is False and was is None:
            verdict = "now defined and not practically significant"
        yield (*where, *printer.said_name(row), f" {verdict} ({printer.figure(row)}: {printer.words(row).shortest})")
    if len(changed) > LISTED:
        yield (f"and {formats.plural(len(changed) - LISTED, 'further comparison', 'further comparisons')} changed",)


def _compared(finding: PairFinding) -> Iterator[tuple[_Place, Row | PooledRow, Pieces]]:
    """Yield every comparison with its place and with how a sentence about it begins."""
    for pooled in finding.pooled:
        where: Pieces = ("pooled, ",)
        yield _place(pooled, where), pooled, where
    for table in finding.tables:
        level = level_of(table)
        where = () if level is None else level.where
        for row in table.rows:
            if not row.is_reference:
                yield _place(row, where), row, where


def _place(row: Row | PooledRow, where: Pieces) -> _Place:
    return (*where, row.group_category, row.group)


def _references(was: PairFinding, now: PairFinding) -> Iterator[Pieces]:
    before, after = _references_of(was), _references_of(now)
    for category, groups in after.items():
        if category in before and groups != before[category]:
            yield ("the reference of ", Name.of(category), " is now ", *joined(sorted(groups), ", "))


def _references_of(finding: PairFinding) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for _, row, _ in _compared(finding):
        if row.reference_group is not None:
            found.setdefault(row.group_category, set()).add(row.reference_group)
    return found


def _counts(before: PairRecord, after: PairRecord) -> Iterator[Pieces]:
    for name, what in _MEASURED:
        was, now = before.measurements.get(name), after.measurements.get(name)
        if was is not None and now is not None and was != now:
            yield (f"{what} {formats.count(was)} → {formats.count(now)}",)
