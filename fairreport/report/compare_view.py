"""A comparison as tables: a group a row, before and now, and how far its value moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairreport.analyses.result import Span
from fairreport.audit.gate import Status
from fairreport.render import formats
from fairreport.render.phrases import Name, Names, Sentence
from fairreport.render.table_view import Axis, Column, Marks, Row, Table
from fairreport.render.words import FindingWords, Kind, Side, State, state
from fairreport.report.compare_drawing import MEASUREMENTS, change_line, group_line, head_line
from fairreport.report.compare_record import Comparison, GroupChange, Presence, Standing, TestChange

_COLUMNS = (
    ("n_before", "n before"),
    ("n", "n now"),
    ("value_before", "Before"),
    ("value", "Now"),
    ("change", "Change"),
    ("interval", "Interval of change"),
    ("ratio_before", "Ratio before"),
    ("ratio", "Ratio now"),
)
_ROOM, _LEAST = 1.06, 16
_FAILING, _NOT_FAILING = "failing", "not failing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTest:
    """A test of which anything is another now.

    Attributes
    ----------
    name : Name
        The later name.
    state : State or None
        What it comes to now; None where it does not occur any more.
    told : Name
        What became of its status, without its name.
    table : Table or None
        Its groups that changed, worst first; None where none did.
    changes : tuple of Name
        Every other change, a line each.
    """

    name: Name
    state: State | None
    told: Name
    table: Table | None
    changes: tuple[Name, ...]


def compared_tests(found: Comparison) -> tuple[ComparedTest, ...]:
    """Return the tests that changed, worst change first.

    Parameters
    ----------
    found : Comparison
        What was found.
    """
    return tuple(_test(test) for test in found.changed)


def worst_change(found: Comparison) -> Name | None:
    """Return the worst change of a group in one sentence; None where no group changed."""
    for test in found.changed:
        if test.groups:
            return Name.prose(f"{test.name}, {group_line(test.groups[0])}.")
    return None


def terse_line(group: GroupChange, room: int) -> str:
    """Return what became of a group in so many characters: its value, its ratio and its verdict."""
    old, new = group.old, group.new
    if old is None or new is None or old.value is None or new.value is None:
        return group_line(group)
    parts = [f"{formats.fixed(old.value)} -> {formats.fixed(new.value)}"]
    if old.ratio is not None and new.ratio is not None:
        parts.append(f"ratio {formats.fixed(old.ratio)} -> {formats.fixed(new.ratio)}")
    told = f"{', '.join(parts)}, {_finding(group).text}"
    return f"{formats.shortened(formats.printable(group.group), max(_LEAST, room - len(told) - 2))}: {told}"


def _test(test: TestChange) -> ComparedTest:
    head = head_line(test)
    return ComparedTest(
        name=Name.of(test.name),
        state=state(Status(test.new_status)) if test.new_status in set(Status) else None,
        told=Name.prose(head.removeprefix(test.name).lstrip(":,").strip()),
        table=_table(test.groups) if test.groups else None,
        changes=tuple(map(Name.prose, _changes(test))),
    )


def _changes(test: TestChange) -> Iterator[str]:
    yield from (change_line(item) for item in (*test.verdicts, *test.thresholds, *test.parameters))
    for item in test.measurements[:MEASUREMENTS]:
        old, new = (formats.measurement(item.name, value) for value in (item.old, item.new))
        yield f"{item.name}: {old} -> {new}"


def _table(groups: Sequence[GroupChange]) -> Table:
    """Return the groups of a test; columns that nothing stands in are left out."""
    rows = [_row(group) for group in groups]
    used = [i for i in range(len(_COLUMNS)) if any(row.cells[i] != formats.ABSENT for row in rows)]
    if all(row.cells[0] == row.cells[1] for row in rows):
        used = [i for i in used if i]
    names = Names(row.group[0].text for row in rows)
    level = next((group.level for group in groups if group.level is not None), None)
    axis = _axis(groups)
    caption = f"What changed of {formats.plural(len(groups), 'group', 'groups')}, worst first"
    if level is not None:
        caption += f"; {formats.level(level)} intervals of the changes (Newcombe)"
    if axis is not None:
        caption += f"; drawn from {formats.fixed(axis.low)} to {formats.fixed(axis.high)}, 0 marked"
    headings = [("n" if heading == "n now" and 0 not in used else heading) for _, heading in _COLUMNS]
    shown = [Column(key=_COLUMNS[i][0], heading=headings[i]) for i in used]
    table = Table(
        caption=Sentence((caption,)),
        attributes=(Name("Group"),),
        columns=tuple(shown),
        rows=tuple(_cut(row, used) for row in rows),
        axis=axis,
        finding_heading="Verdict",
    )
    return table.apart(names)


def _cut(row: Row, used: Sequence[int]) -> Row:
    return Row(
        group=row.group,
        cells=tuple(row.cells[i] for i in used),
        finding=row.finding,
        figure=row.figure,
        judged=row.judged,
        marks=row.marks,
        severity=row.severity,
        sentence=row.sentence,
    )


def _axis(groups: Sequence[GroupChange]) -> Axis | None:
    """Return an axis of changes that has 0 in its middle; None where no value moved."""
    ends = [end for it in groups for end in (it.difference, it.low, it.high) if end is not None]
    if not ends:
        return None
    most = _ROOM * max(map(abs, ends)) or 1.0
    return Axis(label="Change", low=-most, high=most, threshold=None, threshold_text="", reference=0.0)


def _row(group: GroupChange) -> Row:
    old, new = group.old, group.new
    finding = _finding(group)
    moved = formats.fixed(group.difference) if group.difference is not None else formats.ABSENT
    interval = Span(low=group.low, high=group.high)
    drawn = formats.span(interval, signed=True) if group.low is not None else formats.ABSENT
    label = f"change {moved}" if group.difference is not None else "no change to draw"
    if group.low is not None:
        label += f", interval {drawn}"
    cells = (
        *(formats.ABSENT if it is None or it.n is None else formats.count(it.n) for it in (old, new)),
        *_values(old, new),
        moved,
        drawn,
        *(formats.ABSENT if it is None or it.ratio is None else formats.fixed(it.ratio) for it in (old, new)),
    )
    return Row(
        group=(Name.of(group.group),),
        cells=cells,
        finding=finding,
        figure=label,
        judged=label,
        marks=Marks(value=group.difference, low=group.low, high=group.high, label=label),
        severity=0.0,
        sentence=Sentence((Name.prose(group_line(group)),)),
    )


def _values(old: Standing | None, new: Standing | None) -> Iterator[str]:
    for it in (old, new):
        yield formats.ABSENT if it is None or it.value is None else formats.fixed(it.value)


def _finding(group: GroupChange) -> FindingWords:
    """Return what became of the verdict of a group, in words."""
    if group.presence is not Presence.BOTH or group.old is None or group.new is None:
        standing = group.new or group.old
        word = "appeared" if group.presence is Presence.ADDED else "gone"
        verdict = standing.verdict if standing else ""
        kind = Kind.BELOW_UNTESTED if group.got_worse else Kind.NOT_DEFINED
        return _words(kind, f"{word}: {verdict}" if verdict else word)
    old, new = group.old.verdict or "no verdict", group.new.verdict or "no verdict"
    if old == new:
        kinds = {_FAILING: Kind.BELOW_UNTESTED, _NOT_FAILING: Kind.AT_OR_ABOVE, "reference": Kind.REFERENCE}
        return _words(kinds.get(new, Kind.NOT_DEFINED), f"as before: {new}", is_worse=False)
    kind = Kind.BELOW_UNTESTED if new == _FAILING else Kind.AT_OR_ABOVE if new == _NOT_FAILING else Kind.NOT_DEFINED
    return _words(kind, f"{new}, before {old}")


def _words(kind: Kind, word: str, *, is_worse: bool = True) -> FindingWords:
    """Return a verdict in words; only one that is failing now and was not before is set apart."""
    glyphs = {Kind.BELOW_UNTESTED: "▼", Kind.AT_OR_ABOVE: "●", Kind.REFERENCE: "–"}
    side = Side.BELOW if kind is Kind.BELOW_UNTESTED and is_worse else Side.NOT_TESTED
    return FindingWords(kind=kind, side=side, word=word, glyph=glyphs.get(kind, "○"))
