"""What will be asked of a table, told before it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairreport.tables.build import AnyNeeds, Counted, count_sets, refuse_absent_counts
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.needs import Loss, Measure, MeasureNeeds, Reading, sample_of
from fairreport.tables.paging import FEW_ROWS
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.pair_scan import RowNeeds
from fairreport.tables.source import Table, absent_column, nested_values
from fairreport.tables.sql_crowds import MOST_ALIKE
from fairreport.tables.sql_persons import MOST_ODD
from fairreport.tables.streams import OF_SUMS
from fairreport.tables.tally import COMPARED_ROWS

LOOKED_AT = 10_000
"""So many rows are looked at to tell how many groups there may be."""

EVERY_ROW = "as many rows as the table has"
_ALIKE = f"at most {MOST_ALIKE:,} rows"
_BROUGHT = "distinct rows with their number, brought here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that is asked of a table.

    Attributes
    ----------
    tests : tuple of int
        Positions of the tests that need it.
    columns : tuple of str
        What is read; nothing where the table does not allow the test.
    text : str
        What is asked, in words, or why nothing is.
    groups : int or None
        Estimated rows that come back; None where that is not known.
    bound : str
        How many rows come back at most, in words, where there is no estimate; empty where the rows are here.
    sql : str or None
        The statement where it is known before any answer; None elsewhere, and for rows that are here.
    """

    tests: tuple[int, ...]
    columns: tuple[str, ...]
    text: str
    groups: int | None = None
    bound: str = ""
    sql: str | None = None


def plan_of(table: Table, needs: Sequence[AnyNeeds], reading: Reading) -> tuple[Step, ...]:
    """Return what a run would ask of a table, in its order; last, the tests that its columns do not allow.

    Where the rows are in an engine, its first 10,000 rows are asked for their distinct groups; of its rows nothing
    else is.

    Parameters
    ----------
    table : Table
        What would be audited.
    needs : sequence of OutcomeNeeds, MeasureNeeds, GapNeeds, PairNeeds or RowNeeds
        One entry a test.
    reading : Reading
        How cells would be read.

    Raises
    ------
    DataError
        If the counts column is absent.
    """
    refuse_absent_counts(table, reading)
    counted: dict[int, Counted] = {}
    numeric: dict[int, MeasureNeeds] = {}
    pairs: list[Step] = []
    functions: list[Step] = []
    refused: list[Step] = []
    for i, need in enumerate(needs):
        if why := _refusal(table, need):
            refused.append(Step(tests=(i,), columns=(), text=f"nothing: {why}"))
        elif isinstance(need, PairNeeds):
            pairs.append(_brought(table, [i], need.columns))
        elif isinstance(need, RowNeeds):
            text = f"{_BROUGHT} for a function of the user's own"
            functions.append(_step(table, [i], need.columns, text, _ALIKE))
        elif isinstance(need, MeasureNeeds) and need.measure is not Measure.SHARE:
            numeric[i] = need
        else:
            counted[i] = need
    counts = _of_counts(table, counted, reading)
    return (*pairs, *counts, *_of_numbers(table, numeric, reading), *functions, *refused)


def _refusal(table: Table, need: AnyNeeds) -> str:
    """Return what a run would say of columns that do not allow a test; empty where they do."""
    absent = [absent_column(name, table.names) for name in need.columns if not table.has(name)]
    nested = [nested_values(name) for name in need.columns if name in table.nested]
    return " ".join(absent) or "; ".join(nested)


def _of_counts(table: Table, needs: Mapping[int, Counted], reading: Reading) -> Iterator[Step]:
    sets = list(dict.fromkeys(count_sets(needs, reading)))
    if not sets:
        return
    grouping = "one GROUP BY" if len(sets) == 1 else f"one GROUP BY with {len(sets):,} grouping sets"
    estimates = [_estimate(table, columns) for columns in sets]
    known = [estimate for estimate in estimates if estimate is not None]
    yield Step(
        tests=tuple(needs),
        columns=_all(sets),
        text=f"{grouping} that counts rows",
        groups=sum(known) if len(known) == len(sets) else None,
        sql=None if table.elsewhere is None else table.elsewhere.counting_sql(sets, reading.counts),
    )
    for i, need in needs.items():
        if isinstance(need, GapNeeds):
            yield from _of_cases(table, i, need, reading)


def _of_cases(table: Table, test: int, need: GapNeeds, reading: Reading) -> Iterator[Step]:
    """Yield what rate gaps ask besides counts: whether a case or a person stands twice, and calibration."""
    persons = [name for name in (need.case_id, need.unit) if name is not None and table.has(name)]
    if reading.counts is None and persons:
        text = f"whether {' or '.join(map(repr, persons))} stands twice"
        bound = f"few rows, and cells with outer blanks or decimal zeros, at most {MOST_ODD:,}"
        yield _step(table, [test], persons, text, bound)
    elif need.unit is not None:
        yield _brought(table, [test], [need.unit])
    if need.probability is not None:
        yield _brought(table, [test], (*need.attributes, need.label, need.prediction, need.probability))


def _of_numbers(table: Table, needs: Mapping[int, MeasureNeeds], reading: Reading) -> Iterator[Step]:
    logs = {i: need for i, need in needs.items() if need.loss is Loss.LOG_LOSS and table.elsewhere is not None}
    rest = {i: need for i, need in needs.items() if i not in logs}
    if logs:
        bound = f"{_ALIKE}; where more differ, the engine computes the logarithms"
        yield _step(table, list(logs), _columns(logs), _BROUGHT, bound)
    if not rest:
        return
    columns = _columns(rest)
    numbers = _all([need.numbers for need in rest.values()])
    counts = () if reading.counts is None else (reading.counts,)
    if table.elsewhere is not None and not table.elsewhere.are_numbers((*numbers, *counts)):
        yield _brought(table, list(rest), columns)  # numbers that are kept as text
        return
    cells = [name for name in columns if name not in numbers]
    text = "one GROUP BY that counts rows and takes the smallest and largest number"
    yield _step(table, list(rest), columns, text, grouped=cells)
    summed: dict[tuple[str, ...], dict[int, MeasureNeeds]] = {}
    for i, need in rest.items():
        if need.measure in OF_SUMS:
            summed.setdefault(tuple(sorted(need.attributes)), {})[i] = need
    for attributes, group in summed.items():
        text = "one GROUP BY that adds numbers and their squares, in pieces that are exact"
        yield _step(table, list(group), _columns(group), text, grouped=attributes)
    for i, need in sorted(rest.items(), key=lambda item: (sample_of(item[1]), item[0])):
        yield from _of_order(table, i, need, reading)


def _of_order(table: Table, test: int, need: MeasureNeeds, reading: Reading) -> Iterator[Step]:
    """Yield what ranks, medians and quantiles ask: the rows, or where there are many, counts of ranges."""
    rows = "a small group code and the number of each row, to be sorted"
    if need.measure is Measure.RANKS:
        yield _step(table, [test], need.columns, rows, EVERY_ROW)
    elif need.measure in {Measure.SCORE, Measure.QUANTILE}:
        most = COMPARED_ROWS if need.measure is Measure.SCORE else FEW_ROWS.fetched
        if reading.counts is not None or table.elsewhere is None:
            yield _step(table, [test], need.columns, rows, EVERY_ROW)
            return
        groups = _estimate(table, need.attributes) or 1
        text = f"{rows}; of many, counts in {FEW_ROWS.pages:,} ranges a group, and the rows of few ranges"
        counts = f"about {groups * FEW_ROWS.pages:,} counts and at most {FEW_ROWS.fetched:,} rows"
        yield _step(table, [test], need.columns, text, f"{EVERY_ROW}, at most {most:,}; of more, {counts}")


def _brought(table: Table, tests: Sequence[int], columns: Sequence[str]) -> Step:
    return _step(table, tests, columns, _BROUGHT, _ALIKE)


def _step(
    table: Table,
    tests: Sequence[int],
    columns: Sequence[str],
    text: str,
    bound: str = "",
    *,
    grouped: Sequence[str] = (),
) -> Step:
    return Step(
        tests=tuple(tests),
        columns=tuple(dict.fromkeys(columns)),
        text=text,
        groups=_estimate(table, tuple(dict.fromkeys(grouped))),
        bound="" if table.elsewhere is None else bound,
    )


def _estimate(table: Table, columns: Sequence[str]) -> int | None:
    """Return how many groups the first rows of an engine's table hold; None where the rows are here."""
    if table.elsewhere is None or not columns:
        return None
    return table.elsewhere.distinct_among_first(columns, LOOKED_AT)


def _columns(needs: Mapping[int, MeasureNeeds]) -> tuple[str, ...]:
    """Return what some tests read: what is matched as text, then what is read as numbers."""
    cells = _all([(*need.attributes, *(item.column for item in need.labels)) for need in needs.values()])
    return _all([cells, *(need.numbers for need in needs.values())])


def _all(listed: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in listed for name in names))
