"""What a scheduled run tells: one paragraph for a message, one line for a log, the head of the manifest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fairreport import __version__
from fairreport.audit.late import LateRows
from fairreport.audit.record import AuditRecord
from fairreport.audit.window import stamp
from fairreport.render import formats
from fairreport.render.builders import is_counted, view_run
from fairreport.render.markdown import escape
from fairreport.render.window_lines import duration, period

if TYPE_CHECKING:
    from fairreport.audit.trend import Trends

Json = dict[str, Any]

_NAMED = 5
"""So many tests are named in the paragraph."""

_LISTED = 3
"""So many windows with late rows are told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What there is to tell of a scheduled run.

    Attributes
    ----------
    record : AuditRecord
        What was found.
    audit_id : str
        Under what the audit is kept.
    exit_code : int
        What the run comes to.
    nothing : str or None
        Why nothing was judged, where that is so.
    packet_id : str
        The id of the packet.
    notes : tuple of str
        What there is to know of the window, in sentences: that it is not over, rows without a time.
    late : tuple of LateRows
        Earlier windows that hold other rows now.
    trends : Trends or None
        What the history shows.
    """

    record: AuditRecord
    audit_id: str
    exit_code: int
    nothing: str | None
    packet_id: str
    notes: tuple[str, ...]
    late: tuple[LateRows, ...]
    trends: Trends | None


def summary_markdown(told: Told) -> str:
    """Return one paragraph of Markdown; names from the data stay text whatever they hold."""
    return " ".join(_sentences(told)) + "\n"


def _sentences(told: Told) -> Iterator[str]:
    record = told.record
    yield f"**{escape(formats.printable(record.title))}: {_state(told)}** (exit code {told.exit_code})."
    window = record.data.window
    if window is not None:
        rows = formats.plural(window.rows_within, "row", "rows")
        yield f"Window {period(window)} ({duration(window.length_seconds)}), {rows}."
    yield from map(_inline, told.notes)
    if told.nothing is not None:
        yield f"{told.nothing.capitalize()}."
    else:
        run = view_run(record)
        yield _inline(run.headline.text)
        yield _inline(run.counts_sentence.text)
    yield from _tests(record)
    yield from late_sentences(told.late)
    if told.trends is not None:
        from fairreport.render.trend_text import trend_sentences  # noqa: PLC0415 - only with a history

        yield from map(_inline, trend_sentences(told.trends))
    yield f"Packet {told.packet_id}."


def _inline(text: str) -> str:
    """Return text inside a paragraph, where a colon before a space and parentheses without brackets mean nothing."""
    plain = re.sub(r"(?<=\d\d)\\:(?=\d\d(?!\d))", ":", escape(f" {text}").lstrip())  # a time of day
    return plain.replace("\\: ", ": ").replace("\\(", "(").replace("\\)", ")")


def _state(told: Told) -> str:
    return "no rows" if told.nothing is not None else told.record.status.value.replace("_", " ")


def _tests(record: AuditRecord) -> Iterator[str]:
    """Name the tests that do not pass, where there are several tests."""
    named = [entry for entry in record.entries if entry.status.value != "passing"]
    if len(record.entries) < 2 or not named:
        return
    listed = [f"{escape(formats.printable(it.name))} ({it.status.value.replace('_', ' ')})" for it in named[:_NAMED]]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    yield f"Not passing: {', '.join(listed)}{more}."


def late_sentences(late: tuple[LateRows, ...]) -> Iterator[str]:
    """Say which earlier windows hold other rows than when they were judged, and how to judge them again.

    Examples
    --------
    >>> list(late_sentences(()))
    []
    """
    if len(late) > _LISTED:
        yield (
            f"{formats.count(len(late))} earlier windows hold other rows than when they were judged: the first "
            f"{_LISTED} are told here, and all of them in the manifest."
        )
    for item in late[:_LISTED]:
        came = formats.plural(abs(item.more), "row", "rows")
        what = f"{came} came late" if item.more > 0 else f"{came} went"
        again = f"to judge that window again: --window-end {item.window.end}"
        judged = f"judged with {formats.count(item.window.rows_within)}"
        yield f"{what} in the window {period(item.window)}, {judged}; {again}."


def log_document(told: Told) -> Json:
    """Return what a log collector takes, as JSON values."""
    record, window = told.record, told.record.data.window
    return {
        "event": "fairreport.schedule",
        "audit_id": told.audit_id,
        "title": record.title,
        "status": record.status.value,
        "exit_code": told.exit_code,
        "reason": told.nothing,
        "window_start": None if window is None else window.start,
        "window_end": None if window is None else window.end,
        "rows": None if window is None else window.rows_within,
        "rows_without_time": None if window is None else window.rows_without_time,
        "notes": list(told.notes),
        "late_rows": sum(item.more for item in told.late),
        "tests": {entry.name: entry.status.value for entry in record.entries},
        "packet_id": told.packet_id,
    }


def log_line(told: Told) -> str:
    """Return one line of JSON, in ASCII."""
    return json.dumps(log_document(told), ensure_ascii=True, allow_nan=False) + "\n"


def manifest_head(told: Told, *, now: datetime | None, kept: str | None) -> Json:
    """Return what the manifest states beside the files.

    Parameters
    ----------
    told : Told
        What the summary tells.
    now : datetime or None
        What time the run was told that it is.
    kept : str or None
        What the history said.
    """
    data = told.record.data
    return {
        **{key: value for key, value in log_document(told).items() if key not in {"event", "exit_code", "reason"}},
        "now": None if now is None else stamp(now),
        "window": None if data.window is None else asdict(data.window),
        "test_windows": {name: asdict(window) for name, window in sorted(data.test_windows.items())},
        "late": [{"window": asdict(item.window), "rows": item.rows, "more": item.more} for item in told.late],
        "history": kept,
        "fingerprint": data.fingerprint if is_counted(told.record) else None,  # else it would be that of nothing
        "fairreport": __version__,
    }
