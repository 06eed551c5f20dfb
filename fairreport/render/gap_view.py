"""The view of a test of rate gaps: its rules, the worst pair or group of each, and calibration by group."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fairreport.render import formats
from fairreport.render.gap_tables import RuleTables
from fairreport.render.phrases import Line, Name, Sentence, Setting
from fairreport.render.table_view import Axis, Row, Table
from fairreport.render.words import State

MOST_TOO_FEW = 5
"""Up to so many groups with too few cases are told one by one; how many there are of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """One rule.

    Attributes
    ----------
    id : Name
        The name of the rule.
    state : State
        What it reads, such as ``FAIL``, in the glyph and under the key of the status that it comes to.
    reason : Sentence
        Why, in a few words; the user's own where a person is asked for.
    rate : str
        The rate it is about, such as ``"false negative rate"``.
    attributes : tuple of Name
        Of which attributes.
    asked : Sentence
        Rate, attributes and bar in words.
    bar, bar_text : str
        The bar with its side, such as ``"gap ≤ 0.05"``, and by itself.
    is_gap : bool
        Whether the rule is about gaps between pairs of groups; else it is about the worst group.
    worst : Row
        The pair or the group that decides: its names, what it comes to, and what is drawn.
    observed, bounds : str
        Its observed gap or rate, and the bounds that are held against the bar.
    sentence : Sentence
        What the rule reads and by which numbers, in one sentence.
    too_few : tuple of Sentence
        A line for each group that rests on too few cases.
    left_out, placed : Sentence or None
        Cases left out, by reason, and where they could bring what decides; None where none were.
    more : Sentence or None
        How many more cases would decide; None where the rule is decided.
    review : Sentence or None
        That the rule asks for a person where its figures pass, and why, unless it reads so already.
    unlisted : Sentence or None
        How many pairs its document leaves out; None where it lists all.
    tables : RuleTables
        Its groups and pairs, and the line of the drawing, made when asked for.
    n_groups, n_pairs : int
        How many there are; the tables hold the worst `gap_tables.MOST_ROWS` at most.
    insight : Sentence or None
        A fact with its numbers.
    severity : float
        Sorts rules of one state: the lower, the worse.
    """

    id: Name
    state: State
    reason: Sentence
    rate: str
    attributes: tuple[Name, ...]
    asked: Sentence
    bar: str
    bar_text: str
    is_gap: bool
    worst: Row
    observed: str
    bounds: str
    sentence: Sentence
    too_few: tuple[Sentence, ...]
    left_out: Sentence | None
    placed: Sentence | None
    more: Sentence | None
    review: Sentence | None
    unlisted: Sentence | None
    tables: RuleTables = field(repr=False, compare=False)
    n_groups: int
    n_pairs: int
    insight: Sentence | None
    severity: float

    @property
    def axis(self) -> Axis:
        """The line that `worst` is drawn on; all rules of a kind in a test have the same ends."""
        return self.tables.axis

    @property
    def groups(self) -> Table:
        """Groups with their counts, rate and interval, worst first."""
        return self.tables.groups

    @property
    def pairs(self) -> Table | None:
        """Pairs with their bounds, widest first; None where the rule is about the worst group."""
        return self.tables.pairs

    @property
    def deciding(self) -> Table:
        """The rows that the rule is decided by: its pairs, or its groups."""
        return self.pairs or self.groups

    @property
    def n_deciding(self) -> int:
        """How many rows decide, those that the table does not hold included."""
        return self.n_pairs if self.is_gap else self.n_groups

    def cut(self, rows: int) -> RuleView:
        """Return the rule with at most so many rows of what decides it, the worst ones; the counts stay."""
        return replace(self, tables=self.tables.cut(rows))

    @property
    def remarks(self) -> tuple[Sentence, ...]:
        """What stands beside the verdict: few cases, cases left out, more that would decide, reviews, more pairs."""
        rest = (self.left_out, self.placed, self.more, self.review, self.unlisted)
        return (*self.too_few, *(item for item in rest if item is not None))

    @property
    def gathered_remarks(self) -> tuple[Sentence, ...]:
        """The remarks, many groups with too few cases in one, so that they bury nothing that matters more."""
        if len(self.too_few) <= MOST_TOO_FEW:
            return self.remarks
        few = f"too few cases in {formats.count(len(self.too_few))} of {formats.count(self.n_groups)} groups"
        return Sentence((few,)), *self.remarks[len(self.too_few) :]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow:
    """Calibration of one group: the cells are cases, cases without a probability, error, and both noise floors."""

    group: Name
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationView:
    """Calibration by group, which decides no rule.

    Attributes
    ----------
    caption : Sentence
        What is shown, and that it decides nothing.
    headings : tuple of str
        Headings of the cells.
    rows : tuple of CalibrationRow
        All groups, in the order they were declared.
    """

    caption: Sentence
    headings: tuple[str, ...]
    rows: tuple[CalibrationRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of the call that makes a test, which may be long.

    Attributes
    ----------
    name : str
        The parameter, an attribute of the test in the record.
    text : str
        Its value in Python.
    size : str
        How much it holds, such as ``"1,000 rules"``.
    """

    name: str
    text: str
    size: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GapTestView:
    """One test of rate gaps; fields of the same name mean the same as those of `TestView`.

    Attributes
    ----------
    rules : tuple of RuleView
        In the order of the test; none where it was skipped.
    caption : Sentence
        What the table of rules shows.
    drawn : str
        How the bounds are drawn beside it, in words; empty where it was skipped.
    rule_counts : tuple of (str, int)
        How many rules read what, states that occur only.
    calibration : CalibrationView or None
        None without a probability column, and where the test was skipped.
    cannot_tell : tuple of str
        What the answer cannot tell.
    call : tuple of str and Argument
        The Python call that makes it, in pieces.
    """

    name: Name
    analysis: str
    state: State
    skip_code: str | None
    skip_reason: Name | None
    headline: Sentence
    counts_sentence: Sentence | None
    rule_counts: tuple[tuple[str, int], ...]
    rules: tuple[RuleView, ...]
    caption: Sentence
    drawn: str
    calibration: CalibrationView | None
    measurements: tuple[tuple[str, str], ...]
    bars_origin: str
    flow: tuple[Line, ...]
    notes: tuple[Sentence, ...]
    insights: tuple[Sentence, ...]
    method: tuple[Line, ...]
    settings: tuple[Setting, ...]
    cannot_tell: tuple[str, ...]
    description: Name | None
    rationale: Name | None
    call: tuple[str | Argument, ...]

    @property
    def code(self) -> str:
        """The Python call that makes it, in full."""
        return "".join(piece if isinstance(piece, str) else piece.text for piece in self.call)

    @property
    def is_skipped(self) -> bool:
        """Whether nothing was computed."""
        return self.skip_reason is not None

    @property
    def remarks(self) -> tuple[tuple[RuleView, Sentence], ...]:
        """What stands beside the verdicts, each with its rule, gravest first."""
        return tuple((rule, remark) for rule in self.worst_first for remark in rule.gathered_remarks)

    @property
    def worst_first(self) -> tuple[RuleView, ...]:
        """The rules, gravest first."""
        return tuple(sorted(self.rules, key=lambda rule: (GRAVITY[rule.state.key], rule.severity)))


GRAVITY = {"failing": 0, "manual_review": 1, "insufficient_evidence": 2, "skipped": 3, "passing": 4}
"""Statuses, gravest first."""
