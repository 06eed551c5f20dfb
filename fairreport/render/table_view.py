"""Tables of groups as views: cells ready to print, beside the raw numbers that a drawing needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from fairreport.render.phrases import Name, Names, Sentence
from fairreport.render.words import FindingWords, Kind, Side


class Align(StrEnum):
    """Where the cells of a column stand."""

    START = "start"
    END = "end"


class Terse(StrEnum):
    """When the plain text shows a column."""

    NEVER = "never"
    ALWAYS = "always"
    WITH_ROOM = "with_room"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    key : str
        What it holds, such as ``"rate"``.
    heading : str
        How it is headed.
    align : Align
        Where its cells stand.
    brief : bool
        Whether the notebook shows it; the packet shows all.
    terse : Terse
        Whether the plain text shows it.
    level : Name or None
        The data string that heads it, where `heading` is one; `heading` is its text.
    """

    key: str
    heading: str
    align: Align = Align.END
    brief: bool = True
    terse: Terse = Terse.NEVER
    level: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The raw numbers of one drawn row; None where undefined.

    Attributes
    ----------
    value, low, high : float or None
        What is drawn, and the ends of its interval.
    label : str
        The drawing in words.
    """

    value: float | None
    low: float | None
    high: float | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The line that the marks of a table stand on.

    Attributes
    ----------
    label : str
        What is drawn.
    low, high : float
        The ends; a mark past one of them is drawn at it, as an arrow.
    threshold : float or None
        Where the threshold line stands.
    threshold_text : str
        How the threshold prints.
    reference : float or None
        Where the comparison value stands.
    reference_text : str
        What it is the value of.
    """

    label: str
    low: float
    high: float
    threshold: float | None
    threshold_text: str
    reference: float | None
    reference_text: str = "reference"

    @property
    def heading(self) -> str:
        """Heading of a column of drawings, which says what the dashed line is."""
        return self.label if self.threshold is None else f"{self.label}, dashed at {self.threshold_text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One group of a table.

    Attributes
    ----------
    group : tuple of Name
        One name per attribute.
    cells : tuple of str
        One text per column of the table.
    finding : FindingWords
        What is found.
    figure : str
        The number that is drawn, in words.
    judged : str
        The number that the finding is about, in words; the same as `figure` where that one is judged.
    marks : Marks
        What is drawn.
    severity : float
        Sorts comparisons: the lower, the worse. Only of use where `is_comparison`.
    sentence : Sentence
        The row as one sentence with its numbers.
    reference : Name or None
        What it is held against, where the rows of a table are held against different groups.
    """

    group: tuple[Name, ...]
    cells: tuple[str, ...]
    finding: FindingWords
    figure: str
    judged: str
    marks: Marks
    severity: float
    sentence: Sentence
    reference: Name | None = None

    def apart(self, names: Names) -> Row:
        """Return the row with its names kept apart from others where they are shortened."""
        group = tuple(name.apart(names) for name in self.group)
        reference = self.reference and self.reference.apart(names)
        return replace(self, group=group, sentence=self.sentence.apart(names), reference=reference)

    @property
    def label(self) -> str:
        """The group as plain text."""
        return " / ".join(name.text for name in self.group)

    @property
    def summary(self) -> str:
        """What is drawn, what is judged, and what is found: the finding never stands beside another number."""
        numbers = self.figure if self.judged == self.figure else f"{self.figure}, {self.judged}"
        return f"{numbers}, {self.finding.shortest}"

    @property
    def is_comparison(self) -> bool:
        """Whether the group was judged against the reference."""
        return self.finding.side not in {Side.REFERENCE, Side.TOO_FEW}

    @property
    def is_reference(self) -> bool:
        """Whether others are compared with it."""
        return self.finding.kind is Kind.REFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Groups, worst first.

    Attributes
    ----------
    caption : Sentence
        What is shown.
    attributes : tuple of Name
        Heading of the first column, one name per attribute.
    columns : tuple of Column
        The columns between the group and the finding.
    rows : tuple of Row
        All groups.
    axis : Axis or None
        The line of the drawings; None where none is drawn.
    finding_heading : str
        Heading of the finding; it names what is judged where the table shows other numbers first.
    """

    caption: Sentence
    attributes: tuple[Name, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    axis: Axis | None
    finding_heading: str = "Finding"

    def apart(self, names: Names) -> Table:
        """Return the table with its names kept apart from others where they are shortened."""
        rows = tuple(row.apart(names) for row in self.rows)
        return replace(self, caption=self.caption.apart(names), rows=rows)

    def cell(self, row: Row, key: str) -> str:
        """Return one cell by the key of its column."""
        return row.cells[[column.key for column in self.columns].index(key)]

    def positions(self, *, brief: bool) -> tuple[int, ...]:
        """Return the positions of the columns to show."""
        return tuple(i for i, column in enumerate(self.columns) if column.brief or not brief)
