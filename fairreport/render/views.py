"""Views: results as words and numbers ready to print, beside the raw numbers that a drawing needs.

The notebook fragment, the text, the figures and the packet all print from these, so a number is the same
everywhere. Views know no HTML: whoever prints one escapes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fairreport.audit.gate import Status
from fairreport.render.counts import Counts
from fairreport.render.gap_view import GRAVITY, GapTestView
from fairreport.render.pair_view import PairCounts, PairTestView
from fairreport.render.phrases import Line, Name, Sentence, Setting
from fairreport.render.table_view import Align, Axis, Column, Marks, Row, Table, Terse
from fairreport.render.threshold_line import ThresholdLine
from fairreport.render.words import RULE_STATES, State

__all__ = [
    "Align",
    "AssumptionLine",
    "Axis",
    "Column",
    "Counts",
    "EntryView",
    "GapTestView",
    "Line",
    "Marks",
    "Name",
    "PairCounts",
    "PairTestView",
    "Row",
    "RunView",
    "Sentence",
    "Setting",
    "Table",
    "Terse",
    "TestView",
    "ThresholdLine",
]


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
    reversals : tuple of Sentence
        Groups whose adjusted figure points the other way than the unadjusted one.
    thresholds : tuple of ThresholdLine
        What the status hangs on.
    thresholds_origin : str
        Where they come from, in words.
    thresholds_stated : bool
        Whether the user stated them.
    measurements : tuple of (str, str)
        By their documented names.
    flow : tuple of Line
        From rows of the table to evaluated rows.
    notes, insights : tuple of Sentence
        What to know beside the numbers; up to five facts.
    cautions : tuple of Sentence
        The notes that change how to read the numbers, in short.
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
    reversals: tuple[Sentence, ...]
    thresholds: tuple[ThresholdLine, ...]
    thresholds_origin: str
    thresholds_stated: bool
    measurements: tuple[tuple[str, str], ...]
    flow: tuple[Line, ...]
    notes: tuple[Sentence, ...]
    insights: tuple[Sentence, ...]
    cautions: tuple[Sentence, ...]
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
    def deciding(self) -> tuple[ThresholdLine, ...]:
        """The thresholds that the status comes of and that no finding tells."""
        if self.state.key == Status.FAILING and self.thresholds_stated:
            return tuple(it for it in self.thresholds if it.state == ThresholdLine.MISSED)
        if self.state.key == Status.SKIPPED and not self.is_skipped:
            return tuple(it for it in self.thresholds if it.state == ThresholdLine.UNDEFINED)
        return ()

    @property
    def comparisons(self) -> tuple[Row, ...]:
        """The judged groups, worst first."""
        rows = self.table.rows if self.table else ()
        return tuple(sorted((row for row in rows if row.is_comparison), key=lambda row: row.severity))


EntryView = TestView | GapTestView | PairTestView
"""One test of an audit, of any kind."""


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
    fingerprint, data_said : str
        Of the data, and its beginning in words; "no data counted" where no test came to count any.
    state : State
        What it comes to.
    headline : Sentence
        The worst finding of all tests with its numbers.
    counts_sentence : Sentence
        How many comparisons are what.
    counts : Counts
        The same as numbers, over all disparity tests.
    entries : tuple of TestView, GapTestView or PairTestView
        The tests of every kind, in the order of the audit.
    insights : tuple of Sentence
        Up to five facts of the run.
    assumptions : tuple of AssumptionLine
        Numbered.
    data : tuple of Line
        What was read.
    code : str
        Python that reproduces the audit, given the data.
    remark : Sentence or None
        What to say of the thing that is displayed, where it is more than the audit.
    """

    title: Name
    audited: Sentence
    created: str | None
    about: tuple[Line, ...]
    fingerprint: str
    data_said: str
    state: State
    headline: Sentence
    counts_sentence: Sentence
    counts: Counts
    entries: tuple[EntryView, ...]
    insights: tuple[Sentence, ...]
    assumptions: tuple[AssumptionLine, ...]
    data: tuple[Line, ...]
    code: str
    remark: Sentence | None = None

    @property
    def tests(self) -> tuple[TestView, ...]:
        """The disparity tests, in their order."""
        return tuple(entry for entry in self.entries if isinstance(entry, TestView))

    @property
    def gaps(self) -> tuple[GapTestView, ...]:
        """The tests of rate gaps, in their order."""
        return tuple(entry for entry in self.entries if isinstance(entry, GapTestView))

    @property
    def pairs(self) -> tuple[PairTestView, ...]:
        """The tests of named pairs, in their order."""
        return tuple(entry for entry in self.entries if isinstance(entry, PairTestView))

    @property
    def pair_counts(self) -> PairCounts:
        """How many comparisons of named pairs are what, over all tests of them."""
        return sum((test.counts for test in self.pairs), PairCounts())

    @property
    def rule_counts(self) -> tuple[tuple[str, int], ...]:
        """How many rules of all tests read what, states that occur only."""
        found: dict[str, int] = {}
        for test in self.gaps:
            for word, n in test.rule_counts:
                found[word] = found.get(word, 0) + n
        return tuple((word.value, found[word.value]) for word in RULE_STATES if word.value in found)

    @property
    def worst_first(self) -> tuple[EntryView, ...]:
        """The tests: failing ones first, each kind by its worst comparison or rule, skipped ones last."""
        return tuple(sorted(self.entries, key=_gravity))

    @property
    def tables(self) -> tuple[tuple[int, EntryView], ...]:
        """The tests that have a table, worst first, each with its position in the audit."""
        positions = {test.name: position for position, test in enumerate(self.entries)}
        return tuple((positions[test.name], test) for test in self.worst_first if _is_tabled(test))

    @property
    def methods(self) -> tuple[tuple[tuple[Name, ...], tuple[Line, ...]], ...]:
        """How numbers were made, each way once, with the names of its tests."""
        return _gathered(self.entries, lambda test: test.method)

    @property
    def flows(self) -> tuple[tuple[tuple[Name, ...], tuple[Line, ...]], ...]:
        """From rows to evaluated rows, each way once, with the names of its tests."""
        return _gathered(self.entries, lambda test: test.flow)

    @property
    def skipped(self) -> tuple[EntryView, ...]:
        """The tests that were not computed."""
        return tuple(test for test in self.entries if test.is_skipped)

    def worst_comparisons(self) -> Iterator[tuple[TestView, Row]]:
        """Yield the judged groups of all tests, worst first, each with its test."""
        pairs = [(test, row) for test in self.tests for row in test.comparisons]
        yield from sorted(pairs, key=lambda pair: pair[1].severity)


def _gravity(test: EntryView) -> tuple[bool, int, float]:
    """Return what tests are sorted by; a disparity test that is not failing is placed by its comparisons."""
    if isinstance(test, GapTestView):
        rules = test.worst_first
        return (test.is_skipped, GRAVITY[test.state.key], rules[0].severity if rules else 0.0)
    worst = test.comparisons
    rank = GRAVITY["failing" if test.state.key == Status.FAILING else "passing"]
    return (test.is_skipped, rank, worst[0].severity if worst else 0.0)


def _is_tabled(test: EntryView) -> bool:
    if isinstance(test, PairTestView):
        return test.table is not None
    return bool(test.rules) if isinstance(test, GapTestView) else test.table is not None


def _gathered(
    tests: tuple[EntryView, ...], lines_of: Callable[[EntryView], tuple[Line, ...]]
) -> tuple[tuple[tuple[Name, ...], tuple[Line, ...]], ...]:
    found: dict[tuple[Line, ...], list[Name]] = {}
    for test in tests:
        if lines_of(test):
            found.setdefault(lines_of(test), []).append(test.name)
    return tuple((tuple(names), lines) for lines, names in found.items())
