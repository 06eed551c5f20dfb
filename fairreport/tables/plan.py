"""What will be asked of a table, told before it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairreport.tables.build import AnyNeeds, Counted, count_sets
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.needs import Loss, Measure, MeasureNeeds, Needs, Reading
from fairreport.tables.paging import FEW_ROWS
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.source import Table
from fairreport.tables.streams import OF_SUMS

LOOKED_AT = 10_000
"""So many rows are looked at to tell how many groups there may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that is asked of a table.

    Attributes
    ----------
    tests : tuple of int
        Positions of the tests that need it.
    columns : tuple of str
        What is read.
    text : str
        What is asked, in words.
    groups : int or None
        Estimated rows that come back; None where that is not known.
    sql : str or None
        The statement where it is known before any answer; None elsewhere, and for rows that are here.
    """

    tests: tuple[int, ...]
    columns: tuple[str, ...]
    text: str
    groups: int | None = None
    sql: str | None = None


def plan_of(table: Table, needs: Sequence[AnyNeeds], reading: Reading) -> tuple[Step, ...]:
    """Return what a run would ask of a table, in its order.

    Where the rows are in an engine, its first 10,000 rows are asked for their distinct groups; nothing else is.

    Parameters
    ----------
    table : Table
        What would be audited; columns that it lacks are left out.
    needs : sequence of OutcomeNeeds, MeasureNeeds, GapNeeds, PairNeeds or RowNeeds
        One entry a test.
    reading : Reading
        How cells would be read.
    """
    counted: dict[int, Counted] = {}
    numeric: dict[int, MeasureNeeds] = {}
    steps: list[Step] = []
    for i, need in enumerate(needs):
        if isinstance(need, PairNeeds):
            steps.append(_step(table, [i], need.columns, "distinct rows with their number, brought here"))
        elif isinstance(need, MeasureNeeds) and need.measure is not Measure.SHARE:
            numeric[i] = need
        elif isinstance(need, Needs | GapNeeds):
            counted[i] = need
        else:
            steps.append(Step(tests=(i,), columns=(), text="rows, read by a function of the user's own"))
    return (*_of_counts(table, counted, reading), *_of_numbers(table, numeric), *steps)


def _of_counts(table: Table, needs: Mapping[int, Counted], reading: Reading) -> list[Step]:
    sets = [tuple(name for name in columns if table.has(name)) for columns in count_sets(needs, reading)]
    sets = list(dict.fromkeys(columns for columns in sets if columns))
    if not sets:
        return []
    grouping = "one GROUP BY" if len(sets) == 1 else f"one GROUP BY with {len(sets):,} grouping sets"
    estimates = [_estimate(table, columns) for columns in sets]
    known = [estimate for estimate in estimates if estimate is not None]
    return [
        Step(
            tests=tuple(needs),
            columns=_all(sets),
            text=f"{grouping} that counts rows",
            groups=sum(known) if len(known) == len(sets) else None,
            sql=None if table.elsewhere is None else table.elsewhere.counting_sql(sets, reading.counts),
        ),
        *(
            _step(table, [i], (need.case_id, *([need.unit] if need.unit else [])), "whether an id stands twice")
            for i, need in needs.items()
            if isinstance(need, GapNeeds)
        ),
    ]


def _of_numbers(table: Table, needs: Mapping[int, MeasureNeeds]) -> list[Step]:
    if not needs:
        return []
    cells = _all([(*need.attributes, *(item.column for item in need.labels)) for need in needs.values()])
    numbers = _all([need.numbers for need in needs.values()])
    steps = [
        _step(
            table,
            list(needs),
            (*cells, *numbers),
            "one GROUP BY that counts rows and takes the smallest and largest number",
            grouped=cells,
        )
    ]
    for i, need in needs.items():
        if need.loss is Loss.LOG_LOSS:
            steps.append(_step(table, [i], need.columns, "distinct rows with their number, brought here"))
        elif need.measure in OF_SUMS:
            text = "one GROUP BY that adds numbers and their squares, in pieces that are exact"
            steps.append(_step(table, [i], need.columns, text, grouped=need.attributes))
        if need.measure in {Measure.SCORE, Measure.RANKS}:
            steps.append(_step(table, [i], need.columns, "a small group code and the number of each row, to be sorted"))
        elif need.measure is Measure.QUANTILE:
            pages = f"rows counted in {FEW_ROWS.pages:,} ranges a group, and the rows of those that hold the quantile"
            steps.append(_step(table, [i], need.columns, pages))
    return steps


def _step(
    table: Table, tests: Sequence[int], columns: Sequence[str], text: str, *, grouped: Sequence[str] = ()
) -> Step:
    used = tuple(name for name in dict.fromkeys(columns) if table.has(name))
    keys = tuple(name for name in dict.fromkeys(grouped) if table.has(name))
    return Step(tests=tuple(tests), columns=used, text=text, groups=_estimate(table, keys))


def _estimate(table: Table, columns: Sequence[str]) -> int | None:
    """Return how many groups the first rows of an engine's table hold; None where the rows are here."""
    if table.elsewhere is None or not columns or not table.nested.isdisjoint(columns):
        return None
    return table.elsewhere.distinct_among_first(columns, LOOKED_AT)


def _all(listed: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in listed for name in names))
