"""Score and metric tests: their rows accounted for, their sums, quantiles and ranks gathered.

One grouping accounts for the rows of every such test and gathers all sums, where the file says enough of itself
(`fairreport.tables.at_once`); else one grouping accounts for the rows, and one per set of attributes gathers the
sums. What needs order (medians, p95, AUC) is fetched as small group codes beside doubles and sorted in numpy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from fairreport.tables.accounting import account
from fairreport.tables.at_once import StreamTotals, gather_at_once
from fairreport.tables.known import Known
from fairreport.tables.levels import Levels
from fairreport.tables.moments import GroupMoments, Totals, gather_totals, moments_of, together
from fairreport.tables.needs import Measure, MeasureNeeds, Reading, sample_of
from fairreport.tables.shares import absent_class
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.source import Table
from fairreport.tables.streams import OF_SUMS, refusal_of_range, streams_of
from fairreport.tables.tally import (
    MetricTally,
    MomentGroup,
    NoTally,
    ResidualGroup,
    Scan,
    ScoreTally,
)
from fairreport.tables.text import Folder


def measure(
    table: Table, needs: Mapping[int, MeasureNeeds], reading: Reading, folders: Mapping[str, Folder]
) -> dict[int, Scan]:
    """Return the scans of tests that need numbers.

    Parameters
    ----------
    table : Table
        What is audited.
    needs : mapping of int to MeasureNeeds
        The tests by their position.
    reading : Reading
        How cells are to be read.
    folders : mapping of str to Folder
        One folder a column.
    """
    sinks = {i: MeasureSink(need, reading, folders) for i, need in needs.items()}
    cells = dict.fromkeys(name for sink in sinks.values() for name in sink.columns)
    numbers = dict.fromkeys(name for need in needs.values() for name in need.numbers)
    view = table.view(tuple(cells), tuple(numbers), reading)
    known, summed = gather_at_once(view, list(sinks.values())) or (account(view, list(sinks.values())), {})
    tallies: dict[int, ScoreTally | MetricTally | NoTally] = {
        i: reason for i, sink in sinks.items() if (reason := _refusal(sink, known))
    }
    judged = {i: sink for i, sink in sinks.items() if i not in tallies}
    moments = _moment_tallies(known, judged, summed)
    levels = Levels(known)
    for i, sink in sorted(judged.items(), key=lambda item: (sample_of(item[1].need), item[0])):
        match sink.need.measure:
            case Measure.SCORE:
                tallies[i] = levels.score(sink, moments[i])
            case Measure.QUANTILE:
                tallies[i] = levels.quantiles(sink)
            case Measure.RANKS:
                tallies[i] = levels.ranks(sink)
            case _:
                tallies[i] = moments[i]
    return {
        i: Scan(
            tally=tallies[i],
            spellings=sink.spellings(),
            undeclared=sink.undeclared(),
            absent=sink.absent(),
            rounded=tuple(name for name in sink.need.numbers if name in view.numbers and known.is_rounded(name)),
        )
        for i, sink in sinks.items()
    }


def _refusal(sink: MeasureSink, known: Known) -> NoTally | None:
    refused = sink.refusal_of_columns()
    if refused is not None:
        return refused
    for name in sink.need.numbers:
        if name in known.view.refused:
            return known.view.refused[name]
    return (
        sink.refusal_of_numbers()
        or refusal_of_range(sink.need, known.ranges)
        or sink.no_groups("every measured column")
        or absent_class(sink)
    )


def _moment_tallies(known: Known, sinks: Mapping[int, MeasureSink], summed: StreamTotals) -> dict[int, MetricTally]:
    """Return the tallies that are made of sums; those not gathered yet come from one grouping per set of attributes."""
    by_attributes: dict[tuple[str, ...], dict[int, MeasureSink]] = {}
    for i, sink in sinks.items():
        if sink.need.measure in OF_SUMS:
            by_attributes.setdefault(sink.attributes, {})[i] = sink
    tallies: dict[int, MetricTally] = {}
    for group in by_attributes.values():
        streams = {i: streams_of(known, sink.need) for i, sink in group.items()}
        distinct = dict.fromkeys(stream for listed in streams.values() for stream in listed)
        gathered = summed
        if not distinct.keys() <= summed.keys():
            found = gather_totals(known, next(iter(group.values())), list(distinct))
            gathered = dict(zip(distinct, found, strict=True))
        for i, sink in group.items():
            tallies[i] = _tally(sink, [_finish(sink, gathered[stream]) for stream in streams[i]])
    return tallies


def _finish(sink: MeasureSink, totals: Mapping[Label, Totals]) -> tuple[dict[Label, GroupMoments], GroupMoments]:
    """Return the moments of every group of a test, and of all its evaluated rows."""
    sink.hold({label: found.n for label, found in totals.items()})
    own = {label: totals[label] for label in sorted(sink.sizes)}
    return {label: moments_of(found) for label, found in own.items()}, moments_of(together(own.values()))


def _tally(sink: MeasureSink, found: Sequence[tuple[dict[Label, GroupMoments], GroupMoments]]) -> MetricTally:
    need = sink.need
    (groups, overall), *others = found
    if others:
        errors, all_errors = others[0]
        listed: tuple[MomentGroup, ...] | tuple[ResidualGroup, ...] = tuple(
            _residual(label, groups[label], errors[label]) for label in groups
        )
        everyone: MomentGroup | ResidualGroup = _residual((), overall, all_errors)
    else:
        listed = tuple(_moment(label, moments) for label, moments in groups.items())
        everyone = _moment((), overall)
    return MetricTally(
        attributes=sink.attributes,
        columns=(*need.numbers, *(labels.column for labels in need.labels)),
        positive_values=tuple(sorted(need.labels[-1].positive)) if need.labels else (),
        rows=sink.row_count(),
        groups=listed,
        overall=everyone,
        missing=sink.missing(with_favorable=False),
    )


def _moment(label: Label, moments: GroupMoments) -> MomentGroup:
    return MomentGroup(group=label, n=moments.n, mean=moments.mean, variance=moments.variance)


def _residual(label: Label, target: GroupMoments, error: GroupMoments) -> ResidualGroup:
    """Return R2 = 1 - SSR / SST; not defined for a constant target, fewer than two rows, or out of range."""
    explained = None
    if target.variance:
        explained = 1 - error.mean * error.n / (target.variance * (target.n - 1))
    is_number = explained is not None and math.isfinite(explained)
    return ResidualGroup(group=label, n=target.n, explained=explained if is_number else None)
