"""Named pairs as tables: each reference with its groups, the worst of all levels, and all levels at a glance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fairreport.analyses.pair_parameters import PairTest
from fairreport.analyses.pair_result import PairFinding, PairTable, PooledRow, Row
from fairreport.analyses.parameters import PValueAdjustment
from fairreport.analyses.result import Span
from fairreport.render import formats
from fairreport.render.pair_beside import BesideColumns, beside_columns
from fairreport.render.pair_kinds import PairKind, Printing, ends, kind_of, printing_of
from fairreport.render.pair_view import gravity
from fairreport.render.pair_words import GRAVEST, Bars, bars_of, severity_of, words_of
from fairreport.render.phrases import Name, Sentence
from fairreport.render.record_lines import said
from fairreport.render.table_view import Axis, Column, Marks, Table
from fairreport.render.table_view import Row as ShownRow
from fairreport.render.words import FindingWords

MOST_LISTED = 60
"""So many comparisons of all levels are listed at most, the worst ones; the record holds all."""
MOST_LEVELS = 8
"""So many levels stand side by side at most."""
_LARGEST_DRAWN, _WIDE_ENOUGH = 3.0, 1.6


class PairPrinter:
    """The rows of one test of named pairs as they print.

    Parameters
    ----------
    test : PairTest
        The test.
    finding : PairFinding
        What it found.
    """

    def __init__(self, test: PairTest, finding: PairFinding) -> None:
        self.test = test
        self.finding = finding
        self.bars = bars_of(test)
        adjusted = test.p_value_adjustment is not PValueAdjustment.NONE  # of segments p-values always are
        self.pooled_bars = replace(self.bars, is_adjusted=adjusted)
        self.kind: PairKind[Any] = kind_of(finding, self.bars)
        self.printing: Printing = printing_of(finding, self.bars)
        self._made: dict[int, ShownRow] = {}
        rows = [*self._rows, *finding.pooled]
        self.categories = tuple(dict.fromkeys(row.group_category for row in rows))
        self.references = tuple(dict.fromkeys(row.reference_group for row in rows if row.reference_group is not None))
        self.level = formats.level(test.confidence_level)

    @property
    def _rows(self) -> list[Row]:
        return [row for table in self.finding.tables for row in table.rows]

    @property
    def has_levels(self) -> bool:
        """Whether there are quantiles, categories or segments."""
        return self.finding.rows.missing_segment is not None or any(
            table.quantile is not None or table.category is not None for table in self.finding.tables
        )

    @cached_property
    def attributes(self) -> tuple[Name, ...]:
        """What heads the column of groups: the category, where there is one only."""
        if len(self.categories) == 1:
            return (Name.of(self.categories[0]),)
        return (Name("Category"), Name("Group"))

    def names(self, row: Row | PooledRow) -> tuple[Name, ...]:
        """Return the names of a row: its group, with the category in front where there are several."""
        group = Name.of(row.group)
        return (group,) if len(self.categories) == 1 else (Name.of(row.group_category), group)

    def reference(self, row: Row | PooledRow) -> Name | None:
        """Return what a row is held against, where the table must say it row by row."""
        if len(self.references) == 1 or row.reference_group is None:
            return None
        return Name.of(row.reference_group)

    def said_name(self, row: Row | PooledRow) -> tuple[str | Name, ...]:
        """Return the names of a row as pieces of a sentence."""
        first, *rest = self.names(row)
        return first, *(piece for name in rest for piece in (" / ", name))

    def words(self, row: Row | PooledRow) -> FindingWords:
        """Return what is found about a row."""
        value, span = self.judged(row)
        gap = row.rate_difference if isinstance(row, PooledRow) else self.kind.gap(row)
        return words_of(row, self.held(row), value, span, gap)

    def held(self, row: Row | PooledRow) -> Bars:
        """Return what a row is held against."""
        return self.pooled_bars if isinstance(row, PooledRow) else self.bars

    def judged(self, row: Row | PooledRow) -> tuple[float | None, Span]:
        """Return the figure of a row that is judged, and its interval."""
        return (row.air, row.air_interval) if isinstance(row, PooledRow) else self.kind.judged(row)

    def interval(self, span: Span) -> str:
        """Return the interval of the figure that is judged."""
        return ends(span, against=(*self.printing.marks, self.kind.even), signed=not self.kind.even)

    def figure(self, row: Row | PooledRow) -> str:
        """Return the figure that is judged, in words."""
        if not isinstance(row, PooledRow) and row.is_reference:
            return "reference"
        return f"{self.kind.noun} {self.printing.figure(self.judged(row)[0])}"

    def marks(self, row: Row | PooledRow) -> Marks:
        """Return what is drawn of a row."""
        if not isinstance(row, PooledRow) and row.is_reference:
            return Marks(value=self.kind.even, low=None, high=None, label="reference")
        value, span = self.judged(row)
        around = "" if self.interval(span) == formats.ABSENT else f" ({self.interval(span).replace('–', ' to ')})"
        bar = f", threshold {self.bars.bar_text}" if self.bars.bar_text else ""
        return Marks(value=value, low=span.low, high=span.high, label=f"{self.figure(row)}{around}{bar}")

    def sentence(self, row: Row | PooledRow, where: Sequence[str | Name] = ()) -> Sentence:
        """Return a row as one sentence with its numbers; `where` says of which level it is."""
        if not isinstance(row, PooledRow) and row.is_reference:
            return said(*where, *self.said_name(row), f": {self.kind.told(self.printing, row)}; the reference.")
        parts = [] if isinstance(row, PooledRow) else [self.kind.told(self.printing, row)]
        interval = self.interval(self.judged(row)[1])
        if interval != formats.ABSENT:
            parts.insert(0, f"{self.level} interval {interval}")
        gap = row.rate_difference if isinstance(row, PooledRow) else self.kind.gap(row)
        if gap is not None and not self.bars.of_difference:
            parts.append(f"difference {self.printing.gap(gap)}")
        if row.adjusted_p is not None:
            parts.append(f"{'adjusted ' if self.held(row).is_adjusted else ''}p {self.printing.p(row)}")
        reference = Name.of(row.reference_group or "")
        start = f": {self.figure(row)} against "
        told = f" ({'; '.join(parts)})" if parts else ""
        return said(*where, *self.said_name(row), start, reference, f"{told}: {self.words(row).word}.")

    def row(
        self,
        row: Row | PooledRow,
        cells: tuple[str, ...],
        *,
        before: tuple[Name, ...] = (),
        where: Sequence[str | Name] = (),
    ) -> ShownRow:
        """Return a row of a table.

        Parameters
        ----------
        row : Row or PooledRow
            What it shows.
        cells : tuple of str
            Its cells.
        before : tuple of Name
            Names in front of its own.
        where : sequence of str and Name
            Of which level it is, as a sentence begins.
        """
        made = self._made.get(id(row))
        if made is None:
            made = self._made[id(row)] = self._row(row, where)
        return replace(made, cells=cells, group=(*before, *made.group))

    def _row(self, row: Row | PooledRow, where: Sequence[str | Name]) -> ShownRow:
        value, _ = self.judged(row)
        return ShownRow(
            group=self.names(row),
            cells=(),
            finding=self.words(row),
            figure=self.figure(row),
            judged=self.figure(row),
            marks=self.marks(row),
            severity=severity_of(value, self.bars),
            sentence=self.sentence(row, where),
            reference=self.reference(row),
        )

    @cached_property
    def axis(self) -> Axis:
        """The line that all rows of the test are drawn on."""
        even, bar = self.kind.even, self.bars.bar
        fixed = [even] if bar is None else [even, bar]
        compared = [*self.finding.pooled, *(row for row in self._rows if not row.is_reference)]
        judged = [self.judged(row) for row in compared]
        values = [value for value, _ in judged if value is not None]
        found = [*fixed, *values, *(end for _, span in judged for end in (span.low, span.high) if end is not None)]
        low, high = min(found), max(found)
        if even:  # a ratio: wide intervals run on as arrows
            most = max(_WIDE_ENOUGH, 1.25 * max(fixed), min(1.1 * max(values, default=1.0), _LARGEST_DRAWN))
            high = min(high, most)
        room = max(0.06 * (high - low), 0.01)
        return Axis(
            label=self.kind.axis,
            low=max(0.0, low - room) if even else low - room,
            high=high + room,
            threshold=bar,
            threshold_text=self.bars.bar_text,
            reference=even,
        )

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of a table, the p-value headed by what it is."""
        heading = "Adjusted p" if self.bars.is_adjusted else "p"
        return tuple(replace(c, heading=heading) if c.key == "p" else c for c in self.kind.columns)

    def cells(self, row: Row) -> tuple[str, ...]:
        """Return the cells of a row."""
        found = self.kind.cells(self.printing, row)
        return tuple(found[column.key] for column in self.columns)

    def caption(self, *start: str | Name) -> Sentence:
        """Return the caption of a table; `start` says what it shows."""
        held = (", reference ", Name.of(self.references[0])) if len(self.references) == 1 else ()
        levels = f"; {self.level} intervals" if any(c.key.endswith("interval") for c in self.columns) else ""
        return said(*start, *held, f"{levels}; difference: {self.kind.difference}")

    def table(self, table: PairTable, caption: Sentence, where: Sequence[str | Name] = ()) -> Table:
        """Return one table: each reference with its groups under it, the blocks and the groups worst first."""
        rows = [row for block in sorted(self._blocks(table, where), key=_block_gravity) for row in block]
        return Table(
            caption=caption, attributes=self.attributes, columns=self.columns, rows=tuple(rows), axis=self.axis
        )

    def _blocks(self, table: PairTable, where: Sequence[str | Name]) -> Iterator[list[ShownRow]]:
        block: list[ShownRow] = []
        for row in table.rows:
            if row.is_reference and block:
                yield _worst_first(block)
                block = []
            block.append(self.row(row, self.cells(row), where=where))
        if block:
            yield _worst_first(block)

    def beside(self, table: PairTable) -> tuple[Table, ...]:
        """Return what stands beside the figures of a table, its comparisons worst first."""
        compared = [row for row in table.rows if not row.is_reference]
        found = []
        for part in self._beside_columns:
            rows = sorted((self.row(row, part.cells(row, self.bars.alpha)) for row in compared), key=gravity)
            shown = Table(
                caption=said(part.caption),
                attributes=self.attributes,
                columns=part.columns,
                rows=tuple(rows),
                axis=None,
            )
            found.append(without_empty_columns(shown))
        return tuple(shown for shown in found if shown.rows and shown.columns)

    @cached_property
    def _beside_columns(self) -> tuple[BesideColumns, ...]:
        return beside_columns(self.finding)


def without_empty_columns(table: Table) -> Table:
    """Return a table without the columns that say nothing of any row; why not is told elsewhere."""
    n = len(table.columns)
    used = [i for i in range(n) if any(row.cells[i] != formats.ABSENT for row in table.rows)]
    if len(used) == n:
        return table
    rows = tuple(replace(row, cells=tuple(row.cells[i] for i in used)) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in used), rows=rows)


def _worst_first(block: list[ShownRow]) -> list[ShownRow]:
    """Return the rows of one reference: itself, then its groups, worst first."""
    return [row for row in block if row.is_reference] + sorted(
        (row for row in block if not row.is_reference), key=gravity
    )


def _block_gravity(block: list[ShownRow]) -> tuple[int, float]:
    return min((gravity(row) for row in block if not row.is_reference), default=(len(GRAVEST), 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A quantile, a category or a segment.

    Attributes
    ----------
    name : Name
        What it is called.
    where : tuple of str and Name
        How a sentence about one of its rows begins.
    title : Sentence
        What its table shows.
    is_data : bool
        Whether its name is a data string.
    cell : str
        What it says beside its name, such as the cutoff.
    """

    name: Name
    where: tuple[str | Name, ...]
    title: Sentence
    is_data: bool
    cell: str = ""


def level_of(table: PairTable) -> Level | None:
    """Return the level of a table; None for the only one."""
    if table.quantile is not None:
        quantile = formats.threshold(table.quantile)
        cutoff = formats.ABSENT if table.cutoff is None else formats.measured(table.cutoff)
        text = f"Quantile {quantile}, cutoff {cutoff}"
        return Level(name=Name(quantile), where=(f"{text}, ",), title=said(text), is_data=False, cell=cutoff)
    if table.category is not None:
        name = Name.of(table.category)
        return Level(name=name, where=(name, " or better, "), title=said(name, " or better"), is_data=True)
    if table.segment is not None:
        name = Name.of(table.segment)
        return Level(name=name, where=("Segment ", name, ", "), title=said("Segment ", name), is_data=True)
    return None


def leveled(finding: PairFinding) -> Iterable[tuple[Level, PairTable]]:
    """Return the levels of a finding with their tables; none where there is one table only."""
    found = ((level_of(table), table) for table in finding.tables)
    return [(level, table) for level, table in found if level is not None]
