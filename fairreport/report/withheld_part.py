"""Groups that a packet shows without their figures, by test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairreport.audit.record import AuditRecord, TestRecord
from fairreport.audit.withheld import published_sentence, why_group
from fairreport.audit.withholding import REREFERENCED
from fairreport.render import formats
from fairreport.render.views import Name

_PRINTED = 40
"""At most so many groups of a test are printed; the attachment holds all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldGroup:
    """A group, and what stands in the place of its figures."""

    group: tuple[Name, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldGroups:
    """The groups of one test that are withheld, under its attributes; `more` says how many are not printed.

    `rereferenced` says so where the ratios are to another group than in the audit.
    """

    attributes: tuple[Name, ...]
    groups: tuple[WithheldGroup, ...]
    more: str
    rereferenced: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldPart:
    """What a packet withholds.

    Attributes
    ----------
    below : str
        Groups with fewer rows are withheld.
    tests : mapping of str to WithheldGroups
        By the name of the test, as it is printed.
    n_tests : int
        Tests of which groups are withheld.
    rereferenced : tuple of Name
        Tests whose ratios are to another group than in the audit.
    published : str
        Which tests are left with all their groups, in words; empty without any.
    """

    below: str
    tests: Mapping[str, WithheldGroups]
    n_tests: int
    rereferenced: tuple[Name, ...]
    published: str


def withheld_part(record: AuditRecord) -> WithheldPart | None:
    """Return what a packet withholds; None where it withholds nothing by its settings."""
    if record.withheld is None:
        return None
    found = {
        formats.printable(entry.name): groups
        for entry in record.tests
        if (groups := _groups(record, entry)) is not None
    }
    unshown = record.withheld.tests
    return WithheldPart(
        below=formats.count(record.withheld.below),
        tests=found,
        n_tests=sum(test.whole or bool(test.groups) for test in unshown),
        rereferenced=tuple(Name.of(test.name) for test in unshown if test.rereferenced),
        published=published_sentence(record.withheld),
    )


def _groups(record: AuditRecord, entry: TestRecord) -> WithheldGroups | None:
    unshown = None if record.withheld is None else record.withheld.of(entry.name)
    if record.withheld is None or unshown is None or not unshown.groups:
        return None
    below, few = record.withheld.below, set(unshown.few)
    more = len(unshown.groups) - _PRINTED
    return WithheldGroups(
        attributes=tuple(Name.of(name) for name in entry.finding.attributes),
        groups=tuple(
            WithheldGroup(group=tuple(map(Name.of, group)), why=why_group(below, few=group in few))
            for group in unshown.groups[:_PRINTED]
        ),
        more=f"{formats.plural(more, 'further group', 'further groups')} in the attachment groups.csv."
        if more > 0
        else "",
        rereferenced=REREFERENCED if unshown.rereferenced else "",
    )
