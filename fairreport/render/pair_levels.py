"""All quantiles, categories or segments of a test at once: side by side, and the worst comparisons of all."""

from __future__ import annotations

from dataclasses import replace
from heapq import nsmallest

from fairreport.analyses.pair_result import PairTable, Row
from fairreport.render import formats
from fairreport.render.pair_kinds import number
from fairreport.render.pair_tables import MOST_LEVELS, MOST_LISTED, Level, PairPrinter, leveled
from fairreport.render.pair_view import gravity
from fairreport.render.pair_words import GRAVEST, severity_of
from fairreport.render.phrases import Name
from fairreport.render.record_lines import said
from fairreport.render.table_view import Column, Table, Terse
from fairreport.render.table_view import Row as ShownRow

_FEW = 5
"""So many columns fit a line of text."""

Cell = tuple[Level, Row, ShownRow]


def overview(printer: PairPrinter) -> Table | None:
    """Return levels beside pairs, the more numerous of them in rows; None for segments."""
    levels = list(leveled(printer.finding))
    if not levels or levels[0][1].segment is not None:
        return None
    by_pair = [
        [(level, row, printer.row(row, (), where=level.where)) for level, row in _at(levels, position)]
        for position, row in enumerate(levels[0][1].rows)
        if not row.is_reference
    ]
    what = "quantile" if levels[0][1].quantile is not None else "category"
    of = (
        "scores at or beyond each quantile of all scores taken for favorable"
        if what == "quantile"
        else "each category or better taken for favorable, best first"
    )
    held = (", reference ", Name.of(printer.references[0])) if len(printer.references) == 1 else ()
    build = _levels_by_pairs if len(levels) > len(by_pair) else _pairs_by_levels
    table, rest = build(printer, by_pair)
    more = f"; {formats.count(rest)} more in the list of all comparisons" if rest else ""
    return replace(table, caption=said(f"AIR by {what}: {of}", *held, more))


def _at(levels: list[tuple[Level, PairTable]], position: int) -> list[tuple[Level, Row]]:
    return [(level, table.rows[position]) for level, table in levels]


def _pairs_by_levels(printer: PairPrinter, by_pair: list[list[Cell]]) -> tuple[Table, int]:
    """Return a row a pair, worst first, and how many levels are not shown."""
    levels = [level for level, _, _ in by_pair[0]]
    n = min(len(levels), MOST_LEVELS)
    columns = tuple(_level_column(level, i, n) for i, level in enumerate(levels[:n]))
    rows = tuple(sorted((_row(printer, cells, n) for cells in by_pair), key=gravity))
    return _table(printer.attributes, columns, rows), len(levels) - n


def _levels_by_pairs(printer: PairPrinter, by_pair: list[list[Cell]]) -> tuple[Table, int]:
    """Return a row a level, in order, and how many pairs are not shown."""
    worst = sorted(by_pair, key=lambda cells: min(gravity(shown) for _, _, shown in cells))
    n = min(len(by_pair), MOST_LEVELS)
    kept = [cells for cells in by_pair if any(cells is it for it in worst[:n])]
    has_cutoff = any(level.cell for level, _, _ in by_pair[0])
    columns = [Column(key="cutoff", heading="Cutoff", terse=Terse.ALWAYS)] if has_cutoff else []
    for position, cells in enumerate(kept):
        name = Name.of(" / ".join(name.text for name in cells[0][2].group))
        terse = Terse.ALWAYS if n <= _FEW or position in {0, n - 1} else Terse.NEVER
        columns.append(Column(key=f"pair_{position}", heading=name.short, level=name, terse=terse))
    rows = []
    for position, (level, _, _) in enumerate(by_pair[0]):
        row = _row(printer, [cells[position] for cells in kept], n)
        front = (level.cell,) if has_cutoff else ()
        rows.append(replace(row, group=(level.name,), cells=(*front, *row.cells), reference=None))
    what = Name("Category or better" if by_pair[0][0][0].is_data else "Quantile")
    return _table((what,), tuple(columns), tuple(rows)), len(by_pair) - n


def _table(attributes: tuple[Name, ...], columns: tuple[Column, ...], rows: tuple[ShownRow, ...]) -> Table:
    return Table(
        caption=said(""),
        attributes=attributes,
        columns=columns,
        rows=rows,
        axis=None,
        finding_heading="Worst finding",
    )


def _level_column(level: Level, position: int, n: int) -> Column:
    terse = Terse.ALWAYS if n <= _FEW or position in {0, n - 1} else Terse.NEVER
    if level.is_data:
        return Column(key=f"level_{position}", heading=level.name.short, level=level.name, terse=terse)
    return Column(key=f"level_{position}", heading=f"{level.name.text}, cutoff {level.cell}", terse=terse)


def _row(printer: PairPrinter, cells: list[Cell], n: int) -> ShownRow:
    """Return several comparisons side by side, with the finding of the worst one."""
    _, _, worst = min(cells, key=lambda item: gravity(item[2]))
    texts = [f"{shown.finding.glyph} {printer.printing.figure(printer.judged(row)[0])}" for _, row, shown in cells[:n]]
    return replace(worst, cells=tuple(texts))


def listed(printer: PairPrinter) -> tuple[Table | None, int]:
    """Return the worst comparisons of all levels, and how many comparisons there are; None without levels."""
    levels = list(leveled(printer.finding))
    pairs = [(level, table, row) for level, table in levels for row in table.rows if not row.is_reference]
    if not pairs:
        return None, 0
    chosen = nsmallest(MOST_LISTED, pairs, key=lambda item: _row_gravity(printer, item[2]))
    names = {"quantile": "Quantile", "category": "Category or better", "segment": "Segment"}
    what = next(key for key in names if getattr(levels[0][1], key) is not None)
    own = (
        replace(c, brief=False) if c.key == "difference" else c
        for c in printer.columns
        if c.key not in {"rate", "rate_interval"}
    )
    columns = (*_rate_columns(), *own)
    rows = tuple(
        printer.row(row, _cells(printer, table, row), before=(level.name,), where=level.where)
        for level, table, row in chosen
    )
    table = Table(
        caption=printer.caption(f"All comparisons by {names[what].lower()}, worst first"),
        attributes=(Name(names[what]), *printer.attributes),
        columns=columns,
        rows=rows,
        axis=printer.axis,
    )
    return table, len(pairs)


def _row_gravity(printer: PairPrinter, row: Row) -> tuple[int, float]:
    value, _ = printer.judged(row)
    return GRAVEST.index(printer.words(row).kind), severity_of(value, printer.bars)


def _rate_columns() -> tuple[Column, ...]:
    return (
        Column(key="reference_rate", heading="Reference rate"),
        Column(key="own_rate", heading="Rate", terse=Terse.WITH_ROOM),
    )


def _cells(printer: PairPrinter, table: PairTable, row: Row) -> tuple[str, ...]:
    reference = next(
        it
        for it in table.rows
        if it.is_reference and (it.group, it.group_category) == (row.reference_group, row.group_category)
    )
    rates = (number(getattr(reference, "rate", None)), number(getattr(row, "rate", None)))
    own = zip(printer.columns, printer.cells(row), strict=True)
    return (*rates, *(text for column, text in own if column.key not in {"rate", "rate_interval"}))
