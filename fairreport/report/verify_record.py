"""What a verification found: what was recomputed, what differs, and what had to be taken as stated."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from fairreport.display import Displayable
from fairreport.report.differences import Difference, Tally

AGREES, DIFFERS, NOT_JUDGED = 0, 1, 3

NOT_SHOWN = (
    "This shows that the document is consistent in itself; it does not show who made it, nor that its counts are those "
    "of the data."
)
NOT_SHOWN_WITH_DATA = (
    "This shows that the document is consistent in itself and with the {data}; it does not show who made it, nor where "
    "the {data} comes from."
)

CHANGED = (
    "A difference shows that the document is not as it was computed, or that another program made it; it does not show "
    "who changed what."
)
PARTLY_JUDGED = (
    "What could be compared agrees; this shows nothing of what was not judged. It does not show who made the document, "
    "nor that its counts are those of the data."
)
DIFFERENT_DATA = (
    "The document is consistent in itself, but its counts are not those of the {data}: it was made from other rows, or "
    "the {data} was read otherwise."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at, in words, and how many differences it gave."""

    text: str
    n_differences: int

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.n_differences


@dataclass(frozen=True, slots=True, kw_only=True)
class NotJudged:
    """Something that could not be held against the evidence, so that the document does not agree as a whole.

    Attributes
    ----------
    what : str
        What it is, in a few words that follow "not judged:".
    reason : str
        Why it could not be judged.
    """

    what: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What one look at a part of a document gave; `text` says what was looked at, and is empty where nothing was."""

    text: str = ""
    differences: tuple[Difference, ...] = ()
    remarks: tuple[str, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Something that no other part of the document tells, so that it had to be taken as stated.

    Attributes
    ----------
    pointer : str
        JSON pointer, or a list of names below one.
    reason : str
        Why it cannot be recomputed.
    """

    pointer: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verification(Displayable):
    """What `verify` found.

    Attributes
    ----------
    source : str
        Name of the file.
    kind : str
        PDF packet, HTML packet or results.json.
    title, packet_id, fingerprint : str
        Of the audit; the packet id as it follows from the results.
    checks : tuple of Check
        What was looked at.
    differences : tuple of Difference
        Every place where what is stated is not what the evidence gives.
    not_judged : tuple of NotJudged
        What a reader sees in the document and could not be compared, such as pages that another version drew.
    taken_as_stated : tuple of Taken
        What could not be recomputed.
    remarks : tuple of str
        What a reader should know, such as that other versions computed the document.
    recomputed : Tally
        How many numbers, verdicts and texts were computed again.
    n_tests_taken : int
        Tests that no document can hold the evidence of, so that nothing of them could be recomputed.
    with_data : str
        What the counts were made again from, ``file`` or ``table``; empty where they were not.
    """

    display_kind: ClassVar[str] = "verification"

    source: str
    kind: str
    title: str
    packet_id: str
    fingerprint: str
    checks: tuple[Check, ...]
    differences: tuple[Difference, ...]
    taken_as_stated: tuple[Taken, ...]
    remarks: tuple[str, ...]
    not_judged: tuple[NotJudged, ...] = ()
    recomputed: Tally = field(default_factory=Tally)
    n_tests_taken: int = 0
    with_data: str = ""

    @property
    def agrees(self) -> bool:
        """Whether everything was judged, and nothing differs."""
        return not self.differences and not self.not_judged

    @property
    def agrees_with_evidence(self) -> bool:
        """Whether nothing differs inside the document, whatever a file of data says."""
        return all(item.file == "data" for item in self.differences)

    @property
    def exit_code(self) -> int:
        """1 where something differs; else 3 where something was not judged; 0 where all agrees."""
        if self.differences:
            return DIFFERS
        return NOT_JUDGED if self.not_judged else AGREES

    @property
    def meaning(self) -> str:
        """What this shows and what it does not."""
        if self.differences:
            return DIFFERENT_DATA.format(data=self.with_data) if self.agrees_with_evidence else CHANGED
        if self.not_judged:
            return PARTLY_JUDGED
        return NOT_SHOWN_WITH_DATA.format(data=self.with_data) if self.with_data else NOT_SHOWN

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "source": self.source,
            "kind": self.kind,
            "title": self.title,
            "packet_id": self.packet_id,
            "fingerprint": self.fingerprint,
            "agrees": self.agrees,
            "exit_code": self.exit_code,
            "recomputed": asdict(self.recomputed),
            "n_tests_taken": self.n_tests_taken,
            "checks": [asdict(check) | {"passed": check.passed} for check in self.checks],
            "differences": [item.to_dict() for item in self.differences],
            "not_judged": [asdict(item) for item in self.not_judged],
            "taken_as_stated": [asdict(item) for item in self.taken_as_stated],
            "remarks": list(self.remarks),
            "meaning": self.meaning,
        }
