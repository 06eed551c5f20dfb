"""The plain-text display: a summary of at most 15 lines of 100 columns, with the findings of the HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from fairreport.render import formats
from fairreport.render.views import RunView, Sentence, Table, Terse, TestView

COLUMNS = 100
LINES = 15
_NAME = 24
_GROUP = 16
_LINES_OF_HEADLINE = _LINES_OF_COUNTS = 3
_LEAST_OF_TABLE = 6
_INDENT = "    "
_GAP = "  "


def text_of_run(run: RunView) -> str:
    """Return a whole audit as plain text.

    Returns
    -------
    text
        At most 15 lines of at most 100 columns, wide characters counted twice.
    """
    lines = [
        _first_line(run),
        *_roomiest(run.headline, _LINES_OF_HEADLINE),
        *_roomiest(run.counts_sentence, _LINES_OF_COUNTS),
    ]
    lines += wrap(run.remark.text, 1) if run.remark else []
    room = LINES - len(lines)
    tests = run.worst_first
    return "\n".join(lines + (_only_test_lines(tests[0], room) if len(tests) == 1 else _lines_of_tests(tests, room)))


def _first_line(run: RunView) -> str:
    last = f" · data sha256 {run.fingerprint_short} · {run.state.text}"
    room = COLUMNS - columns_of(last)
    whole = f"{run.title.text} · {run.audited.plain(COLUMNS)}"
    if columns_of(whole) > room:
        whole = f"{formats.shortened(run.title.text, 2 * _NAME)} · {run.audited.plain(_NAME)}"
    return fit(whole, room) + last


def _roomiest(sentence: Sentence, lines: int, before: str = "") -> list[str]:
    """Return a sentence in at most so many lines, its names as long as these leave room for."""
    for longest in (COLUMNS, formats.SHORT_NAME, 2 * _NAME, 3 * _NAME // 2):
        found = _broken(before + sentence.plain(longest))
        if len(found) <= lines and max(map(columns_of, found)) <= COLUMNS:
            return found
    return wrap(before + sentence.plain(_NAME), lines)


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
    found = _broken(text)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [fit(line, COLUMNS) for line in found]


def _broken(text: str) -> list[str]:
    found: list[str] = []
    for word in text.split(" "):
        if found and columns_of(found[-1]) + 1 + columns_of(word) <= COLUMNS:
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


def _lines_of_tests(tests: Sequence[TestView], room: int) -> list[str]:
    """Return a line a test, worst first, and as many of the lines that explain it as there is room for."""
    shown = tests if len(tests) <= room else _most_telling(tests, room - 1)
    more = (
        [f"and {formats.plural(len(tests) - len(shown), 'more test', 'more tests')}"] if len(shown) < len(tests) else []
    )
    kept = _explanations(shown, room - len(shown) - len(more))
    lines = []
    for position, test in enumerate(shown):
        under = [text for place, text in kept if place == position]
        said_below = not test.deciding or any(test.deciding[0].text in text for text in under)
        lines += [_test_line(test) if said_below else _decided_line(test), *under]
    return lines + more


def _explanations(tests: Sequence[TestView], room: int) -> list[tuple[int, str]]:
    """Return the lines to stand under tests, each with the position of its test; the less important are left out.

    What decides a status comes first, then reversals, then cautions; one that several tests share is said once.
    """
    found: list[tuple[int, str]] = []
    for lines_of in (_deciding_lines, _reversal_lines, _caution_lines):
        for position, test in enumerate(tests):
            said = [line for _, line in found] if lines_of is _caution_lines else []
            found += [(position, line) for line in lines_of(test, _INDENT) if line not in said]
    return found[:room]


def _deciding_lines(test: TestView, before: str) -> list[str]:
    """Return the thresholds that the status comes of, in one line."""
    held = "; ".join(it.text for it in test.deciding)
    return [fit(f"{before}{held}", COLUMNS)] if held else []


def _reversal_lines(test: TestView, before: str) -> list[str]:
    """Return the first group whose adjusted figure points the other way, and how many more there are."""
    if not test.reversals:
        return []
    first, rest = test.reversals[0], len(test.reversals) - 1
    more = f" So for {formats.plural(rest, 'more group', 'more groups')}." if rest else ""
    return _roomiest(first + Sentence((more,)), 1, before)


def _caution_lines(test: TestView, before: str) -> list[str]:
    return [line for caution in test.cautions for line in _roomiest(caution, 1, before)]


def _most_telling(tests: Sequence[TestView], room: int) -> list[TestView]:
    """Return the worst tests, a line kept for a skipped one: skipping is never silent."""
    skipped = [test for test in tests if test.is_skipped][:1]
    computed = [test for test in tests if not test.is_skipped]
    return [*computed[: room - len(skipped)], *skipped]


def _test_line(test: TestView) -> str:
    """Return a test with its worst comparison in one line, names shortened only where it would not fit."""
    start = f"{test.state.text} · "
    if not test.comparisons:
        return _roomiest(Sentence((test.name, ". ")) + test.headline, 1, start)[0]
    worst = test.comparisons[0]
    end = f", {worst.summary}"
    whole = f"{start}{test.name.text}: {worst.label}{end}"
    if columns_of(whole) <= COLUMNS:
        return whole
    if COLUMNS - columns_of(start + end) < 2 * _GROUP:
        end = f", {worst.judged}, {worst.finding.word}"
    room = COLUMNS - columns_of(f"{start}: {end}")
    labels = test.table.rows if test.table else ()
    label = _fit_apart([worst.label, *(row.label for row in labels)], max(_GROUP, room - columns_of(test.name.text)))[0]
    left = max(_GROUP // 2, room - columns_of(label))
    name = fit(test.name.text if columns_of(test.name.text) <= left else test.name.cut(left), left)
    return fit(f"{start}{name}: {label}{end}", COLUMNS)


def _decided_line(test: TestView) -> str:
    """Return a test with the threshold that decides it, for want of room to say it in a line of its own."""
    return _roomiest(
        Sentence((test.name, f": {'; '.join(it.text for it in test.deciding)}")), 1, f"{test.state.text} · "
    )[0]


def _only_test_lines(test: TestView, room: int) -> list[str]:
    """Return the table of a test, above it what decides the status, under it what changes how to read it."""
    first = _deciding_lines(test, f"{test.state.word}: ")
    last = [*_reversal_lines(test, ""), *_caution_lines(test, "")]
    if test.table is None:
        said = _roomiest(Sentence((test.name, ". ")) + test.headline, room, f"{test.state.text} · ")
        return [*said, *last[: room - len(said)]]
    spare = room - min(len(test.table.rows) + 1, _LEAST_OF_TABLE)
    last = last[: spare - len(first)]
    return [*first, *_table_lines(test.table, room - len(first) - len(last)), *last]


def _table_lines(table: Table, room: int) -> Iterator[str]:
    """Yield the table, the group as wide as the other columns leave room for."""
    rows = table.rows if len(table.rows) < room else table.rows[: room - 2]
    names = [" / ".join(name.text for name in table.attributes), *(row.label for row in rows)]
    widest = max(map(columns_of, names))
    for wanted in ({Terse.ALWAYS, Terse.WITH_ROOM}, {Terse.ALWAYS}):
        shown = [i for i, column in enumerate(table.columns) if column.terse in wanted]
        grid = [[table.columns[i].heading for i in shown], *([row.cells[i] for i in shown] for row in rows)]
        widths = [max(map(columns_of, column)) for column in zip(*grid, strict=True)]
        findings = [table.finding_heading, *(row.finding.text for row in rows)]
        left = COLUMNS - sum(widths) - len(_GAP) * (len(widths) + 1) - max(map(columns_of, findings))
        if left >= min(widest, _GROUP):
            break
    shown_names = [fit(names[0], left), *_fit_apart(names[1:], left)]
    for name, cells, finding in zip(shown_names, grid, findings, strict=True):
        numbers = [f"{' ' * (width - columns_of(cell))}{cell}" for cell, width in zip(cells, widths, strict=True)]
        yield _GAP.join([_padded(name, min(widest, left)), *numbers, finding])
    if len(rows) < len(table.rows):
        rest = formats.count(len(table.rows) - len(rows))
        yield f"and {rest} more in the packet and the groups of the result"


def _fit_apart(names: Sequence[str], columns: int) -> list[str]:
    """Return names that take at most so many columns each, different ones cut to where they differ."""
    cut = {name: fit(name, columns) for name in names}
    if len(set(cut.values())) < len(cut):
        apart = formats.shortened_apart(names, columns)
        cut = {name: fit(apart[name], columns) for name in names}
    return [cut[name] for name in names]


def _padded(text: str, columns: int) -> str:
    cut = fit(text, columns)
    return cut + " " * (columns - columns_of(cut))
