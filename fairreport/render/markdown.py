"""The Markdown display: the findings of the HTML for hosts that show no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairreport.render import formats
from fairreport.render.gap_view import CalibrationView
from fairreport.render.table_view import Column
from fairreport.render.views import GapTestView, Name, PairTestView, RunView, Sentence, Table, TestView

ROWS = 20
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|~$^=:@\"'/]|(?<=www)\.|^[-0-9]", re.IGNORECASE)


def markdown_of_run(run: RunView) -> str:
    """Return a whole audit as Markdown; names from the data stay text whatever they hold."""
    return "\n\n".join(_blocks(run)) + "\n"


def escape(text: str) -> str:
    r"""Return text that Markdown shows as it is: no markup, table cell, link, math or HTML comes of it.

    Examples
    --------
    >>> escape("<b>|*a*")
    '&lt;b&gt;\\|\\*a\\*'
    """
    plain = re.sub("[&<>]", lambda found: _ENTITIES[found[0]], text)
    return _SPECIAL.sub(_backslashed, plain)


def _backslashed(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};" if found[0].isdigit() else f"\\{found[0]}"


def _blocks(run: RunView) -> Iterator[str]:
    made = f" · {escape(run.created)}" if run.created else ""
    yield f"**{_name(run.title)}** · {_sentence(run.audited)}{made} · {run.data_said} · **{run.state.text}**"
    yield _sentence(run.headline)
    yield _sentence(run.counts_sentence)
    if run.remark:
        yield _sentence(run.remark)
    for test in run.skipped:
        yield f"**{_name(test.name)}** · {test.state.text} · {_sentence(test.headline)}"
    for position, test in run.tables:
        if isinstance(test, GapTestView):
            yield from _gap_blocks(position, test)
        elif isinstance(test, PairTestView):
            yield from _pair_blocks(position, test)
        else:
            yield from _test_blocks(position, test)


def _gap_blocks(position: int, test: GapTestView) -> Iterator[str]:
    counts = f" · {_sentence(test.counts_sentence)}" if test.counts_sentence else ""
    yield f"**{_name(test.name)}** · {test.state.text}{counts}"
    yield _sentence(test.caption)
    rules = test.worst_first
    lines = [_cells(["Rule", "Bar", "Worst pair or group", "Observed", "Bounds", "Reads"]), _cells(["---"] * 6)]
    for rule in rules[:ROWS]:
        names = f"{_name(rule.id)}: {rule.rate} by {_names(rule.attributes)}"
        verdict = f"{escape(rule.state.text)}: {_sentence(rule.reason)}"
        lines.append(_cells([names, rule.bar, _names(rule.worst.group), rule.observed, rule.bounds, verdict]))
    yield "\n".join(lines)
    if len(rules) > ROWS:
        yield f"and {formats.count(len(rules) - ROWS)} more in the packet and `run.results[{position}].groups`"
    remarks = [(rule.id, it) for rule, it in test.remarks]
    if remarks:
        yield "\n".join(f"- {_name(name)}: {_sentence(it)}" for name, it in remarks[:ROWS])
    if len(remarks) > ROWS:
        more = formats.count(len(remarks) - ROWS)
        yield f"and {more} more remarks in the packet and `run.results[{position}].to_dict()`"
    if test.calibration:
        yield from _calibration_blocks(position, test.calibration)


def _calibration_blocks(position: int, shown: CalibrationView) -> Iterator[str]:
    yield _sentence(shown.caption)
    lines = [_cells(["Group", *shown.headings]), _cells(["---", *("--:" for _ in shown.headings)])]
    yield "\n".join([*lines, *(_cells([_name(row.group), *row.cells]) for row in shown.rows[:ROWS])])
    rest = len(shown.rows) - ROWS
    if rest > 0:
        yield f"and {formats.count(rest)} more in the packet and `run.results[{position}].calibration`"


def _test_blocks(position: int, test: TestView) -> Iterator[str]:
    held = "".join(f" · {escape(it.text)}" for it in test.thresholds)
    yield f"**{_name(test.name)}** · {test.state.text}{held}"
    if test.table:
        yield _sentence(test.table.caption)
        yield table_block(test.table)
        rest = len(test.table.rows) - ROWS
        if rest > 0:
            yield f"and {formats.count(rest)} more in the packet and `run.results[{position}].groups`"
    remarks = [f"- {_sentence(it)}" for it in (*test.reversals, *test.notes)]
    if remarks:
        yield "\n".join(remarks)


def _pair_blocks(position: int, test: PairTestView) -> Iterator[str]:
    held = "".join(f" · {escape(it.text)}" for it in test.thresholds)
    yield f"**{_name(test.name)}** · {test.state.text}{held}"
    yield _sentence(test.rule)
    shown = [(test.pooled.table, "pooled")] if test.pooled else []
    if test.table and not test.pooled:
        shown.append((test.table, "groups"))
    if test.pooled and test.listed:
        shown.append((test.listed, "groups"))
    for table, where in shown:
        yield _sentence(table.caption)
        yield table_block(table)
        rest = (test.n_listed if table is test.listed else len(table.rows)) - ROWS
        if rest > 0:
            yield f"and {formats.count(rest)} more in the packet and `run.results[{position}].{where}`"
    remarks = [f"- {_sentence(it)}" for it in (*test.reversals, *test.weights, *test.notes, *test.undefined)]
    if remarks:
        yield "\n".join(remarks[:ROWS])
    if len(remarks) > ROWS:
        yield f"and {formats.count(len(remarks) - ROWS)} more in `run.results[{position}].to_dict()`"


def table_block(table: Table, rows: int = ROWS) -> str:
    """Return a table of groups as a Markdown table.

    Parameters
    ----------
    table : Table
        The table.
    rows : int
        At most so many rows; the caller says how many there are besides.
    """
    return "\n".join(_table_lines(table, rows))


def _table_lines(table: Table, rows: int) -> Iterator[str]:
    shown = table.positions(brief=True)
    headings = [_heading(table.columns[i]) for i in shown]
    yield _cells([_names(table.attributes), *headings, escape(table.finding_heading)])
    yield _cells(["---", *("--:" for _ in shown), "---"])
    for row in table.rows[:rows]:
        against = f" vs {_name(row.reference)}" if row.reference else ""
        yield _cells([_names(row.group) + against, *(row.cells[i] for i in shown), escape(row.finding.terse)])


def _heading(column: Column) -> str:
    return _name(column.level) if column.level else column.heading


def _cells(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _name(name: Name) -> str:
    return escape(name.short)


def _names(names: tuple[Name, ...]) -> str:
    return " / ".join(map(_name, names))


def _sentence(sentence: Sentence) -> str:
    return "".join(escape(piece) if isinstance(piece, str) else _name(piece) for piece in sentence.pieces)
