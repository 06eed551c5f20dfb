"""Merged windows as plain text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.audit.record import Entry
from fairreport.render import formats
from fairreport.render.builders import view_entry
from fairreport.render.trend_words import moment
from fairreport.render.words import state
from fairreport.report.history_merge import MergedTest
from fairreport.report.terminal import indented

_MEASUREMENTS = 6


def merged_lines(merged: MergedTest) -> Iterator[str]:
    """Yield a merged test as lines of at most 100 columns.

    Parameters
    ----------
    merged : MergedTest
        The test.
    """
    span = f"{moment(merged.start)} to {moment(merged.end)}, " if merged.start else ""
    windows = formats.plural(merged.windows, "window", "windows")
    name = formats.shortened(formats.printable(merged.test_name))
    if merged.entry is None:
        yield from indented(f"{name} · {span}{windows} · not added up: {formats.printable(merged.reason)}")
    else:
        yield from indented(f"{name} · {span}{windows} · {state(merged.entry.status).text}")
        yield from (line for text in _found(merged.entry) for line in indented(text, "  "))
    for remark in merged.remarks:
        yield from indented(f"- {remark}", "  ")


def _found(entry: Entry) -> Iterator[str]:
    yield view_entry(entry).headline.text
    listed = [
        f"{name} {formats.measurement(name, value)}" for name, value in entry.measurements.items() if value is not None
    ]
    if listed:
        yield ", ".join(listed[:_MEASUREMENTS])
