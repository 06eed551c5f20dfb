"""Every data string that a packet may print: what the fonts at hand are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fairreport.audit.record import AuditRecord, Entry, GapRecord, PairRecord, TestRecord
from fairreport.tables.tally import OutcomeTally


def data_strings(record: AuditRecord, further: Iterable[str] = ()) -> tuple[str, ...]:
    """Return every data string that a packet may print, once, in a fixed order; `further` ones come last."""
    found: dict[str, None] = dict.fromkeys([record.title, record.data.origin, *record.data.columns])
    found |= dict.fromkeys(
        str(value) for value in record.about.model_dump(mode="json").values() if isinstance(value, str)
    )
    found |= dict.fromkeys(record.about.notes)
    for entry in record.entries:
        found |= dict.fromkeys(_of_entry(entry))
    for values in record.data.declared_groups.values():
        found |= dict.fromkeys(values)
    return tuple(found | dict.fromkeys(further))


def _of_entry(entry: Entry) -> Iterator[str]:
    test = entry.test
    yield from (entry.name, test.description or "", test.rationale or "", test.threshold_source or "")
    yield from _texts(test.parameters())
    if isinstance(entry, GapRecord):
        yield from _of_gaps(entry)
    elif isinstance(entry, PairRecord):
        yield from _of_pairs(entry)
    elif isinstance(entry, TestRecord):
        yield from _of_test(entry)
    yield from entry.ignored


def _of_test(record: TestRecord) -> Iterator[str]:
    yield from (note.text for note in record.finding.notes)
    yield from (level for row in record.finding.groups for level in row.group)
    evidence = record.finding.evidence
    if isinstance(evidence, OutcomeTally):
        for cell in evidence.strata:
            yield from cell.stratum
    if record.finding.skip:
        yield record.finding.skip.reason


def _of_gaps(record: GapRecord) -> Iterator[str]:
    """Yield what only the data holds: undeclared values; rules, groups and columns are parameters."""
    evidence = record.finding.evidence
    for _, values in evidence.undeclared if evidence else ():
        yield from values
    if record.finding.skip:
        yield record.finding.skip.reason


def _of_pairs(record: PairRecord) -> Iterator[str]:
    """Yield groups that a column holds as values, segments, and what is noted or refused."""
    if record.skip:
        yield record.skip.reason
    if record.finding is None:
        return
    yield from (note.text for note in record.finding.notes)
    for table in record.finding.tables:
        yield from (text for text in (table.segment, table.category) if text is not None)
        for row in table.rows:
            yield from (row.group, row.group_category)
    for pooled in record.finding.pooled:
        yield from (pooled.group, pooled.reference_group, *pooled.segments_used, *pooled.segments_dropped)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts inside a parameter, keys of mappings too."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    else:
        yield str(value)
