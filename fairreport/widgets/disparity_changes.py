"""What a changed setting changed in the verdict of a disparity test, as pieces of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from fairreport.analyses.kinds import Test
from fairreport.analyses.result import Finding, MetricRow, OutcomeGroup, PValue, ScoreRow
from fairreport.audit.record import TestRecord
from fairreport.render import formats
from fairreport.render.phrases import Name
from fairreport.render.rate_sentences import hits_of
from fairreport.render.record_lines import joined
from fairreport.stats.contrast import is_ratio_below
from fairreport.widgets.settings import threshold_of

LISTED = 3
"""So many groups are named; of the rest it is said how many there are."""

Row = OutcomeGroup | ScoreRow | MetricRow
Label = tuple[str, ...]
Pieces = tuple[str | Name, ...]


def disparity_changes(before: TestRecord, after: TestRecord) -> Iterator[Pieces]:
    """Yield what changed besides the status, most important first."""
    now, was = after.finding, before.finding
    if now.skip is not None:
        yield (Name.prose(now.skip.reason),)
        return
    if was.attributes != now.attributes:
        groups = formats.plural(len(now.groups), "group", "groups")
        yield ("the groups are now by ", *joined(now.attributes, " and "), f", {groups}")
        yield _failing_now(now)
        return
    if was.skip is not None:
        yield _failing_now(now)
        return
    yield from _changed_groups(before, after)
    if was.reference != now.reference and now.reference is not None:
        yield ("the reference is now ", *joined(now.reference))
    yield from _changed_counts(was, now)


def _failing_now(finding: Finding) -> tuple[str, ...]:
    compared = len(finding.judged)
    failing = sum(row.failing for row in finding.groups)
    return (f"{formats.count(failing)} of {formats.plural(compared, 'compared group', 'compared groups')} failing",)


def _changed_groups(before: TestRecord, after: TestRecord) -> Iterator[Pieces]:
    was = {row.group: row for row in _rows(before.finding)}
    changed = [row for row in _rows(after.finding) if row.failing != was[row.group].failing]
    for row in changed[:LISTED]:
        yield ("group ", *_named(after.finding.attributes, row.group), " ", _verdict(after, row))
    if len(changed) > LISTED:
        more = len(changed) - LISTED
        yield (f"and {formats.plural(more, 'further group', 'further groups')} changed",)


def _rows(finding: Finding) -> Sequence[Row]:
    return finding.groups


def _named(attributes: Sequence[str], label: Label) -> tuple[str | Name, ...]:
    """Return a group by its attributes and levels."""
    pieces: list[str | Name] = []
    for name, level in zip(attributes, label, strict=True):
        pieces += [", " if pieces else "", Name.of(name), " = ", Name.of(level)]
    return tuple(pieces)


def _verdict(record: TestRecord, row: Row) -> str:
    """Return what is now said of a group whose verdict changed."""
    test = record.test
    mark = threshold_of(test)
    bar = formats.threshold(mark)
    figure = f"ratio {formats.fixed(row.ratio, against=[mark])}"
    if isinstance(row, MetricRow):
        figure = f"value {formats.fixed(row.value)}, {figure}"
    if row.failing:
        significant = " and significant" if test.require_significance else ""
        gap = " or past its gap" if getattr(test, "max_difference", None) is not None else ""
        return f"now below {bar}{gap}{significant} ({figure})"
    if row.is_reference:
        return "is now the reference"
    if not row.sufficient:
        return f"no longer has the rows to be judged ({formats.count(row.n)})"
    if test.require_significance and not row.significant and _is_below(record, row, mark):
        return f"still below {bar}, but not significant (adjusted p {_p_value(test, row.adjusted_p)})"
    return f"now at or above {bar} ({figure})" if not isinstance(row, MetricRow) else f"no longer fails ({figure})"


def _p_value(test: Test, value: PValue | None) -> str:
    return formats.p_value(value, alpha=test.alpha)


def _is_below(record: TestRecord, row: Row, mark: float) -> bool:
    """Tell whether a group is below the threshold, decided on the counts where there are some."""
    if isinstance(row, MetricRow):
        return row.worse
    reference = next((other for other in _rows(record.finding) if other.is_reference), None)
    if reference is None or isinstance(reference, MetricRow):
        return False
    return is_ratio_below(hits_of(row), row.n, hits_of(reference), reference.n, Fraction(str(mark)))


def _changed_counts(was: Finding, now: Finding) -> Iterator[tuple[str, ...]]:
    counts = (
        ("groups compared", len(was.judged), len(now.judged)),
        ("significant differences", _significant(was), _significant(now)),
    )
    for what, before, after in counts:
        if before != after:
            yield (f"{what} {formats.count(before)} → {formats.count(after)}",)


def _significant(finding: Finding) -> int:
    return sum(row.significant for row in finding.groups)
