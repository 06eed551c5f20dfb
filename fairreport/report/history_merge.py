"""Adjacent windows of a history as one: their counts added up and judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from fairreport.audit.adding_up import NotAdditiveError, judge_sum
from fairreport.audit.document import entry_document
from fairreport.audit.from_json import MisfitError, from_json
from fairreport.audit.rebuild import rebuild_entry
from fairreport.audit.record import Entry
from fairreport.audit.trend_evidence import TrendWindow
from fairreport.audit.window import seconds_of
from fairreport.render import formats
from fairreport.render.trend_words import duration, when
from fairreport.report.history_record import HistoryEntry, moment

Json = dict[str, Any]

_LONGEST_SHIFT = timedelta(hours=2)
_LISTED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedTest:
    """A test over a span of time: the windows that lie in it, added up.

    Attributes
    ----------
    audit_id, test_name : str
        The audit and the test.
    start, end : str
        From the start of the first window that was added, or held no row, to the end of the last, ISO 8601.
    windows : int
        How many windows were added; those without rows or counts are among the remarks.
    entry : Entry or None
        What the test finds in the sum; None where there is none.
    reason : str
        Why there is none; empty elsewhere.
    remarks : tuple of str
        Gaps, windows without counts, parameters that changed, and what no sum keeps.
    """

    audit_id: str
    test_name: str
    start: str
    end: str
    windows: int
    entry: Entry | None = None
    reason: str = ""
    remarks: tuple[str, ...] = ()

    def document(self) -> Json:
        """Return it as JSON values; the entry is that of a result."""
        return {
            "audit_id": self.audit_id,
            "test_name": self.test_name,
            "start": self.start,
            "end": self.end,
            "windows": self.windows,
            "reason": self.reason or None,
            "remarks": list(self.remarks),
            "entry": None if self.entry is None else entry_document(self.entry),
        }


def merge_windows(entries: Sequence[HistoryEntry], *, length: str | int) -> tuple[MergedTest, ...]:
    """Return every test over spans of some length, counted back from the end of its latest window.

    A window belongs to the span that it ends in. Windows that overlap are not added up, and windows between which
    time is missing are, with a remark.

    Parameters
    ----------
    entries : sequence of HistoryEntry
        Records of one audit, none of them superseded, oldest first.
    length : str or int
        Such as ``"13w"``, or seconds.

    Raises
    ------
    ConfigError
        If the length is none.
    """
    span = timedelta(seconds=seconds_of(length, "merge"))
    by_test: dict[str, list[HistoryEntry]] = {}
    for entry in sorted(entries, key=lambda it: it.test_order):
        by_test.setdefault(entry.test_name, []).append(entry)
    return tuple(merged for held in by_test.values() for merged in _spans(held, span))


def _spans(entries: Sequence[HistoryEntry], span: timedelta) -> Iterator[MergedTest]:
    placed = [entry for entry in entries if entry.window_start is not None and entry.window_end is not None]
    if not placed:
        first = entries[0]
        reason = "its runs have no window, so that nothing tells whether rows stand in two of them"
        yield _without(first, [], reason)
        return
    last = moment(placed[-1].window_end)
    spans: dict[int, list[HistoryEntry]] = {}
    for entry in placed:
        back = last - moment(entry.window_end) + _clock(entry)
        spans.setdefault(int(back / span), []).append(entry)
    for place in sorted(spans, reverse=True):
        found = _merged(spans[place])
        covered = moment(found.end) - moment(found.start)
        if found.entry is not None and covered < span - _clock(spans[place][0]):
            told = f"the history holds {duration(covered.total_seconds())} of these {duration(span.total_seconds())}"
            found = replace(found, remarks=(told, *found.remarks))
        yield found


def _is_empty(entry: HistoryEntry) -> bool:
    return entry.window is not None and not entry.window.rows_within


def _clock(entry: HistoryEntry) -> timedelta:
    """Return by how much weeks of a calendar may be off because a clock was set; little for short windows."""
    length = moment(entry.window_end) - moment(entry.window_start)
    return min(_LONGEST_SHIFT, length / 4)


def _merged(entries: Sequence[HistoryEntry]) -> MergedTest:
    kept: list[HistoryEntry] = []
    counted: list[Entry] = []
    remarks: list[str] = []
    empty = [entry for entry in entries if _is_empty(entry)]
    for entry in entries:
        if _is_empty(entry):
            continue
        read = _read(entry)
        if isinstance(read, str):
            remarks.append(f"{_when(entry)} is left out: {read}")
            continue
        kept.append(entry)
        counted.append(read)
    if len(empty) == len(entries):
        return _without(entries[-1], entries, f"{'it' if len(empty) == 1 else 'each of them'} held no row")
    if empty:
        listed = _listed([_span(entry.window_start, entry.window_end) for entry in empty])
        remarks.append(f"{formats.plural(len(empty), 'window', 'windows')} without a row: {listed}")
    if not kept:
        return _without(entries[-1], entries, "no window of it has counts", remarks)
    added = {entry.window_end for entry in kept}
    covered = [entry for entry in entries if entry.window_end in added or _is_empty(entry)]
    overlap = next((pair for pair in _pairs(kept) if moment(pair[1].window_start) < moment(pair[0].window_end)), None)
    if overlap is not None:
        reason = f"{_when(overlap[0])} and {_when(overlap[1])} overlap; their rows would count twice"
        return _without(kept[-1], covered, reason, remarks)
    if len({entry.counting for entry in kept}) > 1:
        changed = next(b for a, b in _pairs(kept) if a.counting != b.counting)
        reason = f"what is counted changed with {_when(changed)}"
        return _without(kept[-1], covered, reason, remarks)
    remarks += list(_gaps(covered))
    try:
        found = judge_sum(counted, _declared(kept[-1]))
    except NotAdditiveError as error:
        return _without(kept[-1], covered, str(error), remarks)
    return MergedTest(
        audit_id=kept[-1].audit_id,
        test_name=kept[-1].test_name,
        start=str(covered[0].window_start),
        end=str(covered[-1].window_end),
        windows=len(kept),
        entry=found.entry,
        remarks=(*remarks, *found.remarks),
    )


def _read(entry: HistoryEntry) -> Entry | str:
    """Return the test of a record with its counts, or why there are none."""
    if entry.entry.get("evidence") is None:
        return str(entry.entry.get("skip_reason") or "its test keeps no counts")
    try:
        found = rebuild_entry(entry.entry, _declared(entry), "")
    except MisfitError as error:
        return str(error)
    return str(found) if isinstance(found, MisfitError) else found


def _declared(entry: HistoryEntry) -> dict[str, tuple[str, ...]]:
    stated = entry.head.get("data", {}).get("declared_groups", {})
    return {name: from_json(tuple[str, ...], values, "/declared_groups") for name, values in stated.items()}


def _gaps(entries: Sequence[HistoryEntry]) -> Iterator[str]:
    missing = [
        (a.window_end, b.window_start) for a, b in _pairs(entries) if moment(a.window_end) < moment(b.window_start)
    ]
    if missing:
        yield f"no window covers {_listed([_span(start, end) for start, end in missing])}"


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _LISTED:,} more" if len(texts) > _LISTED else ""
    return f"{formats.listed(texts[:_LISTED])}{more}"


def _pairs(entries: Sequence[HistoryEntry]) -> list[tuple[HistoryEntry, HistoryEntry]]:
    return list(pairwise(entries))


def _when(entry: HistoryEntry) -> str:
    return f"the window {_span(entry.window_start, entry.window_end)}"


def _span(start: str | None, end: str | None) -> str:
    return when(TrendWindow(start=start, end=end))


def _without(
    latest: HistoryEntry, entries: Sequence[HistoryEntry], reason: str, remarks: Sequence[str] = ()
) -> MergedTest:
    return MergedTest(
        audit_id=latest.audit_id,
        test_name=latest.test_name,
        start=str(entries[0].window_start) if entries else "",
        end=str(entries[-1].window_end) if entries else "",
        windows=len(entries),
        reason=reason,
        remarks=tuple(remarks),
    )
