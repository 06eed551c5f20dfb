"""What the configuration and the command line say of the packet, its files found from where they are named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairreport.audit.readers.configuration import Configuration
from fairreport.audit.result import AuditRun
from fairreport.errors import ConfigError, Fault

if TYPE_CHECKING:
    from fairreport.audit.trend import Trends
    from fairreport.report.packet import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketSettings:
    """How a packet is to be made; see `fairreport.Report`."""

    preset: str | None = None
    profile: Mapping[str, Any] | None = None
    paper: str = "A4"
    suppress_below: int | None = None
    logo: Path | None = None
    colors: Mapping[str, str] | None = None
    footer: str | None = None
    templates: Path | None = None
    previous: Path | None = None
    trends: Trends | None = None
    checksum: bool = True

    def report(self, result: AuditRun) -> Report:
        """Return the packet of a run."""
        from fairreport.report.packet import Report  # noqa: PLC0415 - settings are read before anything is made

        return Report(
            result,
            preset=self.preset,
            paper=self.paper,
            profile=self.profile,
            suppress_below=self.suppress_below,
            logo=self.logo,
            colors=self.colors,
            footer=self.footer,
            templates=self.templates,
            previous=self.previous,
            trends=self.trends,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPacket:
    """What the command line says of the packet; it goes before the configuration."""

    previous: Path | None = None
    suppress_below: int | None = None
    checksum: bool | None = None


def packet_settings(configuration: Configuration, folder: Path, asked: AskedPacket) -> PacketSettings:
    """Return how the packet is to be made, after a look at the files that it needs: no data was read yet.

    Parameters
    ----------
    configuration : Configuration
        As stated.
    folder : Path
        What paths in it are relative to.
    asked : AskedPacket
        What the command line says.

    Raises
    ------
    ConfigError
        If the logo is no picture, a template is none, or the earlier packet cannot be read.
    DataError
        If there is no earlier packet.
    """
    stated = configuration.stated.report
    below = asked.suppress_below if asked.suppress_below is not None else stated.get("suppress_below")
    settings = PacketSettings(
        preset=stated.get("preset"),
        profile=stated.get("profile"),
        paper=stated.get("paper") or "A4",
        suppress_below=None if below is None else int(below),
        logo=_beside(folder, stated.get("logo")),
        colors=stated.get("colors"),
        footer=stated.get("footer"),
        templates=_beside(folder, stated.get("templates")),
        previous=asked.previous,
        checksum=_first(asked.checksum, stated.get("checksum"), default=True),
    )
    _look_at(settings, configuration)
    return settings


def _beside(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / name


def _first(*answers: bool | None, default: bool) -> bool:
    return next((answer for answer in answers if answer is not None), default)


def _look_at(settings: PacketSettings, configuration: Configuration) -> None:
    """Raise where a file that the packet needs is not as it should be, by its place in the configuration."""
    if settings.previous is not None:
        from fairreport.report.compare import document_of  # noqa: PLC0415 - the same

        document_of(settings.previous)
    if settings.logo is None and settings.templates is None:
        return
    from fairreport.report.branding import branding_of  # noqa: PLC0415 - the same

    try:
        branding_of(about=configuration.stated.about, logo=settings.logo, templates=settings.templates)
    except ConfigError as error:
        faults = [_placed(fault, configuration) for fault in error.errors]
        raise ConfigError(faults, source=configuration.name) from None


def _placed(fault: Fault, configuration: Configuration) -> Fault:
    path = f"audit.report.{fault.path}"
    return Fault(code=fault.code, message=fault.message, path=path, line=configuration.line(path))
