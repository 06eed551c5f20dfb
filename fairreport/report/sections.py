"""The sections of a packet, in their order; a further one is one more entry here and one more template."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairreport.report.packet_view import PacketView

Entries = tuple[tuple[str, str, str], ...]
"""Entries of the contents below a section: number, anchor, title."""


def _none(_packet: PacketView) -> Entries:
    return ()


def _never(_packet: PacketView) -> bool:
    return False


def _has_wide_tables(packet: PacketView) -> bool:
    return any(result.table is not None and result.table.is_wide for result in packet.results)


def _has_wide_adjusted(packet: PacketView) -> bool:
    return any(result.adjusted is not None and result.adjusted.is_wide for result in packet.results)


def _tests(packet: PacketView) -> Entries:
    return tuple((result.number, result.anchor, result.view.name.short) for result in packet.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section.

    Attributes
    ----------
    number : int
        Its number in the packet, the same in every packet.
    anchor, title : str
        Where links lead, and how it is headed.
    template : str
        What prints it.
    below : callable
        Entries of the contents below it.
    is_wide : callable
        Whether it needs landscape pages.
    begins_page : bool
        Whether it begins on a new page.
    """

    number: int
    anchor: str
    title: str
    template: str
    below: Callable[[PacketView], Entries] = _none
    is_wide: Callable[[PacketView], bool] = _never
    begins_page: bool = True


SECTIONS = (
    Section(number=1, anchor="result", title="Result", template="packet/result.html"),
    Section(number=2, anchor="contents", title="Contents", template="packet/contents.html"),
    Section(number=3, anchor="criteria", title="Scope and criteria", template="packet/criteria.html"),
    Section(number=4, anchor="data", title="Data", template="packet/data.html", begins_page=False),
    Section(
        number=5,
        anchor="results",
        title="Results by group",
        template="packet/results.html",
        below=_tests,
        is_wide=_has_wide_tables,
    ),
    Section(
        number=6,
        anchor="adjusted",
        title="Adjusted results",
        template="packet/adjusted.html",
        is_wide=_has_wide_adjusted,
    ),
    Section(
        number=7,
        anchor="labels",
        title="Error rates and calibration",
        template="packet/labels.html",
        begins_page=False,
    ),
    Section(
        number=8,
        anchor="robustness",
        title="Robustness",
        template="packet/robustness.html",
        begins_page=False,
    ),
    Section(
        number=9,
        anchor="assumptions",
        title="Assumptions and limitations",
        template="packet/assumptions.html",
        begins_page=False,
    ),
    Section(number=10, anchor="methods", title="Methods", template="packet/methods.html"),
    Section(number=11, anchor="provenance", title="Provenance and reproduction", template="packet/provenance.html"),
    Section(
        number=12,
        anchor="profile",
        title="Profile tables",
        template="packet/profile.html",
        begins_page=False,
    ),
    Section(
        number=13,
        anchor="closing",
        title="Glossary, sign-off and attachments",
        template="packet/closing.html",
    ),
)
