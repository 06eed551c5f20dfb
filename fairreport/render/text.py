"""The plain-text display: a summary of at most 15 lines of 100 columns, with the findings of the HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from fairreport.render import formats
from fairreport.render.views import RunView, Table, Terse, TestView

COLUMNS = 100
LINES = 15
_NAME = 24
_GROUP = 16
_LINES_OF_HEADLINE = 3
_GAP = "  "


def text_of_run(run: RunView) -> str:
    """Return a whole audit as plain text.

    Returns
    -------
    text
        At most 15 lines of at most 100 columns, wide characters counted twice.
    """
    last = f" · data sha256 {run.fingerprint_short} · {run.state.text}"
    what = f"{formats.shortened(run.title.text, 2 * _NAME)} · {run.audited.plain(_NAME)}"
    lines = [fit(what, COLUMNS - columns_of(last)) + last]
    lines += wrap(run.headline.plain(_NAME), _LINES_OF_HEADLINE)
    lines += wrap(run.counts_sentence.plain(_NAME), 2)
    lines += wrap(run.remark.text, 1) if run.remark else []
    room = LINES - len(lines)
    tests = run.worst_first
    if len(tests) == 1:
        return "\n".join(lines + _only_test_lines(tests[0], room))
    shown = tests if len(tests) <= room else _most_telling(tests, room - 1)
    lines += [_test_line(test) for test in shown]
    if len(shown) < len(tests):
        lines.append(f"and {formats.plural(len(tests) - len(shown), 'more test', 'more tests')}")
    return "\n".join(lines)


def columns_of(text: str) -> int:
    """Return how many columns a text takes where wide characters take two.

    Examples
    --------
    >>> columns_of("abc"), columns_of("日本")
    (3, 4)
    """
    return sum(map(_width, text))


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def fit(text: str, columns: int) -> str:
    """Return a text that takes at most so many columns, an ellipsis where it was cut.

    Examples
    --------
    >>> fit("日本語です", 6)
    '日本…'
    """
    if columns_of(text) <= columns:
        return text
    taken, room = [], columns - 1
    for character in text:
        room -= _width(character)
        if room < 0:
            break
        taken.append(character)
    return f"{''.join(taken).rstrip()}…"


def wrap(text: str, lines: int) -> list[str]:
    """Return a text in at most so many lines of 100 columns, broken at spaces where there are any."""
    found: list[str] = []
    for word in text.split(" "):
        if found and columns_of(found[-1]) + 1 + columns_of(word) <= COLUMNS:
            found[-1] += f" {word}"
        else:
            found.append(word)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [fit(line, COLUMNS) for line in found]


def _most_telling(tests: Sequence[TestView], room: int) -> list[TestView]:
    """Return the worst tests, a line kept for a skipped one: skipping is never silent."""
    skipped = [test for test in tests if test.is_skipped][:1]
    computed = [test for test in tests if not test.is_skipped]
    return [*computed[: room - len(skipped)], *skipped]


def _test_line(test: TestView) -> str:
    if not test.comparisons:
        return fit(f"{test.state.text} · {test.name.cut(_NAME)}. {test.headline.plain(_NAME)}", COLUMNS)
    worst = test.comparisons[0]
    end = f": {fit(worst.label, _GROUP)}, {worst.figure}, {worst.finding.word}"
    start = f"{test.state.text} · "
    return start + fit(test.name.text, COLUMNS - columns_of(start) - columns_of(end)) + end


def _only_test_lines(test: TestView, room: int) -> list[str]:
    if test.table is None:
        return wrap(f"{test.state.text} · {test.name.short}. {test.headline.plain(_NAME)}", room)
    return list(_table_lines(test.table, room))


def _table_lines(table: Table, room: int) -> Iterator[str]:
    """Yield the table, the group as wide as the other columns leave room for."""
    rows = table.rows if len(table.rows) < room else table.rows[: room - 2]
    names = [" / ".join(name.text for name in table.attributes), *(row.label for row in rows)]
    widest = max(map(columns_of, names))
    for wanted in ({Terse.ALWAYS, Terse.WITH_ROOM}, {Terse.ALWAYS}):
        shown = [i for i, column in enumerate(table.columns) if column.terse in wanted]
        grid = [[table.columns[i].heading for i in shown], *([row.cells[i] for i in shown] for row in rows)]
        widths = [max(map(columns_of, column)) for column in zip(*grid, strict=True)]
        findings = ["Finding", *(row.finding.text for row in rows)]
        left = COLUMNS - sum(widths) - len(_GAP) * (len(widths) + 1) - max(map(columns_of, findings))
        if left >= min(widest, _GROUP):
            break
    for name, cells, finding in zip(names, grid, findings, strict=True):
        numbers = [f"{' ' * (width - columns_of(cell))}{cell}" for cell, width in zip(cells, widths, strict=True)]
        yield _GAP.join([_padded(name, min(widest, left)), *numbers, finding])
    if len(rows) < len(table.rows):
        rest = formats.count(len(table.rows) - len(rows))
        yield f"and {rest} more in the packet and the groups of the result"


def _padded(text: str, columns: int) -> str:
    cut = fit(text, columns)
    return cut + " " * (columns - columns_of(cut))
