"""The Markdown display: the findings of the HTML for hosts that show no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairreport.render import formats
from fairreport.render.views import Name, RunView, Sentence, Table, TestView

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
    fingerprint = f"data sha256 {run.fingerprint_short}"
    yield f"**{_name(run.title)}** · {_sentence(run.audited)}{made} · {fingerprint} · **{run.state.text}**"
    yield _sentence(run.headline)
    yield _sentence(run.counts_sentence)
    if run.remark:
        yield _sentence(run.remark)
    for test in run.skipped:
        yield f"**{_name(test.name)}** · {test.state.text} · {_sentence(test.headline)}"
    for position, test in run.tables:
        yield from _test_blocks(position, test)


def _test_blocks(position: int, test: TestView) -> Iterator[str]:
    held = "".join(f" · {escape(it.text)}" for it in test.thresholds)
    yield f"**{_name(test.name)}** · {test.state.text}{held}"
    if test.table:
        yield _sentence(test.table.caption)
        yield "\n".join(_table_lines(test.table))
        rest = len(test.table.rows) - ROWS
        if rest > 0:
            yield f"and {formats.count(rest)} more in the packet and `run.results[{position}].groups`"
    remarks = [f"- {_sentence(it)}" for it in (*test.reversals, *test.notes)]
    if remarks:
        yield "\n".join(remarks)


def _table_lines(table: Table) -> Iterator[str]:
    shown = table.positions(brief=True)
    yield _cells([_names(table.attributes), *(table.columns[i].heading for i in shown), escape(table.finding_heading)])
    yield _cells(["---", *("--:" for _ in shown), "---"])
    for row in table.rows[:ROWS]:
        yield _cells([_names(row.group), *(row.cells[i] for i in shown), row.finding.text])


def _cells(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _name(name: Name) -> str:
    return escape(name.short)


def _names(names: tuple[Name, ...]) -> str:
    return " / ".join(map(_name, names))


def _sentence(sentence: Sentence) -> str:
    return "".join(escape(piece) if isinstance(piece, str) else _name(piece) for piece in sentence.pieces)
