"""From a group back to its rows, whatever the raw spelling of their cells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fairreport.analyses.kinds import AnyTest, needs_of
from fairreport.analyses.pair_parameters import PairTest
from fairreport.errors import ConfigError, DataError, Fault, nearest
from fairreport.tables.build import AnyNeeds
from fairreport.tables.gaps import GapNeeds
from fairreport.tables.needs import MeasureNeeds, Reading
from fairreport.tables.numbers import NotNumericError, parse_number
from fairreport.tables.pair_needs import PairNeeds
from fairreport.tables.pair_scan import RowNeeds
from fairreport.tables.source import RowFilter, Table
from fairreport.tables.text import Folder, canonical

if TYPE_CHECKING:
    import pandas as pd


def select_records(table: Table, test: AnyTest, reading: Reading, group: Any, *, include_left_out: bool) -> Any:
    """Return the evaluated rows of a group; see `TestResult.records`."""
    need = needs_of(test)
    known = test.memberships if isinstance(test, PairTest) else tuple(need.attributes)
    if isinstance(test, PairTest) and isinstance(group, str) and group in known:
        group = {group: 1}
    wanted = _wanted(known, group)
    attributes = known
    if isinstance(need, GapNeeds):  # a rule is about the cases with its own attributes, whatever the others are
        attributes = tuple(wanted) or known
        reading = replace(reading, declared=need.attributes)
    elif isinstance(test, PairTest):  # a row without a membership leaves that category only
        categories = test.reference_values or dict.fromkeys(test.group_categories or ())
        attributes = tuple(wanted) or (known[:1] if len(categories) == 1 else ())
    measured = _measured(need)
    for name in (*attributes, *measured):
        if not table.has(name):
            raise DataError(f"the table has no column {name!r}.{nearest(name, table.names)}")
    folders = {name: _folded(table, name, reading) for name in attributes}
    _refuse_unknown_levels(wanted, folders)
    unusable = {name: _unusable(table, name, reading, is_number=name in _numbers(need)) for name in measured}
    evaluated = [RowFilter(column=name, values=cells, among=False) for name, cells in unusable.items() if cells]
    evaluated += [
        RowFilter(column=name, values=tuple(_allowed(name, folders[name], wanted, reading))) for name in attributes
    ]
    if include_left_out:
        return _with_left_out(table, evaluated, _left_out(attributes, unusable, folders, reading))
    return table.rows(evaluated)


def _measured(need: AnyNeeds) -> tuple[str, ...]:
    """Return the columns that a row must have to be evaluated, besides the attributes."""
    if isinstance(need, RowNeeds):
        return ()
    if isinstance(need, PairNeeds):
        return tuple(name for name in (need.outcome, need.weight, need.segment) if name is not None)
    if isinstance(need, MeasureNeeds):
        return tuple(dict.fromkeys((*(labels.column for labels in need.labels), *need.numbers)))
    return (need.label,) if isinstance(need, GapNeeds) else (need.outcome,)


def _numbers(need: AnyNeeds) -> tuple[str, ...]:
    return need.numbers if isinstance(need, MeasureNeeds) else ()


def _unusable(table: Table, name: str, reading: Reading, *, is_number: bool) -> tuple[Any, ...]:
    """Return the distinct cells of a measured column for which a row is left out."""
    return tuple(
        cell
        for cell, text in _folded(table, name, reading).items()
        if text is None or (is_number and not _is_finite(cell, reading))
    )


def _is_finite(cell: Any, reading: Reading) -> bool:
    try:
        number = parse_number(cell, reading.missing_values)
    except NotNumericError:
        return False
    return number is not None and math.isfinite(number)


def _wanted(attributes: Sequence[str], group: Any) -> dict[str, str | None]:
    """Return the wanted level of each named attribute; with one attribute its level alone will do."""
    if group is None:
        return {}
    if not isinstance(group, Mapping):
        example = ", ".join(f"{name!r}: ..." for name in attributes)
        if len(attributes) > 1 or isinstance(group, (list, tuple, set)):
            message = f"a group is stated as {{{example}}}, got {group!r}"
            raise ConfigError(Fault(code="bad_type", message=message))
        group = {attributes[0]: group}
    for name in group:
        if name not in attributes:
            hint = nearest(str(name), attributes)
            raise ConfigError(Fault(code="unknown_parameter", message=f"{name!r} is no attribute of this test.{hint}"))
    return {name: canonical(value) for name, value in group.items()}


def _refuse_unknown_levels(wanted: Mapping[str, str | None], folders: Mapping[str, Folder]) -> None:
    for name, text in wanted.items():
        known = {found for _, found in folders[name].items() if found is not None}
        if text not in known:
            hint = nearest(str(text), known, fold=True)
            message = f"no row has {name} {text!r}.{hint}"
            raise ConfigError(Fault(code="unknown_group", message=message))


def _folded(table: Table, name: str, reading: Reading) -> Folder:
    """Meet every distinct cell of one column."""
    folder = Folder(reading.missing_values)
    for _, (cell,), _ in table.count([(name,)], None):
        folder(cell)
    return folder


def _allowed(name: str, folder: Folder, wanted: Mapping[str, str | None], reading: Reading) -> list[Any]:
    declared = reading.declared.get(name)
    texts = None if declared is None else {canonical(value) for value in declared}
    if name in wanted:
        text = wanted[name]
        return folder.raw_values(text) if text is not None and (texts is None or text in texts) else []
    return [cell for cell, text in folder.items() if text is not None and (texts is None or text in texts)]


def _left_out(
    attributes: Sequence[str],
    unusable: Mapping[str, tuple[Any, ...]],
    folders: Mapping[str, Folder],
    reading: Reading,
) -> Iterator[tuple[str, list[RowFilter]]]:
    """Yield each reason for leaving rows out, with the filters that find those rows."""
    missing = {name: tuple(folder.raw_values(None)) for name, folder in folders.items()}
    strange = {name: tuple(_undeclared(name, folders[name], reading)) for name in attributes}
    for names, filters in _subsets(tuple(unusable), unusable):
        yield f"no {', '.join(names)}", filters
    measured = [RowFilter(column=name, values=cells, among=False) for name, cells in unusable.items() if cells]
    for names, filters in _subsets(attributes, missing):
        yield f"no {', '.join(names)}", [*measured, *filters]
    complete = [RowFilter(column=name, values=missing[name], among=False) for name in attributes]
    for names, filters in _subsets(attributes, strange):
        yield f"undeclared {', '.join(names)}", [*measured, *complete, *filters]


def _undeclared(name: str, folder: Folder, reading: Reading) -> list[Any]:
    if name not in reading.declared:
        return []
    declared = {canonical(value) for value in reading.declared[name]}
    return [cell for cell, text in folder.items() if text is not None and text not in declared]


def _subsets(
    attributes: Sequence[str], cells: Mapping[str, tuple[Any, ...]]
) -> Iterator[tuple[tuple[str, ...], list[RowFilter]]]:
    """Yield every combination of attributes that can hold such cells, with the filters for exactly that one."""
    able = [name for name in attributes if cells[name]]
    for size in range(1, len(able) + 1):
        for names in combinations(able, size):
            yield names, [RowFilter(column=name, values=cells[name], among=name in names) for name in able]


def _with_left_out(
    table: Table, evaluated: Sequence[RowFilter], left_out: Iterable[tuple[str, list[RowFilter]]]
) -> pd.DataFrame:
    """Return the evaluated rows and then the rows that were left out, each with the reason."""
    import pandas as pd  # noqa: PLC0415 - only who asks for a frame waits for pandas

    parts = [_as_pandas(table.rows(evaluated)).assign(left_out="")]
    parts += [_as_pandas(table.rows(filters)).assign(left_out=reason) for reason, filters in left_out]
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=table.engine != "pandas") if filled else parts[0]


def _as_pandas(rows: Any) -> pd.DataFrame:
    if hasattr(rows, "to_pyarrow"):  # ibis
        rows = rows.to_pyarrow()
    if hasattr(rows, "to_pandas"):
        rows = rows.to_pandas()
    frame: pd.DataFrame = rows
    return frame
