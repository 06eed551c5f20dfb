"""What every kind of test states alike: thresholds, settings, where the rows went, the call that makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fairreport.analyses.parameters import Threshold
from fairreport.analyses.result import Note, Number
from fairreport.analyses.stated import StatedTest
from fairreport.audit.assumptions import Assumption
from fairreport.audit.gate import ThresholdCheck
from fairreport.audit.record import Entry, PairRecord, TestRecord
from fairreport.audit.withheld import CODE
from fairreport.render import formats
from fairreport.render.views import AssumptionLine, Line, Name, Sentence, Setting, ThresholdLine
from fairreport.tables.tally import RowCount

_CHECKED = {True: (ThresholdLine.HOLDS, "●"), False: (ThresholdLine.MISSED, "▼"), None: (ThresholdLine.UNDEFINED, "○")}

_SHORT_NOTES: dict[str, Callable[[str], str]] = {
    "level_may_mean_missing": lambda text: f"{text.rpartition('; ')[0]}.",
    "reference_value_unused": lambda text: text,
    "function_of_outcome": lambda _: "The outcome is a function of the groups.",
    "no_positive_values": lambda text: text,
    "undeclared_values": lambda text: text,
    "declared_groups_absent": lambda text: text,
}
"""The notes that change how to read the numbers, by their codes, each with how it is said in short."""


def said(*pieces: str | Name) -> Sentence:
    """Return a sentence of the given pieces, empty ones left out."""
    return Sentence(tuple(piece for piece in pieces if piece != ""))


def joined(names: Iterable[str], between: str = " / ") -> tuple[str | Name, ...]:
    """Return data strings as pieces of a sentence, with our own words between them."""
    pieces: list[str | Name] = []
    for raw in names:
        pieces += [between, Name.of(raw)] if pieces else [Name.of(raw)]
    return tuple(pieces)


ThresholdRecord = TestRecord | PairRecord
"""A record with thresholds on its measurements."""


_WITHHELD = "withheld"
"""Printed for a measurement that is known and that a report does not state."""


def not_computed(code: str | None) -> str:
    """Return how the reason begins why a test has no figures."""
    return "Not shown: " if code == CODE else "Not computed: "


def threshold_lines(record: ThresholdRecord, against: Iterable[Number] = ()) -> tuple[ThresholdLine, ...]:
    """Return what the status of a test hangs on."""
    tiny = record.finding.tiny if isinstance(record, TestRecord) else ()
    return tuple(_threshold_line(check, against, is_tiny=check.measurement in tiny) for check in record.thresholds)


def _threshold_line(check: ThresholdCheck, against: Iterable[Number], *, is_tiny: bool) -> ThresholdLine:
    word, glyph = _CHECKED[check.passed]
    is_withheld = check.actual is None and check.passed is not None and not is_tiny
    actual = formats.measurement(check.measurement, check.actual, against=(check.value, *against))
    return ThresholdLine(
        measurement=formats.printable(check.measurement),
        operator=check.operator.value,
        value=formats.limit(check.value),
        actual=_WITHHELD if is_withheld else actual,
        state=word,
        glyph=glyph,
    )


def measurement_lines(record: ThresholdRecord, against: Iterable[Number] = ()) -> tuple[tuple[str, str], ...]:
    """Return the measurements by their documented names, none rounded across a threshold on it."""
    limits: dict[str, list[Number]] = {}
    for check in record.thresholds:
        limits.setdefault(check.measurement, []).append(check.value)
    marks = tuple(against)
    return tuple(
        (name, formats.measurement(name, value, against=(*limits.get(name, ()), *marks)))
        for name, value in record.measurements.items()
    )


def thresholds_origin(record: ThresholdRecord) -> str:
    """Return where the thresholds of a test come from."""
    source = record.test.threshold_source
    if record.default_threshold:
        told = f"source stated by the user: {formats.printable(source)}" if source else "since none was stated"
        return f"the test's own threshold, {told}"
    return (
        f"stated by the user, source: {formats.printable(source)}"
        if source
        else "stated by the user, source not stated"
    )


def flow_lines(rows: RowCount | None, *, counts: bool = False) -> tuple[Line, ...]:
    """Return the way from the rows of the table to the evaluated rows; reasons without rows are left out.

    Parameters
    ----------
    rows : RowCount or None
        None gives no line.
    counts : bool
        Whether each row of the table stands for several.
    """
    if rows is None:
        return ()
    unit = "Cases counted in the table" if counts else "Rows of the table"
    left_out = (
        ("Left out: no value in the measured column", rows.total - rows.with_inputs),
        ("Left out: a protected attribute is missing", rows.missing_attribute),
        ("Left out: the group is not declared", rows.undeclared),
    )
    steps = [(unit, rows.total), *((term, n) for term, n in left_out if n), ("Evaluated", rows.evaluated)]
    return tuple(Line(term=term, text=said(formats.count(n))) for term, n in steps)


def setting_lines(record: Entry) -> tuple[Setting, ...]:
    """Return all parameters of a test with their origin."""
    return tuple(
        Setting(name=name, value=Name.prose(_literal(value)), origin=record.test.origin(name))
        for name, value in record.test.parameters().items()
    )


def note_lines(notes: Iterable[Note]) -> tuple[Sentence, ...]:
    """Return notes as sentences; each holds data strings, so the whole of it is one."""
    return tuple(said(Name.prose(note.text)) for note in notes)


def caution_lines(notes: Iterable[Note]) -> tuple[Sentence, ...]:
    """Return the notes that change how to read the numbers, in short."""
    return tuple(said(Name.prose(_SHORT_NOTES[note.code](note.text))) for note in notes if note.code in _SHORT_NOTES)


def assumption_lines(assumptions: Iterable[Assumption]) -> tuple[AssumptionLine, ...]:
    """Return assumptions as they print."""
    return tuple(
        AssumptionLine(
            number=item.number,
            title=item.title,
            text=item.text,
            consequence=item.consequence,
            tests=tuple(Name.of(name) for name in item.tests),
        )
        for item in assumptions
    )


def call(record: ThresholdRecord, positional: Sequence[str]) -> str:
    """Return the Python call that makes a test, as a method of an audit: what the user stated, no default.

    Parameters
    ----------
    record : TestRecord or PairRecord
        The test.
    positional : sequence of str
        Parameters that go by position, in order.
    """
    test = record.test
    parameters = test.parameters()
    arguments = [_literal(parameters[name]) for name in positional]
    stated = [name for name in parameters if name not in positional and test.origin(name) != "default"]
    arguments += [f"{name}={_literal(parameters[name])}" for name in stated]
    arguments += stated_words(test)
    if test.thresholds:
        arguments.append(f"thresholds=[{', '.join(_threshold(item) for item in test.thresholds)}]")
    return formats.printable(f".{test.analysis}({', '.join(arguments)})")


def stated_words(test: StatedTest) -> list[str]:
    """Return the arguments that say what a test is called and why it stands as it does."""
    words = {
        "name": test.name,
        "description": test.description,
        "threshold_source": test.threshold_source,
        "rationale": test.rationale,
    }
    return [f"{name}={value!r}" for name, value in words.items() if value is not None]


def _literal(value: Any) -> str:
    """Return a parameter as Python, a list of one as its item."""
    if isinstance(value, list) and len(value) == 1:
        return repr(value[0])
    return repr(value)


def _threshold(item: Threshold) -> str:
    return f"({item.measurement!r}, {item.operator.value!r}, {item.value!r})"
