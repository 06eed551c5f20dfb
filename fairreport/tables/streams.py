"""The numbers per row that a test sums, as SQL, and what keeps them from being summed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from fairreport.tables.grid import Grid, double_sql, grid_between, grid_within
from fairreport.tables.known import Known
from fairreport.tables.needs import Loss, Measure, MeasureNeeds
from fairreport.tables.tally import NoTally, Unavailable

EPSILON = 2.0**-52
"""Probabilities are clipped to [EPSILON, 1 - EPSILON] before their logarithm, as scikit-learn does."""

LARGEST_REACH = 1e140
"""Values farther than this from the middle of their range have squares whose sums may leave the floats."""

OF_SUMS = {Measure.MOMENTS, Measure.RESIDUALS, Measure.SCORE}

_LARGEST_LOG_LOSS = -math.log(EPSILON)

Ranges = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A number per row whose moments are wanted.

    Attributes
    ----------
    expression : str
        SQL of the number, null where the row is not evaluated.
    grid : Grid
        Where its values lie.
    is_of_errors : bool
        Whether its values are errors of a prediction, which may all be small beside their grid.
    """

    expression: str
    grid: Grid
    is_of_errors: bool = False


def streams_of(known: Known, need: MeasureNeeds) -> tuple[Stream, ...]:
    """Return the numbers per row of a test that is made of sums."""
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
        return (_errors(f"abs({_error_sql(known, need)})", _error_reach(need, known.ranges)),)
    positive = known.indicator(need.labels[0])
    if need.loss is Loss.BRIER:
        off = f"({number} - {positive})"
        return (_loss(f"({off} * {off})", 1.0),)
    given = f"abs((1 - {positive}) - {number})"  # the probability given to what happened
    low, high = known.ranges[need.numbers[0]]
    if low < EPSILON or high > 1 - EPSILON:
        least, most = map(double_sql, (EPSILON, 1 - EPSILON))
        clipped = f"greatest(least({given}, {most}), {least})"
        given = f"(CASE WHEN {given} IS NOT NULL THEN {clipped} END)"  # greatest and least pass over a null
    return (_loss(f"-ln({given})", _LARGEST_LOG_LOSS),)


def _loss(expression: str, reach: float) -> Stream:
    """Return the stream of a loss, whose smallest value is no news."""
    return Stream(expression=expression, grid=grid_within(reach))


def _errors(expression: str, reach: float) -> Stream:
    return Stream(expression=expression, grid=grid_within(reach), is_of_errors=True)


def _error_sql(known: Known, need: MeasureNeeds) -> str:
    """Return SQL of prediction minus truth, null where one is missing or infinite."""
    prediction, truth = (known.number(name) for name in need.numbers)
    return f"({prediction} - {truth})"


def _squared_error(known: Known, need: MeasureNeeds) -> Stream:
    error = _error_sql(known, need)
    reach = _error_reach(need, known.ranges)
    return _errors(f"({error} * {error})", reach * reach)


def refusal_of_range(need: MeasureNeeds, ranges: Ranges) -> NoTally | None:
    """Return the refusal where the numbers of a test lie where they cannot be judged."""
    return _wrong_probability(need.probability, ranges) or _too_large(need, ranges)


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
    if need.measure not in OF_SUMS or need.labels or not set(need.numbers) <= ranges.keys():
        return None
    names = " and ".join(map(repr, need.numbers))
    if need.loss is Loss.VALUE and need.measure is not Measure.RESIDUALS:
        low, high = ranges[need.numbers[0]]
        reach = high / 2 - low / 2
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
