"""What a notebook shows of a comparison: the same changes as HTML, plain text and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from fairreport.audit.gate import Status
from fairreport.render import formats
from fairreport.render.drawings import with_rich
from fairreport.render.environment import render
from fairreport.render.markdown import escape, table_block
from fairreport.render.phrases import Name, Sentence
from fairreport.render.text_layout import COLUMNS, fit, roomiest
from fairreport.render.words import State
from fairreport.report.compare_drawing import change_line, lead, remark
from fairreport.report.compare_record import Comparison
from fairreport.report.compare_view import ComparedTest, compared_tests, terse_line, worst_change

TESTS, ROWS, ALL_ROWS, FEWEST_ROWS, LINES = 6, 20, 80, 5, 20
"""So many tests have their tables; those together have about so many rows, of each at least a few; lists end at 20."""

_TEXT_LINES = 15
_LEAD_LINES = 3
_WORSE = State(key="failing", word="graver", glyph="▼")
_NOT_WORSE = State(key="passing", word="not graver", glyph="●")
_AS_GRAVE = State(key="skipped", word="not graver", glyph="–")


def draw_comparison(found: Comparison) -> dict[str, str]:
    """Return the display of a comparison by MIME type."""
    return with_rich(
        text_of_comparison(found),
        {"text/html": lambda: _html(found), "text/markdown": lambda: "\n\n".join(_markdown(found)) + "\n"},
    )


def _state(found: Comparison) -> State:
    """Return whether anything got worse; what is no graver, and still does not pass, is no good news."""
    if found.got_worse:
        return _WORSE
    return _NOT_WORSE if found.new_status == Status.PASSING else _AS_GRAVE


def _rows(tests: tuple[ComparedTest, ...]) -> int:
    return min(ROWS, max(FEWEST_ROWS, ALL_ROWS // max(1, min(TESTS, len(tests)))))


def _html(found: Comparison) -> str:
    tests = compared_tests(found)
    return render(
        "fragments/comparison.html",
        old=Name.of(found.old),
        new=Name.of(found.new),
        state=_state(found),
        lead=lead(found),
        worst=worst_change(found),
        tests=tests[:TESTS],
        further=tests[TESTS:],
        limit=LINES,
        rows=_rows(tests),
        audit=[Name.prose(change_line(item)) for item in found.audit],
        remark=remark(found),
    )


def text_of_comparison(found: Comparison) -> str:
    """Return the plain text: the state, what changed, and a line a test with its worst groups under it.

    Returns
    -------
    text
        At most 15 lines of at most 100 columns.
    """
    names = Sentence((Name.of(found.old), " -> ", Name.of(found.new)))
    end = f" · {_state(found).text}"
    lines = [f"{fit(roomiest(names, 1)[0], COLUMNS - len(end))}{end}", *roomiest(_said(lead(found)), _LEAD_LINES)]
    room = _TEXT_LINES - len(lines)
    changed = found.changed
    shown = changed if len(changed) <= room else changed[: room - 1]
    spare = room - len(shown) - (len(shown) < len(changed))
    kept = [min(len(test.groups), _share(spare, position, len(shown))) for position, test in enumerate(shown)]
    for test, compared, n in zip(shown, compared_tests(found), kept, strict=False):
        state = f"{compared.state.glyph} " if compared.state else ""
        told = Sentence((state, compared.name, ": ", compared.told))
        lines += roomiest(told, 1)
        lines += [fit(f"    {formats.printable(terse_line(group, COLUMNS - 4))}", COLUMNS) for group in test.groups[:n]]
    if len(shown) < len(changed):
        lines.append(f"and {formats.plural(len(changed) - len(shown), 'more test', 'more tests')} changed")
    return "\n".join(lines)


def _share(spare: int, position: int, n: int) -> int:
    """Return how many of the spare lines a test has; the first ones, which changed worst, have what is left over."""
    return spare // n + (position < spare % n)


def _said(text: str) -> Sentence:
    return Sentence((text,))


def _markdown(found: Comparison) -> Iterator[str]:
    tests = compared_tests(found)
    yield f"**{_name(Name.of(found.old))} → {_name(Name.of(found.new))}** · **{_state(found).text}**"
    yield escape(lead(found))
    worst = worst_change(found)
    if worst is not None:
        yield _name(worst)
    for test in tests[:TESTS]:
        yield f"**{_name(test.name)}** · {_name(test.told)}"
        if test.table is not None:
            yield table_block(test.table, _rows(tests))
            rest = len(test.table.rows) - _rows(tests)
            if rest > 0:
                yield f"and {formats.count(rest)} more in `to_dict()`"
        if test.changes:
            yield _list(test.changes)
    if tests[TESTS:]:
        yield _list(tuple(Name.prose(f"{test.name.text}: {test.told.text}") for test in tests[TESTS:]))
    if found.audit:
        yield _list(tuple(Name.prose(change_line(item)) for item in found.audit))
    if remark(found):
        yield escape(remark(found))


def _list(items: tuple[Name, ...]) -> str:
    more = [f"- and {formats.count(len(items) - LINES)} more in `to_dict()`"] if len(items) > LINES else []
    return "\n".join([*(f"- {_name(item)}" for item in items[:LINES]), *more])


def _name(name: Name) -> str:
    return escape(formats.shortened(name.text, _LONGEST))


_LONGEST = 400
"""Characters of a line at most."""
