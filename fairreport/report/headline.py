"""The sentence on the page of the result: the worst finding, with the n of what it is compared with."""

from __future__ import annotations

from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Row, RunView, Sentence, Table


def headline_of(run: RunView) -> Sentence:
    """Return the headline of a run, with the n of the reference group where there is one."""
    if len(run.skipped) == len(run.entries):
        return said("No test could be computed.")
    told = run.headline.pieces
    for test in run.tests:
        if told[-len(test.headline.pieces) :] == test.headline.pieces:
            reference = next((row for row in test.table.rows if row.is_reference), None) if test.table else None
            if test.table and reference is not None:
                return _with_n(run.headline, test.table, reference)
    return run.headline


def _with_n(sentence: Sentence, table: Table, reference: Row) -> Sentence:
    """Return the sentence with the n of the reference behind its last mention."""
    pieces = sentence.pieces
    name = joined(level.text for level in reference.group)
    n = table.cell(reference, "n")
    for start in range(len(pieces) - len(name) - 1, -1, -1):
        end = start + len(name)
        if pieces[start:end] == name:
            return Sentence((*pieces[:end], _said_before(pieces[end], n), *pieces[end + 1 :]))
    return sentence


def _said_before(rest: str | Name, n: str) -> str:
    text = rest if isinstance(rest, str) else rest.text
    return f" (reference, n {n}; {text[2:]}" if text.startswith(" (") else f" (n {n}){text}"
