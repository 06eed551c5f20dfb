"""The plain-text display: a summary of at most 15 lines of 100 columns, with the findings of the HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from fairreport.render import formats, gap_lines
from fairreport.render.text_layout import COLUMNS, NAME, columns_of, fit, fit_apart, padded, roomiest, wrap
from fairreport.render.views import EntryView, GapTestView, PairTestView, Row, RunView, Sentence, Table, Terse, TestView

Tabled = TestView | PairTestView
"""A test whose groups stand in a table."""

LINES = 15
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
        *roomiest(run.headline, _LINES_OF_HEADLINE),
        *roomiest(run.counts_sentence, _LINES_OF_COUNTS),
    ]
    lines += wrap(run.remark.text, 1) if run.remark else []
    room = LINES - len(lines)
    tests = run.worst_first
    return "\n".join(lines + (_lines_of_one(tests[0], room) if len(tests) == 1 else _lines_of_tests(tests, room)))


def _first_line(run: RunView) -> str:
    last = f" · {run.data_said} · {run.state.text}"
    room = COLUMNS - columns_of(last)
    whole = f"{run.title.text} · {run.audited.plain(COLUMNS)}"
    if columns_of(whole) > room:
        whole = f"{formats.shortened(run.title.text, 2 * NAME)} · {run.audited.plain(NAME)}"
    return fit(whole, room) + last


def _lines_of_one(test: EntryView, room: int) -> list[str]:
    if isinstance(test, GapTestView):
        return gap_lines.only_test_lines(test, room)
    return _only_test_lines(test, room)


def _lines_of_tests(tests: Sequence[EntryView], room: int) -> list[str]:
    """Return a line a test, worst first, and as many of the lines that explain it as there is room for."""
    shown = tests if len(tests) <= room else _most_telling(tests, room - 1)
    more = (
        [f"and {formats.plural(len(tests) - len(shown), 'more test', 'more tests')}"] if len(shown) < len(tests) else []
    )
    kept = _explanations(shown, room - len(shown) - len(more))
    lines = []
    for position, test in enumerate(shown):
        under = [text for place, text in kept if place == position]
        lines += [_line_of(test, under), *under]
    return lines + more


def _line_of(test: EntryView, under: Sequence[str]) -> str:
    if isinstance(test, GapTestView):
        return gap_lines.line_of_test(test)
    if not test.comparisons and not test.deciding:
        whole = _whole_reason(test)
        return whole[0] if all(line in under for line in whole[1:]) else _test_line(test)
    said_below = not test.deciding or any(test.deciding[0].text in text for text in under)
    return _test_line(test) if said_below else _decided_line(test)


def _explanations(tests: Sequence[EntryView], room: int) -> list[tuple[int, str]]:
    """Return the lines to stand under tests, each with the position of its test; the less important are left out.

    What decides a status comes first, then reversals, then cautions; one that several tests share is said once. Of
    rules on rate gaps, those that the line of their test does not tell come first, then what stands beside them.
    """
    return list(islice(_each_explanation(tests), max(room, 0)))


def _each_explanation(tests: Sequence[EntryView]) -> Iterator[tuple[int, str]]:
    """Yield the lines one by one: of many rules, few have room, and no other is laid out."""
    said: set[str] = set()
    for lines_of in (_deciding_lines, _reversal_lines, _caution_lines):
        for position, test in enumerate(tests):
            before = frozenset(said) if lines_of is _caution_lines else frozenset()
            lines = _gap_lines(test, lines_of) if isinstance(test, GapTestView) else lines_of(test, _INDENT)
            for line in lines:
                if line not in before:
                    said.add(line)
                    yield position, line


def _gap_lines(test: GapTestView, lines_of: Callable[[Tabled, str], list[str]]) -> Iterable[str]:
    if lines_of is _deciding_lines:
        return gap_lines.further_lines(test)
    return gap_lines.remark_lines(test) if lines_of is _caution_lines else []


def _deciding_lines(test: Tabled, before: str) -> list[str]:
    """Return the thresholds that the status comes of, in one line."""
    held = "; ".join(it.text for it in test.deciding)
    if not held and before == _INDENT and not test.comparisons:
        return _whole_reason(test)[1:]
    return [fit(f"{before}{held}", COLUMNS)] if held else []


def _whole_reason(test: Tabled) -> list[str]:
    """Return why a test compares nothing, in as many lines as that takes, up to three."""
    return roomiest(Sentence((test.name, ". ")) + test.headline, _LINES_OF_HEADLINE, f"{test.state.text} · ")


def _reversal_lines(test: Tabled, before: str) -> list[str]:
    """Return the first group whose adjusted figure points the other way, and how many more there are."""
    if not test.reversals:
        return []
    first, rest = test.reversals[0], len(test.reversals) - 1
    more = f" So for {formats.plural(rest, 'more group', 'more groups')}." if rest else ""
    return roomiest(first + Sentence((more,)), 1, before)


def _caution_lines(test: Tabled, before: str) -> list[str]:
    return [line for caution in test.cautions for line in roomiest(caution, 1, before)]


def _most_telling(tests: Sequence[EntryView], room: int) -> list[EntryView]:
    """Return the worst tests, a line kept for a skipped one: skipping is never silent."""
    skipped = [test for test in tests if test.is_skipped][:1]
    computed = [test for test in tests if not test.is_skipped]
    return [*computed[: room - len(skipped)], *skipped]


def _test_line(test: Tabled) -> str:
    """Return a test with its worst comparison in one line, names shortened only where it would not fit."""
    start = f"{test.state.text} · "
    if not test.comparisons:
        return roomiest(Sentence((test.name, ". ")) + test.headline, 1, start)[0]
    worst = test.comparisons[0]
    end = f", {worst.summary}"
    whole = f"{start}{test.name.text}: {worst.label}{end}"
    if columns_of(whole) <= COLUMNS:
        return whole
    if COLUMNS - columns_of(start + end) < 2 * _GROUP:
        end = f", {worst.judged}, {worst.finding.shortest}"
    room = COLUMNS - columns_of(f"{start}: {end}")
    labels = test.table.rows if test.table else ()
    label = fit_apart([worst.label, *(row.label for row in labels)], max(_GROUP, room - columns_of(test.name.text)))[0]
    left = max(_GROUP // 2, room - columns_of(label))
    name = fit(test.name.text if columns_of(test.name.text) <= left else test.name.cut(left), left)
    return fit(f"{start}{name}: {label}{end}", COLUMNS)


def _decided_line(test: Tabled) -> str:
    """Return a test with the threshold that decides it, for want of room to say it in a line of its own."""
    return roomiest(
        Sentence((test.name, f": {'; '.join(it.text for it in test.deciding)}")), 1, f"{test.state.text} · "
    )[0]


def _only_test_lines(test: Tabled, room: int) -> list[str]:
    """Return the table of a test, above it what decides the status, under it what changes how to read it."""
    first = _deciding_lines(test, f"{test.state.word}: ")
    last = [*_reversal_lines(test, ""), *_caution_lines(test, "")]
    if test.table is None:
        said = roomiest(Sentence((test.name, ". ")) + test.headline, room, f"{test.state.text} · ")
        return [*said, *last[: room - len(said)]]
    spare = room - min(len(test.table.rows) + 1, _LEAST_OF_TABLE)
    last = last[: spare - len(first)]
    return [*first, *_table_lines(test.table, room - len(first) - len(last)), *last]


def _named(row: Row) -> str:
    return f"{row.label} vs {row.reference.text}" if row.reference else row.label


def _table_lines(table: Table, room: int) -> Iterator[str]:
    """Yield the table, the group as wide as the other columns leave room for."""
    rows = table.rows if len(table.rows) < room else table.rows[: room - 2]
    names = [" / ".join(name.text for name in table.attributes), *map(_named, rows)]
    widest = max(map(columns_of, names))
    for wanted in ({Terse.ALWAYS, Terse.WITH_ROOM}, {Terse.ALWAYS}):
        shown = [i for i, column in enumerate(table.columns) if column.terse in wanted]
        grid = [[table.columns[i].heading for i in shown], *([row.cells[i] for i in shown] for row in rows)]
        widths = [max(map(columns_of, column)) for column in zip(*grid, strict=True)]
        findings = [table.finding_heading, *(row.finding.terse for row in rows)]
        left = COLUMNS - sum(widths) - len(_GAP) * (len(widths) + 1) - max(map(columns_of, findings))
        if left >= min(widest, _GROUP):
            break
    shown_names = [fit(names[0], left), *fit_apart(names[1:], left)]
    for name, cells, finding in zip(shown_names, grid, findings, strict=True):
        numbers = [f"{' ' * (width - columns_of(cell))}{cell}" for cell, width in zip(cells, widths, strict=True)]
        yield _GAP.join([padded(name, min(widest, left)), *numbers, finding])
    if len(rows) < len(table.rows):
        rest = formats.count(len(table.rows) - len(rows))
        yield f"and {rest} more in the packet and the groups of the result"
