"""From a group back to its rows, whatever the raw spelling of their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairreport.analyses.outcome import needs
from fairreport.analyses.outcome_parameters import OutcomeDisparity
from fairreport.errors import ConfigError, DataError, Fault, nearest
from fairreport.tables.build import Reading
from fairreport.tables.source import RowFilter, Table
from fairreport.tables.text import Folder, canonical

if TYPE_CHECKING:
    import pandas as pd


def select_records(
    table: Table, test: OutcomeDisparity, reading: Reading, group: Mapping[str, Any], *, include_left_out: bool
) -> Any:
    """Return the evaluated rows of a group; see `TestResult.records`."""
    need = needs(test)
    wanted = _wanted(need.attributes, group)
    columns = tuple(dict.fromkeys((*need.attributes, need.outcome)))
    for name in columns:
        if not table.has(name):
            raise DataError(f"the table has no column {name!r}.{nearest(name, table.names)}")
    folders = {name: _folded(table, name, reading) for name in columns}
    allowed = {name: _allowed(name, folders[name], wanted, reading) for name in columns}
    if include_left_out:
        return _with_left_out(table, need.attributes, need.outcome, folders, wanted, reading)
    return table.rows([RowFilter(column=name, values=tuple(values)) for name, values in allowed.items()])


def _wanted(attributes: Sequence[str], group: Mapping[str, Any]) -> dict[str, str | None]:
    for name in group:
        if name not in attributes:
            hint = nearest(str(name), attributes)
            raise ConfigError(Fault(code="unknown_parameter", message=f"{name!r} is no attribute of this test.{hint}"))
    return {name: canonical(value) for name, value in group.items()}


def _folded(table: Table, name: str, reading: Reading) -> Folder:
    """Meet every distinct cell of one column."""
    folder = Folder(reading.missing_values)
    for _, (cell,), _ in table.count([(name,)], None):
        folder(cell)
    return folder


def _allowed(name: str, folder: Folder, wanted: Mapping[str, str | None], reading: Reading) -> list[Any]:
    if name in wanted:
        return folder.raw_values(wanted[name]) if wanted[name] is not None else []
    declared = reading.declared.get(name)
    texts = None if declared is None else {canonical(value) for value in declared}
    return [cell for cell, text in folder.items() if text is not None and (texts is None or text in texts)]


def _with_left_out(
    table: Table,
    attributes: Sequence[str],
    outcome: str,
    folders: Mapping[str, Folder],
    wanted: Mapping[str, str | None],
    reading: Reading,
) -> pd.DataFrame:
    """Return evaluated rows of the group, and every row that was left out, each with the reason."""
    frame = _as_pandas(table.rows([]))
    declared = {name: {canonical(v) for v in reading.declared[name]} for name in attributes if name in reading.declared}
    texts = {name: [folders[name](cell) for cell in frame[name].array] for name in dict.fromkeys((*attributes, outcome))}
    reasons: list[str] = []
    keep: list[bool] = []
    for i in range(len(frame)):
        cells = {name: texts[name][i] for name in attributes}
        reason = _reason(texts[outcome][i], cells, outcome, declared)
        reasons.append(reason)
        keep.append(bool(reason) or all(cells[name] == text for name, text in wanted.items()))
    return frame.assign(left_out=reasons).loc[keep]


def _reason(
    outcome: str | None, cells: Mapping[str, str | None], column: str, declared: Mapping[str, set[str | None]]
) -> str:
    if outcome is None:
        return f"no {column}"
    missing = [name for name, text in cells.items() if text is None]
    if missing:
        return f"no {', '.join(missing)}"
    strange = [name for name, text in cells.items() if name in declared and text not in declared[name]]
    return f"undeclared {', '.join(strange)}" if strange else ""


def _as_pandas(rows: Any) -> pd.DataFrame:
    if hasattr(rows, "to_pandas"):
        rows = rows.to_pandas()
    frame: pd.DataFrame = rows
    return frame
