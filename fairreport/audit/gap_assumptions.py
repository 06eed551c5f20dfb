"""What a test of rate gaps takes as given, and what it cannot tell."""

from __future__ import annotations

from collections.abc import Callable

from fairreport.analyses.gap_finding import GapFinding
from fairreport.analyses.gap_parameters import RateGaps

Statement = tuple[str, str, str, str]
"""A code, what is taken as given in a few words, what that means, and what follows where it does not hold."""

Say = Callable[[RateGaps, GapFinding], str]

INDEPENDENCE = "independence"
"""Taken as given by every kind of test, in the same words."""

NOT_TOLD = (
    "which rate ought to be equal between groups",
    "anything about undeclared groups, or people who stand in the file more than once",
    "whether calibration differs by more than chance",
    "whether the labels are right",
)
"""What an answer cannot tell."""


def statements(test: RateGaps, finding: GapFinding) -> tuple[Statement, ...]:
    """Return what a test takes as given, less the independence of cases."""
    return tuple(
        (code, say(test, finding), text, consequence)
        for code, say, text, consequence, applies in _CATALOGUE
        if applies(test, finding)
    )


def people(test: RateGaps, finding: GapFinding) -> str:
    """Return how the test knows that each case is a different person."""
    if test.unit is not None:
        without = 0 if finding.evidence is None else finding.evidence.unit_missing
        rest = f"; {without:,} cases name none, and each is taken to be a different one" if without else ""
        return f"Column {test.unit!r} names each person once{rest}"
    return "Each case is taken to be a different person; the file does not say who is who"


def budget(test: RateGaps, _finding: GapFinding) -> str:
    """Return what the stated confidence is about."""
    rules, looks = len(test.rules), test.looks
    at = "one look" if looks == 1 else f"{looks} looks"
    if test.joint or rules == 1:
        over = "all rules together" if rules > 1 else "the rule"
        return f"The guarantee holds for {over} at {at}; over more looks the error may add up"
    return f"The guarantee holds for one rule at {at}; over {rules} rules or more looks the error may add up"


def _always(_test: RateGaps, _finding: GapFinding) -> bool:
    return True


def _calibrates(test: RateGaps, _finding: GapFinding) -> bool:
    return test.probability is not None


def _always_says(text: str) -> Say:
    return lambda _test, _finding: text


_CATALOGUE: tuple[tuple[str, Say, str, str, Callable[[RateGaps, GapFinding], bool]], ...] = (
    (
        "groups_declared_first",
        _always_says("Groups were declared before the file was read"),
        "The groups of every attribute are those that the user declared; the error budget of a rule is divided among "
        "all of them, empty ones included.",
        "Groups that were chosen after a look at the data make the stated confidence too high.",
        _always,
    ),
    (
        "recorded_attributes",
        _always_says("Each rule is about the cases in which its attributes are recorded"),
        "Cases whose attribute is missing or holds an undeclared value are left out of the rule and counted by reason.",
        "Where people without a recorded attribute are treated differently, the verdict is about other people; the "
        "bounds with the left-out cases placed anywhere show how far that could go.",
        _always,
    ),
    (
        "labels_brought",
        _always_says("Rates are measured against the labels that were brought"),
        "What really happened is taken from the label column as it stands.",
        "An error in the labels that touches one group more than another moves its rates.",
        _always,
    ),
    (
        "gap_is_no_verdict",
        _always_says("Neither a gap nor a floor settles by itself how a system treats people"),
        f"An answer cannot tell {NOT_TOLD[0]}, {NOT_TOLD[1]}, {NOT_TOLD[2]}, or {NOT_TOLD[3]}.",
        "Other rates can differ where the ones that were asked about do not.",
        _always,
    ),
    (
        "left_out_first",
        _always_says("What was left out is to be read before the verdict"),
        "A rule with more left-out cases than it allows concludes nothing, whatever its figures.",
        "A small gap among the recorded cases says little where many cases are not recorded.",
        _always,
    ),
    (
        "one_person_a_case",
        people,
        "Two cases of one person are one piece of evidence counted twice.",
        "Where people stand in several rows, the intervals are too narrow.",
        _always,
    ),
    (
        "error_budget",
        budget,
        "The intervals of all groups of a rule hold at once with the stated confidence.",
        "Declare beforehand how often you will look, or decide once.",
        _always,
    ),
    (
        "calibration_never_decides",
        _always_says("Calibration is shown beside the rules and decides none"),
        "A calibration error is larger in small groups even for a perfectly calibrated model; its noise stands beside "
        "it.",
        "Calibration errors of groups of different size are not to be compared.",
        _calibrates,
    ),
)
