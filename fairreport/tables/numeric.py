"""Score and metric tests: their rows accounted for, their sums, quantiles and ranks gathered.

One grouping accounts for the rows of every such test; one grouping per set of attributes gathers all sums;
what needs order (medians, p95, AUC) is fetched as small group codes beside doubles and sorted in numpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from fairreport.tables.levels import Levels, positive_sql
from fairreport.tables.moments import GroupMoments, Stream, Sums, gather_sums, grid_bits, group_moments
from fairreport.tables.needs import Loss, Measure, MeasureNeeds, Reading
from fairreport.tables.shares import absent_class
from fairreport.tables.sinks import FINITE, Label, MeasureSink
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
from fairreport.tables.view import NumericView, status_expression, usable

EPSILON = 2.0**-52
"""Probabilities are clipped to [EPSILON, 1 - EPSILON] before their logarithm, as scikit-learn does."""

_LARGEST_LOG_LOSS = -math.log(EPSILON)
_ERRORS = {Loss.ABSOLUTE_ERROR, Loss.SQUARED_ERROR}

Ranges = Mapping[str, tuple[float, float]]
Texts = dict[str, dict[object, str | None]]


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
    texts = _account(view, list(sinks.values()))
    ranges = _number_ranges(view, needs.values())
    tallies: dict[int, ScoreTally | MetricTally | NoTally] = {
        i: reason for i, sink in sinks.items() if (reason := _refusal(sink, view, ranges))
    }
    judged = {i: sink for i, sink in sinks.items() if i not in tallies}
    moments = _moment_tallies(view, judged, ranges, texts)
    levels = Levels(view, texts)
    for i, sink in sorted(
        judged.items(), key=lambda item: (item[1].attributes, item[1].need.numbers, item[0])
    ):
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
        i: Scan(tally=tallies[i], spellings=sink.spellings(), undeclared=sink.undeclared())
        for i, sink in sinks.items()
    }


def _account(view: NumericView, sinks: Sequence[MeasureSink]) -> Texts:
    """Feed every test its raw cells and the status of its numbers, from one grouping; return the folded cells."""
    keys = {name: column.expression for name, column in view.cells.items()}
    place = {name: i for i, name in enumerate(keys)}
    status_of = {name: len(place) + i for i, name in enumerate(view.numbers)}
    expressions = [*keys.values(), *(status_expression(number) for number in view.numbers.values())]
    fed: dict[tuple[int, ...], list[tuple[MeasureSink, list[int], list[int | None]]]] = {}
    for sink in sinks:
        raw = [place[name] for name in sink.columns]
        states = [status_of.get(name) for name in sink.need.numbers]  # None where the column is not numeric
        used = tuple(sorted({*raw, *(i for i in states if i is not None)}))
        fed.setdefault(used, []).append((sink, raw, states))
    by_mask = {
        sum(1 << (len(expressions) - 1 - i) for i in range(len(expressions)) if i not in used): used
        for used in fed
    }
    texts: Texts = {name: {} for name in keys}
    restore = {name: column.restore for name, column in view.cells.items()}
    for mask, *row, n in view.fetch_rows(_account_sql(view, expressions, list(fed))):
        for sink, raw, states in fed[by_mask[mask]]:
            if not n or sink.too_many_groups:
                continue
            key = tuple(
                None if row[i] is None else restore[name](row[i])
                for i, name in zip(raw, sink.columns, strict=True)
            )
            sink.add(key, [FINITE if i is None else row[i] for i in states], int(n))
            for i, name, folder, cell in zip(raw, sink.columns, sink.folders, key, strict=True):
                texts[name][row[i]] = folder(cell)
    return texts


def _account_sql(view: NumericView, expressions: Sequence[str], sets: Sequence[tuple[int, ...]]) -> str:
    inner = ", ".join(f"{expression} AS k{i}" for i, expression in enumerate(expressions))
    weight, total = ("", "count(*)") if view.weight is None else (f", {view.weight} AS w", "sum(w)")
    listed = ", ".join(f"k{i}" for i in range(len(expressions)))
    grouped = ", ".join(f"({', '.join(f'k{i}' for i in used)})" for used in sets)
    return (
        f"SELECT grouping({listed}), {listed}, {total} FROM (SELECT {inner}{weight} FROM {view.source}) "
        f"GROUP BY GROUPING SETS ({grouped})"
    )


def _number_ranges(view: NumericView, needs: Iterable[MeasureNeeds]) -> Ranges:
    """Return the smallest and largest finite value of every number, and of every error that is summed."""
    wanted = dict(view.numbers)
    for need in needs:
        if (need.loss in _ERRORS or need.measure is Measure.RESIDUALS) and set(
            need.numbers
        ) <= view.numbers.keys():
            wanted[_error_name(need)] = _error_sql(view, need)
    if not wanted:
        return {}
    inner = ", ".join(f"{expression} AS x{i}" for i, expression in enumerate(wanted.values()))
    ends = ", ".join(
        f"min(x{i}) FILTER (NOT isinf(x{i})), max(x{i}) FILTER (NOT isinf(x{i}))" for i in range(len(wanted))
    )
    row = next(iter(view.fetch_rows(f"SELECT {ends} FROM (SELECT {inner} FROM {view.source})")))
    return {name: (row[2 * i], row[2 * i + 1]) for i, name in enumerate(wanted) if row[2 * i] is not None}


def _error_name(need: MeasureNeeds) -> str:
    return f"{need.numbers[0]!r} - {need.numbers[1]!r}"


def _error_sql(view: NumericView, need: MeasureNeeds) -> str:
    """Return SQL of prediction minus truth, null where one is missing or infinite."""
    prediction, truth = (view.numbers[name] for name in need.numbers)
    return f"(CASE WHEN {usable([prediction, truth])} THEN {prediction} - {truth} END)"


def _refusal(sink: MeasureSink, view: NumericView, ranges: Ranges) -> NoTally | None:
    refused = sink.refusal_of_columns()
    if refused is not None:
        return refused
    for name in sink.need.numbers:
        if name in view.refused:
            return view.refused[name]
    return (
        sink.refusal_of_numbers()
        or _wrong_probability(sink.need.probability, ranges)
        or sink.no_groups("every measured column")
        or absent_class(sink)
    )


def _wrong_probability(column: str | None, ranges: Ranges) -> NoTally | None:
    if column is None or column not in ranges:
        return None
    low, high = ranges[column]
    if 0 <= low and high <= 1:
        return None
    detail = f"column {column!r} holds {low if low < 0 else high!r}, which is no probability from 0 to 1"
    return NoTally(code=Unavailable.PROBABILITY_OUT_OF_RANGE, column=column, detail=detail)


def _moment_tallies(
    view: NumericView, sinks: Mapping[int, MeasureSink], ranges: Ranges, texts: Texts
) -> dict[int, MetricTally]:
    """Return the tallies that are made of sums, gathered in one grouping per set of attributes."""
    by_attributes: dict[tuple[str, ...], dict[int, MeasureSink]] = {}
    for i, sink in sinks.items():
        if sink.need.measure in {Measure.MOMENTS, Measure.RESIDUALS, Measure.SCORE}:
            by_attributes.setdefault(sink.attributes, {})[i] = sink
    tallies: dict[int, MetricTally] = {}
    for group in by_attributes.values():
        streams = {i: _streams(view, sink.need, ranges, texts) for i, sink in group.items()}
        distinct = list(dict.fromkeys(stream for listed in streams.values() for stream in listed))
        first = next(iter(group.values()))
        gathered = dict(zip(distinct, gather_sums(view, first, distinct, texts), strict=True))
        for i, sink in group.items():
            bits = grid_bits(first.total)
            found = [_finish(sink, gathered[stream], stream, bits) for stream in streams[i]]
            tallies[i] = _tally(sink, found)
    return tallies


def _streams(view: NumericView, need: MeasureNeeds, ranges: Ranges, texts: Texts) -> tuple[Stream, ...]:
    if need.measure is Measure.RESIDUALS:
        prediction, truth = (view.numbers[name] for name in need.numbers)
        target = f"(CASE WHEN {usable([prediction, truth])} THEN {truth} END)"
        return (_centred(target, ranges[need.numbers[1]]), _squared_error(view, need, ranges))
    number = view.numbers[need.numbers[0]]
    finite = f"(CASE WHEN {usable([number])} THEN {number} END)"
    if need.loss is Loss.VALUE:
        return (_centred(finite, ranges[need.numbers[0]]),)
    if need.loss is Loss.SQUARED_ERROR:
        return (_squared_error(view, need, ranges),)
    if need.loss is Loss.ABSOLUTE_ERROR:
        reach = max(abs(end) for end in ranges[_error_name(need)])
        return (Stream(expression=f"abs({_error_sql(view, need)})", centre=0.0, reach=reach),)
    positive = positive_sql(view, need.labels[0], texts)
    if need.loss is Loss.BRIER:
        off = f"(CASE WHEN {positive} THEN {finite} - 1 WHEN NOT {positive} THEN {finite} END)"
        return (Stream(expression=f"({off} * {off})", centre=0.0, reach=1.0),)
    clipped = f"greatest(least({finite}, CAST('{1 - EPSILON!r}' AS DOUBLE)), CAST('{EPSILON!r}' AS DOUBLE))"
    given = f"(CASE WHEN {positive} THEN {clipped} WHEN NOT {positive} THEN 1 - {clipped} END)"
    known = f"(CASE WHEN {finite} IS NOT NULL THEN -ln({given}) END)"
    return (Stream(expression=known, centre=0.0, reach=_LARGEST_LOG_LOSS),)


def _centred(expression: str, ends: tuple[float, float]) -> Stream:
    low, high = ends
    centre = low / 2 + high / 2
    return Stream(expression=expression, centre=centre, reach=max(high - centre, centre - low))


def _squared_error(view: NumericView, need: MeasureNeeds, ranges: Ranges) -> Stream:
    error = _error_sql(view, need)
    reach = max(abs(end) for end in ranges[_error_name(need)])
    return Stream(expression=f"({error} * {error})", centre=0.0, reach=reach * reach)


def _finish(
    sink: MeasureSink, sums: Mapping[Label, Sums], stream: Stream, bits: int
) -> tuple[dict[Label, GroupMoments], GroupMoments]:
    """Return the moments of every group of a test, and of all its evaluated rows."""
    groups = {label: group_moments(sums[label], stream, bits) for label in sorted(sink.sizes)}
    everyone = Sums()
    for label in groups:
        everyone.add(sums[label])
    return groups, group_moments(everyone, stream, bits)


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
    """Return R2 = 1 - SSR / SST; not defined for a constant target or fewer than two rows."""
    if not target.variance:
        return ResidualGroup(group=label, n=target.n, explained=None)
    total = target.variance * (target.n - 1)
    return ResidualGroup(group=label, n=target.n, explained=1 - error.mean * error.n / total)
