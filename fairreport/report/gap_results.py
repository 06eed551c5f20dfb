"""What the packet prints about a test of rate gaps: each rule with its state, its tables and its figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fairreport.analyses.gap_parameters import GapInterval, RateGaps
from fairreport.analyses.rate_gaps import RuleFinding
from fairreport.audit.gap_document import MOST_GAPS, unlisted_gaps
from fairreport.audit.record import GapRecord
from fairreport.render import formats
from fairreport.render.gap_view import CalibrationRow, RuleView
from fairreport.render.record_lines import said
from fairreport.render.views import GapTestView, Name, Sentence, Table
from fairreport.report.gap_figure import rule_figure
from fairreport.report.printed_table import PRINTED_ROWS, PrintedTable, further_groups, printed
from fairreport.report.test_results import Figure

LONGEST_READING = 40
"""Characters of what is said of a row against its bar that stand on one line."""
TOO_FEW_SHOWN = 40
"""Groups with too few cases that have a line of their own; all further ones are named in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResults:
    """What the packet prints about one rule.

    Attributes
    ----------
    number : str
        Such as ``"7.2.1"``.
    view : RuleView
        The rule.
    sentences : tuple of Sentence
        The pair or group that decides; what was left out; how many more cases would decide.
    too_few : tuple of Sentence
        One for each group that rests on too few cases; of very many, the last names the further ones.
    groups, pairs : PrintedTable, PrintedTable or None
        Its tables; no pairs where the bar is on each group.
    figure : Figure
        What decides it, drawn against the bar.
    """

    number: str
    view: RuleView
    sentences: tuple[Sentence, ...]
    too_few: tuple[Sentence, ...]
    groups: PrintedTable
    pairs: PrintedTable | None
    figure: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class GapResults:
    """What the packet prints about one test of rate gaps.

    Attributes
    ----------
    number, anchor : str
        Such as ``"7.2"`` and ``"test-2"``.
    view : GapTestView
        The test.
    rules : tuple of RuleResults
        In the order in which they were stated.
    interval : str
        How the bounds of gaps were made.
    calibrates : bool
        Whether a column of probabilities is stated.
    calibration : tuple of CalibrationRow
        The groups that are printed.
    more_calibration : str
        How many further ones stand in the attachment, in words.
    """

    number: str
    anchor: str
    view: GapTestView
    rules: tuple[RuleResults, ...]
    interval: str
    calibrates: bool
    calibration: tuple[CalibrationRow, ...]
    more_calibration: str

    @property
    def worst_first(self) -> tuple[RuleResults, ...]:
        """The rules, gravest first."""
        places = {rule.id.text: place for place, rule in enumerate(self.view.worst_first)}
        return tuple(sorted(self.rules, key=lambda rule: places[rule.view.id.text]))


def gap_results(record: GapRecord, view: GapTestView, *, number: str, anchor: str) -> GapResults:
    """Return what the packet prints about one test of rate gaps."""
    found = record.finding
    calibration = view.calibration.rows if view.calibration else ()
    return GapResults(
        number=number,
        anchor=anchor,
        view=view,
        rules=tuple(
            _rule(record, rule, shown, f"{number}.{i}")
            for i, (rule, shown) in enumerate(zip(found.rules, view.rules, strict=True), start=1)
        ),
        interval=_interval(record.test),
        calibrates=record.test.probability is not None,
        calibration=calibration[:PRINTED_ROWS],
        more_calibration=further_in_results("group", "groups", len(calibration) - PRINTED_ROWS, "calibration"),
    )


def further_in_results(one: str, several: str, n: int, entry: str) -> str:
    """Return how many rows stand under an entry of results.json only; nothing where none does.

    Examples
    --------
    >>> further_in_results("pair", "pairs", 740, "gaps")
    '740 further pairs in the attachment results.json, under “gaps”.'
    """
    rows = formats.plural(n, f"further {one}", f"further {several}")
    return f"{rows} in the attachment results.json, under “{entry}”." if n > 0 else ""


def _interval(test: RateGaps) -> str:
    level = formats.level(test.confidence_level)
    if test.interval is GapInterval.SIMULTANEOUS:
        return f"The intervals of all groups of a rule, and so the bounds of all its pairs, hold at once at {level}."
    return (
        f"The intervals of all groups of a rule hold at once at {level}. The bounds of gaps are made pair by pair: "
        "approximate, and usually narrower than bounds from the exact intervals. Section 10 says how."
    )


def _rule(record: GapRecord, found: RuleFinding, view: RuleView, number: str) -> RuleResults:
    groups = view.groups if found.left_out.total else _without_placed(view.groups)
    pairs = view.pairs if view.pairs is None or found.left_out.total else _without_placed(view.pairs)
    return RuleResults(
        number=number,
        view=view,
        sentences=tuple(finished(sentence) for sentence in _sentences(record.test, found, view)),
        too_few=tuple(finished(sentence) for sentence in _too_few(view)),
        figure=rule_figure(record, found, view),
        groups=printed(
            groups, groups.rows, more=further_groups(view.n_groups - PRINTED_ROWS), longest_finding=LONGEST_READING
        ),
        pairs=None
        if pairs is None
        else printed(
            pairs,
            pairs.rows,
            more=further_in_results("pair", "pairs", view.n_pairs - unlisted_gaps(found) - PRINTED_ROWS, "gaps"),
            longest_finding=LONGEST_READING,
        ),
    )


def _without_placed(table: Table) -> Table:
    """Return a table without what left-out cases could bring, where none was left out."""
    kept = [i for i, column in enumerate(table.columns) if column.key != "placed"]
    rows = tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in kept), rows=rows)


def _sentences(test: RateGaps, found: RuleFinding, view: RuleView) -> Iterator[Sentence]:
    asks = found.rule.manual_review
    if isinstance(asks, str) and found.reason != asks:
        yield said("a person must look where the figures pass: ", Name.prose(asks))
    elif asks is True:
        yield said("a person must look where the figures pass; no reason was stated")
    yield view.left_out or said("no case was left out")
    yield from (sentence for sentence in (view.placed, view.more, view.unlisted) if sentence is not None)
    if not view.is_gap:
        which = f"those of the widest {formats.count(MOST_GAPS)} pairs" if unlisted_gaps(found) else "their bounds"
        yield said(f"the bar is on each group, so pairs decide nothing; {which} stand in results.json")
    elif test.interval is GapInterval.PAIRWISE:
        yield said("the bounds of gaps are made pair by pair")


def _too_few(view: RuleView) -> Iterator[Sentence]:
    yield from view.too_few[:TOO_FEW_SHOWN]
    rest = view.too_few[TOO_FEW_SHOWN:]
    if rest:
        pieces = [piece for sentence in rest for piece in (*sentence.pieces, "; ")]
        yield Sentence(tuple(pieces[:-1]))


def finished(sentence: Sentence) -> Sentence:
    """Return a sentence with a capital, where it begins with our own words, and a full stop."""
    first, *rest = sentence.pieces
    whole = Sentence((first[:1].upper() + first[1:], *rest)) if isinstance(first, str) else sentence
    return whole if whole.text.endswith((".", "!", "?")) else whole + said(".")
