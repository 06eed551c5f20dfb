"""Views: results as words and numbers ready to print, beside the raw numbers that a drawing needs.

The notebook fragment, the text, the figures and the packet all print from these, so a number is the same
everywhere. Views know no HTML: whoever prints one escapes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fairreport.render import formats
from fairreport.render.words import FindingWords, Kind, Side, State


@dataclass(frozen=True, slots=True)
class Name:
    """A data string: hostile until escaped, free of control characters, set in `<bdi>` by whoever prints HTML.

    Attributes
    ----------
    text : str
        The string, its control characters made visible.
    """

    text: str

    @classmethod
    def of(cls, raw: str) -> Name:
        """Return the name that shows a data string."""
        return cls(formats.printable(raw))

    @property
    def short(self) -> str:
        """The string, shortened in the middle where it is long."""
        return formats.shortened(self.text)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of our own words and of data strings.

    Attributes
    ----------
    pieces : tuple of str and Name
        In order, white space included.
    """

    pieces: tuple[str | Name, ...]

    @property
    def text(self) -> str:
        """The sentence as plain text, names shortened."""
        return "".join(piece if isinstance(piece, str) else piece.short for piece in self.pieces)

    def __add__(self, other: Sentence) -> Sentence:
        return Sentence(self.pieces + other.pieces)


class Align(StrEnum):
    """Where the cells of a column stand."""

    START = "start"
    END = "end"


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
    """

    key: str
    heading: str
    align: Align = Align.END
    brief: bool = True


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
        Where the reference group stands.
    """

    label: str
    low: float
    high: float
    threshold: float | None
    threshold_text: str
    reference: float | None


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
    marks : Marks
        What is drawn.
    severity : float
        Sorts comparisons: the lower, the worse. Only of use where `is_comparison`.
    sentence : Sentence
        The row as one sentence with its numbers.
    """

    group: tuple[Name, ...]
    cells: tuple[str, ...]
    finding: FindingWords
    marks: Marks
    severity: float
    sentence: Sentence

    @property
    def label(self) -> str:
        """The group as plain text."""
        return " / ".join(name.text for name in self.group)

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
    """

    caption: Sentence
    attributes: tuple[Name, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    axis: Axis | None

    def cell(self, row: Row, key: str) -> str:
        """Return one cell by the key of its column."""
        return row.cells[[column.key for column in self.columns].index(key)]

    def positions(self, *, brief: bool) -> tuple[int, ...]:
        """Return the positions of the columns to show."""
        return tuple(i for i, column in enumerate(self.columns) if column.brief or not brief)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many groups are what: each group of a table in one of these."""

    below: int = 0
    inconclusive: int = 0
    meets: int = 0
    too_few: int = 0
    reference: int = 0
    not_tested: int = 0

    @property
    def compared(self) -> int:
        """Groups that were judged against a reference."""
        return self.below + self.inconclusive + self.meets + self.not_tested

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            below=self.below + other.below,
            inconclusive=self.inconclusive + other.inconclusive,
            meets=self.meets + other.meets,
            too_few=self.too_few + other.too_few,
            reference=self.reference + other.reference,
            not_tested=self.not_tested + other.not_tested,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A term and what is said about it, for lists of settings, methods and counts."""

    term: str
    text: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdLine:
    """A threshold held against its measurement; `state` is ``holds``, ``does not hold`` or ``cannot be held``."""

    measurement: str
    operator: str
    value: str
    actual: str
    state: str
    glyph: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A parameter with its value as written in Python, and its origin."""

    name: str
    value: Name
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionLine:
    """Something taken as given, with its consequence and the tests it touches."""

    number: int
    title: str
    text: str
    consequence: str
    tests: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestView:
    """One test.

    Attributes
    ----------
    name : Name
        The name of the test.
    analysis : str
        Which analysis it is, such as ``"outcome_disparity"``.
    state : State
        What it comes to.
    skip_code, skip_reason : str or None, Name or None
        Why it was skipped.
    headline : Sentence
        Its worst finding with its numbers, or why there is none.
    counts_sentence : Sentence or None
        How many groups are what.
    counts : Counts
        The same as numbers.
    table : Table or None
        All groups; None where the test was skipped.
    adjusted : Table or None
        The figures within the control columns; None without.
    thresholds : tuple of ThresholdLine
        What the status hangs on.
    thresholds_origin : str
        Where they come from, in words.
    measurements : tuple of (str, str)
        By their documented names.
    flow : tuple of Line
        From rows of the table to evaluated rows.
    notes, insights : tuple of Sentence
        What to know beside the numbers; up to five facts.
    method : tuple of Line
        How the numbers were made.
    settings : tuple of Setting
        All parameters.
    description, rationale : Name or None
        In the user's words.
    code : str
        The Python call that makes the test, as a method of an audit.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    name: Name
    analysis: str
    state: State
    skip_code: str | None
    skip_reason: Name | None
    headline: Sentence
    counts_sentence: Sentence | None
    counts: Counts
    table: Table | None
    adjusted: Table | None
    thresholds: tuple[ThresholdLine, ...]
    thresholds_origin: str
    measurements: tuple[tuple[str, str], ...]
    flow: tuple[Line, ...]
    notes: tuple[Sentence, ...]
    insights: tuple[Sentence, ...]
    method: tuple[Line, ...]
    settings: tuple[Setting, ...]
    description: Name | None
    rationale: Name | None
    code: str

    @property
    def is_skipped(self) -> bool:
        """Whether nothing was computed."""
        return self.skip_reason is not None

    @property
    def comparisons(self) -> tuple[Row, ...]:
        """The judged groups, worst first."""
        rows = self.table.rows if self.table else ()
        return tuple(sorted((row for row in rows if row.is_comparison), key=lambda row: row.severity))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A whole audit.

    Attributes
    ----------
    title : Name
        What the audit is called.
    audited : Sentence
        What was audited.
    created : str or None
        The date it bears.
    about : tuple of Line
        What the user stated about it; "not stated" elsewhere.
    fingerprint, fingerprint_short : str
        Of the data.
    state : State
        What it comes to.
    headline : Sentence
        The worst finding of all tests with its numbers.
    counts_sentence : Sentence
        How many comparisons are what.
    counts : Counts
        The same as numbers, over all tests.
    tests : tuple of TestView
        In the order of the audit.
    insights : tuple of Sentence
        Up to five facts of the run.
    assumptions : tuple of AssumptionLine
        Numbered.
    data : tuple of Line
        What was read.
    code : str
        Python that reproduces the audit, given the data.
    """

    title: Name
    audited: Sentence
    created: str | None
    about: tuple[Line, ...]
    fingerprint: str
    fingerprint_short: str
    state: State
    headline: Sentence
    counts_sentence: Sentence
    counts: Counts
    tests: tuple[TestView, ...]
    insights: tuple[Sentence, ...]
    assumptions: tuple[AssumptionLine, ...]
    data: tuple[Line, ...]
    code: str

    @property
    def worst_first(self) -> tuple[TestView, ...]:
        """The tests: failing ones first, each kind by its worst comparison, skipped ones last."""
        return tuple(sorted(self.tests, key=_gravity))

    @property
    def skipped(self) -> tuple[TestView, ...]:
        """The tests that were not computed."""
        return tuple(test for test in self.tests if test.is_skipped)

    def worst_comparisons(self) -> Iterator[tuple[TestView, Row]]:
        """Yield the judged groups of all tests, worst first, each with its test."""
        pairs = [(test, row) for test in self.tests for row in test.comparisons]
        yield from sorted(pairs, key=lambda pair: pair[1].severity)


def _gravity(test: TestView) -> tuple[bool, bool, float]:
    worst = test.comparisons
    return (test.is_skipped, test.state.key != "failing", worst[0].severity if worst else 0.0)
