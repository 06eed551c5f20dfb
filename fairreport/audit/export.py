"""Tables for other programs: DataFrames and CSV files of every group."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairreport.audit.gap_document import rule_rows
from fairreport.audit.pair_document import pair_rows, pooled_rows
from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.audit.rows import group_document
from fairreport.audit.withheld import why_group
from fairreport.writing import write_together

if TYPE_CHECKING:
    import pandas as pd

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def group_rows(test: TestRecord) -> list[dict[str, Any]]:
    """Return every group of a test as a flat mapping: attributes first, then the numbers.

    An attribute that bears the name of a number, such as ``n``, is called ``attribute n``.
    """
    rows = []
    for row in test.finding.groups:
        document = group_document(test.finding, row)
        group = document.pop("group")
        taken = document.keys() | group.keys()
        rows.append({_free_name(name, document, taken): text for name, text in group.items()} | document)
    return rows


def _free_name(name: str, numbers: Mapping[str, Any], taken: Collection[str]) -> str:
    if name not in numbers:
        return name
    while name in taken:
        name = f"attribute {name}"
    return name


def group_frame(test: TestRecord) -> pd.DataFrame:
    """Return every group of a test as a DataFrame indexed by the attribute levels, worst first."""
    import pandas as pd  # noqa: PLC0415 - only who asks for a frame waits for pandas

    attributes = list(test.finding.attributes)
    labels = [row.group for row in test.finding.groups]
    documents = [group_document(test.finding, row) for row in test.finding.groups]
    columns: dict[str, list[Any]] = {}
    for name in dict.fromkeys(name for document in documents for name in document):
        if name != "group":  # the logarithm of a p-value stands only where that is too small for a number
            columns[name] = [document.get(name) for document in documents]
    if len(attributes) == 1:
        index: pd.Index[Any] = pd.Index([label[0] for label in labels], name=attributes[0], dtype=object)
    else:
        index = pd.MultiIndex.from_tuples(labels or [], names=attributes)
    frame = pd.DataFrame(columns, index=index)
    numeric = [name for name in frame if frame[name].dtype == object and name not in attributes]
    return frame.assign(**{str(name): pd.to_numeric(frame[name]) for name in numeric})


def safe_cell(value: Any) -> Any:
    """Return a CSV cell that no spreadsheet takes for a formula; numbers stay numbers.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("plain"), safe_cell(-0.5)
    ("'=1+1", 'plain', -0.5)
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return safe_cell("; ".join(map(str, value)))
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value


def csv_text(rows: Sequence[dict[str, Any]]) -> str:
    """Return rows as CSV text with a header; keys of all rows in order of appearance."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([safe_cell(name) for name in names])
    writer.writerows([safe_cell(row.get(name)) for name in names] for row in rows)
    return stream.getvalue()


def entry_rows(entry: Entry) -> list[dict[str, Any]]:
    """Return every group of a test of any kind as a flat mapping."""
    if isinstance(entry, GapRecord):
        return list(rule_rows(entry.finding))
    return list(pair_rows(entry)) if isinstance(entry, PairRecord) else group_rows(entry)


def groups_csv(record: AuditRecord) -> str:
    """Return all groups of all tests in one long table: test, group label, then the numbers."""
    rows: list[dict[str, Any]] = []
    for test in record.entries:
        start = {"test": test.name, "analysis": test.test.analysis}
        if not isinstance(test, TestRecord):
            rows += [start | {"group": row.pop("group"), **row} for row in entry_rows(test)]
            continue
        for row in test.finding.groups:
            document = group_document(test.finding, row)
            group = document.pop("group")
            rows.append(start | {"group": _label(group)} | document)
        rows += [start | row for row in _withheld_rows(record, test)]
    return csv_text(rows)


def _label(group: Mapping[str, str]) -> str:
    return "; ".join(f"{name} = {text}" for name, text in group.items())


def _withheld_rows(record: AuditRecord, test: TestRecord) -> Iterator[dict[str, Any]]:
    """Yield the groups of a test that are shown without their figures; a run withholds none."""
    unshown = None if record.withheld is None else record.withheld.of(test.name)
    if record.withheld is None or unshown is None:
        return
    for group in unshown.groups:
        label = _label(dict(zip(test.finding.attributes, group, strict=True)))
        yield {"group": label, "withheld": why_group(record.withheld.below, few=group in unshown.few)}


def measurements_csv(record: AuditRecord) -> str:
    """Return all measurements and thresholds in one long table."""
    rows = [
        {"test": test.name, "status": test.status.value, "measurement": name, "value": value}
        for test in record.entries
        for name, value in test.measurements.items()
    ]
    return csv_text(rows)


def write_csv_folder(record: AuditRecord, folder: str | Path) -> list[Path]:
    """Write one CSV file a test and `measurements.csv` into a folder, together; it is made where it is absent.

    Raises
    ------
    DataError
        If the folder cannot be made or written.
    """
    return write_together(folder, csv_files(record))


def csv_files(record: AuditRecord) -> dict[str, str]:
    """Return the text of each of those files by its name."""
    files = {"measurements.csv": measurements_csv(record)}
    for position, test in enumerate(record.entries, start=1):
        name = f"{position:02d}-{slug(test.name)}"
        files[f"{name}.csv"] = csv_text(entry_rows(test))
        pooled = list(pooled_rows(test)) if isinstance(test, PairRecord) else []
        if pooled:
            files[f"{name}-pooled.csv"] = csv_text(pooled)
    return files


def slug(name: str) -> str:
    """Return a file name made of letters, digits and hyphens.

    Examples
    --------
    >>> slug("By gender & age: 2026/Q3")
    'by-gender-age-2026-q3'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "test"
