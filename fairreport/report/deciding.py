"""Why the state is what it is, where stated thresholds decide it: for the page of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairreport.render import formats
from fairreport.render.views import Name, PairTestView, RunView, TestView, ThresholdLine
from fairreport.render.words import State

TESTS_SHOWN = THRESHOLDS_SHOWN = 3

Decidable = TestView | PairTestView
"""A test that stated thresholds can decide."""

_OWN = {("failingGroupCount", "<=", "0"), ("practicallySignificantCount", "<=", "0")}
"""The thresholds that tests have by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedTest:
    """A test with the stated thresholds that its state comes of, in words."""

    name: Name
    state: State
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """The first few tests that stated thresholds decide, and how many more there are in which section, in words."""

    tests: tuple[DecidedTest, ...]
    more: str


def deciding_of(run: RunView, sections: Sequence[tuple[Decidable, int]]) -> Deciding:
    """Return what decides the state, failing tests first.

    Parameters
    ----------
    run : RunView
        The audit.
    sections : sequence of (TestView or PairTestView, int)
        Its tests of these kinds, each with the section in which it stands.
    """
    tests = [test for test in run.worst_first if isinstance(test, (TestView, PairTestView))]
    decided = [(test, lines) for test in tests if (lines := _lines(test))]
    rest = {test.name for test, _ in decided[TESTS_SHOWN:]}
    places = sorted({section for test, section in sections if test.name in rest})
    where = f"{'section' if len(places) == 1 else 'sections'} {formats.listed(map(str, places))}"
    return Deciding(
        tests=tuple(
            DecidedTest(name=test.name, state=test.state, text=_text(lines)) for test, lines in decided[:TESTS_SHOWN]
        ),
        more=f"and {formats.count(len(rest))} more, in {where}" if rest else "",
    )


def _lines(test: Decidable) -> tuple[ThresholdLine, ...]:
    """Return the thresholds that the state comes of; none where it is the test's own one that holds."""
    if test.deciding or not test.thresholds_stated or test.is_skipped:
        return test.deciding
    held = tuple(line for line in test.thresholds if line.state == ThresholdLine.HOLDS)
    return () if all(_is_own(line) for line in held) else held


def _is_own(line: ThresholdLine) -> bool:
    return (line.measurement, line.operator, line.value) in _OWN


def _text(lines: Sequence[ThresholdLine]) -> str:
    texts = [line.text for line in lines[:THRESHOLDS_SHOWN]]
    more = len(lines) - len(texts)
    return "; ".join([*texts, *([f"and {formats.plural(more, 'more threshold', 'more thresholds')}"] if more else [])])
