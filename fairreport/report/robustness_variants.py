"""The robustness of a disparity test under other thresholds and references, as the packet prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairreport.analyses.grouping import Label
from fairreport.analyses.metric_parameters import MetricParity
from fairreport.analyses.parameters import Threshold
from fairreport.analyses.result import MetricFinding, Number
from fairreport.analyses.robustness import BarVariant, References, Variant, ratio_bar
from fairreport.audit.gate import Status, check, status_of_test
from fairreport.audit.judging import DEFAULT_THRESHOLD
from fairreport.audit.record import TestRecord
from fairreport.render import formats, words
from fairreport.render.metric_axis import digits_of, heading_of
from fairreport.render.phrases import Sentence
from fairreport.render.record_lines import said
from fairreport.report.robustness_table import Heading, Labels, SmallRow, SmallTable, cell, small_table

AS_STATED = ", as stated"
HOLDS, OTHER_GROUPS = "holds", "holds, other groups fail"
"""What an overview says where the state of a test is the same, with the same groups failing, and with other ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one kind of change does to a test.

    Attributes
    ----------
    changes : bool
        Whether something else is found.
    text : Sentence
        What was tried and what came of it, as part of a sentence.
    brief : str
        The same in a word or two.
    table : SmallTable or None
        All of it; None where every line of it would say the same.
    """

    changes: bool
    text: Sentence
    brief: str
    table: SmallTable | None


def status_of(
    thresholds: Sequence[Threshold],
    measurements: Mapping[str, Number | None],
    *,
    own: Threshold = DEFAULT_THRESHOLD,
    tiny: Iterable[str] = (),
    is_skipped: bool,
) -> Status:
    """Return what measurements come to under thresholds, or without any under the test's own."""
    return status_of_test(check(thresholds or (own,), measurements, tiny=tuple(tiny)), skipped=is_skipped)


def status(found: Variant) -> Status:
    """Return what a disparity test comes to with one thing changed."""
    return status_of(found.thresholds, found.measurements, tiny=found.tiny, is_skipped=found.skip is not None)


def bar_part(tried: Sequence[BarVariant], labels: Labels, *, of_gap: bool) -> Part:
    """Return what other thresholds do to a test; there is at least the stated one."""
    what = "Gap above which a group fails" if of_gap else "Ratio below which a group fails"
    headings = [
        Heading(what),
        Heading("State"),
        Heading("Failing groups", is_number=True),
        Heading("Fail in addition"),
        Heading("No longer fail"),
    ]
    stated = next(it for it in tried if it.is_stated)
    rows = [
        SmallRow(
            cells=(
                cell(formats.threshold(it.bar) + (AS_STATED if it.is_stated else "")),
                *_found_cells(it.found),
                *_compared_cells(it.found, stated.found, labels.listed),
            ),
            mark="reference" if it.is_stated else "",
        )
        for it in tried
    ]
    table = small_table("Allowed gaps" if of_gap else "Thresholds", headings, rows)
    states = [(it.bar, status(it.found)) for it in tried]
    text, changes = bars_text(states, status(stated.found), of_gap=of_gap)
    moves = any(set(it.found.failing) != set(stated.found.failing) for it in tried)
    brief = bars_brief(states, status(stated.found)) or (OTHER_GROUPS if moves else HOLDS)
    if not changes:
        text += said(f" ({failing_text([len(it.found.failing) for it in tried], same=not moves)})")
    return Part(changes=changes, text=text, brief=brief, table=table if changes or moves else None)


def bars_brief(tried: Sequence[tuple[float, Status]], stated: Status) -> str:
    """Return at which thresholds the state of a test is another one; nothing where it is the same at all."""
    bars = [formats.threshold(bar) for bar, found in tried if found is not stated]
    return f"changes at {', '.join(bars)}" if bars else ""


def failing_text(counts: Sequence[int], *, same: bool) -> str:
    """Return how many groups fail under several thresholds, in words.

    Examples
    --------
    >>> failing_text([0, 0], same=True), failing_text([2, 2], same=True), failing_text([1, 3, 4], same=False)
    ('no group fails', 'the same 2 groups fail', '1 to 4 groups fail')
    """
    low, high = min(counts), max(counts)
    if not same:
        return f"{formats.count(low)} to {formats.count(high)} groups fail"
    if not low:
        return "no group fails"
    return "the same group fails" if low == 1 else f"the same {formats.count(low)} groups fail"


def bars_text(tried: Sequence[tuple[float, Status]], stated: Status, *, of_gap: bool) -> tuple[Sentence, bool]:
    """Return which thresholds change the state of a test, and whether any does; else from where to where it holds."""
    what, several = ("an allowed gap of", "allowed gaps") if of_gap else ("a threshold of", "thresholds")
    by_state: dict[Status, list[str]] = {}
    for bar, found in tried:
        if found is not stated:
            by_state.setdefault(found, []).append(formats.threshold(bar))
    if not by_state:
        ends = [formats.threshold(end(bar for bar, _ in tried)) for end in (min, max)]
        return said(f"{several} from {ends[0]} to {ends[1]}"), False
    parts = [f"{' or '.join(bars)} ({words.state(found).word})" for found, bars in by_state.items()]
    return said(f"{what} {' or '.join(parts)}"), True


def reference_part(record: TestRecord, references: References, labels: Labels) -> Part | None:
    """Return what other references do to a test; None where no other group could be one."""
    others = [it for it in references.tried if not it.is_stated]
    if not others:
        return None
    stated = next(it.found for it in references.tried if it.is_stated)
    marks = [ratio_bar(record.test)]
    headings = [
        Heading("Reference group"),
        Heading("n", is_number=True),
        Heading(_value_heading(record), is_number=True),
        Heading("State"),
        Heading("Failing groups", is_number=True),
        Heading("Smallest ratio", is_number=True),
        Heading("Fail in addition"),
        Heading("No longer fail"),
    ]
    was = status(stated)
    order = sorted(others, key=lambda it: (status(it.found) is was, -len(it.found.failing), it.reference))
    rows = [
        SmallRow(
            cells=(
                labels.whole(it.reference) + said(AS_STATED if it.is_stated else ""),
                cell(formats.count(it.n)),
                cell(_value_text(record, it.reference)),
                *_found_cells(it.found),
                cell(formats.ABSENT if it.found.skip else formats.fixed(it.found.smallest, against=marks)),
                *_compared_cells(it.found, stated, labels.counted),
            ),
            mark="reference" if it.is_stated else "",
        )
        for it in (*(it for it in references.tried if it.is_stated), *order)
    ]
    further = ""
    if references.further:
        n = formats.plural(references.further, "further group", "further groups")
        further = f"{n} with fewer rows could be the reference as well, and were not tried."
    differs = [it for it in others if status(it.found) is not was]
    which = [it.reference for it in sorted(differs, key=order.index)]
    text = said(_others(len(differs), len(others)))
    text += said(" (") + labels.listed(which) + said(")") if differs else said()
    moves = any(set(it.found.failing) - {it.reference} != set(stated.failing) - {it.reference} for it in others)
    return Part(
        changes=bool(differs),
        text=text,
        brief=f"changes with {formats.count(len(differs))} of {formats.count(len(others))}"
        if differs
        else OTHER_GROUPS
        if moves
        else HOLDS,
        table=small_table("Reference groups", headings, rows, more=further),
    )


def _others(differing: int, others: int) -> str:
    """Return how many of the other references change something; of none, how many there are.

    Examples
    --------
    >>> _others(0, 1), _others(1, 1)
    ('1 other reference group', 'the other reference group')
    >>> _others(2, 6), _others(6, 6)
    ('2 of 6 other reference groups', 'all 6 other reference groups')
    """
    tried = formats.plural(others, "other reference group", "other reference groups")
    if not differing:
        return tried
    if differing < others:
        return f"{formats.count(differing)} of {tried}"
    return f"all {tried}" if others > 1 else "the other reference group"


def _found_cells(found: Variant) -> tuple[Sentence, Sentence]:
    """Return the state and how many groups fail."""
    failing = formats.ABSENT if found.skip else formats.count(len(found.failing))
    return cell(words.state(status(found)).text), cell(failing)


def _compared_cells(
    found: Variant, stated: Variant, listed: Callable[[Sequence[Label]], Sentence]
) -> tuple[Sentence, Sentence]:
    """Return which groups fail in addition to those that fail as stated, and which no longer do."""
    if found.skip:
        return cell(formats.ABSENT), cell(formats.ABSENT)
    was, now = set(stated.failing), set(found.failing)
    return (
        listed([label for label in found.failing if label not in was]),
        listed([label for label in stated.failing if label not in now]),
    )


def _value_heading(record: TestRecord) -> str:
    return heading_of(record.test) if isinstance(record.test, MetricParity) else "Rate"


def _value_text(record: TestRecord, label: Label) -> str:
    """Return the rate or the metric of a group, as the table of the test prints it."""
    found = record.finding
    if isinstance(found, MetricFinding):
        return formats.fixed(next(row.value for row in found.groups if row.group == label), digits_of(found))
    return formats.fixed(next(row.rate for row in found.groups if row.group == label))
