"""The words for states and findings, each with its glyph; nothing is said by colour alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from fairreport.analyses.rate_gaps import RuleState
from fairreport.audit.gate import Status, status_of_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A status in words.

    Attributes
    ----------
    key : str
        The status itself, such as ``"failing"``.
    word, glyph : str
        How it prints.
    """

    key: str
    word: str
    glyph: str

    @property
    def text(self) -> str:
        """Glyph and word."""
        return f"{self.glyph} {self.word}"


class Kind(StrEnum):
    """What is found about a group."""

    BELOW_SIGNIFICANT = "below_significant"
    BELOW_CHANCE = "below_chance"
    BELOW_UNTESTED = "below_untested"
    SMALL_GAP = "small_gap"
    REACHES_BELOW = "reaches_below"
    AT_OR_ABOVE = "at_or_above"
    REFERENCE = "reference"
    NOT_ENOUGH_DATA = "not_enough_data"
    NOT_DEFINED = "not_defined"
    NO_RATIO = "no_ratio"


class Side(StrEnum):
    """Findings, gathered for counting."""

    BELOW = "below"
    INCONCLUSIVE = "inconclusive"
    MEETS = "meets"
    REFERENCE = "reference"
    TOO_FEW = "too_few"
    NOT_TESTED = "not_tested"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingWords:
    """A finding in words.

    Attributes
    ----------
    kind : Kind
        What is found.
    side : Side
        Where it counts.
    word, glyph : str
        How it prints.
    judges : str
        What it judges, such as ``"ratio"``, where that is neither drawn nor said by the word itself.
    by_gap : bool
        Whether a gap decides, not a ratio.
    brief : str
        The word where there is little room, where that is another one.
    """

    kind: Kind
    side: Side
    word: str
    glyph: str
    judges: str = ""
    by_gap: bool = False
    brief: str = ""

    @property
    def terse(self) -> str:
        """Glyph and word where there is little room."""
        return f"{self.glyph} {self.shortest}"

    @property
    def shortest(self) -> str:
        """The word where there is little room."""
        return self.brief or self.word

    @property
    def text(self) -> str:
        """Glyph and word."""
        return f"{self.glyph} {self.word}"

    @property
    def in_legend(self) -> FindingWords:
        """The finding as a legend says it: in short, and without the reason why something is not defined."""
        word = "not defined" if self.kind is Kind.NOT_DEFINED else self.shortest
        return replace(self, word=word, brief="")

    @property
    def key(self) -> str:
        """What a legend says of the mark."""
        return f"{self.judges} {self.shortest}" if self.judges else self.shortest

    @property
    def inconclusive(self) -> bool:
        """Whether chance alone could explain the finding, or the interval reaches across the threshold."""
        return self.side is Side.INCONCLUSIVE


_STATES = {
    Status.PASSING: ("passing", "●"),
    Status.FAILING: ("failing", "▼"),
    Status.SKIPPED: ("skipped", "○"),
    Status.INSUFFICIENT_EVIDENCE: ("not enough evidence", "◆"),
    Status.MANUAL_REVIEW: ("manual review", "□"),
}

_FINDINGS = {
    Kind.BELOW_SIGNIFICANT: (Side.BELOW, "below {}, significant", "▼"),
    Kind.BELOW_CHANCE: (Side.INCONCLUSIVE, "below {}, may be chance", "▽"),
    Kind.BELOW_UNTESTED: (Side.BELOW, "below {}, not tested", "▼"),
    Kind.SMALL_GAP: (Side.INCONCLUSIVE, "below {}, difference within its limit", "◊"),
    Kind.REACHES_BELOW: (Side.INCONCLUSIVE, "at or above {0}, interval reaches below {0}", "◆"),
    Kind.AT_OR_ABOVE: (Side.MEETS, "at or above {}", "●"),
    Kind.REFERENCE: (Side.REFERENCE, "reference", "–"),
    Kind.NOT_ENOUGH_DATA: (Side.TOO_FEW, "not enough data", "○"),
    Kind.NOT_DEFINED: (Side.NOT_TESTED, "not defined", "○"),
    Kind.NO_RATIO: (Side.NOT_TESTED, "not worse, no ratio", "○"),
}

_WITHOUT_A_NUMBER = {Kind.REFERENCE, Kind.NOT_ENOUGH_DATA, Kind.NOT_DEFINED, Kind.NO_RATIO}


def state(status: Status) -> State:
    """Return a status in words.

    Examples
    --------
    >>> state(Status.FAILING).text
    '▼ failing'
    """
    word, glyph = _STATES[status]
    return State(key=status.value, word=word, glyph=glyph)


RULE_STATES = (RuleState.PASS, RuleState.FAIL, RuleState.INSUFFICIENT_EVIDENCE, RuleState.MANUAL_REVIEW)
"""What a rule reads, in the order in which rules are counted."""


def rule_state(found: RuleState) -> State:
    """Return what a rule on rate gaps reads, in the word of the contract and the glyph of the status it comes to.

    Examples
    --------
    >>> rule_state(RuleState.INSUFFICIENT_EVIDENCE).text
    '◆ INSUFFICIENT_EVIDENCE'
    """
    status = status_of_rules(found)
    return State(key=status.value, word=found.value, glyph=_STATES[status][1])


def finding(kind: Kind, threshold: str, *, judges: str = "") -> FindingWords:
    """Return a finding in words, with the threshold as it prints.

    Parameters
    ----------
    kind : Kind
        What is found.
    threshold : str
        The threshold as it prints.
    judges : str
        What the threshold is on, where other numbers stand before the finding.

    Examples
    --------
    >>> finding(Kind.AT_OR_ABOVE, "0.80", judges="ratio").key
    'ratio at or above 0.80'
    >>> finding(Kind.REACHES_BELOW, "0.80").text
    '◆ at or above 0.80, interval reaches below 0.80'
    """
    side, pattern, glyph = _FINDINGS[kind]
    named = "" if kind in _WITHOUT_A_NUMBER else judges
    return FindingWords(kind=kind, side=side, word=pattern.format(threshold), glyph=glyph, judges=named)


def gap_finding(kind: Kind, limit: str) -> FindingWords:
    """Return a finding that a gap decides, with its limit as it prints.

    Examples
    --------
    >>> gap_finding(Kind.BELOW_SIGNIFICANT, "0.05").text
    '▼ gap above 0.05, significant'
    """
    found = finding(kind, limit)
    word = found.word.replace("at or above", "gap at most").replace("below", "gap above")
    return FindingWords(kind=kind, side=found.side, word=word, glyph=found.glyph, by_gap=True)
