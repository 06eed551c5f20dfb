"""A plan as a terminal and a notebook show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from fairreport.audit.plan import Plan
from fairreport.render import formats
from fairreport.render.text_layout import COLUMNS, wrap
from fairreport.tables.plan import LOOKED_AT, Step

LISTED = 6
"""So many names of tests or columns are told one by one."""


def draw_plan(plan: Plan) -> dict[str, str]:
    """Return the display of a plan by MIME type."""
    text = text_of_plan(plan)
    return {"text/plain": text, "text/html": f'<pre class="fairreport-plan">{escape(text)}</pre>'}


def text_of_plan(plan: Plan) -> str:
    """Return a plan as plain text; statements stand in full, however long they are."""
    return "\n".join(_lines(plan))


def _lines(plan: Plan) -> Iterator[str]:
    where = f"its rows stay in {plan.engine}" if plan.is_remote else "its rows are counted here"
    yield from wrap(f"Plan for {formats.printable(plan.origin)}: {where}", 2)
    for i, step in enumerate(plan.steps, start=1):
        yield ""
        yield from wrap(f"{i}. {step.text[0].upper()}{step.text[1:]}", 4)
        yield from _indented(f"for {_listed([plan.tests[at] for at in step.tests], 'tests')}")
        if step.columns:
            yield from _indented(f"reads {_listed(step.columns, 'columns')}")
        if step.groups is not None:
            yield from _indented(f"gives about {formats.count(step.groups)} rows back{_hint(step)}")
        elif step.bound:
            yield from _indented(f"gives back {step.bound}")
        if step.sql is not None:
            yield f"   {formats.printable(step.sql)}"
    if plan.is_remote:
        yield ""
        looked = f"What is about a number is estimated from the first {formats.count(LOOKED_AT)} rows"
        yield from wrap(f"{looked}; of its rows nothing else was asked.", 2)


def _hint(step: Step) -> str:
    return "; an id or a date among the attributes?" if step.groups is not None and step.groups > LOOKED_AT // 2 else ""


def _listed(names: Sequence[str], what: str) -> str:
    names = [formats.printable(name) for name in names]
    if len(names) > LISTED:
        return f"{', '.join(names[:LISTED])} and {len(names) - LISTED:,} more {what}"
    return ", ".join(names)


def _indented(text: str) -> Iterator[str]:
    for line in wrap(text, 4, COLUMNS - 3):
        yield f"   {line}"
