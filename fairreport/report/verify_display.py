"""What a notebook shows of a verification: the same as HTML, plain text and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.render import formats
from fairreport.render.drawings import with_rich
from fairreport.render.environment import render
from fairreport.render.markdown import escape
from fairreport.render.phrases import Name, Sentence
from fairreport.render.text_layout import COLUMNS, fit, roomiest
from fairreport.render.words import State
from fairreport.report.differences import Difference
from fairreport.report.terminal import shown_value
from fairreport.report.verify_drawing import difference_line, lead
from fairreport.report.verify_record import Check, NotJudged, Verification

SHOWN = 20
"""At most so many differences, remarks and places that were taken as stated are shown."""

_TEXT_LINES, _LEAD_LINES = 15, 3
_AGREES = State(key="passing", word="agrees", glyph="✓")
_DIFFERS = State(key="failing", word="differs", glyph="✗")
_PARTLY = State(key="insufficient_evidence", word="not judged in full", glyph="◆")


def draw_verification(found: Verification) -> dict[str, str]:
    """Return the display of a verification by MIME type."""
    return with_rich(
        text_of_verification(found),
        {"text/html": lambda: _html(found), "text/markdown": lambda: "\n\n".join(_markdown(found)) + "\n"},
    )


def text_of_verification(found: Verification) -> str:
    """Return the plain text of a verification: what differs first, at most 15 lines of 100 columns."""
    end = f" · {_state(found).text}"
    names = f"{formats.printable(found.source)} ({found.kind}, packet id {found.packet_id})"
    first = f"{formats.shortened(names, COLUMNS - len(end))}{end}"
    lines = [fit(first, COLUMNS), *roomiest(Sentence((lead(found),)), _LEAD_LINES)]
    last = roomiest(Sentence((found.meaning,)), _LEAD_LINES)
    if found.taken_as_stated:
        taken = formats.plural(len(found.taken_as_stated), "place", "places")
        last = [f"taken as stated: {taken}, all in .taken_as_stated", *last]
    body = [fit(line, COLUMNS) for line in _body(found)]
    room = _TEXT_LINES - len(lines) - len(last)
    if len(body) > room:
        body = [*body[: room - 1], f"  and {formats.count(len(body) - room + 1)} more in .to_dict()"]
    return "\n".join([*lines, *body, *last])


def _body(found: Verification) -> Iterator[str]:
    """Yield what differs, then what a reader should know, then what agrees."""
    yield from (f"  differs  {_check(it)}" for it in found.checks if not it.passed)
    yield from (f"  {formats.printable(difference_line(it))}" for it in found.differences)
    yield from (f"  not judged  {formats.printable(_left(it))}" for it in found.not_judged)
    yield from (f"  {formats.printable(it)}" for it in found.remarks)
    yield from (f"  agrees   {_check(it)}" for it in found.checks if it.passed)


def _check(check: Check) -> str:
    return f"{check.text} ({formats.count(check.n_differences)})" if check.n_differences else check.text


def _left(item: NotJudged) -> str:
    return f"{item.what}: {item.reason}"


def _state(found: Verification) -> State:
    if found.differences:
        return _DIFFERS
    return _PARTLY if found.not_judged else _AGREES


def _html(found: Verification) -> str:
    return render(
        "fragments/verification.html",
        found=found,
        source=Name.of(found.source),
        state=_state(found),
        lead=lead(found),
        rows=[_row(item) for item in found.differences[:SHOWN]],
        left=[Name.prose(_left(item)) for item in found.not_judged[:SHOWN]],
        remarks=[Name.prose(remark) for remark in found.remarks],
        taken=[(Name.of(item.pointer), item.reason) for item in found.taken_as_stated[:SHOWN]],
        limit=SHOWN,
    )


def _row(item: Difference) -> tuple[Name, Name, Name, Name]:
    """Return file and place, stated, recomputed and message of a difference."""
    place = " ".join(part for part in (item.file, item.pointer) if part)
    is_told = item.stated is None and item.recomputed is None and item.message  # the message says all there is
    values = (formats.ABSENT,) * 2 if is_told else (shown_value(item.stated), shown_value(item.recomputed))
    return Name.of(place), Name.of(values[0]), Name.of(values[1]), Name.prose(item.message)


def _markdown(found: Verification) -> Iterator[str]:
    named = escape(Name.of(found.source).short)
    yield f"**{named}** · {escape(found.kind)} · packet id {found.packet_id} · **{_state(found).text}**"
    yield escape(lead(found))
    checks = [f"- {'agrees' if it.passed else 'differs'}: {escape(_check(it))}" for it in found.checks]
    yield "\n".join(checks)
    if found.differences:
        rows = (" | ".join(escape(name.short) for name in _row(item)) for item in found.differences[:SHOWN])
        head = ("Place | Stated | Recomputed | Remark", "--- | --- | --- | ---")
        yield "\n".join(f"| {line} |" for line in (*head, *rows))
    if len(found.differences) > SHOWN:
        yield f"and {formats.count(len(found.differences) - SHOWN)} more in `.differences`"
    if found.not_judged:
        yield "\n".join(f"- not judged: {escape(formats.printable(_left(it)))}" for it in found.not_judged[:SHOWN])
    if found.remarks:
        yield "\n".join(f"- {escape(formats.printable(remark))}" for remark in found.remarks[:SHOWN])
    if found.taken_as_stated:
        taken = formats.plural(len(found.taken_as_stated), "place", "places")
        yield f"Taken as stated: {taken}, all in `.taken_as_stated`"
    yield escape(found.meaning)
