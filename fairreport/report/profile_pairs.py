"""Tables of ratios of rates and of standardized differences of means, as the tests of section 5 print them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairreport.render.pair_view import PairTestView
from fairreport.render.record_lines import joined, said
from fairreport.render.views import EntryView, Name, Row, RunView, Sentence, Table, TestView
from fairreport.report.printed_table import PRINTED_ROWS, further_groups
from fairreport.report.profile_table import ProfileRow, ProfileTable, widths_of

RATIO_TESTS = ("adverse_impact_ratio", "outcome_disparity", "score_disparity")
MEAN_TESTS = ("standardized_mean_difference", "residual_standardized_mean_difference", "score_disparity")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What of a test is shown: its kind, what it shows, keys of its columns and headings other than their own."""

    analysis: str
    what: str
    columns: tuple[tuple[str, str], ...]


_RATE = "Ratio of rates"
_MEAN = "Standardized difference of means"
_SHAPES = (
    _Shape(
        analysis="adverse_impact_ratio",
        what=_RATE,
        columns=(
            ("counted", "Favorable of n"),
            ("rate", "Rate"),
            ("figure", "AIR"),
            ("interval", "Interval"),
            ("p", ""),
        ),
    ),
    _Shape(
        analysis="outcome_disparity",
        what=_RATE,
        columns=(
            ("favorable", "Favorable"),
            ("n", "n"),
            ("rate", "Rate"),
            ("ratio", "AIR"),
            ("ratio_interval", "Interval"),
            ("adjusted_p", ""),
        ),
    ),
    _Shape(
        analysis="standardized_mean_difference",
        what=_MEAN,
        columns=(("n", "n"), ("mean", "Mean"), ("figure", "SMD"), ("p", "")),
    ),
    _Shape(
        analysis="residual_standardized_mean_difference",
        what=_MEAN,
        columns=(("n", "n"), ("mean", "Mean residual"), ("figure", "SMD"), ("p", "")),
    ),
    _Shape(
        analysis="score_disparity",
        what=_MEAN,
        columns=(
            ("n", "n"),
            ("mean", "Mean"),
            ("mean_difference", "Difference"),
            ("standardized_mean_difference", "SMD"),
        ),
    ),
)


def pair_tables(run: RunView, numbers: Mapping[str, str]) -> Iterator[ProfileTable]:
    """Yield a table for each test that compares rates as ratios, or means as standardized differences."""
    number = 0
    for shape in _SHAPES:
        for entry in run.entries:
            table = _table_of(entry, shape.analysis)
            if table is not None:
                number += 1
                yield _printed(shape, entry, table, number, numbers)


def absent_kinds(run: RunView) -> Iterator[Sentence]:
    """Yield one sentence for ratios and one for means, where no test has any."""
    made = {shape.what for shape in _SHAPES for entry in run.entries if _table_of(entry, shape.analysis) is not None}
    if _RATE not in made:
        yield said("No table of ratios: no adverse impact ratio and no outcome test was computed.")
    if _MEAN not in made:
        yield said("No table of standardized differences: no test of means or of scores was computed.")


def _table_of(entry: EntryView, analysis: str) -> Table | None:
    if entry.analysis != analysis or entry.is_skipped:
        return None
    if isinstance(entry, PairTestView):
        return entry.tables[0].table if entry.tables else None
    return entry.table if isinstance(entry, TestView) else None


def _printed(shape: _Shape, entry: EntryView, table: Table, number: int, numbers: Mapping[str, str]) -> ProfileTable:
    keys = [column.key for column in table.columns]
    shown = [
        (keys.index(key), heading or table.columns[keys.index(key)].heading)
        for key, heading in shape.columns
        if key in keys
    ]
    has_reference = any(row.reference for row in table.rows)
    kept = _kept(table.rows)
    rows = tuple(_row(row, [place for place, _ in shown], has_reference=has_reference) for row in kept)
    heading = Name.of(" / ".join(name.text for name in table.attributes))
    names = (heading, Name.of("Reference")) if has_reference else (heading,)
    headings = tuple(text for _, text in shown)
    return ProfileTable(
        number=f"12.{number}",
        anchor=f"profile-{number}",
        title=said(f"{shape.what}: ", entry.name, f", test {numbers[entry.name.text]}"),
        names=names,
        headings=headings,
        reading="Finding",
        widths=widths_of(names, headings, rows, "Finding"),
        rows=rows,
        more=further_groups(len(table.rows) - len(kept)),
        notes=_notes(entry),
    )


def _kept(rows: Sequence[Row]) -> tuple[Row, ...]:
    kept = list(rows[:PRINTED_ROWS])
    reference = next((row for row in rows if row.is_reference), None)
    if reference is not None and reference not in kept:
        kept[-1] = reference
    return tuple(kept)


def _row(row: Row, places: Sequence[int], *, has_reference: bool) -> ProfileRow:
    name = Name.of(row.label)
    beside = row.reference or Name.of("—")
    return ProfileRow(
        names=(name, beside) if has_reference else (name,),
        cells=tuple(row.cells[place] for place in places),
        reading=row.finding.text,
        side=row.finding.side.value,
    )


def _notes(entry: EntryView) -> tuple[Sentence, ...]:
    if entry.analysis == "score_disparity":
        return (said("The finding is of scoring rates, as in the table of the test."),)
    if isinstance(entry, PairTestView) and entry.reference is not None:
        return (said("Held against ", *joined([entry.reference.text]), "."),)
    return ()
