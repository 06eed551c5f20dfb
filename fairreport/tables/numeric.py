"""Score and metric tests: their rows accounted for, their sums, quantiles and ranks gathered.

One grouping accounts for the rows of every such test; one grouping per set of attributes gathers all sums;
what needs order (medians, p95, AUC) is fetched as small group codes beside doubles and sorted in numpy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from fairreport.tables.accounting import account
from fairreport.tables.known import Known
from fairreport.tables.levels import Levels
from fairreport.tables.moments import (
    LARGEST_REACH,
    Grid,
    GroupMoments,
    Stream,
    Totals,
    gather_totals,
    grid_between,
    moments_of,
    together,
)
from fairreport.tables.needs import Loss, Measure, MeasureNeeds, Reading
from fairreport.tables.shares import absent_class
from fairreport.tables.sinks import Label, MeasureSink
from fairreport.tables.source import Table
from fairreport.tables.tally import (
    MetricTally,
    MomentGroup,
    NoTally,
    ResidualGroup,
    Scan,
    ScoreTally,
    Unavailable,
)
from fairreport.tables.text import Folder

EPSILON = 2.0**-52
"""Probabilities are clipped to [EPSILON, 1 - EPSILON] before their logarithm, as scikit-learn does."""

_LARGEST_LOG_LOSS = -math.log(EPSILON)

Ranges = Mapping[str, tuple[float, float]]

_OF_SUMS = {Measure.MOMENTS, Measure.RESIDUALS, Measure.SCORE}


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
    known = account(view, list(sinks.values()))
    tallies: dict[int, ScoreTally | MetricTally | NoTally] = {
        i: reason for i, sink in sinks.items() if (reason := _refusal(sink, known))
    }
    judged = {i: sink for i, sink in sinks.items() if i not in tallies}
    moments = _moment_tallies(known, judged)
    levels = Levels(known)
    for i, sink in sorted(judged.items(), key=lambda item: (_sample_of(item[1]), item[0])):
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
        )
        for i, sink in sinks.items()
    }


def _sample_of(sink: MeasureSink) -> tuple[object, ...]:
    """Return what tests that share a sample have in common."""
    return sink.attributes, sink.need.numbers, tuple((item.column, item.positive) for item in sink.need.labels)


def _refusal(sink: MeasureSink, known: Known) -> NoTally | None:
    refused = sink.refusal_of_columns()
    if refused is not None:
        return refused
    for name in sink.need.numbers:
        if name in known.view.refused:
            return known.view.refused[name]
    return (
        sink.refusal_of_numbers()
        or _wrong_probability(sink.need.probability, known.ranges)
        or _too_large(sink.need, known.ranges)
        or sink.no_groups("every measured column")
        or absent_class(sink)
    )


def _wrong_probability(column: str | None, ranges: Ranges) -> NoTally | None:
    if column is None or column not in ranges:
        return None
    low, high = ranges[column]
    if low >= 0 and high <= 1:
        return None
    detail = f"column {column!r} holds {low if low < 0 else high!r}, which is no probability from 0 to 1"
    return NoTally(code=Unavailable.PROBABILITY_OUT_OF_RANGE, column=column, detail=detail)


def _too_large(need: MeasureNeeds, ranges: Ranges) -> NoTally | None:
    """Return the refusal where squares, or the squares of squared errors, leave the range of numbers."""
    if need.measure not in _OF_SUMS or need.labels or not set(need.numbers) <= ranges.keys():
        return None
    names = " and ".join(map(repr, need.numbers))
    if need.loss is Loss.VALUE and need.measure is not Measure.RESIDUALS:
        reach = grid_between(*ranges[need.numbers[0]]).reach
        what = f"the values of {names} are too far apart"
    else:
        reach = _error_reach(need, ranges)
        what = f"the differences of {names} are too large"
        if need.loss is not Loss.ABSOLUTE_ERROR:
            reach = reach * reach  # a product overflows to infinity, a power raises
    if reach <= LARGEST_REACH:
        return None
    detail = f"{what}: their squares leave the range of floating-point numbers"
    return NoTally(code=Unavailable.NO_FINITE_VALUES, column=need.numbers[0], detail=detail)


def _error_reach(need: MeasureNeeds, ranges: Ranges) -> float:
    """Return a bound of |prediction - truth|."""
    (low, high), (least, most) = (ranges[name] for name in need.numbers)
    return max(high - least, most - low)


def _moment_tallies(known: Known, sinks: Mapping[int, MeasureSink]) -> dict[int, MetricTally]:
    """Return the tallies that are made of sums, gathered in one grouping per set of attributes."""
    by_attributes: dict[tuple[str, ...], dict[int, MeasureSink]] = {}
    for i, sink in sinks.items():
        if sink.need.measure in _OF_SUMS:
            by_attributes.setdefault(sink.attributes, {})[i] = sink
    tallies: dict[int, MetricTally] = {}
    for group in by_attributes.values():
        streams = {i: _streams(known, sink.need) for i, sink in group.items()}
        distinct = list(dict.fromkeys(stream for listed in streams.values() for stream in listed))
        first = next(iter(group.values()))
        gathered = dict(zip(distinct, gather_totals(known, first, distinct), strict=True))
        for i, sink in group.items():
            found = [_finish(sink, gathered[stream]) for stream in streams[i]]
            tallies[i] = _tally(sink, found)
    return tallies


def _streams(known: Known, need: MeasureNeeds) -> tuple[Stream, ...]:
    if need.measure is Measure.RESIDUALS:
        truth = known.number(need.numbers[1])
        whole = known.whole(need.numbers)
        target = truth if whole is None else f"(CASE WHEN {whole} THEN {truth} END)"
        return (
            Stream(expression=target, grid=grid_between(*known.ranges[need.numbers[1]])),
            _squared_error(known, need),
        )
    number = known.number(need.numbers[0])
    if need.loss is Loss.VALUE:
        return (Stream(expression=number, grid=grid_between(*known.ranges[need.numbers[0]])),)
    if need.loss is Loss.SQUARED_ERROR:
        return (_squared_error(known, need),)
    if need.loss is Loss.ABSOLUTE_ERROR:
        return (_loss(f"abs({_error_sql(known, need)})", _error_reach(need, known.ranges)),)
    positive = f"CAST({known.positive(need.labels[0])} AS DOUBLE)"
    if need.loss is Loss.BRIER:
        off = f"({number} - {positive})"
        return (_loss(f"({off} * {off})", 1.0),)
    given = f"abs((1 - {positive}) - {number})"  # the probability given to what happened
    low, high = known.ranges[need.numbers[0]]
    if low < EPSILON or high > 1 - EPSILON:
        least, most = (f"CAST('{end!r}' AS DOUBLE)" for end in (EPSILON, 1 - EPSILON))
        clipped = f"greatest(least({given}, {most}), {least})"
        given = f"(CASE WHEN {given} IS NOT NULL THEN {clipped} END)"  # greatest and least pass over a null
    return (_loss(f"-ln({given})", _LARGEST_LOG_LOSS),)


def _loss(expression: str, reach: float) -> Stream:
    """Return the stream of a loss, whose smallest value is no news."""
    return Stream(expression=expression, grid=Grid(centre=0.0, reach=reach))


def _error_sql(known: Known, need: MeasureNeeds) -> str:
    """Return SQL of prediction minus truth, null where one is missing or infinite."""
    prediction, truth = (known.number(name) for name in need.numbers)
    return f"({prediction} - {truth})"


def _squared_error(known: Known, need: MeasureNeeds) -> Stream:
    error = _error_sql(known, need)
    reach = _error_reach(need, known.ranges)
    return _loss(f"({error} * {error})", reach * reach)


def _finish(sink: MeasureSink, totals: Mapping[Label, Totals]) -> tuple[dict[Label, GroupMoments], GroupMoments]:
    """Return the moments of every group of a test, and of all its evaluated rows."""
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
