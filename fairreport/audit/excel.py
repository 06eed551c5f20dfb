"""A workbook of results: a sheet a table, every group with its name, the same bytes for the same results."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from fairreport.audit.export import entry_rows, safe_cell
from fairreport.audit.gap_document import calibration_rows, left_out_rows, listed_gap_rows
from fairreport.audit.pair_document import TABLE_KEYS, pair_rows, pooled_rows
from fairreport.audit.record import Entry, GapRecord, PairRecord
from fairreport.errors import DataError, ExtraMissingError
from fairreport.writing import write_whole

Rows = list[dict[str, Any]]

LONGEST_NAME = 31
"""Characters that the name of a sheet may have."""

_FIXED = datetime(2000, 1, 1)  # noqa: DTZ001 - a workbook bears no zone; its own date would change its bytes


def write_workbook(entries: Sequence[Entry], path: str | Path) -> Path:
    """Write results as an Excel workbook and return where it is.

    Parameters
    ----------
    entries : sequence of records
        The tests.
    path : str or Path
        Where to write.

    Raises
    ------
    ExtraMissingError
        Without XlsxWriter.
    DataError
        If the file cannot be written, or a table does not fit a sheet.
    """
    try:
        import xlsxwriter  # noqa: PLC0415 - only who asks for a workbook waits for it
    except ImportError:
        raise ExtraMissingError("an Excel workbook needs XlsxWriter: pip install 'fairreport[excel]'") from None
    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(buffer, options) as book:
        book.set_properties({"created": _FIXED})
        bold = book.add_format({"bold": True})
        taken: list[str] = []
        for title, rows in _tables(entries):
            name = sheet_name(title, taken)
            taken.append(name)
            sheet = book.add_worksheet(name)
            columns = list(dict.fromkeys(key for row in rows for key in row))
            sheet.write_row(0, 0, columns, bold)
            for position, row in enumerate(rows, start=1):
                for column, key in enumerate(columns):
                    _write(sheet, position, column, row.get(key))
            sheet.freeze_panes(1, 0)
    return write_whole(path, buffer.getvalue())


def sheet_name(title: str, taken: Collection[str]) -> str:
    """Return the name of a sheet: at most 31 characters, none that Excel refuses, different from those taken.

    Examples
    --------
    >>> sheet_name("by race: [all]", [])
    'by race all'
    >>> sheet_name("by race: [all]", ["By race all"])
    'by race all 2'
    """
    plain = re.sub(r"[\[\]:*?/\\'\x00-\x1f]+", "", title).strip() or "test"
    used = {name.lower() for name in taken} | {"history"}  # a name that Excel keeps for itself
    ends = ("" if number == 1 else f" {number}" for number in count(1))
    names = (plain[: LONGEST_NAME - len(end)].rstrip() + end for end in ends)
    return next(name for name in names if name.lower() not in used)


def _tables(entries: Sequence[Entry]) -> Iterator[tuple[str, Rows]]:
    """Yield every table with what it is called."""
    yield (
        "measurements",
        [
            {"test": entry.name, "status": entry.status.value, "measurement": name, "value": value}
            for entry in entries
            for name, value in entry.measurements.items()
        ],
    )
    for entry in entries:
        if isinstance(entry, PairRecord):
            yield from _pair_tables(entry)
            continue
        yield entry.name, entry_rows(entry)
        if isinstance(entry, GapRecord):
            yield f"{entry.name} gaps", list(listed_gap_rows(entry.finding))
            unlisted = list(left_out_rows(entry.finding))
            if unlisted:
                yield f"left out of gaps {entry.name}", unlisted
            if entry.finding.calibration is not None:
                yield f"{entry.name} calibration", list(calibration_rows(entry.finding))


def _pair_tables(entry: PairRecord) -> Iterator[tuple[str, Rows]]:
    pooled = list(pooled_rows(entry))
    if pooled:
        yield f"{entry.name} pooled", pooled
    tables: dict[str, Rows] = {}
    for row in pair_rows(entry):
        key = next((str(row[name]) for name in TABLE_KEYS if row.get(name) is not None), "")
        tables.setdefault(f"{key} {entry.name}".strip(), []).append(row)
    yield from tables.items() or [(entry.name, [])]


def _write(sheet: Any, row: int, column: int, value: Any) -> None:
    """Write a cell as what it is; text never becomes a formula or a link."""
    if value is None:
        return
    if isinstance(value, bool):
        refused = sheet.write_boolean(row, column, value)
    elif isinstance(value, (int, float)):
        refused = sheet.write_number(row, column, value)
    else:
        refused = sheet.write_string(row, column, str(safe_cell(value) if isinstance(value, list) else value))
    if refused:  # a sheet has 1,048,576 rows, a cell 32,767 characters
        raise DataError(f"row {row + 1:,} of sheet {sheet.name!r} does not fit an Excel sheet; write CSV instead")
