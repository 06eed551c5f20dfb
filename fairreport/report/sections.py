"""The sections of a packet, in their order; a further one is one more entry here and one more template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairreport.report.packet_view import PacketView
from fairreport.report.test_results import TestResults

if TYPE_CHECKING:
    from fairreport.report.gap_results import GapResults
    from fairreport.report.pair_results import PairResults

Entries = tuple[tuple[str, str, str], ...]
"""Entries of the contents below a section: number, anchor, title."""


def _none(_packet: PacketView) -> Entries:
    return ()


def _never(_packet: PacketView) -> bool:
    return False


def _always(_packet: PacketView) -> bool:
    return True


def _is_wide(results: Sequence[TestResults]) -> bool:
    return any(result.table is not None and result.table.is_wide for result in results)


def _has_wide_groups(packet: PacketView) -> bool:
    return _is_wide(packet.by_group) or any(it.is_wide for it in packet.pairs.by_group)


def _has_wide_labelled(packet: PacketView) -> bool:
    return _is_wide(packet.labelled) or any(it.is_wide for it in packet.pairs.labelled)


def _has_adjusted(packet: PacketView) -> bool:
    return any(result.adjusted is not None for result in packet.results) or bool(packet.pairs.segmented)


def _has_wide_adjusted(packet: PacketView) -> bool:
    """Tell whether section 6 is wide; a single sentence stands on the page on which section 7 begins."""
    if not _has_adjusted(packet):
        return _has_wide_labelled(packet)
    wide = any(result.adjusted is not None and result.adjusted.is_wide for result in packet.results)
    return wide or any(it.is_wide for it in packet.pairs.segmented)


def _begins_results(packet: PacketView) -> bool:
    return bool(packet.by_group or packet.pairs.by_group)


def _begins_adjusted(packet: PacketView) -> bool:
    return _has_adjusted(packet) or _has_wide_groups(packet) or _has_wide_labelled(packet)


def _begins_labels(packet: PacketView) -> bool:
    tabled = any(result.table for result in packet.labelled) or any(it.levels for it in packet.pairs.labelled)
    return _has_adjusted(packet) and tabled


def _has_wide_profile(packet: PacketView) -> bool:
    return packet.preset is not None and packet.preset.is_wide


def _has_profile(packet: PacketView) -> bool:
    return packet.preset is not None


def _profile(packet: PacketView) -> Entries:
    tables = () if packet.preset is None else packet.preset.tables
    return tuple((table.number, table.anchor, table.title.text) for table in tables)


def _tests(packet: PacketView) -> Entries:
    return _entries([*packet.by_group, *packet.pairs.by_group])


def _segmented(packet: PacketView) -> Entries:
    return _entries(packet.pairs.segmented)


def _labelled(packet: PacketView) -> Entries:
    return _entries([*packet.labelled, *packet.gaps.results, *packet.pairs.labelled])


def _varied(packet: PacketView) -> Entries:
    tests = packet.robustness.tests if packet.robustness.is_any else ()
    return tuple((test.number, test.anchor, test.name.short) for test in tests)


def _has_varied(packet: PacketView) -> bool:
    return packet.robustness.is_any


def _entries(results: Sequence[TestResults | GapResults | PairResults]) -> Entries:
    return tuple((result.number, result.anchor, result.view.name.short) for result in results)


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
    begins_page : callable
        Whether it begins on a new page.
    """

    number: int
    anchor: str
    title: str
    template: str
    below: Callable[[PacketView], Entries] = _none
    is_wide: Callable[[PacketView], bool] = _never
    begins_page: Callable[[PacketView], bool] = _always


SECTIONS = (
    Section(number=1, anchor="result", title="Result", template="packet/result.html"),
    Section(number=2, anchor="contents", title="Contents", template="packet/contents.html"),
    Section(number=3, anchor="criteria", title="Scope and criteria", template="packet/criteria.html"),
    Section(number=4, anchor="data", title="Data", template="packet/data.html", begins_page=_never),
    Section(
        number=5,
        anchor="results",
        title="Results by group",
        template="packet/results.html",
        below=_tests,
        is_wide=_has_wide_groups,
        begins_page=_begins_results,
    ),
    Section(
        number=6,
        anchor="adjusted",
        title="Adjusted results",
        template="packet/adjusted.html",
        below=_segmented,
        is_wide=_has_wide_adjusted,
        begins_page=_begins_adjusted,
    ),
    Section(
        number=7,
        anchor="labels",
        title="Error rates, metric parity and calibration",
        template="packet/labels.html",
        below=_labelled,
        is_wide=_has_wide_labelled,
        begins_page=_begins_labels,
    ),
    Section(
        number=8,
        anchor="robustness",
        title="Robustness",
        template="packet/robustness.html",
        below=_varied,
        begins_page=_has_varied,
    ),
    Section(
        number=9,
        anchor="assumptions",
        title="Assumptions and limitations",
        template="packet/assumptions.html",
        begins_page=_never,
    ),
    Section(number=10, anchor="methods", title="Methods", template="packet/methods.html"),
    Section(
        number=11,
        anchor="provenance",
        title="Provenance and reproduction",
        template="packet/provenance.html",
        begins_page=_never,
    ),
    Section(
        number=12,
        anchor="profile",
        title="Profile tables",
        template="packet/profile.html",
        below=_profile,
        is_wide=_has_wide_profile,
        begins_page=_has_profile,
    ),
    Section(
        number=13,
        anchor="closing",
        title="Glossary, sign-off and attachments",
        template="packet/closing.html",
    ),
)
