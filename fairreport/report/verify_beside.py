"""What belongs to a packet beside its results: its looks, earlier results and trends inside it, the hash beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairreport.audit.trend import Trends
from fairreport.errors import ConfigError, DataError
from fairreport.report.branding import PLAIN, Branding, branding_from_json
from fairreport.report.checksum import SUFFIX, read_checksum
from fairreport.report.differences import Difference
from fairreport.report.earlier import Earlier
from fairreport.report.packet_files import EARLIER, PRESENTATION, TRENDS, PacketFiles
from fairreport.report.strict_json import read_json
from fairreport.report.trend_file import trends_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a packet holds beside its results, and what is wrong with that."""

    branding: Branding = PLAIN
    earlier: Earlier | None = None
    trends: Trends | None = None
    differences: tuple[Difference, ...] = ()


def read_beside(files: Mapping[str, bytes]) -> Beside:
    """Return the looks and the earlier results of a packet; what cannot be read is a difference."""
    held: list[Difference] = []
    branding, earlier, trends = PLAIN, None, None
    if PRESENTATION in files:
        try:
            branding = branding_from_json(read_json(files[PRESENTATION], PRESENTATION))
        except (ConfigError, DataError) as error:
            held.append(Difference(file=PRESENTATION, pointer="", message=str(error)))
    if EARLIER in files:
        try:
            earlier = Earlier(document=_results(read_json(files[EARLIER], EARLIER)))
        except DataError as error:
            held.append(Difference(file=EARLIER, pointer="", message=str(error)))
    if TRENDS in files:
        try:
            trends = trends_from(read_json(files[TRENDS], TRENDS))
        except (ValueError, DataError) as error:
            held.append(Difference(file=TRENDS, pointer="", message=f"holds no trends of an audit ({error})"))
    return Beside(branding=branding, earlier=earlier, trends=trends, differences=tuple(held))


def _results(found: Any) -> dict[str, Any]:
    if isinstance(found, dict) and isinstance(found.get("results"), list):
        return found
    raise DataError("holds no results of an audit")


def compare_checksum(path: Path, packet: PacketFiles, identifier: str) -> tuple[str, list[Difference]]:
    """Return what was looked at in the hash beside a packet, and how it differs; nothing where none stands there.

    Raises
    ------
    DataError
        If there is one and it cannot be read.
    """
    stated = read_checksum(path)
    if stated is None:
        return "", []
    beside = f"{packet.name}{SUFFIX}"
    held = []
    found = sha256(packet.content).hexdigest()
    if stated.sha256 != found:
        held.append(Difference(file=beside, pointer="sha256", stated=stated.sha256, recomputed=found))
    if stated.packet_id not in {None, identifier}:
        held.append(Difference(file=beside, pointer="packet id", stated=stated.packet_id, recomputed=identifier))
    return f"sha256 of the file, in {beside} beside it", held
