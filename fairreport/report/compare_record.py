"""What changed between two audits: records of numbers and words, worst change first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, ClassVar

from fairreport.audit.from_json import from_json
from fairreport.audit.gate import Status
from fairreport.display import Displayable

_GRAVITY = {
    Status.PASSING.value: 0,
    Status.SKIPPED.value: 1,
    Status.INSUFFICIENT_EVIDENCE.value: 2,
    Status.MANUAL_REVIEW.value: 3,
    Status.FAILING.value: 4,
}

INDEPENDENT = (
    "Intervals of changes are for information (Newcombe): they hold where the two audits have no people in common, and "
    "are not adjusted for how many there are."
)


class Presence(StrEnum):
    """In which of two audits something stands."""

    BOTH = "both"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A value that is another one now; None also where nothing stands."""

    name: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a group stands in one audit.

    Attributes
    ----------
    n : int or None
        Its rows.
    hits, support : int or None
        Rows that its rate counts, and those it is a share of; None where the value is no share.
    value, ratio : float or None
        Its rate or other value, and its ratio to the comparison value.
    verdict : str
        ``failing``, ``not failing``, ``reference``, ``not enough data``, or ``not listed`` past the stored groups.
    """

    n: int | None
    hits: int | None = None
    support: int | None = None
    value: float | None = None
    ratio: float | None = None
    verdict: str = ""


def standing(
    *,
    n: Any,
    hits: Any = None,
    support: Any = None,
    value: Any = None,
    ratio: Any = None,
    verdict: Any = "",
) -> Standing:
    """Return where a group stands, from the values of a document.

    Raises
    ------
    MisfitError
        If one is not of its type.
    """
    fields = {"n": n, "hits": hits, "support": support, "value": value, "ratio": ratio, "verdict": verdict}
    found: Standing = from_json(Standing, fields, "/groups")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChange:
    """A group in both audits, or in one.

    Attributes
    ----------
    group : str
        Its levels, with the rule before them where there are several.
    old, new : Standing or None
        Where it stands; None where it does not occur.
    difference : float or None
        New value minus old value.
    low, high, level : float or None
        Newcombe's interval of the difference of two shares, and its level; None where there is none.
    """

    group: str
    old: Standing | None
    new: Standing | None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None

    @property
    def presence(self) -> Presence:
        """In which of the audits it occurs."""
        return _presence(self.old, self.new)

    @property
    def got_worse(self) -> bool:
        """Whether it fails now and did not before."""
        is_failing = self.new is not None and self.new.verdict == "failing"
        return is_failing and (self.old is None or self.old.verdict != "failing")

    @property
    def ratio_drop(self) -> float:
        """How far its ratio fell; below 0 where it rose, 0 where that is not known."""
        if self.old is None or self.new is None or self.old.ratio is None or self.new.ratio is None:
            return 0.0
        return self.old.ratio - self.new.ratio

    @property
    def is_changed(self) -> bool:
        """Whether anything about it is another now."""
        return self.old != self.new


@dataclass(frozen=True, slots=True, kw_only=True)
class TestChange:
    """A test in both audits, or in one.

    Attributes
    ----------
    name, analysis : str
        Of the later one.
    old_name : str or None
        What it was called before; None where it did not occur.
    old_status, new_status : str or None
        What it comes to; None where it does not occur.
    parameters, thresholds, verdicts, measurements : tuple of Change
        What is another now; verdicts are those of rules, of the skip code and of the reference.
    groups : tuple of GroupChange
        Groups that changed, worst first.
    """

    __test__ = False  # a name that test collectors must not take for theirs

    name: str
    analysis: str
    old_name: str | None
    old_status: str | None
    new_status: str | None
    parameters: tuple[Change, ...] = ()
    thresholds: tuple[Change, ...] = ()
    verdicts: tuple[Change, ...] = ()
    measurements: tuple[Change, ...] = ()
    groups: tuple[GroupChange, ...] = ()

    @property
    def presence(self) -> Presence:
        """In which of the audits it stands."""
        return _presence(self.old_status, self.new_status)

    @property
    def got_worse(self) -> bool:
        """Whether its status is a graver one now."""
        return self.presence is Presence.BOTH and gravity(self.new_status) > gravity(self.old_status)

    @property
    def is_changed(self) -> bool:
        """Whether anything about it is another now."""
        parts = (self.parameters, self.thresholds, self.verdicts, self.measurements, self.groups)
        renamed = self.old_name not in {None, self.name}
        return self.presence is not Presence.BOTH or self.old_status != self.new_status or renamed or any(parts)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Displayable):
    """What `compare` found.

    Attributes
    ----------
    old, new : str
        What was compared: a file name, or a title.
    old_status, new_status : str
        What the audits come to.
    same_data : bool
        Whether both have the same counts.
    audit : tuple of Change
        What is said of the audit as a whole and is another now.
    tests : tuple of TestChange
        All tests of both, worst change first.
    """

    display_kind: ClassVar[str] = "comparison"

    old: str
    new: str
    old_status: str
    new_status: str
    same_data: bool
    audit: tuple[Change, ...]
    tests: tuple[TestChange, ...]

    @property
    def changed(self) -> tuple[TestChange, ...]:
        """The tests about which anything is another now."""
        return tuple(test for test in self.tests if test.is_changed)

    @property
    def got_worse(self) -> bool:
        """Whether the status of a test, or of the audit, is a graver one now."""
        return gravity(self.new_status) > gravity(self.old_status) or any(test.got_worse for test in self.tests)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "old": self.old,
            "new": self.new,
            "old_status": self.old_status,
            "new_status": self.new_status,
            "got_worse": self.got_worse,
            "same_data": self.same_data,
            "audit": [asdict(item) for item in self.audit],
            "tests": [
                asdict(test)
                | {"presence": test.presence.value, "got_worse": test.got_worse, "groups": list(_group_documents(test))}
                for test in self.tests
            ],
            "remark": INDEPENDENT,
        }


def gravity(status: str | None) -> int:
    """Return how grave a status is, 0 for passing; an unknown one counts as passing."""
    return _GRAVITY.get(status or "", 0)


def _presence(old: object, new: object) -> Presence:
    if old is None:
        return Presence.ADDED
    return Presence.REMOVED if new is None else Presence.BOTH


def _group_documents(test: TestChange) -> Iterator[dict[str, Any]]:
    for group in test.groups:
        yield asdict(group) | {"presence": group.presence.value, "got_worse": group.got_worse}
