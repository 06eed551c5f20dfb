"""Tables by category as they print, with what is absent, and what does not fit together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairreport.analyses.result import OutcomeGroup, ScoreRow
from fairreport.audit.record import AuditRecord
from fairreport.render import formats
from fairreport.render.record_lines import joined, said
from fairreport.render.views import Name, Sentence
from fairreport.report.preset_choice import ChosenPreset, RoleColumn
from fairreport.report.profile_categories import (
    WHY_LEFT_OUT,
    AbsentTable,
    CategorySet,
    CategoryTable,
    mismatches,
)
from fairreport.report.profile_counts import CategoryCount, Measured
from fairreport.report.profile_table import ProfileRow, ProfileTable, widths_of

_PRINTED = 200
"""Categories of a table; it is one that has to hold them all, so that only an endless one is cut."""
_LISTED = 10
_LEFT_OUT = "left out"
_FEW = 0.02
"""A share below which the category with the highest rate is pointed out."""


def category_tables(chosen: ChosenPreset, sets: Sequence[CategorySet]) -> Iterator[ProfileTable]:
    """Yield all tables, numbered."""
    number = 0
    for found in sets:
        for table in found.tables:
            number += 1
            yield _printed(chosen, found.measured, table, number)


def _printed(chosen: ChosenPreset, measured: Measured, table: CategoryTable, number: int) -> ProfileTable:
    counted = table.counts
    kept = [_row(table, item, formats.fixed(table.ratio(item))) for item in table.kept[:_PRINTED]]
    rows = (*kept, *(_row(table, item, _LEFT_OUT) for item in table.left_out[: _PRINTED - len(kept)]))
    names = tuple(Name.of(column) for column in counted.columns)
    hits = "Selected" if not measured.is_score else f"Scored {_side(measured)} the median"
    rate = "Scoring rate" if measured.is_score else "Selection rate"
    headings = ("Applicants", hits, rate, "Impact ratio")
    further = len(counted.counts) - len(rows)
    more = f"{formats.plural(further, 'further category', 'further categories')} in the attachment groups.csv."
    return ProfileTable(
        number=f"12.{number}",
        anchor=f"profile-{number}",
        title=said(title_of(chosen, table.roles), ": ", *what_of(measured)),
        names=names,
        headings=headings,
        reading="",
        widths=widths_of(names, headings, rows, ""),
        rows=rows,
        more=more if further > 0 else "",
        notes=tuple(_notes(chosen, measured, table)),
    )


def title_of(chosen: ChosenPreset, roles: Sequence[RoleColumn]) -> str:
    """Return what the table of some columns is called."""
    if len(roles) > 1 and chosen.preset.together:
        return chosen.preset.together
    return " and ".join(role.key.called or role.key.key.replace("_", " ") for role in roles)


def what_of(measured: Measured) -> tuple[str | Name, ...]:
    """Return what is counted, as pieces of a sentence."""
    window = "" if measured.window is None else f", from {measured.window[0]} to before {measured.window[1]}"
    if measured.is_score:
        return (*joined([measured.column]), f" {_side(measured)} the median{window}")
    return (*joined([measured.column]), " = ", *joined(measured.favorable, " or "), window)


def _side(measured: Measured) -> str:
    return "above" if measured.is_above else "below"


def _row(table: CategoryTable, item: CategoryCount, ratio: str) -> ProfileRow:
    return ProfileRow(
        names=tuple(Name.of(level) for level in item.label),
        cells=(
            formats.count(item.n),
            formats.count(item.hits),
            formats.percent(item.hits / item.n),
            ratio,
        ),
        side="reference" if item == table.best else "",
    )


def _notes(chosen: ChosenPreset, measured: Measured, table: CategoryTable) -> Iterator[Sentence]:
    counted = table.counts
    yield said(
        "People of an unknown category, who stand in none of these figures: ", formats.count(counted.unknown), "."
    )
    if counted.undeclared:
        text = "People with a category that was not declared, who stand in none of them either: "
        yield said(text, formats.count(counted.undeclared), ".")
    if counted.median is not None:
        yield said(
            f"The median is {formats.fixed(counted.median)}, of the {formats.count(counted.n)} people in this table; "
            f"a score counts strictly {_side(measured)} it."
        )
    if table.best is not None and not table.best.hits:
        yield said("No category has a rate above 0, so that nothing can be divided by the highest.")
    if counted.is_summed:
        yield said("Counted by the test ", *joined([counted.test]), ", summed over its further columns.")
    if counted.merged:
        yield said(f"Under the names that were stated, {counted.merged:,} groups of the data count with others.")
    if table.left_out:
        share = formats.percent(chosen.profile.shares["leave_out_below"], against=())
        yield said(
            f"Left out of the impact ratios, each with less than {share} of {formats.count(counted.n)}: ",
            *_left_out(table),
            ". Reason: ",
            Name.prose(chosen.profile.texts.get(WHY_LEFT_OUT, "not stated")),
            "." if not chosen.profile.texts.get(WHY_LEFT_OUT, "").endswith(".") else "",
        )


def _left_out(table: CategoryTable) -> Iterator[str | Name]:
    for position, item in enumerate(table.left_out[:_PRINTED]):
        yield "; " if position else ""
        yield from joined(item.label)
        yield f" ({formats.count(item.n)} people, rate {formats.percent(item.hits / item.n)})"


def absent_sentences(chosen: ChosenPreset, sets: Sequence[CategorySet]) -> Iterator[Sentence]:
    """Yield one sentence for each table that cannot be made."""
    if not sets:
        yield said("No outcome or score test has counts, so that there are no tables by category.")
    for found in sets:
        for table in found.absent:
            yield said(
                f"{title_of(chosen, table.roles)}: no table of ", *what_of(found.measured), ", since ", *_why(table)
            )


def _why(table: AbsentTable) -> Iterator[str | Name]:
    unknown = [role for role in table.roles if role.column is None]
    if not unknown:
        yield "no test is by "
        yield from joined((role.column for role in table.roles if role.column is not None), " and ")
        yield " alone" if len(table.roles) == 1 else ""
        if table.lacking is not None:
            yield ", and the sums of "
            yield from joined([table.lacking.name])
            yield " would leave out rows that lack its further columns"
        yield "; add that test."
        return
    for position, role in enumerate(unknown):
        yield "; and " if position else ""
        if role.candidates:
            yield "it is not clear which column is meant: "
            yield from joined(role.candidates, " or ")
        else:
            yield f"no column of the tests is named {formats.listed(role.key.names[:2]).replace(' and ', ' or ')}"
        yield f"; state profile {role.key.key}"
    yield "."


def column_sentences(roles: Sequence[RoleColumn]) -> Iterator[Sentence]:
    """Yield which column plays which part, and who says so."""
    for role in roles:
        if role.column is not None:
            told = "taken for it by its name; nobody stated it" if role.is_guessed else "stated by the user"
            yield said(f"{role.key.called or role.key.key}: column ", *joined([role.column]), f", {told}.")


def warning_sentences(chosen: ChosenPreset, sets: Sequence[CategorySet], record: AuditRecord) -> Iterator[Sentence]:
    """Yield what does not fit together in the tables, or beside them."""
    for found in sets:
        of = said(" (", *what_of(found.measured), ")") if len(sets) > 1 else said()
        for table in found.tables:
            title = said(title_of(chosen, table.roles)) + of
            yield from (title + rest for rest in _beyond_best(table))
            yield from (title + rest for rest in _small_best(table))
        yield from _other_reference(found)
        yield from _misfits(chosen, found, of)
    names = {entry.name for found in sets for entry in found.tests}
    notes = {
        note.text: None
        for entry in record.tests
        if entry.name in names
        for note in entry.finding.notes
        if note.code == "level_may_mean_missing"
    }
    yield from (said(Name.prose(text)) for text in notes)


def _beyond_best(table: CategoryTable) -> Iterator[Sentence]:
    for item in table.left_out[:_LISTED]:
        ratio = table.ratio(item)
        if ratio is not None and ratio > 1:
            yield said(
                ": ",
                *joined(item.label),
                " is left out, and its rate is above the highest of those kept: a ratio of ",
                formats.fixed(ratio, against=[1]),
                ".",
            )


def _small_best(table: CategoryTable) -> Iterator[Sentence]:
    best = table.best
    if best is not None and best.n < _FEW * table.counts.n:
        yield said(
            ": the highest rate, which all others are held against, is that of ",
            *joined(best.label),
            f", with {formats.plural(best.n, 'person', 'people')} of {formats.count(table.counts.n)}.",
        )


def _other_reference(found: CategorySet) -> Iterator[Sentence]:
    """Say where a test shows ratios above 1: its reference has not the highest rate."""
    for entry in found.tests:
        rows = [row for row in entry.finding.groups if isinstance(row, OutcomeGroup | ScoreRow)]
        above = [row for row in rows if row.ratio is not None and row.ratio > 1]
        if above and entry.finding.reference is not None:
            yield said(
                "The test ",
                *joined([entry.name]),
                f" has {formats.plural(len(above), 'ratio', 'ratios')} above 1, since its reference ",
                *joined(entry.finding.reference),
                " has not the highest rate; the tables here are held against the highest.",
            )


def _misfits(chosen: ChosenPreset, found: CategorySet, of: Sentence) -> Iterator[Sentence]:
    for role, differing in mismatches(found):
        pieces: list[str | Name] = [
            title_of(chosen, [role]),
            *of.pieces,
            " do not add up to the table of both columns: ",
        ]
        for position, item in enumerate(differing[:_LISTED]):
            pieces += ["; " if position else "", *joined([item.category])]
            pieces.append(
                f" {formats.count(item.single.n)} there and {formats.count(item.summed.n)} over that table"
                if item.single.n != item.summed.n
                else f" {formats.count(item.single.hits)} favorable there, {formats.count(item.summed.hits)} over it"
            )
        more = len(differing) - _LISTED
        pieces.append(f"; and {more:,} more" if more > 0 else "")
        yield said(*pieces, ". ", _reason(found, role))


def _reason(found: CategorySet, role: RoleColumn) -> str:
    both = next(table for table in found.tables if len(table.roles) > 1)
    single = found.single(role)
    lacking = both.counts.unknown - (0 if single is None else single.counts.unknown)
    if lacking > 0:
        return f"People of whom only one column is known stand in one table and not in the other: {lacking:,}."
    return "The tables were not counted from the same people."
