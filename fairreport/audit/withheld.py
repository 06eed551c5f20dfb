"""What a report does not show: groups with few rows, and those from which these could be computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairreport.analyses.grouping import Label
from fairreport.audit.gate import Status

CODE = "withheld"
"""Code of notes, of skipped tests and of the limitation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldTest:
    """What is withheld of one test.

    Attributes
    ----------
    name : str
        The test.
    few : tuple of tuple of str
        Groups with fewer rows than are shown, one text per attribute.
    beside : tuple of tuple of str
        Groups that have more, and from which together with a total the others could be computed.
    whole : bool
        Whether no figure of the test is shown.
    adjusted : bool
        Whether the figures within the control columns are withheld.
    differs : bool
        Whether figures of the groups shown are not those of the whole run, which counted the withheld ones.
    rereferenced : bool
        Whether the groups shown are compared with another than in the whole run, whose reference is withheld.
    lacking : tuple of str
        Attributes that few rows lack, of which it is not shown how many are favorable.
    status : Status
        What the test comes to with all of its groups.
    passed : tuple of bool or None
        Whether each threshold holds with all of its groups.
    """

    name: str
    few: tuple[Label, ...] = ()
    beside: tuple[Label, ...] = ()
    whole: bool = False
    adjusted: bool = False
    differs: bool = False
    rereferenced: bool = False
    lacking: tuple[str, ...] = ()
    status: Status
    passed: tuple[bool | None, ...] = ()

    @property
    def groups(self) -> tuple[Label, ...]:
        """All groups that are withheld."""
        return (*self.few, *self.beside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """What is withheld of an audit.

    Attributes
    ----------
    below : int
        Groups with fewer rows are shown without their figures.
    tests : tuple of WithheldTest
        The tests of which anything is withheld.
    published : tuple of str
        Tests that are left as they are, because a preset has their counts published.
    """

    below: int
    tests: tuple[WithheldTest, ...] = ()
    published: tuple[str, ...] = ()

    def of(self, name: str) -> WithheldTest | None:
        """Return what is withheld of a test; None where nothing is."""
        return next((test for test in self.tests if test.name == name), None)


def published_sentence(withheld: Withheld) -> str:
    """Return that the groups of some tests are shown whatever their size; empty where all may be withheld.

    Examples
    --------
    >>> published_sentence(Withheld(below=30, published=("hired by sex",)))
    'groups with fewer than 30 rows stand with their counts in 1 test, because the preset has its counts published'
    """
    n = len(withheld.published)
    if not n:
        return ""
    where = "1 test" if n == 1 else f"{n:,} tests"
    whose = "its" if n == 1 else "their"
    return (
        f"groups with fewer than {withheld.below:,} rows stand with their counts in {where}, "
        f"because the preset has {whose} counts published"
    )


def why_whole(below: int) -> str:
    """Return why no figure of a test is shown, as its reason for being left out."""
    return f"its figures would show those of a group with fewer than {below:,} rows"


def why_group(below: int, *, few: bool) -> str:
    """Return what stands in the place of a group's figures.

    Examples
    --------
    >>> why_group(10, few=True), why_group(10, few=False)
    ('withheld (fewer than 10)', 'withheld (protects another group)')
    """
    return f"withheld (fewer than {below:,})" if few else "withheld (protects another group)"


def withheld_document(withheld: Withheld) -> dict[str, Any]:
    """Return what is withheld as JSON values."""
    return {
        "below": withheld.below,
        "tests": [
            {
                "name": test.name,
                "few": [list(label) for label in test.few],
                "beside": [list(label) for label in test.beside],
                "whole": test.whole,
                "adjusted": test.adjusted,
                "differs": test.differs,
                "rereferenced": test.rereferenced,
                "lacking": list(test.lacking),
                "status": test.status.value,
                "passed": list(test.passed),
            }
            for test in withheld.tests
        ],
        "published": list(withheld.published),
    }
