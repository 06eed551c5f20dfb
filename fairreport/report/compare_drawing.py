"""A comparison in words: plain text for the terminal, and the lines that documents print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairreport.analyses.result import Span
from fairreport.render import formats
from fairreport.report.compare_record import (
    INDEPENDENT,
    Change,
    Comparison,
    GroupChange,
    Presence,
    Standing,
    TestChange,
    gravity,
)
from fairreport.report.terminal import indented, shown_value

GROUPS = 20
"""At most so many groups of a test are printed; JSON holds all of them."""

MEASUREMENTS = 12
"""At most so many measurements of a test are printed."""


def comparison_text(found: Comparison) -> str:
    """Return a comparison as plain text of at most 100 columns, worst change first."""
    lines = [*indented(f"{found.old} -> {found.new}"), *indented(lead(found))]
    for test in found.changed:
        lines += ["", *indented(head_line(test))]
        lines += [line for text in test_lines(test) for line in indented(text, "  ")]
    if found.audit:
        lines += ["", "the audit as a whole:"]
        lines += [line for item in found.audit for line in indented(change_line(item), "  ")]
    if remark(found):
        lines += ["", *indented(remark(found))]
    return "\n".join(lines) + "\n"


def lead(found: Comparison) -> str:
    """Return what changed in two sentences."""
    status = _arrow(found.old_status, found.new_status)
    graver = sum(test.got_worse for test in found.tests)
    counts = [
        (sum(test.presence is Presence.BOTH for test in found.tests), "compared"),
        (sum(test.presence is Presence.ADDED for test in found.tests), "added"),
        (sum(test.presence is Presence.REMOVED for test in found.tests), "removed"),
        (graver, "with a graver status"),
    ]
    told = formats.listed(
        [f"{formats.plural(n, 'test', 'tests')} {what}" for n, what in counts if n or what == "compared"]
    )
    changed = "" if found.changed or found.audit else " Nothing changed."
    data = "the same counts" if found.same_data else "other counts"
    return f"Status {status}; {data}. {told}.{changed}"


def head_line(test: TestChange) -> str:
    """Return what a test is called and what became of its status."""
    if test.presence is not Presence.BOTH:
        return f"{test.name}: {test.presence.value} ({test.new_status or test.old_status})"
    renamed = f", before {test.old_name}" if test.old_name != test.name else ""
    return f"{test.name}{renamed}: {_arrow(test.old_status, test.new_status)}"


def change_line(item: Change) -> str:
    """Return a change of a parameter, a threshold or a verdict."""
    say = formats.fingerprint if item.name == "data.fingerprint" else _plain
    return f"{item.name}: {say(item.old)} -> {say(item.new)}"


def test_lines(test: TestChange) -> Iterator[str]:
    """Yield every change of a test, as one line each."""
    yield from (change_line(item) for item in (*test.verdicts, *test.thresholds))
    yield from (group_line(group) for group in test.groups[:GROUPS])
    if len(test.groups) > GROUPS:
        yield f"and {formats.plural(len(test.groups) - GROUPS, 'further group', 'further groups')} changed"
    yield from (change_line(item) for item in test.parameters)
    for item in test.measurements[:MEASUREMENTS]:
        old, new = (formats.measurement(item.name, value) for value in (item.old, item.new))
        yield f"{item.name}: {old} -> {new}"


def group_line(group: GroupChange) -> str:
    """Return what became of a group."""
    old, new = group.old, group.new
    if old is None or new is None:
        standing = new or old
        what = "appeared" if old is None else "gone"
        return f"{group.group}: {what}{'' if standing is None else f' ({_standing(standing)})'}"
    parts = [f"n {formats.count(old.n)} -> {formats.count(new.n)}"] if old.n != new.n else []
    if old.value != new.value or group.low is not None:
        parts.append(f"{formats.fixed(old.value)} -> {formats.fixed(new.value)}{_moved(group)}")
    if old.ratio != new.ratio:
        parts.append(f"ratio {formats.fixed(old.ratio)} -> {formats.fixed(new.ratio)}")
    if old.verdict != new.verdict:
        parts.append(f"{old.verdict or 'no verdict'} -> {new.verdict or 'no verdict'}")
    return f"{group.group}: {', '.join(parts) or 'other counts behind the same figures'}"


def _moved(group: GroupChange) -> str:
    if group.low is None or group.level is None:
        return ""
    ends = formats.span(Span(low=group.low, high=group.high), signed=True)
    return f" (change {formats.fixed(group.difference)}, {formats.level(group.level)} interval {ends})"


def _standing(it: Standing) -> str:
    value = "" if it.value is None else f", {formats.fixed(it.value)}"
    verdict = f", {it.verdict}" if it.verdict else ""
    return f"n {formats.count(it.n)}{value}{verdict}"


def _arrow(old: str | None, new: str | None) -> str:
    if old == new:
        return f"{_words(new)} as before"
    return f"{_words(old)} -> {_words(new)}{' (graver)' if gravity(new) > gravity(old) else ''}"


def _words(status: str | None) -> str:
    return (status or "none").replace("_", " ")


def _plain(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return ", ".join(f"{name} = {_plain(item)}" for name, item in value.items()) or "none"
    return shown_value(value)


def remark(found: Comparison) -> str:
    """Return what a reader should know of the intervals; empty where there are none."""
    return INDEPENDENT if any(group.low is not None for test in found.tests for group in test.groups) else ""
